//! Contacts of surfaces as a pass.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::{Contacts, Now, Own, View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::particles::double;
use crate::cpu::pass::{Notes, Pass, PassView};
use crate::cpu::team::Member;
use crate::model::{Against, Press};
use crate::step::Hooks;

/// Reports what presses, by the nearest vertices.
fn report(own: &Own, notes: &Notes, presses: &mut Vec<Press>) {
    for contact in own.contacts.iter().filter(|contact| contact.impulse.normal > 0.0) {
        let [one, other] = contact.nearest().map(|slot| notes.particle_of[slot as usize]);
        let multipliers = (f64::from(contact.impulse.normal), double(contact.impulse.tangential));
        let forces = notes.forces(double(contact.axis), multipliers);
        presses.push(Press::new(one, Against::Particle(other), forces, notes.substep));
    }
}

impl Pass for Contacts {
    fn hooks(&self) -> Hooks {
        Hooks { solve_round: true, guard: true, correct_velocities: true, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        // SAFETY: the caller's.
        Box::new(unsafe { self.share() })
    }

    fn forget(&mut self) {
        self.tangle.get_mut().unwrap_or_else(PoisonError::into_inner).expect();
    }

    fn presses(&self, notes: &Notes, presses: &mut Vec<Press>) {
        self.own.iter().for_each(|own| report(&locked(own), notes, presses));
    }

    fn bytes(&self) -> usize {
        let Self { vertices, placed, leaves, joints, tree, flat, sought, taken, own, surfaces, around, .. } = self;
        let contacts: usize = own.iter().map(|own| size_of_val(&*locked(own).contacts)).sum();
        size_of_val(&**vertices)
            + size_of_val(&**placed)
            + size_of_val(&**leaves)
            + joints.bytes()
            + tree.bytes()
            + flat.bytes()
            + size_of_val(&**sought)
            + size_of_val(&**taken)
            + size_of_val(&*surfaces.faces)
            + size_of_val(&*around.faces)
            + 2 * contacts
    }
}

impl PassView for View<'_> {
    fn solve_round(&self, member: &Member, frame: &Frame, substep: usize, opening: bool) {
        let now = Now::new(frame, substep);
        if opening {
            self.find_tangle(member, &now);
            self.search(member, &now, frame.signs);
            self.deal(member, &now);
        }
        self.solve(member, &now);
    }

    fn guard(&self, member: &Member, frame: &Frame, substep: usize) {
        let now = Now::new(frame, substep);
        self.part_tangle(member, &now);
        self.hold(member, &now, frame.signs);
    }

    fn correct_velocities(&self, member: &Member, frame: &Frame, substep: usize, last: bool) {
        let now = Now::new(frame, substep);
        self.leave_tangle(member, &now);
        self.part(member, &now);
        if last {
            let own = locked(&self.own[member.index]);
            let pressing = own.contacts.iter().filter(|contact| contact.impulse.normal > 0.0).count();
            frame.signs.contacts.fetch_add(pressing as u32, Ordering::Relaxed);
        }
    }

    fn report(&self, member: &Member, notes: &Notes, presses: &mut Vec<Press>) {
        report(&locked(&self.own[member.index]), notes, presses);
    }
}
