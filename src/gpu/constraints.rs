//! Solving the constraints of one kind: a dispatch for each coloured batch, two for each Jacobi batch.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::constraint::{Kind, Listed};
use crate::gpu::buffers::{BufferRange, Buffers, Slice, upload, zeroed};
use crate::gpu::constraint_kernel::{gather_kernel, run_kernel, solve_kernel};
use crate::gpu::kernel::{KernelError, Pipeline};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::record_check;
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::gpu::rest::Rest;
use crate::gpu::visit::{Visit, is_done_at_once, visits};
use crate::model::Settings;
use crate::plan::{Batch, Gather, Leg, PlannedGroup, runs};
use crate::step::Needs;

/// Bytes of a stored multiplier: λ and its sum.
pub const MULTIPLIER_BYTES: u64 = 8;
/// Bytes of a correction and of a particle's vectors.
pub const VECTOR_BYTES: u64 = 16;

impl Needs {
    /// Bytes of a constraint's record and multipliers that a visit moves. λ and its sum are read and written as far as
    /// `lib/xpbd.wgsl` does: 4 bytes each way.
    pub fn constraint_bytes(self, kind: &dyn Kind, visit: Visit) -> u64 {
        let summing = self.summing && visit.closes;
        let moved = [self.iterating && !visit.opens, !visit.closes || self.yielding, summing, summing];
        let of_multiplier = 4 * moved.iter().filter(|&&moved| moved).count() as u64;
        kind.record_size() as u64 + of_multiplier * kind.components() as u64
    }

    pub fn constants(self) -> [(&'static str, bool); 8] {
        [
            ("ITERATED", self.iterating),
            ("SCALED", self.scaling),
            ("ONE_SIDED", self.one_sided),
            ("DAMPED", self.damping),
            ("BREAKABLE", self.breaking),
            ("SUMMED", self.summing),
            ("YIELDING", self.yielding),
            ("BDF2", self.two_steps),
        ]
    }
}

/// What a dispatch of a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// Solves a colour.
    Coloured,
    /// Solves several small colours.
    Run,
    Jacobi,
    Gather,
}

impl Role {
    /// `sharing`: whether constraints of a colour share fixed particles.
    fn pipeline(
        self,
        pipelines: &Pipelines,
        kind: &dyn Kind,
        needs: Needs,
        sharing: bool,
    ) -> Result<[Arc<Pipeline>; 2], KernelError> {
        let constants = [&needs.constants()[..], &[("SHARING", sharing)]].concat();
        let pipeline = |back: bool| match self {
            Role::Coloured => pipelines.get(solve_kernel(kind, false, back), &constants),
            Role::Run => pipelines.get(run_kernel(kind, back), &constants),
            Role::Jacobi => pipelines.get(solve_kernel(kind, true, back), &needs.constants()),
            Role::Gather => pipelines.get(gather_kernel(), &[]),
        };
        Ok([pipeline(false)?, pipeline(needs.iterating)?])
    }
}

/// What solves a batch or a run of them, and there and back.
struct Item {
    role: Role,
    /// By the way: forth and back.
    work: [Work; 2],
    /// Whether it is the first batch of its phase.
    is_first: bool,
}

/// What of a group is solved by other kernels than its own.
#[derive(Clone, Copy, Default)]
pub struct Elsewhere {
    /// Constraints of particles below this slot, in islands.
    pub below: u32,
    /// So many phases, from a slot on, in clusters.
    pub clusters: Option<(u32, u32)>,
}

impl Elsewhere {
    /// The places of a batch that are left.
    fn left(self, group: &PlannedGroup, batch: &Batch) -> Range<u32> {
        let Range { mut start, mut end } = batch.range;
        if self.below > 0 && batch.gather.is_none() {
            start = group.first_from(&batch.range, self.below);
        }
        if let Some((_, slot)) = self.clusters.filter(|&(phases, _)| batch.phase < phases) {
            // Slots from there on are not sorted in later phases, in which none is below it.
            end = group.first_from(&batch.range, slot).max(start);
        }
        start..end
    }
}

/// The constraints of one kind on the device.
pub struct Constraints {
    pub kind: &'static dyn Kind,
    needs: Needs,
    sharing: bool,
    items: Vec<Item>,
    /// See [`is_done_at_once`].
    once: bool,
    /// Where in it each phase of a sweep ends.
    phases: Vec<usize>,
    /// λ and its sum over the frame, in the plan's order.
    pub multipliers: Slice,
    pub records: Slice,
    /// Rest values, if they may change.
    pub rest: Option<Rest>,
    /// Of kinds over any number of particles their slots, and what there is of each.
    pub members: wgpu::Buffer,
    /// How many a constraint has on the mean.
    pub members_each: u64,
    memory: u64,
}

