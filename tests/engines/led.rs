//! What hosts lead and put elsewhere while a simulation runs: colliders, pins, particles.

use std::f64::consts::PI;

use pliant::Engine;
use pliant::constraint::{Distance, Vec3, kind};
use pliant::model::{Drive, Integrator, Keyframes};
use pliant::scene::{Body, Collider, Scene};
use pliant::step::Placement;

use crate::device::{Running, run};
use crate::live::apart;
use crate::models::{self, GRAVITY, compliant};

/// A ball that sticks to a board which slides and turns (it is at 1.5 m/s at once, for which a friction of 100 takes 1 mm) ends where it does with keyframes in the model, whether these move the board or a host leads it frame by
/// frame; and the board then stands, and the ball with it.
#[test]
fn colliders_are_led_by_the_hand() {
    let half = 0.4_f64;
    let turned = [0.0, half.sin(), 0.0, half.cos()];
    let board = || Collider::cuboid([3.0, 0.2, 3.0]).position([0.0, -0.1, 0.0]).friction(100.0).dynamic_friction(100.0);
    let ball =
        || Body::particles(vec![[0.7, 0.05, 0.0]]).mass(1.0).radius(0.05).friction(100.0).dynamic_friction(100.0);
    let model = |board: Collider| Scene::new("board").with(ball()).collider(board).build().unwrap().model;
    let moving = vec![(0.0, [0.0; 3]), (0.5, [0.2, 0.0, 0.1])];
    let turning = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (0.5, turned)];
    let by_keyframes = model(board().keyframes(moving).rotations(turning));
    let expected = run(&by_keyframes, 36);
    let mut running = Running::new(&model(board()));
    for frame in 1..=30 {
        let seconds = f64::from(frame) / 60.0;
        let collider = &by_keyframes.colliders[0];
        running.solver.move_collider(0, collider.position_at(seconds), collider.rotation_at(seconds)).unwrap();
        running.run(1);
    }
    let state = running.run(6);
    let ([x, _, z], way) = (expected.positions[0], 2.0 * half);
    let carried = [0.7 * way.cos() + 0.2, 0.1 - 0.7 * way.sin()];
    assert!((x - carried[0]).hypot(z - carried[1]) < 0.005, "{x} m, {z} m: the ball slid");
    assert!(apart(&expected.positions, &state.positions) < 2e-6, "{:?} {:?}", expected.positions, state.positions);
    let stands = running.solver.colliders()[0].clone();
    assert_eq!(stands.position_at(0.6), [0.2, -0.1, 0.1]);
    assert!((0..4).all(|i| (stands.rotation_at(0.6)[i] - turned[i]).abs() < 1e-12));
}

/// A ball led 3 m in one frame takes along what is in its way.
#[test]
fn nothing_passes_what_is_led_fast() {
    let grain = Body::particles(vec![[0.5, 0.0, 0.0]]).mass(1.0).radius(0.01);
    let ball = Collider::sphere(0.1).position([-1.0, 0.0, 0.0]);
    let mut model = Scene::new("led").with(grain).collider(ball).build().unwrap().model;
    (model.world.gravity, model.world.max_speed) = ([0.0; 3], None);
    let mut running = Running::new(&model);
    running.run(1);
    running.solver.move_collider(0, [2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]).unwrap();
    let place = running.run(1).positions[0];
    assert!(place[0] > 2.1, "{place:?}");
}

