//! Contacts of particles with colliders: what `shaders/colliders/` does, and there is why.

pub(crate) mod detect;
mod lists;
mod pass;
mod push;
mod touch;

pub use pass::Colliders;

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cpu::lanes::{InLanes, Instructions, Lanes};
use crate::cpu::particles::{double, four, three};
use crate::cpu::past::Past;
use crate::cpu::shared::Shared;
use crate::cpu::solve::Points;
use crate::law::contact::{Impulse, Skin, Touch, Wall};
use crate::law::impact::Impact;
use crate::math::{Real, Vec3};
use crate::mesh::field::Field;
use crate::model::pose::Pose;
use crate::model::shape::Solid;
use crate::model::{FrictionCombine, Shape};
use crate::pass::colliders::cpu::detect::{Detect, TOGETHER};
use crate::pass::colliders::cpu::lists::{ContactRow, ContactRows};
use crate::pass::colliders::cpu::touch::Side;
use crate::step::contact::TRIGGER;
use crate::step::records::{Bound, Collider, Properties, Surface};
use wide::f32x4;

/// A particle against a collider, linear over the substep: C = offset + normal · d.
#[derive(Clone, Copy)]
pub struct Contact {
    pub(crate) normal: Vec3<f32>,
    pub(crate) offset: f32,
    pub(crate) tangential: Vec3<f32>,
    pub(crate) lambda: f32,
    pub(crate) carried: Vec3<f32>,
    pub(crate) approach: f32,
    pub(crate) collider: u32,
    /// Whether the particle is in it, a trigger.
    pub(crate) within: bool,
}

impl Contact {
    /// Index of the collider.
    pub fn collider(&self) -> u32 {
        self.collider
    }

    #[inline(always)]
    fn impulse(&self) -> Impulse<f32> {
        Impulse { normal: self.lambda, tangential: self.tangential }
    }

    /// What others tore off again may have rubbed and not pressed.
    pub(crate) fn is_active(&self) -> bool {
        let Vec3 { x, y, z } = self.tangential;
        [self.lambda, x, y, z].iter().any(|&multiplier| multiplier != 0.0) || self.within
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

/// The contacts of a piece's particles in a substep: side by side with all colliders that they collide with where these
/// are few, else one by one with those near.
#[derive(Default)]
pub struct PieceContacts {
    /// The slots of the particles, the last one again until there are whole [`TOGETHER`]s.
    pub(crate) slots: Vec<u32>,
    /// Those of the particles side by side.
    pub(crate) rows: ContactRows,
    /// For each slot, where colliders are few: where the particle was predicted, and how far it may come from there
    /// without touching what is not in its list, m; negative once it came farther, and is among the late ones.
    pub(crate) rooms: Vec<f32x4>,
    /// Of those the contacts with all colliders.
    pub(crate) late: LateContacts,
    /// Where colliders are many, those of a particle after one another, by ascending collider, and where each
    /// particle's end.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) ends: Vec<u32>,
    /// The colliders that a particle may touch.
    pub(crate) near: Vec<u32>,
}

/// Contacts of particles that came to where others may be touched than were looked for.
#[derive(Default)]
pub struct LateContacts {
    pub(crate) contacts: Vec<Contact>,
    /// The slot of each particle, and where its contacts end.
    pub(crate) ends: Vec<(u32, u32)>,
}

impl LateContacts {
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.ends.clear();
    }
}

impl PieceContacts {
    /// What presses, is held or is in a trigger: the slot and the contact.
    pub fn each_active(&self, mut report: impl FnMut(usize, Contact)) {
        let mut report = |slot, contact: Contact| {
            if contact.is_active() {
                report(slot, contact);
            }
        };
        for (slot, lane, rows) in self.side_by_side() {
            rows.iter().filter(|row| row.touches(lane)).for_each(|row| report(slot, row.contact(lane)));
        }
        for (slot, contacts) in self.one_by_one() {
            contacts.iter().for_each(|&contact| report(slot, contact));
        }
    }

    /// Slot, lane and contacts of each particle side by side that has one.
    fn side_by_side(&self) -> impl Iterator<Item = (usize, usize, &[ContactRow])> {
        let sixteens = self.slots.chunks(TOGETHER).zip(self.rows.all());
        sixteens.flat_map(move |(slots, rows)| {
            let mut lanes = rows.iter().fold(0, |bits, row| bits | row.touching);
            std::iter::from_fn(move || {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes.wrapping_sub(1);
                slots.get(lane).map(|&slot| (slot as usize, lane, rows))
            })
        })
    }

