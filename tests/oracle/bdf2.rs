//! BDF2 substeps of the reference solver against theory: closed forms of the formula, its order, what it takes from a swing, and what it
//! makes of impulses, impacts and friction.

use pliant::Reference;
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Body, Drive, Integrator, Material, Model, State};

use crate::models::*;
use crate::{ROUNDING, assert_close, proof};

/// So many substeps a second, each a frame of its own.
fn bdf2(mut model: Model, rate: f64) -> Model {
    (model.settings.frame_rate, model.settings.substeps) = (rate, 1);
    model.settings.integrator = Integrator::Bdf2;
    model
}

/// A weight of 0.5 kg on a spring of 50 N/m along x, drawn out by 0.2 m and let go: ω = 10 rad/s.
fn oscillator(damping: f64) -> Model {
    let mut model = particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.0, 0.5]);
    model.world.gravity = [0.0; 3];
    spring(&mut model, 0, 1, Material { damping, ..compliant(0.02) });
    model.particles.positions[1][0] = 1.2;
    model
}

/// Falling from rest, BDF2 has v = g t after a first step of Euler, and x = g t²/2 + ¾ g h² (1 - 3⁻ⁿ): it is exact for a parabola, and what
/// Euler's step is too long, g h²/2, goes on by a third each time.
#[test]
fn free_fall_is_a_parabola() {
    let mut model = bdf2(particles(&[[1.0, 2.0, 3.0]], &[2.0]), 600.0);
    model.particles.velocities[0] = [3.0, 4.0, 5.0];
    let mut reference = reference(&model);
    let h = 1.0 / 600.0;
    let mut errors = Vec::new();
    for n in 1..=600 {
        reference.step();
        let (state, t) = (reference.state(), f64::from(n) * h);
        let lag = 0.75 * GRAVITY * h * h * (1.0 - 3.0_f64.powi(-n));
        let expected = [1.0 + 3.0 * t, 2.0 + 4.0 * t - 0.5 * GRAVITY * t * t - lag, 3.0 + 5.0 * t];
        errors.extend((0..3).map(|k| state.positions[0][k] - expected[k]));
        errors.push(state.velocities[0][1] - 4.0 + GRAVITY * t);
    }
    proof::row("a thrown particle, BDF2", "v₀ t - g t²/2 - ¾ g h² (1 - 3⁻ⁿ)", proof::largest(errors), ROUNDING, "m");
}

/// XPBD of one damped spring is the formula itself: H = 2h/3, x' = (4x - x₋₁)/3 + H v', v' = (4v - v₋₁)/3 - H (x'/α + β v')/m, from a
/// first step with h in place of H and no past.
#[test]
fn damped_spring_is_bdf2() {
    let (mass, compliance, damping, h) = (0.5, 0.02, 0.3, 1.0 / 600.0);
    let mut reference = reference(&bdf2(oscillator(damping), 600.0));
    let step = |x: f64, v: f64, h: f64| {
        let v = (v - h * x / (mass * compliance)) / (1.0 + h * damping / mass + h * h / (mass * compliance));
        [x + h * v, v]
    };
    let [mut before, mut now] = [[0.2, 0.0], step(0.2, 0.0, h)];
    let mut errors = Vec::new();
    for _ in 0..1200 {
        reference.step();
        errors.push(reference.state().positions[1][0] - 1.0 - now[0]);
        errors.push(h * (reference.state().velocities[1][0] - now[1]));
        let [x, v] = [0, 1].map(|k| (4.0 * now[k] - before[k]) / 3.0);
        (before, now) = (now, step(x, v, 2.0 * h / 3.0));
    }
    proof::row("XPBD of one damped spring, 1,200 substeps of BDF2", "BDF2", proof::largest(errors), ROUNDING, "m");
}

/// The oscillator after a second.
fn after_a_second(integrator: Integrator, rate: u32) -> f64 {
    let mut model = bdf2(oscillator(0.0), f64::from(rate));
    model.settings.integrator = integrator;
    run(&model, rate).positions[1][0] - 1.0
}

/// Twice the substeps leave a quarter of the error of an oscillator, of Euler half.
#[test]
fn order_is_two() {
    let exact = 0.2 * 10.0_f64.cos();
    for (integrator, order) in [(Integrator::Euler, 1.0), (Integrator::Bdf2, 2.0)] {
        let errors = [2400, 4800, 9600].map(|rate| after_a_second(integrator, rate) - exact);
        let found = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2() - order);
        // Terms of higher order are ωh = 0.4 % of the first, with factors of some ones.
        let claim = format!("order in h of an oscillator, {integrator:?}");
        proof::row(&claim, &format!("{order}"), proof::largest(found), 0.03, "");
    }
}

