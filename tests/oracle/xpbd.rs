//! The reference solver against theory: free motion, constraints, both methods, both modes.

use std::f64::consts::PI;

use pliant::constraint::{Distance, kind};
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Drive, Keyframes, Material, Method, Mode, Model, Side, Sweep};

use crate::models::*;
use crate::{ROUNDING, assert_close, kinds, proof};

const METHODS: [Method; 2] = [Method::GaussSeidel, Method::Jacobi];

/// A fixed particle at the origin and a free one beside it, without gravity.
fn pair(distance: f64, mass: f64, material: Material) -> Model {
    let mut model = particles(&[[0.0; 3], [distance, 0.0, 0.0]], &[0.0, mass]);
    model.world.gravity = [0.0; 3];
    connect_with_rest(&mut model, kind::<Distance>(), &[0, 1], &[1.0], material);
    model
}

/// A thrown particle falls as symplectic Euler has it: x = n h v₀ + g h² n(n + 1)/2.
#[test]
fn free_fall_is_symplectic_euler() {
    let mut model = particles(&[[1.0, 2.0, 3.0]], &[2.0]);
    model.particles.velocities[0] = [3.0, 4.0, 5.0];
    let state = run(&model, 60);
    let (n, h) = (600.0, 1.0 / 600.0);
    let expected = [4.0, 2.0 + 4.0 - GRAVITY * h * h * n * (n + 1.0) / 2.0, 8.0];
    let errors = state.positions[0].into_iter().zip(expected).map(|(actual, expected)| actual - expected);
    proof::row("a thrown particle", "h n v + g h² n(n + 1)/2", proof::largest(errors), ROUNDING, "m");
    assert_close(state.velocities[0][1], 4.0 - GRAVITY, ROUNDING);
    assert_eq!((state.seconds, state.frame), (1.0, 60));
}

/// A force that grows as F = a t is taken at the end of each substep and divided by the mass: v = a h² n(n + 1)/2m.
#[test]
fn forces_accelerate() {
    let mut model = particles(&[[0.0; 3]], &[2.0]);
    model.world.gravity = [0.0; 3];
    let forces = vec![linear(1.0, [6.0, 0.0, 0.0]), Keyframes::constant([0.0, 4.0, 0.0])];
    drive(&mut model, 0, Drive { motion: None, forces, ..Drive::default() });
    let state = run(&model, 60);
    let (n, h) = (600.0, 1.0 / 600.0);
    assert_close(state.velocities[0][0], 6.0 * h * h * n * (n + 1.0) / 4.0, ROUNDING);
    assert_close(state.velocities[0][1], 2.0, ROUNDING);
}

/// No particle becomes faster than the speed limit, and it keeps its direction.
#[test]
fn speed_limit_holds() {
    let mut model = particles(&[[0.0; 3]], &[1.0]);
    model.world.max_speed = Some(1.0);
    let state = run(&model, 60);
    assert_close(state.velocities[0][1], -1.0, ROUNDING);
}

/// A fixed particle with a motion is at each frame where its keyframes say, with their speed; one without stays.
#[test]
fn pins_follow_keyframes() {
    let mut model = particles(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0.0, 0.0]);
    drive(&mut model, 0, Drive { motion: Some(linear(0.5, [0.0, 2.0, 0.0])), forces: Vec::new(), ..Drive::default() });
    let mut reference = reference(&model);
    for frame in 1..=60 {
        reference.step();
        let state = reference.state();
        assert_close(state.positions[0][1], (4.0 * f64::from(frame) / 60.0).min(2.0), ROUNDING);
        assert_close(state.velocities[0][1], if frame <= 30 { 4.0 } else { 0.0 }, ROUNDING);
        assert_eq!(state.positions[1], [0.0, 1.0, 0.0]);
    }
}

