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
use crate::plan::levels::{Level, Net, PARTED, Rows, SWEEPS, Sheet, gather};

/// Which particles of the sheets have lost an edge by now, by which of the distances are broken.
pub fn parted(sheets: &[Sheet], particles: usize, broken: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut parted = vec![false; particles];
    for edge in sheets.iter().flat_map(|sheet| &sheet.breakable).filter(|edge| broken(edge.constraint)) {
        edge.ends.iter().for_each(|&end| parted[end as usize] = true);
    }
    parted
}

/// Of each edge of each level of each sheet the sum of its gated multipliers over a frame.
pub type Tensions = Vec<Vec<Vec<f64>>>;

/// None yet.
pub fn slack(sheets: &[Sheet]) -> Tensions {
    let of_level = |level: &Level| vec![0.0; level.net.edges.len()];
    sheets.iter().map(|sheet| sheet.levels.iter().map(of_level).collect()).collect()
}

/// What the levels add to the multipliers of a frame: of each distance whose force is asked for.
pub fn borne(sheets: &[Sheet], mut tensions: Tensions) -> Vec<(u32, f64)> {
    let mut borne = Vec::new();
    for (sheet, tensions) in sheets.iter().zip(&mut tensions).filter(|(sheet, _)| !sheet.edges.is_empty()) {
        let bears = |row: &[(u32, f64)], of: &[f64]| -> f64 {
            row.iter().map(|&(edge, share)| of[edge as usize] * share).sum()
        };
        for depth in (1..sheet.levels.len()).rev() {
            let (finer, coarser) = tensions.split_at_mut(depth);
            for (tension, row) in finer[depth - 1].iter_mut().zip(sheet.levels[depth].spread.rows()) {
                *tension += bears(row, &coarser[0]);
            }
        }
        let rows = sheet.levels[0].spread.rows();
        borne.extend(sheet.edges.iter().zip(rows).map(|(&edge, row)| (edge, bears(row, &tensions[0]))));
    }
    borne
}

/// Takes to all particles what the levels over them correct, in a substep of `h` s.
pub(super) fn correct(
    sheets: &[Sheet],
    materials: &[Material],
    points: &mut Points,
    (parted, tensions): (&[bool], &mut Tensions),
    h: f64,
) {
    for (sheet, tensions) in sheets.iter().zip(tensions) {
        let particles = sheet.particles.start as usize..sheet.particles.end as usize;
        let inverse_masses = points.inverse_masses[particles.clone()].iter().zip(&parted[particles.clone()]);
        let inverse_masses = inverse_masses.map(|(&mass, &parted)| if parted { PARTED } else { mass }).collect();
        let places = points.positions[particles.clone()].to_vec();
        let corrections = corrections(&sheet.levels, materials, (places, inverse_masses), tensions, h);
        for (particle, row) in particles.zip(sheet.levels[0].prolong.rows()) {
            if points.inverse_masses[particle] > 0.0 {
                points.positions[particle] += sum(row, &corrections);
            }
        }
    }
}

/// Places and inverse masses.
type Nodes = (Vec<Vec3<f64>>, Vec<f64>);

/// What the nodes of the finest level move by, all levels having had their say.
pub fn corrections(
    levels: &[Level],
    materials: &[Material],
    particles: Nodes,
    tensions: &mut [Vec<f64>],
    h: f64,
) -> Vec<Vec3<f64>> {
    let mut nodes = vec![particles];
    for level in levels {
        let (places, masses) = &nodes[nodes.len() - 1];
        nodes.push(level.restrict.rows().map(|row| gather(row, masses, places)).unzip());
    }
    let mut coarser: Option<(&Rows, Vec<Vec3<f64>>)> = None;
    for ((level, (places, masses)), tensions) in levels.iter().zip(&mut nodes[1..]).zip(tensions).rev() {
        let mut moves = match &coarser {
            Some((prolong, moves)) => prolong.rows().map(|row| sum(row, moves)).collect(),
            None => vec![Vec3::zero(); level.net.len()],
        };
        for ((place, step), &mass) in places.iter_mut().zip(&mut moves).zip(masses.iter()) {
            if mass <= 0.0 {
                *step = Vec3::zero();
            }
            *place += *step;
        }
        pull(&level.net, materials, (places, masses), (&mut moves, tensions), h);
        coarser = Some((&level.prolong, moves));
    }
    coarser.map_or(Vec::new(), |(_, moves)| moves)
}

/// Sweeps over the edges of a level.
fn pull(
    net: &Net,
    materials: &[Material],
    (places, masses): (&mut [Vec3<f64>], &[f64]),
    (moves, tensions): (&mut [Vec3<f64>], &mut [f64]),
    h: f64,
) {
    let mut multipliers = vec![0.0; net.edges.len()];
    for _ in 0..SWEEPS {
        for ((edge, multiplier), tension) in net.edges.iter().zip(&mut multipliers).zip(tensions.iter_mut()) {
            let [a, b] = edge.ends.map(|end| end as usize);
            let [wa, wb] = [masses[a], masses[b]];
            let (along, length) = (places[a] - places[b]).direction_and_length();
            let soft = edge.compliance(materials) / (h * h);
            if wa < 0.0 || wb < 0.0 || wa + wb == 0.0 {
                continue;
            }
            let next = (*multiplier - (length - edge.length + soft * *multiplier) / (wa + wb + soft)).min(0.0);
            let push = along * (next - *multiplier);
            let gate = edge.gate(soft);
            *tension += gate * (next - *multiplier);
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
