//! Pairs of features in registers.

use wide::f32x4;

use super::Now;
use super::leaves::{Slots, at_slots};
use crate::cpu::boxes::EACH;
use crate::cpu::lanes::Lanes;
use crate::cpu::shared::Shared;
use crate::law::surface::{Features, Motion, touching_distance};
use crate::math::Vec3;

/// Some pairs of features, one for each lane. Lanes without one have any vertices.
pub struct Pack {
    slots: [Slots; 4],
    origin: Slots,
}

impl Pack {
    pub fn new() -> Self {
        Self { slots: [[0; EACH]; 4], origin: [0; EACH] }
    }

    #[inline(always)]
    pub fn put(&mut self, lane: usize, vertices: [u32; 4], origin: u32) {
        for (slots, vertex) in self.slots.iter_mut().zip(vertices) {
            slots[lane] = vertex;
        }
        self.origin[lane] = origin;
    }

    /// Of each vertex.
    #[inline(always)]
    pub fn each<L: Lanes>(&self, of: &Shared<f32x4>) -> [(Vec3<L>, L); 4] {
        let [a, b, c, d] = &self.slots;
        // SAFETY: vertices are slots, and no thread writes these lists meanwhile.
        unsafe { [at_slots(of, a, 0), at_slots(of, b, 0), at_slots(of, c, 0), at_slots(of, d, 0)] }
    }

    /// The motion of the pairs, places on the lattice and inverse masses.
    #[inline(always)]
    pub fn moving<L: Lanes>(&self, now: &Now, features: Features) -> Moving<L> {
        let [a, b, c, d] = self.each::<L>(&now.points.x);
        // SAFETY: an origin is a slot, and no thread writes the list meanwhile.
        let origin = unsafe { at_slots::<L>(&now.points.x, &self.origin, 0) }.0;
        let x = [a.0, b.0, c.0, d.0];
        let anchors = [x[0] - origin, x[1] - origin, x[2] - origin, x[3] - origin];
        let [e, f, g, h] = self.each::<L>(&now.points.e);
        let begin = [anchors[0] + e.0, anchors[1] + f.0, anchors[2] + g.0, anchors[3] + h.0];
        let [e, f, g, h] = self.each::<L>(&now.points.d);
        let end = [anchors[0] + e.0, anchors[1] + f.0, anchors[2] + g.0, anchors[3] + h.0];
        Moving { motion: Motion { features, begin, end }, x, masses: [a.1, b.1, c.1, d.1] }
    }

    /// At what distance the pairs touch, m, by the sums of their radii.
    #[inline(always)]
    pub fn distance<L: Lanes>(&self, placed: &Shared<f32x4>, features: Features, sum: L) -> L {
        let [a, b, c, d] = self.each::<L>(placed);
        let places = [Vec3::zero(), b.0 - a.0, c.0 - a.0, d.0 - a.0];
        touching_distance(sum, features.between(&places).length())
    }
}

/// Pairs in motion.
pub struct Moving<L> {
    pub motion: Motion<L>,
    /// Of each vertex.
    pub x: [Vec3<L>; 4],
    pub masses: [L; 4],
}
