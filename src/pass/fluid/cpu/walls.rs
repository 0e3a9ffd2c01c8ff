//! The walls near each particle, and the images of its neighbours in them, found once in a substep. As with neighbours,
//! each lane has its own list of images.

use super::lists::Own;
use super::{ABSENT, View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::MOST;
use crate::cpu::particles::{four, three, with_fourth};
use crate::cpu::team::Member;
use crate::law::fluid::Kernel;
use crate::law::walls::{Image, MOST_MIRRORS, MOST_WALLS, Plane, face, images, keep_nearest, planes};
use crate::math::Vec3;
use crate::model::pose::Pose;
use crate::model::tree::{Span, reached};
use crate::pass::colliders::cpu::of;
use crate::step::records::Collider;

/// Shares of single precision that a coordinate may lose.
const ROUNDING: f32 = 1e-6;

/// The images for the blocks of a thread.
#[derive(Default)]
pub struct Images {
    /// Rows of a block: in one wall, then in two, then in three. A row holds of each lane whose image it is, and for
    /// each wall the places of the lane's and of the other's in [`SortedView::walls`](super::SortedView::walls).
    rows: Vec<u32>,
    /// Where the rows of each block and number of walls end.
    ends: Vec<[usize; MOST_MIRRORS]>,
    /// Of each lane and number of walls, for a while.
    found: [[Vec<u32>; MOST_MIRRORS]; MOST],
    others: Vec<u32>,
    near: Vec<Plane<f32>>,
}

impl Images {
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + size_of_val(&*self.ends)
    }

    #[inline(always)]
    fn begin(&self, block: usize) -> usize {
        block.checked_sub(1).map_or(0, |before| self.ends[before][MOST_MIRRORS - 1])
    }

    /// Whether a block has none.
    #[inline(always)]
    pub fn is_empty(&self, block: usize) -> bool {
        self.begin(block) == self.ends[block][MOST_MIRRORS - 1]
    }

    /// The rows of a block that so many walls mirror.
    #[inline(always)]
    pub fn rows(&self, block: usize, walls: usize) -> &[u32] {
        let begin = if walls == 1 { self.begin(block) } else { self.ends[block][walls - 2] };
        &self.rows[begin..self.ends[block][walls - 1]]
    }

    /// Numbers of a row for each lane.
    #[inline(always)]
    pub const fn numbers(walls: usize) -> usize {
        1 + 2 * walls
    }

    fn add(&mut self, lane: usize, [at, other]: [usize; 2], image: &Image) {
        let list = &mut self.found[lane][image.walls().len() - 1];
        list.push(other as u32);
        for &[mine, theirs] in image.walls() {
            list.extend([wall_of(at, mine.into()) as u32, wall_of(other, theirs.into()) as u32]);
        }
    }

    /// Lays out what was found for so many lanes, filled up with what is nowhere and has no wall.
    fn end_block(&mut self, lanes: usize, [nowhere, no_wall]: [u32; 2]) {
        let mut ends = [0; MOST_MIRRORS];
        for (index, end) in ends.iter_mut().enumerate() {
            let (numbers, begin) = (Self::numbers(index + 1), self.rows.len());
            let most = self.found[..lanes].iter().map(|lane| lane[index].len()).max().unwrap_or(0);
            for k in 0..most {
                let filler = if k % numbers == 0 { nowhere } else { no_wall };
                self.rows.extend(std::iter::repeat_n(filler, lanes));
            }
            for (lane, found) in self.found[..lanes].iter_mut().enumerate() {
                for (k, number) in found[index].drain(..).enumerate() {
                    self.rows[begin + k * lanes + lane] = number;
                }
            }
            *end = self.rows.len();
        }
        self.ends.push(ends);
    }
}

/// The place of a particle's wall in the list of all.
fn wall_of(at: usize, wall: usize) -> usize {
    MOST_WALLS * at + wall
}

