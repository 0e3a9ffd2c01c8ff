//! The mass, the centre and the inertia of links.

use super::{Matrix, built, cuboid, moments, near, of_angles, product, robot, times, upright};
use pliant::scene::{Base, Body, Built, Inertial, Rigid, Scene};

const INERTIA: [f64; 6] = [0.05, 0.04, 0.03, 0.004, -0.003, 0.002];

fn matrix([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Matrix {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

fn transposed(m: Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

fn same(found: Matrix, wanted: Matrix) -> bool {
    let size = wanted.as_flattened().iter().fold(0.0, |most: f64, a| most.max(a.abs()));
    found.as_flattened().iter().zip(wanted.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-9 * size)
}

fn inertial(origin: &str, mass: f64, [xx, yy, zz, xy, xz, yz]: [f64; 6]) -> String {
    format!(
        "<inertial>{origin}<mass value=\"{mass}\"/><inertia ixx=\"{xx}\" iyy=\"{yy}\" izz=\"{zz}\" ixy=\"{xy}\" \
         ixz=\"{xz}\" iyz=\"{yz}\"/></inertial>"
    )
}

fn link(inertial: &str, shape: &str) -> Built {
    let shape =
        if shape.is_empty() { String::new() } else { format!("<collision><geometry>{shape}</geometry></collision>") };
    built(robot(&format!("<link name=\"a\">{inertial}{shape}</link>")).base(Base::Free))
}

/// The particles of a link, with those that nobody sees, have the mass, the centre and the inertia that the file says,
/// turned as it says, whatever the shape is; also where there is no shape.
#[test]
fn inertials_override_the_solid() {
    let shapes =
        ["<box size=\"0.3 0.2 0.4\"/>", "<sphere radius=\"2\"/>", "<cylinder radius=\"0.01\" length=\"0.02\"/>", ""];
    for shape in shapes {
        let origin = "<origin xyz=\"0.1 -0.2 0.3\" rpy=\"0.5 -0.4 0.3\"/>";
        let Built { model, .. } = link(&inertial(origin, 2.5, INERTIA), shape);
        let (mass, centre, found) = moments(&model, "arm/a");
        assert!(near(mass, 2.5), "{shape}: {mass}");
        assert!((0..3).all(|k| near(centre[k], upright([0.1, -0.2, 0.3])[k])), "{shape}: {centre:?}");
        let up = transposed([0, 1, 2].map(|i| upright(std::array::from_fn(|j| f64::from(u8::from(i == j))))));
        let turned = product(&up, &of_angles([0.5, -0.4, 0.3]));
        let wanted = product(&product(&turned, &matrix(INERTIA)), &transposed(turned));
        assert!(same(found, wanted), "{shape}: {found:?} {wanted:?}");
    }
}

/// Without an `<inertial>`, or with one of zeros, a link weighs 1000 kg/m³.
#[test]
fn links_are_as_heavy_as_water() {
    for inertial in [String::new(), inertial("", 0.0, [0.0; 6])] {
        let model = link(&inertial, "<box size=\"0.3 0.2 0.4\"/>").model;
        let (mass, _, found) = moments(&model, "arm/a");
        let wanted = |[a, b]: [f64; 2]| mass * (a * a + b * b) / 12.0;
        assert!(near(mass, 24.0) && near(found[1][1], wanted([0.3, 0.2])) && near(found[0][0], wanted([0.2, 0.4])));
    }
}

/// A plate without thickness gets some, which is told; a shape that is far larger than its inertia is told, too.
#[test]
fn strange_inertias_are_told() {
    let built = link(&inertial("", 1.0, [0.01, 0.02, 0.03, 0.0, 0.0, 0.0]), "<box size=\"0.3 0.2 0.01\"/>");
    assert!(built.notes[0].contains("arm.urdf: link 'a': its <inertia> is that of a plate"), "{:?}", built.notes);
    let (mass, _, found) = moments(&built.model, "arm/a");
    assert!(near(mass, 1.0) && (found[0][0] - 0.01).abs() < 1e-5 && (found[1][1] - 0.03).abs() < 1e-5, "{found:?}");
    let built = link(&inertial("", 1.0, [1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0]), "<box size=\"0.3 0.2 0.4\"/>");
    assert!(built.notes.iter().any(|note| note.contains("far smaller than its shape's")), "{:?}", built.notes);
}

/// A rigid body of a scene takes an inertial too, about its own axes as placed.
#[test]
fn rigid_bodies_take_inertials() {
    let given = Inertial { mass: 3.0, centre: [0.02, 0.0, -0.01], inertia: INERTIA };
    let turn = [0.1, -0.3, 0.5, 0.8];
    let rigid = Rigid::from(cuboid([1, 1, 1], [0.3, 0.4, 0.2])).inertial(given);
    let body = Body::rigid(rigid).name("box").position([1.0, 2.0, 3.0]).rotation(turn);
    let model = Scene::new("").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    let [x, y, z, w] = turn.map(|a| a / turn.iter().map(|a| a * a).sum::<f64>().sqrt());
    let turned = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let (mass, centre, found) = moments(&model, "box");
    let wanted = times(&turned, given.centre);
    assert!(near(mass, 3.0) && (0..3).all(|k| near(centre[k], [1.0, 2.0, 3.0][k] + wanted[k])), "{centre:?}");
    assert!(same(found, product(&product(&turned, &matrix(INERTIA)), &transposed(turned))));
    let text = "[[body]]\nkind = \"rigid\"\nname = \"box\"\nmesh = { box = { cells = [1, 1, 1], size = [1, 1, 1] } }\n\
                inertial = { mass = 2, centre = [0, 0.1, 0], inertia = [0.5, 0.5, 0.4, 0, 0, 0.1] }\n";
    let (mass, centre, found) = moments(&super::super::build(text).model, "box");
    assert!(near(mass, 2.0) && near(centre[1], 0.1) && near(found[1][2], 0.1) && near(found[2][2], 0.4));
}
