//! The slow, obvious, double-precision solver over the same constraints: the oracle that the GPU is tested against.
//!
//! Plain textbook form, position and velocity, constraint after constraint in exactly the plan's order:
//! `predict`, then for each iteration the constraints and the contacts, of particles with segments, with each other and
//! with colliders, then `finish`. Macklin et al., XPBD, 2016; Macklin et al., Small Steps in Physics Simulation, 2019;
//! Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020 (contacts); Müller et al.,
//! Position Based Dynamics, 2007 (damping).
//!
//! Beside it stand what it is compared with: the schemes of [`Euler`](crate::reference::Euler), and solids by
//! [`FiniteElements`](crate::reference::FiniteElements).

#[cfg(any(feature = "cpu", feature = "gpu"))]
mod engine;

use crate::measure::facet_stresses;
use crate::model::{Contact, Model, Press, State, mean_contacts};
use crate::plan::Plan;

use super::in_order;
use crate::math::Vec3;
use crate::pass::Pass;
use crate::pass::tear::topology::Tear;
use crate::reference::pass::{self, Substep};
use crate::reference::points::{Past, Points};
use crate::reference::sweep::Sweep;

/// As in [`State`], of the particles that there are.
fn past_of(past: &Past) -> Vec<[[f64; 3]; 2]> {
    past.positions.iter().zip(&past.velocities).map(|(&x, &v)| [x.into(), v.into()]).collect()
}

/// Another model, with the world and the drives of the one before, which a host may have changed.
fn in_world_of(before: &Model, model: Model) -> Model {
    Model { world: before.world.clone(), drives: before.drives.clone(), ..model }
}

/// A simulation in double precision on the CPU.
pub struct Reference {
    pub(crate) model: Model,
    pub(crate) points: Points,
    pub(crate) sweep: Sweep,
    /// In the order of a substep.
    pub(crate) passes: Vec<Box<dyn pass::Pass>>,
    pub(crate) tear: Option<Tear>,
    /// Where surfaces can be torn: the model before they were.
    pub(crate) beginning: Option<Box<Model>>,
    /// Frames done.
    pub(crate) frame: u64,
    pub(crate) averages_contacts: bool,
    /// What pressed in the last frame.
    pub(crate) presses: Vec<Press>,
}

impl Reference {
    /// At the beginning: the particles as placed. `plan` must have been made of `model`.
    ///
    /// # Panics
    /// If it was made of a model with other constraints.
    pub fn new(model: &Model, plan: &Plan) -> Self {
        Self::with_passes(model, plan, &[])
    }

