//! Work on all cores, whose result does not depend on how many there are. By the standard library alone: plans are made
//! with every set of features, and where there is one core, or no threads at all as on wasm32, all is done by the
//! caller.

use std::cell::Cell;
use std::num::NonZero;
use std::ops::Range;
use std::thread;

/// More threads than this are held up by memory.
const MOST_THREADS: usize = 8;

thread_local! {
    /// How many threads work that begins here is divided among; `None` for all cores.
    static THREADS: Cell<Option<usize>> = const { Cell::new(None) };
}

/// How many threads work that begins here is divided among.
pub fn threads() -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    THREADS.get().unwrap_or_else(cores)
}

/// Does the work with its parts divided among so many threads.
pub fn with_threads<T>(count: usize, work: impl FnOnce() -> T) -> T {
    /// Also where the work panics.
    struct Before(Option<usize>);
    impl Drop for Before {
        fn drop(&mut self) {
            THREADS.set(self.0);
        }
    }
    let _before = Before(THREADS.replace(Some(count)));
    work()
}

/// What `work` makes of each of some pieces, in order, each by a thread of its own. What begins there is divided among
/// those that are left.
fn each<P: Send, T: Send>(pieces: impl ExactSizeIterator<Item = P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    let inside = threads().div_ceil(pieces.len().max(1));
    let mut pieces = pieces;
    // The first is done by this thread: it is all that there is where there is little to do.
    let Some(first) = pieces.next() else { return Vec::new() };
    let work = |piece| with_threads(inside, || work(piece));
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = pieces.map(|piece| scope.spawn(move || work(piece))).collect();
        let first = work(first);
        std::iter::once(first).chain(others.into_iter().map(joined)).collect()
    })
}

