//! What must change nothing: running again, how frames are submitted, how a plan is bound and ordered, turning the scene,
//! adding what is far away.

use pliant::Reference;
use pliant::constraint::Vec3;
use pliant::model::{Collider, Drive, Keyframes, Method, Model, State};
use pliant::plan::Plan;
use pliant::scene::Scene;
use pliant::solver::Pipelines;

use crate::device::{Running, gpu, other_bits, run, sharing};
use crate::models;

/// What roundings may part positions of 1 m by, m: 6e-8 in each of 90 substeps, up or down alike, which a stiff cloth passes on
/// and friction on a ball amplifies a few times.
const ROUNDINGS: f64 = 2e-6;

/// A cloth of n × n with two corners that are moved, just above a ball, which it has met after five frames.
fn draped(n: u32) -> Model {
    let mut model = models::cloth(n);
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction) = (0.02, 0.4, 0.3);
    let ball = Collider::sphere([0.5, -0.33, 0.45], 0.3);
    model.colliders.push(Collider { friction: 0.4, dynamic_friction: 0.3, restitution: 0.2, ..ball });
    for (particle, way) in [(0, [0.1, 0.2, 0.3]), (n as usize - 1, [-0.2, 0.3, 0.0])] {
        model.particles.inverse_masses[particle] = 0.0;
        let motion = Keyframes::new(vec![(0.0, [0.0; 3]), (0.07, way), (0.15, [0.0; 3])]);
        models::drive(&mut model, particle, Drive { motion, ..Drive::default() });
    }
    model
}

/// All numbers of a state, bit for bit.
fn bits(state: &State) -> Vec<u64> {
    let vectors = state.positions.iter().chain(&state.velocities).flatten().copied();
    let multipliers = state.multipliers.iter().flatten().flat_map(|m| [m.last, m.mean, f64::from(u8::from(m.broken))]);
    vectors.chain(multipliers).map(f64::to_bits).chain([state.contacts]).collect()
}

/// The largest distance between particles of two lists, m.
fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    crate::proof::largest(a.iter().zip(b).map(|(&a, &b)| (Vec3::from(a) - Vec3::from(b)).length()))
}

/// The same scene gives the same bits every time: coloured, with a remainder, and by Jacobi, in contact and with moving pins.
#[test]
fn same_scene_same_bits() {
    for (method, max_colours) in [(Method::GaussSeidel, 64), (Method::GaussSeidel, 6), (Method::Jacobi, 64)] {
        let mut model = draped(20);
        (model.settings.method, model.settings.max_colours) = (method, max_colours);
        let first = run(&model, 9);
        assert!(first.contacts > 10, "only {} contacts: the test shows nothing", first.contacts);
        for _ in 0..3 {
            assert_eq!(bits(&first), bits(&run(&model, 9)), "{method:?}, {max_colours} colours");
        }
    }
}

/// What guards sums against compilers that order them anew, those of Metal and DirectX, changes none: with contacts, damping, levels, pairs, surfaces that hold
/// their volume, and what tears.
#[test]
fn guards_change_no_bit() {
    let guarded = Pipelines::with_fast_maths(&gpu().device, true);
    let gallery =
        ["damping", "balloon", "burst", "curtain"].map(|name| Scene::open(name).unwrap().build().unwrap().model);
    for model in gallery.iter().chain([&draped(24)]) {
        let plan = Plan::new(model);
        let end = |pipelines: &Pipelines| {
            let mut running = sharing(pipelines, model, &plan);
            running.run(9);
            running.snapshot()
        };
        let difference = other_bits(&end(&gpu().pipelines), &end(&guarded));
        assert_eq!(difference, None, "{}", model.name);
    }
}

/// A solver that keeps no mean multipliers moves everything by the same bits and hands out those of the last substep.
#[test]
fn mean_forces_change_no_motion() {
    let mut model = draped(20);
    let with = run(&model, 9);
    model.settings.mean_forces = false;
    let without = run(&model, 9);
    assert_eq!(
        bits(&State { multipliers: Vec::new(), ..with.clone() }),
        bits(&State { multipliers: Vec::new(), ..without.clone() })
    );
    let pairs = || with.multipliers[0].iter().zip(&without.multipliers[0]);
    assert!(pairs().all(|(with, without)| without.last == with.last && without.mean == with.last));
    assert!(pairs().any(|(with, _)| with.mean != with.last), "the mean is the last everywhere: the test shows nothing");
}

/// Frames that are recorded before one submit are those that are submitted one by one, bit for bit, with pins in motion.
#[test]
fn frames_may_be_recorded_before_one_submit() {
    let model = draped(12);
    let one_by_one = run(&model, 9);
    for together in [2, 3, 9] {
        let mut running = Running::new(&model);
        let mut left = 9;
        while left > 0 {
            let mut encoder = gpu().device.create_command_encoder(&Default::default());
            for _ in 0..left.min(together) {
                running.solver.step(&mut encoder);
            }
            gpu().queue.submit([encoder.finish()]);
            left -= left.min(together);
        }
        assert_eq!(bits(&running.state()), bits(&one_by_one), "{together} together");
    }
}

