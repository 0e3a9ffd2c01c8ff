//! Robots from URDF files: what the model has of them, and what is refused.

mod bad_input;
mod tree;
mod weight;

use pliant::model::Model;
use pliant::scene::{Body, Built, Joint, JointMotor, Robot, Scene, TriangleMesh};

type Matrix = [[f64; 3]; 3];

/// A link that is a cube of 0.1 m.
fn cube(name: &str) -> String {
    format!("<link name=\"{name}\"><collision><geometry><box size=\"0.1 0.1 0.1\"/></geometry></collision></link>\n")
}

fn joint(kind: &str, name: &str, [parent, child]: [&str; 2], keys: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{keys}</joint>\n"
    )
}

fn robot(content: &str) -> Robot {
    Robot::parse(format!("<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n{content}</robot>"), "arm.urdf")
}

fn built(robot: Robot) -> Built {
    Scene::new("").robot(robot).build().unwrap_or_else(|error| panic!("{error}"))
}

/// The index of a body by its name.
fn body(model: &Model, name: &str) -> usize {
    model.bodies.iter().position(|body| body.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Mass, centre and inertia about the centre of a rigid body's particles with their ballast.
fn moments(model: &Model, name: &str) -> (f64, [f64; 3], Matrix) {
    let index = body(model, name) as u32;
    let rigid = model.rigid.iter().find(|rigid| rigid.body == index).unwrap_or_else(|| panic!("{name} is not rigid"));
    let all = &model.particles;
    let points: Vec<(f64, [f64; 3])> =
        rigid.particles.iter().map(|&p| (1.0 / all.inverse_masses[p as usize], all.positions[p as usize])).collect();
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let centre: [f64; 3] = std::array::from_fn(|i| points.iter().map(|(m, x)| m * x[i]).sum::<f64>() / mass);
    let inertia = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let entry = |(m, x): &(f64, [f64; 3])| {
                let r: [f64; 3] = std::array::from_fn(|k| x[k] - centre[k]);
                let square = if i == j { r.iter().map(|a| a * a).sum() } else { 0.0 };
                m * (square - r[i] * r[j])
            };
            points.iter().map(entry).sum()
        })
    });
    (mass, centre, inertia)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1e-3)
}

