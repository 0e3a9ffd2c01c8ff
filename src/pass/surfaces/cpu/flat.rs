//! Which vertices have a flat ring of faces around them all the time of a substep: nothing of that ring can touch
//! anything else of it, which spares most of the pairs of a sheet.
//!
//! Let the faces close around a vertex, and let there be one direction n in which each of them keeps a height of at
//! least s over its longest edge in the projection along n, n·N ≥ s L with N = a × b of two edges, N of degree two in
//! time and all three of its Bernstein coefficients so. Then the projection of the ring stays an embedding, as nothing
//! crossed before, and in it any two features without a common vertex are at least s apart.

use wide::f32x4;

use super::search::SLACK;
use super::{Around, Now};
use crate::cpu::particles::{four, three};
use crate::cpu::shared::Shared;
use crate::math::Vec3;
use crate::pass::surfaces::features::Surfaces;

/// Of each face: the coefficients of N, and the length of the longest edge in the fourth place of the first.
type Normals = [f32x4; 3];

/// What is known of flat rings.
pub struct Flat {
    normals: Vec<Normals>,
    /// By slot: whether faces close around it, and whether they are flat.
    closed: Vec<bool>,
    flat: Vec<bool>,
}

impl Flat {
    pub fn new(surfaces: &Surfaces, around: &Around, slots: usize) -> Self {
        let closed = (0..slots as u32).map(|slot| closes(surfaces, around.of(slot), slot)).collect();
        Self { normals: vec![[f32x4::ZERO; 3]; surfaces.faces.len()], closed, flat: vec![false; slots] }
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        // SAFETY: the caller's.
        let (normals, flat) = unsafe { (Shared::new(&mut self.normals), Shared::new(&mut self.flat)) };
        View { normals, closed: &self.closed, flat }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.normals) + size_of_val(&*self.closed) + size_of_val(&*self.flat)
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
    normals: Shared<'a, Normals>,
    closed: &'a [bool],
    flat: Shared<'a, bool>,
}

impl View<'_> {
    pub fn is_flat(&self, slot: u32) -> bool {
        self.flat.read(slot as usize)
    }

    /// Measures a face.
    #[inline(always)]
    pub fn measure(&self, now: &Now, surfaces: &Surfaces, face: usize) {
        let slots = surfaces.faces[face].corners.map(|slot| slot as usize);
        let x = slots.map(|slot| now.points.x.read(slot));
        let sides = |list: &Shared<f32x4>| {
            let [a, b, c] = slots.map(|slot| list.read(slot));
            [three((x[1] - x[0]) + (b - a)), three((x[2] - x[0]) + (c - a))]
        };
        let [p, q] = sides(&now.points.e);
        let [r, s] = sides(&now.points.d);
        let squared = |v: Vec3<f32>| v.dot(v);
        let longest = [p, q, q - p, r, s, s - r].map(squared).into_iter().fold(0.0, f32::max).sqrt();
        let mixed = (p.cross(s) + r.cross(q)) * 0.5;
        let first = four(p.cross(q)) + f32x4::new([0.0, 0.0, 0.0, longest]);
        self.normals.write(face, [first, four(mixed), four(r.cross(s))]);
    }

    /// Looks whether the ring of a vertex of a body of this radius is flat.
    #[inline(always)]
    pub fn look(&self, around: &Around, slot: u32, radius: f32) {
        if !self.closed[slot as usize] {
            return;
        }
        let faces = around.of(slot);
        let sum = faces.iter().fold(f32x4::ZERO, |sum, &face| sum + self.normals.look(face as usize)[1]);
        let (n, length) = three(sum).direction_and_length();
        let apart = 2.0 * (1.0 + SLACK) * radius;
        let flat = length > 0.0
            && faces.iter().all(|&face| {
                let normals = self.normals.look(face as usize);
                let least = apart * normals[0].to_array()[3];
                normals.iter().all(|&normal| n.dot(three(normal)) >= least)
            });
        self.flat.write(slot as usize, flat);
    }
}
