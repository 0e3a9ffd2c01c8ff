//! Clusters: neighbouring particles, as many as a workgroup's memory holds, whose constraints among each other are solved there. A sweep
//! is then a row of phases: the constraints inside clusters, those between them inside clusters of other borders, and so on; what no cluster
//! holds comes last. It is an order of Gauss-Seidel as good as any other, and the same whether clusters or colours do the work.

use std::ops::Range;

use super::colour::is_shared;
use crate::constraint::Arity;
use crate::model::{Group, Integrator, Method, Model};

/// Particles of a cluster at most: as many as a byte can number, and as fit a workgroup's memory of 16 KiB with three vectors of 16 bytes
/// each. `CLUSTER_PARTICLES` in `shaders/tile/cluster.wgsl`.
pub const CLUSTER_PARTICLES: usize = 256;

/// Tilings at most. Each costs a dispatch and moves its particles again.
const MOST_TILINGS: usize = 8;
/// A tiling that holds less than one of so many constraints that are left is none.
const WORTH: usize = 4;
/// No cluster.
pub(super) const NONE: u32 = u32::MAX;

/// Clusters of one phase. They share no particle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiling {
    /// Slots of the particles of all clusters, one cluster after another, ascending in each.
    pub slots: Vec<u32>,
    /// Where in `slots` each cluster begins, and the end.
    pub offsets: Vec<u32>,
}

impl Tiling {
    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slots of a cluster.
    pub fn cluster(&self, index: usize) -> &[u32] {
        &self.slots[self.range(index)]
    }

    /// Where in `slots` a cluster is.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// The cluster of each of so many slots; `u32::MAX` of those in none.
    pub(crate) fn cluster_of(&self, slots: usize) -> Vec<u32> {
        let mut cluster_of = vec![NONE; slots];
        for cluster in 0..self.len() {
            self.cluster(cluster).iter().for_each(|&slot| cluster_of[slot as usize] = cluster as u32);
        }
        cluster_of
    }

    /// Whether the clusters are small and share none of so many slots.
    pub(super) fn is_sound(&self, slots: usize) -> bool {
        let mut seen = vec![false; slots];
        let mut first = |&slot: &u32| seen.get_mut(slot as usize).is_some_and(|seen| !std::mem::replace(seen, true));
        let whole = self.offsets.first() == Some(&0) && self.offsets.last() == Some(&(self.slots.len() as u32));
        let small =
            |bounds: &[u32]| bounds[1].checked_sub(bounds[0]).is_some_and(|size| size as usize <= CLUSTER_PARTICLES);
        whole && self.offsets.windows(2).all(small) && self.slots.iter().all(&mut first)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots) + size_of_val(&*self.offsets)
    }
}

/// When and where a constraint is solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Home {
    pub phase: u32,
    /// Of the phase's tiling; 0 where no cluster holds it.
    pub cluster: u32,
}

/// The tilings, and for each group the home of each constraint.
#[derive(Default)]
pub(super) struct Division {
    pub tilings: Vec<Tiling>,
    /// Empty without tilings: all are of phase 0.
    pub homes: Vec<Vec<Home>>,
}

/// A constraint that has no home yet.
#[derive(Clone, Copy)]
struct Homeless {
    group: u32,
    constraint: u32,
}

/// Divides the constraints of a model whose particles lie along a curve. Those of slots below `first` are solved in tiles, in phase 0.
///
/// By no cluster are held: constraints of one particle, which have the last word, those over any number, and those that may share fixed
/// particles, which hang from far away.
pub(super) fn divide(model: &Model, slot_of: &[u32], first: u32) -> Division {
    let one_way = model.settings.integrator == Integrator::Euler && model.settings.method == Method::GaussSeidel;
    if !one_way || model.tearing.is_some() {
        return Division::default();
    }
    let members = |at: &Homeless| {
        let particles = model.groups[at.group as usize].particles_of(at.constraint as usize);
        particles.iter().map(|&particle| slot_of[particle as usize])
    };
    let all = |group: &(u32, &Group)| {
        let group = group.0;
        (0..model.groups[group as usize].len() as u32).map(move |constraint| Homeless { group, constraint })
    };
    let holds = |(_, group): &(u32, &Group)| {
        let few = !matches!(group.kind.arity(), Arity::One | Arity::Many);
        few && !is_shared(group, &model.particles.inverse_masses)
    };
    // Tiles of particles without constraints are none that anybody solves: their particles are in clusters as all others.
    let held = (0..).zip(&model.groups).flat_map(|group| all(&group)).any(|at| members(&at).any(|slot| slot < first));
    let first = if held { first } else { 0 };
    let in_tile = |at: &Homeless| members(at).any(|slot| slot < first);
    let mut homes: Vec<Vec<Home>> = model.groups.iter().map(|g| vec![Home::default(); g.len()]).collect();
    let mut left: Vec<Homeless> =
        (0..).zip(&model.groups).filter(holds).flat_map(|g| all(&g)).filter(|at| !in_tile(at)).collect();
    let mut tilings: Vec<Tiling> = Vec::new();
    while !left.is_empty() && tilings.len() < MOST_TILINGS {
        let cluster_of = match tilings.is_empty() {
            true => along_curve(slot_of.len(), first),
            false => grown(&left, members, slot_of.len()),
        };
        let cluster = |at: &Homeless| {
            let mut clusters = members(at).map(|slot| cluster_of[slot as usize]);
            let first = clusters.next().unwrap_or(NONE);
            if clusters.all(|other| other == first) { first } else { NONE }
        };
        let (inside, across): (Vec<Homeless>, Vec<Homeless>) = left.iter().partition(|at| cluster(at) != NONE);
        if inside.len() * WORTH < left.len() {
            break;
        }
        // The first holds all particles, which end a substep as they come to it.
        let mut held = if tilings.is_empty() { cluster_of.clone() } else { vec![NONE; slot_of.len()] };
        inside.iter().for_each(|at| members(at).for_each(|slot| held[slot as usize] = cluster_of[slot as usize]));
        let (tiling, number_of) = tiling(&held);
        for at in &inside {
            let cluster = number_of[cluster(at) as usize];
            homes[at.group as usize][at.constraint as usize] = Home { phase: tilings.len() as u32, cluster };
        }
        tilings.push(tiling);
        left = across;
    }
    if tilings.is_empty() {
        return Division::default();
    }
    let last = Home { phase: tilings.len() as u32, cluster: 0 };
    let kept = (0..).zip(&model.groups).filter(|group| !holds(group)).flat_map(|group| all(&group));
    for at in kept.filter(|at| !in_tile(at)).chain(left) {
        homes[at.group as usize][at.constraint as usize] = last;
    }
    Division { tilings, homes }
}

