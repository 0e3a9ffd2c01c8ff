//! What falls on closed meshes, and how one sees that it does not get into them.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::constraint::Vec3;
use pliant::mesh::TriangleMesh;
use pliant::model::{Model, State};
use pliant::scene::{Body, Cloth, Collider, ColliderShape, Grid, Mesh, Scene};

use crate::device::Running;
use crate::inside::Inside;

const CELLS: u32 = 64;
const RADIUS: f64 = 0.02;

/// A mesh that is so many times as large and that much higher, as a collider and as what tells who is inside.
pub fn solid(mut mesh: TriangleMesh, scale: f64, height: f64) -> (Collider, Inside) {
    let shape = ColliderShape::Mesh { mesh: Mesh::Triangles(mesh.clone()), scale, cells: CELLS };
    for [x, y, z] in &mut mesh.positions {
        (*x, *y, *z) = (scale * *x, scale * *y + height, scale * *z);
    }
    (Collider::new(shape).position([0.0, height, 0.0]).friction(0.6), Inside::of(&mesh))
}

/// A scene of something over a collider and the ground.
pub fn above(body: Body, collider: Collider, substeps: u32) -> Model {
    let ground = Collider::plane([0.0, 1.0, 0.0], 0.0).friction(0.6);
    let body = body.radius(RADIUS).friction(0.6).damping(2.0);
    let mut scene = Scene::new("").with(body).collider(collider).collider(ground);
    scene.settings.substeps = substeps;
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A level cloth so far over the ground.
pub fn draped(collider: Collider, width: f64, height: f64) -> Model {
    let grid = Grid { columns: 32, rows: 32, width, height: width };
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let cloth = Cloth::new(grid).stretch(1e-7).shear(1e-5).bend(5e-4);
    let cloth = Body::cloth(cloth).mass(0.4).rotation([-quarter, 0.0, 0.0, quarter]);
    above(cloth.position([0.02, height, -0.5 * width - 0.02]), collider, 20)
}

/// No particle is in the mesh, though they touch its distances on a grid, which cut tips off by up to half a cell: that is less than a radius.
pub fn assert_outside(what: &str, state: &State, solid: &Inside) {
    let within = state.positions.iter().filter(|&&place| solid.holds(place)).count();
    assert_eq!(within, 0, "{what}, frame {}: of {} particles", state.frame, state.positions.len());
}

/// What falls on a mesh has met it after so many frames, and was never in it.
pub fn assert_lands(what: &str, model: &Model, solid: &Inside) {
    let mut running = Running::new(model);
    let mut most = 0;
    for _ in 0..3 {
        let state = running.run(12);
        assert_outside(what, &state, solid);
        most = most.max(state.contacts);
    }
    assert!(most > 5, "{what}: {most} contacts");
    assert!(running.status().is_good(), "{what}");
}

/// Of all particles, m/s.
pub fn mean_speed(state: &State) -> f64 {
    state.velocities.iter().map(|&v| Vec3::from(v).length()).sum::<f64>() / state.velocities.len() as f64
}
