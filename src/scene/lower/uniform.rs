//! Constraints of one kind and one material, all at rest as placed.

use super::super::error::{Path, SceneError};
use super::constraint::push;
use super::{Builder, DISTANCE, degenerate};
use crate::constraint::{Distance, Kind};
use crate::model::Material;

impl Builder<'_> {
    /// Distance constraints of one material, at rest as placed.
    pub fn distances(
        &mut self,
        at: &Path,
        first: u32,
        material: Material,
        pairs: impl Iterator<Item = [u32; 2]>,
    ) -> Result<(), SceneError> {
        self.constraints(at, (DISTANCE, first, material), pairs)
    }

    /// Constraints of one kind and material between particles counted from `first`, at rest as placed.
    pub fn constraints<const N: usize>(
        &mut self,
        at: &Path,
        (kind, first, material): (&str, u32, Material),
        all: impl Iterator<Item = [u32; N]>,
    ) -> Result<(), SceneError> {
        let group = self.kind(at, kind, N)?;
        let kind = self.model.groups[group].kind;
        let material = self.model.materials.insert(material);
        for (index, particles) in all.enumerate() {
            let ends = particles.map(|p| first + p);
            self.check_shape(at, kind, &ends, (index, None))?;
            push(&mut self.model.groups[group], &self.model.particles, &ends, material, |_| None);
        }
        Ok(())
    }

    /// How many distance constraints there are so far.
    pub fn distance_count(&self) -> u32 {
        let group = self.model.groups.iter().find(|group| group.kind.is::<Distance>());
        group.map_or(0, |group| group.len() as u32)
    }

    /// Notes that the distance constraints from the given one on are what keeps the last body from stretching.
    pub fn stretches(&mut self, begin: u32) {
        let end = self.distance_count();
        if let Some(body) = self.model.bodies.last_mut() {
            body.stretch = Some(begin..end);
        }
    }

    /// Refuses a constraint between particles of the body that was added last if it has no shape as placed. `index`
    /// counts those of its kind.
    pub fn check_shape(
        &self,
        at: &Path,
        kind: &dyn Kind,
        ends: &[u32],
        (index, remedy): (usize, Option<&str>),
    ) -> Result<(), SceneError> {
        degenerate::check(kind, &self.placed(ends), |_| None).map_err(|fault| {
            let first = self.model.bodies.last().map_or(0, |body| body.particles.start);
            let own: Vec<u32> = ends.iter().map(|p| p - first).collect();
            let (what, remedy) = (fault.what, remedy.unwrap_or(&fault.remedy));
            SceneError::new(at, format!("`{}` {index}, of particles {own:?}, {what}; {remedy}", kind.name()))
        })
    }
}
