//! The particles: where they are, where they would go, and what speed comes of it.

use crate::math::Vec3;
use crate::model::{Drive, Integrator, Model, Particles};

/// The particles of a model in its order.
pub struct Points {
    /// Where the scene put them, m.
    placed: Vec<Vec3<f64>>,
    /// 1/kg
    pub inverse_masses: Vec<f64>,
    /// At the start of the substep, m; with BDF2 x̄. Velocities are taken from there.
    pub starts: Vec<Vec3<f64>>,
    /// As solved so far, m.
    pub positions: Vec<Vec3<f64>>,
    /// At the end of the substep before, m/s.
    pub velocities: Vec<Vec3<f64>>,
    /// What BDF2 knows of the substep before the last; `None` where its next substep is to be Euler's.
    pub past: Option<Past>,
    /// Of a substep of BDF2 that is being solved: where and how fast each particle was at its beginning.
    beginning: Option<Past>,
}

/// Where the particles were, m, and how fast, m/s.
#[derive(Clone, Default)]
pub struct Past {
    pub positions: Vec<Vec3<f64>>,
    pub velocities: Vec<Vec3<f64>>,
}

impl Points {
    /// As the model places them.
    pub fn new(particles: &Particles) -> Self {
        let positions: Vec<Vec3<f64>> = particles.positions.iter().map(|&p| p.into()).collect();
        Self {
            placed: positions.clone(),
            inverse_masses: particles.inverse_masses.clone(),
            starts: positions.clone(),
            velocities: particles.velocities.iter().map(|&v| v.into()).collect(),
            past: None,
            beginning: None,
            positions,
        }
    }

    /// Moves every particle to where it would be at the time `end` without constraints; fixed ones to where they must
    /// be. `pushes` change velocities before, m/s; empty for none. `h` is the time in which forces change velocities.
    pub fn predict(&mut self, model: &Model, h: f64, end: f64, pushes: &[Vec3<f64>]) {
        let gravity = Vec3::from(model.world.gravity);
        let force = |drive: &Drive| Vec3::from(drive.force(end));
        let forces: Vec<Vec3<f64>> = model.drives.iter().map(force).collect();
        let motion = |drive: &Drive| drive.way(end).map(Vec3::from);
        let motions: Vec<Option<Vec3<f64>>> = model.drives.iter().map(motion).collect();

        let bdf2 = model.settings.integrator == Integrator::Bdf2;
        self.beginning = bdf2.then(|| Past { positions: self.positions.clone(), velocities: self.velocities.clone() });
        self.starts.copy_from_slice(&self.positions);
        if let Some(past) = &self.past {
            self.starts = means(&self.positions, &past.positions);
        }
        let velocities = self.velocities_without_forces();
        for (i, &before) in velocities.iter().enumerate() {
            let drive = model.particles.drives[i] as usize;
            let w = self.inverse_masses[i];
            if w > 0.0 {
                let push = pushes.get(i).copied().unwrap_or(Vec3::zero());
                let velocity = before + push + (gravity + forces[drive] * w) * h;
                self.positions[i] = self.starts[i] + limited(velocity, model.world.max_speed) * h;
            } else if let Some(motion) = motions[drive] {
                self.positions[i] = self.placed[i] + motion;
            }
        }
    }

    /// Moves what follows an animation to this share of its way from the beginning to the end of a frame, s.
    pub fn animate(&mut self, model: &Model, [begin, end]: [f64; 2], share: f64) {
        for animation in &model.animations {
            let ways = animation.at(begin).zip(animation.at(end));
            for (&particle, (from, to)) in animation.particles.iter().zip(ways) {
                let (i, from, to) = (particle as usize, Vec3::from(from), Vec3::from(to));
                if self.inverse_masses[i] == 0.0 {
                    self.positions[i] = self.placed[i] + from + (to - from) * share;
                }
            }
        }
    }

    /// v̄, which without forces velocities would be at the end of the substep, m/s.
    pub fn velocities_without_forces(&self) -> Vec<Vec3<f64>> {
        match &self.past {
            Some(past) => means(&self.velocities, &past.velocities),
            None => self.velocities.clone(),
        }
    }

    /// Where the particles were as the substep began, m.
    pub fn beginnings(&self) -> &[Vec3<f64>] {
        self.beginning.as_ref().map_or(&self.starts, |beginning| &beginning.positions)
    }

    /// Puts one particle where another is, as fast as that.
    pub fn copy(&mut self, from: usize, to: usize) {
        for all in [&mut self.placed, &mut self.starts, &mut self.positions, &mut self.velocities] {
            all[to] = all[from];
        }
        if let Some(past) = &mut self.past {
            past.positions[to] = past.positions[from];
            past.velocities[to] = past.velocities[from];
        }
    }

    /// Velocities from what the substep moved.
    pub fn finish(&mut self, h: f64) {
        for i in 0..self.positions.len() {
            self.velocities[i] = (self.positions[i] - self.starts[i]) * (1.0 / h);
        }
        self.past = self.beginning.take();
    }

    /// Changes the velocity of a particle by an impulse at the end of a substep of `h` s. With BDF2 what follows is the
    /// motion that was, and a uniform one by which it differs: so it is taken to have been before.
    pub fn push(&mut self, i: usize, change: Vec3<f64>, h: f64) {
        self.velocities[i] += change;
        if let Some(past) = &mut self.past {
            past.velocities[i] += change;
            past.positions[i] += change * -h;
        }
    }

    /// Gives a particle another velocity along a normal, or with this velocity a new beginning. No formula may look
    /// across a jump: before it is taken to have gone along the normal uniformly, or altogether so that `fall` is what
    /// its way grew by in a substep, m: by gravity after an impact. (With a uniform past BDF2 takes a third of g h less
    /// off what leaves upwards, and a bouncing ball gains energy.)
    pub fn strike(&mut self, i: usize, velocity: Vec3<f64>, along: Option<Vec3<f64>>, fall: Vec3<f64>, h: f64) {
        self.velocities[i] = velocity;
        if let Some(past) = &mut self.past {
            let fall = if along.is_some() { Vec3::zero() } else { fall };
            let before = velocity - fall * (1.0 / h);
            let place = self.positions[i] - velocity * h + fall * 0.5;
            let [v, x] = [before - past.velocities[i], place - past.positions[i]];
            let part = |change: Vec3<f64>| along.map_or(change, |n| n * n.dot(change));
            past.velocities[i] += part(v);
            past.positions[i] += part(x);
        }
    }
}

/// (4x - x₋₁)/3
fn means(now: &[Vec3<f64>], before: &[Vec3<f64>]) -> Vec<Vec3<f64>> {
    now.iter().zip(before).map(|(&now, &before)| now + (now - before) * (1.0 / 3.0)).collect()
}

/// A velocity cut to the speed limit.
fn limited(velocity: Vec3<f64>, max_speed: Option<f64>) -> Vec3<f64> {
    let speed = velocity.length();
    match max_speed {
        Some(limit) if speed > limit => velocity * (limit / speed),
        _ => velocity,
    }
}
