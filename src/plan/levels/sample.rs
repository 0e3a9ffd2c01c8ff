//! Which nodes of a net a coarser one takes, and what is near to them; distances go along the net's edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Net, Rows};

/// How far a node's influence reaches, in spacings.
pub const REACH: f64 = 1.6;
/// Nodes lie so far from each other at least, in spacings.
const LEAST: f64 = 0.7;

/// Farthest-point sampling, what is fixed first: the nodes taken, in the order in which they were.
pub fn farthest(net: &Net, spacing: f64) -> Vec<u32> {
    let neighbours = net.neighbours();
    let mut front = Front::new(net.len());
    let mut nodes = Vec::new();
    for node in (0..net.len() as u32).filter(|&node| net.inverse_masses[node as usize] == 0.0) {
        if front.distances[node as usize] >= 0.95 * spacing {
            nodes.push(node);
            front.spread(&neighbours, node, f64::INFINITY, |_, _| ());
        }
    }
    // What is farthest, with entries that are out of date passed over.
    let mut queue: BinaryHeap<Place> =
        (0..).zip(&front.distances).map(|(node, &distance)| Place { distance, node }).collect();
    while let Some(Place { distance, node }) = queue.pop() {
        if distance < LEAST * spacing {
            break;
        }
        if distance > front.distances[node as usize] {
            continue;
        }
        nodes.push(node);
        front.spread(&neighbours, node, f64::INFINITY, |node, distance| queue.push(Place { distance, node }));
    }
    nodes
}

/// For each node of the net those of `nodes` within `reach`, as indices into these, and how far they are in a straight line.
pub fn near(net: &Net, nodes: &[u32], reach: f64) -> Rows {
    let neighbours = net.neighbours();
    let mut lists = vec![Vec::new(); net.len()];
    let mut front = Front::new(net.len());
    let mut touched = Vec::new();
    for (index, &node) in (0..).zip(nodes) {
        // A way along edges is longer than the straight one, by 8 % along two directions 45° apart.
        front.spread(&neighbours, node, 1.1 * reach, |at, _| touched.push(at));
        touched.sort_unstable();
        touched.dedup();
        for at in touched.drain(..) {
            front.distances[at as usize] = f64::INFINITY;
            lists[at as usize].push((index, net.distance(at, node)));
        }
    }
    let mut rows = Rows::new();
    lists.into_iter().for_each(|list| rows.push(list));
    rows
}

/// Distances from the nearest source so far.
struct Front {
    distances: Vec<f64>,
    queue: BinaryHeap<std::cmp::Reverse<Place>>,
}

impl Front {
    fn new(count: usize) -> Self {
        Self { distances: vec![f64::INFINITY; count], queue: BinaryHeap::new() }
    }

    /// Dijkstra's way from a source to everything that it is nearer to than any before, up to a distance.
    fn spread(&mut self, neighbours: &Rows, source: u32, most: f64, mut reached: impl FnMut(u32, f64)) {
        self.distances[source as usize] = 0.0;
        reached(source, 0.0);
        self.queue.push(std::cmp::Reverse(Place { distance: 0.0, node: source }));
        while let Some(std::cmp::Reverse(Place { distance, node })) = self.queue.pop() {
            if distance > self.distances[node as usize] {
                continue;
            }
            for &(next, length) in neighbours.row(node as usize) {
                let there = distance + length;
                if there < self.distances[next as usize] && there <= most {
                    self.distances[next as usize] = there;
                    reached(next, there);
                    self.queue.push(std::cmp::Reverse(Place { distance: there, node: next }));
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
