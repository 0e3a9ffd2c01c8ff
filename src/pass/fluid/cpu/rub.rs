//! Viscosity: Chebyshev's iteration for implicit Euler's equation, on h times the velocities. See `law/fluid.rs`.

use std::sync::Mutex;

use wide::f32x4;

use super::lists::Own;
use super::sweep::{IN_ORDER, side_by_side};
use super::{View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::particles::{four, three};
use crate::cpu::team::Member;
use crate::law::fluid::{CORE, Chebyshev, Kernel, rubbing, viscosity_between, wall};
use crate::math::Vec3;
use crate::math::mask::greatest;

impl View<'_> {
    /// Lets all rub on each other and on walls, and ends with a meeting.
    pub fn rub(&self, member: &Member, frame: &Frame, substep: usize) {
        let particles = self.particles(member);
        let own = locked(&self.own[member.index]);
        let [ways, starts, changes] = &self.sorted.rubbed;
        for at in particles.start..particles.end.min(self.wet.len()) {
            let way = frame.u.read(self.slot(at));
            ways.write(at, way);
            starts.write(at, way);
            changes.write(at, f32x4::ZERO);
        }
        member.meet();
        let seconds = frame.substep(substep).seconds;
        let alike = self.alike.map(|[_, weight, _, viscosity]| [weight, viscosity]);
        let work = |factors, largest| Work { view: self, member, own: &own, seconds, alike, factors, largest };
        frame.instructions.run(work([0.0; 2], Some(&self.rubbing[member.index])));
        member.meet();
        let largest = self.rubbing.iter().map(|one| *locked(one)).fold(0.0, f32::max);
        let mut chebyshev = Chebyshev::new(f64::from(largest));
        for step in 0..self.viscous_steps {
            let factors = chebyshev.step(step == 0).map(|factor| factor as f32);
            frame.instructions.run(work(factors, None));
            member.meet();
            for at in particles.clone() {
                ways.write(at, ways.read(at) + changes.read(at));
            }
            member.meet();
        }
        for at in particles.start..particles.end.min(self.wet.len()) {
            frame.u.write(self.slot(at), ways.read(at));
        }
        member.meet();
    }

    fn slot(&self, at: usize) -> usize {
        self.slots[self.grid.order.read(at) as usize] as usize
    }
}

/// A step of the iteration over a thread's blocks; or what rubs most there, h w (2 Σ κ + Σ κ of walls).
struct Work<'a, 'b> {
    view: &'b View<'a>,
    member: &'b Member<'b>,
    own: &'b Own,
    seconds: f32,
    /// Inverse mass and viscosity, where all have the same.
    alike: Option<[f32; 2]>,
    /// Of [`Chebyshev::step`].
    factors: [f32; 2],
    largest: Option<&'b Mutex<f32>>,
}

impl InLanes for Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let blocks = self.view.blocks(self.member, L::COUNT);
        let mut largest = L::splat(0.0);
        for block in blocks.clone() {
            let (own, first) = (block - blocks.start, block * L::COUNT);
            match self.largest {
                Some(_) => largest = largest.max(self.rubbing::<L>(first, own)),
                None => self.step::<L>(first, own),
            }
        }
        if let Some(found) = self.largest {
            *locked(found) = largest.to_array().into_iter().fold(0.0, f32::max);
        }
    }
}

/// A particle as lanes read it.
struct One<L> {
    at: Vec3<L>,
    share: L,
    weight: L,
    viscosity: L,
}

impl Work<'_, '_> {
    #[inline(always)]
    fn one<L: Lanes>(&self, slots: *const u32, first: usize) -> One<L> {
        let sorted = &self.view.sorted;
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        unsafe {
            let [x, y, z, share] = L::transposed(L::gather(sorted.places.pointer().add(first), slots));
            let at = Vec3 { x, y, z };
            if let Some([weight, viscosity]) = self.alike {
                return One { at, share, weight: L::splat(weight), viscosity: L::splat(viscosity) };
            }
            let [_, weight, _, viscosity] = L::transposed(L::gather(sorted.traits.pointer().add(first), slots));
            One { at, share, weight, viscosity }
        }
    }

