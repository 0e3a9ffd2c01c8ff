//! What the gallery's shapes do, by their own physics.

use pliant::constraint::{Constraint, LinearMatching, QuadraticMatching, ShapeMatching, Vec3};
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

/// How far the particles of a body are off the nearest image that a kind allows, m.
fn off<C: Constraint>(model: &Model, state: &State, name: &str) -> f64 {
    let body = model.bodies.iter().find(|body| body.name == name).expect("its name");
    let range = body.particles.start as usize..body.particles.end as usize;
    let points = |all: &[[f64; 3]]| -> Vec<Vec3<f64>> { all[range.clone()].iter().map(|&x| x.into()).collect() };
    let mut rest = C::measure(&points(&model.particles.positions));
    C::weigh(&mut rest, &|k| model.particles.inverse_masses[range.start + k]);
    let x = points(&state.positions);
    C::evaluate(&rest, 0, &x, &mut vec![Vec3::zero(); x.len()])
}

/// Half a second after they were let go, planks lie over a rail each as its stiffness lets it: one is moved and turned, one
/// stretched and sheared, one bent, and one bent more than that.
#[test]
fn planks_give_as_their_modes_let_them() {
    let model = Scene::gallery("modes").expect("its name").expect("its text").build().expect("its model").model;
    let state = Running::new(&model).run(30);
    let rigid = off::<ShapeMatching>(&model, &state, "rigid");
    proof::row("a rigid plank on a rail is off", "its shape", rigid, 1e-5, "m");
    let sheared = off::<LinearMatching>(&model, &state, "stretches");
    proof::row("a plank whose stretch alone is soft is off", "an affine image", sheared, 1e-5, "m");
    let bent = off::<QuadraticMatching>(&model, &state, "bends");
    // It touches the rail at one place: contact has the last word, and moves light particles by what a substep brings.
    proof::row("a plank whose bending is soft is off", "an image of second degree", bent, 5e-4, "m");
    assert!(off::<ShapeMatching>(&model, &state, "stretches") > 0.01, "it is not stretched");
    assert!(off::<LinearMatching>(&model, &state, "bends") > 0.03, "it is not bent");
    assert!(off::<QuadraticMatching>(&model, &state, "regions") > 0.005, "it is not bent any further");
}
