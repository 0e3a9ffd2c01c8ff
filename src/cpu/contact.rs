//! Contacts of particles with colliders: what `shaders/contact/` does, and there is why.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::detect::{Detect, TOGETHER};
use super::lanes::{InLanes, Instructions, Lanes};
use super::particles::{double, four, three};
use super::past::Past;
use super::shared::Shared;
use super::solve::Points;
use super::touch::Found;
use crate::constraint::Vec3;
use crate::engine::contact::TRIGGER;
use crate::engine::records::{Bound, Collider, Properties, Surface};
use crate::mesh::field::Field;
use crate::model::Shape;
use crate::model::pose::Pose;
use crate::model::shape::Solid;
use wide::f32x4;

/// A particle against a collider, linear over the substep: C = offset + normal · d.
#[derive(Clone, Copy)]
pub struct Contact {
    pub(super) normal: Vec3<f32>,
    pub(super) offset: f32,
    pub(super) tangential: Vec3<f32>,
    pub(super) lambda: f32,
    pub(super) carried: Vec3<f32>,
    pub(super) approach: f32,
    pub(super) collider: u32,
    /// Whether the particle is in it, a trigger.
    pub(super) within: bool,
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

/// The contacts of a piece's particles in a substep: with all colliders that they collide with where these are few, else with those near.
#[derive(Default)]
pub struct Lists {
    /// Those of a particle after one another, by ascending collider.
    pub(super) contacts: Vec<Contact>,
    /// The slots of the particles, the last one again until there are whole [`TOGETHER`]s.
    pub(super) slots: Vec<u32>,
    /// Where the contacts of each particle end.
    pub(super) ends: Vec<u32>,
    /// For each slot, where colliders are few: where the particle was predicted, and how far it may come from there without touching what is not in
    /// its list, m; negative once it came farther, and has a list among the later ones.
    pub(super) rooms: Vec<f32x4>,
    /// For each [`TOGETHER`] of them whether all are far from all colliders, and have no contacts.
    pub(super) far: Vec<bool>,
    /// The contacts of those with all colliders, and their slots and where theirs end.
    pub(super) late: Vec<Contact>,
    pub(super) late_ends: Vec<(u32, u32)>,
    /// The colliders that a particle may touch.
    pub(super) near: Vec<u32>,
    /// For each collider what particles side by side find of it.
    pub(super) found: Vec<Found>,
}

impl Lists {
    /// What presses, is held or is in a trigger: the slot and the contact.
    pub fn felt(&self) -> impl Iterator<Item = (usize, &Contact)> {
        let all = self.all().flat_map(|(slot, contacts)| contacts.iter().map(move |contact| (slot, contact)));
        all.filter(|(_, contact)| contact.lambda != 0.0 || contact.within)
    }

    /// The contacts of each particle.
    fn all(&self) -> impl Iterator<Item = (usize, &[Contact])> {
        let early = self.slots.iter().copied().zip(self.ends.iter().copied());
        cut(&self.contacts, early).chain(cut(&self.late, self.late_ends.iter().copied()))
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Contact>() * (self.contacts.capacity() + self.late.capacity())
            + size_of::<u32>() * (self.slots.capacity() + self.ends.capacity() + self.near.capacity())
            + size_of::<(u32, u32)>() * self.late_ends.capacity()
            + size_of::<f32x4>() * self.rooms.capacity()
            + self.far.capacity()
    }
}

/// A list cut where the contacts of each particle end.
fn cut(contacts: &[Contact], ends: impl Iterator<Item = (u32, u32)>) -> impl Iterator<Item = (usize, &[Contact])> {
    let mut begin = 0;
    ends.map(move |(slot, end)| (slot as usize, &contacts[std::mem::replace(&mut begin, end as usize)..end as usize]))
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
    /// All slots, those of near particles one after another; where they lie so anyway, none.
    pub order: Option<&'a [u32]>,
    /// The tree of the colliders, where there are many.
    pub tree: &'a [Bound],
    /// h
    pub seconds: f32,
    /// H²
    pub seconds_squared: f32,
    pub instructions: Instructions,
    /// 2 g h²: a slower approach is of gravity's own making.
    pub calm: f32,
    /// H/h: 1, and with BDF2 2/3.
    pub share: f32,
}

impl Contacts<'_> {
    /// Finds the planes that bound the motion of a piece's free particles, from where they are predicted.
    pub fn detect(&self, piece: Range<usize>, lists: &mut Lists) {
        self.instructions.run(Detect { contacts: self, piece, lists });
    }

