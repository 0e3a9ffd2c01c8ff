use std::fs;

use super::*;
use crate::scene::PRESETS;
use crate::viewer::stepper::Way;

/// A body of each kind, with numbers in every place where a scene may have them; no two are alike.
const ALL: &str = r#"
# A scene of everything.
name = "All"

[solver] # how it is solved
substeps = 20
nested = false

[[body]]
name = "sheet" # a cloth
kind = "cloth"
mesh = { grid = { columns = 4, rows = 4, width = 1.0, height = 1.0 } }
stretch_compliance = 1e-6 # along the threads
bend = { kind = "distance", compliance = 3e-4 }
pin = ["top"]
tether = { compliance = 7e-5 }
drag = 1.1

[[body]]
name = "shirt"
kind = "cloth"
mesh = { file = "shirt.obj" }
position = [2, 0, 0]
stretch_compliance = 4e-6
bend = { kind = "dihedral", compliance = 5e-4 }
damping = 2.0

[[body]]
name = "weave"
kind = "cloth"
mesh = { grid = { columns = 3, rows = 3, width = 1.0, height = 1.0 } }
position = [4, 0, 0]
stretch = "strain"
stretch_compliance = 1e-3
shear_compliance = 9e-3

[[body]]
name = "rope"
kind = "rope"
mesh = { line = { from = [6, 0, 0], to = [6, -1, 0], segments = 4 } }
stretch_compliance = 6e-6
bend = { kind = "spatial_angle", compliance = 0.5 }

[[body]]
name = "balloon"
kind = "balloon"
mesh = { sphere = { radius = 0.3, segments = 5 } }
position = [8, 0, 0]
stretch_compliance = 8e-6
volume_compliance = 2e-7

[[body]]
name = "jelly"
kind = "soft"
mesh = { box = { cells = [1, 1, 1], size = [0.5, 0.5, 0.5] } }
position = [10, 0, 0]
young_modulus = 1e5
poisson_ratio = 0.4

[[body]]
name = "clay"
kind = "soft"
elasticity = "strain"
mesh = { box = { cells = [1, 1, 1], size = [0.5, 0.5, 0.5] } }
position = [12, 0, 0]
young_modulus = 3e4

[[body]]
name = "frame"
kind = "soft"
elasticity = "edges"
mesh = { box = { cells = [1, 1, 1], size = [0.5, 0.5, 0.5] } }
position = [14, 0, 0]

[[body]]
name = "stone"
kind = "shape"
mesh = { box = { cells = [2, 2, 2], size = [0.5, 0.5, 0.5] } }
position = [16, 0, 0]
shape_compliance = 2e-5

[[body]]
name = "chain"
kind = "particles"
positions = [[0, 0, 0], [0, -1, 0], [0, -2, 0], [0, -3, 0]]
position = [18, 0, 0]
[[body.constraint]]
kind = "distance"
particles = [[0, 1], [1, 2]]
compliance = 9e-6
break_force = [10, 20]
[[body.constraint]]
kind = "distance"
particles = [[2, 3], [1, 3]]
compliance = [1.1e-5, 1.2e-5]

[[body]]
name = "ribbon"
kind = "cloth"
mesh = { grid = { columns = 3, rows = 3, width = 0.5, height = 0.5 } }
position = [20, 0, 0]
thickness = 0.002
material = "rubber" # stretches

[[constraint]]
kind = "weld"
particles = [[["rope", 4], ["chain", 0]]]
compliance = 2e-3
"#;

const SHIRT: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.2\nf 1 2 3\nf 2 4 3\n";

/// The scene in a folder of its own, beside its mesh.
fn scene(folder: &Path, text: &str) -> Arc<Loaded> {
    fs::write(folder.join("shirt.obj"), SHIRT).unwrap();
    fs::write(folder.join("all.toml"), text).unwrap();
    Arc::new(open(&folder.join("all.toml")))
}

fn open(path: &Path) -> Loaded {
    Loaded::open(path.to_str().unwrap(), Way::Cpu, None).unwrap_or_else(|error| panic!("{error}"))
}

fn request(loaded: &Arc<Loaded>, tuning: Tuning, path: PathBuf) -> Request {
    Request { loaded: loaded.clone(), tuning, camera: None, path }
}

