//! How contacts of particles side by side push them, and how they leave: what `Contacts::pushed` and
//! `Contacts::rebound_one` do with one, to the same bits.

use wide::f32x4;

use crate::cpu::boxes::{part, put, put_three, three_of};
use crate::cpu::lanes::{Lanes, MOST};
use crate::cpu::particles::{four, three};
use crate::law::contact::{Impulse, Skin, Touch, Wall};
use crate::math::Vec3;
use crate::math::mask::{any_of, both, either, not};
use crate::pass::colliders::cpu::detect::IN_ORDER;
use crate::pass::colliders::cpu::lists::{Before, ContactRow};
use crate::pass::colliders::cpu::touch::{Side, vector};
use crate::pass::colliders::cpu::{Contacts, LateContacts, skin_of_collider};
use crate::step::contact::TRIGGER;
use crate::step::records::{Collider, Surface};

/// Particles side by side on their way.
struct ParticleLanes<L> {
    moved: Vec3<L>,
    w: L,
    e: Vec3<L>,
    radius: L,
    skin: Skin<L>,
}

impl Contacts<'_> {
    /// Pushes particles side by side, the lanes from `at` on of their sixteen, out of what they touch. What comes to
    /// where more may be touched goes among the late ones.
    #[inline(always)]
    pub(crate) fn push<L: Lanes>(
        &self,
        side: Side,
        at: usize,
        rooms: &mut [f32x4],
        (rows, before): (&mut [ContactRow], &mut [Before]),
        late: &mut LateContacts,
    ) {
        let lanes = (1 << side.live) - 1;
        let began = vector(self.gather::<L>(self.points.d, side.lanes));
        // SAFETY: there are as many rooms as lanes.
        let [x, y, z, most] = L::transposed(unsafe { L::gather(rooms[..L::COUNT].as_ptr(), IN_ORDER.as_ptr()) });
        let predicted = Vec3 { x, y, z };
        let mut stay = within(began, predicted, most);
        let touching = rows.iter().fold(0, |bits, row| bits | row.touching) >> at & lanes;
        if touching != 0 {
            let mut lot = self.lot_of::<L>(side, began);
            for (row, (lambda, tangential)) in rows.iter_mut().zip(before.iter_mut()) {
                put(part::<L>(&row.lambda, at), lambda, 0);
                put_three(three_of::<L>(&row.tangential, at), tangential, 0);
                if row.touching >> at & lanes != 0 {
                    self.push_one(&mut lot, side, at, row);
                }
            }
            stay = both::<L>(stay, within(lot.moved, predicted, most));
            let pushed = touching & !self.lost::<L>(most, stay, lanes);
            self.put_back(side, lot.moved, pushed);
        }
        let mut lost = self.lost::<L>(most, stay, lanes);
        while lost != 0 {
            let lane = lost.trailing_zeros() as usize;
            lost &= lost - 1;
            let slot = side.lanes[lane];
            let begun = late.contacts.len();
            for (index, row) in rows.iter_mut().enumerate().filter(|(_, b)| b.touches(at + lane)) {
                let (lambda, [x, y, z]) = &before[index];
                let tangential = Vec3 { x: x[lane], y: y[lane], z: z[lane] };
                late.contacts.push(row.take(at + lane, lambda[lane], tangential));
            }
            let predicted = three(std::mem::replace(&mut rooms[lane], f32x4::splat(-1.0)));
            self.push_late(slot as usize, predicted, lane_of(began, lane), begun, late);
        }
    }

    /// A bit for each that may have come to what it has no contact with, and is not known to have so: farther than its
    /// room.
    #[inline(always)]
    fn lost<L: Lanes>(&self, most: L, stay: L::Mask, lanes: u32) -> u32 {
        let known = L::splat(0.0).exceeding(most);
        let bounded = L::splat(f32::INFINITY).exceeding(most);
        lanes & !known & bounded & !L::bits(stay)
    }

    /// Writes where those of some bits have come to.
    #[inline(always)]
    fn put_back<L: Lanes>(&self, side: Side, moved: Vec3<L>, which: u32) {
        let entries = L::transposed([moved.x, moved.y, moved.z, L::splat(0.0)]);
        if which == all::<L>() {
            // SAFETY: there are as many slots as lanes, all of which are this thread's own.
            unsafe { L::scatter(entries, self.points.d.pointer(), side.lanes.as_ptr()) };
            return;
        }
        let separate = L::separate(entries);
        (0..side.live).filter(|lane| which >> lane & 1 == 1).for_each(|lane| {
            self.points.d.write(side.lanes[lane] as usize, separate[lane]);
        });
    }

    #[inline(always)]
    fn lot_of<L: Lanes>(&self, side: Side, moved: Vec3<L>) -> ParticleLanes<L> {
        let w = L::fourth(self.gather::<L>(self.points.x, side.lanes));
        let e = vector(self.gather::<L>(self.points.e, side.lanes));
        let radius = self.of_surfaces::<L>(side.lanes, |surface| surface.radius);
        ParticleLanes { moved, w, e, radius, skin: self.skin_of::<L>(side.lanes) }
    }

    /// How the bodies of some particles touch.
    #[inline(always)]
    fn skin_of<L: Lanes>(&self, lanes: &[u32]) -> Skin<L> {
        Skin {
            compliance: L::splat(0.0),
            friction: self.of_surfaces::<L>(lanes, |surface| surface.friction),
            dynamic_friction: self.of_surfaces::<L>(lanes, |surface| surface.dynamic_friction),
            restitution: self.of_surfaces::<L>(lanes, |surface| surface.restitution),
        }
    }

    /// What [`Contacts::pushed`] does by one contact.
    #[inline(always)]
    fn push_one<L: Lanes>(&self, lot: &mut ParticleLanes<L>, side: Side, at: usize, row: &mut ContactRow) {
        let collider = &self.colliders[row.collider as usize];
        let zero = L::splat(0.0);
        let there = part::<L>(&row.there, at).greater(zero);
        let (n, offset) = (three_of::<L>(&row.normal, at), part::<L>(&row.offset, at));
        let value = offset + n.dot(lot.moved);
        let all = all::<L>() << at;
        if collider.adhesion == TRIGGER {
            let within = L::bits(both::<L>(there, zero.greater(value))) << at;
            row.within = row.within & !all | within;
            return;
        }
        let lambda = part::<L>(&row.lambda, at);
        let mut active = there;
        if collider.adhesion == 0.0 {
            active = both::<L>(there, any_of::<L>(lambda.greater(zero), not::<L>(value.greater(zero))));
        }
        if L::bits(active) == 0 {
            return;
        }
        let (carried, w) = (three_of::<L>(&row.carried, at), lot.w);
        let hold = self.hold(lot, side, collider, (n, offset, carried));
        let tangential = three_of::<L>(&row.tangential, at);
        let touch = Touch::mixed(self.friction_combine, &lot.skin, &skin_of_collider(collider));
        let impact = self.impact(part::<L>(&row.approach, at), touch.restitution);
        let share = L::splat(self.share);
        let wall = Wall { normal: n, value, weight: w, hold, start: lot.e, carried: carried * share, share };
        let mut moved = lot.moved;
        let before = Impulse { normal: lambda, tangential };
        let Impulse { normal: now, tangential: across } = before.held(&touch, &impact, &wall, &mut moved);
        lot.moved = either::<L>(active, moved, lot.moved);
        let now = L::select(active, now, lambda);
        put(now, &mut row.lambda, at);
        put_three(either::<L>(active, across, tangential), &mut row.tangential, at);
        row.pressing = row.pressing & !all | (L::bits(both::<L>(there, now.greater(zero))) << at);
    }

    /// What [`Contacts::rebound_one`] does with particles side by side, the lanes from `at` on of their sixteen.
    /// Returns how many contacts press.
    #[inline(always)]
    pub(crate) fn leave<L: Lanes>(
        &self,
        side: Side,
        at: usize,
        rows: &mut [ContactRow],
        leaves: &mut impl FnMut(usize, f32x4),
    ) -> u32 {
        let (zero, mut count) = (L::splat(0.0), 0);
        let pressing = rows.iter().fold(0, |bits, row| bits | row.pressing) >> at & all::<L>();
        if pressing == 0 {
            return 0;
        }
        let mut way = vector(self.gather::<L>(self.u, side.lanes));
        let w = L::fourth(self.gather::<L>(self.points.x, side.lanes));
        let own = self.skin_of::<L>(side.lanes);
        for row in rows {
            let bits = row.pressing >> at & all::<L>();
            if bits == 0 {
                continue;
            }
            let (lambda, tangential) = (part::<L>(&row.lambda, at), three_of::<L>(&row.tangential, at));
            let presses = both::<L>(part::<L>(&row.there, at).greater(zero), lambda.greater(zero));
            let (n, approach) = (three_of::<L>(&row.normal, at), part::<L>(&row.approach, at));
            let collider = &self.colliders[row.collider as usize];
            let touch = Touch::mixed(self.friction_combine, &own, &skin_of_collider(collider));
            let impact = self.impact(approach, touch.restitution);
            let now = n.dot(way - three_of::<L>(&row.carried, at));
            let (change, parted) = Impulse { normal: lambda, tangential }.parted(&impact, w, now);
            way = either::<L>(presses, way + n * change, way);
            let told = L::select(presses, parted.normal, lambda);
            count += L::bits(both::<L>(presses, told.greater(zero))).count_ones();
            put(told, &mut row.lambda, at);
            put_three(either::<L>(presses, parted.tangential, tangential), &mut row.tangential, at);
        }
        let separate = L::separate(L::transposed([way.x, way.y, way.z, zero]));
        for (lane, &slot) in side.lanes.iter().enumerate().filter(|(lane, _)| pressing >> lane & 1 == 1) {
            leaves(slot as usize, separate[lane]);
        }
        count
    }

    /// By how much a collider holds what has touched it.
    #[inline(always)]
    fn hold<L: Lanes>(
        &self,
        lot: &ParticleLanes<L>,
        side: Side,
        collider: &Collider,
        (n, offset, carried): (Vec3<L>, L, Vec3<L>),
    ) -> L {
        if collider.adhesion <= 0.0 {
            return L::splat(0.0);
        }
        let hair = L::splat(1e-6) + L::splat(1e-3) * (lot.radius + L::splat(collider.thickness));
        let begin = vector(self.begins::<L>(side.lanes));
        let touched = hair.greater(offset + n.dot(begin + carried));
        L::select(touched, L::splat(collider.adhesion * self.seconds_squared), L::splat(0.0))
    }

    /// Something of the surfaces of some particles.
    #[inline(always)]
    pub(crate) fn of_surfaces<L: Lanes>(&self, lanes: &[u32], number: fn(&Surface) -> f32) -> L {
        if let [only] = self.surfaces {
            return L::splat(number(only));
        }
        let mut numbers = [0.0; MOST];
        numbers.iter_mut().zip(lanes).for_each(|(of, &slot)| *of = number(self.surface(slot as usize)));
        L::from_array(&numbers)
    }

    /// One that came to where more may be touched, by the contacts of the late ones from `begun` on and by all others.
    #[cold]
    fn push_late(&self, slot: usize, predicted: Vec3<f32>, began: Vec3<f32>, begun: usize, late: &mut LateContacts) {
        self.find_all(slot, predicted, begun, &mut late.contacts);
        late.ends.push((slot as u32, late.contacts.len() as u32));
        self.points.d.write(slot, four(self.pushed(slot, began, &mut late.contacts[begun..])));
    }
}

