//! What a scene says of bodies that keep their shape.

use super::Mesh;

/// A surface that keeps its shape by shape matching: its rest shape is moved as a rigid body to lie nearest to its
/// particles, and these are drawn there. All of it at once, and without compliance, it is as good as rigid; region by
/// region it bends. It needs no tetrahedra, and nothing of it can turn inside out for good. See
/// [`ShapeMatching`](crate::constraint::ShapeMatching).
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Where its surface comes from, which bears its mass.
    pub mesh: Mesh,
    /// Inverse stiffness α of each region, m/N, at least 0: its energy is C²/2α, C the root mean square, by mass, of
    /// how far its particles are off. 0 is rigid, raising it softens.
    pub shape_compliance: f64,
    /// PBD mode: share of that which an iteration removes, 0 to 1.
    pub shape_stiffness: f64,
    /// Radius of the regions, m, above 0. Left out: one region, all of it.
    pub region_radius: Option<f64>,
    /// How far from each other the middles of regions lie at least, m, above 0 and at most the radius; two thirds of
    /// that if left out.
    pub region_spacing: Option<f64>,
}

impl Matching {
    /// A rigid one, in one piece.
    pub fn new(mesh: impl Into<Mesh>) -> Self {
        Self {
            mesh: mesh.into(),
            shape_compliance: 0.0,
            shape_stiffness: 1.0,
            region_radius: None,
            region_spacing: None,
        }
    }
    /// Inverse stiffness of each region, m/N, at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { shape_compliance: compliance, ..self }
    }
    /// Regions of this radius, m, keep their shape, each by itself.
    pub fn regions(self, radius: f64) -> Self {
        Self { region_radius: Some(radius), ..self }
    }
}

impl<M: Into<Mesh>> From<M> for Matching {
    fn from(mesh: M) -> Self {
        Matching::new(mesh)
    }
}
