//! Bodies so narrow that two phases of clusters hold all of their constraints: with the particles in an order in which
//! no constraint reaches farther than half a cluster, as by rows or along a beam, it lies within one of the clusters
//! that follow each other, or of those half a cluster on. Blocks of a sheet that is wider meet where three corners do,
//! and take a third.

use std::cmp::Ordering;
use std::ops::Range;

use super::clusters::{CLUSTER_PARTICLES, Homeless, LARGEST_CLUSTER};
use crate::base::parallel;
use crate::model::Model;

/// With more clusters it is not dispatches that take a card's time, and blocks have fewer constraints across their
/// borders: it has about as many multiprocessors.
const MOST_CLUSTERS: usize = 128;

/// An order of particles, and how many of them, one after another, are a cluster.
pub(super) struct Strips {
    /// For each slot how many come before it, 0 of those that are in islands.
    pub ranks: Vec<u32>,
    pub size: usize,
}

/// Along a narrow body the order in which the model numbers the particles, or along an axis, whichever can do with the
/// smallest clusters. `first`: the first slot that is in no island. `None` if the model is too wide for all of them, or
/// so large that it is not looked for.
pub(super) fn along(model: &Model, groups: &[Homeless], slot_of: &[u32], first: u32) -> Option<Strips> {
    let particles: Vec<u32> = (0..slot_of.len() as u32).filter(|&p| slot_of[p as usize] >= first).collect();
    if particles.len() > MOST_CLUSTERS * LARGEST_CLUSTER {
        return None;
    }
    let positions = &model.particles.positions;
    let along = |axis: usize| {
        move |a: &u32, b: &u32| {
            let by = |k: usize| {
                let [a, b] = [a, b].map(|&p| positions[p as usize][(axis + k) % 3]);
                a.total_cmp(&b)
            };
            by(0).then_with(|| by(1)).then_with(|| by(2))
        }
    };
    let ranked = |order: &dyn Fn(&u32, &u32) -> Ordering| {
        let mut particles = particles.clone();
        // Stable: particles in the same place keep their order.
        particles.sort_by(order);
        let mut ranks = vec![0; slot_of.len()];
        particles.iter().zip(0..).for_each(|(&p, rank)| ranks[slot_of[p as usize] as usize] = rank);
        let reach = groups.iter().map(|group| reach(group, &ranks)).max().unwrap_or(0);
        Some(Strips { size: size(reach as usize, particles.len())?, ranks })
    };
    let as_numbered = |_: &u32, _: &u32| Ordering::Equal;
    let mut best = ranked(&as_numbered);
    for axis in 0..3 {
        if best.as_ref().is_some_and(|strips| strips.size <= CLUSTER_PARTICLES) {
            break;
        }
        let other = ranked(&along(axis));
        let size = |strips: &Option<Strips>| strips.as_ref().map_or(usize::MAX, |strips| strips.size);
        if size(&other) < size(&best) {
            best = other;
        }
    }
    best
}

/// The size of the clusters for so many particles whose constraints reach so far: whole reaches, so that sheets are cut
/// between rows, and fewer colours lie across.
fn size(reach: usize, particles: usize) -> Option<usize> {
    let sizes = [CLUSTER_PARTICLES, 2 * CLUSTER_PARTICLES, LARGEST_CLUSTER];
    let most = sizes.into_iter().find(|most| 2 * reach <= *most && particles <= MOST_CLUSTERS * most)?;
    Some(most - most.checked_rem(reach).unwrap_or(0))
}

/// How many particles on a constraint of a group reaches at most, of those that clusters may hold.
fn reach(group: &Homeless, ranks: &[u32]) -> u32 {
    let reach = |&constraint: &u32| {
        let of_particles = || group.slots(constraint).map(|slot| ranks[slot as usize]);
        of_particles().max().zip(of_particles().min()).map_or(0, |(most, least)| most - least)
    };
    let of_piece = |piece: Range<usize>| group.left[piece].iter().map(reach).max().unwrap_or(0);
    let pieces = if group.clustered { group.left.len() } else { 0 };
    parallel::map(pieces, parallel::LEAST, of_piece).into_iter().max().unwrap_or(0)
}
