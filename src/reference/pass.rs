//! Passes in the reference: what takes part in a substep beside constraints.

use std::ops::Range;

pub use super::points::Points;
use super::sweep::Sweep;
use crate::math::Vec3;
use crate::model::{Model, Press, State};
use crate::plan::Plan;

/// What a pass is made of.
pub struct Setup<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its plan.
    pub plan: &'a Plan,
}

/// A substep and the state that it changes.
pub struct Substep<'a> {
    /// The model, as torn so far.
    pub model: &'a Model,
    /// The particles.
    pub points: &'a mut Points,
    /// The constraints with their multipliers.
    pub sweep: &'a mut Sweep,
    /// Its number in its frame.
    pub index: u32,
    /// Its length, s.
    pub h: f64,
    /// The length of the implicit step, s: another than h with BDF2.
    pub implicit: f64,
    /// When it begins and ends, s.
    pub times: [f64; 2],
}

/// A pass in double precision, in textbook form.
pub trait Pass: Send + Sync {
    /// The change of each velocity by forces that depend on velocities, m/s; empty for none.
    fn accelerate(&self, _substep: &Substep) -> Vec<Vec3<f64>> {
        Vec::new()
    }

    /// Moves particles from where they were predicted.
    fn correct_prediction(&mut self, _substep: &mut Substep) {}

    /// Finds what the substep needs.
    fn detect(&mut self, _substep: &mut Substep) {}

    /// Corrects positions, once a sweep, after the constraints; `opening`: in the first sweep of the substep.
    fn solve(&mut self, _substep: &mut Substep, _opening: bool) {}

    /// Whether each sweep ends with rounds of contact, and its substep with a guard.
    fn guards(&self) -> bool {
        false
    }

    /// Corrects positions in a round of contact; `opening`: in the first one of the substep.
    fn solve_round(&mut self, _substep: &mut Substep, _opening: bool) {}

    /// Has the last word on positions, when all sweeps are over.
    fn guard(&mut self, _substep: &mut Substep) {}

    /// Corrects velocities at the end of a substep.
    fn correct_velocities(&mut self, _substep: &mut Substep) {}

    /// What pressed in a substep.
    fn presses(&self, _index: u32, _implicit: f64) -> Vec<Press> {
        Vec::new()
    }

    /// How many contacts press.
    fn pressing(&self) -> u64 {
        0
    }

    /// Takes over the torn model, of whose spare particles this many are in use.
    fn follow_tear(&mut self, _model: &Model, _spares: Range<u32>, _taken: u32) {}

    /// The mean force on each particle in the last frame of this many substeps, N; empty if it keeps none.
    fn mean_forces(&self, _substeps: u32) -> Vec<[f64; 3]> {
        Vec::new()
    }

    /// Writes into a state what it holds of it.
    fn tell(&self, _state: &mut State) {}

    /// Goes to what a state holds.
    fn restore(&mut self, _state: &State) {}
}