/// A weight on a spring comes to rest stretched by m g α, and the spring reports its weight. Critically damped, the motion
/// has died away to exp(-60) after two seconds.
#[test]
fn static_stretch_is_weight_times_compliance() {
    for method in METHODS {
        let (mass, compliance) = (2.0_f64, 5e-4);
        let damping = 2.0 * (mass / compliance).sqrt();
        let mut model = chain(1, mass, Material { damping, ..compliant(compliance) });
        model.settings.method = method;
        let state = run(&model, 120);
        assert_close(-state.positions[1][1] - 0.1, mass * GRAVITY * compliance, ROUNDING);
        // The force amplifies what is rounded in C by 1/α.
        assert_close(constraint_force(&model, &state, 0, 0), mass * GRAVITY, ROUNDING / compliance);
    }
}

/// A damped spring moves as implicit Euler has it, xₙ₊₁ (1 + hβ/m + h²/mα) = xₙ (2 + hβ/m) - xₙ₋₁: XPBD is that exactly
/// for one linear spring.
#[test]
fn damped_spring_is_implicit_euler() {
    let (mass, compliance, damping) = (0.5, 0.02, 0.3);
    let mut model = pair(1.2, mass, Material { damping, ..compliant(compliance) });
    (model.settings.frame_rate, model.settings.substeps) = (600.0, 1);
    let h = model.settings.substep_seconds();
    let (drag, stiffness) = (h * damping / mass, h * h / (mass * compliance));
    let mut reference = reference(&model);
    // At rest at first: as if it had been there a substep earlier.
    let (mut before, mut now) = (0.2, 0.2);
    let mut errors = Vec::new();
    for _ in 0..1200 {
        reference.step();
        (before, now) = (now, (now * (2.0 + drag) - before) / (1.0 + drag + stiffness));
        errors.push(reference.state().positions[1][0] - 1.0 - now);
    }
    proof::row("XPBD of one damped spring, 1,200 steps", "implicit Euler", proof::largest(errors), ROUNDING, "m");
}

/// A spring swings with the period 2π√(mα). Implicit Euler's is longer by (ωh)²/3, here 3e-6; reading the crossings off
/// straight lines between frames adds less.
#[test]
fn spring_period_is_theory() {
    let (mass, compliance) = (0.5_f64, 0.02);
    let mut model = pair(1.2, mass, compliant(compliance));
    (model.settings.frame_rate, model.settings.substeps) = (3000.0, 1);
    let mut reference = reference(&model);
    let mut crossings = Vec::new();
    let mut before = 0.2;
    while crossings.len() < 9 {
        reference.step();
        let state = reference.state();
        let now = state.positions[1][0] - 1.0;
        if before * now < 0.0 {
            crossings.push(state.seconds - now / (now - before) / 3000.0);
        }
        before = now;
    }
    let period = (crossings[8] - crossings[0]) / 4.0;
    let theory = 2.0 * PI * (mass * compliance).sqrt();
    proof::relative("period of a weight on a spring", "2π√(mα)", period, theory, 1e-5);
}

/// How far the lowest particle of a chain of soft springs hangs below where it was placed, after two seconds.
fn chain_stretch(mode: Mode, method: Method, iterations: u32, substeps: u32) -> f64 {
    let mut model = chain(5, 0.1, Material { damping: 5.0, stiffness: 0.05, ..compliant(2e-3) });
    let settings = &mut model.settings;
    (settings.mode, settings.method, settings.iterations, settings.substeps) = (mode, method, iterations, substeps);
    let state = run(&model, 120);
    -state.positions[5][1] - 0.5
}

/// A chain hangs as far as its compliance says whatever the iterations and substeps in XPBD, by both methods, to the 1 %
/// that few iterations leave; in PBD its stiffness depends on them, and it hangs differently by twenty times as much.
#[test]
fn only_pbd_stiffness_depends_on_iterations_and_substeps() {
    const EFFORTS: [(u32, u32); 3] = [(4, 60), (10, 6), (60, 2)];
    let theory = 0.1 * GRAVITY * 2e-3 * (1 + 2 + 3 + 4 + 5) as f64;
    for method in METHODS {
        for (iterations, substeps) in EFFORTS {
            let stretch = chain_stretch(Mode::Xpbd, method, iterations, substeps);
            assert_close(stretch / theory, 1.0, 0.01);
        }
        let [a, b, c] = EFFORTS.map(|(iterations, substeps)| chain_stretch(Mode::Pbd, method, iterations, substeps));
        for (one, other) in [(a, b), (b, c), (a, c)] {
            assert!((one / other).max(other / one) > 1.2, "{method:?}: {one} and {other} m");
        }
    }
}

