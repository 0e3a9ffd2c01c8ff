//! Solving constraints of two, three and four particles, as many at once as there are lanes: gather, evaluate, multiplier, scatter.
//! What `shaders/solve/two.wgsl` to `four.wgsl` do, for a number of lanes and with the kind's function of Rust.
//!
//! Lists are read and written without checks here, a constraint in a few cycles. That all indices are good follows from how blocks are
//! made: slots are those of particles (`check::plan`), and those of a row that of the first of as many as a quarter of a register has; every other
//! list has an entry for each lane of each block.

use std::ops::Range;

use wide::f32x4;

use super::blocks::{APART, Blocks, Step};
#[cfg(target_arch = "x86_64")]
use super::lanes::{Eight, Sixteen};
use super::lanes::{Four, Instructions, Lanes, MOST};
use super::law::{LEAST_BROKEN, Law};
use super::shared::Shared;
use crate::constraint::{Arity, Constraint, Vec3};
use crate::engine::BROKEN;
use crate::engine::Needs;

/// A thread's share of a step, for a kind to solve.
pub struct Task<'a> {
    pub(super) step: &'a Step,
    pub(super) blocks: Range<usize>,
    pub(super) group: View<'a>,
    pub(super) points: Points<'a>,
    /// Of a Jacobi sweep; see [`crate::plan::Gather`].
    pub(super) corrections: Shared<'a, f32x4>,
    pub(super) laws: &'a [Law<f32>],
    pub(super) moment: Moment,
}

/// The lists of particles that constraints read and write: m; x has the inverse mass fourth, 1/kg.
#[derive(Clone, Copy)]
pub struct Points<'a> {
    pub x: Shared<'a, f32x4>,
    pub d: Shared<'a, f32x4>,
    pub e: Shared<'a, f32x4>,
}

/// A group, shared by a team; see [`super::blocks`].
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub blocks: &'a Blocks,
    pub rest: Shared<'a, f32>,
    pub bases: Shared<'a, f32>,
    pub lambdas: Shared<'a, f32>,
    pub sums: Shared<'a, f32>,
}

/// Where in a frame a sweep is.
#[derive(Clone, Copy)]
pub struct Moment {
    /// The first sweep of a substep.
    pub opening: bool,
    /// The first substep of a frame, and the last.
    pub first: bool,
    pub last: bool,
    /// 1 / substeps
    pub share: f32,
    /// 1/H² over the usual one: 1, but in a first substep of BDF2. Multipliers are stored times this, so that a force is found alike whenever
    /// λ was.
    pub scale: f32,
    /// Constraints go in the opposite order.
    pub back: bool,
}

impl Moment {
    /// Whether constraints may break.
    pub fn breaking(&self) -> bool {
        self.opening && self.first
    }
}

