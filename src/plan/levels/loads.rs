//! Nets brought to answer loads as what they stand for: near pins, where what yields lies between the nodes, and over
//! triangles of all shapes, which do not move alike when they are strained alike, the stiffness of [`super::stiffness`]
//! is too large.
//!
//! Loads of the weight of all free particles along each axis are borne by the particles, to first order in their
//! displacements u. What a displacement of the nodes costs a net, E_c(R u), is then brought to what it costs the
//! particles, E_f(u), about each edge, by the same iteration as there:
//!
//!   k_e ← k_e Σ_l (ε_l²/E_f,l) (E_f,l/E_c,l) / Σ_l (ε_l²/E_f,l)
//!
//! with ε_l the elongation of the edge by the load l and E_l the energies at its two ends. Nothing but what bears the
//! loads has a say, so a pin that bears them alone counts as it should. Answers need not be exact, since both energies
//! are of the same one: smooth on the scale of a net is enough.

use std::ops::Range;

use super::edge::{RIGID, Spring, Tie};
use super::net::Net;
use super::{Level, Rows};
use crate::base::parallel;
use crate::math::Vec3;
use crate::model::Material;

/// Displacements by loads along each axis.
type Answer = [Vec3<f64>; 3];

/// Rounds of the iteration.
const ROUNDS: usize = 8;
/// In a round no stiffness changes by more than this factor.
const MOST: f64 = 4.0;
/// The share of an edge's stiffness against what only turns it. To first order a surface resists nothing across itself.
const ACROSS: f64 = 0.02;
/// Of the softest spring's compliance over the stiffest's, up to which springs are one material. In what is more mixed
/// than that a net that answers loads well is no better: a coarse edge is soft as its mean, and one half of a sheet a
/// thousand times as soft as the other sags 24 % too much in place of 1 %.
const EVEN: f64 = 150.0;
/// Steps of conjugate gradients at the particles and at each net, from what the coarser one says. With 8 at the
/// particles sheets of 64 × 64 by corners sag by 3 to 7 % less, with 40 by up to 2 % more.
const STEPS: [usize; 2] = [16, 60];
/// Of a load's energy over that of the largest, below which it says nothing: it is across a flat sheet.
const LEAST_LOAD: f64 = 1e-6;

/// Whether a sheet can bear loads as one, as far as its springs go: not where materials are mixed. (Nor where something
/// hangs by nothing that is fixed, since there is no answer then.)
pub fn are_even(particles: &Net<Spring>, materials: &[Material]) -> bool {
    let compliances = || particles.edges.iter().map(|edge| edge.compliance(materials));
    let (stiffest, softest) = (compliances().fold(f64::INFINITY, f64::min), compliances().fold(0.0, f64::max));
    stiffest > RIGID && softest <= EVEN * stiffest
}

/// Brings the stiffnesses of all levels over a sheet that can bear loads to that with which they answer them as its
/// particles do.
pub fn fit(particles: &Net<Spring>, levels: &mut [Level], materials: &[Material]) {
    let loads = axes(&particles.positions);
    let mut answers = Vec::new();
    for level in levels.iter().rev() {
        answers = Truss::of(&level.net, materials, &loads).answer(answers, STEPS[1]);
        answers = down(&level.prolong, &answers);
    }
    let truss = Truss::of(particles, materials, &loads);
    answers = truss.answer(answers, STEPS[0]);
    let mut wanted = truss.energies(&answers, |_| 1.0);
    let mut weighted = truss.energies(&answers, |bond| bond.inverse_masses);
    for (below, level) in (0..).zip(levels) {
        answers = down(&level.restrict, &answers);
        let up = |energies: &[[f64; 3]]| up(&level.prolong, level.net.len(), energies);
        (wanted, weighted) = parallel::join(|| up(&wanted), || up(&weighted));
        level.fit(&answers, &wanted, &weighted, materials);
        level.net.edges.iter_mut().for_each(|edge| edge.below = below);
    }
}

/// Those along which places differ: across a flat sheet nothing is elongated.
fn axes(positions: &[Vec3<f64>]) -> Vec<usize> {
    let extents = [0, 1, 2].map(|axis| {
        let along = positions.iter().map(|place| place.dot(Vec3::axis(axis)));
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    });
    let largest = extents.into_iter().fold(0.0, f64::max);
    (0..3).filter(|&axis| extents[axis] > LEAST_LOAD * largest).collect()
}