/// The share of its amplitude that the oscillator loses a second at 300 substeps in each, between the seconds 5 and 20.
fn loss(integrator: Integrator) -> f64 {
    let mut model = bdf2(oscillator(0.0), 300.0);
    model.settings.integrator = integrator;
    let mut reference = reference(&model);
    let [before, after] = [5, 15].map(|seconds| {
        (0..300 * seconds).for_each(|_| reference.step());
        let state = reference.state();
        (state.positions[1][0] - 1.0).hypot(state.velocities[1][0] / 10.0)
    });
    (before / after).ln() / 15.0
}

/// An oscillator loses the share ω⁴h³/4 of its amplitude a second: with r = e^s per substep BDF2 says s - s³/3 + s⁴/4 = iωh, whose real
/// part is -(ωh)⁴/4. Implicit Euler's is ω²h/2.
#[test]
fn amplitude_dies_away_as_theory_says() {
    let (w, h) = (10.0_f64, 1.0_f64 / 300.0);
    // Further terms are (ωh)² = 0.1 % of these, with factors of some ones.
    let theory = w.powi(4) * h.powi(3) / 4.0;
    proof::relative("amplitude lost with BDF2", "ω⁴h³/4 a second", loss(Integrator::Bdf2), theory, 0.01);
    proof::relative("amplitude lost with Euler", "ω²h/2 a second", loss(Integrator::Euler), w * w * h / 2.0, 0.01);
}

/// Momentum of a tumbling net of springs stays, and its angular momentum goes by much less than with Euler, where a body that does not
/// stretch loses ω²h a second.
#[test]
fn momentum_is_conserved() {
    let lost = |integrator| {
        let mut model = cloth(6);
        model.world.gravity = [0.0; 3];
        model.settings.integrator = integrator;
        model.settings.iterations = 10;
        for (velocity, place) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
            *velocity = [2.0 * (place[2] - 0.5) + 1.0, 0.3, -2.0 * (place[0] - 0.5)];
        }
        let before = Measurement::of(&model, &reference(&model).state());
        let after = Measurement::of(&model, &run(&model, 60));
        for axis in 0..3 {
            assert_close(after.momentum[axis], before.momentum[axis], ROUNDING);
        }
        1.0 - after.angular_momentum[1] / before.angular_momentum[1]
    };
    let [euler, bdf2] = [Integrator::Euler, Integrator::Bdf2].map(lost);
    assert!(bdf2.abs() < 0.1 * euler, "{bdf2} of the angular momentum is lost, with Euler {euler}");
}

/// Damping of a body is an impulse after each substep: what parts two particles dies away as e^(-kt), whatever the substeps, and their
/// way is the sum of h v. A formula that took the impulse for a force would damp 1.5 times as fast.
#[test]
fn damping_is_an_impulse() {
    let mut model = bdf2(particles(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], &[1.0, 1.0]), 100.0);
    model.world.gravity = [0.0; 3];
    model.particles.velocities = vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    model.bodies[0].damping = 2.0;
    let state = run(&model, 100);
    assert_close(state.velocities[1][0], (-2.0_f64).exp(), ROUNDING);
    let (k, h) = (2.0_f64, 0.01_f64);
    assert_close(state.positions[1][0], 1.0 + h * (1.0 - (-k).exp()) / (1.0 - (-k * h).exp()), ROUNDING);
}

/// A particle that touches a plane of the slope tan θ = 0.5 and the direction downhill.
fn incline(friction: [f64; 2]) -> (Model, [f64; 2]) {
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    let mut model = bdf2(particles(&[[0.0; 3]], &[2.0]), 600.0);
    let body: &mut Body = &mut model.bodies[0];
    [body.friction, body.dynamic_friction] = friction;
    ground(&mut model, [sin, cos, 0.0]);
    (model, [cos, -sin])
}

/// On an incline a block stays where static friction is above tan θ, and slides with g (sin θ - μ cos θ) where it is not: the pressure is
/// that of its weight in each substep, with the right H.
#[test]
fn blocks_stick_and_slide_by_friction() {
    let (model, _) = incline([0.51, 0.1]);
    let state = run(&model, 600);
    assert!(state.positions[0].iter().all(|x| x.abs() < ROUNDING) && state.contacts == 1, "{:?}", state.positions[0]);

    let (model, downhill) = incline([0.4, 0.25]);
    let state = run(&model, 600);
    let speed = state.velocities[0][0] * downhill[0] + state.velocities[0][1] * downhill[1];
    let error = (speed - GRAVITY * (0.5 - 0.25) / 1.25_f64.sqrt()).abs();
    proof::row("a block slides down an incline, BDF2", "g (sin θ - μ cos θ) t", error, ROUNDING, "m/s");
}

