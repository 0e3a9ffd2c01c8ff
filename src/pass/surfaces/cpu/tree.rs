//! A tree of boxes round the ways of faces, whose shape never changes: faces that are neighbours in the list are so on
//! the surface, however that moves, and children of a node follow each other. Only the boxes are made anew. Sixteen
//! faces are a leaf, whose boxes lie side by side, and sixteen nodes are in a node.

use std::ops::Range;

use crate::cpu::boxes::{Bounds, Boxes, EACH, NO_BOXES, least, most};
use crate::cpu::lanes::Lanes;
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;

/// The nodes of all levels, the leaves first.
pub struct Tree {
    boxes: Vec<Boxes>,
    /// Where each level begins, and the end of all.
    levels: Vec<usize>,
}

impl Tree {
    /// There is always a level above the leaves.
    pub fn new(faces: usize) -> Self {
        let mut count = faces.div_ceil(EACH);
        let mut levels = vec![0, count];
        while count > 1 || levels.len() == 2 {
            count = count.div_ceil(EACH);
            levels.push(levels[levels.len() - 1] + count);
        }
        Self { boxes: vec![NO_BOXES; levels[levels.len() - 1]], levels }
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        // SAFETY: the caller's.
        View { boxes: unsafe { Shared::new(&mut self.boxes) }, levels: &self.levels }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.boxes)
    }
}

/// A tree in a frame.
pub struct View<'a> {
    boxes: Shared<'a, Boxes>,
    levels: &'a [usize],
}

/// What is done with leaves whose boxes meet one. No closure: see
/// [`Visit`](crate::pass::pairs::cpu::hierarchy::Visit).
pub trait Visit {
    /// Of a leaf and the box round it, which meets this one. Returns whether to go on. Must be inlined always.
    fn leaf<L: Lanes>(&mut self, leaf: usize, mine: &Bounds<L>, its: &Bounds<L>) -> bool;
}

impl View<'_> {
    pub fn leaves(&self) -> usize {
        self.levels[1]
    }

    /// A thread's share of the leaves: all of a node of the level above.
    pub fn share(&self, member: &Member) -> Range<usize> {
        member.share_by(self.leaves(), EACH)
    }

    /// The boxes of the faces in a leaf.
    #[inline(always)]
    pub fn leaf(&self, leaf: usize) -> &Boxes {
        self.boxes.look(leaf)
    }

    pub fn put_leaf(&self, leaf: usize, boxes: Boxes) {
        self.boxes.write(leaf, boxes);
    }

    /// The box round a leaf.
    #[inline(always)]
    pub fn bounds<L: Lanes>(&self, leaf: usize) -> Bounds<L> {
        Bounds::of(self.boxes.look(self.levels[1] + leaf / EACH), leaf % EACH)
    }

    /// Makes the nodes above a share of the leaves anew.
    pub fn enclose_leaves(&self, leaves: Range<usize>) {
        (leaves.start / EACH..leaves.end.div_ceil(EACH)).for_each(|node| self.enclose(1, node));
    }

    /// Makes all higher nodes anew, by one thread.
    pub fn enclose_all(&self) {
        for level in 2..self.levels.len() - 1 {
            (0..self.levels[level + 1] - self.levels[level]).for_each(|node| self.enclose(level, node));
        }
    }

    fn enclose(&self, level: usize, node: usize) {
        let (below, end) = (self.levels[level - 1] + EACH * node, self.levels[level]);
        let mut boxes = NO_BOXES;
        for (lane, child) in (below..(below + EACH).min(end)).enumerate() {
            let child = self.boxes.look(child);
            for k in 0..3 {
                (boxes.low[k][lane], boxes.high[k][lane]) = (least(&child.low[k]), most(&child.high[k]));
            }
        }
        self.boxes.write(self.levels[level] + node, boxes);
    }

    /// Widens the box of a face to that of the same face in `wider`, and those of the nodes that it is in; by one
    /// thread while the others wait.
    pub fn widen(&self, face: usize, wider: &Boxes) {
        let (mut child, from) = (face, face % EACH);
        for level in self.levels[..self.levels.len() - 1].iter() {
            let (node, lane) = (level + child / EACH, child % EACH);
            let mut boxes = *self.boxes.look(node);
            for k in 0..3 {
                boxes.low[k][lane] = boxes.low[k][lane].min(wider.low[k][from]);
                boxes.high[k][lane] = boxes.high[k][lane].max(wider.high[k][from]);
            }
            self.boxes.write(node, boxes);
            child /= EACH;
        }
    }

    /// Goes through the leaves from `first` on whose boxes meet one, ascending, until the caller stops it.
    #[inline(always)]
    pub fn meeting<L: Lanes>(&self, mine: &Bounds<L>, first: usize, visit: &mut impl Visit) {
        let mut waiting = [(0_u32, 0_u32); 8 * EACH];
        waiting[0] = (self.levels.len() as u32 - 2, 0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, node) = (waiting[count].0 as usize, waiting[count].1 as usize);
            let boxes = self.boxes.look(self.levels[level] + node);
            let before = (first >> (4 * (level - 1))).saturating_sub(EACH * node);
            let mut met = mine.meets(boxes) & if before < EACH { u32::MAX << before } else { 0 };
            while met != 0 {
                // What is put away last comes first.
                let lane = if level == 1 { met.trailing_zeros() } else { met.ilog2() } as usize;
                met &= !(1 << lane);
                let child = EACH * node + lane;
                if level > 1 {
                    waiting[count] = (level as u32 - 1, child as u32);
                    count += 1;
                } else if !visit.leaf(child, mine, &Bounds::of(boxes, lane)) {
                    return;
                }
            }
        }
    }
}
