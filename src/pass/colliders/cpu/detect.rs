//! Which contacts a particle may come into in a substep: what `shaders/colliders/detect.wgsl` does, and there is why.

use std::ops::Range;

use wide::f32x4;

use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::particles::three;
use crate::cpu::shared::Shared;
use crate::math::Vec3;
use crate::model::tree::{Span, reached, slack};
use crate::pass::colliders::cpu::touch::Side;
use crate::pass::colliders::cpu::{Contact, Contacts, PieceContacts, of};
use crate::step::contact::TRIGGER;
use crate::step::records::Surface;

/// Share of a gap within which single precision takes it for one.
pub(crate) const SAFE: f32 = 0.99;

/// Share of a coordinate that single precision may lose of it, and more.
const ROUNDING: f32 = 1e-6;

/// Particles that are looked at together where they are far from all colliders.
pub const TOGETHER: usize = MOST;

/// 0, 1, 2, ...
pub const IN_ORDER: [u32; TOGETHER] = {
    let mut slots = [0; TOGETHER];
    let mut slot = 0;
    while slot < TOGETHER {
        slots[slot] = slot as u32;
        slot += 1;
    }
    slots
};

/// The colliders around some particles.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    /// How far each of them may at least go from where it is predicted, as far as those go that are not near.
    pub room: f32,
    /// A bit for each that is.
    pub near: u32,
}

/// x of a particle, and relative to it where it was as the substep began and where it is predicted.
pub(crate) type Place = (Vec3<f32>, Vec3<f32>, Vec3<f32>);

/// Finds the planes that bound the motion of a piece's free particles, from where they are predicted.
pub struct Detect<'a, 'b> {
    pub contacts: &'a Contacts<'a>,
    /// See [`crate::cpu::order::Order`].
    pub piece: Range<usize>,
    pub lists: &'b mut PieceContacts,
}

impl InLanes for Detect<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let all = self.contacts;
        let PieceContacts { contacts, slots, ends, rooms, rows, late, near } = self.lists;
        if slots.is_empty() {
            let last = self.piece.end - 1;
            let places = self.piece.start..self.piece.start + self.piece.len().next_multiple_of(TOGETHER);
            slots.extend(places.map(|place| all.slot_at(place.min(last)) as u32));
            rooms.resize(slots.len(), f32x4::ZERO);
        }
        contacts.clear();
        ends.clear();
        rows.clear();
        late.clear();
        let count = self.piece.len();
        if !all.tree.is_empty() {
            for &slot in &slots[..count] {
                all.find_near(slot as usize, contacts, near);
                ends.push(contacts.len() as u32);
            }
            return;
        }
        let (radius, colliders) = (all.widest(&slots[..count]), all.colliders.len());
        for first in (0..count).step_by(TOGETHER) {
            let (together, rooms) = (&slots[first..first + TOGETHER], &mut rooms[first..first + TOGETHER]);
            let count = TOGETHER.min(count - first);
            let around = all.around::<L>(together, radius);
            if around.near == 0 {
                all.give_room::<L>(together, around.room, rooms);
                rows.none();
                continue;
            }
            let own = rows.begin(colliders);
            for part in (0..count).step_by(L::COUNT) {
                let (lanes, live) = (&together[part..part + L::COUNT], L::COUNT.min(count - part));
                all.touch::<L>(Side { lanes, live }, part, around, &mut rooms[part..], own);
            }
            rows.keep(colliders);
        }
    }
}

