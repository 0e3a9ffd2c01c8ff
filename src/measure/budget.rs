//! Whether there is motion that nothing accounts for. With K the kinetic energy, V that of gravity, H at most what
//! constraints could still turn into motion and W the work done from outside since a frame before,
//!
//!   K + V ≤ (K + V + H)₀ + W
//!
//! for each frame before. Whatever else a substep does takes energy away: Euler's steps, friction, damping, impacts,
//! what breaks or flows. So the least of the right sides is what there may be, and more is energy from nowhere.

use super::work::{self, Frame};
use super::{Measurement, fluids, rods, strain};
use crate::math::Vec3;
use crate::model::inside::bodies_inside;
use crate::model::{Contact, Curve, Model, State};

/// Of the largest kinetic energy so far and of the work that was done: what gradients that turn within a frame, and
/// forces that change in it, may be off by.
const SHARE: f64 = 0.05;
/// The rounding of a position over the size of the world, with room for those of 16 substeps that add up.
const ROUNDING: f64 = 16.0 / 16_777_216.0;

/// Keeps the energy of a simulation in view, frame by frame.
#[derive(Clone, Debug)]
pub struct EnergyBudget {
    /// The least of K + V + H - W so far, J.
    allowed: f64,
    /// W, J.
    work: f64,
    /// The largest kinetic energy and the sum of the amounts of work, J.
    turnover: [f64; 2],
    /// For each body whether it begins inside a collider.
    inside: Vec<bool>,
}

impl EnergyBudget {
    /// Whether the mean forces of constraints over a frame must be known
    /// ([`Settings::mean_forces`](crate::model::Settings::mean_forces)): they tell the work of pins that move and of
    /// rest values that change.
    pub fn needs_mean_forces(model: &Model) -> bool {
        work::has_moving_pins(model) || work::has_changing_rest(model)
    }

    /// Whether what pressed in a frame must be known, with mean forces: it tells the work of colliders that move or
    /// push bodies out that begin inside them, and of pins that move, what hangs by which may touch others.
    pub fn needs_contacts(model: &Model) -> bool {
        let may_touch = work::has_touching(model) || !model.colliders.is_empty();
        work::has_moving_colliders(model)
            || bodies_inside(model).contains(&true)
            || work::has_moving_pins(model) && may_touch
    }

    /// From a state on, of which `measurement` is.
    ///
    /// # Panics
    /// If the state is one of another model.
    pub fn new(model: &Model, state: &State, measurement: &Measurement) -> Self {
        let stored = stored_energy(&model.as_in(state), state);
        let allowed = measurement.kinetic_energy_j + measurement.gravity_energy_j + stored;
        let turnover = [measurement.kinetic_energy_j, 0.0];
        Self { allowed, work: 0.0, turnover, inside: bodies_inside(model) }
    }

    /// Takes in a frame from one state to the next, of which `measurement` is, and returns the energy of its motion
    /// that is from nowhere, J, if there is any. `contacts` are the means of what pressed in it. Where the work of a
    /// frame is not known there is no answer, and the next frame begins anew: for want of contacts; where pins go
    /// unevenly, or different ways while levels or rigid shapes hide what they bear; where bodies can tear; where
    /// fluids flow in or out; where shapes are blended; and where pins let go.
    ///
    /// # Panics
    /// If a state is one of another model.
    pub fn follow(
        &mut self,
        model: &Model,
        [before, after]: [&State; 2],
        measurement: &Measurement,
        contacts: Option<&[Contact]>,
    ) -> Option<f64> {
        let torn = &*model.as_in(after);
        let (kinetic, held) = (measurement.kinetic_energy_j, measurement.recoverable_energy_j);
        let energy = kinetic + measurement.gravity_energy_j;
        let known = || Frame { model: torn, before, after, contacts, inside: &self.inside }.work();
        // What pins bear of pieces that part is not known, nor the work of nozzles and of blend shapes. Particles
        // that are let go bring the energy that they had while they were held.
        let blends = model.rest_shapes.iter().any(|shape| !shape.blends.is_empty());
        let frames = before.frame..after.frame;
        let lets_go = model.releases.iter().any(|release| frames.contains(&release.frame(&model.settings)));
        let unknown = model.tearing.is_some() || model.flows() || blends || lets_go;
        let Some(work) = (if unknown { None } else { known() }) else {
            (self.allowed, self.work) = (energy + held, 0.0);
            return None;
        };
        self.work += work.sum + jump(torn, before, after);
        self.turnover = [self.turnover[0].max(kinetic), self.turnover[1] + work.turnover];
        let excess = energy - self.work - self.allowed;
        self.allowed = self.allowed.min(energy + held - self.work);
        (excess > self.margin(torn, measurement)).then_some(excess)
    }

    /// What is within rounding and within what a frame's forces are known by, J.
    fn margin(&self, model: &Model, measurement: &Measurement) -> f64 {
        let size = [measurement.min, measurement.max].iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let way = ROUNDING * size;
        let speed = way / model.settings.substep_seconds();
        let gravity = Vec3::from(model.world.gravity).length();
        SHARE * (self.turnover[0] + self.turnover[1]) + free_mass(model) * (0.5 * speed * speed + gravity * way)
    }
}

/// At most what constraints that are off at the beginning turn into motion, J: those with compliance C²/2α, and rigid
/// ones what it takes to move all that is free within a substep as far as all of them together are off.
fn stored_energy(model: &Model, state: &State) -> f64 {
    let apart = rods::recoverable_energy(model, state) + fluids::recoverable_energy(model, state);
    let (mut compliant, mut rigid, mut all) = (0.0, 0.0, 0.0);
    for violation in strain::violations(model, state) {
        let (energy, distance) = (violation.strain_energy(), violation.distance());
        compliant += energy;
        all += distance;
        rigid += if energy == 0.0 { distance } else { 0.0 };
    }
    let moved = |distance: f64| 0.5 * free_mass(model) * (distance / model.settings.implicit_seconds()).powi(2);
    apart + moved(all).min(compliant + moved(rigid))
}

/// What constraints turn into motion at most whose rest values jump in a frame, J: at the beginning to the curves'
/// first values, and where curves repeat that end elsewhere than they begin.
fn jump(model: &Model, before: &State, after: &State) -> f64 {
    let jumps = |curve: &Curve| before.frame == 0 || curve.jumps(before.seconds, after.seconds);
    if !model.curves.iter().any(jumps) || before.positions.len() != after.positions.len() {
        return 0.0;
    }
    stored_energy(model, &State { rest: after.rest.clone(), ..before.clone() })
}

/// kg
fn free_mass(model: &Model) -> f64 {
    model.particles.inverse_masses.iter().filter(|w| **w > 0.0).map(|w| 1.0 / w).sum()
}