/// The cluster of each slot: as many after one another as a cluster holds.
fn along_curve(slots: usize, first: u32) -> Vec<u32> {
    (0..slots as u32).map(|slot| if slot < first { NONE } else { (slot - first) / CLUSTER_PARTICLES as u32 }).collect()
}

/// The cluster of each slot: pieces that are grown along the constraints from the first slot that is in none, packed in that order.
/// What hangs together and fits a cluster is not cut.
fn grown<I: Iterator<Item = u32>>(
    left: &[Homeless],
    members: impl Fn(&Homeless) -> I + Copy,
    slots: usize,
) -> Vec<u32> {
    // The constraints at each slot.
    let mut offsets = vec![0_u32; slots + 1];
    left.iter().flat_map(members).for_each(|slot| offsets[slot as usize + 1] += 1);
    (1..=slots).for_each(|slot| offsets[slot] += offsets[slot - 1]);
    let mut next = offsets.clone();
    let mut at_slot = vec![0_u32; offsets[slots] as usize];
    for (index, at) in left.iter().enumerate() {
        for slot in members(at) {
            at_slot[next[slot as usize] as usize] = index as u32;
            next[slot as usize] += 1;
        }
    }
    let mut cluster_of = vec![NONE; slots];
    let (mut cluster, mut filled) = (0, 0);
    let mut piece = Vec::with_capacity(CLUSTER_PARTICLES);
    for seed in 0..slots {
        if cluster_of[seed] != NONE || offsets[seed] == offsets[seed + 1] {
            continue;
        }
        piece.clear();
        piece.push(seed as u32);
        // Anything but none: the piece's cluster is known when it is done.
        cluster_of[seed] = cluster;
        let mut head = 0;
        while let Some(&slot) = piece.get(head) {
            head += 1;
            let here = offsets[slot as usize] as usize..offsets[slot as usize + 1] as usize;
            for other in at_slot[here].iter().flat_map(|&index| members(&left[index as usize])) {
                if cluster_of[other as usize] == NONE && piece.len() < CLUSTER_PARTICLES {
                    cluster_of[other as usize] = cluster;
                    piece.push(other);
                }
            }
        }
        if filled + piece.len() > CLUSTER_PARTICLES {
            (cluster, filled) = (cluster + 1, 0);
        }
        filled += piece.len();
        piece.iter().for_each(|&slot| cluster_of[slot as usize] = cluster);
    }
    cluster_of
}

/// The clusters of these slots, and what the number of each became, without those that hold nothing.
fn tiling(cluster_of: &[u32]) -> (Tiling, Vec<u32>) {
    let clusters = cluster_of.iter().filter(|&&cluster| cluster != NONE).max().map_or(0, |&last| last as usize + 1);
    let mut sizes = vec![0_u32; clusters];
    cluster_of.iter().filter(|&&cluster| cluster != NONE).for_each(|&cluster| sizes[cluster as usize] += 1);
    let mut number_of = vec![NONE; clusters];
    let mut offsets = vec![0];
    let mut end = 0;
    for (cluster, &size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0) {
        number_of[cluster] = offsets.len() as u32 - 1;
        end += size;
        offsets.push(end);
    }
    let mut next = offsets.clone();
    let mut slots = vec![0; end as usize];
    for (slot, &cluster) in (0..).zip(cluster_of).filter(|(_, cluster)| **cluster != NONE) {
        let at = &mut next[number_of[cluster as usize] as usize];
        slots[*at as usize] = slot;
        *at += 1;
    }
    (Tiling { slots, offsets }, number_of)
}
