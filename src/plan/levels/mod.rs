//! Levels of a sheet: what lets stiff cloth do with a few substeps, however fine it is.
//!
//! A sweep over constraints carries a load one constraint further, so that cloth needs substeps in proportion to its resolution. Groups
//! of particles are therefore gathered to the nodes of coarser nets, whose edges pull where the cloth they stand for is stretched: a few
//! sweeps over nets of a few hundred nodes carry the load all the way. Each level is a [`Net`] over the one below, the particles being
//! level 0, and says how places come up (restriction R) and corrections go down (prolongation P):
//!
//!   X_J = Σ R_Ji x_i,   x_i += Σ P_iJ Y_J,   Σ_J P_iJ = 1,   M_J = Σ m_i P_iJ,   R_Ji = m_i P_iJ / M_J
//!
//! R is the mass-adjoint of P: that is what keeps momentum exact and energy from growing.

mod body;
mod loads;
mod net;
mod sample;
mod stiffness;
mod weights;

pub use body::{Sheet, are_possible, bearing, sheets};
pub use net::{Bending, Edge, Medium, Net};
#[cfg(feature = "cpu")]
pub(crate) use weights::UNITS;

use std::ops::Range;

use super::sort;
use crate::constraint::Vec3;
use crate::model::Material;
use crate::parallel;

/// Lists of indices, most of them weighted, one list for each of some rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows<T = (u32, f64)> {
    /// Where each row begins in `entries`, and the end.
    pub offsets: Vec<u32>,
    /// What the rows have, one after another; of weighted ones index and weight.
    pub entries: Vec<T>,
}

impl<T: Clone> Rows<T> {
    pub(crate) fn new() -> Self {
        Self { offsets: vec![0], entries: Vec::new() }
    }
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.entries.extend(row);
        self.offsets.push(self.entries.len() as u32);
    }
    /// `count` rows of what `entry` makes of entries that come with the row that they belong to, in the order in which they come.
    pub(crate) fn gathered<E>(
        count: usize,
        entries: impl Iterator<Item = (u32, E)> + Clone + Sync,
        entry: impl Fn(u32, E) -> T + Sync,
    ) -> Self
    where
        T: Default + Send,
    {
        let (entries, offsets) = sort::sort(entries, count, entry);
        Self { offsets, entries }
    }
    /// Bytes of them.
    #[cfg(feature = "cpu")]
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.offsets) + size_of_val(&*self.entries)
    }
    /// The rows of all, one after the other.
    fn joined(mut all: Vec<Self>) -> Self {
        if all.len() == 1 {
            return all.remove(0);
        }
        let mut joined = Self::new();
        joined.entries.reserve_exact(all.iter().map(|rows| rows.entries.len()).sum());
        for rows in all {
            let before = joined.entries.len() as u32;
            joined.offsets.extend(rows.offsets[1..].iter().map(|end| before + end));
            joined.entries.extend(rows.entries);
        }
        joined
    }
    /// A row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, index: usize) -> &[T] {
        &self.entries[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> + Clone {
        self.offsets.windows(2).map(|ends| &self.entries[ends[0] as usize..ends[1] as usize])
    }
}

impl Rows {
    /// For each of `count` indices the rows in which it is, with its weight there.
    ///
    /// # Panics
    /// If an index is not below `count`.
    pub fn turned(&self, count: usize) -> Self {
        let entries = (0..).zip(self.rows());
        let entries = entries.flat_map(|(index, row)| row.iter().map(move |&(of, share)| (of, (index, share))));
        Self::gathered(count, entries, |_, entry| entry)
    }
}

/// A coarser net over a finer one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Its nodes and edges.
    pub net: Net,
    /// For each node of the finer net the nodes of this one that move it, and by what share; 1 together.
    pub prolong: Rows,
    /// For each node of this net the finer ones that it stands for, and by what share; 1 together.
    pub restrict: Rows,
    /// For each node the finer one with the largest share in it.
    pub centres: Vec<u32>,
    /// Ranges of the net's edges of which no two share a node; together all of them, in the order in which they are solved.
    pub colours: Vec<Range<u32>>,
}

