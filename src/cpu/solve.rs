//! Solving constraints of two, three and four particles, as many at once as there are lanes: gather, evaluate,
//! multiplier, scatter. What `shaders/solve/two.wgsl` to `four.wgsl` do, for a number of lanes and with the kind's
//! function of Rust.
//!
//! Lists are read and written without checks here, a constraint in a few cycles. That all indices are good follows from
//! how blocks are made: slots are those of particles (`check::plan`), and those of a row that of the first of as many
//! as a quarter of a register has; every other list has an entry for each lane of each block.

use std::ops::Range;

use wide::f32x4;

use super::blocks::{Blocks, Step};
#[cfg(all(target_arch = "x86_64", not(test)))]
use super::lanes::{Eight, Sixteen};
use super::lanes::{Four, Instructions, Lanes, MOST};
use super::lists::Lists;
use super::shared::Shared;
use super::staged;
use crate::constraint::{Arity, Constraint};
use crate::cpu::multiplier::{LEAST_BROKEN, Law, least_divisor};
use crate::math::Vec3;
use crate::step::BROKEN;
use crate::step::Needs;

/// A thread's share of a step, for a kind to solve.
pub struct Task<'a> {
    pub(crate) step: &'a Step,
    pub(crate) blocks: Range<usize>,
    pub(crate) group: View<'a>,
    pub(crate) points: Points<'a>,
    /// Of a Jacobi sweep; see [`crate::plan::Gather`].
    pub(crate) corrections: Shared<'a, f32x4>,
    pub(crate) laws: &'a [Law<f32>],
    pub(crate) state: SweepState,
}

/// The lists of particles that constraints read and write: m; x has the inverse mass fourth, 1/kg.
#[derive(Clone, Copy)]
pub struct Points<'a> {
    /// Places on the lattice, and inverse masses.
    pub x: Shared<'a, f32x4>,
    /// Displacements from there.
    pub d: Shared<'a, f32x4>,
    /// What lies below the lattice.
    pub e: Shared<'a, f32x4>,
}

/// A group, shared by a team; see [`super::blocks`].
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub blocks: &'a Blocks,
    pub rest: Shared<'a, f32>,
    pub bases: Shared<'a, f32>,
    /// Rest values of particles, where they change.
    pub members: Shared<'a, f64>,
    pub lambdas: Shared<'a, f32>,
    pub sums: Shared<'a, f32>,
}

/// Where in a frame a sweep is.
#[derive(Clone, Copy)]
pub struct SweepState {
    /// The first visit to these constraints in a substep.
    pub opening: bool,
    /// The last one.
    pub closing: bool,
    /// The first substep of a frame.
    pub first: bool,
    /// The last one.
    pub last: bool,
    /// 1 / substeps
    pub share: f32,
    /// 1/H² over the usual one: 1, but in a first substep of BDF2. Multipliers are stored times this, so that a force
    /// is found alike whenever λ was.
    pub scale: f32,
    /// Constraints and their components go in the opposite order.
    pub back: bool,
}

impl SweepState {
    /// Whether constraints may break.
    pub fn breaking(&self) -> bool {
        self.opening && self.first
    }

    /// Whether λ is kept for another visit, or for the host after a frame.
    #[inline(always)]
    pub fn keeps(&self) -> bool {
        !self.closing || self.last
    }
}

/// The loops over the constraints of a kind, methods of the kind: the compiler puts each kind's into a unit of its own,
/// and compiles several at once. As functions of this module they were one unit, which took one core minutes.
pub trait Loops: Constraint {
    /// Solves the blocks of a task.
    fn solve(task: &Task) {
        match task.group.blocks.instructions {
            Instructions::Baseline => solve_lanes::<Self, Four>(task),
            // SAFETY: a solver is made for instructions that the processor has.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Instructions::Avx2 => unsafe { Self::solve_avx2(task) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Instructions::Avx512 => unsafe { Self::solve_avx512(task) },
        }
    }

