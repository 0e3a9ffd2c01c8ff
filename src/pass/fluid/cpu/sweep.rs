//! A sweep over all fluids at once: first λ, then the pushes that come of it. See `law/fluid.rs`.

use wide::f32x4;

use super::lists::Own;
use super::walls::Images;
use super::{View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::particles::three;
use crate::cpu::team::Member;
use crate::law::fluid::{Kernel, LEAST_SLOPE, pressed};
use crate::law::walls::MOST_MIRRORS;
use crate::math::Vec3;

/// 0, 1, 2, ...
pub const IN_ORDER: [u32; MOST] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl View<'_> {
    /// Begins with what others did to d, and ends with a meeting.
    pub fn sweep(&self, member: &Member, frame: &Frame, substep: usize, closing: bool) {
        self.follow(member, frame);
        member.meet();
        let own = locked(&self.own[member.index]);
        let squared = frame.substep(substep).inverse_seconds_squared;
        let alike = self.alike.unwrap_or_default();
        let work = |pushing: bool| Work { view: self, frame, member, own: &own, squared, alike, pushing };
        frame.instructions.run(work(false));
        member.meet();
        frame.instructions.run(work(true));
        if closing {
            self.add_up(member, squared);
        }
        member.meet();
    }

    /// Takes over where all that take part have come to, and how far that is from walls.
    pub fn follow(&self, member: &Member, frame: &Frame) {
        let layout = self.grid.layout();
        for at in member.share_by(self.wet.len(), MOST) {
            let index = self.grid.order.read(at) as usize;
            self.sorted.places.write(at, self.place(frame, layout, index));
            self.mirror(at);
        }
    }

    /// Sums up λ/h² of a substep.
    fn add_up(&self, member: &Member, squared: f32) {
        for at in member.share_by(self.wet.len(), MOST) {
            let index = self.grid.order.read(at) as usize;
            if index < self.sums.len() {
                self.sums.write(index, self.sums.read(index) + self.sorted.lambdas.read(at) * squared);
            }
        }
    }

    /// Of each solid's particle Σ |∇C| of what is near: with it in their denominators these push it no more than it can
    /// take.
    pub fn find_pushed(&self, member: &Member, lanes: usize) {
        let kernel: Kernel<f32> = Kernel::new(self.wet.scale.support);
        let own = locked(&self.own[member.index]);
        let particles = self.particles(member);
        for at in particles.start..particles.end.min(self.wet.len()) {
            let index = self.grid.order.read(at) as usize;
            if index < self.wet.fluids {
                continue;
            }
            let (place, [share, weight, mut pushed, viscosity]) =
                (three(self.sorted.found.read(at)), self.sorted.traits.read(at).to_array());
            // So far of images.
            for other in own.near_of(at - particles.start, lanes) {
                let way = place - three(self.sorted.found.read(other as usize));
                let squared = way.dot(way);
                pushed += share * kernel.at(squared).1 * squared.sqrt();
            }
            self.sorted.traits.write(at, f32x4::new([share, weight, pushed, viscosity]));
        }
    }
}

impl View<'_> {
    /// The way to a block's particles from one image each, the square of their distance, and what the list has as the
    /// fourth number of what is mirrored.
    #[inline(always)]
    pub fn image<L: Lanes>(&self, list: *const f32x4, at: &Vec3<L>, row: &[u32]) -> (Vec3<L>, L, L) {
        let walls = self.sorted.walls.pointer();
        // SAFETY: what is listed is in the lists.
        let [x, y, z, fourth] = unsafe { L::transposed(L::gather(list, row.as_ptr())) };
        let mut way = *at - Vec3 { x, y, z };
        let mut squared = way.dot(way);
        for pair in row[L::COUNT..].chunks_exact(2 * L::COUNT) {
            // SAFETY: as above.
            let [x, y, z, gap] = unsafe { L::transposed(L::gather(walls, pair.as_ptr())) };
            // SAFETY: as above.
            let [_, _, _, other] = unsafe { L::transposed(L::gather(walls, pair[L::COUNT..].as_ptr())) };
            way += Vec3 { x, y, z } * (other + other);
            squared = squared + L::splat(4.0) * gap * other;
        }
        (way, squared, fourth)
    }
}

