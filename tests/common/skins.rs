//! The solids and skins of a model.

#![allow(dead_code, reason = "each test file uses its own part")]

use pliant::mesh::{TetrahedronMesh, TriangleMesh};
use pliant::model::{Model, State};
use pliant::scene::Scene;

pub fn built(scene: &Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The tetrahedra of one of the model's neo-Hookean bodies in a state.
pub fn solid_of(model: &Model, body: usize, positions: &[[f64; 3]]) -> TetrahedronMesh {
    let range = &model.bodies[body].particles;
    let group = model.groups.iter().find(|group| group.kind.name() == "neo_hookean").unwrap();
    let elements = group.particles.as_chunks::<4>().0.iter().filter(|ends| range.contains(&ends[0]));
    TetrahedronMesh { positions: positions.to_vec(), tetrahedra: elements.copied().collect() }
}

/// A body's skin in a state.
pub fn skin_of(model: &Model, body: usize, state: &State) -> TriangleMesh {
    let skin = model.bodies[body].skin.as_ref().unwrap();
    TriangleMesh { positions: skin.interpolate(&state.positions), triangles: skin.triangles.clone() }
}
