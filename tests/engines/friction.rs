//! How the friction of two unlike surfaces combines, against Coulomb's law: a body and a collider, two balls, a point
//! and a segment; by the engine and by the reference.

use pliant::Engine;
use pliant::model::{Body, FrictionCombine, Model, State};

use crate::billiards::{collision_errors, rubbing};
use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::outlines::{Strike, strike, strike_errors};

type Run = fn(&Model, u32) -> State;
const RUNS: [(&str, Run); 2] = [("engine", run), ("reference", models::run)];

/// Of the two surfaces, and what each rule makes of them.
const SURFACES: [f64; 2] = [0.2, 0.8];
const RULES: [(FrictionCombine, f64); 4] = [
    (FrictionCombine::Mean, 0.5),
    (FrictionCombine::Min, 0.2),
    (FrictionCombine::Max, 0.8),
    (FrictionCombine::Product, 0.16),
];

/// The tangent of the slope on which [`slope`] stands.
const STEEP: f64 = 0.4;

/// A particle of the first surface at rest on a slope of the second, and the direction down the slope.
fn slope(rule: FrictionCombine) -> (Model, [f64; 3]) {
    let (sine, cosine) = (STEEP / STEEP.hypot(1.0), 1.0 / STEEP.hypot(1.0));
    let mut model = models::particles(&[[0.0; 3]], &[1.0]);
    models::ground(&mut model, [sine, cosine, 0.0]);
    let (body, collider) = (&mut model.bodies[0], &mut model.colliders[0]);
    [body.friction, collider.friction] = SURFACES;
    [body.dynamic_friction, collider.dynamic_friction] = SURFACES;
    model.world.friction_combine = rule;
    (model, [cosine, -sine, 0.0])
}

fn along([x, y, z]: [f64; 3], direction: [f64; 3]) -> f64 {
    x * direction[0] + y * direction[1] + z * direction[2]
}

/// g (sin θ - μ cos θ), or nothing where μ holds it.
fn acceleration(friction: f64) -> f64 {
    GRAVITY * (STEEP - friction).max(0.0) / STEEP.hypot(1.0)
}

/// On a slope a particle stays, or slides as fast as it should, by the combined coefficient.
#[test]
fn slopes_hold_by_the_combined_friction() {
    for (who, run) in RUNS {
        for (rule, friction) in RULES {
            let (model, downhill) = slope(rule);
            let speed = along(run(&model, 60).velocities[0], downhill);
            let expected = acceleration(friction);
            assert!((speed - expected).abs() < 1e-3, "{who} {rule:?}: {speed} m/s after a second, not {expected}");
        }
    }
}

/// Static and dynamic friction are combined each by itself: what static friction does not hold slides by the dynamic one.
#[test]
fn dynamic_friction_is_combined_too() {
    let dynamic = [0.05, 0.1];
    let rules = [
        (FrictionCombine::Mean, 0.075),
        (FrictionCombine::Min, 0.05),
        (FrictionCombine::Max, 0.1),
        (FrictionCombine::Product, 0.005),
    ];
    for (who, run) in RUNS {
        for (rule, friction) in rules {
            let (mut model, downhill) = slope(rule);
            // No rule makes of these what would hold.
            (model.bodies[0].friction, model.colliders[0].friction) = (0.1, 0.3);
            [model.bodies[0].dynamic_friction, model.colliders[0].dynamic_friction] = dynamic;
            let speed = along(run(&model, 60).velocities[0], downhill);
            let expected = acceleration(friction);
            assert!((speed - expected).abs() < 1e-3, "{who} {rule:?}: {speed} m/s after a second, not {expected}");
        }
    }
}

/// Two balls of unlike bodies rub on each other as they collide by μ (1 + e) m v.
#[test]
fn balls_rub_by_the_combined_friction() {
    for (who, run) in RUNS {
        for (rule, friction) in RULES {
            let restitution = 0.6;
            let theory = rubbing(restitution, friction, 0.35);
            let mut model = theory.clone();
            let body = model.bodies[0].clone();
            model.particles.bodies = vec![0, 1];
            model.bodies = (0..2)
                .map(|k: u32| {
                    let [friction, dynamic_friction] = [SURFACES[k as usize]; 2];
                    let name = format!("ball {k}");
                    Body { name, particles: k..k + 1, friction, dynamic_friction, ..body.clone() }
                })
                .collect();
            model.world.friction_combine = rule;
            let [error, lost] = collision_errors(&theory, &run(&model, 30), restitution);
            assert!(error < 1e-3, "{who} {rule:?}: velocities are off by {error} m/s");
            assert!(lost < 1e-4, "{who} {rule:?}: momentum is off by {lost} kg m/s");
        }
    }
}

/// And a point on the segment that it strikes.
#[test]
fn points_rub_on_segments_by_the_combined_friction() {
    for (who, run) in RUNS {
        for (rule, friction) in RULES {
            let one = Strike { share: 0.3, speed: 2.0, across: 1.3, restitution: 0.4, friction };
            let mut model = strike(&one, 0.5);
            for (body, friction) in model.bodies.iter_mut().zip(SURFACES) {
                [body.friction, body.dynamic_friction] = [friction; 2];
            }
            model.world.friction_combine = rule;
            let [error, lost] = strike_errors(&run(&model, 2), &one);
            assert!(error < 2e-3, "{who} {rule:?}: velocities are off by {error} of its speed");
            assert!(lost < 1e-4, "{who} {rule:?}: momentum is off by {lost}");
        }
    }
}

/// The rule follows a running solver: what slid by one of them is held by another, and slides on by the first.
#[test]
fn the_rule_may_change() {
    let (model, downhill) = slope(FrictionCombine::Min);
    let mut running = Running::new(&model);
    let sliding = along(running.run(30).velocities[0], downhill);
    assert!((sliding - 0.5 * acceleration(0.2)).abs() < 1e-3, "{sliding} m/s");
    running.solver.world_mut().friction_combine = FrictionCombine::Max;
    // It brakes at g (μ cos θ - sin θ), 3.6 m/s².
    let held = along(running.run(60).velocities[0], downhill);
    assert!(held.abs() < 1e-4, "{held} m/s by what should hold");
    running.solver.world_mut().friction_combine = FrictionCombine::Product;
    let again = along(running.run(30).velocities[0], downhill);
    assert!((again - 0.5 * acceleration(0.16)).abs() < 1e-3, "{again} m/s");
}