/// One of the two halves of a sweep, over a thread's blocks.
struct Work<'a, 'b> {
    view: &'b View<'a>,
    frame: &'b Frame<'a>,
    member: &'b Member<'b>,
    own: &'b Own,
    /// 1/h²
    squared: f32,
    /// Of all, where they are alike.
    alike: [f32; 4],
    pushing: bool,
}

impl InLanes for Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let blocks = self.view.blocks(self.member, L::COUNT);
        for block in blocks.clone() {
            let own = block - blocks.start;
            match (self.pushing, self.view.alike.is_some()) {
                (false, true) => self.press::<L, true>(block, own),
                (false, false) => self.press::<L, false>(block, own),
                (true, true) => self.push::<L, true>(block, own),
                (true, false) => self.push::<L, false>(block, own),
            }
        }
    }
}

/// The four numbers of particles that follow one another.
///
/// # Safety
/// So many entries must be there, and no other thread may write them meanwhile.
#[inline(always)]
pub unsafe fn side_by_side<L: Lanes>(list: *const f32x4, first: usize) -> [L; 4] {
    // SAFETY: the caller's.
    unsafe { L::transposed(L::gather(list.add(first), IN_ORDER.as_ptr())) }
}

impl Work<'_, '_> {
    /// λ of a block, and its change in a sweep.
    #[inline(always)]
    fn press<L: Lanes, const PLAIN: bool>(&self, block: usize, own: usize) {
        let (view, first) = (self.view, block * L::COUNT);
        let sorted = &view.sorted;
        let kernel: Kernel<L> = Kernel::new(view.wet.scale.support);
        let zero = L::splat(0.0);
        let places = sorted.places.pointer();
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        let [x, y, z, share] = unsafe { side_by_side::<L>(places, first) };
        let [_, weight, _, _] = self.traits::<L, PLAIN>(first);
        let at = Vec3 { x, y, z };
        let (mut sum, mut heaviness, mut gradient) = (kernel.at(zero).0 * share, zero, Vec3::zero());
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            // SAFETY: as above.
            let [x, y, z, share] = unsafe { L::transposed(L::gather(places, slots.as_ptr())) };
            let way = at - Vec3 { x, y, z };
            let squared = way.dot(way);
            let (value, slope) = kernel.at(squared);
            let slope = share * slope;
            sum = sum + share * value;
            gradient += way * -slope;
            let size = slope * slope * squared;
            if PLAIN {
                heaviness = heaviness + size;
            } else {
                // SAFETY: as above.
                let [_, weight, pushed, _] =
                    unsafe { L::transposed(L::gather(sorted.traits.pointer(), slots.as_ptr())) };
                heaviness = heaviness + weight * (size + pushed * size.sqrt());
            }
        }
        if !self.own.images.is_empty(own) {
            for walls in 1..=MOST_MIRRORS {
                for row in self.own.images.rows(own, walls).chunks_exact(Images::numbers(walls) * L::COUNT) {
                    let (way, squared, share) = view.image::<L>(places, &at, row);
                    let (value, slope) = kernel.at(squared);
                    let slope = share * slope;
                    sum = sum + share * value;
                    gradient += way * -slope;
                    let size = slope * slope * squared;
                    let weights = self.traits_at::<L, PLAIN>(row);
                    heaviness = heaviness + if PLAIN { size } else { weights[1] * (size + weights[2] * size.sqrt()) };
                }
            }
        }
        if PLAIN {
            heaviness = heaviness * weight;
        }
        heaviness = heaviness + weight * gradient.dot(gradient);
        let spacing = view.wet.scale.spacing;
        let least = weight * L::from_f64(LEAST_SLOPE / (spacing * spacing));
        // SAFETY: as above.
        unsafe {
            let before = L::load(sorted.lambdas.pointer().add(first));
            let compliance = L::load(sorted.compliances.pointer().add(first));
            let lambda = pressed(before, sum - L::splat(1.0), [heaviness, least], compliance * L::splat(self.squared));
            let lambda = L::select(zero.greater(compliance), zero, lambda);
            lambda.store(sorted.lambdas.pointer().add(first));
            let entries = L::transposed([at.x, at.y, at.z, lambda - before]);
            L::scatter(entries, sorted.pushes.pointer().add(first), IN_ORDER.as_ptr());
        }
    }

    /// Share, inverse mass, what is pushed, viscosity of a block.
    #[inline(always)]
    fn traits<L: Lanes, const PLAIN: bool>(&self, first: usize) -> [L; 4] {
        if PLAIN {
            let [share, weight, pushed, viscosity] = self.alike;
            return [L::splat(share), L::splat(weight), L::splat(pushed), L::splat(viscosity)];
        }
        // SAFETY: the list is filled up beyond the last block.
        unsafe { side_by_side::<L>(self.view.sorted.traits.pointer(), first) }
    }

    /// Share, inverse mass, what is pushed, viscosity of one listed neighbour of each lane.
    #[inline(always)]
    fn traits_at<L: Lanes, const PLAIN: bool>(&self, slots: &[u32]) -> [L; 4] {
        if PLAIN {
            let [share, weight, pushed, viscosity] = self.alike;
            return [L::splat(share), L::splat(weight), L::splat(pushed), L::splat(viscosity)];
        }
        // SAFETY: what is listed is in the list.
        unsafe { L::transposed(L::gather(self.view.sorted.traits.pointer(), slots.as_ptr())) }
    }

    /// Moves a block by all changes of λ.
    #[inline(always)]
    fn push<L: Lanes, const PLAIN: bool>(&self, block: usize, own: usize) {
        let (view, first) = (self.view, block * L::COUNT);
        let sorted = &view.sorted;
        let kernel: Kernel<L> = Kernel::new(view.wet.scale.support);
        let pushes = sorted.pushes.pointer();
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        let [x, y, z, change] = unsafe { side_by_side::<L>(pushes, first) };
        let [share, weight, _, _] = self.traits::<L, PLAIN>(first);
        let at = Vec3 { x, y, z };
        let mut push: Vec3<L> = Vec3::zero();
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            // SAFETY: as above.
            let [x, y, z, other] = unsafe { L::transposed(L::gather(pushes, slots.as_ptr())) };
            let way = at - Vec3 { x, y, z };
            let (_, slope) = kernel.at(way.dot(way));
            if PLAIN {
                push += way * (slope * (change + other));
            } else {
                // SAFETY: as above.
                let [theirs, ..] = unsafe { L::transposed(L::gather(sorted.traits.pointer(), slots.as_ptr())) };
                push += way * (slope * (change * theirs + other * share));
            }
        }
        if !self.own.images.is_empty(own) {
            for walls in 1..=MOST_MIRRORS {
                for row in self.own.images.rows(own, walls).chunks_exact(Images::numbers(walls) * L::COUNT) {
                    let (way, squared, other) = view.image::<L>(pushes, &at, row);
                    let (_, slope) = kernel.at(squared);
                    let [theirs, ..] = self.traits_at::<L, PLAIN>(row);
                    push += way * (slope * if PLAIN { change + other } else { change * theirs + other * share });
                }
            }
        }
        if PLAIN {
            push = push * share;
        }
        let push = push * weight;
        let moves = L::separate(L::transposed([push.x, push.y, push.z, L::splat(0.0)]));
        for (lane, moved) in moves[..L::COUNT].iter().enumerate() {
            let at = first + lane;
            if at < view.wet.len() {
                let slot = view.slots[view.grid.order.read(at) as usize] as usize;
                self.frame.points.d.write(slot, self.frame.points.d.read(slot) + *moved);
            }
        }
    }
}
