//! What the finest levels of sheets are over ([`crate::plan::levels`]): places of particles go up to the nodes, X_J =
//! c_J + Σ R_Ji (x_i - c_J) from where each node's centre is, and the nodes' corrections down to the particles, Σ P_iJ
//! Y_J.
//!
//! Particles go in tiles of sixteen that lie near each other, and so have most of their nodes in common: a tile has a
//! share for each of its particles in each of its nodes, a third of them none, and is done in lanes. Tiles go in
//! chunks, whose nodes are a few hundred: a chunk's sums, or corrections, stay in the nearest caches while its
//! particles and shares stream by, where a node that fetches some hundred particles from all over a large sheet waits
//! for memory. Tiles, chunks and the order of sums are the same for any number of threads and all instructions.

use std::ops::Range;

use wide::f32x4;

use crate::cpu::lanes::{Instructions, Lanes, MOST, Numbers};
use crate::cpu::shared::Shared;
use crate::cpu::single::{double, single};
use crate::cpu::solve::Points;
use crate::math::Vec3;
use crate::pass::levels::cpu::edges::Nodes;
use crate::pass::levels::cpu::sixteens::{Lift, Lower, Moving, Scratch};
use crate::plan::levels::{Level, Rows, Sheet, UNITS};

/// The most particles of a chunk.
const CHUNK: usize = 4096;
/// The least, unless a sheet has fewer: nodes at its border belong to other chunks too, and their sums are added up.
const LEAST_CHUNK: usize = 512;
/// Chunks of a small sheet, so that threads have one each.
const CHUNKS: usize = 4;
/// The most nodes of a chunk, unless one particle alone has shares in more: in 10,000 at most, since each is of 1e-4 at
/// least (`plan/levels/weights.rs`).
const NODES: usize = 1024;
/// Particles of a tile: as many as the widest register has lanes.
pub(crate) const TILE: usize = MOST;

/// The particles under levels, and their shares in the nodes of the finest ones.
pub struct Cover {
    /// Where the tiles and nodes of each chunk begin, and the end.
    chunks: Vec<Begin>,
    /// Of the particles, tile after tile: a chunk's last tile repeats its last particle, without mass and shares, and
    /// does not write it again.
    pub(crate) slots: Vec<u32>,
    /// m over the largest of the sheet; 0 of what is fixed.
    pub(crate) masses: Numbers,
    /// Where the entries of each tile begin, and the end.
    entries: Vec<u32>,
    /// Of the entries: which of the chunk's nodes, and P of the tile's particles, in [`UNITS`].
    pub(crate) locals: Vec<u16>,
    pub(crate) shares: Vec<Units>,
    /// The nodes of each chunk, of all those of the finest levels.
    pub(crate) nodes: Vec<u32>,
    /// Which of these each node is.
    parts: Rows<u32>,
    /// 1 / Σ m P of each node, P in [`UNITS`].
    scales: Vec<f64>,
    /// The slot of each node's centre.
    pub(crate) centres: Vec<u32>,
    /// Of nodes that are not where Σ m P says, such as those of pins: slots and R.
    held: Rows,
}

/// The shares of a tile's particles in a node.
#[repr(align(32))]
pub struct Units([u16; TILE]);

impl Units {
    /// Those of the particles from this lane on.
    ///
    /// # Panics
    /// If a tile has fewer.
    #[inline(always)]
    pub fn of<L: Lanes>(&self, lane: usize) -> L {
        let from = &self.0[lane..lane + L::COUNT];
        // SAFETY: so many are there.
        unsafe { L::load_whole(from.as_ptr()) }
    }
}

/// Where what a chunk has begins.
#[derive(Clone, Copy, Default)]
struct Begin {
    tile: usize,
    node: usize,
}

impl Cover {
    /// Of all sheets, by each particle's slot. `near`: where each is in an order in which those that follow one another
    /// are near each other, and in memory.
    pub fn new(sheets: &[Sheet], near: &[u32], slot_of: &[u32]) -> Self {
        let mut cover = Self {
            chunks: vec![Begin::default()],
            slots: Vec::new(),
            masses: Numbers::default(),
            entries: vec![0],
            locals: Vec::new(),
            shares: Vec::new(),
            nodes: Vec::new(),
            parts: Rows::default(),
            scales: Vec::new(),
            centres: Vec::new(),
            held: Rows::new(),
        };
        for sheet in sheets {
            cover.add(sheet, near, slot_of);
        }
        let count = cover.scales.len();
        let parts = (0..).zip(&cover.nodes).map(|(part, &node)| (node, part));
        cover.parts = Rows::gathered(count, parts, |_, part| part);
        cover.scales.iter_mut().for_each(|sum| *sum = sum.recip());
        cover
    }

