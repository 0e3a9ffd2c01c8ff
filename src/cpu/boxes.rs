//! Boxes of clusters of sixteen particles, and numbers of so many in registers.

use wide::f32x4;

use crate::cpu::lanes::{Lanes, MOST};
use crate::math::Vec3;

/// Particles of a cluster, and children of a node.
pub const EACH: usize = MOST;

pub type Line = [f32; EACH];
pub type Lines = [Line; 3];

/// The boxes of a node's children; those that hold nothing are infinite the wrong way round.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Boxes {
    pub low: Lines,
    pub high: Lines,
}

pub const NO_BOXES: Boxes = Boxes { low: [[f32::INFINITY; EACH]; 3], high: [[f32::NEG_INFINITY; EACH]; 3] };

/// Boxes of particles. No closure: see [`Visit`](crate::pass::pairs::cpu::hierarchy::Visit).
pub trait Extent<L> {
    /// The lowest and the highest places of some particles of a cluster. Must be inlined always.
    fn of(&self, cluster: usize, at: usize) -> [Vec3<L>; 2];
}

/// One box, in every lane.
pub struct Bounds<L> {
    low: Vec3<L>,
    high: Vec3<L>,
}

impl<L: Lanes> Bounds<L> {
    #[inline(always)]
    pub fn new(low: Vec3<f32>, high: Vec3<f32>) -> Self {
        Self { low: in_lanes([low.x, low.y, low.z]), high: in_lanes([high.x, high.y, high.z]) }
    }

    #[inline(always)]
    pub fn of(boxes: &Boxes, lane: usize) -> Self {
        let [low, high] = [&boxes.low, &boxes.high].map(|lines| [lines[0][lane], lines[1][lane], lines[2][lane]]);
        Self { low: in_lanes(low), high: in_lanes(high) }
    }

    /// A bit for each child whose box it meets.
    #[inline(always)]
    pub fn meets(&self, boxes: &Boxes) -> u32 {
        let mut met = 0;
        for at in (0..EACH).step_by(L::COUNT) {
            let (low, high) = (three_of(&boxes.low, at), three_of(&boxes.high, at));
            met |= self.overlaps(low, high) << at;
        }
        met
    }

    /// A bit for each particle of a cluster that reaches into it, by the lowest and the highest place of some of them.
    #[inline(always)]
    pub fn reached(&self, extents: &impl Extent<L>, cluster: usize) -> u32 {
        let mut met = 0;
        for at in (0..EACH).step_by(L::COUNT) {
            let [low, high] = extents.of(cluster, at);
            met |= self.overlaps(low, high) << at;
        }
        met
    }

    #[inline(always)]
    fn overlaps(&self, low: Vec3<L>, high: Vec3<L>) -> u32 {
        self.high.x.exceeding(low.x)
            & high.x.exceeding(self.low.x)
            & self.high.y.exceeding(low.y)
            & high.y.exceeding(self.low.y)
            & self.high.z.exceeding(low.z)
            & high.z.exceeding(self.low.z)
    }
}

/// A vector in every lane.
#[inline(always)]
pub fn in_lanes<L: Lanes>([x, y, z]: [f32; 3]) -> Vec3<L> {
    Vec3 { x: L::splat(x), y: L::splat(y), z: L::splat(z) }
}

/// Some lanes of a line.
#[inline(always)]
pub fn part<L: Lanes>(line: &Line, at: usize) -> L {
    assert!(at + L::COUNT <= EACH);
    // SAFETY: so many are there.
    unsafe { L::load(line.as_ptr().add(at)) }
}

#[inline(always)]
pub fn three_of<L: Lanes>([x, y, z]: &Lines, at: usize) -> Vec3<L> {
    Vec3 { x: part(x, at), y: part(y, at), z: part(z, at) }
}

#[inline(always)]
pub fn put<L: Lanes>(value: L, line: &mut Line, at: usize) {
    assert!(at + L::COUNT <= EACH);
    // SAFETY: there is room for so many.
    unsafe { value.store(line.as_mut_ptr().add(at)) }
}

#[inline(always)]
pub fn put_three<L: Lanes>(v: Vec3<L>, [x, y, z]: &mut Lines, at: usize) {
    put(v.x, x, at);
    put(v.y, y, at);
    put(v.z, z, at);
}

/// The least number of a line without NaN.
#[inline(always)]
pub fn least(line: &Line) -> f32 {
    let [a, b, c, d] = bytemuck::cast::<Line, [f32x4; 4]>(*line);
    let [a, b, c, d] = a.fast_min(b).fast_min(c.fast_min(d)).to_array();
    let smaller = |a: f32, b: f32| if a < b { a } else { b };
    smaller(smaller(a, b), smaller(c, d))
}

#[inline(always)]
pub fn most(line: &Line) -> f32 {
    let [a, b, c, d] = bytemuck::cast::<Line, [f32x4; 4]>(*line);
    let [a, b, c, d] = a.fast_max(b).fast_max(c.fast_max(d)).to_array();
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    larger(larger(a, b), larger(c, d))
}
