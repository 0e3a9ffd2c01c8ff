//! Levels over sheets: once a substep, before the first sweep. All threads take places up to the finest level, with sums in double precision, and its
//! corrections down, in single; what is above has some hundred nodes, of each sheet for one thread, by the functions of [`crate::reference`].
//! See [`crate::plan::levels`].

use wide::f32x4;

use super::CpuSolver;
use super::bearing::Around;
use super::blocks::Values;
use super::cover::Cover;
use super::lanes::Instructions;
use super::order::Order;
use super::shared::Shared;
use super::single::double;
use super::solve::Points;
use super::team::Member;
use super::tiles::{Moving, Scratch};
use crate::constraint::Vec3;
use crate::model::{Material, Model};
use crate::plan::Plan;
use crate::plan::levels::{Level, Rows, Sheet};
use crate::reference::levels::{self, Ties};

/// Sheets as the engine keeps them: the [`Cover`] has what is over particles, which takes most of their memory.
pub fn kept(sheets: &[Sheet]) -> Vec<Sheet> {
    let without = |Level { net, centres, colours, .. }: &Level| {
        let (net, centres, colours) = (net.clone(), centres.clone(), colours.clone());
        Level { net, prolong: Rows::default(), restrict: Rows::default(), centres, colours }
    };
    let keep = |sheet: &Sheet| {
        let (finest, above) = sheet.levels.split_at(1);
        let levels = finest.iter().map(without).chain(above.iter().cloned()).collect();
        let (particles, materials) = (sheet.particles.clone(), sheet.materials.clone());
        Sheet { particles, levels, materials, bearing: Vec::new() }
    };
    sheets.iter().map(keep).collect()
}

/// What threads tell each other.
pub struct Lists {
    cover: Cover,
    /// Where the nodes of the finest level of each sheet begin, and the end.
    starts: Vec<usize>,
    /// What the cover's chunks tell of their nodes.
    sums: Vec<f32x4>,
    /// Places of the nodes, m, and then what they move by.
    nodes: Vec<Vec3<f64>>,
    /// By how much the particle at each slot moved, m, the sum over the substeps of a frame; none where nobody asks.
    steps: Vec<f32x4>,
}

impl Lists {
    /// `summing`: whether somebody asks for forces, or something breaks by them.
    pub fn new(model: &Model, plan: &Plan, slot_of: &[u32], summing: bool) -> Self {
        let sheets = &plan.sheets;
        // The same whatever the instructions are, by which particles may lie otherwise: the bits of sums go by it.
        let rows = if sheets.is_empty() { None } else { Order::in_rows(model) };
        let near = rows.map(|rows| rows.in_tiles());
        let counts = sheets.iter().map(|sheet| sheet.levels[0].net.len());
        let starts = std::iter::once(0).chain(counts.scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        let starts: Vec<usize> = starts.collect();
        let cover = Cover::new(sheets, near.as_ref().unwrap_or(&plan.slot_of), slot_of);
        let nodes = vec![Vec3::zero(); starts[sheets.len()]];
        let steps = vec![f32x4::ZERO; if summing && !sheets.is_empty() { slot_of.len() } else { 0 }];
        Self { starts, sums: vec![f32x4::ZERO; cover.parts()], nodes, steps, cover }
    }

    /// Bytes of them.
    pub fn bytes(&self) -> usize {
        let Self { cover, starts, sums, nodes, steps } = self;
        cover.bytes() + size_of_val(&**starts) + size_of_val(&**sums) + size_of_val(&**nodes) + size_of_val(&**steps)
    }

    /// What each particle was pulled by in the last frame, of so many substeps of `h` s, on the mean, N, by the slots of particles and what these have;
    /// nothing where nobody asks.
    pub fn mean_forces(&self, slot_of: &[u32], x: &[f32x4], substeps: u32, h: f64) -> Vec<[f64; 3]> {
        if self.steps.is_empty() {
            return Vec::new();
        }
        let mean = |&slot: &u32| {
            let inverse_mass = f64::from(x[slot as usize].to_array()[3]);
            let per_step = if inverse_mass > 0.0 { (inverse_mass * h * h * f64::from(substeps)).recip() } else { 0.0 };
            (double(self.steps[slot as usize]) * per_step).into()
        };
        slot_of.iter().map(mean).collect()
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { cover, starts, sums, nodes, steps } = self;
        // SAFETY: the caller's.
        let (sums, nodes, steps) = unsafe { (Shared::new(sums), Shared::new(nodes), Shared::new(steps)) };
        View { cover, starts, sums, nodes, steps }
    }
}

/// [`Lists`], shared by a team.
pub struct View<'a> {
    cover: &'a Cover,
    starts: &'a [usize],
    sums: Shared<'a, f32x4>,
    nodes: Shared<'a, Vec3<f64>>,
    steps: Shared<'a, f32x4>,
}

