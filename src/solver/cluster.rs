//! Clusters ([`Plan::tilings`]): the constraints among neighbouring particles of a large body, solved in a workgroup's memory. A phase of a
//! sweep is one dispatch in place of one for each colour, and reads and writes its particles once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, upload};
use super::cluster_kernel::{Apart, cluster_kernel, tail_words};
use super::constraints::{MULTIPLIER_BYTES, VECTOR_BYTES};
use super::kernel::{KernelError, Pipeline};
use super::pipelines::Pipelines;
use super::recorder::{Dispatch, Dispatches, Recorder, Work};
use super::tile::{Stores, multiplier_bytes};
use super::tile_kernel::constants;
use crate::constraint::Kind;
use crate::engine::{Needs, Used, air_is_felt};
use crate::model::{Integrator, Model};
use crate::plan::{MAX_BINDING_BYTES, Plan, TILE_PARTICLES};

/// Words of a stage in `shaders/tile/stages.wgsl`.
const STAGE_WORDS: usize = 3;
/// What the end of a substep moves of a cluster's particles besides: x and e, in and out, less x, which comes anyhow.
const STEP_BYTES: u64 = 3 * VECTOR_BYTES * TILE_PARTICLES as u64;

/// Constraints of one group and colour that a cluster solves at once.
#[derive(Clone, Copy)]
struct Stage {
    cluster: u32,
    /// Among those that have clusters.
    group: usize,
    place: u32,
    count: u32,
}

/// What of a plan is solved in clusters.
pub struct Layout<'a> {
    plan: &'a Plan,
    /// Groups of the plan, of each its records and the words of a packed one.
    groups: Vec<(usize, Apart<'a>, usize)>,
    /// Of each phase, by cluster; in a cluster in the order of a sweep.
    stages: Vec<Vec<Stage>>,
    /// The first slot that is in a cluster of the first phase: what lies below is solved in tiles or colour after colour.
    pub first: u32,
}

impl<'a> Layout<'a> {
    /// `None` where nothing can be solved in clusters: the plan has none, a rest value may change, which then stands in the records, multipliers take more than
    /// the bytes that can be bound, or two kinds from outside have functions of the same name.
    pub fn new(binding: u64, model: &Model, used: &[Used], plan: &'a Plan) -> Option<Self> {
        let first = plan.tilings.first()?.slots.iter().copied().min()?;
        let inside = |batch: &crate::plan::Batch| (batch.phase as usize) < plan.tilings.len();
        let holds = |&index: &usize| {
            let group = &plan.groups[index];
            group.batches.iter().filter(|batch| inside(batch)).any(|batch| {
                let from = if batch.phase == 0 { group.first_from(&batch.range, first) } else { batch.range.start };
                from < batch.range.end
            })
        };
        let indices: Vec<usize> = (0..plan.groups.len()).filter(holds).collect();
        let multipliers: u64 = plan.groups.iter().map(|group| multiplier_bytes(group) + 256).sum();
        let fits = multipliers <= binding;
        let one_way = model.settings.integrator == Integrator::Euler;
        if !fits || !one_way || indices.iter().any(|&index| used[index].rest_changes) {
            return None;
        }
        let mut layout = Self { plan, groups: Vec::new(), stages: Vec::new(), first };
        for &index in &indices {
            layout.groups.push((index, Apart::new(&plan.groups[index])?, 2));
        }
        for phase in 0..plan.tilings.len() {
            let stages = layout.stages_of(phase);
            layout.stages.push(stages);
        }
        for index in 0..layout.groups.len() {
            let mine = layout.stages.iter().flatten().filter(|stage| stage.group == index);
            let words = layout.groups[index].1.words(mine.flat_map(|stage| stage.place..stage.place + stage.count));
            layout.groups[index].2 = words;
        }
        let kernel = cluster_kernel(&layout.kinds(), false)?;
        kernel.validate().is_ok().then_some(layout)
    }

    fn kinds(&self) -> Vec<(&'static dyn Kind, usize)> {
        self.groups.iter().map(|(index, _, words)| (self.plan.groups[*index].kind, *words)).collect()
    }