impl Level {
    /// `wanted`: energies at each node, by each load; `weighted`: the same, each finer edge's times the inverse masses
    /// of its ends.
    fn fit(&mut self, answers: &[Answer], wanted: &[[f64; 3]], weighted: &[[f64; 3]], materials: &[Material]) {
        let total = |load: usize| wanted.iter().map(|energy| energy[load]).sum::<f64>();
        let totals = [0, 1, 2].map(total);
        let largest = totals.into_iter().fold(0.0, f64::max);
        let loads: Vec<usize> = (0..3).filter(|&load| totals[load] > LEAST_LOAD * largest).collect();
        let at =
            |energies: &[[f64; 3]], ends: [usize; 2], load: usize| energies[ends[0]][load] + energies[ends[1]][load];
        for round in 0..=ROUNDS {
            let truss = Truss::of(&self.net, materials, &[0, 1, 2]);
            let own = truss.energies(answers, |_| 1.0);
            let bonds = truss.bonds;
            for (edge, bond) in self.net.edges.iter_mut().zip(&bonds) {
                let ratio = |over: &[[f64; 3]], under: &[[f64; 3]]| {
                    let mut sums = [0.0; 2];
                    for &load in &loads {
                        let elongation = bond.along.dot(answers[bond.ends[0]][load] - answers[bond.ends[1]][load]);
                        let share = elongation * elongation / at(wanted, bond.ends, load);
                        if share > 0.0 {
                            sums[0] += share;
                            sums[1] += share * at(over, bond.ends, load) / at(under, bond.ends, load);
                        }
                    }
                    (sums[0] > 0.0 && sums[1] > 0.0).then_some(sums[1] / sums[0])
                };
                if round == ROUNDS {
                    // What the sweep over particles leaves depends on the masses where the loads are borne.
                    let media: f64 = bond.ends.iter().map(|&end| 0.5 * self.net.media[end].weight).sum();
                    if let Some(masses) = ratio(weighted, wanted).filter(|_| media > 0.0) {
                        edge.finest *= masses / media;
                    }
                } else {
                    edge.stiffen(ratio(wanted, &own).unwrap_or(1.0).clamp(1.0 / MOST, MOST));
                }
            }
        }
    }
}

/// A net to first order.
struct Truss<'a> {
    bonds: Vec<Bond>,
    /// For each so many nodes in turn which bonds end there, in order: so they are summed alike by any number of
    /// threads.
    at: Vec<Vec<u32>>,
    piece: usize,
    loads: &'a [usize],
    inverse_masses: &'a [f64],
}

#[derive(Clone, Copy)]
struct Bond {
    ends: [usize; 2],
    along: Vec3<f64>,
    /// N/m.
    stiffness: f64,
    /// Of both ends, 1/kg.
    inverse_masses: f64,
}

impl Bond {
    fn force(&self, way: Vec3<f64>) -> Vec3<f64> {
        self.along * (self.stiffness * self.along.dot(way)) + way * (ACROSS * self.stiffness)
    }
}

impl<'a> Truss<'a> {
    fn of(net: &'a Net<impl Tie>, materials: &[Material], loads: &'a [usize]) -> Self {
        let bond = |index: usize| {
            let edge = &net.edges[index];
            let ends = edge.ends().map(|end| end as usize);
            Bond {
                ends,
                along: (net.positions[ends[0]] - net.positions[ends[1]]).direction_and_length().0,
                stiffness: 1.0 / edge.compliance(materials),
                inverse_masses: ends.iter().map(|&end| net.inverse_masses[end]).sum(),
            }
        };
        let bonds =
            parallel::map(net.edges.len(), parallel::LEAST, |piece| piece.map(bond).collect::<Vec<_>>()).concat();
        let piece = parallel::share(net.len(), parallel::LEAST);
        let ending = |nodes: Range<usize>| {
            let ends = |index: &u32| bonds[*index as usize].ends.iter().any(|end| nodes.contains(end));
            (0..bonds.len() as u32).filter(ends).collect()
        };
        let at = parallel::map(net.len(), piece, ending);
        Self { bonds, at, piece, loads, inverse_masses: &net.inverse_masses }
    }

    /// Sums what bonds give to the nodes at their ends, each of which has a place in the list.
    fn sum<T: Send>(&self, sums: &mut [T], give: impl Fn(&Bond, usize, &mut T) + Sync) {
        parallel::fill(sums, self.piece, |first, sums| {
            let nodes = first..first + sums.len();
            for at in &self.at[first / self.piece..nodes.end.div_ceil(self.piece)] {
                for bond in at.iter().map(|&index| &self.bonds[index as usize]) {
                    let inside = (0..2).filter(|&end| nodes.contains(&bond.ends[end]));
                    inside.for_each(|end| give(bond, end, &mut sums[bond.ends[end] - first]));
                }
            }
        });
    }

    /// Half of what each edge costs at either end, J, by elongation alone, times something of it.
    fn energies(&self, answers: &[Answer], times: impl Fn(&Bond) -> f64 + Sync) -> Vec<[f64; 3]> {
        let mut energies = vec![[0.0; 3]; self.inverse_masses.len()];
        self.sum(&mut energies, |bond, _, energy| {
            let [a, b] = bond.ends;
            for &load in self.loads {
                let elongation = bond.along.dot(answers[a][load] - answers[b][load]);
                energy[load] += 0.25 * bond.stiffness * elongation * elongation * times(bond);
            }
        });
        energies
    }

