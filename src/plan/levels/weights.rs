//! By what shares the nodes of a coarser net move those of a finer one: positive, 1 together, and such that a linear
//! motion of the nodes is one of what they move wherever it lies between them. These are the weights of greatest
//! entropy (Arroyo and Ortiz, Local maximum-entropy approximation schemes, 2006) with a prior of compact support, so
//! that they fade to zero:
//!
//!   P_J = θ_J e^(μ·r_J) / Z,   r_J = (X_J - x)/s,   θ_J = (1 - (|r_J|/reach)²)³,   μ = argmin Z(μ) = Σ θ_J e^(μ·r_J)
//!
//! A place outside its nodes' hull has no such weights: there μ is bounded and the nearest nodes take the most.
//! (Shepard's weights, not exact on linear functions, let single edges of irregular meshes stretch by a third where
//! cloth swings.)

use super::edge::Tie;
use super::{Net, Rows, sample};
use crate::base::parallel;
use crate::math::Vec3;

/// |μ| is at most this: e^(±1.6 · 4) separates nodes a spacing apart by 1,000 to 1.
const STEEPEST: f64 = 4.0;
/// Newton's steps at most; five do inside of the hull.
const STEPS: usize = 12;
/// Shares below this are dropped.
const LEAST_SHARE: f64 = 1e-4;
/// Shares are whole multiples of one over this, so that 16 bits hold one: what streams by of a large sheet are shares,
/// most of all. It moves them by a tenth of what is dropped.
pub const UNITS: f64 = 65_535.0;

/// The shares of `nodes` in each node of a net, in [`UNITS`]; `near` has which of them reach it.
pub fn shares(net: &Net<impl Tie>, nodes: &[u32], near: &Rows<u32>, spacing: f64) -> Vec<u16> {
    let mut units = vec![0; near.entries.len()];
    parallel::fill_rows(&mut units, &near.offsets, |rows, mut units| {
        for index in rows {
            let row = near.row(index);
            let way = |&node: &u32| net.positions[nodes[node as usize] as usize] - net.positions[index];
            let ways: Vec<Vec3<f64>> = row.iter().map(|near| way(near) * (1.0 / spacing)).collect();
            let mut shares = of_greatest_entropy(&ways);
            shares.iter_mut().for_each(|share| *share = if *share < LEAST_SHARE { 0.0 } else { *share });
            let sum: f64 = shares.iter().sum();
            // Sums are rounded, not shares, so that these are 1 together.
            let (mut all, mut before) = (0.0, 0.0);
            let row = units.split_off_mut(..row.len()).unwrap_or_default();
            for (units, share) in row.iter_mut().zip(shares) {
                all += share;
                let until = (all / sum * UNITS).round();
                *units = (until - std::mem::replace(&mut before, until)) as u16;
            }
        }
    });
    units
}

/// The nodes that move one of a net, and by what share, in [`UNITS`].
fn moving<'a>(near: &'a Rows<u32>, shares: &'a [u16], index: usize) -> impl Iterator<Item = (u32, u16)> + Clone + 'a {
    let row = near.offsets[index] as usize..near.offsets[index + 1] as usize;
    let all = near.entries[row.clone()].iter().copied().zip(shares[row].iter().copied());
    all.filter(|(_, units)| *units > 0)
}

/// For each node of a net the nodes that move it, and by what share.
pub fn prolongation(near: &Rows<u32>, shares: &[u16]) -> Rows {
    let row = |index: usize| moving(near, shares, index);
    let fill = |index: usize, entries: &mut [(u32, f64)]| {
        let shares = row(index).map(|(node, units)| (node, f64::from(units) / UNITS));
        entries.iter_mut().zip(shares).for_each(|(entry, share)| *entry = share);
    };
    Rows::made(near.offsets.len() - 1, |index| row(index).count(), fill)
}

/// For each of `count` nodes what it moves, and by what share, in [`UNITS`].
pub fn moved(near: &Rows<u32>, shares: &[u16], count: usize) -> Rows<(u32, u16)> {
    let of_child = |child: u32| moving(near, shares, child as usize).map(move |(node, units)| (node, (child, units)));
    Rows::gathered(count, (0..near.offsets.len() as u32 - 1).flat_map(of_child), |_, entry| entry)
}