    fn stages_of(&self, phase: usize) -> Vec<Stage> {
        let cluster_of = self.plan.tilings[phase].cluster_of(self.plan.particle_of.len());
        let mut stages: Vec<Stage> = Vec::new();
        for (group, (index, apart, _)) in self.groups.iter().enumerate() {
            let planned = &self.plan.groups[*index];
            for batch in &planned.batches[planned.phase(phase as u32)] {
                let from = if phase == 0 { planned.first_from(&batch.range, self.first) } else { batch.range.start };
                let mut begins = true;
                for place in from..batch.range.end {
                    let cluster = apart.slots(place).next().map_or(u32::MAX, |slot| cluster_of[slot as usize]);
                    match stages.last_mut() {
                        Some(stage) if !begins && stage.cluster == cluster => stage.count += 1,
                        _ => stages.push(Stage { cluster, group, place, count: 1 }),
                    }
                    begins = false;
                }
            }
        }
        stages.sort_by_key(|stage| stage.cluster);
        stages
    }

    /// Which clusters of a phase, each with its stages, a buffer of so many bytes holds at least.
    fn windows(&self, phase: usize, bytes: usize) -> Vec<Window<'_>> {
        let (tiling, stages) = (&self.plan.tilings[phase], &self.stages[phase][..]);
        let mut windows: Vec<Window> = Vec::new();
        let (mut first, mut begin, mut at, mut size) = (0, 0, 0, self.groups.len());
        for cluster in 0..tiling.len() {
            let count = stages[at..].iter().take_while(|stage| stage.cluster as usize == cluster).count();
            let of_stage = |stage: &Stage| {
                let (index, _, words) = &self.groups[stage.group];
                let tail = tail_words(self.plan.groups[*index].kind).unwrap_or(0);
                STAGE_WORDS + stage.count as usize * (words + tail)
            };
            let mine = self.groups.len() + 3 + tiling.cluster(cluster).len();
            let mine = mine + stages[at..at + count].iter().map(of_stage).sum::<usize>();
            if cluster > first && (size + mine) * 4 > bytes {
                windows.push(Window { phase, clusters: first..cluster, stages: &stages[begin..at] });
                (first, begin, size) = (cluster, at, self.groups.len());
            }
            size += mine;
            at += count;
        }
        windows.push(Window { phase, clusters: first..tiling.len(), stages: &stages[begin..at] });
        windows
    }

    /// The words of a window, as `shaders/tile/cluster.wgsl` has them; `multipliers`: where those of each group of the plan begin.
    fn words(&self, window: &Window, multipliers: &[u64], places: &mut [u8]) -> Vec<u32> {
        let tiling = &self.plan.tilings[window.phase];
        let kinds = self.groups.len();
        let slots = tiling.range(window.clusters.start).start..tiling.range(window.clusters.end - 1).end;
        let first_slot = kinds + window.clusters.len() * (kinds + 3);
        let first_stage = first_slot + slots.len();
        let mut words = vec![0; kinds];
        let mut stages = window.stages;
        for cluster in window.clusters.clone() {
            let range = tiling.range(cluster);
            words.extend([range.start, range.end].map(|at| (first_slot + at - slots.start) as u32));
            for group in 0..=kinds {
                words.push((first_stage + STAGE_WORDS * (window.stages.len() - stages.len())) as u32);
                let mine = |stage: &&Stage| (stage.cluster as usize, stage.group) == (cluster, group);
                stages = &stages[stages.iter().take_while(mine).count()..];
            }
            tiling.cluster(cluster).iter().enumerate().for_each(|(at, &slot)| places[slot as usize] = at as u8);
        }
        words.extend(&tiling.slots[slots]);
        let mut record = first_stage + STAGE_WORDS * window.stages.len();
        for stage in window.stages {
            let (index, _, length) = &self.groups[stage.group];
            let first = u64::from(stage.place) * self.plan.groups[*index].kind.components() as u64;
            let multiplier = multipliers[*index] / MULTIPLIER_BYTES + first;
            words.extend([stage.count, record as u32, multiplier as u32]);
            record += stage.count as usize * length;
        }
        let mut tails = vec![Tails::default(); kinds];
        for stage in window.stages {
            let (_, apart, length) = &self.groups[stage.group];
            for place in stage.place..stage.place + stage.count {
                let tail = tails[stage.group].number(apart, place);
                let bytes = apart.slots(place).map(|slot| u32::from(places[slot as usize]));
                let bytes = bytes.enumerate().fold(0, |word, (k, place)| word | place << (8 * k));
                match length {
                    1 => words.push(bytes | tail << 16),
                    _ => words.extend([bytes, tail]),
                }
            }
        }
        for (kind, tails) in tails.into_iter().enumerate() {
            words[kind] = words.len() as u32;
            words.extend(tails.words);
        }
        words
    }

    /// Bytes that a window moves besides its particles' slots, stages, records and tails, all of which it reads once.
    fn bytes(&self, window: &Window, needs: &[Needs]) -> u64 {
        let tiling = &self.plan.tilings[window.phase];
        let particles = tiling.range(window.clusters.end - 1).end - tiling.range(window.clusters.start).start;
        let damped = self.groups.iter().any(|(index, ..)| needs[*index].damping);
        let of_stage = |stage: &Stage| {
            let index = self.groups[stage.group].0;
            let kind = self.plan.groups[index].kind;
            u64::from(stage.count) * (needs[index].constraint_bytes(kind) - kind.record_size() as u64)
        };
        let multipliers: u64 = window.stages.iter().map(of_stage).sum();
        particles as u64 * VECTOR_BYTES * (3 + u64::from(damped)) + multipliers
    }

    /// Whether all particles are in clusters of the first phase.
    fn holds_all(&self) -> bool {
        self.plan.tilings[0].slots.len() == self.plan.particle_of.len()
    }

    /// How many constraints of each kind a window solves.
    fn solved(&self, window: &Window) -> Solved {
        let kind = |(index, ..): &(usize, _, _)| (self.plan.groups[*index].kind.name(), 0);
        let mut solved: Solved = self.groups.iter().map(kind).collect();
        window.stages.iter().for_each(|stage| solved[stage.group].1 += u64::from(stage.count));
        solved
    }
}

