//! The work that is done on a model from outside within a frame, J: by forces, wind, pins that move, rest values that
//! change, and colliders that move or push bodies out that begin inside them. Gravity is not among them: it has an
//! energy.

use std::collections::HashMap;

use super::holds::{Island, islands};
use super::mean_forces;
use crate::law::air;
use crate::math::Vec3;
use crate::math::rotation::{inverse, product, vector};
use crate::model::{Against, Collider, Contact, Joint, Model, State};

/// What a frame did to a model.
pub struct Frame<'a> {
    /// As torn in the state after it.
    pub model: &'a Model,
    pub before: &'a State,
    pub after: &'a State,
    /// What pressed in it; `None` where that is not known.
    pub contacts: Option<&'a [Contact]>,
    /// For each body whether it begins inside a collider.
    pub inside: &'a [bool],
}

/// Work of a frame, J.
#[derive(Clone, Copy, Default)]
pub struct Work {
    /// What was put in, less what was taken out.
    pub sum: f64,
    /// The sum of the amounts.
    pub turnover: f64,
}

impl Work {
    fn add(&mut self, work: f64) {
        self.sum += work;
        self.turnover += work.abs();
    }
}

/// Whether colliders do work on what touches them.
pub fn has_moving_colliders(model: &Model) -> bool {
    model.colliders.iter().any(|collider| !collider.stands() && !collider.trigger)
}

/// Whether fixed particles move, and do work on what is tied to them.
pub fn has_moving_pins(model: &Model) -> bool {
    let particles = &model.particles;
    let animated = model.animations.iter().any(|animation| animation.samples() > 1);
    let mut all = particles.inverse_masses.iter().zip(&particles.drives);
    animated || all.any(|(&w, &drive)| w == 0.0 && model.drives[drive as usize].moves())
}

/// Whether the air does work: where it stands it takes energy only.
pub fn has_wind(model: &Model) -> bool {
    model.world.wind != [0.0; 3] && model.world.air_density > 0.0 && air::acts(model)
}

/// Whether rest values change.
pub fn has_changing_rest(model: &Model) -> bool {
    model.groups.iter().any(|group| group.rest_changes(&model.materials))
}

/// Whether particles may touch others, and with them fixed ones that move.
pub fn has_touching(model: &Model) -> bool {
    model.bodies.iter().any(|body| body.radius > 0.0 && (body.self_collision || model.bodies.len() > 1))
}

