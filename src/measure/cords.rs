//! What the constraints of a sheet must bear if together they are to exert given forces on its particles. Of all tensions t that do, J^T t = F, it has
//! those that cost least,
//!
//!   Σ α t²/2 → min,
//!
//! which for constraints that yield linearly are those of equilibrium (Castigliano's theorem of least work). With t = K y, K = 1/√α, that is the
//! shortest y for which A y = F, A = J^T K, by the method of conjugate gradients on A^T M⁻¹ A (CGLS). M is what makes it quick: the
//! sum of the levels' prolongations over the stiffness at their nodes (Bramble, Pasciak and Xu, Parallel multilevel preconditioners,
//! 1990), so that about as many iterations do at any resolution. What no tension along the constraints can exert, such as a force across a flat
//! sheet, is left.

use std::ops::Range;

use crate::constraint::Vec3;
use crate::model::Model;
use crate::plan::levels::{Level, mean};

/// The gradient of the misfit, over that at the beginning, at which it ends.
const ENOUGH: f64 = 1e-6;
/// Of the largest compliance of a sheet: what is stiffer is taken for as stiff.
const STIFFEST: f64 = 1e-8;

/// A constraint of a sheet that pushes as well as it pulls.
pub(crate) struct Cord {
    pub constraint: u32,
    /// Particles of the sheet.
    pub ends: [usize; 2],
    /// ∇C at the first; zero where it bears nothing.
    pub along: Vec3<f64>,
    /// K = 1/√α, over that of the stiffest.
    pub root: f64,
}

/// All of a sheet.
pub(crate) struct Cords {
    pub cords: Vec<Cord>,
    /// Whether a particle of the sheet can move.
    pub free: Vec<bool>,
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
                ends: [0, 1].map(|end| (ends[end] - particles.start) as usize),
                along: Vec3::zero(),
                root: (stiffest / compliance(constraint).max(least)).sqrt(),
            }
        };
        let inverse_masses = &model.particles.inverse_masses[particles.start as usize..particles.end as usize];
        let free = inverse_masses.iter().map(|&inverse_mass| inverse_mass > 0.0).collect();
        Self { cords: constraints.iter().map(cord).collect(), free }
    }

    /// Takes over how those lie that bear something, by their index and constraint, by the places of the sheet's particles, m.
    pub fn place(&mut self, place: impl Fn(usize) -> Vec3<f64>, bears: impl Fn(usize, u32) -> bool) {
        for (index, cord) in self.cords.iter_mut().enumerate() {
            let [a, b] = cord.ends.map(&place);
            cord.along = if bears(index, cord.constraint) { (a - b).direction_and_length().0 } else { Vec3::zero() };
        }
    }

    /// Adds the force of one of them, N, to those on the particles.
    pub fn exert(&self, cord: &Cord, tension: f64, forces: &mut [Vec3<f64>]) {
        for (end, sign) in cord.ends.into_iter().zip([1.0, -1.0]) {
            if self.free[end] {
                forces[end] += cord.along * (sign * tension);
            }
        }
    }

    /// A y.
    fn forces(&self, shares: &[f64]) -> Vec<Vec3<f64>> {
        let mut forces = vec![Vec3::zero(); self.free.len()];
        for (cord, share) in self.cords.iter().zip(shares) {
            self.exert(cord, cord.root * share, &mut forces);
        }
        forces
    }

    /// A^T z, of places z that are zero where particles are fixed.
    fn stretches(&self, places: &[Vec3<f64>]) -> Vec<f64> {
        let stretch = |Cord { ends: [a, b], along, root, .. }: &Cord| root * along.dot(places[*a] - places[*b]);
        self.cords.iter().map(stretch).collect()
    }

    /// t = K y for the shortest y with A y = `forces`, N, or what so many iterations from the tensions `kept` on make of it.
    pub fn tensions(
        &self,
        mut forces: Vec<Vec3<f64>>,
        kept: &[f64],
        (smoother, levels): (&Smoother, &[Level]),
        most: usize,
    ) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut shares: Vec<f64> = self.cords.iter().zip(kept).map(|(cord, tension)| tension / cord.root).collect();
        self.cords.iter().zip(kept).for_each(|(cord, tension)| self.exert(cord, -tension, &mut forces));
        let mut misfit = smoother.smooth(levels, forces);
        let mut gradient = self.stretches(&misfit);
        let mut way = gradient.clone();
        let mut squared = dot(&gradient, &gradient);
        let enough = ENOUGH * ENOUGH * squared;
        for _ in 0..most {
            let exerted = self.forces(&way);
            let smoothed = smoother.smooth(levels, exerted.clone());
            let curvature: f64 = exerted.iter().zip(&smoothed).map(|(a, b)| a.dot(*b)).sum();
            if squared <= enough || curvature <= 0.0 {
                break;
            }
            let step = squared / curvature;
            shares.iter_mut().zip(&way).for_each(|(share, way)| *share += step * way);
            misfit.iter_mut().zip(&smoothed).for_each(|(misfit, &smoothed)| *misfit += smoothed * -step);
            gradient = self.stretches(&misfit);
            let before = std::mem::replace(&mut squared, dot(&gradient, &gradient));
            way.iter_mut().zip(&gradient).for_each(|(way, gradient)| *way = gradient + squared / before * *way);
        }
        self.cords.iter().zip(shares).map(|(cord, share)| cord.root * share).collect()
    }
}

