//! The coarse levels of sheets ([`crate::plan::levels`]): `shaders/levels/`, before anything is solved in a substep.
//! Where all sheets are small three dispatches, with a large one some more ([`Stages`]).

pub(crate) mod stages;

use std::sync::Arc;

use crate::gpu::SolverError;
use crate::gpu::buffers::{BufferRange, upload, zeroed};
use crate::gpu::constraints::VECTOR_BYTES;
use crate::gpu::kernel::{Kernel, Piece};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::pass::levels::gpu::stages::{Firsts, HAND, Job, LIFT, LOWER, OPEN, PULL, RESTRICT, Stages, Turn, Workgroup};
use crate::plan::levels::{Edge, Level, Rows, Sheet};
use crate::shader_piece;
use crate::step::Hooks;
use crate::step::records::{NetEdge, Node};

/// Threads of a workgroup that does whole levels. On a card as many as the widest stage has edges, if it lets that
/// many: an NVIDIA H200 takes levels over 256 a side 1.26 ms a frame with 512, 1.52 with 256. On a software device few,
/// since each costs something at each of some hundred meetings: lavapipe takes levels over 24, 64 and 256 a side 3.0,
/// 12 and 86 ms a frame with 32 and 6.7, 20 and 96 with 256.
const MOST_THREADS: u32 = 512;
const FEWEST_THREADS: u32 = 32;
/// How many threads go through what a node is the mean of, some 30 nodes or 100 to 500 particles. (Lavapipe tells no
/// difference from 1 to 8, and is slower with 32; that card takes levels over 256 a side 1.33, 1.23, 1.26 and 1.56 ms
/// with 4, 8, 16 and 32.)
const MOST_LANES: u32 = 8;
/// Bytes that a node takes of its memory.
const MOVED_BYTES: u32 = 12;
/// What sweeps read for each edge, `Tie` in `shaders/levels/net.wgsl`.
const TIE_BYTES: usize = 48;
/// Levels of different sheets that have about as many nodes share a kernel.
const NODE_STEP: usize = 256;

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let shared =
        [shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("levels/node.wgsl")];
    Kernel::new(label, [&shared, own].concat())
}

/// What takes the corrections of the finest levels to the particles.
fn prolong() -> Kernel {
    kernel("levels prolong", &[shader_piece!("levels/prolong.wgsl")])
}

/// What is done for nets before that.
fn of_nets(job: Job, Workgroup { nodes, threads, lanes }: Workgroup) -> Kernel {
    let net = || vec![shader_piece!("lib/material.wgsl"), shader_piece!("levels/net.wgsl")];
    let (label, constants, over, main) = match job {
        Job::Whole => {
            let constants = format!("const LEVEL_NODES: u32 = {nodes}u;\nconst THREADS: u32 = {threads}u;\n");
            ("whole", constants, net(), shader_piece!("levels/whole.wgsl"))
        }
        Job::Piece(RESTRICT) => {
            ("restrict", String::new(), vec![shader_piece!("levels/restrict.wgsl")], shader_piece!("levels/lift.wgsl"))
        }
        Job::Piece(LIFT) => ("lift", String::new(), net(), shader_piece!("levels/lift.wgsl")),
        Job::Piece(what) => (what, format!("const WHAT: u32 = {what};\n"), net(), shader_piece!("levels/piece.wgsl")),
    };
    let text = format!("const LANES: u32 = {lanes}u;\n{constants}");
    let constants = Piece { path: "the constants of the kernel".into(), text: text.into() };
    let own = [vec![shader_piece!("levels/ranges.wgsl")], over, vec![constants, main]].concat();
    kernel(&format!("levels {}", label.to_lowercase()), &own)
}

