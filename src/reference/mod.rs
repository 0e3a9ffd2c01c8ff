//! The slow, obvious, double-precision solver over the same constraints: the oracle that the GPU is tested against.
//!
//! Plain textbook form, position and velocity, constraint after constraint in exactly the plan's order:
//! `predict`, then for each iteration the constraints and the contacts, then `finish`.
//! Macklin et al., XPBD, 2016; Macklin et al., Small Steps in Physics Simulation, 2019; Müller et al., Detailed Rigid Body
//! Simulation with Extended Position Based Dynamics, 2020 (contacts); Müller et al., Position Based Dynamics, 2007 (damping).
//!
//! Beside it stand the schemes that it is compared with: [`Euler`].

mod air;
mod contact;
mod damping;
mod euler;
mod points;
mod rest;
mod sweep;

pub use euler::{Euler, EulerError, Scheme};

use crate::model::{Model, State};
use crate::plan::Plan;

use contact::Contacts;
use points::Points;
use sweep::Sweep;

/// A simulation in double precision on the CPU.
pub struct Reference {
    model: Model,
    points: Points,
    sweep: Sweep,
    contacts: Contacts,
    /// Frames done.
    frame: u64,
}

impl Reference {
    /// At the beginning: the particles as placed. `plan` must have been made of `model`.
    ///
    /// # Panics
    /// If it was made of a model with other constraints.
    pub fn new(model: &Model, plan: &Plan) -> Self {
        Self {
            points: Points::new(&model.particles),
            sweep: Sweep::new(model, plan),
            contacts: Contacts::default(),
            frame: 0,
            model: model.clone(),
        }
    }

    /// Solves one frame.
    pub fn step(&mut self) {
        for substep in 0..self.model.settings.substeps {
            self.substep(substep);
        }
        self.frame += 1;
    }

    /// Positions, velocities, multipliers and rest values at the end of the last frame.
    pub fn state(&self) -> State {
        State {
            seconds: self.frame as f64 / self.model.settings.frame_rate,
            frame: self.frame,
            positions: self.points.positions.iter().map(|&p| p.into()).collect(),
            velocities: self.points.velocities.iter().map(|&v| v.into()).collect(),
            multipliers: self.sweep.multipliers(),
            rest: self.sweep.rest(),
            rest_bases: self.sweep.rest_bases(),
            contacts: self.contacts.pressing(),
        }
    }

    /// Goes back, or forth, to a state of the same model that a reference solver reached. A state of another model
    /// makes later steps panic or go wrong.
    pub fn restore(&mut self, state: &State) {
        self.frame = state.frame;
        self.points.positions = state.positions.iter().map(|&p| p.into()).collect();
        self.points.velocities = state.velocities.iter().map(|&v| v.into()).collect();
        self.sweep.restore(state);
    }

    fn substep(&mut self, substep: u32) {
        let Self { model, points, sweep, contacts, frame } = self;
        let h = model.settings.substep_seconds();
        let [start, end] = [substep, substep + 1]
            .map(|s| (*frame as f64 + f64::from(s) / f64::from(model.settings.substeps)) / model.settings.frame_rate);

        let pushes = air::accelerate(model, points, h);
        points.predict(model, h, end, &pushes);
        contacts.detect(model, points, h, start, end);
        // By the multipliers of the substep before.
        sweep.change_rest(&model.curves, end);
        sweep.begin_substep();
        for iteration in 0..model.settings.iterations {
            // Breaking goes by the mean of the frame before.
            let may_break = *frame > 0 && substep == 0 && iteration == 0;
            sweep.solve(points, may_break);
            contacts.solve(points);
        }
        sweep.end_substep(substep);
        points.finish(h);
        damping::damp(model, points, h);
        contacts.rebound(model, points, h);
    }
}
