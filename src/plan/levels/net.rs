//! Nodes and the edges between them, at whatever level.

use std::f64::consts::PI;
use std::ops::Range;

use super::stiffness::{self, Way};
use super::{Rows, SWEEPS, mean};
use crate::constraint::Vec3;
use crate::model::Material;
use crate::parallel;

/// A net: particles and their stretch constraints, or what stands for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// In the rest pose, m.
    pub positions: Vec<Vec3<f64>>,
    /// 1/kg; 0 where fixed.
    pub inverse_masses: Vec<f64>,
    /// What keeps nodes from moving apart.
    pub edges: Vec<Edge>,
    /// What is around each node; of a rope nothing.
    pub media: Vec<Medium>,
    /// Between neighbours, about, m.
    pub spacing: f64,
    /// Whether it is a line: there what is in series yields together. Of a sheet, what is gained in width is lost in length.
    pub rope: bool,
}

/// What is around a node of a sheet; of a coarser net the mean over the finer nodes that it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Medium {
    /// The inverse of the mean stiffness of the edges at a particle, m/N.
    pub compliance: f64,
    /// The inverse masses of both ends of the edges at a particle, 1/kg.
    pub weight: f64,
    /// Index into the model's materials: of the stiffest edge of the softest particle.
    pub material: u32,
    /// How stiff it is against bending.
    pub bending: Bending,
}

/// What is in proportion to a stiffness against bending: the inverse compliance of hinges of a material, times something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bending {
    /// Index into the model's materials.
    pub material: u32,
    /// Of the inverse of the material's compliance; 0 where nothing resists.
    pub factor: f64,
}

impl Bending {
    /// So stiff, N m, with the materials as they are.
    pub fn of(stiffness: f64, material: u32, materials: &[Material]) -> Self {
        match stiffness > 0.0 {
            true => Self { material, factor: stiffness * yielding(material, materials) },
            false => Self::default(),
        }
    }
    /// With the materials as they are now: N m, or what it was multiplied by.
    pub fn now(&self, materials: &[Material]) -> f64 {
        self.factor / yielding(self.material, materials)
    }
    /// The inverse of that; infinite where nothing resists.
    pub(super) fn compliance(&self, materials: &[Material]) -> f64 {
        yielding(self.material, materials) / self.factor
    }
}

/// rad/(N m); what does not yield is taken for what hardly does, by so much that single precision still holds its inverse.
fn yielding(material: u32, materials: &[Material]) -> f64 {
    materials[material as usize].compliance.max(1e-30)
}

/// An edge of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its nodes.
    pub ends: [u32; 2],
    /// At rest, m.
    pub length: f64,
    /// Index into the model's materials: of the softer of its nodes' media; of a rope, of the softest of the finer edges that it
    /// stands for.
    pub material: u32,
    /// Of the material's compliance.
    pub factor: f64,
    /// 1/kg: by how much what this edge stands for yields more than its compliance says if it is left to the sweeps of the level below
    /// alone, over the square of a substep: half of the inverse masses at the ends of their edges, over the number of sweeps; times
    /// this edge's compliance over theirs, which is a matter of how many it stands for.
    pub weight: f64,
    /// The same of the particles' own sweep, 1/kg.
    pub finest: f64,
    /// By what force it may push, N: of closed shells that by which a strip as wide as it is long buckles, π² B/L (Euler 1744).
    pub bending: Bending,
    /// How many levels below are taken to resolve some of it by their sweeps, from the next on: each yields `LIGHTER` times as much as the one
    /// above it. All of them count where `loads.rs` has brought them to one stiffness, else the next only.
    pub below: u32,
}

impl Edge {
    /// The share of its pull that is left to this level: what the sweeps below do not resolve. `soft` is its compliance over the square
    /// of a substep, 1/kg.
    pub fn gate(&self, soft: f64) -> f64 {
        let unresolved = |weight: f64| weight / (weight + soft);
        let levels: f64 = (0..self.below).map(|level| unresolved(self.weight * LIGHTER.powi(level as i32))).product();
        levels * self.particles_leave(soft)
    }

    /// What the particles' sweep leaves. To second order it yields more than half of the inverse masses say: a constraint does not
    /// see what those do that see it.
    fn particles_leave(&self, soft: f64) -> f64 {
        if self.finest.is_infinite() {
            return 1.0;
        }
        let weight = self.finest * (1.0 + SECOND_ORDER * self.finest / (self.finest + soft));
        weight / (weight + soft)
    }

    /// Makes it so many times as stiff, with the same share of what the sweeps below leave.
    pub(super) fn stiffen(&mut self, times: f64) {
        self.factor /= times;
        self.weight /= times;
        self.finest /= times;
    }

    /// m/N, with the materials as they are now.
    pub fn compliance(&self, materials: &[Material]) -> f64 {
        self.factor * yields(self.material, materials)
    }
}

impl Net {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
    /// The rest distance of two nodes, m.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        (self.positions[a as usize] - self.positions[b as usize]).length()
    }
    /// For each node its neighbours, and how far they are.
    pub fn neighbours(&self) -> Rows {
        let both = |Edge { ends: [a, b], .. }: &Edge| [(*a, *b), (*b, *a)];
        Rows::gathered(self.len(), self.edges.iter().flat_map(both), |node, other| (other, self.distance(node, other)))
    }
}