/// The accumulated multiplier makes further iterations of one spring do nothing: the first has solved it exactly.
#[test]
fn iterations_do_not_stiffen_a_spring() {
    let mut model = pair(1.2, 0.5, compliant(0.02));
    let once = run(&model, 30);
    model.settings.iterations = 20;
    let often = run(&model, 30);
    assert_close(once.positions[1][0], often.positions[1][0], ROUNDING);
}

/// What is left of an error after n iterations, each of which comes to a constraint twice: (1 - k)²ⁿ in PBD mode, 1 - k with corrected stiffness, |1 - s|²ⁿ
/// with the relaxation s. One way each comes to it once.
#[test]
fn iterations_leave_the_share_of_theory() {
    let left = |sweep, mode, stiffness, corrected_stiffness, relaxation| {
        let mut model = pair(1.5, 1.0, Material { stiffness, ..Material::default() });
        let settings = &mut model.settings;
        (settings.mode, settings.relaxation, settings.corrected_stiffness) = (mode, relaxation, corrected_stiffness);
        (settings.frame_rate, settings.substeps, settings.iterations, settings.sweep) = (60.0, 1, 3, sweep);
        (run(&model, 1).positions[1][0] - 1.0) / 0.5
    };
    for (sweep, visits) in [(Sweep::ThereAndBack, 6), (Sweep::OneWay, 3)] {
        assert_close(left(sweep, Mode::Pbd, 0.3, false, 1.0), 0.7_f64.powi(visits), ROUNDING);
        assert_close(left(sweep, Mode::Pbd, 0.3, true, 1.0), 0.7, ROUNDING);
        assert_close(left(sweep, Mode::Xpbd, 0.3, false, 1.25), (1.0 - 1.25_f64).powi(visits), ROUNDING);
    }
}

/// Momentum of a free, tumbling tangle of every kind of constraint is kept by both methods and in both modes.
#[test]
fn momentum_is_conserved() {
    for (method, mode) in METHODS.into_iter().flat_map(|method| [(method, Mode::Xpbd), (method, Mode::Pbd)]) {
        let wave = |i: i32, k: i32| f64::from(i * i * 7 + i * 3 * (k + 1) + k * 5).sin();
        let positions: Vec<[f64; 3]> = (0..12).map(|i| [wave(i, 0), wave(i, 1), wave(i, 2)]).collect();
        let mut model = particles(&positions, &[0.5, 1.0, 2.0, 0.7, 1.1, 0.3, 0.9, 1.3, 0.6, 1.7, 0.8, 1.2]);
        model.particles.velocities = (0..12).map(|i| [wave(i, 3), wave(i, 4) + 1.0, wave(i, 5)]).collect();
        model.world.gravity = [0.0; 3];
        (model.settings.method, model.settings.mode) = (method, mode);
        let material = Material { damping: 1.0, stiffness: 0.5, ..compliant(1e-2) };
        for kind in pliant::constraint::ALL.iter().chain(kinds::ALL) {
            // A kind that sees a fixed place takes momentum from there.
            if kind.symmetries().contains(&pliant::constraint::Symmetry::Translation) {
                let count = kind.arity().count().unwrap_or(kind.least().max(6)) as u32;
                for first in 0..=12 - count {
                    let members: Vec<u32> = (first..first + count).collect();
                    connect(&mut model, *kind, &members, material);
                }
            }
        }
        let before = Measurement::of(&model, &reference(&model).state());
        let state = run(&model, 100);
        let after = Measurement::of(&model, &state);
        assert_ne!(state.velocities, model.particles.velocities);
        for axis in 0..3 {
            assert_close(after.momentum[axis], before.momentum[axis], ROUNDING);
        }
    }
}

