//! Clusters: neighbouring particles, as many as a workgroup's memory holds, whose constraints among each other are
//! solved there. A sweep is then a row of phases: the constraints inside clusters, those between them inside clusters
//! of other borders, and so on; what no cluster holds comes last. It is an order of Gauss-Seidel as good as any other,
//! and the same whether clusters or colours do the work.

use std::ops::Range;

use super::blocks;
use super::colour::is_shared;
use super::levels::Rows;
use super::strips::{self, Strips};
use crate::base::parallel;
use crate::model::{Group, Integrator, Method, Model};

/// Particles of a cluster at most, but of narrow bodies: as many as a byte can number, and as fit a workgroup's memory
/// of 16 KiB, which every device has, with three vectors of 16 bytes each.
pub const CLUSTER_PARTICLES: usize = 256;
/// Particles of a cluster of a narrow body at most: as fit 32 KiB with two such vectors.
pub const LARGEST_CLUSTER: usize = 1024;

/// Blocks at most. With more, colours across their borders are little of the work, and to cut them takes longer: an
/// NVIDIA H200 takes W1 at n = 724 as long by pieces of the curve.
const MOST_BLOCKS: usize = 1024;
/// Phases in clusters at most. Each costs a dispatch and moves its particles again.
const MOST_PHASES: usize = 8;
/// A phase that holds less than one of so many constraints that are left is none.
const WORTH: usize = 4;
/// No cluster.
pub(super) const NONE: u32 = u32::MAX;

/// The clusters of one phase. They share no particle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phase {
    /// Slots of the particles of all clusters, one cluster after another, ascending in each.
    pub slots: Vec<u32>,
    /// Where in `slots` each cluster begins, and the end.
    pub offsets: Vec<u32>,
}

impl Phase {
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
            |bounds: &[u32]| bounds[1].checked_sub(bounds[0]).is_some_and(|size| size as usize <= LARGEST_CLUSTER);
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
    /// Of the phase's; 0 where no cluster holds it.
    pub cluster: u32,
}

/// The phases in clusters, and for each group the home of each constraint.
#[derive(Default)]
pub(super) struct Division {
    pub phases: Vec<Phase>,
    /// Empty without such phases: all are of phase 0.
    pub homes: Vec<Vec<Home>>,
}

/// The constraints of a group that have no home yet.
pub(super) struct Homeless<'a> {
    group: &'a Group,
    slot_of: &'a [u32],
    /// Whether a cluster may hold them.
    pub clustered: bool,
    /// Ascending.
    pub left: Vec<u32>,
}

impl<'a> Homeless<'a> {
    /// By no cluster are held: constraints of one particle, which have the last word, those over any number, and those
    /// that may share fixed particles, which hang from far away.
    fn new(group: &'a Group, slot_of: &'a [u32], inverse_masses: &[f64]) -> Self {
        let clustered = group.kind.joins_few() && !is_shared(group, inverse_masses);
        Self { group, slot_of, clustered, left: (0..group.len() as u32).collect() }
    }

    pub fn slots(&self, constraint: u32) -> impl Iterator<Item = u32> + Clone + 'a {
        let slot_of = self.slot_of;
        self.group.particles_of(constraint as usize).iter().map(move |&particle| slot_of[particle as usize])
    }

    /// The cluster that has all particles of a constraint.
    fn cluster(&self, constraint: u32, cluster_of: &[u32]) -> Option<u32> {
        if !self.clustered {
            return None;
        }
        let mut clusters = self.slots(constraint).map(|slot| cluster_of[slot as usize]);
        let first = clusters.next().filter(|&first| first != NONE)?;
        clusters.all(|other| other == first).then_some(first)
    }

    /// Those of which it is true.
    fn those(&self, keep: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
        let of_piece = |piece: Range<usize>| -> Vec<u32> {
            self.left[piece].iter().copied().filter(|&constraint| keep(constraint)).collect()
        };
        parallel::map(self.left.len(), parallel::LEAST, of_piece).concat()
    }

    /// Gives those that `home` has one a home.
    fn settle(&self, homes: &mut [Home], home: impl Fn(u32) -> Option<Home> + Sync) {
        parallel::fill(homes, parallel::LEAST, |begin, homes| {
            let from = self.left.partition_point(|&constraint| (constraint as usize) < begin);
            for &constraint in &self.left[from..] {
                let Some(place) = homes.get_mut(constraint as usize - begin) else { break };
                *place = home(constraint).unwrap_or(*place);
            }
        });
    }

    /// Each particle of each constraint with each of the others.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let of_piece = |piece: Range<usize>| {
            let mut pairs = Vec::new();
            for &constraint in &self.left[piece] {
                for (k, slot) in self.slots(constraint).enumerate() {
                    let others = self.slots(constraint).enumerate().filter(|(other, _)| *other != k);
                    pairs.extend(others.map(|(_, other)| (slot, other)));
                }
            }
            pairs
        };
        parallel::map(self.left.len(), parallel::LEAST, of_piece).concat()
    }
}