/// A ball that falls 1 m rebounds to e² of it. After the impact its past is that of a uniform motion, so that its velocity lags gravity by
/// gh/2, 0.2 % of its 4.4 m/s at 1/600 s; the place and time of the impact are off by a substep's, 7 mm. Where e = 0 it stays down.
#[test]
fn balls_rebound_by_restitution() {
    for restitution in [0.0, 0.5, 0.7, 0.9] {
        let mut model = bdf2(particles(&[[0.0, 1.0, 0.0]], &[2.0]), 600.0);
        model.bodies[0].restitution = restitution;
        ground(&mut model, [0.0, 1.0, 0.0]);
        let mut reference = reference(&model);
        let mut highest = 0.0_f64;
        for step in 0..540 {
            reference.step();
            if step > 272 {
                highest = highest.max(reference.state().positions[0][1]);
            }
        }
        match restitution {
            0.0 => assert!(highest < ROUNDING, "{highest} m"),
            e => {
                let claim = format!("rebound of a ball that fell 1 m, e = {e}, BDF2");
                proof::relative(&claim, "e² · 1 m", highest, e * e, 0.03);
            }
        }
    }
}

/// Rising ground lifts a particle along, and a belt drags it with μ g until it is as fast as the belt, and by half a substep's way less far
/// than Euler would: friction acts on the velocity of the formula.
#[test]
fn moving_ground_lifts_and_drags() {
    let mut model = bdf2(particles(&[[0.0; 3]], &[2.0]), 600.0);
    [model.bodies[0].friction, model.bodies[0].dynamic_friction] = [0.2; 2];
    ground(&mut model, [0.0, 1.0, 0.0]);
    model.colliders[0].motion = Some(linear(10.0, [10.0, 20.0, 0.0]));
    // Not lifted from rest: that would be an impact.
    model.particles.velocities[0][1] = 2.0;
    let mut reference = reference(&model);
    for step in 1..=600 {
        reference.step();
        let (state, t) = (reference.state(), f64::from(step) / 600.0);
        assert_close(state.positions[0][1], 2.0 * t, ROUNDING);
        assert_close(state.velocities[0][0], (0.2 * GRAVITY * t).min(1.0), if t < 0.5 { ROUNDING } else { 2e-3 });
    }
    assert_close(reference.state().velocities[0][0], 1.0, ROUNDING);
}

/// A spring reports the weight that it holds, in the first frame as in any other, though its first substep has another H; so nothing breaks
/// by it.
#[test]
fn forces_do_not_depend_on_the_first_substep() {
    for substeps in [1, 2, 10] {
        let mut model = bdf2(particles(&[[0.0; 3], [0.0, -0.1, 0.0]], &[0.0, 1.0]), 60.0);
        model.settings.substeps = substeps;
        let link = |share: f64| Material { break_force: Some(share * GRAVITY), ..Material::default() };
        spring(&mut model, 0, 1, link(1.001));
        for frames in [1, 2, 5] {
            let state = run(&model, frames);
            // Rounding of positions over H².
            assert_close(constraint_force(&model, &state, 0, 0), GRAVITY, 1e-6);
            let pull = -state.multipliers[0][0].last / model.settings.implicit_seconds().powi(2);
            assert_close(pull, GRAVITY, 1e-6);
        }
        model.materials.get_mut(0).unwrap().break_force = Some(0.999 * GRAVITY);
        assert!(run(&model, 2).multipliers[0][0].broken);
    }
}

/// A pin that moves has the velocity of the formula, (3x - 4x₋₁ + x₋₂)/2h: of a steady motion that of its keyframes.
#[test]
fn pins_follow_keyframes() {
    let mut model = bdf2(particles(&[[1.0, 0.0, 0.0]], &[0.0]), 600.0);
    drive(&mut model, 0, Drive { motion: Some(linear(0.5, [0.0, 2.0, 0.0])), ..Drive::default() });
    let mut reference = reference(&model);
    for step in 1..=400 {
        reference.step();
        let state = reference.state();
        assert_close(state.positions[0][1], (4.0 * f64::from(step) / 600.0).min(2.0), ROUNDING);
        let kink = (300..302).contains(&step) || step < 3;
        assert!(kink || (state.velocities[0][1] - if step < 300 { 4.0 } else { 0.0 }).abs() < ROUNDING);
    }
}

/// A state goes on with the same numbers; one without a past goes on with a substep of Euler's.
#[test]
fn states_go_on() {
    let model = bdf2(swinging_cloth(6, 1e4), 600.0);
    let mut unbroken = reference(&model);
    (0..20).for_each(|_| unbroken.step());
    let state = unbroken.state();
    let resumed = |state: &State| {
        let mut resumed: Reference = reference(&model);
        resumed.restore(state);
        (0..20).for_each(|_| resumed.step());
        resumed.state()
    };
    (0..20).for_each(|_| unbroken.step());
    assert_eq!(resumed(&state), unbroken.state());
    let without = resumed(&State { past: Vec::new(), ..state.clone() });
    assert_ne!(without.positions, unbroken.state().positions);
}