/// Where places are less than so far from where they were predicted.
#[inline(always)]
fn within<L: Lanes>(place: Vec3<L>, predicted: Vec3<L>, most: L) -> L::Mask {
    let away = place - predicted;
    (most * most).greater(away.dot(away))
}

fn lane_of<L: Lanes>(of: Vec3<L>, lane: usize) -> Vec3<f32> {
    Vec3 { x: of.x.to_array()[lane], y: of.y.to_array()[lane], z: of.z.to_array()[lane] }
}

/// A bit for each lane.
const fn all<L: Lanes>() -> u32 {
    u32::MAX >> (u32::BITS - L::COUNT as u32)
}

#[cfg(test)]
mod tests {
    use crate::cpu::lanes::Instructions;
    use crate::cpu::shared::Shared;
    use crate::cpu::solve::Points;
    use crate::model::{self, Body, FrictionCombine, Model, Shape};
    use crate::pass::colliders::cpu::push::*;
    use crate::pass::colliders::cpu::{Contact, PieceContacts, pose};
    use crate::step::FrameRecords;
    use crate::step::contact::surfaces;
    use crate::step::records::Properties;

    /// Not a whole number of sixteens.
    const COUNT: usize = 1_003;

    /// A ball whose surface runs, a floor, a box that holds what it touches, and a trigger; bodies with and without a
    /// radius.
    fn model() -> Model {
        let at = |shape, position| model::Collider { position, friction: 0.4, ..model::Collider::new(shape) };
        let ball = at(Shape::Sphere { radius: 0.4 }, [0.0, 0.3, 0.0]);
        let floor = model::Collider { restitution: 0.5, dynamic_friction: 0.2, ..model::Collider::new(Shape::Plane) };
        let sticky = at(Shape::Box { size: [0.4, 0.5, 0.4] }, [0.7, 0.2, 0.0]);
        let trigger = at(Shape::Sphere { radius: 0.5 }, [-0.6, 0.4, 0.2]);
        let body = Body { friction: 0.3, dynamic_friction: 0.3, ..Body::default() };
        Model {
            colliders: vec![
                model::Collider { belt: [0.3, 0.0, 0.1], ..ball },
                floor,
                model::Collider { adhesion: 3.0, ..sticky },
                model::Collider { trigger: true, ..trigger },
            ],
            bodies: vec![body.clone(), Body { radius: 0.02, restitution: 0.4, ..body }],
            ..Model::default()
        }
    }

