//! What hosts read of a run: state and contacts.

use std::sync::PoisonError;

use wide::f32x4;

use crate::base::parallel;
use crate::cpu::blocks::Values;
use crate::cpu::particles::Particles;
use crate::cpu::pass::Notes;
use crate::cpu::{Group, single};
use crate::math::Vec3;
use crate::model::{Contact, Multiplier, State, Torn, mean_contacts};
use crate::solver::cpu::CpuSolver;
use crate::step::{BROKEN, Engine};

impl CpuSolver {
    /// Where particles are at the end of the last frame, in the model's order, m. Spare ones are included once a tear
    /// has taken them.
    pub fn positions(&self) -> Vec<[f64; 3]> {
        let Particles { x, e, .. } = &self.particles;
        let told = self.told();
        parallel::list(told.len(), [0.0; 3], |index| (vector(x, told[index]) + vector(e, told[index])).into())
    }

    /// How fast they are then, m/s, in the same order.
    pub fn velocities(&self) -> Vec<[f64; 3]> {
        let h = self.model.settings.substep_seconds();
        let (told, u) = (self.told(), &self.particles.u);
        parallel::list(told.len(), [0.0; 3], |index| <[f64; 3]>::from(vector(u, told[index])).map(|way| way / h))
    }

    /// The particles of fluids that are not there then, ascending.
    pub fn absent(&self) -> Vec<u32> {
        let weight = |particle: u32| self.particles.x[self.slot_of[particle as usize] as usize].to_array()[3];
        self.model.absent(|particle| weight(particle) == 0.0)
    }

    /// How bodies hang together then, if anything has broken.
    pub fn torn(&self) -> Option<Torn> {
        self.tearable.as_ref().and_then(|tearable| tearable.tear.torn())
    }

    /// The slots of the particles that are reported.
    fn told(&self) -> &[u32] {
        let tear = self.tearable.as_ref().map(|tearable| &tearable.tear);
        &self.slot_of[..tear.map_or(self.slot_of.len(), |tear| tear.torn.inverse_masses.len())]
    }

    /// As [`Synchronous::state`](crate::step::Synchronous::state).
    pub fn state(&self) -> State {
        let rests = |of: fn(&Values) -> &[f32]| {
            let group = |Group { blocks, values }: &Group| match values.bases.is_empty() {
                true => Vec::new(),
                false => doubles(blocks.by_constraint(of(values), blocks.kind.rest().len())),
            };
            self.groups.iter().map(group).collect()
        };
        let mut state = State {
            seconds: self.seconds(),
            frame: self.frame,
            positions: self.positions(),
            velocities: self.velocities(),
            multipliers: self.groups.iter().map(|group| self.multipliers(group)).collect(),
            level_forces: match self.model.settings.mean_forces {
                true => self.level_forces(),
                false => Vec::new(),
            },
            rest: rests(|values| &values.rest),
            rest_bases: rests(|values| &values.bases),
            past: Vec::new(),
            contacts: u64::from(self.status.contacts),
            torn: self.torn(),
            absent: self.absent(),
            spares_needed: self.tearable.as_ref().map_or(0, |tearable| tearable.tear.needed),
            ..State::default()
        };
        self.passes_made().for_each(|pass| pass.tell(&mut state));
        state
    }

    /// What levels pulled each particle by in the last frame, on the mean, N; nothing where no host asks for it.
    pub(crate) fn level_forces(&self) -> Vec<[f64; 3]> {
        let (substeps, h) = (self.model.settings.substeps, self.model.settings.implicit_seconds());
        let mut forces = self.passes_made().map(|pass| pass.mean_forces(&self.slot_of, &self.particles.x, substeps, h));
        forces.find(|forces| !forces.is_empty()).unwrap_or_default()
    }

    pub(crate) fn multipliers(&self, Group { blocks, values }: &Group) -> Vec<Multiplier> {
        let substeps = f64::from(self.model.settings.substeps);
        let summing = blocks.needs.summing;
        blocks.told(blocks.kind.components(), Multiplier::default(), |index| {
            let last = values.lambdas[index];
            let mean = if summing { f64::from(values.sums[index]) / substeps } else { f64::from(last) };
            match last == BROKEN {
                true => Multiplier { broken: true, ..Multiplier::default() },
                false => Multiplier { last: f64::from(last), mean, broken: false },
            }
        })
    }

    /// As [`Synchronous::contacts`](crate::step::Synchronous::contacts); all of them are reported.
    pub fn contacts(&self) -> Vec<Contact> {
        let Particles { x, e, properties, .. } = &self.particles;
        let ball = |particle: u32| {
            let slot = self.slot_of[particle as usize] as usize;
            let [high, low] = [x, e].map(|list| single::double(list[slot]));
            let radius = self.model.collider_radius(&self.model.bodies[properties[slot].body as usize]);
            (<[f64; 3]>::from(high + low), f64::from(radius as f32))
        };
        let mut all = Vec::new();
        if let Some(presses) = &self.presses {
            presses.iter().for_each(|own| all.extend_from_slice(&own.lock().unwrap_or_else(PoisonError::into_inner)));
            return mean_contacts(all, self.model.settings.substeps, ball);
        }
        let notes = Notes { particle_of: &self.particle_of, substep: 0, per_square: self.per_square };
        self.passes_made().for_each(|pass| pass.presses(&notes, &mut all));
        mean_contacts(all, 1, ball)
    }
}

fn vector(list: &[f32x4], slot: u32) -> Vec3<f64> {
    single::double(list[slot as usize])
}

fn doubles(values: Vec<f32>) -> Vec<f64> {
    values.into_iter().map(f64::from).collect()
}
