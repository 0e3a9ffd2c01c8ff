//! The end of a substep and the beginning of the next for particles side by side, where nothing but gravity acts on
//! them in between: what [`Finish::finish`] and [`Fall::predicted`] do one by one, with the same bits.

use std::ops::Range;

#[cfg(all(target_arch = "x86_64", not(test)))]
use super::lanes::{Eight, Sixteen};
use super::lanes::{Four, Instructions, Lanes, MOST};
use super::particles::{Fall, Finish};
use super::shared::Shared;
use super::solve::Points;
use wide::f32x4;

/// Ends a substep for a range of slots and, if there is a next, begins it.
pub struct Advance<'a> {
    pub finish: Finish<'a>,
    pub next: Option<Fall<'a>>,
    /// Whether u is written though there is a next, which makes its own: a pass reads it in between.
    pub tells_ways: bool,
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
}

impl Advance<'_> {
    pub fn all(&self, slots: Range<usize>, instructions: Instructions) {
        assert!([self.points.d.len(), self.points.e.len(), self.u.len()].iter().all(|&len| len >= slots.end));
        assert!(slots.end <= self.points.x.len());
        match instructions {
            Instructions::Baseline => self.in_lanes::<Four>(slots),
            // SAFETY: a solver is made for instructions that the processor has.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Instructions::Avx2 => unsafe { self.in_avx2(slots) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Instructions::Avx512 => unsafe { self.in_avx512(slots) },
        }
    }

    #[cfg(all(target_arch = "x86_64", not(test)))]
    #[target_feature(enable = "avx2")]
    fn in_avx2(&self, slots: Range<usize>) {
        self.in_lanes::<Eight>(slots);
    }

    #[cfg(all(target_arch = "x86_64", not(test)))]
    #[target_feature(enable = "avx512f,avx2")]
    fn in_avx512(&self, slots: Range<usize>) {
        self.in_lanes::<Sixteen>(slots);
    }

    #[inline(always)]
    fn in_lanes<L: Lanes>(&self, slots: Range<usize>) {
        let each = L::COUNT / 4;
        let whole = slots.len() / each * each;
        let constants = Constants::<L>::new(self);
        for slot in (slots.start..slots.start + whole).step_by(each) {
            if !self.several(slot, &constants) {
                (slot..slot + each).for_each(|slot| self.check(slot));
            }
        }
        for slot in slots.start + whole..slots.end {
            let constants = Constants::<Four>::new(self);
            if !self.several(slot, &constants) {
                self.check(slot);
            }
        }
    }

    /// Returns whether all is sound.
    #[inline(always)]
    fn several<L: Lanes>(&self, slot: usize, constants: &Constants<L>) -> bool {
        let Points { x, d, e } = &self.points;
        // SAFETY: there are so many slots, as `all` asked, and they are this thread's.
        let at = |list: &Shared<f32x4>| unsafe { list.pointer().add(slot).cast::<f32>() };
        // SAFETY: as above.
        let (old, moved, left) = unsafe { (L::load(at(x)), L::load(at(d)), L::load(at(e))) };
        let way = moved - left;
        let steps = (moved * constants.inverse_q).rounded() * constants.q;
        let (position, rest) = (old + steps, moved - steps);
        // SAFETY: as above.
        unsafe {
            position.store(at(x));
            rest.store(at(e));
            if self.next.is_some() {
                let free = old.fourths().greater(constants.zero);
                (rest + L::select(free, way + constants.gravity, constants.zero)).store(at(d));
            }
            if self.tells_ways || self.next.is_none() {
                way.store(at(&self.u));
            }
        }
        let speeds = way * constants.inverse_seconds;
        constants.most.exceeds_all(speeds.max(-speeds)) && constants.reach.exceeds_all(position.max(-position))
    }

    #[cold]
    fn check(&self, slot: usize) {
        let Points { x, d, e } = &self.points;
        // What was the way is no longer there: the next one is, which differs from it by that of gravity.
        let way = if self.next.is_some() { d.read(slot) - e.read(slot) } else { self.u.read(slot) };
        self.finish.check(slot, way, x.read(slot));
    }
}

struct Constants<L> {
    zero: L,
    inverse_seconds: L,
    q: L,
    inverse_q: L,
    most: L,
    reach: L,
    gravity: L,
}

impl<L: Lanes> Constants<L> {
    #[inline(always)]
    fn new(advance: &Advance) -> Self {
        let of = |vector: f32x4| L::from_array(&bytemuck::cast::<[f32x4; 4], [f32; MOST]>([vector; 4]));
        let Finish { inverse_seconds, q, inverse_q, reach, .. } = advance.finish;
        Self {
            zero: L::from_f64(0.0),
            inverse_seconds: of(inverse_seconds),
            q: of(q),
            inverse_q: of(inverse_q),
            most: L::from_f64(f64::from(super::particles::RUNAWAY_SPEED)),
            reach: of(reach),
            gravity: of(advance.next.as_ref().map_or(f32x4::ZERO, |fall| fall.gravity)),
        }
    }
}