/// Kinds and how many constraints of them are solved.
type Solved = Vec<(&'static str, u64)>;

/// What of a phase one buffer holds.
struct Window<'a> {
    phase: usize,
    clusters: Range<usize>,
    stages: &'a [Stage],
}

/// The tails of a kind in a window, each once.
#[derive(Clone, Default)]
struct Tails {
    numbers: HashMap<Vec<u32>, u32>,
    words: Vec<u32>,
    scratch: Vec<u32>,
}

impl Tails {
    /// That of the constraint at a place.
    fn number(&mut self, apart: &Apart, place: u32) -> u32 {
        apart.tail(place, &mut self.scratch);
        if let Some(&number) = self.numbers.get(&self.scratch) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.words.extend(&self.scratch);
        self.numbers.insert(self.scratch.clone(), number);
        number
    }
}

/// The work of a window, and how many constraints of each kind it solves.
struct Solving {
    work: Work,
    solved: Solved,
    /// How many particles it ends a substep of.
    steps: u64,
}

/// The clusters of a solver.
pub struct Clusters {
    kinds: Vec<(&'static dyn Kind, usize)>,
    /// The groups of these kinds, in the plan.
    groups: Vec<usize>,
    needs: Vec<Needs>,
    phases: Vec<Vec<Solving>>,
    /// The first phase together with the end of the substep before, where nothing but constraints and gravity acts on any particle, or ever will while the
    /// solver runs but for pulls and damping.
    next: Vec<Solving>,
    pub memory: u64,
}

impl Clusters {
    /// `stores` has one buffer for all multipliers. `needs`: of each group of the plan.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        model: &Model,
        layout: &Layout,
        needs: &[Needs],
        stores: &Stores,
    ) -> Result<Self, KernelError> {
        let device = pipelines.device.clone();
        let multipliers: Vec<u64> = stores.multipliers.iter().map(|slice| slice.offset).collect();
        let mut places = vec![0; layout.plan.particle_of.len()];
        let mut dispatches = Dispatches::default();
        let mut windows = Vec::new();
        let mut memory = 0;
        for window in (0..layout.stages.len()).flat_map(|phase| layout.windows(phase, MAX_BINDING_BYTES)) {
            let words = layout.words(&window, &multipliers, &mut places);
            let bytes = words.len() as u64 * 4 + layout.bytes(&window, needs);
            let clusters = window.clusters.len() as u32;
            let each = bytes / u64::from(clusters.max(1));
            let dispatch = [each, each + STEP_BYTES].map(|each| dispatches.workgroups(0..clusters, each));
            memory += words.len() as u64 * 4;
            windows.push((window.phase, dispatch, layout.solved(&window), upload(&device, "clusters", &words)));
        }
        let batches = dispatches.upload(&device);
        let groups: Vec<usize> = layout.groups.iter().map(|(index, ..)| *index).collect();
        let mut clusters = Self {
            kinds: layout.kinds(),
            needs: groups.iter().map(|&group| needs[group]).collect(),
            phases: Vec::new(),
            next: Vec::new(),
            groups,
            memory,
        };
        clusters.phases.resize_with(layout.stages.len(), Vec::new);
        let Some(pipeline) = clusters.pipeline(pipelines, &clusters.needs, false)? else { return Ok(clusters) };
        let falls = falls_freely(model, layout.plan) && layout.holds_all();
        let next = falls.then(|| clusters.pipeline(pipelines, &clusters.needs, true)).transpose()?.flatten();
        let solving = |pipeline: &Arc<Pipeline>, dispatch: Dispatch, solved: Solved, words: &wgpu::Buffer, steps| {
            let mut own = vec![("batch", BufferRange::slot(&batches)), ("words", BufferRange::all(words))];
            own.extend(stores.multipliers.first().map(|slice| ("multipliers", BufferRange::all(&slice.buffer))));
            let stored = [("stored_x", "x"), ("stored_d", "d"), ("stored_e", "e")];
            own.extend(stored.into_iter().filter_map(|(name, stored)| Some((name, shared.get(stored)?))));
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            let mut solving =
                Solving { work: Work { pipeline: pipeline.clone(), bind_group, dispatch }, solved, steps };
            solving.fit(pipeline);
            Ok(solving)
        };
        for (phase, [alone, together], solved, words) in windows {
            if let (0, Some(next)) = (phase, &next) {
                let steps = layout.plan.particle_of.len() as u64;
                clusters.next.push(solving(next, together, solved.clone(), &words, steps)?);
            }
            clusters.phases[phase].push(solving(&pipeline, alone, solved, &words, 0)?);
        }
        Ok(clusters)
    }

