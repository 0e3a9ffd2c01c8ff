//! Rest shapes that change, against what they were told: blend shapes, plastic flow, and their twin.

use pliant::constraint::Vec3;
use pliant::measure::strain_energy;
use pliant::model::State;

use crate::device::Running;
use crate::proof;
use crate::reshaping::pressed;

/// As wide, high and deep as this, by two of its opposite corners.
fn sides(state: &State) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let along = || state.positions.iter().map(|x| x[axis]);
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    })
}

/// What is pressed beyond its yield point stays flat, and keeps its volume; what never yields springs back.
#[test]
fn a_pressed_cube_stays_pressed() {
    let elastic = Running::new(&pressed(20, "")).run(90);
    proof::relative("height of an elastic cube after a press", "as built", sides(&elastic)[1], 0.2, 0.02);
    let model = pressed(20, "yield = 0.02\ncreep = 60\n");
    let state = Running::new(&model).run(90);
    let height = sides(&state)[1];
    assert!((0.12..0.165).contains(&height), "pressed to 13 cm, and after that {height} m");
    let finer = sides(&Running::new(&pressed(40, "yield = 0.02\ncreep = 60\n")).run(90))[1];
    proof::relative("its height with twice as many substeps", "the same", finer, height, 0.005);
    let flow = &state.rest_shapes;
    assert_eq!(flow.len(), model.rest_shapes.len());
    let determinant = |[a, b, c]: &[[f64; 3]; 3]| Vec3::from(*a).dot(Vec3::from(*b).cross((*c).into()));
    let off = proof::largest(flow.iter().map(|flow| (determinant(flow) - 1.0).abs()));
    proof::row("volume of rest shapes that have flowed", "kept", off, 1e-5, "of it");
    let energy = strain_energy(&model, &state);
    let as_built = strain_energy(&model, &State { rest_shapes: Vec::new(), ..state });
    assert!(energy < 0.2 * as_built, "{energy} J by what has flowed, {as_built} J by the shape as built");
}
