//! The faces by leaves of the tree: how registers reach their corners, and what is made anew of each in a substep.

use std::ops::Range;

use wide::f32x4;

use super::search::SLACK;
use super::{Now, View};
use crate::cpu::boxes::{Boxes, EACH, Line, NO_BOXES, in_lanes, part, put};
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::shared::Shared;
use crate::math::Vec3;
use crate::math::mask::{greatest, least};
use crate::pass::surfaces::features::Surfaces;

/// A slot for each lane.
pub type Slots = [u32; EACH];

/// Three numbers at some slots, and the fourth.
///
/// # Safety
/// There must be an entry at each slot, and no thread may write these meanwhile.
#[inline(always)]
pub unsafe fn at_slots<L: Lanes>(of: &Shared<f32x4>, slots: &Slots, at: usize) -> (Vec3<L>, L) {
    // SAFETY: the caller's.
    let [x, y, z, w] = L::transposed(unsafe { L::gather(of.pointer(), slots[at..at + L::COUNT].as_ptr()) });
    (Vec3 { x, y, z }, w)
}

/// What does not change of the faces of a leaf. What the last one lacks is as its last face, without a radius.
pub struct Leaf {
    corners: [Slots; 3],
    /// m; NaN where there is no face.
    radius: Line,
}

/// All leaves.
pub fn leaves(surfaces: &Surfaces, radii: &[f32]) -> Vec<Leaf> {
    let count = surfaces.faces.len();
    let leaf = |leaf: usize| {
        let faces: [usize; EACH] = std::array::from_fn(|lane| EACH * leaf + lane);
        let corner = |k: usize| faces.map(|face| surfaces.faces[face.min(count - 1)].corners[k]);
        let radius = |face: usize| surfaces.body_of.get(face).map_or(f32::NAN, |&body| radii[body as usize]);
        Leaf { corners: [corner(0), corner(1), corner(2)], radius: faces.map(radius) }
    };
    (0..count.div_ceil(EACH)).map(leaf).collect()
}

/// Where the corners of some faces are: x, d and e.
struct Corners<L> {
    x: [Vec3<L>; 3],
    d: [Vec3<L>; 3],
    e: [Vec3<L>; 3],
}

impl<L: Lanes> Corners<L> {
    #[inline(always)]
    fn of(now: &Now, [a, b, c]: &[Slots; 3], at: usize) -> Self {
        // SAFETY: corners are slots, and no thread writes these lists meanwhile.
        unsafe {
            let (x, d, e) = (&now.points.x, &now.points.d, &now.points.e);
            Self {
                x: [at_slots(x, a, at).0, at_slots(x, b, at).0, at_slots(x, c, at).0],
                d: [at_slots(d, a, at).0, at_slots(d, b, at).0, at_slots(d, c, at).0],
                e: [at_slots(e, a, at).0, at_slots(e, b, at).0, at_slots(e, c, at).0],
            }
        }
    }

    /// The lowest and the highest places on the ways of the faces less the common one, axis by axis.
    #[inline(always)]
    fn swept(&self, common: Vec3<L>, reach: L) -> [[L; 2]; 3] {
        let Self { x, d, e } = self;
        let end = [x[0] + (d[0] - common), x[1] + (d[1] - common), x[2] + (d[2] - common)];
        let (mut low, mut high) = (end[0], end[0]);
        for place in [end[1], end[2], x[0] + e[0], x[1] + e[1], x[2] + e[2]] {
            low = Vec3 { x: least(low.x, place.x), y: least(low.y, place.y), z: least(low.z, place.z) };
            high = Vec3 { x: greatest(high.x, place.x), y: greatest(high.y, place.y), z: greatest(high.z, place.z) };
        }
        [[low.x - reach, high.x + reach], [low.y - reach, high.y + reach], [low.z - reach, high.z + reach]]
    }

    /// The coefficients of N, and the length of the longest edge: see [`flat`](super::flat).
    #[inline(always)]
    fn normals(&self) -> ([Vec3<L>; 3], L) {
        let Self { x, d, e } = self;
        let [ab, ac] = [x[1] - x[0], x[2] - x[0]];
        let [p, q] = [ab + (e[1] - e[0]), ac + (e[2] - e[0])];
        let [r, s] = [ab + (d[1] - d[0]), ac + (d[2] - d[0])];
        let mut longest = L::from_f64(0.0);
        for edge in [p, q, q - p, r, s, s - r] {
            longest = longest.max(edge.dot(edge));
        }
        let mixed = (p.cross(s) + r.cross(q)) * L::from_f64(0.5);
        ([p.cross(q), mixed, r.cross(s)], longest.sqrt())
    }
}

/// Boxes round the ways of the faces of a leaf; of what is not a number, or nowhere, there is none.
#[inline(always)]
fn put_box<L: Lanes>(extent: [[L; 2]; 3], boxes: &mut Boxes, at: usize) {
    for (k, [low, high]) in extent.into_iter().enumerate() {
        let sound = high.greater(low);
        put(L::select(sound, low, L::splat(f32::INFINITY)), &mut boxes.low[k], at);
        put(L::select(sound, high, L::splat(f32::NEG_INFINITY)), &mut boxes.high[k], at);
    }
}

/// How far boxes reach beyond the ways of vertices.
#[inline(always)]
fn reach<L: Lanes>(now: &Now, leaf: &Leaf, at: usize) -> L {
    L::splat(1.0 + 2.0 * SLACK) * part::<L>(&leaf.radius, at) + L::splat(now.rounding)
}

/// Makes the boxes and the normals of the faces in some leaves.
pub struct Make<'a> {
    pub view: &'a View<'a>,
    pub now: &'a Now<'a>,
    pub leaves: Range<usize>,
    pub common: f32x4,
}

impl InLanes for Make<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, now, leaves, common } = self;
        let [x, y, z, _] = common.to_array();
        let common = in_lanes::<L>([x, y, z]);
        for index in leaves {
            let leaf = &view.leaves[index];
            let mut boxes = NO_BOXES;
            for at in (0..EACH).step_by(L::COUNT) {
                let corners = Corners::<L>::of(now, &leaf.corners, at);
                put_box(corners.swept(common, reach(now, leaf, at)), &mut boxes, at);
                let (normals, longest) = corners.normals();
                view.flat.put(EACH * index + at, normals, longest);
            }
            view.tree.put_leaf(index, boxes);
        }
    }
}

/// Makes the boxes of the leaves of some faces wider, ascending.
pub struct Widen<'a> {
    pub view: &'a View<'a>,
    pub now: &'a Now<'a>,
    pub faces: &'a [u32],
    pub common: f32x4,
}

impl InLanes for Widen<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, now, faces, common } = self;
        let [x, y, z, _] = common.to_array();
        let common = in_lanes::<L>([x, y, z]);
        for faces in faces.chunk_by(|a, b| *a as usize / EACH == *b as usize / EACH) {
            let leaf = &view.leaves[faces[0] as usize / EACH];
            let mut boxes = NO_BOXES;
            for at in (0..EACH).step_by(L::COUNT) {
                let corners = Corners::<L>::of(now, &leaf.corners, at);
                put_box(corners.swept(common, reach(now, leaf, at)), &mut boxes, at);
            }
            faces.iter().for_each(|&face| view.tree.widen(face as usize, &boxes));
        }
    }
}