    fn add(&mut self, Sheet { particles, levels, .. }: &Sheet, near: &[u32], slot_of: &[u32]) {
        let (level, first_node) = (&levels[0], self.scales.len());
        self.scales.resize(first_node + level.net.len(), 0.0);
        let slot = |child: u32| slot_of[(particles.start + child) as usize];
        self.centres.extend(level.centres.iter().map(|&centre| slot(centre)));
        for (row, &inverse_mass) in level.restrict.rows().zip(&level.net.inverse_masses) {
            let row = if inverse_mass > 0.0 { &[] } else { row };
            self.held.push(row.iter().map(|&(child, share)| (slot(child), share)));
        }
        let masses = masses(level, particles.len());
        let mut order: Vec<u32> = (0..particles.len() as u32).collect();
        order.sort_unstable_by_key(|&child| near[(particles.start + child) as usize]);
        let mut numbers = Numbering::new(level.net.len());
        let most = (particles.len() / CHUNKS).clamp(LEAST_CHUNK, CHUNK).next_multiple_of(TILE);
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (chunk, behind) = rest.split_at(numbers.fitting(level, &rest[..most.min(rest.len())]));
            numbers.clear();
            for tile in chunk.chunks(TILE) {
                self.tile(tile, level, &mut numbers, first_node as u32, &masses);
                let last = tile[tile.len() - 1];
                self.slots.extend((0..TILE).map(|lane| slot(*tile.get(lane).unwrap_or(&last))));
            }
            self.chunks.push(Begin { tile: self.entries.len() - 1, node: self.nodes.len() });
            rest = behind;
        }
    }

    /// Appends a tile's entries and masses.
    fn tile(&mut self, tile: &[u32], level: &Level, numbers: &mut Numbering, first_node: u32, masses: &[f32]) {
        let first_entry = self.locals.len();
        let mass = |lane: usize| tile.get(lane).map_or(0.0, |&child| masses[child as usize]);
        let masses: [f32; TILE] = std::array::from_fn(mass);
        for (lane, &child) in tile.iter().enumerate() {
            for &(node, share) in level.prolong.row(child as usize) {
                let (local, is_new) = numbers.number(node);
                if is_new {
                    self.nodes.push(first_node + node);
                }
                let local = local as u16;
                let own = self.locals[first_entry..].iter().position(|&other| other == local);
                let entry = first_entry + own.unwrap_or(self.locals.len() - first_entry);
                if own.is_none() {
                    self.locals.push(local);
                    self.shares.push(Units([0; TILE]));
                }
                let units = (share * UNITS).round();
                self.shares[entry].0[lane] = units as u16;
                self.scales[(first_node + node) as usize] += f64::from(units as f32 * masses[lane]);
            }
        }
        self.masses.push_line(masses);
        self.entries.push(self.locals.len() as u32);
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.chunks.len() - 1
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        let Self { chunks, slots, masses, entries, locals, shares, nodes, parts, scales, centres, held } = self;
        let words = [slots, entries, nodes, centres].map(|list| size_of_val(&**list)).iter().sum::<usize>();
        let numbers = size_of_val(&**masses) + size_of_val(&**shares) + size_of_val(&**scales);
        size_of_val(&**chunks) + words + numbers + size_of_val(&**locals) + parts.bytes() + held.bytes()
    }

    /// How many sums [`Cover::lift`] writes.
    pub fn parts(&self) -> usize {
        self.nodes.len()
    }

    /// Writes the sums of a chunk's particles over its nodes, Σ m P (x - c).
    pub fn lift(
        &self,
        chunk: usize,
        points: &Points,
        sums: &Shared<f32x4>,
        scratch: &mut Scratch,
        instructions: Instructions,
    ) {
        instructions.run(Lift { cover: self, chunk, points, sums, scratch });
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.centres.len()
    }

    /// Writes where a node is by these sums.
    pub fn place(&self, node: usize, points: &Points, sums: &Shared<f32x4>, Nodes { at, place, .. }: &Nodes) {
        let double_of = |slot: u32| [points.x.read(slot as usize), points.d.read(slot as usize)].map(double);
        let centre = self.centres[node];
        let [from, own] = double_of(centre);
        let held = self.held.row(node);
        let way = match held.is_empty() {
            true => {
                let parts = self.parts.row(node).iter().map(|&part| double(sums.read(part as usize)));
                own + parts.fold(Vec3::zero(), |sum, part| sum + part) * self.scales[node]
            }
            false => held.iter().fold(Vec3::zero(), |sum, &(slot, share)| {
                let [x, d] = double_of(slot);
                sum + ((x - from) + d) * share
            }),
        };
        at.write(node, points.x.read(centre as usize));
        place.write(node, single(way));
    }

    /// Moves the particles of a chunk by what the nodes do.
    pub fn lower(&self, chunk: usize, moving: &Moving, scratch: &mut Scratch, instructions: Instructions) {
        instructions.run(Lower { cover: self, chunk, moving, scratch });
    }

    /// The tiles of a chunk, and its nodes.
    pub(crate) fn chunk(&self, chunk: usize) -> (Range<usize>, Range<usize>) {
        let [begin, end] = [self.chunks[chunk], self.chunks[chunk + 1]];
        (begin.tile..end.tile, begin.node..end.node)
    }

    /// The entries of a tile.
    #[inline(always)]
    pub(crate) fn entries(&self, tile: usize) -> Range<usize> {
        self.entries[tile] as usize..self.entries[tile + 1] as usize
    }
}