    /// Slot and contacts of each other particle that has some.
    fn one_by_one(&self) -> impl Iterator<Item = (usize, &[Contact])> {
        let early = cut(&self.contacts, self.slots.iter().copied().zip(self.ends.iter().copied()));
        let late = cut(&self.late.contacts, self.late.ends.iter().copied());
        early.chain(late).filter(|(_, contacts)| !contacts.is_empty())
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Contact>() * (self.contacts.capacity() + self.late.contacts.capacity())
            + size_of::<u32>() * (self.slots.capacity() + self.ends.capacity() + self.near.capacity())
            + size_of::<(u32, u32)>() * self.late.ends.capacity()
            + size_of::<f32x4>() * self.rooms.capacity()
            + self.rows.bytes()
    }
}

/// A list cut where the contacts of each particle end.
fn cut(contacts: &[Contact], ends: impl Iterator<Item = (u32, u32)>) -> impl Iterator<Item = (usize, &[Contact])> {
    let mut begin = 0;
    ends.map(move |(slot, end)| (slot as usize, &contacts[std::mem::replace(&mut begin, end as usize)..end as usize]))
}

/// Does something with the slot and the contacts of each particle that has some, by where they end.
#[inline(always)]
fn each_cut(
    contacts: &mut [Contact],
    ends: impl Iterator<Item = (u32, u32)>,
    mut act: impl FnMut(usize, &mut [Contact]),
) {
    let mut begin = 0;
    for (slot, end) in ends {
        let own = &mut contacts[std::mem::replace(&mut begin, end as usize)..end as usize];
        if !own.is_empty() {
            act(slot as usize, own);
        }
    }
}

pub fn locked(lists: &Mutex<PieceContacts>) -> MutexGuard<'_, PieceContacts> {
    lists.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the contacts of a substep read.
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
    pub friction_combine: FrictionCombine,
}

impl Contacts<'_> {
    /// Finds the planes that bound the motion of a piece's free particles, from where they are predicted.
    pub fn detect(&self, piece: Range<usize>, lists: &mut PieceContacts) {
        self.instructions.run(Detect { contacts: self, piece, lists });
    }

    /// Pushes a piece's free particles, so many, out of the colliders, and holds them by friction.
    pub fn solve(&self, count: usize, lists: &mut PieceContacts) {
        self.instructions.run(Solve { contacts: self, count, lists });
    }

    /// One after the other.
    #[inline(always)]
    fn solve_each(&self, contacts: &mut [Contact], ends: impl Iterator<Item = (u32, u32)>) {
        each_cut(contacts, ends, |slot, own| {
            let moved = self.pushed(slot, three(self.points.d.read(slot)), own);
            self.points.d.write(slot, four(moved));
        });
    }

    /// The contacts of a particle with all colliders, after those that a list has from `begun` on, which they replace.
    pub(crate) fn find_all(&self, slot: usize, predicted: Vec3<f32>, begun: usize, contacts: &mut Vec<Contact>) {
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
    pub(crate) fn pushed(&self, slot: usize, mut moved: Vec3<f32>, contacts: &mut [Contact]) -> Vec3<f32> {
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
            let mut hold = 0.0;
            if collider.adhesion > 0.0 {
                let hair = 1e-6 + 1e-3 * (surface.radius + collider.thickness);
                let begin = three(self.begin(slot));
                let touched = contact.offset + n.dot(begin + contact.carried) < hair;
                hold = if touched { collider.adhesion * self.seconds_squared } else { 0.0 };
            }
            let touch = Touch::mixed(self.friction_combine, &skin_of(surface), &skin_of_collider(collider));
            let impact = self.impact(contact.approach, touch.restitution);
            let (carried, share) = (contact.carried * self.share, self.share);
            let wall = Wall { normal: n, value, weight: w, hold, start: e, carried, share };
            let Impulse { normal, tangential } = contact.impulse().held(&touch, &impact, &wall, &mut moved);
            (contact.lambda, contact.tangential) = (normal, tangential);
        }
        moved
    }

    /// How a particle leaves that presses and came with h times this speed.
    #[inline(always)]
    pub(crate) fn impact<R: Real>(&self, approach: R, restitution: R) -> Impact<R> {
        let (calm, share) = (R::from_f64(f64::from(self.calm)), R::from_f64(f64::from(self.share)));
        Impact::new(approach, restitution, calm, share)
    }

    /// Tells, with BDF2, of each of a piece's contacts that press its slot, its normal and whether it is an impact, and
    /// then the way by which the particle leaves. They then have what they pressed with in all. Returns how many did.
    pub fn rebound(
        &self,
        lists: &mut PieceContacts,
        mut told: impl FnMut(usize, f32x4, bool),
        mut leaves: impl FnMut(usize, f32x4),
    ) -> u32 {
        let mut pressing = 0;
        let PieceContacts { slots, rows, contacts, ends, late, .. } = lists;
        match self.past {
            None => self.instructions.run(Rebound {
                contacts: self,
                slots,
                rows,
                leaves: &mut leaves,
                pressing: &mut pressing,
            }),
            Some(_) => {
                let mut own = Vec::new();
                for (index, slots) in slots.chunks(TOGETHER).take(rows.len()).enumerate() {
                    let (rows, _) = rows.of(index);
                    let pressed = rows.iter().fold(0, |bits, row| bits | row.pressing);
                    for (lane, &slot) in slots.iter().enumerate().filter(|(lane, _)| pressed >> lane & 1 == 1) {
                        own.clear();
                        own.extend(rows.iter().filter(|one| one.touches(lane)).map(|one| one.contact(lane)));
                        pressing += self.rebound_one(slot as usize, &mut own, &mut told, &mut leaves);
                        let touched = rows.iter_mut().filter(|one| one.touches(lane));
                        touched.zip(&own).for_each(|(row, contact)| row.press(lane, contact));
                    }
                }
            }
        }
        let mut one = |slot, own: &mut [Contact]| pressing += self.rebound_one(slot, own, &mut told, &mut leaves);
        each_cut(contacts, slots.iter().copied().zip(ends.iter().copied()), &mut one);
        each_cut(&mut late.contacts, late.ends.iter().copied(), &mut one);
        pressing
    }

    #[inline(always)]
    pub(crate) fn rebound_one(
        &self,
        slot: usize,
        contacts: &mut [Contact],
        told: &mut impl FnMut(usize, f32x4, bool),
        leaves: &mut impl FnMut(usize, f32x4),
    ) -> u32 {
        let (mut pressing, mut pressed, mut way) = (0, false, three(self.u.read(slot)));
        let w = self.points.x.read(slot).to_array()[3];
        for contact in contacts.iter_mut().filter(|contact| contact.lambda > 0.0) {
            let collider = &self.colliders[contact.collider as usize];
            let touch = Touch::mixed(self.friction_combine, &skin_of(self.surface(slot)), &skin_of_collider(collider));
            let impact = self.impact(contact.approach, touch.restitution);
            let (change, parted) = contact.impulse().parted(&impact, w, contact.normal.dot(way - contact.carried));
            way += contact.normal * change;
            told(slot, four(contact.normal), impact.is_one);
            (contact.lambda, contact.tangential) = (parted.normal, parted.tangential);
            (pressing, pressed) = (pressing + u32::from(contact.lambda > 0.0), true);
        }
        if pressed {
            leaves(slot, four(way));
        }
        pressing
    }

    pub(crate) fn surface(&self, slot: usize) -> &Surface {
        &self.surfaces[self.properties[slot].body as usize]
    }
}