/// A free rigid dumbbell turns per substep by θ' = atan2(sin θ, 2 - cos θ), which is XPBD's first-order loss of angular
/// momentum exp(-ω² h t), and exactly that.
#[test]
fn dumbbell_slows_as_first_order_xpbd_does() {
    for method in METHODS {
        let mut errors = Vec::new();
        let mut model = particles(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]], &[1.0, 1.0]);
        model.world.gravity = [0.0; 3];
        model.particles.velocities = vec![[0.0, -2.0, 0.0], [0.0, 2.0, 0.0]];
        model.settings.method = method;
        // Each end has one constraint, so that split masses change nothing.
        spring(&mut model, 0, 1, Material::default());
        let h = model.settings.substep_seconds();
        let mut reference = reference(&model);
        let mut angle = (4.0 * h).atan();
        let mut substeps = 1;
        for _ in 0..60 {
            reference.step();
            while substeps % 10 != 0 {
                angle = f64::atan2(angle.sin(), 2.0 - angle.cos());
                substeps += 1;
            }
            let actual = Measurement::of(&model, &reference.state()).angular_momentum[2];
            // L = 2 m r² sin(θ)/h with r = 0.5 m
            errors.push(actual - 0.5 * angle.sin() / h);
            angle = f64::atan2(angle.sin(), 2.0 - angle.cos());
            substeps += 1;
        }
        let claim = format!("angular momentum of a rigid dumbbell, {method:?}");
        proof::row(&claim, "θ' = atan2(sin θ, 2 - cos θ)", proof::largest(errors), ROUNDING, "kg m²/s");
        // ω falls from 4 rad/s by ω²h = 2.7 % a second.
        assert_close(0.5 * angle.sin() / h, 2.0 * (-16.0 * h).exp(), 2.0 * (16.0 * h) * (16.0 * h));
    }
}

/// A string does nothing while it is slack and holds when it is taut, a stop the other way round; each pushes in its own
/// direction only.
#[test]
fn one_sided_constraints_act_on_one_side() {
    let hung = |side| {
        let mut model = particles(&[[0.0; 3], [0.0, -0.5, 0.0]], &[0.0, 1.0]);
        connect_with_rest(&mut model, kind::<Distance>(), &[0, 1], &[1.0], Material { side, ..Material::default() });
        model
    };
    let free = particles(&[[0.0; 3], [0.0, -0.5, 0.0]], &[0.0, 1.0]);
    let slack = run(&hung(Side::Pull), 15);
    assert_eq!(slack.positions, run(&free, 15).positions);
    assert_eq!(slack.multipliers[0][0].last, 0.0);
    let taut = run(&hung(Side::Pull), 60);
    assert_close(taut.positions[1][1], -1.0, ROUNDING);
    assert!(taut.multipliers[0][0].mean < 0.0);

    let mut pushed = hung(Side::Push);
    pushed.world.gravity = [0.0; 3];
    (pushed.settings.substeps, pushed.settings.frame_rate) = (1, 60.0);
    let mut reference = reference(&pushed);
    reference.step();
    assert_close(reference.state().positions[1][1], -1.0, ROUNDING);
    assert!(reference.state().multipliers[0][0].last > 0.0);
    // Thrown out by the correction, it flies on and is not held back.
    reference.step();
    assert_close(reference.state().positions[1][1], -1.5, ROUNDING);
    assert_eq!(reference.state().multipliers[0][0].last, 0.0);
}

