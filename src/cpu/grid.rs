//! A hashed grid over particles, with cells of several sizes, each twice as large as those of the level below: see
//! `shaders/pairs/grid.wgsl`. Here it is sorted by counting, and buckets of cells in a row follow each other: so three cells of a row are
//! one range. The order within a bucket is that of the threads; nothing depends on it, since partners are sorted.

use std::sync::atomic::{AtomicU32, Ordering};

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
    /// x, y, z and extent of each particle, then of each entry of the buckets.
    places: Numbers,
    entries: Numbers,
    entry_places: Numbers,
    /// A bit for each level that holds any.
    levels: AtomicU32,
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
            finest: (2.0 * extent * smallest.max(FINEST_SHARE * largest)) as f32,
            mask: buckets as u32 - 1,
            begins: numbers(buckets + 1),
            bucket_of: numbers(radii.len()),
            places: numbers(4 * radii.len()),
            entries: numbers(radii.len()),
            entry_places: numbers(4 * radii.len()),
            levels: AtomicU32::new(0),
            level_of: numbers(radii.len()),
            crowded: AtomicU32::new(0),
        }
    }

    fn size(&self, level: u32) -> f32 {
        self.finest * (1_u32 << level) as f32
    }

    fn bucket(&self, [x, y, z]: [i32; 3], level: u32) -> u32 {
        let [x, y, z] = [x, y, z].map(|value| value as u32);
        x.wrapping_add(y.wrapping_mul(0x9e37_79b1))
            .wrapping_add(z.wrapping_mul(0x85eb_ca77))
            .wrapping_add(level.wrapping_mul(0xc2b2_ae3d))
            & self.mask
    }

    pub fn clear(&self, member: &Member) {
        for list in [&self.begins, &self.bucket_of] {
            let value = if std::ptr::eq(list, &self.begins) { 0 } else { NOWHERE };
            member.share(list.len()).for_each(|at| list[at].store(value, Ordering::Relaxed));
        }
        if member.index == 0 {
            self.levels.store(0, Ordering::Relaxed);
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
        self.levels.fetch_or(1 << level, Ordering::Relaxed);
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
        for k in 0..4 {
            let value = self.places[4 * slot + k].load(Ordering::Relaxed);
            self.entry_places[4 * at + k].store(value, Ordering::Relaxed);
        }
    }

    /// Calls `found` with each particle whose extent meets that of this one; some more than once.
    pub fn near(&self, slot: usize, mut found: impl FnMut(usize)) {
        if self.bucket_of[slot].load(Ordering::Relaxed) == NOWHERE || self.crowded.load(Ordering::Relaxed) != 0 {
            return;
        }
        let [x, y, z, extent] = std::array::from_fn(|k| float(&self.places[4 * slot + k]));
        let place = Vec3 { x, y, z };
        let mut levels = self.levels.load(Ordering::Relaxed);
        while levels != 0 {
            let level = levels.trailing_zeros();
            levels &= levels - 1;
            let (size, inverse) = (self.size(level), 1.0 / self.size(level));
            let reach = Vec3 { x: 1.0, y: 1.0, z: 1.0 } * (extent + 0.5 * size);
            let (low, high) = (cell((place - reach) * inverse), cell((place + reach) * inverse));
            let cells: f64 = (0..3).map(|k| f64::from(high[k]) - f64::from(low[k]) + 1.0).product();
            if cells > self.entries.len() as f64 + 64.0 {
                // Around something huge or very fast there are more cells than particles.
                let count = self.begins.last().map_or(0, |end| end.load(Ordering::Relaxed));
                self.entries_near(slot, place, extent, 0..count, &mut found);
                continue;
            }
            for c in low[2]..=high[2] {
                for b in low[1]..=high[1] {
                    let first = self.bucket([low[0], b, c], level);
                    let last = self.bucket([high[0], b, c], level);
                    let begin = |bucket: u32| self.begins[bucket as usize].load(Ordering::Relaxed);
                    if first <= last && (high[0] - low[0]) as u32 <= self.mask {
                        self.entries_near(slot, place, extent, begin(first)..begin(last + 1), &mut found);
                    } else {
                        // Round the end.
                        self.entries_near(slot, place, extent, begin(first)..begin(self.mask + 1), &mut found);
                        self.entries_near(slot, place, extent, begin(0)..begin(last + 1), &mut found);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn entries_near(
        &self,
        slot: usize,
        place: Vec3<f32>,
        extent: f32,
        range: std::ops::Range<u32>,
        found: &mut impl FnMut(usize),
    ) {
        let range = range.start as usize..range.end as usize;
        let places = self.entry_places[4 * range.start..4 * range.end].chunks_exact(4);
        for (entry, at) in self.entries[range].iter().zip(places) {
            let [x, y, z, other] = [float(&at[0]), float(&at[1]), float(&at[2]), float(&at[3])];
            let apart = place - Vec3 { x, y, z };
            let extents = extent + other;
            if apart.dot(apart) < extents * extents {
                let entry = entry.load(Ordering::Relaxed) as usize;
                if entry != slot {
                    found(entry);
                }
            }
        }
    }
}

#[inline(always)]
fn cell(scaled: Vec3<f32>) -> [i32; 3] {
    [scaled.x, scaled.y, scaled.z].map(|value| value.floor() as i32)
}
