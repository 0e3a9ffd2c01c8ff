//! Nodes and the edges between them, at whatever level.

use std::f64::consts::PI;
use std::ops::Range;

use super::edge::{Bending, Edge, RIGID, Tie, yields};
use super::stiffness::{self, Way};
use super::{Rows, SWEEPS};
use crate::base::parallel;
use crate::math::Vec3;
use crate::model::Material;

/// A net: particles and their stretch constraints, or what stands for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Net<E = Edge> {
    /// In the rest pose, m.
    pub positions: Vec<Vec3<f64>>,
    /// 1/kg; 0 where fixed.
    pub inverse_masses: Vec<f64>,
    /// What keeps nodes from moving apart.
    pub edges: Vec<E>,
    /// What is around each node; of a rope nothing.
    pub media: Vec<Medium>,
    /// Between neighbours, about, m.
    pub spacing: f64,
    /// Whether it is a line: there what is in series yields together. Of a sheet, what is gained in width is lost in
    /// length.
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

impl<E> Default for Net<E> {
    fn default() -> Self {
        let (positions, inverse_masses, edges, media) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { positions, inverse_masses, edges, media, spacing: 0.0, rope: false }
    }
}

impl<E> Net<E> {
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
}

impl<E: Tie> Net<E> {
    /// For each node its neighbours, and how far they are.
    pub fn neighbours(&self) -> Rows {
        let both = |edge: &E| {
            let [a, b] = edge.ends();
            [(a, b), (b, a)]
        };
        Rows::gathered(self.len(), self.edges.iter().flat_map(both), |node, other| (other, self.distance(node, other)))
    }
}

/// How much the finer edges that lie along an edge count more than those across: a power of the cosine between them.
const ALONG: i32 = 8;
/// Of the inverse masses at an edge's ends what a sweep does not resolve: see "What one might not expect" in
/// ARCHITECTURE.md.
const UNRESOLVED: f64 = 0.5;
/// As how many sweeps one way the [`SWEEPS`] over a sheet's level resolve compliance: at a turn the same edges come
/// twice, and the second time changes little. Fitted to statics (docs/design/levels.md).
const RESOLVING: f64 = 2.8;
/// The same of [`SWEEPS`] over the edges of a rope's level, times their number.
const ROPE_UNRESOLVED: f64 = 0.67;

/// The edges of a coarser net, all else of which is there, by `nodes` of the finer one, and which of these are near to
/// each of it; `weights`: the mean of [`stiffness::weights`] about each, of a sheet; `first`: over particles.
pub fn edges(
    finer: &Net<impl Tie>,
    nodes: &[u32],
    near: &Rows<u32>,
    weights: &[f64],
    coarser: &Net,
    materials: &[Material],
    first: bool,
) -> Vec<Edge> {
    let nearest = parallel::list(finer.len(), [0; 3], |index| nearest(finer, index as u32, nodes, near.row(index)));
    let owners: Vec<u32> = nearest.iter().map(|nearest| nearest[0]).collect();
    let links: Vec<([u32; 2], Way)> =
        pairs(&nearest, finer.rope).into_iter().map(|ends| (ends, Way::of(&coarser.positions, ends))).collect();
    drop(nearest);
    if finer.rope {
        return in_series(&links, &sums(finer, &owners, coarser.len(), &links, materials), materials, first);
    }
    let rests = || rests(finer, &owners, coarser.len(), &links);
    let stiffnesses = || stiffness::relative(finer, &owners, coarser.len(), materials, &links);
    let (rests, stiffnesses) = parallel::join(rests, stiffnesses);
    side_by_side(&links, &rests, &stiffnesses, weights, &coarser.media, materials, first)
}

/// The pairs of nodes that are joined: of a sheet any two of the three that are nearest to a finer one. (With the
/// nearest two only a node cannot be in balance where its surroundings are evenly strained: what is left over makes a
/// hanging sheet of 1e-3 m/N sag by a sixth more.) Of a rope the two nearest.
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
    rests: &[[f64; 2]],
    [own, even]: &[Vec<f64>; 2],
    weights: &[f64],
    media: &[Medium],
    materials: &[Material],
    first: bool,
) -> Vec<Edge> {
    let edge = |index: usize| {
        let ((ends, way), [share, rest]) = (links[index], rests[index]);
        let [a, b] = ends.map(|end| media[end as usize]);
        let material = if a.compliance > b.compliance { a.material } else { b.material };
        let factor = factor(0.5 * (a.compliance + b.compliance) / own[index], material, materials);
        // A gate compares with the finer edges' compliance, of which this one's is 1/even.
        let finest = UNRESOLVED * 0.5 * (a.weight + b.weight) / even[index];
        let finer = 0.5 * ends.iter().map(|&end| weights[end as usize]).sum::<f64>() / even[index];
        let weight = UNRESOLVED / RESOLVING * finer;
        let length = way.length * rest / share;
        let [yields, other] = [a, b].map(|medium| medium.bending.compliance(materials));
        let softer = if yields > other { a.bending.material } else { b.bending.material };
        let bending = Bending::of(PI * PI / (0.5 * (yields + other) * length), softer, materials);
        Edge { ends, length, material, factor, weight, finest, bending, below: u32::from(!first) }
    };
    let stands = |&index: &usize| rests[index][0] > 0.0 && own[index] > 0.0 && even[index] > 0.0;
    (0..links.len()).filter(stands).map(edge).collect()
}