/// The compliance of a material as it is now, m/N: what is rigid yields by what nothing differs from, so that it may be made soft.
fn yields(material: u32, materials: &[Material]) -> f64 {
    materials[material as usize].compliance.max(RIGID)
}

/// How much the finer edges that lie along an edge count more than those across: a power of the cosine between them.
const ALONG: i32 = 8;
/// A compliance below which nothing differs from rigid, m/N.
pub const RIGID: f64 = 1e-100;
/// Of the inverse masses at an edge's ends what a sweep does not resolve: see "What one might not expect" in ARCHITECTURE.md.
const UNRESOLVED: f64 = 0.5;
/// What a sweep over particles yields more than to first order, of that, where compliance is nothing to it. By plain sweeps at 10 substeps
/// sheets of 64 a side, 1e-3 m/N, yield as with 0 (by corners) to 0.4 (by an edge); with this nets bring them all nearest.
const SECOND_ORDER: f64 = 0.8;
/// Inverse masses at a level over those of the next, by [`super::RATIO`] both ways.
const LIGHTER: f64 = 4.0;
/// The same of [`SWEEPS`] over the edges of a rope's level, times their number.
const ROPE_UNRESOLVED: f64 = 0.67;

/// The edges of a coarser net, all else of which is there, by `nodes` of the finer one, and which of these are near to each of it; `first`: over
/// particles.
pub fn edges(
    finer: &Net,
    nodes: &[u32],
    near: &Rows<u32>,
    prolong: &Rows,
    coarser: &Net,
    materials: &[Material],
    first: bool,
) -> Vec<Edge> {
    let nearest = parallel::list(finer.len(), [0; 3], |index| nearest(finer, index as u32, nodes, near.row(index)));
    let owners: Vec<u32> = nearest.iter().map(|nearest| nearest[0]).collect();
    let links: Vec<([u32; 2], Way)> =
        pairs(&nearest, finer.rope).into_iter().map(|ends| (ends, Way::of(&coarser.positions, ends))).collect();
    let sums = || sums(finer, &owners, coarser.len(), &links, materials);
    if finer.rope {
        return in_series(&links, &sums(), materials, first);
    }
    let others = || {
        let weights = stiffness::weights(finer);
        let weights = mean(prolong, coarser.len(), |child| weights[child]);
        (stiffness::relative(finer, &owners, coarser.len(), materials, &links), weights)
    };
    let (sums, (stiffnesses, weights)) = parallel::join(sums, others);
    side_by_side(&links, &sums, &stiffnesses, &weights, &coarser.media, materials, first)
}