    /// # Safety
    /// The processor must have these instructions.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    #[target_feature(enable = "avx2")]
    unsafe fn solve_avx2(task: &Task) {
        solve_lanes::<Self, Eight>(task);
    }

    /// # Safety
    /// The processor must have these instructions.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn solve_avx512(task: &Task) {
        solve_lanes::<Self, Sixteen>(task);
    }
}

impl<C: Constraint> Loops for C {}

#[inline(always)]
fn solve_lanes<C: Constraint, L: Lanes>(task: &Task) {
    // Not a match: what a constant condition rules out is not even compiled, which is most of the crate's build time.
    // The other arities: see single.rs.
    if const { matches!(C::ARITY, Arity::Two) } {
        solve_blocks::<C, L, 2>(task);
    } else if const { matches!(C::ARITY, Arity::Three) } {
        solve_blocks::<C, L, 3>(task);
    } else if const { matches!(C::ARITY, Arity::Four) } {
        solve_blocks::<C, L, 4>(task);
    }
}

/// Most steps need nothing of what a constraint may need, and have loops of their own: what would be asked for each
/// block is a third of its instructions. Each loop more is a copy of the kind's function to compile.
#[inline(always)]
fn solve_blocks<C: Constraint, L: Lanes, const N: usize>(task: &Task) {
    let needs = &task.group.blocks.needs;
    let lists = Lists::new::<L, N>(task);
    let plain = Needs { damping: false, breaking: false, one_sided: false, ..*needs };
    let bare = Needs { summing: needs.summing, iterating: needs.iterating, ..Needs::default() };
    // What can break is decided in the first sweep of a frame alone. Only pairs are worth a loop of their own.
    let whole = Needs { breaking: false, ..*needs };
    if const { N == 2 && C::COMPONENTS == 1 }
        && needs.breaking
        && !task.state.breaking()
        && bare == whole
        && task.is_alone()
    {
        staged::solve::<C, L, N, true>(task, &lists, &bare);
    } else if const { C::COMPONENTS == 1 } && bare == *needs && task.is_alone() {
        staged::solve::<C, L, N, false>(task, &lists, &bare);
    } else if const { C::COMPONENTS > 1 } && plain == *needs && task.is_alone() {
        for index in 0..task.blocks.len() {
            either_way::<C, L, N, true>(task, &lists, &plain, task.block(index));
        }
    } else {
        for index in 0..task.blocks.len() {
            either_way::<C, L, N, false>(task, &lists, needs, task.block(index));
        }
    }
}

/// Only of several components does it matter in which order they come. Those of two are known when it is compiled,
/// which is worth another copy of the code.
#[inline(always)]
fn either_way<C: Constraint, L: Lanes, const N: usize, const PLAIN: bool>(
    task: &Task,
    lists: &Lists,
    needs: &Needs,
    block: usize,
) {
    if const { C::COMPONENTS == 2 } && task.state.back {
        solve_block::<C, L, N, PLAIN, true>(task, lists, needs, block);
    } else {
        solve_block::<C, L, N, PLAIN, false>(task, lists, needs, block);
    }
}

