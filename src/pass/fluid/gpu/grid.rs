//! How cells lie in buckets: `shaders/fluid/grid.wgsl`.

/// Words before the buckets.
pub const HEADER: usize = 24;
const LEAST_BUCKETS: usize = 256;
/// Cells within this many sides of a cube of as many cells as there are buckets never share one.
const APART: f64 = 0.4;

/// Buckets for so many particles: about ten for each cell of a fluid at rest, so that few share one.
pub fn buckets(particles: usize) -> usize {
    particles.next_power_of_two().max(LEAST_BUCKETS)
}

/// How many buckets a step along y leads on, and one along z: the first pair from the golden section on for which no
/// two cells nearer than [`APART`] share a bucket, at least none of the 27 cells about a particle. The second is the
/// square of the first, as in Korobov's lattices, so that no direction is worse than another.
pub fn steps(buckets: usize) -> [u32; 2] {
    let mask = buckets as u32 - 1;
    let apart = (APART * (buckets as f64).cbrt()).max(2.0) as i32;
    let golden = (0.618_033_988_75 * buckets as f64) as u32 | 1;
    let pairs = (0..mask).map(|turn| golden.wrapping_add(2 * turn) & mask).map(|y| [y, y.wrapping_mul(y) & mask]);
    let mut apart_pairs = pairs.filter(|&steps| are_apart(steps, mask, apart));
    apart_pairs.next().unwrap_or_else(|| unreachable!("there is a pair for each number of buckets: see the test"))
}

/// Whether no two cells within so many of each other along each axis share a bucket.
fn are_apart([y, z]: [u32; 2], mask: u32, apart: i32) -> bool {
    let bucket = |j: i32, k: i32| y.wrapping_mul(j as u32).wrapping_add(z.wrapping_mul(k as u32)) & mask;
    // Of two opposite ways one is enough.
    let ways = (0..=apart).flat_map(|k| (-apart..=apart).map(move |j| (j, k))).filter(|&way| way > (0, 0) || way.1 > 0);
    ways.map(|(j, k)| bucket(j, k)).all(|bucket| bucket.min(mask + 1 - bucket) > apart as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There are such steps for every number of buckets that a device has room for, and the 27 cells about any have
    /// buckets of their own.
    #[test]
    fn cells_about_a_particle_share_no_bucket() {
        for exponent in 8..=24 {
            let buckets = 1 << exponent;
            let [y, z] = steps(buckets);
            let mut all: Vec<u32> = (0..27_u32)
                .map(|cell| [cell % 3, cell / 3 % 3, cell / 9])
                .map(|[i, j, k]| (i + y.wrapping_mul(j) + z.wrapping_mul(k)) & (buckets as u32 - 1))
                .collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 27, "{buckets} buckets");
        }
    }
}
