//! Rigid bodies that turn freely, as the reference and the CPU engine predict them.

use crate::law::rigid::free_turn;
use crate::math::Vec3;
use crate::math::turn::Quaternion;
use crate::model::{Integrator, Model};

/// A free rigid body: its particles, as an engine numbers them, with their shares of the mass.
pub struct Turning {
    members: Vec<(u32, f64)>,
}

/// What an engine knows of particles as a substep begins, m.
pub trait Predicted {
    /// From where one particle was to where another was.
    fn between(&self, from: u32, to: u32) -> Vec3<f64>;
    /// How far a particle was predicted to go.
    fn way(&self, particle: u32) -> Vec3<f64>;
    /// Predicts it elsewhere.
    fn set_way(&mut self, particle: u32, way: Vec3<f64>);
}

/// Whether bodies of a model are turned: BDF2 has a prediction of its own.
pub fn turns(model: &Model) -> bool {
    model.settings.integrator == Integrator::Euler && !model.rigid.is_empty()
}

/// All free rigid bodies of a model; `number_of`: how an engine numbers a particle of the model.
pub fn all(model: &Model, number_of: impl Fn(u32) -> u32) -> Vec<Turning> {
    if !turns(model) {
        return Vec::new();
    }
    free_bodies(model)
        .map(|members| Turning { members: members.map(|(particle, share)| (number_of(particle), share)).collect() })
        .collect()
}

/// The particles of each rigid body that is free, with their shares of its mass.
pub fn free_bodies(model: &Model) -> impl Iterator<Item = impl Iterator<Item = (u32, f64)>> {
    let weight = |particle: u32| model.particles.inverse_masses[particle as usize];
    let free = model.rigid.iter().filter(move |rigid| rigid.particles.iter().all(|&particle| weight(particle) > 0.0));
    free.map(move |rigid| {
        let whole: f64 = rigid.particles.iter().map(|&particle| 1.0 / weight(particle)).sum();
        rigid.particles.iter().map(move |&particle| (particle, 1.0 / (weight(particle) * whole)))
    })
}

impl Turning {
    /// Turns it as one, with the momenta with which its particles were predicted along straight ways.
    pub fn predict(&self, particles: &mut impl Predicted) {
        let first = self.members[0].0;
        // Relative to one of them: what all do alike then stays as it is, to the last bit.
        let (mut drift, mut centre) = (Vec3::zero(), Vec3::zero());
        for &(particle, share) in &self.members {
            drift += (particles.way(particle) - particles.way(first)) * share;
            centre += particles.between(first, particle) * share;
        }
        let shift = particles.way(first) + drift;
        let (mut momentum, mut inertia) = (Vec3::zero(), [Vec3::zero(); 3]);
        for &(particle, share) in &self.members {
            let lever = particles.between(first, particle) - centre;
            momentum += lever.cross(particles.way(particle) - shift) * share;
            for (axis, along) in [lever.x, lever.y, lever.z].into_iter().enumerate() {
                inertia[axis] += (Vec3::axis(axis) * lever.dot(lever) - lever * along) * share;
            }
        }
        let turn = Quaternion::of_turn(free_turn(inertia, momentum));
        for &(particle, _) in &self.members {
            let lever = particles.between(first, particle) - centre;
            let twice = turn.vector.cross(lever) * 2.0;
            particles.set_way(particle, shift + twice * turn.scalar + turn.vector.cross(twice));
        }
    }

    /// Its memory, bytes.
    #[cfg(feature = "cpu")]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.members)
    }
}