/// What a thread has of levels in a frame.
pub struct Own {
    /// Of each of its sheets.
    ties: Vec<Vec<Ties>>,
    scratch: Scratch,
}

impl Own {
    /// At the beginning of a frame, for these sheets.
    pub fn new(sheets: &[Sheet]) -> Self {
        Self { ties: sheets.iter().map(levels::slack).collect(), scratch: Scratch::default() }
    }
}

/// The levels in a substep of `h` s.
pub struct Nested<'a> {
    pub sheets: &'a [Sheet],
    pub materials: &'a [Material],
    pub lists: &'a View<'a>,
    pub points: Points<'a>,
    pub instructions: Instructions,
    pub h: f64,
    /// The usual h² over this one's: by that a step is a force.
    pub force_share: f32,
    /// Whether it is the first of a frame.
    pub opening: bool,
}

impl CpuSolver {
    /// Before a frame: switches off what would hold together what is broken, and keeps what constraints bore.
    pub(super) fn open_levels(&mut self) {
        let Self { bearings, team, sheets, groups, model, .. } = self;
        if let Some(bearings) = bearings {
            let group = bearings.group;
            bearings.open(team, sheets, &groups[group], &model.groups[group]);
        }
    }

    /// After a frame: leaves in the sums of multipliers what constraints bear.
    pub(super) fn close_levels(&mut self) {
        let Self { bearings, team, groups, particles, levels, .. } = self;
        let Some(bearings) = bearings else { return };
        let Values { lambdas, sums, .. } = &mut groups[bearings.group].values;
        // SAFETY: each thread writes those of its share of constraints.
        let sums = unsafe { Shared::new(sums) };
        let (x, e, steps) = (&particles.x, &particles.e, &levels.steps);
        bearings.close(team, Around { x, e, steps, lambdas, sums });
    }

    /// What levels pulled each particle by in the last frame, on the mean, N; nothing where nobody asks.
    pub(super) fn level_forces(&self) -> Vec<[f64; 3]> {
        let settings = &self.model.settings;
        self.levels.mean_forces(&self.slot_of, &self.particles.x, settings.substeps, settings.implicit_seconds())
    }
}

impl Nested<'_> {
    /// Takes to all particles what the levels over them correct. `Own`: of the sheets of this thread, made at the beginning of a frame. Ends with a
    /// meeting.
    pub fn correct(&self, member: &Member, Own { ties, scratch }: &mut Own) {
        let Self { points, .. } = self;
        let View { cover, starts, sums, nodes, steps } = self.lists;
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lift(chunk, points, sums, scratch, self.instructions));
        member.meet();
        member.share(nodes.len()).for_each(|node| nodes.write(node, cover.place(node, points, sums)));
        member.meet();
        for (sheet, ties) in member.share_by(self.sheets.len(), 1).zip(ties) {
            let own = || starts[sheet]..starts[sheet + 1];
            let places = own().map(|node| nodes.read(node)).collect();
            let moves = levels::corrections(
                &self.sheets[sheet].levels,
                self.materials,
                places,
                ties,
                self.h,
                |ties, places, moves| self.pull(ties, places, moves),
            );
            own().zip(moves).for_each(|(node, step)| nodes.write(node, step));
        }
        member.meet();
        let moving =
            Moving { points: *points, nodes: *nodes, steps: *steps, share: self.force_share, opening: self.opening };
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lower(chunk, &moving, scratch, self.instructions));
        member.meet();
    }

    fn pull(&self, ties: &mut Ties, places: &mut [Vec3<f64>], moves: &mut [Vec3<f64>]) {
        match self.instructions {
            Instructions::Baseline => ties.pull(places, moves),
            // SAFETY: a solver is made for instructions that the processor has.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { pull_avx2(ties, places, moves) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pull_avx2(ties: &mut Ties, places: &mut [Vec3<f64>], moves: &mut [Vec3<f64>]) {
    ties.pull(places, moves);
}
