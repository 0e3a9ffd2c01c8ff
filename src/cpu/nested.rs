//! Levels over sheets: once a substep, before the first sweep, in double precision by the functions of [`crate::reference`]. All threads take
//! places up to the finest level and its corrections down; what is above has some hundred nodes, of each sheet for one thread.
//! See [`crate::plan::levels`].

use std::ops::Range;

use super::shared::Shared;
use super::single::{double, single};
use super::solve::Points;
use super::team::Member;
use super::{CpuSolver, Group};
use crate::constraint::Vec3;
use crate::model::{Material, Multiplier};
use crate::plan::levels::Sheet;
use crate::reference::levels;

/// What threads tell each other, of one sheet after the other.
pub struct Lists {
    /// Where the particles and the nodes of the finest level of each sheet begin, and the end.
    starts: Vec<[usize; 2]>,
    /// Places of the particles, m.
    particles: Vec<Vec3<f64>>,
    /// Places of the nodes, m, and then what they move by.
    nodes: Vec<Vec3<f64>>,
    /// What the particles were pulled by, N, the sum over the substeps of a frame; none where nobody asks.
    forces: Vec<Vec3<f64>>,
}

impl Lists {
    /// `summing`: whether somebody asks for forces, or something breaks by them.
    pub fn new(sheets: &[Sheet], summing: bool) -> Self {
        let mut starts = vec![[0; 2]];
        let mut end = [0; 2];
        for sheet in sheets {
            end = [end[0] + sheet.particles.len(), end[1] + sheet.levels[0].net.len()];
            starts.push(end);
        }
        let [particles, nodes] = end.map(|count| vec![Vec3::zero(); count]);
        let forces = if summing { particles.clone() } else { Vec::new() };
        Self { starts, particles, nodes, forces }
    }

    /// What each of so many particles was pulled by in the last frame, of so many substeps, on the mean, N; nothing where nobody asks.
    pub fn mean_forces(&self, sheets: &[Sheet], particles: usize, substeps: u32) -> Vec<[f64; 3]> {
        if self.forces.is_empty() {
            return Vec::new();
        }
        let mut means = vec![[0.0; 3]; particles];
        let pulled = sheets.iter().flat_map(|sheet| sheet.particles.clone());
        for (particle, &sum) in pulled.zip(&self.forces) {
            means[particle as usize] = (sum * f64::from(substeps).recip()).into();
        }
        means
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { starts, particles, nodes, forces } = self;
        // SAFETY: the caller's.
        let [particles, nodes, forces] = [particles, nodes, forces].map(|list| unsafe { Shared::new(list) });
        View { starts, particles, nodes, forces }
    }
}

/// [`Lists`], shared by a team.
pub struct View<'a> {
    starts: &'a [[usize; 2]],
    particles: Shared<'a, Vec3<f64>>,
    nodes: Shared<'a, Vec3<f64>>,
    forces: Shared<'a, Vec3<f64>>,
}

/// Which of the [`Lists`].
const PARTICLES: usize = 0;
const NODES: usize = 1;

/// The levels in a substep of `h` s.
pub struct Nested<'a> {
    pub sheets: &'a [Sheet],
    pub materials: &'a [Material],
    pub lists: &'a View<'a>,
    pub points: Points<'a>,
    pub slot_of: &'a [u32],
    pub h: f64,
    /// Whether it is the first of a frame.
    pub opening: bool,
}

impl CpuSolver {
    /// Before a frame: switches off what would hold together what is broken, and keeps what constraints bore.
    pub(super) fn open_levels(&mut self) {
        let Some(mut bearings) = self.bearings.take() else { return };
        let multipliers = self.multipliers(&self.groups[bearings.group]);
        bearings.open(&mut self.sheets, &self.model.groups[bearings.group], &multipliers);
        self.bearings = Some(bearings);
    }

    /// After a frame: leaves in the sums of multipliers what constraints bear.
    pub(super) fn close_levels(&mut self) {
        let Some(mut bearings) = self.bearings.take() else { return };
        let mut multipliers = self.multipliers(&self.groups[bearings.group]);
        let substeps = self.model.settings.substeps;
        let forces = self.levels.mean_forces(&self.sheets, self.slot_of.len(), substeps);
        let place = |particle: usize| {
            let slot = self.slot_of[particle] as usize;
            double(self.particles.x[slot]) + double(self.particles.e[slot])
        };
        bearings.close(&self.sheets, place, &forces, &mut multipliers);
        let Group { blocks, values } = &mut self.groups[bearings.group];
        let sum = |multiplier: &Multiplier| (multiplier.mean * f64::from(substeps)) as f32;
        let sums: Vec<f32> = multipliers.iter().map(sum).collect();
        blocks.put(&sums, blocks.kind.components(), &mut values.sums);
        self.bearings = Some(bearings);
    }
}

impl Nested<'_> {
    /// Takes to all particles what the levels over them correct. `pulled`: of each sheet of this thread by [`levels::slack`], at the beginning
    /// of a frame. Ends with a meeting.
    pub fn correct(&self, member: &Member, pulled: &mut [Vec<Vec<f64>>]) {
        let Self { points, .. } = self;
        let View { starts, particles, nodes, forces } = self.lists;
        self.for_each(member, PARTICLES, |sheet, index| {
            let slot = self.slot(sheet, index);
            let place = double(points.x.read(slot)) + double(points.d.read(slot));
            particles.write(starts[sheet][PARTICLES] + index, place);
        });
        member.meet();
        self.for_each(member, NODES, |sheet, index| {
            let [first, node] = starts[sheet];
            let row = self.sheets[sheet].levels[0].restrict.row(index);
            nodes.write(node + index, levels::sum(row, |particle| particles.read(first + particle)));
        });
        member.meet();
        for (sheet, pulled) in member.share_by(self.sheets.len(), 1).zip(pulled) {
            let own = || starts[sheet][NODES]..starts[sheet + 1][NODES];
            let places = own().map(|node| nodes.read(node)).collect();
            let moves = levels::corrections(&self.sheets[sheet].levels, self.materials, places, pulled, self.h);
            own().zip(moves).for_each(|(node, step)| nodes.write(node, step));
        }
        member.meet();
        self.for_each(member, PARTICLES, |sheet, index| {
            let slot = self.slot(sheet, index);
            let inverse_mass = f64::from(points.x.read(slot).to_array()[3]);
            if inverse_mass == 0.0 {
                return;
            }
            let row = self.sheets[sheet].levels[0].prolong.row(index);
            let step = levels::sum(row, |node| nodes.read(starts[sheet][NODES] + node));
            points.d.write(slot, points.d.read(slot) + single(step));
            if forces.len() > 0 {
                let at = starts[sheet][PARTICLES] + index;
                let before = if self.opening { Vec3::zero() } else { forces.read(at) };
                forces.write(at, before + step * (inverse_mass * self.h * self.h).recip());
            }
        });
        member.meet();
    }

    fn slot(&self, sheet: usize, index: usize) -> usize {
        self.slot_of[self.sheets[sheet].particles.start as usize + index] as usize
    }

    /// This thread's share of a list, by sheet and index in it.
    fn for_each(&self, member: &Member, list: usize, mut act: impl FnMut(usize, usize)) {
        let starts = self.lists.starts;
        let Range { start, end } = member.share(starts[self.sheets.len()][list]);
        for (sheet, ends) in starts.windows(2).enumerate() {
            let [from, to] = [ends[0][list], ends[1][list]];
            (start.max(from)..end.min(to)).for_each(|index| act(sheet, index - from));
        }
    }
}
