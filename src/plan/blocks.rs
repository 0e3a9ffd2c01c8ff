//! Cutting a body into blocks of neighbouring particles: in two across an axis, again and again, until each part fits a
//! cluster (recursive coordinate bisection, Berger and Bokhari, A partitioning strategy for nonuniform problems on
//! multiprocessors, 1987). Cuts go where there is a gap, as between the columns of a grid: across a straight border lie
//! constraints of fewer colours than across one with steps, which runs along a curve have.

use super::clusters::CLUSTER_PARTICLES;
use crate::base::parallel;

/// Parts of fewer particles are not for another thread.
const LEAST_APART: usize = 1 << 15;

/// The block of each particle of a list, which comes to be in the order of the blocks: how many each has.
pub(super) fn cut(positions: &[[f64; 3]], particles: &mut [u32]) -> Vec<usize> {
    if particles.len() <= CLUSTER_PARTICLES {
        return vec![particles.len()];
    }
    let at = bisect(positions, particles);
    let (before, behind) = particles.split_at_mut(at);
    let (before, behind) = match before.len().min(behind.len()) < LEAST_APART {
        true => (cut(positions, before), cut(positions, behind)),
        false => parallel::join(|| cut(positions, before), || cut(positions, behind)),
    };
    [before, behind].concat()
}

/// Sorts particles along the axis that they are cut across, and returns the place of the cut: the longest, unless
/// another makes fewer blocks.
fn bisect(positions: &[[f64; 3]], particles: &mut [u32]) -> usize {
    let extent = |axis: usize| {
        let places = || particles.iter().map(|&p| positions[p as usize][axis]);
        places().fold(f64::NEG_INFINITY, f64::max) - places().fold(f64::INFINITY, f64::min)
    };
    let extents = [0, 1, 2].map(extent);
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| extents[b].total_cmp(&extents[a]));
    let mut best: Option<(usize, usize)> = None;
    let mut sorted = None;
    for axis in axes {
        let Some(at) = place(positions, particles, axis) else { continue };
        sorted = Some(axis);
        let fewer = |(_, other): (usize, usize)| blocks(at, particles.len()) < blocks(other, particles.len());
        if best.is_none_or(fewer) {
            best = Some((axis, at));
        }
        if blocks(at, particles.len()) == particles.len().div_ceil(CLUSTER_PARTICLES) {
            break;
        }
    }
    // Without a gap along any axis all are in one place.
    let Some((axis, at)) = best else { return particles.len() / 2 };
    if sorted != Some(axis) {
        sort(positions, particles, axis);
    }
    at
}

/// How many blocks become of so many particles, cut here.
fn blocks(at: usize, particles: usize) -> usize {
    at.div_ceil(CLUSTER_PARTICLES) + (particles - at).div_ceil(CLUSTER_PARTICLES)
}

fn sort(positions: &[[f64; 3]], particles: &mut [u32], axis: usize) {
    particles.sort_unstable_by(|&a, &b| {
        positions[a as usize][axis].total_cmp(&positions[b as usize][axis]).then_with(|| a.cmp(&b))
    });
}

/// In a cloud of `n` particles the widest gap is some ln n of the mean one, in a grid as many as lie side by side.
const WIDE: f64 = 10.0;

/// Sorts particles along an axis and finds the place to cut: near the middle where it makes the fewest blocks, of these
/// the nearest; in a grid between columns. `None` where there is no gap.
fn place(positions: &[[f64; 3]], particles: &mut [u32], axis: usize) -> Option<usize> {
    sort(positions, particles, axis);
    let count = particles.len();
    let whole = count.div_ceil(CLUSTER_PARTICLES);
    let middle = count * (whole / 2) / whole;
    let near = (count / 8).max(CLUSTER_PARTICLES);
    let window = middle.saturating_sub(near).max(1)..(middle + near).min(count - 1) + 1;
    let gap = |at: usize| {
        let [before, behind] = [at - 1, at].map(|k| positions[particles[k] as usize][axis]);
        behind - before
    };
    let widest = window.clone().map(gap).fold(0.0, f64::max);
    let mean = window.clone().map(gap).sum::<f64>() / window.len() as f64;
    let least = if widest > WIDE * mean { 0.5 * widest } else { 0.0 };
    let gaps = window.filter(|&at| gap(at) > least);
    gaps.min_by_key(|&at| (blocks(at, count), at.abs_diff(middle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of particles at these places, as the places of each.
    fn blocks_of(positions: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
        let mut particles: Vec<u32> = (0..positions.len() as u32).collect();
        let sizes = cut(positions, &mut particles);
        assert!(sizes.iter().all(|&size| (1..=CLUSTER_PARTICLES).contains(&size)));
        assert_eq!(sizes.iter().sum::<usize>(), positions.len());
        let mut rest = particles.iter().map(|&p| positions[p as usize]);
        let blocks = sizes.iter().map(|&size| rest.by_ref().take(size).collect()).collect();
        particles.sort_unstable();
        assert!(particles.into_iter().eq(0..positions.len() as u32), "each particle once");
        blocks
    }

    /// Grids whose sides are no multiples of anything, slightly uneven, fall into rectangles, few more than would be if
    /// all were full.
    #[test]
    fn grids_fall_into_rectangles() {
        for (columns, rows) in [(52, 52), (101, 67), (128, 64)] {
            let at = |i: u32| [f64::from(i % columns) + f64::from(i % 7) * 1e-6, 0.0, f64::from(i / columns)];
            let blocks = blocks_of(&(0..columns * rows).map(at).collect::<Vec<_>>());
            for block in &blocks {
                let side = |axis: usize| {
                    let places = || block.iter().map(|place| place[axis].round());
                    places().fold(f64::MIN, f64::max) - places().fold(f64::MAX, f64::min) + 1.0
                };
                assert_eq!(side(0) * side(2), block.len() as f64);
            }
            let least = (columns * rows).div_ceil(CLUSTER_PARTICLES as u32);
            assert!(blocks.len() as f64 <= 1.2 * f64::from(least), "{} blocks in place of {least}", blocks.len());
        }
    }

    /// A cloud is cut into no more blocks than it takes; particles that are all in one place, or nowhere, are cut all
    /// the same.
    #[test]
    fn clouds_fill_their_blocks() {
        let roots = [2.0_f64, 3.0, 5.0].map(f64::sqrt);
        let cloud: Vec<[f64; 3]> = (0..5_000_u32).map(|i| roots.map(|root| f64::from(i) * root % 1.0)).collect();
        assert_eq!(blocks_of(&cloud).len(), 5_000_usize.div_ceil(CLUSTER_PARTICLES));
        assert!(blocks_of(&[[1.0; 3]; 1_000]).len() <= 8);
        assert!(blocks_of(&vec![[f64::INFINITY; 3]; 1_000]).len() <= 8);
    }
}