/// Keeps whether its kind's function is known at compile time.
pub fn solve<C: Constraint>(task: &Task) {
    match task.group.blocks.instructions {
        Instructions::Baseline => solve_lanes::<C, Four>(task),
        // SAFETY: a solver is made for instructions that the processor has.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { solve_avx2::<C>(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { solve_avx512::<C>(task) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn solve_avx2<C: Constraint>(task: &Task) {
    solve_lanes::<C, Eight>(task);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
fn solve_avx512<C: Constraint>(task: &Task) {
    solve_lanes::<C, Sixteen>(task);
}

#[inline(always)]
fn solve_lanes<C: Constraint, L: Lanes>(task: &Task) {
    match C::ARITY {
        Arity::Two => solve_blocks::<C, L, 2>(task),
        Arity::Three => solve_blocks::<C, L, 3>(task),
        Arity::Four => solve_blocks::<C, L, 4>(task),
        // See single.rs.
        Arity::One | Arity::Many => {}
    }
}

/// `PLAIN` steps, most of all, have a loop of their own, so that what they do not need takes no registers.
#[inline(always)]
fn solve_blocks<C: Constraint, L: Lanes, const N: usize>(task: &Task) {
    let Blocks { needs, sharing, .. } = task.group.blocks;
    let plain = Needs { damping: false, breaking: false, one_sided: false, ..*needs };
    if plain != *needs || *sharing || task.step.gather.is_some() {
        for index in 0..task.blocks.len() {
            solve_block::<C, L, N, false, false>(task, needs, task.block(index));
        }
    } else {
        for index in 0..task.blocks.len() {
            let block = task.block(index);
            if task.row(block * N)[0] == APART {
                solve_block::<C, L, N, true, false>(task, &plain, block);
            } else {
                solve_block::<C, L, N, true, true>(task, &plain, block);
            }
        }
    }
}

/// The slots of the k-th particles of a block's constraints; in rows, those of the first of each quarter.
#[inline(always)]
fn slots<L: Lanes, const N: usize, const ROW: bool>(task: &Task, block: usize, k: usize) -> *const u32 {
    let index = block * N + k;
    let slots = if ROW { task.row(index) } else { &task.group.blocks.slots[index * L::COUNT..] };
    slots.as_ptr()
}

/// The entries there.
///
/// # Safety
/// As [`Lanes::gather`]; in rows as [`Lanes::gather_quarters`].
#[inline(always)]
unsafe fn entries<L: Lanes, const ROW: bool>(list: *const f32x4, slots: *const u32) -> [L; 4] {
    // SAFETY: the caller's.
    unsafe { if ROW { L::gather_quarters(list, slots) } else { L::gather(list, slots) } }
}

#[inline(always)]
fn solve_block<C: Constraint, L: Lanes, const N: usize, const PLAIN: bool, const ROW: bool>(
    task: &Task,
    needs: &Needs,
    block: usize,
) {
    let Task { group, points, moment, .. } = task;
    let zero = L::from_f64(0.0);
    let none = Vec3 { x: zero, y: zero, z: zero };

    // Ways from the first particle, (x - x₀) + (d - d₀), taken before the transposition; the fourth number is the inverse mass.
    let first = slots::<L, N, ROW>(task, block, 0);
    // SAFETY: as told above for all lists, here and below; and nobody writes meanwhile what is read, by the contract of `Shared`.
    let (x0, d0) =
        unsafe { (entries::<L, ROW>(points.x.pointer(), first), entries::<L, ROW>(points.d.pointer(), first)) };
    let mut w = [zero; N];
    let mut y = [none; N];
    w[0] = L::fourth(x0);
    for k in 1..N {
        let slots = slots::<L, N, ROW>(task, block, k);
        // SAFETY: as above.
        let (x, d) =
            unsafe { (entries::<L, ROW>(points.x.pointer(), slots), entries::<L, ROW>(points.d.pointer(), slots)) };
        let mut ways = [zero; 4];
        for i in 0..4 {
            ways[i] = (x[i] - x0[i].without_fourth()) + (d[i] - d0[i]);
        }
        let [right, up, near, mass] = L::transposed(ways);
        (y[k], w[k]) = (Vec3 { x: right, y: up, z: near }, mass);
    }
    let scale = L::from_f64(f64::from(moment.scale));
    let gather_to = if PLAIN { None } else { task.step.gather.as_ref() };
    let count = usize::from(group.blocks.counts[block]);
    let mut split = w;
    if let Some(gather) = gather_to {
        for k in 0..N {
            let mut valences = [0.0; MOST];
            for (lane, valence) in valences.iter_mut().enumerate().take(L::COUNT) {
                *valence = gather.valences[task.correction::<L>(block, lane.min(count - 1), k, N)];
            }
            split[k] = w[k] * L::from_array(&valences);
        }
    }
    // d - e before the sweep.
    let mut before = [none; N];
    if needs.damping {
        for (k, before) in before.iter_mut().enumerate() {
            let slots = slots::<L, N, ROW>(task, block, k);
            // SAFETY: as above.
            let (d, e) =
                unsafe { (entries::<L, ROW>(points.d.pointer(), slots), entries::<L, ROW>(points.e.pointer(), slots)) };
            let [right, up, near, _] = L::transposed([d[0] - e[0], d[1] - e[1], d[2] - e[2], d[3] - e[3]]);
            *before = Vec3 { x: right, y: up, z: near };
        }
    }

    // SAFETY: as above; the lists of blocks begin where registers may, and so does each block's part.
    let rest = unsafe {
        let first = group.rest.pointer().add(group.blocks.rest_of[block] as usize * C::REST.len() * L::COUNT);
        std::slice::from_raw_parts(first.cast::<L>().cast_const(), C::REST.len())
    };
    let first_lambda = if needs.breaking { read(&group.lambdas, block * C::COMPONENTS) } else { zero };
    let was_broken = first_lambda.greater(L::from_f64(f64::from(LEAST_BROKEN)));
    let mut moves = [none; N];
    let mut forces = [none; N];
    for component in 0..C::COMPONENTS {
        let index = block * C::COMPONENTS + component;
        let mut at = y;
        if component > 0 {
            for k in 0..N {
                at[k] = y[k] + moves[k];
            }
        }
        let mut gradient = [none; N];
        let value = C::evaluate(rest, component, &at, &mut gradient);
        let mut lambda = if needs.iterating && !moment.opening { read(&group.lambdas, index) } else { zero };
        if needs.two_steps {
            lambda = lambda / scale;
        }
        let mut weight = zero;
        let mut way = zero;
        for k in 0..N {
            weight = weight + split[k] * gradient[k].dot(gradient[k]);
            if needs.damping {
                way = way + gradient[k].dot(before[k] + moves[k]);
            }
        }
        let mut change = task.law::<C, L>(needs, block, component).change(needs, lambda, value, way, weight);
        if needs.breaking {
            change = L::select(was_broken, zero, change);
            let mean = read::<L>(&group.sums, index) * L::from_f64(f64::from(moment.share));
            for k in 0..N {
                forces[k] += gradient[k] * mean;
            }
        }
        for k in 0..N {
            let step = gradient[k] * (w[k] * change);
            moves[k] = if component == 0 { step } else { moves[k] + step };
        }
        if needs.summing {
            let old = read(&group.sums, index);
            let sum = if moment.breaking() { zero } else { old };
            let added = if needs.two_steps { change * scale } else { change };
            let sum = if needs.breaking { L::select(was_broken, old, sum + added) } else { sum + added };
            write(&group.sums, index, sum);
        }
        if needs.iterating || needs.yielding || moment.last {
            let mut next = lambda + change;
            if needs.two_steps {
                next = next * scale;
            }
            if needs.breaking {
                next = L::select(was_broken, read(&group.lambdas, index), next);
            }
            write(&group.lambdas, index, next);
        }
    }
    if needs.breaking && moment.breaking() {
        let mut largest = zero;
        for force in forces {
            largest = largest.max(force.dot(force));
        }
        let breaks = task.law::<C, L>(needs, block, 0).breaks(L::select(was_broken, zero, largest));
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
    // Not a loop, which would be kept as one, with all moves in memory.
    task.push::<L, N, PLAIN, ROW>(block, 0, moves[0], w[0]);
    task.push::<L, N, PLAIN, ROW>(block, 1, moves[1], w[1]);
    if N > 2 {
        task.push::<L, N, PLAIN, ROW>(block, 2, moves[2], w[2]);
    }
    if N > 3 {
        task.push::<L, N, PLAIN, ROW>(block, 3, moves[3], w[3]);
    }
}

/// The lanes of an entry of a block's list.
#[inline(always)]
fn read<L: Lanes>(list: &Shared<f32>, index: usize) -> L {
    // SAFETY: as told above.
    unsafe { L::load(list.pointer().add(index * L::COUNT)) }
}

#[inline(always)]
fn write<L: Lanes>(list: &Shared<f32>, index: usize, value: L) {
    // SAFETY: as told above; and a block is solved by one thread.
    unsafe { value.store(list.pointer().add(index * L::COUNT)) }
}

impl Task<'_> {
    /// The blocks in their order, or from the last.
    #[inline(always)]
    pub(super) fn block(&self, index: usize) -> usize {
        if self.moment.back { self.blocks.end - 1 - index } else { self.blocks.start + index }
    }

    /// An entry of a block's list of rows, one for each particle of a constraint.
    #[inline(always)]
    fn row(&self, index: usize) -> &[u32] {
        &self.group.blocks.rows[index * 4..index * 4 + 4]
    }

    #[inline(always)]
    fn law<C: Constraint, L: Lanes>(&self, needs: &Needs, block: usize, component: usize) -> Law<L> {
        let blocks = self.group.blocks;
        let entry = blocks.law_of[block] as usize;
        let index = if C::OWN_MATERIALS { entry * C::COMPONENTS + component } else { entry };
        // SAFETY: as told above.
        let law = unsafe { blocks.laws.of_entry::<L>(index, needs) };
        if needs.two_steps { law.scaled(self.moment.scale) } else { law }
    }

    /// Moves the k-th of N particles of a block's constraints, or keeps how as corrections.
    #[inline(always)]
    fn push<L: Lanes, const N: usize, const PLAIN: bool, const ROW: bool>(
        &self,
        block: usize,
        k: usize,
        change: Vec3<L>,
        w: L,
    ) {
        let (blocks, d) = (self.group.blocks, self.points.d);
        let count = usize::from(blocks.counts[block]);
        let slots = slots::<L, N, ROW>(self, block, k);
        let changes = L::transposed([change.x, change.y, change.z, L::from_f64(0.0)]);
        if PLAIN && (ROW || count == L::COUNT) {
            // Read again here: kept since the beginning, d would be spilled to the stack.
            // SAFETY: as told above; constraints of a colour share no particle that is written, as `check::plan` asked.
            unsafe {
                let old = entries::<L, ROW>(d.pointer(), slots);
                let new = [old[0] + changes[0], old[1] + changes[1], old[2] + changes[2], old[3] + changes[3]];
                if ROW {
                    L::scatter_quarters(new, d.pointer(), slots);
                } else {
                    L::scatter(new, d.pointer(), slots);
                }
            }
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
    match instructions {
        Instructions::Baseline => evaluate_lanes::<C, Four>(component, rest, x),
        // SAFETY: the processor has them, as was asked.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { evaluate_avx2::<C>(component, rest, x) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { evaluate_avx512::<C>(component, rest, x) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn evaluate_avx2<C: Constraint>(component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    evaluate_lanes::<C, Eight>(component, rest, x)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
fn evaluate_avx512<C: Constraint>(component: usize, rest: &[f32], x: &[f32]) -> Vec<f32> {
    evaluate_lanes::<C, Sixteen>(component, rest, x)
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
