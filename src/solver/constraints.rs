//! Solving the constraints of one kind: a dispatch for each coloured batch, two for each Jacobi batch.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::kernel::{Kernel, KernelError, Piece, Pipeline};
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::recorder::{Dispatch, Dispatches, Recorder, Work};
use super::rest::Rest;
use crate::constraint::{Arity, Kind};
use crate::plan::{Batch, Gather, PlannedGroup};
use crate::shader_piece;

/// Bytes of a stored multiplier: λ and its sum.
pub const MULTIPLIER_BYTES: u64 = 8;
/// Bytes of a correction and of a particle's vectors.
const VECTOR_BYTES: u64 = 16;

/// The kernel that solves a kind, coloured or by Jacobi.
pub fn solve_kernel(kind: &dyn Kind, jacobi: bool) -> Kernel {
    let mut pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/particle.wgsl"),
        shader_piece!("lib/broken.wgsl"),
        shader_piece!("lib/material.wgsl"),
        shader_piece!("lib/xpbd.wgsl"),
    ];
    if jacobi || kind.arity() == Arity::Many {
        pieces.push(shader_piece!("lib/corrections.wgsl"));
    }
    pieces.extend(evaluation_pieces(kind));
    pieces.push(Piece { path: "the line that finds a component's material".into(), text: material_of(kind).into() });
    pieces.push(match jacobi {
        false => shader_piece!("solve/apply_direct.wgsl"),
        true => shader_piece!("solve/apply_jacobi.wgsl"),
    });
    pieces.push(match kind.arity() {
        Arity::One => shader_piece!("solve/one.wgsl"),
        Arity::Two => shader_piece!("solve/two.wgsl"),
        Arity::Three => shader_piece!("solve/three.wgsl"),
        Arity::Four => shader_piece!("solve/four.wgsl"),
        Arity::Many => shader_piece!("solve/many.wgsl"),
    });
    Kernel::new(format!("solve {}{}", kind.name(), if jacobi { " jacobi" } else { "" }), pieces)
}

/// What a kernel needs that calls a kind's function: its text, as `evaluate`, and the functions that kinds share.
pub fn evaluation_pieces(kind: &dyn Kind) -> Vec<Piece> {
    vec![
        shader_piece!("lib/evaluation.wgsl"),
        shader_piece!("lib/closest.wgsl"),
        // For whichever kind has angles: a function that is not called costs nothing.
        shader_piece!("lib/angle.wgsl"),
        Piece { path: format!("constraint/{}.wgsl", kind.name()).into(), text: kind.wgsl().into() },
        Piece { path: "the lines that call the constraint".into(), text: call(kind).into() },
    ]
}

/// The kernel that sums the corrections of a Jacobi batch.
pub fn gather_kernel() -> Kernel {
    let pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("solve/gather.wgsl")];
    Kernel::new("gather", pieces)
}

/// The function by which the glue finds the material of a component: the constraint's, or one of its own.
fn material_of(kind: &dyn Kind) -> String {
    let material = if kind.own_materials() { "materials[index + k]" } else { "first" };
    format!("fn material_of(first: Material, index: u32, k: u32) -> Material {{\n    return {material};\n}}\n")
}

/// The lines by which the glue calls a kind's function.
pub fn call(kind: &dyn Kind) -> String {
    let (parameters, arguments, result) = match kind.arity() {
        Arity::One => ("x0: vec3f, d0: vec3f", "x0, d0", "1"),
        Arity::Two => ("x0: vec3f, x1: vec3f", "x0, x1", "2"),
        Arity::Three => ("x0: vec3f, x1: vec3f, x2: vec3f", "x0, x1, x2", "3"),
        Arity::Four => ("x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f", "x0, x1, x2, x3", "4"),
        Arity::Many => ("j: u32", "j", "Many"),
    };
    let (record, function, components) = (kind.record_name(), kind.name(), kind.components());
    let component = if components > 1 { "k, " } else { "" };
    let own = u32::from(kind.own_materials());
    format!(
        "const COMPONENTS: u32 = {components}u;\n\
         const OWN_MATERIALS: u32 = {own}u;\n\
         alias Constraint = {record};\n\
         fn evaluate(c: Constraint, k: u32, {parameters}) -> Evaluation{result} {{\n    \
             return {function}(c, {component}{arguments});\n}}\n"
    )
}

/// What a group's materials need; kernels are compiled without the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// More than one iteration.
    pub iterating: bool,
    /// Over-relaxation, or a stiffness of PBD mode.
    pub scaling: bool,
    pub one_sided: bool,
    pub damping: bool,
    pub breaking: bool,
    /// The mean of the multipliers over a frame.
    pub summing: bool,
    /// Flowing where elastic deformation is beyond a yield point.
    pub yielding: bool,
    /// Elements of a mesh that are solved once.
    pub elements: bool,
}

