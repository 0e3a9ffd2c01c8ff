//! Loose particles.

use super::{Body, BodyKind, Content};
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading};

/// Loose particles, to be held together by constraints or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// m, before the body's transform.
    pub positions: Vec<[f64; 3]>,
    /// kg, one per particle; 0 is fixed. In place of the body's `mass`.
    pub masses: Option<Vec<f64>>,
    /// m/s, one per particle, in the body's frame: turned by its rotation.
    pub velocities: Option<Vec<[f64; 3]>>,
}

impl Particles {
    /// kg, one per particle; 0 is fixed.
    pub fn masses(self, masses: impl Into<Vec<f64>>) -> Self {
        Self { masses: Some(masses.into()), ..self }
    }
    /// m/s, one per particle.
    pub fn velocities(self, velocities: impl Into<Vec<[f64; 3]>>) -> Self {
        Self { velocities: Some(velocities.into()), ..self }
    }
}

impl<P: Into<Vec<[f64; 3]>>> From<P> for Particles {
    fn from(positions: P) -> Self {
        Self { positions: positions.into(), masses: None, velocities: None }
    }
}

impl Body {
    /// Loose particles, from positions in metres or [`Particles`].
    pub fn particles(particles: impl Into<Particles>) -> Self {
        Self::new(Content::Particles(particles.into()))
    }
}

impl BodyKind for Particles {
    fn extent(&self) -> Extent {
        Extent::Points
    }

    fn local(&self, at: &Path, _: &Body, _: &mut Reading) -> Result<Local, SceneError> {
        let at = at.key("positions");
        if self.positions.is_empty() {
            return Err(SceneError::new(&at, "the body is empty; list at least one position, as in [[0, 0, 0]]"));
        }
        for (index, position) in self.positions.iter().enumerate() {
            check::vector(&at.index(index), *position, &check::COORDINATE)?;
        }
        let (masses, velocities) = (self.masses.clone(), self.velocities.clone());
        Ok(Local { masses, velocities, ..Local::loose(self.positions.clone()) })
    }

    /// Nothing holds them together but what the scene lists.
    fn lower(&self, _: &mut Builder, _: &PlacedBody) -> Result<(), SceneError> {
        Ok(())
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use super::*;
    use crate::scene::toml::read::{Result, Table, list, number, vector};

    impl Particles {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table) -> Result<Self> {
            Ok(Self {
                positions: body.required("positions", "[[0, 0, 0]]", |value| list(value, vector))?,
                masses: body.optional("masses", |value| list(value, number))?,
                velocities: body.optional("velocities", |value| list(value, vector))?,
            })
        }
    }
}
