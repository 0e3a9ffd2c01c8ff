//! Chains side by side in the lanes of a register, as a substep solves them.

use wide::f32x4;

use crate::cpu::lanes::{Lanes, MOST};
use crate::cpu::pass::Points;
use crate::cpu::shared::Shared;
use crate::law::rod::{Chain, Eliminated, Link};
use crate::math::Vec3;
use crate::math::turn::{Orientation, Quaternion, by, compose};
use crate::step::records::Drive;

/// No particle, in the list of slots.
pub const NONE: u32 = u32::MAX;
/// No drive.
pub const UNDRIVEN: u32 = 0;

/// The numbers of a link, each for all lanes, one behind the other.
#[derive(Clone, Copy)]
#[repr(usize)]
pub enum Field {
    /// The reference of its orientation.
    Reference = 0,
    /// The turn from there as the substep began, and as it is now.
    Below = 4,
    Turn = 7,
    /// The turn of a substep.
    Way = 10,
    InverseInertia = 13,
    /// Whether there is a segment, and a joint to the next link.
    Present = 14,
    Length = 16,
    Rest = 17,
    Compliances = 20,
    Damping = 26,
    /// λ of the substep, and its sum over the frame.
    Multipliers = 27,
    Sums = 33,
}

pub const FIELDS: usize = 39;
/// Numbers that elimination keeps of a link.
pub const ELIMINATED: usize = 69;
/// The turn from its reference beyond which an orientation gets a new one.
const FAR: f64 = 0.05;

/// A block's chains in a substep.
pub struct Chains<'a, L> {
    pub links: usize,
    /// Of its first link.
    pub numbers: *mut f32,
    pub slots: &'a [u32],
    pub kept: *mut f32,
    pub points: Points<'a>,
    /// 1/H²
    pub per_square: L,
    /// 1/H
    pub per_second: L,
    pub damped: bool,
}

