//! Where particles are and how they move: sums over all of them.

use std::ops::Range;

use crate::base::parallel;
use crate::math::Vec3;
use crate::model::{Model, State};

/// Of all particles the bounds; the rest of the free ones.
pub struct Motion {
    pub min: [f64; 3],
    pub max: [f64; 3],
    pub centroid: Vec3<f64>,
    pub momentum: Vec3<f64>,
    /// About the centroid.
    pub angular_momentum: Vec3<f64>,
    pub kinetic_energy: f64,
    pub gravity_energy: f64,
    pub max_speed: f64,
}

impl Motion {
    pub fn of(model: &Model, state: &State) -> Self {
        let centroid = centroid(model, state);
        let blocks = parallel::blocks(state.positions.len(), parallel::LEAST, |block| {
            let mut motion = Self::none(centroid);
            motion.add_block(model, state, block);
            motion
        });
        blocks.fold(Self::none(centroid), Self::with)
    }

    fn none(centroid: Vec3<f64>) -> Self {
        Self {
            min: [f64::INFINITY; 3],
            max: [f64::NEG_INFINITY; 3],
            centroid,
            momentum: Vec3::zero(),
            angular_momentum: Vec3::zero(),
            kinetic_energy: 0.0,
            gravity_energy: 0.0,
            max_speed: 0.0,
        }
    }

    fn add_block(&mut self, model: &Model, state: &State, block: Range<usize>) {
        let gravity = Vec3::from(model.world.gravity);
        for x in &state.positions[block.clone()] {
            self.min = std::array::from_fn(|i| self.min[i].min(x[i]));
            self.max = std::array::from_fn(|i| self.max[i].max(x[i]));
        }
        for (mass, x, v) in free(model, state, block) {
            self.momentum += v * mass;
            self.angular_momentum += (x - self.centroid).cross(v) * mass;
            self.kinetic_energy += 0.5 * mass * v.dot(v);
            self.gravity_energy -= mass * gravity.dot(x);
            self.max_speed = self.max_speed.max(v.length());
        }
    }

    /// Of these particles and others.
    fn with(self, other: Self) -> Self {
        Self {
            min: std::array::from_fn(|i| self.min[i].min(other.min[i])),
            max: std::array::from_fn(|i| self.max[i].max(other.max[i])),
            centroid: self.centroid,
            momentum: self.momentum + other.momentum,
            angular_momentum: self.angular_momentum + other.angular_momentum,
            kinetic_energy: self.kinetic_energy + other.kinetic_energy,
            gravity_energy: self.gravity_energy + other.gravity_energy,
            max_speed: self.max_speed.max(other.max_speed),
        }
    }
}

/// Mass, position and velocity of each free particle of some.
fn free(model: &Model, state: &State, block: Range<usize>) -> impl Iterator<Item = (f64, Vec3<f64>, Vec3<f64>)> {
    let inverse_masses = &model.particles.inverse_masses[block.clone()];
    let particles = inverse_masses.iter().zip(&state.positions[block.clone()]).zip(&state.velocities[block]);
    particles.filter(|((w, _), _)| **w > 0.0).map(|((w, &x), &v)| (1.0 / w, x.into(), v.into()))
}

/// The centre of mass of the free particles; where all are fixed, the mean of all positions.
fn centroid(model: &Model, state: &State) -> Vec3<f64> {
    let add = |(sum, total): (Vec3<f64>, f64), (weighted, mass): (Vec3<f64>, f64)| (sum + weighted, total + mass);
    let none = (Vec3::zero(), 0.0);
    let of_free = |block| free(model, state, block).map(|(mass, x, _)| (x * mass, mass)).fold(none, add);
    let (sum, total) = parallel::blocks(state.positions.len(), parallel::LEAST, of_free).fold(none, add);
    if total > 0.0 {
        return sum * (1.0 / total);
    }
    let (sum, total) = state.positions.iter().map(|&x| (x.into(), 1.0)).fold(none, add);
    sum * (1.0 / total)
}