/// The pairs of nodes that are joined: of a sheet any two of the three that are nearest to a finer one. (With the nearest two only a node
/// cannot be in balance where its surroundings are evenly strained: what is left over makes a hanging sheet of 1e-3 m/N sag by a sixth
/// more.) Of a rope the two nearest.
fn pairs(nearest: &[[u32; 3]], rope: bool) -> Vec<[u32; 2]> {
    let of = |&[a, b, c]: &[u32; 3]| {
        let c = if rope { b } else { c };
        [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
    };
    let sorted = |mut pairs: Vec<[u32; 2]>| {
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let of_piece = |piece: Range<usize>| sorted(nearest[piece].iter().flat_map(of).filter(|[a, b]| a != b).collect());
    sorted(parallel::map(nearest.len(), parallel::LEAST, of_piece).concat())
}

/// Of a sheet, as stiff as what they stand for: what is gained in width is lost in length.
fn side_by_side(
    links: &[([u32; 2], Way)],
    sums: &[Sums],
    [own, even]: &[Vec<f64>; 2],
    weights: &[f64],
    media: &[Medium],
    materials: &[Material],
    first: bool,
) -> Vec<Edge> {
    let edge = |index: usize| {
        let ((ends, way), sums) = (links[index], &sums[index]);
        let [a, b] = ends.map(|end| media[end as usize]);
        let material = if a.compliance > b.compliance { a.material } else { b.material };
        let factor = factor(0.5 * (a.compliance + b.compliance) / own[index], material, materials);
        // A gate compares with the finer edges' compliance, of which this one's is 1/even.
        let finest = UNRESOLVED * 0.5 * (a.weight + b.weight) / even[index];
        let finer = 0.5 * ends.iter().map(|&end| weights[end as usize]).sum::<f64>() / even[index];
        let weight = UNRESOLVED / f64::from(SWEEPS) * finer;
        let length = way.length * sums.rest / sums.share;
        let [yields, other] = [a, b].map(|medium| medium.bending.compliance(materials));
        let softer = if yields > other { a.bending.material } else { b.bending.material };
        let bending = Bending::of(PI * PI / (0.5 * (yields + other) * length), softer, materials);
        Edge { ends, length, material, factor, weight, finest, bending, below: u32::from(!first) }
    };
    let stands = |&index: &usize| sums[index].share > 0.0 && own[index] > 0.0 && even[index] > 0.0;
    (0..links.len()).filter(stands).map(edge).collect()
}

/// Of a rope, each as many of the finer ones in series.
fn in_series(links: &[([u32; 2], Way)], sums: &[Sums], materials: &[Material], first: bool) -> Vec<Edge> {
    let gain = if first { UNRESOLVED } else { ROPE_UNRESOLVED / f64::from(SWEEPS) };
    let edge = |(&(ends, way), sums): (&([u32; 2], Way), &Sums)| {
        let length = way.length * sums.rest / sums.share;
        // Of what lies along a rope all yields as it is, and adds up.
        let [weight, finest] = [gain * sums.weight, sums.finest].map(|sum| length * sum / sums.length);
        let material = sums.softest.0;
        let factor = factor(length * sums.compliance / sums.length, material, materials);
        Edge { ends, length, material, factor, weight, finest, bending: Bending::default(), below: 1 }
    };
    links.iter().zip(sums).filter(|(_, sums)| sums.share > 0.0).map(edge).collect()
}

/// What a compliance is of that of a material.
fn factor(compliance: f64, material: u32, materials: &[Material]) -> f64 {
    compliance / yields(material, materials)
}

/// Over the finer edges at the nodes of each link.
fn sums(finer: &Net, owners: &[u32], nodes: usize, links: &[([u32; 2], Way)], materials: &[Material]) -> Vec<Sums> {
    let mut incident = vec![Vec::new(); nodes];
    for (index, (ends, _)) in links.iter().enumerate() {
        ends.iter().for_each(|&node| incident[node as usize].push(index));
    }
    let mut sums = vec![Sums::default(); links.len()];
    for edge in &finer.edges {
        let placed = Way::of(&finer.positions, edge.ends);
        if placed.length == 0.0 {
            continue;
        }
        let [a, b] = edge.ends.map(|end| owners[end as usize]);
        let weight = edge.ends.iter().map(|&end| finer.inverse_masses[end as usize]).sum();
        for &index in [a, b][..if a == b { 1 } else { 2 }].iter().flat_map(|&node| &incident[node as usize]) {
            // Of a rope each counts as it is.
            let share = match finer.rope {
                true => 1.0,
                false => edge.length * links[index].1.along.dot(placed.along).powi(ALONG),
            };
            sums[index].add(share, edge, placed.length, edge.compliance(materials), weight);
        }
    }
    sums
}

/// Over the finer edges that a coarse one stands for, each with its share.
#[derive(Clone, Default)]
struct Sums {
    share: f64,
    /// Times length at rest, m.
    length: f64,
    /// Times that over the length as placed: what is placed stretched has the rest lengths of its edges.
    rest: f64,
    /// Times compliance, m/N.
    compliance: f64,
    /// Times the inverse masses of its ends together.
    weight: f64,
    /// Times what the finest level makes of the particles' sweep.
    finest: f64,
    /// The material of the largest of the compliances, with it.
    softest: (u32, f64),
}

impl Sums {
    fn add(&mut self, share: f64, edge: &Edge, placed: f64, compliance: f64, weight: f64) {
        let compliance = compliance.max(RIGID);
        self.share += share;
        self.length += share * edge.length;
        self.rest += share * edge.length / placed;
        self.compliance += share * compliance;
        self.weight += share * weight;
        self.finest += share * if edge.finest.is_finite() { edge.finest } else { edge.weight };
        if compliance > self.softest.1 {
            self.softest = (edge.material, compliance);
        }
    }
}

/// Sorts edges by colour, greedily, and returns the range of each.
pub fn colour(edges: &mut Vec<Edge>, nodes: usize) -> Vec<Range<u32>> {
    let mut colours: Vec<(Vec<Edge>, Vec<bool>)> = Vec::new();
    for edge in edges.drain(..) {
        let free = |(_, taken): &(Vec<Edge>, Vec<bool>)| edge.ends.iter().all(|&end| !taken[end as usize]);
        let index = colours.iter().position(free).unwrap_or(colours.len());
        if index == colours.len() {
            colours.push((Vec::new(), vec![false; nodes]));
        }
        let (members, taken) = &mut colours[index];
        edge.ends.iter().for_each(|&end| taken[end as usize] = true);
        members.push(edge);
    }
    let mut ranges = Vec::new();
    for (members, _) in colours {
        let first = edges.len() as u32;
        edges.extend(members);
        ranges.push(first..edges.len() as u32);
    }
    ranges
}

/// The three of some nodes that are nearest to one of a net; of fewer the last one again.
fn nearest(net: &Net, to: u32, nodes: &[u32], row: &[u32]) -> [u32; 3] {
    let mut best = [(u32::MAX, f64::INFINITY); 3];
    for next in row.iter().map(|&node| (node, net.distance(to, nodes[node as usize]))) {
        if let Some(place) = best.iter().position(|other| next.1 < other.1) {
            best[place..].rotate_right(1);
            best[place] = next;
        }
    }
    let second = if best[1].0 == u32::MAX { best[0] } else { best[1] };
    let third = if best[2].0 == u32::MAX { second } else { best[2] };
    [best[0].0, second.0, third.0]
}
