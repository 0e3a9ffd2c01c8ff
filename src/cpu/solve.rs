//! Solving constraints of two, three and four particles, as many at once as there are lanes: gather, evaluate, multiplier, scatter.
//! What `shaders/solve/two.wgsl` to `four.wgsl` do, for a number of lanes and with the kind's function of Rust.

use std::array::from_fn;
use std::ops::Range;

use wide::f32x4;

use super::blocks::{Batch, Blocks};
use super::lanes::{LANES, Lanes, gather, vector};
use super::law::{BROKEN, LEAST_BROKEN, Law};
use super::shared::Shared;
use crate::constraint::{Arity, Constraint, Real, Vec3};
use crate::solver::Needs;

/// A thread's share of a batch, for a kind to solve.
pub struct Task<'a> {
    pub(super) batch: &'a Batch,
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
    pub rest: Shared<'a, Lanes>,
    pub bases: Shared<'a, Lanes>,
    pub lambdas: Shared<'a, Lanes>,
    pub sums: Shared<'a, Lanes>,
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
}

impl Moment {
    /// Whether constraints may break.
    pub fn breaking(&self) -> bool {
        self.opening && self.first
    }
}

/// Keeps whether its kind's function is known at compile time.
pub fn solve<C: Constraint>(task: &Task) {
    match C::ARITY {
        Arity::Two => solve_blocks::<C, 2>(task),
        Arity::Three => solve_blocks::<C, 3>(task),
        Arity::Four => solve_blocks::<C, 4>(task),
        // See single.rs.
        Arity::One | Arity::Many => {}
    }
}

/// `PLAIN` batches, most of all, have a function of their own, so that what they do not need takes no registers.
fn solve_blocks<C: Constraint, const N: usize>(task: &Task) {
    let Blocks { needs, sharing, .. } = task.group.blocks;
    let Needs { damping, breaking, one_sided, .. } = *needs;
    match damping || breaking || one_sided || *sharing || task.batch.gather.is_some() {
        true => solve_all::<C, N, false>(task),
        false => solve_all::<C, N, true>(task),
    }
}

fn solve_all<C: Constraint, const N: usize, const PLAIN: bool>(task: &Task) {
    let Blocks { slots, materials, needs, .. } = task.group.blocks;
    let slots = slots.as_chunks().0;
    let needs = match PLAIN {
        true => Needs { damping: false, breaking: false, one_sided: false, ..*needs },
        false => *needs,
    };
    for block in task.blocks.clone() {
        solve_block::<C, N, PLAIN>(task, &needs, block, &slots[block], &materials[block]);
    }
}

/// The inverse mass of a first particle is not part of a way.
const WAY: f32x4 = f32x4::new([f32::from_bits(!0), f32::from_bits(!0), f32::from_bits(!0), 0.0]);