    fn pipeline(
        &self,
        pipelines: &Pipelines,
        needs: &[Needs],
        next: bool,
    ) -> Result<Option<Arc<Pipeline>>, KernelError> {
        let Some(kernel) = cluster_kernel(&self.kinds, next) else { return Ok(None) };
        let kinds: Vec<&dyn Kind> = self.kinds.iter().map(|(kind, _)| *kind as &dyn Kind).collect();
        let sharing = vec![false; kinds.len()];
        pipelines.get(kernel, &constants(&kinds, needs, &sharing).each()).map(Some)
    }

    /// Goes on with the kernel that the materials of the model's groups need now; if it does not compile, with the one it has.
    pub fn fit(&mut self, pipelines: &Pipelines, needs: &[Needs]) -> Result<(), KernelError> {
        let needs: Vec<Needs> = self.groups.iter().map(|&group| needs[group]).collect();
        if needs == self.needs {
            return Ok(());
        }
        let next = if self.next.is_empty() { None } else { self.pipeline(pipelines, &needs, true)? };
        if let Some(pipeline) = self.pipeline(pipelines, &needs, false)? {
            self.phases.iter_mut().flatten().for_each(|solving| solving.fit(&pipeline));
            self.next.iter_mut().zip(next.iter().cycle()).for_each(|(solving, pipeline)| solving.fit(pipeline));
            self.needs = needs;
        }
        Ok(())
    }

    /// How many phases of a sweep are solved in clusters.
    pub fn phases(&self) -> u32 {
        self.phases.len() as u32
    }

    /// Whether the first phase of a substep can end the one before.
    pub fn can_step(&self) -> bool {
        !self.next.is_empty()
    }

    /// One phase of a sweep; `steps`: after the end of the substep before.
    pub fn solve(&self, recorder: &mut Recorder, phase: u32, steps: bool) {
        let of_phase = self.phases.get(phase as usize).into_iter().flatten();
        let solvings = of_phase.filter(|_| !steps).chain(self.next.iter().filter(|_| steps));
        solvings.for_each(|solving| recorder.section("clusters").run(&solving.work));
    }
}

