//! Nodes and the edges between them, at whatever level.

use std::ops::Range;

use super::Rows;
use crate::constraint::Vec3;
use crate::model::Material;

/// A net: particles and their stretch constraints, or what stands for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// In the rest pose, m.
    pub positions: Vec<Vec3<f64>>,
    /// 1/kg; 0 where fixed.
    pub inverse_masses: Vec<f64>,
    /// What keeps nodes from moving apart.
    pub edges: Vec<Edge>,
    /// Between neighbours, about, m.
    pub spacing: f64,
    /// Whether it is a line: there what is in series yields together. Of a sheet, what is gained in width is lost in length.
    pub rope: bool,
}

/// An edge of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its nodes.
    pub ends: [u32; 2],
    /// At rest, m.
    pub length: f64,
    /// Index into the model's materials: of the finer edges that it stands for, that of most stiffness.
    pub material: u32,
    /// Of the material's compliance.
    pub factor: f64,
    /// 1/kg: by how much what this edge stands for yields more than its compliance says if it is left to the sweeps of the level below
    /// alone, over the square of a substep: half of the inverse masses at the ends of their edges, over the number of sweeps.
    pub weight: f64,
    /// The same of what the finest level makes of the particles' own sweep, 1/kg: what that resolves needs no level at all. Infinite at
    /// the finest.
    pub finest: f64,
}

impl Edge {
    /// The share of its pull that is left to this level: what the sweeps below do not resolve. `soft` is its compliance over the square
    /// of a substep, 1/kg.
    pub fn gate(&self, soft: f64) -> f64 {
        let unresolved = |weight: f64| if weight.is_finite() { weight / (weight + soft) } else { 1.0 };
        unresolved(self.weight) * unresolved(self.finest)
    }

    /// m/N, with the materials as they are now.
    pub fn compliance(&self, materials: &[Material]) -> f64 {
        self.factor * materials[self.material as usize].compliance
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
        let both = |edge: &Edge| {
            let ([a, b], length) = (edge.ends, self.distance(edge.ends[0], edge.ends[1]));
            [(a, (b, length)), (b, (a, length))]
        };
        Rows::gathered(self.len(), self.edges.iter().flat_map(both))
    }
}

/// How much the finer edges that lie along an edge count more than those across: a power of the cosine between them.
const ALONG: i32 = 8;
/// A compliance below which nothing differs from rigid, m/N.
const RIGID: f64 = 1e-100;

/// The edges of a coarser net: between nodes that are nearest and second nearest of some finer one. Each has the compliance of the
/// finer ones along it, as stiffnesses side by side are averaged: in a sheet, what is gained in width is lost in length. `gain`: of its weight
/// ([`Edge::weight`]) over the inverse masses at the ends of a finer edge.
pub fn edges(finer: &Net, near: &Rows, positions: &[Vec3<f64>], materials: &[Material], gain: f64) -> Vec<Edge> {
    let owners: Vec<[u32; 2]> = near.rows().map(nearest_two).collect();
    let mut pairs: Vec<[u32; 2]> = owners.iter().filter(|[a, b]| a != b).map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut incident = vec![Vec::new(); positions.len()];
    for (index, pair) in (0..).zip(&pairs) {
        pair.iter().for_each(|&node| incident[node as usize].push(index));
    }
    let mut sums = vec![Sums::default(); pairs.len()];
    let direction = |positions: &[Vec3<f64>], [a, b]: [u32; 2]| {
        (positions[b as usize] - positions[a as usize]).direction_and_length().0
    };
    let directions: Vec<Vec3<f64>> = pairs.iter().map(|&pair| direction(positions, pair)).collect();
    for edge in &finer.edges {
        let along = direction(&finer.positions, edge.ends);
        let mut nodes = edge.ends.map(|end| owners[end as usize][0]).to_vec();
        nodes.dedup();
        for &index in nodes.iter().flat_map(|&node| &incident[node as usize]) {
            let share = edge.length * directions[index as usize].dot(along).powi(ALONG);
            let [a, b] = edge.ends.map(|end| finer.inverse_masses[end as usize]);
            let placed = finer.distance(edge.ends[0], edge.ends[1]);
            if placed > 0.0 {
                sums[index as usize].add(share, edge, placed, edge.compliance(materials), a + b);
            }
        }
    }
    let edge = |(&ends, sums): (&[u32; 2], &Sums)| {
        let [a, b] = ends.map(|end| positions[end as usize]);
        let length = (b - a).length() * sums.rest / sums.share;
        let series = if finer.rope { length * sums.share / sums.length } else { 1.0 };
        let compliance = series * sums.share / sums.stiffness;
        let [weight, finest] = [gain * sums.weight, sums.finest].map(|sum| series * sum / sums.share);
        let material = sums.stiffest.0;
        let own = materials[material as usize].compliance;
        let factor = if own > 0.0 { compliance / own } else { 1.0 };
        Edge { ends, length, material, factor, weight, finest }
    };
    pairs.iter().zip(&sums).filter(|(_, sums)| sums.share > 0.0).map(edge).collect()
}

/// Over the finer edges that a coarse one stands for, each with its share.
#[derive(Clone, Default)]
struct Sums {
    share: f64,
    /// Times length at rest, m.
    length: f64,
    /// Times that over the length as placed: what is placed stretched has the rest lengths of its edges.
    rest: f64,
    /// Times stiffness, N/m.
    stiffness: f64,
    /// Times the inverse masses of its ends together.
    weight: f64,
    /// Times what the finest level makes of the particles' sweep.
    finest: f64,
    /// The material of the largest of the stiffnesses, with it.
    stiffest: (u32, f64),
}

impl Sums {
    fn add(&mut self, share: f64, edge: &Edge, placed: f64, compliance: f64, weight: f64) {
        let stiffness = share / compliance.max(RIGID);
        self.share += share;
        self.length += share * edge.length;
        self.rest += share * edge.length / placed;
        self.stiffness += stiffness;
        self.weight += share * weight;
        self.finest += share * if edge.finest.is_finite() { edge.finest } else { edge.weight };
        if stiffness > self.stiffest.1 {
            self.stiffest = (edge.material, stiffness);
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

fn nearest_two(row: &[(u32, f64)]) -> [u32; 2] {
    let mut best = [(u32::MAX, f64::INFINITY); 2];
    for &next in row {
        if next.1 < best[0].1 {
            best = [next, best[0]];
        } else if next.1 < best[1].1 {
            best[1] = next;
        }
    }
    [best[0].0, if best[1].0 == u32::MAX { best[0].0 } else { best[1].0 }]
}
