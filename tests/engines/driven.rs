//! Driven bodies and pins that turn: where animations and keyframes say they are, and as fast.

use std::f64::consts::FRAC_PI_2;

use pliant::model::{Model, State};
use pliant::scene::{Animation, Body, Driven, Grid, Pin, Scene, Select};

use crate::device::Running;
use crate::models;

/// Positions of order 1 m in single precision, after a hundred frames.
const NEAR: f64 = 2e-6;
/// The way of a substep is a difference of places that are rounded to 2e-9 m.
const AS_FAST: f64 = 1e-5;

/// A plate of four vertices.
const PLATE: Grid = Grid { columns: 2, rows: 2, width: 1.0, height: 1.0 };

/// Where its vertices are in sample k: it turns about x while it rises.
fn sample(k: u32) -> Vec<[f64; 3]> {
    let (sin, cos) = (0.3 * f64::from(k)).sin_cos();
    let corners = [[-0.5, 0.0], [0.5, 0.0], [-0.5, -1.0], [0.5, -1.0]];
    corners.map(|[x, y]| [x, y * cos + 0.1 * f64::from(k), y * sin]).to_vec()
}

fn plate(samples: &[u32], rate: f64) -> Driven {
    let positions = samples.iter().map(|&k| sample(k)).collect();
    Driven::new(Animation::Samples { positions, rate }).mesh(PLATE)
}

/// Where a vertex is a number of samples after the beginning, in a straight line between two samples.
fn between(samples: &[u32], moment: f64, vertex: usize) -> [f64; 3] {
    let before = (moment.floor() as usize).min(samples.len() - 1);
    let after = (before + 1).min(samples.len() - 1);
    let [from, to] = [before, after].map(|index| sample(samples[index])[vertex]);
    std::array::from_fn(|i| from[i] + moment.fract() * (to[i] - from[i]))
}

/// One plate that begins anew and one that ends, with four frames of the scene from sample to sample, between a particle
/// that keyframes move and others that fall.
fn scene(drives: bool) -> Model {
    let falling = |name: &str| Body::particles([[3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]).name(name).mass(1.0);
    let led = falling("led").position([0.0, 5.0, 0.0]);
    let keyframes = vec![(0.0, [0.0; 3]), (1.0, [0.0, 1.0, 0.0])];
    let led = if drives { led.pin(Pin::new(Select::Indices(vec![0])).keyframes(keyframes)) } else { led };
    let again = Body::driven(plate(&[0, 1, 2, 1, 0], 7.5).speed(2.0).start(0.05).repeating()).name("again");
    let ends = Body::driven(plate(&[0, 1, 3], 15.0)).name("ends").position([0.0, 0.0, 2.0]);
    Scene::new("driven").with(falling("free")).with(again).with(led).with(ends).build().unwrap().model
}

fn body<'s>(model: &Model, list: &'s [[f64; 3]], body: usize) -> &'s [[f64; 3]] {
    let range = &model.bodies[body].particles;
    &list[range.start as usize..range.end as usize]
}

/// After each frame all vertices are where the samples say, as fast as from the frame before to it; others fall.
#[test]
fn driven_bodies_follow_their_animation() {
    for drives in [false, true] {
        let model = scene(drives);
        let mut running = Running::new(&model);
        for frame in 1..=60_u32 {
            let state = running.run(1);
            let moments = |frame: u32| [f64::from(frame.max(3) - 3) / 4.0 % 4.0, (f64::from(frame) / 4.0).min(2.0)];
            let expected = |frame: u32, vertex: usize| {
                let [again, ends] = moments(frame);
                let [x, y, z] = between(&[0, 1, 3], ends, vertex);
                [between(&[0, 1, 2, 1, 0], again, vertex), [x, y, z + 2.0]]
            };
            for (vertex, (which, of)) in (0..4).flat_map(|vertex| [(vertex, (0, 1)), (vertex, (1, 3))]) {
                let [before, now] = [frame - 1, frame].map(|frame| expected(frame, vertex)[which]);
                let (place, velocity) =
                    (body(&model, &state.positions, of)[vertex], body(&model, &state.velocities, of)[vertex]);
                for i in 0..3 {
                    assert!((place[i] - now[i]).abs() < NEAR, "frame {frame}: {place:?} is not {now:?}");
                    let speed = 60.0 * (now[i] - before[i]);
                    assert!((velocity[i] - speed).abs() < AS_FAST, "frame {frame}: {} is not {speed}", velocity[i]);
                }
            }
        }
        let State { positions, .. } = running.state();
        // Symplectic Euler falls by g t (t + h)/2.
        let fallen = -9.81 * (1.0 + 1.0 / 600.0) / 2.0;
        assert!((body(&model, &positions, 0)[0][1] - fallen).abs() < 1e-3);
        if drives {
            let raised = body(&model, &positions, 2)[0][1];
            assert!((raised - 6.0).abs() < NEAR, "{raised}");
        }
    }
}

