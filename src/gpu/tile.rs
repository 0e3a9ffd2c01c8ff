//! Tiles ([`Plan::tiles`]): small bodies that a workgroup solves whole, all colours of all kinds in one dispatch, and
//! all sweeps of a substep or all substeps of a frame where nothing else acts in between. `shaders/tile/` has the
//! frames of the two kernels; the glue is that of the coloured kernels, once for each kind.

use std::ops::Range;
use std::sync::Arc;

use crate::constraint::Kind;
use crate::gpu::buffers::{BufferRange, Buffers, Slice, upload, zeroed};
use crate::gpu::cluster::falls_freely;
use crate::gpu::kernel::{Kernel, KernelError, Pipeline};
use crate::gpu::needs::{MULTIPLIER_BYTES, VECTOR_BYTES};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::gpu::tile_kernel::{constants, frame_kernel, solve_kernel, threads};
use crate::gpu::visit::{KernelLeg, Visit, is_done_at_once, visits};
use crate::model::{Integrator, Model, Settings};
use crate::plan::{Leg, MAX_BINDING_BYTES, Plan, PlannedGroup, TILE_PARTICLES};
use crate::step::{Needs, Used};

/// Words of a stage in `shaders/tile/stages.wgsl`.
const STAGE_WORDS: usize = 3;
/// Where in the first of them its visit is.
const VISIT_SHIFT: u32 = 28;
/// Groups begin at multiples of this many bytes, as every binding must.
const ALIGNMENT: u64 = 256;

/// Records and multipliers of each group.
pub struct Stores {
    pub records: Vec<Slice>,
    pub multipliers: Vec<Slice>,
}

impl Stores {
    /// A buffer for each, or `together` one for the multipliers of all.
    pub fn new(device: &wgpu::Device, plan: &Plan, together: bool) -> Self {
        let records = |group: &PlannedGroup| upload(device, &format!("{} records", group.kind.name()), &group.records);
        let multipliers = |group: &PlannedGroup| {
            zeroed(device, &format!("{} multipliers", group.kind.name()), multiplier_bytes(group))
        };
        Self {
            records: plan.groups.iter().map(|group| Slice::all(records(group))).collect(),
            multipliers: match together {
                true => joined_multipliers(device, plan, &Layout::new(plan, 0)).1,
                false => plan.groups.iter().map(|group| Slice::all(multipliers(group))).collect(),
            },
        }
    }

    /// One buffer for all records, behind these words, and one for all multipliers.
    fn joined(
        device: &wgpu::Device,
        plan: &Plan,
        layout: &Layout,
        words: &[u32],
    ) -> (wgpu::Buffer, wgpu::Buffer, Self) {
        let mut bytes = bytemuck::cast_slice(words).to_vec();
        for (group, &offset) in plan.groups.iter().zip(&layout.records) {
            bytes.resize(offset as usize, 0);
            bytes.extend_from_slice(&group.records);
        }
        let words = upload(device, "tiles and records", &bytes);
        let records = slices(plan, &layout.records, &words, |group| group.records.len() as u64);
        let (joined, multipliers) = joined_multipliers(device, plan, layout);
        (words, joined, Self { records, multipliers })
    }
}

/// One buffer for the multipliers of all groups.
fn joined_multipliers(device: &wgpu::Device, plan: &Plan, layout: &Layout) -> (wgpu::Buffer, Vec<Slice>) {
    let buffer = zeroed(device, "multipliers", layout.multipliers_end);
    let slices = slices(plan, &layout.multipliers, &buffer, multiplier_bytes);
    (buffer, slices)
}

/// The part of each group, from these offsets on. What nobody reads must be there all the same.
fn slices(plan: &Plan, offsets: &[u64], buffer: &wgpu::Buffer, size: fn(&PlannedGroup) -> u64) -> Vec<Slice> {
    let slice =
        |(group, &offset): (&PlannedGroup, &u64)| Slice { buffer: buffer.clone(), offset, size: size(group).max(16) };
    plan.groups.iter().zip(offsets).map(slice).collect()
}

pub fn multiplier_bytes(group: &PlannedGroup) -> u64 {
    group.len() as u64 * group.kind.components() as u64 * MULTIPLIER_BYTES
}