/// R of roll, pitch and yaw, as the specification of URDF writes it out.
fn of_angles([r, p, y]: [f64; 3]) -> Matrix {
    let ([sr, cr], [sp, cp], [sy, cy]) = ([r.sin(), r.cos()], [p.sin(), p.cos()], [y.sin(), y.cos()]);
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

fn times(a: &Matrix, b: [f64; 3]) -> [f64; 3] {
    a.map(|row| (0..3).map(|i| row[i] * b[i]).sum())
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// A place of the file in the scene: z is up there.
fn upright([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, z, -y]
}

/// A box with nearly cubic cells, as links have it.
fn cuboid(cells: [u32; 3], size: [f64; 3]) -> TriangleMesh {
    pliant::scene::Cuboid { cells, size }.mesh()
}

fn moved(mut mesh: TriangleMesh, place: impl Fn([f64; 3]) -> [f64; 3]) -> TriangleMesh {
    mesh.positions.iter_mut().for_each(|x| *x = place(*x));
    mesh
}

const TWO_LINKS: &str = r#"
<link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
<joint name="shoulder" type="revolute">
  <parent link="base"/><child link="upper"/>
  <origin xyz="0.1 0.02 0.3" rpy="0.2 -0.1 0.4"/><axis xyz="0 2 0"/><limit lower="-1" upper="2"/>
</joint>
<link name="upper">
  <collision><origin xyz="0 0 0.2" rpy="0.3 0 0"/><geometry><box size="0.05 0.05 0.4"/></geometry></collision>
</link>
<joint name="lift" type="prismatic">
  <parent link="upper"/><child link="fore"/>
  <origin xyz="0 0 0.45"/><axis xyz="1 0 1"/><limit lower="-0.2" upper="0.3"/>
</joint>
<link name="fore">
  <collision><geometry><box size="0.04 0.08 0.16"/></geometry></collision>
  <collision><origin xyz="0.1 0 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
</link>
"#;

/// The arm above built by hand, with matrices, its shoulder turned by this angle and lifted by this way.
fn by_hand(angle: f64, lift: f64) -> Scene {
    let turned = product(&of_angles([0.2, -0.1, 0.4]), &of_angles([0.0, angle, 0.0]));
    let shoulder = [0.1, 0.02, 0.3];
    let upper = |x: [f64; 3]| sum(shoulder, times(&turned, x));
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let along = [half * lift, 0.0, 0.45 + half * lift];
    let arm = of_angles([0.3, 0.0, 0.0]);
    let upper_mesh =
        moved(cuboid([1, 1, 4], [0.05, 0.05, 0.4]), |x| upright(upper(sum([0.0, 0.0, 0.2], times(&arm, x)))));
    let fore_place = |x| upright(upper(sum(along, x)));
    let mut fore_mesh = moved(cuboid([1, 2, 4], [0.04, 0.08, 0.16]), fore_place);
    let second = moved(cuboid([4, 4, 4], [0.1, 0.1, 0.1]), |x| fore_place(sum([0.1, 0.0, 0.0], x)));
    let first = fore_mesh.positions.len() as u32;
    fore_mesh.triangles.extend(second.triangles.iter().map(|corners| corners.map(|c| c + first)));
    fore_mesh.positions.extend(second.positions);
    let base_mesh = moved(cuboid([4, 4, 2], [0.2, 0.2, 0.1]), upright);
    let pinned: Vec<u32> = (0..base_mesh.positions.len() as u32).collect();
    let link = |name: &str, mesh: TriangleMesh| {
        Body::rigid(mesh).name(name).density(1000.0).collision_group(31).collides_with((0..31).collect::<Vec<u32>>())
    };
    let mut base = link("arm/base", base_mesh);
    base.pins.push(pliant::scene::Pin::new(pliant::scene::Select::Indices(pinned)));
    let axis = |a: [f64; 3]| upright(times(&turned, a));
    Scene::new("")
        .with(base)
        .with(link("arm/upper", upper_mesh))
        .with(link("arm/fore", fore_mesh))
        .joint(Joint::hinge("arm/upper", upright(shoulder), axis([0.0, 1.0, 0.0])).limits([-1.0 - angle, 2.0 - angle]))
        .joint(
            Joint::slider("arm/fore", fore_place([0.0; 3]), axis([half, 0.0, half]))
                .to("arm/upper")
                .limits([-0.2 - lift, 0.3 - lift])
                .motor(JointMotor::keyframes([(0.0, 0.1 - lift), (2.0, 0.25 - lift)]).compliance(1e-4)),
        )
}

/// A two-link arm from a file is the one built by hand, number for number, as it lies and posed.
#[test]
fn an_arm_is_the_same_as_built_by_hand() {
    for (angle, lift) in [(0.0, 0.0), (0.7, -0.15)] {
        let motor = JointMotor::keyframes([(0.0, 0.1), (2.0, 0.25)]).compliance(1e-4);
        let arm = robot(TWO_LINKS).pose("shoulder", angle).pose("lift", lift).motor("lift", motor);
        let (found, wanted) = (built(arm).model, by_hand(angle, lift).build().expect("it is built").model);
        assert_eq!(found.bodies.len(), wanted.bodies.len());
        for (found, wanted) in found.bodies.iter().zip(&wanted.bodies) {
            assert_eq!((&found.name, &found.triangles), (&wanted.name, &wanted.triangles));
            assert_eq!((found.groups, &found.particles), (wanted.groups, &wanted.particles));
        }
        for (i, (found, wanted)) in found.particles.positions.iter().zip(&wanted.particles.positions).enumerate() {
            assert!((0..3).all(|k| (found[k] - wanted[k]).abs() < 1e-9), "particle {i}: {found:?} {wanted:?}");
        }
        for (found, wanted) in found.particles.inverse_masses.iter().zip(&wanted.particles.inverse_masses) {
            assert!(near(*found, *wanted), "{found} {wanted}");
        }
        assert_eq!(found.joints.len(), 2);
        for (found, wanted) in found.joints.iter().zip(&wanted.joints) {
            assert_eq!((found.kind, found.bodies), (wanted.kind, wanted.bodies));
            assert!((0..4).all(|k| near(found.axes[k], wanted.axes[k])), "{found:?} {wanted:?}");
            for (found, wanted) in found.positions.iter().zip(wanted.positions) {
                assert!((0..3).all(|k| near(found[k], wanted[k])), "{found:?} {wanted:?}");
            }
            let [found, wanted] = [found, wanted].map(|joint| joint.limits.expect("limits"));
            assert!((0..2).all(|k| near(found[k], wanted[k])), "{found:?} {wanted:?}");
        }
        for time in [0.0, 0.5, 3.0] {
            assert!(near(found.curves[0].at(time)[0], wanted.curves[0].at(time)[0]));
        }
    }
}

/// A file is read next to the scene, and what the table says is in the model; names of links can be used elsewhere.
#[test]
fn scenes_name_robots() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.urdf"), format!("<robot name=\"two\">{TWO_LINKS}</robot>"))
        .expect("written");
    let text = r#"
        [[body]]
        name = "ball"
        kind = "rigid"
        mesh = { sphere = { radius = 0.1, segments = 10 } }
        position = [0, 2, 0]
        [[robot]]
        file = "two.urdf"
        name = "arm"
        position = [1, 2, 3]
        rotation = [0, 1, 0, 0]
        base = "free"
        pose = { shoulder = 0.5 }
        motor = { shoulder = { target = 0.75, compliance = 1e-3 } }
        radius = 0.004
        contact = "surface"
        friction = 0.9
        dynamic_friction = 0.8
        restitution = 0.1
        collision_group = 3
        collides_with = [0, 5]
        look = "metal"
        colour = [0.1, 0.2, 0.3]
        [[joint]]
        kind = "ball"
        bodies = ["arm/fore", "ball"]
        position = [0, 2, 0]
        [[force]]
        body = "arm/upper"
        value = [0, 1, 0]
    "#;
    let scene = Scene::parse(text, "test.toml", folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names[..4], ["ball", "arm/base", "arm/upper", "arm/fore"]);
    let link = &model.bodies[2];
    assert_eq!((link.radius, link.friction, link.dynamic_friction, link.restitution), (0.004, 0.9, 0.8, 0.1));
    assert!(link.surface_contact && !link.self_collision);
    assert_eq!((link.groups.of, link.groups.with, link.colour), (1 << 3, 1 | 1 << 5, Some([0.1, 0.2, 0.3])));
    assert_eq!(model.joints.iter().map(|joint| joint.kind.name()).collect::<Vec<_>>(), ["ball", "hinge", "slider"]);
    let motor = model.joints[1].motor.expect("a motor");
    assert!(near(model.curves[motor.curve as usize].at(0.0)[0], 0.25) && motor.compliance == 1e-3);
    // Half a turn about y takes x and z to their opposites, and the base is free.
    let (mass, centre, _) = moments(&model, "arm/base");
    assert!(near(mass, 4.0) && (0..3).all(|k| near(centre[k], [1.0, 2.0, 3.0][k])), "{mass} {centre:?}");
    let at = model.joints[1].positions[0];
    assert!((0..3).all(|k| near(at[k], [1.0 - 0.1, 2.0 + 0.3, 3.0 + 0.02][k])), "{at:?}");
    assert_eq!(model.joints[1].bodies.map(|body| body.is_some()), [true, true]);
}

