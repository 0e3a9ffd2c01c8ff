//! Sorting by cells. The grid of cells is laid out anew in each substep over the box around all particles; where that
//! is too large for it, cells that lie so many of its widths apart are one.

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::lanes::MOST;
use crate::cpu::particles::with_fourth;
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;

use super::ABSENT;

/// Cells for each particle, at most.
const CELLS_EACH: usize = 4;
const LEAST_CELLS: usize = 1 << 12;
/// Along an axis: neighbours must be other cells, and numbers small.
const MOST_ALONG: u32 = 1 << 12;
const LEAST_ALONG: u32 = 4;

/// Which particles lie in each cell.
pub struct Grid {
    /// Places of all that take part, as they are numbered there.
    places: Vec<f32x4>,
    /// The cell of each.
    cells: Vec<u32>,
    /// Where the particles of each cell begin in the order, and where the last one's end.
    starts: Vec<u32>,
    order: Vec<u32>,
    /// The layout, in one entry: threads share it.
    layout: Vec<Layout>,
}

/// How cells lie.
#[derive(Clone, Copy, Default)]
pub struct Layout {
    /// What places are relative to: on the lattice, m.
    pub origin: [f32; 3],
    /// The corner of the first cell, from there, and 1 over a cell's width.
    low: [f32; 3],
    inverse: f32,
    /// Cells along each axis, powers of two.
    counts: [u32; 3],
}

impl Layout {
    /// Over a box around places, m, for so many cells at most.
    fn new((low, high): ([f32; 3], [f32; 3]), lattice: f32, width: f32, most: usize) -> Self {
        let inverse = 1.0 / width;
        let origin: [f32; 3] = std::array::from_fn(|axis| (0.5 * (low[axis] + high[axis]) / lattice).floor() * lattice);
        // A cast from a float saturates.
        let count = |axis: usize| ((high[axis] - low[axis]) * inverse) as u32;
        let mut counts: [u32; 3] = std::array::from_fn(|axis| {
            count(axis).saturating_add(2).min(MOST_ALONG).next_power_of_two().max(LEAST_ALONG)
        });
        while counts.iter().map(|count| *count as usize).product::<usize>() > most {
            let widest = counts.iter_mut().max();
            widest.into_iter().for_each(|count| *count /= 2);
        }
        Self { origin, low: std::array::from_fn(|axis| low[axis] - origin[axis]), inverse, counts }
    }

    fn cells(&self) -> u32 {
        self.counts.iter().product()
    }

    /// The cell's coordinates, not yet wrapped.
    #[inline(always)]
    pub fn coordinates(&self, place: f32x4) -> [i32; 3] {
        let place = place.to_array();
        std::array::from_fn(|axis| ((place[axis] - self.low[axis]) * self.inverse).floor() as i32)
    }

    #[inline(always)]
    fn wrapped(&self, axis: usize, coordinate: i32) -> u32 {
        coordinate as u32 & (self.counts[axis] - 1)
    }

    fn cell(&self, [x, y, z]: [i32; 3]) -> u32 {
        (self.wrapped(2, z) * self.counts[1] + self.wrapped(1, y)) * self.counts[0] + self.wrapped(0, x)
    }
}

impl Grid {
    pub fn new(count: usize) -> Self {
        let most = (CELLS_EACH * count).max(LEAST_CELLS);
        Self {
            places: vec![f32x4::ZERO; count],
            cells: vec![0; count],
            starts: vec![0; most + 2],
            order: vec![0; count],
            layout: vec![Layout::default()],
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.places) + size_of_val(&*self.cells) + size_of_val(&*self.starts) + size_of_val(&*self.order)
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { places, cells, starts, order, layout } = self;
        // SAFETY: the caller's.
        unsafe {
            View {
                places: Shared::new(places),
                cells: Shared::new(cells),
                starts: Shared::new(starts),
                order: Shared::new(order),
                layout: Shared::new(layout),
            }
        }
    }
}

/// See [`Grid`].
pub struct View<'a> {
    pub places: Shared<'a, f32x4>,
    cells: Shared<'a, u32>,
    starts: Shared<'a, u32>,
    pub order: Shared<'a, u32>,
    layout: Shared<'a, Layout>,
}

impl View<'_> {
    pub fn layout(&self) -> &Layout {
        self.layout.look(0)
    }

    /// Counting sort, by one thread. Within a cell the order is that of the numbers.
    fn sort(&self) {
        let cells = self.layout().cells() as usize;
        (0..cells + 2).for_each(|cell| self.starts.write(cell, 0));
        // Counted two places on, and summed up to one place on: writing the order then moves each start to its cell.
        for index in 0..self.cells.len() {
            let counted = self.cells.read(index) as usize + 2;
            self.starts.write(counted, self.starts.read(counted) + 1);
        }
        for cell in 1..cells + 2 {
            self.starts.write(cell, self.starts.read(cell - 1) + self.starts.read(cell));
        }
        for index in 0..self.cells.len() {
            let next = self.cells.read(index) as usize + 1;
            let place = self.starts.read(next);
            self.order.write(place as usize, index as u32);
            self.starts.write(next, place + 1);
        }
    }

    /// The stretches of the order in which neighbours of what is in a cell may lie, by its coordinates, in the order of
    /// rows. (A list, since closures are not inlined into what is compiled for wide registers.)
    #[inline(always)]
    pub fn near(&self, [x, y, z]: [i32; 3]) -> Stretches {
        let layout = self.layout();
        let mut near = Stretches { ends: [[0; 2]; 27], count: 0 };
        for row in 0..9 {
            let (y, z) = (y.wrapping_add(row % 3 - 1), z.wrapping_add(row / 3 - 1));
            let base = (layout.wrapped(2, z) * layout.counts[1] + layout.wrapped(1, y)) * layout.counts[0];
            let [first, middle, last] = [-1, 0, 1].map(|step| base + layout.wrapped(0, x.wrapping_add(step)));
            if first < middle && middle < last {
                near.add(self, first, last);
            } else {
                near.add(self, first, first);
                near.add(self, middle, middle);
                near.add(self, last, last);
            }
        }
        near
    }
}

