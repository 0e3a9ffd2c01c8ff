//! The solver on the GPU against theory: springs, chains, momentum, friction, rebound, breaking.

use std::f64::consts::PI;

use pliant::constraint::{Distance, Vec3, kind};
use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Body, Collider, Material, Method, Mode, Model, Side, State};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY, compliant};
use crate::proof;

const METHODS: [Method; 2] = [Method::GaussSeidel, Method::Jacobi];

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} to {tolerance}");
}

/// Springs side by side, each between a fixed particle 2i and one of `mass` kg 2i + 1 that is placed 0.1 m below it.
fn hung(springs: &[(f64, Material)]) -> Model {
    let place = |i: usize| [0.3 * (i / 2) as f64, if i.is_multiple_of(2) { 0.0 } else { -0.1 }, 0.0];
    let positions: Vec<[f64; 3]> = (0..2 * springs.len()).map(place).collect();
    let masses: Vec<f64> = springs.iter().flat_map(|&(mass, _)| [0.0, mass]).collect();
    let mut model = models::particles(&positions, &masses);
    for (i, &(_, material)) in (0..).zip(springs) {
        models::spring(&mut model, 2 * i, 2 * i + 1, material);
    }
    model
}

/// A weight on a spring comes to rest stretched by m g α, and the spring reports its weight, both to 1e-4 and by both methods.
/// Critically damped, the motion has died away to exp(-40) after two seconds.
#[test]
fn static_stretch_is_weight_times_compliance() {
    let springs = [(2.0_f64, 5e-4), (0.5, 5e-3), (0.1, 2e-2)];
    let damped = springs.map(|(mass, compliance)| {
        let damping = 2.0 * (mass / compliance).sqrt();
        (mass, Material { damping, ..compliant(compliance) })
    });
    for method in METHODS {
        let mut model = hung(&damped);
        model.settings.method = method;
        let state = run(&model, 120);
        let errors = springs.iter().enumerate().map(|(i, (mass, compliance))| {
            let stretch = -state.positions[2 * i + 1][1] - 0.1;
            let force = constraint_force(&model, &state, 0, i);
            [stretch / (mass * GRAVITY * compliance) - 1.0, force / (mass * GRAVITY) - 1.0]
        });
        let [stretch, force] = [0, 1].map(|which| 100.0 * proof::largest(errors.clone().map(|error| error[which])));
        proof::row(&format!("stretch of a spring by a weight, {method:?}"), "m g α", stretch, 0.01, "%");
        proof::row(&format!("force of a spring under a weight, {method:?}"), "m g", force, 0.01, "%");
    }
}

/// Weights on springs swing with the period 2π√(mα) to 0.5 %. Implicit Euler's is longer by (ωh)²/3, at most 0.1 % here.
#[test]
fn spring_period_is_theory() {
    let springs = [(0.5_f64, 0.02), (1.0, 0.01), (0.2, 0.01), (0.1, 0.01)];
    let model = hung(&springs.map(|(mass, compliance)| (mass, compliant(compliance))));
    let mut running = Running::new(&model);
    let mut crossings = vec![Vec::new(); springs.len()];
    let mut before = vec![0.0; springs.len()];
    for _ in 0..150 {
        let state = running.run(1);
        for (i, (mass, compliance)) in springs.into_iter().enumerate() {
            // Down from where it will rest at last.
            let now = state.positions[2 * i + 1][1] + 0.1 + mass * GRAVITY * compliance;
            if before[i] * now < 0.0 {
                crossings[i].push(state.seconds - now / (now - before[i]) / 60.0);
            }
            before[i] = now;
        }
    }
    let errors = crossings.iter().zip(springs).map(|(crossings, (mass, compliance))| {
        let periods = (crossings.len() - 1) as f64 / 2.0;
        let period = (crossings[crossings.len() - 1] - crossings[0]) / periods;
        assert!(periods >= 3.0, "{periods} periods");
        period / (2.0 * PI * (mass * compliance).sqrt()) - 1.0
    });
    proof::row("period of a weight on a spring", "2π√(mα)", 100.0 * proof::largest(errors), 0.5, "%");
}

