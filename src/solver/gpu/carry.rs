//! Carrying a simulation over to other settings and another plan, on the device.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers, upload};
use crate::gpu::constraints::Constraints;
use crate::gpu::download::GroupOrder;
use crate::gpu::kernel::{Kernel, KernelError, Piece};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::shader_piece;
use crate::step::records::Carry;

fn kernel(label: &str, last: Piece) -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/carry.wgsl"),
        shader_piece!("lib/broken.wgsl"),
        last,
    ];
    Kernel::new(label, pieces)
}

pub fn kernels() -> [Kernel; 2] {
    [kernel("rescale", shader_piece!("step/rescale.wgsl")), kernel("carry", shader_piece!("solve/carry.wgsl"))]
}

/// What changes with the settings.
pub struct Ratios {
    /// The new length of a substep over the old.
    pub substep: f64,
    /// The same of [`Settings::implicit_seconds`](crate::model::Settings::implicit_seconds).
    pub implicit: f64,
    /// The new number of substeps in a frame over the old.
    pub count: f64,
}

impl Ratios {
    fn record(&self, components: u32) -> Carry {
        let multiplier = self.implicit * self.implicit;
        Carry {
            way: self.substep as f32,
            multiplier: multiplier as f32,
            sum: (multiplier * self.count) as f32,
            components,
        }
    }
}

/// Brings velocities to another length of a substep.
pub fn rescale(
    pipelines: &Pipelines,
    shared: &Buffers,
    particles: usize,
    ratios: &Ratios,
    recorder: &mut Recorder,
) -> Result<(), KernelError> {
    let [kernel, _] = kernels();
    run(pipelines, shared, kernel, particles, &ratios.record(0), &[], recorder)
}

/// A group's constraints with the order in which they lie.
pub type Ordered<'a> = (&'a Constraints, &'a GroupOrder);

/// Brings the multipliers and rest values of a group to where a new plan has their constraints.
pub fn carry(
    pipelines: &Pipelines,
    shared: &Buffers,
    (from, before): Ordered,
    (to, after): Ordered,
    ratios: &Ratios,
    recorder: &mut Recorder,
) -> Result<(), KernelError> {
    let mut place_of = vec![0_u32; before.constraint_of.len()];
    for (place, &constraint) in (0..).zip(&before.constraint_of) {
        place_of[constraint as usize] = place;
    }
    let places: Vec<u32> = after.constraint_of.iter().map(|&constraint| place_of[constraint as usize]).collect();
    let places = upload(&pipelines.device, "places", &places);
    let mut pairs = |before: BufferRange, now: BufferRange, record: Carry| {
        let own = [("before", before), ("places", BufferRange::all(&places)), ("multipliers", now)];
        let [_, kernel] = kernels();
        run(pipelines, shared, kernel, after.constraint_of.len(), &record, &own, recorder)
    };
    let record = ratios.record(after.components as u32);
    // Sums that are not kept from now on become zero, so that a later request does not find stale ones.
    let record = Carry { sum: if after.summed { record.sum } else { 0.0 }, ..record };
    pairs(from.multipliers.range(), to.multipliers.range(), record)?;
    if let (Some(from), Some(to)) = (&from.rest, &to.rest) {
        // Rest values are pairs as well, and know nothing of substeps.
        let same = Ratios { substep: 1.0, implicit: 1.0, count: 1.0 };
        pairs(from.values.range(), to.values.range(), same.record(after.rests as u32))?;
    }
    Ok(())
}

fn run(
    pipelines: &Pipelines,
    shared: &Buffers,
    kernel: Kernel,
    items: usize,
    record: &Carry,
    own: &[(&str, BufferRange)],
    recorder: &mut Recorder,
) -> Result<(), KernelError> {
    let mut dispatches = Dispatches::default();
    let dispatch = dispatches.threads(0..items as u32, 0);
    let batches = dispatches.upload(&pipelines.device);
    let record = upload(&pipelines.device, "carry", &[*record]);
    let pipeline = pipelines.get(kernel, &[])?;
    let mut all = vec![("batch", BufferRange::slot(&batches)), ("carry", BufferRange::all(&record))];
    all.extend_from_slice(own);
    let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &all)?);
    recorder.run(&Work { pipeline, bind_group, dispatch });
    Ok(())
}