impl Frame<'_> {
    /// Of all that acts from outside. `None` where that cannot be told.
    pub fn work(&self) -> Option<Work> {
        // What motors and actuated rods do, and what soft joints store, nobody counts.
        let unknown = |joint: &Joint| joint.motor.is_some() || joint.compliance > 0.0;
        let rods = &self.model.rods;
        if rods.iter().any(|rod| rod.is_actuated() || rod.is_turned(self.model))
            || self.model.joints.iter().any(unknown)
        {
            return None;
        }
        // Walls press on fluids without contact.
        if !self.model.fluids.is_empty() && (has_moving_colliders(self.model) || has_moving_pins(self.model)) {
            return None;
        }
        let mut work = Work::default();
        self.of_forces(&mut work);
        if has_wind(self.model) {
            work.add(self.of_wind());
        }
        if has_changing_rest(self.model) {
            self.of_rest(&mut work);
        }
        let ways = self.ways_of_pins();
        if !ways.is_empty() {
            self.of_pins(&ways, &mut work)?;
        }
        if has_moving_colliders(self.model)
            || self.inside.contains(&true)
            || !ways.is_empty() && has_touching(self.model)
        {
            self.of_contacts(self.contacts?, &ways, &mut work);
        }
        Some(work)
    }

    fn seconds(&self) -> f64 {
        self.after.seconds - self.before.seconds
    }

    /// Of a particle in the frame, m. What a tear has added was nowhere before.
    fn way(&self, particle: usize) -> Vec3<f64> {
        let after = Vec3::from(self.after.positions[particle]);
        self.before.positions.get(particle).map_or(Vec3::zero(), |&before| after - before.into())
    }

    /// F·Δx, with the largest of the forces at the frame's beginning, middle and end.
    fn of_forces(&self, work: &mut Work) {
        let times = [0.0, 0.5, 1.0].map(|share| self.before.seconds + share * self.seconds());
        let of_drive = |drive: &crate::model::Drive| {
            (!drive.forces.is_empty()).then(|| times.map(|time| Vec3::from(drive.force(time))))
        };
        let forces: Vec<Option<[Vec3<f64>; 3]>> = self.model.drives.iter().map(of_drive).collect();
        if forces.iter().all(Option::is_none) {
            return;
        }
        let particles = &self.model.particles;
        for particle in 0..self.after.positions.len() {
            let free = particles.inverse_masses[particle] > 0.0;
            if let Some(forces) = forces[particles.drives[particle] as usize].filter(|_| free) {
                let way = self.way(particle);
                work.add(forces.map(|force| force.dot(way)).into_iter().fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }

    /// At most: the air takes energy from what moves against it, so that F·v is no more than F·u with the wind u.
    fn of_wind(&self) -> f64 {
        let power = |state: &State| {
            let vectors = |list: &[[f64; 3]]| list.iter().map(|&v| Vec3::from(v)).collect::<Vec<_>>();
            let forces = air::forces(self.model, &vectors(&state.positions), &vectors(&state.velocities));
            let free = forces.iter().zip(&self.model.particles.inverse_masses).filter(|(_, w)| **w > 0.0);
            free.map(|((force, _), _)| force.dot(self.model.world.wind.into())).sum::<f64>()
        };
        let before = if self.before.positions.len() == self.after.positions.len() { power(self.before) } else { 0.0 };
        self.seconds() * before.max(power(self.after)).max(0.0)
    }

    /// λ/H² for each unit by which a rest value grows, with the mean multipliers of the frame.
    fn of_rest(&self, work: &mut Work) {
        let per_square = self.model.settings.implicit_seconds().powi(2).recip();
        for (index, group) in self.model.groups.iter().enumerate() {
            if !group.rest_changes(&self.model.materials) {
                continue;
            }
            let components = group.kind.components();
            for constraint in 0..group.len() {
                let rest = |state: &State| state.rest_of(self.model, index, constraint).to_vec();
                let (before, after) = (rest(self.before), rest(self.after));
                let scale = group.kind.rest_scale().map_or(1.0, |scale| after[scale]);
                let multipliers = &self.after.multipliers[index][constraint * components..][..components];
                for (multiplier, rest) in multipliers.iter().zip(group.kind.changing_rest()) {
                    if !multiplier.broken {
                        work.add(multiplier.mean * per_square * scale * (after[rest] - before[rest]));
                    }
                }
            }
        }
    }

    /// The ways of fixed particles that move.
    fn ways_of_pins(&self) -> HashMap<u32, Vec3<f64>> {
        let masses = &self.model.particles.inverse_masses;
        let fixed = (0..self.after.positions.len()).filter(|&particle| masses[particle] == 0.0);
        let ways = fixed.map(|particle| (particle as u32, self.way(particle)));
        ways.filter(|(_, way)| way.dot(*way) > 0.0).collect()
    }

    /// Of what hangs by fixed particles that move. Where all that hold it move alike, it is their velocity times the
    /// impulse that they gave: seen from them, who then stand, they do no work. `None` where it cannot be told.
    fn of_pins(&self, ways: &HashMap<u32, Vec3<f64>>, work: &mut Work) -> Option<()> {
        let moves = |island: &Island| island.holds.iter().any(|particle| ways.contains_key(particle));
        for island in islands(self.model, self.before).iter().filter(|island| moves(island)) {
            if !island.holds.iter().all(|&particle| self.goes_evenly(particle)) {
                return None;
            }
            match self.common_way(island, ways).zip(self.known_contacts()) {
                Some((way, contacts)) => {
                    let impulse = island.impulse(self.model, [self.before, self.after], contacts);
                    work.add(impulse.dot(way) / self.seconds());
                }
                None => self.of_constraints(island, ways, work)?,
            }
        }
        Some(())
    }

    /// What pressed, where that is known or nothing could.
    fn known_contacts(&self) -> Option<&[Contact]> {
        let nothing = self.model.colliders.is_empty() && !has_touching(self.model);
        self.contacts.or(if nothing { Some(&[]) } else { None })
    }

    /// Whether a fixed particle is in the middle of its way in the middle of the frame, to a twentieth: else its force
    /// is not one that goes with all of it.
    fn goes_evenly(&self, particle: u32) -> bool {
        let drive = &self.model.drives[self.model.particles.drives[particle as usize] as usize];
        let way = |share: f64| drive.way(self.before.seconds + share * self.seconds()).map(Vec3::from);
        let [Some(start), Some(middle), Some(end)] = [0.0, 0.5, 1.0].map(way) else { return true };
        let way = end - start;
        (middle - start - way * 0.5).length() <= 0.025 * way.length()
    }

    /// The one way of all that hold an island, if it is one. A limit of speeds takes momentum, too.
    fn common_way(&self, island: &Island, ways: &HashMap<u32, Vec3<f64>>) -> Option<Vec3<f64>> {
        let way = |particle: u32| ways.get(&particle).copied().unwrap_or(Vec3::zero());
        let first = way(*island.holds.first()?);
        let near = |other: Vec3<f64>| (other - first).length() <= 1e-6 * first.length();
        let all = island.holds.iter().all(|&particle| near(way(particle)));
        (all && !self.may_limit_speeds(island)).then_some(first)
    }

    /// Whether something of an island comes near the limit of speeds: to half of it at either end, since it may be
    /// faster within the frame.
    fn may_limit_speeds(&self, island: &Island) -> bool {
        let fastest = |state: &State| {
            let speeds = island.free.iter().map(|&particle| Vec3::from(state.velocities[particle as usize]).length());
            speeds.fold(0.0, f64::max)
        };
        self.model.world.max_speed.is_some_and(|limit| fastest(self.before).max(fastest(self.after)) > 0.5 * limit)
    }

    /// Against what constraints of an island exert on fixed particles that move, by their mean forces. `None` where
    /// levels, or shapes without compliance, hide what those bear.
    fn of_constraints(&self, island: &Island, ways: &HashMap<u32, Vec3<f64>>, work: &mut Work) -> Option<()> {
        let pulled = |&particle: &u32| self.after.level_forces.get(particle as usize).is_some_and(|f| *f != [0.0; 3]);
        if island.hides_forces(self.model) || island.free.iter().any(pulled) {
            return None;
        }
        let h = self.model.settings.implicit_seconds();
        for &(index, constraint) in &island.constraints {
            let group = &self.model.groups[index];
            let particles = group.particles_of(constraint);
            if !particles.iter().any(|particle| ways.contains_key(particle)) {
                continue;
            }
            let components = group.kind.components();
            let multipliers = &self.after.multipliers[index][constraint * components..][..components];
            let rest = self.after.rest_of(self.model, index, constraint);
            let forces = mean_forces(group, constraint, rest, multipliers, &self.after.positions, h);
            for (particle, force) in particles.iter().zip(forces) {
                if let Some(way) = ways.get(particle) {
                    work.add(-force.dot(*way));
                }
            }
        }
        Some(())
    }

    /// Of surfaces that move or push bodies out that begin inside them, and of fixed particles that touch free ones, by
    /// the mean forces of contacts.
    fn of_contacts(&self, contacts: &[Contact], ways: &HashMap<u32, Vec3<f64>>, work: &mut Work) {
        let masses = &self.model.particles.inverse_masses;
        for contact in contacts {
            let force = Vec3::from(contact.normal) * contact.force + contact.friction.into();
            match contact.against {
                Against::Collider(index) if masses[contact.particle as usize] > 0.0 => {
                    let collider = &self.model.colliders[index as usize];
                    if !collider.stands() {
                        work.add(force.dot(self.way_of_surface(collider, contact.point.into())));
                    }
                    let body = self.model.particles.bodies[contact.particle as usize] as usize;
                    if self.inside[body] {
                        work.add(contact.force * self.way_out(collider, contact.particle as usize));
                    }
                }
                Against::Particle(other) => {
                    let way = |particle: u32| ways.get(&particle).copied().unwrap_or(Vec3::zero());
                    let (mine, theirs) = (way(contact.particle), way(other));
                    work.add(force.dot(theirs - mine));
                }
                _ => {}
            }
        }
    }

    /// How far a particle comes out of a collider in the frame, m: by how much its depth decreases.
    fn way_out(&self, collider: &Collider, particle: usize) -> f64 {
        let radius = self.model.collider_radius(&self.model.bodies[self.model.particles.bodies[particle] as usize]);
        let depth = |state: &State| {
            let place = *state.positions.get(particle)?;
            Some((collider.thickness + radius - collider.distance(state.seconds, place).1).max(0.0))
        };
        depth(self.before).zip(depth(self.after)).map_or(0.0, |(before, after)| before - after)
    }

    /// Of a collider's surface at a point in the frame, m.
    fn way_of_surface(&self, collider: &Collider, point: Vec3<f64>) -> Vec3<f64> {
        let [from, to] = [self.before.seconds, self.after.seconds];
        let [start, end] = [from, to].map(|time| Vec3::from(collider.position_at(time)));
        let rotation = collider.rotation_at(to);
        let turn = Vec3::from(vector(product(rotation, inverse(collider.rotation_at(from)))));
        let belt = Vec3::from(crate::math::rotation::rotate(rotation, collider.belt));
        (end - start) + turn.cross(point - (start + end) * 0.5) + belt * (to - from)
    }
}
