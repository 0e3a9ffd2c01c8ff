//! A tree of boxes round the ways of faces, whose shape never changes: faces that are neighbours in the list are so on
//! the surface, however that moves, and children of a node follow each other. Only the boxes are made anew.

use wide::f32x4;

use crate::cpu::shared::Shared;
use crate::cpu::team::Member;

/// Children of a node.
pub const ARITY: usize = 8;

/// A box; the fourth numbers say nothing.
pub type Extent = [f32x4; 2];

pub const NOTHING: Extent = [f32x4::splat(f32::INFINITY), f32x4::splat(f32::NEG_INFINITY)];

#[inline(always)]
pub fn joined(a: Extent, b: Extent) -> Extent {
    [a[0].fast_min(b[0]), a[1].fast_max(b[1])]
}

#[inline(always)]
fn meet(a: &Extent, b: &Extent) -> bool {
    let apart = a[0].simd_gt(b[1]) | b[0].simd_gt(a[1]);
    // What is not a number is nowhere.
    apart.to_bitmask() & 7 == 0 && a[0].to_array()[0] <= f32::MAX
}

/// The boxes of all levels, those of the faces first.
pub struct Tree {
    boxes: Vec<Extent>,
    /// Where each level begins.
    firsts: Vec<usize>,
}

impl Tree {
    pub fn new(faces: usize) -> Self {
        let (mut firsts, mut length, mut all) = (vec![0], faces, faces);
        while length > 1 {
            firsts.push(all);
            length = length.div_ceil(ARITY);
            all += length;
        }
        firsts.push(all);
        Self { boxes: vec![NOTHING; all], firsts }
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        // SAFETY: the caller's.
        View { boxes: unsafe { Shared::new(&mut self.boxes) }, firsts: &self.firsts }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.boxes)
    }
}

/// A tree in a frame.
pub struct View<'a> {
    boxes: Shared<'a, Extent>,
    firsts: &'a [usize],
}

impl View<'_> {
    fn levels(&self) -> usize {
        self.firsts.len() - 1
    }

    fn length(&self, level: usize) -> usize {
        self.firsts[level + 1] - self.firsts[level]
    }

    /// Makes all boxes anew of those of the faces. Ends with a meeting.
    pub fn make(&self, member: &Member, face: impl Fn(usize) -> Extent) {
        // Whole nodes of the second level above, so that each thread makes what it reads.
        let faces = member.share_by(self.length(0), ARITY * ARITY);
        faces.clone().for_each(|index| self.boxes.write(index, face(index)));
        for level in 1..self.levels().min(3) {
            let grain = ARITY.pow(level as u32);
            (faces.start / grain..faces.end.div_ceil(grain)).for_each(|node| self.enclose(level, node));
        }
        member.meet();
        if member.index == 0 {
            (3..self.levels()).for_each(|level| (0..self.length(level)).for_each(|node| self.enclose(level, node)));
        }
        member.meet();
    }

    fn children(&self, level: usize, node: usize) -> std::ops::Range<usize> {
        ARITY * node..(ARITY * (node + 1)).min(self.length(level - 1))
    }

    /// The box of a node of its children's.
    fn enclose(&self, level: usize, node: usize) {
        let below = self.firsts[level - 1];
        let boxes = self.children(level, node).map(|child| self.boxes.read(below + child));
        self.boxes.write(self.firsts[level] + node, boxes.fold(NOTHING, joined));
    }

    /// Widens the box of a face, and those of the nodes that it is in; by one thread while the others wait.
    pub fn widen(&self, face: usize, extent: Extent) {
        let mut node = face;
        for first in &self.firsts[..self.levels()] {
            self.boxes.write(first + node, joined(self.boxes.read(first + node), extent));
            node /= ARITY;
        }
    }

    /// Calls for all faces from `first` on whose boxes meet that of a face, ascending; ends as soon as it returns
    /// false.
    #[inline(always)]
    pub fn meeting(&self, face: usize, first: usize, mut each: impl FnMut(usize) -> bool) -> bool {
        let extent = self.boxes.read(face);
        let mut waiting = [(0_u32, 0_u32); 8 * ARITY + 1];
        waiting[0] = (self.levels() as u32 - 1, 0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, node) = (waiting[count].0 as usize, waiting[count].1 as usize);
            if level == 0 {
                if !each(node) {
                    return false;
                }
                continue;
            }
            let (below, beyond) = (self.firsts[level - 1], ARITY.pow(level as u32 - 1));
            for child in self.children(level, node).rev() {
                if (child + 1) * beyond > first && meet(&extent, self.boxes.look(below + child)) {
                    waiting[count] = (level as u32 - 1, child as u32);
                    count += 1;
                }
            }
        }
        true
    }
}
