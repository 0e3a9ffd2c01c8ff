//! What the constraints of a sheet must bear if together they are to exert given forces on its particles. Of all
//! tensions t that do, J^T t = F, it has those that cost least,
//!
//!   Σ α t²/2 → min,
//!
//! which for constraints that yield linearly are those of equilibrium (Castigliano's theorem of least work). With t = K
//! y, K = 1/√α, that is the shortest y for which A y = F, A = J^T K, by the method of conjugate gradients on A^T M⁻¹ A
//! (CGLS). M is what makes it quick: the sum of the levels' prolongations over the stiffness at their nodes (Bramble,
//! Pasciak and Xu, Parallel multilevel preconditioners, 1990), so that about as many iterations do at any resolution.
//! What no tension along the constraints can exert, such as a force across a flat sheet, is left.
//!
//! All is done by all cores, sums over lists in blocks of the same length for any number of them, so that the bits do
//! not go by that.

use std::ops::Range;

use super::smoother::{Smooth, Smoother};
use crate::base::parallel::{self, LEAST};
use crate::math::Vec3;
use crate::model::Model;
use crate::plan::levels::Rows;

/// The gradient of the misfit, over that at the beginning, at which it ends.
const ENOUGH: f64 = 1e-6;
/// Iterations at most. A sheet of 256 x 256 takes some hundred.
const MOST: usize = 1000;
/// Of the largest compliance of a sheet: what is stiffer is taken for as stiff.
const STIFFEST: f64 = 1e-8;

/// A constraint of a sheet that pushes as well as it pulls.
pub(crate) struct Cord {
    pub constraint: u32,
    /// Particles of the sheet.
    pub ends: [u32; 2],
    /// K = 1/√α, over that of the stiffest.
    pub root: f64,
}

/// All of a sheet.
pub(crate) struct Cords {
    /// By their first ends, so that those of a particle lie near each other.
    pub cords: Vec<Cord>,
    /// At each particle its cords, ascending, as 2 index + end.
    pub at: Rows<u32>,
    /// Whether a particle of the sheet can move.
    pub free: Vec<bool>,
}

/// A cord's part in the conjugate gradients.
#[derive(Clone, Copy, Default)]
struct Going {
    /// A^T M⁻¹ of what is not borne yet.
    gradient: f64,
    way: f64,
    /// y
    share: f64,
}

impl Cords {
    /// Of these constraints of a group, all between particles of the range; they have no directions yet.
    pub fn of(model: &Model, group: usize, particles: Range<u32>, constraints: &[u32]) -> Self {
        let distances = &model.groups[group];
        let compliance =
            |constraint: u32| model.materials[distances.materials[constraint as usize] as usize].compliance;
        let all = || constraints.iter().map(|&constraint| compliance(constraint));
        let softest = all().fold(0.0, f64::max);
        let least = if softest > 0.0 { STIFFEST * softest } else { 1.0 };
        let stiffest = all().fold(f64::INFINITY, f64::min).max(least);
        let cord = |&constraint: &u32| {
            let ends = distances.particles_of(constraint as usize);
            Cord {
                constraint,
                ends: [0, 1].map(|end| ends[end] - particles.start),
                root: (stiffest / compliance(constraint).max(least)).sqrt(),
            }
        };
        let mut cords: Vec<Cord> = constraints.iter().map(cord).collect();
        cords.sort_by_key(|cord| cord.ends[0].min(cord.ends[1]));
        let inverse_masses = &model.particles.inverse_masses[particles.start as usize..particles.end as usize];
        let free = inverse_masses.iter().map(|&inverse_mass| inverse_mass > 0.0).collect();
        let ends =
            (0..).zip(&cords).flat_map(|(index, cord)| [0, 1].map(|end| (cord.ends[end], 2 * index + end as u32)));
        let at = Rows::gathered(particles.len(), ends, |_, entry| entry);
        Self { cords, at, free }
    }

    /// Of each cord K ∇C at its first end by the places of the sheet's particles, m; zero of those whose constraint
    /// bears nothing.
    pub fn pulls(
        &self,
        place: impl Fn(usize) -> Vec3<f64> + Sync,
        bears: impl Fn(u32) -> bool + Sync,
    ) -> Vec<Vec3<f64>> {
        parallel::list(self.cords.len(), Vec3::zero(), |index| {
            let Cord { constraint, ends, root } = &self.cords[index];
            let [a, b] = ends.map(|end| place(end as usize));
            if bears(*constraint) { (a - b).direction_and_length().0 * *root } else { Vec3::zero() }
        })
    }

    /// (A w) of a particle: what some w exert on it.
    fn exerted(&self, pulls: &[Vec3<f64>], particle: usize, w: impl Fn(usize) -> f64) -> Vec3<f64> {
        let force = |&entry: &u32| {
            let index = (entry / 2) as usize;
            pulls[index] * if entry.is_multiple_of(2) { w(index) } else { -w(index) }
        };
        self.at.row(particle).iter().fold(Vec3::zero(), |sum, entry| sum + force(entry))
    }

    /// (A^T z) of a cord, of places z that are zero where particles are fixed.
    fn stretch(&self, pulls: &[Vec3<f64>], index: usize, places: &[Vec3<f64>]) -> f64 {
        let [a, b] = self.cords[index].ends;
        pulls[index].dot(places[a as usize] - places[b as usize])
    }

    /// t = K y for the shortest y with which A y exerts the `others`' forces, N, and what the cords do by their `own`
    /// tensions. `pulls` are those of [`Cords::pulls`].
    pub fn tensions(&self, pulls: &[Vec3<f64>], others: &[[f64; 3]], own: &[f64], smoother: &Smoother) -> Vec<f64> {
        let Self { cords, free, .. } = self;
        let mut smooth = Smooth::new(smoother);
        let exert = |forces: &mut [Vec3<f64>], w: &(dyn Fn(usize) -> f64 + Sync)| {
            parallel::fill(forces, LEAST, |first, forces| {
                for (force, particle) in forces.iter_mut().zip(first..).filter(|(_, particle)| free[*particle]) {
                    *force = self.exerted(pulls, particle, w);
                }
            });
        };
        exert(smooth.forces(), &|index| own[index] / cords[index].root);
        let of_others = others.iter().zip(free).zip(smooth.forces()).filter(|((_, free), _)| **free);
        of_others.for_each(|((&other, _), force)| *force += other.into());
        smooth.smooth();
        let begin = |index| Going { gradient: self.stretch(pulls, index, smooth.places()), ..Going::default() };
        let mut going = parallel::list(cords.len(), Going::default(), begin);
        let mut squared = parallel::fill_summing(&mut going, LEAST, |_, going| squares(going));
        let (enough, mut turn) = (ENOUGH * ENOUGH * squared, 0.0);
        for _ in 0..MOST {
            exert(smooth.forces(), &|index| going[index].gradient + turn * going[index].way);
            let curvature = smooth.smooth();
            if squared <= enough || curvature <= 0.0 {
                break;
            }
            let step = squared / curvature;
            let next = parallel::fill_summing(&mut going, LEAST, |first, going| {
                for (going, index) in going.iter_mut().zip(first..) {
                    going.way = going.gradient + turn * going.way;
                    going.share += step * going.way;
                    going.gradient -= step * self.stretch(pulls, index, smooth.places());
                }
                squares(going)
            });
            turn = next / squared;
            squared = next;
        }
        cords.iter().zip(going).map(|(cord, going)| cord.root * going.share).collect()
    }
}

fn squares(going: &[Going]) -> f64 {
    going.iter().map(|going| going.gradient * going.gradient).sum()
}
