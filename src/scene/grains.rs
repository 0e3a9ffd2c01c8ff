//! What a scene says of grains.

use super::Mesh;

/// A closed surface filled with loose balls of the body's radius, which touch each other: sand, gravel, beans. They are
/// placed on a lattice, each moved a little at random, always alike, so that heaps are no crystals, as far as the
/// spacing leaves room for that; none of them in another or through the surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Grains {
    /// The surface that they fill.
    pub mesh: Mesh,
    /// Between neighbours on the lattice, m, at least twice the radius; 2.2 times the radius if left out.
    pub spacing: Option<f64>,
}

impl Grains {
    /// 2.2 radii from each other on the lattice.
    pub fn new(mesh: impl Into<Mesh>) -> Self {
        Self { mesh: mesh.into(), spacing: None }
    }
    /// Between neighbours on the lattice, m.
    pub fn spacing(self, spacing: f64) -> Self {
        Self { spacing: Some(spacing), ..self }
    }
}

impl<M: Into<Mesh>> From<M> for Grains {
    fn from(mesh: M) -> Self {
        Grains::new(mesh)
    }
}
