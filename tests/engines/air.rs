//! The air: the kernel against its twin, drag and lift against their formulas, and a flag.

use std::f64::consts::PI;

use pliant::Engine;
use pliant::model::{AIR_DENSITY, Model, Settings, State};
use pliant::scene::{Body, Cloth, Cuboid, Grid, Line, Scene, Soft, Strand, StrandKind};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;

/// One particle of 1 kg at each corner of a triangle of 0.5 m², that meets the air by coefficients of drag and lift.
fn plate(drag: f64, lift: f64) -> Model {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[1.0; 3]);
    let body = &mut model.bodies[0];
    (body.triangles, body.drag, body.lift) = (vec![[0, 1, 2]], drag, lift);
    model.world.gravity = [0.0; 3];
    model
}

/// A straight rope of 1 m, 1 cm thick, of 50 g, in so many segments.
fn rope(to: [f64; 3], segments: u32) -> Model {
    let line = Line { from: [0.0; 3], to, segments };
    let body = Body::strand(Strand::new(StrandKind::Rope, line)).mass(0.05).radius(0.005).air(1.1, 0.0);
    Scene::new("rope").with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

fn largest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A cloth that swings in a slanting wind and loose balls beside it move as the reference moves them.
#[test]
fn air_equals_its_twin() {
    let mut model = models::cloth(9);
    let body = &mut model.bodies[0];
    (body.drag, body.lift) = (1.2, 0.7);
    let triangle = |row: u32, column: u32| {
        let [a, b, c, d] = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| (row + i) * 9 + column + j);
        [[a, c, b], [b, c, d]]
    };
    body.triangles = (0..8).flat_map(|row| (0..8).flat_map(move |column| triangle(row, column))).collect();
    (model.particles.inverse_masses[0], model.particles.inverse_masses[8]) = (0.0, 0.0);
    model.world.wind = [4.0, -1.0, 2.5];
    let (gpu, exact) = (run(&model, 12), models::run(&model, 12));
    // Cloth as stiff as this is chaotic in its smallest waves: 120 substeps raise the roundings of 1e-7 m a hundredfold.
    let difference = largest(&gpu.positions, &exact.positions);
    assert!(difference < 1e-5, "{difference} m");
    let mut calm = model.clone();
    calm.world.wind = [0.0; 3];
    let blown = largest(&models::run(&calm, 12).positions, &exact.positions);
    assert!(blown > 0.02, "the wind moves it by {blown} m only: the test shows nothing");

    let mut balls = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.001, 0.1]);
    (balls.bodies[0].drag, balls.bodies[0].radius) = (0.5, 0.05);
    balls.world.wind = [4.0, -1.0, 2.5];
    let difference = largest(&run(&balls, 60).velocities, &models::run(&balls, 60).velocities);
    assert!(difference < 1e-4, "{difference} m/s");

    // No air gets to the particle inside a block.
    let block = Soft::new(Cuboid { cells: [2; 3], size: [0.2; 3] }).young_modulus(1e3);
    let body = Body::soft(block).mass(0.05).air(0.5, 0.0).radius(0.05);
    let mut block = Scene::new("block").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    block.world.wind = [4.0, -1.0, 2.5];
    let difference = largest(&run(&block, 6).velocities, &models::run(&block, 6).velocities);
    assert!(difference < 1e-4, "{difference} m/s");
}

/// Drag and lift of a plate at angles of attack from edge-on to face-on are ½ ρ A C_D v² sin α along the wind and
/// ½ ρ A C_L v² sin α cos α across it, on either side of the plate.
#[test]
fn plates_feel_drag_and_lift() {
    let (speed, area, drag, lift) = (10.0, 0.5, 1.1, 0.8);
    for degrees in [0.0, 5.0, 30.0, 45.0, 80.0, 90.0, 130.0, -30.0, -90.0] {
        let angle = f64::to_radians(degrees);
        let mut model = plate(drag, lift);
        // The plate lies in z = 0; the wind comes in the plane of y and z.
        model.world.wind = [0.0, speed * angle.cos(), speed * angle.sin()];
        // So short a step that the plate's own motion stays below 1e-5 of the wind's.
        model.settings = Settings { frame_rate: 1e5, substeps: 1, ..Settings::default() };
        let state = run(&model, 1);
        let force: [f64; 3] = std::array::from_fn(|i| state.velocities.iter().map(|v| v[i]).sum::<f64>() * 1e5);
        let pressure = 0.5 * AIR_DENSITY * area * speed * speed;
        let (along, across) =
            (force[1] * angle.cos() + force[2] * angle.sin(), force[2] * angle.cos() - force[1] * angle.sin());
        let (expected_drag, expected_lift) =
            (pressure * drag * angle.sin().abs(), pressure * lift * angle.sin() * angle.cos());
        assert!((along - expected_drag).abs() < 1e-4 * pressure, "{degrees}°: drag of {along} N, not {expected_drag}");
        assert!(
            (across - expected_lift).abs() < 1e-4 * pressure,
            "{degrees}°: lift of {across} N, not {expected_lift}"
        );
        assert!(force[0].abs() < 1e-4 * pressure);
    }
}