    struct Random(u32);

    impl Random {
        fn number(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 24) as f32 - 0.5
        }
        fn vector(&mut self, size: f32) -> f32x4 {
            f32x4::new([self.number(), self.number(), self.number(), 0.0]) * f32x4::splat(size)
        }
    }

    /// The outcome of a substep: positions, forces, and velocities after it.
    #[derive(Debug, Default, PartialEq)]
    struct Outcome {
        places: Vec<[u32; 3]>,
        felt: Vec<(usize, u32, [u32; 3], bool)>,
        left: Vec<(usize, [u32; 3])>,
        pressing: u32,
    }

    fn bits(v: f32x4) -> [u32; 3] {
        let [x, y, z, _] = v.to_array().map(f32::to_bits);
        [x, y, z]
    }

    /// A substep with two sweeps, each of which takes particles a little away, and some far.
    fn substep(model: &Model, instructions: Instructions, side_by_side: bool) -> Outcome {
        let mut random = Random(5);
        let mut x: Vec<f32x4> = (0..COUNT).map(|_| random.vector(2.0) + f32x4::new([0.0, 0.5, 0.0, 2.0])).collect();
        x.iter_mut().step_by(7).for_each(|x| *x *= f32x4::new([1.0, 1.0, 1.0, 0.0]));
        let mut e: Vec<f32x4> = (0..COUNT).map(|_| random.vector(1e-7)).collect();
        let mut u: Vec<f32x4> = (0..COUNT).map(|_| random.vector(0.02)).collect();
        let mut d: Vec<f32x4> = u.iter().zip(&e).map(|(u, e)| *u + *e).collect();
        let sweeps = [0, 1].map(|_| -> Vec<f32x4> {
            let away = |i: usize, random: &mut Random| random.vector(if i.is_multiple_of(11) { 0.8 } else { 0.01 });
            (0..COUNT).map(|i| away(i, &mut random)).collect()
        });
        let properties: Vec<Properties> =
            (0..COUNT).map(|i| Properties { body: (i / 100 % 2) as u32, drive: 0 }).collect();
        let surfaces = surfaces(model);
        let records = FrameRecords::new(model, 0, true, 0);
        let poses: Vec<_> =
            records.colliders.iter().zip(&model.colliders).map(|(record, of)| pose(record, &of.shape)).collect();
        // SAFETY: one thread.
        let [x, d, e, u] = [&mut x, &mut d, &mut e, &mut u].map(|list| unsafe { Shared::new(list) });
        let contacts = Contacts {
            colliders: records.colliders_of(0),
            poses: &poses,
            surfaces: &surfaces,
            properties: &properties,
            points: Points { x, d, e },
            u,
            past: None,
            order: None,
            tree: &[],
            seconds: 0.01,
            seconds_squared: 1e-4,
            instructions,
            calm: 2e-3,
            share: 1.0,
            friction_combine: FrictionCombine::Mean,
        };
        let sweep = |away: &[f32x4]| {
            for (slot, away) in away.iter().enumerate().filter(|(slot, _)| x.read(*slot).to_array()[3] > 0.0) {
                d.write(slot, d.read(slot) + *away);
            }
        };
        let mut told = Outcome::default();
        let mut left = |slot: usize, way: f32x4| told.left.push((slot, bits(way)));
        let felt = |slot: usize, contact: Contact| {
            let Vec3 { x, z, .. } = contact.tangential;
            let multipliers = [contact.lambda, x, z].map(f32::to_bits);
            (slot, contact.collider(), multipliers, contact.is_within())
        };
        if side_by_side {
            let mut lists = PieceContacts::default();
            contacts.detect(0..COUNT, &mut lists);
            for away in &sweeps {
                sweep(away);
                contacts.solve(COUNT, &mut lists);
            }
            let late = lists.late.ends.len();
            assert!((30..300).contains(&late), "{late} of {COUNT} went farther than was known");
            told.pressing = contacts.rebound(&mut lists, |_, _, _| (), &mut left);
            lists.each_active(|slot, contact| told.felt.push(felt(slot, contact)));
        } else {
            let all = |slot: usize| -> Vec<Contact> {
                let (place, surface) = (contacts.place(slot), contacts.surface(slot));
                let free = x.read(slot).to_array()[3] > 0.0;
                (0..if free { 4 } else { 0 }).map(|k| contacts.meet(slot, k, place, surface)).collect()
            };
            let mut lists: Vec<Vec<Contact>> = (0..COUNT).map(all).collect();
            for away in &sweeps {
                sweep(away);
                for (slot, own) in lists.iter_mut().enumerate() {
                    d.write(slot, four(contacts.pushed(slot, three(d.read(slot)), own)));
                }
            }
            for (slot, own) in lists.iter_mut().enumerate() {
                told.pressing += contacts.rebound_one(slot, own, &mut |_, _, _| (), &mut left);
                let presses = own.iter().filter(|contact| contact.is_active());
                told.felt.extend(presses.map(|&contact| felt(slot, contact)));
            }
        }
        told.places = (0..COUNT).map(|slot| bits(d.read(slot))).collect();
        told.felt.sort_unstable();
        told.left.sort_unstable();
        told
    }

    /// Particles side by side, of whom only what is near is asked for, go where each would by all contacts one after
    /// the other, to the bit.
    #[test]
    fn side_by_side_is_one_by_one() {
        let model = model();
        let expected = substep(&model, Instructions::Baseline, false);
        let of = |collider: u32| expected.felt.iter().filter(|felt| felt.1 == collider).count();
        assert!((0..4).all(|collider| of(collider) > 20), "{:?}", [0, 1, 2, 3].map(of));
        assert!(expected.pressing > 100);
        for instructions in Instructions::available() {
            let told = substep(&model, instructions, true);
            for (slot, (a, b)) in told.places.iter().zip(&expected.places).enumerate() {
                assert_eq!(a, b, "particle {slot} with {instructions:?}");
            }
            assert!(told == expected, "{instructions:?} tells others");
        }
    }
}
