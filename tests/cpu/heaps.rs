//! What touches itself, in scenes of the gallery.

use pliant::measure::Measurement;
use pliant::scene::Scene;

use crate::billiards::deepest;
use crate::device::Running;

/// A cloth that falls folds up, and no two of its particles that were apart come nearer than half of the distance at which they touch.
#[test]
fn a_cloth_folds_and_does_not_pass_through_itself() {
    let model = Scene::open("fold").unwrap().build().unwrap().model;
    let distance = 2.0 * model.bodies[0].radius;
    let mut running = Running::new(&model);
    let mut most = 0;
    for _ in 0..8 {
        let state = running.run(15);
        let worst = deepest(&model, &state);
        assert!(worst < 0.5 * distance, "frame {}: {worst} m of {distance} m", state.frame);
        most = most.max(state.contacts);
    }
    assert!(running.status().is_good());
    // Layers lie on each other: with the ground alone there would be as many contacts as particles at most, and most do not lie on it.
    assert!(most > 500, "{most} contacts");
}

/// Balls of two sizes come to rest in their box: inside, with hardly an overlap, and with less than a hundredth of the energy of their fall.
#[test]
fn balls_come_to_rest() {
    let model = Scene::open("balls").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let mut fastest = 0.0_f64;
    for _ in 0..20 {
        let state = running.run(12);
        fastest = fastest.max(Measurement::of(&model, &state).kinetic_energy_j);
    }
    let state = running.state();
    let left = Measurement::of(&model, &state).kinetic_energy_j;
    assert!(left < 0.01 * fastest, "{left} J of {fastest} J");
    let worst = deepest(&model, &state);
    // A tenth of the small radius.
    assert!(worst < 0.0033, "{worst} m");
    for (i, place) in state.positions.iter().enumerate() {
        let radius = model.bodies[model.particles.bodies[i] as usize].radius;
        let out = (place[0].abs() - 0.4).max(place[2].abs() - 0.3).max(-place[1]) + radius;
        assert!(out < 1e-3, "ball {i} is out by {out} m");
    }
}
