//! The edges of a level's net as sweeps go over them: up to sixteen of a colour at once, which share no node, in lanes.
//! See [`crate::pass::levels::cpu::nets`].

use std::array::from_fn;

use wide::f32x4;

use crate::cpu::lanes::{InLanes, Instructions, Lanes, MOST, Numbers};
use crate::cpu::shared::Shared;
use crate::math::Vec3;
use crate::model::Material;
use crate::plan::levels::{Net, SWEEPS};

/// The nodes of nets, of all sheets and levels.
#[derive(Clone, Copy)]
pub struct Nodes<'a> {
    /// Where the particle is that is a node's centre, on the lattice.
    pub at: Shared<'a, f32x4>,
    /// Where the node is from there before anything moves it, m.
    pub place: Shared<'a, f32x4>,
    /// What sweeps have moved it by, m, and its W, 1/kg.
    pub moved: Shared<'a, f32x4>,
    /// What it hands on of that, Y, m.
    pub step: Shared<'a, f32x4>,
}

/// Whether a sweep goes from the last edge to the first.
pub fn is_back(sweep: u32) -> bool {
    sweep % 2 == 1
}

/// Edges of a net.
pub struct Ties {
    /// Which of the net's, block after block; and how many each block has.
    edges: Vec<u32>,
    counts: Vec<u8>,
    /// The nodes of each block's at one end, and then at the other; what is beyond its edges is at a node that is none.
    ends: Vec<[[u32; MOST]; 2]>,
    /// For each block what is known of its edges, line by line.
    numbers: Numbers,
    /// Length of the substeps that this is of, s; 0 where edges are others now.
    h: f64,
}

/// L
const LENGTH: usize = 0;
/// α̃
const SOFT: usize = 1;
/// 1 / (W + W + α̃); 0 between two fixed nodes.
const YIELDING: usize = 2;
/// g
const GATE: usize = 3;
/// F h²
const STRENGTH: usize = 4;
/// max(λ₀, F h²)
const MOST_PUSH: usize = 5;
/// λ
const MULTIPLIER: usize = 6;
/// How far apart the ends are before anything moves them: three lines.
const APART: usize = 7;
const LINES: usize = 10;

impl Ties {
    /// Runs of a net's edges, those of a run without a common node. The net's nodes begin at `first`; `none`: a node
    /// that is none.
    pub fn new(net: &Net, runs: &[Vec<u32>], first: u32, none: u32) -> Self {
        let blocks = || runs.iter().flat_map(|run| run.chunks(MOST));
        let node = |edges: &[u32], lane: usize, end: usize| {
            edges.get(lane).map_or(none, |&edge| first + net.edges[edge as usize].ends[end])
        };
        let ends = blocks().map(|edges| [0, 1].map(|end| from_fn(|lane| node(edges, lane, end))));
        let counts: Vec<u8> = blocks().map(|edges| edges.len() as u8).collect();
        let numbers = Numbers::zeros(counts.len() * LINES * MOST);
        Self { edges: runs.concat(), counts, ends: ends.collect(), numbers, h: 0.0 }
    }

    /// For substeps of `h` s. What they pulled by stays.
    pub fn fit(&mut self, net: &Net, materials: &[Material], h: f64) {
        if self.h == h {
            return;
        }
        self.h = h;
        let mut edges = self.edges.iter();
        for (block, &count) in self.counts.iter().enumerate() {
            for (lane, &edge) in edges.by_ref().take(usize::from(count)).enumerate() {
                let edge = &net.edges[edge as usize];
                let weight: f64 = edge.ends.iter().map(|&end| net.inverse_masses[end as usize]).sum();
                let soft = edge.compliance(materials) / (h * h);
                // Between two fixed nodes nothing moves.
                let yielding = if weight > 0.0 { (weight + soft).recip() } else { 0.0 };
                let strength = edge.bending.now(materials) * h * h;
                let lines = [edge.length, soft, yielding, edge.gate(soft), strength];
                for (line, number) in lines.into_iter().enumerate() {
                    self.numbers[(block * LINES + line) * MOST + lane] = number as f32;
                }
            }
        }
    }

    /// Before a frame: nothing has pulled. `stale`: edges are others now.
    pub fn open(&mut self, stale: bool) {
        for block in 0..self.counts.len() {
            self.numbers[(block * LINES + MULTIPLIER) * MOST..][..MOST].fill(0.0);
        }
        if stale {
            self.h = 0.0;
        }
    }

    /// One of the [`SWEEPS`] of a substep, every other one from the last edge to the first.
    pub fn pull(&mut self, nodes: &Nodes, sweep: u32, instructions: Instructions) {
        instructions.run(Pull { ties: self, nodes, sweep });
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        let Self { edges, counts, ends, numbers, .. } = self;
        size_of_val(&**edges) + counts.len() + size_of_val(&**ends) + size_of_val(&**numbers)
    }
}

/// See [`Ties::pull`].
struct Pull<'a> {
    ties: &'a mut Ties,
    nodes: &'a Nodes<'a>,
    sweep: u32,
}

