//! Cloth: surfaces that resist stretch, shear and bending.

mod springs;
mod tear;
mod weave;

use super::{Bend, Body, BodyKind, Content, Part};
use crate::model::{Finish, Mode};
use crate::scene::Mesh;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading};

/// A surface held together by distances: along the edges (stretch), across a grid's cells (shear), and across two edges
/// (bend); or by the strain of its triangles in place of stretch and shear.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// Where its surface comes from.
    pub mesh: Mesh,
    /// By what it resists stretch and shear.
    pub stretch: Stretch,
    /// Inverse stiffness of each edge, m/N, at least 0; 0 is rigid, raising it softens. Left out: by the body's
    /// material, or rigid. Of [`Stretch::Strain`] the inverse of the modulus along the warp, Young's modulus times
    /// thickness.
    pub stretch_compliance: Option<f64>,
    /// Of [`Stretch::Strain`] the inverse of the modulus along the weft, m/N; that of the warp if left out.
    pub weft_compliance: Option<f64>,
    /// Inverse stiffness of each diagonal, m/N, at least 0; by the body's material or 0 if left out. Grids only: a
    /// triangle mesh has no diagonals. Of [`Stretch::Strain`] the inverse of the shear modulus times thickness, on any
    /// mesh.
    pub shear_compliance: Option<f64>,
    /// Left out: the cloth bends freely.
    pub bend: Option<Bend>,
    /// PBD mode: share of the error of each edge that an iteration removes, 0 to 1.
    pub stretch_stiffness: f64,
    /// Of [`Stretch::Strain`] the same along the weft; that of the warp if left out.
    pub weft_stiffness: Option<f64>,
    /// The same of each diagonal, or of shear; 1 if left out. Of edges grids only.
    pub shear_stiffness: Option<f64>,
    /// The same of each bend; 1 if left out and there is a `bend`.
    pub bend_stiffness: Option<f64>,
    /// The mean force over a frame above which an edge breaks, N, above 0: the cloth then tears along its edges. Left
    /// out: it never does. Gauss-Seidel only.
    pub break_force: Option<f64>,
    /// How many particles tears may add, at least 1: each vertex that a tear splits takes one for each further part. As
    /// many as the mesh has vertices if left out. They are common to all bodies of the scene.
    pub spare_particles: Option<u32>,
}

/// By what a cloth resists stretch and shear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stretch {
    /// Distances along its edges, and across the cells of a grid.
    #[default]
    Edges,
    /// The strain of its triangles: along the warp, along the weft and in shear, each with a stiffness of its own that
    /// does not depend on the mesh; see [`SurfaceStrain`](crate::constraint::SurfaceStrain). The warp lies along the
    /// body's x before its rotation, laid onto each triangle, on a grid along its rows; along the body's z where a
    /// triangle faces x.
    Strain,
}

impl Cloth {
    /// A cloth of rigid edges that shears and bends freely.
    pub fn new(mesh: impl Into<Mesh>) -> Self {
        Self {
            mesh: mesh.into(),
            stretch: Stretch::default(),
            stretch_compliance: None,
            weft_compliance: None,
            shear_compliance: None,
            bend: None,
            stretch_stiffness: 1.0,
            weft_stiffness: None,
            shear_stiffness: None,
            bend_stiffness: None,
            break_force: None,
            spare_particles: None,
        }
    }
    /// Inverse stiffness of each edge, m/N, at least 0; 0 is rigid, raising it softens.
    pub fn stretch(self, compliance: f64) -> Self {
        Self { stretch_compliance: Some(compliance), ..self }
    }
    /// Inverse stiffness of each diagonal, m/N, at least 0. Grids only.
    pub fn shear(self, compliance: f64) -> Self {
        Self { shear_compliance: Some(compliance), ..self }
    }
    /// Holds it by the strain of its triangles, of these inverse moduli along the warp, along the weft and in shear,
    /// m/N.
    pub fn woven(self, [warp, weft, shear]: [f64; 3]) -> Self {
        let (stretch_compliance, weft_compliance, shear_compliance) = (Some(warp), Some(weft), Some(shear));
        Self { stretch: Stretch::Strain, stretch_compliance, weft_compliance, shear_compliance, ..self }
    }
    /// Resists bending by distances across two edges, of this inverse stiffness, m/N.
    pub fn bend(self, compliance: f64) -> Self {
        Self { bend: Some(Bend { kind: "distance".into(), compliance }), ..self }
    }
    /// Tears along the edges that bear more than this force, N, in the mean over a frame.
    pub fn tears_at(self, break_force: f64) -> Self {
        Self { break_force: Some(break_force), ..self }
    }
}