impl View<'_> {
    /// The walls of one that takes part.
    #[inline(always)]
    pub fn walls_of(&self, at: usize) -> &[Plane<f32>] {
        let (first, count) = (wall_of(at, 0), self.sorted.wall_counts.read(at) as usize);
        self.sorted.planes.look_at(first..first + count)
    }

    /// Finds the nearest planes of colliders.
    pub fn find_walls(&self, member: &Member, frame: &Frame, substep: usize) {
        let colliders = frame.records.colliders_of(substep);
        let poses = &self.poses[substep * colliders.len()..][..colliders.len()];
        let tree = &frame.records.bounds;
        let (reach, origin) = (self.wet.scale.support as f32, of(self.grid.layout().origin));
        let particles = self.particles(member);
        let mut around: Vec<usize> = Vec::new();
        let mut found = std::mem::take(&mut locked(&self.own[member.index]).images.near);
        for at in particles.start..particles.end.min(self.wet.len()) {
            if (at - particles.start).is_multiple_of(MOST) && tree.is_empty() {
                self.colliders_around(at, (colliders, poses, origin), &mut around);
            }
            let place = three(self.sorted.found.read(at));
            if !tree.is_empty() {
                around.clear();
                let place = place + origin;
                let span = Span::new(place, place, reach, frame.substep(substep).seconds);
                reached(tree, &span, |collider| around.push(collider as usize));
                around.sort_unstable();
            }
            let body = &frame.model.bodies[self.wet.bodies[self.grid.order.read(at) as usize] as usize];
            found.clear();
            for &index in around.iter().filter(|_| place.x < ABSENT) {
                let (collider, record) = (&frame.model.colliders[index], &colliders[index]);
                if !collider.trigger && collider.groups.meet(body.groups) {
                    let point = from(record, place, origin);
                    planes(&poses[index], point, (record.thickness, reach), |plane| {
                        found.push(Plane { face: face(index, plane.face), ..plane });
                    });
                }
            }
            keep_nearest(&mut found, 0);
            self.sorted.wall_counts.write(at, found.len() as u32);
            let nearest = found.iter().fold(f32::INFINITY, |nearest, plane| nearest.min(plane.gap));
            self.sorted.nearest.write(at, nearest.max(0.0));
            for (wall, plane) in found.iter().enumerate() {
                self.sorted.planes.write(wall_of(at, wall), *plane);
            }
            self.mirror(at);
        }
        locked(&self.own[member.index]).images.near = found;
    }

    /// The colliders near a sixteen of particles.
    fn colliders_around(
        &self,
        first: usize,
        (colliders, poses, origin): (&[Collider], &[Pose<f32>], Vec3<f32>),
        around: &mut Vec<usize>,
    ) {
        around.clear();
        let places = (first..(first + MOST).min(self.wet.len())).map(|at| three(self.sorted.found.read(at)));
        let middle = three(self.sorted.found.read((first + MOST / 2).min(self.wet.len() - 1)));
        let far = places.map(|place| (place - middle).length()).fold(0.0, f32::max);
        let reach = self.wet.scale.support as f32 + far;
        for (index, (record, pose)) in colliders.iter().zip(poses).enumerate() {
            let point = from(record, middle, origin);
            let gap = pose.near(point, record.thickness).gap * pose.solid.safe_share();
            let nearest = gap - ROUNDING * point.length();
            // Nothing is known of what is nowhere.
            if nearest.is_nan() || nearest <= reach {
                around.push(index);
            }
        }
    }

    /// Writes how far a particle is now from its walls, for lanes.
    #[inline(always)]
    pub fn mirror(&self, at: usize) {
        let count = self.sorted.wall_counts.read(at);
        if count == 0 {
            return;
        }
        let moved = three(self.sorted.places.read(at) - self.sorted.found.read(at));
        for wall in 0..count as usize {
            let plane = self.sorted.planes.read(wall_of(at, wall));
            let entry = with_fourth(four(plane.normal), plane.gap_after(moved));
            self.sorted.walls.write(wall_of(at, wall), entry);
        }
    }

    /// Finds the images for a thread's blocks of so many lanes, and by how much they push solids at most.
    pub fn find_images(&self, member: &Member, lanes: usize) {
        let mut own = locked(&self.own[member.index]);
        let Own { images, .. } = &mut *own;
        images.rows.clear();
        images.ends.clear();
        let mut images = std::mem::take(images);
        let (first, kernel) = (self.particles(member).start, Kernel::new(self.wet.scale.support));
        let fillers = [self.wet.len().next_multiple_of(MOST), self.sorted.walls.len() - 1].map(|place| place as u32);
        for block in self.blocks(member, lanes) {
            for (lane, at) in (block * lanes..(block + 1) * lanes).enumerate() {
                if self.sorted.wall_counts.read(at) > 0 {
                    images.others.clear();
                    images.others.push(at as u32);
                    images.others.extend(own.near_of(at - first, lanes));
                    self.images_of(at, lane, &mut images, &kernel);
                }
            }
            images.end_block(lanes, fillers);
        }
        own.images = images;
    }

    /// The images of some others, and of itself, for a particle.
    fn images_of(&self, at: usize, lane: usize, found: &mut Images, kernel: &Kernel<f32>) {
        let support = self.wet.scale.support as f32;
        let mine = self.walls_of(at);
        let (place, nearest) = (self.sorted.found.read(at), self.sorted.nearest.read(at));
        let mut pushed = 0.0;
        let others = std::mem::take(&mut found.others);
        for other in others.iter().map(|&other| other as usize).filter(|&other| other < self.wet.len()) {
            let way = three(place - self.sorted.found.read(other));
            // No image is nearer than in the nearest walls of both.
            if way.dot(way) + 4.0 * nearest * self.sorted.nearest.read(other) >= support * support {
                continue;
            }
            let theirs = self.walls_of(other);
            images([mine, theirs], |image| {
                let gaps = image.walls().iter().map(|&[a, b]| {
                    let none = Vec3::zero();
                    mine[a as usize].gap_after(none) * theirs[b as usize].gap_after(none)
                });
                let squared = way.dot(way) + 4.0 * gaps.sum::<f32>();
                if squared < support * support {
                    pushed += kernel.at(squared).1 * squared.sqrt();
                    found.add(lane, [at, other], &image);
                }
            });
        }
        found.others = others;
        if self.alike.is_none() {
            let [share, weight, _, viscosity] = self.sorted.traits.read(at).to_array();
            let is_solid = self.sorted.compliances.read(at) < 0.0;
            let pushed = if is_solid { share * pushed } else { 0.0 };
            self.sorted.traits.write(at, [share, weight, pushed, viscosity].into());
        }
    }
}

/// A place from that of a collider.
fn from(record: &Collider, place: Vec3<f32>, origin: Vec3<f32>) -> Vec3<f32> {
    ((origin - of(record.place)) + place) - of(record.place_low)
}