#[inline(always)]
fn solve_block<C: Constraint, L: Lanes, const N: usize, const PLAIN: bool, const BACK: bool>(
    task: &Task,
    lists: &Lists,
    needs: &Needs,
    block: usize,
) {
    let Task { group, state, .. } = task;
    let zero = L::from_f64(0.0);
    let none = Vec3 { x: zero, y: zero, z: zero };

    let (y, w) = lists.ways::<L, N, false>(block);
    let scale = L::from_f64(f64::from(state.scale));
    let gather_to = if PLAIN { None } else { task.step.gather.as_ref() };
    let count = lists.count(block);
    let (mut split, mut shares) = (w, [L::from_f64(1.0); N]);
    if let Some(gather) = gather_to {
        for k in 0..N {
            let mut valences = [0.0; MOST];
            for (lane, valence) in valences.iter_mut().enumerate().take(L::COUNT) {
                *valence = gather.valences[task.correction::<L>(block, lane.min(count - 1), k, N)];
            }
            shares[k] = L::from_array(&valences);
            split[k] = w[k] * shares[k];
        }
    }
    // d - e before the sweep.
    let mut before = [none; N];
    if needs.damping {
        for (k, before) in before.iter_mut().enumerate() {
            // SAFETY: as above.
            let (d, e) = unsafe {
                let e = task.points.e.pointer();
                (lists.entries::<L, N, false>(lists.d, block, k), lists.entries::<L, N, false>(e, block, k))
            };
            let [right, up, near, _] = L::transposed([d[0] - e[0], d[1] - e[1], d[2] - e[2], d[3] - e[3]]);
            *before = Vec3 { x: right, y: up, z: near };
        }
    }

    let rest = lists.rest::<C, L>(block);
    let first_lambda = if needs.breaking { read(&group.lambdas, block * C::COMPONENTS) } else { zero };
    let was_broken = first_lambda.greater(L::from_f64(f64::from(LEAST_BROKEN)));
    let mut moves = [none; N];
    let mut forces = [none; N];
    for turn in 0..C::COMPONENTS {
        let back = BACK || C::COMPONENTS > 2 && state.back;
        let component = if back { C::COMPONENTS - 1 - turn } else { turn };
        let index = block * C::COMPONENTS + component;
        // With its share of the mass a particle goes farther for the next component: see apply_jacobi.wgsl.
        let mut within = moves;
        if gather_to.is_some() {
            for k in 0..N {
                within[k] = moves[k] * shares[k];
            }
        }
        let mut at = y;
        if turn > 0 {
            for k in 0..N {
                at[k] = y[k] + within[k];
            }
        }
        let mut gradient = [none; N];
        let value = C::evaluate(rest, component, &at, &mut gradient);
        let mut lambda = if needs.iterating && !state.opening { read(&group.lambdas, index) } else { zero };
        if needs.two_steps {
            lambda = lambda / scale;
        }
        let [mut weight, mut lightest, mut steepest] = [zero; 3];
        let mut way = zero;
        for k in 0..N {
            let squared = gradient[k].dot(gradient[k]);
            let added = split[k] * squared;
            weight = if k == 0 { added } else { weight + added };
            (lightest, steepest) = (lightest.max(split[k]), steepest.max(squared));
            if needs.damping {
                way = way + gradient[k].dot(before[k] + within[k]);
            }
        }
        let least = match const { staged::opposite::<C, N>() } {
            true => None,
            false => Some(least_divisor(lightest, steepest)),
        };
        let law = task.law::<C, L>(lists, needs, block, component);
        let mut change = law.change(needs, lambda, value, way, weight, least);
        if needs.breaking {
            change = L::select(was_broken, zero, change);
            let mean = read::<L>(&group.sums, index) * L::from_f64(f64::from(state.share));
            for k in 0..N {
                forces[k] += gradient[k] * mean;
            }
        }
        for k in 0..N {
            let step = gradient[k] * (w[k] * change);
            moves[k] = if turn == 0 { step } else { moves[k] + step };
        }
        let mut next = lambda + change;
        if needs.two_steps {
            next = next * scale;
        }
        if needs.summing && state.closing {
            let old = read(&group.sums, index);
            let sum = if state.first { next } else { old + next };
            write(&group.sums, index, if needs.breaking { L::select(was_broken, old, sum) } else { sum });
        }
        if needs.yielding || state.keeps() {
            if needs.breaking {
                next = L::select(was_broken, read(&group.lambdas, index), next);
            }
            write(&group.lambdas, index, next);
        }
    }
    if needs.breaking && state.breaking() {
        let mut largest = zero;
        for force in forces {
            largest = largest.max(force.dot(force));
        }
        let breaks = task.law::<C, L>(lists, needs, block, 0).breaks(L::select(was_broken, zero, largest));
        for index in block * C::COMPONENTS..(block + 1) * C::COMPONENTS {
            let lambda = read(&group.lambdas, index);
            write(&group.lambdas, index, L::select(breaks, L::from_f64(f64::from(BROKEN)), lambda));
            write(&group.sums, index, L::select(breaks, zero, read(&group.sums, index)));
        }
        for step in &mut moves {
            *step = Vec3 {
                x: L::select(breaks, zero, step.x),
                y: L::select(breaks, zero, step.y),
                z: L::select(breaks, zero, step.z),
            };
        }
    }
    task.push_all::<L, N, PLAIN, false>(lists, block, moves, w);
}

