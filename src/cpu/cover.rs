//! What the finest levels of sheets are over ([`crate::plan::levels`]): places of particles go up to the nodes, X_J = Σ R_Ji x_i, and the nodes' corrections
//! down to the particles, Σ P_iJ Y_J. Particles go in chunks of those that lie near each other, whose nodes are a few hundred: a chunk's
//! sums, or corrections, stay in the nearest cache while its particles and shares stream by, where a node that fetches some hundred particles from all over
//! a large sheet waits for memory. Chunks and the order of sums are the same for any number of threads and all instructions.

use std::array::from_fn;
use std::ops::Range;

use wide::f32x4;

use super::lanes::Instructions;
use super::shared::Shared;
use super::single::single;
use super::solve::Points;
use crate::constraint::Vec3;
use crate::plan::levels::{Rows, Sheet};

/// The most particles of a chunk.
const CHUNK: usize = 4096;
/// The most nodes of a chunk, unless one particle alone has shares in more: in 10,000 at most, since each is of 1e-4 at least (`plan/levels/weights.rs`).
const NODES: usize = 1024;

/// So many particles that follow each other are put in the order of how many shares they have: a processor foresees then how long loops over these are.
const ALIKE: usize = 32;

/// x, y, z and nothing.
pub type Sum = [f64; 4];

/// The particles under levels, and their shares in the nodes of the finest ones.
pub struct Cover {
    /// Where the particles and nodes of each chunk begin, and the end.
    chunks: Vec<Begin>,
    /// Of the particles, chunk after chunk.
    slots: Vec<u32>,
    particles: Vec<u32>,
    /// Where each particle's shares begin, and the end.
    offsets: Vec<u32>,
    /// Of the shares: which of the chunk's nodes.
    locals: Vec<u16>,
    /// R, but that its sum over a node is 1 only by `scales`, and P.
    lifts: Vec<f32>,
    shares: Vec<f32>,
    /// The nodes of each chunk, of all those of the finest levels.
    nodes: Vec<u32>,
    /// Which of these each node is.
    parts: Rows<u32>,
    scales: Vec<f64>,
}

/// Where what a chunk has begins.
#[derive(Clone, Copy, Default)]
struct Begin {
    particle: usize,
    node: usize,
}

impl Cover {
    /// Of all sheets. `memory`: slots by which particles follow each other in memory, most likely.
    pub fn new(sheets: &[Sheet], memory: &[u32], slot_of: &[u32]) -> Self {
        let mut cover = Self {
            chunks: vec![Begin::default()],
            slots: Vec::new(),
            particles: Vec::new(),
            offsets: vec![0],
            locals: Vec::new(),
            lifts: Vec::new(),
            shares: Vec::new(),
            nodes: Vec::new(),
            parts: Rows::default(),
            scales: Vec::new(),
        };
        for sheet in sheets {
            cover.add(sheet, memory, slot_of);
        }
        let count = cover.scales.len();
        let parts = (0..).zip(&cover.nodes).map(|(part, &node)| (node, part));
        cover.parts = Rows::gathered(count, parts, |_, part| part);
        cover.scales.iter_mut().for_each(|sum| *sum = sum.recip());
        cover
    }

    fn add(&mut self, Sheet { particles, levels, .. }: &Sheet, memory: &[u32], slot_of: &[u32]) {
        let (level, first_node) = (&levels[0], self.scales.len());
        let lifts = level.restrict.turned(particles.len());
        self.scales.resize(first_node + level.net.len(), 0.0);
        let mut order: Vec<u32> = particles.clone().collect();
        order.sort_unstable_by_key(|&particle| memory[particle as usize]);
        let child_of = |particle: u32| (particle - particles.start) as usize;
        let row_of = |child| shares(level.prolong.row(child), lifts.row(child));
        let alike = |&particle: &u32| row_of(child_of(particle)).count();
        order.chunks_mut(ALIKE).for_each(|near| near.sort_by_cached_key(alike));
        // Numbers in the chunk, from 1 on.
        let mut local_of = vec![0_usize; level.net.len()];
        for particle in order {
            let row = row_of(child_of(particle));
            let in_chunk = self.nodes.len() - self.last().node;
            let new = row.clone().filter(|&(node, ..)| local_of[node as usize] == 0).count();
            let count = self.slots.len() - self.last().particle;
            if count == CHUNK || count > 0 && in_chunk + new > NODES {
                self.end();
                local_of.fill(0);
            }
            for (node, share, lift) in row {
                let local = &mut local_of[node as usize];
                if *local == 0 {
                    self.nodes.push(first_node as u32 + node);
                    *local = self.nodes.len() - self.chunks[self.chunks.len() - 1].node;
                }
                let (share, lift) = (share as f32, lift as f32);
                self.locals.push((*local - 1) as u16);
                self.lifts.push(lift);
                self.shares.push(share);
                self.scales[first_node + node as usize] += f64::from(lift);
            }
            self.slots.push(slot_of[particle as usize]);
            self.particles.push(particle);
            self.offsets.push(self.locals.len() as u32);
        }
        self.end();
    }

