//! Rest values that change: driven by curves, and by what flows beyond the yield point.

use std::f64::consts::PI;

use pliant::Engine;
use pliant::constraint::{ALL, Angle, Attach, Kind, RestChange, kind};
use pliant::measure::Measurement;
use pliant::model::{Curve, Drive, Keyframes, Material, Method, Mode, Model, Settings, Side, State};
use pliant::step::ChangeError;

use crate::device::{Running, compiles_fast, run};
use crate::kernels::{difference, random_model};
use crate::kinds;
use crate::models::{self, compliant};
use crate::proof;

/// A curve that neither repeats nor waits.
fn curve(frames: &[(f64, [f64; 3])]) -> Curve {
    Curve { keyframes: Keyframes::new(frames.to_vec()).unwrap(), period: None, delay: 0.0 }
}

/// A curve that is one number at each time.
pub fn scalar(frames: &[(f64, f64)]) -> Curve {
    curve(&frames.iter().map(|&(time, value)| (time, [value, 0.0, 0.0])).collect::<Vec<_>>())
}

pub fn driven(material: Material) -> Material {
    Material { curve: Some(0), ..material }
}

/// The largest difference of rest values, in effect and without curves.
fn rest_difference(a: &State, b: &State) -> f64 {
    let all = |state: &State| -> Vec<f64> { state.rest.iter().chain(&state.rest_bases).flatten().copied().collect() };
    let (a, b) = (all(a), all(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Rest values of every kind that lets them change do so on the GPU as in the twin: by curves, by flowing at once and slowly,
/// and by both; coloured and by Jacobi; with several iterations, and one-sided. What compiles slowly does one of all that
/// with each kind, each with another one.
#[test]
fn rest_values_change_as_in_the_twin() {
    let soft = compliant(1e-2);
    let yields = Material { yield_point: Some(1e-3), ..soft };
    let materials = [
        driven(Material::default()),
        yields,
        driven(Material { creep: Some(30.0), ..yields }),
        Material { side: Side::Pull, damping: 1.0, ..driven(yields) },
    ];
    let changing = |kind: &&dyn Kind| kind.rest_change().is_some();
    let mut failures = Vec::new();
    for (number, kind) in ALL.iter().chain(kinds::ALL).copied().filter(changing).enumerate() {
        for (index, material) in materials.into_iter().enumerate() {
            for (method, iterations) in [(Method::GaussSeidel, 1), (Method::Jacobi, 3)] {
                let turn = 2 * index + usize::from(method == Method::Jacobi);
                if !compiles_fast() && turn != number % (2 * materials.len()) {
                    continue;
                }
                let mut model = random_model(kind, material, 11 + index as u64);
                let built = model.groups[0].rest.clone();
                let start = if kind.rest_change() == Some(RestChange::Factor) { 1.0 } else { 0.0 };
                model.curves = vec![curve(&[(0.0, [start; 3]), (0.02, [start + 0.1, start - 0.05, start + 0.02])])];
                (model.settings.method, model.settings.iterations, model.settings.substeps) = (method, iterations, 3);
                let (gpu, twin) = (run(&model, 1), models::run(&model, 1));
                let (positions, multipliers) = difference(&gpu, &twin);
                let rest = rest_difference(&gpu, &twin);
                let changed = twin.rest[0].iter().zip(&built).filter(|(a, b)| a != b).count();
                let flowed = twin.rest_bases[0].iter().zip(&built).filter(|(a, b)| a != b).count();
                assert!(changed > 0, "nothing changes: the test shows nothing");
                assert_eq!(flowed > 0, material.yield_point.is_some(), "{} {index}", kind.name());
                // As in `every_kind_equals_its_twin`; what flows is α̃ times λ, which is as exact as positions are.
                if !(positions < 2e-5 && multipliers < 2e-4 && rest < 2e-5) {
                    failures.push(format!(
                        "{} material {index} {method:?}: {positions:.2e} m, λ {multipliers:.2e}, rest {rest:.2e}",
                        kind.name()
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A rigid link, 1 m at first, from a fixed particle at the origin along x to a free one.
fn link(material: Material) -> Model {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.0, 1.0]);
    model.world.gravity = [0.0; 3];
    models::spring(&mut model, 0, 1, material);
    model
}

/// A rigid link is as long as its curve says at each frame's end, and its end as fast as the curve is steep, from the first
/// frame of a slope to its last: nothing jerks. In PBD mode as in XPBD.
#[test]
fn an_actuated_length_follows_its_curve() {
    for mode in [Mode::Xpbd, Mode::Pbd] {
        actuated_length(mode);
    }
}

fn actuated_length(mode: Mode) {
    let (mut off, mut fast) = (Vec::new(), Vec::new());
    let mut model = link(driven(Material::default()));
    model.settings.mode = mode;
    model.curves = vec![scalar(&[(0.5, 1.0), (1.0, 1.4), (1.5, 0.2)])];
    let mut running = Running::new(&model);
    for frame in 1..=100 {
        let state = running.run(1);
        let seconds = f64::from(frame) / 60.0;
        let (length, slope) = match seconds {
            s if s <= 0.5 => (1.0, 0.0),
            s if s <= 1.0 => (1.0 + 0.8 * (s - 0.5), 0.8),
            s if s <= 1.5 => (1.4 - 2.4 * (s - 1.0), -2.4),
            _ => (0.2, 0.0),
        };
        assert!((state.rest[0][0] - length).abs() < 2e-7 && state.rest_bases[0][0] == 1.0);
        off.push(state.positions[1][0] - length);
        fast.push(state.velocities[1][0] - slope);
    }
    // The rest length and the place are rounded at 6e-8 and 1.2e-7 of 1.4 m, and that over a substep of 1/600 s.
    proof::row(&format!("an actuated link, {mode:?}"), "its curve", proof::largest(off), 4e-7, "m");
    proof::row(&format!("speed of its end, {mode:?}"), "the curve's slope", proof::largest(fast), 4e-4, "m/s");
}

/// A planar angle turns by what its curve adds, straight through the line in which its arms meet.
#[test]
fn an_actuated_angle_follows_its_curve() {
    let mut model = models::particles(&[[-1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.5, 0.0]], &[0.0, 0.0, 1.0]);
    model.world.gravity = [0.0; 3];
    models::spring(&mut model, 1, 2, Material::default());
    models::connect(&mut model, kind::<Angle>(), &[0, 1, 2], driven(Material::default()));
    model.curves = vec![scalar(&[(0.0, 0.0), (2.0, 4.0)])];
    model.settings.iterations = 10;
    let mut running = Running::new(&model);
    for second in 1..=2 {
        let [x, y, _] = running.run(60).positions[2];
        // From straight up, which is the angle -π/2 of the arm to -x, counter-clockwise by 2 rad a second.
        let (sine, cosine) = (PI / 2.0 + 2.0 * f64::from(second)).sin_cos();
        // The end turns 3 mrad a substep: what the arc leaves the chord, (3e-3)² / 8 of 0.5 m, is solved for by ten iterations.
        assert!((x - 0.5 * cosine).hypot(y - 0.5 * sine) < 1e-5, "[{x}, {y}] after {second} s");
    }
}

/// A particle attached to a moving point goes with it, in all three directions.
#[test]
fn an_attachment_follows_its_target() {
    let mut model = models::particles(&[[5.0, 1.0, -2.0]], &[0.3]);
    models::connect(&mut model, kind::<Attach>(), &[0], driven(Material::default()));
    model.curves = vec![curve(&[(0.0, [0.0; 3]), (0.5, [1.0, -0.5, 0.25]), (1.0, [0.0, 3.0, 0.0])])];
    let mut running = Running::new(&model);
    for (frames, expected) in [(15, [5.5, 0.75, -1.875]), (15, [6.0, 0.5, -1.75]), (60, [5.0, 4.0, -2.0])] {
        let state = running.run(frames);
        let apart = (0..3).map(|i| (state.positions[0][i] - expected[i]).abs()).fold(0.0, f64::max);
        // Single precision at 8 m: 5e-7 m.
        assert!(apart < 1e-6, "{:?} in place of {expected:?}", state.positions[0]);
    }
}

/// Curves repeat after their period and are late by their delay.
#[test]
fn curves_repeat_and_wait() {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]], &[0.0, 1.0, 1.0]);
    model.world.gravity = [0.0; 3];
    for (end, delay) in [(1, 0.0), (2, 0.125)] {
        let material = Material { curve: Some(model.curves.len() as u32), ..Material::default() };
        models::spring(&mut model, 0, end, material);
        let wave = scalar(&[(0.0, 1.0), (0.25, 1.2), (0.5, 1.0)]);
        model.curves.push(Curve { period: Some(0.5), delay, ..wave });
    }
    let wave = |seconds: f64| 1.2 - 0.8 * (seconds.max(0.0) % 0.5 - 0.25).abs();
    let mut running = Running::new(&model);
    for frame in 1..=120 {
        let (state, seconds) = (running.run(1), f64::from(frame) / 60.0);
        assert!((state.positions[1][0] - wave(seconds)).abs() < 4e-7, "{} m at {seconds} s", state.positions[1][0]);
        let late = 2.0 * wave(seconds - 0.125);
        assert!((state.positions[2][1] - late).abs() < 8e-7, "{} m at {seconds} s, not {late}", state.positions[2][1]);
    }
}

/// What reports measure goes by the rest values in effect: a rigid link that a curve has made half as long again is not stretched.
#[test]
fn measurements_take_rest_values_in_effect() {
    let mut model = link(driven(Material::default()));
    model.curves = vec![scalar(&[(0.0, 1.0), (0.5, 1.5)])];
    let measured = Measurement::of(&model, &run(&model, 60));
    assert!(measured.max_stretch < 1e-6 && measured.residual[0].1 < 1e-6, "{measured:?}");
}

/// A spring under a load that grows past its yield point and stays rests stretched by αF, and its rest length has grown to where
/// this is the yield point again, αF/y.
#[test]
fn a_loaded_spring_flows() {
    let (compliance, force, limit) = (1e-3, 55.0, 0.05);
    // What is beyond goes as e^(-y creep t): by e⁻⁴⁰ in the two seconds after the load has grown.
    for creep in [None, Some(400.0)] {
        let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.0, 0.01]);
        model.world.gravity = [0.0; 3];
        // Critically damped: 2 √(m/α).
        let damping = 2.0 * (0.01_f64 / compliance).sqrt();
        models::spring(
            &mut model,
            0,
            1,
            Material { damping, yield_point: Some(limit), creep, ..compliant(compliance) },
        );
        models::drive(
            &mut model,
            1,
            Drive { motion: None, forces: vec![models::linear(1.0, [force, 0.0, 0.0])], ..Drive::default() },
        );
        let before = run(&model, 53);
        assert_eq!(before.rest[0], [1.0], "49 N of the 50 N that it bears");
        let state = run(&model, 180);
        let (rest, length) = (state.rest[0][0], state.positions[1][0]);
        // While it flows at 0.1 m/s the load is off by less than m v times the rate of flowing, 0.01 kg 0.1 m/s 30 /s.
        let claim = format!("rest length of a spring loaded past its yield point y, creep {creep:?}");
        proof::relative(&claim, "αF/y", rest, compliance * force / limit, 1e-3);
        assert!((length - rest - compliance * force).abs() < 1e-5, "stretched by {} m", length - rest);
        let energy = Measurement::of(&model, &state).elastic_energy_j;
        assert!((energy / (compliance * force * force / 2.0) - 1.0).abs() < 1e-3, "{energy} J");
    }
}

/// A link along x from a fixed particle to one that is held by displacements along x.
fn held(material: Material, displacements: &[(f64, f64)]) -> Model {
    let mut model = link(material);
    models::connect(&mut model, kind::<Attach>(), &[1], Material { curve: Some(0), ..Material::default() });
    model.curves = vec![scalar(displacements)];
    // One after the other, spring and hold come to λ = -C/α̃ but for (h²w/α)³, 2e-8 at 1e-3 m/N.
    model.settings.iterations = 3;
    model
}

/// Perfect plasticity: a spring that is drawn out keeps the force of its yield point, and let back it is slack where its rest
/// length has grown to, at a strain of (1 + ε)/(1 + y) - 1. Pushed together it yields the other way.
#[test]
fn a_drawn_spring_keeps_its_strain() {
    let (compliance, limit) = (1e-3, 0.05);
    let material = Material { yield_point: Some(limit), ..compliant(compliance) };
    for (strain, exact) in [(0.2, 1.2 / 1.05), (-0.2, 0.8 / 0.95), (0.04, 1.0)] {
        let model = held(material, &[(0.0, 0.0), (1.0, strain), (2.0, exact - 1.0)]);
        let mut running = Running::new(&model);
        let drawn = running.run(60);
        let force = pliant::measure::constraint_force(&model, &drawn, 0, 0);
        let expected = f64::min(limit * exact, strain.abs()) / compliance;
        // The mean over the last frame: the strain grows by a sixtieth of its last value in it.
        assert!((force / expected - 1.0).abs() < 0.02, "{force} N in place of {expected} N at {strain}");
        let back = running.run(65);
        let left = pliant::measure::constraint_force(&model, &back, 0, 0);
        // The flow lags the draw by a substep, 3e-4 m.
        let claim = format!("rest length of a spring of y = 0.05 drawn by ε = {strain}");
        let theory = if exact == 1.0 { "1 m, as built" } else { "(1 + ε)/(1 ± y)" };
        proof::row(&claim, theory, (back.rest[0][0] - exact).abs(), 4e-4, "m");
        assert!(left < 4e-4 / compliance, "{left} N are left");
    }
}

/// What flows slowly goes as e^(-creep t): the force of a spring held stretched with a yield point of zero, and a planar angle
/// bent beyond its yield point.
#[test]
fn creep_has_its_time_constant() {
    let (stretch, creep) = (0.1, 4.0);
    let material = Material { yield_point: Some(0.0), creep: Some(creep), ..compliant(1e-3) };
    let mut model = held(material, &[(0.0, stretch)]);
    model.groups[0].rest[0] = 1.0;
    let mut running = Running::new(&model);
    for frame in [15, 30, 60] {
        let state = running.run(frame - running.solver.frame() as u32);
        // The first substep begins without a force, from which nothing flows.
        let seconds = f64::from(frame) / 60.0 - model.settings.substep_seconds();
        let elastic = 1.0 + stretch - state.rest[0][0];
        let exact = stretch * (-creep * seconds).exp();
        // A rest length of 1 m is rounded at 6e-8 in each of 600 substeps.
        let claim = format!("creep of a spring held stretched by 0.1 m, {frame} frames");
        proof::row(&claim, "e^(-creep t)", (elastic - exact).abs(), 4e-5, "m");
    }

    let (bend, limit) = (0.8, 0.3);
    let mut model = models::particles(&[[-1.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0]], &[0.0, 0.0, 1.0]);
    model.world.gravity = [0.0; 3];
    let material = Material { yield_point: Some(limit), creep: Some(creep), ..compliant(1e-2) };
    models::connect_with_rest(&mut model, kind::<Angle>(), &[0, 1, 2], &[PI - bend], material);
    models::connect(&mut model, kind::<Attach>(), &[2], Material::default());
    model.settings.iterations = 3;
    let state = run(&model, 30);
    let elastic = PI - state.rest[0][0];
    let exact = limit + (bend - limit) * (-creep * (0.5 - model.settings.substep_seconds())).exp();
    // As above, at 3 rad.
    proof::row("creep of a planar angle held bent", "y + (C - y) e^(-creep t)", (elastic - exact).abs(), 1e-4, "rad");
}

/// What stays below its yield point moves as if it had none, bit for bit.
#[test]
fn nothing_flows_below_the_yield_point() {
    let swing = |yield_point| {
        let mut model = models::chain(10, 0.1, Material { yield_point, ..compliant(1e-4) });
        model.particles.velocities[10] = [3.0, 0.0, 0.0];
        run(&model, 60)
    };
    let (elastic, plastic) = (swing(None), swing(Some(0.5)));
    let bits = |state: &State| -> Vec<u64> {
        state.positions.iter().chain(&state.velocities).flatten().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(&elastic), bits(&plastic));
    assert!(plastic.rest[0].iter().all(|&rest| rest == f64::from(0.1_f32)), "{:?}", plastic.rest);
}

/// A broken constraint flows no longer, however much it bore.
#[test]
fn nothing_flows_once_broken() {
    let material = Material { yield_point: Some(0.01), creep: Some(1.0), break_force: Some(10.0), ..compliant(1e-3) };
    let mut model = link(material);
    models::drive(
        &mut model,
        1,
        Drive { motion: None, forces: vec![Keyframes::constant([50.0, 0.0, 0.0])], ..Drive::default() },
    );
    let mut running = Running::new(&model);
    let first = running.run(20);
    assert!(first.multipliers[0][0].broken && first.rest[0][0] > 1.0);
    assert_eq!(running.run(20).rest, first.rest);
}

/// A chain that is actuated, yields, and has a link that never changes in another group.
fn lively() -> Model {
    let material = Material { yield_point: Some(0.02), creep: Some(3.0), damping: 1.0, ..compliant(2e-3) };
    let mut model = models::chain(30, 0.1, driven(material));
    models::connect(&mut model, kind::<Angle>(), &[0, 1, 2], compliant(1.0));
    models::spring(&mut model, 10, 20, compliant(1e-3));
    let wave = scalar(&[(0.0, 1.0), (0.3, 1.3), (0.6, 1.0)]);
    model.curves = vec![Curve { period: Some(0.6), delay: 0.1, ..wave }];
    model.particles.velocities[30] = [2.0, 0.0, 1.0];
    model
}

/// The same scene gives the same bits, and so does one that goes on from a snapshot half-way, in a new solver, though a sweep by
/// another method came between.
#[test]
fn a_snapshot_holds_rest_values() {
    let model = lively();
    let whole = run(&model, 40);
    assert!(whole.rest_bases[0][..30].iter().any(|&base| base > 0.101), "nothing flowed: the test shows less");
    assert!(whole.rest[1].is_empty() && whole.rest_bases[0][30] == f64::from(1.0_f32));
    assert_eq!(run(&model, 40), whole);

    let mut first = Running::new(&model);
    let halfway = first.run(20);
    let snapshot = first.snapshot();

    let mut second = Running::new(&model);
    second.run(3);
    second.restore(&snapshot);
    assert_eq!(second.state(), halfway);
    assert_eq!(second.run(20), whole);
}

/// Another method, which has another order, leaves rest values as they are, and going back leaves all bits.
#[test]
fn other_settings_leave_rest_values() {
    let model = lively();
    let mut running = Running::new(&model);
    let before = running.run(20);
    for settings in [Settings { method: Method::Jacobi, ..model.settings.clone() }, model.settings.clone()] {
        running.reconfigure(&model, settings);
        let after = running.state();
        assert_eq!((&before.rest, &before.rest_bases), (&after.rest, &after.rest_bases));
    }
    assert_eq!(running.run(20), run(&model, 40));
}

/// The reference goes on from its own state with the same bits, too.
#[test]
fn the_reference_restores_rest_values() {
    let model = lively();
    let mut whole = models::reference(&model);
    (0..10).for_each(|_| whole.step());
    let mut resumed = models::reference(&model);
    resumed.restore(&whole.state());
    for reference in [&mut whole, &mut resumed] {
        (0..10).for_each(|_| reference.step());
    }
    assert_eq!(whole.state(), resumed.state());
}

/// A material may gain a yield point in a running solver where another one of its kind has what that takes, and is refused where
/// not, as are curves that are not there and numbers that make no sense.
#[test]
fn a_material_may_begin_to_yield() {
    let mut model = link(compliant(1e-3));
    models::drive(
        &mut model,
        1,
        Drive { motion: None, forces: vec![Keyframes::constant([50.0, 0.0, 0.0])], ..Drive::default() },
    );
    let yields = Material { yield_point: Some(0.01), ..compliant(1e-3) };
    let mut fixed = Running::new(&model);
    let error = fixed.solver.set_material(0, yields).unwrap_err();
    assert!(matches!(error, ChangeError::FixedRest { index: 0 }), "{error}");
    assert!(error.to_string().contains("make a new solver"));

    models::spring(&mut model, 0, 1, Material { yield_point: Some(10.0), ..compliant(1.0) });
    let mut running = Running::new(&model);
    assert_eq!(running.run(10).rest_bases[0], [1.0, 1.0]);
    running.solver.set_material(0, yields).unwrap();
    let state = running.run(10);
    assert!(state.rest_bases[0][0] > 1.01 && state.rest_bases[0][1] == 1.0, "{:?}", state.rest_bases);
    // It may end, and begin again, whatever the settings are meanwhile.
    running.solver.set_material(0, compliant(1e-3)).unwrap();
    running.solver.set_material(1, compliant(1.0)).unwrap();
    running.reconfigure(&model, Settings { substeps: 20, ..model.settings.clone() });
    let still = running.run(10);
    assert_eq!(still.rest_bases, state.rest_bases);
    running.solver.set_material(0, Material { yield_point: Some(1e-3), ..yields }).unwrap();
    assert!(running.run(10).rest_bases[0][0] > state.rest_bases[0][0] + 1e-3);
    let curve = Material { curve: Some(3), ..yields };
    assert!(matches!(running.solver.set_material(0, curve), Err(ChangeError::Missing { what: "curve", .. })));
    let negative = Material { yield_point: Some(-0.1), ..yields };
    assert!(matches!(running.solver.set_material(0, negative), Err(ChangeError::Value { .. })));
    let endless = Material { creep: Some(f64::INFINITY), ..yields };
    assert!(matches!(running.solver.set_material(0, endless), Err(ChangeError::Value { .. })));
}