/// The lanes of an entry of a block's list.
#[inline(always)]
fn read<L: Lanes>(list: &Shared<f32>, index: usize) -> L {
    // SAFETY: as above.
    unsafe { L::load(list.pointer().add(index * L::COUNT)) }
}

#[inline(always)]
fn write<L: Lanes>(list: &Shared<f32>, index: usize, value: L) {
    // SAFETY: as above; and a block is solved by one thread.
    unsafe { value.store(list.pointer().add(index * L::COUNT)) }
}

impl Task<'_> {
    /// Whether its constraints share no particle, fixed ones included, and move them themselves.
    fn is_alone(&self) -> bool {
        !self.group.blocks.sharing && self.step.gather.is_none()
    }

    /// The blocks in their order, or from the last.
    #[inline(always)]
    pub(super) fn block(&self, index: usize) -> usize {
        if self.state.back { self.blocks.end - 1 - index } else { self.blocks.start + index }
    }

    #[inline(always)]
    pub(super) fn law<C: Constraint, L: Lanes>(
        &self,
        lists: &Lists,
        needs: &Needs,
        block: usize,
        component: usize,
    ) -> Law<L> {
        let entry = lists.law(block);
        let index = if C::OWN_MATERIALS { entry * C::COMPONENTS + component } else { entry };
        // SAFETY: as above.
        let law = unsafe { self.group.blocks.laws.of_entry::<L>(index, needs) };
        if needs.two_steps { law.scaled(self.state.scale) } else { law }
    }

    /// Moves the particles of a block's constraints, or keeps how as corrections.
    #[inline(always)]
    pub(super) fn push_all<L: Lanes, const N: usize, const PLAIN: bool, const ROW: bool>(
        &self,
        lists: &Lists,
        block: usize,
        moves: [Vec3<L>; N],
        w: [L; N],
    ) {
        // Not a loop, which would be kept as one, with all moves in memory.
        self.push::<L, N, PLAIN, ROW>(lists, block, 0, moves[0], w[0]);
        self.push::<L, N, PLAIN, ROW>(lists, block, 1, moves[1], w[1]);
        if N > 2 {
            self.push::<L, N, PLAIN, ROW>(lists, block, 2, moves[2], w[2]);
        }
        if N > 3 {
            self.push::<L, N, PLAIN, ROW>(lists, block, 3, moves[3], w[3]);
        }
    }

    /// The k-th of them.
    #[inline(always)]
    fn push<L: Lanes, const N: usize, const PLAIN: bool, const ROW: bool>(
        &self,
        lists: &Lists,
        block: usize,
        k: usize,
        change: Vec3<L>,
        w: L,
    ) {
        let changes = L::transposed([change.x, change.y, change.z, L::from_f64(0.0)]);
        if PLAIN && (ROW || lists.count(block) == L::COUNT) {
            // SAFETY: as above; constraints of a colour share no particle that is written, as `check::plan` has
            // checked.
            unsafe { lists.add::<L, N, ROW>(block, k, changes) };
        } else {
            self.push_each::<L>(block, (k, N), L::separate(changes), w.to_array());
        }
    }

    #[inline(never)]
    fn push_each<L: Lanes>(&self, block: usize, (k, n): (usize, usize), changes: [f32x4; MOST], w: [f32; MOST]) {
        let (blocks, d) = (self.group.blocks, self.points.d);
        for lane in 0..usize::from(blocks.counts[block]) {
            let slot = blocks.slots[(block * n + k) * L::COUNT + lane] as usize;
            if self.step.gather.is_some() {
                self.corrections.write(self.correction::<L>(block, lane, k, n), changes[lane]);
            } else if !blocks.sharing || w[lane] != 0.0 {
                d.write(slot, d.read(slot) + changes[lane]);
            }
        }
    }

    /// Index of the correction of the k-th of N particles of a constraint.
    fn correction<L: Lanes>(&self, block: usize, lane: usize, k: usize, n: usize) -> usize {
        self.step.index(block, lane, L::COUNT) * n + k
    }
}

