//! Contacts of particles with each other as a pass.

use wide::f32x4;

use super::{Pairs, Pressing, Segments, SubstepState, View};
use crate::cpu::frame::Frame;
use crate::cpu::pass::{Notes, Pass, PassView};
use crate::cpu::team::Member;
use crate::model::{Against, Model, Press};
use crate::pass::pairs::cpu::hierarchy::Clusters;
use crate::step::Hooks;

/// Reports pairs that pressed.
fn report_pairs(pressing: &[Pressing], notes: &Notes, presses: &mut Vec<Press>) {
    presses.extend(pressing.iter().map(|pair| {
        let particles = pair.slots.map(|slot| notes.particle_of[slot]);
        Press::between(particles, notes.forces(pair.normal, pair.multipliers), notes.substep)
    }));
}

/// Reports particles that pressed on segments, by their nearer ends.
fn report_segments(pressing: &[Pressing], notes: &Notes, presses: &mut Vec<Press>) {
    presses.extend(pressing.iter().map(|contact| {
        let [particle, end] = contact.slots.map(|slot| notes.particle_of[slot]);
        let forces = notes.forces(contact.normal, contact.multipliers);
        Press::new(particle, Against::Particle(end), forces, notes.substep)
    }));
}

impl Pass for Pairs {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, correct_velocities: true, ..Hooks::default() }
    }

    fn begin(&mut self, x: &[f32x4]) {
        match &mut self.clusters {
            Some(clusters) => clusters.arrange(x, &self.placed, &self.kin),
            clusters => *clusters = Some(Clusters::new(&self.radii, &self.placed, &self.kin)),
        }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        // SAFETY: the caller's.
        Box::new(unsafe { self.share() })
    }

    fn follow_tear(&mut self, model: &Model, slot_of: &[u32], spares: std::ops::Range<u32>, taken: u32) {
        self.follow(model, slot_of, spares, taken);
    }

    fn forget(&mut self) {
        self.clusters = None;
        self.segments.iter_mut().for_each(Segments::forget);
    }

    fn presses(&self, notes: &Notes, presses: &mut Vec<Press>) {
        report_pairs(&self.pressing(), notes, presses);
        report_segments(&self.pressing_on_segments(), notes, presses);
    }

    fn bytes(&self) -> usize {
        let Self { radii, bodies, placed, kin, splits, .. } = self;
        size_of_val(&**radii)
            + size_of_val(&**bodies)
            + size_of_val(&**placed)
            + size_of_val(&**kin)
            + size_of_val(&**splits)
    }
}

impl PassView for View<'_> {
    fn detect(&self, member: &Member, frame: &Frame, substep: usize) {
        self.predict(member, &SubstepState::of(frame, substep));
    }

    fn solve(&self, member: &Member, frame: &Frame, substep: usize, [opening, _]: [bool; 2]) {
        self.push(member, &SubstepState::of(frame, substep), opening);
    }

    fn correct_velocities(&self, member: &Member, frame: &Frame, substep: usize, last: bool) {
        self.rebound(member, &SubstepState::of(frame, substep), last);
    }

    fn report(&self, member: &Member, notes: &Notes, presses: &mut Vec<Press>) {
        report_pairs(&self.pressing(member), notes, presses);
        report_segments(&self.pressing_on_segments(member), notes, presses);
    }
}
