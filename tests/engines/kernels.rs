//! Each kernel against its double-precision twin on random input.

use pliant::constraint::{ALL, Arity, Kind, Listed, Vec3};
use pliant::measure::constraint_force;
use pliant::model::{Collider, Drive, Keyframes, Material, Method, Mode, Model, Shape, Side, State, Turning};

use crate::device::{compiles_fast, run};
use crate::kinds;
use crate::models;
pub use crate::random::Random;

/// Free and fixed particles at random places, random constraints of one kind between them that are violated by up to 10 %.
pub fn random_model(kind: &'static dyn Kind, material: Material, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let count = 60_u32;
    let positions: Vec<[f64; 3]> = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
    let masses: Vec<f64> = (0..count).map(|i| if i % 9 == 0 { 0.0 } else { random.number(0.5, 2.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..count).map(|_| random.vector(-0.5, 0.5)).collect();
    for first in 0..count {
        let least = if kind.listed() == Listed::Triangles { 5 } else { kind.least().max(3) };
        let members = kind.arity().count().unwrap_or(least + first as usize % 7);
        // Strides that keep the members apart and let neighbours share particles.
        let particles: Vec<u32> = (0..members as u32).map(|k| (first + k * 7) % count).collect();
        let particles = kinds::listed(kind, &particles);
        let x: Vec<Vec3<f64>> = particles.iter().map(|&p| positions[p as usize].into()).collect();
        let rest: Vec<f64> = kind.measure(&x).iter().map(|value| value * random.number(0.9, 1.1) + 0.01).collect();
        models::connect_with_rest(&mut model, kind, &particles, &rest, material);
    }
    model
}

/// The largest distance between two states' particles, m, and the largest relative difference of their multipliers.
pub fn difference(a: &State, b: &State) -> (f64, f64) {
    let apart = |(p, q): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
    let positions = a.positions.iter().zip(&b.positions).map(apart).fold(0.0, f64::max);
    let (a, b) = (a.multipliers.iter().flatten(), b.multipliers.iter().flatten());
    // What a correction of a millimetre takes, should all be slack.
    let scale = b.clone().map(|m| m.last.abs().max(m.mean.abs())).fold(1e-3, f64::max);
    let multipliers =
        a.zip(b).map(|(m, n)| (m.last - n.last).abs().max((m.mean - n.mean).abs())).fold(0.0, f64::max) / scale;
    (positions, multipliers)
}

/// How far so many roundings of the positions at the beginning, 6e-8 m each, part the twin from itself after a frame.
fn amplified(model: &Model, roundings: f64) -> (f64, f64) {
    let mut random = Random::new(5);
    let mut moved = model.clone();
    for x in moved.particles.positions.as_flattened_mut() {
        *x += random.number(-6e-8, 6e-8);
    }
    let (positions, multipliers) = difference(&models::run(&moved, 1), &models::run(model, 1));
    (roundings * positions, roundings * multipliers)
}

/// Every kind, shipped or from outside, is solved on the GPU as by its twin: coloured and by Jacobi, rigid, soft and damped,
/// pulling or pushing only, in XPBD and PBD, with several iterations and substeps; every third by Jacobi in PBD. What
/// compiles slowly does two of all that with each kind, so that of neighbours in the list it does all.
#[test]
fn every_kind_equals_its_twin() {
    let soft = Material { compliance: 1e-3, damping: 2.0, ..Material::default() };
    let materials = [
        Material::default(),
        soft,
        Material { side: Side::Pull, ..soft },
        Material { side: Side::Push, stiffness: 0.3, ..Material::default() },
    ];
    let mut failures = Vec::new();
    for (number, kind) in ALL.iter().chain(kinds::ALL).copied().enumerate() {
        for (index, material) in materials.into_iter().enumerate() {
            if !compiles_fast() && index != number % materials.len() {
                continue;
            }
            for (method, mode) in [
                (Method::GaussSeidel, Mode::Xpbd),
                (Method::Jacobi, Mode::Xpbd),
                (Method::GaussSeidel, Mode::Pbd),
                (Method::Jacobi, Mode::Pbd),
            ] {
                let is_left_out = (method, mode) == (Method::Jacobi, Mode::Pbd) && number % 3 > 0;
                if mode == Mode::Pbd && !kind.pbd() || is_left_out {
                    continue;
                }
                if !compiles_fast() && (method == Method::Jacobi) != (number / 4 % 2 == 1) {
                    continue;
                }
                let mut model = random_model(kind, material, 1 + index as u64);
                model.settings.method = method;
                model.settings.mode = mode;
                model.settings.substeps = 2;
                model.settings.iterations = 3;
                let (positions, multipliers) = difference(&run(&model, 1), &models::run(&model, 1));
                // Six sweeps of up to ten constraints a particle, each rounding positions of 1 m at 6e-8; a triangle or a
                // tetrahedron amplifies that by the ratio of its size to its height, up to a few hundred here. What amplifies more
                // does so with what differs at the beginning, too.
                let equal = |tolerance: (f64, f64)| positions < tolerance.0 && multipliers < tolerance.1;
                if !equal((2e-5, 2e-4)) && !equal(amplified(&model, 20.0)) {
                    failures.push(format!(
                        "{} material {index} {method:?} {mode:?}: {positions:.2e} m, λ {multipliers:.2e}",
                        kind.name()
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A force that about half of a model's constraints exceed after a frame, and none comes near to.
fn dividing_force(model: &Model) -> f64 {
    let state = models::run(model, 1);
    let mut forces: Vec<f64> = (0..model.groups[0].len()).map(|i| constraint_force(model, &state, 0, i)).collect();
    forces.sort_by(f64::total_cmp);
    let middle = forces[forces.len() / 4..3 * forces.len() / 4].windows(2);
    let gap = middle.max_by(|a, b| (a[1] / a[0]).total_cmp(&(b[1] / b[0])));
    gap.map_or(0.0, |gap| (gap[0] * gap[1]).sqrt())
}

/// Constraints whose mean force in the frame before was too large break on the GPU where they break in the twin, for every
/// arity and by both methods; where kernels compile slowly, one kind by one and the next by the other.
#[test]
fn constraints_break_as_in_the_twin() {
    for (number, kind) in ALL.iter().chain(kinds::ALL).copied().enumerate() {
        for method in [Method::GaussSeidel, Method::Jacobi] {
            if !compiles_fast() && (method == Method::Jacobi) != (number % 2 == 1) {
                continue;
            }
            let mut model = random_model(kind, Material { compliance: 1e-2, ..Material::default() }, 7);
            model.settings.method = method;
            let limit = dividing_force(&model);
            model =
                random_model(kind, Material { compliance: 1e-2, break_force: Some(limit), ..Material::default() }, 7);
            model.settings.method = method;
            let (gpu, twin) = (run(&model, 2), models::run(&model, 2));
            let broken =
                |state: &State| -> Vec<bool> { state.multipliers.iter().flatten().map(|m| m.broken).collect() };
            let count = broken(&twin).iter().filter(|&&broken| broken).count();
            let different = broken(&gpu).iter().zip(broken(&twin)).filter(|(a, b)| *a != b).count();
            assert!(count > 0 && count < broken(&twin).len(), "{}: {count} broke: the test shows nothing", kind.name());
            assert_eq!(different, 0, "{} {method:?}: of {count}", kind.name());
        }
    }
}

/// Contact with every shape, from outside and inside, still, moving and turning, with friction, restitution, belts, thickness and adhesion,
/// is solved on the GPU as by its twin.
#[test]
fn contact_equals_its_twin() {
    let mut random = Random::new(3);
    let positions: Vec<[f64; 3]> = (0..200).map(|_| random.vector(-0.6, 0.6)).collect();
    let masses: Vec<f64> = (0..200).map(|i| if i % 20 == 0 { 0.0 } else { random.number(0.1, 3.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..200).map(|_| random.vector(-2.0, 2.0)).collect();
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction, body.restitution) = (0.02, 0.6, 0.4, 0.8);
    let moving = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [0.3, 0.6, -0.2])]);
    let shapes = [
        Collider::plane([0.0, -0.5, 0.0], [0.0, 1.0, 0.0]),
        Collider { motion: moving.clone(), ..Collider::plane([0.0, -0.6, 0.0], [0.6, 0.8, 0.0]) },
        Collider { motion: moving, ..Collider::sphere([0.1, -0.3, 0.1], 0.3) },
        Collider { inside: true, ..Collider::sphere([0.0; 3], 0.9) },
    ];
    let turning = |spin| Some(Turning { spin, rotations: None });
    let rotation = [0.1, 0.5, -0.1, 0.73_f64.sqrt()];
    let turned = |shape| Collider { rotation, turning: turning([1.0, -3.0, 2.0]), ..Collider::new(shape) };
    let still = |shape| Collider { rotation, belt: [0.5, -0.3, 0.2], inside: true, ..Collider::new(shape) };
    let shapes = shapes.into_iter().chain([
        turned(Shape::Plane),
        turned(Shape::Capsule { radius: 0.2, length: 0.5 }),
        Collider { thickness: 0.01, adhesion: 0.5, ..turned(Shape::Box { size: [0.5, 0.3, 0.4] }) },
        Collider { belt: [0.5, -0.3, 0.2], ..turned(Shape::Cylinder { radius: 0.3, length: 0.4 }) },
        still(Shape::Capsule { radius: 0.7, length: 0.2 }),
        still(Shape::Box { size: [1.3, 1.1, 1.2] }),
        still(Shape::Cylinder { radius: 0.7, length: 1.2 }),
    ]);
    for shape in shapes {
        model.colliders.push(Collider { friction: 0.4, dynamic_friction: 0.2, restitution: 0.4, ..shape });
    }
    model.settings.iterations = 2;
    let all = std::mem::take(&mut model.colliders);
    let mut contacts = 0;
    for collider in &all {
        model.colliders = vec![collider.clone()];
        let (gpu, twin) = (run(&model, 6), models::run(&model, 6));
        contacts += twin.contacts;
        let (positions, _) = difference(&gpu, &twin);
        // 60 substeps, each of which divides a rounding of 1e-7 m by the length of the substep.
        assert!(positions < 2e-5, "{:?}: {positions:.2e} m", collider.shape);
    }
    assert!(contacts > 20, "only {contacts} contacts: the test shows nothing");

    // All of them at once leave particles no room, which amplifies every rounding: one substep of two iterations. Pushed out no faster than
    // by default, which `begins_inside` tries, some press by nothing but a rounding.
    model.settings.substeps = 1;
    model.world.push_out_speed = 1e6;
    model.colliders = all;
    let (gpu, twin) = (run(&model, 1), models::run(&model, 1));
    assert_eq!(gpu.contacts, twin.contacts);
    assert!(twin.contacts > 40, "only {} contacts: the test shows nothing", twin.contacts);
    let (positions, _) = difference(&gpu, &twin);
    assert!(positions < 2e-6, "{positions:.2e} m");
}

/// Forces, keyframed pins, initial velocities and the speed limit act on the GPU as in the twin.
#[test]
fn drives_equal_their_twin() {
    let mut model = models::chain(8, 0.2, models::compliant(1e-4));
    let shaking = Keyframes::new(vec![(0.0, [0.0; 3]), (0.1, [0.3, 0.1, 0.0]), (0.25, [-0.2, 0.0, 0.4])]);
    models::drive(&mut model, 0, Drive { motion: shaking, forces: Vec::new(), ..Drive::default() });
    let wind = Keyframes::new(vec![(0.0, [0.0, 0.0, 1.0]), (0.3, [3.0, 0.0, 0.0])]).unwrap();
    models::drive(
        &mut model,
        8,
        Drive { motion: None, forces: vec![wind, Keyframes::constant([0.0, 0.5, 0.0])], ..Drive::default() },
    );
    model.particles.velocities[4] = [5.0, 0.0, 0.0];
    model.world.max_speed = Some(3.0);
    let (positions, multipliers) = difference(&run(&model, 20), &models::run(&model, 20));
    // 200 substeps, and a chain that is whipped amplifies what differs: about 1e-7 m each substep.
    assert!(positions < 1e-4 && multipliers < 1e-2, "{positions:.2e} m, λ {multipliers:.2e}");
}

/// A kind over many particles reads them all: a loop of more members than a workgroup has threads.
#[test]
fn many_particles_fill_more_than_a_workgroup() {
    let kind = kinds::ALL.iter().copied().find(|kind| kind.arity() == Arity::Many).unwrap();
    let count = 301_u32;
    let place = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(count);
        [angle.cos(), angle.sin(), 0.1 * (5.0 * angle).sin()]
    };
    let positions: Vec<[f64; 3]> = (0..count).map(place).collect();
    let mut model = models::particles(&positions, &vec![1.0; count as usize]);
    let particles: Vec<u32> = (0..count).collect();
    models::connect_with_rest(&mut model, kind, &particles, &[5.0], models::compliant(1e-5));
    model.world.gravity = [0.0; 3];
    model.settings.substeps = 1;
    let (positions, multipliers) = difference(&run(&model, 1), &models::run(&model, 1));
    // The gradient at a member of so smooth a loop is the difference of two directions that are 0.02 apart, each rounded at
    // 6e-8, and moves members by a quarter of a metre.
    assert!(positions < 5e-5 && multipliers < 1e-5, "{positions:.2e} m, λ {multipliers:.2e}");
}
