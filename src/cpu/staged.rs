//! Constraints of one equation each that need nothing else, which is most, in three stages: C where particles are, the
//! multiplier, the moves. While a block is at its last, the one behind it is at its second, and the next at its first.
//! Each stage ends in a root or a quotient that the following one waits for: one block after another, what waits fills
//! a processor's schedulers before it comes to the next block's first loads. A loop of W1 by itself takes 36 cycles a
//! block in place of 52 (AVX-512, Zen 5, where no unit is busy for more than 28), with two stages 54 and the oldest
//! stage first 41; in the engine, where the compiler moves the first quotient to the end, W1 at n = 256 takes 3.85 ms
//! in place of 4.15 (one thread). See Lam, Software Pipelining, 1988.

use std::ops::Range;

use super::lanes::{Lanes, MOST};
use super::lists::Lists;
use super::solve::Task;
use crate::constraint::{Constraint, Symmetry};
use crate::cpu::multiplier::{LEAST_BROKEN, least_divisor};
use crate::math::Vec3;
use crate::step::Needs;

/// A block after its first stage.
#[derive(Clone, Copy)]
struct Met<L, const N: usize> {
    value: L,
    gradient: [Vec3<L>; N],
    w: [L; N],
}

/// A block after its second stage.
#[derive(Clone, Copy)]
struct Solved<L, const N: usize> {
    /// Of λ.
    change: L,
    gradient: [Vec3<L>; N],
    w: [L; N],
}

/// Solves the blocks of a task that need no more than `needs` may tell: sums of λ, or that they are elements of a mesh;
/// `BREAKS`: or that some are broken already. What breaks now is not for here.
#[inline(always)]
pub fn solve<C: Constraint, L: Lanes, const N: usize, const BREAKS: bool>(task: &Task, lists: &Lists, needs: &Needs) {
    let blocks = task.group.blocks;
    let runs = blocks.runs_of(&task.blocks);
    let mut nowhere = Nowhere([0.0; MOST]);
    let outputs = Outputs::new(task, needs, &mut nowhere);
    for index in 0..=runs.len() {
        let index = if task.state.back { runs.len() - index } else { index };
        let start = if index == 0 { task.blocks.start } else { runs[index - 1] as usize };
        let end = if index == runs.len() { task.blocks.end } else { runs[index] as usize };
        if const { N == 2 } && start < end && lists.is_row::<N>(start) {
            solve_run::<C, L, N, true, BREAKS>(task, lists, needs, &outputs, start..end);
        } else {
            solve_run::<C, L, N, false, BREAKS>(task, lists, needs, &outputs, start..end);
        }
    }
}

/// As many numbers as any lanes.
#[repr(align(64))]
struct Nowhere([f32; MOST]);

static NOTHING: Nowhere = Nowhere([0.0; MOST]);

/// Where multipliers go. What is not needed goes nowhere, without a branch: each is a list and a mask for places in
/// it.
struct Outputs {
    /// λ so far, and sums.
    before: (*const f32, usize),
    old: (*const f32, usize),
    sums: (*mut f32, usize),
    lambdas: (*mut f32, usize),
    /// Where what is broken has [`BROKEN`](crate::step::BROKEN).
    all: *const f32,
}

impl Outputs {
    fn new(task: &Task, needs: &Needs, nowhere: &mut Nowhere) -> Self {
        let (group, state) = (&task.group, &task.state);
        let nowhere = (nowhere.0.as_mut_ptr(), 0);
        let (sums, lambdas) = ((group.sums.pointer(), usize::MAX), (group.lambdas.pointer(), usize::MAX));
        let nothing = (NOTHING.0.as_ptr(), 0);
        let summing = needs.summing && state.closing;
        Self {
            before: if state.opening { nothing } else { (lambdas.0.cast_const(), lambdas.1) },
            old: if summing && !state.first { (sums.0.cast_const(), sums.1) } else { nothing },
            sums: if summing { sums } else { nowhere },
            lambdas: if state.keeps() { lambdas } else { nowhere },
            all: group.lambdas.pointer(),
        }
    }

    /// λ before this visit.
    #[inline(always)]
    fn before<L: Lanes>(&self, block: usize) -> L {
        // SAFETY: as for lists.
        unsafe { L::load(self.before.0.add((block * L::COUNT) & self.before.1)) }
    }

