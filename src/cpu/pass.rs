//! Passes on the CPU engine: what takes part in a substep beside constraints.

use std::ops::Range;

pub use super::frame::Frame;
use super::lanes::Instructions;
pub use super::shared::Shared;
pub use super::solve::{Points, SweepState};
pub use super::team::Member;
use crate::model::{Model, Press, State};
use crate::plan::levels::Sheet;
use crate::step::{Active, Hooks, Jointed, Reshaped, Turned, Used};
pub use wide::f32x4;

/// What a pass is made of.
pub struct Setup<'a> {
    /// The model.
    pub model: &'a Model,
    /// The sheets of the plan that have levels; empty where a running solver makes one pass anew.
    pub sheets: &'a [Sheet],
    /// What each group refers to.
    pub used: &'a [Used],
    /// Where the engine keeps each particle.
    pub slot_of: &'a [u32],
    /// Which particle it keeps at each slot.
    pub particle_of: &'a [u32],
    /// The slots that the plan gives the particles.
    pub planned: &'a [u32],
    /// See [`Frame::pieces`].
    pub pieces: &'a [Range<usize>],
    /// Threads of the team.
    pub threads: usize,
    /// What the engine solves with.
    pub instructions: Instructions,
    /// What the host pulls.
    pub pulled: &'a Active,
}

/// A pass on a model, with its state.
pub trait Pass: Send + Sync {
    /// What it does in a substep.
    fn hooks(&self) -> Hooks;

    /// Before each frame, by one thread; `x` holds the particles' places by slot.
    fn begin(&mut self, _x: &[f32x4]) {}

    /// What all threads of the team share in a frame.
    ///
    /// # Safety
    /// As `Shared::new`: what the view hands out is used by a team that keeps to its shares and meetings.
    unsafe fn view<'a>(&'a mut self, frame: &Frame<'a>) -> Box<dyn PassView + 'a>;

    /// Materials have changed.
    fn follow_materials(&mut self) {}

    /// Takes over the torn model, of whose spare particles this many are in use.
    fn follow_tear(&mut self, _model: &Model, _slot_of: &[u32], _spares: Range<u32>, _taken: u32) {}

    /// Particles were moved: data of the frame before is no longer valid.
    fn forget(&mut self) {}

    /// The mean force on each particle in the last frame of this many substeps of `h` s, N, in the order of `slot_of`;
    /// empty if it keeps none.
    fn mean_forces(&self, _slot_of: &[u32], _x: &[f32x4], _substeps: u32, _h: f64) -> Vec<[f64; 3]> {
        Vec::new()
    }

    /// Reports what presses at the end of the last frame.
    fn presses(&self, _notes: &Notes, _presses: &mut Vec<Press>) {}

    /// Writes into a state what it holds of it.
    fn tell(&self, _state: &mut State) {}

    /// The model's orientations, if it turns them.
    fn turned(&self) -> Vec<Turned> {
        Vec::new()
    }

    /// Puts the model's orientations there, if it turns them.
    fn restore(&mut self, _turned: &[Turned]) {}

    /// The model's joints, if it solves them.
    fn jointed(&self) -> Vec<Jointed> {
        Vec::new()
    }

    /// Puts the model's joints into this state, if it solves them.
    fn restore_joints(&mut self, _jointed: &[Jointed]) {}

    /// How the model's rest shapes have flowed, if it changes them.
    fn reshaped(&self) -> Vec<Reshaped> {
        Vec::new()
    }

    /// Restores how the model's rest shapes have flowed, if it changes them.
    fn restore_shapes(&mut self, _reshaped: &[Reshaped]) {}

    /// Its memory, bytes.
    fn bytes(&self) -> usize;
}

/// A pass in a frame. All threads call each hook, in the same order; a hook that writes what other threads read ends
/// with a meeting.
pub trait PassView: Send + Sync {
    /// Finds what forces that depend on velocities do: before particles are predicted.
    fn accelerate(&self, _member: &Member, _frame: &Frame, _substep: usize) {}

    /// By how much that changes the way of a particle, m.
    fn change(&self, _frame: &Frame, _substep: usize, _slot: usize) -> f32x4 {
        f32x4::ZERO
    }

    /// Moves particles from where they were predicted.
    fn correct_prediction(&self, _member: &Member, _frame: &Frame, _substep: usize) {}

    /// Finds what the substep needs.
    fn detect(&self, _member: &Member, _frame: &Frame, _substep: usize) {}

    /// Joins the sweep over constraints, before its last half and after it.
    fn join_sweep(&self, _member: &Member, _frame: &Frame, _state: SweepState) {}

    /// Corrects displacements, once a sweep, after the constraints; whether it is in the first sweep of the substep,
    /// and in the last.
    fn solve(&self, _member: &Member, _frame: &Frame, _substep: usize, _ends: [bool; 2]) {}

    /// Corrects displacements in a round of contact; `opening`: in the first one of the substep.
    fn solve_round(&self, _member: &Member, _frame: &Frame, _substep: usize, _opening: bool) {}

    /// Has the last word on displacements, when all sweeps are over.
    fn guard(&self, _member: &Member, _frame: &Frame, _substep: usize) {}

    /// Corrects velocities at the end of a substep; `last`: of the frame.
    fn correct_velocities(&self, _member: &Member, _frame: &Frame, _substep: usize, _last: bool) {}

    /// Reports what presses on a thread's own particles.
    fn report(&self, _member: &Member, _notes: &Notes, _presses: &mut Vec<Press>) {}

    /// The pass as it acts on each particle by itself, if it does: then one walk through memory does for a piece of the
    /// particles all that each does at the end of a substep and the beginning of the next.
    fn by_piece(&self) -> Option<&dyn ByPiece> {
        None
    }
}

/// A pass that acts on each particle by itself, for a piece of them.
pub trait ByPiece {
    /// As [`PassView::detect`].
    fn detect(&self, frame: &Frame, substep: usize, piece: usize);

    /// As [`PassView::solve`].
    fn solve(&self, frame: &Frame, substep: usize, piece: usize);

    /// As [`PassView::correct_velocities`], into the next substep if that has begun; and as [`PassView::report`].
    fn leave(&self, frame: &Frame, substep: usize, piece: usize, next: Option<usize>, report: Report);
}

/// Where a piece reports what presses, if contacts of whole frames are asked for.
pub type Report<'a> = Option<(&'a Notes<'a>, &'a mut Vec<Press>)>;

/// How the contacts of a substep are reported.
pub struct Notes<'a> {
    /// Which particle is at each slot.
    pub particle_of: &'a [u32],
    /// The number of the substep in its frame.
    pub substep: u32,
    /// 1/H²
    pub per_square: f64,
}

impl Notes<'_> {
    /// The forces of a contact by its normal and its λ along and across that.
    pub fn forces(&self, normal: [f64; 3], (lambda, tangential): (f64, [f64; 3])) -> ([f64; 3], f64, [f64; 3]) {
        (normal, lambda * self.per_square, tangential.map(|lambda| lambda * self.per_square))
    }
}
