//! Particles that touch segments, against double precision and against theory.

use pliant::model::{Against, Contact, Integrator, Model};
use pliant::plan::Plan;
use pliant::{Engine, Reference};

use crate::device::{Running, run};
use crate::kernels::difference;
use crate::models::{self, GRAVITY};
use crate::outlines::*;
use crate::pairs::median_of_crowds;
use crate::proof;

/// Contacts with friction, restitution and compliance, of points and segments that are free or held, are solved as by their
/// twin, with one sweep and with several, and with BDF2.
#[test]
fn segments_equal_their_twin() {
    for (iterations, integrator) in [(1, Integrator::Euler), (3, Integrator::Euler), (1, Integrator::Bdf2)] {
        // As for pairs: substeps of 8 ms, in which a rounding moves normals of what overlaps by centimetres, and of what just grazes by more.
        // Where a point comes to the end of a segment another pair takes over, which in bars placed in each other touches at another distance: in one swarm of
        // five a rounding decides which of the two it is, and that is a part of a substep's way, 33 mm at 4 m/s.
        let error = median_of_crowds(0.033, |seed| {
            let mut model = swarm(240, seed);
            (model.settings.iterations, model.settings.integrator) = (iterations, integrator);
            model.settings.substeps = 2;
            let (here, twin) = (run(&model, 2), models::run(&model, 2));
            assert!(twin.contacts > 25, "only {} contacts: the test shows nothing", twin.contacts);
            // One that just grazes may be there or not.
            let error = difference(&here, &twin).0;
            // One that just grazes may be there or not; where a rounding has decided, more.
            let apart = here.contacts.abs_diff(twin.contacts);
            assert!(apart < 2 || error > 1e-3, "{} contacts, not {}", here.contacts, twin.contacts);
            error
        });
        assert!(error < 1e-6, "{iterations} {integrator:?}: {error:.2e} m");
    }
}

/// As in the reference: points strike free bars by the laws of restitution and of the lever, and momentum is kept.
#[test]
fn points_strike_bars() {
    for (share, speed, restitution) in [(0.5, 2.0, 1.0), (0.2, 2.0, 0.4), (0.9, 100.0, 0.4), (0.3, 100.0, 1.0)] {
        let one = Strike::smooth(share, speed, restitution);
        let [error, lost] = strike_errors(&run(&strike(&one, 0.4), 2), &one);
        let claim = format!("a point strikes a bar at {share} of it at {speed} m/s with e = {restitution}");
        proof::row(&claim, "velocities", error, 2e-5, "of its speed");
        proof::row(&claim, "momentum", lost, 1e-5, "of that before");
    }
}

/// As in the reference: points rub on bars as they strike them by μ (1 + e) m v, and what is told is the momentum that they take.
#[test]
fn strikes_rub_by_all_that_presses() {
    for one in RUBBING_STRIKES {
        for phase in [0.1, 0.5, 0.9] {
            let model = strike(&one, phase);
            let mut running = Running::new(&model);
            running.solver.average_contacts(true);
            let told = models::told(2, || {
                running.run(1);
                running.contacts()
            });
            let state = running.state();
            let claim = format!("a point rubs on a bar with e = {} and μ = {}", one.restitution, one.friction);
            let [error, lost] = strike_errors(&state, &one);
            // The normal is that of where they are within a thousandth of the distance at which they touch.
            proof::row(&claim, "(1 + e) m v, μ (1 + e) m v", error, 1e-3, "of its speed");
            proof::row(&format!("{claim}, told"), "m Δv", models::untold(&model, &state, told), 5e-5, "N s");
            assert!(lost < 1e-5, "{claim}: momentum is off by {lost}");
        }
    }
}

/// A bar on two scales bears a point by the law of the lever.
#[test]
fn bars_bear_points() {
    for share in [0.5, 0.1] {
        let (model, expected) = scales(share);
        let error = scales_error(&model, &run(&model, 120), expected);
        proof::row(&format!("a point lies at {share} of a bar on scales"), "loads of a lever", error, 1e-2, "");
    }
}

/// What falls on a bar rises to e² of its height; the substep in which they meet ends at the surface and takes some of its way.
#[test]
fn points_rebound() {
    let mut model = lying(0.3);
    model.particles.positions[0][1] += 0.5;
    model.bodies.iter_mut().for_each(|body| body.restitution = 0.8);
    let mut running = Running::new(&model);
    running.run(25);
    let height = (0..30).map(|_| running.run(1).positions[0][1] - 2.0 * THIN).fold(0.0, f64::max);
    let way = (2.0 * GRAVITY * 0.5_f64).sqrt() / 600.0;
    proof::row("a point rebounds from a bar", "e² h", (height - 0.64 * 0.5).abs(), way, "m");
}

/// On a slope a point sticks below the angle of friction, and slides above it by what friction leaves of its weight.
#[test]
fn points_slide_on_bars() {
    let friction = 30.0_f64.to_radians().tan();
    for degrees in [29.0, 31.0, 45.0] {
        let (model, down) = sloping(degrees, friction);
        let [error, bound] = sloping_error(&run(&model, 30), down, degrees, friction);
        proof::row(&format!("a point on a bar of {degrees}°"), "g (sin θ - μ cos θ) t", error, bound, "m/s");
    }
}

