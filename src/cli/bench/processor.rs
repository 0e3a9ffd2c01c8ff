//! What the CPU can do at best: how fast its threads copy, and what it costs them to meet.

use std::hint::black_box;
use std::time::Instant;

use super::adapter::Floor;
use crate::cli::report::quantile;
use crate::cpu;

/// Beyond all caches, twice.
const COPY_BYTES: usize = 256 << 20;
const MEETINGS: usize = 10_000;
const REPEATS: usize = 9;

impl Floor {
    /// That of so many threads.
    pub fn of_cpu(threads: usize) -> Self {
        Self { copy_bandwidth_bytes_per_s: copy_bandwidth(threads), empty_dispatch_us: meeting_us(threads) }
    }
}

/// Bytes read and written per second by threads of which each copies its part.
fn copy_bandwidth(threads: usize) -> f64 {
    let from = vec![1_u64; COPY_BYTES / size_of::<u64>()];
    let mut to = vec![2_u64; from.len()];
    let part = from.len().div_ceil(threads);
    let seconds = median_seconds(|| {
        std::thread::scope(|scope| {
            for (from, to) in from.chunks(part).zip(to.chunks_mut(part)) {
                scope.spawn(move || black_box(to).copy_from_slice(black_box(from)));
            }
        });
    });
    2.0 * COPY_BYTES as f64 / seconds
}

/// Microseconds for each time that threads wait for each other.
fn meeting_us(threads: usize) -> f64 {
    let team = cpu::Team::new(threads);
    median_seconds(|| team.meet(MEETINGS)) * 1e6 / MEETINGS as f64
}

/// After once to warm up.
fn median_seconds(mut act: impl FnMut()) -> f64 {
    let mut seconds = Vec::with_capacity(REPEATS);
    for _ in 0..=REPEATS {
        let start = Instant::now();
        act();
        seconds.push(start.elapsed().as_secs_f64());
    }
    quantile(&seconds[1..], 0.5)
}
