//! Real meshes as colliders and as bodies: nothing gets into them, by the winding number of the mesh itself.

use std::path::{Path, PathBuf};

use pliant::mesh::{TriangleMesh, read, read_tetrahedra};
use pliant::model::{Model, State};
use pliant::scene::{Body, Cloth, Collider, ColliderShape, Grid, Mesh, Scene, Soft, SolidMesh};

use crate::device::Running;
use crate::inside::Inside;

const CELLS: u32 = 64;
const RADIUS: f64 = 0.02;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/meshes").join(name)
}

fn triangles(name: &str) -> TriangleMesh {
    read(file(name)).unwrap_or_else(|error| panic!("{error}")).mesh
}

/// 3 m long in its file.
fn armadillo() -> TriangleMesh {
    read_tetrahedra(file("armadillo_4k.node")).unwrap_or_else(|error| panic!("{error}")).mesh.surface()
}

/// A mesh that is so many times as large and that much higher, as a collider and as what tells who is inside.
fn solid(mut mesh: TriangleMesh, scale: f64, height: f64) -> (Collider, Inside) {
    let shape = ColliderShape::Mesh { mesh: Mesh::Triangles(mesh.clone()), scale, cells: CELLS };
    for [x, y, z] in &mut mesh.positions {
        (*x, *y, *z) = (scale * *x, scale * *y + height, scale * *z);
    }
    (Collider::new(shape).position([0.0, height, 0.0]).friction(0.6), Inside::of(&mesh))
}

pub fn bunny() -> (Collider, Inside) {
    solid(triangles("bunny_10k.obj"), 1.0, 0.0)
}

/// 3 m across in its file.
pub fn torus() -> (Collider, Inside) {
    solid(triangles("torus.obj"), 0.3, 0.13)
}

/// A scene of something over a collider and the ground.
fn above(body: Body, collider: Collider, substeps: u32) -> Model {
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
fn assert_lands(what: &str, model: &Model, solid: &Inside) {
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

/// Cloth over the torus and over the bunny.
#[test]
fn cloth_drapes_over_real_meshes() {
    let (collider, inside) = torus();
    assert_lands("a cloth on the torus", &draped(collider, 1.0, 0.4), &inside);
    let (collider, inside) = bunny();
    assert_lands("a cloth on the bunny", &draped(collider, 1.4, 1.1), &inside);
}

/// The torus as a shell falls on the bunny, the armadillo as a solid on the torus, the bunny as a shell on the armadillo.
#[test]
fn real_meshes_fall_on_real_meshes() {
    let shell = |name: &str| Body::cloth(Cloth::new(Mesh::File(file(name))).stretch(1e-6).bend(1e-3)).mass(1.0);
    let (collider, inside) = bunny();
    let ring = shell("torus.obj").scale(0.2).position([0.05, 1.25, 0.0]);
    assert_lands("the torus on the bunny", &above(ring, collider, 10), &inside);

    let (collider, inside) = torus();
    let soft = Soft::new(SolidMesh::File(file("armadillo_4k.node"))).young_modulus(2e5);
    let soft = Body::soft(soft).density(300.0).scale(0.2).rotation([-1.0, 0.0, 0.0, 1.0]);
    assert_lands("the armadillo on the torus", &above(soft.position([0.3, 0.5, 0.0]), collider, 20), &inside);

    let (collider, inside) = solid(armadillo(), 0.4, 0.4);
    let bunny = shell("bunny_10k.obj").scale(0.6).position([0.0, 1.0, 0.0]);
    assert_lands("the bunny on the armadillo", &above(bunny, collider, 10), &inside);
}
