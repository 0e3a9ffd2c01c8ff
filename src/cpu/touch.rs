//! Contacts of particles side by side with a few colliders: what one by one `Contacts::meet` tells, with the same bits.

use wide::f32x4;

use super::contact::{Contact, Contacts, of};
use super::detect::{IN_ORDER, SAFE};
use super::lanes::{Lanes, MOST};
use crate::constraint::Vec3;
use crate::engine::tree::slack;
use crate::mesh::field::{Field, both, least, not};
use crate::model::pose::Pose;
use crate::model::shape::Solid;

/// Particles side by side.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// A slot for each lane.
    pub lanes: &'a [u32],
    /// So many of them, the first ones, are asked for.
    pub live: usize,
}

/// What particles side by side find of a collider.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// A bit for each lane that has a contact.
    touching: u32,
    /// Normal, offset, way of the surface, approach: a number for each lane of each.
    numbers: [[f32; MOST]; 8],
}

impl Found {
    fn contact(&self, lane: usize, collider: u32) -> Contact {
        let [x, y, z, offset, carried_x, carried_y, carried_z, approach] =
            self.numbers.each_ref().map(|list| list[lane]);
        Contact {
            normal: Vec3 { x, y, z },
            offset,
            tangential: Vec3::zero(),
            lambda: 0.0,
            carried: Vec3 { x: carried_x, y: carried_y, z: carried_z },
            approach,
            collider,
            within: false,
        }
    }
}

/// Particles side by side as a substep begins.
struct Lot<L> {
    x: Vec3<L>,
    /// Relative to that, where they were and where they are predicted.
    begin: Vec3<L>,
    moved: Vec3<L>,
    u: Vec3<L>,
    /// Of their bodies.
    radius: L,
    /// How far constraints may take them off their predictions.
    slack: L,
    /// How far they may go from there without touching what they have no contact with.
    room: L,
    /// Inverse masses, and a bit for each that is not fixed.
    w: L,
    free: u32,
}

impl Contacts<'_> {
    /// Appends the contacts of particles side by side, tells where those of each end, and how far it may go from where it is predicted.
    #[inline(always)]
    pub(super) fn touch<L: Lanes>(
        &self,
        side: Side,
        rooms: &mut [f32x4],
        found: &mut Vec<Found>,
        contacts: &mut Vec<Contact>,
        ends: &mut Vec<u32>,
    ) {
        found.resize(self.colliders.len(), Found::default());
        let mut lot = self.lot::<L>(side);
        for (k, found) in found.iter_mut().enumerate() {
            found.touching = 0;
            let meeting = lot.free & self.meeting(side, k);
            if meeting != 0 {
                self.touch_one(&mut lot, k, meeting, found);
            }
        }
        let Vec3 { x, y, z } = lot.moved;
        let room = L::select(lot.w.greater(L::splat(0.0)), lot.room, L::splat(f32::INFINITY));
        // SAFETY: there are as many rooms as lanes.
        unsafe { L::scatter(L::transposed([x, y, z, room]), rooms[..L::COUNT].as_mut_ptr(), IN_ORDER.as_ptr()) };
        append(side, found, contacts, ends);
    }

    #[inline(always)]
    fn lot<L: Lanes>(&self, side: Side) -> Lot<L> {
        let points = &self.points;
        let [x, y, z, w] = L::transposed(self.gather::<L>(points.x, side.lanes));
        let x = Vec3 { x, y, z };
        let mut begin = self.gather::<L>(points.e, side.lanes);
        let u = self.gather::<L>(self.u, side.lanes);
        if let Some(past) = &self.past {
            let (lags, share) = (self.gather::<L>(past.lags, side.lanes), L::splat(1.0 - self.share));
            for k in 0..4 {
                begin[k] = begin[k] - share * (u[k] + lags[k]);
            }
        }
        let [begin, moved, u] = [vector(begin), vector(self.gather::<L>(points.d, side.lanes)), vector(u)];
        let mut radii = [self.surfaces[0].radius; MOST];
        if self.surfaces.len() > 1 {
            for (radius, &slot) in radii.iter_mut().zip(side.lanes) {
                *radius = self.surface(slot as usize).radius;
            }
        }
        let radius = L::from_array(&radii);
        Lot {
            x,
            begin,
            moved,
            u,
            radius,
            slack: slack((moved - begin).length(), radius, self.seconds),
            room: L::splat(f32::INFINITY),
            w,
            free: w.exceeding(L::splat(0.0)) & ((1 << side.live) - 1),
        }
    }

    /// A bit for each whose body collides with a collider.
    fn meeting(&self, side: Side, k: usize) -> u32 {
        if let [only] = self.surfaces {
            return if self.collides(only, k) { u32::MAX } else { 0 };
        }
        let collides = |&slot: &u32| u32::from(self.collides(self.surface(slot as usize), k));
        side.lanes.iter().map(collides).enumerate().fold(0, |bits, (lane, bit)| bits | bit << lane)
    }

    /// Those of some bits with a collider.
    #[inline(always)]
    fn touch_one<L: Lanes>(&self, lot: &mut Lot<L>, k: usize, meeting: u32, found: &mut Found) {
        let (collider, pose) = (&self.colliders[k], splat::<L>(&self.poses[k]));
        let (at, low) = (lot.x - each(of(collider.place)), each(of(collider.place_low)));
        let start = at + (lot.begin - low) + pose.displacement;
        let end = at + (lot.moved - low);
        let radius = lot.radius + L::splat(collider.thickness);
        let (near, way) = (pose.near(end, radius), pose.way(start, end));
        let mut touching = L::mask(meeting);
        // What does nothing from afar needs no contact where no way leads near it.
        if collider.adhesion <= 0.0 {
            let sure = pose.solid.sure_gap(near.gap, radius);
            let free = both::<L>(pose.is_apart(near.gap, way), sure.greater(lot.slack));
            let room = L::select(both::<L>(free, touching), sure * L::splat(SAFE), L::splat(f32::INFINITY));
            lot.room = least(lot.room, room);
            touching = both::<L>(touching, not::<L>(free));
        }
        found.touching = L::bits(touching);
        if found.touching == 0 {
            return;
        }
        let touch = pose.touch_near(near, way, radius, L::splat(self.calm), touching);
        let (normal, carried) = (touch.normal, touch.carried);
        let offset = touch.value - normal.dot(lot.moved);
        let approach = normal.dot(lot.u - carried);
        let numbers = [normal.x, normal.y, normal.z, offset, carried.x, carried.y, carried.z, approach];
        for (list, number) in found.numbers.iter_mut().zip(numbers) {
            *list = number.to_array();
        }
    }
}