fn joined<T>(other: thread::ScopedJoinHandle<T>) -> T {
    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// So many entries for each thread that a list is divided among, at least `least` and a multiple of that.
pub fn share(count: usize, least: usize) -> usize {
    count.div_ceil(threads()).div_ceil(least.max(1)).max(1) * least.max(1)
}

/// What `work` makes of pieces of `0..count`, in order, none of them but the last smaller than `least`; it must make of
/// two pieces together what it makes of each.
pub fn map<T: Send>(count: usize, least: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let size = share(count, least);
    each((0..count).step_by(size).map(|begin| begin..(begin + size).min(count)), work)
}

/// What `work` makes of blocks of `grain` of `0..count`, in order: blocks, and with them the bits of sums over them, do
/// not go by how many threads there are.
pub fn blocks<T: Send>(count: usize, grain: usize, work: impl Fn(Range<usize>) -> T + Sync) -> impl Iterator<Item = T> {
    let of_piece = |piece: Range<usize>| {
        let begins = piece.clone().step_by(grain);
        begins.map(|begin| work(begin..(begin + grain).min(piece.end))).collect::<Vec<T>>()
    };
    map(count, grain, of_piece).into_iter().flatten()
}

/// Lets `work` write pieces of a list, each as long as a multiple of `grain`; it is told where the piece begins.
pub fn fill<T: Send>(list: &mut [T], grain: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let size = share(list.len(), grain);
    each(list.chunks_mut(size).enumerate(), |(index, piece)| work(index * size, piece));
}

/// As [`fill`], in blocks of `grain` entries: the sum of what `work` makes of them, added in order, so that its bits do
/// not go by how many threads there are.
pub fn fill_summing<T: Send>(list: &mut [T], grain: usize, work: impl Fn(usize, &mut [T]) -> f64 + Sync) -> f64 {
    let size = share(list.len(), grain);
    let sums = each(list.chunks_mut(size).enumerate(), |(index, piece)| {
        let blocks = (index * size..).step_by(grain).zip(piece.chunks_mut(grain));
        blocks.map(|(begin, block)| work(begin, block)).collect::<Vec<f64>>()
    });
    sums.iter().flatten().sum()
}

/// Lets `work` write the rows of a list, which begin at `offsets`, many at once; it is told which.
pub fn fill_rows<T: Send>(list: &mut [T], offsets: &[u32], work: impl Fn(Range<usize>, &mut [T]) + Sync) {
    let (count, mut rest) = (offsets.len() - 1, list);
    let size = share(rest.len(), LEAST);
    let mut begin = 0;
    let pieces = std::iter::from_fn(|| {
        if begin == count {
            return None;
        }
        let first = offsets[begin];
        // At least a row, and then as many as begin before the share is full.
        let more = offsets[begin + 1..count].partition_point(|&row| ((row - first) as usize) < size);
        let rows = begin..begin + 1 + more;
        begin = rows.end;
        let piece = rest.split_off_mut(..(offsets[rows.end] - first) as usize).unwrap_or_default();
        Some((rows, piece))
    });
    each(pieces.collect::<Vec<_>>().into_iter(), |(rows, piece)| work(rows, piece));
}

/// The list of what `of` makes of each index; `start` is of no account.
pub fn list<T: Send + Clone>(count: usize, start: T, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut list = vec![start; count];
    fill(&mut list, LEAST, |begin, piece| (begin..).zip(piece).for_each(|(index, entry)| *entry = of(index)));
    list
}

/// A list whose rows, of `each` entries, come in another order: those of `row_at[place]` are what `of` makes of that
/// place and of 0 to `each`; what is no row of the list is left out, and `start` is of no account. Each thread has rows
/// of its own, and looks at all places.
#[cfg(any(test, feature = "gpu", feature = "cpu"))]
pub fn reordered<T: Send + Clone>(
    rows: usize,
    each: usize,
    start: T,
    row_at: &[u32],
    of: impl Fn(usize, usize) -> T + Sync,
) -> Vec<T> {
    let mut list = vec![start; rows * each];
    fill(&mut list, LEAST * each, |begin, piece| {
        let first = begin / each.max(1);
        for (place, &row) in row_at.iter().enumerate() {
            let entries = (row as usize).checked_sub(first).and_then(|row| piece.get_mut(row * each..(row + 1) * each));
            entries.into_iter().flatten().enumerate().for_each(|(k, entry)| *entry = of(place, k));
        }
    });
    list
}

/// So many small pieces of work are worth a thread.
pub const LEAST: usize = 4096;

/// Two things at once. What begins in them is divided among as many threads as it would be in the caller.
pub fn join<A, B: Send>(a: impl FnOnce() -> A, b: impl FnOnce() -> B + Send) -> (A, B) {
    match threads() {
        1 => (a(), b()),
        count => thread::scope(|scope| {
            let b = scope.spawn(move || with_threads(count, b));
            let a = a();
            (a, joined(b))
        }),
    }
}

/// Sorts a list of which no two entries are equal but alike.
pub fn sort<T: Send + Copy>(list: &mut [T], before: impl Fn(&T, &T) -> std::cmp::Ordering + Sync + Copy) {
    if threads() > 1 {
        fill(list, LEAST, |_, piece| piece.sort_unstable_by(before));
        // Merges the pieces: it finds what is sorted.
        list.sort_by(before);
    } else {
        list.sort_unstable_by(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces are all there is, once each, in order, by however many threads.
    #[test]
    fn pieces_are_the_whole() {
        for threads in [1, 2, 5] {
            for count in [0, 1, 7, 8, 9, 10_000] {
                with_threads(threads, || {
                    let all: Vec<usize> = map(count, 8, |piece| piece.collect::<Vec<_>>()).concat();
                    let expected: Vec<usize> = (0..count).collect();
                    assert_eq!(all, expected);
                    let ranges: Vec<Range<usize>> = blocks(count, 8, |block| block).collect();
                    assert!(ranges.iter().all(|block| block.len() == 8 || block.end == count));
                    assert_eq!(ranges.into_iter().flatten().collect::<Vec<_>>(), expected);
                    let mut filled = vec![0; count];
                    fill(&mut filled, 3, |begin, piece| (begin..).zip(piece).for_each(|(index, entry)| *entry = index));
                    assert_eq!(filled, expected);
                    assert_eq!(list(count, 0, |index| index), expected);
                    // Not the sum of all at once, to the bit.
                    let of_block = |begin: usize, block: &mut [usize]| {
                        assert_eq!(block[0], begin);
                        block.iter().map(|&index| (1.0 + index as f64).recip()).sum::<f64>()
                    };
                    let blocks = expected.chunks(3).map(|block| of_block(block[0], &mut block.to_vec()));
                    assert_eq!(fill_summing(&mut filled, 3, of_block), blocks.sum::<f64>());
                    let row_at: Vec<u32> = (0..count as u32).rev().chain([count as u32, u32::MAX]).collect();
                    let turned_round = reordered(count, 2, 0, &row_at, |place, k| 2 * (count - 1 - place) + k);
                    assert!(turned_round.into_iter().eq(0..2 * count));
                    let even = (0..=count as u32).map(|row| row / 2 * 2).collect();
                    let first_alone = vec![0, count as u32, count as u32];
                    for offsets in [even, first_alone] {
                        let end = offsets[offsets.len() - 1] as usize;
                        let mut rows = vec![0; end];
                        fill_rows(&mut rows, &offsets, |rows, list| {
                            let first = offsets[rows.start] as usize;
                            (first..).zip(&mut *list).for_each(|(index, entry)| *entry = index);
                            assert_eq!(first + list.len(), offsets[rows.end] as usize);
                        });
                        assert_eq!(rows, expected[..end]);
                    }
                    let mut turned: Vec<usize> = (0..count).map(|index| (index * 7 + 3) % count).collect();
                    sort(&mut turned, usize::cmp);
                    assert!(turned.is_sorted());
                });
            }
        }
    }

    /// Two things at once, of which one is divided again.
    #[test]
    fn both_are_done() {
        for threads in [1, 2, 5] {
            let sums = with_threads(threads, || {
                let sum = |from: usize| move || map(from, 1, |piece| piece.sum::<usize>()).into_iter().sum::<usize>();
                join(sum(100), sum(1_000))
            });
            assert_eq!(sums, (4_950, 499_500));
        }
    }
}
