//! Sixteen particles at a time under the finest levels of sheets, in lanes: what they report to their nodes, and what
//! these move them by. See [`crate::pass::levels::cpu::cover`].

use wide::f32x4;

use crate::cpu::lanes::{InLanes, Lanes, Numbers};
use crate::cpu::shared::Shared;
use crate::cpu::solve::Points;
use crate::pass::levels::cpu::cover::{Cover, TILE};
use crate::plan::levels::UNITS;

/// Where a thread keeps what it knows of a chunk's nodes. (Asked for anew for each chunk, memory was cleared page by
/// page by the system.)
#[derive(Default)]
pub struct Scratch {
    centres: Vec<[f32x4; 2]>,
    sums: Numbers,
    steps: Vec<[f32; 4]>,
}

/// See [`Cover::lift`].
pub struct Lift<'a> {
    pub cover: &'a Cover,
    pub chunk: usize,
    pub points: &'a Points<'a>,
    pub sums: &'a Shared<'a, f32x4>,
    pub scratch: &'a mut Scratch,
}

impl InLanes for Lift<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { cover, chunk, points: Points { x, d, .. }, sums, scratch } = self;
        let Scratch { centres, sums: own, .. } = scratch;
        let (tiles, nodes) = cover.chunk(chunk);
        centres.clear();
        for node in nodes.clone() {
            let slot = cover.centres[cover.nodes[node] as usize] as usize;
            centres.push([x.read(slot), d.read(slot)]);
        }
        own.clear(nodes.len() * 3 * TILE);
        let own = own.as_mut_ptr();
        for tile in tiles {
            let first = cover.slots[tile * TILE] as usize;
            let origin = [x.read(first), d.read(first)];
            let [from_x, from_d] = [in_quarters::<L>(origin[0]), in_quarters(origin[1])];
            for lane in (0..TILE).step_by(L::COUNT) {
                let at = tile * TILE + lane;
                // SAFETY: slots are those of particles, none of which another thread moves meanwhile; there is a mass
                // for each.
                let (mut ways, d, mass) = unsafe {
                    let slots = cover.slots.as_ptr().add(at);
                    (
                        L::gather(x.pointer(), slots),
                        L::gather(d.pointer(), slots),
                        L::load(cover.masses.pointer().add(at)),
                    )
                };
                for k in 0..4 {
                    ways[k] = (ways[k] - from_x) + (d[k] - from_d);
                }
                let ways = L::transposed(ways);
                for entry in cover.entries(tile) {
                    let local = usize::from(cover.locals[entry]);
                    let [x, d] = centres[local];
                    let centre = ((x - origin[0]) + (d - origin[1])).to_array();
                    let share = cover.shares[entry].of::<L>(lane) * mass;
                    // SAFETY: there are three times as many sums for each node as a tile has particles.
                    unsafe {
                        let own = own.add(local * 3 * TILE + lane);
                        for k in 0..3 {
                            let sum = own.add(k * TILE);
                            (L::load(sum) + share * (ways[k] - L::splat(centre[k]))).store(sum);
                        }
                    }
                }
            }
        }
        for (local, node) in nodes.enumerate() {
            // SAFETY: as above.
            let sum = unsafe { added(own.add(local * 3 * TILE).cast()) };
            sums.write(node, sum);
        }
    }
}

/// The same entry in each quarter of a register.
#[inline(always)]
fn in_quarters<L: Lanes>(entry: f32x4) -> L {
    L::from_array(&bytemuck::cast([entry; TILE / 4]))
}

/// The sums of three times as many numbers as a tile has particles.
///
/// # Safety
/// They must be there.
#[inline(always)]
unsafe fn added(numbers: *const [[f32; 4]; TILE / 4]) -> f32x4 {
    let mut rows = [f32x4::ZERO; 4];
    for (k, row) in rows[..3].iter_mut().enumerate() {
        // SAFETY: the caller's.
        let [a, b, c, d] = unsafe { *numbers.add(k) };
        *row = (f32x4::new(a) + f32x4::new(b)) + (f32x4::new(c) + f32x4::new(d));
    }
    let [a, b, c, d] = f32x4::transpose(rows);
    (a + b) + (c + d)
}