/// Ropes of few and of many segments that hang in a slanting wind move as the reference moves them, two in one body, and beside a cloth.
#[test]
fn air_on_strands_equals_its_twin() {
    for segments in [3, 20] {
        let line = Line { from: [0.0; 3], to: [1.0, 0.2, 0.0], segments };
        let strands = Strand::new(StrandKind::Rope, line).strands(3, [0.0, 0.0, 0.3]);
        let ropes = Body::strand(strands).mass(0.15).radius(0.005).air(1.1, 0.0).pin(0);
        let cloth = Cloth::new(Grid { columns: 4, rows: 4, width: 0.3, height: 0.3 });
        let scene = Scene::new("ropes").with(Body::cloth(cloth).air(1.1, 0.5)).with(ropes);
        let mut model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
        model.world.wind = [4.0, -1.0, 2.5];
        let (found, exact) = (run(&model, 12), models::run(&model, 12));
        let difference = largest(&found.positions, &exact.positions);
        assert!(difference < 1e-5, "{segments} segments: {difference} m");
        model.world.wind = [0.0; 3];
        let blown = largest(&models::run(&model, 12).positions, &exact.positions);
        assert!(blown > 0.01, "the wind moves it by {blown} m only: the test shows nothing");
    }
}

/// A wind drags at a segment by ½ ρ d L C v² sin α, at any angle α between the two.
#[test]
fn segments_feel_the_area_that_they_turn_to_the_wind() {
    let (speed, area, drag) = (10.0, 0.01, 1.1);
    for degrees in [0.0, 20.0, 45.0, 90.0, 130.0, -30.0] {
        let angle = f64::to_radians(degrees);
        let mut model = rope([1.0, 0.0, 0.0], 1);
        (model.world.gravity, model.world.wind) = ([0.0; 3], [speed * angle.cos(), 0.0, speed * angle.sin()]);
        model.settings = Settings { frame_rate: 1e4, substeps: 1, ..Settings::default() };
        let state = run(&model, 1);
        let force: [f64; 3] = std::array::from_fn(|i| state.velocities.iter().map(|v| v[i]).sum::<f64>() * 0.025 * 1e4);
        let most = 0.5 * AIR_DENSITY * area * drag * speed * speed;
        let expected = [angle.cos(), 0.0, angle.sin()].map(|along| most * angle.sin().abs() * along);
        let error = largest(&[force], &[expected]) / most;
        assert!(error < 1e-4, "{degrees}°: {force:?} N, not {expected:?}");
    }
}

/// A rope that falls lying level has after a second the speed v tanh(g t/v), v = √(2mg / ρ d L C), however many segments it has; along itself it falls
/// freely.
#[test]
fn ropes_fall_by_their_length_and_direction() {
    let last = (2.0 * 0.05 * GRAVITY / (AIR_DENSITY * 0.01 * 1.1)).sqrt();
    assert!((last - 8.53).abs() < 0.005, "{last} m/s");
    for segments in [1, 20, 100] {
        let state = run(&rope([1.0, 0.0, 0.0], segments), 60);
        let speeds = state.velocities.iter().map(|v| -v[1]);
        let mean = speeds.clone().sum::<f64>() / state.velocities.len() as f64;
        let claim = format!("speed of a rope of {segments} segments that falls level through air for a second");
        proof::relative(&claim, "v tanh(g t/v), v = √(2mg/ρ d L C)", mean, last * (GRAVITY / last).tanh(), 2e-3);
        let apart = proof::largest(speeds.map(|speed| speed - mean));
        assert!(apart < 1e-3, "{segments} segments: particles differ by {apart} m/s");
    }
    for velocity in run(&rope([0.0, 1.0, 0.0], 100), 60).velocities {
        assert!((-velocity[1] / GRAVITY - 1.0).abs() < 1e-3, "along itself {} m/s", -velocity[1]);
    }
}

/// A ball, and a plate that falls flat, reach the speed at which drag is weight, √(2mg / ρ A C_D), to 0.1 %.
#[test]
fn falling_ends_at_terminal_velocity() {
    let fall = |mut model: Model| -> State {
        model.world.gravity = [0.0, 0.0, -GRAVITY];
        run(&model, 300)
    };
    let mut ball = models::particles(&[[0.0; 3]], &[0.0027]);
    (ball.bodies[0].drag, ball.bodies[0].radius) = (0.5, 0.02);
    let speed = (2.0 * 0.0027 * GRAVITY / (AIR_DENSITY * PI * 0.02 * 0.02 * 0.5)).sqrt();
    let found = -fall(ball).velocities[0][2];
    proof::relative("speed of a ball that falls through air", "√(2mg/ρ A C)", found, speed, 1e-3);

    let speed = (2.0 * 3.0 * GRAVITY / (AIR_DENSITY * 0.5 * 1.1)).sqrt();
    for (i, velocity) in fall(plate(1.1, 1.1)).velocities.iter().enumerate() {
        // tanh(g t / v) is 1 to 1e-6 after five seconds.
        assert!((-velocity[2] / speed - 1.0).abs() < 1e-3, "corner {i}: {} m/s, not {speed}", -velocity[2]);
    }
}

/// What the air could stop many times over within a substep takes on the wind's speed and goes no faster.
#[test]
fn light_things_do_not_overshoot() {
    let mut model = models::particles(&[[0.0; 3]], &[1e-9]);
    (model.bodies[0].drag, model.bodies[0].radius) = (1.0, 0.1);
    (model.world.wind, model.world.gravity) = ([30.0, 0.0, 0.0], [0.0; 3]);
    let mut running = Running::new(&model);
    for _ in 0..5 {
        let [x, y, z] = running.run(1).velocities[0];
        assert!((x - 30.0).abs() < 1e-3 && y == 0.0 && z == 0.0, "{x} m/s");
    }
    running.solver.world_mut().wind = [0.0, -5.0, 0.0];
    let [x, y, _] = running.run(5).velocities[0];
    assert!(x.abs() < 1e-3 && (y + 5.0).abs() < 1e-3, "({x}, {y}) m/s");
}
