//! What acts on particles from outside: one entry of the model per combination that occurs.

use std::collections::HashMap;

use super::super::error::{Path, SceneError};
use super::super::{Force, Strength, check};
use super::{Builder, place};
use crate::model::{Drive, Keyframes, Model};

impl Builder<'_> {
    pub fn force(&mut self, at: &Path, force: &Force) -> Result<(), SceneError> {
        let at_value = at.key("value");
        let strength = match &force.value {
            Strength::Constant(value) => Keyframes::constant(check::vector(&at_value, *value, &check::FORCE)?),
            Strength::Keyframes(frames) => place::keyframes(&at.key("keyframes"), frames, &check::FORCE)?,
        };
        let particles = self.forced(at, force)?;
        let masses = self.model.planned_masses();
        if particles.iter().all(|&p| masses[p as usize] == 0.0) {
            let place = SceneError::new(at, "").path();
            self.notes.push(format!("{place} acts on fixed particles only and moves nothing"));
        }
        drive(&mut self.model, particles, |drive| drive.forces.push(strength.clone()));
        Ok(())
    }

    /// The particles of the model that a force acts on.
    fn forced(&self, at: &Path, force: &Force) -> Result<Vec<u32>, SceneError> {
        let at_particles = at.key("particles");
        let Some(name) = &force.body else {
            return match force.particles {
                None => Ok((0..self.model.particles.len() as u32).collect()),
                Some(_) => Err(SceneError::new(&at_particles, "are indices inside a body; name the body with `body`")),
            };
        };
        let body = self.body_named(&at.key("body"), name)?;
        let Some(indices) = &force.particles else { return Ok(self.model.bodies[body].particles.clone().collect()) };
        if indices.is_empty() {
            return Err(SceneError::new(&at_particles, "is empty; list indices, or leave it out for the whole body"));
        }
        let particle = |(i, &index): (usize, &u32)| self.particle(&at_particles.index(i), body, index);
        let mut particles = indices.iter().enumerate().map(particle).collect::<Result<Vec<u32>, _>>()?;
        particles.sort_unstable();
        if particles.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SceneError::new(&at_particles, "names one particle twice; name each once"));
        }
        Ok(particles)
    }
}

/// Changes what acts on some particles.
pub(super) fn drive(model: &mut Model, particles: Vec<u32>, change: impl Fn(&mut Drive)) {
    let mut changed = HashMap::new();
    for particle in particles {
        let index = &mut model.particles.drives[particle as usize];
        *index = *changed.entry(*index).or_insert_with(|| {
            let mut drive = model.drives[*index as usize].clone();
            change(&mut drive);
            let known = model.drives.iter().position(|other| *other == drive);
            known.unwrap_or_else(|| {
                model.drives.push(drive);
                model.drives.len() - 1
            }) as u32
        });
    }
}

/// Drops combinations that were only steps on the way to others; the empty one stays first.
pub(super) fn drop_unused(model: &mut Model) {
    let mut renumbered = vec![None; model.drives.len()];
    renumbered[0] = Some(0);
    let mut drives = vec![Drive::default()];
    for index in &mut model.particles.drives {
        let old = *index as usize;
        *index = *renumbered[old].get_or_insert_with(|| {
            drives.push(std::mem::take(&mut model.drives[old]));
            drives.len() as u32 - 1
        });
    }
    model.drives = drives;
}
