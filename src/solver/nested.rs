//! The coarse levels of sheets ([`crate::plan::levels`]): `shaders/nested/`, before anything is solved in a substep. Where all sheets are small three dispatches,
//! with a large one some more ([`Stages`]).

use std::sync::Arc;

use super::SolverError;
use super::bearing::Bearing;
use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::constraints::{Constraints, VECTOR_BYTES};
use super::kernel::{Kernel, Piece};
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::recorder::{Dispatch, Dispatches, Recorder, Work};
use super::stages::Stages;
use crate::engine::records::{NetEdge, Node, Stage};
use crate::model::Model;
use crate::plan::Plan;
use crate::plan::levels::{Level, Rows, Sheet};
use crate::shader_piece;

/// The three kernels, in the order in which a substep runs them.
pub fn kernels() -> [Kernel; 3] {
    let kernel = |label: &str, own: &[Piece]| {
        let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
        pieces.push(shader_piece!("nested/node.wgsl"));
        pieces.extend_from_slice(own);
        Kernel::new(label, pieces)
    };
    [
        kernel("nested restrict", &[shader_piece!("nested/restrict.wgsl")]),
        kernel("nested solve", &[shader_piece!("lib/material.wgsl"), shader_piece!("nested/solve.wgsl")]),
        kernel("nested prolong", &[shader_piece!("nested/prolong.wgsl")]),
    ]
}

/// The levels of all sheets as the kernels read them. Nodes of the finest levels come first, of all sheets, then the others.
#[derive(Default)]
struct Lists {
    nodes: Vec<Node>,
    restrictions: RowList,
    prolongations: RowList,
    moved: RowList,
    edges: Vec<NetEdge>,
    stages: Stages,
    /// Where the nodes of each level of each sheet begin.
    firsts: Vec<Vec<u32>>,
}

/// Rows in one list of words: where each begins, and the end; then all.
#[derive(Default)]
struct RowList {
    offsets: Vec<u32>,
    words: Vec<u32>,
}

impl RowList {
    /// Begins a row.
    fn begin(&mut self) {
        self.offsets.push(self.words.len() as u32);
    }
    fn push(&mut self, row: &[(u32, f64)], name: impl Fn(u32) -> u32) {
        self.words.extend(row.iter().flat_map(|&(index, share)| [name(index), (share as f32).to_bits()]));
    }
    fn list(&self) -> Vec<u32> {
        let begin = self.offsets.len() as u32 + 1;
        let ends = self.offsets.iter().copied().chain([self.words.len() as u32]);
        ends.map(|offset| begin + offset).chain(self.words.iter().copied()).collect()
    }
}

impl Lists {
    fn new(sheets: &[Sheet], slot_of: &[u32]) -> Self {
        let mut lists = Self::default();
        let mut firsts: Vec<Vec<u32>> = vec![Vec::new(); sheets.len()];
        let deepest = sheets.iter().map(|sheet| sheet.levels.len()).max().unwrap_or(0);
        for depth in 0..deepest {
            for (sheet, firsts) in sheets.iter().zip(&mut firsts) {
                if let Some(level) = sheet.levels.get(depth) {
                    firsts.push(lists.nodes.len() as u32);
                    lists.add_nodes(sheet, depth, level, slot_of, firsts);
                }
            }
        }
        for depth in 0..deepest {
            for (sheet, firsts) in sheets.iter().zip(&firsts).filter(|(sheet, _)| depth < sheet.levels.len()) {
                lists.add_prolongation(sheet, depth, firsts);
            }
        }
        for (sheet, firsts) in sheets.iter().zip(&firsts) {
            for (particle, row) in sheet.particles.clone().zip(sheet.levels[0].prolong.rows()) {
                lists.moved.begin();
                lists.moved.words.push(slot_of[particle as usize]);
                lists.moved.push(row, |node| firsts[0] + node);
            }
        }
        let edges: Vec<Vec<u32>> =
            sheets.iter().zip(&firsts).map(|(sheet, nodes)| lists.add_edges(sheet, nodes)).collect();
        let stages = Stages::new(sheets, &firsts, &edges);
        Self { firsts, stages, ..lists }
    }