/// M⁻¹: Σ P_q D_q⁻¹ P_q^T over the particles and all levels, D the stiffness about a node, whatever is broken. In a surface that is the same at every
/// scale; along a rope it falls with the length of its edges.
pub(crate) struct Smoother {
    /// 1/D of the particles and of the nodes of each level; 0 where fixed.
    pub softness: Vec<Vec<f64>>,
}

impl Smoother {
    pub fn new(cords: &Cords, levels: &[Level]) -> Self {
        let mut stiffness = vec![0.0; cords.free.len()];
        for cord in &cords.cords {
            cord.ends.iter().for_each(|&end| stiffness[end] += cord.root * cord.root);
        }
        let inverse = |stiffness: &[f64], free: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let of =
                |(node, &stiffness): (usize, &f64)| if free(node) && stiffness > 0.0 { 1.0 / stiffness } else { 0.0 };
            stiffness.iter().enumerate().map(of).collect()
        };
        let mut softness = vec![inverse(&stiffness, &|particle| cords.free[particle])];
        let mut spacing = None;
        for Level { net, prolong, .. } in levels {
            let shorter = spacing.filter(|_| net.rope).map_or(1.0, |spacing: f64| spacing / net.spacing);
            stiffness = mean(prolong, net.len(), |child| shorter * stiffness[child]);
            softness.push(inverse(&stiffness, &|node| net.inverse_masses[node] > 0.0));
            spacing = Some(net.spacing);
        }
        Self { softness }
    }

    fn smooth(&self, levels: &[Level], forces: Vec<Vec3<f64>>) -> Vec<Vec3<f64>> {
        let mut all = vec![forces];
        for level in levels {
            let mut coarser = vec![Vec3::zero(); level.net.len()];
            for (row, &force) in level.prolong.rows().zip(&all[all.len() - 1]) {
                row.iter().for_each(|&(node, share)| coarser[node as usize] += force * share);
            }
            all.push(coarser);
        }
        let scaled = |forces: Vec<Vec3<f64>>, softness: &[f64]| -> Vec<Vec3<f64>> {
            forces.into_iter().zip(softness).map(|(force, &softness)| force * softness).collect()
        };
        let mut places: Vec<Vec3<f64>> = Vec::new();
        for (depth, (forces, softness)) in all.into_iter().zip(&self.softness).enumerate().rev() {
            let mut own = scaled(forces, softness);
            if let Some(level) = levels.get(depth) {
                for ((place, row), softness) in own.iter_mut().zip(level.prolong.rows()).zip(softness) {
                    if *softness > 0.0 {
                        row.iter().for_each(|&(node, share)| *place += places[node as usize] * share);
                    }
                }
            }
            places = own;
        }
        places
    }
}