    /// Tells of a change of λ, which is none of what is broken.
    #[inline(always)]
    fn store<L: Lanes, const BREAKS: bool>(&self, block: usize, before: L, mut change: L) -> L {
        let at = block * L::COUNT;
        // SAFETY: as for lists.
        unsafe {
            let mut lambda = before + change;
            let mut added = lambda;
            if BREAKS {
                let (stored, zero) = (L::load(self.all.add(at)), L::from_f64(0.0));
                let broken = stored.greater(L::from_f64(f64::from(LEAST_BROKEN)));
                (change, added) = (L::select(broken, zero, change), L::select(broken, zero, added));
                lambda = L::select(broken, stored, lambda);
            }
            let sum = L::load(self.old.0.add(at & self.old.1)) + added;
            sum.store(self.sums.0.add(at & self.sums.1));
            lambda.store(self.lambdas.0.add(at & self.lambdas.1));
        }
        change
    }
}

/// Blocks that share no particle that moves.
#[inline(always)]
fn solve_run<C: Constraint, L: Lanes, const N: usize, const ROW: bool, const BREAKS: bool>(
    task: &Task,
    lists: &Lists,
    needs: &Needs,
    outputs: &Outputs,
    blocks: Range<usize>,
) {
    if blocks.is_empty() {
        return;
    }
    let (first, last, step) =
        if task.state.back { (blocks.end - 1, blocks.start, usize::MAX) } else { (blocks.start, blocks.end - 1, 1) };
    let met = meet::<C, L, N, ROW>(lists, first);
    let mut solved = change::<C, L, N, BREAKS>(task, lists, needs, outputs, first, &met);
    if first == last {
        return push::<C, L, N, ROW>(task, lists, first, &solved);
    }
    let mut block = first.wrapping_add(step);
    let mut met = meet::<C, L, N, ROW>(lists, block);
    // Without a branch inside: behind one the compiler moves what follows a root, where it is too late.
    while block != last {
        let next = meet::<C, L, N, ROW>(lists, block.wrapping_add(step));
        let following = change::<C, L, N, BREAKS>(task, lists, needs, outputs, block, &met);
        push::<C, L, N, ROW>(task, lists, block.wrapping_sub(step), &solved);
        (met, solved, block) = (next, following, block.wrapping_add(step));
    }
    let following = change::<C, L, N, BREAKS>(task, lists, needs, outputs, last, &met);
    push::<C, L, N, ROW>(task, lists, last.wrapping_sub(step), &solved);
    push::<C, L, N, ROW>(task, lists, last, &following);
}

/// Of two particles each is moved against the other, where C is the same wherever both are: ∂C/∂x₁ = -∂C/∂x₀, which is
/// not kept then.
pub const fn opposite<C: Constraint, const N: usize>() -> bool {
    let mut k = 0;
    while k < C::SYMMETRIES.len() {
        if N == 2 && matches!(C::SYMMETRIES[k], Symmetry::Translation) {
            return true;
        }
        k += 1;
    }
    false
}

#[inline(always)]
fn meet<C: Constraint, L: Lanes, const N: usize, const ROW: bool>(lists: &Lists, block: usize) -> Met<L, N> {
    let (y, w) = lists.ways::<L, N, ROW>(block);
    let mut gradient = [Vec3::zero(); N];
    let value = C::evaluate(lists.rest::<C, L>(block), 0, &y, &mut gradient);
    if const { opposite::<C, N>() } {
        gradient[1] = Vec3::zero();
    }
    Met { value, gradient, w }
}

#[inline(always)]
fn change<C: Constraint, L: Lanes, const N: usize, const BREAKS: bool>(
    task: &Task,
    lists: &Lists,
    needs: &Needs,
    outputs: &Outputs,
    block: usize,
    met: &Met<L, N>,
) -> Solved<L, N> {
    let Met { value, gradient, w } = *met;
    let zero = L::from_f64(0.0);
    let square = gradient[0].dot(gradient[0]);
    let (mut weight, mut lightest, mut steepest) = (w[0] * square, w[0], square);
    for k in 1..N {
        let square = if const { opposite::<C, N>() } { square } else { gradient[k].dot(gradient[k]) };
        weight = weight + w[k] * square;
        (lightest, steepest) = (lightest.max(w[k]), steepest.max(square));
    }
    let least = if const { opposite::<C, N>() } { None } else { Some(least_divisor(lightest, steepest)) };
    let before = outputs.before::<L>(block);
    let change = task.law::<C, L>(lists, needs, block, 0).change(needs, before, value, zero, weight, least);
    Solved { change: outputs.store::<L, BREAKS>(block, before, change), gradient, w }
}

#[inline(always)]
fn push<C: Constraint, L: Lanes, const N: usize, const ROW: bool>(
    task: &Task,
    lists: &Lists,
    block: usize,
    solved: &Solved<L, N>,
) {
    let Solved { change, gradient, w } = *solved;
    let mut moves = gradient;
    for k in 0..N {
        let by = w[k] * change;
        moves[k] = if k == 1 && const { opposite::<C, N>() } { gradient[0] * -by } else { gradient[k] * by };
    }
    task.push_all::<L, N, true, ROW>(lists, block, moves, w);
}
