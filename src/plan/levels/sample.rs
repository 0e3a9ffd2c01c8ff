//! Which nodes of a net a coarser one takes, and what is near to them; distances go along the net's edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::ops::Range;

use super::super::order;
use super::edge::Tie;
use super::{Net, Rows};
use crate::base::parallel;

/// How far a node's influence reaches, in spacings.
pub const REACH: f64 = 1.6;
/// Nodes lie so far from each other at least, in spacings.
const LEAST: f64 = 0.7;
/// So many nodes with all that is near them are worth a thread.
pub const WORTH_A_THREAD: usize = 256;

/// A net of so few nodes is the coarsest: a few sweeps solve it.
const FEWEST_NODES: usize = 6;

/// The nodes of a net that a coarser one takes.
pub struct Sample {
    pub nodes: Vec<u32>,
    /// For each node of the net which of `nodes`, as indices into these, are near to it.
    pub near: Rows<u32>,
    /// Whether edges join all that is free to something fixed.
    pub held: bool,
}

impl Sample {
    /// With nodes so far apart, m, at least and about, if there is something to gain.
    pub fn of(net: &Net<impl Tie>, spacing: f64) -> Option<Self> {
        let neighbours = net.neighbours();
        let (nodes, held) = farthest(net, &neighbours, spacing);
        if net.len() <= FEWEST_NODES || nodes.len() < 3 || nodes.len() > net.len().div_ceil(2) {
            return None;
        }
        let near = near(net, &neighbours, &nodes, REACH * spacing);
        Some(Self { nodes, near, held })
    }
}

/// Farthest-point sampling, what is fixed first: the nodes taken, along a curve, so that what goes from one to the next
/// finds what is around it still in the cache. And whether edges join all to something fixed.
fn farthest(net: &Net<impl Tie>, neighbours: &Rows, spacing: f64) -> (Vec<u32>, bool) {
    let mut front = Front::new(net, neighbours);
    let mut nodes = Vec::new();
    for node in (0..net.len() as u32).filter(|&node| net.inverse_masses[node as usize] == 0.0) {
        if front.distances[node as usize] >= 0.95 * spacing {
            nodes.push(node);
            front.spread(neighbours, &[node], spacing, |_| ());
        }
    }
    // All the way from all of them at once.
    front.distances.fill(f64::INFINITY);
    front.spread(neighbours, &nodes, f64::INFINITY, |_| ());
    let held = front.distances.iter().all(|distance| distance.is_finite());
    let mut queue = Queue::new(spacing);
    (0..).zip(&front.distances).for_each(|(node, &distance)| queue.put(node, distance));
    while let Some(node) = queue.pop(&front.distances) {
        nodes.push(node);
        front.spread(neighbours, &[node], f64::INFINITY, |_| ());
    }
    let places: Vec<[f64; 3]> = nodes.iter().map(|&node| net.positions[node as usize].into()).collect();
    (order::along_curve(&places).into_iter().map(|index| nodes[index as usize]).collect(), held)
}

/// Which of `nodes`, as indices into these, are within `reach` of each node of the net.
fn near(net: &Net<impl Tie>, neighbours: &Rows, nodes: &[u32], reach: f64) -> Rows<u32> {
    let of_piece = |piece: Range<usize>| {
        let mut front = Front::new(net, neighbours);
        let mut found = Rows::new();
        let mut touched = Vec::new();
        for index in piece {
            // A way along edges is longer than the straight one, by 8 % along two directions 45° apart.
            front.spread(neighbours, &nodes[index..=index], 1.1 * reach, |at| touched.push(at));
            // What was reached twice is no longer there.
            let first = |at: &u32| std::mem::replace(&mut front.distances[*at as usize], f64::INFINITY).is_finite();
            found.push(touched.drain(..).filter(first));
        }
        found
    };
    let found: Vec<Rows<u32>> = parallel::map(nodes.len(), WORTH_A_THREAD, of_piece);
    let rows = (0..).zip(found.iter().flat_map(Rows::rows));
    let entries = rows.flat_map(|(index, row)| row.iter().map(move |&at| (at, index)));
    Rows::gathered(net.len(), entries, |_, index| index)
}

