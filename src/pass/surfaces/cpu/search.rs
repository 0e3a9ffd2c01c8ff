//! Finds what touches: pairs of features whose boxes meet on their ways, and whose axes say that they come near.

use std::ops::Range;
use std::sync::atomic::Ordering;

use wide::f32x4;

use super::flat::Look;
use super::joints::Joint;
use super::leaves::Make;
use super::narrow::{BATCH, Lists, Narrow};
use super::tree::Visit;
use super::{Now, View, locked};
use crate::cpu::boxes::{Bounds, EACH};
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::particles::{CROWDED, Signs};
use crate::cpu::team::Member;
use crate::law::surface::{Contact, FLOOR};

/// Pairs whose faces' boxes meet for which a thread has time: beyond is a crowd in one place.
const CROWD: usize = 1 << 25;
/// Pairs are found that come nearer than their distance and so many of the sum of their radii. What is not found stays
/// apart as long as each vertex stays within so many radii of where it was as it was sought.
pub const SLACK: f32 = 2.0 * FLOOR as f32;
/// Vertices of which the mean way is taken.
const SAMPLES: usize = 256;

impl View<'_> {
    /// Finds all contacts. Begins with what others did to d, and ends with a meeting.
    pub fn search(&self, member: &Member, now: &Now, signs: &Signs) {
        let common = self.common_way(now);
        if member.index == 0 {
            self.common.write(0, common);
            self.next.store(0, Ordering::Relaxed);
        }
        for &slot in &self.vertices[member.share(self.vertices.len())] {
            self.sought.write(slot as usize, now.points.d.read(slot as usize));
        }
        let leaves = self.tree.share(member);
        now.instructions.run(Make { view: self, now, leaves: leaves.clone(), common });
        self.tree.enclose_leaves(leaves);
        member.meet();
        if member.index == 0 {
            self.tree.enclose_all();
        }
        now.instructions.run(Look { view: &self.flat, rings: member.share_by(self.flat.rings(), 1) });
        member.meet();
        let mut lists = locked(&self.lists[member.index]);
        let leaves = self.tree.leaves();
        // Who comes first takes the next part: those that touch much are nobody's share.
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= self.found.len() {
                break;
            }
            let bound = |part: usize| leaves * part / self.found.len();
            let mut found = locked(&self.found[part]);
            found.clear();
            let leaves = bound(part)..bound(part + 1);
            now.instructions.run(Find { view: self, now, leaves, lists: &mut lists, found: &mut found, signs });
        }
        member.meet();
    }

    /// The mean way of some vertices: boxes are of ways less this one, so that what falls together stays apart.
    pub fn common_way(&self, now: &Now) -> f32x4 {
        let step = self.vertices.len().div_ceil(SAMPLES);
        let way = |&slot: &u32| now.points.d.read(slot as usize) - now.points.e.read(slot as usize);
        let (sum, count) = self
            .vertices
            .iter()
            .step_by(step)
            .map(way)
            .fold((f32x4::ZERO, 0.0), |(sum, count), way| (sum + way, count + 1.0));
        sum * f32x4::splat(1.0 / count)
    }
}

/// Finds the contacts of some leaves with each other and those after them.
struct Find<'a> {
    view: &'a View<'a>,
    now: &'a Now<'a>,
    leaves: Range<usize>,
    lists: &'a mut Searching,
    found: &'a mut Vec<Contact<f32>>,
    signs: &'a Signs<'a>,
}

/// Lists of a thread that keep their memory.
#[derive(Default)]
pub struct Searching {
    /// For each face of a leaf: leaves after it, and bits for their faces.
    rows: [Vec<(u32, u32)>; EACH],
    pub lists: Lists,
}

impl InLanes for Find<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, now, leaves, lists: Searching { rows, lists }, found, signs } = self;
        let narrow = Narrow { view, now, slack: SLACK, tangle: &view.tangle() };
        let mut count = 0;
        for leaf in leaves {
            let mut visit = Leaf { view, leaf, joints: view.joints.of(leaf), rows, count };
            view.tree.meeting(&view.tree.bounds::<L>(leaf), leaf, &mut visit);
            count = visit.count;
            for (lane, row) in rows.iter_mut().enumerate() {
                let face = (EACH * leaf + lane) as u32;
                row.drain(..).for_each(|(other, bits)| list(face, other, bits, &mut lists.faces));
            }
            if lists.faces.len() >= BATCH {
                narrow.contacts::<L>(lists, found);
            }
            if count >= CROWD {
                signs.flags.fetch_or(CROWDED, Ordering::Relaxed);
                break;
            }
        }
        narrow.contacts::<L>(lists, found);
    }
}

/// Lists a face with those of a leaf that bits tell.
#[inline(always)]
fn list(face: u32, leaf: u32, mut bits: u32, faces: &mut Vec<[u32; 2]>) {
    while bits != 0 {
        faces.push([face, EACH as u32 * leaf + bits.trailing_zeros()]);
        bits &= bits - 1;
    }
}

/// A leaf that looks for the faces whose boxes meet those of its own.
struct Leaf<'a> {
    view: &'a View<'a>,
    leaf: usize,
    /// Those that are yet to come.
    joints: &'a [Joint],
    rows: &'a mut [Vec<(u32, u32)>; EACH],
    count: usize,
}

impl Visit for Leaf<'_> {
    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, other: usize, _: &Bounds<L>, its: &Bounds<L>) -> bool {
        while self.joints.first().is_some_and(|joint| (joint.leaf as usize) < other) {
            self.joints = &self.joints[1..];
        }
        let joint = self.joints.first().filter(|joint| joint.leaf as usize == other);
        let (mine, theirs) = (self.view.tree.leaf(self.leaf), self.view.tree.leaf(other));
        let mut left = its.meets(mine);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            // Each two faces once.
            let later = if other == self.leaf { u32::MAX << lane << 1 } else { u32::MAX };
            let mut met = later & Bounds::<L>::of(mine, lane).meets(theirs);
            if met != 0
                && let Some(joint) = joint
            {
                let corners = self.view.surfaces.faces[EACH * self.leaf + lane].corners;
                met &= !joint.shared(lane, corners.map(|corner| self.view.flat.is_flat(corner)));
            }
            self.count += met.count_ones() as usize;
            if met != 0 {
                self.rows[lane].push((other as u32, met));
            }
        }
        self.count < CROWD
    }
}