impl Constraints {
    /// Over `stored`, records and multipliers. `curves`: how many may drive the group's rest values; `None` if these
    /// never change.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        group: &PlannedGroup,
        needs: Needs,
        stored: [Slice; 2],
        elsewhere: Elsewhere,
        (curves, settings): (Option<usize>, &Settings),
    ) -> Result<Self, KernelError> {
        record_check::check(group.kind)?;
        let once = is_done_at_once(settings, group.kind);
        Builder::new(pipelines, shared, group, needs, stored).build(elsewhere, curves, once)
    }

    /// What a leg visits, in one of the sweeps of a substep.
    pub fn solve_leg(&self, recorder: &mut Recorder, leg: &Leg, sweep: Visit) {
        let phase = leg.phase;
        let end = |phase: Option<u32>| {
            let last = self.phases.last().copied().unwrap_or(0);
            phase.map_or(0, |phase| self.phases.get(phase as usize).copied().unwrap_or(last))
        };
        let items = &self.items[end(phase.checked_sub(1))..end(Some(phase))];
        // What a Jacobi batch corrects is gathered after it, there and back.
        let batches: Vec<(&[Item], bool)> =
            items.chunk_by(|_, next| next.role == Role::Gather).map(|batch| (batch, batch[0].is_first)).collect();
        for (batch, visit) in visits(leg, &batches, self.once).into_iter().flatten() {
            recorder.begin_visit(visit.within(sweep));
            batch.iter().for_each(|item| recorder.run(&item.work[usize::from(visit.back)]));
        }
    }

    /// Compiles the kernels that the group's materials would need.
    pub fn compile(&self, pipelines: &Pipelines, needs: Needs) -> Result<(), KernelError> {
        self.items.iter().try_for_each(|item| item.role.pipeline(pipelines, self.kind, needs, self.sharing).map(drop))
    }

    /// Goes on with the kernels that the group's materials need now. Bind groups stay: the bindings are the same.
    pub fn fit(&mut self, pipelines: &Pipelines, needs: Needs) -> Result<(), KernelError> {
        if needs != self.needs {
            for Item { role, work, .. } in &mut self.items {
                let fitted = role.pipeline(pipelines, self.kind, needs, self.sharing)?;
                work.iter_mut().zip(fitted).for_each(|(work, pipeline)| work.pipeline = pipeline);
            }
            self.needs = needs;
        }
        Ok(())
    }
}

impl Constraints {
    /// What its share of a step is called ([`Profile`](crate::gpu::Profile)).
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Bytes of device memory that it holds.
    pub fn memory_bytes(&self) -> u64 {
        self.memory + self.rest.as_ref().map_or(0, Rest::memory_bytes)
    }
}

/// The buffers of a group and the pipelines that it needs.
struct Builder<'a> {
    pipelines: &'a Pipelines,
    shared: &'a Buffers,
    group: &'a PlannedGroup,
    needs: Needs,
    records: Slice,
    multipliers: Slice,
    members: wgpu::Buffer,
    memory: u64,
}

impl<'a> Builder<'a> {
    fn new(
        pipelines: &'a Pipelines,
        shared: &'a Buffers,
        group: &'a PlannedGroup,
        needs: Needs,
        [records, multipliers]: [Slice; 2],
    ) -> Self {
        let members = upload(&pipelines.device, &format!("{} members", group.kind.name()), &group.members);
        let memory = records.size + multipliers.size + members.size();
        Self { pipelines, shared, group, needs, records, multipliers, members, memory }
    }

