//! A frame as the threads of a team go through it together: the order of a substep, over the passes in their order.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use wide::f32x4;

use crate::cpu::advance::Advance;
use crate::cpu::frame::Frame;
use crate::cpu::particles::Finish;
use crate::cpu::pass::{ByPiece, Notes, PassView};
use crate::cpu::solve::Points;
use crate::cpu::team::Member;
use crate::model::Press;
use crate::step::Hooks;

/// A pass in a frame, with its hooks.
pub struct InFrame<'a> {
    pub hooks: Hooks,
    pub view: Box<dyn PassView + 'a>,
}

/// A frame with its passes in order.
pub struct Run<'a> {
    pub frame: Frame<'a>,
    pub passes: Vec<InFrame<'a>>,
    /// Of each thread, if contacts of the whole frame are asked for.
    pub presses: Option<&'a [Mutex<Vec<Press>>]>,
}

impl Run<'_> {
    /// All substeps, by one of the threads.
    pub fn run(&self, member: &Member) {
        let (frame, settings) = (&self.frame, &self.frame.model.settings);
        let substeps = settings.substeps as usize;
        let guarded = self.is_guarded();
        let rounds = if guarded { settings.contact_rounds } else { 0 };
        self.predict(member, 0);
        for substep in 0..substeps {
            self.with(|hooks| hooks.correct_prediction)
                .for_each(|pass| pass.correct_prediction(member, frame, substep));
            let found = substep > 0 && self.detects_at_once();
            self.with(|hooks| hooks.detect)
                .filter(|pass| !(found && pass.by_piece().is_some()))
                .for_each(|pass| pass.detect(member, frame, substep));
            for sweep in 0..settings.iterations {
                let (opening, closing) = (sweep == 0, sweep + 1 == settings.iterations);
                frame.sweep(member, substep, [opening, closing], |state| {
                    self.passes.iter().for_each(|pass| pass.view.join_sweep(member, frame, state));
                });
                // What acts on each particle by itself does so last where the particle ends its substep.
                self.with(|hooks| hooks.solve)
                    .filter(|pass| guarded || !(closing && pass.by_piece().is_some()))
                    .for_each(|pass| pass.solve(member, frame, substep, [opening, closing]));
                for round in 0..rounds {
                    self.with(|hooks| hooks.solve_round)
                        .for_each(|pass| pass.solve_round(member, frame, substep, opening && round == 0));
                }
            }
            self.with(|hooks| hooks.guard).for_each(|pass| pass.guard(member, frame, substep));
            self.finish(member, substep, (substep + 1 < substeps).then_some(substep + 1));
            if let Some(mut presses) = self.presses_of(member) {
                let notes = self.notes(substep);
                self.passes.iter().for_each(|pass| pass.view.report(member, &notes, &mut presses));
            }
        }
    }

    /// The passes with a hook, in their order.
    fn with(&self, has: fn(&Hooks) -> bool) -> impl Iterator<Item = &dyn PassView> {
        self.passes.iter().filter(move |pass| has(&pass.hooks)).map(|pass| &*pass.view)
    }

    /// Those of them that act on each particle by itself.
    fn by_piece(&self, has: fn(&Hooks) -> bool) -> impl Iterator<Item = &dyn ByPiece> {
        self.with(has).filter_map(PassView::by_piece)
    }

    /// Whether a pass has the last word on displacements.
    fn is_guarded(&self) -> bool {
        self.with(|hooks| hooks.guard).next().is_some()
    }

    /// Whether nothing but a particle itself decides how it ends a substep and begins the next.
    fn particles_go_alone(&self) -> bool {
        self.passes.iter().all(|InFrame { hooks, view }| {
            let bounces = hooks.correct_velocities && (view.by_piece().is_none() || self.frame.past.is_some());
            !hooks.accelerate && !bounces
        })
    }

    /// Whether contacts are found where a particle begins a substep: nothing moves it in between.
    fn detects_at_once(&self) -> bool {
        self.particles_go_alone() && self.with(|hooks| hooks.correct_prediction).next().is_none()
    }

    fn notes(&self, substep: usize) -> Notes<'_> {
        let per_square = f64::from(self.frame.substep(substep).inverse_seconds_squared);
        Notes { particle_of: self.frame.particle_of, substep: substep as u32, per_square }
    }

    fn presses_of(&self, member: &Member) -> Option<std::sync::MutexGuard<'_, Vec<Press>>> {
        self.presses.map(|presses| presses[member.index].lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn slots(&self, member: &Member) -> Range<usize> {
        member.share(self.frame.points.x.len())
    }

    /// A thread's pieces of all slots.
    fn pieces(&self, member: &Member) -> Range<usize> {
        member.share_by(self.frame.pieces.len(), 1)
    }

    /// Begins a substep. Ends with a meeting.
    fn predict(&self, member: &Member, substep: usize) {
        let frame = &self.frame;
        let (fall, record) = (frame.fall(substep), frame.substep(substep));
        let forces: Vec<&dyn PassView> = self.with(|hooks| hooks.accelerate).collect();
        if let Some(past) = frame.past.as_ref().filter(|_| !forces.is_empty()) {
            self.slots(member).for_each(|slot| past.free.write(slot, past.free_way(record, slot, frame.u.read(slot))));
            member.meet();
        }
        forces.iter().for_each(|pass| pass.accelerate(member, frame, substep));
        for slot in self.slots(member) {
            let push = forces.iter().fold(f32x4::ZERO, |sum, pass| sum + pass.change(frame, substep, slot));
            let (way, properties) = (frame.u.read(slot), &frame.properties[slot]);
            if let Some(past) = &frame.past {
                past.begin(slot, record, (&fall, properties), &frame.points, way, push);
                continue;
            }
            let w = frame.points.x.read(slot).to_array()[3];
            frame.points.d.write(slot, frame.points.e.read(slot) + fall.predicted(properties, w, way + push));
        }
        member.meet();
    }

    /// Ends a substep, and begins the next, if there is one in this frame. A piece of the particles after another, so
    /// that one walk through memory does for all that each does by itself: its contacts, its end, its rebound, its
    /// beginning, and the contacts of that.
    fn finish(&self, member: &Member, substep: usize, next: Option<usize>) {
        let (frame, alone, guarded) = (&self.frame, self.particles_go_alone(), self.is_guarded());
        let following = next.filter(|_| self.detects_at_once());
        for piece in self.pieces(member) {
            if !guarded {
                self.by_piece(|hooks| hooks.solve).for_each(|pass| pass.solve(frame, substep, piece));
            }
            self.end(frame.pieces[piece].clone(), substep, next.filter(|_| alone));
            if alone {
                self.leave(member, substep, piece, next);
                if let Some(next) = following {
                    self.by_piece(|hooks| hooks.detect).for_each(|pass| pass.detect(frame, next, piece));
                }
            }
        }
        member.meet();
        if alone {
            return;
        }
        self.with(|hooks| hooks.correct_velocities)
            .filter(|pass| pass.by_piece().is_none())
            .for_each(|pass| pass.correct_velocities(member, frame, substep, next.is_none()));
        self.pieces(member).for_each(|piece| self.leave(member, substep, piece, None));
        member.meet();
        if let Some(next) = next {
            self.predict(member, next);
        }
    }

    /// Lets a piece's particles leave what they press on, into the next substep if that has begun.
    fn leave(&self, member: &Member, substep: usize, piece: usize, next: Option<usize>) {
        let notes = self.notes(substep);
        for pass in self.by_piece(|hooks| hooks.correct_velocities) {
            let mut presses = self.presses_of(member);
            pass.leave(&self.frame, substep, piece, next, presses.as_mut().map(|presses| (&notes, &mut **presses)));
        }
    }

    /// Ends a substep for some particles, and begins the next.
    fn end(&self, slots: Range<usize>, substep: usize, next: Option<usize>) {
        let frame = &self.frame;
        let finish = Finish::new(frame.substep(substep), frame.lattice, frame.signs);
        let Points { x, d, e } = &frame.points;
        let next = next.map(|next| (frame.fall(next), frame.substep(next)));
        if frame.past.is_none() && next.is_none_or(|(fall, _)| fall.is_plain()) {
            let tells_ways = self.by_piece(|hooks| hooks.correct_velocities).next().is_some();
            let next = next.map(|(fall, _)| fall);
            Advance { finish, next, tells_ways, points: frame.points, u: frame.u }.all(slots, frame.instructions);
            return;
        }
        for slot in slots {
            let (rest, mut way) = finish.finish(slot, x, d.read(slot), e.read(slot));
            if let Some(past) = &frame.past {
                way = past.end(slot, frame.substep(substep), frame.u.read(slot), way);
            }
            finish.check(slot, way, x.read(slot));
            e.write(slot, rest);
            frame.u.write(slot, way);
            if let Some((fall, record)) = &next {
                let properties = &frame.properties[slot];
                match &frame.past {
                    Some(past) => past.begin(slot, record, (fall, properties), &frame.points, way, f32x4::ZERO),
                    None => d.write(slot, rest + fall.predicted(properties, x.read(slot).to_array()[3], way)),
                }
            }
        }
    }
}