impl Needs {
    pub fn constants(self) -> [(&'static str, bool); 8] {
        [
            ("ITERATED", self.iterating),
            ("SCALED", self.scaling),
            ("ONE_SIDED", self.one_sided),
            ("DAMPED", self.damping),
            ("BREAKABLE", self.breaking),
            ("SUMMED", self.summing),
            ("YIELDING", self.yielding),
            ("ELEMENTS", self.elements),
        ]
    }
}

/// What a dispatch of a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Coloured,
    /// Coloured, with fixed particles shared.
    Sharing,
    Jacobi,
    Gather,
}

impl Role {
    fn pipeline(self, pipelines: &mut Pipelines, kind: &dyn Kind, needs: Needs) -> Result<Arc<Pipeline>, KernelError> {
        match self {
            Role::Coloured => pipelines.get(solve_kernel(kind, false), &needs.constants()),
            Role::Sharing => {
                let constants = [&needs.constants()[..], &[("SHARING", true)]].concat();
                pipelines.get(solve_kernel(kind, false), &constants)
            }
            Role::Jacobi => pipelines.get(solve_kernel(kind, true), &needs.constants()),
            Role::Gather => pipelines.get(gather_kernel(), &[]),
        }
    }
}

/// The constraints of one kind on the device.
pub struct Constraints {
    pub kind: &'static dyn Kind,
    needs: Needs,
    work: Vec<(Role, Work)>,
    /// λ and its sum over the frame, in the plan's order.
    pub multipliers: wgpu::Buffer,
    pub records: wgpu::Buffer,
    /// Rest values, if they may change.
    pub rest: Option<Rest>,
    memory: u64,
}

impl Constraints {
    /// `curves`: how many may drive the group's rest values; `None` if these never change.
    pub fn new(
        pipelines: &mut Pipelines,
        shared: &Buffers,
        group: &PlannedGroup,
        needs: Needs,
        curves: Option<usize>,
    ) -> Result<Self, KernelError> {
        Builder::new(pipelines, shared, group, needs).build(curves)
    }

    /// Compiles the kernels that the group's materials would need.
    pub fn compile(&self, pipelines: &mut Pipelines, needs: Needs) -> Result<(), KernelError> {
        self.work.iter().try_for_each(|(role, _)| role.pipeline(pipelines, self.kind, needs).map(drop))
    }

    /// Goes on with the kernels that the group's materials need now. Bind groups stay: the bindings are the same.
    pub fn fit(&mut self, pipelines: &mut Pipelines, needs: Needs) -> Result<(), KernelError> {
        if needs != self.needs {
            for (role, work) in &mut self.work {
                work.pipeline = role.pipeline(pipelines, self.kind, needs)?;
            }
            self.needs = needs;
        }
        Ok(())
    }
}

impl Pass for Constraints {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn detect(&self, recorder: &mut Recorder) {
        if let Some(rest) = &self.rest {
            rest.change(recorder);
        }
    }

    fn solve(&self, recorder: &mut Recorder) {
        for (_, work) in &self.work {
            recorder.run(work);
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.memory + self.rest.as_ref().map_or(0, Rest::memory_bytes)
    }
}

/// The buffers of a group and the pipelines that it needs.
struct Builder<'a> {
    pipelines: &'a mut Pipelines,
    shared: &'a Buffers,
    group: &'a PlannedGroup,
    needs: Needs,
    records: wgpu::Buffer,
    multipliers: wgpu::Buffer,
    members: wgpu::Buffer,
    memory: u64,
}

impl<'a> Builder<'a> {
    fn new(pipelines: &'a mut Pipelines, shared: &'a Buffers, group: &'a PlannedGroup, needs: Needs) -> Self {
        let device = &pipelines.device;
        let name = group.kind.name();
        let count = group.constraint_of.len() as u64;
        let multiplier_bytes = count * group.kind.components() as u64 * MULTIPLIER_BYTES;
        let records = upload(device, &format!("{name} records"), &group.records);
        let multipliers = zeroed(device, &format!("{name} multipliers"), multiplier_bytes);
        let members = upload(device, &format!("{name} members"), &group.members);
        let memory = records.size() + multipliers.size() + members.size();
        Self { pipelines, shared, group, needs, records, multipliers, members, memory }
    }