    /// Pushes a piece's free particles out of the colliders, and holds them by friction.
    pub fn solve(&self, lists: &mut Lists) {
        self.instructions.run(Solve { contacts: self, lists });
    }

    /// Those of whom all contacts have to be known by now.
    #[inline(always)]
    fn solve_late(&self, late: &mut [Contact], late_ends: &[(u32, u32)]) {
        let mut begin = 0;
        for &(slot, end) in late_ends {
            let slot = slot as usize;
            let moved = self.pushed(slot, three(self.points.d.read(slot)), &mut late[begin..end as usize]);
            self.points.d.write(slot, four(moved));
            begin = end as usize;
        }
    }

    /// A particle with those of its contacts that were near.
    #[inline(always)]
    fn solve_near(
        &self,
        slot: usize,
        contacts: &mut [Contact],
        room: &mut f32x4,
        late: &mut Vec<Contact>,
        late_ends: &mut Vec<(u32, u32)>,
    ) {
        let [x, y, z, most] = room.to_array();
        let stays = |place: Vec3<f32>| {
            let away = place - Vec3 { x, y, z };
            away.dot(away) < most * most
        };
        let moved = three(self.points.d.read(slot));
        if most < 0.0 || (contacts.is_empty() && stays(moved)) {
            return;
        }
        // What it does is taken back where others that are not in the list come into play.
        let begun = late.len();
        late.extend_from_slice(contacts);
        let pushed = self.pushed(slot, moved, contacts);
        if most == f32::INFINITY || (stays(moved) && stays(pushed)) {
            late.truncate(begun);
            self.points.d.write(slot, four(pushed));
            return;
        }
        *room = f32x4::splat(-1.0);
        contacts.iter_mut().for_each(Contact::clear);
        self.find_all(slot, Vec3 { x, y, z }, begun, late);
        late_ends.push((slot as u32, late.len() as u32));
        self.points.d.write(slot, four(self.pushed(slot, moved, &mut late[begun..])));
    }

    /// The contacts of a particle with all colliders, after those that a list has from `begun` on, which they replace.
    #[cold]
    fn find_all(&self, slot: usize, predicted: Vec3<f32>, begun: usize, contacts: &mut Vec<Contact>) {
        let known = contacts.split_off(begun);
        let (x, begin, _) = self.place(slot);
        let place = (x, begin, predicted);
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
                let begin = three(self.begin(slot));
                let touched = contact.offset + n.dot(begin + contact.carried) < hair;
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

    /// Tells of each of a piece's contacts that press its slot, its normal and whether it is an impact, and then the way by which the particle leaves.
    /// Returns how many press.
    pub fn rebound(
        &self,
        lists: &Lists,
        mut told: impl FnMut(usize, f32x4, bool),
        mut leaves: impl FnMut(usize, f32x4),
    ) -> u32 {
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
                leaves(slot, four(way));
            }
        }
        pressing
    }

    pub(super) fn surface(&self, slot: usize) -> &Surface {
        &self.surfaces[self.properties[slot].body as usize]
    }
}

/// See [`Contacts::solve`].
struct Solve<'a, 'b> {
    contacts: &'a Contacts<'a>,
    lists: &'b mut Lists,
}

impl InLanes for Solve<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Lists { contacts, slots, ends, rooms, far, late, late_ends, .. } = self.lists;
        self.contacts.solve_late(late, late_ends);
        let mut begin = 0;
        for (index, &all_far) in far.iter().enumerate() {
            let first = index * TOGETHER;
            if all_far && self.contacts.stay::<L>(&slots[first..first + TOGETHER], &rooms[first..first + TOGETHER]) {
                continue;
            }
            for place in first..(first + TOGETHER).min(ends.len()) {
                let own = &mut contacts[begin..ends[place] as usize];
                begin = ends[place] as usize;
                self.contacts.solve_near(slots[place] as usize, own, &mut rooms[place], late, late_ends);
            }
        }
    }
}

pub(super) fn of([x, y, z]: [f32; 3]) -> Vec3<f32> {
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
