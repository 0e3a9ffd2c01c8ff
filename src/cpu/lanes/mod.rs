//! Numbers side by side: as many as a register holds, so that a kind's function solves so many constraints at once.
//! Which registers there are is asked of the processor when a solver is made: 4 lanes everywhere, 8 with AVX2, 16 with
//! AVX-512.
//!
//! Every lane does the same operations of IEEE 754 in the same order, whatever their number: products and sums are not
//! contracted to one (FMA), roots and quotients are exact to the last bit. So all sets of instructions give the same
//! bits.
//!
//! Every function is inlined: only in a function that is compiled for the instructions is an operation one instruction,
//! elsewhere it is a call. That goes for kinds' functions, too: see
//! [`Constraint::evaluate`](crate::constraint::Constraint::evaluate).

mod angles;
mod four;
#[cfg(all(target_arch = "x86_64", not(test)))]
mod x86;

use bytemuck::{Pod, Zeroable};
use wide::f32x4;

pub use four::Four;
#[cfg(all(target_arch = "x86_64", not(test)))]
pub use x86::{Eight, Sixteen};

use crate::math::Real;
use crate::mesh::field::Number;

/// The most lanes that any instructions have.
pub const MOST: usize = 16;

/// Registers that the engine solves with. Unit tests, for which the crate is compiled once more, do with four lanes:
/// `tests/cpu` has them all, and to compile them takes minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Four lanes, by what the crate was compiled for: SSE2, or NEON.
    Baseline,
    /// Eight lanes.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    Avx2,
    /// Sixteen lanes.
    #[cfg(all(target_arch = "x86_64", not(test)))]
    Avx512,
}

impl Instructions {
    /// The widest that this processor has.
    pub fn detected() -> Self {
        Self::available()[0]
    }

    /// All that this processor has, the widest first.
    pub fn available() -> Vec<Self> {
        let mut available = Self::wide();
        available.push(Self::Baseline);
        available
    }

    #[cfg(all(target_arch = "x86_64", not(test)))]
    fn wide() -> Vec<Self> {
        let has = |instructions: &Self| match instructions {
            Self::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2"),
            _ => is_x86_feature_detected!("avx2"),
        };
        [Self::Avx512, Self::Avx2].into_iter().filter(has).collect()
    }

    #[cfg(not(all(target_arch = "x86_64", not(test))))]
    fn wide() -> Vec<Self> {
        Vec::new()
    }

    /// Constraints that are solved at once.
    pub fn lanes(self) -> usize {
        match self {
            Self::Baseline => Four::COUNT,
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx2 => Eight::COUNT,
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx512 => Sixteen::COUNT,
        }
    }

    /// Which of the entries of a register of lanes is that of a lane where they come by quarters: these are registers,
    /// which are then transposed.
    pub fn behind(self, lane: usize) -> usize {
        self.lanes() / 4 * (lane % 4) + lane / 4
    }

    /// As others call them: `AVX2`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            Self::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            Self::Baseline => "baseline",
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx2 => "AVX2",
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx512 => "AVX-512",
        }
    }
}

/// Work that is done in lanes, whatever their number.
pub trait InLanes {
    /// Must be inlined always.
    fn run<L: Lanes>(self);
}

impl Instructions {
    /// Does it with these, which the processor must have: a solver is made for such only.
    pub fn run(self, work: impl InLanes) {
        match self {
            Self::Baseline => work.run::<Four>(),
            // SAFETY: the processor has them.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx2 => unsafe { x86::in_avx2(work) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(test)))]
            Self::Avx512 => unsafe { x86::in_avx512(work) },
        }
    }
}

/// A number for each of some constraints, in one register. One exists only where the processor has its instructions:
/// those of [`Instructions`], which a solver was made for.
pub trait Lanes: Real {
    /// How many there are.
    const COUNT: usize;

    /// # Safety
    /// So many numbers must be there.
    unsafe fn load(from: *const f32) -> Self;

    /// Whole numbers.
    ///
    /// # Safety
    /// As many as lanes must be there.
    unsafe fn load_whole(from: *const u16) -> Self;

    /// # Safety
    /// As [`Lanes::load`], and no other thread may read or write them meanwhile.
    unsafe fn store(self, to: *mut f32);

