//! Surface tension: what each particle pulls by, then the forces that come of it. See `law/fluid.rs`.

use super::lists::Own;
use super::sweep::{IN_ORDER, side_by_side};
use super::walls::Images;
use super::{View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::particles::four;
use crate::cpu::team::Member;
use crate::law::fluid::{Kernel, tension_between};
use crate::law::walls::MOST_MIRRORS;
use crate::math::Vec3;
use crate::math::mask::{greatest, least};

impl View<'_> {
    /// Moves all by what surface tension does in a substep. Begins and ends with a meeting.
    pub fn tighten(&self, member: &Member, frame: &Frame, substep: usize) {
        member.meet();
        let own = locked(&self.own[member.index]);
        let seconds = frame.substep(substep).seconds;
        let (squared, wetting) = (seconds * seconds, self.wet.is_wetting());
        let work = |moving: bool| Work { view: self, frame, member, own: &own, squared, wetting, moving };
        frame.instructions.run(work(false));
        member.meet();
        frame.instructions.run(work(true));
        member.meet();
    }

    /// A vector of what walls mirror, one of each lane, in these walls.
    #[inline(always)]
    fn mirrored<L: Lanes>(&self, mut vector: Vec3<L>, row: &[u32]) -> Vec3<L> {
        let walls = self.sorted.walls.pointer();
        for pair in row[L::COUNT..].chunks_exact(2 * L::COUNT) {
            // SAFETY: what is listed is in the lists.
            let [x, y, z, _] = unsafe { L::transposed(L::gather(walls, pair.as_ptr())) };
            let normal = Vec3 { x, y, z };
            let along = normal.dot(vector);
            vector += normal * -(along + along);
        }
        vector
    }
}

/// One of the two halves, over a thread's blocks.
struct Work<'a, 'b> {
    view: &'b View<'a>,
    frame: &'b Frame<'a>,
    member: &'b Member<'b>,
    own: &'b Own,
    /// h²
    squared: f32,
    /// Whether walls pull or push.
    wetting: bool,
    moving: bool,
}

impl InLanes for Work<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let blocks = self.view.blocks(self.member, L::COUNT);
        for block in blocks.clone() {
            let own = block - blocks.start;
            match self.moving {
                false => self.pull::<L>(block, own),
                true => self.tighten::<L>(block, own),
            }
        }
    }
}