    /// As [`Reference::new`], with passes of the caller's own in each substep, where
    /// [`in_order`](super::in_order) puts them.
    ///
    /// # Panics
    /// As [`Reference::new`].
    pub fn with_passes(model: &Model, plan: &Plan, passes: &[&'static dyn Pass]) -> Self {
        let setup = pass::Setup { model, plan };
        Self {
            passes: in_order(passes).into_iter().filter_map(|pass| pass.reference(&setup)).collect(),
            points: Points::new(&model.particles),
            sweep: Sweep::new(model, plan),
            tear: model.tearing.as_ref().map(|tearing| Tear::new(model, tearing)),
            beginning: model.tearing.is_some().then(|| Box::new(model.clone())),
            frame: 0,
            averages_contacts: false,
            presses: Vec::new(),
            model: model.clone(),
        }
    }

    /// Solves one frame.
    pub fn step(&mut self) {
        self.presses.clear();
        for (particle, inverse_mass) in self.model.released(self.frame) {
            self.weigh(particle, inverse_mass);
        }
        for substep in 0..self.model.settings.substeps {
            self.substep(substep);
        }
        self.tear();
        self.frame += 1;
    }

    /// Gives a particle another inverse mass.
    fn weigh(&mut self, particle: usize, inverse_mass: f64) {
        self.points.inverse_masses[particle] = inverse_mass;
        let torn = self.tear.iter_mut().flat_map(|tear| tear.torn.inverse_masses.get_mut(particle));
        torn.for_each(|mass| *mass = inverse_mass);
    }

    /// Positions, velocities, multipliers and rest values at the end of the last frame.
    pub fn state(&self) -> State {
        let count = self.tear.as_ref().map_or(self.points.positions.len(), |tear| tear.torn.inverse_masses.len());
        let mut state = State {
            seconds: self.frame as f64 / self.model.settings.frame_rate,
            frame: self.frame,
            positions: self.points.positions[..count].iter().map(|&p| p.into()).collect(),
            velocities: self.points.velocities[..count].iter().map(|&v| v.into()).collect(),
            multipliers: self.sweep.multipliers(),
            level_forces: match self.model.settings.mean_forces {
                true => self.level_forces(),
                false => Vec::new(),
            },
            rest: self.sweep.rest(),
            rest_bases: self.sweep.rest_bases(),
            past: self.points.past.as_ref().map_or(Vec::new(), past_of),
            contacts: self.passes.iter().map(|pass| pass.pressing()).sum(),
            torn: self.tear.as_ref().and_then(Tear::torn),
            absent: self.model.absent(|particle| self.points.inverse_masses[particle as usize] == 0.0),
            spares_needed: self.tear.as_ref().map_or(0, |tear| tear.needed),
            ..State::default()
        };
        self.passes.iter().for_each(|pass| pass.tell(&mut state));
        state
    }

    /// Whether [`Reference::contacts`] reports whole frames, with the means of forces, in place of their last
    /// substeps.
    pub fn average_contacts(&mut self, on: bool) {
        self.averages_contacts = on;
    }

    /// What presses, is held by adhesion or is in a trigger, by particle and then collider or other particle: in the
    /// last step's last substep, or in all of it ([`Reference::average_contacts`]).
    pub fn contacts(&self) -> Vec<Contact> {
        let (bodies, all) = (&self.model.particles.bodies, self.presses.iter());
        let ball = |particle: u32| {
            let radius = self.model.collider_radius(&self.model.bodies[bodies[particle as usize] as usize]);
            (self.points.positions[particle as usize].into(), radius)
        };
        let substeps = self.model.settings.substeps;
        match self.averages_contacts {
            true => mean_contacts(all.copied().collect(), substeps, ball),
            false => mean_contacts(all.filter(|press| press.substep() + 1 == substeps).copied().collect(), 1, ball),
        }
    }

    /// Goes back, or forth, to a state of the same model that a reference solver reached. A state of another model
    /// makes later steps panic or go wrong.
    pub fn restore(&mut self, state: &State) {
        self.frame = state.frame;
        self.presses.clear();
        if let Some(beginning) = &self.beginning {
            self.model = in_world_of(&self.model, beginning.torn(state).into_owned());
            self.points = Points::new(&self.model.particles);
            self.sweep.follow(&self.model);
            self.tear = beginning.tearing.as_ref().map(|tearing| Tear::resume(beginning, tearing, state));
            if let (Some(tearing), Some(tear)) = (&beginning.tearing, &self.tear) {
                self.passes
                    .iter_mut()
                    .for_each(|pass| pass.follow_tear(&self.model, tearing.spares.clone(), tear.taken()));
            }
        }
        for (to, &from) in self.points.positions.iter_mut().zip(&state.positions) {
            *to = from.into();
        }
        if self.beginning.is_none() {
            self.points.inverse_masses.clone_from(&self.model.as_in(state).particles.inverse_masses);
        }
        for (particle, inverse_mass) in self.model.released_before(state.frame) {
            self.weigh(particle, inverse_mass);
        }
        for (to, &from) in self.points.velocities.iter_mut().zip(&state.velocities) {
            *to = from.into();
        }
        // What is torn has fewer particles than there are places.
        let mut past = Past { positions: self.points.positions.clone(), velocities: self.points.velocities.clone() };
        for (i, &[position, velocity]) in state.past.iter().enumerate() {
            (past.positions[i], past.velocities[i]) = (position.into(), velocity.into());
        }
        self.points.past = (!state.past.is_empty()).then_some(past);
        self.sweep.restore(state);
        self.passes.iter_mut().for_each(|pass| pass.restore(state));
    }

    /// At the end of a frame: splits what broke in it, so that no state has a triangle across a broken edge.
    fn tear(&mut self) {
        let stresses = match &self.beginning {
            Some(beginning) => facet_stresses(beginning, &self.state()),
            None => return,
        };
        let Self { model, points, sweep, passes, tear: Some(tear), beginning: Some(beginning), .. } = self else {
            return;
        };
        let Some(tearing) = &beginning.tearing else { return };
        let edges = tearing.broken(&sweep.multipliers()[tearing.group as usize]);
        let broken = tear.broken(tearing, edges, &stresses);
        if !broken.contains(&true) {
            return;
        }
        sweep.break_seams(tearing, &tear.broken_seams(tearing, &broken));
        for (new, from) in (tearing.spares.start + tear.taken()..).zip(tear.split(&broken)) {
            points.copy(from as usize, new as usize);
        }
        points.inverse_masses[..tear.torn.inverse_masses.len()].copy_from_slice(&tear.torn.inverse_masses);
        *model = in_world_of(model, (**beginning).clone());
        model.tear(&tear.torn);
        sweep.follow(model);
        passes.iter_mut().for_each(|pass| pass.follow_tear(model, tearing.spares.clone(), tear.taken()));
    }

    fn level_forces(&self) -> Vec<[f64; 3]> {
        let mut forces = self.passes.iter().map(|pass| pass.mean_forces(self.model.settings.substeps));
        forces.find(|forces| !forces.is_empty()).unwrap_or_default()
    }

    fn substep(&mut self, index: u32) {
        let Self { model, points, passes, sweep, frame, presses, .. } = self;
        let settings = &model.settings;
        // A substep without a past is Euler's.
        let (h, usual) = (settings.substep_seconds(), settings.implicit_seconds());
        let implicit = if points.past.is_some() { usual } else { h };
        let time = |s: u32| (*frame as f64 + f64::from(s) / f64::from(settings.substeps)) / settings.frame_rate;
        let times = [time(index), time(index + 1)];
        let mut substep = Substep { model, points, sweep, index, h, implicit, times };

        let changes: Vec<Vec<Vec3<f64>>> = passes.iter().map(|pass| pass.accelerate(&substep)).collect();
        substep.points.predict(model, implicit, times[1], &sum(changes));
        let share = f64::from(index + 1) / f64::from(settings.substeps);
        substep.points.animate(model, [time(0), time(settings.substeps)], share);
        passes.iter_mut().for_each(|pass| pass.correct_prediction(&mut substep));
        passes.iter_mut().for_each(|pass| pass.detect(&mut substep));
        substep.sweep.begin_substep(model, implicit);
        let rounds = if passes.iter().any(|pass| pass.guards()) { settings.contact_rounds } else { 0 };
        for number in 0..settings.iterations {
            // Breaking is decided by the mean of the frame before.
            let may_break = *frame > 0 && index == 0;
            substep.sweep.solve(substep.points, may_break, number == 0);
            passes.iter_mut().for_each(|pass| pass.solve(&mut substep, number == 0));
            for round in 0..rounds {
                passes.iter_mut().for_each(|pass| pass.solve_round(&mut substep, number == 0 && round == 0));
            }
        }
        passes.iter_mut().for_each(|pass| pass.guard(&mut substep));
        substep.sweep.end_substep(index, usual / implicit);
        substep.points.finish(implicit);
        passes.iter_mut().for_each(|pass| pass.correct_velocities(&mut substep));
        passes.iter().for_each(|pass| presses.extend(pass.presses(index, implicit)));
    }
}

/// The sums of lists for each particle, of which empty ones are nothing.
fn sum(lists: Vec<Vec<Vec3<f64>>>) -> Vec<Vec3<f64>> {
    let mut lists = lists.into_iter().filter(|list| !list.is_empty());
    let mut sum = lists.next().unwrap_or_default();
    for list in lists {
        sum.iter_mut().zip(list).for_each(|(sum, one)| *sum += one);
    }
    sum
}
