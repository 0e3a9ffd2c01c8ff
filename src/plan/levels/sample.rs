//! Which nodes of a net a coarser one takes, and what is near to them; distances go along the net's edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{Net, Rows, pieces};

/// How far a node's influence reaches, in spacings.
pub const REACH: f64 = 1.6;
/// Nodes lie so far from each other at least, in spacings.
const LEAST: f64 = 0.7;

/// Farthest-point sampling, what is fixed first: the nodes taken, in the order in which they were.
pub fn farthest(net: &Net, neighbours: &Rows, spacing: f64) -> Vec<u32> {
    let mut front = Front::new(net);
    let mut nodes = Vec::new();
    for node in (0..net.len() as u32).filter(|&node| net.inverse_masses[node as usize] == 0.0) {
        if front.distances[node as usize] >= 0.95 * spacing {
            nodes.push(node);
            front.spread(neighbours, node, f64::INFINITY, |_, _| ());
        }
    }
    // What is farthest. An entry says how far a node was when it was put there: never too little.
    let mut queue: BinaryHeap<Place> =
        (0..).zip(&front.distances).map(|(node, &distance)| Place { distance, node }).collect();
    while let Some(Place { distance, node }) = queue.pop() {
        let now = front.distances[node as usize];
        if now < LEAST * spacing {
            continue;
        }
        if now < distance {
            queue.push(Place { distance: now, node });
            continue;
        }
        nodes.push(node);
        front.spread(neighbours, node, f64::INFINITY, |_, _| ());
    }
    nodes
}

/// For each node of the net those of `nodes` within `reach`, as indices into these, and how far they are in a straight line.
pub fn near(net: &Net, neighbours: &Rows, nodes: &[u32], reach: f64) -> Rows {
    let of_piece = |piece: Range<usize>| {
        let mut front = Front::new(net);
        let (mut touched, mut found) = (Vec::new(), Vec::new());
        for index in piece {
            // A way along edges is longer than the straight one, by 8 % along two directions 45° apart.
            front.spread(neighbours, nodes[index], 1.1 * reach, |at, _| touched.push(at));
            for at in touched.drain(..) {
                // What was reached twice is no longer there.
                if std::mem::replace(&mut front.distances[at as usize], f64::INFINITY).is_finite() {
                    found.push((at, (index as u32, net.distance(at, nodes[index]))));
                }
            }
        }
        found
    };
    let found = pieces::map(nodes.len(), of_piece);
    Rows::gathered(net.len(), found.iter().flatten().copied())
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

    /// The shortest ways from a source to everything that it is nearer to than any before, up to a distance. (Dial, Algorithm 360:
    /// Shortest-path forest with topological ordering, 1969. Where edges are shorter than a width it may go on from a node twice.)
    fn spread(&mut self, neighbours: &Rows, source: u32, most: f64, mut reached: impl FnMut(u32, f64)) {
        self.distances[source as usize] = 0.0;
        reached(source, 0.0);
        self.push(source, 0.0);
        let (mut waiting, mut bucket) = (1, 0);
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
                    reached(next, there);
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