/// All kernels, for tests that need no device.
pub fn kernels() -> Vec<Kernel> {
    let pieces = [RESTRICT, LIFT, OPEN, LOWER, PULL, HAND].map(Job::Piece);
    let workgroup = Workgroup { nodes: NODE_STEP, threads: FEWEST_THREADS, lanes: MOST_LANES };
    let of_nets = |job| of_nets(job, workgroup);
    [Job::Whole].into_iter().chain(pieces).map(of_nets).chain([prolong()]).collect()
}

/// The levels of all sheets as the kernels read them. Nodes of the finest levels come first, of all sheets, then the
/// others.
#[derive(Default)]
struct Lists {
    nodes: Vec<Node>,
    /// Three of each node.
    rows: RowList,
    moved: RowList,
    edges: Vec<NetEdge>,
    /// Of each sheet.
    firsts: Vec<Firsts>,
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
        let firsts = firsts(sheets);
        let of_sheets = || sheets.iter().zip(&firsts);
        let deepest = sheets.iter().map(|sheet| sheet.levels.len()).max().unwrap_or(0);
        for depth in 0..deepest {
            for (sheet, firsts) in of_sheets().filter(|(sheet, _)| depth < sheet.levels.len()) {
                lists.add_nodes(sheet, depth, slot_of, firsts);
            }
        }
        for (sheet, firsts) in of_sheets() {
            for (particle, row) in sheet.particles.clone().zip(sheet.levels[0].prolong.rows()) {
                lists.moved.begin();
                lists.moved.words.push(slot_of[particle as usize]);
                lists.moved.push(row, |node| firsts.nodes[0] + node);
            }
            (0..sheet.levels.len()).rev().for_each(|depth| lists.add_edges(&sheet.levels[depth], firsts.nodes[depth]));
        }
        Self { firsts, ..lists }
    }

    fn add_nodes(&mut self, sheet: &Sheet, depth: usize, slot_of: &[u32], firsts: &Firsts) {
        let slot = |particle: u32| slot_of[(sheet.particles.start + particle) as usize];
        let level = &sheet.levels[depth];
        let coarser = sheet.levels.get(depth + 1);
        let ends = edges_of_nodes(level);
        for (index, row) in level.restrict.rows().enumerate() {
            let child = level.centres[index];
            let centre = match depth {
                0 => slot(child),
                _ => self.nodes[(firsts.nodes[depth - 1] + child) as usize].centre,
            };
            self.nodes.push(Node { centre, inverse_mass: level.net.inverse_masses[index] as f32, ..Node::default() });
            self.rows.begin();
            self.rows.push(row, |child| match depth {
                0 => slot(child),
                _ => firsts.nodes[depth - 1] + child,
            });
            self.rows.begin();
            if let Some(coarser) = coarser {
                self.rows.push(coarser.prolong.row(index), |node| firsts.nodes[depth + 1] + node);
            }
            self.rows.begin();
            self.rows.words.extend(ends.row(index).iter().map(|end| 2 * firsts.edges[depth] + end));
        }
    }

    fn add_edges(&mut self, level: &Level, first_node: u32) {
        self.edges.extend(level.net.edges.iter().map(|edge| NetEdge {
            ends: edge.ends.map(|end| first_node + end),
            length: edge.length as f32,
            factor: edge.factor as f32,
            weight: edge.weight as f32,
            material: edge.material,
            // A large number for infinite, whose multiples are finite: with that the kernel's quotient is 1.
            finest: edge.finest.min(1e30) as f32,
            below: edge.below,
            hinge: edge.bending.material,
            buckling: edge.bending.factor as f32,
        }));
    }
}

