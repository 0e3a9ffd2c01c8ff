//! What bodies that tear have in common: the keys that say how strong they are, and their spare particles.

use super::super::check;
use super::super::error::{Path, SceneError};
use super::local::Local;
use super::{Builder, MAX_PARTICLES};
use crate::model::Method;

/// The key that says how strong a body is, and what it says.
pub(in crate::scene) struct Strength<'a> {
    pub key: &'static str,
    pub given: Option<f64>,
    pub range: &'a check::Range,
    pub what: &'static str,
}

impl Builder<'_> {
    /// The force or stress at which a body breaks, if it does.
    pub fn strength(&self, at: &Path, of: Strength, spares: Option<u32>) -> Result<Option<f64>, SceneError> {
        let Strength { key, given, range, what } = of;
        let Some(given) = given else {
            return match spares {
                None => Ok(None),
                Some(_) => {
                    let message = format!("apply to {what} that tears; give it a {key}, or remove them");
                    Err(SceneError::key(&at.key("spare_particles"), message))
                }
            };
        };
        let at = at.key(key);
        if self.scene.settings.method == Method::Jacobi {
            let message = "needs solver.method = \"gauss-seidel\": the lists of Jacobi cannot follow a tear; set it, \
                           or remove this key";
            return Err(SceneError::new(&at, message));
        }
        check::number(&at, given, range).map(Some)
    }

    /// How many particles to reserve for the tears of a body.
    pub fn spares(&self, at: &Path, given: Option<u32>, local: &Local) -> Result<u32, SceneError> {
        let spares = given.unwrap_or(local.mesh.positions.len() as u32);
        let at = at.key("spare_particles");
        check::number(&at, spares.into(), &check::SPARES)?;
        let particles = self.model.particles.len() as u64 + u64::from(self.spares) + u64::from(spares);
        match particles > MAX_PARTICLES {
            false => Ok(spares),
            true => {
                let message = format!(
                    "make {particles} particles, and a scene can have at most {MAX_PARTICLES}; give \
                     fewer"
                );
                Err(SceneError::new(&at, message))
            }
        }
    }

    /// Adds the spare particles behind those of all bodies: fixed, and where they are in nobody's way.
    pub fn reserve_spares(&mut self) {
        let Some(tearing) = &mut self.model.tearing else { return };
        let particles = &mut self.model.particles;
        let (first, count) = (particles.len() as u32, self.spares as usize);
        tearing.spares = first..first + self.spares;
        // Within the bounds of what is there, and of a body, as every particle must be; a tear overwrites both.
        let vertex = tearing.vertices().first().map_or(0, |&vertex| vertex as usize);
        particles.positions.extend(std::iter::repeat_n(particles.positions[vertex], count));
        particles.bodies.extend(std::iter::repeat_n(particles.bodies[vertex], count));
        particles.velocities.extend(std::iter::repeat_n([0.0; 3], count));
        particles.inverse_masses.extend(std::iter::repeat_n(0.0, count));
        particles.drives.extend(std::iter::repeat_n(0, count));
    }
}