/// Where in the two buffers each group begins, bytes.
struct Layout {
    records: Vec<u64>,
    multipliers: Vec<u64>,
    records_end: u64,
    multipliers_end: u64,
}

impl Layout {
    /// With so many words before the records.
    fn new(plan: &Plan, words: usize) -> Self {
        let place = |mut end: u64, size: fn(&PlannedGroup) -> u64| {
            let begin = |group: &PlannedGroup| {
                let begin = end.next_multiple_of(ALIGNMENT);
                end = begin + size(group).max(16);
                begin
            };
            let begins: Vec<u64> = plan.groups.iter().map(begin).collect();
            (begins, end)
        };
        let (records, records_end) = place(words as u64 * 4, |group| group.records.len() as u64);
        let (multipliers, multipliers_end) = place(0, multiplier_bytes);
        Self { records, multipliers, records_end, multipliers_end }
    }
}

/// Constraints of one group and colour that a tile solves at once.
struct Stage {
    tile: usize,
    /// Of the plan.
    group: usize,
    place: u32,
    count: u32,
}

/// Of each leg of a tile's kernel the visits to its stages.
type Legs<'a> = Vec<Vec<(&'a Stage, Visit)>>;

/// In the order in which sweeps take them.
fn stages(plan: &Plan) -> Vec<Stage> {
    let mut stages = Vec::new();
    for (index, group) in plan.groups.iter().enumerate() {
        for batch in group.batches.iter().filter(|batch| batch.gather.is_none()) {
            let mut tile = 0;
            let mut place = batch.range.start;
            while place < batch.range.end {
                let slot = group.smallest_slot(place);
                tile += plan.tiles[tile..].iter().take_while(|tile| tile.end <= slot).count();
                let Some(slots) = plan.tiles.get(tile) else { break };
                let end = group.first_from(&(place..batch.range.end), slots.end);
                stages.push(Stage { tile, group: index, place, count: end - place });
                place = end;
            }
        }
    }
    // By tile; within a tile as they are.
    stages.sort_by_key(|stage| stage.tile);
    stages
}

/// Constraints that a software device solves in the time of a dispatch: 40 µs on lavapipe, which does about 100 a µs.
const IN_A_DISPATCH: usize = 4096;

/// Whether tiles take less time than colours. On a card a colour costs a launch, and tiles move less memory; a software
/// device has neither launches nor memory of workgroups to gain by, and pays for threads without a constraint: 1,000
/// ropes of 64 particles, 25,000 constraints a colour, took 0.90 s a frame by tiles and 0.37 s by colours, W1 at n =
/// 64, with 2,000, as long by either.
fn pay_off(device: &wgpu::Device, stages: &[Stage]) -> bool {
    let constraints: usize = stages.iter().map(|stage| stage.count as usize).sum();
    let colours = stages.chunk_by(|a, b| a.tile == b.tile).map(<[Stage]>::len).max().unwrap_or(0);
    device.adapter_info().device_type != wgpu::DeviceType::Cpu || constraints < IN_A_DISPATCH * colours
}

/// How many words stand before the stages: the number of iterations and the tiles.
fn words_before(plan: &Plan, legs: usize) -> usize {
    1 + plan.tiles.len() * (legs + 3)
}

/// Of each tile and each leg of its kernel the visits to its stages.
fn visited<'a>(plan: &Plan, settings: &Settings, stages: &'a [Stage], legs: &[Leg]) -> Vec<Legs<'a>> {
    let mut rest = stages;
    let mut of_tile = |tile: usize| {
        let (mine, others) = rest.split_at(rest.iter().take_while(|stage| stage.tile == tile).count());
        rest = others;
        let of_leg = |leg: &Leg| {
            let planned = &plan.groups[leg.group];
            let first = planned.innermost(leg.phase);
            let items = mine.iter().filter(|stage| stage.group == leg.group).map(|stage| (stage, stage.place < first));
            visits(leg, &items.collect::<Vec<_>>(), is_done_at_once(settings, planned.kind))
        };
        legs.iter().flat_map(of_leg).collect()
    };
    (0..plan.tiles.len()).map(&mut of_tile).collect()
}

