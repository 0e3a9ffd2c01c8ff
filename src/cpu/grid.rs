//! A hashed grid over particles, with cells of several sizes, each twice as large as those of the level below: see
//! `shaders/pairs/grid.wgsl`. Here it is sorted by counting, and buckets of cells in a row follow each other: so three cells of a row are
//! one range. The order within a bucket is that of the threads; nothing depends on it, since partners are sorted.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::lanes::{Lanes, MOST};
use super::team::Member;
use crate::constraint::Vec3;

const LEVELS: u32 = 20;
/// As in `shaders/pairs/grid.wgsl`.
const MOST_IN_BUCKET: u32 = 4096;
/// Sizes of cells begin at this share of the largest.
const FINEST_SHARE: f64 = 1.0 / 32.0;
const NOWHERE: u32 = u32::MAX;

/// A list that all threads write, each number by itself.
type Numbers = Vec<AtomicU32>;

fn numbers(count: usize) -> Numbers {
    (0..count).map(|_| AtomicU32::new(0)).collect()
}

#[inline(always)]
fn float(number: &AtomicU32) -> f32 {
    f32::from_bits(number.load(Ordering::Relaxed))
}

pub struct Grid {
    finest: f32,
    /// A power of two, less one.
    mask: u32,
    /// How many each bucket holds, then where it ends, then where it begins, and the end of all.
    begins: Numbers,
    /// The bucket of each particle.
    bucket_of: Numbers,
    /// x, y, z and extent of each particle.
    places: Numbers,
    /// Who is in the buckets, and x, y, z and extent of each, in lists that go on for as long as a register reads.
    entries: Numbers,
    entry_places: [Numbers; 4],
    /// Bits of the largest extent in each level; 0 where it holds none.
    largest: [AtomicU32; LEVELS as usize],
    level_of: Numbers,
    crowded: AtomicU32,
}

impl Grid {
    /// For particles of these radii, m, each of which has `extent` radii where it rests.
    pub fn new(radii: &[f64], extent: f64) -> Self {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let smallest = radii.iter().copied().filter(|&radius| radius > 0.0).fold(largest, f64::min);
        let buckets = (2 * radii.len()).next_power_of_two();
        Self {
            finest: (4.0 * extent * smallest.max(FINEST_SHARE * largest)) as f32,
            mask: buckets as u32 - 1,
            begins: numbers(buckets + 1),
            bucket_of: numbers(radii.len()),
            places: numbers(4 * radii.len()),
            entries: numbers(radii.len()),
            entry_places: std::array::from_fn(|_| numbers(radii.len() + MOST)),
            largest: std::array::from_fn(|_| AtomicU32::new(0)),
            level_of: numbers(radii.len()),
            crowded: AtomicU32::new(0),
        }
    }

    #[inline(always)]
    fn size(&self, level: u32) -> f32 {
        self.finest * (1_u32 << level) as f32
    }

    #[inline(always)]
    fn bucket(&self, [x, y, z]: [i32; 3], level: u32) -> u32 {
        (x as u32)
            .wrapping_add((y as u32).wrapping_mul(0x9e37_79b1))
            .wrapping_add((z as u32).wrapping_mul(0x85eb_ca77))
            .wrapping_add(level.wrapping_mul(0xc2b2_ae3d))
            & self.mask
    }

    pub fn clear(&self, member: &Member) {
        for list in [&self.begins, &self.bucket_of] {
            let value = if std::ptr::eq(list, &self.begins) { 0 } else { NOWHERE };
            member.share(list.len()).for_each(|at| list[at].store(value, Ordering::Relaxed));
        }
        if member.index == 0 {
            self.largest.iter().for_each(|largest| largest.store(0, Ordering::Relaxed));
            self.crowded.store(0, Ordering::Relaxed);
        }
    }

    /// Takes in a particle that reaches so far. What is nowhere, or farther than cells can be counted, is left out.
    pub fn count(&self, slot: usize, place: Vec3<f32>, extent: f32) {
        let Some(level) = (0..LEVELS).find(|&level| self.size(level) >= 2.0 * extent) else { return };
        let scaled = place * (1.0 / self.size(level));
        let largest = scaled.x.abs().max(scaled.y.abs()).max(scaled.z.abs());
        if !(place.dot(place).is_finite() && largest < 1e9) {
            return;
        }
        let bucket = self.bucket(cell(scaled), level);
        for (k, value) in [place.x, place.y, place.z, extent].into_iter().enumerate() {
            self.places[4 * slot + k].store(value.to_bits(), Ordering::Relaxed);
        }
        self.level_of[slot].store(level, Ordering::Relaxed);
        self.bucket_of[slot].store(bucket, Ordering::Relaxed);
        // Extents are not negative, and so ordered as their bits.
        let largest = &self.largest[level as usize];
        if largest.load(Ordering::Relaxed) < extent.to_bits() {
            largest.fetch_max(extent.to_bits(), Ordering::Relaxed);
        }
        if self.begins[bucket as usize].fetch_add(1, Ordering::Relaxed) >= MOST_IN_BUCKET {
            self.crowded.store(1, Ordering::Relaxed);
        }
    }