    /// κ of a pair, and the way between the two.
    #[inline(always)]
    fn kappa<L: Lanes>(&self, one: &One<L>, other: &One<L>) -> (L, Vec3<L>) {
        let scale = &self.view.wet.scale;
        let way = one.at - other.at;
        let squared = way.dot(way);
        let (_, slope) = Kernel::<L>::new(scale.support).at(squared);
        let core = L::from_f64(CORE * scale.support * scale.support);
        let per_viscosity = L::from_f64(scale.pair_viscosity(1.0) / (scale.share * scale.share));
        let viscosity = viscosity_between(one.viscosity, other.viscosity);
        // Shares of cubic micrometres have a square below single precision: one after the other.
        let volumes = per_viscosity * one.share * other.share;
        (viscosity * volumes * rubbing(slope, squared, core), way)
    }

    /// h w (2 Σ κ + Σ κ of walls).
    #[inline(always)]
    fn rubbing<L: Lanes>(&self, first: usize, own: usize) -> L {
        let one = self.one::<L>(IN_ORDER.as_ptr(), first);
        let mut sum = L::splat(0.0);
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            sum = sum + self.kappa(&one, &self.one::<L>(slots.as_ptr(), 0)).0;
        }
        let mut walls = [0.0; MOST];
        for (lane, sum) in walls[..L::COUNT].iter_mut().enumerate() {
            self.each_wall(first + lane, |kappa, _, _| *sum += kappa);
        }
        L::splat(self.seconds) * one.weight * (sum + sum + L::from_array(&walls))
    }

    /// κ of each wall of a particle, its normal and the way of its surface.
    #[inline(always)]
    fn each_wall(&self, at: usize, mut found: impl FnMut(f32, Vec3<f32>, Vec3<f32>)) {
        let (view, scale) = (self.view, &self.view.wet.scale);
        let planes = view.walls_of(at);
        if planes.is_empty() || view.sorted.compliances.read(at) < 0.0 {
            return; // Solids do not rub on walls.
        }
        let moved = three(view.sorted.places.read(at) - view.sorted.found.read(at));
        let viscosity = view.wet.viscosities[view.grid.order.read(at) as usize];
        let per_value = scale.wall_viscosity(viscosity) as f32;
        for plane in planes {
            let value = wall(plane.gap_after(moved) / scale.support as f32).0;
            found(per_value * value, plane.normal, plane.carried);
        }
    }

    /// The next change of a block.
    #[inline(always)]
    fn step<L: Lanes>(&self, first: usize, own: usize) {
        let [ways, starts, changes] = &self.view.sorted.rubbed;
        let one = self.one::<L>(IN_ORDER.as_ptr(), first);
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        let [x, y, z, _] = unsafe { side_by_side::<L>(ways.pointer(), first) };
        let mine = Vec3 { x, y, z };
        let mut force: Vec3<L> = Vec3::zero();
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            let (kappa, way) = self.kappa(&one, &self.one::<L>(slots.as_ptr(), 0));
            // SAFETY: as above.
            let [x, y, z, _] = unsafe { L::transposed(L::gather(ways.pointer(), slots.as_ptr())) };
            let squared = greatest(way.dot(way), L::splat(f32::MIN_POSITIVE));
            force += way * (kappa * (way.dot(Vec3 { x, y, z } - mine) / squared));
        }
        let mut of_walls = [f32x4::ZERO; MOST];
        for (lane, force) in of_walls[..L::COUNT].iter_mut().enumerate() {
            let at = first + lane;
            let way = three(ways.read(at));
            self.each_wall(at, |kappa, normal, carried| {
                let slip = carried - way;
                *force += four((slip - normal * normal.dot(slip)) * kappa);
            });
        }
        let [kept, added] = self.factors;
        let (kept, added) = (L::splat(kept), L::splat(added));
        // SAFETY: as above, and these are the block's own.
        unsafe {
            let [x, y, z, _] = L::transposed(L::gather(of_walls.as_ptr(), IN_ORDER.as_ptr()));
            force += Vec3 { x, y, z };
            let [x, y, z, _] = side_by_side::<L>(starts.pointer(), first);
            let left = Vec3 { x, y, z } - mine + force * (L::splat(self.seconds) * one.weight);
            let [x, y, z, _] = side_by_side::<L>(changes.pointer(), first);
            let change = Vec3 { x, y, z } * kept + left * added;
            let entries = L::transposed([change.x, change.y, change.z, L::splat(0.0)]);
            L::scatter(entries, changes.pointer().add(first), IN_ORDER.as_ptr());
        }
    }
}
