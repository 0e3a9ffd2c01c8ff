//! Islands ([`Plan::islands`]), which a workgroup solves whole: all colours of all kinds in one dispatch, and all
//! sweeps of a substep or all substeps of a frame where nothing else acts in between.

use std::ops::Range;
use std::sync::Arc;

use crate::constraint::Kind;
use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::cluster::falls_freely;
use crate::gpu::constraints::VECTOR_BYTES;
use crate::gpu::island_kernel::{HEAD, THREADS, frame_kernel, solve_kernel};
use crate::gpu::joined_kernel::constants;
use crate::gpu::kernel::{Kernel, KernelError, Pipeline};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::gpu::stages::{STAGE_WORDS, Stage, Visited, cluster_words, tell_cluster, visited};
use crate::gpu::stores::{Offsets, Stores};
use crate::gpu::visit::KernelLeg;
use crate::model::{Integrator, Model, Settings};
use crate::plan::{CLUSTER_PARTICLES, Leg, MAX_BINDING_BYTES, Plan};
use crate::step::{Needs, Used};

/// Of each leg of the kernel the visits to a cluster's stages.
type Legs<'a> = Vec<Vec<Visited<'a>>>;

/// By cluster; in a cluster in the order in which sweeps take them. Groups are those of the plan.
fn stages(plan: &Plan) -> Vec<Stage> {
    let mut stages = Vec::new();
    for (group, planned) in plan.groups.iter().enumerate() {
        for batch in planned.batches.iter().filter(|batch| batch.gather.is_none()) {
            let mut cluster = 0;
            let mut place = batch.range.start;
            while place < batch.range.end {
                let slot = planned.smallest_slot(place);
                cluster += plan.islands[cluster..].iter().take_while(|slots| slots.end <= slot).count();
                let Some(slots) = plan.islands.get(cluster) else { break };
                let end = planned.first_from(&(place..batch.range.end), slots.end);
                stages.push(Stage { cluster: cluster as u32, group, place, count: end - place });
                place = end;
            }
        }
    }
    stages.sort_by_key(|stage| stage.cluster);
    stages
}

/// Constraints that a software device solves in the time of a dispatch: 40 µs on lavapipe, which does about 100 a µs.
const IN_A_DISPATCH: usize = 4096;

/// Whether islands take less time than colours. On a card a colour costs a launch, and islands move less memory; a
/// software device has neither launches nor memory of workgroups to gain by, and pays for threads without a constraint:
/// 1,000 ropes of 64 particles, 25,000 constraints a colour, took 0.90 s a frame by islands and 0.37 s by colours.
fn pay_off(device: &wgpu::Device, stages: &[Stage]) -> bool {
    let constraints: usize = stages.iter().map(|stage| stage.count as usize).sum();
    let colours = stages.chunk_by(|a, b| a.cluster == b.cluster).map(<[Stage]>::len).max().unwrap_or(0);
    device.adapter_info().device_type != wgpu::DeviceType::Cpu || constraints < IN_A_DISPATCH * colours
}

/// How many words stand before the stages.
fn words_before(plan: &Plan, legs: usize) -> usize {
    HEAD + plan.islands.len() * cluster_words(legs)
}

/// Of each cluster and each leg of the kernel the visits to its stages.
fn all_visited<'a>(plan: &Plan, settings: &Settings, stages: &'a [Stage], legs: &[Leg]) -> Vec<Legs<'a>> {
    let mut rest = stages;
    let of_cluster = |cluster: u32| {
        let (mine, others) = rest.split_at(rest.iter().take_while(|stage| stage.cluster == cluster).count());
        rest = others;
        visited(plan, settings, legs, mine, |group| group)
    };
    (0..plan.islands.len() as u32).map(of_cluster).collect()
}

/// The words before the records.
fn words(plan: &Plan, iterations: u32, visited: &[Legs], legs: usize, offsets: &Offsets) -> Vec<u32> {
    let mut next = words_before(plan, legs);
    let mut words = vec![iterations];
    for (slots, visited) in plan.islands.iter().zip(visited) {
        tell_cluster(&mut words, [slots.start, slots.end], visited, &mut next);
    }
    for ((_, stage), visit) in visited.iter().flatten().flatten() {
        let kind = plan.groups[stage.group].kind;
        let record = offsets.records[stage.group] as usize / 4 + stage.place as usize * kind.record_size() / 4;
        words.extend(stage.words(*visit, record as u32, kind, offsets.multipliers[stage.group]));
    }
    words
}

/// Turns of all its loops together after which lavapipe ends a kernel's loops, whatever they hold.
const MOST_TURNS: usize = 65_535;

/// How many substeps a workgroup gets to the end of in one dispatch: a software device gives up loops that go on for
/// long. (Unnoticed, a cloth of 64 × 64 lost half of its energy at 800 substeps.) Counted as if no compiler unrolled
/// any.
fn substeps_at_once(device: &wgpu::Device, model: &Model, plan: &Plan, visited: &[Legs]) -> usize {
    let turns = |count: u32| count.div_ceil(THREADS) as usize + 1;
    let of_stage = |stage: &Stage| {
        let components = plan.groups[stage.group].kind.components();
        2 + turns(stage.count) * (3 + components)
    };
    let of_cluster = |(slots, legs): (&Range<u32>, &Legs)| {
        let sweep = 2 + legs.iter().flatten().map(|((_, stage), _)| of_stage(stage)).sum::<usize>();
        2 + turns(slots.end - slots.start) + model.settings.iterations as usize * sweep
    };
    let substep = plan.islands.iter().zip(visited).map(of_cluster).max().unwrap_or(0);
    match device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => MOST_TURNS / substep.max(1),
        _ => usize::MAX,
    }
}

