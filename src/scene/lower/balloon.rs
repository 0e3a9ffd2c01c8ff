//! Closed surfaces and what they enclose.

use super::super::error::{Path, SceneError};
use super::super::{Balloon, Cloth, Constraint, check};
use super::Builder;
use crate::constraint::{Constraint as _, SurfaceVolume, Vec3};
use crate::mesh::unclosed;
use crate::model;

impl Builder<'_> {
    /// The volume of a balloon; `body` is the one that was added last.
    pub fn balloon(&mut self, at: &Path, body: usize, balloon: &Balloon) -> Result<(), SceneError> {
        let model::Body { particles, triangles, .. } = &self.model.bodies[body];
        check_closed(&at.key("mesh"), triangles, &self.model.particles.positions)?;
        let corners = || triangles.iter().flatten();
        let x: Vec<Vec3<f64>> = corners().map(|&p| self.model.particles.positions[p as usize].into()).collect();
        let placed = SurfaceVolume::measure(&x)[0];
        if placed <= 0.0 {
            let message = format!(
                "encloses {} m³: its triangles are wound inwards, or it is flat; let them run counter-clockwise seen from \
                 outside",
                check::display(placed)
            );
            return Err(SceneError::new(&at.key("mesh"), message));
        }
        let compliance = check::number(&at.key("volume_compliance"), balloon.volume_compliance, &check::COMPLIANCE)?;
        let stiffness = check::number(&at.key("volume_stiffness"), balloon.volume_stiffness, &check::SHARE)?;
        let inflation = check::number(&at.key("inflation"), balloon.inflation, &check::FACTOR)?;
        let listed: Vec<u32> = corners().map(|p| p - particles.start).collect();
        let volume = Constraint {
            keyframes: balloon.keyframes.clone(),
            period: balloon.period,
            delay: balloon.delay.map(Into::into),
            ..Constraint::new(SurfaceVolume::NAME, [listed])
        };
        let volume = volume.compliance(compliance).stiffness(stiffness).rest("rest_volume", inflation * placed);
        self.constraint_inside(at, body, &volume)
    }
}

/// A balloon with a hole would enclose nothing.
pub(super) fn refuse_tears(at: &Path, surface: &Cloth) -> Result<(), SceneError> {
    let asked =
        [("break_force", surface.break_force.is_some()), ("spare_particles", surface.spare_particles.is_some())];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((key, _)) => {
            let message = "is for cloth: a balloon that tears would hold nothing; remove it, or make the body a cloth";
            Err(SceneError::key(&at.key(key), message))
        }
        None => Ok(()),
    }
}

/// Refuses triangles that enclose nothing, with the place in space.
pub(super) fn check_closed(at: &Path, triangles: &[[u32; 3]], positions: &[[f64; 3]]) -> Result<(), SceneError> {
    let Some((ends, fault)) = unclosed(triangles) else { return Ok(()) };
    let [from, to] = ends.map(|p| positions[p as usize].map(check::display).join(", "));
    let message = format!(
        "is no closed surface: the edge from [{from}] to [{to}] {fault}; let two that are wound alike meet at it"
    );
    Err(SceneError::new(at, message))
}
