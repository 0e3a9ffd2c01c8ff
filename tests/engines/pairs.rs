//! Particles that touch each other, against double precision and against theory.

use pliant::Engine;
use pliant::model::{Body, Integrator, Model, State};

use crate::billiards::*;
use crate::device::{Running, run};
use crate::kernels::{Random, difference};
use crate::models;
use crate::proof;

/// Balls of two radii at random places, some of them held, that fly about.
pub fn crowd(count: usize, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let positions: Vec<[f64; 3]> = (0..count).map(|_| random.vector(-0.3, 0.3)).collect();
    let masses: Vec<f64> = (0..count).map(|i| if i % 20 == 0 { 0.0 } else { random.number(0.1, 3.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..count).map(|_| random.vector(-2.0, 2.0)).collect();
    let body = Body { self_collision: true, ..model.bodies[0].clone() };
    let half = count as u32 / 2;
    model.bodies = vec![
        Body {
            particles: 0..half,
            radius: 0.02,
            friction: 0.6,
            dynamic_friction: 0.4,
            restitution: 0.8,
            ..body.clone()
        },
        Body { particles: half..count as u32, radius: 0.045, contact_compliance: 1e-7, restitution: 0.2, ..body },
    ];
    model.particles.bodies[half as usize..].fill(1);
    model
}

/// Contacts with friction, restitution and compliance, of balls of two radii and of held ones, are solved as by their twin, with one sweep
/// and with several.
#[test]
fn pairs_equal_their_twin() {
    for iterations in [1, 3] {
        let error = median_of_crowds(1e-3, |seed| {
            let mut model = crowd(300, seed);
            model.settings.iterations = iterations;
            difference_of_two_frames(model)
        });
        assert!(error < AS_THEIR_TWIN, "{iterations}: {error:.2e} m");
    }
}

/// m: substeps of 8 ms in which balls overlap by centimetres, where a rounding of 1e-7 m moves their normals by a hundred thousandth of a radian.
const AS_THEIR_TWIN: f64 = 2e-6;

/// Of five, since in some crowds two just graze each other, and their normal hangs on a rounding: of thirty that is up to 7e-5 m in four, and 5e-7 in most.
/// None may be off by more than the `worst`.
pub fn median_of_crowds(worst: f64, error: impl FnMut(u64) -> f64) -> f64 {
    let mut errors: Vec<f64> = (1..=5).map(error).collect();
    errors.sort_by(f64::total_cmp);
    assert!(errors[4] < worst, "{errors:?}");
    errors[2]
}

/// m, from the twin.
fn difference_of_two_frames(mut model: Model) -> f64 {
    model.settings.substeps = 2;
    let (here, twin) = (run(&model, 2), models::run(&model, 2));
    // Which contacts these are: `pairs_are_told_as_by_their_twin`.
    assert!(twin.contacts > 40, "only {} contacts: the test shows nothing", twin.contacts);
    difference(&here, &twin).0
}

/// With BDF2, which forgets its past at contacts, pairs are solved as by their twin. The crowd that is off the most was off by 1.1e-3 m.
#[test]
fn pairs_with_bdf2_equal_their_twin() {
    let error = median_of_crowds(2e-3, |seed| {
        let mut model = crowd(300, seed);
        model.settings.integrator = Integrator::Bdf2;
        difference_of_two_frames(model)
    });
    assert!(error < AS_THEIR_TWIN, "{error:.2e} m");
}

/// As in the reference: balls of masses up to 1 : 1000 part by restitution and keep their momentum, also at 100 m/s.
#[test]
fn balls_part_by_restitution() {
    for (ratio, offset, restitution) in
        [(1.0, 0.0, 1.0), (1.0, 0.0, 0.3), (3.0, 0.07, 1.0), (1000.0, 0.0, 1.0), (1000.0, 0.05, 0.5)]
    {
        let model = collision(ratio, offset, restitution);
        let [error, lost] = collision_errors(&model, &run(&model, 30), restitution);
        let claim = format!("balls 1 : {ratio} meet {offset} m off centre with e = {restitution}");
        // Normals are as good as the places, 1e-7 m of 0.1 m.
        proof::row(&claim, "parting speeds", error, 2e-5, "m/s");
        proof::row(&claim, "momentum", lost / (1.0 + ratio), 1e-5, "of that before");
    }
    let model = shot(0.4);
    let [error, lost] = collision_errors(&model, &run(&model, 2), 0.0);
    proof::row("a ball at 100 m/s meets another", "parting speeds", error / 100.0, 2e-5, "of its speed");
    proof::row("a ball at 100 m/s meets another", "momentum", lost / 100.0, 1e-5, "of that before");
}

/// As in the reference: balls that meet obliquely rub by μ (1 + e) m v, whenever in a substep they meet, and what is told of them is the momentum that
/// they give each other, with one sweep and with several.
#[test]
fn balls_rub_by_all_that_presses() {
    for (restitution, friction) in RUBS {
        let (mut worst, mut unheard) = (0.0_f64, 0.0_f64);
        for phase in 0..4 {
            let mut model = rubbing(restitution, friction, 0.1 + f64::from(phase) / 4.0);
            model.settings.iterations = 1 + 2 * (phase % 2);
            let mut running = Running::new(&model);
            running.solver.average_contacts(true);
            let told = models::told(30, || {
                running.run(1);
                running.contacts()
            });
            let state = running.state();
            worst = worst.max(collision_errors(&model, &state, restitution)[0]);
            unheard = unheard.max(models::untold(&model, &state, told));
        }
        let claim = format!("balls meet with e = {restitution} and μ = {friction}");
        // Normals are as good as the places, 1e-7 m of 0.1 m.
        proof::row(&claim, "(1 + e) m v, μ (1 + e) m v", worst, 2e-5, "m/s");
        proof::row(&format!("{claim}, told"), "m Δv", unheard, 2e-5, "N s");
    }
}

/// A ball that lies on another presses on it with its weight, and a compliant contact yields by its compliance times that.
#[test]
fn resting_balls_bear_their_weight() {
    let (model, expected) = tower();
    proof::row(
        "a ball rests on a ball on a scale",
        "weight",
        tower_error(&model, &run(&model, 300), expected),
        1e-2,
        "",
    );
    let (model, overlap) = soft_tower();
    // It goes on with 1/289 of the rest in each substep.
    let state = run(&model, 120);
    let error = (2.0 * RADIUS - (state.positions[1][1] - state.positions[0][1])) / overlap - 1.0;
    proof::row("a compliant contact yields", "α m g", error.abs(), 1e-2, "");
}

#[test]
fn balls_slip_at_the_friction_angle() {
    assert_slips_at_the_friction_angle(run);
}

/// A layer of grains, side by side on a slope, slips at the angle of friction, not a degree below.
#[test]
fn grains_slip_at_the_friction_angle() {
    for (degrees, slips) in [(29.0_f64, false), (31.0, true)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let along = |s: f64, z: f64| [s * cos + RADIUS * sin, RADIUS * cos - s * sin, z];
        let places: Vec<[f64; 3]> =
            (0..36).map(|k| along(f64::from(k % 6) * 2.001 * RADIUS, f64::from(k / 6) * 2.001 * RADIUS)).collect();
        let mut model = models::particles(&places, &[0.1; 36]);
        touchy(&mut model);
        let friction = 30.0_f64.to_radians().tan();
        (model.bodies[0].friction, model.bodies[0].dynamic_friction) = (friction, friction);
        models::ground(&mut model, [sin, cos, 0.0]);
        let collider = model.colliders.last_mut().unwrap();
        (collider.friction, collider.dynamic_friction) = (friction, friction);
        let state = run(&model, 60);
        // Above it they go by half of g (sin θ - μ cos θ) s², 0.1 m.
        let moved = |i: usize| (state.positions[i][0] - places[i][0]).hypot(state.positions[i][1] - places[i][1]);
        for i in 0..36 {
            assert_eq!(moved(i) > 0.5 * RADIUS, slips, "{degrees}°: {} m", moved(i));
        }
    }
}

/// Balls of radii 1 : 10 come to rest in a box and do not overlap by more than a tenth of the smaller radius.
#[test]
fn radii_mix() {
    let model = mixed();
    let worst = deepest(&model, &run(&model, 240));
    assert!(worst < 0.1 * SMALL, "{worst} m");
}

/// A large ball into which three hundred small ones fall from all sides meets each of them, as its twin does: no list is too long for a device, which keeps a
/// hundred of what is near beside each other.
#[test]
fn a_large_ball_meets_hundreds() {
    let (count, large, small) = (300_u32, 1.0, 0.05);
    let direction = |k: u32| {
        let y = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
        let (sin, cos) = (2.399_963 * f64::from(k)).sin_cos();
        [(1.0 - y * y).sqrt() * cos, y, (1.0 - y * y).sqrt() * sin]
    };
    let at = |k: u32| direction(k).map(|value| 1.002 * (large + small) * value);
    let positions: Vec<[f64; 3]> = [[0.0; 3]].into_iter().chain((0..count).map(at)).collect();
    let masses: Vec<f64> = (0..=count).map(|k| if k == 0 { 1000.0 } else { 1.0 }).collect();
    let mut model = models::particles(&positions, &masses);
    // Those of the northern half fall in twice as fast.
    let speed = |k: u32| if 2 * k < count { -2.0 } else { -1.0 };
    model.particles.velocities = vec![[0.0; 3]];
    model.particles.velocities.extend((0..count).map(|k| direction(k).map(|value| speed(k) * value)));
    let body = Body { self_collision: true, restitution: 0.5, ..model.bodies[0].clone() };
    let sized = |name: &str, particles, radius| Body { name: name.into(), particles, radius, ..body.clone() };
    model.bodies = vec![sized("large", 0..1, large), sized("small", 1..count + 1, small)];
    model.particles.bodies[1..].fill(1);
    model.world.gravity = [0.0; 3];
    model.settings.substeps = 4;
    let (here, twin) = (run(&model, 1), models::run(&model, 1));
    let inwards = |state: &State, k: u32| {
        let velocity = state.velocities[k as usize + 1];
        (0..3).map(|i| velocity[i] * direction(k)[i]).sum::<f64>() < 0.0
    };
    assert!((0..count).all(|k| !inwards(&twin, k)), "some have not met it: the test shows less");
    let (positions, _) = difference(&here, &twin);
    assert!(positions < 1e-6, "{positions:.2e} m");
}

/// Bodies meet by their groups, as with colliders.
#[test]
fn groups_decide_who_meets() {
    let mut two = apart_in_two_bodies(&collision(1.0, 0.0, 1.0));
    // A third body that both meet, so that there is something to find.
    two.bodies.push(Body { name: "third".into(), particles: 2..3, ..two.bodies[0].clone() });
    two.particles.positions.push([0.0, 3.0, 0.0]);
    two.particles.velocities.push([0.0; 3]);
    two.particles.inverse_masses.push(1.0);
    two.particles.bodies.push(2);
    two.particles.drives.push(0);
    for (with, passes) in [(1, false), (2, true)] {
        two.bodies[2].groups.of = 2;
        two.bodies[1].groups.with = with;
        let speed = run(&two, 30).velocities[0][0];
        assert_eq!((speed - 2.0).abs() < 1e-4, passes, "{with}: {speed} m/s");
    }
}