/// How far the lowest particle of a chain of three soft springs hangs below where it was placed. The slowest of its motions
/// dies away by exp(-9.9 t): to 0.06 % after these 45 frames.
fn chain_stretch(mode: Mode, method: Method, iterations: u32, substeps: u32) -> f64 {
    let mut model = models::chain(3, 0.05, Material { damping: 5.0, stiffness: 0.03, ..compliant(2e-3) });
    let settings = &mut model.settings;
    (settings.mode, settings.method, settings.iterations, settings.substeps) = (mode, method, iterations, substeps);
    -run(&model, 45).positions[3][1] - 0.3
}

/// A chain hangs as far as its compliance says whatever the iterations and substeps in XPBD, by both methods, to the 1 %
/// that few iterations leave; in PBD its stiffness depends on them, and it hangs differently by twenty times as much.
#[test]
fn only_pbd_stiffness_depends_on_iterations_and_substeps() {
    const EFFORTS: [(u32, u32); 3] = [(4, 60), (10, 6), (60, 2)];
    let theory = 0.05 * GRAVITY * 2e-3 * f64::from(1 + 2 + 3);
    for method in METHODS {
        for (iterations, substeps) in EFFORTS {
            let stretch = chain_stretch(Mode::Xpbd, method, iterations, substeps);
            let claim = format!("stretch of a chain, {iterations} iterations and {substeps} substeps, {method:?}");
            proof::relative(&claim, "Σ m g α", stretch, theory, 0.01);
        }
        let [a, b, c] = EFFORTS.map(|(iterations, substeps)| chain_stretch(Mode::Pbd, method, iterations, substeps));
        for (one, other) in [(a, b), (b, c), (a, c)] {
            assert!((one / other).max(other / one) > 1.2, "{method:?}: {one} and {other} m");
        }
    }
}

/// A string does nothing while it is slack and holds when it is taut; a stop the other way round, and what it has thrown out it
/// does not hold back.
#[test]
fn one_sided_constraints_act_on_one_side() {
    let side = |side| Material { side, ..Material::default() };
    // A slack string, a stop that a weight falls onto, a stop with a weight too near, and a weight without anything.
    let heights = [0.0, -0.5, 0.0, 1.5, 0.0, -0.5, -0.5];
    let masses = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0];
    let positions: Vec<[f64; 3]> = heights.iter().map(|&height| [0.0, height, 0.0]).collect();
    let mut model = models::particles(&positions, &masses);
    for (particle, side) in [(1, side(Side::Pull)), (3, side(Side::Push)), (5, side(Side::Push))] {
        models::connect_with_rest(&mut model, kind::<Distance>(), &[particle - 1, particle], &[1.0], side);
    }
    let mut running = Running::new(&model);
    let early = running.run(12);
    // In 0.2 s they fall 0.2 m: neither string nor stop has been reached.
    let fallen = |i: usize| early.positions[i][1] - heights[i];
    assert_eq!((fallen(1), fallen(3)), (fallen(6), fallen(6)));
    assert_eq!((early.multipliers[0][0].last, early.multipliers[0][1].last), (0.0, 0.0));
    assert!(fallen(5) < -10.0, "held back at {fallen} m", fallen = fallen(5));
    let late = running.run(60);
    // Roundings of the rest length, doubled by the velocity that a correction leaves.
    assert_close(late.positions[1][1], -1.0, 1e-6);
    assert_close(late.positions[3][1], 1.0, 1e-6);
    assert!(late.multipliers[0][0].mean < 0.0 && late.multipliers[0][1].mean > 0.0);
}