impl<M: Into<Mesh>> From<M> for Cloth {
    fn from(mesh: M) -> Self {
        Cloth::new(mesh)
    }
}

impl Body {
    /// A cloth, from a [`Grid`](crate::scene::Grid), a [`Mesh`] or a [`Cloth`].
    pub fn cloth(cloth: impl Into<Cloth>) -> Self {
        Self::new(Content::Cloth(cloth.into()))
    }
}

impl BodyKind for Cloth {
    fn extent(&self) -> Extent {
        Extent::Area
    }

    fn local(&self, at: &Path, _: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        Local::of_mesh(at, &self.mesh, reading)
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        weave::check_keys(placed.at, self)?;
        match self.stretch {
            Stretch::Edges => builder.springs(placed, self),
            Stretch::Strain => builder.woven(placed, self),
        }
    }

    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        Ok(vec![
            ("stretch_compliance", self.stretch_compliance),
            ("shear_compliance", self.shear_compliance),
            ("weft_compliance", self.weft_compliance),
        ])
    }

    fn surface(&self) -> Option<&Cloth> {
        Some(self)
    }

    fn bend(&self) -> Option<&Bend> {
        self.bend.as_ref()
    }

    fn parts(&self, mode: Mode) -> Vec<Part> {
        let part =
            |name, compliance: Option<f64>, stiffness| Part { name, compliance: compliance.unwrap_or(0.0), stiffness };
        let mut parts = vec![part("stretch", self.stretch_compliance, self.stretch_stiffness)];
        if self.mesh.grid().is_some() || self.stretch == Stretch::Strain {
            parts.push(part("shear", self.shear_compliance, self.shear_stiffness.unwrap_or(1.0)));
        }
        if self.bends(mode) {
            let compliance = self.bend.as_ref().map(|bend| bend.compliance);
            parts.push(part("bend", compliance, self.bend_stiffness.unwrap_or(1.0)));
        }
        parts
    }

    fn tears_by(&self) -> Option<&'static str> {
        self.break_force.map(|_| "break_force")
    }

    fn look(&self) -> Finish {
        Finish::Cloth
    }
}

impl Cloth {
    /// Whether it resists bending in this mode.
    fn bends(&self, mode: Mode) -> bool {
        self.bend.is_some() || mode == Mode::Pbd && self.bend_stiffness.is_some()
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::body::bend;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, choice, number, whole};

    impl Cloth {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ grid = { columns = 64, rows = 64, width = 1.0, height = 1.0 } }";
            let mut cloth = Cloth::new(body.required("mesh", example, |value| mesh(value, folder))?);
            let ways = [("edges", Stretch::Edges), ("strain", Stretch::Strain)];
            body.set("stretch", &mut cloth.stretch, |value| choice(value, &ways))?;
            cloth.stretch_compliance = body.optional("stretch_compliance", number)?;
            cloth.weft_compliance = body.optional("weft_compliance", number)?;
            cloth.shear_compliance = body.optional("shear_compliance", number)?;
            cloth.bend = body.optional("bend", bend::read)?;
            body.set("stretch_stiffness", &mut cloth.stretch_stiffness, number)?;
            cloth.weft_stiffness = body.optional("weft_stiffness", number)?;
            cloth.shear_stiffness = body.optional("shear_stiffness", number)?;
            cloth.bend_stiffness = body.optional("bend_stiffness", number)?;
            cloth.break_force = body.optional("break_force", number)?;
            cloth.spare_particles = body.optional("spare_particles", whole)?;
            Ok(cloth)
        }
    }
}