/// Whether a workgroup can do all substeps of a frame: nothing but constraints and gravity acts on any particle, or
/// ever will while the solver runs but for pulls and damping.
fn fits_a_frame(model: &Model, used: &[Used], plan: &Plan) -> bool {
    let all = plan.islands.last().is_some_and(|slots| slots.end as usize == plan.particle_of.len());
    all && !used.iter().any(|used| used.rest_changes) && falls_freely(model, plan)
}

/// What the kernels bind.
struct IslandBuffers {
    batches: wgpu::Buffer,
    words: wgpu::Buffer,
    multipliers: wgpu::Buffer,
}

/// The islands of a solver.
pub struct Islands {
    kinds: Vec<&'static dyn Kind>,
    /// The groups of these kinds, in the plan.
    groups: Vec<usize>,
    legs: Vec<KernelLeg>,
    /// Which of them share fixed particles within a colour.
    sharing: Vec<bool>,
    needs: Vec<Needs>,
    buffers: IslandBuffers,
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

impl Islands {
    /// Where the plan has islands, a workgroup's memory holds each, and what they hold can be bound as a whole.
    /// `needs`: of each group.
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
        // Islands lie in the first phase.
        let halves = plan.sweep(model.settings.sweep);
        let legs: Vec<Leg> =
            halves.into_iter().flatten().filter(|leg| leg.phase == 0 && groups.contains(&leg.group)).collect();
        let kernel_legs = KernelLeg::of(&legs, &groups);
        let visited = all_visited(plan, &model.settings, &stages, &legs);
        let visits: usize = visited.iter().flatten().map(Vec::len).sum();
        let offsets = Offsets::new(plan, words_before(plan, kernel_legs.len()) + STAGE_WORDS * visits);
        let small = plan.islands.iter().all(|slots| slots.len() <= CLUSTER_PARTICLES);
        let fits = small && offsets.largest() <= MAX_BINDING_BYTES as u64;
        // Two kinds from outside may have functions of the same name: then each is solved by a kernel of its own.
        let valid = || solve_kernel(&kinds, &kernel_legs).is_some_and(|kernel| kernel.validate().is_ok());
        // With BDF2 particles have a past.
        let has_past = model.settings.integrator == Integrator::Bdf2;
        if stages.is_empty() || has_past || !fits || !pay_off(&pipelines.device, &stages) || !valid() {
            return Ok(None);
        }

        let device = pipelines.device.clone();
        let words = words(plan, model.settings.iterations, &visited, kernel_legs.len(), &offsets);
        let memory = words.len() as u64 * 4;
        let (words, multipliers, stores) = Stores::joined(&device, plan, &offsets, &words);
        let mut dispatches = Dispatches::default();
        let dispatch = dispatch(model, plan, needs, &visited, &mut dispatches);
        let at_once = substeps_at_once(&device, model, plan, &visited);
        let buffers = IslandBuffers { batches: dispatches.upload(&device), words, multipliers };
        let mut islands = Self {
            sharing: groups.iter().map(|&group| !plan.groups[group].shared.is_empty()).collect(),
            needs: groups.iter().map(|&group| needs[group]).collect(),
            kinds,
            groups,
            legs: kernel_legs,
            buffers,
            dispatch,
            solve: None,
            frame: None,
            whole_substeps: at_once > 0,
            end: plan.islands.last().map_or(0, |slots| slots.end),
            memory,
        };
        if fits_a_frame(model, used, plan)
            && at_once >= model.settings.substeps as usize
            && let Some(kernel) = frame_kernel(&islands.kinds, &islands.legs).filter(|kernel| kernel.validate().is_ok())
        {
            islands.frame = Some(islands.work(pipelines, shared, kernel, FRAME)?);
        }
        Ok(Some((islands, stores)))
    }

    fn pipeline(&self, pipelines: &Pipelines, kernel: Kernel, needs: &[Needs]) -> Result<Arc<Pipeline>, KernelError> {
        pipelines.get(kernel, &constants(&self.kinds, needs, &self.sharing).each())
    }

    fn work(&self, pipelines: &Pipelines, shared: &Buffers, kernel: Kernel, which: usize) -> Result<Work, KernelError> {
        let IslandBuffers { batches, words, multipliers } = &self.buffers;
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

    /// Makes what solves islands substep by substep, if it is not there.
    pub fn prepare_substeps(&mut self, pipelines: &Pipelines, shared: &Buffers) -> Result<(), KernelError> {
        if let (None, Some(kernel)) = (&self.solve, solve_kernel(&self.kinds, &self.legs)) {
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
        let kernels = (solve_kernel(kinds, legs), frame_kernel(kinds, legs));
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
            recorder.section("islands").run(substep);
        }
    }

    /// One sweep.
    pub fn sweep(&self, recorder: &mut Recorder) {
        if let Some([sweep, _]) = &self.solve {
            recorder.section("islands").run(sweep);
        }
    }
}

/// The dispatches by their order.
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
    let of_stage = |((_, stage), visit): &Visited| {
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
    let solved = solved.map_or(0, |cluster| cluster as u32 + 1);
    let all = plan.islands.len() as u32;
    let sweep = (constraints + particles) / u64::from(solved.max(1));
    let vectors = plan.particle_of.len() as u64 * 6 * VECTOR_BYTES;
    // Particles are in workgroup memory: x, e and u come in and out once.
    let frame = constraints * iterations * substeps + vectors;
    [
        dispatches.workgroups(0..solved, sweep),
        dispatches.all_sweeps(0..solved, sweep * iterations),
        dispatches.workgroups(0..all, frame / u64::from(all.max(1))),
    ]
}