    fn add_nodes(&mut self, sheet: &Sheet, depth: usize, level: &Level, slot_of: &[u32], firsts: &[u32]) {
        let slot = |particle: u32| slot_of[(sheet.particles.start + particle) as usize];
        for (index, row) in level.restrict.rows().enumerate() {
            let child = level.centres[index];
            let centre = match depth {
                0 => slot(child),
                _ => self.nodes[(firsts[depth - 1] + child) as usize].centre,
            };
            self.nodes.push(Node { centre, inverse_mass: level.net.inverse_masses[index] as f32, ..Node::default() });
            self.restrictions.begin();
            self.restrictions.push(row, |child| match depth {
                0 => slot(child),
                _ => firsts[depth - 1] + child,
            });
        }
    }

    /// What moves the nodes of a level: nothing those of the coarsest.
    fn add_prolongation(&mut self, sheet: &Sheet, depth: usize, firsts: &[u32]) {
        let none = Rows::default();
        let rows = sheet.levels.get(depth + 1).map_or(&none, |coarser| &coarser.prolong);
        for node in 0..sheet.levels[depth].net.len() {
            self.prolongations.begin();
            if depth + 1 < sheet.levels.len() {
                self.prolongations.push(rows.row(node), |coarser| firsts[depth + 1] + coarser);
            }
        }
    }

    /// Where the edges of each level of a sheet begin, the coarsest being the first.
    fn add_edges(&mut self, sheet: &Sheet, nodes: &[u32]) -> Vec<u32> {
        let mut firsts = vec![0; sheet.levels.len()];
        for (depth, level) in sheet.levels.iter().enumerate().rev() {
            firsts[depth] = self.edges.len() as u32;
            self.edges.extend(level.net.edges.iter().map(|edge| NetEdge {
                ends: edge.ends.map(|end| nodes[depth] + end),
                length: edge.length as f32,
                factor: edge.factor as f32,
                weight: edge.weight as f32,
                material: edge.material,
                // A large number for infinite, whose multiples are finite: with that the kernel's quotient is 1.
                finest: edge.finest.min(1e30) as f32,
                below: edge.below,
                hinge: edge.bending.material,
                buckling: edge.bending.factor as f32,
                ..NetEdge::default()
            }));
        }
        firsts
    }
}

/// Bytes of each list that the levels over some sheets take on a device.
pub fn list_bytes(sheets: &[Sheet]) -> [u64; 6] {
    if sheets.is_empty() {
        return [0; 6];
    }
    let levels = || sheets.iter().flat_map(|sheet| &sheet.levels);
    let particles: usize = sheets.iter().map(|sheet| sheet.particles.len()).sum();
    let nodes: usize = sheets.iter().map(Sheet::node_count).sum();
    let edges: usize = sheets.iter().map(Sheet::edge_count).sum();
    let moved: usize = sheets.iter().map(|sheet| sheet.levels[0].prolong.entries.len()).sum();
    let shares: usize = levels().map(|level| level.prolong.entries.len()).sum();
    // How many there are goes by how much each level has, not by where that begins.
    let nowhere: Vec<Vec<u32>> = sheets.iter().map(|sheet| vec![0; sheet.levels.len()]).collect();
    let stages = Stages::new(sheets, &nowhere, &nowhere).list.len();
    [
        nodes * size_of::<Node>(),
        (nodes + 1 + 2 * shares) * 4,
        (nodes + 1 + 2 * (shares - moved)) * 4,
        (2 * particles + 1 + 2 * moved) * 4,
        edges * size_of::<NetEdge>(),
        stages * size_of::<Stage>(),
    ]
    .map(|bytes| bytes as u64)
}

/// The levels over all sheets.
pub struct Nested {
    /// One after the other: places go up, the levels' turns, corrections come down.
    work: Vec<Work>,
    /// Whether somebody asks for the forces, which are summed over the frame, into this.
    told: bool,
    forces: wgpu::Buffer,
    /// Where any sheet can break.
    bearing: Option<Bearing>,
    memory: u64,
}

