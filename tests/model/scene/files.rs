//! Scene files: the contract's defaults, the builder's equivalent, and files that cannot be read.

use std::path::Path;

use pliant::model::{FrictionCombine, Integrator, Method, Mode, Settings, Sweep, World};
use pliant::scene::{
    Animation, Body, Camera, Cloth, Collider, Constraint, Driven, Force, Grid, Mesh, Particles, Pin, PinSpin, Scene,
    SceneError, Select,
};

const SMALLEST: &str = "
name = \"Hanging cloth\"
[[body]]
kind = \"cloth\"
mesh = { grid = { columns = 64, rows = 64, width = 1.0, height = 1.0 } }
mass = 1.0
pin = [\"top-left\", \"top-right\"]
stretch_compliance = 1e-8
shear_compliance = 1e-6
bend = { kind = \"distance\", compliance = 1e-4 }
";

/// A scene without where it came from, as a builder makes it.
fn parsed(text: &str) -> Scene {
    let scene = Scene::parse(text, "test.toml", "folder").unwrap_or_else(|error| panic!("{error}"));
    Scene { source: None, ..scene }
}

/// The contract's smallest scene has exactly the documented defaults.
#[test]
fn defaults() {
    let scene = parsed(SMALLEST);
    assert_eq!(scene.name, "Hanging cloth");
    assert_eq!((scene.settings.mode, scene.settings.method), (Mode::Xpbd, Method::GaussSeidel));
    assert_eq!((scene.settings.frame_rate, scene.settings.substeps, scene.settings.iterations), (60.0, 10, 1));
    assert_eq!((scene.settings.relaxation, scene.settings.corrected_stiffness), (1.0, false));
    let world = World {
        gravity: [0.0, -9.81, 0.0],
        wind: [0.0; 3],
        air_density: 1.225,
        max_speed: None,
        push_out_speed: 1.0,
        friction_combine: FrictionCombine::Mean,
    };
    assert_eq!(scene.world, world);
    let body = &scene.bodies[0];
    assert_eq!((body.friction, body.dynamic_friction, body.restitution), (0.0, None, 0.0));
    assert_eq!((body.drag, body.lift, body.damping), (0.0, 0.0, 0.0));
    assert_eq!((body.scale, body.rotation, body.position), ([1.0; 3], [0.0, 0.0, 0.0, 1.0], [0.0; 3]));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!((model.particles.len(), model.groups[0].len()), (4096, 23_938));
    assert_eq!((model.particles.inverse_masses[0], model.particles.inverse_masses[1]), (0.0, 4096.0));
    assert!(model.materials.iter().all(|material| material.damping == 0.0 && material.break_force.is_none()));
}

/// The smallest scene of the builder equals that of the file.
#[test]
fn builder_equals_file() {
    let grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4);
    let body = Body::cloth(cloth).mass(1.0).pin("top-left").pin("top-right");
    assert_eq!(Scene::new("Hanging cloth").with(body), parsed(SMALLEST));
}

/// Driven bodies, pins that they lead and pins that turn are the same from a file and from the builder.
#[test]
fn builder_equals_file_of_driven_bodies() {
    let text = r#"
        name = "Driven"
        [[body]]
        name = "dancer"
        kind = "driven"
        animation = { file = "dancer.glb", clip = "Walk" }
        loop = true
        speed = 2
        start = 0.5
        [[body]]
        kind = "driven"
        mesh = "sheet.obj"
        animation = { file = "walk.pc2", frame_rate = 24 }
        [[body]]
        kind = "particles"
        positions = [[0, 0, 0], [1, 0, 0]]
        pin = [
          { indices = [0], to = "dancer" },
          { indices = [1], pivot = [0, 1, 0], keyframes = [{ time = 0, rotation = [0, 0, 0, 1] }] },
        ]
    "#;
    let file = |name: &str, clip: Option<&str>, frame_rate| Animation::File {
        path: Path::new("folder").join(name),
        content: None,
        clip: clip.map(str::to_owned),
        frame_rate,
    };
    let dancer = Driven::new(file("dancer.glb", Some("Walk"), None)).repeating().speed(2.0).start(0.5);
    let sheet = Driven::new(file("walk.pc2", None, Some(24.0))).mesh(Mesh::File("folder/sheet.obj".into()));
    let turning = Pin::new(Select::Indices(vec![1])).rotations([(0.0, [0.0, 0.0, 0.0, 1.0])], Some([0.0, 1.0, 0.0]));
    let pinned = Body::particles([[0.0; 3], [1.0, 0.0, 0.0]]);
    let pinned = pinned.pin(Pin::new(Select::Indices(vec![0])).to("dancer")).pin(turning);
    let scene = Scene::new("Driven").with(Body::driven(dancer).name("dancer")).with(Body::driven(sheet)).with(pinned);
    assert_eq!(scene, parsed(text));
}

/// Every key of a file has its counterpart in the builder.
#[test]
fn builder_equals_file_in_full() {
    let text = r#"
        name = "All"
        camera = { eye = [0, 1, 2], target = [0, 1, 0], field_of_view = 50 }
        [solver]
        mode = "pbd"
        method = "jacobi"
        integrator = "bdf2"
        frame_rate = 50
        substeps = 4
        iterations = 3
        contact_rounds = 5
sweep = "one-way"
        relaxation = 1.5
        corrected_stiffness = true
        max_colours = 12
        [world]
        gravity = [0, 0, -1.62]
        wind = [3, 0, 1]
        air_density = 1.2
        max_speed = 100
        push_out_speed = 0.5
        friction_combine = "max"
        [[body]]
        name = "shell"
        kind = "cloth"
        mesh = { file = "shell.obj" }
        scale = 2
        rotation = [0, 0, 1, 0]
        position = [1, 2, 3]
        weld = 1e-6
        velocity = [4, 5, 6]
        angular_velocity = [7, 8, 9]
        density = 0.2
        thickness = 0.01
        contact = "surface"
        friction = 0.3
        dynamic_friction = 0.2
        restitution = 0.1
        drag = 1.1
        lift = 0.9
        damping = 2.5
        colour = [0, 0.5, 1]
        stretch_stiffness = 0.9
        bend_stiffness = 0.1
        pin = [
          4,
          { indices = [7], spin = { axis = [0, 1, 0], rate = 2, until = 3 }, pivot = [1, 1, 1] },
          { box = [[0, 0, 0], [1, 1, 1]] },
          { sphere = [[0, 0, 0], 2], keyframes = [{ time = 0.5, value = [1, 0, 0] }] },
        ]
        [[body]]
        kind = "particles"
        positions = [[0, 0, 0], [1, 0, 0]]
        masses = [0, 1]
        velocities = [[0, 0, 0], [0, 1, 0]]
        radius = 0.05
        [[body.constraint]]
        kind = "distance"
        particles = [[0, 1]]
        compliance = 1e-6
        damping = [0.5]
        stiffness = 0.75
        side = "push"
        break_force = 9
        rest_length = 2
        [[constraint]]
        kind = "distance"
        particles = [[["shell", 0], ["body1", 1]]]
        [[force]]
        body = "body1"
        particles = [1]
        value = [0, 0, 1]
        [[collider]]
        shape = { sphere = { radius = 3 } }
        position = [0, 1, 0]
        inside = true
        friction = 0.4
        "#;
    let mesh = Mesh::File(["folder", "shell.obj"].iter().collect());
    let cloth = Cloth { stretch_stiffness: 0.9, bend_stiffness: Some(0.1), ..Cloth::new(mesh) };
    let ball = Select::Sphere { centre: [0.0; 3], radius: 2.0 };
    let shell = Body::cloth(cloth)
        .name("shell")
        .scale(2.0)
        .rotation([0.0, 0.0, 1.0, 0.0])
        .position([1.0, 2.0, 3.0])
        .weld(1e-6)
        .velocity([4.0, 5.0, 6.0])
        .angular_velocity([7.0, 8.0, 9.0])
        .density(0.2)
        .thickness(0.01)
        .surface_contact()
        .friction(0.3)
        .dynamic_friction(0.2)
        .restitution(0.1)
        .air(1.1, 0.9)
        .damping(2.5)
        .colour([0.0, 0.5, 1.0])
        .pin(4)
        .pin(Pin::from(7).spin(PinSpin { axis: [0.0, 1.0, 0.0], rate: 2.0, until: Some(3.0) }, Some([1.0; 3])))
        .pin(Select::Box { min: [0.0; 3], max: [1.0; 3] })
        .pin(Pin::new(ball).keyframes([(0.5, [1.0, 0.0, 0.0])]));
    let link = Constraint::new("distance", [[0, 1]])
        .compliance(1e-6)
        .damping(vec![0.5])
        .stiffness(0.75)
        .side(pliant::model::Side::Push)
        .break_force(9.0)
        .rest("rest_length", 2.0);
    let points = Particles::from([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let points = points.masses([0.0, 1.0]).velocities([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let mut scene = Scene::new("All")
        .settings(Settings {
            mode: Mode::Pbd,
            method: Method::Jacobi,
            integrator: Integrator::Bdf2,
            frame_rate: 50.0,
            substeps: 4,
            iterations: 3,
            contact_rounds: 5,
            sweep: Sweep::OneWay,
            relaxation: 1.5,
            corrected_stiffness: true,
            max_colours: 12,
            mean_forces: true,
            nested: None,
        })
        .with(shell)
        .with(Body::particles(points).radius(0.05).constrain(link))
        .constrain(Constraint::new("distance", [[("shell".to_string(), 0), ("body1".to_string(), 1)]]))
        .force(Force::new([0.0, 0.0, 1.0]).on("body1").particles([1]))
        .collider(Collider::sphere(3.0).position([0.0, 1.0, 0.0]).inside().friction(0.4));
    scene.world = World {
        gravity: [0.0, 0.0, -1.62],
        wind: [3.0, 0.0, 1.0],
        air_density: 1.2,
        max_speed: Some(100.0),
        push_out_speed: 0.5,
        friction_combine: FrictionCombine::Max,
    };
    scene.camera = Some(Camera { eye: [0.0, 1.0, 2.0], target: [0.0, 1.0, 0.0], field_of_view: 50.0 });
    assert_eq!(scene, parsed(text));
}

fn message(result: Result<Scene, SceneError>) -> String {
    result.expect_err("a refusal").to_string()
}

/// Files that are missing, directories, or no text are told by name with what to do.
#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let missing = message(Scene::load(path("none.toml")));
    assert!(missing.contains("none.toml: there is no such file; give the path"), "{missing}");
    let directory = message(Scene::load(folder.path()));
    assert!(directory.contains("this is a folder; give the path"), "{directory}");
    #[cfg(unix)]
    {
        let pipe = path("pipe.toml");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        for endless in [pipe.as_path(), std::path::Path::new("/dev/zero")] {
            let endless = message(Scene::load(endless));
            assert!(endless.contains("this is a device or a pipe") && endless.contains("to a .toml file"), "{endless}");
        }
    }
    std::fs::write(path("latin.toml"), b"# one\nname = \"caf\xe9\"").expect("a file");
    let latin = message(Scene::load(path("latin.toml")));
    assert!(latin.contains("latin.toml:2:12: this is not UTF-8 text; save the scene as UTF-8"), "{latin}");
}

/// A mesh is looked for beside its scene; a missing, cut off or empty one is told with the scene's line and the mesh's name.
#[test]
fn meshes_beside_the_scene() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let build = |mesh: &str| {
        write("scene.toml", &format!("name = \"a\"\n[[body]]\nkind = \"cloth\"\nmesh = {{ file = \"{mesh}\" }}"));
        Scene::load(folder.path().join("scene.toml")).and_then(|scene| scene.build())
    };
    write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n");
    let built = build("triangle.obj").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built.model.particles.len(), 3);
    assert!(built.notes.iter().any(|note| note.contains("triangle.obj: ")), "{:?}", built.notes);

    write(
        "facet.STL",
        "solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
    );
    let built = build("facet.STL").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(built.model.particles.len(), 3);
    let error = build("shirt.fbx").expect_err("an unknown format").to_string();
    assert!(error.contains("there is no such file"), "{error}");
    write("shirt.fbx", "Kaydara");
    let error = build("shirt.fbx").expect_err("an unknown format").to_string();
    assert!(error.contains("export the mesh as .obj, .ply, .stl, .gltf or .glb"), "{error}");

    write("cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2");
    write("empty.obj", "");
    write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    for mesh in ["none.obj", "cut.obj", "empty.obj", "line.obj"] {
        let error = build(mesh).expect_err(mesh).to_string();
        assert!(error.contains("scene.toml:4:") && error.contains("body[0].mesh"), "{error}");
        assert!(mesh == "line.obj" || error.contains(mesh), "{error}");
    }
}

/// A byte order mark and Windows line ends do no harm, and lines are still counted right.
#[test]
fn files_from_windows() {
    let text = format!("\u{feff}{}", SMALLEST.replace('\n', "\r\n"));
    assert_eq!(parsed(&text), parsed(SMALLEST));
    let wrong = text.replace("mass = 1.0", "mass = -1.0");
    let error = Scene::parse(&wrong, "a.toml", "").and_then(|scene| scene.build()).expect_err("a negative mass");
    assert_eq!(error.position, Some((6, 8)));
}

/// A scene is named after its file if it does not say otherwise.
#[test]
fn named_after_its_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("dot.toml");
    std::fs::write(&path, "[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0]]").expect("a file");
    assert_eq!(Scene::open(&path.to_string_lossy()).map(|scene| scene.name), Ok("dot".to_string()));
}
