//! Real meshes as colliders and as bodies: nothing gets into them, by the winding number of the mesh itself.

use pliant::mesh::{TriangleMesh, read, read_tetrahedra};
use pliant::scene::{Body, Cloth, Collider, Mesh, Soft, SolidMesh};

use crate::device::Running;
use crate::draped::{above, assert_lands, assert_outside, draped, mean_speed, solid};
use crate::files::file;
use crate::inside::Inside;
use crate::proof;

fn triangles(name: &str) -> TriangleMesh {
    read(file(name)).unwrap_or_else(|error| panic!("{error}")).mesh
}

/// 3 m long in its file.
fn armadillo() -> TriangleMesh {
    read_tetrahedra(file("armadillo_4k.node")).unwrap_or_else(|error| panic!("{error}")).mesh.surface()
}

fn bunny() -> (Collider, Inside) {
    solid(triangles("bunny_10k.obj"), 1.0, 0.0)
}

/// 3 m across in its file.
fn torus() -> (Collider, Inside) {
    solid(triangles("torus.obj"), 0.3, 0.13)
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

/// After nine seconds it lies still, although the normals of a grid of distances jump from cell to cell.
#[test]
fn cloth_comes_to_rest_on_real_meshes() {
    for (what, (collider, inside), width, height) in
        [("a cloth on the torus", torus(), 1.0, 0.4), ("a cloth on the bunny", bunny(), 1.4, 1.1)]
    {
        let mut running = Running::new(&draped(collider, width, height));
        let state = running.run(540);
        assert_outside(what, &state, &inside);
        // It fell for a fifth of a second at least, to 2 m/s; what swings is damped by e^(-2 t).
        proof::row(&format!("{what}: mean speed after 9 s"), "0", 1e3 * mean_speed(&state), 1.0, "mm/s");
    }
}