    fn build(mut self, elsewhere: Elsewhere, curves: Option<usize>, once: bool) -> Result<Constraints, KernelError> {
        let group = self.group;
        let batches = group.batches.iter().map(|batch| Batch { range: elsewhere.left(group, batch), ..batch.clone() });
        let planned: Vec<Batch> = batches.filter(|batch| !batch.range.is_empty()).collect();
        let is_first = |batch: &Batch| batch.range.start < group.innermost(batch.phase);
        let runs = runs(group.kind, &planned, |batch| once && is_first(batch));
        let mut dispatches = Dispatches::default();
        let solves: Vec<Dispatch> = runs.iter().map(|run| self.solve(&planned, run, &mut dispatches)).collect();
        let gathers: Vec<Option<Dispatch>> =
            runs.iter().map(|run| Some(gather(planned[run.start].gather.as_ref()?, &mut dispatches))).collect();
        let batches = dispatches.upload(&self.pipelines.device);
        let colours: Vec<[u32; 2]> = planned.iter().map(|batch| self.in_window(batch)).collect();
        let colours = upload(&self.pipelines.device, "colours", &colours);
        self.memory += colours.size();

        let (kind, sharing) = (group.kind, !group.shared.is_empty());
        let mut items = Vec::new();
        let mut phases = Vec::new();
        let mut windows = HashMap::new();
        for ((run, solve), gather_dispatch) in runs.into_iter().zip(solves).zip(gathers) {
            let batch = &planned[run.start];
            phases.resize(batch.phase as usize, items.len());
            let is_first = is_first(batch);
            let role = match &batch.gather {
                Some(_) => Role::Jacobi,
                None if run.len() > 1 => Role::Run,
                None => Role::Coloured,
            };
            let solving = role.pipeline(self.pipelines, kind, self.needs, sharing)?;
            let corrections = self.corrections(batch);
            let bind_group =
                self.bind(&solving[0], role, batch, [&batches, &colours], corrections.as_ref(), &mut windows)?;
            let constraints: u64 = planned[run.clone()].iter().map(|batch| batch.range.len() as u64).sum();
            let [forth, back] = [false, true].map(|back| constraints * self.constraint_bytes(back, once && is_first));
            let work = |pipeline, dispatch| Work { pipeline, bind_group: bind_group.clone(), dispatch };
            let [there, here] = solving;
            let work = [work(there, solve), work(here, solve.moving(back, forth))];
            items.push(Item { role, work, is_first });
            if let (Some(lists), Some(dispatch), Some(corrections)) = (&batch.gather, gather_dispatch, &corrections) {
                let role = Role::Gather;
                let gathering = role.pipeline(self.pipelines, kind, self.needs, sharing)?;
                let bind_group = self.bind_gather(&gathering[0], lists, &batches, corrections)?;
                let work = |pipeline| Work { pipeline, bind_group: bind_group.clone(), dispatch };
                items.push(Item { role, work: gathering.map(work), is_first });
            }
        }
        phases.push(items.len());
        let members_each = self.members_each();
        let Self { pipelines, shared, records, multipliers, members, memory, needs, .. } = self;
        let rest = |curves| Rest::new(pipelines, shared, group, [&records, &multipliers], curves);
        let rest = curves.map(rest).transpose()?;
        Ok(Constraints {
            kind,
            needs,
            sharing,
            items,
            once,
            phases,
            multipliers,
            records,
            rest,
            members,
            members_each,
            memory,
        })
    }

    /// Bytes that a visit moves of a constraint itself, one of the only one in a substep or of two.
    fn constraint_bytes(&self, back: bool, only: bool) -> u64 {
        let visit = match self.needs.iterating && !only {
            true => Visit { opens: back, closes: !back, back },
            false => Visit { back, ..Visit::ONLY },
        };
        self.needs.constraint_bytes(self.group.kind, visit)
    }

    /// The places of a batch, counted from its window.
    fn in_window(&self, batch: &Batch) -> [u32; 2] {
        [batch.range.start, batch.range.end].map(|place| place - batch.window.start)
    }

    /// The dispatch that solves a run of batches.
    fn solve(&self, batches: &[Batch], run: &Range<usize>, dispatches: &mut Dispatches) -> Dispatch {
        let kind = self.group.kind;
        let batch = &batches[run.start];
        let [first, end] = self.in_window(batch);
        let items = first..end;
        let of_constraint = self.constraint_bytes(false, false);
        // Position and displacement in, displacement or correction out, and e where there is damping.
        let of_particle = VECTOR_BYTES * (3 + u64::from(self.needs.damping) + u64::from(batch.gather.is_some()));
        match kind.arity().count() {
            Some(arity) if run.len() > 1 => {
                let constraints: usize = batches[run.clone()].iter().map(|batch| batch.range.len()).sum();
                let bytes = constraints as u64 * (of_constraint + arity as u64 * of_particle);
                dispatches.single(run.start as u32..run.end as u32, bytes / run.len() as u64)
            }
            Some(arity) => dispatches.threads(items, of_constraint + arity as u64 * of_particle),
            None => {
                let places = self.group.len().max(1) as u64;
                let members = self.members_each();
                let behind = self.group.members.len() as u64 / places - members;
                let of_word = match kind.listed() {
                    // Two neighbours in each triangle, with position and displacement.
                    Listed::Triangles => 2 * VECTOR_BYTES + 4,
                    Listed::InOrder | Listed::InAnyOrder => 4,
                };
                let of_member = of_particle + 2 * VECTOR_BYTES + 4 + kind.whole().bytes;
                dispatches.workgroups(items, of_constraint + members * of_member + behind * of_word)
            }
        }
    }

