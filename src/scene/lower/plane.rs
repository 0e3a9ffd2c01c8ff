//! Bodies that stay in the plane in which they are placed.

use super::super::error::{Path, SceneError};
use super::super::{Body, check};
use super::Builder;
use crate::math::rotation::rotate;
use crate::model::{Material, Side};

impl Builder<'_> {
    /// Holds each free particle of a body in the plane through where it is placed.
    pub fn keep_in_plane(&mut self, at: &Path, body: &Body, particles: std::ops::Range<u32>) -> Result<(), SceneError> {
        let at = at.key("planar");
        let group = self.kind(&at, "plane", 1)?;
        let normal = rotate(check::unit(&at, body.rotation)?, [0.0, 0.0, 1.0]);
        let material = self.model.materials.insert(Material { side: Side::Both, ..Material::default() });
        let masses = self.model.planned_masses().into_owned();
        for particle in particles {
            if masses[particle as usize] > 0.0 {
                let point = self.model.particles.positions[particle as usize];
                let rest = [point[0], point[1], point[2], normal[0], normal[1], normal[2], 0.0];
                self.model.groups[group].push(&[particle], &rest, material);
            }
        }
        Ok(())
    }
}
