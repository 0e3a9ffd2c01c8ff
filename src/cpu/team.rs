//! Threads that go through a frame together: each does its share of a list and waits for the others before the next.
//!
//! A frame has some hundred such meetings, a few microseconds apart: so the threads do not go home in between but spin.

use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Rounds of waiting before a thread lets others have its core.
const SPINS: u32 = 2_000;

/// Shares begin at multiples of so many entries, so that threads write no cache line in common.
const GRAIN: usize = 16;

/// Threads that wait for work.
pub struct Team {
    /// `None` for a team of one.
    pool: Option<rayon::ThreadPool>,
    count: usize,
}

impl Team {
    /// So many threads, at least one, or fewer where the system gives no more.
    pub fn new(count: usize) -> Self {
        let build =
            || rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(|i| format!("pliant {i}")).build();
        let pool = if count > 1 { build().ok() } else { None };
        let count = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        Self { pool, count }
    }

    /// How many there are.
    pub fn threads(&self) -> usize {
        self.count
    }

    /// Lets the threads meet so many times, and do nothing.
    pub fn meet(&self, times: usize) {
        self.run(|member| (0..times).for_each(|_| member.meet()));
    }

    /// Each thread does the work; returns when all have, and how often they met.
    pub fn run(&self, work: impl Fn(&Member) + Sync) -> usize {
        let meeting = Meeting { count: self.count, ..Meeting::default() };
        match &self.pool {
            None => work(&Member { index: 0, meeting: &meeting }),
            Some(pool) => {
                pool.broadcast(|context| work(&Member { index: context.index(), meeting: &meeting }));
            }
        }
        meeting.round.into_inner()
    }
}

#[derive(Default)]
struct Meeting {
    count: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    /// A thread panicked and will not come.
    broken: AtomicBool,
}

/// A thread of a team at work.
pub struct Member<'a> {
    /// Which of the threads it is.
    pub index: usize,
    meeting: &'a Meeting,
}

impl Member<'_> {
    /// Waits until all threads are here. What they wrote before, all see after.
    pub fn meet(&self) {
        let Meeting { count, arrived, round, broken } = self.meeting;
        let now = round.load(Ordering::Acquire);
        if *count == 1 {
            round.store(now + 1, Ordering::Relaxed);
            return;
        }
        if arrived.fetch_add(1, Ordering::AcqRel) + 1 == *count {
            arrived.store(0, Ordering::Relaxed);
            round.store(now + 1, Ordering::Release);
            return;
        }
        let mut spins = 0;
        while round.load(Ordering::Acquire) == now {
            assert!(!broken.load(Ordering::Relaxed), "another thread of the solver panicked");
            spins += 1;
            if spins < SPINS { spin_loop() } else { thread::yield_now() }
        }
    }

    /// This thread's share of a list so long.
    pub fn share(&self, length: usize) -> Range<usize> {
        self.share_by(length, GRAIN)
    }

    /// This thread's share of a list so long, in whole grains.
    pub fn share_by(&self, length: usize, grain: usize) -> Range<usize> {
        let grains = length.div_ceil(grain);
        let bound = |index: usize| (grains * index / self.meeting.count * grain).min(length);
        bound(self.index)..bound(self.index + 1)
    }

    /// Whose [`share`](Self::share) of a list so long an entry is in.
    pub fn owner(&self, length: usize, index: usize) -> usize {
        let grains = length.div_ceil(GRAIN);
        ((index / GRAIN + 1) * self.meeting.count - 1) / grains
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.meeting.broken.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares cover a list, once, whatever its length and the number of threads; and no thread leaves a meeting before
    /// all came.
    #[test]
    fn shares_cover_and_meetings_hold() {
        for (threads, length) in [(1, 0), (1, 100), (2, 3), (3, 100), (4, 1_000)] {
            let team = Team::new(threads);
            let seen: Vec<AtomicUsize> = (0..length).map(|_| AtomicUsize::new(0)).collect();
            let sum = AtomicUsize::new(0);
            team.run(|member| {
                for round in 0..100 {
                    member.share(length).for_each(|i| {
                        seen[i].fetch_add(1, Ordering::Relaxed);
                        assert_eq!(member.owner(length, i), member.index);
                    });
                    sum.fetch_add(1, Ordering::Relaxed);
                    member.meet();
                    assert_eq!(sum.load(Ordering::Relaxed), (round + 1) * team.threads());
                    member.meet();
                }
            });
            assert!(
                seen.iter().all(|count| count.load(Ordering::Relaxed) == 100),
                "{threads} threads, {length} entries"
            );
        }
    }

    /// Where a thread panics, those that wait for it do too, in place of waiting for ever.
    #[test]
    fn a_panic_is_not_waited_for() {
        let result = std::panic::catch_unwind(|| {
            Team::new(2).run(|member| {
                assert_eq!(member.index, 0, "not this one");
                member.meet();
            });
        });
        assert!(result.is_err());
    }
}