/// Divides the constraints of a model. Those of slots below `first` are solved in islands, in phase 0.
pub(super) fn divide(model: &Model, slot_of: &[u32], first: u32) -> Division {
    let one_way = model.settings.integrator == Integrator::Euler && model.settings.method == Method::GaussSeidel;
    if !one_way || model.tearing.is_some() {
        return Division::default();
    }
    let masses = &model.particles.inverse_masses;
    let mut groups: Vec<Homeless> = model.groups.iter().map(|group| Homeless::new(group, slot_of, masses)).collect();
    let first = without_islands(&mut groups, first);
    let mut homes: Vec<Vec<Home>> = model.groups.iter().map(|g| vec![Home::default(); g.len()]).collect();
    let strips = strips::along(model, &groups, slot_of, first);
    let size = strips.as_ref().map_or(CLUSTER_PARTICLES, |strips| strips.size);
    let mut phases: Vec<Phase> = Vec::new();
    while phases.len() < MOST_PHASES {
        let cluster_of = match phases.is_empty() {
            true => in_order(model, strips.as_ref(), slot_of, first),
            false => grown(&groups, slot_of.len(), size),
        };
        let across = |group: &Homeless| group.those(|constraint| group.cluster(constraint, &cluster_of).is_none());
        let across: Vec<Vec<u32>> = groups.iter().map(across).collect();
        let clustered = || groups.iter().zip(&across).filter(|(group, _)| group.clustered);
        let left: usize = clustered().map(|(group, _)| group.left.len()).sum();
        let outside: usize = clustered().map(|(_, across)| across.len()).sum();
        if left == 0 || (left - outside) * WORTH < left {
            break;
        }
        // The first holds all particles, which end a substep as they come to it.
        let cluster_of = if phases.is_empty() { cluster_of } else { held(&groups, &cluster_of) };
        settle(&mut groups, across, &cluster_of, (&mut phases, &mut homes));
    }
    finished(&groups, phases, homes)
}

/// Gives a home in one more phase to all constraints but those that lie `across` clusters.
fn settle(
    groups: &mut [Homeless],
    across: Vec<Vec<u32>>,
    cluster_of: &[u32],
    (phases, homes): (&mut Vec<Phase>, &mut [Vec<Home>]),
) {
    let (clusters, number_of) = clusters(cluster_of);
    let phase = phases.len() as u32;
    for ((group, across), homes) in groups.iter_mut().zip(across).zip(homes) {
        group.settle(homes, |constraint| {
            let cluster = number_of[group.cluster(constraint, cluster_of)? as usize];
            Some(Home { phase, cluster })
        });
        group.left = across;
    }
    phases.push(clusters);
}

/// What is left comes last.
fn finished(groups: &[Homeless], phases: Vec<Phase>, mut homes: Vec<Vec<Home>>) -> Division {
    if phases.is_empty() {
        return Division::default();
    }
    let last = Home { phase: phases.len() as u32, cluster: 0 };
    groups.iter().zip(&mut homes).for_each(|(group, homes)| group.settle(homes, |_| Some(last)));
    Division { phases, homes }
}

