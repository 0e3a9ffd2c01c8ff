//! Levels of a sheet: what lets stiff cloth do with a few substeps, however fine it is.
//!
//! A sweep over constraints carries a load one constraint further, so that cloth needs substeps in proportion to its
//! resolution. Groups of particles are therefore gathered to the nodes of coarser nets, whose edges pull where the
//! cloth they stand for is stretched: a few sweeps over nets of a few hundred nodes carry the load all the way. Each
//! level is a [`Net`] over the one below, the particles being level 0, and says how places come up (restriction R) and
//! corrections go down (prolongation P):
//!
//!   X_J = Σ R_Ji x_i,   x_i += Σ P_iJ Y_J,   Σ_J P_iJ = 1,   M_J = Σ m_i P_iJ,   R_Ji = m_i P_iJ / M_J
//!
//! R is the mass-adjoint of P: that is what keeps momentum exact and energy from growing.

mod body;
mod check;
mod edge;
mod loads;
mod net;
mod sample;
mod stiffness;
mod weights;

pub use body::{Sheet, bearing, given_up, possible, sheets};
pub(crate) use body::{distances, wanted};
pub use edge::{Bending, Edge};
pub use net::{Medium, Net};
pub(crate) use weights::UNITS;

use std::ops::Range;

use super::sort;
use crate::base::parallel;
use crate::math::Vec3;
use crate::model::Material;
use edge::{Spring, Tie};
use sample::Sample;

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
    /// `count` rows of what `entry` makes of entries that come with the row that they belong to, in the order in which
    /// they come.
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
    /// So many rows, each as long as `length` says, of what `fill` makes of it.
    fn made(count: usize, length: impl Fn(usize) -> usize + Sync, fill: impl Fn(usize, &mut [T]) + Sync) -> Self
    where
        T: Default + Send,
    {
        let mut offsets = vec![0; count + 1];
        parallel::fill(&mut offsets[1..], parallel::LEAST, |first, lengths| {
            (first..).zip(lengths).for_each(|(index, entry)| *entry = length(index) as u32);
        });
        (0..count).for_each(|index| offsets[index + 1] += offsets[index]);
        let mut entries = vec![T::default(); offsets[count] as usize];
        parallel::fill_rows(&mut entries, &offsets, |rows, mut entries| {
            for index in rows {
                let row = entries.split_off_mut(..(offsets[index + 1] - offsets[index]) as usize).unwrap_or_default();
                fill(index, row);
            }
        });
        Self { offsets, entries }
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

impl Rows<(u32, u16)> {
    /// A row whose shares are in [`UNITS`] as shares.
    fn shares(&self, index: usize) -> impl Iterator<Item = (u32, f64)> {
        self.row(index).iter().map(|&(index, units)| (index, f64::from(units) / UNITS))
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
    /// Ranges of the net's edges of which no two share a node; together all of them, in the order in which they are
    /// solved.
    pub colours: Vec<Range<u32>>,
}

/// Length of an edge of each level over that of the one below.
const RATIO: f64 = 2.0;
/// Of the first level over the particles, the least that leaves fewer nodes than [`MANY_NODES`], or else the last. What
/// it does not reach, the cloth within so many cells of a pin, sags by about g h² times its square until the particles'
/// own sweep has it: with a ratio of 16, five substeps and 512 × 512 particles by 0.2 % of the height, and single edges
/// there were stretched three times over.
const FIRST_RATIOS: [f64; 2] = [4.0, 8.0];
/// What one workgroup gets through in little time.
const MANY_NODES: f64 = 1200.0;

/// The levels over a net of particles without media yet, finest first; `shell`: how stiff it is against bending at
/// each, of a closed shell. Empty where there is nothing to gain.
fn levels(mut particles: Net<Spring>, shell: Option<&[Bending]>, materials: &[Material]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let spacing = first_ratio(particles.len(), particles.rope) * particles.spacing;
    let media = || if particles.rope { Vec::new() } else { stiffness::media(&particles, shell, materials) };
    // The sampling is one core's.
    let (sample, media) = parallel::join(|| Sample::of(&particles, spacing), media);
    particles.media = media;
    let Some(sample) = sample else { return levels };
    let fits = sample.held && !particles.rope && loads::are_even(&particles, materials);
    let weights = particles.media.iter().map(|medium| medium.weight).collect();
    levels.push(Level::over(&particles, sample, weights, spacing, materials, true));
    while let Some(Level { net: finer, .. }) = levels.last() {
        let spacing = RATIO * finer.spacing;
        let Some(sample) = Sample::of(finer, spacing) else { break };
        let level = Level::over(finer, sample, stiffness::weights(finer), spacing, materials, false);
        levels.push(level);
    }
    if fits {
        loads::fit(&particles, &mut levels, materials);
    }
    levels
}

/// What [`FIRST_RATIOS`] is for so many particles of a rope or a sheet.
pub(crate) fn first_ratio(particles: usize, rope: bool) -> f64 {
    let fits = |ratio: &f64| particles as f64 / ratio.powi(if rope { 1 } else { 2 }) < MANY_NODES;
    FIRST_RATIOS.into_iter().find(fits).unwrap_or(FIRST_RATIOS[FIRST_RATIOS.len() - 1])
}

impl Level {
    /// Over a net by some nodes of it, `spacing` apart; `weights`: [`stiffness::weights`] of the net; `first`: over
    /// particles.
    fn over(
        finer: &Net<impl Tie>,
        Sample { nodes, near, .. }: Sample,
        weights: Vec<f64>,
        spacing: f64,
        materials: &[Material],
        first: bool,
    ) -> Self {
        let shares = weights::shares(finer, &nodes, &near, spacing);
        let prolong = weights::prolongation(&near, &shares);
        let moved = weights::moved(&near, &shares, nodes.len());
        drop(shares);
        let (restrict, inverse_masses) = restriction(finer, &moved, &nodes, &fixed_nodes(finer, &prolong, &nodes));
        let (media, weights) = match finer.rope {
            true => (Vec::new(), Vec::new()),
            false => {
                (media(finer, &moved, materials), mean(nodes.len(), |node| moved.shares(node), |child| weights[child]))
            }
        };
        drop(moved);
        let of_row = |row: &[(u32, f64)]| {
            let place = |sum: Vec3<f64>, &(child, share): &(u32, f64)| sum + finer.positions[child as usize] * share;
            row.iter().fold(Vec3::zero(), place)
        };
        let positions = parallel::list(nodes.len(), Vec3::zero(), |node| of_row(restrict.row(node)));
        let centre =
            |row: &[(u32, f64)]| row.iter().fold((0, -1.0), |best, &next| if next.1 > best.1 { next } else { best }).0;
        let centres = parallel::list(nodes.len(), 0, |node| centre(restrict.row(node)));
        let mut net = Net { positions, inverse_masses, edges: Vec::new(), media, spacing, rope: finer.rope };
        net.edges = net::edges(finer, &nodes, &near, &weights, &net, materials, first);
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

/// Sweeps over the edges of each level in a substep: there, back, there and back, so that what they do to a
/// displacement is self-adjoint ([`crate::plan`]'s sweeps say why). An even number, so that a substep ends where it
/// began.
pub const SWEEPS: u32 = 4;

/// The order in which the sweeps of a substep visit so many stages.
pub fn sweeps(stages: usize) -> impl Iterator<Item = usize> {
    let stage = move |sweep: u32, stage: usize| if sweep.is_multiple_of(2) { stage } else { stages - 1 - stage };
    (0..SWEEPS).flat_map(move |sweep| (0..stages).map(move |at| stage(sweep, at)))
}

/// For each of `nodes` the mean of something over the finer ones that it moves, fixed ones too, by its shares in them.
pub(crate) fn mean<I: Iterator<Item = (u32, f64)>>(
    nodes: usize,
    moved: impl Fn(usize) -> I + Sync,
    of: impl Fn(usize) -> f64 + Sync,
) -> Vec<f64> {
    parallel::list(nodes, 0.0, |node| {
        let add = |[sum, shares]: [f64; 2], (child, share)| [sum + share * of(child as usize), shares + share];
        let [sum, shares] = moved(node).fold([0.0; 2], add);
        if shares > 0.0 { sum / shares } else { 0.0 }
    })
}

/// What is around each node.
fn media(finer: &Net<impl Tie>, moved: &Rows<(u32, u16)>, materials: &[Material]) -> Vec<Medium> {
    let mean = |of: &(dyn Fn(&Medium) -> f64 + Sync)| {
        mean(moved.offsets.len() - 1, |node| moved.shares(node), |child| of(&finer.media[child]))
    };
    let compliances = mean(&|medium| medium.compliance);
    let weights = mean(&|medium| medium.weight);
    let yields = mean(&|medium| medium.bending.compliance(materials));
    parallel::list(compliances.len(), Medium::default(), |node| {
        let (mut softest, mut limpest) = ((0, 0.0), (0, 0.0));
        for (child, share) in moved.shares(node) {
            let child = &finer.media[child as usize];
            if share * child.compliance >= softest.1 {
                softest = (child.material, share * child.compliance);
            }
            let yields = child.bending.compliance(materials);
            if share * yields > limpest.1 {
                limpest = (child.bending.material, share * yields);
            }
        }
        let bending = Bending::of(1.0 / yields[node], limpest.0, materials);
        Medium { compliance: compliances[node], weight: weights[node], material: softest.0, bending }
    })
}

/// Which nodes stand for fixed particles: those that are one themselves, and those in which one has half a share. (At a
/// pin inside a sheet no share is as large: with that alone nothing held the nets of a sheet by its middle.)
fn fixed_nodes(finer: &Net<impl Tie>, prolong: &Rows, nodes: &[u32]) -> Vec<bool> {
    let mut fixed: Vec<bool> = nodes.iter().map(|&node| finer.inverse_masses[node as usize] == 0.0).collect();
    for (row, &mass) in prolong.rows().zip(&finer.inverse_masses) {
        if mass == 0.0 {
            row.iter().filter(|(_, share)| *share >= 0.5).for_each(|&(node, _)| fixed[node as usize] = true);
        }
    }
    fixed
}

/// What each node stands for, and its inverse mass: a free one for free particles, a fixed one for the fixed ones that
/// made it so.
fn restriction(finer: &Net<impl Tie>, moved: &Rows<(u32, u16)>, nodes: &[u32], fixed: &[bool]) -> (Rows, Vec<f64>) {
    let stands_for = |node: usize| {
        moved.shares(node).filter_map(move |(child, share)| {
            let inverse_mass = finer.inverse_masses[child as usize];
            match (fixed[node], inverse_mass == 0.0) {
                (true, true) if share >= 0.5 || nodes[node] == child => Some((child, share)),
                (false, false) => Some((child, share / inverse_mass)),
                _ => None,
            }
        })
    };
    let sums = parallel::list(nodes.len(), 0.0, |node| stands_for(node).map(|(_, share)| share).sum::<f64>());
    let length = |node: usize| stands_for(node).count().max(1);
    let restrict = Rows::made(nodes.len(), length, |node, row| match sums[node] {
        0.0 => {
            let largest = moved.shares(node).fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            row[0] = (largest.0, 1.0);
        }
        sum => row.iter_mut().zip(stands_for(node)).for_each(|(entry, (child, share))| *entry = (child, share / sum)),
    });
    let inverse_mass = |(&sum, &fixed): (&f64, &bool)| if fixed || sum == 0.0 { 0.0 } else { 1.0 / sum };
    let inverse_masses = sums.iter().zip(fixed).map(inverse_mass).collect();
    (restrict, inverse_masses)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice there and back, whatever the number of stages.
    #[test]
    fn sweeps_go_there_and_back() {
        let visited = |stages| sweeps(stages).collect::<Vec<_>>();
        assert_eq!(visited(3), [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0]);
        assert_eq!((visited(1), visited(0)), (vec![0; 4], vec![]));
    }
}
