//! Levels over sheets: once a substep, before the first sweep. All threads take places up to the finest level and its
//! corrections down ([`crate::pass::levels::cpu::cover`]); what is above has nodes by the hundred
//! ([`crate::pass::levels::cpu::nets`]). See [`crate::plan::levels`].

pub(crate) mod cover;
pub(crate) mod edges;
pub(crate) mod nets;
pub(crate) mod sixteens;

use std::sync::{Mutex, PoisonError};

use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::order::Order;
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::shared::Shared;
use crate::cpu::single::double;
use crate::cpu::team::{Member, Team};
use crate::pass::levels::cpu::cover::Cover;
use crate::pass::levels::cpu::edges::Nodes;
use crate::pass::levels::cpu::nets::{Nets, Solving};
use crate::pass::levels::cpu::sixteens::{Moving, Scratch};
use crate::plan::levels::{Level, Net, Sheet};
use crate::step::Hooks;

/// Sheets as the engine keeps them: by what their edges are made anew. The [`Cover`] and [`Nets`] have the rest.
fn kept(sheets: &[Sheet]) -> Vec<Sheet> {
    let net = |net: &Net| Net { positions: Vec::new(), media: Vec::new(), ..net.clone() };
    let level = |Level { net: whole, .. }: &Level| Level { net: net(whole), ..Level::default() };
    let keep = |Sheet { particles, levels, materials, .. }: &Sheet| Sheet {
        particles: particles.clone(),
        levels: levels.iter().map(level).collect(),
        materials: materials.clone(),
    };
    sheets.iter().map(keep).collect()
}

/// The levels over the sheets of a model.
pub struct Levels {
    sheets: Vec<Sheet>,
    cover: Cover,
    /// Of each sheet.
    nets: Vec<Nets>,
    /// What the cover's chunks report of their nodes.
    sums: Vec<f32x4>,
    /// See [`Nodes`]: first those of the finest levels, one sheet after another, then all others; behind these of each
    /// sheet one for each thread that is none.
    at: Vec<f32x4>,
    place: Vec<f32x4>,
    moved: Vec<f32x4>,
    step: Vec<f32x4>,
    /// By how much the particle at each slot moved, m, the sum over the substeps of a frame; none where no host asks
    /// for forces.
    steps: Vec<f32x4>,
    /// Edges are others than those that the nets have.
    stale: bool,
    /// Of each thread.
    scratch: Vec<Mutex<Scratch>>,
}

impl Levels {
    /// `None` where there are no levels.
    pub fn new(setup: &Setup) -> Option<Self> {
        let Setup { model, sheets, slot_of, planned, threads, .. } = *setup;
        if sheets.is_empty() {
            return None;
        }
        // The same for all instructions, which may lay out particles differently: the bits of sums depend on it.
        let near = Order::in_rows(model).map(|rows| rows.in_tiles());
        let cover = Cover::new(sheets, near.as_deref().unwrap_or(planned), slot_of);
        let (mut finest, mut others, count) = (0, cover.nodes(), sheets.iter().map(Sheet::node_count).sum::<usize>());
        let net = |(index, sheet): (usize, &Sheet)| {
            let nets = Nets::new(sheet, finest, others, count + index * threads, threads);
            finest += sheet.levels[0].net.len();
            others += sheet.node_count() - sheet.levels[0].net.len();
            nets
        };
        let nets = sheets.iter().enumerate().map(net).collect();
        let [at, place, moved, step] = [(); 4].map(|()| vec![f32x4::ZERO; count + sheets.len() * threads]);
        let steps = vec![f32x4::ZERO; if model.settings.mean_forces { slot_of.len() } else { 0 }];
        let (sheets, sums) = (kept(sheets), vec![f32x4::ZERO; cover.parts()]);
        let scratch = (0..threads).map(|_| Mutex::default()).collect();
        Some(Self { sheets, cover, nets, sums, at, place, moved, step, steps, stale: true, scratch })
    }
}

