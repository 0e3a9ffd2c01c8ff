//! What the gallery's shapes do, by their own physics.

use pliant::constraint::{Constraint, LinearMatching, QuadraticMatching, ShapeMatching, Vec3};
use pliant::measure::Measurement;
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

/// From the least to the largest coordinates of a body, m.
fn sides(model: &Model, state: &State, name: &str) -> [f64; 3] {
    let body = model.bodies.iter().find(|body| body.name == name).expect("its name");
    let places = &state.positions[body.particles.start as usize..body.particles.end as usize];
    std::array::from_fn(|axis| {
        let along = || places.iter().map(|x| x[axis]);
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    })
}

/// A starfish goes as far in a period as its arms push it, straight on, and nowhere on ice.
#[test]
fn a_starfish_walks_by_friction() {
    let mut model = Scene::gallery("starfish").expect("its name").expect("its text").build().expect("its model").model;
    let (period, stride) = (96, 2.5 * 0.06);
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.run(period)).centroid;
    let second = Measurement::of(&model, &running.run(period)).centroid;
    let walked = second[0] - first[0];
    proof::relative("way of a starfish in a period", "2.5 swings of its arms", walked, stride, 0.05);
    proof::row("its way aside", "0", (second[2] - first[2]).abs(), 0.1 * stride, "m");
    model.bodies.iter_mut().for_each(|body| (body.friction, body.dynamic_friction) = (0.0, 0.0));
    model.colliders.iter_mut().for_each(|solid| (solid.friction, solid.dynamic_friction) = (0.0, 0.0));
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.state()).centroid;
    let last = Measurement::of(&model, &running.run(period)).centroid;
    proof::row("its way in a period without friction", "0", (last[0] - first[0]).abs(), 0.02 * stride, "m");
}

/// Clay stays as it was pressed, with its volume, and jelly does not.
#[test]
fn clay_stays_as_the_vice_leaves_it() {
    let model = Scene::gallery("vice").expect("its name").expect("its text").build().expect("its model").model;
    let state = Running::new(&model).run(240);
    let [width, ..] = sides(&model, &state, "cube");
    assert!((0.12..0.16).contains(&width), "a cube of 24 cm was pressed to 13 cm, and is {width} m wide");
    let [_, height, _] = sides(&model, &state, "clay ball");
    assert!((0.11..0.16).contains(&height), "a ball of 28 cm was pressed to 12 cm, and is {height} m high");
    proof::relative("height of the jelly beside it", "as built", sides(&model, &state, "jelly")[1], 0.27, 0.02);
    for (index, body) in model.bodies.iter().enumerate() {
        let volume = |places: &[[f64; 3]]| {
            let at = |p: u32| Vec3::from(places[p as usize]);
            body.triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum::<f64>()
        };
        let claim = format!("volume of body {index} that was pressed");
        proof::relative(&claim, "as built", volume(&state.positions), volume(&model.particles.positions), 0.05);
    }
}
