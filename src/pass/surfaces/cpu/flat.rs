//! Which vertices have a flat ring of faces around them all the time of a substep: nothing of that ring can touch
//! anything else of it, which spares most of the pairs of a sheet.
//!
//! Let the faces close around a vertex, and let there be one direction n in which each of them keeps a height of more
//! than s over its longest edge in the projection along n, n·N > s L with N = a × b of two edges, N of degree two in
//! time and all three of its Bernstein coefficients so. Then the projection of the ring stays an embedding, as nothing
//! crossed before, and in it any two features without a common vertex are at least s apart.

use std::ops::Range;

use wide::f32x4;

use super::leaves::{Slots, at_slots};
use super::search::SLACK;
use crate::cpu::boxes::{EACH, Line, part};
use crate::cpu::lanes::{Entries, InLanes, Lanes};
use crate::cpu::shared::Shared;
use crate::math::Vec3;
use crate::pass::surfaces::features::{Around, Surfaces};

/// The rings of sixteen vertices, or of fewer in the last.
struct Rings {
    /// The vertices, and the faces around each, as many as the most of them have; what one lacks is no face.
    slots: Vec<u32>,
    faces: Vec<Slots>,
    /// The distance s, m.
    apart: Line,
}

/// What is known of flat rings.
pub struct Flat {
    /// Of each face the coefficients of N, the first with the length of the longest edge in the fourth place. Behind
    /// all stands what is no face.
    normals: [Entries; 3],
    rings: Vec<Rings>,
    /// By slot.
    flat: Vec<bool>,
}

impl Flat {
    /// `radius`: of each slot's body, m.
    pub fn new(surfaces: &Surfaces, around: &Around, slots: usize, radius: impl Fn(u32) -> f32) -> Self {
        let nothing = surfaces.faces.len().next_multiple_of(EACH);
        let closed: Vec<u32> = (0..slots as u32).filter(|&slot| closes(surfaces, around.of(slot), slot)).collect();
        let rings = |slots: &[u32]| {
            let most = slots.iter().map(|&slot| around.of(slot).len()).max().unwrap_or(0);
            let face = |lane: usize, k: usize| slots.get(lane).and_then(|&slot| around.of(slot).get(k).copied());
            let mut apart = [0.0; EACH];
            slots.iter().zip(&mut apart).for_each(|(&slot, apart)| *apart = 2.0 * (1.0 + SLACK) * radius(slot));
            let faces = |k: usize| std::array::from_fn(|lane| face(lane, k).unwrap_or(nothing as u32));
            Rings { slots: slots.to_vec(), faces: (0..most).map(faces).collect(), apart }
        };
        let mut normals = std::array::from_fn(|_| Entries::zeros(nothing + 1));
        // It is flat, whatever the direction.
        normals[0][nothing] = f32x4::new([0.0, 0.0, 0.0, -1.0]);
        Self { normals, rings: closed.chunks(EACH).map(rings).collect(), flat: vec![false; slots] }
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let [first, mixed, last] = &mut self.normals;
        // SAFETY: the caller's.
        let normals = unsafe { [Shared::new(first), Shared::new(mixed), Shared::new(last)] };
        // SAFETY: the caller's.
        View { normals, rings: &self.rings, flat: unsafe { Shared::new(&mut self.flat) } }
    }

    pub fn bytes(&self) -> usize {
        let normals: usize = self.normals.iter().map(|list| size_of_val(&**list)).sum();
        let rings: usize = self.rings.iter().map(|rings| size_of_val(rings) + size_of_val(&*rings.faces)).sum();
        normals + rings + size_of_val(&*self.flat)
    }
}

/// Whether faces go once around a vertex: each edge at it has two of them, and from one to the next all are reached.
fn closes(surfaces: &Surfaces, faces: &[u32], slot: u32) -> bool {
    let ahead = |face: &u32| {
        let [a, b, c] = surfaces.faces[*face as usize].corners;
        match slot {
            slot if slot == a => (b, c),
            slot if slot == b => (c, a),
            _ => (a, b),
        }
    };
    let sides: Vec<(u32, u32)> = faces.iter().map(ahead).collect();
    let Some(&(first, mut last)) = sides.first() else { return false };
    for _ in 1..sides.len() {
        let mut next = sides.iter().filter(|(from, _)| *from == last);
        let (Some(&(_, to)), None) = (next.next(), next.next()) else { return false };
        if last == first {
            return false;
        }
        last = to;
    }
    sides.len() > 2 && last == first
}

/// [`Flat`] in a frame.
pub struct View<'a> {
    normals: [Shared<'a, f32x4>; 3],
    rings: &'a [Rings],
    flat: Shared<'a, bool>,
}

impl View<'_> {
    #[inline(always)]
    pub fn is_flat(&self, slot: u32) -> bool {
        self.flat.read(slot as usize)
    }

    /// Sixteen rings each.
    pub fn rings(&self) -> usize {
        self.rings.len()
    }

    /// Notes the coefficients of N and the longest edges of as many faces as lanes, from one on.
    #[inline(always)]
    pub fn put<L: Lanes>(&self, face: usize, normals: [Vec3<L>; 3], longest: L) {
        let mut faces = [face as u32; EACH];
        (0..).zip(&mut faces).for_each(|(lane, face)| *face += lane);
        let fourths = [longest, L::from_f64(0.0), L::from_f64(0.0)];
        for ((list, normal), fourth) in self.normals.iter().zip(normals).zip(fourths) {
            assert!(face + L::COUNT < list.len());
            let entries = L::transposed([normal.x, normal.y, normal.z, fourth]);
            // SAFETY: there are so many, and the thread whose leaf it is writes them.
            unsafe { L::scatter(entries, list.pointer(), faces.as_ptr()) }
        }
    }
}

/// Looks which of some rings are flat.
pub struct Look<'a> {
    pub view: &'a View<'a>,
    pub rings: Range<usize>,
}

impl InLanes for Look<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for rings in &self.view.rings[self.rings.clone()] {
            for at in (0..rings.slots.len()).step_by(L::COUNT) {
                let flat = self.flat::<L>(rings, at);
                for (lane, &slot) in rings.slots[at..].iter().enumerate().take(L::COUNT) {
                    self.view.flat.write(slot as usize, flat >> lane & 1 == 1);
                }
            }
        }
    }
}

impl Look<'_> {
    /// A bit for each ring that is flat.
    #[inline(always)]
    fn flat<L: Lanes>(&self, rings: &Rings, at: usize) -> u32 {
        let [first, mixed, last] = &self.view.normals;
        let mut sum = Vec3::<L>::zero();
        for faces in &rings.faces {
            // SAFETY: there is an entry for each face, and one behind them.
            sum += unsafe { at_slots::<L>(mixed, faces, at) }.0;
        }
        let (n, length) = sum.direction_and_length();
        let mut flat = length.exceeding(L::from_f64(0.0));
        for faces in &rings.faces {
            // SAFETY: as above.
            let (normal, longest) = unsafe { at_slots::<L>(first, faces, at) };
            let least = part::<L>(&rings.apart, at) * longest;
            // SAFETY: as above.
            let others = unsafe { [at_slots::<L>(mixed, faces, at).0, at_slots::<L>(last, faces, at).0] };
            flat &=
                n.dot(normal).exceeding(least) & n.dot(others[0]).exceeding(least) & n.dot(others[1]).exceeding(least);
        }
        flat
    }
}