/// A link that holds a weight of 9.81 N breaks at the start of the second frame if it bears 0.1 % less, and never if it
/// bears 0.1 % more. From then on the weight falls freely and the link has neither multiplier nor force.
#[test]
fn links_break_by_the_mean_force_of_the_frame() {
    for method in METHODS {
        let after_two_frames = |break_force| {
            let mut model = chain(1, 1.0, Material { break_force: Some(break_force), ..Material::default() });
            model.settings.method = method;
            let state = run(&model, 2);
            (constraint_force(&model, &state, 0, 0), state)
        };
        let (force, held) = after_two_frames(1.001 * GRAVITY);
        assert_close(force, GRAVITY, 1e-6); // ROUNDING of positions over h² = 2.8e-6 s²
        assert_close(held.positions[1][1], -0.1, ROUNDING);
        assert!(!held.multipliers[0][0].broken);

        let (force, fallen) = after_two_frames(0.999 * GRAVITY);
        let h = 1.0 / 600.0;
        assert_close(fallen.positions[1][1], -0.1 - GRAVITY * h * h * 55.0, ROUNDING);
        let multiplier = fallen.multipliers[0][0];
        assert_eq!((force, multiplier.last, multiplier.mean, multiplier.broken), (0.0, 0.0, 0.0, true));
    }
}

/// A link breaks by what it bore in the frame before, not within the frame in which the load comes.
#[test]
fn links_break_at_the_start_of_a_frame() {
    let mut model = pair(1.0, 1.0, Material { break_force: Some(5.0), ..Material::default() });
    let load = Keyframes::new(vec![(0.016, [0.0; 3]), (0.017, [10.0, 0.0, 0.0])]).unwrap();
    drive(&mut model, 1, Drive { motion: None, forces: vec![load], ..Drive::default() });
    assert!(!run(&model, 2).multipliers[0][0].broken);
    assert!(run(&model, 3).multipliers[0][0].broken);
}

/// Split masses lead where Gauss-Seidel leads: a chain along its pull, whose gradients do not turn, comes to the same
/// positions to rounding, and satisfies C + α̃ λ = 0.
#[test]
fn jacobi_converges_to_the_solution_of_gauss_seidel() {
    let converged = |method| {
        let mut model = chain(8, 0.1, compliant(1e-3));
        let settings = &mut model.settings;
        (settings.method, settings.substeps, settings.iterations) = (method, 1, 2000);
        let state = run(&model, 3);
        let residual = Measurement::of(&model, &state).residual[0].1;
        assert!(residual <= ROUNDING, "{method:?} leaves {residual} m");
        state
    };
    let [gauss_seidel, jacobi] = METHODS.map(converged);
    for (one, other) in gauss_seidel.positions.iter().zip(&jacobi.positions) {
        assert_close(one[1], other[1], ROUNDING);
    }
    assert!(gauss_seidel.positions[8][1] < -0.81);
}

/// Springs side by side carry a weight together, also where colours run out and the rest is solved with split masses.
#[test]
fn parallel_springs_share_a_weight() {
    for max_colours in [1, 4, 64] {
        let positions: Vec<[f64; 3]> = (0..=100).map(|i| [0.0, if i == 0 { -1.0 } else { 0.0 }, 0.0]).collect();
        let masses: Vec<f64> = (0..=100).map(|i| if i == 0 { 1.0 } else { 0.0 }).collect();
        let mut model = particles(&positions, &masses);
        for pin in 1..=100 {
            spring(&mut model, 0, pin, Material { damping: 0.5, ..compliant(0.1) });
        }
        (model.settings.max_colours, model.settings.iterations) = (max_colours, 10);
        let state = run(&model, 60);
        // k = 1,000 N/m damped by 50 N s/m has settled to exp(-25) in a second.
        assert_close(-state.positions[0][1] - 1.0, GRAVITY * 0.1 / 100.0, 1e-6);
    }
}

/// A hundred rigid links at one particle correct it once and not a hundred times: each sees a hundredth of its mass.
#[test]
fn split_masses_do_not_correct_twice() {
    let mut model = particles(&[[0.0; 3], [0.0, 1.0, 0.0]], &[1.0, 0.0]);
    for _ in 0..100 {
        spring(&mut model, 0, 1, Material::default());
    }
    model.settings.method = Method::Jacobi;
    let state = run(&model, 60);
    assert_close(state.positions[0][1], 0.0, ROUNDING);
    // Rounding of positions over h² = 2.8e-6 s².
    assert_close(constraint_force(&model, &state, 0, 7), GRAVITY / 100.0, 1e-6);
}
