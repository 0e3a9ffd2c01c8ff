//! What touches its like, in scenes of the gallery.

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::scene::Scene;

use crate::billiards::deepest;
use crate::device::Running;
use crate::proof;

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

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

/// Soft balls, boxes and a ring pile up in a bowl: no particle is outside of it, or so deep in one of another body that they could pass through.
#[test]
fn soft_bodies_pile_up_in_a_bowl() {
    let model = Scene::open("bowl").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let body = |i: usize| &model.bodies[model.particles.bodies[i] as usize];
    let mut fall = 0.0_f64;
    for _ in 0..10 {
        let state = running.run(12);
        fall = fall.max(Measurement::of(&model, &state).kinetic_energy_j);
        for (i, &place) in state.positions.iter().enumerate() {
            let gap = model.colliders[0].distance(0.0, place).1 - body(i).radius;
            // Single precision at 1 m, summed over some contacts.
            assert!(gap > -1e-5, "frame {}: particle {i} is out by {} m", state.frame, -gap);
            for (j, &other) in state.positions[..i].iter().enumerate() {
                let touch = body(i).radius + body(j).radius;
                let free = model.particles.bodies[i] == model.particles.bodies[j] || apart(place, other) > 0.5 * touch;
                assert!(free, "frame {}: {i} and {j} are {} m apart", state.frame, apart(place, other));
            }
        }
    }
    // What rolls in a bowl comes to rest by friction alone.
    let rest = running.run(600);
    let left = Measurement::of(&model, &rest).kinetic_energy_j;
    let claim = "soft bodies in a bowl after 12 s: kinetic energy, of the most in the fall";
    proof::row(claim, "0", left / fall, 1e-5, "");
    assert!(running.status().is_good());
}