/// Of a rope, each as many of the finer ones in series.
fn in_series(links: &[([u32; 2], Way)], sums: &[Sums], materials: &[Material], first: bool) -> Vec<Edge> {
    let gain = if first { UNRESOLVED } else { ROPE_UNRESOLVED / f64::from(SWEEPS) };
    let edge = |(&(ends, way), sums): (&([u32; 2], Way), &Sums)| {
        let length = way.length * sums.rest / sums.count;
        // Of what lies along a rope all yields as it is, and adds up.
        let [weight, finest] = [gain * sums.weight, sums.finest].map(|sum| length * sum / sums.length);
        let material = sums.softest.0;
        let factor = factor(length * sums.compliance / sums.length, material, materials);
        Edge { ends, length, material, factor, weight, finest, bending: Bending::default(), below: 1 }
    };
    links.iter().zip(sums).filter(|(_, sums)| sums.count > 0.0).map(edge).collect()
}

/// What a compliance is of that of a material.
fn factor(compliance: f64, material: u32, materials: &[Material]) -> f64 {
    compliance / yields(material, materials)
}

/// Goes through the finer edges at the nodes of each link, with their way: first by the edges.
fn stood_for<E: Tie>(
    finer: &Net<E>,
    owners: &[u32],
    nodes: usize,
    links: &[([u32; 2], Way)],
    mut add: impl FnMut(usize, &E, Way),
) {
    let ends = (0..).zip(links).flat_map(|(index, (ends, _))| ends.map(|node| (node, index)));
    let incident: Rows<u32> = Rows::gathered(nodes, ends, |_, index| index);
    for edge in &finer.edges {
        let placed = Way::of(&finer.positions, edge.ends());
        if placed.length == 0.0 {
            continue;
        }
        let [a, b] = edge.ends().map(|end| owners[end as usize]);
        let nodes = &[a, b][..if a == b { 1 } else { 2 }];
        nodes.iter().flat_map(|&node| incident.row(node as usize)).for_each(|&index| add(index as usize, edge, placed));
    }
}

/// Of a sheet, over the finer edges that each link stands for: their shares, the more the longer they are and the more
/// along it they lie, and these times the length at rest over the length as placed: what is placed stretched has the
/// rest lengths of its edges.
fn rests(finer: &Net<impl Tie>, owners: &[u32], nodes: usize, links: &[([u32; 2], Way)]) -> Vec<[f64; 2]> {
    let mut rests = vec![[0.0; 2]; links.len()];
    stood_for(finer, owners, nodes, links, |index, edge, placed| {
        let share = edge.length() * links[index].1.along.dot(placed.along).powi(ALONG);
        let [shares, rest] = &mut rests[index];
        *shares += share;
        *rest += share * edge.length() / placed.length;
    });
    rests
}

/// Of a rope, where each counts as it is.
fn sums(
    finer: &Net<impl Tie>,
    owners: &[u32],
    nodes: usize,
    links: &[([u32; 2], Way)],
    materials: &[Material],
) -> Vec<Sums> {
    let mut sums = vec![Sums::default(); links.len()];
    stood_for(finer, owners, nodes, links, |index, edge, placed| {
        let weight = edge.ends().iter().map(|&end| finer.inverse_masses[end as usize]).sum();
        sums[index].add(edge, placed.length, edge.compliance(materials), weight);
    });
    sums
}

/// Over the finer edges that a coarse one of a rope stands for.
#[derive(Clone, Default)]
struct Sums {
    count: f64,
    /// At rest, m.
    length: f64,
    /// At rest over as placed: what is placed stretched has the rest lengths of its edges.
    rest: f64,
    /// m/N.
    compliance: f64,
    /// The inverse masses of its ends together.
    weight: f64,
    /// What the finest level makes of the particles' sweep.
    finest: f64,
    /// The material of the largest of the compliances, with it.
    softest: (u32, f64),
}

impl Sums {
    fn add(&mut self, edge: &impl Tie, placed: f64, compliance: f64, weight: f64) {
        let compliance = compliance.max(RIGID);
        self.count += 1.0;
        self.length += edge.length();
        self.rest += edge.length() / placed;
        self.compliance += compliance;
        self.weight += weight;
        self.finest += edge.finest();
        if compliance > self.softest.1 {
            self.softest = (edge.material(), compliance);
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
fn nearest(net: &Net<impl Tie>, to: u32, nodes: &[u32], row: &[u32]) -> [u32; 3] {
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
