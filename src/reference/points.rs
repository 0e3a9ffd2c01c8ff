//! The particles: where they are, where they would go, and what speed comes of it.

use crate::constraint::Vec3;
use crate::model::{Drive, Model, Particles};

/// The particles of a model in its order.
pub(super) struct Points {
    /// Where the scene put them, m.
    placed: Vec<Vec3<f64>>,
    /// 1/kg
    pub inverse_masses: Vec<f64>,
    /// At the start of the substep, m.
    pub starts: Vec<Vec3<f64>>,
    /// As solved so far, m.
    pub positions: Vec<Vec3<f64>>,
    /// At the end of the substep before, m/s.
    pub velocities: Vec<Vec3<f64>>,
}

impl Points {
    pub fn new(particles: &Particles) -> Self {
        let positions: Vec<Vec3<f64>> = particles.positions.iter().map(|&p| p.into()).collect();
        Self {
            placed: positions.clone(),
            inverse_masses: particles.inverse_masses.clone(),
            starts: positions.clone(),
            velocities: particles.velocities.iter().map(|&v| v.into()).collect(),
            positions,
        }
    }

    /// Moves every particle to where it would be at the time `end` without constraints; fixed ones to where they must be.
    /// `pushes` change velocities before, m/s; empty for none.
    pub fn predict(&mut self, model: &Model, h: f64, end: f64, pushes: &[Vec3<f64>]) {
        let gravity = Vec3::from(model.world.gravity);
        let force = |drive: &Drive| Vec3::from(drive.force(end));
        let forces: Vec<Vec3<f64>> = model.drives.iter().map(force).collect();
        let motion = |drive: &Drive| drive.motion.as_ref().map(|motion| Vec3::from(motion.at(end)));
        let motions: Vec<Option<Vec3<f64>>> = model.drives.iter().map(motion).collect();

        self.starts.copy_from_slice(&self.positions);
        for i in 0..self.positions.len() {
            let drive = model.particles.drives[i] as usize;
            let w = self.inverse_masses[i];
            if w > 0.0 {
                let push = pushes.get(i).copied().unwrap_or(Vec3::zero());
                let velocity = self.velocities[i] + push + (gravity + forces[drive] * w) * h;
                self.positions[i] += limited(velocity, model.world.max_speed) * h;
            } else if let Some(motion) = motions[drive] {
                self.positions[i] = self.placed[i] + motion;
            }
        }
    }

    /// Puts one particle where another is, as fast as that.
    pub fn copy(&mut self, from: usize, to: usize) {
        for all in [&mut self.placed, &mut self.starts, &mut self.positions, &mut self.velocities] {
            all[to] = all[from];
        }
    }

    /// Velocities from what the substep moved.
    pub fn finish(&mut self, h: f64) {
        for i in 0..self.positions.len() {
            self.velocities[i] = (self.positions[i] - self.starts[i]) * (1.0 / h);
        }
    }
}

/// A velocity cut to the speed limit.
fn limited(velocity: Vec3<f64>, max_speed: Option<f64>) -> Vec3<f64> {
    let speed = velocity.length();
    match max_speed {
        Some(limit) if speed > limit => velocity * (limit / speed),
        _ => velocity,
    }
}