/// Takes out what is solved in islands of slots below `first`, and returns the first slot that is in none: particles
/// without constraints are not islands to solve, and are in clusters as all others.
fn without_islands(groups: &mut [Homeless], first: u32) -> u32 {
    if first == 0 {
        return 0;
    }
    let mut found = false;
    for group in groups {
        let left = group.those(|constraint| group.slots(constraint).all(|slot| slot >= first));
        found |= left.len() < group.left.len();
        group.left = left;
    }
    if found { first } else { 0 }
}

/// The cluster of each slot that has a constraint there.
fn held(groups: &[Homeless], cluster_of: &[u32]) -> Vec<u32> {
    let mut held = vec![NONE; cluster_of.len()];
    for group in groups {
        for &constraint in &group.left {
            if let Some(cluster) = group.cluster(constraint, cluster_of) {
                group.slots(constraint).for_each(|slot| held[slot as usize] = cluster);
            }
        }
    }
    held
}

/// The cluster of each slot: along narrow bodies as many after one another as a cluster holds, or else blocks, or of
/// what is very large pieces of the curve along which slots lie.
fn in_order(model: &Model, strips: Option<&Strips>, slot_of: &[u32], first: u32) -> Vec<u32> {
    let mut cluster_of = vec![NONE; slot_of.len()];
    let inside = &mut cluster_of[first as usize..];
    match strips {
        Some(Strips { ranks, size }) => {
            let ranks = &ranks[first as usize..];
            inside.iter_mut().zip(ranks).for_each(|(cluster, rank)| *cluster = rank / *size as u32);
        }
        None if inside.len() > MOST_BLOCKS * CLUSTER_PARTICLES => {
            let pieces = inside.chunks_mut(CLUSTER_PARTICLES).zip(0..);
            pieces.for_each(|(piece, cluster)| piece.fill(cluster));
        }
        None => {
            let mut particles: Vec<u32> = (0..slot_of.len() as u32).filter(|&p| slot_of[p as usize] >= first).collect();
            let sizes = blocks::cut(&model.particles.positions, &mut particles);
            let of_blocks = sizes.into_iter().zip(0..).flat_map(|(size, block)| std::iter::repeat_n(block, size));
            particles.iter().zip(of_blocks).for_each(|(&p, block)| cluster_of[slot_of[p as usize] as usize] = block);
        }
    }
    cluster_of
}

/// The cluster of each slot: pieces that are grown along the constraints from the first slot that is in none, packed in
/// that order. What hangs together and fits a cluster of this size is not cut.
fn grown(groups: &[Homeless], slots: usize, size: usize) -> Vec<u32> {
    let pairs = groups.iter().filter(|group| group.clustered).map(Homeless::pairs).collect::<Vec<_>>().concat();
    let neighbours = Rows::gathered(slots, pairs.iter().copied(), |_, other| other);
    let mut cluster_of = vec![NONE; slots];
    let (mut cluster, mut filled) = (0, 0);
    let mut piece = Vec::with_capacity(size);
    for seed in 0..slots {
        if cluster_of[seed] != NONE || neighbours.row(seed).is_empty() {
            continue;
        }
        piece.clear();
        piece.push(seed as u32);
        // Anything but none: the piece's cluster is known when it is done.
        cluster_of[seed] = cluster;
        let mut head = 0;
        while let Some(&slot) = piece.get(head) {
            head += 1;
            for &other in neighbours.row(slot as usize) {
                if cluster_of[other as usize] == NONE && piece.len() < size {
                    cluster_of[other as usize] = cluster;
                    piece.push(other);
                }
            }
        }
        if filled + piece.len() > size {
            (cluster, filled) = (cluster + 1, 0);
        }
        filled += piece.len();
        piece.iter().for_each(|&slot| cluster_of[slot as usize] = cluster);
    }
    cluster_of
}

/// The clusters of these slots, and what the number of each became, without those that hold nothing.
fn clusters(cluster_of: &[u32]) -> (Phase, Vec<u32>) {
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
    (Phase { slots, offsets }, number_of)
}