/// The words before the records.
fn words(plan: &Plan, iterations: u32, visited: &[Legs], legs: usize, layout: &Layout) -> Vec<u32> {
    let first_stage = words_before(plan, legs);
    let mut words = vec![iterations];
    let mut next = 0;
    for (slots, visited) in plan.tiles.iter().zip(visited) {
        words.extend([slots.start, slots.end]);
        let at = |stage: usize| (first_stage + STAGE_WORDS * stage) as u32;
        for stages in visited {
            words.push(at(next));
            next += stages.len();
        }
        words.push(at(next));
    }
    for (stage, visit) in visited.iter().flatten().flatten() {
        let kind = plan.groups[stage.group].kind;
        let record = layout.records[stage.group] as usize / 4 + stage.place as usize * kind.record_size() / 4;
        let first = u64::from(stage.place) * kind.components() as u64;
        let multiplier = layout.multipliers[stage.group] / MULTIPLIER_BYTES + first;
        words.extend([stage.count | visit.bits() << VISIT_SHIFT, record as u32, multiplier as u32]);
    }
    words
}

fn is_large(tile: &Range<u32>) -> bool {
    tile.end - tile.start > TILE_PARTICLES
}

/// Turns of all its loops together after which lavapipe ends a kernel's loops, whatever they hold.
const MOST_TURNS: usize = 65_535;

/// How many substeps a workgroup gets to the end of in one dispatch: a software device gives up loops that go on for
/// long. (Unnoticed, a cloth of 64 × 64 lost half of its energy at 800 substeps.) Counted as if no compiler unrolled
/// any.
fn substeps_at_once(device: &wgpu::Device, model: &Model, plan: &Plan, visited: &[Legs], threads: u32) -> usize {
    let turns = |count: u32| count.div_ceil(threads) as usize + 1;
    let of_stage = |stage: &Stage| {
        let components = plan.groups[stage.group].kind.components();
        2 + turns(stage.count) * (3 + components)
    };
    let of_tile = |(tile, legs): (&Range<u32>, &Legs)| {
        let sweep = 2 + legs.iter().flatten().map(|(stage, _)| of_stage(stage)).sum::<usize>();
        2 + turns(tile.end - tile.start) + model.settings.iterations as usize * sweep
    };
    let substep = plan.tiles.iter().zip(visited).map(of_tile).max().unwrap_or(0);
    match device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => MOST_TURNS / substep.max(1),
        _ => usize::MAX,
    }
}

/// Whether a workgroup can do all substeps of a frame: nothing but constraints and gravity acts on any particle, or
/// ever will while the solver runs but for pulls and damping.
fn fits_a_frame(model: &Model, used: &[Used], plan: &Plan) -> bool {
    let all = plan.tiles.last().is_some_and(|tile| tile.end as usize == plan.particle_of.len());
    all && !used.iter().any(|used| used.rest_changes) && falls_freely(model, plan)
}

/// What the kernels of tiles bind.
struct TileBuffers {
    batches: wgpu::Buffer,
    words: wgpu::Buffer,
    multipliers: wgpu::Buffer,
}

/// The tiles of a solver.
pub struct Tiles {
    kinds: Vec<&'static dyn Kind>,
    /// Whether some are larger than a workgroup's memory.
    large: bool,
    /// The groups of these kinds, in the plan.
    groups: Vec<usize>,
    legs: Vec<KernelLeg>,
    /// Which of them share fixed particles within a colour.
    sharing: Vec<bool>,
    needs: Vec<Needs>,
    buffers: TileBuffers,
    dispatch: [Dispatch; 3],
    /// One sweep, and all of a substep. Not there before it is needed, where a frame can be done as a whole.
    solve: Option<[Work; 2]>,
    frame: Option<Work>,
    /// Whether one dispatch does all sweeps of a substep.
    pub whole_substeps: bool,
    /// The first slot beyond them.
    pub end: u32,
    pub memory: u64,
}

