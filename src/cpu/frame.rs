//! What the threads of a team read and write in a frame.

use std::ops::Range;

use wide::f32x4;

use super::lanes::Instructions;
use super::multiplier::Law;
use super::particles::{Fall, Signs};
use super::past::Past;
use super::shared::Shared;
use super::solve::{Points, View};
use crate::model::Model;
use crate::plan::Leg;
use crate::step::records::{Properties, RestLaw, Substep};
use crate::step::{FrameRecords, material_record};

/// The state that constraints and all passes share. What one pass needs alone is in its own view.
pub struct Frame<'a> {
    /// The model, as torn so far.
    pub model: &'a Model,
    /// Where the engine keeps each particle.
    pub slot_of: &'a [u32],
    /// Which particle it keeps at each slot.
    pub particle_of: &'a [u32],
    /// Whether the engine keeps particles in rows, by `cpu/order.rs`.
    pub in_rows: bool,
    /// The slots in pieces that fit a core's caches.
    pub pieces: &'a [Range<usize>],
    /// Of a sweep.
    pub halves: &'a [Vec<Leg>],
    /// Parameters of all substeps.
    pub records: &'a FrameRecords,
    /// How constraints of each material yield.
    pub laws: &'a [Law<f32>],
    /// How those of each material change their rest values.
    pub rest_laws: &'a [RestLaw],
    /// Body and drive of each particle, by slot.
    pub properties: &'a [Properties],
    /// Step of the lattice, m.
    pub lattice: f32,
    /// x, d and e.
    pub points: Points<'a>,
    /// h times the velocity of each particle, m.
    pub u: Shared<'a, f32x4>,
    /// What BDF2 keeps.
    pub past: Option<Past<'a>>,
    /// The constraints, a group for each kind.
    pub groups: Vec<View<'a>>,
    /// Corrections of a Jacobi batch.
    pub corrections: Shared<'a, f32x4>,
    /// What the frame notices.
    pub signs: &'a Signs<'a>,
    /// What the engine solves with.
    pub instructions: Instructions,
}

impl<'a> Frame<'a> {
    /// The parameters of a substep.
    pub fn substep(&self, substep: usize) -> &Substep {
        &self.records.substeps[substep]
    }

    /// What moves particles in a substep where no constraint does.
    pub fn fall(&self, substep: usize) -> Fall<'_> {
        Fall::new(self.substep(substep), self.records.drives_of(substep), self.records.animated())
    }

    /// h times the velocities that particles would have without forces.
    pub fn free_ways(&self) -> Shared<'a, f32x4> {
        self.past.map_or(self.u, |past| past.free)
    }
}

/// How constraints of each material yield.
pub fn laws(model: &Model) -> Vec<Law<f32>> {
    let substep = FrameRecords::usual_substep(model);
    model.materials.iter().map(|m| Law::new(&material_record(m, &model.settings), &substep)).collect()
}
