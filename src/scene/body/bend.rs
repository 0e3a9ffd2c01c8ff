//! How cloth and strands resist bending.

use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::suggest::suggestion;

/// How a cloth or a strand resists bending.
#[derive(Clone, Debug, PartialEq)]
pub struct Bend {
    /// `distance`: between second neighbours of a grid, between the corners opposite an edge of other meshes.
    /// `dihedral`: the angle at each inner edge, at rest as placed. `isometric_bend`: as thin plates bend, at rest when
    /// flat; XPBD only.
    pub kind: String,
    /// Inverse stiffness, at least 0: m/N of a distance, 1/(N m) of the others. Raising it makes the cloth drape in
    /// finer folds.
    pub compliance: f64,
}

impl Bend {
    /// One of these kinds, and its compliance. `at` is the bend.
    pub(super) fn check(&self, at: &Path, kinds: [&'static str; 3]) -> Result<(&'static str, f64), SceneError> {
        let kind = kinds.into_iter().find(|kind| *kind == self.kind).ok_or_else(|| {
            let message = format!("unknown kind of bend '{}'; {}", self.kind, suggestion(&self.kind, kinds));
            SceneError::new(&at.key("kind"), message)
        })?;
        Ok((kind, check::number(&at.key("compliance"), self.compliance, &check::COMPLIANCE)?))
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use super::*;
    use crate::scene::toml::read::{Result, Value, number, table, text};

    pub(in crate::scene) fn read(value: Value) -> Result<Bend> {
        let bend = table(value)?;
        let kind = bend.required("kind", "\"distance\"", text)?;
        let compliance = bend.optional("compliance", number)?.unwrap_or(0.0);
        bend.finish()?;
        Ok(Bend { kind, compliance })
    }
}

#[cfg(feature = "scene-files")]
pub(super) use keys::read;
