//! The contacts of the reference solver against theory: planes and spheres, friction, rebound.

use pliant::model::{Collider, Model};

use crate::models::*;
use crate::{ROUNDING, assert_close, proof};

const RADIUS: f64 = 0.05;

/// A particle of 2 kg with a radius of 5 cm, as rough and bouncy as given.
fn ball(position: [f64; 3], friction: [f64; 2], restitution: f64) -> Model {
    let mut model = particles(&[position], &[2.0]);
    let body = &mut model.bodies[0];
    (body.radius, body.restitution) = (RADIUS, restitution);
    [body.friction, body.dynamic_friction] = friction;
    model
}

/// A ball that touches a plane of the slope tan θ = 0.5, and the direction downhill.
fn incline(friction: [f64; 2]) -> (Model, [f64; 2]) {
    let (sin, cos) = (0.5 / 1.25_f64.sqrt(), 1.0 / 1.25_f64.sqrt());
    let mut model = ball([sin * RADIUS, cos * RADIUS, 0.0], friction, 0.0);
    ground(&mut model, [sin, cos, 0.0]);
    (model, [cos, -sin])
}

/// A block on an incline stays where static friction is above tan θ, whatever the dynamic one and the iterations.
#[test]
fn block_sticks_below_the_friction_angle() {
    for iterations in [1, 4] {
        let (mut model, _) = incline([0.51, 0.1]);
        model.settings.iterations = iterations;
        let state = run(&model, 120);
        for axis in 0..3 {
            assert_close(state.positions[0][axis], model.particles.positions[0][axis], ROUNDING);
        }
        assert_eq!(state.contacts, 1);
    }
}

/// A block on an incline of tan θ = 2μ slides with g (sin θ - μ cos θ), μ being dynamic friction: in positions it is exact
/// for one particle, and iterations add none.
#[test]
fn block_slides_above_the_friction_angle() {
    for iterations in [1, 4] {
        let (mut model, downhill) = incline([0.4, 0.25]);
        model.settings.iterations = iterations;
        let state = run(&model, 60);
        let speed = state.velocities[0][0] * downhill[0] + state.velocities[0][1] * downhill[1];
        let error = (speed - GRAVITY * (0.5 - 0.25) / 1.25_f64.sqrt()).abs();
        let claim = format!("a block slides down an incline, iterations: {iterations}");
        proof::row(&claim, "g (sin θ - μ cos θ) t", error, ROUNDING, "m/s");
    }
}

/// The highest that a ball rises after it fell 1 m onto the ground, in m.
fn rebound(restitution: f64) -> f64 {
    let mut model = ball([0.0, 1.0 + RADIUS, 0.0], [0.0; 2], restitution);
    model.settings.substeps = 100;
    ground(&mut model, [0.0, 1.0, 0.0]);
    let mut reference = reference(&model);
    // It hits the ground after 0.45 s, 27 frames, and a second time after more than a second if e = 0.7.
    (1..=60).fold(0.0, |highest: f64, frame| {
        reference.step();
        if frame <= 28 { highest } else { highest.max(reference.state().positions[0][1] - RADIUS) }
    })
}

/// A ball rebounds to e² h. The speed is off by up to 2gh' of 4.4 m/s and the place by what it moves in a substep h' of
/// 0.17 ms, 0.7 mm: together 0.3 % of its height; frames 1/60 s apart miss the top by up to 0.34 mm. With e = 0 it stays down.
#[test]
fn ball_rebounds_by_restitution() {
    let error = 0.003 * 0.49 + 0.000_34;
    assert_close(rebound(0.7), 0.49, error);
    assert_close(rebound(0.0), 0.0, ROUNDING);
}

/// A wall that meets a resting ball throws it ahead with twice the wall's speed if e = 1.
#[test]
fn moving_wall_strikes() {
    let mut model = ball([0.5, 0.0, 0.0], [0.0; 2], 1.0);
    model.world.gravity = [0.0; 3];
    ground(&mut model, [1.0, 0.0, 0.0]);
    model.colliders[0].motion = Some(linear(1.0, [3.0, 0.0, 0.0]));
    let state = run(&model, 30);
    assert_close(state.velocities[0][0], 6.0, ROUNDING);
}

/// A ball that comes in faster than 2gh rebounds, a slower one, as gravity alone makes it, comes to rest.
#[test]
fn slow_balls_do_not_rebound() {
    let leaving = |approach: f64| {
        let mut model = ball([0.0, RADIUS, 0.0], [0.0; 2], 0.9);
        (model.settings.frame_rate, model.settings.substeps) = (600.0, 1);
        model.particles.velocities[0][1] = -approach * GRAVITY / 600.0;
        ground(&mut model, [0.0, 1.0, 0.0]);
        run(&model, 1).velocities[0][1] / (GRAVITY / 600.0)
    };
    assert_close(leaving(1.9), 0.0, ROUNDING);
    assert_close(leaving(2.1), 0.9 * 2.1, ROUNDING);
}