    /// How many members a constraint has on the mean; none where the kind has few particles.
    fn members_each(&self) -> u64 {
        if !self.group.kind.joins_many() {
            return 0;
        }
        self.members_of(0..self.group.len() as u32).len() as u64 / self.group.len().max(1) as u64
    }

    /// Range of the members of the constraints at some places.
    fn members_of(&self, places: Range<u32>) -> Range<usize> {
        let size = self.group.kind.record_size();
        let word = |place: u32, at: usize| {
            let from = place as usize * size + at * 4;
            bytemuck::pod_read_unaligned::<u32>(&self.group.records[from..from + 4]) as usize
        };
        match places.is_empty() {
            true => 0..0,
            false => word(places.start, 0)..word(places.end - 1, 0) + word(places.end - 1, 1),
        }
    }

    /// The list of corrections, for batches that need one.
    fn corrections(&mut self, batch: &Batch) -> Option<wgpu::Buffer> {
        let buffer = match &batch.gather {
            Some(gather) => {
                let initial: Vec<[f32; 4]> = gather.valences.iter().map(|&n| [0.0, 0.0, 0.0, n]).collect();
                upload(&self.pipelines.device, "corrections", &initial)
            }
            None if self.group.kind.joins_many() => zeroed(
                &self.pipelines.device,
                "corrections",
                self.members_of(batch.range.clone()).len() as u64 * VECTOR_BYTES,
            ),
            None => return None,
        };
        self.memory += buffer.size();
        Some(buffer)
    }

    /// Binds what a batch's solve reads and writes. Batches of one window share a bind group, unless each has
    /// corrections of its own.
    fn bind(
        &self,
        pipeline: &Pipeline,
        role: Role,
        batch: &Batch,
        [batches, colours]: [&wgpu::Buffer; 2],
        corrections: Option<&wgpu::Buffer>,
        windows: &mut HashMap<(Role, Range<u32>), Arc<wgpu::BindGroup>>,
    ) -> Result<Arc<wgpu::BindGroup>, KernelError> {
        let window = (role, batch.window.clone());
        if let (None, Some(bind_group)) = (corrections, windows.get(&window)) {
            return Ok(bind_group.clone());
        }
        let mut own = vec![
            ("batch", BufferRange::slot(batches)),
            ("colours", BufferRange::all(colours)),
            ("records", self.records.places(&batch.window, self.group.kind.record_size() as u64)),
            (
                "multipliers",
                self.multipliers.places(&batch.window, MULTIPLIER_BYTES * self.group.kind.components() as u64),
            ),
            ("members", BufferRange::all(&self.members)),
        ];
        if let Some(corrections) = corrections {
            own.push(("corrections", BufferRange::all(corrections)));
        }
        let bind_group = Arc::new(pipeline.bind(&self.pipelines.device, self.shared, &own)?);
        if corrections.is_none() {
            windows.insert(window, bind_group.clone());
        }
        Ok(bind_group)
    }

    /// Binds what a gather reads: its three lists, one after the other in one buffer, as `solve/gather.wgsl` has them.
    fn bind_gather(
        &mut self,
        pipeline: &Pipeline,
        gather: &Gather,
        batches: &wgpu::Buffer,
        corrections: &wgpu::Buffer,
    ) -> Result<Arc<wgpu::BindGroup>, KernelError> {
        let lists: Vec<u32> =
            [&gather.particles, &gather.offsets, &gather.corrections].into_iter().flatten().copied().collect();
        let lists = upload(&self.pipelines.device, "gather", &lists);
        self.memory += lists.size();
        let own = [
            ("batch", BufferRange::slot(batches)),
            ("gather", BufferRange::all(&lists)),
            ("corrections", BufferRange::all(corrections)),
        ];
        Ok(Arc::new(pipeline.bind(&self.pipelines.device, self.shared, &own)?))
    }
}

/// The dispatch that sums the corrections of a Jacobi batch.
fn gather(gather: &Gather, dispatches: &mut Dispatches) -> Dispatch {
    let corrections_each = gather.corrections.len() as u64 / gather.particles.len().max(1) as u64;
    dispatches.threads(0..gather.particles.len() as u32, VECTOR_BYTES * (2 + corrections_each))
}