    /// By one of the threads: where each bucket ends. Returns whether one is too full, for all of them.
    pub fn begin_buckets(&self, member: &Member) -> bool {
        if member.index == 0 {
            let mut sum = 0;
            for begin in &self.begins {
                sum += begin.load(Ordering::Relaxed);
                begin.store(sum, Ordering::Relaxed);
            }
        }
        self.crowded.load(Ordering::Relaxed) != 0
    }

    /// Puts a particle into its bucket.
    pub fn put(&self, slot: usize) {
        let bucket = self.bucket_of[slot].load(Ordering::Relaxed);
        if bucket == NOWHERE {
            return;
        }
        let at = self.begins[bucket as usize].fetch_sub(1, Ordering::Relaxed) as usize - 1;
        self.entries[at].store(slot as u32, Ordering::Relaxed);
        for (place, list) in self.places[4 * slot..4 * slot + 4].iter().zip(&self.entry_places) {
            list[at].store(place.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// The levels that hold any, and the largest extent in each; none where a bucket is too full.
    pub fn levels(&self) -> Vec<(u32, f32)> {
        let levels = (0..).zip(&self.largest).map(|(level, largest)| (level, float(largest)));
        levels.filter(|level| level.1 > 0.0 && self.crowded.load(Ordering::Relaxed) == 0).collect()
    }

    /// Adds each particle of these levels whose extent meets that of this one to a list; some more than once, and itself.
    #[inline(always)]
    pub fn near<L: Lanes>(&self, slot: usize, levels: &[(u32, f32)], found: &mut Vec<u32>) {
        if self.bucket_of[slot].load(Ordering::Relaxed) == NOWHERE {
            return;
        }
        let mine = &self.places[4 * slot..4 * slot + 4];
        let [x, y, z, extent] = [float(&mine[0]), float(&mine[1]), float(&mine[2]), float(&mine[3])];
        let place = Vec3 { x, y, z };
        let mine = [L::splat(x), L::splat(y), L::splat(z), L::splat(extent)];
        let begin = |bucket: u32| self.begins[bucket as usize].load(Ordering::Relaxed);
        for &(level, largest) in levels {
            let inverse = 1.0 / self.size(level);
            let reach = Vec3 { x: 1.0, y: 1.0, z: 1.0 } * (extent + largest);
            let (low, high) = (cell((place - reach) * inverse), cell((place + reach) * inverse));
            let cells: f64 = (0..3).map(|k| f64::from(high[k]) - f64::from(low[k]) + 1.0).product();
            if cells > self.entries.len() as f64 + 64.0 {
                // Around something huge or very fast there are more cells than particles.
                self.entries_near(&mine, 0..begin(self.mask + 1), found);
                continue;
            }
            for c in low[2]..=high[2] {
                for b in low[1]..=high[1] {
                    let first = self.bucket([low[0], b, c], level);
                    let last = self.bucket([high[0], b, c], level);
                    if first <= last && (high[0] - low[0]) as u32 <= self.mask {
                        self.entries_near(&mine, begin(first)..begin(last + 1), found);
                    } else {
                        // Round the end.
                        self.entries_near(&mine, begin(first)..begin(self.mask + 1), found);
                        self.entries_near(&mine, begin(0)..begin(last + 1), found);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn entries_near<L: Lanes>(&self, mine: &[L; 4], range: Range<u32>, found: &mut Vec<u32>) {
        assert!(range.end as usize <= self.entries.len());
        for at in range.clone().step_by(L::COUNT) {
            let [x, y, z, extent] = &self.entry_places;
            // SAFETY: the lists go on for as long as a register reads, and nobody writes them while partners are sought.
            let (x, y, z, extent) =
                unsafe { (load::<L>(x, at), load::<L>(y, at), load::<L>(z, at), load::<L>(extent, at)) };
            let apart = Vec3 { x: mine[0] - x, y: mine[1] - y, z: mine[2] - z };
            let extents = mine[3] + extent;
            let mut near = (extents * extents).exceeding(apart.dot(apart)) & first_lanes(range.end - at);
            while near != 0 {
                let entry = at + near.trailing_zeros();
                found.push(self.entries[entry as usize].load(Ordering::Relaxed));
                near &= near - 1;
            }
        }
    }
}

/// # Safety
/// A register must be there.
#[inline(always)]
unsafe fn load<L: Lanes>(list: &Numbers, at: u32) -> L {
    // SAFETY: the caller's.
    unsafe { L::load(list.as_ptr().add(at as usize).cast()) }
}

/// A bit for each of the first lanes of a register, no more than there are.
#[inline(always)]
pub fn first_lanes(count: u32) -> u32 {
    (1 << count.min(MOST as u32)) - 1
}

#[inline(always)]
fn cell(scaled: Vec3<f32>) -> [i32; 3] {
    [floor(scaled.x), floor(scaled.y), floor(scaled.z)]
}

/// Without SSE4 the largest whole number below is a call.
#[inline(always)]
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole - i32::from(whole as f32 > value)
}
