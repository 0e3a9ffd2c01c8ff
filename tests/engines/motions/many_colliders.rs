//! More colliders than a particle has contacts with: found by a tree of their bounds. Against the reference, which looks at all of them, and

use pliant::scene::Scene;

use crate::device::Running;
use crate::models;

/// In the gallery's scene the balls fall through all rows of pegs into the bins: none gets into a peg or a wall on its way, nor out of the case. Of
/// that one plane holds a ball in a substep, the nearest: past another it may get for that substep as far as others push it, which is no more than
/// the way of a ball that fell from the top: 1 cm. (Runs that differ by roundings find 0.5 to 1.5 mm.)
#[test]
fn balls_fall_through_the_pegs() {
    let model = Scene::open("pachinko").and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}")).model;
    let radius = model.bodies[0].radius;
    assert_eq!((model.particles.len(), model.colliders.len()), (360, 139));
    let highest = model.particles.positions.iter().map(|place| place[1]).fold(0.0, f64::max);
    let pushed = (2.0 * models::GRAVITY * highest).sqrt() * model.settings.substep_seconds();
    let mut running = Running::new(&model);
    for _ in 0..30 {
        let state = running.run(10);
        for place in &state.positions {
            for collider in &model.colliders {
                let (_, distance) = collider.distance(0.0, *place);
                let bound = radius - if collider.inside { pushed } else { 1e-4 };
                assert!(distance > bound, "{distance} m off a {} at {} s", collider.shape.name(), state.seconds);
            }
        }
    }
    // Below the lowest pegs.
    let highest = running.state().positions.iter().map(|place| place[1]).fold(0.0, f64::max);
    assert!(highest < 0.42, "{highest} m");
    assert!(running.status().is_good());
}