#[inline(always)]
fn solve_block<C: Constraint, const N: usize, const PLAIN: bool>(
    task: &Task,
    needs: &Needs,
    block: usize,
    slots: &[[u32; LANES]; N],
    materials: &[u32; LANES],
) {
    let Task { group, points, moment, .. } = task;
    let zero = Lanes::splat(0.0);

    // Ways from the first particle, (x - x₀) + (d - d₀), taken before the transposition; the fourth number is the inverse mass.
    let d: [[f32x4; LANES]; N] = from_fn(|k| gather(&points.d, &slots[k]));
    let first = gather(&points.x, &slots[0]);
    let mut w = [zero; N];
    let mut y = [Vec3 { x: zero, y: zero, z: zero }; N];
    w[0] = Lanes::transposed(first)[3];
    for k in 1..N {
        let x = gather(&points.x, &slots[k]);
        let way = Lanes::transposed(from_fn(|lane| (x[lane] - (first[lane] & WAY)) + (d[k][lane] - d[0][lane])));
        (y[k], w[k]) = (vector(way), way[3]);
    }
    let gather_to = if PLAIN { None } else { task.batch.gather.as_ref() };
    let split = match gather_to {
        None => w,
        Some(gather) => {
            let correction =
                |k: usize, lane: usize| task.correction(block, lane.min(task.batch.lanes(block) - 1), k, N);
            from_fn(|k| w[k] * Lanes::new(from_fn(|lane| gather.valences[correction(k, lane)])))
        }
    };
    // d - e before the sweep.
    let before: [Vec3<Lanes>; N] = match needs.damping {
        false => [Vec3 { x: zero, y: zero, z: zero }; N],
        true => from_fn(|k| {
            let e = gather(&points.e, &slots[k]);
            vector(Lanes::transposed(from_fn(|lane| d[k][lane] - e[lane])))
        }),
    };

    let rest = group.rest.list(block * C::REST.len(), C::REST.len());
    let first_lambda = if needs.breaking { group.lambdas.read(block * C::COMPONENTS) } else { zero };
    let was_broken = first_lambda.greater(Lanes::splat(LEAST_BROKEN));
    let mut moves = [Vec3 { x: zero, y: zero, z: zero }; N];
    let mut forces = moves;
    for component in 0..C::COMPONENTS {
        let index = block * C::COMPONENTS + component;
        let at: [Vec3<Lanes>; N] = if component == 0 { y } else { from_fn(|k| y[k] + moves[k]) };
        let mut gradient = [Vec3 { x: zero, y: zero, z: zero }; N];
        let value = C::evaluate(rest, component, &at, &mut gradient);
        let lambda = if needs.iterating && !moment.opening { group.lambdas.read(index) } else { zero };
        let mut weight = zero;
        let mut way = zero;
        for k in 0..N {
            weight = weight + split[k] * gradient[k].dot(gradient[k]);
            if needs.damping {
                way = way + gradient[k].dot(before[k] + moves[k]);
            }
        }
        let own = if C::OWN_MATERIALS { component as u32 } else { 0 };
        let law = Law::of_block(task.laws, materials, own, needs);
        let mut change = law.change(needs, lambda, value, way, weight);
        if needs.breaking {
            change = Lanes::select(was_broken, zero, change);
            let mean = group.sums.read(index) * Lanes::splat(moment.share);
            for k in 0..N {
                forces[k] += gradient[k] * mean;
            }
        }
        for k in 0..N {
            let step = gradient[k] * (w[k] * change);
            moves[k] = if component == 0 { step } else { moves[k] + step };
        }
        let store = |list: &Shared<Lanes>, value: Lanes| match needs.breaking {
            true => list.write(index, Lanes::select(was_broken, list.read(index), value)),
            false => list.write(index, value),
        };
        if needs.summing {
            let sum = if moment.breaking() { zero } else { group.sums.read(index) };
            store(&group.sums, sum + change);
        }
        if needs.iterating || needs.yielding || moment.last {
            store(&group.lambdas, lambda + change);
        }
    }
    if needs.breaking && moment.breaking() {
        let largest = forces.iter().fold(zero, |largest, force| largest.max(force.dot(*force)));
        let law = Law::of_block(task.laws, materials, 0, needs);
        let breaks = law.breaks(Lanes::select(was_broken, zero, largest));
        for index in block * C::COMPONENTS..(block + 1) * C::COMPONENTS {
            let lambda = group.lambdas.read(index);
            group.lambdas.write(index, Lanes::select(breaks, Lanes::splat(BROKEN), lambda));
            group.sums.write(index, Lanes::select(breaks, zero, group.sums.read(index)));
        }
        for step in &mut moves {
            let keep = |value| Lanes::select(breaks, zero, value);
            *step = Vec3 { x: keep(step.x), y: keep(step.y), z: keep(step.z) };
        }
    }
    let lanes = task.batch.lanes(block);
    for k in 0..N {
        let change = Lanes::vectors(moves[k]);
        if gather_to.is_some() {
            (0..lanes).for_each(|lane| task.corrections.write(task.correction(block, lane, k, N), change[lane]));
        } else if !PLAIN && group.blocks.sharing {
            let free = w[k].to_array();
            for lane in (0..lanes).filter(|&lane| free[lane] != 0.0) {
                points.push(slots[k][lane], change[lane]);
            }
        } else if lanes == LANES {
            (0..LANES).for_each(|lane| points.push(slots[k][lane], change[lane]));
        } else {
            (0..lanes).for_each(|lane| points.push(slots[k][lane], change[lane]));
        }
    }
}

impl Points<'_> {
    /// Read again here: kept since the beginning, d would be spilled to the stack.
    #[inline(always)]
    fn push(&self, slot: u32, change: f32x4) {
        self.d.write(slot as usize, self.d.read(slot as usize) + change);
    }
}

impl Task<'_> {
    /// Index of the correction of the k-th of N particles of a constraint.
    fn correction(&self, block: usize, lane: usize, k: usize, n: usize) -> usize {
        ((block - self.batch.blocks.start) * LANES + lane) * n + k
    }
}