    fn build(mut self, curves: Option<usize>) -> Result<Constraints, KernelError> {
        let group = self.group;
        let mut dispatches = Dispatches::default();
        let solves: Vec<Dispatch> = group.batches.iter().map(|batch| self.solve(batch, &mut dispatches)).collect();
        let gathers: Vec<Option<Dispatch>> =
            group.batches.iter().map(|batch| Some(gather(batch.gather.as_ref()?, &mut dispatches))).collect();
        let batches = dispatches.upload(&self.pipelines.device);

        let mut work = Vec::new();
        let mut windows = HashMap::new();
        for ((batch, solve), gather_dispatch) in group.batches.iter().zip(solves).zip(gathers) {
            let role = match (&batch.gather, group.shared.is_empty()) {
                (Some(_), _) => Role::Jacobi,
                (None, true) => Role::Coloured,
                (None, false) => Role::Sharing,
            };
            let pipeline = role.pipeline(self.pipelines, group.kind, self.needs)?;
            let corrections = self.corrections(batch);
            let bind_group = self.bind(&pipeline, batch, &batches, corrections.as_ref(), &mut windows)?;
            work.push((role, Work { pipeline, bind_group, dispatch: solve }));
            if let (Some(lists), Some(dispatch), Some(corrections)) = (&batch.gather, gather_dispatch, &corrections) {
                let pipeline = Role::Gather.pipeline(self.pipelines, group.kind, self.needs)?;
                let bind_group = self.bind_gather(&pipeline, lists, &batches, corrections)?;
                work.push((Role::Gather, Work { pipeline, bind_group, dispatch }));
            }
        }
        let Self { pipelines, shared, records, multipliers, memory, needs, .. } = self;
        let rest = |curves| Rest::new(pipelines, shared, group, [&records, &multipliers], curves);
        let rest = curves.map(rest).transpose()?;
        Ok(Constraints { kind: group.kind, needs, work, multipliers, records, rest, memory })
    }

    /// The dispatch that solves a batch.
    fn solve(&self, batch: &Batch, dispatches: &mut Dispatches) -> Dispatch {
        let kind = self.group.kind;
        let items = batch.range.start - batch.window.start..batch.range.end - batch.window.start;
        // λ and its sum are read and written as far as `lib/xpbd.wgsl` is compiled to: 4 bytes each way.
        let moved =
            [self.needs.iterating, self.needs.iterating || self.needs.yielding, self.needs.summing, self.needs.summing];
        let of_multiplier = 4 * moved.iter().filter(|&&moved| moved).count() as u64;
        let of_constraint = kind.record_size() as u64 + of_multiplier * kind.components() as u64;
        // Position and displacement in, displacement or correction out, and e where there is damping.
        let of_particle = VECTOR_BYTES * (3 + u64::from(self.needs.damping) + u64::from(batch.gather.is_some()));
        match kind.arity().count() {
            Some(arity) => dispatches.threads(items, of_constraint + arity as u64 * of_particle),
            None => {
                let places = self.group.len().max(1) as u64;
                let members = self.members_of(0..self.group.len() as u32).len() as u64 / places;
                // Of surfaces: two neighbours in each triangle, with position and displacement.
                let neighbours = self.group.members.len() as u64 / places - members;
                let of_neighbours = neighbours * (2 * VECTOR_BYTES + 4);
                let of_member = of_particle + 2 * VECTOR_BYTES + 4;
                dispatches.workgroups(items, of_constraint + members * of_member + of_neighbours)
            }
        }
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
        let buffer = match (&batch.gather, self.group.kind.arity()) {
            (Some(gather), _) => {
                let initial: Vec<[f32; 4]> = gather.valences.iter().map(|&n| [0.0, 0.0, 0.0, n]).collect();
                upload(&self.pipelines.device, "corrections", &initial)
            }
            (None, Arity::Many) => zeroed(
                &self.pipelines.device,
                "corrections",
                self.members_of(batch.range.clone()).len() as u64 * VECTOR_BYTES,
            ),
            (None, _) => return None,
        };
        self.memory += buffer.size();
        Some(buffer)
    }

    /// Binds what a batch's solve reads and writes. Batches of one window share a bind group, unless each has corrections of
    /// its own.
    fn bind(
        &self,
        pipeline: &Pipeline,
        batch: &Batch,
        batches: &wgpu::Buffer,
        corrections: Option<&wgpu::Buffer>,
        windows: &mut HashMap<Range<u32>, Arc<wgpu::BindGroup>>,
    ) -> Result<Arc<wgpu::BindGroup>, KernelError> {
        if let (None, Some(bind_group)) = (corrections, windows.get(&batch.window)) {
            return Ok(bind_group.clone());
        }
        let window = |buffer, bytes_each: u64| {
            let (from, to) = (u64::from(batch.window.start) * bytes_each, u64::from(batch.window.end) * bytes_each);
            BufferRange::part(buffer, from, to - from)
        };
        let mut own = vec![
            ("batch", BufferRange::slot(batches)),
            ("records", window(&self.records, self.group.kind.record_size() as u64)),
            ("multipliers", window(&self.multipliers, MULTIPLIER_BYTES * self.group.kind.components() as u64)),
            ("members", BufferRange::all(&self.members)),
        ];
        if let Some(corrections) = corrections {
            own.push(("corrections", BufferRange::all(corrections)));
        }
        let bind_group = Arc::new(pipeline.bind(&self.pipelines.device, self.shared, &own)?);
        if corrections.is_none() {
            windows.insert(batch.window.clone(), bind_group.clone());
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
