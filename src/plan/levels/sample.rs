//! Which nodes of a net a coarser one takes, and what is near to them; distances go along the net's edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::super::order;
use super::{Net, Rows};
use crate::parallel;

/// How far a node's influence reaches, in spacings.
pub const REACH: f64 = 1.6;
/// Nodes lie so far from each other at least, in spacings.
const LEAST: f64 = 0.7;
/// So many nodes with all that is near them are worth a thread.
pub const WORTH_A_THREAD: usize = 256;

/// Farthest-point sampling, what is fixed first: the nodes taken, in the order in which they were.
pub fn farthest(net: &Net, neighbours: &Rows, spacing: f64) -> Vec<u32> {
    let mut front = Front::new(net);
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
    let mut queue = Queue::new(spacing);
    (0..).zip(&front.distances).for_each(|(node, &distance)| queue.put(node, distance));
    while let Some(node) = queue.pop(&front.distances) {
        nodes.push(node);
        front.spread(neighbours, &[node], f64::INFINITY, |_| ());
    }
    nodes
}

/// For each node of the net which of `nodes`, as indices into these, are within `reach` of it.
pub fn near(net: &Net, neighbours: &Rows, nodes: &[u32], reach: f64) -> Rows<u32> {
    // Along a curve what is around one is still in the cache for the next: in the order of the sample most of the time went to waiting for memory.
    let places: Vec<[f64; 3]> = nodes.iter().map(|&node| net.positions[node as usize].into()).collect();
    let curve = order::along_curve(&places);
    let of_piece = |piece: Range<usize>| {
        let mut front = Front::new(net);
        let mut found = Rows::new();
        let mut touched = Vec::new();
        for index in curve[piece].iter().map(|&index| index as usize) {
            // A way along edges is longer than the straight one, by 8 % along two directions 45° apart.
            front.spread(neighbours, &nodes[index..=index], 1.1 * reach, |at| touched.push(at));
            // What was reached twice is no longer there.
            let first = |at: &u32| std::mem::replace(&mut front.distances[*at as usize], f64::INFINITY).is_finite();
            found.push(touched.drain(..).filter(first));
        }
        found
    };
    let found: Vec<Rows<u32>> = parallel::map(nodes.len(), WORTH_A_THREAD, of_piece);
    let mut rows: Vec<&[u32]> = vec![&[]; nodes.len()];
    curve.iter().zip(found.iter().flat_map(Rows::rows)).for_each(|(&index, row)| rows[index as usize] = row);
    let entries = (0..).zip(&rows).flat_map(|(index, row)| row.iter().map(move |&at| (at, index)));
    Rows::gathered(net.len(), entries, |_, index| index)
}

/// What is farthest. A node's distance is what it was when it was put there: never too little. Only the farthest are in order: most nodes have
/// come nearer when their bucket's turn comes, and go on to another. (One heap of all took a third of the time of planning.)
struct Queue {
    /// All from this bucket on.
    farthest: BinaryHeap<Place>,
    from: usize,
    buckets: Vec<Vec<u32>>,
    width: f64,
    least: f64,
}

impl Queue {
    fn new(spacing: f64) -> Self {
        let (buckets, width) = (vec![Vec::new(); MOST_BUCKETS], spacing / 32.0);
        Self { farthest: BinaryHeap::new(), from: MOST_BUCKETS, buckets, width, least: LEAST * spacing }
    }

    /// What is near to a node that was taken is not put there.
    fn put(&mut self, node: u32, distance: f64) {
        let bucket = (distance / self.width) as usize;
        match distance >= self.least {
            true if bucket >= self.from => self.farthest.push(Place { distance, node }),
            true => self.buckets[bucket].push(node),
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
                    self.from = self.from.checked_sub(1)?;
                    let bucket = std::mem::take(&mut self.buckets[self.from]);
                    bucket.into_iter().for_each(|node| self.put(node, distances[node as usize]));
                }
            }
        }
    }
}

/// Distances from the nearest source so far.
struct Front {
    distances: Vec<f64>,
    /// What is still to be gone on from, by its distance in widths, rounded down. (A heap took most of the time of planning.)
    buckets: Vec<Vec<(u32, f64)>>,
    width: f64,
}

/// Whatever is farther than so many widths shares the last bucket.
const MOST_BUCKETS: usize = 1 << 12;

impl Front {
    fn new(net: &Net) -> Self {
        Self { distances: vec![f64::INFINITY; net.len()], buckets: Vec::new(), width: 0.5 * net.spacing }
    }

    fn push(&mut self, node: u32, distance: f64) {
        let bucket = ((distance / self.width) as usize).min(MOST_BUCKETS);
        if bucket >= self.buckets.len() {
            self.buckets.resize(bucket + 1, Vec::new());
        }
        self.buckets[bucket].push((node, distance));
    }

    /// The shortest ways from some sources to everything that they are nearer to than any before, up to a distance. (Dial, Algorithm 360:
    /// Shortest-path forest with topological ordering, 1969. Where edges are shorter than a width it may go on from a node twice.)
    fn spread(&mut self, neighbours: &Rows, sources: &[u32], most: f64, mut reached: impl FnMut(u32)) {
        for &source in sources {
            self.distances[source as usize] = 0.0;
            reached(source);
            self.push(source, 0.0);
        }
        let (mut waiting, mut bucket) = (sources.len(), 0);
        while waiting > 0 {
            let Some((node, distance)) = self.buckets[bucket].pop() else {
                bucket += 1;
                continue;
            };
            waiting -= 1;
            if distance > self.distances[node as usize] {
                continue;
            }
            for &(next, length) in neighbours.row(node as usize) {
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
