//! The coarse levels of sheets: what `shaders/levels/` does once a substep, before the first sweep. See
//! [`crate::plan::levels`].
//!
//! For each level q, coarsest first, from the places X_q = R_q X_(q-1) and the correction Y_(q+1) that came from above:
//!   Y_q = P_(q+1) Y_(q+1),  X_q += Y_q,  λ = 0;  then sweeps over its edges, there and back:
//!   Δλ = min(λ + Δλ*, max(λ₀, F h²)) - λ,  Δλ* = -(|X_a - X_b| - L + α̃ λ) / (W_a + W_b + α̃)
//!   X_a += W_a Δλ n,  and so b;  after these
//!   Y_a += g W_a λ n₀,  and so b,  g = Π w/(w + α̃) over the levels below, and the square of that for the particles
//! and at the particles x_i += Σ P_iJ Y_J. n is along the edge as it is, n₀ as it was before anything moved, at any
//! level: only along there does what is handed on keep angular momentum (docs/design/levels.md). The gate g leaves to
//! the coarse levels only the stiffness that the finer ones miss: one sweep yields as if α̃ were more by w, half of its
//! edges' inverse masses, and the way back leaves as much of that; so compliance keeps its meaning.
//!
//! Edges pull and do not push, since cloth must still fold; but for as much as they pulled in the substep before, λ₀
//! (of the same frame, so that no state of theirs outlives it): what they set in motion they stop. Without it a sheet
//! let go from a stretch of 5 % shrinks to two thirds of its length and tangles. Those of closed shells push by up to
//! F, by which a strip as wide as the edge is long buckles: what is closed cannot give way without being pressed
//! together. What has a rim can, and bends by itself: with F there, too, what is draped becomes twice as stiff and does
//! not come to rest.

use crate::math::Vec3;
use crate::model::{Material, Model};
use crate::plan::levels::{Edge, Level, Net, Rows, Sheet, sweeps};
use crate::reference::pass::{Pass, Substep};
use crate::reference::points::Points;

/// The levels over all sheets.
pub(crate) struct Levels {
    sheets: Vec<Sheet>,
    /// Of each sheet and level.
    ties: Vec<Vec<Ties>>,
    /// What each particle was pulled by, N, the sum over the substeps of a frame.
    forces: Vec<Vec3<f64>>,
}

/// The edges of a level in a frame: what they are in a substep of `h` s, and what they pulled by in the one before.
#[derive(Clone, Default)]
pub struct Ties {
    of: Vec<Tie>,
    h: f64,
}

/// An edge.
#[derive(Clone)]
struct Tie {
    ends: [u32; 2],
    /// L
    length: f64,
    /// W
    weights: [f64; 2],
    /// α̃
    soft: f64,
    /// g
    gate: f64,
    /// F h²
    strength: f64,
    /// λ₀
    pulled: f64,
    /// λ
    multiplier: f64,
}

impl Ties {
    /// Those of a net in substeps of `h` s. What they pulled by stays.
    fn fit(&mut self, net: &Net, materials: &[Material], h: f64) {
        if self.h == h {
            return;
        }
        self.h = h;
        let weights = |edge: &Edge| edge.ends.map(|end| net.inverse_masses[end as usize]);
        // Between two fixed nodes nothing moves.
        let moves = net.edges.iter().filter(|edge| weights(edge).iter().sum::<f64>() > 0.0);
        let pulled: Vec<f64> = self.of.iter().map(|tie| tie.pulled).collect();
        let tie = |(index, edge): (usize, &Edge)| {
            let soft = edge.compliance(materials) / (h * h);
            Tie {
                ends: edge.ends,
                length: edge.length,
                weights: weights(edge),
                soft,
                gate: edge.gate(soft),
                strength: edge.bending.now(materials) * h * h,
                pulled: pulled.get(index).copied().unwrap_or(0.0),
                multiplier: 0.0,
            }
        };
        self.of = moves.enumerate().map(tie).collect();
    }

