//! Substeps of BDF2: where a past begins, ends and is carried along. Motion is that of `bdf2_motion.rs`.

use pliant::Reference;
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Collider, Integrator, Method, Model, Settings, State};
use pliant::plan::Plan;
use pliant::scene::{Cloth, Grid, Scene};

use crate::bdf2_motion::bdf2;
use crate::device::{Running, run};
use crate::kernels::difference;
use crate::models;
use crate::tear::{bits, break_edges};

/// A new particle of a tear goes on with the past of the one that it was split from: a falling cloth cut in two falls as its twin does, and
/// not slower by half a substep's gravity.
#[test]
fn a_tear_keeps_the_past() {
    let grid = Grid { columns: 8, rows: 8, width: 0.7, height: 0.7 };
    let cloth = Cloth::new(grid).stretch(1e-2).shear(1e-2).bend(1.0).tears_at(1e9);
    let body = pliant::scene::Body::cloth(cloth).velocity([1.0, 0.0, 0.5]).mass(0.5);
    let mut model = bdf2(Scene::new("cut").with(body).build().unwrap_or_else(|error| panic!("{error}")).model);
    model.settings.substeps = 2;
    let tearing = model.tearing.clone().expect("it can be torn");
    let plan = Plan::new(&model);
    let (mut running, mut reference) = (Running::planned(&model, &plan), Reference::new(&model, &plan));
    running.run(10);
    (0..10).for_each(|_| reference.step());
    let (mut on_device, mut in_double) = (running.snapshot(), reference.state());
    assert!(!on_device.past[0].is_empty() && !in_double.past.is_empty());
    let across = |ends: [u32; 2]| ends.map(|end| end % 8).into_iter().all(|column| column == 4);
    let edges = tearing.edges.iter().filter(|edge| across(edge.ends));
    break_edges(&tearing, edges, &mut on_device, &mut in_double);
    running.restore(&on_device);
    reference.restore(&in_double);
    (0..4).for_each(|_| reference.step());
    let (state, twin) = (running.run(4), reference.state());
    assert!(state.positions.len() > 64 && state.positions.len() == twin.positions.len());
    let (positions, _) = difference(&State { multipliers: Vec::new(), ..state.clone() }, &twin);
    // Half a substep's gravity for four frames would be 2.7 mm.
    assert!(positions < 2e-5, "off by {positions} m");

    // And it goes on bit for bit.
    let taken = running.snapshot();
    let unbroken = running.run(5);
    let mut fresh = Running::planned(&model, &plan);
    fresh.restore(&taken);
    assert_eq!(bits(&fresh.run(5)), bits(&unbroken));
}

/// A cloth that swings by two corners over a ball.
pub fn swinging() -> Model {
    let mut model = bdf2(models::cloth(12));
    (model.particles.inverse_masses[0], model.particles.inverse_masses[11]) = (0.0, 0.0);
    model.bodies[0].damping = 1.0;
    let ball = Collider::sphere([0.5, -0.5, 0.5], 0.3);
    model.colliders.push(Collider { friction: 0.3, dynamic_friction: 0.2, restitution: 0.1, ..ball });
    model
}

/// A snapshot goes on with the bits of an unbroken run, in the same solver and in a fresh one with another plan in between: also one from
/// before the first substep, which is Euler's then as well.
#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    for (method, frames) in [(Method::GaussSeidel, 15), (Method::Jacobi, 15), (Method::GaussSeidel, 0)] {
        let mut model = swinging();
        model.settings.method = method;
        let mut running = Running::new(&model);
        running.run(frames);
        let taken = running.snapshot();
        assert_eq!(taken.past[0].is_empty(), frames == 0);
        let unbroken = running.run(16);
        running.restore(&taken);
        assert_eq!(running.snapshot(), taken);
        assert_eq!(bits(&running.run(16)), bits(&unbroken));

        let mut fresh = Running::new(&model);
        fresh.reconfigure(&model, Settings { max_colours: 4, ..model.settings.clone() });
        fresh.restore(&taken);
        fresh.reconfigure(&model, model.settings.clone());
        assert_eq!(bits(&fresh.run(16)), bits(&unbroken), "{method:?}");
    }
}

/// Another integrator, or with BDF2 other substeps, leave places, velocities and forces as they are, and begin with a substep of Euler's. Other
/// iterations keep the past.
#[test]
fn integrators_change_while_it_runs() {
    let model = swinging();
    let euler = Settings { integrator: Integrator::Euler, ..model.settings.clone() };
    let settings = [
        (euler, true),
        (Settings { substeps: 25, ..model.settings.clone() }, true),
        (Settings { iterations: 3, ..model.settings.clone() }, false),
    ];
    for (other, forgets) in settings {
        let mut running = Running::new(&model);
        let before = running.run(20);
        running.reconfigure(&model, other.clone());
        let after = running.state();
        let changed = Model { settings: other.clone(), ..model.clone() };
        assert_eq!(before.positions, after.positions);
        for (a, b) in before.velocities.as_flattened().iter().zip(after.velocities.as_flattened()) {
            assert!((a - b).abs() < 1e-5, "{b} m/s in place of {a}");
        }
        for constraint in 0..model.groups[0].len() {
            let [old, new] = [(&model, &before), (&changed, &after)]
                .map(|(model, state)| constraint_force(model, state, 0, constraint));
            assert!((old - new).abs() <= 1e-6 * old, "{new} N in place of {old} N");
        }
        assert_eq!(running.snapshot().past[0].is_empty(), forgets);
        running.reconfigure(&model, model.settings.clone());
        assert_eq!(running.snapshot().past[0].is_empty(), forgets);
        let state = running.run(10);
        assert!(running.status().is_good() && stretch_of(&model, &state) < 0.2);
    }
}

/// The largest stretch of a spring.
fn stretch_of(model: &Model, state: &State) -> f64 {
    Measurement::of(model, state).max_stretch
}

/// What was taken with one integrator goes on with the other: λ is scaled to the other H, so that forces stay, and BDF2 begins anew.
#[test]
fn snapshots_cross_integrators() {
    let with = swinging();
    let mut without = with.clone();
    without.settings.integrator = Integrator::Euler;
    for (from, to) in [(&with, &without), (&without, &with)] {
        let mut running = Running::new(from);
        let before = running.run(15);
        let taken = running.snapshot();
        let mut other = Running::new(to);
        other.restore(&taken);
        let after = other.state();
        assert_eq!((&before.positions, &before.velocities), (&after.positions, &after.velocities));
        for constraint in 0..from.groups[0].len() {
            let [old, new] =
                [(from, &before), (to, &after)].map(|(model, state)| constraint_force(model, state, 0, constraint));
            assert!((old - new).abs() <= 1e-6 * old, "{new} N in place of {old} N");
        }
        assert!(other.snapshot().past[0].is_empty());
        other.run(10);
        assert!(other.status().is_good());
    }
}

/// Two runs end with the same bits.
#[test]
fn it_is_deterministic() {
    let model = swinging();
    assert_eq!(bits(&run(&model, 10)), bits(&run(&model, 10)));
}