/// A kind's function by itself; see [`Kind`](crate::constraint::Kind).
pub fn evaluate<C: Constraint>(instructions: Instructions, component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    assert!(Instructions::available().contains(&instructions), "the processor has no {}", instructions.name());
    // As they are solved, and in lanes not even compiled: see single.rs.
    if const { matches!(C::ARITY, Arity::One | Arity::Many) } {
        return evaluate_singly::<C>(instructions.lanes(), component, rest, x);
    }
    match instructions {
        Instructions::Baseline => evaluate_lanes::<C, Four>(component, rest, x),
        // SAFETY: the processor has them, as was asked.
        #[cfg(all(target_arch = "x86_64", not(test)))]
        Instructions::Avx2 => unsafe { evaluate_avx2::<C>(component, rest, x) },
        // SAFETY: as above.
        #[cfg(all(target_arch = "x86_64", not(test)))]
        Instructions::Avx512 => unsafe { evaluate_avx512::<C>(component, rest, x) },
    }
}

#[cfg(all(target_arch = "x86_64", not(test)))]
#[target_feature(enable = "avx2")]
fn evaluate_avx2<C: Constraint>(component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    evaluate_lanes::<C, Eight>(component, rest, x)
}

#[cfg(all(target_arch = "x86_64", not(test)))]
#[target_feature(enable = "avx512f,avx2")]
fn evaluate_avx512<C: Constraint>(component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    evaluate_lanes::<C, Sixteen>(component, rest, x)
}

/// One lane after another in double precision; lists hold a number of each lane, then the next number.
fn evaluate_singly<C: Constraint>(lanes: usize, component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    let numbers = 1 + x.len() / lanes;
    let mut all = vec![0.0; numbers * lanes];
    for lane in 0..lanes {
        let of = |list: &[f32]| list.iter().skip(lane).step_by(lanes).copied().map(f64::from).collect::<Vec<_>>();
        let x: Vec<Vec3<f64>> = of(x).chunks_exact(3).map(|v| Vec3 { x: v[0], y: v[1], z: v[2] }).collect();
        let mut gradient = vec![Vec3::zero(); x.len()];
        all[lane] = C::evaluate(&of(rest), component, &x, &mut gradient) as f32;
        for (k, number) in gradient.iter().flat_map(|v| [v.x, v.y, v.z]).enumerate() {
            all[(1 + k) * lanes + lane] = number as f32;
        }
    }
    all
}

#[inline(always)]
fn evaluate_lanes<C: Constraint, L: Lanes>(component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    let lanes = |list: &[f32]| -> Vec<L> {
        let lane = |values: &[f32]| {
            let mut lanes = [0.0; MOST];
            lanes[..L::COUNT].copy_from_slice(values);
            L::from_array(&lanes)
        };
        list.chunks_exact(L::COUNT).map(lane).collect()
    };
    let x: Vec<Vec3<L>> = lanes(x).chunks_exact(3).map(|v| Vec3 { x: v[0], y: v[1], z: v[2] }).collect();
    let mut gradient = vec![Vec3::zero(); x.len()];
    let value = C::evaluate(&lanes(rest), component, &x, &mut gradient);
    let numbers = gradient.iter().flat_map(|v| [v.x, v.y, v.z]);
    std::iter::once(value).chain(numbers).flat_map(|number| number.to_array().into_iter().take(L::COUNT)).collect()
}