impl<L: Lanes> Chains<'_, L> {
    #[inline(always)]
    fn load(&self, link: usize, field: Field, k: usize) -> L {
        // SAFETY: the block has so many numbers.
        unsafe { L::load(self.numbers.add((link * FIELDS + field as usize + k) * L::COUNT)) }
    }

    #[inline(always)]
    fn store(&mut self, link: usize, field: Field, k: usize, value: L) {
        // SAFETY: as above, and they are this thread's.
        unsafe { value.store(self.numbers.add((link * FIELDS + field as usize + k) * L::COUNT)) }
    }

    #[inline(always)]
    fn vector(&self, link: usize, field: Field, k: usize) -> Vec3<L> {
        Vec3 { x: self.load(link, field, k), y: self.load(link, field, k + 1), z: self.load(link, field, k + 2) }
    }

    #[inline(always)]
    fn store_vector(&mut self, link: usize, field: Field, k: usize, v: Vec3<L>) {
        self.store(link, field, k, v.x);
        self.store(link, field, k + 1, v.y);
        self.store(link, field, k + 2, v.z);
    }

    #[inline(always)]
    fn reference(&self, link: usize) -> Quaternion<L> {
        Quaternion { vector: self.vector(link, Field::Reference, 0), scalar: self.load(link, Field::Reference, 3) }
    }

    /// Slots of the particles before a link, or of others that are there; and in which lanes there is one.
    #[inline(always)]
    fn node(&self, node: usize) -> ([u32; MOST], u32) {
        let (mut slots, mut there) = ([0; MOST], 0);
        for (lane, &slot) in self.slots[node * L::COUNT..][..L::COUNT].iter().enumerate() {
            if slot != NONE {
                slots[lane] = slot;
                there |= 1 << lane;
            }
        }
        (slots, there)
    }

    #[inline(always)]
    fn entries(list: Shared<f32x4>, slots: &[u32; MOST]) -> [L; 4] {
        // SAFETY: each is a slot of a particle.
        unsafe { L::transposed(L::gather(list.pointer(), slots.as_ptr())) }
    }

    /// From one node to the next of what a list holds.
    #[inline(always)]
    fn between(list: Shared<f32x4>, nodes: [&[u32; MOST]; 2]) -> Vec3<L> {
        let (a, b) = (Self::entries(list, nodes[0]), Self::entries(list, nodes[1]));
        Vec3 { x: b[0] - a[0], y: b[1] - a[1], z: b[2] - a[2] }
    }

    #[inline(always)]
    fn orientation(&self, link: usize) -> Orientation<L> {
        Orientation { reference: self.reference(link), turn: self.vector(link, Field::Turn, 0) }
    }

    /// How far an orientation has turned in the substep.
    #[inline(always)]
    fn turned(&self, link: usize) -> Vec3<L> {
        self.vector(link, Field::Way, 0) * L::splat(2.0)
    }

    #[inline(always)]
    fn kept_vector(&self, index: usize, k: usize) -> Vec3<L> {
        // SAFETY: there is room for the links of the longest chains, and it is this thread's.
        unsafe {
            let from = self.kept.add((index * ELIMINATED + 3 * k) * L::COUNT);
            Vec3 { x: L::load(from), y: L::load(from.add(L::COUNT)), z: L::load(from.add(2 * L::COUNT)) }
        }
    }

    #[inline(always)]
    fn kept_matrix(&self, index: usize, k: usize) -> [Vec3<L>; 3] {
        [self.kept_vector(index, k), self.kept_vector(index, k + 1), self.kept_vector(index, k + 2)]
    }

    #[inline(always)]
    fn keep_vector(&mut self, index: usize, k: usize, v: Vec3<L>) {
        // SAFETY: as above.
        unsafe {
            let to = self.kept.add((index * ELIMINATED + 3 * k) * L::COUNT);
            v.x.store(to);
            v.y.store(to.add(L::COUNT));
            v.z.store(to.add(2 * L::COUNT));
        }
    }

    #[inline(always)]
    fn keep_matrix(&mut self, index: usize, k: usize, m: [Vec3<L>; 3]) {
        self.keep_vector(index, k, m[0]);
        self.keep_vector(index, k + 1, m[1]);
        self.keep_vector(index, k + 2, m[2]);
    }

    /// Predicts where orientations turn, freely or as drives say.
    #[inline(always)]
    pub fn open(&mut self, driven: &[u32], (drives, animated): (&[Drive], &[Drive]), first: bool) {
        let zero = L::splat(0.0);
        for link in 0..self.links {
            let driven = &driven[link * L::COUNT..][..L::COUNT];
            let mut way = self.vector(link, Field::Way, 0);
            if driven.iter().any(|&drive| drive != UNDRIVEN) {
                let mut turns = [[0.0; MOST]; 3];
                for (lane, &drive) in driven.iter().enumerate() {
                    let beyond = (drive as usize).checked_sub(drives.len());
                    let turn = beyond.map_or_else(|| &drives[drive as usize], |one| &animated[one]).turn;
                    (turns[0][lane], turns[1][lane], turns[2][lane]) = (turn[0], turn[1], turn[2]);
                }
                let free = self.load(link, Field::InverseInertia, 0).greater(zero);
                way = Vec3 {
                    x: L::select(free, way.x, L::from_array(&turns[0])),
                    y: L::select(free, way.y, L::from_array(&turns[1])),
                    z: L::select(free, way.z, L::from_array(&turns[2])),
                };
            }
            let turn = compose(way, self.vector(link, Field::Below, 0));
            self.store_vector(link, Field::Way, 0, way);
            self.store_vector(link, Field::Turn, 0, turn);
            for k in 0..6 {
                self.store(link, Field::Multipliers, k, zero);
                if first {
                    self.store(link, Field::Sums, k, zero);
                }
            }
        }
    }

    /// Ends the substep of the orientations: a reference that is far is renewed.
    #[inline(always)]
    pub fn close(&mut self) {
        let (zero, far) = (L::splat(0.0), L::from_f64(FAR * FAR));
        for link in 0..self.links {
            let turn = self.vector(link, Field::Turn, 0);
            let is_far = turn.dot(turn).greater(far);
            let old = self.reference(link);
            let new = Quaternion::of_turn(turn).after(old).normalised();
            self.store(link, Field::Reference, 0, L::select(is_far, new.vector.x, old.vector.x));
            self.store(link, Field::Reference, 1, L::select(is_far, new.vector.y, old.vector.y));
            self.store(link, Field::Reference, 2, L::select(is_far, new.vector.z, old.vector.z));
            self.store(link, Field::Reference, 3, L::select(is_far, new.scalar, old.scalar));
            let rest = turn * L::select(is_far, zero, L::splat(1.0));
            self.store_vector(link, Field::Below, 0, rest);
            for k in 0..6 {
                let sum = self.load(link, Field::Sums, k) + self.load(link, Field::Multipliers, k);
                self.store(link, Field::Sums, k, sum);
            }
        }
    }
}