impl Work<'_, '_> {
    /// What the particles of a block pull by, by the gradient of what is filled.
    #[inline(always)]
    fn pull<L: Lanes>(&self, block: usize, own: usize) {
        let (view, first) = (self.view, block * L::COUNT);
        let sorted = &view.sorted;
        let (kernel, tension) = (Kernel::<L>::new(view.wet.scale.support), view.wet.scale.tension::<L>());
        let places = sorted.found.pointer();
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        let [x, y, z, _] = unsafe { side_by_side::<L>(places, first) };
        let (at, mut gradient) = (Vec3 { x, y, z }, Vec3::zero());
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            // SAFETY: as above.
            let [x, y, z, share] = unsafe { L::transposed(L::gather(places, slots.as_ptr())) };
            let way = at - Vec3 { x, y, z };
            gradient += way * -(share * kernel.at(way.dot(way)).1);
        }
        if !self.own.images.is_empty(own) {
            for walls in 1..=MOST_MIRRORS {
                for row in self.own.images.rows(own, walls).chunks_exact(Images::numbers(walls) * L::COUNT) {
                    let (way, squared, share) = view.image::<L>(places, &at, row);
                    gradient += way * -(share * kernel.at(squared).1);
                }
            }
        }
        // SAFETY: as above.
        let root = unsafe { L::load(sorted.roots.pointer().add(first)) };
        let held = greatest(root, L::splat(0.0));
        let pull = tension.pull(held * held, gradient);
        // SAFETY: as above.
        unsafe {
            let entries = L::transposed([pull.x, pull.y, pull.z, root]);
            L::scatter(entries, sorted.pulls.pointer().add(first), IN_ORDER.as_ptr());
        }
    }

    /// Moves a block by what it and its neighbours pull by, and by what they cohere.
    #[inline(always)]
    fn tighten<L: Lanes>(&self, block: usize, own: usize) {
        let (view, first) = (self.view, block * L::COUNT);
        let sorted = &view.sorted;
        let (kernel, tension) = (Kernel::<L>::new(view.wet.scale.support), view.wet.scale.tension::<L>());
        let (places, pulls) = (sorted.found.pointer(), sorted.pulls.pointer());
        let per_share = L::from_f64(1.0 / view.wet.scale.share);
        // SAFETY: the lists are filled up beyond the last block, and what is listed is in them.
        let [x, y, z, share] = unsafe { side_by_side::<L>(places, first) };
        // SAFETY: as above.
        let [px, py, pz, root] = unsafe { side_by_side::<L>(pulls, first) };
        let (at, pull) = (Vec3 { x, y, z }, Vec3 { x: px, y: py, z: pz });
        let mut force: Vec3<L> = Vec3::zero();
        for slots in self.own.lists_of(own).chunks_exact(L::COUNT) {
            // SAFETY: as above.
            let [x, y, z, theirs] = unsafe { L::transposed(L::gather(places, slots.as_ptr())) };
            // SAFETY: as above.
            let [px, py, pz, other] = unsafe { L::transposed(L::gather(pulls, slots.as_ptr())) };
            let way = at - Vec3 { x, y, z };
            let squared = way.dot(way);
            let sigma = tension_between(root, other) * least(share, theirs) * per_share;
            let difference = pull * theirs - Vec3 { x: px, y: py, z: pz } * share;
            force += tension.force((way, squared, kernel.at(squared).1), sigma, difference);
        }
        if !self.own.images.is_empty(own) {
            for walls in 1..=MOST_MIRRORS {
                for row in self.own.images.rows(own, walls).chunks_exact(Images::numbers(walls) * L::COUNT) {
                    let (way, squared, theirs) = view.image::<L>(places, &at, row);
                    // SAFETY: as above.
                    let [px, py, pz, other] = unsafe { L::transposed(L::gather(pulls, row.as_ptr())) };
                    let mirrored = view.mirrored::<L>(Vec3 { x: px, y: py, z: pz }, row);
                    let sigma = tension_between(root, other) * least(share, theirs) * per_share;
                    let difference = pull * theirs - mirrored * share;
                    force += tension.force((way, squared, kernel.at(squared).1), sigma, difference);
                }
            }
        }
        let moves = L::separate(L::transposed([force.x, force.y, force.z, L::splat(0.0)]));
        for (lane, moved) in moves[..L::COUNT].iter().enumerate() {
            let at = first + lane;
            if at < view.wet.len() {
                let of_walls = if self.wetting { view.wall_force(at) } else { wide::f32x4::ZERO };
                view.move_by(self.frame, at, *moved + of_walls, self.squared);
            }
        }
    }
}

impl View<'_> {
    /// What walls do to one, N.
    fn wall_force(&self, at: usize) -> wide::f32x4 {
        let tension = self.wet.scale.tension::<f32>();
        let root = self.sorted.roots.read(at).max(0.0);
        let wetted = root * root * self.wet.cosine(self.grid.order.read(at) as usize) as f32;
        let mut sum = Vec3::zero();
        for plane in self.walls_of(at) {
            sum += plane.normal * tension.wall_force(wetted, plane.gap_after(Vec3::zero()));
        }
        four(sum)
    }

    /// Moves one by a force, N, that acts for h².
    fn move_by(&self, frame: &Frame, at: usize, force: wide::f32x4, squared: f32) {
        let slot = self.slots[self.grid.order.read(at) as usize] as usize;
        let weight = frame.points.x.read(slot).to_array()[3];
        let moved = force * wide::f32x4::splat(squared * weight);
        frame.points.d.write(slot, frame.points.d.read(slot) + moved);
    }
}