impl InLanes for Pull<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { ties: Ties { counts, ends, numbers, .. }, nodes, sweep } = self;
        let (opening, closing) = (sweep == 0, sweep + 1 == SWEEPS);
        for block in 0..counts.len() {
            let block = if is_back(sweep) { counts.len() - 1 - block } else { block };
            let (count, ends) = (counts[block], &ends[block]);
            for lane in (0..usize::from(count)).step_by(L::COUNT) {
                // SAFETY: each block has its lines, as long as the widest register, and nodes that there are, which
                // no other thread moves meanwhile.
                unsafe {
                    let numbers = numbers.as_mut_ptr().add(block * LINES * MOST + lane);
                    pull::<L>(numbers, ends.each_ref().map(|end| end.as_ptr().add(lane)), nodes, opening, closing);
                }
            }
        }
    }
}

/// A register of edges. `opening`, `closing`: in the first and last sweep of a substep.
///
/// # Safety
/// As [`Lanes::scatter`], of both ends' nodes; and there must be the lines of a block from `numbers` on.
#[inline(always)]
unsafe fn pull<L: Lanes>(numbers: *mut f32, [a, b]: [*const u32; 2], nodes: &Nodes, opening: bool, closing: bool) {
    // SAFETY: the caller's.
    unsafe {
        let (zero, one) = (L::from_f64(0.0), L::from_f64(1.0));
        if opening {
            let [at_a, at_b] = [L::gather(nodes.at.pointer(), a), L::gather(nodes.at.pointer(), b)];
            let [place_a, place_b] = [L::gather(nodes.place.pointer(), a), L::gather(nodes.place.pointer(), b)];
            let mut apart = at_a;
            for k in 0..4 {
                apart[k] = (at_a[k] - at_b[k]) + (place_a[k] - place_b[k]);
            }
            let [x, y, z, _] = L::transposed(apart);
            store(numbers, APART, x);
            store(numbers, APART + 1, y);
            store(numbers, APART + 2, z);
        }
        let first: Vec3<L> = Vec3 { x: load(numbers, APART), y: load(numbers, APART + 1), z: load(numbers, APART + 2) };
        let [mut moved_a, mut moved_b] = [L::gather(nodes.moved.pointer(), a), L::gather(nodes.moved.pointer(), b)];
        let mut between = moved_a;
        for k in 0..4 {
            between[k] = moved_a[k] - moved_b[k];
        }
        let [x, y, z, _] = L::transposed(between);
        let along = first + Vec3 { x, y, z };
        let length = along.dot(along).sqrt();
        let is_long = length.greater(zero);

        let before: L = load(numbers, MULTIPLIER);
        let (most, lambda) = match opening {
            true => (L::max(-before, load(numbers, STRENGTH)), zero),
            false => (load(numbers, MOST_PUSH), before),
        };
        let missing = (length - load(numbers, LENGTH)) + load::<L>(numbers, SOFT) * lambda;
        let wanted = lambda - missing * load(numbers, YIELDING);
        let limited = L::select(wanted.greater(most), most, wanted);
        let next = L::select(is_long, limited, lambda);
        let share = (next - lambda) / L::select(is_long, length, one);
        if opening {
            store(numbers, MOST_PUSH, most);
        }
        store(numbers, MULTIPLIER, next);

        let push = along * share;
        let pushes = L::transposed([push.x, push.y, push.z, zero]);
        let (mut weights_a, mut weights_b) = (moved_a, moved_b);
        for k in 0..4 {
            (weights_a[k], weights_b[k]) = (moved_a[k].fourths(), moved_b[k].fourths());
            moved_a[k] = moved_a[k] + pushes[k] * weights_a[k];
            moved_b[k] = moved_b[k] - pushes[k] * weights_b[k];
        }
        L::scatter(moved_a, nodes.moved.pointer(), a);
        L::scatter(moved_b, nodes.moved.pointer(), b);
        if closing {
            let length = first.dot(first).sqrt();
            let share = load::<L>(numbers, GATE) * next / L::select(length.greater(zero), length, one);
            let push = first * share;
            let pushes = L::transposed([push.x, push.y, push.z, zero]);
            let [mut step_a, mut step_b] = [L::gather(nodes.step.pointer(), a), L::gather(nodes.step.pointer(), b)];
            for k in 0..4 {
                step_a[k] = step_a[k] + pushes[k] * weights_a[k];
                step_b[k] = step_b[k] - pushes[k] * weights_b[k];
            }
            L::scatter(step_a, nodes.step.pointer(), a);
            L::scatter(step_b, nodes.step.pointer(), b);
        }
    }
}

/// # Safety
/// There must be such a line.
#[inline(always)]
unsafe fn load<L: Lanes>(numbers: *const f32, line: usize) -> L {
    // SAFETY: the caller's.
    unsafe { L::load(numbers.add(line * MOST)) }
}

/// # Safety
/// As [`load`], and no other thread may use it meanwhile.
#[inline(always)]
unsafe fn store<L: Lanes>(numbers: *mut f32, line: usize, value: L) {
    // SAFETY: the caller's.
    unsafe { value.store(numbers.add(line * MOST)) }
}