impl<L: Lanes> Chain<L> for Chains<'_, L> {
    fn links(&self) -> usize {
        self.links
    }

    #[inline(always)]
    fn link(&self, index: usize) -> Link<L> {
        let there = (index + 1).min(self.links - 1);
        let (first, second) = (self.node(index).0, self.node(index + 1).0);
        let nodes = [&first, &second];
        let Points { x, d, e } = self.points;
        let moved = Self::between(d, nodes);
        let still = [Vec3::zero(); 2];
        let segment = self.vector(index, Field::Compliances, 0) * self.per_square;
        let joint = self.vector(index, Field::Compliances, 3) * self.per_square;
        Link {
            present: [self.load(index, Field::Present, 0), self.load(index, Field::Present, 1)],
            inverse_masses: [Self::entries(x, &first)[3], Self::entries(x, &second)[3]],
            inverse_inertias: [self.load(index, Field::InverseInertia, 0), self.load(there, Field::InverseInertia, 0)],
            orientations: [self.orientation(index), self.orientation(there)],
            way: Self::between(x, nodes) + moved,
            length: self.load(index, Field::Length, 0),
            rest: self.vector(index, Field::Rest, 0),
            compliances: [segment, joint],
            damping: self.load(index, Field::Damping, 0) * self.per_second,
            moved: if self.damped { moved - Self::between(e, nodes) } else { Vec3::zero() },
            turned: if self.damped { [self.turned(index), self.turned(there)] } else { still },
            multipliers: [self.vector(index, Field::Multipliers, 0), self.vector(index, Field::Multipliers, 3)],
        }
    }

    #[inline(always)]
    fn keep(&mut self, index: usize, eliminated: &Eliminated<L>) {
        let [[a, b], [c, d]] = eliminated.coupling;
        let [y, z] = eliminated.solution;
        self.keep_matrix(index, 0, a);
        self.keep_matrix(index, 3, b);
        self.keep_matrix(index, 6, c);
        self.keep_matrix(index, 9, d);
        self.keep_vector(index, 12, y);
        self.keep_vector(index, 13, z);
        self.keep_matrix(index, 14, eliminated.axes);
        self.keep_matrix(index, 17, eliminated.levers);
        self.keep_matrix(index, 20, eliminated.bends);
    }

    #[inline(always)]
    fn kept(&self, index: usize) -> Eliminated<L> {
        Eliminated {
            coupling: [
                [self.kept_matrix(index, 0), self.kept_matrix(index, 3)],
                [self.kept_matrix(index, 6), self.kept_matrix(index, 9)],
            ],
            solution: [self.kept_vector(index, 12), self.kept_vector(index, 13)],
            axes: self.kept_matrix(index, 14),
            levers: self.kept_matrix(index, 17),
            bends: self.kept_matrix(index, 20),
        }
    }

    #[inline(always)]
    fn press(&mut self, index: usize, [segment, joint]: [Vec3<L>; 2]) {
        let (a, b) = (self.vector(index, Field::Multipliers, 0), self.vector(index, Field::Multipliers, 3));
        self.store_vector(index, Field::Multipliers, 0, a + segment);
        self.store_vector(index, Field::Multipliers, 3, b + joint);
    }

    #[inline(always)]
    fn push(&mut self, node: usize, impulse: Vec3<L>) {
        let (slots, there) = self.node(node);
        let w = Self::entries(self.points.x, &slots)[3];
        let [x, y, z, fourth] = Self::entries(self.points.d, &slots);
        let moved = [x + impulse.x * w, y + impulse.y * w, z + impulse.z * w, fourth];
        let entries = L::separate(L::transposed(moved));
        for (lane, &slot) in slots[..L::COUNT].iter().enumerate().filter(|(lane, _)| there >> lane & 1 == 1) {
            self.points.d.write(slot as usize, entries[lane]);
        }
    }

    #[inline(always)]
    fn turn(&mut self, index: usize, impulse: Vec3<L>) {
        let rotation = by(impulse * self.load(index, Field::InverseInertia, 0));
        // Both are turned, so that the way of what nothing turns stays as it is, to the last bit.
        let turn = compose(rotation, self.vector(index, Field::Turn, 0));
        let way = compose(rotation, self.vector(index, Field::Way, 0));
        self.store_vector(index, Field::Turn, 0, turn);
        self.store_vector(index, Field::Way, 0, way);
    }
}
