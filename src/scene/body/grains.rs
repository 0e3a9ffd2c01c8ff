//! Grains: closed surfaces filled with loose balls.

use super::{Body, BodyKind, Content, filling};
use crate::math::random::Random;
use crate::model::Finish;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading, contact_radius};
use crate::scene::mesh::check_closed;
use crate::scene::{Mesh, check};

/// The lattice's spacing over the radius, if a scene does not say.
const SPACING: f64 = 2.2;

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

impl Body {
    /// A closed surface filled with balls that touch each other, from a [`Mesh`] or [`Grains`]. It needs a radius.
    pub fn grains(grains: impl Into<Grains>) -> Self {
        Self::new(Content::Grains(grains.into()))
    }
}

impl BodyKind for Grains {
    fn extent(&self) -> Extent {
        Extent::Balls
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        self.places(at, body, reading).map(Local::loose)
    }

    /// Nothing holds grains together.
    fn lower(&self, _: &mut Builder, _: &PlacedBody) -> Result<(), SceneError> {
        Ok(())
    }

    fn touches_itself(&self) -> bool {
        true
    }

    fn look(&self) -> Finish {
        Finish::Sand
    }
}

impl Grains {
    /// The places of all, before the body's transform, after which they are as far from each other as they should.
    fn places(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Vec<[f64; 3]>, SceneError> {
        let radius = contact_radius(at, body)?;
        if radius == 0.0 {
            return Err(SceneError::new(
                &at.key("radius"),
                "is the size of the grains; give the body a radius above 0",
            ));
        }
        let at_spacing = at.key("spacing");
        let spacing = match self.spacing {
            Some(spacing) => check::number(&at_spacing, spacing, &check::LENGTH)?,
            None => SPACING * radius,
        };
        if spacing < 2.0 * radius {
            let least = check::display(2.0 * radius);
            let message = format!("would make grains overlap; raise it to {least} m, twice the radius, or more");
            return Err(SceneError::new(&at_spacing, message));
        }
        let at_mesh = at.key("mesh");
        let mut surface = self.mesh.surface(&at_mesh, reading)?;
        // Grains are no vertices.
        reading.renumbered.numbers.clear();
        check_closed(&at_mesh, &surface.triangles, &surface.positions).map_err(|error| reading.explain(error))?;
        let scale = check::vector(&at.key("scale"), body.scale, &check::SCALE)?;
        surface.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] * scale[axis]));

        // So far each may go along each axis without that two meet, or one the surface.
        let free = spacing / 2.0 - radius;
        let margin = radius + 3_f64.sqrt() * free;
        let places = filling::places(&at_mesh, &surface, (spacing, margin), "make the grains larger")?;
        if places.is_empty() {
            let message = format!("has no room for a grain of radius {} m; make it larger", check::display(radius));
            return Err(SceneError::new(&at_mesh, message));
        }
        let mut random = Random(1);
        let placed = |x: [f64; 3]| std::array::from_fn(|axis| (x[axis] + free * random.number()) / scale[axis]);
        Ok(places.into_iter().map(placed).collect())
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, number};

    impl Grains {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ box = { cells = [1, 1, 1], size = [1.0, 1.0, 1.0] } }";
            let mut grains = Grains::new(body.required("mesh", example, |value| mesh(value, folder))?);
            grains.spacing = body.optional("spacing", number)?;
            Ok(grains)
        }
    }
}
