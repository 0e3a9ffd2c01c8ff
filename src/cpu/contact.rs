//! Contacts of particles with colliders: what `shaders/contact/` does, and there is why.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::particles::{double, four, three, with_fourth};
use super::past::Past;
use super::shared::Shared;
use super::solve::Points;
use super::team::Member;
use crate::constraint::Vec3;
use crate::engine::contact::TRIGGER;
use crate::engine::records::{Bound, Collider, Properties, Surface};
use crate::engine::tree::{Span, reached, slack};
use crate::mesh::field::Field;
use crate::model::Shape;
use crate::model::pose::Pose;
use crate::model::shape::Solid;
use wide::f32x4;

/// Share of a gap within which single precision takes it for one.
const SAFE: f32 = 0.99;

/// Share of a coordinate that single precision may lose of it, and more.
const ROUNDING: f32 = 1e-6;

/// Particles that are looked at together where they are far from all colliders.
const TOGETHER: usize = 16;

/// x of a particle, and relative to it where it was as the substep began and where it is predicted.
type Place = (Vec3<f32>, Vec3<f32>, Vec3<f32>);

/// A particle against a collider, linear over the substep: C = offset + normal · d.
#[derive(Clone, Copy)]
pub struct Contact {
    normal: Vec3<f32>,
    offset: f32,
    tangential: Vec3<f32>,
    lambda: f32,
    carried: Vec3<f32>,
    approach: f32,
    collider: u32,
    /// Whether the particle is in it, a trigger.
    within: bool,
}

impl Contact {
    /// Index of the collider.
    pub fn collider(&self) -> u32 {
        self.collider
    }

    /// Whether the collider is a trigger with the particle in it.
    pub fn is_within(&self) -> bool {
        self.within
    }

    /// Out of the collider.
    pub fn normal(&self) -> [f64; 3] {
        double(self.normal)
    }

    /// λ along the normal and across it.
    pub fn multipliers(&self) -> (f64, [f64; 3]) {
        (f64::from(self.lambda), double(self.tangential))
    }

    /// It presses on nothing, and nothing is in it.
    fn clear(&mut self) {
        (self.lambda, self.tangential, self.within) = (0.0, Vec3::zero(), false);
    }
}

/// The contacts of one thread's particles in a substep: with all colliders that they collide with where these are few, else with those near.
#[derive(Default)]
pub struct Lists {
    /// Those of a particle after one another, by ascending collider.
    contacts: Vec<Contact>,
    /// The slot of the first particle, and where the contacts of each end.
    first: usize,
    ends: Vec<u32>,
    /// Where colliders are few: where each particle was predicted, and how far it may come from there without touching what is not in its list,
    /// m; negative once it came farther, and has a list among the later ones.
    rooms: Vec<f32x4>,
    /// The contacts of those with all colliders, and their slots and where theirs end.
    late: Vec<Contact>,
    late_ends: Vec<(usize, u32)>,
    /// The colliders that a particle may touch.
    near: Vec<u32>,
}

impl Lists {
    /// What presses, is held or is in a trigger: the slot and the contact.
    pub fn felt(&self) -> impl Iterator<Item = (usize, &Contact)> {
        let all = self.all().flat_map(|(slot, contacts)| contacts.iter().map(move |contact| (slot, contact)));
        all.filter(|(_, contact)| contact.lambda != 0.0 || contact.within)
    }

    /// The contacts of each particle.
    fn all(&self) -> impl Iterator<Item = (usize, &[Contact])> {
        let early = cut(&self.contacts, (self.first..).zip(self.ends.iter().copied()));
        early.chain(cut(&self.late, self.late_ends.iter().copied()))
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Contact>() * (self.contacts.capacity() + self.late.capacity())
            + size_of::<u32>() * (self.ends.capacity() + self.near.capacity())
            + size_of::<f32x4>() * self.rooms.capacity()
    }
}

/// A list cut where the contacts of each particle end.
fn cut(contacts: &[Contact], ends: impl Iterator<Item = (usize, u32)>) -> impl Iterator<Item = (usize, &[Contact])> {
    let mut begin = 0;
    ends.map(move |(slot, end)| (slot, &contacts[std::mem::replace(&mut begin, end as usize)..end as usize]))
}

pub fn locked(lists: &Mutex<Lists>) -> MutexGuard<'_, Lists> {
    lists.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the contacts of a substep go by.
