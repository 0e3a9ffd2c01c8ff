//! Rest values that change, of a group that has curves or yields, and what changes them: for `pass/rest`.

use std::sync::Arc;

use crate::constraint::{Kind, RestChange};
use crate::gpu::buffers::{BufferRange, Buffers, Slice, upload};
use crate::gpu::constraints::MULTIPLIER_BYTES;
use crate::gpu::kernel::{Kernel, KernelError};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Work};
use crate::plan::{PlannedGroup, window_places};
use crate::shader_piece;
use crate::step::records::{RestFields, RestLaw};

/// Bytes of a stored rest value: its base and what is in effect.
const REST_BYTES: u64 = 8;
const WORD_BYTES: usize = 4;
/// A kind whose C has no scale, in `shaders/rest/change.wgsl`.
const NO_SCALE: u32 = u32::MAX;

pub fn rest_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/broken.wgsl"),
        shader_piece!("rest/law.wgsl"),
        shader_piece!("rest/change.wgsl"),
    ];
    Kernel::new("rest", pieces)
}

/// The changing rest values of a group.
pub struct Rest {
    /// Base and value in effect of each rest value, in the plan's order.
    pub values: Slice,
    fields: wgpu::Buffer,
    /// What changes them, by window of the records.
    pub work: Vec<Work>,
}

impl Rest {
    /// Over the buffers of a group of a kind whose rest values may change; `curves` is the model's number of them.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        group: &PlannedGroup,
        [records, multipliers]: [&Slice; 2],
        curves: usize,
    ) -> Result<Self, KernelError> {
        let device = &pipelines.device.clone();
        let layout = fields(group.kind, curves);
        let values = Slice::all(upload(device, "rest values", &initial(group)));
        let fields = upload(device, "rest fields", &[layout]);
        let (count, all) = (u64::from(layout.count), u64::from(layout.all));
        // A material and its law, and for each value λ, base and value in and out, and the record's field.
        let bytes_each = 4 + size_of::<RestLaw>() as u64 + count * (MULTIPLIER_BYTES + 2 * REST_BYTES + 4);

        let (places, longest) = (group.len() as u32, window_places(group.kind));
        let mut dispatches = Dispatches::default();
        let windows: Vec<_> =
            (0..places).step_by(longest as usize).map(|from| from..places.min(from + longest)).collect();
        let each: Vec<_> =
            windows.iter().map(|window| dispatches.threads(0..window.len() as u32, bytes_each)).collect();
        let batches = dispatches.upload(device);
        let pipeline = pipelines.get(rest_kernel(), &[])?;
        let work = windows.into_iter().zip(each).map(|(window, dispatch)| {
            let own = [
                ("batch", BufferRange::slot(&batches)),
                ("fields", BufferRange::all(&fields)),
                ("records", records.places(&window, group.kind.record_size() as u64)),
                ("multipliers", multipliers.places(&window, count * MULTIPLIER_BYTES)),
                ("rests", values.places(&window, all * REST_BYTES)),
            ];
            let bind_group = Arc::new(pipeline.bind(device, shared, &own)?);
            Ok(Work { pipeline: pipeline.clone(), bind_group, dispatch })
        });
        let work = work.collect::<Result<_, KernelError>>()?;
        Ok(Self { values, fields, work })
    }

    pub fn memory_bytes(&self) -> u64 {
        self.values.size + self.fields.size()
    }
}

/// Where a kind's records hold rest values and material.
fn fields(kind: &dyn Kind, curves: usize) -> RestFields {
    let (rest, changing) = (kind.rest(), kind.changing_rest());
    RestFields {
        first: rest.get(changing.start).map_or(0, |first| word(kind, first.name)),
        before: changing.start as u32,
        count: changing.len() as u32,
        all: rest.len() as u32,
        stride: (kind.record_size() / WORD_BYTES) as u32,
        material: word(kind, "material"),
        own: u32::from(kind.own_materials()),
        scale: kind.rest_scale().map_or(NO_SCALE, |scale| word(kind, rest[scale].name)),
        factor: u32::from(kind.rest_change() == Some(RestChange::Factor)),
        curves: curves as u32,
    }
}

/// Words before a field of a kind's records.
pub(crate) fn word(kind: &dyn Kind, name: &str) -> u32 {
    let field = kind.record_fields().iter().find(|field| field.name == name);
    let field = field.unwrap_or_else(|| unreachable!("a kind with a record without `{name}` does not compile"));
    (field.offset / WORD_BYTES) as u32
}

/// Base and value in effect as built: those of the records.
fn initial(group: &PlannedGroup) -> Vec<[f32; 2]> {
    let words: Vec<usize> = group.kind.rest().iter().map(|rest| word(group.kind, rest.name) as usize).collect();
    let of_record = |record: &[u8]| {
        let value = |&word: &usize| {
            let from = word * WORD_BYTES;
            bytemuck::pod_read_unaligned::<f32>(&record[from..from + WORD_BYTES])
        };
        words.iter().map(|word| [value(word); 2]).collect::<Vec<_>>()
    };
    group.records.chunks_exact(group.kind.record_size()).flat_map(of_record).collect()
}
