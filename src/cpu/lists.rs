//! Where a loop over blocks finds what it reads and writes: looked up once, since the compiler cannot know that lists
//! stay where they are when something is stored. Read and written without checks; the reason why that is sound is in
//! [`super::solve`].

use wide::f32x4;

use super::blocks::{APART, Blocks};
use super::lanes::Lanes;
use super::solve::Task;
use crate::constraint::Constraint;
use crate::math::Vec3;

/// The lists of a task.
pub struct Lists {
    pub d: *mut f32x4,
    x: *const f32x4,
    slots: *const u32,
    rows: *const u32,
    counts: *const u8,
    rest: *const f32,
    rest_of: *const u32,
    law_of: *const u32,
}

impl Lists {
    /// Of kinds with N particles.
    ///
    /// # Panics
    /// If a list has no entry for a block of the task.
    pub fn new<L: Lanes, const N: usize>(task: &Task) -> Self {
        let (group, end) = (&task.group, task.blocks.end);
        let Blocks { slots, rows, counts, rest_of, law_of, .. } = group.blocks;
        assert!(slots.len() >= end * N * L::COUNT && rows.len() >= end * N * 4);
        assert!(counts.len() >= end && rest_of.len() >= end && law_of.len() >= end);
        Self {
            d: task.points.d.pointer(),
            x: task.points.x.pointer(),
            slots: slots.as_ptr(),
            rows: rows.as_ptr(),
            counts: counts.as_ptr(),
            rest: group.rest.pointer(),
            rest_of: rest_of.as_ptr(),
            law_of: law_of.as_ptr(),
        }
    }

    /// Whether a block of N particles has them side by side: its slots are then those of the first of each quarter.
    #[inline(always)]
    pub fn is_row<const N: usize>(&self, block: usize) -> bool {
        // SAFETY: there is one, as `new` asked.
        unsafe { *self.rows.add(block * N * 4) != APART }
    }

    /// Lanes of a block that hold constraints.
    #[inline(always)]
    pub fn count(&self, block: usize) -> usize {
        // SAFETY: as above.
        usize::from(unsafe { *self.counts.add(block) })
    }

    /// Index of a block's law.
    #[inline(always)]
    pub fn law(&self, block: usize) -> usize {
        // SAFETY: as above.
        unsafe { *self.law_of.add(block) as usize }
    }

    /// The rest values of a block.
    #[inline(always)]
    pub fn rest<C: Constraint, L: Lanes>(&self, block: usize) -> &[L] {
        // SAFETY: as above; these lists begin where registers may, and so does each block's part.
        unsafe {
            let first = self.rest.add(*self.rest_of.add(block) as usize * C::REST.len() * L::COUNT);
            std::slice::from_raw_parts(first.cast::<L>(), C::REST.len())
        }
    }

    /// The slots of the k-th particles of a block's constraints.
    #[inline(always)]
    fn slots<L: Lanes, const N: usize, const ROW: bool>(&self, block: usize, k: usize) -> *const u32 {
        let index = block * N + k;
        // SAFETY: as above.
        unsafe { if ROW { self.rows.add(index * 4) } else { self.slots.add(index * L::COUNT) } }
    }

    /// What a list has for these particles.
    ///
    /// # Safety
    /// There must be an entry at each slot, and no other thread may write them meanwhile.
    #[inline(always)]
    pub unsafe fn entries<L: Lanes, const N: usize, const ROW: bool>(
        &self,
        list: *const f32x4,
        block: usize,
        k: usize,
    ) -> [L; 4] {
        let slots = self.slots::<L, N, ROW>(block, k);
        // SAFETY: the caller's.
        unsafe { if ROW { L::gather_quarters(list, slots) } else { L::gather(list, slots) } }
    }

    /// x and d of the k-th particles.
    #[inline(always)]
    fn places<L: Lanes, const N: usize, const ROW: bool>(&self, block: usize, k: usize) -> ([L; 4], [L; 4]) {
        // SAFETY: slots are those of particles, and no thread writes meanwhile what is read.
        unsafe { (self.entries::<L, N, ROW>(self.x, block, k), self.entries::<L, N, ROW>(self.d, block, k)) }
    }

    /// Moves the k-th particles of a block without empty lanes.
    ///
    /// # Safety
    /// As `entries`; and no other thread may read what is written meanwhile.
    #[inline(always)]
    pub unsafe fn add<L: Lanes, const N: usize, const ROW: bool>(&self, block: usize, k: usize, changes: [L; 4]) {
        let slots = self.slots::<L, N, ROW>(block, k);
        // SAFETY: the caller's.
        unsafe {
            // Read again here: kept since the beginning, d would be spilled to the stack.
            let old = self.entries::<L, N, ROW>(self.d, block, k);
            let new = [old[0] + changes[0], old[1] + changes[1], old[2] + changes[2], old[3] + changes[3]];
            if ROW {
                L::scatter_quarters(new, self.d, slots);
            } else {
                L::scatter(new, self.d, slots);
            }
        }
    }

    /// Where the particles of a block's constraints are, m, and their inverse masses, 1/kg. They are where they are to
    /// the first of them, (x - x₀) + (d - d₀), which keeps the digits; of two, to the second: kinds begin with x₀ - x₁,
    /// which it then is.
    #[inline(always)]
    pub fn ways<L: Lanes, const N: usize, const ROW: bool>(&self, block: usize) -> ([Vec3<L>; N], [L; N]) {
        let origin = if N == 2 { 1 } else { 0 };
        let (mut y, mut w) = ([Vec3::zero(); N], [L::from_f64(0.0); N]);
        let (x0, d0) = self.places::<L, N, ROW>(block, origin);
        w[origin] = L::fourth(x0);
        for k in 0..N {
            if k != origin {
                // Taken before the transposition; the fourth number is the inverse mass.
                let (x, d) = self.places::<L, N, ROW>(block, k);
                let mut ways = x;
                for i in 0..4 {
                    ways[i] = (x[i] - x0[i].without_fourth()) + (d[i] - d0[i]);
                }
                let [right, up, near, mass] = L::transposed(ways);
                (y[k], w[k]) = (Vec3 { x: right, y: up, z: near }, mass);
            }
        }
        (y, w)
    }
}