/// Writes entries as gathered; `repeats`: but what repeats the slot before it, which would have the entry of before, or
/// with few lanes be moved again.
///
/// # Safety
/// As [`Lanes::scatter`], and there must be a slot before that of any lane but the tile's first, which repeats none.
#[inline(always)]
unsafe fn put<L: Lanes>(entries: [L; 4], to: *mut f32x4, slots: *const u32, first: bool, repeats: bool) {
    // SAFETY: the caller's.
    unsafe {
        if !repeats {
            return L::scatter(entries, to, slots);
        }
        let entries = L::separate(entries);
        for (lane, &entry) in entries[..L::COUNT].iter().enumerate() {
            let slot = slots.add(lane);
            if lane == 0 && first || *slot != *slot.sub(1) {
                *to.add(*slot as usize) = entry;
            }
        }
    }
}

/// What moves particles.
pub struct Moving<'a> {
    pub points: Points<'a>,
    /// What the nodes of the finest levels move by, m.
    pub moves: Shared<'a, f32x4>,
    /// By how much each slot's particle moved, m, the sum over a frame; none where no host asks for forces.
    pub steps: Shared<'a, f32x4>,
    /// By that a step of this substep is one of the usual length.
    pub share: f32,
    /// Whether it is the first substep of a frame.
    pub opening: bool,
}

/// See [`Cover::lower`].
pub struct Lower<'a> {
    pub cover: &'a Cover,
    pub chunk: usize,
    pub moving: &'a Moving<'a>,
    pub scratch: &'a mut Scratch,
}

impl InLanes for Lower<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { cover, chunk, moving: Moving { points, moves, steps, share, opening }, scratch } = self;
        let (tiles, nodes) = cover.chunk(chunk);
        let own = &mut scratch.steps;
        own.clear();
        let per_unit = f32x4::splat(UNITS.recip() as f32);
        for node in nodes {
            own.push((moves.read(cover.nodes[node] as usize) * per_unit).to_array());
        }
        let (zero, per_substep) = (L::from_f64(0.0), L::splat(*share));
        let d = points.d.pointer();
        let steps = if !steps.is_empty() { steps.pointer() } else { std::ptr::null_mut() };
        for tile in tiles {
            let repeats = cover.slots[tile * TILE + TILE - 1] == cover.slots[tile * TILE + TILE - 2];
            for lane in (0..TILE).step_by(L::COUNT) {
                let mut step = [zero; 4];
                for entry in cover.entries(tile) {
                    let own = own[usize::from(cover.locals[entry])];
                    let share = cover.shares[entry].of::<L>(lane);
                    for k in 0..3 {
                        step[k] = step[k] + share * L::splat(own[k]);
                    }
                }
                // SAFETY: slots are those of particles, as many as there are steps if there are any; this thread moves
                // them alone.
                unsafe {
                    let slots = cover.slots.as_ptr().add(tile * TILE + lane);
                    // What moves no node and yet has shares is moved by nodes that stay where they are.
                    let free = L::load(cover.masses.pointer().add(tile * TILE + lane)).greater(zero);
                    let [right, up, near, none] = step;
                    let [right, up] = [L::select(free, right, zero), L::select(free, up, zero)];
                    let step = L::transposed([right, up, L::select(free, near, zero), none]);
                    let mut moved = L::gather(d, slots);
                    for k in 0..4 {
                        moved[k] = moved[k] + step[k];
                    }
                    put(moved, d, slots, lane == 0, repeats);
                    if !steps.is_null() {
                        let mut sums = if *opening { [zero; 4] } else { L::gather(steps, slots) };
                        for k in 0..4 {
                            sums[k] = sums[k] + step[k] * per_substep;
                        }
                        put(sums, steps, slots, lane == 0, repeats);
                    }
                }
            }
        }
    }
}
