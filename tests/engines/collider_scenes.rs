//! The gallery's scenes of colliders that turn, run and move.

use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

/// Mean place of a body's particles, m.
fn place(model: &Model, state: &State, body: usize) -> [f64; 3] {
    let particles = model.bodies[body].particles.clone();
    let count = particles.len() as f64;
    let sum = |axis: usize| particles.clone().map(|p| state.positions[p as usize][axis]).sum::<f64>();
    std::array::from_fn(|axis| sum(axis) / count)
}

/// On the belt and on the rollers the blocks go at 0.6 m/s, and at last the first two are in the tray beyond the chute.
#[test]
fn blocks_ride_on_the_conveyor() {
    let model = gallery("conveyor");
    let mut running = Running::new(&model);
    // From 1.53 s to 1.7 s all of the first is on the rollers.
    let [early, one, two] = [36, 56, 10].map(|frames| running.run(frames));
    // Blocks of jelly rock as they ride, five times a second and by 2 mm: in the 0.56 m of this time that is less than one part in a hundred.
    let [second, third] =
        [1, 2].map(|body| (place(&model, &one, body)[0] - place(&model, &early, body)[0]) * 60.0 / 56.0);
    proof::relative("speed of a turned block on a conveyor", "that of its belt", second, 0.6, 0.01);
    proof::relative("speed of a block turned the other way on a conveyor", "that of its belt", third, 0.6, 0.01);
    let [from, to] = [&one, &two].map(|state| place(&model, state, 0)[0]);
    assert!(from > 0.12 && to < 0.28, "from {from} to {to} m");
    // It bumps over the gaps between them, of 1 cm: of the 10 cm that it goes that may be one part in ten.
    proof::relative("speed of a block on rollers", "that of their surfaces", (to - from) * 6.0, 0.6, 0.1);
    let last = running.run(165);
    for body in 0..2 {
        let [x, y, _] = place(&model, &last, body);
        // Lying, tumbling or leaning on another, its middle is not much higher than half its diagonal in the plane of x and y, and its radius.
        assert!((1.0..2.0).contains(&x) && (0.09..0.3).contains(&y), "{x} {y}");
    }
}

/// The pulley turns the rope by its surface's speed of 0.3 m/s while it rises by 0.25 m/s: so one weight rises at 0.55 m/s, and the other
/// sinks at 0.05 m/s.
#[test]
fn the_pulley_carries_the_rope() {
    let model = gallery("pulley");
    let mut running = Running::new(&model);
    let (one, two) = (running.run(60), running.run(60));
    let [left, right] = [1, 2].map(|body| place(&model, &two, body)[1] - place(&model, &one, body)[1]);
    proof::row(
        "way of a weight on a rope over a pulley that turns and rises",
        "ω R + v",
        (left - 0.55).abs(),
        0.015,
        "m",
    );
    proof::row("way of the weight at its other end", "ω R - v", (right + 0.05).abs(), 0.015, "m");
}

/// The balls are wider than the funnel's opening, 30 cm at a height of 0.69 m, but soft: each gets out of the funnel there and nowhere else.
#[test]
fn balls_squeeze_through_the_funnel() {
    let model = gallery("funnel");
    let mut running = Running::new(&model);
    let mut passed = [false; 6];
    for _ in 0..90 {
        let state = running.run(1);
        for (body, passed) in passed.iter_mut().enumerate() {
            let [x, y, z] = place(&model, &state, body);
            // A frame after it has passed it is no further than 10 cm below.
            assert!(*passed || y > 0.69 || x.hypot(z) < 0.15, "ball {body}: {x} {y} {z}");
            *passed |= y < 0.69;
        }
    }
    assert_eq!(passed, [true; 6]);
}
