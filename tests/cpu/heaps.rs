//! What touches its like, in scenes of the gallery.

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::{Against, Contact};
use pliant::scene::Scene;

use crate::billiards::deepest;
use crate::device::Running;
use crate::outlines::is_inside;
use crate::proof;

/// Bands of cloth that are let down fold up, and no two of their particles that were apart come nearer than half of the distance at which they
/// touch.
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
    // Layers lie on each other: of each band's 67 rows the ground bears some ten, of 21 particles each.
    assert!(most > 900, "{most} contacts");
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
    assert!(worst < 0.003, "{worst} m");
    for (i, place) in state.positions.iter().enumerate() {
        let radius = model.bodies[model.particles.bodies[i] as usize].radius;
        let out = radius - model.colliders[0].distance(0.0, *place).1;
        assert!(out < 1e-3, "ball {i} is out by {out} m");
    }
}

/// The gallery's ball tears its way through a sheet that is held all around, and lies in the net below. What was split off touches it or the net,
/// and no free particle of another body is so deep in the ball that it could pass through.
#[test]
fn a_ball_bursts_through_a_sheet_into_a_net() {
    let model = Scene::open("burst").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let sheet = model.bodies.iter().position(|body| body.name == "sheet").unwrap();
    let first = model.tearing.as_ref().unwrap().spares.start;
    let mut of_spares = 0;
    for _ in 0..24 {
        let state = running.run(3);
        let radius = |p: usize| model.bodies[model.torn(&state).particles.bodies[p] as usize].radius;
        let nearest = (1..state.positions.len())
            .map(|p| (p, apart(state.positions[0], state.positions[p])))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let (particle, distance) = nearest.unwrap();
        let touch = radius(0) + radius(particle);
        assert!(distance > 0.8 * touch, "frame {}: {particle} is {distance} m from the ball", state.frame);
        let split = |contact: &&Contact| match contact.against {
            Against::Particle(other) => contact.particle.max(other) >= first,
            _ => false,
        };
        of_spares += running.contacts().iter().filter(split).count();
    }
    let state = running.state();
    let torn = state.torn.clone().expect("a tear");
    assert!(torn.inverse_masses.len() > first as usize && of_spares > 0, "{of_spares} contacts of what was split off");
    // The sheet hung at 1.2 m, and the net's corners are at 0.7 m.
    assert!((0.3..0.9).contains(&state.positions[0][1]), "the ball is at {} m", state.positions[0][1]);
    let held = model.bodies[sheet].particles.clone().filter(|&p| model.particles.inverse_masses[p as usize] == 0.0);
    for particle in held {
        assert_eq!(
            state.positions[particle as usize][1] as f32,
            model.particles.positions[particle as usize][1] as f32
        );
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

/// Soft outlines pile up in a bowl: no corner of one is ever in another, or has passed the bowl between two of its corners; and at last they lie.
#[test]
fn outlines_pile_up_in_a_bowl() {
    let model = Scene::open("outlines").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let mut fall = 0.0_f64;
    for _ in 0..30 {
        let state = running.run(12);
        fall = fall.max(Measurement::of(&model, &state).kinetic_energy_j);
        let outline = |body: usize| {
            let particles = &model.bodies[body].particles;
            &state.positions[particles.start as usize..particles.end as usize]
        };
        let bowl = outline(0);
        for body in 1..model.bodies.len() {
            for (corner, place) in outline(body).iter().enumerate() {
                let what = format!("frame {}: corner {corner} of {}", state.frame, model.bodies[body].name);
                assert!(place[1] > bowl[0][1] || is_inside(bowl, place), "{what} is out of the bowl");
                let into = (1..model.bodies.len()).find(|&other| other != body && is_inside(outline(other), place));
                assert_eq!(into.map(|other| &model.bodies[other].name), None, "{what} is in another");
            }
        }
    }
    let left = Measurement::of(&model, &running.state()).kinetic_energy_j;
    proof::row("outlines in a bowl after 6 s: kinetic energy, of the most in the fall", "0", left / fall, 1e-3, "");
    assert!(running.status().is_good());
}
