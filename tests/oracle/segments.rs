//! The contacts of particles with segments of the reference solver, against theory.

use pliant::Reference;
use pliant::plan::Plan;

use crate::models::*;
use crate::outlines::*;
use crate::{ROUNDING, proof};

/// A point that strikes a free bar, slow or at 100 m/s and at any phase of a substep, gives it the impulse of the two laws:
/// that of restitution, and that of the lever.
#[test]
fn points_strike_bars() {
    for (share, speed, restitution) in [(0.5, 2.0, 1.0), (0.2, 2.0, 0.4), (0.9, 100.0, 0.4), (0.3, 100.0, 1.0)] {
        for phase in 0..8 {
            let one = Strike::smooth(share, speed, restitution);
            let state = run(&strike(&one, f64::from(phase) / 8.0), 2);
            let [error, lost] = strike_errors(&state, &one);
            let claim =
                format!("reference: a point strikes a bar at {share} of it at {speed} m/s with e = {restitution}");
            proof::row(&claim, "velocities", error, ROUNDING, "of its speed");
            assert!(lost < ROUNDING, "{claim}: momentum is off by {lost}");
        }
    }
}

/// A point that goes across a bar as it strikes it rubs by μ (1 + e) m v, whenever in a substep that is, or sticks, and what is told is the momentum that
/// it takes.
#[test]
fn strikes_rub_by_all_that_presses() {
    for one in RUBBING_STRIKES {
        for phase in 0..8 {
            let model = strike(&one, f64::from(phase) / 8.0);
            let mut reference = Reference::new(&model, &Plan::new(&model));
            reference.average_contacts(true);
            let told = told(2, || {
                reference.step();
                reference.contacts()
            });
            let state = reference.state();
            let claim =
                format!("reference: a point rubs on a bar with e = {} and μ = {}", one.restitution, one.friction);
            let [error, lost] = strike_errors(&state, &one);
            // The normal is that of where they are within a thousandth of the distance at which they touch.
            proof::row(&claim, "(1 + e) m v, μ (1 + e) m v", error, 1e-3, "of its speed");
            proof::row(&format!("{claim}, told"), "m Δv", untold(&model, &state, told), ROUNDING, "N s");
            assert!(lost < ROUNDING, "{claim}: momentum is off by {lost}");
        }
    }
}

/// The load of a point on a bar that hangs by springs is that of a lever.
#[test]
fn bars_bear_points() {
    for share in [0.5, 0.1] {
        let (model, expected) = scales(share);
        let error = scales_error(&model, &run(&model, 120), expected);
        proof::row(&format!("reference: a point lies at {share} of a bar on scales"), "loads", error, 1e-3, "");
    }
}

/// On a slope a point sticks below the angle of friction, and slides above it by what friction leaves of its weight.
#[test]
fn points_slide_on_bars() {
    let friction = 30.0_f64.to_radians().tan();
    for degrees in [29.0, 31.0, 45.0] {
        let (model, down) = sloping(degrees, friction);
        let [error, bound] = sloping_error(&run(&model, 30), down, degrees, friction);
        proof::row(&format!("reference: a point on a bar of {degrees}°"), "g (sin θ - μ cos θ) t", error, bound, "m/s");
    }
}

/// Nothing passes a segment: at 100 m/s, at any angle and phase, also while it moves.
#[test]
fn nothing_passes_a_segment() {
    for (radius, carried) in VOLLEYS {
        let (model, expected) = volley(radius, carried);
        assert_eq!(passed(&run(&model, 2), &expected), 0, "radius {radius}, bar at {carried:?}");
    }
}

/// Nothing leaves a ring with corners in and out, where it meets several segments at once and one after another.
#[test]
fn nothing_leaves_a_ring() {
    assert_eq!(escaped(&run(&cage(0.005), 6)), 0);
}

/// Rings that meet do not come into each other, and keep their momentum.
#[test]
fn rings_part() {
    for friction in [0.0, 0.5] {
        let model = rings(friction);
        let mut reference = Reference::new(&model, &Plan::new(&model));
        let before = momentum(&reference.state());
        let mut touched = 0;
        for _ in 0..40 {
            reference.step();
            assert_eq!(inside_each_other(&reference.state()), 0);
            touched += reference.state().contacts;
        }
        assert!(touched > 5, "{touched} contacts: the test shows nothing");
        let after = momentum(&reference.state());
        let lost = (after - before).length() / (2.0 * 22.0);
        proof::row("reference: rings meet", "momentum", lost, 1e-12, "of what each had");
    }
}