/// Where what each sheet has begins in the lists.
pub(crate) fn firsts(sheets: &[Sheet]) -> Vec<Firsts> {
    let nowhere = |sheet: &Sheet| Firsts { nodes: vec![0; sheet.levels.len()], edges: vec![0; sheet.levels.len()] };
    let mut firsts: Vec<Firsts> = sheets.iter().map(nowhere).collect();
    let deepest = sheets.iter().map(|sheet| sheet.levels.len()).max().unwrap_or(0);
    let mut nodes = 0;
    for depth in 0..deepest {
        for (sheet, firsts) in sheets.iter().zip(&mut firsts).filter(|(sheet, _)| depth < sheet.levels.len()) {
            firsts.nodes[depth] = nodes;
            nodes += sheet.levels[depth].net.len() as u32;
        }
    }
    let mut edges = 0;
    for (sheet, firsts) in sheets.iter().zip(&mut firsts) {
        for (level, first) in sheet.levels.iter().zip(&mut firsts.edges).rev() {
            *first = edges;
            edges += level.net.edges.len() as u32;
        }
    }
    firsts
}

/// The edges at each node of a level in the order in which sweeps come to them, as 2 index + end.
fn edges_of_nodes(level: &Level) -> Rows<u32> {
    let ends = |(index, edge): (u32, &Edge)| (0..).zip(edge.ends).map(move |(end, node)| (node, 2 * index + end));
    Rows::gathered(level.net.len(), (0..).zip(&level.net.edges).flat_map(ends), |_, end| end)
}

/// What a workgroup that does whole levels has on a device: threads for the widest stage that there is.
fn workgroup(device: &wgpu::Device, sheets: &[Sheet]) -> Workgroup {
    let limits = device.limits();
    let most = (limits.max_compute_workgroup_storage_size / MOVED_BYTES) as usize;
    let small = || sheets.iter().flat_map(|sheet| &sheet.levels).filter(|level| level.net.len() <= most);
    let nodes = small().map(|level| level.net.len()).max().unwrap_or(0).next_multiple_of(NODE_STEP).min(most);
    let widest = small().flat_map(|level| &level.colours).map(|colour| colour.end - colour.start).max().unwrap_or(0);
    let (most, lanes) = match device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => (FEWEST_THREADS, 4),
        _ => (limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x), MOST_LANES),
    };
    let threads = widest.next_power_of_two().clamp(FEWEST_THREADS, most.min(MOST_THREADS));
    Workgroup { nodes: nodes.max(threads as usize), threads, lanes }
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
    [
        nodes * size_of::<Node>(),
        (3 * nodes + 1 + 2 * shares + 2 * (shares - moved) + 2 * edges) * 4,
        (2 * particles + 1 + 2 * moved) * 4,
        edges * size_of::<NetEdge>(),
        edges * TIE_BYTES,
        edges * 4,
    ]
    .map(|bytes| bytes as u64)
}

/// What each thing that is done to a node or edge of nets moves, bytes, by what the sheets have on the mean. Shares are
/// two words, of a node that is lifted another half of one, of one that is lowered a quarter.
fn bytes_each(what: &str, sheets: &[Sheet]) -> u64 {
    let above = || sheets.iter().flat_map(|sheet| &sheet.levels[1..]);
    let (node, edge) = (size_of::<Node>(), size_of::<NetEdge>());
    let nodes: usize = sheets.iter().map(Sheet::node_count).sum();
    let edges: usize = sheets.iter().map(Sheet::edge_count).sum();
    let shares: usize = above().map(|level| level.prolong.entries.len()).sum();
    let mean = |count: usize, of: usize| count / of.max(1);
    let bytes = match what {
        // Each particle brings x and d.
        RESTRICT => {
            let finest = || sheets.iter().map(|sheet| &sheet.levels[0]);
            let shares = finest().map(|level| level.prolong.entries.len()).sum::<usize>();
            mean(shares * (8 + 32), finest().map(|level| level.net.len()).sum()) + node
        }
        LIFT => mean(shares * (8 + node / 2), above().map(|level| level.net.len()).sum()) + node / 2,
        OPEN => edge + TIE_BYTES + 8 + node,
        LOWER => mean(shares * (8 + node / 4), nodes) + node / 2,
        // λ comes and goes; in pieces both nodes, too.
        PULL => TIE_BYTES + 8,
        _ => mean(2 * edges * (4 + TIE_BYTES + 4), nodes) + node / 2,
    };
    bytes as u64
}