    /// The entries at some slots, one for each lane: that of lane l is in register l % 4, and there the quarter l / 4.
    ///
    /// # Safety
    /// There must be as many slots as lanes, and an entry at each.
    unsafe fn gather(of: *const f32x4, slots: *const u32) -> [Self; 4];

    /// The opposite of [`Lanes::gather`].
    ///
    /// # Safety
    /// As that, and no other thread may read or write the entries meanwhile.
    unsafe fn scatter(entries: [Self; 4], to: *mut f32x4, slots: *const u32);

    /// As [`Lanes::gather`], of a quarter of the lanes after another that have their entries one behind the other, by
    /// the slots of the first of each: see [`Instructions::behind`].
    ///
    /// # Safety
    /// There must be four slots, and from each on a quarter as many entries as lanes.
    #[inline(always)]
    unsafe fn gather_quarters(of: *const f32x4, slots: *const u32) -> [Self; 4] {
        // SAFETY: the caller's.
        unsafe {
            [
                Self::load(of.add(*slots as usize).cast()),
                Self::load(of.add(*slots.add(1) as usize).cast()),
                Self::load(of.add(*slots.add(2) as usize).cast()),
                Self::load(of.add(*slots.add(3) as usize).cast()),
            ]
        }
    }

    /// The opposite of [`Lanes::gather_quarters`].
    ///
    /// # Safety
    /// As that, and no other thread may read or write the entries meanwhile.
    #[inline(always)]
    unsafe fn scatter_quarters([a, b, c, d]: [Self; 4], to: *mut f32x4, slots: *const u32) {
        // SAFETY: the caller's.
        unsafe {
            a.store(to.add(*slots as usize).cast());
            b.store(to.add(*slots.add(1) as usize).cast());
            c.store(to.add(*slots.add(2) as usize).cast());
            d.store(to.add(*slots.add(3) as usize).cast());
        }
    }

    /// Entries as gathered, with a zero for each fourth number.
    fn without_fourth(self) -> Self;

    /// Entries as gathered to four numbers of all lanes, and back: it is its own opposite.
    fn transposed(entries: [Self; 4]) -> [Self; 4];

    /// The fourth number of entries as gathered.
    fn fourth(entries: [Self; 4]) -> Self;

    /// Of entries one after the other: the fourth number of each in its other places.
    fn fourths(self) -> Self;

    /// The nearest whole numbers, of two the even one.
    fn rounded(self) -> Self;

    /// Whether it is greater in every lane.
    fn exceeds_all(self, other: Self) -> bool;

    /// A bit for each lane in which it is greater, that of lane 0 the lowest.
    fn exceeding(self, other: Self) -> u32;

    /// Writes the numbers of the set bits, the lowest of them `first`, one behind the other, and returns how many.
    ///
    /// # Safety
    /// There must be as many places as lanes, which it may all write.
    #[inline(always)]
    unsafe fn number(mut bits: u32, first: u32, to: *mut u32) -> usize {
        let mut count = 0;
        while bits != 0 {
            // SAFETY: there are no more bits than lanes.
            unsafe { *to.add(count) = first + bits.trailing_zeros() };
            bits &= bits - 1;
            count += 1;
        }
        count
    }

    /// A bit for each lane in which a mask is set.
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        let zero = Self::from_f64(0.0);
        Self::select(mask, Self::from_f64(1.0), zero).exceeding(zero)
    }

    /// The mask that is set where the bits of the lanes are.
    #[inline(always)]
    fn mask(bits: u32) -> Self::Mask {
        let mut lanes = [0.0; MOST];
        for (lane, number) in lanes.iter_mut().enumerate() {
            *number = (bits >> lane & 1) as f32;
        }
        Self::from_array(&lanes).greater(Self::from_f64(0.0))
    }

    /// The larger of the two in each lane.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.greater(other), self, other)
    }

    /// The same number in every lane.
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self::from_f64(f64::from(value))
    }

    /// One number for each lane.
    #[inline(always)]
    fn from_array(values: &[f32; MOST]) -> Self {
        // SAFETY: no register has more lanes.
        unsafe { Self::load(values.as_ptr()) }
    }

    /// The number in each lane, and zeros.
    #[inline(always)]
    fn to_array(self) -> [f32; MOST] {
        let mut values = [0.0; MOST];
        // SAFETY: no register has more lanes.
        unsafe { self.store(values.as_mut_ptr()) };
        values
    }

    /// Entries as gathered, lane by lane.
    #[inline(always)]
    fn separate(entries: [Self; 4]) -> [f32x4; MOST] {
        let mut separate = [f32x4::ZERO; MOST];
        for (j, entry) in entries.into_iter().enumerate() {
            let quarters = bytemuck::cast::<[f32; MOST], [f32x4; 4]>(entry.to_array());
            for (quarter, &four) in quarters[..Self::COUNT / 4].iter().enumerate() {
                separate[4 * quarter + j] = four;
            }
        }
        separate
    }
}