/// Of nodes that are so far, in spacings.
fn of_greatest_entropy(ways: &[Vec3<f64>]) -> Vec<f64> {
    let prior: Vec<f64> =
        ways.iter().map(|way| (1.0 - way.dot(*way) / (sample::REACH * sample::REACH)).max(1e-9).powi(3)).collect();
    let mut slope = Vec3::zero();
    let mut shares = prior.clone();
    for step in 0..STEPS {
        if step > 0 {
            shares.clear();
            shares.extend(prior.iter().zip(ways).map(|(prior, way)| prior * slope.dot(*way).exp()));
        }
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        let mean = shares.iter().zip(ways).fold(Vec3::zero(), |mean, (share, way)| mean + *way * *share);
        if mean.length() < 1e-10 {
            break;
        }
        let step = solve(ways, &shares, mean);
        slope = slope - step;
        let steep = slope.length();
        if steep > STEEPEST {
            slope = slope * (STEEPEST / steep);
        }
    }
    shares
}

/// The step that takes the mean to zero: H⁻¹ mean by Cramer's rule, H the covariance of the ways. H is singular across
/// a flat sheet, where a little more on its diagonal changes nothing.
fn solve(ways: &[Vec3<f64>], shares: &[f64], mean: Vec3<f64>) -> Vec3<f64> {
    let [mut x, mut y, mut z] = [0, 1, 2].map(|axis| Vec3::axis(axis) * 1e-6);
    for (way, share) in ways.iter().zip(shares) {
        let way = *way - mean;
        x += way * (share * way.x);
        y += way * (share * way.y);
        z += way * (share * way.z);
    }
    let determinant = x.dot(y.cross(z));
    Vec3::new(mean.dot(y.cross(z)), x.dot(mean.cross(z)), x.dot(y.cross(mean))) * (1.0 / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sample::Sample;

    use crate::plan::levels::edge::Spring;

    /// A sheet of triangles of all shapes, 1 apart.
    fn sheet(n: u32) -> Net<Spring> {
        let wave = |i: u32, k: u32| 0.3 * f64::from(i * i * 7 + i * 3 * (k + 1)).sin();
        let place = |i: u32| Vec3::new(f64::from(i % n) + wave(i, 0), f64::from(i / n) + wave(i, 1), 0.0);
        let positions: Vec<Vec3<f64>> = (0..n * n).map(place).collect();
        let inside = |i: &u32| i % n + 1 < n && i / n + 1 < n;
        let ends = (0..n * n).filter(inside).flat_map(|i| [[i, i + 1], [i, i + n], [i, i + n + 1]]);
        let edge = |ends| Spring { ends, length: 1.0, material: 0 };
        let inverse_masses = vec![1.0; positions.len()];
        Net { inverse_masses, edges: ends.map(edge).collect(), positions, spacing: 1.0, ..Net::default() }
    }

    /// Inside of the nodes' hull a linear motion of the nodes is one of what they move, but for the shares that are
    /// dropped: a dozen of them at most, of nodes within reach. Shepard's weights with the same prior are off by a
    /// tenth.
    #[test]
    fn linear_motions_stay_linear() {
        let (net, spacing) = (sheet(40), 4.0);
        let Sample { nodes, near, .. } = Sample::of(&net, spacing).unwrap();
        let rows = prolongation(&near, &shares(&net, &nodes, &near, spacing));
        let mut inside = 0;
        let all = rows.rows().map(|row| row.iter().map(|(_, share)| share * UNITS).sum::<f64>());
        assert!(all.into_iter().all(|units| (units - UNITS).abs() < 1e-9), "shares are not 1 together");
        assert!(
            rows.entries
                .iter()
                .all(|(_, share)| (share * UNITS - (share * UNITS).round()).abs() < 1e-9 && *share > 0.0)
        );
        for (row, &x) in rows.rows().zip(&net.positions) {
            let place = |node: u32| net.positions[nodes[node as usize] as usize];
            let around = row.iter().fold(Vec3::zero(), |sum, &(node, share)| sum + place(node) * share);
            let margin = x.x.min(x.y).min(39.0 - x.x).min(39.0 - x.y);
            if margin > sample::REACH * spacing {
                inside += 1;
                let error = (around - x).length() / spacing;
                assert!(error < 12.0 * LEAST_SHARE * sample::REACH, "{x:?} is moved as if {error} of a spacing away");
            }
        }
        assert!(inside > 500, "only {inside}");
    }
}
