//! What gives rigid bodies their inertia: particles inside that nothing touches and nobody sees.

use super::super::error::{Path, SceneError};
use super::{Builder, MAX_PARTICLES, ROOT, push};
use crate::constraint::{Constraint as _, ShapeMatching};
use crate::model::{self, Groups, Material};

/// The ballast of a rigid body.
#[derive(Default)]
pub(in crate::scene) struct Ballast {
    /// Index of the body that it belongs to.
    pub body: usize,
    /// Where its particles are, m; none of a body that is fixed.
    pub points: Vec<[f64; 3]>,
    /// m/s, one for each.
    pub velocities: Vec<[f64; 3]>,
    /// Of each, kg.
    pub mass: f64,
}

impl Builder<'_> {
    /// Adds the ballast of all rigid bodies behind the particles of the scene's bodies, and holds each body together.
    pub fn weigh_down(&mut self) -> Result<(), SceneError> {
        let at = ROOT.key("body");
        for ballast in std::mem::take(&mut self.rigid) {
            self.hold_rigid(&at.index(ballast.body), &ballast)?;
        }
        Ok(())
    }

    fn hold_rigid(&mut self, at: &Path, ballast: &Ballast) -> Result<(), SceneError> {
        let group = self.kind(at, ShapeMatching::NAME, ShapeMatching::LEAST)?;
        let range = self.add_ballast(at, ballast)?;
        let mut members: Vec<u32> = self.model.bodies[ballast.body].particles.clone().collect();
        members.extend(range);
        let material = self.model.materials.insert(Material { stiffness: 1.0, ..Material::default() });
        push(&mut self.model.groups[group], &self.model.particles, &members, material, |_| None);
        self.model.rigid.push(model::Rigid { body: ballast.body as u32, particles: members });
        Ok(())
    }

    fn add_ballast(&mut self, at: &Path, ballast: &Ballast) -> Result<std::ops::Range<u32>, SceneError> {
        let (first, count) = (self.model.particles.len(), ballast.points.len());
        if (first + count) as u64 > MAX_PARTICLES {
            let message = format!("the scene has more than {MAX_PARTICLES} particles; make it coarser");
            return Err(SceneError::new(at, message));
        }
        let range = first as u32..(first + count) as u32;
        if count == 0 {
            return Ok(range);
        }
        let body = self.model.bodies.len() as u32;
        let particles = &mut self.model.particles;
        particles.positions.extend(&ballast.points);
        particles.velocities.extend(&ballast.velocities);
        particles.inverse_masses.extend(vec![1.0 / ballast.mass; count]);
        particles.bodies.extend(vec![body; count]);
        particles.drives.extend(vec![0; count]);
        let of = &self.model.bodies[ballast.body].name;
        self.model.bodies.push(model::Body {
            name: format!("{of} (ballast)"),
            particles: range.clone(),
            groups: Groups { of: 0, with: 0 },
            is_ballast: true,
            ..model::Body::default()
        });
        Ok(range)
    }
}