    fn last(&self) -> Begin {
        self.chunks[self.chunks.len() - 1]
    }

    /// Ends a chunk.
    fn end(&mut self) {
        self.chunks.push(Begin { particle: self.slots.len(), node: self.nodes.len() });
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.chunks.len() - 1
    }

    /// The model's particles, in the order of [`Cover::lower`].
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        let Self { chunks, slots, particles, offsets, locals, lifts, shares, nodes, parts, scales } = self;
        let words: usize =
            [slots, particles, offsets, nodes, &parts.offsets, &parts.entries].map(Vec::len).iter().sum();
        let shares = size_of_val(&**locals) + size_of_val(&**lifts) + size_of_val(&**shares);
        size_of_val(&**chunks) + words * size_of::<u32>() + shares + size_of_val(&**scales)
    }

    /// How many sums [`Cover::lift`] writes.
    pub fn parts(&self) -> usize {
        self.nodes.len()
    }

    /// Writes the sums of a chunk's particles over its nodes.
    pub fn lift(&self, chunk: usize, points: &Points, sums: &Shared<Sum>, instructions: Instructions) {
        match instructions {
            Instructions::Baseline => self.lift_any(chunk, points, sums),
            // SAFETY: a solver is made for instructions that the processor has.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { self.lift_avx2(chunk, points, sums) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn lift_avx2(&self, chunk: usize, points: &Points, sums: &Shared<Sum>) {
        self.lift_any(chunk, points, sums);
    }

    #[inline(always)]
    fn lift_any(&self, chunk: usize, points: &Points, sums: &Shared<Sum>) {
        let [begin, end] = [self.chunks[chunk], self.chunks[chunk + 1]];
        let mut own = vec![Sum::default(); end.node - begin.node];
        for index in begin.particle..end.particle {
            let slot = self.slots[index] as usize;
            let [x, d] = [points.x, points.d].map(|list| list.read(slot).to_array());
            let place: Sum = from_fn(|k| f64::from(x[k]) + f64::from(d[k]));
            let shares = self.shares_of(index);
            for (&local, &lift) in self.locals[shares.clone()].iter().zip(&self.lifts[shares]) {
                let (sum, lift) = (&mut own[usize::from(local)], f64::from(lift));
                (0..4).for_each(|k| sum[k] += place[k] * lift);
            }
        }
        own.into_iter().zip(begin.node..).for_each(|(sum, part)| sums.write(part, sum));
    }

    /// The place of a node by these sums.
    pub fn place(&self, node: usize, sums: &Shared<Sum>) -> Vec3<f64> {
        let parts = self.parts.row(node).iter().map(|&part| sums.read(part as usize));
        parts.fold(Vec3::zero(), |sum, [x, y, z, _]| sum + Vec3 { x, y, z }) * self.scales[node]
    }

    /// What the particles of a chunk move by, by what the nodes do: for each its index in [`Cover::particles`] and its slot.
    #[inline(always)]
    pub fn lower(&self, chunk: usize, nodes: &Shared<Vec3<f64>>, mut act: impl FnMut(usize, usize, f32x4)) {
        let [begin, end] = [self.chunks[chunk], self.chunks[chunk + 1]];
        let steps = self.nodes[begin.node..end.node].iter().map(|&node| single(nodes.read(node as usize)));
        let own: Vec<f32x4> = steps.collect();
        for index in begin.particle..end.particle {
            let shares = self.shares_of(index);
            let shares = self.locals[shares.clone()].iter().zip(&self.shares[shares]);
            let step =
                shares.fold(f32x4::ZERO, |sum, (&local, &share)| sum + own[usize::from(local)] * f32x4::splat(share));
            act(index, self.slots[index] as usize, step);
        }
    }

    #[inline(always)]
    fn shares_of(&self, index: usize) -> Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }
}

