//! What presses, as it is read.

use std::sync::PoisonError;

use super::CpuSolver;
use super::contact::{Lists, locked};
use super::pairs::{Pairs, Pressing};
use super::{particles::Particles, single};
use crate::model::{Against, Contact, Press, mean_contacts};

/// How the contacts of a substep become what is told of them.
pub struct Notes<'a> {
    pub particle_of: &'a [u32],
    pub substep: u32,
    /// 1/H²
    pub per_square: f64,
}

impl Notes<'_> {
    /// Of particles with colliders.
    pub fn of_colliders(&self, lists: &Lists, presses: &mut Vec<Press>) {
        presses.extend(lists.felt().map(|(slot, contact)| {
            let collider = contact.collider();
            let against = if contact.is_within() { Against::Trigger(collider) } else { Against::Collider(collider) };
            let forces = self.forces(contact.normal(), contact.multipliers());
            Press::new(self.particle_of[slot], against, forces, self.substep)
        }));
    }

    /// Of pairs.
    pub fn of_pairs(&self, pressing: &[Pressing], presses: &mut Vec<Press>) {
        presses.extend(pressing.iter().map(|pair| {
            let particles = pair.slots.map(|slot| self.particle_of[slot]);
            Press::between(particles, self.forces(pair.normal, pair.multipliers), self.substep)
        }));
    }

    /// Of particles with segments, by their nearer ends.
    pub fn of_segments(&self, pressing: &[Pressing], presses: &mut Vec<Press>) {
        presses.extend(pressing.iter().map(|contact| {
            let [particle, end] = contact.slots.map(|slot| self.particle_of[slot]);
            let forces = self.forces(contact.normal, contact.multipliers);
            Press::new(particle, Against::Particle(end), forces, self.substep)
        }));
    }

    fn forces(&self, normal: [f64; 3], (lambda, tangential): (f64, [f64; 3])) -> ([f64; 3], f64, [f64; 3]) {
        (normal, lambda * self.per_square, tangential.map(|lambda| lambda * self.per_square))
    }
}

impl CpuSolver {
    /// Whether [`CpuSolver::contacts`] tells of whole frames from the next step on: what presses in any of its substeps, with the means of the forces,
    /// and what is in a trigger in any of them. Otherwise, as at first, it tells of the last substep alone, which costs no step anything.
    pub fn average_contacts(&mut self, on: bool) {
        self.averages_contacts = on;
    }

    /// What presses, is held by adhesion or is in a trigger, by particle and then collider or other particle: in the last step's last substep, or in all
    /// of it ([`CpuSolver::average_contacts`]). Nothing if that was before a [`CpuSolver::restore`].
    pub fn contacts(&self) -> Vec<Contact> {
        let Particles { x, e, properties, .. } = &self.particles;
        let ball = |particle: u32| {
            let slot = self.slot_of[particle as usize] as usize;
            let [high, low] = [x, e].map(|list| single::double(list[slot]));
            (<[f64; 3]>::from(high + low), f64::from(self.surfaces[properties[slot].body as usize].radius))
        };
        let mut all = Vec::new();
        if let Some(presses) = &self.presses {
            presses.iter().for_each(|own| all.extend_from_slice(&own.lock().unwrap_or_else(PoisonError::into_inner)));
            return mean_contacts(all, self.model.settings.substeps, ball);
        }
        let notes = Notes { particle_of: &self.particle_of, substep: 0, per_square: self.per_square };
        self.contacts.iter().for_each(|lists| notes.of_colliders(&locked(lists), &mut all));
        let pressing = self.pairs.as_ref().map_or(Vec::new(), Pairs::pressing);
        notes.of_pairs(&pressing, &mut all);
        let pressing = self.pairs.as_ref().map_or(Vec::new(), Pairs::pressing_on_segments);
        notes.of_segments(&pressing, &mut all);
        mean_contacts(all, 1, ball)
    }
}