/// A collider that is not there, a place that is none and a rotation of no length are refused, and all goes on.
#[test]
fn colliders_are_led_nowhere_impossible() {
    let mut model = models::chain(2, 1.0, compliant(0.0));
    models::ground(&mut model, [0.0, 1.0, 0.0]);
    let mut running = Running::new(&model);
    let upright = [0.0, 0.0, 0.0, 1.0];
    for (index, place, rotation, message) in [
        (1, [0.0; 3], upright, "there is no collider 1: there are 1"),
        (0, [0.0, f64::NAN, 0.0], upright, "a collider's place is NaN: it must be finite"),
        (0, [0.0; 3], [0.0; 4], "the length of a collider's rotation is 0: it must be finite and above 0"),
    ] {
        let error = running.solver.move_collider(index, place, rotation).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(running.solver.colliders(), model.colliders);
}

/// A bar of three fixed particles that are led by the host, each on its own way as by a bone that turns, and what hangs from it, go as by keyframes in
/// the model.
#[test]
fn pins_are_led_by_the_hand() {
    let bar = |k: usize| [0.3 * k as f64, 1.0, 0.0];
    let hangs = |k: usize| [0.3 * k as f64, 0.6, 0.0];
    let places: Vec<[f64; 3]> = (0..3).map(bar).chain((0..3).map(hangs)).collect();
    let mut model = models::particles(&places, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    (0..3).for_each(|k| models::connect(&mut model, kind::<Distance>(), &[k, k + 3], compliant(1e-5)));
    // About the first of them by half a turn in a second, and up.
    let way = |k: usize, frame: u32| {
        let (sin, cos) = (PI * f64::from(frame) / 60.0).sin_cos();
        let arm = 0.3 * k as f64;
        [arm * (cos - 1.0), 0.01 * f64::from(frame), arm * sin]
    };
    let mut by_keyframes = model.clone();
    for k in 0..3 {
        let path = (0..=30).map(|frame| (f64::from(frame) / 60.0, way(k, frame))).collect();
        models::drive(
            &mut by_keyframes,
            k,
            Drive { motion: Keyframes::new(path), forces: Vec::new(), ..Drive::default() },
        );
    }
    let expected = run(&by_keyframes, 40);
    let bones: Vec<usize> = (0..3).map(|pin| model.lead(&[pin]).unwrap()).collect();
    let mut running = Running::new(&model);
    for frame in 1..=30 {
        for (k, &bone) in bones.iter().enumerate() {
            running.solver.move_drive(bone, way(k, frame)).unwrap();
        }
        running.run(1);
    }
    let state = running.run(10);
    let last: [f64; 3] = std::array::from_fn(|i| bar(2)[i] + way(2, 30)[i]);
    assert!(apart(&state.positions[2..3], &[last]) < 1e-6, "{:?}, not {last:?}", state.positions[2]);
    assert!(apart(&expected.positions, &state.positions) < 2e-6, "{:?} {:?}", expected.positions, state.positions);
}

/// Drives that are not there, the one of all that nothing leads, and places that are none are refused, and so are particles that are not in the model.
#[test]
fn pins_are_led_nowhere_impossible() {
    let mut model = models::chain(2, 1.0, compliant(0.0));
    assert_eq!((model.lead(&[7]), model.lead(&[0, 7]), model.lead(&[]), model.drives.len()), (None, None, None, 1));
    let pin = model.lead(&[0]).unwrap();
    assert_eq!((pin, &model.particles.drives[..2]), (1, &[1, 0][..]));
    let mut running = Running::new(&model);
    for (index, displacement, message) in [
        (2, [0.0; 3], "there is no drive 2: there are 2"),
        (0, [0.0; 3], "drive 0 belongs to all particles without a drive"),
        (1, [0.0, f64::INFINITY, 0.0], "a displacement is inf: it must be finite"),
    ] {
        let error = running.solver.move_drive(index, displacement).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert_eq!(running.run(1).positions[0], model.particles.positions[0]);
}

/// What is put elsewhere flies on from there with its new velocity and nothing of its past, also where the lattice has to become coarser for it, from before
/// the first step, by the last of two placements, and with both integrators; others do not notice.
#[test]
fn what_is_placed_flies_on() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[1.0, 1.0, 1.0]);
        model.settings.integrator = integrator;
        for (frames, from) in [(0, [0.3, 7.0, 0.1]), (7, [0.3, 7.0, 0.1]), (8, [0.3, 7.0, 0.1]), (7, [300.1, 7.0, 0.1])]
        {
            let undisturbed = run(&model, frames + 30);
            let mut running = Running::new(&model);
            running.run(frames);
            let place = |position, velocity| Placement { particle: 1, position, velocity };
            running.place(&[place([5.0; 3], [9.0; 3]), place(from, [3.0, 4.0, 0.0])]).unwrap();
            assert!(apart(&running.state().positions[1..2], &[from]) < 1e-6, "{:?}", running.state().positions[1]);
            let state = running.run(30);
            // Euler's substeps fall by 1/(n + 1) more, and what there is of it before BDF2 knows a past.
            let (seconds, count) = (0.5, 300.0);
            let step = if integrator == Integrator::Euler { 0.5 } else { 0.0 } * seconds / count;
            let fall = GRAVITY * (0.5 * seconds * seconds + step * seconds);
            let expected = [from[0] + 3.0 * seconds, from[1] + 4.0 * seconds - fall, from[2]];
            let off = apart(&state.positions[1..2], &[expected]);
            assert!(off < 1e-4, "{integrator:?} after {frames} from {from:?}: {off:.2e} m");
            for other in [0, 2] {
                // A coarser lattice is no less exact, but other bits.
                let off = apart(&state.positions[other..other + 1], &undisturbed.positions[other..other + 1]);
                assert!(off < 1e-5, "{off:.2e} m");
            }
            assert!(running.status().is_good());
        }
    }
}

/// What is fixed stays where it is put, and what hangs from it comes along.
#[test]
fn pins_are_placed() {
    let mut model = models::particles(&[[0.0; 3], [0.0, -0.5, 0.0]], &[0.0, 1.0]);
    models::connect(&mut model, kind::<Distance>(), &[0, 1], compliant(0.0));
    let mut running = Running::new(&model);
    running.run(3);
    let place = [0.4, 0.1, 0.0];
    running.place(&[Placement { particle: 0, position: place, velocity: [8.0; 3] }]).unwrap();
    let state = running.run(60);
    assert!(apart(&state.positions[..1], &[place]) < 1e-6, "{:?}", state.positions[0]);
    let length = (Vec3::from(state.positions[1]) - Vec3::from(place)).length();
    assert!((length - 0.5).abs() < 1e-3, "{length} m");
}

/// Particles that are not there and numbers that are none are refused, all or none, and all goes on.
#[test]
fn nothing_is_placed_nowhere() {
    let model = models::chain(2, 1.0, compliant(0.0));
    let mut running = Running::new(&model);
    let before = running.state();
    let good = Placement { particle: 1, position: [1.0; 3], velocity: [0.0; 3] };
    for (bad, message) in [
        (Placement { particle: 9, ..good }, "there is no particle 9: there are 3"),
        (Placement { position: [0.0, f64::NAN, 0.0], ..good }, "a particle's place is NaN: it must be finite"),
        (Placement { velocity: [1e39, 0.0, 0.0], ..good }, "a particle's velocity is 1"),
    ] {
        let error = running.place(&[good, bad]).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    running.place(&[]).unwrap();
    assert_eq!(running.state(), before);
}
