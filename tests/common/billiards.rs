//! Models of particles that touch each other, and what theory says of them.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::constraint::{Distance, kind};
use pliant::model::{Body, Collider, Material, Model, State};

use crate::models::*;
use crate::proof;

/// m
pub const RADIUS: f64 = 0.05;
/// Of the small balls of [`mixed`], m.
pub const SMALL: f64 = 0.02;

/// Gives the first body a radius and lets its particles touch.
pub fn touchy(model: &mut Model) {
    (model.bodies[0].radius, model.bodies[0].self_collision) = (RADIUS, true);
}

/// A ball of 1 kg at 2 m/s and one of `ratio` kg that comes towards it at 1 m/s, `offset` m off its line, without gravity; they meet after
/// some tenths of a second.
pub fn collision(ratio: f64, offset: f64, restitution: f64) -> Model {
    let mut model = particles(&[[-0.5, 0.0, 0.0], [0.5, offset, 0.0]], &[1.0, ratio]);
    model.world.gravity = [0.0; 3];
    model.particles.velocities = vec![[2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
    touchy(&mut model);
    model.bodies[0].restitution = restitution;
    model
}

/// A [`collision`] of rough balls that begins `phase` of a substep later.
pub fn rubbing(restitution: f64, friction: f64, phase: f64) -> Model {
    let mut model = collision(3.0, 0.07, restitution);
    model.particles.positions[0][0] -= phase * 3.0 / 600.0;
    (model.bodies[0].friction, model.bodies[0].dynamic_friction) = (friction, friction);
    model
}

/// Restitution and friction of balls that rub: the first two slide on each other to the end, the last ones stick.
pub const RUBS: [(f64, f64); 4] = [(0.0, 0.1), (0.6, 0.3), (0.0, 3.0), (0.6, 3.0)];

/// By how much the velocities after a [`collision`] are off, m/s, and the momentum, kg m/s:
///   Jₙ = (1 + e) v m,   Jₜ = min(μ Jₙ, m |vₜ|),   1/m = 1/m₁ + 1/m₂
pub fn collision_errors(model: &Model, state: &State, restitution: f64) -> [f64; 2] {
    let masses: Vec<f64> = model.particles.inverse_masses.iter().map(|w| 1.0 / w).collect();
    let offset = model.particles.positions[0][1] - model.particles.positions[1][1];
    // Where they touch, the line of centres from the second to the first.
    let along = -((2.0 * RADIUS).powi(2) - offset * offset).sqrt();
    let n = [along / (2.0 * RADIUS), offset / (2.0 * RADIUS), 0.0];
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    let before = &model.particles.velocities;
    let approach = dot(n, std::array::from_fn(|i| before[0][i] - before[1][i]));
    let mass = 1.0 / (1.0 / masses[0] + 1.0 / masses[1]);
    let impulse = -(1.0 + restitution) * approach * mass;
    let across: [f64; 3] = std::array::from_fn(|i| before[0][i] - before[1][i] - approach * n[i]);
    let slip = dot(across, across).sqrt();
    let rub = (model.bodies[0].friction * impulse).min(mass * slip);
    let mut worst = 0.0_f64;
    for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
        for i in 0..3 {
            let given = impulse * n[i] - if slip > 0.0 { rub * across[i] / slip } else { 0.0 };
            let expected = before[k][i] + sign * given / masses[k];
            worst = worst.max((state.velocities[k][i] - expected).abs());
        }
    }
    let momentum = |v: &[[f64; 3]], i: usize| masses[0] * v[0][i] + masses[1] * v[1][i];
    let lost = (0..3).map(|i| (momentum(&state.velocities, i) - momentum(before, i)).abs()).fold(0.0, f64::max);
    [worst, lost]
}

/// A ball at 100 m/s, which goes 1.7 of its diameters in a substep, towards one at rest; `phase` of a substep later.
pub fn shot(phase: f64) -> Model {
    let mut model = particles(&[[-1.0 - phase / 6.0, 0.01, 0.0], [0.0; 3]], &[1.0, 1.0]);
    model.world.gravity = [0.0; 3];
    model.particles.velocities[0] = [100.0, 0.0, 0.0];
    touchy(&mut model);
    model
}

/// A ball of 1 kg on one of 3 kg that hangs by a spring of 1e-4 m/N, and by how much the spring is then longer, m.
pub fn tower() -> (Model, f64) {
    let place = |y: f64| [0.0, y, 0.0];
    // The hook is out of the balls' reach.
    let mut model = particles(&[place(0.0), place(2.0004 * RADIUS), place(1.0)], &[3.0, 1.0, 0.0]);
    touchy(&mut model);
    model.settings.substeps = 20;
    connect_with_rest(&mut model, kind::<Distance>(), &[0, 2], &[1.0], Material { damping: 10.0, ..compliant(1e-4) });
    model.bodies[0].damping = 0.0;
    (model, 4.0 * GRAVITY * 1e-4)
}

/// The relative error of the load that the spring of a [`tower`] bears.
pub fn tower_error(model: &Model, state: &State, expected: f64) -> f64 {
    let length = model.particles.positions[2][1] - state.positions[0][1];
    ((length - 1.0) / expected - 1.0).abs()
}

/// A ball on one that is held, with a contact that yields, and by how much, m.
pub fn soft_tower() -> (Model, f64) {
    let mut model = particles(&[[0.0; 3], [0.0, 2.0004 * RADIUS, 0.0]], &[0.0, 1.0]);
    touchy(&mut model);
    model.settings.substeps = 20;
    model.bodies[0].contact_compliance = 1e-4;
    // The sum of both.
    (model, 2e-4 * GRAVITY)
}

/// A ball on one that is held, so many degrees from its top, and where it is.
pub fn perched(degrees: f64, friction: f64) -> (Model, [f64; 3]) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let start = [2.0004 * RADIUS * sin, 2.0004 * RADIUS * cos, 0.0];
    let mut model = particles(&[[0.0; 3], start], &[0.0, 1.0]);
    touchy(&mut model);
    model.settings.substeps = 20;
    (model.bodies[0].friction, model.bodies[0].dynamic_friction) = (friction, friction);
    (model, start)
}

