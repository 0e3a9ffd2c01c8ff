//! A smoother over the particles and levels of a sheet, together its knots: what makes conjugate gradients
//! ([`super::cords`]) quick.
//!
//! M⁻¹ = Σ P_q D_q⁻¹ P_q^T over the particles and all levels, D the stiffness about a knot. In a
//! surface that is the same at every scale; along a rope it falls with the length of its edges.

use super::cords::Cords;
use crate::base::parallel::{self, LEAST};
use crate::math::Vec3;
use crate::plan::levels::{Level, Rows, mean};

/// M⁻¹. Its shares are in single precision: it is not what is solved for.
pub(crate) struct Smoother {
    /// Where the knots begin that are particles, and those of each level, finest first; and the end.
    pub firsts: Vec<usize>,
    /// 1/D of each knot; 0 where fixed.
    pub softness: Vec<f64>,
    /// Of each knot those of the depth below that it moves, and by what share; none of particles.
    pub below: Rows<(u32, f32)>,
    /// Of each knot those of the depth above that move it; none of the coarsest level.
    pub above: Rows<(u32, f32)>,
}

impl Smoother {
    pub fn new(cords: &Cords, levels: &[Level]) -> Self {
        let mut stiffness = vec![0.0; cords.free.len()];
        for cord in &cords.cords {
            cord.ends.iter().for_each(|&end| stiffness[end as usize] += cord.root * cord.root);
        }
        let (mut softness, mut firsts) = (Vec::new(), vec![0]);
        let mut add = |stiffness: &[f64], free: &dyn Fn(usize) -> bool| {
            let of = |(node, &stiffness): (usize, &f64)| match free(node) && stiffness > 0.0 {
                true => 1.0 / stiffness,
                false => 0.0,
            };
            softness.extend(stiffness.iter().enumerate().map(of));
            firsts.push(softness.len());
        };
        add(&stiffness, &|particle| cords.free[particle]);
        let mut spacing = None;
        for Level { net, prolong, .. } in levels {
            let shorter = spacing.filter(|_| net.rope).map_or(1.0, |spacing: f64| spacing / net.spacing);
            let moved = prolong.turned(net.len());
            stiffness = mean(net.len(), |node| moved.row(node).iter().copied(), |child| shorter * stiffness[child]);
            add(&stiffness, &|node| net.inverse_masses[node] > 0.0);
            spacing = Some(net.spacing);
        }
        let (mut below, mut above) = (Rows::new(), Rows::new());
        let push = |rows: &mut Rows<(u32, f32)>, row: &[(u32, f64)], first: usize| {
            rows.push(row.iter().map(|&(index, share)| (first as u32 + index, share as f32)));
        };
        (0..firsts[1]).for_each(|_| below.push([]));
        for (level, ends) in levels.iter().zip(firsts.windows(2)) {
            level.prolong.turned(level.net.len()).rows().for_each(|row| push(&mut below, row, ends[0]));
            level.prolong.rows().for_each(|row| push(&mut above, row, ends[1]));
        }
        (above.offsets.len()..=softness.len()).for_each(|_| above.push([]));
        Self { firsts, softness, below, above }
    }
}

/// What M⁻¹ makes of forces on particles, again and again.
pub(super) struct Smooth<'a> {
    smoother: &'a Smoother,
    /// P^T F of each knot.
    forces: Vec<Vec3<f64>>,
    /// Of each knot.
    places: Vec<Vec3<f64>>,
}

impl<'a> Smooth<'a> {
    pub fn new(smoother: &'a Smoother) -> Self {
        let knots = || vec![Vec3::zero(); smoother.softness.len()];
        Self { smoother, forces: knots(), places: knots() }
    }

    /// The forces on the particles.
    pub fn forces(&mut self) -> &mut [Vec3<f64>] {
        &mut self.forces[..self.smoother.firsts[1]]
    }

    /// The places of the particles.
    pub fn places(&self) -> &[Vec3<f64>] {
        &self.places[..self.smoother.firsts[1]]
    }

    /// Finds the places by the forces F: F · M⁻¹ F.
    pub fn smooth(&mut self) -> f64 {
        let Self { smoother: Smoother { firsts, softness, below, above }, forces, places } = self;
        let depths = || firsts.iter().zip(&firsts[1..]).map(|(&first, &end)| first..end);
        for knots in depths().skip(1) {
            let (finer, own) = forces.split_at_mut(knots.start);
            // A node has some hundred shares.
            parallel::fill(&mut own[..knots.len()], LEAST / 64, |begin, own| {
                (knots.start + begin..).zip(own).for_each(|(knot, force)| *force = combined(below.row(knot), finer, 0));
            });
        }
        let mut work = 0.0;
        for knots in depths().rev() {
            let (own, coarser) = places.split_at_mut(knots.end);
            work = parallel::fill_summing(&mut own[knots.start..], LEAST, |begin, own| {
                (knots.start + begin..).zip(own).fold(0.0, |sum, (knot, place)| {
                    *place = match softness[knot] > 0.0 {
                        true => forces[knot] * softness[knot] + combined(above.row(knot), coarser, knots.end),
                        false => Vec3::zero(),
                    };
                    sum + forces[knot].dot(*place)
                })
            });
        }
        work
    }
}

/// Σ share × what it is of, in a list that begins with the knot `first`.
fn combined(row: &[(u32, f32)], of: &[Vec3<f64>], first: usize) -> Vec3<f64> {
    row.iter().fold(Vec3::zero(), |sum, &(knot, share)| sum + of[knot as usize - first] * f64::from(share))
}
