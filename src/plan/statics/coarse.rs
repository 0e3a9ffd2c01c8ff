//! Makes a field of few nodes of each part that hangs together by something fixed. A node is a group of particles.
//! Groups grow with their distance from what is fixed and from heavy loads, because tensions change most there.

use std::collections::{BTreeMap, VecDeque};

use super::field::{Field, Fine, Node, Spring, Yield};
use crate::math::Vec3;

/// Nodes of a field at most, where grouping can see to it.
const MOST_NODES: usize = 600;
/// Links to what is fixed for each link of a group's radius.
const GRADE: u32 = 4;
/// Share of all loads above which one node's counts as heavy.
const HEAVY: f64 = 0.05;
pub const NONE: u32 = u32::MAX;

/// The nodes of each part that hangs together, what it hangs by included: that carries each part by itself.
pub fn parts(fine: &Fine) -> Vec<Vec<u32>> {
    let mut part_of = vec![NONE; fine.nodes.len()];
    let mut parts = Vec::new();
    for seed in 0..fine.nodes.len() as u32 {
        if part_of[seed as usize] != NONE || fine.nodes[seed as usize].fixed {
            continue;
        }
        let index = parts.len() as u32;
        let mut part = vec![seed];
        part_of[seed as usize] = index;
        let mut next = 0;
        while let Some(&node) = part.get(next) {
            next += 1;
            if fine.nodes[node as usize].fixed {
                continue;
            }
            for &(_, to) in fine.at.row(node as usize) {
                if part_of[to as usize] != index {
                    part_of[to as usize] = index;
                    part.push(to);
                }
            }
        }
        parts.push(part);
    }
    parts.retain(|part| part.iter().any(|&node| fine.nodes[node as usize].fixed));
    parts
}

/// A part as a field. `places`: [`NONE`] for each node, and again so afterwards.
pub fn field(fine: &Fine, part: &[u32], places: &mut [u32]) -> Field {
    part.iter().zip(0..).for_each(|(&node, place)| places[node as usize] = place);
    let groups = Groups::new(fine, part, places);
    let mut nodes: Vec<Node> = groups.seeds.iter().map(|&seed| fine.nodes[seed as usize]).collect();
    nodes.iter_mut().for_each(|node| node.load = Vec3::zero());
    for &node in part {
        nodes[groups.owner(node) as usize].load += fine.nodes[node as usize].load;
    }
    let springs = groups.springs(fine, part, &nodes);
    part.iter().for_each(|&node| places[node as usize] = NONE);
    Field { nodes, springs }
}

/// What moves together: the particles nearest to a seed along springs.
struct Groups<'a> {
    seeds: Vec<u32>,
    /// Of each node its place in the part; [`NONE`] of others.
    places: &'a [u32],
    /// By place: the group, and the spring and node towards the seed.
    owners: Vec<u32>,
    towards: Vec<(u32, u32)>,
}

impl<'a> Groups<'a> {
    fn new(fine: &Fine, part: &[u32], places: &'a [u32]) -> Self {
        let order = by_distance(fine, part, places);
        let mut radius = 0;
        let seeds = loop {
            let of = |distance: u32| match part.len() <= MOST_NODES {
                true => 0,
                false => radius.max(distance / GRADE),
            };
            let most = if radius as usize > part.len() { usize::MAX } else { MOST_NODES };
            match seeds(fine, &order, places, of, most) {
                Some(seeds) => break seeds,
                None => radius = (2 * radius).max(1),
            }
        };
        let mut groups =
            Self { owners: vec![NONE; part.len()], towards: vec![(NONE, NONE); part.len()], seeds, places };
        groups.grow(fine);
        groups
    }

    fn place(&self, node: u32) -> usize {
        self.places[node as usize] as usize
    }

    fn owner(&self, node: u32) -> u32 {
        self.owners[self.place(node)]
    }

    /// Gives each node to the nearest seed.
    fn grow(&mut self, fine: &Fine) {
        let mut queue: VecDeque<u32> = self.seeds.iter().copied().collect();
        for (owner, &seed) in (0..).zip(&self.seeds) {
            let place = self.place(seed);
            self.owners[place] = owner;
        }
        while let Some(node) = queue.pop_front() {
            let owner = self.owner(node);
            for (spring, to) in alike(fine, node) {
                let place = self.places[to as usize];
                if place != NONE && self.owners[place as usize] == NONE {
                    self.owners[place as usize] = owner;
                    self.towards[place as usize] = (spring, node);
                    queue.push_back(to);
                }
            }
        }
    }

    /// Between groups, one for all that join two of them.
    fn springs(&self, fine: &Fine, part: &[u32], nodes: &[Node]) -> Vec<Spring> {
        let mut borders: BTreeMap<[u32; 2], Border> = BTreeMap::new();
        for &node in part {
            let a = self.owner(node);
            for &(spring, to) in fine.at.row(node as usize) {
                let place = self.places[to as usize];
                let b = if place == NONE { NONE } else { self.owners[place as usize] };
                if a < b && b != NONE && !(nodes[a as usize].fixed && nodes[b as usize].fixed) {
                    let along = nodes[b as usize].position - nodes[a as usize].position;
                    borders.entry([a, b]).or_default().add(fine, spring, along);
                }
            }
        }
        let bearing = borders.into_iter().filter(|(_, border)| border.count == 1 || border.bears > 0.0);
        let springs = bearing.map(|(ends, border)| match border.count {
            1 => Spring { ends, ..self.way(fine, border.spring) },
            _ => {
                let [a, b] = ends.map(|end| nodes[end as usize].position);
                Spring { ends, ..border.spring_of((a - b).length()) }
            }
        });
        springs.collect()
    }

