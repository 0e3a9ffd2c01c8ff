//! What a scene says of solids.

use std::path::PathBuf;

use crate::mesh::TetrahedronMesh;
use crate::mesh::generate::Cuboid;

/// A solid of tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct Soft {
    /// Where its tetrahedra come from.
    pub mesh: SolidMesh,
    /// By what it keeps its shape.
    pub elasticity: Elasticity,
    /// Young's modulus, Pa, above 0; left out: by the body's material. Of neo-Hookean solids.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio, 0 (like cork) to 0.49 (all but incompressible); 0.3 if left out. Of neo-Hookean solids.
    pub poisson_ratio: Option<f64>,
    /// Inverse stiffness of each edge, m/N, at least 0; 0 if left out. Of solids held by their edges.
    pub stretch_compliance: Option<f64>,
    /// PBD mode: share of the error of each edge that an iteration removes, 0 to 1; 1 if left out. Of solids held by their edges.
    pub stretch_stiffness: Option<f64>,
    /// Tensile strength, Pa, above 0: a face between two tetrahedra breaks where it is pulled harder, in the mean over a frame. Left
    /// out: it never tears. Of neo-Hookean solids.
    pub tear_stress: Option<f64>,
    /// How many particles tears may add, at least 1; as many as the mesh has vertices if left out. Those of all bodies are common.
    pub spare_particles: Option<u32>,
}

/// By what a solid keeps its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elasticity {
    /// Stable neo-Hookean material, by Young's modulus and Poisson's ratio; see
    /// [`NeoHookean`](crate::constraint::NeoHookean).
    NeoHookean,
    /// Distances along the edges of the tetrahedra: cheaper, with a stiffness that depends on the mesh, and no way back from
    /// inside out.
    Edges,
}

/// Where a solid's tetrahedra come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidMesh {
    /// A box of cells of five tetrahedra each.
    Box(Cuboid),
    /// A TetGen, Gmsh or VTK file, read by [`Scene::build`](super::Scene::build). Needs the feature `mesh-files`.
    File(PathBuf),
    /// Vertices and tetrahedra as they are, each of positive volume.
    Tetrahedra(TetrahedronMesh),
}

impl Soft {
    /// A neo-Hookean solid, which needs a [`Soft::young_modulus`] or a material.
    pub fn new(mesh: impl Into<SolidMesh>) -> Self {
        Self {
            mesh: mesh.into(),
            elasticity: Elasticity::NeoHookean,
            young_modulus: None,
            poisson_ratio: None,
            stretch_compliance: None,
            stretch_stiffness: None,
            tear_stress: None,
            spare_particles: None,
        }
    }
    /// Young's modulus, Pa.
    pub fn young_modulus(self, pascals: f64) -> Self {
        Self { young_modulus: Some(pascals), ..self }
    }
    /// Poisson's ratio, 0 to 0.49.
    pub fn poisson_ratio(self, ratio: f64) -> Self {
        Self { poisson_ratio: Some(ratio), ..self }
    }
    /// Tears where it is pulled harder than this stress, Pa, in the mean over a frame.
    pub fn tears_at(self, tear_stress: f64) -> Self {
        Self { tear_stress: Some(tear_stress), ..self }
    }
    /// Holds it together by the edges of its tetrahedra, of this inverse stiffness, m/N.
    pub fn edges(self, compliance: f64) -> Self {
        Self { elasticity: Elasticity::Edges, stretch_compliance: Some(compliance), ..self }
    }
}

impl From<Cuboid> for SolidMesh {
    fn from(cuboid: Cuboid) -> Self {
        SolidMesh::Box(cuboid)
    }
}
impl From<TetrahedronMesh> for SolidMesh {
    fn from(mesh: TetrahedronMesh) -> Self {
        SolidMesh::Tetrahedra(mesh)
    }
}
impl<M: Into<SolidMesh>> From<M> for Soft {
    fn from(mesh: M) -> Self {
        Soft::new(mesh)
    }
}