/// Masses of particles over the largest one, by R = m P / M; 0 of those that move no node.
fn masses(level: &Level, count: usize) -> Vec<f32> {
    let mut masses = vec![0.0; count];
    for ((node, row), inverse_mass) in (0..).zip(level.restrict.rows()).zip(&level.net.inverse_masses) {
        for &(child, share) in row.iter().filter(|_| *inverse_mass > 0.0) {
            let down = level.prolong.row(child as usize).iter().find(|entry| entry.0 == node);
            masses[child as usize] = down.map_or(0.0, |(_, down)| share / (down * inverse_mass));
        }
    }
    let most = masses.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    masses.iter().map(|mass| (mass / most) as f32).collect()
}

/// Numbers of nodes in a chunk, from 0 on in the order in which they come.
struct Numbering {
    /// From 1 on; 0 has none.
    of: Vec<u32>,
    /// Nodes that have one.
    given: Vec<u32>,
}

impl Numbering {
    fn new(nodes: usize) -> Self {
        Self { of: vec![0; nodes], given: Vec::new() }
    }

    fn clear(&mut self) {
        self.given.drain(..).for_each(|node| self.of[node as usize] = 0);
    }

    /// A node's number, and whether it is new.
    fn number(&mut self, node: u32) -> (u32, bool) {
        let of = &mut self.of[node as usize];
        let is_new = *of == 0;
        if is_new {
            self.given.push(node);
            *of = self.given.len() as u32;
        }
        (*of - 1, is_new)
    }