impl Tiles {
    /// Where the plan has tiles, and what they hold can be bound as a whole. `needs`: of each group.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        model: &Model,
        used: &[Used],
        plan: &Plan,
        needs: &[Needs],
    ) -> Result<Option<(Self, Stores)>, KernelError> {
        let stages = stages(plan);
        let mut groups: Vec<usize> = stages.iter().map(|stage| stage.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let kinds: Vec<_> = groups.iter().map(|&group| plan.groups[group].kind).collect();
        // Tiles lie in the first phase.
        let halves = plan.sweep(model.settings.sweep);
        let legs: Vec<Leg> =
            halves.into_iter().flatten().filter(|leg| leg.phase == 0 && groups.contains(&leg.group)).collect();
        let kernel_legs = KernelLeg::of(&legs, &groups);
        let visited = visited(plan, &model.settings, &stages, &legs);
        let visits: usize = visited.iter().flatten().map(Vec::len).sum();
        let layout = Layout::new(plan, words_before(plan, kernel_legs.len()) + STAGE_WORDS * visits);
        let fits = layout.records_end.max(layout.multipliers_end) <= MAX_BINDING_BYTES as u64;
        // Two kinds from outside may have functions of the same name: then each is solved by a kernel of its own.
        let large = plan.tiles.iter().any(is_large);
        let valid = || solve_kernel(&kinds, &kernel_legs, large).is_some_and(|kernel| kernel.validate().is_ok());
        // With BDF2 particles have a past.
        let has_past = model.settings.integrator == Integrator::Bdf2;
        if stages.is_empty() || has_past || !fits || !pay_off(&pipelines.device, &stages) || !valid() {
            return Ok(None);
        }

        let device = pipelines.device.clone();
        let words = words(plan, model.settings.iterations, &visited, kernel_legs.len(), &layout);
        let memory = words.len() as u64 * 4;
        let (words, multipliers, stores) = Stores::joined(&device, plan, &layout, &words);
        let mut dispatches = Dispatches::default();
        let dispatch = dispatch(model, plan, needs, &visited, &mut dispatches);
        let at_once = substeps_at_once(&device, model, plan, &visited, threads(large));
        let buffers = TileBuffers { batches: dispatches.upload(&device), words, multipliers };
        let mut tiles = Self {
            sharing: groups.iter().map(|&group| !plan.groups[group].shared.is_empty()).collect(),
            needs: groups.iter().map(|&group| needs[group]).collect(),
            kinds,
            large,
            groups,
            legs: kernel_legs,
            buffers,
            dispatch,
            solve: None,
            frame: None,
            whole_substeps: at_once > 0,
            end: plan.tiles.last().map_or(0, |tile| tile.end),
            memory,
        };
        if fits_a_frame(model, used, plan)
            && at_once >= model.settings.substeps as usize
            && let Some(kernel) =
                frame_kernel(&tiles.kinds, &tiles.legs, large).filter(|kernel| kernel.validate().is_ok())
        {
            tiles.frame = Some(tiles.work(pipelines, shared, kernel, FRAME)?);
        }
        Ok(Some((tiles, stores)))
    }

    fn pipeline(&self, pipelines: &Pipelines, kernel: Kernel, needs: &[Needs]) -> Result<Arc<Pipeline>, KernelError> {
        pipelines.get(kernel, &constants(&self.kinds, needs, &self.sharing).each())
    }

    fn work(&self, pipelines: &Pipelines, shared: &Buffers, kernel: Kernel, which: usize) -> Result<Work, KernelError> {
        let TileBuffers { batches, words, multipliers } = &self.buffers;
        let mut own = vec![
            ("batch", BufferRange::slot(batches)),
            ("words", BufferRange::all(words)),
            ("multipliers", BufferRange::all(multipliers)),
        ];
        let stored = [("stored_x", "x"), ("stored_e", "e"), ("stored_u", "u")];
        own.extend(stored.into_iter().filter_map(|(name, stored)| Some((name, shared.get(stored)?))));
        let pipeline = self.pipeline(pipelines, kernel, &self.needs)?;
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
        Ok(Work { dispatch: self.dispatch[which], pipeline, bind_group })
    }

    /// Makes what solves tiles substep by substep, if it is not there.
    pub fn prepare_substeps(&mut self, pipelines: &Pipelines, shared: &Buffers) -> Result<(), KernelError> {
        if let (None, Some(kernel)) = (&self.solve, solve_kernel(&self.kinds, &self.legs, self.large)) {
            let sweep = self.work(pipelines, shared, kernel, SWEEP)?;
            let Work { pipeline, bind_group, .. } = &sweep;
            let dispatch = self.dispatch[SUBSTEP];
            let substep = Work { dispatch, pipeline: pipeline.clone(), bind_group: bind_group.clone() };
            self.solve = Some([sweep, substep]);
        }
        Ok(())
    }

    /// Goes on with the kernels that the materials of the model's groups need now; if one does not compile, with those
    /// it has.
    pub fn fit(&mut self, pipelines: &Pipelines, needs: &[Needs]) -> Result<(), KernelError> {
        let needs: Vec<Needs> = self.groups.iter().map(|&group| needs[group]).collect();
        if needs == self.needs {
            return Ok(());
        }
        let (kinds, legs) = (&self.kinds, &self.legs);
        let kernels = (solve_kernel(kinds, legs, self.large), frame_kernel(kinds, legs, self.large));
        let (Some(solve), Some(frame)) = kernels else { return Ok(()) };
        let solve = self.solve.is_some().then(|| self.pipeline(pipelines, solve, &needs)).transpose()?;
        let frame = self.frame.is_some().then(|| self.pipeline(pipelines, frame, &needs)).transpose()?;
        let solves = self.solve.iter_mut().flatten().zip(solve.iter().cycle());
        solves.chain(self.frame.iter_mut().zip(&frame)).for_each(|(work, fitted)| work.pipeline = fitted.clone());
        self.needs = needs;
        Ok(())
    }

    /// All substeps of a frame, if nothing but constraints and gravity ever acts on any particle, but for pulls and
    /// damping.
    pub fn frame(&self) -> Option<&Work> {
        self.frame.as_ref()
    }

    /// All sweeps of a substep.
    pub fn substep(&self, recorder: &mut Recorder) {
        if let Some([_, substep]) = &self.solve {
            recorder.section("tiles").run(substep);
        }
    }

    /// One sweep.
    pub fn sweep(&self, recorder: &mut Recorder) {
        if let Some([sweep, _]) = &self.solve {
            recorder.section("tiles").run(sweep);
        }
    }
}