/// A cloth that flies and tumbles freely, and its greatest angular speed in rad/s.
fn tumbling_cloth() -> (Model, f64) {
    let spin = Vec3::new(2.0, 1.0, 3.0);
    let mut model = models::cloth(16);
    model.world.gravity = [0.0; 3];
    for (velocity, &position) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
        let arm = Vec3::from(position) - Vec3::new(0.5, 0.0, 0.5);
        *velocity = (spin.cross(arm) + Vec3::new(0.5, -0.3, 0.2)).into();
    }
    (model, spin.length())
}

fn momentum_scale(model: &Model, state: &State) -> f64 {
    let speeds = state.velocities.iter().map(|&velocity| Vec3::from(velocity).length());
    speeds.zip(&model.particles.inverse_masses).map(|(speed, w)| speed / w).sum()
}

/// Over 1,000 substeps a free, tumbling cloth keeps its linear momentum by both methods, and loses its angular momentum no
/// faster than first-order XPBD loses that of a rigid body, exp(-ω² h t). The linear one to 1e-6 of Σ m|v|: each substep
/// rounds a velocity by up to 6e-8, up or down alike.
#[test]
fn a_tumbling_cloth_keeps_its_momentum() {
    for method in METHODS {
        let (mut model, spin) = tumbling_cloth();
        model.settings.method = method;
        let mut running = Running::new(&model);
        let begun = running.state();
        let before = Measurement::of(&model, &begun);
        let scale = momentum_scale(&model, &begun);
        let turning = |measured: &Measurement| Vec3::from(measured.angular_momentum).length();
        let mut lost = 0.0_f64;
        for _ in 0..10 {
            let state = running.run(10);
            let now = Measurement::of(&model, &state);
            let change = Vec3::from(now.momentum) - Vec3::from(before.momentum);
            lost = lost.max(proof::largest([change.x, change.y, change.z]) / scale);
            let rigid = (-spin * spin * model.settings.substep_seconds() * state.seconds).exp();
            let kept = turning(&now) / turning(&before);
            assert!(kept > rigid, "{method:?} keeps {kept} after {} s, a rigid body {rigid}", state.seconds);
        }
        proof::row(&format!("momentum of a tumbling cloth, {method:?}"), "is conserved", lost, 1e-6, "of Σ m|v|");
    }
}

/// How a body meets a collider, the mean of both: static and dynamic friction, restitution.
type Touch = [f64; 3];

/// Makes runs of equally many particles bodies of their own, and adds a plane through the origin on which each meets as given.
fn bodies_on_plane(model: &mut Model, touches: &[Touch], normal: [f64; 3]) {
    let each = model.particles.len() / touches.len();
    let body = model.bodies[0].clone();
    model.bodies.clear();
    for (i, touch) in touches.iter().enumerate() {
        let particles = i * each..(i + 1) * each;
        model.particles.bodies[particles.clone()].fill(i as u32);
        // The mean with those of the plane, which are zero.
        let [friction, dynamic_friction, restitution] = touch.map(|value| 2.0 * value);
        let particles = particles.start as u32..particles.end as u32;
        model.bodies.push(Body { particles, friction, dynamic_friction, restitution, ..body.clone() });
    }
    model.colliders.push(Collider::plane([0.0; 3], normal));
}