/// Rising ground lifts a ball along, at every frame exactly as far as the keyframes say.
#[test]
fn moving_ground_lifts() {
    let mut model = ball([0.0, RADIUS, 0.0], [0.0; 2], 0.0);
    ground(&mut model, [0.0, 1.0, 0.0]);
    model.colliders[0].motion = Some(linear(1.0, [0.0, 2.0, 0.0]));
    let mut reference = reference(&model);
    for frame in 1..=30 {
        reference.step();
        assert_close(reference.state().positions[0][1], RADIUS + 2.0 * f64::from(frame) / 60.0, ROUNDING);
    }
}

/// A belt drags a ball by friction: with μ g until it is as fast as the belt, then along with it.
#[test]
fn moving_ground_drags_by_friction() {
    let mut model = ball([0.0, RADIUS, 0.0], [0.2; 2], 0.0);
    ground(&mut model, [0.0, 1.0, 0.0]);
    model.colliders[0].motion = Some(linear(10.0, [10.0, 0.0, 0.0]));
    let mut reference = reference(&model);
    for frame in 1..=60 {
        reference.step();
        let expected = (0.2 * GRAVITY * f64::from(frame) / 60.0).min(1.0);
        assert_close(reference.state().velocities[0][0], expected, ROUNDING);
    }
}

/// Friction and restitution of a pair are the mean of the two: half of what only one of them has.
#[test]
fn coefficients_are_means() {
    let (mut model, downhill) = incline([0.5, 0.5]);
    (model.colliders[0].friction, model.colliders[0].dynamic_friction) = (0.0, 0.0);
    let state = run(&model, 60);
    let speed = state.velocities[0][0] * downhill[0] + state.velocities[0][1] * downhill[1];
    assert_close(speed, GRAVITY * (0.5 - 0.25) / 1.25_f64.sqrt(), ROUNDING);

    let mut model = ball([0.5, 0.0, 0.0], [0.0; 2], 1.0);
    model.world.gravity = [0.0; 3];
    model.particles.velocities[0] = [-2.0, 0.0, 0.0];
    ground(&mut model, [1.0, 0.0, 0.0]);
    model.colliders[0].restitution = 0.0;
    assert_close(run(&model, 30).velocities[0][0], 1.0, ROUNDING);
}

fn sphere(model: &mut Model, inside: bool) {
    model.colliders.push(Collider { inside, ..Collider::sphere([0.0; 3], 0.5) });
}

/// A ball slides off a solid sphere and falls past it without ever being inside.
#[test]
fn spheres_keep_particles_out() {
    let mut model = ball([0.1, 0.8, 0.0], [0.0; 2], 0.0);
    sphere(&mut model, false);
    let mut reference = reference(&model);
    let mut touched = 0;
    for _ in 0..60 {
        reference.step();
        let state = reference.state();
        let [x, y, z] = state.positions[0];
        assert!((x * x + y * y + z * z).sqrt() >= 0.5 + RADIUS - ROUNDING);
        touched += state.contacts;
    }
    assert!(touched > 0);
    assert!(reference.state().positions[0][1] < -0.5);
}

/// A ball in a hollow sphere never leaves it, and lies at last at the bottom.
#[test]
fn containers_keep_particles_in() {
    let mut model = ball([0.0, 0.2, 0.0], [0.0; 2], 0.0);
    sphere(&mut model, true);
    let mut reference = reference(&model);
    for _ in 0..60 {
        reference.step();
        let [x, y, z] = reference.state().positions[0];
        assert!((x * x + y * y + z * z).sqrt() <= 0.5 - RADIUS + ROUNDING);
    }
    let state = reference.state();
    assert_close(state.positions[0][1], RADIUS - 0.5, ROUNDING);
    assert_eq!(state.contacts, 1);
}

/// In the very centre of a sphere, where no direction leads out, a particle is pushed up.
#[test]
fn the_centre_of_a_sphere_has_a_way_out() {
    let mut model = ball([0.0; 3], [0.0; 2], 0.0);
    model.world.gravity = [0.0; 3];
    model.world.push_out_speed = 1e3;
    sphere(&mut model, false);
    let state = run(&model, 1);
    assert_eq!(state.positions[0][0], 0.0);
    assert_close(state.positions[0][1], 0.5 + RADIUS, ROUNDING);
}
