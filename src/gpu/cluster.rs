//! Clusters ([`Plan::phases`]): the constraints among neighbouring particles of a large body, solved in a workgroup's
//! memory. A phase of a sweep is one dispatch in place of one for each colour, and reads and writes its particles once.

use std::sync::Arc;

use crate::constraint::Kind;
use crate::gpu::buffers::{BufferRange, Buffers, upload};
use crate::gpu::cluster_kernel::{Program, Size, cluster_kernel};
use crate::gpu::cluster_words::Layout;
use crate::gpu::constraints::VECTOR_BYTES;
use crate::gpu::joined_kernel::constants;
use crate::gpu::kernel::{KernelError, Pipeline};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::gpu::stores::Stores;
use crate::model::Model;
use crate::plan::{CLUSTER_PARTICLES, MAX_BINDING_BYTES, Plan};
use crate::step::{Needs, air_is_felt, is_driven};

/// What the end of a substep moves of a cluster's particles besides: x and e, in and out, less x, which comes anyhow.
const STEP_BYTES: u64 = 3 * VECTOR_BYTES * CLUSTER_PARTICLES as u64;

/// The clusters of a solver.
pub struct Clusters {
    kinds: Vec<(&'static dyn Kind, usize)>,
    /// The groups of these kinds, in the plan.
    groups: Vec<usize>,
    needs: Vec<Needs>,
    size: Size,
    /// Of each turn of a sweep ([`Layout::turns`]).
    programs: Vec<Program>,
    phases: u32,
    turns: Vec<Vec<Work>>,
    /// The first phase together with the end of the substep before, where nothing but constraints and gravity acts on
    /// any particle, or ever will while the solver runs but for pulls and damping.
    next: Vec<Work>,
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
        let turns = 0..layout.turns.len();
        let all =
            turns.clone().flat_map(|turn| layout.windows(turn, MAX_BINDING_BYTES).into_iter().map(move |w| (turn, w)));
        for (turn, window) in all {
            let words = layout.words(&window, &multipliers, &mut places);
            let bytes = words.len() as u64 * 4 + layout.bytes(&window, needs);
            let clusters = window.clusters.len() as u32;
            let each = bytes / u64::from(clusters.max(1));
            let dispatch = [each, each + STEP_BYTES].map(|each| dispatches.workgroups(0..clusters, each));
            memory += words.len() as u64 * 4;
            windows.push((turn, dispatch, upload(&device, "clusters", &words)));
        }
        let batches = dispatches.upload(&device);
        let groups = layout.indices();
        let mut clusters = Self {
            kinds: layout.kinds(),
            size: layout.size,
            needs: groups.iter().map(|&group| needs[group]).collect(),
            programs: layout.turns.iter().map(|turn| turn.program.clone()).collect(),
            phases: layout.phases() as u32,
            turns: Vec::new(),
            next: Vec::new(),
            groups,
            memory,
        };
        clusters.turns.resize_with(turns.len(), Vec::new);
        let falls = falls_freely(model, layout.plan) && layout.holds_all();
        let next = falls.then(|| clusters.pipeline(pipelines, &clusters.needs, 0, true)).transpose()?.flatten();
        let work = |pipeline: &Arc<Pipeline>, dispatch: Dispatch, words: &wgpu::Buffer| {
            let mut own = vec![("batch", BufferRange::slot(&batches)), ("words", BufferRange::all(words))];
            own.extend(stores.multipliers.first().map(|slice| ("multipliers", BufferRange::all(&slice.buffer))));
            let stored = [("stored_x", "x"), ("stored_d", "d"), ("stored_e", "e")];
            own.extend(stored.into_iter().filter_map(|(name, stored)| Some((name, shared.get(stored)?))));
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline: pipeline.clone(), bind_group, dispatch })
        };
        for (turn, [alone, together], words) in windows {
            if let (0, Some(next)) = (turn, &next) {
                clusters.next.push(work(next, together, &words)?);
            }
            let Some(pipeline) = clusters.pipeline(pipelines, &clusters.needs, turn, false)? else { continue };
            clusters.turns[turn].push(work(&pipeline, alone, &words)?);
        }
        Ok(clusters)
    }

    fn pipeline(
        &self,
        pipelines: &Pipelines,
        needs: &[Needs],
        turn: usize,
        next: bool,
    ) -> Result<Option<Arc<Pipeline>>, KernelError> {
        let damped = needs.iter().any(|needs| needs.damping);
        let kernel = cluster_kernel(&self.kinds, &self.programs[turn], self.size, damped, next);
        let Some(kernel) = kernel else { return Ok(None) };
        let kinds: Vec<&dyn Kind> = self.kinds.iter().map(|(kind, _)| *kind as &dyn Kind).collect();
        let sharing = vec![false; kinds.len()];
        pipelines.get(kernel, &constants(&kinds, needs, &sharing).each()).map(Some)
    }

    /// Goes on with the kernel that the materials of the model's groups need now; if it does not compile, with the one
    /// it has.
    pub fn fit(&mut self, pipelines: &Pipelines, needs: &[Needs]) -> Result<(), KernelError> {
        let needs: Vec<Needs> = self.groups.iter().map(|&group| needs[group]).collect();
        if needs == self.needs {
            return Ok(());
        }
        let next = if self.next.is_empty() { None } else { self.pipeline(pipelines, &needs, 0, true)? };
        let of_turn = |turn: usize| self.pipeline(pipelines, &needs, turn, false);
        let of_turns: Vec<Option<Arc<Pipeline>>> = (0..self.turns.len()).map(of_turn).collect::<Result<_, _>>()?;
        let fit = |(works, pipeline): (&mut Vec<Work>, &Option<Arc<Pipeline>>)| {
            works.iter_mut().zip(pipeline.iter().cycle()).for_each(|(work, fitted)| work.pipeline = fitted.clone());
        };
        self.turns.iter_mut().zip(&of_turns).for_each(fit);
        fit((&mut self.next, &next));
        self.needs = needs;
        Ok(())
    }

    /// How many phases of a sweep are solved in clusters.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Whether the first phase of a substep can end the one before.
    pub fn can_step(&self) -> bool {
        !self.next.is_empty()
    }

    /// One turn of a sweep; `steps`: after the end of the substep before.
    pub fn solve(&self, recorder: &mut Recorder, turn: usize, steps: bool) {
        let of_turn = self.turns.get(turn).into_iter().flatten();
        let works = of_turn.filter(|_| !steps).chain(self.next.iter().filter(|_| steps));
        works.for_each(|work| recorder.section("clusters").run(work));
    }
}

/// Whether nothing but constraints and gravity acts on any particle.
pub fn falls_freely(model: &Model, plan: &Plan) -> bool {
    let acted_on = is_driven(model) || !model.colliders.is_empty() || air_is_felt(model);
    !acted_on && plan.sheets.is_empty() && model.tearing.is_none()
}