    /// From seed to seed by a spring that alone joins two groups: what is on it yields in a row.
    fn way(&self, fine: &Fine, spring: u32) -> Spring {
        let mut sum = fine.spring(spring);
        let mut several = false;
        let ends = fine.ends(spring);
        for mut node in ends {
            loop {
                let (spring, to) = self.towards[self.place(node)];
                if spring == NONE {
                    break;
                }
                let Spring { rest, yields, stretch, .. } = fine.spring(spring);
                sum.rest += rest;
                sum.yields = sum.yields.plus(yields);
                sum.stretch = sum.stretch.larger(stretch);
                (node, several) = (to, true);
            }
        }
        // A row gives way to the side.
        sum.pushes &= !several;
        sum
    }
}

/// What joins two groups.
#[derive(Clone, Copy, Default)]
struct Border {
    count: usize,
    /// The last of them.
    spring: u32,
    /// Σ k l cos², N: what it bears is that times the stretch; that times the share that is too few sweeps'.
    bears: f64,
    unresolved: f64,
    /// Σ of lengths at rest and as placed, m.
    rest: f64,
    placed: f64,
    pushes: bool,
    measured: bool,
}

impl Border {
    fn add(&mut self, fine: &Fine, spring: u32, along: Vec3<f64>) {
        let one = fine.spring(spring);
        let [a, b] = one.ends.map(|end| fine.nodes[end as usize].position);
        let (direction, placed) = (b - a).direction_and_length();
        let cosine = direction.dot(along.direction_and_length().0);
        let length = one.rest.max(placed);
        let bears = length * cosine * cosine / one.yields.total().max(f64::MIN_POSITIVE);
        self.count += 1;
        self.spring = spring;
        self.bears += bears;
        self.unresolved += bears * one.yields.unresolved / one.yields.total().max(f64::MIN_POSITIVE);
        self.rest += one.rest;
        self.placed += placed;
        self.pushes |= one.pushes;
        self.measured |= one.stretch.total() > 0.0;
    }

    /// Over a distance as placed, m.
    fn spring_of(self, distance: f64) -> Spring {
        let rest = if self.placed > 0.0 { distance * self.rest / self.placed } else { distance };
        let share = self.unresolved / self.bears;
        let yields = Yield { unresolved: share, material: 1.0 - share }.times(distance / self.bears);
        let stretch = if self.measured && rest > 0.0 { yields.times(1.0 / rest) } else { Yield::default() };
        Spring { ends: [0; 2], rest, yields, stretch, eased: 0.0, pushes: self.pushes }
    }
}

/// The springs at a node to others that may move as it does, each with the node there.
fn alike<'a>(fine: &'a Fine, node: u32) -> impl Iterator<Item = (u32, u32)> + 'a {
    let Node { fixed, body, .. } = fine.nodes[node as usize];
    let like = move |to: u32| fine.nodes[to as usize].fixed == fixed && fine.nodes[to as usize].body == body;
    fine.at.row(node as usize).iter().copied().filter(move |&(_, to)| like(to))
}

/// The nodes of a part with their links to what is fixed or heavily loaded, in that order.
fn by_distance(fine: &Fine, part: &[u32], places: &[u32]) -> Vec<(u32, u32)> {
    let load = |node: u32| fine.nodes[node as usize].load.length();
    let heavy = HEAVY * part.iter().map(|&node| load(node)).sum::<f64>();
    let is_first = |node: u32| fine.nodes[node as usize].fixed || load(node) > heavy;
    let mut order: Vec<(u32, u32)> = part.iter().filter(|&&node| is_first(node)).map(|&node| (node, 0)).collect();
    let mut reached = vec![false; part.len()];
    order.iter().for_each(|(node, _)| reached[places[*node as usize] as usize] = true);
    let mut next = 0;
    while let Some(&(node, distance)) = order.get(next) {
        next += 1;
        for &(_, to) in fine.at.row(node as usize) {
            let place = places[to as usize];
            if place != NONE && !std::mem::replace(&mut reached[place as usize], true) {
                order.push((to, distance + 1));
            }
        }
    }
    order
}

/// The seeds of groups: every node is within its radius of a seed of its body. `None` if they are more than `most`.
fn seeds(
    fine: &Fine,
    order: &[(u32, u32)],
    places: &[u32],
    radius: impl Fn(u32) -> u32,
    most: usize,
) -> Option<Vec<u32>> {
    let mut covered = vec![false; order.len()];
    let mut seeds = Vec::new();
    let mut ball = Vec::new();
    for &(node, distance) in order {
        if covered[places[node as usize] as usize] {
            continue;
        }
        if seeds.len() == most {
            return None;
        }
        seeds.push(node);
        covered[places[node as usize] as usize] = true;
        let radius = radius(distance);
        ball.clear();
        ball.push((node, 0));
        let mut next = 0;
        while let Some(&(at, links)) = ball.get(next).filter(|(_, links)| *links < radius) {
            next += 1;
            for (_, to) in alike(fine, at) {
                let place = places[to as usize];
                if place != NONE && !std::mem::replace(&mut covered[place as usize], true) {
                    ball.push((to, links + 1));
                }
            }
        }
    }
    Some(seeds)
}