/// Whatever can be changed in the window is in the file: read back, it gives the same numbers to every constraint, and
/// bodies weigh what they did. Comments stay, and files are found from another folder.
#[test]
fn changes_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = scene(folder.path(), ALL);
    let mut tuning = Tuning::of(&loaded.model);
    let settings = &mut tuning.settings;
    (settings.substeps, settings.iterations, settings.method) = (33, 4, Method::Jacobi);
    settings.contact_rounds = 5;
    (settings.integrator, settings.sweep) = (Integrator::Bdf2, crate::model::Sweep::OneWay);
    (tuning.gravity, tuning.wind) = ([0.5, -1.62, 0.0], [3.0, 0.0, -0.25]);
    tuning.damping.iter_mut().for_each(|damping| *damping += 1.5);
    for (index, material) in tuning.materials.iter_mut().enumerate() {
        // Each by a factor of its own, but those that one modulus says, and rigid ones become soft.
        let one = loaded.scene.bodies.iter().filter_map(|body| body.content.modulus());
        let one = one.filter(|modulus| modulus.compliances.contains(&material.compliance)).count() > 0;
        let factor = if one { 2.5 } else { 1.5 + index as f64 };
        material.compliance = if material.compliance == 0.0 { 1e-9 } else { factor * material.compliance };
    }
    let (ribbon, fat) = (loaded.made[0].clone(), &PRESETS[6]);
    ribbon.remake(&mut tuning, fat);
    let path = folder.path().join("saved").join("new.toml");
    fs::create_dir(path.parent().unwrap()).unwrap();
    let camera = Some(Camera { eye: [1.0, 2.0 / 3.0, 3.0], target: [0.0; 3], field_of_view: 32.0 });
    let notes = save(&Request { camera, ..request(&loaded, tuning.clone(), path.clone()) }).unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");

    let again = open(&path);
    let read = Tuning::of(&again.model);
    let settings = |tuning: &Tuning| tuning.settings.clone();
    assert_eq!(settings(&read), settings(&tuning));
    assert_eq!((read.gravity, read.wind, &read.damping), (tuning.gravity, tuning.wind, &tuning.damping));
    assert_eq!(stiffness::others(&loaded, &tuning, &again.model), Vec::<String>::new());
    // Without the changes there would be others.
    assert_eq!(stiffness::others(&loaded, &tuning, &loaded.model).len(), loaded.materials.len());
    let masses = |loaded: &Loaded| loaded.model.particles.inverse_masses.clone();
    assert!(masses(&again).iter().zip(masses(&loaded)).all(|(a, b)| (a - b).abs() <= 1e-9 * b));
    assert_eq!(again.camera.map(|camera| camera.eye), Some([1.0, 0.6667, 3.0]));
    let text = fs::read_to_string(&path).unwrap();
    for kept in ["# A scene of everything.", "# how it is solved", "# a cloth", "# along the threads", "# stretches"] {
        assert!(text.contains(kept), "{kept} is gone:\n{text}");
    }
}

/// In PBD mode the stiffnesses are saved.
#[test]
fn stiffnesses_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [solver]
        mode = "pbd"
        [[body]]
        kind = "cloth"
        mesh = { grid = { columns = 4, rows = 4, width = 1.0, height = 1.0 } }
        shear_stiffness = 0.5
        bend_stiffness = 0.25
        [[body]]
        kind = "rope"
        mesh = { line = { from = [6, 0, 0], to = [6, -1, 0], segments = 4 } }
        stretch_stiffness = 0.75
    "#;
    let loaded = scene(folder.path(), text);
    let mut tuning = Tuning::of(&loaded.model);
    tuning.materials.iter_mut().for_each(|material| material.stiffness *= 0.9);
    let path = folder.path().join("new.toml");
    let notes = save(&request(&loaded, tuning.clone(), path.clone())).unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");
    let stiffness = |tuning: &Tuning| tuning.materials.iter().map(|material| material.stiffness).collect::<Vec<_>>();
    assert_eq!(stiffness(&Tuning::of(&open(&path).model)), stiffness(&tuning));
}

/// Nothing changed, nothing written anew: the file is the scene's own text, also of a scene of the gallery.
#[test]
fn unchanged_scenes_keep_their_text() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = scene(folder.path(), ALL);
    let path = folder.path().join("copy.toml");
    save(&request(&loaded, Tuning::of(&loaded.model), path.clone())).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), ALL);
    let flag = Arc::new(Loaded::open("flag", Way::Cpu, None).unwrap());
    save(&request(&flag, Tuning::of(&flag.model), path.clone())).unwrap();
    let text = crate::scene::GALLERY.iter().find(|(name, _)| *name == "flag").unwrap().1;
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

/// What a scene cannot say is told by its name, and the rest is saved. A folder that cannot be written to is told, too.
#[test]
fn what_cannot_be_said_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = scene(folder.path(), ALL);
    let mut tuning = Tuning::of(&loaded.model);
    // One of the six components of a strain: a scene has a modulus for all.
    let clay = loaded.materials.iter().find(|material| material.name.starts_with("clay")).unwrap();
    tuning.materials[clay.index].compliance *= 2.0;
    let path = folder.path().join("new.toml");
    let notes = save(&request(&loaded, tuning.clone(), path)).unwrap();
    assert!(notes.len() == 2 && notes[1].contains(&clay.name), "{notes:?}");
    let nowhere = folder.path().join("all.toml").join("new.toml");
    let trouble = save(&request(&loaded, tuning, nowhere.clone())).unwrap_err();
    assert!(trouble.place == nowhere.display().to_string() && trouble.message.contains("cannot write"), "{trouble:?}");
}
