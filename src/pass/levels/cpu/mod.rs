//! Levels over sheets: once a substep, before the first sweep. All threads take places up to the finest level and its
//! corrections down ([`crate::pass::levels::cpu::cover`]); what is above has nodes by the hundred ([`crate::pass::levels::cpu::nets`]). See
//! [`crate::plan::levels`].

pub(crate) mod cover;
pub(crate) mod edges;
pub(crate) mod nets;
pub(crate) mod sixteens;

use wide::f32x4;

use crate::cpu::lanes::Instructions;
use crate::cpu::order::Order;
use crate::cpu::shared::Shared;
use crate::cpu::single::double;
use crate::cpu::solve::Points;
use crate::cpu::team::{Member, Team};
use crate::model::{Material, Model};
use crate::pass::levels::cpu::cover::Cover;
use crate::pass::levels::cpu::edges::Nodes;
use crate::pass::levels::cpu::nets::{Nets, Solving};
use crate::pass::levels::cpu::sixteens::{Moving, Scratch};
use crate::plan::Plan;
use crate::plan::levels::{Level, Net, Sheet};

/// Sheets as the engine keeps them: by what their edges are made anew. The [`Cover`] and [`Nets`] have the rest.
pub fn kept(sheets: &[Sheet]) -> Vec<Sheet> {
    let net = |net: &Net| Net { positions: Vec::new(), media: Vec::new(), ..net.clone() };
    let level = |Level { net: whole, .. }: &Level| Level { net: net(whole), ..Level::default() };
    let keep = |Sheet { particles, levels, materials, .. }: &Sheet| Sheet {
        particles: particles.clone(),
        levels: levels.iter().map(level).collect(),
        materials: materials.clone(),
    };
    sheets.iter().map(keep).collect()
}

/// What threads tell each other.
pub struct Lists {
    cover: Cover,
    /// Of each sheet.
    nets: Vec<Nets>,
    /// What the cover's chunks tell of their nodes.
    sums: Vec<f32x4>,
    /// See [`Nodes`]: first those of the finest levels, one sheet after another, then all others; behind these of each
    /// sheet one for each thread that is none.
    at: Vec<f32x4>,
    place: Vec<f32x4>,
    moved: Vec<f32x4>,
    step: Vec<f32x4>,
    /// By how much the particle at each slot moved, m, the sum over the substeps of a frame; none where nobody asks.
    steps: Vec<f32x4>,
    /// Edges are others than those that the nets have.
    stale: bool,
}

impl Lists {
    /// `summing`: whether somebody asks for forces.
    pub fn new(model: &Model, plan: &Plan, slot_of: &[u32], threads: usize, summing: bool) -> Self {
        let sheets = &plan.sheets;
        // The same whatever the instructions are, by which particles may lie otherwise: the bits of sums go by it.
        let rows = if sheets.is_empty() { None } else { Order::in_rows(model) };
        let near = rows.map(|rows| rows.in_tiles());
        let cover = Cover::new(sheets, near.as_ref().unwrap_or(&plan.slot_of), slot_of);
        let (mut finest, mut others, count) = (0, cover.nodes(), sheets.iter().map(Sheet::node_count).sum::<usize>());
        let net = |(index, sheet): (usize, &Sheet)| {
            let nets = Nets::new(sheet, finest, others, count + index * threads, threads);
            finest += sheet.levels[0].net.len();
            others += sheet.node_count() - sheet.levels[0].net.len();
            nets
        };
        let nets = sheets.iter().enumerate().map(net).collect();
        let [at, place, moved, step] = [(); 4].map(|()| vec![f32x4::ZERO; count + sheets.len() * threads]);
        let steps = vec![f32x4::ZERO; if summing && !sheets.is_empty() { slot_of.len() } else { 0 }];
        Self { nets, sums: vec![f32x4::ZERO; cover.parts()], cover, at, place, moved, step, steps, stale: true }
    }

    /// Before a frame. Edges may be others than in the frame before.
    pub fn open(&mut self, sheets: &[Sheet]) {
        let stale = std::mem::take(&mut self.stale);
        for (nets, sheet) in self.nets.iter().zip(sheets) {
            nets.open(stale);
            for (nodes, level) in nets.nodes().zip(&sheet.levels).filter(|_| stale) {
                for (moved, &inverse_mass) in self.moved[nodes].iter_mut().zip(&level.net.inverse_masses) {
                    *moved = f32x4::new([0.0, 0.0, 0.0, inverse_mass as f32]);
                }
            }
        }
    }

    /// Materials are others now.
    pub fn follow(&mut self) {
        self.stale = true;
    }

    /// Bytes of them.
    pub fn bytes(&self) -> usize {
        let Self { cover, nets, sums, at, place, moved, step, steps, .. } = self;
        let lists = [sums, at, place, moved, step, steps].map(|list| size_of_val(&**list));
        cover.bytes() + nets.iter().map(Nets::bytes).sum::<usize>() + lists.iter().sum::<usize>()
    }

    /// What each particle was pulled by in the last frame, of so many substeps of `h` s, on the mean, N, by the slots
    /// of particles and what these have; nothing where nobody asks.
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
        let Self { cover, nets, sums, at, place, moved, step, steps, .. } = self;
        // SAFETY: the caller's.
        let [at, place, moved, step] = [at, place, moved, step].map(|list| unsafe { Shared::new(list) });
        // SAFETY: as above.
        let [sums, steps] = [sums, steps].map(|list| unsafe { Shared::new(list) });
        View { cover, nets, sums, nodes: Nodes { at, place, moved, step }, steps }
    }
}

/// [`Lists`], shared by a team.
pub struct View<'a> {
    cover: &'a Cover,
    nets: &'a [Nets],
    sums: Shared<'a, f32x4>,
    nodes: Nodes<'a>,
    steps: Shared<'a, f32x4>,
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

impl Nested<'_> {
    /// Takes to all particles what the levels over them correct. Ends with a meeting.
    pub fn correct(&self, member: &Member, scratch: &mut Scratch) {
        let Self { points, instructions, .. } = self;
        let View { cover, nets, sums, nodes, steps } = self.lists;
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lift(chunk, points, sums, scratch, *instructions));
        member.meet();
        member.share(cover.nodes()).for_each(|node| cover.place(node, points, sums, nodes));
        member.meet();
        let solving = Solving { nodes, materials: self.materials, h: self.h, instructions: *instructions };
        let sheets = || nets.iter().zip(self.sheets);
        sheets().filter(|(nets, _)| nets.is_wide()).for_each(|(nets, sheet)| nets.correct(member, sheet, &solving));
        let (mine, alone) = (member.share_by(nets.len(), 1), Team::new(1));
        for (nets, sheet) in sheets().take(mine.end).skip(mine.start).filter(|(nets, _)| !nets.is_wide()) {
            alone.run(|member| nets.correct(member, sheet, &solving));
        }
        member.meet();
        let (share, opening) = (self.force_share, self.opening);
        let moving = Moving { points: *points, moves: nodes.step, steps: *steps, share, opening };
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lower(chunk, &moving, scratch, *instructions));
        member.meet();
    }
}
