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
mod forces;
mod net;
mod sample;
mod weights;

pub use body::{Breakable, Sheet, are_possible, sheets};
pub use net::{Edge, Net};

use std::ops::Range;

use crate::constraint::Vec3;
use crate::model::Material;

/// Lists of weighted indices, one list for each of some rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Where each row begins in `entries`, and the end.
    pub offsets: Vec<u32>,
    /// Index and weight.
    pub entries: Vec<(u32, f64)>,
}

impl Rows {
    fn new() -> Self {
        Self { offsets: vec![0], entries: Vec::new() }
    }
    fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>) {
        self.entries.extend(row);
        self.offsets.push(self.entries.len() as u32);
    }
    /// The same entries by what they name, of so many.
    fn transposed(&self, count: usize) -> Self {
        let mut lists = vec![Vec::new(); count];
        for (index, row) in (0..).zip(self.rows()) {
            row.iter().for_each(|&(named, share)| lists[named as usize].push((index, share)));
        }
        let mut transposed = Self::new();
        lists.into_iter().for_each(|list| transposed.push(list));
        transposed
    }
    /// A row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, index: usize) -> &[(u32, f64)] {
        &self.entries[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.offsets.windows(2).map(|ends| &self.entries[ends[0] as usize..ends[1] as usize])
    }
}

/// A coarser net over a finer one.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Its nodes and edges.
    pub net: Net,
    /// For each node of the finer net the nodes of this one that move it, and by what share; 1 together.
    pub prolong: Rows,
    /// The same shares for each node of this net: what it is gathered from. See [`gather`].
    pub restrict: Rows,
    /// For each node the finer one with the largest share in it.
    pub centres: Vec<u32>,
    /// Ranges of the net's edges of which no two share a node; together all of them, in the order in which they are solved.
    pub colours: Vec<Range<u32>>,
    /// For each edge of the finer net those of this one whose pull it bears, and by what share ([`forces`]); none where nobody asks.
    pub spread: Rows,
}

/// A net of so few nodes is the coarsest: a few sweeps solve it.
const FEWEST_NODES: usize = 6;
/// Length of an edge of each level over that of the one below.
const RATIO: f64 = 2.0;
/// Of the first level over the particles, the least that leaves fewer nodes than [`MOST_NODES`].
const FIRST_RATIOS: [f64; 4] = [4.0, 8.0, 16.0, 32.0];
/// What one workgroup gets through in the time that the particles take.
const MOST_NODES: f64 = 1200.0;

/// The levels over a net of particles, finest first. Empty where there is nothing to gain.
fn levels(particles: &Net, materials: &[Material], forces: bool) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    loop {
        let finer = levels.last().map_or(particles, |level| &level.net);
        let ratio = if levels.is_empty() { first_ratio(finer) } else { RATIO };
        let nodes = sample::farthest(finer, ratio * finer.spacing);
        if finer.len() <= FEWEST_NODES || nodes.len() < 3 || 2 * nodes.len() > finer.len() {
            return levels;
        }
        let level = Level::over(finer, &nodes, ratio * finer.spacing, materials, (levels.is_empty(), forces));
        levels.push(level);
    }
}

fn first_ratio(particles: &Net) -> f64 {
    let fits = |ratio: &f64| particles.len() as f64 / ratio.powi(if particles.rope { 1 } else { 2 }) < MOST_NODES;
    FIRST_RATIOS.into_iter().find(fits).unwrap_or(FIRST_RATIOS[FIRST_RATIOS.len() - 1])
}

impl Level {
    fn over(finer: &Net, nodes: &[u32], spacing: f64, materials: &[Material], (first, forces): (bool, bool)) -> Self {
        let near = sample::near(finer, nodes, sample::REACH * spacing);
        let prolong = weights::prolongation(finer, nodes, &near, spacing);
        let restrict = prolong.transposed(nodes.len());
        let of_row = |row: &[(u32, f64)]| gather(row, &finer.inverse_masses, &finer.positions);
        let (positions, inverse_masses): (Vec<Vec3<f64>>, Vec<f64>) = restrict.rows().map(of_row).unzip();
        let centre =
            |row: &[(u32, f64)]| row.iter().fold((0, -1.0), |best, &next| if next.1 > best.1 { next } else { best }).0;
        let centres = restrict.rows().map(centre).collect();
        let gain = if first { UNRESOLVED } else { COARSE_UNRESOLVED / f64::from(SWEEPS) };
        let mut edges = net::edges(finer, &near, &positions, materials, gain);
        let colours = net::colour(&mut edges, nodes.len());
        let net = Net { positions, inverse_masses, edges, spacing, rope: finer.rope };
        let mut level = Self { net, prolong, restrict, centres, colours, spread: Rows::default() };
        if forces {
            let owners: Vec<u32> = near.rows().map(|row| net::nearest_two(row)[0]).collect();
            level.spread = forces::spread(finer, &owners, &level, materials);
        }
        level
    }

    fn bytes(&self) -> usize {
        let Net { positions, inverse_masses, edges, .. } = &self.net;
        let rows = [&self.prolong, &self.restrict, &self.spread]
            .map(|rows| size_of_val(&*rows.entries) + size_of_val(&*rows.offsets));
        let net = size_of_val(&**positions) + size_of_val(&**inverse_masses) + size_of_val(&**edges);
        net + rows.iter().sum::<usize>() + size_of_val(&*self.centres) + size_of_val(&*self.colours)
    }
}

/// Sweeps over the edges of each level in a substep.
pub const SWEEPS: u32 = 4;
/// Of the inverse masses at an edge's ends what a sweep over particles does not resolve: see "What one might not expect" in
/// ARCHITECTURE.md.
const UNRESOLVED: f64 = 0.5;
/// The same of [`SWEEPS`] over the edges of a level, times their number; measured: a cloth of 64 × 64 and 1e-3 m/N sags at 10 substeps by
/// 2 % more than at rest with it, by 8 % more with 1/2.
const COARSE_UNRESOLVED: f64 = 0.67;

/// The inverse mass of a node over which something has come apart: it neither pulls nor moves anything.
pub const PARTED: f64 = -1.0;

/// Where a node is, and its inverse mass, with its children as they are now. It is the mean of the free ones by its shares of their masses; of
/// the fixed ones of which it has half, where there are any, for then it stands still with them. Nothing holds together what has
/// come apart below.
pub fn gather(row: &[(u32, f64)], inverse_masses: &[f64], places: &[Vec3<f64>]) -> (Vec3<f64>, f64) {
    let (mut free, mut mass) = (Vec3::zero(), 0.0);
    let (mut held, mut hold) = (Vec3::zero(), 0.0);
    for &(child, share) in row {
        let (inverse_mass, place) = (inverse_masses[child as usize], places[child as usize]);
        if inverse_mass < 0.0 {
            return (Vec3::zero(), PARTED);
        }
        if inverse_mass > 0.0 {
            free += place * (share / inverse_mass);
            mass += share / inverse_mass;
        } else if is_half(share) {
            held += place * share;
            hold += share;
        }
    }
    match (hold > 0.0, mass > 0.0) {
        (true, _) => (held * (1.0 / hold), 0.0),
        (false, true) => (free * (1.0 / mass), 1.0 / mass),
        // Of less than half of some fixed ones alone.
        (false, false) => (row.first().map_or(Vec3::zero(), |&(child, _)| places[child as usize]), 0.0),
    }
}

/// In single precision, as the device has it: on a grid many shares are a half but for rounding.
fn is_half(share: f64) -> bool {
    share as f32 >= 0.5
}