/// The levels over all sheets.
pub struct Levels {
    /// One after the other: places go up, the levels' turns, corrections come down.
    work: Vec<Work>,
    /// The sums of forces over the frame, where a host asks for them.
    summing: bool,
    forces: wgpu::Buffer,
    memory: u64,
}

impl Levels {
    /// `None` where the plan has no levels. `summing`: whether a host asks for forces.
    pub fn new(setup: &Setup) -> Result<Option<Self>, SolverError> {
        let Setup { pipelines, buffers: shared, sheets, slot_of, .. } = *setup;
        let summing = setup.model.settings.mean_forces;
        if sheets.is_empty() {
            return Ok(None);
        }
        let device = pipelines.device.clone();
        let lists = Lists::new(sheets, slot_of);
        let workgroup = workgroup(&device, sheets);
        let stages = Stages::new(sheets, &lists.firsts, workgroup);
        let forces = zeroed(&device, "level_forces", if summing { slot_of.len() as u64 * VECTOR_BYTES } else { 0 });
        let buffers = [
            ("level_forces", forces.clone()),
            ("nodes", upload(&device, "nodes", &lists.nodes)),
            ("rows", upload(&device, "rows", &lists.rows.list())),
            ("moved", upload(&device, "moved", &lists.moved.list())),
            ("net_edges", upload(&device, "net_edges", &lists.edges)),
            ("ties", zeroed(&device, "ties", (lists.edges.len() * TIE_BYTES) as u64)),
            // As many as edges, by which the kernels count these: a buffer of zeros has four at least.
            ("lambdas", upload(&device, "lambdas", &vec![0.0_f32; lists.edges.len()])),
            ("ranges", upload(&device, "ranges", &stages.ranges)),
        ];
        let particles: u32 = sheets.iter().map(|sheet| sheet.particles.len() as u32).sum();
        // An entry is two words, and brings a quarter of a node.
        let entries: u64 = sheets.iter().map(|sheet| sheet.levels[0].prolong.entries.len() as u64).sum();
        let mut dispatches = Dispatches::default();
        let of_turn = |turn: &Turn| {
            let bytes: u64 = turn.items.iter().map(|(what, count)| count * bytes_each(what, sheets)).sum();
            dispatches.workgroups(turn.first..turn.first + turn.count, bytes / u64::from(turn.count))
        };
        let in_turns: Vec<Dispatch> = stages.turns.iter().map(of_turn).collect();
        let down = dispatches
            .threads(0..particles, entries * (8 + 16) / u64::from(particles) + (3 + 2 * u64::from(summing)) * 16);
        let batches = dispatches.upload(&device);
        let mut own = vec![("batch", BufferRange::slot(&batches))];
        own.extend(buffers.iter().map(|(name, buffer)| (*name, BufferRange::all(buffer))));
        let work = |kernel: Kernel, dispatch| -> Result<Work, SolverError> {
            let pipeline = pipelines.get(kernel, &[("SUMMED", summing)])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let of_turn = |(turn, dispatch): (&Turn, Dispatch)| work(of_nets(turn.job, workgroup), dispatch);
        let solve = stages.turns.iter().zip(in_turns).map(of_turn);
        let work = solve.chain([work(prolong(), down)]).collect::<Result<Vec<Work>, SolverError>>()?;
        let memory = buffers.iter().map(|(_, buffer)| buffer.size()).sum();
        Ok(Some(Self { work, summing, forces, memory }))
    }
}

impl Pass for Levels {
    fn hooks(&self) -> Hooks {
        Hooks { correct_prediction: true, ..Hooks::default() }
    }

    fn correct_prediction(&self, recorder: &mut Recorder) {
        for work in &self.work {
            recorder.run(work);
        }
    }

    fn forces(&self) -> Option<BufferRange<'_>> {
        self.summing.then(|| BufferRange::all(&self.forces))
    }

    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}
