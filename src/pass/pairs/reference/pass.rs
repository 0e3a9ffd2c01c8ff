//! Contacts of particles with each other, and with segments, as one pass: the same search serves both.

use std::ops::Range;

use super::Pairs;
use super::segments::Segments;
use crate::model::{Model, Press};
use crate::reference::pass::{Pass, Setup, Substep};

/// What touches each other.
pub struct Touching {
    pairs: Pairs,
    segments: Segments,
}

impl Touching {
    /// `None` where no two particles can touch.
    pub fn new(setup: &Setup) -> Option<Self> {
        let Setup { model, plan } = *setup;
        let pairs = Pairs::new(model, &plan.slot_of);
        pairs.radii()?;
        Some(Self { pairs, segments: Segments::new(model, &plan.slot_of) })
    }
}

impl Pass for Touching {
    fn detect(&mut self, substep: &mut Substep) {
        self.pairs.detect(substep.model, substep.points);
        self.segments.detect(substep.model, substep.points, &self.pairs);
    }

    fn solve(&mut self, substep: &mut Substep, opening: bool) {
        let Substep { model, points, h, implicit, .. } = substep;
        self.segments.solve(model, points, *h, *implicit / *h);
        self.pairs.solve(model, points, *h, *implicit / *h, opening);
    }

    fn correct_velocities(&mut self, substep: &mut Substep) {
        self.segments.rebound(substep.points, substep.h);
        self.pairs.rebound(substep.model, substep.points, substep.h);
    }

    fn presses(&self, index: u32, implicit: f64) -> Vec<Press> {
        self.pairs.presses(index, implicit).chain(self.segments.presses(index, implicit)).collect()
    }

    fn pressing(&self) -> u64 {
        self.pairs.pressing() + self.segments.pressing()
    }

    fn follow_tear(&mut self, model: &Model, spares: Range<u32>, taken: u32) {
        self.pairs.follow(model, spares, taken);
    }
}
