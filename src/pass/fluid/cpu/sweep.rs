//! A sweep over all fluids at once: first λ, then the pushes that come of it. See `law/fluid.rs`.

use wide::f32x4;

use super::lists::Own;
use super::{View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::particles::{four, three};
use crate::cpu::team::Member;
use crate::law::fluid::{Kernel, pressed};
use crate::law::walls::pressed_by;
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
        let alike = self.traits_of(frame, 0).to_array();
        let work = |pushing: bool| Work { view: self, frame, member, own: &own, squared, alike, pushing };
        frame.instructions.run(work(false));
        member.meet();
        frame.instructions.run(work(true));
        if closing {
            self.add_up(member, squared);
        }
        member.meet();
    }

    /// Takes over where all that take part have come to.
    pub fn follow(&self, member: &Member, frame: &Frame) {
        let layout = self.grid.layout();
        for at in member.share_by(self.wet.len(), MOST) {
            let index = self.grid.order.read(at) as usize;
            self.sorted.places.write(at, self.place(frame, layout, index));
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
            let (place, [share, weight, _, viscosity]) =
                (three(self.sorted.found.read(at)), self.sorted.traits.read(at).to_array());
            let mut pushed = 0.0;
            for other in own.near_of(at - particles.start, lanes) {
                let way = place - three(self.sorted.found.read(other as usize));
                let squared = way.dot(way);
                pushed += share * kernel.at(squared).1 * squared.sqrt();
            }
            self.sorted.traits.write(at, f32x4::new([share, weight, pushed, viscosity]));
        }
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
    /// As [`View::traits_of`], where all are alike.
    alike: [f32; 4],
    pushing: bool,
}

impl InLanes for Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let blocks = self.view.blocks(self.member, L::COUNT);
        for block in blocks.clone() {
            let own = block - blocks.start;
            match (self.pushing, self.view.is_plain) {
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
        let (of_walls, wall_gradient) = self.walls::<L>(first, own);
        gradient += wall_gradient;
        if PLAIN {
            heaviness = heaviness * weight;
        }
        heaviness = heaviness + weight * gradient.dot(gradient);
        // SAFETY: as above.
        unsafe {
            let before = L::load(sorted.lambdas.pointer().add(first));
            let compliance = L::load(sorted.compliances.pointer().add(first));
            let lambda =
                pressed(before, sum + of_walls - L::splat(1.0), heaviness, compliance * L::splat(self.squared));
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

    /// What walls add to C and its gradient; the latter is kept.
    #[inline(always)]
    fn walls<L: Lanes>(&self, first: usize, own: usize) -> (L, Vec3<L>) {
        let (begin, sorted) = (own * L::COUNT, &self.view.sorted);
        let walls = &self.own.wall_ends[begin..begin + L::COUNT];
        let before = begin.checked_sub(1).map_or(0, |before| self.own.wall_ends[before]);
        let zero = L::splat(0.0);
        if walls[L::COUNT - 1] == before {
            return (zero, Vec3::zero());
        }
        let inverse = (1.0 / self.view.wet.scale.support) as f32;
        let mut values = [0.0; MOST];
        for (lane, value) in values[..L::COUNT].iter_mut().enumerate() {
            let (planes, at) = (self.own.walls_of(begin + lane), first + lane);
            let moved = three(sorted.places.read(at) - sorted.found.read(at));
            let (of_walls, gradient) = pressed_by(planes, moved, inverse);
            *value = of_walls;
            sorted.walls.write(at, four(gradient));
        }
        // SAFETY: the list is filled up beyond the last block.
        let [x, y, z, _] = unsafe { side_by_side::<L>(sorted.walls.pointer(), first) };
        (L::from_array(&values), Vec3 { x, y, z })
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
        if PLAIN {
            push = push * share;
        }
        let begin = own * L::COUNT;
        let before = begin.checked_sub(1).map_or(0, |before| self.own.wall_ends[before]);
        if self.own.wall_ends[begin + L::COUNT - 1] > before {
            // SAFETY: as above.
            let [x, y, z, _] = unsafe { side_by_side::<L>(sorted.walls.pointer(), first) };
            push += Vec3 { x, y, z } * -change;
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
