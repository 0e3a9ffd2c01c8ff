//! Contacts with colliders as a pass: each particle by itself, piece after piece.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use wide::f32x4;

use super::{Contacts, PieceContacts, locked, pose};
use crate::cpu::frame::Frame;
use crate::cpu::particles::four;
use crate::cpu::pass::{ByPiece, Notes, Pass, PassView, Report, Setup};
use crate::cpu::team::Member;
use crate::model::pose::Pose;
use crate::model::{Against, Press};
use crate::step::Hooks;
use crate::step::contact::surfaces;
use crate::step::records::Surface;

/// The contacts of all particles with colliders.
pub struct Colliders {
    surfaces: Vec<Surface>,
    /// Of each piece of the slots.
    lists: Vec<Mutex<PieceContacts>>,
}

/// [`Colliders`] in a frame.
struct View<'a> {
    surfaces: &'a [Surface],
    lists: &'a [Mutex<PieceContacts>],
    /// Of the colliders, all of substep 0, all of substep 1, ...
    poses: Vec<Pose<'a, f32>>,
}

impl Colliders {
    /// `None` without colliders.
    pub fn new(setup: &Setup) -> Option<Self> {
        let lists = || setup.pieces.iter().map(|_| Mutex::default()).collect();
        (!setup.model.colliders.is_empty()).then(|| Self { surfaces: surfaces(setup.model), lists: lists() })
    }
}

/// Reports what presses, is held or is in a trigger.
fn report(lists: &PieceContacts, notes: &Notes, presses: &mut Vec<Press>) {
    lists.each_active(|slot, contact| {
        let collider = contact.collider();
        let against = if contact.is_within() { Against::Trigger(collider) } else { Against::Collider(collider) };
        let forces = notes.forces(contact.normal(), contact.multipliers());
        presses.push(Press::new(notes.particle_of[slot], against, forces, notes.substep));
    });
}

impl Pass for Colliders {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, solve_round: true, correct_velocities: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let (model, records) = (frame.model, frame.records);
        let shapes = model.colliders.iter().map(|collider| &collider.shape).cycle();
        let poses = records.colliders.iter().zip(shapes).map(|(one, shape)| pose(one, shape)).collect();
        Box::new(View { surfaces: &self.surfaces, lists: &self.lists, poses })
    }

    fn presses(&self, notes: &Notes, presses: &mut Vec<Press>) {
        self.lists.iter().for_each(|lists| report(&locked(lists), notes, presses));
    }

    fn bytes(&self) -> usize {
        self.lists.iter().map(|lists| locked(lists).bytes()).sum()
    }
}

impl View<'_> {
    fn contacts<'a>(&'a self, frame: &'a Frame, substep: usize) -> Contacts<'a> {
        let record = frame.substep(substep);
        let count = frame.model.colliders.len();
        Contacts {
            colliders: frame.records.colliders_of(substep),
            poses: &self.poses[substep * count..][..count],
            surfaces: self.surfaces,
            properties: frame.properties,
            points: frame.points,
            u: frame.u,
            past: frame.past,
            instructions: frame.instructions,
            // Of a row sixteen in the model's order are nearer to each other than sixteen slots, of which each quarter
            // is four apart.
            order: frame.in_rows.then_some(frame.slot_of),
            tree: &frame.records.bounds,
            seconds: record.seconds,
            share: record.share,
            seconds_squared: record.implicit_seconds * record.implicit_seconds,
            calm: record.calm_way(),
            friction_combine: record.friction_combine(),
        }
    }

    fn each(&self, member: &Member, act: impl Fn(usize)) {
        member.share_by(self.lists.len(), 1).for_each(act);
        member.meet();
    }
}

impl PassView for View<'_> {
    fn detect(&self, member: &Member, frame: &Frame, substep: usize) {
        self.each(member, |piece| ByPiece::detect(self, frame, substep, piece));
    }

    fn solve(&self, member: &Member, frame: &Frame, substep: usize, _ends: [bool; 2]) {
        self.each(member, |piece| ByPiece::solve(self, frame, substep, piece));
    }

    fn solve_round(&self, member: &Member, frame: &Frame, substep: usize, opening: bool) {
        PassView::solve(self, member, frame, substep, [opening, false]);
    }

    fn by_piece(&self) -> Option<&dyn ByPiece> {
        Some(self)
    }
}

impl ByPiece for View<'_> {
    fn detect(&self, frame: &Frame, substep: usize, piece: usize) {
        self.contacts(frame, substep).detect(frame.pieces[piece].clone(), &mut locked(&self.lists[piece]));
    }

    fn solve(&self, frame: &Frame, substep: usize, piece: usize) {
        self.contacts(frame, substep).solve(frame.pieces[piece].len(), &mut locked(&self.lists[piece]));
    }

    fn leave(&self, frame: &Frame, substep: usize, piece: usize, next: Option<usize>, report_to: Report) {
        let fall = next.map(|next| frame.fall(next));
        let gravity = four(frame.substep(substep).fall());
        let forget = |slot, normal, impact| {
            if let Some(past) = &frame.past {
                past.forget(slot, normal, impact, gravity);
            }
        };
        let leave = |slot: usize, way: f32x4| {
            frame.u.write(slot, way);
            if let Some(fall) = &fall {
                let w = frame.points.x.read(slot).to_array()[3];
                let way = fall.predicted(&frame.properties[slot], w, way);
                frame.points.d.write(slot, frame.points.e.read(slot) + way);
            }
        };
        let lists = &mut locked(&self.lists[piece]);
        let pressing = self.contacts(frame, substep).rebound(lists, forget, leave);
        if substep + 1 == frame.records.substeps.len() {
            frame.signs.contacts.fetch_add(pressing, Ordering::Relaxed);
        }
        if let Some((notes, presses)) = report_to {
            report(lists, notes, presses);
        }
    }
}
