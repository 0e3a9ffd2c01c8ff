//! The particles and triangles of a body, before its transform.

use super::super::error::{Path, SceneError};
use super::super::{Grid, Mesh};
use super::reading::Reading;
use crate::mesh::{Skin, TetrahedronMesh, TriangleMesh};

/// What a body's density multiplies, and how its mass is shared among its particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum Extent {
    /// The length of a strand, kg/m; particles share by the segments at them.
    Length,
    /// The area of a surface, kg/m²; particles share by the triangles at them, on a grid equally.
    Area,
    /// The volume of a solid, kg/m³; particles share by the tetrahedra at them.
    Volume,
    /// The volume that a closed surface encloses, kg/m³; particles share by the triangles at them.
    Enclosed,
    /// The volume of a liquid's particles, kg/m³; particles share equally.
    Liquid,
    /// The volume of balls of the body's radius, kg/m³; particles share equally.
    Balls,
    /// Nothing: a body of points has no density. Particles share equally.
    Points,
}

impl Extent {
    /// Whether it has a surface on which the air can act.
    pub fn has_surface(self) -> bool {
        matches!(self, Self::Area | Self::Volume | Self::Enclosed)
    }
}

/// Where the vertices of a body are over time, in its own frame.
pub(in crate::scene) struct Samples {
    /// Of all vertices, sample after sample; at least one sample.
    pub positions: Vec<[f64; 3]>,
    /// Samples per second, Hz.
    pub rate: f64,
}

/// A body in its own frame. Strands and loose particles are a mesh with no triangles; the triangles of a solid are its
/// boundary.
pub(in crate::scene) struct Local {
    pub mesh: TriangleMesh,
    pub grid: Option<Grid>,
    /// Particles in each of the strands that follow one another; `None` where there are no strands.
    pub strand: Option<u32>,
    /// Of a solid.
    pub tetrahedra: Vec<[u32; 4]>,
    /// What is drawn of a solid in place of its boundary, over its particles.
    pub skin: Option<Skin>,
    /// Volume of what a solid stands for over that of its tetrahedra, and of a liquid's particles, m³: its weight goes
    /// by it.
    pub volume_share: f64,
    /// Area of a rod's section, m²: its density is that of its solid, kg/m³.
    pub section: Option<f64>,
    /// What the particles of a filled surface weigh in proportion.
    pub shares: Option<Vec<f64>>,
    /// kg, one for each particle, where the scene lists them; not yet checked.
    pub masses: Option<Vec<f64>>,
    /// m/s, one for each particle, where the scene lists them; not yet checked.
    pub velocities: Option<Vec<[f64; 3]>>,
    /// Of a body that follows an animation.
    pub samples: Option<Samples>,
}

impl Local {
    /// Particles without triangles.
    pub fn loose(positions: Vec<[f64; 3]>) -> Self {
        Self::surface(TriangleMesh { positions, triangles: Vec::new() }, None)
    }

    /// Strands of so many particles each.
    pub fn strands(positions: Vec<[f64; 3]>, each: u32) -> Self {
        Self { strand: Some(each), ..Self::loose(positions) }
    }

    /// The surface of a body's key `mesh`. `at` is the body.
    pub fn of_mesh(at: &Path, mesh: &Mesh, reading: &mut Reading) -> Result<Self, SceneError> {
        Ok(Self::surface(mesh.surface(&at.key("mesh"), reading)?, mesh.grid()))
    }

    fn surface(mesh: TriangleMesh, grid: Option<Grid>) -> Self {
        Self {
            mesh,
            grid,
            strand: None,
            tetrahedra: Vec::new(),
            skin: None,
            volume_share: 1.0,
            section: None,
            shares: None,
            masses: None,
            velocities: None,
            samples: None,
        }
    }

    /// A surface of fixed particles that go through samples.
    pub fn driven(mesh: TriangleMesh, samples: Samples) -> Self {
        let count = mesh.positions.len();
        let positions = samples.positions[..count].to_vec();
        let mesh = TriangleMesh { positions, ..mesh };
        Self { masses: Some(vec![0.0; count]), samples: Some(samples), ..Self::surface(mesh, None) }
    }

    /// A solid that is drawn by its boundary.
    pub fn solid_of(solid: TetrahedronMesh) -> Self {
        Self { tetrahedra: solid.tetrahedra.clone(), ..Self::surface(solid.surface(), None) }
    }

    /// Its tetrahedra over its particles.
    pub fn solid(&self) -> TetrahedronMesh {
        self.solid_at(&self.mesh.positions)
    }

    /// Its tetrahedra with its particles at these positions, m.
    pub fn solid_at(&self, positions: &[[f64; 3]]) -> TetrahedronMesh {
        TetrahedronMesh { positions: positions.to_vec(), tetrahedra: self.tetrahedra.clone() }
    }

    /// Runs of so many neighbouring particles of a strand, by index in the body.
    pub fn runs<const N: usize>(&self) -> impl Iterator<Item = [u32; N]> + '_ {
        let each = self.strand.unwrap_or(0);
        let runs = (0..self.mesh.positions.len() as u32).filter(move |i| i % each.max(1) + N as u32 <= each);
        runs.map(|i| std::array::from_fn(|k| i + k as u32))
    }
}
