//! Contacts of particles with colliders: what `shaders/contact/` does, and there is why.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::particles::{double, four, three};
use super::past::Past;
use super::shared::Shared;
use super::solve::Points;
use super::team::Member;
use crate::constraint::Vec3;
use crate::engine::contact::TRIGGER;
use crate::engine::records::{Bound, Collider, Properties, Surface};
use crate::engine::tree::{Span, reached};
use crate::mesh::field::Field;
use crate::model::Shape;
use crate::model::pose::Pose;
use crate::model::shape::Solid;
use wide::f32x4;

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
}

/// The contacts of one thread's particles in a substep: with all colliders that they collide with where these are few, else with those near.
#[derive(Default)]
pub struct Lists {
    /// Those of a particle after one another, by ascending collider.
    contacts: Vec<Contact>,
    /// The slot of the first particle, and where the contacts of each end.
    first: usize,
    ends: Vec<u32>,
    /// The colliders that a particle may touch.
    near: Vec<u32>,
}

impl Lists {
    /// What presses, is held or is in a trigger: the slot and the contact.
    pub fn felt(&self) -> impl Iterator<Item = (usize, &Contact)> {
        let of = move |index| self.of(index).iter().map(move |contact| (self.first + index, contact));
        (0..self.ends.len()).flat_map(of).filter(|(_, contact)| contact.lambda != 0.0 || contact.within)
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Contact>() * self.contacts.capacity()
            + size_of::<u32>() * (self.ends.capacity() + self.near.capacity())
    }

    fn of(&self, index: usize) -> &[Contact] {
        let first = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.contacts[first as usize..self.ends[index] as usize]
    }
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
        let Lists { contacts, first, ends, near } = &mut *lists;
        let slots = member.share(self.points.x.len());
        contacts.clear();
        ends.clear();
        *first = slots.start;
        for slot in slots {
            self.find(slot, contacts, near);
            ends.push(contacts.len() as u32);
        }
    }

    #[inline(always)]
    fn find(&self, slot: usize, contacts: &mut Vec<Contact>, near: &mut Vec<u32>) {
        let x = self.points.x.read(slot);
        if x.to_array()[3] == 0.0 {
            return;
        }
        let (x, moved) = (three(x), three(self.points.d.read(slot)));
        let begin = three(self.begin(slot));
        let surface = self.surface(slot);
        let place = (x, begin, moved);
        if self.tree.is_empty() {
            for k in 0..self.colliders.len() {
                if self.collides(surface, k) {
                    contacts.push(self.meet(slot, k, place, surface));
                }
            }
            return;
        }
        self.find_near(slot, place, surface, contacts, near);
    }

    /// Where there are many colliders.
    #[inline(never)]
    fn find_near(
        &self,
        slot: usize,
        place: (Vec3<f32>, Vec3<f32>, Vec3<f32>),
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

    /// `place`: x of the particle, and relative to it where it was and is predicted.
    #[inline(always)]
    fn meet(&self, slot: usize, k: usize, place: (Vec3<f32>, Vec3<f32>, Vec3<f32>), surface: &Surface) -> Contact {
        let (collider, pose) = (&self.colliders[k], &self.poses[k]);
        let (x, begin, moved) = place;
        let (at, low) = (x - of(collider.place), of(collider.place_low));
        let start = at + (begin - low) + pose.displacement;
        let touch = pose.touch(start, at + (moved - low), surface.radius + collider.thickness, self.calm);
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
        let Lists { contacts, first, ends, .. } = &mut *lists;
        let mut begin = 0;
        for (slot, &end) in (*first..).zip(&*ends) {
            self.push(slot, &mut contacts[begin..end as usize]);
            begin = end as usize;
        }
    }

    #[inline(always)]
    fn push(&self, slot: usize, contacts: &mut [Contact]) {
        if contacts.is_empty() {
            return;
        }
        let w = self.points.x.read(slot).to_array()[3];
        let surface = self.surface(slot);
        let (mut moved, e) = (three(self.points.d.read(slot)), three(self.points.e.read(slot)));
        for contact in contacts {
            let collider = &self.colliders[contact.collider as usize];
            let n = contact.normal;
            if collider.adhesion == TRIGGER {
                contact.within = contact.offset + n.dot(moved) < 0.0;
                continue;
            }
            let carried = contact.carried * self.share;
            let mut hold = 0.0;
            if collider.adhesion > 0.0 {
                let hair = 1e-6 + 1e-3 * (surface.radius + collider.thickness);
                let touched = contact.offset + n.dot(e + carried) < hair;
                hold = if touched { collider.adhesion * self.seconds_squared } else { 0.0 };
            }
            let lambda = (contact.lambda - (contact.offset + n.dot(moved)) / w).max(-hold);
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
        self.points.d.write(slot, four(moved));
    }

    /// Gives a thread's free particles that press the speed with which they leave, and tells of each contact that presses its slot, its normal and
    /// whether it is an impact. Returns how many press.
    pub fn rebound(&self, member: &Member, mut told: impl FnMut(usize, f32x4, bool)) -> u32 {
        let lists = locked(&self.lists[member.index]);
        let (mut begin, mut pressing) = (0, 0);
        for (slot, &end) in (lists.first..).zip(&lists.ends) {
            let contacts = &lists.contacts[begin..end as usize];
            begin = end as usize;
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