/// How far the ball of [`perched`] has come, m.
pub fn run_slip(state: &State, start: [f64; 3]) -> f64 {
    (0..3).map(|i| (state.positions[1][i] - start[i]).powi(2)).sum::<f64>().sqrt()
}

/// Each particle of a model of two in a body of its own.
pub fn apart_in_two_bodies(model: &Model) -> Model {
    let mut model = model.clone();
    let body = model.bodies[0].clone();
    model.bodies = vec![
        Body { name: "first".into(), particles: 0..1, ..body.clone() },
        Body { name: "second".into(), particles: 1..2, ..body },
    ];
    model.particles.bodies = vec![0, 1];
    model
}

/// Small balls that fall onto large ones, ten times their radius, in a box of planes.
pub fn mixed() -> Model {
    let large = 10.0 * SMALL;
    let mut positions = vec![[-0.25, large, 0.0], [0.25, large, 0.02]];
    for k in 0..60 {
        let [x, y, z] = [k % 5, k / 25, k / 5 % 5].map(f64::from);
        positions.push([(x - 2.0) * 0.09 + 0.003 * y, 0.5 + 0.06 * y, (z - 2.0) * 0.06 + 0.002 * x]);
    }
    let masses: Vec<f64> = (0..positions.len()).map(|k| if k < 2 { 8.0 } else { 0.01 }).collect();
    let mut model = particles(&positions, &masses);
    let count = positions.len() as u32;
    let body = model.bodies[0].clone();
    let sized = |name: &str, particles: std::ops::Range<u32>, radius| Body {
        name: name.into(),
        particles,
        radius,
        self_collision: true,
        friction: 0.3,
        dynamic_friction: 0.3,
        ..body.clone()
    };
    model.bodies = vec![sized("large", 0..2, large), sized("small", 2..count, SMALL)];
    model.particles.bodies[2..].fill(1);
    model.settings.substeps = 20;
    ground(&mut model, [0.0, 1.0, 0.0]);
    for (at, normal) in [
        ([-0.5, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([0.5, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, 0.0, -0.25], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 0.25], [0.0, 0.0, -1.0]),
    ] {
        wall(&mut model, at, normal);
    }
    model
}

fn wall(model: &mut Model, point: [f64; 3], normal: [f64; 3]) {
    model.colliders.push(Collider { friction: 0.3, dynamic_friction: 0.3, ..Collider::plane(point, normal) });
}

/// How many times heavier the upper ball of [`burdened`] is, and sweeps a substep that are then enough to see it come to rest in a
/// second and a half: one sweep damps it by m/(m + M) a substep.
pub const BURDENS: [(f64, u32); 3] = [(10.0, 1), (100.0, 1), (1000.0, 8)];

/// A ball on one so many times lighter, which lies on the ground.
pub fn burdened((ratio, iterations): (f64, u32)) -> Model {
    let mut model = particles(&[[0.0, RADIUS, 0.0], [0.0, 3.0004 * RADIUS, 0.0]], &[0.1, 0.1 * ratio]);
    touchy(&mut model);
    ground(&mut model, [0.0, 1.0, 0.0]);
    (model.settings.substeps, model.settings.iterations) = (20, iterations);
    model
}

/// In a sweep a pair that overlaps by δ moves the upper ball up by δ m/(m + M), since the lower one gives way as if nothing were under it; the
/// ground brings that back. In balance this is the g h² by which it falls in a substep, over as many sweeps.
#[track_caller]
pub fn assert_sinks(who: &str, burden: (f64, u32), run: impl Fn(&Model, u32) -> State) {
    let (ratio, iterations) = burden;
    let state = run(&burdened(burden), 90);
    let depth = 2.0 * RADIUS - (state.positions[1][1] - state.positions[0][1]);
    let expected = (1.0 + ratio) * GRAVITY / (1200.0 * 1200.0 * f64::from(iterations));
    let claim = format!("{who}a ball sinks into one {ratio} times lighter, {iterations} sweeps");
    // Of several sweeps the later ones see what the earlier ones left: they share as 1 - (1 - ε)^n of ε = m/(m + M), which is nε to nε/2.
    proof::relative(&claim, "(1 + M/m) g h²", depth, expected, 0.01);
}

/// The largest overlap of two balls that may touch, m.
pub fn deepest(model: &Model, state: &State) -> f64 {
    let mut worst = 0.0_f64;
    let distance = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    for i in 0..state.positions.len() {
        for j in 0..i {
            let sum: f64 = [i, j].iter().map(|&k| model.bodies[model.particles.bodies[k] as usize].radius).sum();
            if distance(model.particles.positions[i], model.particles.positions[j]) >= 1.0001 * sum {
                worst = worst.max(sum - distance(state.positions[i], state.positions[j]));
            }
        }
    }
    worst
}

/// A ball on a ball that is held slips off where the slope under it is above the friction of the pair, and not a degree below.
pub fn assert_slips_at_the_friction_angle(run: impl Fn(&Model, u32) -> State) {
    for (degrees, slips) in [(29.0, false), (31.0, true)] {
        let (model, start) = perched(degrees, 30.0_f64.to_radians().tan());
        assert_eq!(run_slip(&run(&model, 60), start) > 0.5 * RADIUS, slips, "{degrees}°");
    }
}
