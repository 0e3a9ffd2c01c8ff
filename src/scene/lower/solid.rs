//! What the colliders of a scene have in common.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::error::{Path, SceneError};
#[cfg(not(feature = "mesh-colliders"))]
use super::super::{Hull, Mesh};
use crate::mesh::distance;
use crate::model::MeshShape;
#[cfg(not(feature = "mesh-colliders"))]
use crate::model::Shape;
use crate::scene::Host;

/// What the colliders of a scene are measured by and have in common.
pub(super) struct Solids<'a> {
    #[cfg_attr(not(feature = "mesh-colliders"), expect(dead_code, reason = "nothing is measured"))]
    pub host: &'a dyn Host,
    /// By what the grid goes by.
    #[cfg_attr(not(feature = "mesh-colliders"), expect(dead_code, reason = "nothing is measured"))]
    pub made: HashMap<u64, Arc<MeshShape>>,
    /// Of all grids and height fields.
    samples: u64,
    /// At which distance vertices of the collider at hand become one, m.
    pub weld: Option<f64>,
    /// Against gravity in the frame of the collider at hand; none without gravity.
    pub up: Option<[f64; 3]>,
    /// Whether the collider at hand may have another origin.
    pub may_move: bool,
    /// Where that is in the frame that the scene gives, where its mesh is far from its own.
    pub moved: Option<[f64; 3]>,
    /// What the user should be told of them.
    pub notes: Vec<String>,
}

impl<'a> Solids<'a> {
    pub fn new(host: &'a dyn Host) -> Self {
        Self {
            host,
            made: HashMap::new(),
            samples: 0,
            weld: None,
            up: None,
            may_move: false,
            moved: None,
            notes: Vec::new(),
        }
    }

    /// Refuses more samples than a device can hold.
    pub fn count(&mut self, at: &Path, samples: u64) -> Result<(), SceneError> {
        self.samples += samples;
        if self.samples <= distance::MOST_SAMPLES {
            return Ok(());
        }
        let message = format!(
            "with this collider the scene has {} grid distances and heights, and at most {} are allowed; make the \
             colliders coarser",
            self.samples,
            distance::MOST_SAMPLES
        );
        Err(SceneError::new(at, message))
    }
}

#[cfg(not(feature = "mesh-colliders"))]
impl Solids<'_> {
    pub fn mesh(&mut self, at: &Path, _: &Mesh, _: f64, _: u32) -> Result<Shape, SceneError> {
        Err(refusal(at))
    }
    pub fn hull(&mut self, at: &Path, _: &Hull, _: f64, _: u32) -> Result<Shape, SceneError> {
        Err(refusal(at))
    }
}

#[cfg(not(feature = "mesh-colliders"))]
fn refusal(at: &Path) -> SceneError {
    SceneError::new(at, "this build measures no meshes; build Pliant with the feature `mesh-colliders`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::host::NoHost;

    /// What is more than a device shows a shader at once is refused, where it is reached.
    #[test]
    fn samples_are_counted() {
        let mut solids = Solids::new(&NoHost);
        let at = Path::ROOT;
        let at = at.key("collider");
        assert_eq!(solids.count(&at, distance::MOST_SAMPLES - 5), Ok(()));
        assert_eq!(solids.count(&at, 5), Ok(()));
        let message = solids.count(&at, 1).unwrap_err().to_string();
        assert!(message.contains("33554433 grid distances and heights, and at most 33554432 are allowed"), "{message}");
    }
}