/// Bindings of 4 KiB, which cut the constraints into 23 ranges, give the same bits as one that holds all; and where the cut
/// decides the order of a remainder, the result is that of the twin with the same plan.
#[test]
fn buffers_are_bound_in_ranges() {
    let mut model = draped(32);
    let small = Plan::with_binding_bytes(&model, 4096);
    let count = |plan: &Plan| plan.groups[0].batches.len();
    assert!(count(&small) >= count(&Plan::new(&model)) + 20, "{} batches: the test shows nothing", count(&small));
    let ranges = Running::planned(&model, &small).run(7);
    assert_eq!(bits(&ranges), bits(&run(&model, 7)));

    model.settings.max_colours = 4;
    model.settings.substeps = 2;
    let small = Plan::with_binding_bytes(&model, 4096);
    let cut = small.groups[0].batches.iter().filter(|batch| batch.gather.is_some()).count();
    assert!(cut > 10, "{cut} Jacobi batches: the test shows nothing");
    let mut reference = Reference::new(&model, &small);
    reference.step();
    let gpu = Running::planned(&model, &small).run(1);
    let difference = apart(&gpu.positions, &reference.state().positions);
    // Two sweeps that each round positions of 1 m at 6e-8, a dozen times at each particle.
    assert!(difference < 1e-6, "{difference:.2e} m");
}

/// Constraints of one colour share no particle, so that their order changes no bit.
#[test]
fn order_inside_a_colour_does_not_matter() {
    let model = draped(20);
    let mut plan = Plan::new(&model);
    let group = &mut plan.groups[0];
    let size = group.kind.record_size();
    for batch in &group.batches {
        let places = batch.range.start as usize..batch.range.end as usize;
        let mut records: Vec<Vec<u8>> =
            group.records[places.start * size..places.end * size].chunks(size).map(<[u8]>::to_vec).collect();
        // Backwards, the first half before the second.
        group.constraint_of[places.clone()].reverse();
        records.reverse();
        group.constraint_of[places.clone()].rotate_left(places.len() / 2);
        records.rotate_left(places.len() / 2);
        group.records[places.start * size..places.end * size].copy_from_slice(&records.concat());
    }
    assert_ne!(plan.groups[0].constraint_of, Plan::new(&model).groups[0].constraint_of);
    let permuted = Running::planned(&model, &plan).run(9);
    assert_eq!(bits(&permuted), bits(&run(&model, 9)));
}

/// The rotation by `angle` about a unit axis.
fn rotated(vector: [f64; 3]) -> [f64; 3] {
    let (axis, angle) = (Vec3::new(2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0), 1.1_f64);
    let v = Vec3::from(vector);
    let along = axis * axis.dot(v);
    (along + (v - along) * angle.cos() + axis.cross(v) * angle.sin()).into()
}

/// A scene that is turned as a whole, gravity, colliders and motions included, gives the turned result.
#[test]
fn a_rotated_scene_gives_the_rotated_result() {
    for method in [Method::GaussSeidel, Method::Jacobi] {
        let mut model = draped(16);
        model.settings.method = method;
        models::ground(&mut model, [0.6, 0.8, 0.0]);
        model.colliders[1].position = [0.2, -0.05, 0.0];
        let mut turned = model.clone();
        for vector in turned.particles.positions.iter_mut().chain(&mut turned.particles.velocities) {
            *vector = rotated(*vector);
        }
        turned.world.gravity = rotated(model.world.gravity);
        for collider in &mut turned.colliders {
            let Collider { position, rotation, .. } =
                Collider::plane(rotated(collider.position), rotated(collider.distance(0.0, [0.0, 9.0, 0.0]).0));
            (collider.position, collider.rotation) = (position, rotation);
        }
        for drive in &mut turned.drives {
            drive.motion = drive.motion.take().and_then(|motion| {
                Keyframes::new([0.0, 0.07, 0.15].map(|time| (time, rotated(motion.at(time)))).to_vec())
            });
        }
        let expected = run(&model, 9);
        let turned_back = run(&turned, 9);
        let positions: Vec<[f64; 3]> = expected.positions.iter().map(|&x| rotated(x)).collect();
        let difference = apart(&turned_back.positions, &positions);
        assert!(difference < ROUNDINGS, "{method:?}: {difference:.2e} m");
    }
}

/// A free particle 1 km away, which makes the lattice sixteen times as coarse, changes nothing but roundings.
#[test]
fn a_far_particle_changes_nothing() {
    let near = draped(16);
    let mut both = near.clone();
    let particles = &mut both.particles;
    particles.positions.push([1_000.0, 500.0, -700.0]);
    particles.velocities.push([0.0; 3]);
    particles.inverse_masses.push(1.0);
    particles.bodies.push(0);
    particles.drives.push(0);
    both.bodies[0].particles.end += 1;
    let (near, both) = (run(&near, 9), run(&both, 9));
    let difference = apart(&near.positions, &both.positions);
    assert!(difference < ROUNDINGS, "{difference:.2e} m");
    assert_eq!(near.contacts, both.contacts);
}