/// The dispatches of tiles by their order.
const SWEEP: usize = 0;
const SUBSTEP: usize = 1;
const FRAME: usize = 2;

/// What a sweep, a substep and a frame dispatch.
fn dispatch(
    model: &Model,
    plan: &Plan,
    needs: &[Needs],
    visited: &[Legs],
    dispatches: &mut Dispatches,
) -> [Dispatch; 3] {
    let of_stage = |(stage, visit): &(&Stage, Visit)| {
        let kind = plan.groups[stage.group].kind;
        let of_constraint = needs[stage.group].constraint_bytes(kind, *visit);
        let particles = kind.arity().count().unwrap_or(0) as u64;
        [of_constraint, 3 * VECTOR_BYTES * particles].map(|bytes| bytes * u64::from(stage.count))
    };
    let [constraints, particles] = visited
        .iter()
        .flatten()
        .flatten()
        .map(of_stage)
        .fold([0, 0], |sum, bytes| [sum[0] + bytes[0], sum[1] + bytes[1]]);
    let (iterations, substeps) = (u64::from(model.settings.iterations), u64::from(model.settings.substeps));
    let solved = visited.iter().rposition(|legs| legs.iter().any(|stages| !stages.is_empty()));
    let solved = solved.map_or(0, |tile| tile as u32 + 1);
    let all = plan.tiles.len() as u32;
    let sweep = (constraints + particles) / u64::from(solved.max(1));
    let vectors = plan.particle_of.len() as u64 * 6 * VECTOR_BYTES;
    let frame = match plan.tiles.iter().any(is_large) {
        true => ((constraints + particles) * iterations + vectors) * substeps,
        // In workgroup memory: x, e and u in and out once.
        false => constraints * iterations * substeps + vectors,
    };
    [
        dispatches.workgroups(0..solved, sweep),
        dispatches.all_sweeps(0..solved, sweep * iterations),
        dispatches.workgroups(0..all, frame / u64::from(all.max(1))),
    ]
}
