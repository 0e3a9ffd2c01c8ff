//! In which order threads go through the constraints of a group. The result is to the bit that of one colour after
//! another, each a sweep through the memory of all particles with a meeting of the threads behind it: but two
//! constraints that share no particle may change places. So each thread has a part of the particles and does by itself
//! what touches no other part, and within a part it goes from one neighbourhood to the next, there through all colours
//! while the particles are in its caches. What lies across parts comes after. See Wonnacott, Using Time Skewing to
//! Eliminate Idle Time due to Memory Bandwidth and Network Limitations, 2000. A phase in clusters is such parts from
//! the start: each thread goes through a cluster there and back before it comes to the next.

use std::ops::Range;

/// Particles of a neighbourhood: with what is read and written of them it fits in the cache of a core.
pub const NEIGHBOURHOOD: u32 = 4096;

/// Constraints of a colour that are not worth a meeting of the threads.
const FEW: usize = 256;

/// Constraints between two meetings.
#[derive(Debug, PartialEq)]
pub enum Stage {
    /// For each thread the pieces that it does one after the other, each run after run. Pieces share no particle, nor
    /// do the places of a run.
    Parts(Vec<Vec<Runs>>),
    /// A run of which each thread does a share.
    Run(Vec<u32>),
}

/// Places, run after run.
pub type Runs = Vec<Vec<u32>>;

/// The particles of constraints that move by them, as slots.
pub trait Members {
    /// Of the constraint at a place.
    fn of(&self, place: u32) -> impl Iterator<Item = u32> + Clone;
}

/// What is put in order.
pub struct Colours<'a, M> {
    /// Places of the colours, in the order in which they are solved.
    pub colours: &'a [Range<u32>],
    pub members: M,
    /// How many particles there are.
    pub slots: u32,
    /// Particles of a neighbourhood.
    pub neighbourhood: u32,
}

