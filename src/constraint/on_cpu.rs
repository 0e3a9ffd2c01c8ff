//! A kind as the CPU engine solves it. The engine's loop is compiled for each kind, so it must be named where the type
//! of the kind is still known, and that is here alone: the one place where a room imports one that comes later.

use super::Constraint;
use super::erased::Erased;
#[cfg(feature = "cpu")]
use crate::cpu::{self, Instructions, Loops, Task};

/// What the CPU engine asks of a [`Kind`](super::Kind).
pub trait OnCpu {
    /// Solves some constraints of two to four particles, several at once, for [`CpuSolver`](crate::CpuSolver).
    #[cfg(feature = "cpu")]
    fn solve_on_cpu(&self, task: &Task);
    /// As [`Kind::evaluate`](super::Kind::evaluate) with as many constraints as these instructions have lanes, for the
    /// tests. Lists hold a number for each lane, one list after the other; returns C, and then the gradient.
    #[cfg(feature = "cpu")]
    fn evaluate_on_cpu(&self, instructions: Instructions, component: usize, rest: &[f32], x: &[f32]) -> Vec<f32>;
}

impl<C: Constraint> OnCpu for Erased<C> {
    #[cfg(feature = "cpu")]
    fn solve_on_cpu(&self, task: &Task) {
        <C as Loops>::solve(task);
    }

    #[cfg(feature = "cpu")]
    fn evaluate_on_cpu(&self, instructions: Instructions, component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
        cpu::evaluate::<C>(instructions, component, rest, x)
    }
}