    /// Sweeps over the edges. `places`: before anything moved; `moved`: what nodes moved since; `steps`: what they hand
    /// on.
    fn pull(&mut self, places: &[Vec3<f64>], moved: &mut [Vec3<f64>], steps: &mut [Vec3<f64>]) {
        self.of.iter_mut().for_each(|tie| tie.multiplier = 0.0);
        for edge in sweeps(self.of.len()) {
            let Tie { ends, length, weights: [wa, wb], soft, strength, pulled, multiplier, .. } = &mut self.of[edge];
            let [a, b] = ends.map(|end| end as usize);
            let (along, apart) = (places[a] - places[b] + (moved[a] - moved[b])).direction_and_length();
            let next = (*multiplier - (apart - *length + *soft * *multiplier) / (*wa + *wb + *soft))
                .min(pulled.max(*strength));
            let push = along * (next - *multiplier);
            *multiplier = next;
            moved[a] += push * *wa;
            moved[b] += push * -*wb;
        }
        for Tie { ends, weights: [wa, wb], gate, pulled, multiplier, .. } in &mut self.of {
            let [a, b] = ends.map(|end| end as usize);
            let push = (places[a] - places[b]).direction_and_length().0 * (*gate * *multiplier);
            steps[a] += push * *wa;
            steps[b] += push * -*wb;
            *pulled = (-*multiplier).max(0.0);
        }
    }
}

/// Of each level of a sheet, at the beginning of a frame: nothing has pulled.
pub fn slack(sheet: &Sheet) -> Vec<Ties> {
    vec![Ties::default(); sheet.levels.len()]
}

impl Levels {
    /// Over the sheets of a model.
    pub fn new(model: &Model, sheets: &[Sheet]) -> Self {
        let forces = if sheets.is_empty() { Vec::new() } else { vec![Vec3::zero(); model.particles.len()] };
        Self { sheets: sheets.to_vec(), ties: Vec::new(), forces }
    }

    /// Takes to all particles what the levels over them correct, in a substep whose H is `h` s; `opening`: the first of
    /// a frame.
    fn correct(&mut self, materials: &[Material], points: &mut Points, h: f64, opening: bool) {
        if opening {
            self.ties = self.sheets.iter().map(slack).collect();
            self.forces.fill(Vec3::zero());
        }
        for (sheet, ties) in self.sheets.iter().zip(&mut self.ties) {
            let particles = sheet.particles.start as usize..sheet.particles.end as usize;
            let places = &points.positions[particles.clone()];
            let finest = restricted(&sheet.levels[0], places);
            let corrections = corrections(&sheet.levels, materials, finest, ties, h);
            for (particle, row) in particles.zip(sheet.levels[0].prolong.rows()) {
                let inverse_mass = points.inverse_masses[particle];
                if inverse_mass > 0.0 {
                    let correction = sum(row, |node| corrections[node]);
                    points.positions[particle] += correction;
                    self.forces[particle] += correction * (inverse_mass * h * h).recip();
                }
            }
        }
    }
}

impl Pass for Levels {
    fn correct_prediction(&mut self, substep: &mut Substep) {
        let Substep { model, points, implicit, index, .. } = substep;
        self.correct(&model.materials, points, *implicit, *index == 0);
    }

    fn mean_forces(&self, substeps: u32) -> Vec<[f64; 3]> {
        self.forces.iter().map(|&sum| (sum * f64::from(substeps).recip()).into()).collect()
    }
}

fn restricted(level: &Level, finer: &[Vec3<f64>]) -> Vec<Vec3<f64>> {
    level.restrict.rows().map(|row| sum(row, |node| finer[node])).collect()
}

