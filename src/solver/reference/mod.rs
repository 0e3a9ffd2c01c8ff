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

use crate::pass::air::reference as air;
use crate::pass::colliders::reference::Contacts;
use crate::pass::damping::reference as damping;
use crate::pass::levels::reference::Levels;
use crate::pass::pairs::reference::Pairs;
use crate::pass::pairs::reference::segments::Segments;
use crate::pass::tear::topology::Tear;
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
    pub(crate) levels: Levels,
    pub(crate) sweep: Sweep,
    pub(crate) contacts: Contacts,
    pub(crate) pairs: Pairs,
    pub(crate) segments: Segments,
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
        Self {
            points: Points::new(&model.particles),
            levels: Levels::new(model, &plan.sheets),
            sweep: Sweep::new(model, plan),
            contacts: Contacts::new(model),
            pairs: Pairs::new(model, &plan.slot_of),
            segments: Segments::new(model, &plan.slot_of),
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
        for substep in 0..self.model.settings.substeps {
            self.substep(substep);
        }
        self.tear();
        self.frame += 1;
    }

    /// Positions, velocities, multipliers and rest values at the end of the last frame.
    pub fn state(&self) -> State {
        let count = self.tear.as_ref().map_or(self.points.positions.len(), |tear| tear.torn.inverse_masses.len());
        State {
            seconds: self.frame as f64 / self.model.settings.frame_rate,
            frame: self.frame,
            positions: self.points.positions[..count].iter().map(|&p| p.into()).collect(),
            velocities: self.points.velocities[..count].iter().map(|&v| v.into()).collect(),
            multipliers: self.sweep.multipliers(),
            level_forces: match self.model.settings.mean_forces {
                true => self.levels.mean_forces(self.model.settings.substeps),
                false => Vec::new(),
            },
            rest: self.sweep.rest(),
            rest_bases: self.sweep.rest_bases(),
            past: self.points.past.as_ref().map_or(Vec::new(), past_of),
            contacts: self.contacts.pressing() + self.pairs.pressing() + self.segments.pressing(),
            torn: self.tear.as_ref().and_then(Tear::torn),
            spares_needed: self.tear.as_ref().map_or(0, |tear| tear.needed),
        }
    }

    /// Whether [`Reference::contacts`] tells of whole frames, with the means of forces, in place of their last
    /// substeps.
    pub fn average_contacts(&mut self, on: bool) {
        self.averages_contacts = on;
    }

    /// What presses, is held by adhesion or is in a trigger, by particle and then collider or other particle: in the
    /// last step's last substep, or in all of it ([`Reference::average_contacts`]).
    pub fn contacts(&self) -> Vec<Contact> {
        let (bodies, all) = (&self.model.particles.bodies, self.presses.iter());
        let ball = |particle: u32| {
            let radius = self.model.bodies[bodies[particle as usize] as usize].radius;
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
                self.pairs.follow(&self.model, tearing.spares.clone(), tear.taken());
            }
        }
        for (to, &from) in self.points.positions.iter_mut().zip(&state.positions) {
            *to = from.into();
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
    }

    /// At the end of a frame: splits what broke in it, so that no state has a triangle across a broken edge.
    fn tear(&mut self) {
        let stresses = match &self.beginning {
            Some(beginning) => facet_stresses(beginning, &self.state()),
            None => return,
        };
        let Self { model, points, sweep, pairs, tear: Some(tear), beginning: Some(beginning), .. } = self else {
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
        pairs.follow(model, tearing.spares.clone(), tear.taken());
    }

    fn substep(&mut self, substep: u32) {
        let Self { model, points, levels, sweep, contacts, pairs, segments, frame, presses, .. } = self;
        // A substep without a past is Euler's.
        let (h, usual) = (model.settings.substep_seconds(), model.settings.implicit_seconds());
        let implicit = if points.past.is_some() { usual } else { h };
        let [start, end] = [substep, substep + 1]
            .map(|s| (*frame as f64 + f64::from(s) / f64::from(model.settings.substeps)) / model.settings.frame_rate);

        let pushes = air::accelerate(model, points, implicit);
        points.predict(model, implicit, end, &pushes);
        levels.correct(&model.materials, points, implicit, substep == 0);
        contacts.detect(model, points, h, implicit, [start, end]);
        pairs.detect(model, points);
        segments.detect(model, points, pairs);
        // By the multipliers of the substep before.
        sweep.change_rest(&model.curves, end);
        sweep.begin_substep(model, implicit);
        for number in 0..model.settings.iterations {
            // Breaking goes by the mean of the frame before.
            let may_break = *frame > 0 && substep == 0;
            sweep.solve(points, may_break, number == 0);
            segments.solve(model, points, h, implicit / h);
            pairs.solve(model, points, h, implicit / h, number == 0);
            contacts.solve(model, points, h, implicit / h);
        }
        sweep.end_substep(substep, usual / implicit);
        points.finish(implicit);
        damping::damp(model, points, h);
        segments.rebound(points, h);
        pairs.rebound(model, points, h);
        contacts.rebound(model, points, h, implicit / h);
        presses.extend(contacts.presses(substep, implicit));
        presses.extend(pairs.presses(substep, implicit));
        presses.extend(segments.presses(substep, implicit));
    }
}
