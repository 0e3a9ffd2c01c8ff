//! Which pairs lack a certificate, by registers.

use super::Now;
use super::guard::Guarded;
use super::pack::Pack;
use crate::cpu::boxes::{EACH, part};
use crate::cpu::lanes::{InLanes, Lanes};
use crate::law::surface::{FLOOR, Features};

/// Tells which of some pairs lack a certificate, in any order.
pub struct Lacking<'a, I> {
    pub now: &'a Now<'a>,
    pub pairs: I,
    pub failing: &'a mut Vec<usize>,
}

impl<I: Iterator<Item = (Guarded, usize)>> InLanes for Lacking<'_, I> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { now, pairs, failing } = self;
        let mut groups = [Features::VertexFace, Features::EdgeEdge].map(Group::new);
        for (((features, vertices), distance), index) in pairs {
            let group = &mut groups[usize::from(features == Features::EdgeEdge)];
            group.pack.put(group.count, vertices, vertices[0]);
            (group.distance[group.count], group.indices[group.count]) = (distance, index);
            group.count += 1;
            if group.count == L::COUNT {
                group.look::<L>(now, failing);
            }
        }
        for group in &mut groups {
            group.look::<L>(now, failing);
        }
    }
}

/// Pairs of one kind, as many as there are lanes.
struct Group {
    features: Features,
    pack: Pack,
    distance: [f32; EACH],
    indices: [usize; EACH],
    count: usize,
}

impl Group {
    fn new(features: Features) -> Self {
        Self { features, pack: Pack::new(), distance: [0.0; EACH], indices: [0; EACH], count: 0 }
    }

    /// Tells which lack a certificate, and begins anew.
    #[inline(always)]
    fn look<L: Lanes>(&mut self, now: &Now, failing: &mut Vec<usize>) {
        let certificate = self.pack.moving::<L>(now, self.features).motion.certificate();
        let lack = certificate.lack(L::splat(FLOOR as f32) * part(&self.distance, 0));
        let lacking = lack.exceeding(L::from_f64(0.0));
        failing.extend((0..self.count).filter(|lane| lacking >> lane & 1 == 1).map(|lane| self.indices[lane]));
        self.count = 0;
    }
}
