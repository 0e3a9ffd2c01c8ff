//! The constraints of ropes, hair and strips, and what holds any body in its plane.

use super::super::error::{Path, SceneError};
use super::super::suggest::suggestion;
use super::super::{Body, Strand, StrandKind, check};
use super::constraint::push;
use super::preset::Made;
use super::shape::Local;
use super::{Builder, DISTANCE};
use crate::constraint::Vec3;
use crate::model::rotation::rotate;
use crate::model::{Material, Side};

/// The kinds that resist the bending of a strand.
const BENDS: [&str; 3] = [DISTANCE, "angle", "spatial_angle"];

impl Builder<'_> {
    pub fn strand(
        &mut self,
        at: &Path,
        first: u32,
        strand: &Strand,
        local: &Local,
        made: Option<Made>,
    ) -> Result<(), SceneError> {
        let compliance = strand.stretch_compliance.unwrap_or(0.0);
        let compliance = check::number(&at.key("stretch_compliance"), compliance, &check::COMPLIANCE)?;
        let stiffness = check::number(&at.key("stretch_stiffness"), strand.stretch_stiffness, &check::SHARE)?;
        let group = self.kind(at, DISTANCE, 2)?;
        let begin = self.distance_count();
        for ends in local.runs::<2>().map(|ends| ends.map(|p| first + p)) {
            let [a, b] = ends.map(|p| Vec3::from(self.model.particles.positions[p as usize]));
            let compliance = made.map_or(compliance, |made| made.segment((b - a).length()));
            let material = self.model.materials.insert(Material { compliance, stiffness, ..Material::default() });
            push(&mut self.model.groups[group], &self.model.particles, &ends, material, |_| None);
        }
        self.stretches(begin);
        self.strand_bend(at, first, strand, local)
    }

    fn strand_bend(&mut self, at: &Path, first: u32, strand: &Strand, local: &Local) -> Result<(), SceneError> {
        let stiffness = check::number(&at.key("bend_stiffness"), strand.bend_stiffness, &check::SHARE)?;
        let Some(bend) = &strand.bend else { return Ok(()) };
        let at = at.key("bend");
        let Some(kind) = BENDS.into_iter().find(|kind| *kind == bend.kind) else {
            let message = format!("unknown kind of bend '{}'; {}", bend.kind, suggestion(&bend.kind, BENDS));
            return Err(SceneError::new(&at.key("kind"), message));
        };
        let compliance = check::number(&at.key("compliance"), bend.compliance, &check::COMPLIANCE)?;
        let material = Material { compliance, stiffness, ..Material::default() };
        let runs = local.runs::<3>();
        match kind {
            DISTANCE => self.constraints(&at, (kind, first, material), runs.map(|[a, _, c]| [a, c])),
            _ => self.constraints(&at, (kind, first, material), runs),
        }
    }

    /// Fixes what a strand is rooted by: a hair's first two particles.
    pub fn root(&mut self, first: u32, strand: &Strand, local: &Local) {
        let each = local.strand.unwrap_or(0);
        if strand.kind == StrandKind::Hair && each > 0 {
            for p in (0..local.mesh.positions.len() as u32).filter(|p| p % each < 2) {
                self.model.particles.inverse_masses[(first + p) as usize] = 0.0;
                self.model.particles.velocities[(first + p) as usize] = [0.0; 3];
            }
        }
    }

    /// Holds each free particle of a body in the plane through where it is placed.
    pub fn keep_in_plane(&mut self, at: &Path, body: &Body, particles: std::ops::Range<u32>) -> Result<(), SceneError> {
        let at = at.key("planar");
        let group = self.kind(&at, "plane", 1)?;
        let normal = rotate(check::unit(&at, body.rotation)?, [0.0, 0.0, 1.0]);
        let material = self.model.materials.insert(Material { side: Side::Both, ..Material::default() });
        for particle in particles {
            if self.model.particles.inverse_masses[particle as usize] > 0.0 {
                let point = self.model.particles.positions[particle as usize];
                let rest = [point[0], point[1], point[2], normal[0], normal[1], normal[2], 0.0];
                self.model.groups[group].push(&[particle], &rest, material);
            }
        }
        Ok(())
    }
}