impl Solving {
    fn fit(&mut self, pipeline: &Arc<Pipeline>) {
        let operations = pipeline.operations.of_constraints(self.solved.iter().copied());
        self.work.dispatch = self.work.dispatch.doing(self.steps, operations);
        self.work.pipeline = pipeline.clone();
    }
}

/// Whether nothing but constraints and gravity acts on any particle.
pub fn falls_freely(model: &Model, plan: &Plan) -> bool {
    let acted_on = model.drives.len() > 1 || !model.colliders.is_empty() || air_is_felt(model);
    !acted_on && plan.sheets.is_empty() && model.tearing.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Distance, kind};
    use crate::model::{Group, Material, Materials, Particles};

    /// A strip of particles, 4 x 6,000, with springs along, across and of as many rest lengths as told.
    fn strip(lengths: usize) -> Model {
        let count = 24_000;
        let mut group = Group::new(kind::<Distance>());
        for i in 0..count as u32 - 5 {
            for step in [1, 4, 5] {
                group.push(&[i, i + step], &[1.0 + (group.len() % lengths) as f64 * 1e-3], 0);
            }
        }
        let mut materials = Materials::default();
        materials.insert(Material::default());
        let positions = (0..count).map(|i| [f64::from(i / 4), f64::from(i % 4), 0.0]).collect();
        let particles = Particles::at_rest(positions, vec![1.0; count as usize]);
        Model { particles, groups: vec![group], materials, ..Model::default() }
    }

    /// Read as the kernel does, the words of all windows have each clustered constraint once, with the record and the multiplier that it has in
    /// the plan; and no window is larger than told.
    #[test]
    fn words_hold_the_records() {
        for (lengths, length) in [(7, 1), (70_000, 2)] {
            let model = strip(lengths);
            let plan = Plan::clustered(&model);
            let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
            let layout = Layout::new(1 << 20, &model, &used, &plan).unwrap();
            assert_eq!(layout.groups[0].2, length);
            let mut places = vec![0; plan.particle_of.len()];
            for bytes in [20_000, MAX_BINDING_BYTES] {
                let mut seen = vec![false; plan.groups[0].len()];
                for window in (0..plan.tilings.len()).flat_map(|phase| layout.windows(phase, bytes)) {
                    let words = layout.words(&window, &[512], &mut places);
                    assert!(words.len() * 4 <= bytes, "{} bytes", words.len() * 4);
                    check(&layout, &words, window.clusters.len(), &mut seen);
                }
                let inside = |batch: &crate::plan::Batch| (batch.phase as usize) < plan.tilings.len();
                for batch in &plan.groups[0].batches {
                    assert!(
                        seen[batch.range.start as usize..batch.range.end as usize]
                            .iter()
                            .all(|&seen| seen == inside(batch))
                    );
                }
            }
            assert!(Layout::new(1 << 16, &model, &used, &plan).is_none(), "multipliers that cannot be bound");
        }
    }

    /// As `shaders/tile/cluster.wgsl` reads them.
    fn check(layout: &Layout, words: &[u32], clusters: usize, seen: &mut [bool]) {
        let (planned, length) = (&layout.plan.groups[0], layout.groups[0].2);
        for cluster in 0..clusters {
            let [first, _, begin, end] = [0, 1, 2, 3].map(|k| words[1 + cluster * 4 + k] as usize);
            for stage in words[begin..end].chunks(STAGE_WORDS) {
                let [count, record, multiplier] = [0, 1, 2].map(|k| stage[k] as usize);
                for k in 0..count {
                    let place = multiplier - 512 / MULTIPLIER_BYTES as usize + k;
                    assert!(!std::mem::replace(&mut seen[place], true));
                    let packed = &words[record + k * length..];
                    let slots = [0, 1].map(|k| words[first + (packed[0] >> (8 * k) & 255) as usize]);
                    let tail = if length == 1 { packed[0] >> 16 } else { packed[1] };
                    let tail = &words[words[0] as usize + tail as usize * 2..][..2];
                    let expected: &[u32] = bytemuck::cast_slice(&planned.records[place * 16..][..16]);
                    assert_eq!([slots[0], slots[1], tail[0], tail[1]], expected);
                }
            }
        }
    }
}
