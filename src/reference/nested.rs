//! The coarse levels of sheets: what `shaders/nested/` does once a substep, before the first sweep. See [`crate::plan::levels`].
//!
//! For each level q, coarsest first, from the places X_q = R_q X_(q-1) and the correction Y_(q+1) that came from above:
//!   Y_q = P_(q+1) Y_(q+1),  X_q += Y_q,  λ = 0;  then sweeps over its edges:
//!   Δλ = min(λ + Δλ*, 0) - λ,  Δλ* = -(|X_a - X_b| - L + α̃ λ) / (W_a + W_b + α̃)          (tension only: cloth must still fold)
//!   X_a += W_a Δλ n,  Y_a += g W_a Δλ n,  and so b,  g = w/(w + α̃), above the finest level times w₁/(w₁ + α̃)
//! and at the particles x_i += Σ P_iJ Y_J. The gate g leaves to the coarse levels only the stiffness that the finer ones miss: one sweep
//! yields as if α̃ were more by w, half of its edges' inverse masses (ARCHITECTURE.md, "What one might not expect"); so compliance keeps
//! its meaning.

use super::points::Points;
use crate::constraint::Vec3;
use crate::model::Material;
use crate::plan::levels::{Level, Net, Rows, SWEEPS, Sheet};

/// Takes to all particles what the levels over them correct, in a substep whose H is `h` s.
pub(super) fn correct(sheets: &[Sheet], materials: &[Material], points: &mut Points, h: f64) {
    for sheet in sheets {
        let particles = sheet.particles.start as usize..sheet.particles.end as usize;
        let corrections = corrections(&sheet.levels, materials, &points.positions[particles.clone()], h);
        for (particle, row) in particles.zip(sheet.levels[0].prolong.rows()) {
            if points.inverse_masses[particle] > 0.0 {
                points.positions[particle] += sum(row, &corrections);
            }
        }
    }
}

/// What the nodes of the finest level move by, all levels having had their say.
pub fn corrections(levels: &[Level], materials: &[Material], particles: &[Vec3<f64>], h: f64) -> Vec<Vec3<f64>> {
    let mut places: Vec<Vec<Vec3<f64>>> = Vec::new();
    for level in levels {
        let finer = places.last().map_or(particles, |finer| finer);
        places.push(level.restrict.rows().map(|row| sum(row, finer)).collect());
    }
    let mut coarser: Option<(&Rows, Vec<Vec3<f64>>)> = None;
    for (level, places) in levels.iter().zip(&mut places).rev() {
        let mut moves = match &coarser {
            Some((prolong, moves)) => prolong.rows().map(|row| sum(row, moves)).collect(),
            None => vec![Vec3::zero(); level.net.len()],
        };
        for ((place, step), &mass) in places.iter_mut().zip(&mut moves).zip(&level.net.inverse_masses) {
            if mass == 0.0 {
                *step = Vec3::zero();
            }
            *place += *step;
        }
        pull(&level.net, materials, places, &mut moves, h);
        coarser = Some((&level.prolong, moves));
    }
    coarser.map_or(Vec::new(), |(_, moves)| moves)
}

/// Sweeps over the edges of a level.
fn pull(net: &Net, materials: &[Material], places: &mut [Vec3<f64>], moves: &mut [Vec3<f64>], h: f64) {
    let mut multipliers = vec![0.0; net.edges.len()];
    for _ in 0..SWEEPS {
        for (edge, multiplier) in net.edges.iter().zip(&mut multipliers) {
            let [a, b] = edge.ends.map(|end| end as usize);
            let [wa, wb] = [a, b].map(|end| net.inverse_masses[end]);
            let (along, length) = (places[a] - places[b]).direction_and_length();
            let soft = edge.compliance(materials) / (h * h);
            if wa + wb == 0.0 {
                continue;
            }
            let next = (*multiplier - (length - edge.length + soft * *multiplier) / (wa + wb + soft)).min(0.0);
            let push = along * (next - *multiplier);
            let gate = edge.gate(soft);
            *multiplier = next;
            places[a] += push * wa;
            places[b] += push * -wb;
            moves[a] += push * (gate * wa);
            moves[b] += push * (-gate * wb);
        }
    }
}

/// Σ share × what it is of.
pub fn sum(row: &[(u32, f64)], of: &[Vec3<f64>]) -> Vec3<f64> {
    row.iter().fold(Vec3::zero(), |sum, &(index, share)| sum + of[index as usize] * share)
}
