//! Nothing passes through a collider, however fast or thin: 60 frames a second, 10 substeps, 1,000 tries at random angles and phases.
//! Run on the GPU, on the CPU engine and in double precision.

use pliant::constraint::Vec3;
use pliant::model::{Collider, Model, Shape, Turning};

use crate::device::run;
use crate::models;
use crate::random::Random;

const TRIES: usize = 1000;

/// Particles of this radius without weight.
fn flying(radius: f64, places: &[Vec3<f64>], velocities: &[Vec3<f64>]) -> Model {
    let positions: Vec<[f64; 3]> = places.iter().map(|&place| place.into()).collect();
    let mut model = models::particles(&positions, &vec![1.0; places.len()]);
    model.world.gravity = [0.0; 3];
    model.particles.velocities = velocities.iter().map(|&velocity| velocity.into()).collect();
    model.bodies[0].radius = radius;
    model
}

/// A random direction.
fn direction(random: &mut Random) -> Vec3<f64> {
    loop {
        let v = Vec3::from(random.vector(-1.0, 1.0));
        let length = v.length();
        if (0.1..1.0).contains(&length) {
            return v * (1.0 / length);
        }
    }
}

/// Velocities after the run against what theory says, in shares of the speed: who passes keeps its velocity.
fn assert_stopped(what: &str, model: &Model, expected: &[Vec3<f64>], speed: f64) {
    let state = run(model, 2);
    let right = |(found, expected): (&[f64; 3], &Vec3<f64>)| (Vec3::from(*found) - *expected).length() < 1e-3 * speed;
    let stopped = state.velocities.iter().zip(expected).filter(|pair| right(*pair)).count();
    assert_eq!(stopped, TRIES, "{what}");
}

/// At 100 m/s against a plate of 1 mm, up to 84° from its normal: all that is left is the velocity along it.
#[test]
fn nothing_passes_a_thin_plate() {
    for (radius, collider) in [
        (0.0, Collider::new(Shape::Box { size: [20.0, 0.001, 20.0] })),
        (0.004, Collider::new(Shape::Box { size: [20.0, 0.001, 20.0] })),
        (0.0, Collider::new(Shape::Cylinder { radius: 10.0, length: 0.001 })),
        (0.002, Collider::plane([0.0; 3], [0.0, 1.0, 0.0])),
    ] {
        let mut random = Random::new(7);
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        while places.len() < TRIES {
            let way = direction(&mut random);
            // From both sides; a plane has one.
            if way.y.abs() > 0.1 && (way.y < 0.0 || collider.shape != Shape::Plane) {
                let target = Vec3::new(random.number(-1.0, 1.0), 0.0, random.number(-1.0, 1.0));
                places.push(target - way * random.number(0.2, 1.2));
                velocities.push(way * 100.0);
            }
        }
        let expected: Vec<Vec3<f64>> = velocities.iter().map(|v| Vec3 { y: 0.0, ..*v }).collect();
        let mut model = flying(radius, &places, &velocities);
        model.colliders.push(collider.clone());
        assert_stopped(&format!("{:?}, radius {radius}", collider.shape), &model, &expected, 100.0);
    }
}

/// At 100 m/s against a sphere that moves, and a sphere at 1 km/s against what is at rest: all that is left, relative to the sphere, is the
/// velocity along it where they met.
#[test]
fn nothing_passes_a_moving_sphere() {
    for (radius, speed, carried) in
        [(0.0, 100.0, [20.0, -30.0, 10.0]), (0.01, 100.0, [20.0, -30.0, 10.0]), (0.0, 0.0, [600.0, 0.0, -800.0])]
    {
        const SPHERE: f64 = 0.3;
        let (mut random, carried) = (Random::new(11), Vec3::from(carried));
        let (mut places, mut velocities, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        while places.len() < TRIES {
            let relative = direction(&mut random) * speed - carried;
            let (way, fast) = relative.direction_and_length();
            let (across, _) = way.cross(direction(&mut random)).direction_and_length();
            // It passes the centre within 98 % of the radius, and comes from up to 60 % of what it flies.
            let reach = SPHERE + radius;
            let beside = 0.98 * reach * random.number(0.0, 1.0).sqrt();
            let normal = across * (beside / reach) - way * (1.0 - (beside / reach).powi(2)).sqrt();
            let place = normal * reach - way * (random.number(0.01, 0.6) * fast / 30.0);
            let along = relative - normal * normal.dot(relative);
            places.push(place);
            velocities.push(relative + carried);
            expected.push(along + carried);
        }
        let mut model = flying(radius, &places, &velocities);
        let motion = Some(models::linear(1.0, carried.into()));
        model.colliders.push(Collider { motion, ..Collider::sphere([0.0; 3], SPHERE) });
        let fastest = speed + carried.length();
        assert_stopped(&format!("a sphere of {carried:?} m/s, radius {radius}"), &model, &expected, fastest);
    }
}

/// A blade 1 mm thick that turns at 60 rad/s, 30 m/s at its ends, keeps everything on the side on which it was.
#[test]
fn nothing_passes_a_turning_blade() {
    let mut random = Random::new(5);
    let turning = Some(Turning { spin: [0.0, 60.0, 0.0], rotations: None });
    let blade = Collider { turning, ..Collider::new(Shape::Box { size: [1.0, 1.0, 0.001] }) };
    let mut places = Vec::new();
    while places.len() < TRIES {
        let place = Vec3::new(random.number(-0.49, 0.49), random.number(-0.4, 0.4), random.number(-0.49, 0.49));
        if place.z.abs() > 0.002 && (0.1..0.49).contains(&place.x.hypot(place.z)) {
            places.push(place);
        }
    }
    let mut model = flying(0.0, &places, &vec![Vec3::zero(); TRIES]);
    model.colliders.push(blade);
    // A frame turns it by 1 rad: what it has not swept keeps its place.
    let state = run(&model, 1);
    let (sin, cos) = 1.0_f64.sin_cos();
    let mut swept = 0;
    for (place, [x, _, z]) in places.iter().zip(state.positions) {
        // Along the blade's normal, and along the blade.
        let (beyond, along) = (x * sin + z * cos, x * cos - z * sin);
        // On the same side of the blade as at the beginning, unless it has gone past an end.
        let kept = beyond * place.z > 0.0 || along.abs() > 0.5;
        assert!(kept, "from {place:?} to {x} {z}");
        swept += usize::from((Vec3::new(x, 0.0, z) - Vec3 { y: 0.0, ..*place }).length() > 1e-3);
    }
    assert!(swept > TRIES / 5, "only {swept} were swept");
}

/// What lies in a plate as the simulation begins is pushed out to the nearer side, and what rests on it stays there when it is struck.
#[test]
fn who_starts_inside_is_pushed_out() {
    let plate = Collider::new(Shape::Box { size: [2.0, 0.001, 2.0] });
    let heights = [0.0003, -0.0003, 0.0005, 0.0005];
    let places = heights.map(|y| Vec3::new(0.1, y, 0.2));
    let velocities = [0.0, 0.0, -100.0, -1.0].map(|v| Vec3::new(0.0, v, 0.0));
    let mut model = flying(0.0, &places, &velocities);
    model.colliders.push(plate);
    let state = run(&model, 2);
    let expected = [0.0005, -0.0005, 0.0005, 0.0005];
    for (position, expected) in state.positions.iter().zip(expected) {
        assert!((position[1] - expected).abs() < 1e-6, "{position:?}");
    }
}
