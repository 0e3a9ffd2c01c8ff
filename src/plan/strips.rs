//! Bodies so narrow that two phases of clusters hold all of their constraints: with the particles in an order in which no constraint reaches farther than half a
//! cluster, as by rows or along a beam, it lies within one of the clusters that follow each other, or of those half a cluster on. Blocks of a sheet that is wider meet
//! where three corners do, and take a third.

use std::cmp::Ordering;
use std::ops::Range;

use super::clusters::{CLUSTER_PARTICLES, Homeless};
use crate::model::Model;
use crate::parallel;

/// How many particles on a constraint may reach.
const REACH: u32 = CLUSTER_PARTICLES as u32 / 2;
/// With more particles it is not dispatches that take a card's time, and blocks have fewer constraints across their borders.
const FEW: usize = 32_768;

/// For each slot how many from `first` on come before it in an order in which no constraint reaches too far, 0 of those before `first`: the order in which the model
/// numbers the particles, or along an axis. `None` if there is none among these, or it is not looked for.
pub(super) fn ranks(model: &Model, groups: &[Homeless], slot_of: &[u32], first: u32) -> Option<Vec<u32>> {
    let particles: Vec<u32> = (0..slot_of.len() as u32).filter(|&p| slot_of[p as usize] >= first).collect();
    if particles.len() > FEW {
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
        // Stable: who is in the same place comes as numbered.
        particles.sort_by(order);
        let mut ranks = vec![0; slot_of.len()];
        particles.iter().zip(0..).for_each(|(&p, rank)| ranks[slot_of[p as usize] as usize] = rank);
        groups.iter().all(|group| reaches_little(group, &ranks)).then_some(ranks)
    };
    let as_numbered = |_: &u32, _: &u32| Ordering::Equal;
    ranked(&as_numbered).or_else(|| (0..3).find_map(|axis| ranked(&along(axis))))
}

/// Whether no constraint of a group that clusters may hold reaches too far.
fn reaches_little(group: &Homeless, ranks: &[u32]) -> bool {
    let near = |&constraint: &u32| {
        let of_particles = || group.slots(constraint).map(|slot| ranks[slot as usize]);
        let (least, most) = (of_particles().min(), of_particles().max());
        most.zip(least).is_none_or(|(most, least)| most - least <= REACH)
    };
    let of_piece = |piece: Range<usize>| group.left[piece].iter().all(near);
    !group.clustered || parallel::map(group.left.len(), parallel::LEAST, of_piece).into_iter().all(|near| near)
}