/// On an incline of tan θ = 0.5 a block sticks where static friction is above that, and slides with g (sin θ - μ cos θ) to 3 %
/// where μ is half of it: eight corners tied to one another, and a single particle.
#[test]
fn blocks_stick_and_slide_by_friction() {
    const SLIDES: Touch = [0.4, 0.25, 0.0];
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    let (downhill, normal) = (Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0));
    let corner = |i: u32| {
        let side = |bit: u32| f64::from(i >> bit & 1);
        (downhill * (0.3 * side(0)) + normal * (0.1 * side(1)) + Vec3::new(0.0, 0.0, 0.2 * side(2) + side(3))).into()
    };
    let corners: Vec<[f64; 3]> = (0..16).map(corner).collect();
    let mut blocks = models::particles(&corners, &[0.25; 16]);
    for (a, b) in (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
        models::spring(&mut blocks, a, b, Material::default());
        models::spring(&mut blocks, 8 + a, 8 + b, Material::default());
    }
    let single = models::particles(&[[0.0; 3]; 2], &[2.0; 2]);
    // The corners of a block bear unequal shares of its weight, so that some are about to slip before the whole is.
    let cases = [("a block of eight corners", blocks, [0.55, 0.55, 0.0]), ("a particle", single, [0.51, 0.1, 0.0])];
    for (what, mut model, sticks) in cases {
        bodies_on_plane(&mut model, &[sticks, SLIDES], normal.into());
        let state = run(&model, 60);
        let mean_slide = |body: &Body| {
            let slide = |i| downhill.dot(Vec3::from(state.positions[i]) - Vec3::from(model.particles.positions[i]));
            body.particles.clone().map(|i| slide(i as usize)).sum::<f64>() / body.particles.len() as f64
        };
        let [sticks, slides] = [0, 1].map(|body| mean_slide(&model.bodies[body]));
        // While the load finds its shares, the block sinks onto its corners: 1e-4 of the way that the other one slides.
        assert_close(sticks, 0.0, 1e-4);
        let claim = format!("{what} slides down an incline");
        proof::relative(&claim, "½ g (sin θ - μ cos θ) t²", slides, GRAVITY * (sin - 0.25 * cos) / 2.0, 0.03);
    }
}

/// Balls that fall 1 m rebound to e² of it to 3 %, and under 1 mm where e = 0.
#[test]
fn balls_rebound_by_restitution() {
    const RADIUS: f64 = 0.05;
    let restitutions = [0.0, 0.5, 0.7, 0.9];
    let mut model = models::particles(&[[0.0, 1.0 + RADIUS, 0.0]; 4], &[0.1, 1.0, 2.0, 5.0]);
    model.bodies[0].radius = RADIUS;
    model.settings.substeps = 100;
    bodies_on_plane(&mut model, &restitutions.map(|e| [0.0, 0.0, e]), [0.0, 1.0, 0.0]);
    let mut running = Running::new(&model);
    // They hit the ground after 0.45 s, 27 frames, and are highest e times as long after.
    running.run(28);
    let mut highest = [0.0_f64; 4];
    for _ in 28..56 {
        let state = running.run(1);
        for (highest, position) in highest.iter_mut().zip(&state.positions) {
            *highest = highest.max(position[1] - RADIUS);
        }
    }
    assert!(highest[0] < 1e-3, "{} m", highest[0]);
    let errors = highest.into_iter().zip(restitutions).skip(1).map(|(highest, e)| highest / (e * e) - 1.0);
    proof::row("rebound of a ball that fell 1 m", "e² · 1 m", 100.0 * proof::largest(errors), 3.0, "%");
}

/// A link that holds a weight of 9.81 N breaks at the start of the second frame if it bears 0.1 % less, and never if it bears
/// 0.1 % more, by both methods. What has broken falls freely and has no force.
#[test]
fn links_break_by_the_mean_force_of_the_frame() {
    let link = |bears: f64| (1.0, Material { break_force: Some(bears * GRAVITY), ..Material::default() });
    for method in METHODS {
        let mut model = hung(&[link(0.999), link(1.001)]);
        model.settings.method = method;
        let state = run(&model, 2);
        let multipliers = &state.multipliers[0];
        assert_eq!((multipliers[0].broken, multipliers[1].broken), (true, false));
        assert_eq!((multipliers[0].last, multipliers[0].mean), (0.0, 0.0));
        let h = model.settings.substep_seconds();
        // Ten substeps of free fall.
        assert_close(state.positions[1][1], -0.1 - GRAVITY * h * h * 55.0, 1e-6);
        assert_close(state.positions[3][1], -0.1, 1e-6);
        // The noise of a single substep, m ε L/h² = 2e-3 N, is less in the mean of ten.
        assert_close(constraint_force(&model, &state, 0, 1), GRAVITY, 2e-3);
    }
}