/// See [`Contacts::rebound`].
struct Rebound<'a, 'b, F> {
    contacts: &'a Contacts<'a>,
    slots: &'b [u32],
    rows: &'b mut ContactRows,
    leaves: &'b mut F,
    pressing: &'b mut u32,
}

impl<F: FnMut(usize, f32x4)> InLanes for Rebound<'_, '_, F> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (index, slots) in self.slots.chunks(TOGETHER).take(self.rows.len()).enumerate() {
            let (rows, _) = self.rows.of(index);
            if rows.iter().all(|row| row.pressing == 0) {
                continue;
            }
            for (part, lanes) in slots.chunks_exact(L::COUNT).enumerate() {
                let side = Side { lanes, live: L::COUNT };
                *self.pressing += self.contacts.leave::<L>(side, part * L::COUNT, rows, self.leaves);
            }
        }
    }
}

/// See [`Contacts::solve`].
struct Solve<'a, 'b> {
    contacts: &'a Contacts<'a>,
    count: usize,
    lists: &'b mut PieceContacts,
}

impl InLanes for Solve<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let all = self.contacts;
        let PieceContacts { contacts, slots, ends, rooms, rows, late, .. } = self.lists;
        all.solve_each(&mut late.contacts, late.ends.iter().copied());
        if !all.tree.is_empty() {
            return all.solve_each(contacts, slots.iter().copied().zip(ends.iter().copied()));
        }
        for first in (0..slots.len()).step_by(TOGETHER) {
            let (together, rooms) = (&slots[first..first + TOGETHER], &mut rooms[first..first + TOGETHER]);
            let (own, before) = rows.of(first / TOGETHER);
            if own.is_empty() && all.stay::<L>(together, rooms) {
                continue;
            }
            let count = TOGETHER.min(self.count - first);
            for part in (0..count).step_by(L::COUNT) {
                let (lanes, live) = (&together[part..part + L::COUNT], L::COUNT.min(count - part));
                all.push::<L>(Side { lanes, live }, part, &mut rooms[part..], (&mut *own, &mut *before), late);
            }
        }
    }
}

/// How a body touches.
#[inline(always)]
fn skin_of(surface: &Surface) -> Skin<f32> {
    let Surface { friction, dynamic_friction, restitution, .. } = *surface;
    Skin { compliance: 0.0, friction, dynamic_friction, restitution }
}

/// How a collider touches.
#[inline(always)]
pub(crate) fn skin_of_collider<R: Real>(collider: &Collider) -> Skin<R> {
    let [friction, dynamic_friction, restitution] =
        [collider.friction, collider.dynamic_friction, collider.restitution].map(|value| R::from_f64(value.into()));
    Skin { compliance: R::from_f64(0.0), friction, dynamic_friction, restitution }
}

pub(crate) fn of([x, y, z]: [f32; 3]) -> Vec3<f32> {
    Vec3 { x, y, z }
}

/// A collider in its place, with what its shape reads.
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