impl Nested {
    /// `None` where the plan has no levels.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        model: &Model,
        plan: &Plan,
        constraints: &[Constraints],
    ) -> Result<Option<Self>, SolverError> {
        let told = model.settings.mean_forces;
        let summing = told || plan.sheets.iter().any(Sheet::can_break);
        if plan.sheets.is_empty() {
            return Ok(None);
        }
        let device = pipelines.device.clone();
        let lists = Lists::new(&plan.sheets, &plan.slot_of);
        let forces =
            zeroed(&device, "level_forces", if summing { plan.slot_of.len() as u64 * VECTOR_BYTES } else { 0 });
        let buffers = [
            ("level_forces", forces.clone()),
            ("nodes", upload(&device, "nodes", &lists.nodes)),
            ("restrictions", upload(&device, "restrictions", &lists.restrictions.list())),
            ("prolongations", upload(&device, "prolongations", &lists.prolongations.list())),
            ("moved", upload(&device, "moved", &lists.moved.list())),
            ("net_edges", upload(&device, "net_edges", &lists.edges)),
            ("stages", upload(&device, "stages", &lists.stages.list)),
        ];
        let finest: u32 = plan.sheets.iter().map(|sheet| sheet.levels[0].net.len() as u32).sum();
        let particles: u32 = plan.sheets.iter().map(|sheet| sheet.particles.len() as u32).sum();
        // An entry is two words; restricted each brings x and d, prolonged half a node. An edge is read and written with both nodes.
        let entries: u64 = plan.sheets.iter().map(|sheet| sheet.levels[0].prolong.entries.len() as u64).sum();
        let of_edge = (2 * size_of::<NetEdge>() + 4 * size_of::<Node>()) as u64;
        let mut dispatches = Dispatches::default();
        let up = dispatches.threads(0..finest, entries * (8 + 32) / u64::from(finest) + 2 * size_of::<Node>() as u64);
        let in_turns = lists.stages.turns.iter().map(|turn| {
            let of_list = lists.stages.edges(turn) * of_edge / turn.len() as u64;
            dispatches.workgroups(turn.clone(), of_list)
        });
        let in_turns: Vec<Dispatch> = in_turns.collect();
        let down = dispatches
            .threads(0..particles, entries * (8 + 16) / u64::from(particles) + (3 + 2 * u64::from(summing)) * 16);
        let batches = dispatches.upload(&device);
        let mut own = vec![("batch", BufferRange::slot(&batches))];
        own.extend(buffers.iter().map(|(name, buffer)| (*name, BufferRange::all(buffer))));
        let [restrict, solve, prolong] = kernels();
        let work = |kernel: &Kernel, meets: bool, dispatch| -> Result<Work, SolverError> {
            let pipeline = pipelines.get(kernel.clone(), &[("SUMMED", summing), ("MEETS", meets)])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let turns = lists.stages.turns.iter().zip(in_turns);
        let solve = turns.map(|(turn, dispatch)| work(&solve, lists.stages.meet(turn), dispatch));
        let work: Result<Vec<Work>, SolverError> =
            [work(&restrict, true, up)].into_iter().chain(solve).chain([work(&prolong, true, down)]).collect();
        let work = work?;
        let levels = (&buffers[1].1, &*lists.firsts);
        let bearing = Bearing::new(pipelines, shared, (model, plan), constraints, levels, &forces)?;
        let memory = buffers.iter().map(|(_, buffer)| buffer.size()).sum::<u64>()
            + bearing.as_ref().map_or(0, |bearing| bearing.memory);
        Ok(Some(Self { work, told, forces, bearing, memory }))
    }

    /// The sum of the corrections of each slot over the last frame, where somebody asked for forces.
    pub fn forces(&self) -> Option<BufferRange<'_>> {
        self.told.then(|| BufferRange::all(&self.forces))
    }

    /// Before a frame: keeps what breaks from being held together.
    pub fn open(&self, recorder: &mut Recorder) {
        self.bearing.iter().for_each(|bearing| bearing.open(recorder.section(self.name())));
    }

    /// After a frame: finds what constraints that can break bear.
    pub fn close(&self, recorder: &mut Recorder) {
        self.bearing.iter().for_each(|bearing| bearing.close(recorder.section(self.name())));
    }
}

impl Pass for Nested {
    fn name(&self) -> &'static str {
        "levels"
    }

    fn detect(&self, recorder: &mut Recorder) {
        for work in &self.work {
            recorder.run(work);
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}