/// A net of so few nodes is the coarsest: a few sweeps solve it.
const FEWEST_NODES: usize = 6;
/// Length of an edge of each level over that of the one below.
const RATIO: f64 = 2.0;
/// Of the first level over the particles, the least that leaves fewer nodes than [`MANY_NODES`], or else the last. What it does not reach, the
/// cloth within so many cells of a pin, sags by about g h² times its square until the particles' own sweep has it: with a ratio of 16, five
/// substeps and 512 × 512 particles by 0.2 % of the height, and single edges there were stretched three times over.
const FIRST_RATIOS: [f64; 2] = [4.0, 8.0];
/// What one workgroup gets through in little time.
const MANY_NODES: f64 = 1200.0;

/// The levels over a net of particles, finest first. Empty where there is nothing to gain.
fn levels(particles: &Net, materials: &[Material]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut fits = false;
    loop {
        let finer = levels.last().map_or(particles, |level| &level.net);
        let ratio = if levels.is_empty() { first_ratio(finer) } else { RATIO };
        let neighbours = finer.neighbours();
        let nodes = sample::farthest(finer, &neighbours, ratio * finer.spacing);
        if finer.len() <= FEWEST_NODES || nodes.len() < 3 || nodes.len() > finer.len().div_ceil(2) {
            break;
        }
        let near = sample::near(finer, &neighbours, &nodes, sample::REACH * ratio * finer.spacing);
        fits |= levels.is_empty() && !particles.rope && loads::are_borne(particles, &neighbours, materials);
        drop(neighbours);
        let level = Level::over(finer, &nodes, &near, ratio * finer.spacing, materials, levels.is_empty());
        levels.push(level);
    }
    if fits {
        loads::fit(particles, &mut levels, materials);
    }
    levels
}

fn first_ratio(particles: &Net) -> f64 {
    let fits = |ratio: &f64| particles.len() as f64 / ratio.powi(if particles.rope { 1 } else { 2 }) < MANY_NODES;
    FIRST_RATIOS.into_iter().find(fits).unwrap_or(FIRST_RATIOS[FIRST_RATIOS.len() - 1])
}

impl Level {
    /// Over a net by `nodes` of it; `near`: which of them are near to each of its nodes; `first`: over particles.
    fn over(finer: &Net, nodes: &[u32], near: &Rows<u32>, spacing: f64, materials: &[Material], first: bool) -> Self {
        let prolong = weights::prolongation(finer, nodes, near, spacing);
        let restriction = || restriction(finer, &prolong, nodes, &fixed_nodes(finer, &prolong, nodes));
        let media = || if finer.rope { Vec::new() } else { media(finer, &prolong, nodes.len(), materials) };
        let ((restrict, inverse_masses), media) = parallel::join(restriction, media);
        let of_row = |row: &[(u32, f64)]| {
            let place = |sum: Vec3<f64>, &(child, share): &(u32, f64)| sum + finer.positions[child as usize] * share;
            row.iter().fold(Vec3::zero(), place)
        };
        let positions: Vec<Vec3<f64>> = restrict.rows().map(of_row).collect();
        let centre =
            |row: &[(u32, f64)]| row.iter().fold((0, -1.0), |best, &next| if next.1 > best.1 { next } else { best }).0;
        let centres = restrict.rows().map(centre).collect();
        let mut net = Net { positions, inverse_masses, edges: Vec::new(), media, spacing, rope: finer.rope };
        net.edges = net::edges(finer, nodes, near, &prolong, &net, materials, first);
        let colours = net::colour(&mut net.edges, nodes.len());
        Self { net, prolong, restrict, centres, colours }
    }

    fn bytes(&self) -> usize {
        let Net { positions, inverse_masses, edges, media, .. } = &self.net;
        let rows =
            [&self.prolong, &self.restrict].map(|rows| size_of_val(&*rows.entries) + size_of_val(&*rows.offsets));
        let net = size_of_val(&**positions) + size_of_val(&**inverse_masses) + size_of_val(&**edges);
        let net = net + size_of_val(&**media);
        net + rows.iter().sum::<usize>() + size_of_val(&*self.centres) + size_of_val(&*self.colours)
    }
}