impl<L: Lanes> Number for L {
    type Node = [u32; MOST];

    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }

    #[inline(always)]
    fn between(place: Self, nodes: u32) -> ([u32; MOST], Self) {
        // Of a lattice with less than two nodes or more than numbers tell apart there is no such node: it is looked up
        // in vain.
        let last = nodes.clamp(2, 1 << 24) - 2;
        let (zero, one, last) = (Self::splat(0.0), Self::splat(1.0), Self::splat(last as f32));
        let nearest = place.rounded();
        let below = Self::select(nearest.greater(place), nearest - one, nearest);
        let held = Self::select(below.greater(last), last, below);
        // Not a number is 0.
        let first = Self::select(held.greater(zero), held, zero);
        let mut nodes = [0; MOST];
        for (node, number) in nodes.iter_mut().zip(first.to_array()) {
            // SAFETY: it is a whole number from 0 to that of the last node but one.
            *node = unsafe { number.to_int_unchecked() };
        }
        (nodes, place - first)
    }

    #[inline(always)]
    fn further(mut node: [u32; MOST], rows: [u32; MOST], row: u32) -> [u32; MOST] {
        for (node, rows) in node.iter_mut().zip(rows) {
            *node += rows * row;
        }
        node
    }

    #[inline(always)]
    fn sample(samples: &[f32], node: [u32; MOST], behind: u32) -> Self {
        let mut numbers = [0.0; MOST];
        for (number, node) in numbers.iter_mut().zip(node).take(Self::COUNT) {
            *number = samples[(node + behind) as usize];
        }
        Self::from_array(&numbers)
    }
}

/// Numbers of blocks of constraints: a list of these begins where the widest register may, and so does every block's
/// part of it.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; MOST]);

/// A list of numbers, so many for each block and in them one for each lane, that registers are loaded from.
#[derive(Clone, Default)]
pub struct Numbers {
    lines: Vec<Line>,
    count: usize,
}

impl Numbers {
    /// So many zeros.
    pub fn zeros(count: usize) -> Self {
        Self { lines: vec![Line::zeroed(); count.div_ceil(MOST)], count }
    }

    /// As many zeros, in place of what there was.
    pub fn clear(&mut self, count: usize) {
        self.lines.clear();
        self.lines.resize(count.div_ceil(MOST), Line::zeroed());
        self.count = count;
    }

    /// The first number; it lies where every register may be loaded from.
    #[inline(always)]
    pub fn pointer(&self) -> *const f32 {
        self.lines.as_ptr().cast()
    }

    /// Appends as many numbers as the widest register has lanes, to a list of as many or a multiple.
    pub fn push_line(&mut self, numbers: [f32; MOST]) {
        self.lines.push(Line(numbers));
        self.count += MOST;
    }

    pub fn push(&mut self, number: f32) {
        if self.count.is_multiple_of(MOST) {
            self.lines.push(Line::zeroed());
        }
        let index = self.count;
        self.count += 1;
        self[index] = number;
    }
}

impl FromIterator<f32> for Numbers {
    fn from_iter<I: IntoIterator<Item = f32>>(numbers: I) -> Self {
        let mut list = Self::default();
        numbers.into_iter().for_each(|number| list.push(number));
        list
    }
}

/// A list of four numbers each, such as one for each particle, that registers are loaded from.
#[derive(Clone, Default)]
pub struct Entries(Numbers);

impl Entries {
    /// So many zeros.
    pub fn zeros(count: usize) -> Self {
        Self(Numbers::zeros(4 * count))
    }
}

impl std::ops::Deref for Entries {
    type Target = [f32x4];
    fn deref(&self) -> &[f32x4] {
        bytemuck::cast_slice(&self.0)
    }
}

impl std::ops::DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut [f32x4] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl std::ops::Deref for Numbers {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.lines)[..self.count]
    }
}

impl std::ops::DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.count]
    }
}
