//! Islands: particles that hang together by constraints. Small ones come first in the order, each by itself, so that
//! one workgroup can solve them whole.

use std::ops::Range;

use super::clusters::CLUSTER_PARTICLES;
use super::sort::resorted;
use crate::model::Model;

/// Brings the particles, which come along a curve, into the order of the plan: islands that a workgroup can solve one
/// after another, then those without constraints, then all others, each part along the curve. And the slots of each
/// cluster of islands: one after another up to [`CLUSTER_PARTICLES`].
///
/// Goes by particles and constraints only, not by settings, so that a running solver can take others.
pub(super) fn order(model: &Model, along_curve: Vec<u32>) -> (Vec<u32>, Vec<Range<u32>>) {
    if model.tearing.is_some() {
        return (along_curve, Vec::new());
    }
    let mut islands = Islands::new(model);
    let particles = model.particles.len();
    // Islands in the order in which the curve meets them: those with constraints, those without, and one more for all
    // others.
    let (mut bound, mut single) = (Vec::new(), Vec::new());
    let mut number_of = vec![u32::MAX; particles];
    for &particle in &along_curve {
        let root = islands.root(particle) as usize;
        if number_of[root] == u32::MAX && islands.is_small(root) {
            let list = if islands.size[root] > 1 || islands.held[root] { &mut bound } else { &mut single };
            number_of[root] = list.len() as u32;
            list.push(islands.size[root]);
        }
    }
    let first_single = bound.len() as u32;
    let sizes = [bound, single].concat();
    let number = |particle: u32| {
        let root = islands.root_of(particle) as usize;
        let alone = islands.size[root] == 1 && !islands.held[root];
        match number_of[root] {
            u32::MAX => sizes.len() as u32,
            number => number + if alone { first_single } else { 0 },
        }
    };
    let (ordered, _) = resorted(&along_curve, sizes.len() + 1, number);
    (ordered, packed(&sizes, first_single as usize))
}

/// Islands of these sizes, packed in order; those from `first_single` on do not share a cluster with those before.
fn packed(sizes: &[u32], first_single: usize) -> Vec<Range<u32>> {
    let most = CLUSTER_PARTICLES as u32;
    let mut clusters: Vec<Range<u32>> = Vec::new();
    let mut end = 0;
    for (index, &size) in sizes.iter().enumerate() {
        match clusters.last_mut() {
            Some(last) if index != first_single && end + size - last.start <= most => last.end = end + size,
            _ => clusters.push(end..end + size),
        }
        end += size;
    }
    clusters
}

/// Union and find over particles; numbers of an island are those of its root.
struct Islands {
    parent: Vec<u32>,
    /// Particles.
    size: Vec<u32>,
    /// Whether it has a constraint.
    held: Vec<bool>,
    /// Whether it has one over any number of particles, which takes a workgroup of its own.
    many: Vec<bool>,
}

impl Islands {
    /// Fixed particles join what hangs from them, too: they may be set free.
    fn new(model: &Model) -> Self {
        let count = model.particles.len();
        let mut islands = Self {
            parent: (0..count as u32).collect(),
            size: vec![1; count],
            held: vec![false; count],
            many: vec![false; count],
        };
        for group in &model.groups {
            for members in (0..group.len()).map(|constraint| group.particles_of(constraint)) {
                let Some((&first, others)) = members.split_first() else { continue };
                others.iter().for_each(|&other| islands.join(first, other));
                islands.held[first as usize] = true;
                islands.many[first as usize] |= group.kind.joins_many();
            }
        }
        for particle in 0..count {
            let root = islands.root(particle as u32);
            islands.parent[particle] = root;
            islands.held[root as usize] |= islands.held[particle];
            islands.many[root as usize] |= islands.many[particle];
        }
        islands
    }

    fn is_small(&self, root: usize) -> bool {
        self.size[root] as usize <= CLUSTER_PARTICLES && !self.many[root]
    }

    /// Once all paths are short.
    fn root_of(&self, particle: u32) -> u32 {
        self.parent[particle as usize]
    }

    fn root(&mut self, mut particle: u32) -> u32 {
        while self.parent[particle as usize] != particle {
            let next = self.parent[self.parent[particle as usize] as usize];
            self.parent[particle as usize] = next;
            particle = next;
        }
        particle
    }

    fn join(&mut self, a: u32, b: u32) {
        // Most hang together by others already.
        if self.parent[a as usize] == self.parent[b as usize] {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (root, other) = if self.size[a as usize] < self.size[b as usize] { (b, a) } else { (a, b) };
        self.parent[other as usize] = root;
        self.size[root as usize] += self.size[other as usize];
    }
}
