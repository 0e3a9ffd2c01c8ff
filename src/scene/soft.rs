//! What a scene says of solids.

use std::path::PathBuf;

use super::{Keyframes, Mesh, Select};
use crate::mesh::TetrahedronMesh;
use crate::mesh::generate::Cuboid;

/// A solid of tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct Soft {
    /// Where its tetrahedra come from.
    pub mesh: SolidMesh,
    /// By what it keeps its shape.
    pub elasticity: Elasticity,
    /// Young's modulus, Pa, above 0; left out: by the body's material. Of all but solids held by their edges.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio, 0 (like cork) to 0.49 (all but incompressible); 0.3 if left out. Of solids with an energy that
    /// knows it.
    pub poisson_ratio: Option<f64>,
    /// Inverse stiffness of each edge, m/N, at least 0; 0 if left out. Of solids held by their edges.
    pub stretch_compliance: Option<f64>,
    /// PBD mode: share of the error of each edge or strain that an iteration removes, 0 to 1; 1 if left out. Of solids
    /// held by their edges or by strain.
    pub stretch_stiffness: Option<f64>,
    /// Tensile strength, Pa, above 0: a face between two tetrahedra breaks where it is pulled harder, in the mean over
    /// a frame. Left out: it never tears. Of neo-Hookean solids.
    pub tear_stress: Option<f64>,
    /// How many particles tears may add, at least 1; as many as the mesh has vertices if left out. Those of all bodies
    /// are common.
    pub spare_particles: Option<u32>,
    /// Elastic strain, each component by itself, above which it flows for good; never if left out. Of solids held by
    /// strain.
    pub yield_point: Option<f64>,
    /// Rate at which what is beyond the yield point flows, 1/s, above 0; at once if left out.
    pub creep: Option<f64>,
    /// What moves it from inside.
    pub muscles: Vec<Muscle>,
}

/// By what a solid keeps its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elasticity {
    /// Stable neo-Hookean material, by Young's modulus and Poisson's ratio; see
    /// [`NeoHookean`](crate::constraint::NeoHookean).
    NeoHookean,
    /// Strain along the body's own axes before its rotation, and between them, without lateral contraction (ν = 0); may
    /// flow. It does not see whether an element is inside out; see [`Strain`](crate::constraint::Strain).
    Strain,
    /// St. Venant-Kirchhoff material, to compare with; see [`Stvk`](crate::constraint::Stvk).
    Stvk,
    /// Corotated linear material, to compare with; see [`Corotated`](crate::constraint::Corotated).
    Corotated,
    /// Distances along the edges of the tetrahedra: cheaper, with a stiffness that depends on the mesh, and no way back
    /// from inside out.
    Edges,
}

impl Elasticity {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::NeoHookean, Self::Strain, Self::Stvk, Self::Corotated, Self::Edges];

    /// As scenes call it: `neo-hookean`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NeoHookean => "neo-hookean",
            Self::Strain => "strain",
            Self::Stvk => "stvk",
            Self::Corotated => "corotated",
            Self::Edges => "edges",
        }
    }
}

/// What drives the shape of a solid from inside: strains over some of its tetrahedra whose rest values follow a curve,
/// beside what keeps the solid's shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// The tetrahedra with all corners selected; left out: all.
    pub select: Option<Select>,
    /// Strain without stress along the body's x, y and z before its rotation, `(time in s, [ε_x, ε_y, ε_z])`: Green's,
    /// (f² - 1)/2 of what becomes f times as long. Three equal numbers drive the volume.
    pub keyframes: Keyframes,
    /// After which the keyframes repeat, s, above 0.
    pub period: Option<f64>,
    /// How much later than the keyframes' times it happens, s.
    pub delay: Option<f64>,
    /// How stiffly it follows, Pa, above 0; the solid's own if left out.
    pub young_modulus: Option<f64>,
}

impl Muscle {
    /// A muscle of a whole solid, as stiff as that.
    pub fn new(keyframes: impl Into<Keyframes>) -> Self {
        Self { select: None, keyframes: keyframes.into(), period: None, delay: None, young_modulus: None }
    }
    /// Of the tetrahedra with all corners among these particles.
    pub fn of(self, select: Select) -> Self {
        Self { select: Some(select), ..self }
    }
    /// Repeats the keyframes after so many seconds.
    pub fn period(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }
    /// Lets them happen so many seconds later.
    pub fn delay(self, delay: f64) -> Self {
        Self { delay: Some(delay), ..self }
    }
}

/// Where a solid's tetrahedra come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidMesh {
    /// A box of cells of five tetrahedra each.
    Box(Cuboid),
    /// A TetGen, Gmsh or VTK file, read by [`Scene::build`](super::Scene::build). Needs the feature `mesh-files`.
    File(PathBuf),
    /// A closed surface, filled with tetrahedra that carry it. Needs the feature `tetrahedralise`.
    Filling(Filling),
    /// Vertices and tetrahedra as they are, each of positive volume.
    Tetrahedra(TetrahedronMesh),
}

/// A closed surface and how finely it is filled with tetrahedra. It is what is drawn and exported of the solid; the
/// tetrahedra's particles carry it, and they are what is simulated and touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Filling {
    /// Its triangles meet two at each edge and enclose a volume.
    pub surface: Mesh,
    /// Size of the tetrahedra, m, above 0; left out: a sixteenth of the surface's longest side. Smaller ones follow the
    /// surface more closely, and their number grows with the cube.
    pub cell: Option<f64>,
}

impl Filling {
    /// With cells of the default size.
    pub fn new(surface: impl Into<Mesh>) -> Self {
        Self { surface: surface.into(), cell: None }
    }
    /// Size of the tetrahedra, m.
    pub fn cell(self, metres: f64) -> Self {
        Self { cell: Some(metres), ..self }
    }
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
            yield_point: None,
            creep: None,
            muscles: Vec::new(),
        }
    }
    /// How it keeps its shape.
    pub fn elasticity(self, elasticity: Elasticity) -> Self {
        Self { elasticity, ..self }
    }
    /// Adds a muscle.
    pub fn muscle(mut self, muscle: Muscle) -> Self {
        self.muscles.push(muscle);
        self
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
    /// Elastic strain above which a solid held by strain flows for good, at a rate in 1/s, or at once.
    pub fn yields(self, yield_point: f64, creep: Option<f64>) -> Self {
        Self { yield_point: Some(yield_point), creep, ..self }
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
impl From<Filling> for SolidMesh {
    fn from(filling: Filling) -> Self {
        SolidMesh::Filling(filling)
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