/// What hangs by a driven vertex goes with it: a pendulum that is led sideways at a constant speed hangs still seen from
/// there, and so goes at that speed when it was begun so.
#[test]
fn what_hangs_by_a_driven_body_goes_along() {
    let at = |x: f64| sample(0).iter().map(|&[a, b, c]| [a + x, b, c]).collect();
    let driven = Driven::new(Animation::Samples { positions: vec![at(0.0), at(2.0)], rate: 0.5 }).mesh(PLATE);
    let hangs = Body::particles([[-0.5, -1.5, 0.0]]).name("hangs").mass(1.0).velocity([1.0, 0.0, 0.0]);
    let rod = pliant::scene::Constraint::new("distance", [[("plate".into(), 2), ("hangs".into(), 0)]]);
    let scene = Scene::new("hangs").with(Body::driven(driven).name("plate")).with(hangs).constrain(rod);
    let state = Running::new(&scene.build().unwrap().model).run(60);
    let [x, y, z] = state.positions[4];
    // The rod is stretched by what one sweep leaves of the weight's way in a substep, h² g.
    assert!((x - 0.5).abs() < 1e-4 && (y + 1.5).abs() < 1e-4 && z.abs() < 1e-4, "{:?}", [x, y, z]);
}

/// A bar that turns by keyframes keeps its length on the way: it goes round its pivot by the shortest way, at half time by
/// half the angle, while it moves.
#[test]
fn pins_turn_by_keyframes() {
    let half = 0.5_f64.sqrt();
    let turns = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 0.0, half, half])];
    let pin = Pin::new(Select::Indices(vec![0, 1])).rotations(turns, Some([0.0; 3]));
    let moved = pin.clone().keyframes(vec![(0.0, [0.0; 3]), (1.0, [0.0, 0.0, 1.0])]);
    for (pin, z) in [(pin, 0.0), (moved, 1.0)] {
        let bar = Body::particles([[0.5, 0.0, 0.0], [1.0, 0.0, 0.0]]).pin(pin);
        let mut running = Running::new(&Scene::new("bar").with(bar).build().unwrap().model);
        for share in [0.5, 1.0, 1.5_f64] {
            let state = running.run(30);
            let (sin, cos) = (FRAC_PI_2 * share.min(1.0)).sin_cos();
            for (place, arm) in state.positions.iter().zip([0.5, 1.0]) {
                let expected = [arm * cos, arm * sin, z * share.min(1.0)];
                assert!((0..3).all(|i| (place[i] - expected[i]).abs() < NEAR), "{place:?} is not {expected:?}");
            }
        }
    }
}

/// An animation of a model made by hand, beside drives: the record of each particle is its own.
#[test]
fn animations_of_models_made_by_hand() {
    let places = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let mut model = models::particles(&places, &[0.0; 3]);
    model.animations.push(pliant::model::Animation {
        particles: vec![2, 0],
        displacements: [[0.0; 3], [0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]].into(),
        turns: [].into(),
        rate: 1.0,
        start: 0.0,
        repeats: false,
    });
    let state = Running::new(&model).run(30);
    let expected = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [2.0, 0.5, 0.0]];
    for (place, expected) in state.positions.iter().zip(expected) {
        assert!((0..3).all(|i| (place[i] - expected[i]).abs() < NEAR), "{place:?} is not {expected:?}");
    }
}