/// What is farthest. A node's distance is what it was when it was put there: never too little. Only the farthest are in
/// order: most nodes have come nearer when their bucket's turn comes, and go on to another. (One heap of all took a
/// third of the time of planning.)
struct Queue {
    /// All from this bucket on.
    farthest: BinaryHeap<Place>,
    from: usize,
    /// As many as have been needed, [`MOST_BUCKETS`] at most.
    buckets: Vec<Vec<u32>>,
    width: f64,
    least: f64,
}

impl Queue {
    fn new(spacing: f64) -> Self {
        let (width, least) = (spacing / 32.0, LEAST * spacing);
        Self { farthest: BinaryHeap::new(), from: MOST_BUCKETS, buckets: Vec::new(), width, least }
    }

    /// What is near to a node that was taken is not put there.
    fn put(&mut self, node: u32, distance: f64) {
        let bucket = (distance / self.width) as usize;
        match distance >= self.least {
            true if bucket >= self.from => self.farthest.push(Place { distance, node }),
            true => {
                if bucket >= self.buckets.len() {
                    self.buckets.resize(bucket + 1, Vec::new());
                }
                self.buckets[bucket].push(node);
            }
            false => {}
        }
    }

    /// The farthest by what distances are now.
    fn pop(&mut self, distances: &[f64]) -> Option<u32> {
        loop {
            match self.farthest.pop() {
                Some(Place { distance, node }) if distance == distances[node as usize] => return Some(node),
                Some(Place { node, .. }) => self.put(node, distances[node as usize]),
                None => {
                    self.from = self.from.min(self.buckets.len()).checked_sub(1)?;
                    let bucket = std::mem::take(&mut self.buckets[self.from]);
                    bucket.into_iter().for_each(|node| self.put(node, distances[node as usize]));
                }
            }
        }
    }
}

/// From so many nodes a front goes on at once. Where they do not fit the caches it waits for their neighbours, which
/// are in memory: one by one a third longer (a million nodes with twelve neighbours each; by eight, 16 and 32 at once
/// 0.85, 0.79 and 0.84 s in place of 1.07). In what order it goes on does not matter to where it ends.
const TOGETHER: usize = 16;
/// The most buckets of a queue: what does not fit is in order by itself, or the buckets are as much wider.
const MOST_BUCKETS: usize = 1 << 16;

/// Distances from the nearest source so far.
struct Front {
    distances: Vec<f64>,
    /// What is still to be gone on from, by its distance in widths, rounded down: a ring, since nothing is farther
    /// ahead than the longest edge. (A heap took most of the time of planning; a bucket for all that is farther than
    /// 4,096 widths did not end for a sheet of 2,048 by 2,048 particles, since what is there is gone on from in any
    /// order, and most of it many times.)
    buckets: Vec<Vec<(u32, f64)>>,
    width: f64,
}

impl Front {
    fn new(net: &Net<impl Tie>, neighbours: &Rows) -> Self {
        let longest = neighbours.entries.iter().map(|&(_, length)| length).fold(0.0, f64::max);
        let width = (0.5 * net.spacing).max(longest / (MOST_BUCKETS / 2) as f64);
        let ring = (longest / width) as usize + 2;
        Self { distances: vec![f64::INFINITY; net.len()], buckets: vec![Vec::new(); ring], width }
    }

    fn push(&mut self, node: u32, distance: f64) {
        let bucket = (distance / self.width) as usize % self.buckets.len();
        self.buckets[bucket].push((node, distance));
    }