/// [`Levels`], shared by a team.
struct View<'a> {
    sheets: &'a [Sheet],
    cover: &'a Cover,
    nets: &'a [Nets],
    sums: Shared<'a, f32x4>,
    nodes: Nodes<'a>,
    steps: Shared<'a, f32x4>,
    scratch: &'a [Mutex<Scratch>],
}

impl Pass for Levels {
    fn hooks(&self) -> Hooks {
        Hooks { correct_prediction: true, ..Hooks::default() }
    }

    /// Edges may be others than in the frame before.
    fn begin(&mut self, _x: &[f32x4]) {
        let stale = std::mem::take(&mut self.stale);
        for (nets, sheet) in self.nets.iter().zip(&self.sheets) {
            nets.open(stale);
            for (nodes, level) in nets.nodes().zip(&sheet.levels).filter(|_| stale) {
                for (moved, &inverse_mass) in self.moved[nodes].iter_mut().zip(&level.net.inverse_masses) {
                    *moved = f32x4::new([0.0, 0.0, 0.0, inverse_mass as f32]);
                }
            }
        }
    }

    unsafe fn view<'a>(&'a mut self, _frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        let Self { sheets, cover, nets, sums, at, place, moved, step, steps, scratch, .. } = self;
        // SAFETY: the caller's.
        let [at, place, moved, step] = [at, place, moved, step].map(|list| unsafe { Shared::new(list) });
        // SAFETY: as above.
        let [sums, steps] = [sums, steps].map(|list| unsafe { Shared::new(list) });
        Box::new(View { sheets, cover, nets, sums, nodes: Nodes { at, place, moved, step }, steps, scratch })
    }

    fn follow_materials(&mut self) {
        self.stale = true;
    }

    fn mean_forces(&self, slot_of: &[u32], x: &[f32x4], substeps: u32, h: f64) -> Vec<[f64; 3]> {
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

    fn bytes(&self) -> usize {
        let Self { cover, nets, sums, at, place, moved, step, steps, .. } = self;
        let lists = [sums, at, place, moved, step, steps].map(|list| size_of_val(&**list));
        cover.bytes() + nets.iter().map(Nets::bytes).sum::<usize>() + lists.iter().sum::<usize>()
    }
}

impl PassView for View<'_> {
    /// Takes to all particles what the levels over them correct. Ends with a meeting.
    fn correct_prediction(&self, member: &Member, frame: &Frame, substep: usize) {
        let Self { sheets, cover, nets, sums, nodes, steps, scratch } = self;
        let (points, instructions, materials) = (frame.points, frame.instructions, &frame.model.materials);
        let record = frame.substep(substep);
        let h = f64::from(record.inverse_seconds_squared).sqrt().recip();
        let scratch = &mut *scratch[member.index].lock().unwrap_or_else(PoisonError::into_inner);
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lift(chunk, &points, sums, scratch, instructions));
        member.meet();
        member.share(cover.nodes()).for_each(|node| cover.place(node, &points, sums, nodes));
        member.meet();
        let solving = Solving { nodes, materials, h, instructions };
        let all = || nets.iter().zip(*sheets);
        all().filter(|(nets, _)| nets.is_wide()).for_each(|(nets, sheet)| nets.correct(member, sheet, &solving));
        let (mine, alone) = (member.share_by(nets.len(), 1), Team::new(1));
        for (nets, sheet) in all().take(mine.end).skip(mine.start).filter(|(nets, _)| !nets.is_wide()) {
            alone.run(|member| nets.correct(member, sheet, &solving));
        }
        member.meet();
        // The usual h² over this one's: by that a step is a force.
        let share = record.inverse_seconds_squared / record.force_scale;
        let moving = Moving { points, moves: nodes.step, steps: *steps, share, opening: substep == 0 };
        member.share_by(cover.len(), 1).for_each(|chunk| cover.lower(chunk, &moving, scratch, instructions));
        member.meet();
    }
}