impl<M: Members> Colours<'_, M> {
    /// The stages for so many threads.
    pub fn stages(&self, threads: usize) -> Vec<Stage> {
        let places = || self.colours.iter().cloned().flatten();
        if threads == 1 {
            return vec![Stage::Parts(vec![vec![self.by_neighbourhoods(places().collect())]])];
        }
        let mut stages = Vec::new();
        let mut left: Vec<u32> = places().collect();
        // How much there is to do before each particle: parts of as many particles each are not of as much work where
        // some are in no constraint, such as those that a tear may split off, which lie behind all others.
        let mut before = vec![0; self.slots as usize + 1];
        left.iter().flat_map(|&place| self.members.of(place)).for_each(|slot| before[slot as usize + 1] += 1);
        let all = before.iter_mut().fold(0, |sum, before| {
            *before += sum;
            *before
        });
        let parts = threads as u64;
        // What lies across parts is mostly inside of parts that begin in the middle of these.
        for shift in [0, all / (2 * parts)] {
            if left.is_empty() {
                break;
            }
            let owner = |slot: u32| ((before[slot as usize] + shift) * parts / all % parts) as u32;
            let (inside, across) = self.divided(&left, owner, threads);
            if across.len() * 2 > left.len() {
                break;
            }
            stages.push(Stage::Parts(inside.into_iter().map(|places| vec![self.by_neighbourhoods(places)]).collect()));
            left = across;
        }
        let turns = vec![0; left.len()];
        let runs = self.runs(left, &turns);
        match runs.iter().all(|run| run.len() < FEW) {
            true if runs.is_empty() => {}
            true => stages
                .push(Stage::Parts((0..threads).map(|i| if i == 0 { vec![runs.clone()] } else { vec![] }).collect())),
            false => stages.extend(runs.into_iter().map(Stage::Run)),
        }
        stages
    }

    /// The stage of a phase all of whose constraints lie in clusters, of which there are so many: each thread has as
    /// many constraints as each other.
    pub fn in_clusters(&self, threads: usize, clusters: usize, cluster_of: impl Fn(u32) -> u32) -> Stage {
        let mut places_of: Vec<Vec<u32>> = vec![Vec::new(); clusters];
        for place in self.colours.iter().cloned().flatten() {
            places_of[cluster_of(place) as usize].push(place);
        }
        let all: usize = places_of.iter().map(Vec::len).sum();
        let mut parts: Vec<Vec<Runs>> = vec![Vec::new(); threads];
        let mut before = 0;
        for places in places_of.into_iter().filter(|places| !places.is_empty()) {
            let part = before * threads / all;
            before += places.len();
            let turns = vec![0; places.len()];
            parts[part].push(self.runs(places, &turns));
        }
        Stage::Parts(parts)
    }

    /// What each part can do by itself, and what waits for others: it has particles of several parts, or some that a
    /// constraint before it has to move first, which waits itself.
    fn divided(&self, places: &[u32], owner: impl Fn(u32) -> u32, parts: usize) -> (Vec<Vec<u32>>, Vec<u32>) {
        let mut waiting = vec![false; self.slots as usize];
        let (mut inside, mut across) = (vec![Vec::new(); parts], Vec::new());
        for &place in places {
            let members = self.members.of(place);
            let part = members.clone().next().map_or(0, &owner);
            if members.clone().all(|slot| owner(slot) == part && !waiting[slot as usize]) {
                inside[part as usize].push(place);
            } else {
                members.for_each(|slot| waiting[slot as usize] = true);
                across.push(place);
            }
        }
        (inside, across)
    }

    /// Runs in the order of neighbourhoods: each constraint as soon as the last of its particles is reached and what
    /// comes before it is done.
    fn by_neighbourhoods(&self, places: Vec<u32>) -> Runs {
        let mut reached = vec![0; self.slots as usize];
        let mut when = Vec::with_capacity(places.len());
        for &place in &places {
            let members = self.members.of(place);
            let turn =
                members.clone().map(|slot| reached[slot as usize].max(slot / self.neighbourhood)).max().unwrap_or(0);
            members.for_each(|slot| reached[slot as usize] = turn);
            when.push(turn);
        }
        self.runs(places, &when)
    }

    /// The places, in the order of colours, by turn and then by colour.
    fn runs(&self, places: Vec<u32>, when: &[u32]) -> Runs {
        let turns = when.iter().max().map_or(0, |&last| last as usize + 1);
        let mut runs: Vec<Vec<Vec<u32>>> = vec![Vec::new(); turns];
        let mut colour = 0;
        // The colour of each turn's last run.
        let mut last = vec![usize::MAX; turns];
        for (place, &turn) in places.into_iter().zip(when) {
            while self.colours[colour].end <= place {
                colour += 1;
            }
            let turn = turn as usize;
            match runs[turn].last_mut() {
                Some(run) if last[turn] == colour => run.push(place),
                _ => runs[turn].push(vec![place]),
            }
            last[turn] = colour;
        }
        runs.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Members for &[[u32; 2]] {
        fn of(&self, place: u32) -> impl Iterator<Item = u32> + Clone {
            self[place as usize].into_iter()
        }
    }

    /// Pairs of near particles of a ring, a few far ones among them, in ten colours, and the places of these.
    fn line(slots: u32) -> (Vec<[u32; 2]>, Vec<Range<u32>>) {
        let mut coloured: Vec<Vec<[u32; 2]>> = vec![Vec::new(); 10];
        let mut used = vec![0_u32; slots as usize];
        let mut random = 1_u32;
        let mut below = |bound: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % bound
        };
        for first in 0..slots {
            for _ in 0..3 {
                let way = if below(50) == 0 { below(slots) } else { 1 + below(5) };
                let pair = [first, (first + way) % slots];
                let taken = used[pair[0] as usize] | used[pair[1] as usize];
                let colour = taken.trailing_ones();
                if pair[0] != pair[1] && colour < 10 {
                    pair.iter().for_each(|&slot| used[slot as usize] |= 1 << colour);
                    coloured[colour as usize].push(pair);
                }
            }
        }
        let ends = coloured.iter().scan(0, |end, pairs| {
            let start = *end;
            *end += pairs.len() as u32;
            Some(start..*end)
        });
        let colours = ends.collect();
        (coloured.into_iter().flatten().collect(), colours)
    }

    /// Each constraint comes once. At every particle constraints come in the order of their colours: those of other
    /// threads behind a meeting, and those of a run share no particle.
    #[test]
    fn each_particle_sees_the_colours_in_order() {
        for slots in [3, 40, 3_000] {
            let (pairs, colours) = line(slots);
            for threads in 1..5 {
                let ordered = Colours { colours: &colours, members: &pairs[..], slots, neighbourhood: 64 };
                let mut seen = vec![false; pairs.len()];
                // The last place at each particle, and when: of which stage, thread and run.
                let mut last: Vec<Option<(u32, [usize; 3])>> = vec![None; slots as usize];
                for (stage, what) in ordered.stages(threads).into_iter().enumerate() {
                    let parts = match what {
                        Stage::Parts(parts) => parts,
                        // By whichever thread each.
                        Stage::Run(run) => vec![vec![vec![run]]],
                    };
                    assert!(parts.len() == threads || parts.len() == 1);
                    for (thread, pieces) in parts.iter().enumerate() {
                        for (index, run) in pieces.iter().flatten().enumerate() {
                            for &place in run {
                                assert!(!std::mem::replace(&mut seen[place as usize], true), "{place} comes twice");
                                for slot in pairs[place as usize] {
                                    let now = [stage, thread, index];
                                    if let Some((before, when)) = last[slot as usize].replace((place, now)) {
                                        let later = when[0] < stage || when[1] == thread && when[2] < index;
                                        assert!(before < place && later, "{before} at {when:?}, {place} at {now:?}");
                                    }
                                }
                            }
                        }
                    }
                }
                assert!(seen.iter().all(|&seen| seen), "{threads} threads, {slots} particles");
            }
        }
    }

    /// Two threads do most of a long line without a meeting, neighbourhood after neighbourhood.
    #[test]
    fn parts_are_large() {
        let pairs: Vec<[u32; 2]> =
            [0, 1].into_iter().flat_map(|odd| (odd..999).step_by(2).map(|i| [i, i + 1])).collect();
        let colours = [0..500, 500..999];
        let stages = Colours { colours: &colours, members: &pairs[..], slots: 1_000, neighbourhood: 100 }.stages(2);
        let Stage::Parts(parts) = &stages[0] else { panic!("{stages:?}") };
        assert_eq!((counts(parts), parts[0][0].len(), stages.len()), (vec![499, 499], 10, 2));
    }

    /// Parts are of as much work each, also where most particles are in no constraint.
    #[test]
    fn parts_are_alike() {
        let pairs: Vec<[u32; 2]> = (0..1_000).map(|i| [2 * i, 2 * i + 1]).collect();
        let colours = vec![0..1_000; 1];
        let ordered = Colours { colours: &colours, members: &pairs[..], slots: 10_000, neighbourhood: 100 };
        let stages = ordered.stages(4);
        let [Stage::Parts(parts)] = &stages[..] else { panic!("{stages:?}") };
        assert_eq!(counts(parts), [250; 4]);
    }

    fn counts(parts: &[Vec<Runs>]) -> Vec<usize> {
        parts.iter().map(|pieces| pieces.iter().flatten().map(Vec::len).sum()).collect()
    }
}