/// Links of one robot do not touch each other; those of two robots do, and each touches what is in group 0.
#[test]
fn links_of_one_robot_pass_through_each_other() {
    let two = Scene::new("")
        .with(Body::particles([[0.0, 9.0, 0.0]]))
        .robot(robot(TWO_LINKS))
        .robot(robot(TWO_LINKS).name("other"));
    let model = two.build().unwrap_or_else(|error| panic!("{error}")).model;
    let meet = |a: &str, b: &str| model.bodies[body(&model, a)].groups.meet(model.bodies[body(&model, b)].groups);
    assert!(!meet("arm/upper", "arm/fore") && !meet("other/base", "other/upper"));
    assert!(meet("arm/upper", "other/fore") && meet("body0", "arm/base") && meet("other/fore", "body0"));
}

/// The colour of a link is that of its first visual's material, by name or by itself; the scene's takes precedence.
#[test]
fn colours_come_from_materials() {
    let visual = |material: &str| format!("<visual><geometry><sphere radius=\"0.1\"/></geometry>{material}</visual>");
    let text = format!(
        "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material><link name=\"a\">{}</link>\
         <link name=\"b\">{}</link><link name=\"c\">{}</link>{}{}",
        visual("<material name=\"red\"/>"),
        visual("<material name=\"\"><color rgba=\"0.5 0 1 0.2\"/></material>"),
        visual("<material name=\"grue\"/>"),
        joint("fixed", "ab", ["a", "b"], ""),
        joint("fixed", "ac", ["a", "c"], "")
    );
    let Built { model, notes } = built(robot(&text));
    let colours: Vec<_> = ["arm/a", "arm/b", "arm/c"].map(|name| model.bodies[body(&model, name)].colour).to_vec();
    assert_eq!((colours[0], colours[2]), (Some([1.0, 0.0, 0.0]), None));
    // Half of a screen's scale is 0.214 of its light.
    let [red, green, blue] = colours[1].expect("a colour");
    assert!((red - 0.214).abs() < 1e-3 && green == 0.0 && blue == 1.0);
    assert!(notes.iter().any(|note| note.contains("arm.urdf: link 'c': no material 'grue'")), "{notes:?}");
    let model = built(robot(&text).colour([0.0, 0.5, 0.0])).model;
    assert!(["arm/a", "arm/c"].iter().all(|name| model.bodies[body(&model, name)].colour == Some([0.0, 0.5, 0.0])));
}

