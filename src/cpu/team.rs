//! Threads that go through a frame together: each does its share of a list and waits for the others before the next.
//!
//! A frame has some hundred such meetings, a few microseconds apart: so the threads do not go home in between but spin.
//! On a machine that is busy otherwise the one that is waited for may have no core, perhaps because those that wait
//! have them all: so who waits for long sleeps.

use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Rounds of waiting before a thread lets others have its core: 24 µs.
const SPINS: u32 = 2_000;

/// How often it does before it sleeps: 80 µs where nobody wants the core, about what it takes to wake it.
const YIELDS: u32 = 400;

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
    /// Threads that sleep, or are about to.
    sleepers: AtomicUsize,
    /// Held by who falls asleep and by who wakes, so that no one falls asleep after the call.
    bed: Mutex<()>,
    called: Condvar,
    /// A thread panicked and will not come.
    broken: AtomicBool,
}

impl Meeting {
    /// Whether a thread that came in this round has to wait on.
    fn waits(&self, now: usize) -> bool {
        assert!(!self.broken.load(Ordering::SeqCst), "another thread of the solver panicked");
        self.round.load(Ordering::SeqCst) == now
    }

    fn sleep(&self, now: usize) {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        while self.waits(now) {
            bed = self.called.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Wakes who sleeps. What it waits for was written in sequence with [`sleepers`](Self::sleepers), so either it is
    /// counted here, or it sees that there is nothing to wait for.
    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
            self.called.notify_all();
        }
    }
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
        let Meeting { count, arrived, round, .. } = self.meeting;
        let now = round.load(Ordering::Acquire);
        if *count == 1 {
            round.store(now + 1, Ordering::Relaxed);
            return;
        }
        if arrived.fetch_add(1, Ordering::AcqRel) + 1 == *count {
            arrived.store(0, Ordering::Relaxed);
            round.store(now + 1, Ordering::SeqCst);
            self.meeting.wake();
            return;
        }
        for round in 0..SPINS + YIELDS {
            if !self.meeting.waits(now) {
                return;
            }
            if round < SPINS { spin_loop() } else { thread::yield_now() }
        }
        self.meeting.sleep(now);
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
            self.meeting.broken.store(true, Ordering::SeqCst);
            self.meeting.wake();
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

    /// Who waits for long sleeps, and is woken in every round.
    #[test]
    fn who_sleeps_is_woken() {
        let slept = AtomicUsize::new(0);
        Team::new(4).run(|member| {
            for round in 0..20 {
                if member.index == round % 4 {
                    while member.meeting.sleepers.load(Ordering::SeqCst) < 3 {
                        thread::yield_now();
                    }
                    slept.fetch_add(1, Ordering::Relaxed);
                }
                member.meet();
            }
        });
        assert_eq!(slept.into_inner(), 20);
    }

    /// Where a thread panics, those that wait for it do too, in place of waiting for ever: who spins, and who sleeps.
    #[test]
    fn a_panic_is_not_waited_for() {
        for asleep in [0, 1] {
            let result = std::panic::catch_unwind(|| {
                Team::new(2).run(|member| {
                    while member.index == 1 && member.meeting.sleepers.load(Ordering::SeqCst) < asleep {
                        thread::yield_now();
                    }
                    assert_eq!(member.index, 0, "not this one");
                    member.meet();
                });
            });
            assert!(result.is_err());
        }
    }
}
