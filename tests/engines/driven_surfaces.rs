//! Driven bodies that touch with their surface: they drag along what lies on them, and nothing crosses them.

use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::model::Model;
use pliant::scene::{Animation, Body, Cloth, Driven, Grid, Scene, Sphere};

use crate::device::Running;

/// m/s
const SPEED: f64 = 0.5;
const FRICTION: f64 = 0.5;
/// Turns the plane of a grid so that it faces up.
const LEVEL: [f64; 4] = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// A plate of 4 m that slides along x for so many seconds and then stands, and a body on it.
fn on_a_plate(seconds: f64, body: Body) -> Model {
    let corners = [[-2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, -2.0, 0.0], [2.0, -2.0, 0.0]];
    let at = |way: f64| corners.map(|[x, y, z]| [x + way, y, z]).to_vec();
    let positions = vec![at(0.0), at(SPEED * seconds)];
    let plate = Driven::new(Animation::Samples { positions, rate: 1.0 / seconds });
    let plate = plate.mesh(Grid { columns: 2, rows: 2, width: 4.0, height: 4.0 });
    let plate = Body::driven(plate).name("plate").rotation(LEVEL).thickness(0.02).friction(FRICTION).surface_contact();
    Scene::new("a sliding plate").with(plate).with(body).build().unwrap().model
}

/// The mean of what there is for each particle of the second body.
fn mean(model: &Model, list: &[[f64; 3]]) -> Vec3<f64> {
    let range = model.bodies[1].particles.clone();
    let sum = range.clone().fold(Vec3::zero(), |sum, i| sum + Vec3::from(list[i as usize]));
    sum * (1.0 / range.len() as f64)
}

/// What lies on a plate slips until friction has given it the plate's speed v, for v/(μ g), which costs it a way of
/// v²/(2 μ g); and it stops after the same way when the plate does. A cloth, and a ball of triangles that cannot roll
/// since its shape has no one point below.
#[test]
fn a_sliding_plate_drags_along_what_lies_on_it() {
    let cloth = Cloth::new(Grid { columns: 6, rows: 6, width: 0.5, height: 0.5 }).bend(1e-3);
    let cloth = Body::cloth(cloth).rotation(LEVEL).position([-1.0, 0.02, -0.25]).mass(0.1);
    let model = on_a_plate(1.0, cloth.thickness(0.02).friction(FRICTION).surface_contact());
    let triangles: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| body.triangles.clone()).collect();
    let mut running = Running::new(&model);
    let start = mean(&model, &model.particles.positions);
    let lost = SPEED * SPEED / (2.0 * FRICTION * 9.81);
    let mut run = |frames: u32| {
        let state = (0..frames).map(|_| running.run(1)).last().unwrap();
        assert!(crossings(&state.positions, &triangles, |_, _| true).is_empty());
        state
    };
    let state = run(57);
    let (velocity, way) = (mean(&model, &state.velocities), mean(&model, &state.positions) - start);
    assert!((velocity.x - SPEED).abs() < 0.01 * SPEED, "{velocity:?}");
    // Of 0.025 m that it slips: a tenth, for the substep in which the plate begins and the cloth's own waves.
    let slipped = 57.0 / 60.0 * SPEED - way.x;
    assert!((slipped - lost).abs() < 0.1 * lost, "slipped by {slipped} m instead of {lost} m");
    assert!(way.y.abs() < 1e-3 && way.z.abs() < 1e-3, "{way:?}");
    let state = run(60);
    let (velocity, way) = (mean(&model, &state.velocities), mean(&model, &state.positions) - start);
    assert!(velocity.length() < 0.01 * SPEED, "{velocity:?}");
    assert!((way.x - SPEED).abs() < 0.1 * lost, "{way:?}");
}

/// A ball of triangles that a sphere of cloth falls on while it swells and shrinks: nothing crosses, and the two stay
/// apart by their thickness.
#[test]
fn nothing_crosses_what_breathes() {
    let ball = Sphere { radius: 0.3, segments: 15 };
    let rest = ball.mesh().positions;
    let swollen = |factor: f64| rest.iter().map(|place| place.map(|x| x * factor)).collect();
    let positions = [1.0, 1.3, 1.0].map(swollen).to_vec();
    let driven = Driven::new(Animation::Samples { positions, rate: 4.0 }).mesh(ball).repeating();
    let driven = Body::driven(driven).name("ball").thickness(0.02).friction(0.3).surface_contact();
    let cloth = Cloth::new(Grid { columns: 15, rows: 15, width: 1.0, height: 1.0 }).bend(1e-3);
    let cloth = Body::cloth(cloth).rotation(LEVEL).position([0.0, 0.5, -0.5]).mass(0.2).thickness(0.02);
    let scene = Scene::new("breathes").with(driven).with(cloth.friction(0.3).surface_contact());
    let model = scene.build().unwrap().model;
    let triangles: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| body.triangles.clone()).collect();
    let mut running = Running::new(&model);
    for frame in 1..=45 {
        let state = running.run(1);
        let crossed = crossings(&state.positions, &triangles, |_, _| true);
        assert!(crossed.is_empty(), "frame {frame}: {} crossings", crossed.len());
    }
    let lies = mean(&model, &running.state().positions).y;
    assert!(lies > 0.0 && lies < 0.45, "the cloth is at {lies} m: it does not lie on the ball");
}