    /// The shortest ways from some sources to everything that they are nearer to than any before, up to a distance.
    /// (Dial, Algorithm 360: Shortest-path forest with topological ordering, 1969. Where edges are shorter than a width
    /// it may go on from a node twice.) Returns how often it went on from a node.
    fn spread(&mut self, neighbours: &Rows, sources: &[u32], most: f64, mut reached: impl FnMut(u32)) -> usize {
        for &source in sources {
            self.distances[source as usize] = 0.0;
            reached(source);
            self.push(source, 0.0);
        }
        let (mut waiting, mut bucket, mut steps) = (sources.len(), 0, 0);
        let mut taken: [(f64, &[(u32, f64)]); TOGETHER] = [(0.0, &[]); TOGETHER];
        while waiting > 0 {
            let list = &mut self.buckets[bucket];
            if list.is_empty() {
                bucket = (bucket + 1) % self.buckets.len();
                continue;
            }
            let mut count = 0;
            while let Some((node, distance)) = list.pop_if(|_| count < TOGETHER) {
                waiting -= 1;
                if distance <= self.distances[node as usize] {
                    let row = neighbours.row(node as usize);
                    // Asked for now, waited for together.
                    black_box(row.iter().step_by(4).fold(0, |all, (next, _)| all ^ next));
                    taken[count] = (distance, row);
                    count += 1;
                }
            }
            for &(distance, row) in &taken[..count] {
                steps += 1;
                for &(next, length) in row {
                    let there = distance + length;
                    if there < self.distances[next as usize] && there <= most {
                        self.distances[next as usize] = there;
                        reached(next);
                        self.push(next, there);
                        waiting += 1;
                    }
                }
            }
        }
        steps
    }
}

/// A node and how far it is; the farther is the greater, of two as far that with the lower index.
#[derive(PartialEq)]
struct Place {
    distance: f64,
    node: u32,
}
impl Eq for Place {}
impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(other.node.cmp(&self.node))
    }
}
impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::plan::levels::edge::Spring;

    /// A grid of n by n nodes, 1 apart, with diagonals, whose spacing is told to be another.
    fn grid(n: u32, spacing: f64) -> (Net<Spring>, Rows) {
        let place = |i: u32| Vec3::new(f64::from(i % n), f64::from(i / n), 0.0);
        let net = Net { positions: (0..n * n).map(place).collect(), spacing, ..Net::default() };
        let (across, up) = (|i: u32| i % n + 1 < n, |i: u32| i / n + 1 < n);
        let ends = (0..n * n).flat_map(|i| {
            let sides = [(across(i), i + 1), (up(i), i + n), (across(i) && up(i), i + n + 1)];
            sides.into_iter().filter(|(there, _)| *there).flat_map(move |(_, other)| [(i, other), (other, i)])
        });
        let neighbours = Rows::gathered((n * n) as usize, ends, |a, b| (b, net.distance(a, b)));
        (net, neighbours)
    }

    /// A sheet is held by a particle that is fixed; not one of which a part hangs by nothing.
    #[test]
    fn what_no_edge_joins_to_what_is_fixed_is_not_held() {
        let (mut net, neighbours) = grid(12, 1.0);
        net.inverse_masses = vec![1.0; net.len()];
        assert!(!farthest(&net, &neighbours, 3.0).1);
        net.inverse_masses[17] = 0.0;
        assert!(farthest(&net, &neighbours, 3.0).1);
        // Without the edges between its rows 5 and 6.
        let across = |a: u32, b: u32| a.min(b) < 72 && a.max(b) >= 72;
        let mut apart = Rows::new();
        for (node, row) in (0..).zip(neighbours.rows()) {
            apart.push(row.iter().copied().filter(|&(other, _)| !across(node, other)));
        }
        assert!(!farthest(&net, &apart, 3.0).1);
        net.inverse_masses[100] = 0.0;
        assert!(farthest(&net, &apart, 3.0).1);
    }

    /// However far it is in spacings, ways are found by going on from each node hardly more than once, and are the
    /// shortest.
    #[test]
    fn far_ways_are_found_at_once() {
        for spacing in [1.0, 1e-3, 1e-9] {
            let (net, neighbours) = grid(100, spacing);
            let mut front = Front::new(&net, &neighbours);
            let steps = front.spread(&neighbours, &[0], f64::INFINITY, |_| ());
            assert!(steps < 2 * net.len(), "{steps} steps over {} nodes", net.len());
            for (node, distance) in (0..100 * 100).zip(&front.distances) {
                let (x, y) = (f64::from(node % 100), f64::from(node / 100));
                let exact = x.min(y) * 2.0_f64.sqrt() + (x - y).abs();
                assert!((distance - exact).abs() < 1e-9, "{node}: {distance}, not {exact}");
            }
        }
    }
}