/// Those of each particle after one another, by ascending collider.
fn append(side: Side, found: &[Found], contacts: &mut Vec<Contact>, ends: &mut Vec<u32>) {
    let touching = found.iter().fold(0, |bits, found| bits | found.touching);
    for lane in 0..side.live {
        if touching >> lane & 1 == 1 {
            for (k, found) in found.iter().enumerate().filter(|(_, found)| found.touching >> lane & 1 == 1) {
                contacts.push(found.contact(lane, k as u32));
            }
        }
        ends.push(contacts.len() as u32);
    }
}

#[inline(always)]
fn vector<L: Lanes>(entries: [L; 4]) -> Vec3<L> {
    let [x, y, z, _] = L::transposed(entries);
    Vec3 { x, y, z }
}

/// The same in every lane.
#[inline(always)]
fn each<L: Lanes>(v: Vec3<f32>) -> Vec3<L> {
    Vec3 { x: L::splat(v.x), y: L::splat(v.y), z: L::splat(v.z) }
}

#[inline(always)]
fn splat<'a, L: Lanes>(pose: &Pose<'a, f32>) -> Pose<'a, L> {
    let Pose { solid: Solid { shape, size, field, inside }, axes: [x, y, z], .. } = *pose;
    let field = Field { samples: field.samples, nodes: field.nodes, cell: L::splat(field.cell) };
    Pose {
        solid: Solid { shape, size: each(size), field, inside },
        axes: [each(x), each(y), each(z)],
        displacement: each(pose.displacement),
        turn: each(pose.turn),
        spin: each(pose.spin),
        belt: each(pose.belt),
        fine: L::splat(pose.fine),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::contact;
    use super::super::lanes::{InLanes, Instructions};
    use super::*;
    use crate::engine::FrameRecords;
    use crate::mesh::{DistanceGrid, HeightField, TriangleMesh};
    use crate::model::rotation::Turning;
    use crate::model::shape::MeshShape;
    use crate::model::{Collider, Model, Shape};

    const LENGTH: f32 = 0.9;

    /// Solid and hollow, at rest, turning, and with a running surface.
    fn colliders() -> Vec<Collider> {
        let nodes = [9, 8, 7];
        let node = |i: usize| [i % 9, i / 9 % 8, i / 72].map(|k| 0.1 * k as f64 - 0.35);
        let knob = |[x, y, z]: [f64; 3]| (x.hypot(y).hypot(z) - 0.2 - 0.05 * (9.0 * x).sin()) as f32;
        let grid = DistanceGrid {
            low: [-0.35; 3],
            cell: 0.1,
            nodes,
            distances: (0..9 * 8 * 7).map(|i| knob(node(i))).collect(),
        };
        let surface = TriangleMesh { positions: Vec::new(), triangles: Vec::new() };
        let hills = HeightField::new([1.0, 0.8], [6, 5], (0..30).map(|i| 0.2 * (i as f32 * 2.3).sin()).collect());
        let solids = [
            Shape::Sphere { radius: 0.4 },
            Shape::Capsule { radius: 0.2, length: 0.5 },
            Shape::Box { size: [0.6, 0.4, 0.5] },
            Shape::Cylinder { radius: 0.3, length: 0.5 },
            Shape::Mesh(Arc::new(MeshShape { surface, grid })),
        ];
        let both = solids.into_iter().flat_map(|shape| {
            let solid = Collider::new(shape);
            [solid.clone(), Collider { inside: true, ..solid }]
        });
        let still = both.chain([Collider::new(Shape::Plane), Collider::new(Shape::Heights(Arc::new(hills)))]);
        let turning = Some(Turning { spin: [3.0, -40.0, 11.0], rotations: None });
        let ways = |still: Collider| {
            let belt = Collider { belt: [0.5, 0.0, 0.3], rotation: [0.6, 0.0, 0.0, 0.8], ..still.clone() };
            [belt, Collider { turning: turning.clone(), ..still.clone() }, still]
        };
        still.flat_map(ways).collect()
    }

    /// All of a lot of ways by one collider.
    struct Meet<'a> {
        pose: &'a Pose<'a, f32>,
        starts: &'a [[f32; 3]],
        ends: &'a [[f32; 3]],
        told: &'a mut Vec<[f32; 7]>,
    }

    impl InLanes for Meet<'_> {
        #[inline(always)]
        fn run<L: Lanes>(self) {
            let pose = splat::<L>(self.pose);
            for (starts, ends) in self.starts.chunks_exact(L::COUNT).zip(self.ends.chunks_exact(L::COUNT)) {
                let [mut start, mut end] = [[[0.0; MOST]; 3]; 2];
                for (lane, (from, to)) in starts.iter().zip(ends).enumerate() {
                    for k in 0..3 {
                        (start[k][lane], end[k][lane]) = (from[k], to[k]);
                    }
                }
                let vector = |of: &[[f32; MOST]; 3]| Vec3 {
                    x: L::from_array(&of[0]),
                    y: L::from_array(&of[1]),
                    z: L::from_array(&of[2]),
                };
                let touch = pose.touch(vector(&start), vector(&end), L::splat(0.02), L::splat(1e-3));
                let (normal, carried) = (touch.normal, touch.carried);
                let numbers = [normal.x, normal.y, normal.z, touch.value, carried.x, carried.y, carried.z];
                let numbers = numbers.map(Lanes::to_array);
                self.told.extend((0..L::COUNT).map(|lane| numbers.map(|number| number[lane])));
            }
        }
    }

    /// Each particle meets what it would alone, to the bit, wherever it comes from and whoever is beside it.
    #[test]
    fn lanes_meet_what_each_would() {
        let mut random = 7_u32;
        let mut number = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let starts: Vec<[f32; 3]> = (0..4_096).map(|_| std::array::from_fn(|_| 1.6 * number())).collect();
        // Every other way is short, as those of what rests are.
        let end =
            |(i, &start): (usize, &[f32; 3])| start.map(|x| x + if i % 2 == 0 { 1e-3 } else { LENGTH } * number());
        let ends: Vec<[f32; 3]> = starts.iter().enumerate().map(end).collect();
        let mut model = Model { colliders: colliders(), ..Model::default() };
        model.settings.substeps = 1;
        let records = FrameRecords::new(&model, 0, true, 0);
        for (record, collider) in records.colliders.iter().zip(&model.colliders) {
            let pose = contact::pose(record, &collider.shape);
            let alone = |(start, end): (&[f32; 3], &[f32; 3])| {
                let touch = pose.touch(of(*start), of(*end), 0.02, 1e-3);
                let (Vec3 { x, y, z }, carried) = (touch.normal, touch.carried);
                [x, y, z, touch.value, carried.x, carried.y, carried.z]
            };
            let expected: Vec<[f32; 7]> = starts.iter().zip(&ends).map(alone).collect();
            let deep = expected.iter().filter(|told| told[3] < 0.0).count();
            assert!((50..=4_046).contains(&deep), "{collider:?}: {deep} of {} touch it", ends.len());
            for instructions in Instructions::available() {
                let mut told = Vec::new();
                instructions.run(Meet { pose: &pose, starts: &starts, ends: &ends, told: &mut told });
                let same = told.iter().zip(&expected).all(|(a, b)| a.map(f32::to_bits) == b.map(f32::to_bits));
                assert!(told.len() == expected.len() && same, "{collider:?} with {instructions:?}");
            }
        }
    }
}