    /// Forces by displacements, N; none at what is fixed.
    fn forces(&self, answers: &[Answer], forces: &mut [Answer]) {
        forces.fill([Vec3::zero(); 3]);
        self.sum(forces, |bond, end, forces| {
            let [a, b] = bond.ends;
            for &load in self.loads {
                let force = bond.force(answers[a][load] - answers[b][load]);
                forces[load] += if end == 0 { force } else { -force };
            }
        });
        for (force, &mass) in forces.iter_mut().zip(self.inverse_masses) {
            if mass == 0.0 {
                *force = [Vec3::zero(); 3];
            }
        }
    }

    /// Goes so many steps of conjugate gradients, each load by itself, to where the weight of all that is free, along
    /// each axis, is borne.
    fn answer(&self, start: Vec<Answer>, steps: usize) -> Vec<Answer> {
        let count = self.inverse_masses.len();
        let mut stiffnesses = vec![0.0; count];
        for bond in &self.bonds {
            bond.ends.iter().for_each(|&end| stiffnesses[end] += bond.stiffness);
        }
        let mut answers = if start.is_empty() { vec![[Vec3::zero(); 3]; count] } else { start };
        let free = |node: usize| self.inverse_masses[node] > 0.0 && stiffnesses[node] > 0.0;
        (0..count).filter(|&node| !free(node)).for_each(|node| answers[node] = [Vec3::zero(); 3]);
        let weight = |node: usize, load: usize| Vec3::axis(load) * (1.0 / self.inverse_masses[node]);
        let mut forces = vec![[Vec3::zero(); 3]; count];
        self.forces(&answers, &mut forces);
        let mut residual = parallel::list(count, [Vec3::zero(); 3], |node| match free(node) {
            true => [0, 1, 2].map(|load| weight(node, load) - forces[node][load]),
            false => [Vec3::zero(); 3],
        });
        let eased = |node: usize, load: usize, residual: &[Answer]| match free(node) {
            true => residual[node][load] * (1.0 / stiffnesses[node]),
            false => Vec3::zero(),
        };
        // The terms by all threads, the sums in order.
        let mut terms = vec![[0.0; 3]; count];
        let mut sums = |of: &(dyn Fn(usize, usize) -> f64 + Sync)| {
            each(&mut terms, |node, terms| *terms = [0, 1, 2].map(|load| of(node, load)));
            [0, 1, 2].map(|load| terms.iter().map(|terms| terms[load]).sum::<f64>())
        };
        let mut ways =
            parallel::list(count, [Vec3::zero(); 3], |node| [0, 1, 2].map(|load| eased(node, load, &residual)));
        let mut left = sums(&|node, load| residual[node][load].dot(eased(node, load, &residual)));
        let goal = left.map(|left| 1e-12 * left);
        for _ in 0..steps {
            self.forces(&ways, &mut forces);
            let curvatures = sums(&|node, load| ways[node][load].dot(forces[node][load]));
            let going: Vec<(usize, f64)> = self
                .loads
                .iter()
                .filter(|&&load| left[load] > goal[load])
                .map(|&load| {
                    let curvature = curvatures[load];
                    (load, if curvature > 0.0 { left[load] / curvature } else { 0.0 })
                })
                .collect();
            each(&mut answers, |node, answer| {
                going.iter().for_each(|&(load, length)| answer[load] += ways[node][load] * length);
            });
            each(&mut residual, |node, residual| {
                going.iter().for_each(|&(load, length)| residual[load] += forces[node][load] * -length);
            });
            let next = sums(&|node, load| residual[node][load].dot(eased(node, load, &residual)));
            let turns = [0, 1, 2].map(|load| if left[load] > 0.0 { next[load] / left[load] } else { 0.0 });
            each(&mut ways, |node, way| {
                for &load in self.loads {
                    way[load] = eased(node, load, &residual) + way[load] * turns[load];
                }
            });
            left = next;
        }
        answers
    }
}

/// Changes each entry of a list, by its index.
fn each<T: Send>(list: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
    parallel::fill(list, parallel::LEAST, |first, list| {
        (first..).zip(list).for_each(|(index, entry)| change(index, entry));
    });
}

/// Σ share × what it is of.
fn combined(row: &[(u32, f64)], of: &[Answer]) -> Answer {
    [0, 1, 2].map(|load| row.iter().fold(Vec3::zero(), |sum, &(index, share)| sum + of[index as usize][load] * share))
}

/// From nodes to what they move, or by restriction from those that are moved to the nodes.
fn down(rows: &Rows, answers: &[Answer]) -> Vec<Answer> {
    let count = rows.offsets.len() - 1;
    parallel::list(count, [Vec3::zero(); 3], |index| combined(rows.row(index), answers))
}

/// From what nodes move to the nodes, by its shares.
fn up(prolong: &Rows, nodes: usize, energies: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]; nodes];
    for (row, energies) in prolong.rows().zip(energies) {
        for &(node, share) in row {
            (0..3).for_each(|load| sums[node as usize][load] += share * energies[load]);
        }
    }
    sums
}