impl Contacts<'_> {
    #[inline(always)]
    fn slot_at(&self, place: usize) -> usize {
        self.order.map_or(place, |order| order[place] as usize)
    }

    /// The largest radius of some particles.
    #[inline(always)]
    fn widest(&self, slots: &[u32]) -> f32 {
        match self.surfaces {
            [only] => only.radius,
            _ => slots.iter().map(|&slot| self.surface(slot as usize).radius).fold(0.0, f32::max),
        }
    }

    /// What is near to some particles, none of a larger radius: colliders as seen from a ball around them, whose way is
    /// the same for all.
    #[inline(always)]
    fn around<L: Lanes>(&self, slots: &[u32], radius: f32) -> Around {
        match self.ways::<L>(slots) {
            Some(ways) => self.around_ball(ways, radius),
            None => Around { room: f32::INFINITY, near: u32::MAX },
        }
    }

    /// Writes how far each of some particles may go behind where it is predicted.
    #[inline(always)]
    fn give_room<L: Lanes>(&self, slots: &[u32], room: f32, rooms: &mut [f32x4]) {
        let room = L::from_array(&bytemuck::cast([f32x4::new([0.0, 0.0, 0.0, room]); 4]));
        for (part, rooms) in slots.chunks_exact(L::COUNT).zip(rooms.chunks_exact_mut(L::COUNT)) {
            let [a, b, c, d] = self.gather::<L>(self.points.d, part);
            // SAFETY: there are as many rooms as lanes.
            unsafe { L::scatter([a + room, b + room, c + room, d + room], rooms.as_mut_ptr(), IN_ORDER.as_ptr()) };
        }
    }

    /// The box around the ways of some particles, and the square of the longest. `None` if one is nowhere: no box is
    /// around that.
    #[inline(always)]
    fn ways<L: Lanes>(&self, slots: &[u32]) -> Option<(f32x4, f32x4, f32)> {
        let (mut low, mut high) = (L::splat(f32::INFINITY), L::splat(f32::NEG_INFINITY));
        let (mut longest, mut nowhere) = (L::splat(0.0), L::splat(0.0));
        for part in slots.chunks_exact(L::COUNT) {
            let (x, d) = (self.gather::<L>(self.points.x, part), self.gather::<L>(self.points.d, part));
            let begin = self.begins::<L>(part);
            let mut ahead = d;
            for k in 0..4 {
                let (from, to) = (x[k] + begin[k], x[k] + d[k]);
                low = -((-low).max(-from).max(-to));
                high = high.max(from).max(to);
                ahead[k] = d[k] - begin[k];
                // Nothing, but of what is infinite or not a number.
                nowhere = nowhere + (from + to) * L::splat(0.0);
            }
            let [right, up, near, _] = L::transposed(ahead);
            longest = longest.max(right * right + up * up + near * near);
        }
        if !L::splat(1.0).exceeds_all(nowhere) {
            return None;
        }
        let (lows, highs) = (quarters(low), quarters(high));
        let (mut low, mut high) = (lows[0], highs[0]);
        for k in 1..L::COUNT / 4 {
            (low, high) = (low.fast_min(lows[k]), high.fast_max(highs[k]));
        }
        Some((low, high, longest.to_array().into_iter().fold(0.0, f32::max)))
    }

    /// Of some particles, as many as lanes.
    #[inline(always)]
    pub(crate) fn gather<L: Lanes>(&self, list: Shared<f32x4>, slots: &[u32]) -> [L; 4] {
        // SAFETY: there are as many slots as lanes, those of particles.
        unsafe { L::gather(list.pointer(), slots.as_ptr()) }
    }

    /// As [`Contacts::around`], of what is in a box and goes no farther than the square root of its last number.
    #[inline(always)]
    fn around_ball(&self, (low, high, longest): (f32x4, f32x4, f32), radius: f32) -> Around {
        let half = f32x4::splat(0.5);
        let (middle, ball) = (three((low + high) * half), three((high - low) * half).length());
        let far = middle.x.abs().max(middle.y.abs()).max(middle.z.abs()) + ball;
        let slack = slack(longest.sqrt(), radius, self.seconds);
        let mut around = Around { room: f32::INFINITY, near: 0 };
        for (k, (collider, pose)) in self.colliders.iter().zip(self.poses).enumerate() {
            let point = (middle - of(collider.place)) - of(collider.place_low);
            let gap = pose.least_gap(point, radius + collider.thickness).filter(|_| collider.adhesion <= 0.0);
            let gap = gap.map(|gap| gap - ball - pose.displacement.length() - ROUNDING * far);
            match gap.filter(|gap| *gap > slack) {
                Some(gap) => around.room = around.room.min(SAFE * gap),
                None => around.near |= 1 << k,
            }
        }
        around
    }

    /// Whether some particles are as near as they may to where they were predicted.
    #[inline(always)]
    pub(crate) fn stay<L: Lanes>(&self, slots: &[u32], rooms: &[f32x4]) -> bool {
        for (part, rooms) in slots.chunks_exact(L::COUNT).zip(rooms.chunks_exact(L::COUNT)) {
            let [a, b, c, d] = self.gather::<L>(self.points.d, part);
            // SAFETY: there are as many rooms as lanes.
            let rooms: [L; 4] = unsafe { L::gather(rooms.as_ptr(), IN_ORDER.as_ptr()) };
            let [right, up, near, most] = L::transposed([a - rooms[0], b - rooms[1], c - rooms[2], d - rooms[3]]);
            if !(most * most).exceeds_all(right * right + up * up + near * near) {
                return false;
            }
        }
        true
    }

    /// Where there are many colliders.
    #[inline(never)]
    fn find_near(&self, slot: usize, contacts: &mut Vec<Contact>, near: &mut Vec<u32>) {
        if self.points.x.read(slot).to_array()[3] > 0.0 {
            self.find_reached(slot, self.place(slot), self.surface(slot), contacts, near);
        }
    }

    fn find_reached(
        &self,
        slot: usize,
        place: Place,
        surface: &Surface,
        contacts: &mut Vec<Contact>,
        near: &mut Vec<u32>,
    ) {
        let (x, begin, moved) = place;
        let mut span = Span::new(x + begin, x + moved, surface.radius, self.seconds);
        let first = contacts.len();
        loop {
            contacts.truncate(first);
            near.clear();
            reached(self.tree, &span, |collider| near.push(collider));
            near.sort_unstable();
            let mut depth = 0.0;
            for k in near.iter().map(|&k| k as usize).filter(|&k| self.collides(surface, k)) {
                let contact = self.meet(slot, k, place, surface);
                let value = contact.offset + contact.normal.dot(moved);
                let adhesion = self.colliders[contact.collider as usize].adhesion;
                if value <= span.slack || adhesion > 0.0 {
                    // A trigger pushes nothing, however deep.
                    depth = if adhesion == TRIGGER { depth } else { f32::max(depth, -value) };
                    contacts.push(contact);
                }
            }
            // By as much as a collider pushes it more is looked at. (Of a particle that is nowhere the slack is NaN,
            // which nothing exceeds.)
            if depth > span.slack {
                span = span.wider(depth);
            } else {
                return;
            }
        }
    }

    /// Where a particle was as the substep began, relative to x.
    pub(crate) fn begin(&self, slot: usize) -> f32x4 {
        let e = self.points.e.read(slot);
        match &self.past {
            // e is ahead of that.
            Some(past) => e - f32x4::splat(1.0 - self.share) * (self.u.read(slot) + past.lags.read(slot)),
            None => e,
        }
    }

    #[inline(always)]
    pub(crate) fn collides(&self, surface: &Surface, k: usize) -> bool {
        let collider = &self.colliders[k];
        surface.groups & collider.meets != 0 && collider.groups & surface.meets != 0
    }

    /// Of a particle as the substep begins.
    pub(crate) fn place(&self, slot: usize) -> Place {
        (three(self.points.x.read(slot)), three(self.begin(slot)), three(self.points.d.read(slot)))
    }

    pub(crate) fn meet(&self, slot: usize, k: usize, (x, begin, moved): Place, surface: &Surface) -> Contact {
        let collider = &self.colliders[k];
        let (at, low) = (x - of(collider.place), of(collider.place_low));
        let start = at + (begin - low) + self.poses[k].displacement;
        let mut touch = self.poses[k].touch(start, at + (moved - low), surface.radius + collider.thickness, self.calm);
        if collider.adhesion != TRIGGER {
            touch = touch.limited(begin - moved, surface.push_out_speed * self.seconds);
        }
        Contact {
            normal: touch.normal,
            offset: touch.value - touch.normal.dot(moved),
            tangential: Vec3::zero(),
            lambda: 0.0,
            carried: touch.carried,
            approach: touch.normal.dot(three(self.u.read(slot)) - touch.carried),
            collider: k as u32,
            within: false,
        }
    }
}

/// The numbers of all lanes, four and four.
#[inline(always)]
fn quarters<L: Lanes>(lanes: L) -> [f32x4; 4] {
    bytemuck::cast(lanes.to_array())
}
