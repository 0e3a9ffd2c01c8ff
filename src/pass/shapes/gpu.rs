//! Rest shapes that change, on a device: a workgroup for each at a substep's beginning, which writes where the kernels
//! of constraints read the rest places of members.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::rest::word;
use crate::gpu::{Dispatches, Kernel, KernelError, Recorder, Work};
use crate::math::Vec3;
use crate::model::{Model, RestShape as Shape};
use crate::plan::{Plan, PlannedGroup};
use crate::shader_piece;
use crate::step::records::RestShape;
use crate::step::{Hooks, UNSHAPED};

/// Of its columns, four numbers each.
const FLOW_BYTES: u64 = 3 * 16;

/// The kernel.
pub fn kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/products.wgsl"),
        shader_piece!("lib/rotation.wgsl"),
        shader_piece!("lib/summed.wgsl"),
        shader_piece!("rest/law.wgsl"),
        shader_piece!("shapes/change.wgsl"),
    ];
    Kernel::new("rest shapes", pieces)
}

/// Uploads the rest shapes of a model that change, if there are any.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    if model.rest_shapes.is_empty() {
        return;
    }
    let mut places = Vec::new();
    for (_, shape) in in_order(model) {
        let members = shape.members(model);
        let bits = |v: Vec3<f64>| <[f64; 3]>::from(v).map(|value| (value as f32).to_bits());
        let with = |[x, y, z]: [u32; 3], w: u32| [x, y, z, w];
        places.extend(members.places.iter().map(|&(place, share)| with(bits(place), (share as f32).to_bits())));
        for (blend, ways) in shape.blends.iter().zip(&members.ways) {
            places.extend(ways.iter().map(|&way| with(bits(way), blend.curve)));
        }
    }
    buffers.upload(device, "shape_places", &places);
    buffers.upload(device, "shape_flows", &vec![UNSHAPED.to_kept(); model.rest_shapes.len()]);
    follow_plan(device, buffers, model, plan);
}

/// Uploads where a plan has the members of the rest shapes that change. Of the model it needs no more than these.
pub fn follow_plan(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    if model.rest_shapes.is_empty() {
        return;
    }
    let place_of = |group: &PlannedGroup| {
        let mut place_of = vec![0; group.constraint_of.len()];
        (0..).zip(&group.constraint_of).for_each(|(place, &constraint)| place_of[constraint as usize] = place);
        place_of
    };
    let place_of: Vec<Vec<usize>> = plan.groups.iter().map(place_of).collect();
    let mut places = 0;
    let record = |(flow, shape): (usize, &Shape)| {
        let planned = &plan.groups[shape.group as usize];
        let place = place_of[shape.group as usize][shape.constraint as usize];
        let [first, count, data, material] =
            ["first", "count", "data", "material"].map(|name| number(planned, place, name));
        let (begin, blends) = (places, shape.blends.len() as u32);
        places += count * (1 + blends);
        let curves = model.curves.len() as u32;
        RestShape { first, count, data, places: begin, blends, material, curves, flow: flow as u32 }
    };
    let records: Vec<RestShape> = in_order(model).map(record).collect();
    buffers.upload(device, "rest_shapes", &records);
}

/// The rest shapes with their numbers, those of each group together.
fn in_order(model: &Model) -> impl Iterator<Item = (usize, &Shape)> {
    let mut shapes: Vec<(usize, &Shape)> = model.rest_shapes.iter().enumerate().collect();
    shapes.sort_by_key(|(_, shape)| shape.group);
    shapes.into_iter()
}

/// A whole number of the record at a place.
fn number(planned: &PlannedGroup, place: usize, name: &str) -> u32 {
    let from = place * planned.kind.record_size() + word(planned.kind, name) as usize * size_of::<u32>();
    bytemuck::pod_read_unaligned(&planned.records[from..from + size_of::<u32>()])
}

/// Bytes of what [`upload`] uploads.
pub fn bytes(model: &Model) -> u64 {
    let of = |shape: &Shape| {
        let members = model.groups[shape.group as usize].particles_of(shape.constraint as usize).len();
        size_of::<RestShape>() as u64 + FLOW_BYTES + (members * (1 + shape.blends.len()) * 16) as u64
    };
    model.rest_shapes.iter().map(of).sum()
}

/// Bytes of the largest list of them.
pub fn largest_binding(model: &Model) -> u64 {
    let members =
        |shape: &Shape| model.groups[shape.group as usize].particles_of(shape.constraint as usize).len() as u64;
    model.rest_shapes.iter().map(|shape| 16 * members(shape) * (1 + shape.blends.len() as u64)).sum()
}

/// All rest shapes that change, a dispatch for each kind that has some.
pub struct Shapes {
    work: Vec<Work>,
}

impl Shapes {
    /// `None` where no rest shape changes.
    pub fn new(setup: &Setup) -> Result<Option<Self>, KernelError> {
        let Setup { pipelines, buffers, model, constraints, .. } = *setup;
        if model.rest_shapes.is_empty() {
            return Ok(None);
        }
        let pipeline = pipelines.get(kernel(), &[])?;
        let (mut first, mut dispatches, mut each) = (0, Dispatches::default(), Vec::new());
        for (group, constraints) in constraints.iter().enumerate() {
            let of_group = || model.rest_shapes.iter().filter(|shape| shape.group as usize == group);
            let count = of_group().count() as u32;
            if count > 0 {
                // Place and way of a particle, its rest place as built and in effect, and its blend shapes.
                let blends = of_group().map(|shape| shape.blends.len()).max().unwrap_or(0) as u64;
                let members = constraints.members_each;
                let bytes = size_of::<RestShape>() as u64 + 2 * FLOW_BYTES + members * (16 * (4 + 2 * blends));
                each.push((constraints, dispatches.workgroups(first..first + count, bytes)));
                first += count;
            }
        }
        let batches = dispatches.upload(&pipelines.device);
        let work = each.into_iter().map(|(constraints, dispatch)| {
            let own = [("batch", BufferRange::slot(&batches)), ("members", BufferRange::all(&constraints.members))];
            let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
            Ok(Work { pipeline: pipeline.clone(), bind_group, dispatch })
        });
        Ok(Some(Self { work: work.collect::<Result<_, KernelError>>()? }))
    }
}

impl Pass for Shapes {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, ..Hooks::default() }
    }

    fn detect(&self, recorder: &mut Recorder) {
        self.work.iter().for_each(|work| recorder.run(work));
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