    /// How many of the first of some particles make a chunk.
    fn fitting(&mut self, level: &Level, children: &[u32]) -> usize {
        self.clear();
        for (index, &child) in children.iter().enumerate() {
            level.prolong.row(child as usize).iter().for_each(|&(node, _)| _ = self.number(node));
            if index > 0 && self.given.len() > NODES {
                return index;
            }
        }
        children.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::levels::cpu::cover::*;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// Places go up and steps come down as the rows of the levels say, to the rounding of single precision, wherever
    /// particles are kept; in several chunks, the last of which is not full, with pins and particles of other masses.
    /// All instructions have the same bits.
    #[test]
    fn a_cover_is_its_rows() {
        let grid = Grid { columns: 101, rows: 100, width: 1.0, height: 1.0 };
        let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6)).pin("top-left").pin("top-right");
        let mut model = Scene::new("sheet").with(cloth).build().unwrap_or_else(|error| panic!("{error}")).model;
        model.settings.nested = Some(true);
        model.particles.inverse_masses.iter_mut().step_by(7).for_each(|w| *w *= 0.3);
        let plan = Plan::new(&model);
        let count = model.particles.len();
        let hash = |index: usize, k: usize, by: usize| (index * (k + 3) % by) as f32 / by as f32;
        let reversed: Vec<u32> = (0..count as u32).rev().collect();
        let level = &plan.sheets[0].levels[0];
        for slot_of in [&plan.slot_of, &reversed] {
            let cover = Cover::new(&plan.sheets, &plan.slot_of, slot_of);
            assert!(cover.len() > 2, "{} chunks", cover.len());
            assert!(cover.held.entries.len() >= 2, "pins");
            let slot_of = |particle: usize| slot_of[particle] as usize;
            let [mut x, mut d, mut e, mut steps] = [(); 4].map(|()| vec![f32x4::ZERO; count]);
            for particle in 0..count {
                // On a lattice, crumpled, and 10 m away.
                let place = |k: usize| {
                    (model.particles.positions[particle][k] as f32 + 0.05 * hash(particle, k, 1013) + 10.0) * 1024.0
                };
                let inverse_mass = model.particles.inverse_masses[particle] as f32;
                x[slot_of(particle)] = f32x4::new([
                    place(0).round() / 1024.0,
                    place(1).round() / 1024.0,
                    place(2).round() / 1024.0,
                    inverse_mass,
                ]);
                d[slot_of(particle)] =
                    f32x4::new([0, 1, 2, 3].map(|k| if k < 3 { 1e-3 * hash(particle, k, 509) } else { 0.0 }));
            }
            let whole = |particle: u32, k: usize| {
                let slot = slot_of(particle as usize);
                f64::from(x[slot].to_array()[k]) + f64::from(d[slot].to_array()[k])
            };
            let expected: Vec<Vec3<f64>> = level
                .restrict
                .rows()
                .map(|row| {
                    [0, 1, 2]
                        .map(|k| row.iter().map(|&(particle, share)| whole(particle, k) * share).sum::<f64>())
                        .into()
                })
                .collect();
            let before = d.clone();
            let step = |index: usize| Vec3::from([0, 1, 2].map(|k| f64::from(1e-3 * hash(index, k, 997))));
            let [mut at, mut place, mut none] = [(); 3].map(|()| vec![f32x4::ZERO; level.net.len()]);
            let mut moves: Vec<f32x4> = (0..level.net.len()).map(|node| single(step(node))).collect();
            let mut scratch = Scratch::default();
            let mut first: Option<(Vec<f32x4>, Vec<f32x4>)> = None;
            for instructions in Instructions::available() {
                d.clone_from(&before);
                let mut sums = vec![f32x4::ZERO; cover.parts()];
                // SAFETY: there is one thread.
                let (points, sums, nodes, moved) = unsafe {
                    let [x, d, e] = [&mut x, &mut d, &mut e].map(|list| Shared::new(list));
                    let [at, place, moved, step] =
                        [&mut at, &mut place, &mut none, &mut moves].map(|list| Shared::new(list));
                    (
                        Points { x, d, e },
                        Shared::new(&mut sums),
                        Nodes { at, place, moved, step },
                        Shared::new(&mut steps),
                    )
                };
                (0..cover.len()).for_each(|chunk| cover.lift(chunk, &points, &sums, &mut scratch, instructions));
                for (node, expected) in expected.iter().enumerate() {
                    cover.place(node, &points, &sums, &nodes);
                    let place = double(nodes.at.read(node)) + double(nodes.place.read(node));
                    let error = (place - *expected).length();
                    // Nodes reach 0.15 m: each product is off by 6e-8 of it, and sums of a dozen for each lane by some
                    // of these.
                    assert!(error < 3e-8, "node {node} is {error} m off");
                }
                for opening in [true, false] {
                    let moving = Moving { points, moves: nodes.step, steps: moved, share: 0.5, opening };
                    (0..cover.len()).for_each(|chunk| cover.lower(chunk, &moving, &mut scratch, instructions));
                }
                for particle in 0..count {
                    let row = level.prolong.row(particle).iter();
                    let exact = row.fold(Vec3::zero(), |sum, &(node, share)| sum + step(node as usize) * share);
                    let exact = if model.particles.inverse_masses[particle] > 0.0 { exact } else { Vec3::zero() };
                    let slot = slot_of(particle);
                    let [step, moved] = [points.d.read(slot) - before[slot], moved.read(slot)];
                    let error = [double(step) - exact * 2.0, double(moved) - exact].map(Vec3::length);
                    assert!(error[0] < 1e-9 && error[1] < 1e-9, "particle {particle} is {error:?} m off");
                }
                let all = (0..sums.len()).map(|part| sums.read(part)).collect();
                let bits = (all, (0..count).map(|slot| points.d.read(slot)).collect());
                assert!(first.get_or_insert_with(|| bits.clone()) == &bits, "{instructions:?}");
            }
        }
    }
}
