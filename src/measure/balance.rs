//! What constraints under levels bear. Their multipliers tell what levels leave to them, the levels' forces on particles the rest: together
//! these are what the constraints of a sheet must exert. Of all tensions t that do, J^T t = F, it has those that cost least,
//!
//!   Σ α t²/2 → min,
//!
//! which for constraints that yield linearly are those of equilibrium (Castigliano's theorem of least work). With t = K y, K = 1/√α, that is the
//! shortest y for which A y = F, A = J^T K, by the method of conjugate gradients on A^T M⁻¹ A (CGLS). M is what makes it quick: the
//! sum of the levels' prolongations over the stiffness at their nodes (Bramble, Pasciak and Xu, Parallel multilevel preconditioners,
//! 1990), so that about as many iterations do at any resolution. What no tension along the constraints can exert, such as a force across a flat
//! sheet, is left.

use crate::constraint::{Constraint, Distance, Vec3};
use crate::model::{Model, Multiplier, Side, State};
use crate::plan::Plan;
use crate::plan::levels::{Level, Sheet, mean};

/// Iterations at most. A sheet of 256 x 256 takes some hundred.
const MOST: usize = 1000;
/// The gradient of the misfit, over that at the beginning, at which it ends.
const ENOUGH: f64 = 1e-6;
/// Of the largest compliance of a sheet: what is stiffer is taken for as stiff.
const STIFFEST: f64 = 1e-8;

/// The multipliers of a state, with the means of what is under levels such that [`constraint_force`](super::constraint_force) tells what it
/// bears. `plan` is that of the model. Where the state has no forces of levels, they are as they were.
///
/// # Panics
/// If the state is one of another model.
pub fn balanced(model: &Model, plan: &Plan, state: &State) -> Vec<Vec<Multiplier>> {
    let mut multipliers = state.multipliers.clone();
    let group = model.groups.iter().position(|group| group.kind.name() == Distance::NAME);
    let Some(group) = group.filter(|_| !state.level_forces.is_empty()) else { return multipliers };
    // λ over this is a force.
    let scale = model.settings.implicit_seconds().powi(2);
    for sheet in &plan.sheets {
        let cords = Cords::of(model, state, group, sheet);
        let particles = sheet.particles.start as usize..sheet.particles.end as usize;
        let mut forces: Vec<Vec3<f64>> = state.level_forces[particles].iter().map(|&force| force.into()).collect();
        for cord in &cords.cords {
            cords.exert(cord, multipliers[group][cord.constraint].mean / scale, &mut forces);
        }
        let smoother = Smoother::new(&cords, sheet);
        for (cord, tension) in cords.cords.iter().zip(cords.tensions(forces, &smoother)) {
            multipliers[group][cord.constraint].mean = tension * scale;
        }
    }
    multipliers
}

/// A constraint of a sheet that pushes as well as it pulls.
struct Cord {
    constraint: usize,
    /// Particles of the sheet.
    ends: [usize; 2],
    /// ∇C at the first.
    along: Vec3<f64>,
    /// K = 1/√α, √(N/m).
    root: f64,
}

struct Cords {
    cords: Vec<Cord>,
    /// Whether a particle of the sheet can move.
    free: Vec<bool>,
}

impl Cords {
    fn of(model: &Model, state: &State, group: usize, sheet: &Sheet) -> Self {
        let (distances, particles) = (&model.groups[group], sheet.particles.clone());
        let material = |constraint: usize| &model.materials[distances.materials[constraint] as usize];
        let within = |&constraint: &usize| {
            distances.particles_of(constraint).iter().all(|particle| particles.contains(particle))
                && material(constraint).side == Side::Both
                && !state.multipliers[group][constraint].broken
        };
        let chosen: Vec<usize> = (0..distances.len()).filter(within).collect();
        let softest = chosen.iter().map(|&constraint| material(constraint).compliance).fold(0.0, f64::max);
        let least = if softest > 0.0 { STIFFEST * softest } else { 1.0 };
        let cord = |constraint: usize| {
            let ends = [0, 1].map(|end| distances.particles_of(constraint)[end]);
            let [a, b] = ends.map(|end| Vec3::from(state.positions[end as usize]));
            Cord {
                constraint,
                ends: ends.map(|end| (end - particles.start) as usize),
                along: (a - b).direction_and_length().0,
                root: material(constraint).compliance.max(least).sqrt().recip(),
            }
        };
        let inverse_masses = &model.particles.inverse_masses[particles.start as usize..particles.end as usize];
        let free = inverse_masses.iter().map(|&inverse_mass| inverse_mass > 0.0).collect();
        Self { cords: chosen.into_iter().map(cord).collect(), free }
    }

    /// Adds the force of one of them, N, to those on the particles.
    fn exert(&self, cord: &Cord, tension: f64, forces: &mut [Vec3<f64>]) {
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

    /// t = K y for the shortest y with A y = `forces`, N.
    fn tensions(&self, forces: Vec<Vec3<f64>>, smoother: &Smoother) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut shares = vec![0.0; self.cords.len()];
        let mut misfit = smoother.smooth(forces);
        let mut gradient = self.stretches(&misfit);
        let mut way = gradient.clone();
        let mut squared = dot(&gradient, &gradient);
        let enough = ENOUGH * ENOUGH * squared;
        for _ in 0..MOST {
            let exerted = self.forces(&way);
            let smoothed = smoother.smooth(exerted.clone());
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

/// M⁻¹: Σ P_q D_q⁻¹ P_q^T over the particles and all levels, D the stiffness about a node. In a surface that is the same at every scale; along a
/// rope it falls with the length of its edges.
struct Smoother<'a> {
    levels: &'a [Level],
    /// 1/D of the particles and of the nodes of each level, m/N; 0 where fixed.
    softness: Vec<Vec<f64>>,
}

impl<'a> Smoother<'a> {
    fn new(cords: &Cords, sheet: &'a Sheet) -> Self {
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
        for Level { net, prolong, .. } in &sheet.levels {
            let shorter = spacing.filter(|_| net.rope).map_or(1.0, |spacing: f64| spacing / net.spacing);
            stiffness = mean(prolong, net.len(), |child| shorter * stiffness[child]);
            softness.push(inverse(&stiffness, &|node| net.inverse_masses[node] > 0.0));
            spacing = Some(net.spacing);
        }
        Self { levels: &sheet.levels, softness }
    }

    fn smooth(&self, forces: Vec<Vec3<f64>>) -> Vec<Vec3<f64>> {
        let mut all = vec![forces];
        for level in self.levels {
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
            if let Some(level) = self.levels.get(depth) {
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