/// Stretches of the order.
pub struct Stretches {
    ends: [[u32; 2]; 27],
    count: usize,
}

impl Stretches {
    /// The particles of cells that follow one another.
    #[inline(always)]
    fn add(&mut self, grid: &View, first: u32, last: u32) {
        self.ends[self.count] = [grid.starts.read(first as usize), grid.starts.read(last as usize + 1)];
        self.count += 1;
    }

    /// Where each begins and ends.
    #[inline(always)]
    pub fn all(&self) -> &[[u32; 2]] {
        &self.ends[..self.count]
    }
}

impl super::View<'_> {
    /// Sorts all that take part by where they are predicted. Ends with a meeting.
    pub fn sort(&self, member: &Member, frame: &Frame) {
        let (points, share) = (&frame.points, member.share(self.slots.len()));
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for (index, &slot) in share.clone().zip(&self.slots[share.clone()]) {
            let (at, slot) = (points.x.read(slot as usize), slot as usize);
            let (place, is_there) = ((at + points.d.read(slot)).to_array(), !self.is_absent(index, at));
            for axis in 0..3 {
                // Not a number is left out, and what is infinite.
                if is_there && place[axis].abs() < f32::MAX {
                    (low[axis], high[axis]) = (low[axis].min(place[axis]), high[axis].max(place[axis]));
                }
            }
        }
        *super::locked(&self.boxes[member.index]) = (low, high);
        member.meet();
        if member.index == 0 {
            self.lay_out(frame.lattice);
        }
        member.meet();
        let layout = self.grid.layout();
        for index in share {
            let place = self.place(frame, layout, index);
            self.grid.places.write(index, place);
            // What is not there lies in any cell.
            let is_there = place.to_array()[0] < ABSENT;
            let cell = if is_there { layout.cell(layout.coordinates(place)) } else { index as u32 % layout.cells() };
            self.grid.cells.write(index, cell);
        }
        member.meet();
        if member.index == 0 {
            self.grid.sort();
        }
        member.meet();
    }

    fn lay_out(&self, lattice: f32) {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for one in self.boxes {
            let (lows, highs) = *super::locked(one);
            for axis in 0..3 {
                (low[axis], high[axis]) = (low[axis].min(lows[axis]), high[axis].max(highs[axis]));
            }
        }
        for axis in 0..3 {
            if low[axis] > high[axis] {
                (low[axis], high[axis]) = (0.0, 0.0);
            }
        }
        let layout = Layout::new((low, high), lattice, self.wet.scale.support as f32, self.grid.starts.len() - 2);
        self.grid.layout.write(0, layout);
    }

    /// Whether a particle of a fluid is not there, by its place and inverse mass.
    fn is_absent(&self, index: usize, at: f32x4) -> bool {
        self.flows && index < self.wet.fluids && at.to_array()[3] == 0.0
    }

    /// Where one is now, from the origin.
    pub fn place(&self, frame: &Frame, layout: &Layout, index: usize) -> f32x4 {
        let (slot, [x, y, z]) = (self.slots[index] as usize, layout.origin);
        let at = frame.points.x.read(slot);
        let place = match self.is_absent(index, at) {
            true => f32x4::splat(ABSENT * (index + 2) as f32),
            false => (at - f32x4::new([x, y, z, 0.0])) + frame.points.d.read(slot),
        };
        with_fourth(place, self.wet.shares[index] as f32)
    }
}

const _: () = assert!(MOST >= LEAST_ALONG as usize);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every two places nearer than a cell's width are in stretches of each other, once, also where cells are wrapped.
    #[test]
    fn near_ones_are_found_once() {
        let places: Vec<f32x4> = (0..500)
            .map(|i| {
                let number = |k: u32| ((i * (7 + 6 * k) % 101) as f32) / 101.0;
                f32x4::new([30.0 * number(0), number(1), 2.0 * number(2), 0.0])
            })
            .collect();
        for most in [64, 100_000] {
            let mut grid = Grid::new(places.len());
            grid.starts = vec![0; most + 2];
            grid.layout[0] = Layout::new(([0.0; 3], [30.0, 1.0, 2.0]), 1.0, 0.3, most);
            grid.layout[0].low = [0.0; 3];
            for (index, place) in places.iter().enumerate() {
                grid.cells[index] = grid.layout[0].cell(grid.layout[0].coordinates(*place));
            }
            // SAFETY: one thread has it.
            let view = unsafe { grid.view() };
            view.sort();
            for (i, place) in places.iter().enumerate() {
                let mut times = vec![0; places.len()];
                for &[first, last] in view.near(view.layout().coordinates(*place)).all() {
                    (first..last).for_each(|k| times[view.order.read(k as usize) as usize] += 1);
                }
                assert!(times.iter().all(|times| *times <= 1));
                for (j, other) in places.iter().enumerate() {
                    let way = (*place - *other).to_array();
                    if way.iter().map(|x| x * x).sum::<f32>() < 0.09 {
                        assert_eq!(times[j], 1, "{i} and {j}, {most}");
                    }
                }
            }
        }
    }
}
