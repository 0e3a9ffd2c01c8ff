//! Contacts of particles side by side with a few colliders: the results of `Contacts::meet` for each of them, with the
//! same bits.

use wide::f32x4;

use crate::cpu::lanes::Lanes;
use crate::math::Vec3;
use crate::math::mask::{both, least, not};
use crate::mesh::field::Field;
use crate::model::pose::Pose;
use crate::model::shape::Solid;
use crate::model::tree::slack;
use crate::pass::colliders::cpu::detect::{Around, IN_ORDER, SAFE};
use crate::pass::colliders::cpu::lists::{ContactRow, Touch};
use crate::pass::colliders::cpu::{Contacts, of};
use crate::step::contact::TRIGGER;

/// Particles side by side.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// A slot for each lane.
    pub lanes: &'a [u32],
    /// So many of them, the first ones, are asked for.
    pub live: usize,
}

/// Particles side by side as a substep begins.
struct ParticleLanes<L> {
    x: Vec3<L>,
    /// Relative to that, where they were and where they are predicted.
    begin: Vec3<L>,
    moved: Vec3<L>,
    u: Vec3<L>,
    /// Of their bodies.
    radius: L,
    /// How far a collider may push them out in this substep, m.
    most: L,
    /// How far constraints may take them off their predictions.
    slack: L,
    /// How far they may go from there without touching what they have no contact with.
    room: L,
    /// Inverse masses, and a bit for each that is not fixed.
    w: L,
    free: u32,
}

impl Contacts<'_> {
    /// Puts down the contacts of particles side by side with each collider that is near, the lanes from `at` on, and
    /// tells how far each may go from where it is predicted.
    #[inline(always)]
    pub(crate) fn touch<L: Lanes>(
        &self,
        side: Side,
        at: usize,
        around: Around,
        rooms: &mut [f32x4],
        rows: &mut [ContactRow],
    ) {
        let mut lot = self.lot::<L>(side);
        lot.room = L::splat(around.room);
        for (k, row) in rows.iter_mut().enumerate().filter(|(k, _)| around.near >> k & 1 == 1) {
            let meeting = lot.free & self.meeting(side, k);
            if meeting != 0 {
                self.touch_one(&mut lot, k, meeting, at, row);
            }
        }
        let Vec3 { x, y, z } = lot.moved;
        let room = L::select(lot.w.greater(L::splat(0.0)), lot.room, L::splat(f32::INFINITY));
        // SAFETY: there are as many rooms as lanes.
        unsafe { L::scatter(L::transposed([x, y, z, room]), rooms[..L::COUNT].as_mut_ptr(), IN_ORDER.as_ptr()) };
    }

    #[inline(always)]
    fn lot<L: Lanes>(&self, side: Side) -> ParticleLanes<L> {
        let points = &self.points;
        let [x, y, z, w] = L::transposed(self.gather::<L>(points.x, side.lanes));
        let x = Vec3 { x, y, z };
        let (begin, u) = (self.begins::<L>(side.lanes), self.gather::<L>(self.u, side.lanes));
        let [begin, moved, u] = [vector(begin), vector(self.gather::<L>(points.d, side.lanes)), vector(u)];
        let radius = self.of_surfaces::<L>(side.lanes, |surface| surface.radius);
        ParticleLanes {
            x,
            begin,
            moved,
            u,
            radius,
            most: self.of_surfaces::<L>(side.lanes, |surface| surface.push_out_speed) * L::splat(self.seconds),
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
    fn touch_one<L: Lanes>(&self, lot: &mut ParticleLanes<L>, k: usize, meeting: u32, at: usize, row: &mut ContactRow) {
        let (collider, pose) = (&self.colliders[k], splat::<L>(&self.poses[k]));
        let (place, low) = (lot.x - each(of(collider.place)), each(of(collider.place_low)));
        let start = place + (lot.begin - low) + pose.displacement;
        let end = place + (lot.moved - low);
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
        if L::bits(touching) == 0 {
            return;
        }
        let mut touch = pose.touch_near(near, way, radius, L::splat(self.calm), touching);
        if collider.adhesion != TRIGGER {
            touch = touch.limited(lot.begin - lot.moved, lot.most);
        }
        let (normal, carried) = (touch.normal, touch.carried);
        let offset = touch.value - normal.dot(lot.moved);
        let approach = normal.dot(lot.u - carried);
        row.put(at, touching, &Touch { normal, offset, carried, approach });
    }

    /// Where some particles were as the substep began, relative to x.
    #[inline(always)]
    pub(crate) fn begins<L: Lanes>(&self, slots: &[u32]) -> [L; 4] {
        let mut begin = self.gather::<L>(self.points.e, slots);
        if let Some(past) = &self.past {
            let (u, lags) = (self.gather::<L>(self.u, slots), self.gather::<L>(past.lags, slots));
            let share = L::splat(1.0 - self.share);
            for k in 0..4 {
                begin[k] = begin[k] - share * (u[k] + lags[k]);
            }
        }
        begin
    }
}

#[inline(always)]
pub(crate) fn vector<L: Lanes>(entries: [L; 4]) -> Vec3<L> {
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

    use crate::cpu::lanes::{InLanes, Instructions, MOST};
    use crate::math::rotation::Turning;
    use crate::mesh::{DistanceGrid, HeightField, TriangleMesh};
    use crate::model::shape::MeshShape;
    use crate::model::{Collider, Model, Shape};
    use crate::pass::colliders::cpu as contact;
    use crate::pass::colliders::cpu::touch::*;
    use crate::step::FrameRecords;

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
        let hills = HeightField::new([1.0, 0.8], [6, 5], (0..30).map(|i| 0.2 * (i as f32 * 2.3).sin()).collect())
            .expect("a field");
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

    /// Each particle meets what it would alone, to the bit, wherever it comes from and whatever is in the other lanes.
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