/// What the nodes of the finest level move by, from their places, all levels having had their say. `ties`: of each
/// level.
pub fn corrections(
    levels: &[Level],
    materials: &[Material],
    finest: Vec<Vec3<f64>>,
    ties: &mut [Ties],
    h: f64,
) -> Vec<Vec3<f64>> {
    let mut places = vec![finest];
    for (level, finer) in levels[1..].iter().zip(0..) {
        places.push(restricted(level, &places[finer]));
    }
    let mut coarser: Option<(&Rows, Vec<Vec3<f64>>)> = None;
    for ((level, places), ties) in levels.iter().zip(&places).zip(ties).rev() {
        let mut steps = match &coarser {
            Some((prolong, steps)) => prolong.rows().map(|row| sum(row, |node| steps[node])).collect(),
            None => vec![Vec3::zero(); level.net.len()],
        };
        for (step, _) in steps.iter_mut().zip(&level.net.inverse_masses).filter(|(_, mass)| **mass == 0.0) {
            *step = Vec3::zero();
        }
        ties.fit(&level.net, materials, h);
        ties.pull(places, &mut steps.clone(), &mut steps);
        coarser = Some((&level.prolong, steps));
    }
    coarser.map_or(Vec::new(), |(_, steps)| steps)
}

/// Σ share × what it is of.
fn sum(row: &[(u32, f64)], of: impl Fn(usize) -> Vec3<f64>) -> Vec3<f64> {
    row.iter().fold(Vec3::zero(), |sum, &(index, share)| sum + of(index as usize) * share)
}

#[cfg(test)]
mod tests {
    use crate::pass::levels::reference::*;
    use crate::plan::Plan;
    use crate::scene::{Body, Cloth, Grid, Scene};

    /// What the sweeps over a net do to small displacements is self-adjoint in the metric of the masses: Σ m u·(A v) is
    /// Σ m v·(A u), for edges that push as well as pull and whatever their compliance. One way, four times, it is off
    /// by 6.6e-3 and 3.4e-6.
    #[test]
    fn sweeps_over_nets_are_self_adjoint() {
        const SMALL: f64 = 1e-7;
        for compliance in [1e-8, 1e-3] {
            let grid = Grid { columns: 24, rows: 24, width: 1.0, height: 1.0 };
            let cloth = Cloth::new(grid).stretch(compliance).shear(compliance);
            let mut model = Scene::new("").with(Body::cloth(cloth).pin("top-left")).build().unwrap().model;
            model.settings.nested = Some(true);
            let net = &Plan::new(&model).sheets[0].levels[0].net;
            let mut ties = Ties::default();
            ties.fit(net, &model.materials, 1e-3);
            let moved_from = |displacements: &[Vec3<f64>]| {
                let mut ties = ties.clone();
                ties.of.iter_mut().for_each(|tie| tie.pulled = f64::INFINITY);
                let mut moved: Vec<Vec3<f64>> = displacements.to_vec();
                ties.pull(&net.positions, &mut moved, &mut vec![Vec3::zero(); net.len()]);
                moved
            };
            let displacements = |seed: f64| -> Vec<Vec3<f64>> {
                let by = |(node, &mass): (usize, &f64)| {
                    let at = (node + 1) as f64 * seed;
                    Vec3 { x: at.sin(), y: (3.0 * at).cos(), z: (7.0 * at).sin() }
                        * if mass > 0.0 { SMALL } else { 0.0 }
                };
                net.inverse_masses.iter().enumerate().map(by).collect()
            };
            let product = |u: &[Vec3<f64>], v: &[Vec3<f64>]| -> f64 {
                let masses = net.inverse_masses.iter().map(|&w| if w > 0.0 { 1.0 / w } else { 0.0 });
                u.iter().zip(v).zip(masses).map(|((u, v), mass)| mass * u.dot(*v)).sum()
            };
            let [u, v] = [1.7, 2.9].map(displacements);
            let [au, av] = [&u, &v].map(|displacements| moved_from(displacements));
            let size = (product(&u, &u) * product(&v, &v)).sqrt();
            let off = (product(&u, &av) - product(&v, &au)).abs() / size;
            assert!(off < 1e-6, "{compliance} m/N: {off}");
            assert!(product(&au, &au) < 0.9 * product(&u, &u), "{compliance} m/N: nothing is pulled");
        }
    }
}
