//! The neighbours of each particle, found once in a substep.

use wide::f32x4;

use super::walls::Images;
use super::{View, locked};
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{InLanes, Lanes, MOST};
use crate::cpu::team::Member;
use crate::law::fluid::held_root;

/// What a thread found for its particles.
#[derive(Default)]
pub struct Own {
    /// Neighbours by their places in the order: of each block as many of each lane, filled up with what is nowhere.
    pub lists: Vec<u32>,
    /// Where the lists of each block end.
    pub ends: Vec<usize>,
    pub images: Images,
    /// Of each lane, for a while.
    near: [Vec<u32>; MOST],
}

impl Own {
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.lists) + size_of_val(&*self.ends) + self.images.bytes()
    }

    /// The lists of a block, counted from the thread's first.
    pub fn lists_of(&self, block: usize) -> &[u32] {
        let begin = block.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lists[begin..self.ends[block]]
    }

    /// The neighbours of one of the thread's particles, of blocks of so many lanes.
    pub fn near_of(&self, particle: usize, lanes: usize) -> impl Iterator<Item = u32> + '_ {
        self.lists_of(particle / lanes).iter().copied().skip(particle % lanes).step_by(lanes)
    }
}

impl View<'_> {
    /// Finds neighbours, walls and images of all that take part. Ends with a meeting.
    pub fn find(&self, member: &Member, frame: &Frame, substep: usize) {
        self.arrange(member, frame, substep);
        member.meet();
        let mut own = locked(&self.own[member.index]);
        frame.instructions.run(FindNear { view: self, member, own: &mut own });
        drop(own);
        if !frame.model.colliders.is_empty() {
            self.find_walls(member, frame, substep);
        }
        member.meet();
        self.find_images(member, frame.instructions.lanes());
        if self.wet.len() > self.wet.fluids {
            self.find_pushed(member, frame.instructions.lanes());
            member.meet();
        }
    }

    /// Writes what is read in the order of cells.
    fn arrange(&self, member: &Member, frame: &Frame, substep: usize) {
        let squared = frame.substep(substep).seconds.powi(2);
        for at in member.share_by(self.wet.len(), MOST) {
            let index = self.grid.order.read(at) as usize;
            let place = self.grid.places.read(index);
            self.sorted.places.write(at, place);
            self.sorted.found.write(at, place);
            for (list, value) in self.sorted.coordinates.iter().zip(place.to_array()) {
                list.write(at, value);
            }
            self.sorted.lambdas.write(at, 0.0);
            let compliance = self.wet.compliances.get(index).map_or(-1.0, |compliance| *compliance as f32);
            self.sorted.compliances.write(at, compliance);
            if self.sorted.roots.len() > at {
                let weight = frame.points.x.read(self.slots[index] as usize).to_array()[3];
                self.sorted.roots.write(at, held_root(self.wet.roots[index] as f32, weight, squared));
            }
            if self.alike.is_none() {
                self.sorted.traits.write(at, self.traits_of(frame, index));
            }
        }
    }

    /// A thread's particles by their places in the order, and what fills up the last block.
    pub fn particles(&self, member: &Member) -> std::ops::Range<usize> {
        member.share_by(self.wet.len().next_multiple_of(MOST), MOST)
    }
}

/// Finds the neighbours of a thread's blocks.
struct FindNear<'a, 'b> {
    view: &'b View<'a>,
    member: &'b Member<'b>,
    own: &'b mut Own,
}

impl InLanes for FindNear<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, member, own } = self;
        let nowhere = view.wet.len().next_multiple_of(MOST) as u32;
        let support = view.wet.scale.support as f32;
        let squared = support * support;
        own.lists.clear();
        own.ends.clear();
        // Those that follow one another mostly lie in one cell.
        let (mut cell, mut around) = (None, view.grid.near([0; 3]));
        for block in view.blocks(member, L::COUNT) {
            let mut most = 0;
            for lane in 0..L::COUNT {
                let (at, near) = (block * L::COUNT + lane, &mut own.near[lane]);
                near.clear();
                if at < view.wet.len() {
                    let place = view.sorted.found.read(at);
                    let own_cell = view.grid.layout().coordinates(place);
                    if cell != Some(own_cell) {
                        (cell, around) = (Some(own_cell), view.grid.near(own_cell));
                    }
                    for &stretch in around.all() {
                        near_in::<L>(view, (at as u32, place, squared), stretch, near);
                    }
                    if view.asks_bodies {
                        let body = |at: u32| view.wet.bodies[view.grid.order.read(at as usize) as usize];
                        near.retain(|&other| view.wet.meet(body(at as u32), body(other)));
                    }
                    most = most.max(near.len());
                }
            }
            let begin = own.lists.len();
            own.lists.resize(begin + most * L::COUNT, nowhere);
            let rows = &mut own.lists[begin..];
            for (lane, near) in own.near[..L::COUNT].iter().enumerate() {
                for (row, &other) in rows.chunks_exact_mut(L::COUNT).zip(near) {
                    row[lane] = other;
                }
            }
            own.ends.push(own.lists.len());
        }
    }
}

/// Adds those of a stretch of the order that are near a particle.
#[inline(always)]
fn near_in<L: Lanes>(
    view: &View,
    (at, place, squared): (u32, f32x4, f32),
    [begin, end]: [u32; 2],
    near: &mut Vec<u32>,
) {
    let [x, y, z, _] = place.to_array();
    let [xs, ys, zs] = &view.sorted.coordinates;
    let (xs, ys, zs) = (xs.pointer(), ys.pointer(), zs.pointer());
    near.reserve((end - begin) as usize + L::COUNT);
    let (to, mut count) = (near.as_mut_ptr(), near.len());
    let mut first = begin;
    while first < end {
        // SAFETY: the lists are longer than the order by more than any register.
        let (dx, dy, dz) = unsafe {
            let place = first as usize;
            (
                L::load(xs.add(place)) - L::splat(x),
                L::load(ys.add(place)) - L::splat(y),
                L::load(zs.add(place)) - L::splat(z),
            )
        };
        let mut bits = L::splat(squared).exceeding(dx * dx + dy * dy + dz * dz);
        let left = end - first;
        if left < L::COUNT as u32 {
            bits &= (1 << left) - 1;
        }
        // Not itself.
        if at.wrapping_sub(first) < L::COUNT as u32 {
            bits &= !(1 << (at - first));
        }
        // SAFETY: room for all of the stretch and a register more was made above.
        count += unsafe { L::number(bits, first, to.add(count)) };
        first += L::COUNT as u32;
    }
    // SAFETY: so many were written.
    unsafe { near.set_len(count) };
}