/// What touches a segment is told with its force, which is the weight, by the nearer end.
#[test]
fn forces_on_segments_are_those_of_statics() {
    type Of = fn(&Model, bool) -> Vec<Contact>;
    let of_engine: Of = |model, averages| {
        let mut running = Running::new(model);
        running.solver.average_contacts(averages);
        running.run(30);
        running.contacts()
    };
    let of_reference: Of = |model, averages| {
        let mut reference = Reference::new(model, &Plan::new(model));
        reference.average_contacts(averages);
        (0..30).for_each(|_| reference.step());
        reference.contacts()
    };
    assert!(Running::new(&lying(0.3)).contacts().is_empty(), "nothing was solved yet");
    for (who, of) in [("engine", of_engine), ("reference", of_reference)] {
        for averages in [false, true] {
            let contacts = of(&lying(0.3), averages);
            assert_eq!(contacts.len(), 1, "{contacts:?}");
            let contact = contacts[0];
            assert_eq!((contact.particle, contact.against), (0, Against::Particle(1)));
            proof::relative(&format!("{who}: a point lies on a bar"), "m g", contact.force, 2.0 * GRAVITY, 1e-2);
            assert!((contact.normal[1] - 1.0).abs() < 1e-6, "{contact:?}");
            let off = [contact.point[0] - 0.3, contact.point[1] - THIN, contact.point[2]];
            assert!(off.iter().all(|x| x.abs() < 1e-4), "{contact:?}");
        }
    }
}

/// A compliant contact yields by the compliance of both times the weight.
#[test]
fn compliant_segments_yield() {
    let mut model = lying(0.6);
    model.settings.substeps = 20;
    model.bodies.iter_mut().for_each(|body| body.contact_compliance = 1e-4);
    // It goes on with 1/577 of the rest in each substep.
    let depth = 2.0 * THIN - run(&model, 240).positions[0][1];
    proof::relative("a compliant bar yields", "α m g", depth, 2e-4 * 2.0 * GRAVITY, 1e-2);
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
        let mut running = Running::new(&rings(friction));
        let before = momentum(&running.state());
        let states: Vec<_> = (0..40).map(|_| running.run(1)).collect();
        let touched: u64 = states.iter().map(|state| state.contacts).sum();
        assert!(touched > 5, "{touched} contacts: the test shows nothing");
        assert_eq!(states.iter().map(inside_each_other).sum::<usize>(), 0);
        let lost = (momentum(&states[39]) - before).length() / (2.0 * 22.0);
        proof::row("rings meet", "momentum", lost, 1e-5, "of what each had");
    }
}

/// The same bits twice, whatever order threads come in.
#[test]
fn segments_give_the_same_bits() {
    let bits = || {
        let mut running = Running::new(&swarm(240, 5));
        running.run(3);
        running.snapshot()
    };
    assert!(bits() == bits());
}

/// Particles in one place, segments without length and particles that are nowhere neither hang nor crash, and spoil nothing
/// but themselves.
#[test]
fn broken_segments_do_no_harm() {
    let line = |i: u32| [f64::from(i) * 0.001, 0.0, 0.0];
    let mut apart: Vec<[f64; 3]> = (0..300).map(line).collect();
    apart[0] = [0.0, 1.0, 0.0];
    let mut model = bodies(5e-5, &[chain(&apart, 1.0), points(&[[5.0, 0.0, 0.0], [5.0, 1.0, 0.0]], 1.0)]);
    // All in one place but as told apart: drawn together by their velocities, and over.
    for (place, velocity) in model.particles.positions.iter().zip(&mut model.particles.velocities).take(300) {
        *velocity = place.map(|x| -x * 600.0);
    }
    let mut running = Running::new(&model);
    assert!(running.run(2).positions.as_flattened().iter().all(|x| x.is_finite()));

    let parts = [points(&[[0.0, 0.1, 0.0], [3.0, 0.0, 0.0]], 1.0), bar([[0.0; 3]; 2], [0.0; 2])];
    let mut still = bodies(THIN, &parts);
    still.world.gravity = [0.0, -GRAVITY, 0.0];
    let state = run(&still, 30);
    // Its ends are balls.
    assert!(state.positions[0][1] > THIN, "{:?}", state.positions[0]);

    let mut nowhere = lying(0.3);
    nowhere.particles.positions.extend([[0.2, 1.0, 0.0], [0.5, 1.0, 0.0]]);
    let count = nowhere.particles.positions.len();
    nowhere.particles.velocities.extend([[f64::NAN; 3], [0.0; 3]]);
    nowhere.particles.inverse_masses.resize(count, 1.0);
    nowhere.particles.bodies.resize(count, 1);
    nowhere.particles.drives.resize(count, 0);
    nowhere.bodies[1].particles.end = count as u32;
    nowhere.bodies[1].segments.push([3, 4]);
    let mut running = Running::new(&nowhere);
    let state = running.run(10);
    assert!(running.status().not_finite);
    assert!((state.positions[0][1] - 2.0 * THIN).abs() < 1e-4, "{:?}", state.positions[0]);
}