/// Meshes are relative to the file, or lie in a package, whose folder is above the file or beside it.
#[test]
fn meshes_lie_in_packages() {
    let folder = tempfile::tempdir().expect("a folder");
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for path in ["robot_description/meshes", "robot_description/urdf", "hands/meshes", "robot_description/urdf/own"] {
        std::fs::create_dir_all(folder.path().join(path)).expect("a folder");
    }
    let files = ["robot_description/meshes/a.obj", "hands/meshes/b.obj", "robot_description/urdf/own/c.obj"];
    files.iter().for_each(|file| std::fs::write(folder.path().join(file), tetrahedron).expect("written"));
    for name in [
        "package://robot_description/meshes/a.obj",
        "package://hands/meshes/b.obj",
        "own/c.obj",
        "package://x/own/c.obj",
    ] {
        let text = format!(
            "<robot name=\"m\"><link name=\"a\"><collision><geometry><mesh filename=\"{name}\" scale=\"2 2 -2\"/>\
             </geometry></collision></link></robot>"
        );
        let path = folder.path().join("robot_description/urdf/m.urdf");
        std::fs::write(&path, text).expect("written");
        let model = built(Robot::urdf(&path).base(pliant::scene::Base::Free)).model;
        let (mass, centre, _) = moments(&model, "m/a");
        // 1000 kg/m³ times 8/6 m³; the centre of a tetrahedron is a quarter of the way along its edges.
        assert!(
            near(mass, 8000.0 / 6.0) && (0..3).all(|k| near(centre[k], [0.5, -0.5, -0.5][k])),
            "{name}: {centre:?}"
        );
    }
}

/// Cylinders and capsules lie along the file's z axis, a sphere of any size is about its origin.
#[test]
fn primitives_lie_along_z() {
    let link = |geometry: &str| {
        robot(&format!("<link name=\"a\"><collision><geometry>{geometry}</geometry></collision></link>"))
    };
    let extent = |geometry: &str| {
        let model = built(link(geometry)).model;
        let x = &model.particles.positions;
        [0, 1, 2].map(|i| x.iter().fold(0.0, |most: f64, x| most.max(x[i].abs())))
    };
    let close = |found: [f64; 3], wanted: [f64; 3]| (0..3).all(|k| (found[k] - wanted[k]).abs() < 0.02 * wanted[k]);
    assert!(close(extent("<cylinder radius=\"0.1\" length=\"1\"/>"), [0.1, 0.5, 0.1]));
    assert!(close(extent("<capsule radius=\"0.1\" length=\"1\"/>"), [0.1, 0.6, 0.1]));
    assert!(close(extent("<sphere radius=\"0.3\"/>"), [0.3, 0.3, 0.3]));
    assert!(close(extent("<box size=\"0.2 0.4 0.6\"/>"), [0.1, 0.3, 0.2]));
}
