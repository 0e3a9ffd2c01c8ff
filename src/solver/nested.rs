//! The coarse levels of sheets ([`crate::plan::levels`]): `shaders/nested/`, three dispatches a substep, before anything is solved; over
//! what can break one more a frame.

use std::sync::Arc;

use super::SolverError;
use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::constraints::Constraints;
use super::kernel::{Kernel, Piece};
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::recorder::{Dispatches, Recorder, Work};
use super::records::{NetEdge, Node, Stage};
use super::tear::place_of;
use crate::constraint::{Constraint, Distance};
use crate::plan::Plan;
use crate::plan::levels::{Level, Rows, SWEEPS, Sheet};
use crate::shader_piece;

/// What a [`Stage`] does, as in `shaders/nested/solve.wgsl`.
const RESTRICT: u32 = 0;
const PROLONG: u32 = 1;
const OPEN: u32 = 2;
const SWEEP: u32 = 3;
const BEAR: u32 = 4;

/// The kernels: that of a frame's beginning, three in the order in which a substep runs them, and that of a frame's end.
pub fn kernels() -> [Kernel; 5] {
    let kernel = |label: &str, own: &[Piece]| {
        let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
        pieces.push(shader_piece!("nested/node.wgsl"));
        pieces.extend_from_slice(own);
        Kernel::new(label, pieces)
    };
    [
        kernel("nested part", &[shader_piece!("lib/broken.wgsl"), shader_piece!("nested/part.wgsl")]),
        kernel("nested restrict", &[shader_piece!("nested/restrict.wgsl")]),
        kernel("nested solve", &[shader_piece!("lib/material.wgsl"), shader_piece!("nested/solve.wgsl")]),
        kernel("nested prolong", &[shader_piece!("nested/prolong.wgsl")]),
        kernel("nested bear", &[shader_piece!("lib/broken.wgsl"), shader_piece!("nested/bear.wgsl")]),
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
    stages: Vec<Stage>,
    /// Where the edges of the finest level of each sheet begin.
    finest_edges: Vec<u32>,
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
    fn len(&self) -> u32 {
        self.offsets.len() as u32
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
        // Where the nodes of each level of each sheet begin.
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
        lists.add_stages(sheets, &firsts);
        lists
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

    /// What the edges of a level bear of those above, listed behind what moves nodes.
    fn add_bearing(&mut self, sheet: &Sheet, depth: usize, first_edges: &[u32]) {
        let above = sheet.levels.get(depth + 1).map(|coarser| (&coarser.spread, first_edges[depth + 1]));
        for edge in 0..sheet.levels[depth].net.edges.len() {
            self.prolongations.begin();
            if let Some((spread, first)) = above.filter(|_| !sheet.edges.is_empty()) {
                self.prolongations.push(spread.row(edge), |coarser| first + coarser);
            }
        }
    }

    fn add_stages(&mut self, sheets: &[Sheet], firsts: &[Vec<u32>]) {
        let mut ranges = Vec::new();
        let mut stages = Vec::new();
        for (sheet, firsts) in sheets.iter().zip(firsts) {
            let begin = stages.len();
            let mut first_edges = vec![0; sheet.levels.len()];
            let nodes = |what, depth: usize| {
                let count = sheet.levels[depth].net.len() as u32;
                Stage { what, first: firsts[depth], count }
            };
            stages.extend((1..sheet.levels.len()).map(|depth| nodes(RESTRICT, depth)));
            for (depth, level) in sheet.levels.iter().enumerate().rev() {
                stages.push(nodes(PROLONG, depth));
                let first_edge = self.edges.len() as u32;
                first_edges[depth] = first_edge;
                self.add_bearing(sheet, depth, &first_edges);
                self.edges.extend(level.net.edges.iter().map(|edge| NetEdge {
                    ends: edge.ends.map(|end| firsts[depth] + end),
                    length: edge.length as f32,
                    factor: edge.factor as f32,
                    weight: edge.weight as f32,
                    material: edge.material,
                    // The largest number for infinite: with that the kernel's quotient is 1.
                    finest: edge.finest.min(f64::from(f32::MAX)) as f32,
                    ..NetEdge::default()
                }));
                for sweep in 0..SWEEPS {
                    let what = if sweep == 0 { OPEN } else { SWEEP };
                    let stage = |colour: &std::ops::Range<u32>| {
                        let count = colour.end - colour.start;
                        Stage { what, first: first_edge + colour.start, count }
                    };
                    stages.extend(level.colours.iter().map(stage));
                }
            }
            self.finest_edges.push(first_edges[0]);
            let bear = |depth: usize| Stage {
                what: BEAR,
                first: first_edges[depth],
                count: sheet.levels[depth].net.edges.len() as u32,
            };
            if !sheet.edges.is_empty() {
                stages.extend((0..sheet.levels.len() - 1).rev().map(bear));
            }
            ranges.push((begin, stages.len()));
        }
        let begin = sheets.len();
        let what = self.nodes.len() as u32;
        let range =
            |&(from, to): &(usize, usize)| Stage { what, first: (begin + from) as u32, count: (begin + to) as u32 };
        self.stages = ranges.iter().map(range).chain(stages).collect();
    }
}

/// For each particle of what can break its slot and the places of its edges.
fn incident(plan: &Plan, place_of: &[u32]) -> RowList {
    let mut list = RowList::default();
    for sheet in plan.sheets.iter().filter(|sheet| !sheet.breakable.is_empty()) {
        let mut places = vec![Vec::new(); sheet.particles.len()];
        for edge in &sheet.breakable {
            let place = place_of[edge.constraint as usize];
            edge.ends.iter().for_each(|&end| places[(end - sheet.particles.start) as usize].push(place));
        }
        for (particle, places) in sheet.particles.clone().zip(places) {
            list.begin();
            list.words.push(plan.slot_of[particle as usize]);
            list.words.extend(places);
        }
    }
    list
}

/// For each distance whose force is asked for its place, and what it bears of the edges of the finest level.
fn bearing(plan: &Plan, place_of: &[u32], finest_edges: &[u32]) -> RowList {
    let mut list = RowList::default();
    for (sheet, first) in plan.sheets.iter().zip(finest_edges) {
        for (&edge, row) in sheet.edges.iter().zip(sheet.levels[0].spread.rows()) {
            list.begin();
            list.words.push(place_of[edge as usize]);
            list.push(row, |coarser| first + coarser);
        }
    }
    list
}

/// The levels over all sheets.
pub struct Nested {
    work: [Work; 3],
    /// Adds what the levels bore to the multipliers.
    bear: Option<Work>,
    /// Finds what has come apart.
    part: Option<Work>,
    /// Materials of all edges of the sheets, ascending: none may begin to change its rest lengths.
    pub rigid: Vec<u32>,
    /// Those of sheets of which none can break: none may begin to.
    pub whole: Vec<u32>,
    memory: u64,
}

impl Nested {
    /// `None` where the plan has no levels.
    pub fn new(
        pipelines: &mut Pipelines,
        shared: &Buffers,
        plan: &Plan,
        constraints: &[Constraints],
    ) -> Result<Option<Self>, SolverError> {
        if plan.sheets.is_empty() {
            return Ok(None);
        }
        let device = pipelines.device.clone();
        let lists = Lists::new(&plan.sheets, &plan.slot_of);
        let distances = plan.groups.iter().position(|group| group.kind.name() == Distance::NAME).unwrap_or(0);
        let place_of = place_of(&plan.groups[distances]);
        let incident = incident(plan, &place_of);
        let bearing = bearing(plan, &place_of, &lists.finest_edges);
        let parting = incident.len() > 0;
        let flags = if parting { 4 * plan.slot_of.len() as u64 } else { 0 };
        let buffers = [
            ("nodes", upload(&device, "nodes", &lists.nodes)),
            ("restrictions", upload(&device, "restrictions", &lists.restrictions.list())),
            ("prolongations", upload(&device, "prolongations", &lists.prolongations.list())),
            ("moved", upload(&device, "moved", &lists.moved.list())),
            ("net_edges", upload(&device, "net_edges", &lists.edges)),
            ("stages", upload(&device, "stages", &lists.stages)),
            ("incident", upload(&device, "incident", &incident.list())),
            ("parted", zeroed(&device, "parted", flags)),
            ("bearing", upload(&device, "bearing", &bearing.list())),
            ("tensions", zeroed(&device, "tensions", 4 * lists.edges.len() as u64)),
        ];
        let available = device.limits().max_storage_buffer_binding_size;
        if let Some((_, buffer)) = buffers.iter().find(|(_, buffer)| buffer.size() > available) {
            let what = "a list of the levels over sheets in one binding";
            return Err(SolverError::TooBig { what, needed: buffer.size(), available });
        }
        let finest: u32 = plan.sheets.iter().map(|sheet| sheet.levels[0].net.len() as u32).sum();
        let particles: u32 = plan.sheets.iter().map(|sheet| sheet.particles.len() as u32).sum();
        let sheets = plan.sheets.len() as u32;
        // An entry is two words; restricted each brings x and d, prolonged half a node. An edge is read and written with both nodes.
        let entries: u64 = plan.sheets.iter().map(|sheet| sheet.levels[0].prolong.entries.len() as u64).sum();
        let of_edges =
            lists.edges.len() as u64 * u64::from(SWEEPS) * (2 * size_of::<NetEdge>() + 4 * size_of::<Node>()) as u64;
        let mut dispatches = Dispatches::default();
        let dispatch = [
            dispatches.threads(0..finest, entries * (8 + 32) / u64::from(finest) + 2 * size_of::<Node>() as u64),
            dispatches.workgroups(0..sheets, of_edges / u64::from(sheets)),
            dispatches.threads(0..particles, entries * (8 + 16) / u64::from(particles) + 3 * 16),
        ];
        let list = incident.words.len() as u64 * (4 + 8) / u64::from(incident.len().max(1));
        let part = dispatches.threads(0..incident.len(), list + 4);
        let list = bearing.words.len() as u64 * (4 + 2) / u64::from(bearing.len().max(1));
        let bear = dispatches.threads(0..bearing.len(), list + 16);
        let batches = dispatches.upload(&device);
        let mut own = vec![("batch", BufferRange::slot(&batches))];
        own.extend(buffers.iter().map(|(name, buffer)| (*name, BufferRange::all(buffer))));
        own.push(("multipliers", BufferRange::all(&constraints[distances].multipliers)));
        let [find, restrict, solve, prolong, add] = kernels();
        let summed = bearing.len() > 0;
        let mut work = |kernel, constants: &[_], dispatch| -> Result<Work, SolverError> {
            let pipeline = pipelines.get(kernel, constants)?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let part = parting.then(|| work(find, &[], part)).transpose()?;
        let bear = summed.then(|| work(add, &[], bear)).transpose()?;
        let work = [
            work(restrict, &[("PARTING", parting)], dispatch[0])?,
            work(solve, &[("SUMMED", summed)], dispatch[1])?,
            work(prolong, &[], dispatch[2])?,
        ];
        let materials = |whole: bool| {
            let sheets = plan.sheets.iter().filter(|sheet| !whole || sheet.breakable.is_empty());
            let mut materials: Vec<u32> = sheets.flat_map(|sheet| sheet.materials.iter().copied()).collect();
            materials.sort_unstable();
            materials
        };
        let (rigid, whole) = (materials(false), materials(true));
        Ok(Some(Self { work, bear, part, rigid, whole, memory: buffers.iter().map(|(_, buffer)| buffer.size()).sum() }))
    }

    /// Before a frame's first substep: what has come apart in those before is held no more.
    pub fn begin_frame(&self, recorder: &mut Recorder) {
        self.part.iter().for_each(|work| recorder.section(self.name()).run(work));
    }

    /// After a frame's last substep: what the levels bore counts as borne by the particles' own edges.
    pub fn end_frame(&self, recorder: &mut Recorder) {
        self.bear.iter().for_each(|work| recorder.section(self.name()).run(work));
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

    fn solve(&self, _recorder: &mut Recorder) {}

    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}