pub struct Contacts<'a> {
    /// Those of this substep.
    pub colliders: &'a [Collider],
    /// As they stand.
    pub poses: &'a [Pose<'a, f32>],
    /// How each body touches.
    pub surfaces: &'a [Surface],
    pub properties: &'a [Properties],
    pub points: Points<'a>,
    pub u: Shared<'a, f32x4>,
    /// With BDF2.
    pub past: Option<Past<'a>>,
    /// The tree of the colliders, where there are many.
    pub tree: &'a [Bound],
    /// Of each thread.
    pub lists: &'a [Mutex<Lists>],
    /// h
    pub seconds: f32,
    /// H²
    pub seconds_squared: f32,
    /// 2 g h²: a slower approach is of gravity's own making.
    pub calm: f32,
    /// H/h: 1, and with BDF2 2/3.
    pub share: f32,
}

impl Contacts<'_> {
    /// Finds the planes that bound the motion of a thread's free particles, from where they are predicted.
    pub fn detect(&self, member: &Member) {
        let mut lists = locked(&self.lists[member.index]);
        let Lists { contacts, first, ends, rooms, late, late_ends, near } = &mut *lists;
        let slots = member.share(self.points.x.len());
        contacts.clear();
        ends.clear();
        rooms.clear();
        late.clear();
        late_ends.clear();
        *first = slots.start;
        for first in slots.clone().step_by(TOGETHER) {
            let several = first..(first + TOGETHER).min(slots.end);
            let room = self.room_of(several.clone());
            for slot in several {
                rooms.push(match room {
                    Some(room) => with_fourth(self.points.d.read(slot), room),
                    None => self.find(slot, contacts, near),
                });
                ends.push(contacts.len() as u32);
            }
        }
    }

    /// How far each of some particles may at least go from where it is predicted, if all of them stay far from all colliders: those about a ball
    /// around them, whose way is the same for all.
    #[inline(always)]
    fn room_of(&self, slots: Range<usize>) -> Option<f32> {
        if !self.tree.is_empty() {
            return None;
        }
        let (mut low, mut high) = (f32x4::splat(f32::INFINITY), f32x4::splat(f32::NEG_INFINITY));
        let (mut way, mut radius) = (0.0_f32, 0.0_f32);
        for slot in slots {
            let (x, begin, moved) = (self.points.x.read(slot), self.begin(slot), self.points.d.read(slot));
            let (from, to) = (x + begin, x + moved);
            low = low.fast_min(from).fast_min(to);
            high = high.fast_max(from).fast_max(to);
            let ahead = three(moved - begin);
            (way, radius) = (way.max(ahead.dot(ahead)), radius.max(self.surface(slot).radius));
        }
        let half = f32x4::splat(0.5);
        let (middle, ball) = (three((low + high) * half), three((high - low) * half).length());
        let far = middle.x.abs().max(middle.y.abs()).max(middle.z.abs()) + ball;
        let slack = slack(way.sqrt(), radius, self.seconds);
        let mut room = f32::INFINITY;
        for (collider, pose) in self.colliders.iter().zip(self.poses) {
            let point = (middle - of(collider.place)) - of(collider.place_low);
            let gap = pose.least_gap(point, radius + collider.thickness)?;
            let gap = gap - ball - pose.displacement.length() - ROUNDING * far;
            if collider.adhesion > 0.0 || gap.is_nan() || gap <= slack {
                return None;
            }
            room = room.min(SAFE * gap);
        }
        Some(room)
    }

    /// Returns where the particle is predicted, and how far it may go from there.
    #[inline(always)]
    fn find(&self, slot: usize, contacts: &mut Vec<Contact>, near: &mut Vec<u32>) -> f32x4 {
        let x = self.points.x.read(slot);
        let d = self.points.d.read(slot);
        let mut room = f32::INFINITY;
        if x.to_array()[3] > 0.0 {
            let (x, moved, begin) = (three(x), three(d), three(self.begin(slot)));
            let surface = self.surface(slot);
            let place = (x, begin, moved);
            if self.tree.is_empty() {
                let slack = slack((moved - begin).length(), surface.radius, self.seconds);
                for k in (0..self.colliders.len()).filter(|&k| self.collides(surface, k)) {
                    match self.free(k, place, surface) {
                        Some(gap) if gap > slack => room = room.min(SAFE * gap),
                        _ => contacts.push(self.meet(slot, k, place, surface)),
                    }
                }
            } else {
                self.find_near(slot, place, surface, contacts, near);
            }
        }
        with_fourth(d, room)
    }

    /// Where there are many colliders.
    #[inline(never)]
    fn find_near(
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
            // By as much as a collider pushes it more is looked at.
            if depth <= span.slack {
                return;
            }
            span = span.wider(depth);
        }
    }

    /// Where a particle was as the substep began, relative to x.
    fn begin(&self, slot: usize) -> f32x4 {
        let e = self.points.e.read(slot);
        match &self.past {
            // e is ahead of that.
            Some(past) => e - f32x4::splat(1.0 - self.share) * (self.u.read(slot) + past.lags.read(slot)),
            None => e,
        }
    }

    #[inline(always)]
    fn collides(&self, surface: &Surface, k: usize) -> bool {
        let collider = &self.colliders[k];
        surface.groups & collider.meets != 0 && collider.groups & surface.meets != 0
    }

    /// Start and end of a particle's way as one of a collider sees them, and the radius of both.
    #[inline(always)]
    fn relative(&self, k: usize, (x, begin, moved): Place, surface: &Surface) -> ([Vec3<f32>; 2], f32) {
        let collider = &self.colliders[k];
        let (at, low) = (x - of(collider.place), of(collider.place_low));
        let start = at + (begin - low) + self.poses[k].displacement;
        ([start, at + (moved - low)], surface.radius + collider.thickness)
    }

    /// How far a particle ends from a collider that does nothing from afar, if its way leads nowhere near.
    #[inline(always)]
    fn free(&self, k: usize, place: Place, surface: &Surface) -> Option<f32> {
        let ([start, end], radius) = self.relative(k, place, surface);
        let holds = self.colliders[k].adhesion > 0.0;
        if holds { None } else { self.poses[k].free(start, end, radius) }
    }

    #[inline(always)]
    fn meet(&self, slot: usize, k: usize, place: Place, surface: &Surface) -> Contact {
        let ([start, end], radius) = self.relative(k, place, surface);
        let touch = self.poses[k].touch(start, end, radius, self.calm);
        let moved = place.2;
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

    /// Pushes a thread's free particles out of the colliders, and holds them by friction.
    pub fn solve(&self, member: &Member) {
        let mut lists = locked(&self.lists[member.index]);
        let Lists { contacts, first, ends, rooms, late, late_ends, .. } = &mut *lists;
        let mut begin = 0;
        for &mut (slot, end) in &mut *late_ends {
            let moved = self.pushed(slot, three(self.points.d.read(slot)), &mut late[begin..end as usize]);
            self.points.d.write(slot, four(moved));
            begin = end as usize;
        }
        let mut begin = 0;
        for ((slot, &end), room) in (*first..).zip(&*ends).zip(rooms) {
            let contacts = &mut contacts[begin..end as usize];
            begin = end as usize;
            let [x, y, z, most] = room.to_array();
            let stays = |place: Vec3<f32>| {
                let away = place - Vec3 { x, y, z };
                away.dot(away) < most * most
            };
            let moved = three(self.points.d.read(slot));
            if most < 0.0 || (contacts.is_empty() && stays(moved)) {
                continue;
            }
            // What it does is taken back where others that are not in the list come into play.
            let begun = late.len();
            late.extend_from_slice(contacts);
            let pushed = self.pushed(slot, moved, contacts);
            if most == f32::INFINITY || (stays(moved) && stays(pushed)) {
                late.truncate(begun);
                self.points.d.write(slot, four(pushed));
                continue;
            }
            *room = f32x4::splat(-1.0);
            contacts.iter_mut().for_each(Contact::clear);
            self.find_all(slot, Vec3 { x, y, z }, begun, late);
            late_ends.push((slot, late.len() as u32));
            self.points.d.write(slot, four(self.pushed(slot, moved, &mut late[begun..])));
        }
    }

    /// The contacts of a particle with all colliders, after those that a list has from `begun` on, which they replace.
    #[cold]
    fn find_all(&self, slot: usize, predicted: Vec3<f32>, begun: usize, contacts: &mut Vec<Contact>) {
        let known = contacts.split_off(begun);
        let place = (three(self.points.x.read(slot)), three(self.begin(slot)), predicted);
        let surface = self.surface(slot);
        for k in (0..self.colliders.len()).filter(|&k| self.collides(surface, k)) {
            let same = known.iter().find(|contact| contact.collider == k as u32);
            contacts.push(same.copied().unwrap_or_else(|| self.meet(slot, k, place, surface)));
        }
    }

    /// Where a particle comes to that came so far.
    #[inline(always)]
    fn pushed(&self, slot: usize, mut moved: Vec3<f32>, contacts: &mut [Contact]) -> Vec3<f32> {
        if contacts.is_empty() {
            return moved;
        }
        let w = self.points.x.read(slot).to_array()[3];
        let surface = self.surface(slot);
        let e = three(self.points.e.read(slot));
        for contact in contacts {
            let collider = &self.colliders[contact.collider as usize];
            let n = contact.normal;
            if collider.adhesion == TRIGGER {
                contact.within = contact.offset + n.dot(moved) < 0.0;
                continue;
            }
            let value = contact.offset + n.dot(moved);
            if value > 0.0 && contact.lambda == 0.0 && collider.adhesion == 0.0 {
                continue;
            }
            let carried = contact.carried * self.share;
            let mut hold = 0.0;
            if collider.adhesion > 0.0 {
                let hair = 1e-6 + 1e-3 * (surface.radius + collider.thickness);
                let touched = contact.offset + n.dot(e + carried) < hair;
                hold = if touched { collider.adhesion * self.seconds_squared } else { 0.0 };
            }
            let lambda = (contact.lambda - value / w).max(-hold);
            moved += n * (w * (lambda - contact.lambda));

            let slip = moved - e - carried;
            let mut tangential = contact.tangential - (slip - n * n.dot(slip)) * (1.0 / w);
            let size = tangential.length();
            if size > 0.5 * (surface.friction + collider.friction) * (lambda + hold) {
                let bound = 0.5 * (surface.dynamic_friction + collider.dynamic_friction) * (lambda + hold);
                tangential = tangential * (bound / size);
            }
            moved += (tangential - contact.tangential) * w;
            (contact.lambda, contact.tangential) = (lambda, tangential);
        }
        moved
    }

    /// Gives a thread's free particles that press the speed with which they leave, and tells of each contact that presses its slot, its normal and
    /// whether it is an impact. Returns how many press.
    pub fn rebound(&self, member: &Member, mut told: impl FnMut(usize, f32x4, bool)) -> u32 {
        let lists = locked(&self.lists[member.index]);
        let mut pressing = 0;
        for (slot, contacts) in lists.all().filter(|(_, contacts)| !contacts.is_empty()) {
            let before = pressing;
            let mut way = three(self.u.read(slot));
            for contact in contacts.iter().filter(|contact| contact.lambda > 0.0) {
                let restitution =
                    self.surface(slot).restitution + self.colliders[contact.collider as usize].restitution;
                let impact = contact.approach < -self.calm;
                let wanted = if impact { -0.5 * restitution * contact.approach } else { 0.0 };
                let now = contact.normal.dot(way - contact.carried);
                way += contact.normal * (wanted - now);
                told(slot, four(contact.normal), impact);
                pressing += 1;
            }
            if pressing > before {
                self.u.write(slot, four(way));
            }
        }
        pressing
    }

    fn surface(&self, slot: usize) -> &Surface {
        &self.surfaces[self.properties[slot].body as usize]
    }
}

fn of([x, y, z]: [f32; 3]) -> Vec3<f32> {
    Vec3 { x, y, z }
}

/// A collider as it stands, with what its shape goes by.
pub fn pose<'a>(collider: &Collider, shape: &'a Shape) -> Pose<'a, f32> {
    let field = Field { samples: shape.samples(), nodes: collider.nodes, cell: collider.cell };
    let solid = Solid { shape: collider.shape, size: of(collider.size), field, inside: collider.inside != 0 };
    Pose {
        solid,
        axes: [of(collider.axis_x), of(collider.axis_y), of(collider.axis_z)],
        displacement: of(collider.displacement),
        turn: of(collider.turn),
        spin: of(collider.spin),
        belt: of(collider.belt),
        fine: if collider.spin != [0.0; 3] { 0.0 } else { solid.fine() },
    }
}