/// What moves a particle and whom it moves: nodes with its shares in them and theirs in it, of which one may be nothing.
fn shares<'a>(down: &'a [(u32, f64)], up: &'a [(u32, f64)]) -> impl Iterator<Item = (u32, f64, f64)> + Clone + 'a {
    let of = |row: &[(u32, f64)], node| row.iter().find(|entry| entry.0 == node).map(|entry| entry.1);
    let both = down.iter().map(move |&(node, share)| (node, share, of(up, node).unwrap_or(0.0)));
    let others = up.iter().filter(move |(node, _)| of(down, *node).is_none());
    both.chain(others.map(|&(node, lift)| (node, 0.0, lift)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::single::double;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// Places go up and steps come down as the rows of the levels say, to the rounding of shares, wherever particles are kept and whatever the instructions; in
    /// several chunks.
    #[test]
    fn a_cover_is_its_rows() {
        let grid = Grid { columns: 100, rows: 100, width: 1.0, height: 1.0 };
        let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6)).pin("top-left").pin("top-right");
        let mut model = Scene::new("sheet").with(cloth).build().unwrap_or_else(|error| panic!("{error}")).model;
        model.settings.nested = Some(true);
        let plan = Plan::new(&model);
        let count = model.particles.len();
        let hash = |index: u32, k: u32, by: u32| f64::from(index * (k + 3) % by) / f64::from(by);
        let place = |particle, k| hash(particle, k, 1013) as f32 + 10.0;
        let step = |index, k| (1e-3 * hash(index, k, 997)) as f32;
        let reversed: Vec<u32> = (0..count as u32).rev().collect();
        for slot_of in [&plan.slot_of, &reversed] {
            let cover = Cover::new(&plan.sheets, &plan.slot_of, slot_of);
            assert!(cover.len() > 2, "{} chunks", cover.len());
            let [mut x, mut d, mut e] = [(); 3].map(|()| vec![f32x4::ZERO; count]);
            for particle in 0..count as u32 {
                let slot = slot_of[particle as usize] as usize;
                x[slot] = f32x4::new([place(particle, 0), place(particle, 1), place(particle, 2), 7.0]);
                d[slot] = f32x4::new([step(particle, 0), step(particle, 1), step(particle, 2), 0.0]);
            }
            let level = &plan.sheets[0].levels[0];
            let mut sums = vec![Sum::default(); cover.parts()];
            let mut nodes: Vec<Vec3<f64>> = (0..level.net.len() as u32)
                .map(|node| Vec3::from([0, 1, 2].map(|k| f64::from(step(node, k)))))
                .collect();
            // SAFETY: there is one thread.
            let (points, sums, nodes) = unsafe {
                let [x, d, e] = [&mut x, &mut d, &mut e].map(|list| Shared::new(list));
                (Points { x, d, e }, Shared::new(&mut sums), Shared::new(&mut nodes))
            };
            for instructions in Instructions::available() {
                (0..cover.len()).for_each(|chunk| cover.lift(chunk, &points, &sums, instructions));
                for (node, row) in level.restrict.rows().enumerate() {
                    let whole = |particle: u32, k| f64::from(place(particle, k)) + f64::from(step(particle, k));
                    let of = |k| row.iter().map(|&(particle, share)| whole(particle, k) * share).sum::<f64>();
                    let error = (cover.place(node, &sums) - Vec3::new(of(0), of(1), of(2))).length();
                    // Shares to 6e-8 of places that are 1 apart.
                    assert!(error < 1e-7, "node {node} is {error} m off");
                }
            }
            let mut seen = vec![0; count];
            for chunk in 0..cover.len() {
                cover.lower(chunk, &nodes, |index, slot, moved| {
                    let particle = cover.particles()[index];
                    assert_eq!(slot, slot_of[particle as usize] as usize);
                    seen[particle as usize] += 1;
                    let row = level.prolong.row(particle as usize);
                    let exact =
                        row.iter().fold(Vec3::zero(), |sum, &(node, share)| sum + nodes.read(node as usize) * share);
                    let [.., rest] = moved.to_array();
                    let error = (double(moved) - exact).length();
                    assert!(error < 1e-9 && rest == 0.0, "particle {particle} is {error} m off");
                });
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }
}