/// Sweeps over the edges of each level in a substep.
pub const SWEEPS: u32 = 4;

/// For each node the mean of something over the finer ones that it moves, fixed ones too, by its shares in them.
pub(crate) fn mean(prolong: &Rows, nodes: usize, of: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut sums = vec![[0.0; 2]; nodes];
    for (child, row) in prolong.rows().enumerate() {
        for &(node, share) in row {
            let sum = &mut sums[node as usize];
            *sum = [sum[0] + share * of(child), sum[1] + share];
        }
    }
    sums.iter().map(|[sum, shares]| if *shares > 0.0 { sum / shares } else { 0.0 }).collect()
}

/// What is around each node.
fn media(finer: &Net, prolong: &Rows, nodes: usize, materials: &[Material]) -> Vec<Medium> {
    let compliances = mean(prolong, nodes, |child| finer.media[child].compliance);
    let weights = mean(prolong, nodes, |child| finer.media[child].weight);
    let medium = |(compliance, weight)| Medium { compliance, weight, ..Medium::default() };
    let mut media: Vec<Medium> = compliances.into_iter().zip(weights).map(medium).collect();
    let mut softest = vec![0.0; nodes];
    let mut limpest = vec![(0, 0.0); nodes];
    for (row, child) in prolong.rows().zip(&finer.media) {
        let yields = child.bending.compliance(materials);
        for &(node, share) in row {
            let node = node as usize;
            if share * child.compliance >= softest[node] {
                (media[node].material, softest[node]) = (child.material, share * child.compliance);
            }
            if share * yields > limpest[node].1 {
                limpest[node] = (child.bending.material, share * yields);
            }
        }
    }
    let yields = mean(prolong, nodes, |child| finer.media[child].bending.compliance(materials));
    for ((medium, yields), (material, _)) in media.iter_mut().zip(yields).zip(limpest) {
        medium.bending = Bending::of(1.0 / yields, material, materials);
    }
    media
}

/// Which nodes stand for fixed particles: those that are one themselves, and those in which one has half a share. (At a pin inside a sheet no
/// share is as large: with that alone nothing held the nets of a sheet by its middle.)
fn fixed_nodes(finer: &Net, prolong: &Rows, nodes: &[u32]) -> Vec<bool> {
    let mut fixed: Vec<bool> = nodes.iter().map(|&node| finer.inverse_masses[node as usize] == 0.0).collect();
    for (row, &mass) in prolong.rows().zip(&finer.inverse_masses) {
        if mass == 0.0 {
            row.iter().filter(|(_, share)| *share >= 0.5).for_each(|&(node, _)| fixed[node as usize] = true);
        }
    }
    fixed
}

/// What each node stands for, and its inverse mass: a free one for free particles, a fixed one for the fixed ones that made it so.
fn restriction(finer: &Net, prolong: &Rows, nodes: &[u32], fixed: &[bool]) -> (Rows, Vec<f64>) {
    let mut lists = vec![Vec::new(); fixed.len()];
    let mut largest = vec![(0, 0.0); fixed.len()];
    for (child, row) in (0..).zip(prolong.rows()) {
        let inverse_mass = finer.inverse_masses[child as usize];
        for &(node, share) in row {
            let index = node as usize;
            if share > largest[index].1 {
                largest[index] = (child, share);
            }
            match (fixed[index], inverse_mass == 0.0) {
                (true, true) if share >= 0.5 || nodes[index] == child => lists[index].push((child, share)),
                (false, false) => lists[index].push((child, share / inverse_mass)),
                _ => {}
            }
        }
    }
    let mut restrict = Rows::new();
    let mut inverse_masses = Vec::with_capacity(fixed.len());
    for ((mut list, &fixed), &(child, _)) in lists.into_iter().zip(fixed).zip(&largest) {
        let sum: f64 = list.iter().map(|(_, share)| share).sum();
        inverse_masses.push(if fixed || sum == 0.0 { 0.0 } else { 1.0 / sum });
        if sum == 0.0 {
            list.push((child, 1.0));
        } else {
            list.iter_mut().for_each(|(_, share)| *share /= sum);
        }
        restrict.push(list);
    }
    (restrict, inverse_masses)
}
