//! Work on all cores, whose result does not depend on how many there are.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

/// So much work is worth a thread.
const LEAST: usize = 256;
/// More threads than this are held up by memory.
const MOST_THREADS: usize = 8;

/// What `work` makes of pieces of `0..count`, in order; it must make of two pieces together what it makes of each.
pub fn map<T: Send>(count: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    let size = count.div_ceil(cores).max(LEAST);
    let mut pieces = (0..count).step_by(size).map(|begin| begin..(begin + size).min(count));
    // The first is done by this thread: it is all that there is where nets are small.
    let Some(first) = pieces.next() else { return Vec::new() };
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = pieces.map(|piece| scope.spawn(move || work(piece))).collect();
        let results = others.into_iter().map(|other| other.join());
        let first = work(first);
        let rest = results.map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(first).chain(rest).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces are all there is, once each, in order.
    #[test]
    fn pieces_are_the_whole() {
        for count in [0, 1, LEAST, LEAST + 1, 10_000] {
            let all: Vec<usize> = map(count, |piece| piece.collect::<Vec<_>>()).concat();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
