//! Emitters and drains on a device: one dispatch over all particles of fluids at each substep's beginning.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatches, Kernel, KernelError, Recorder, Work};
use crate::model::Model;
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::{DrainBox, Flowing};
use crate::step::{Hooks, drain_boxes, flowing};

/// What may come and go.
pub struct Flows {
    work: Work,
}

/// The kernel.
pub fn kernel() -> Kernel {
    let [substep, batch] = [shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
    Kernel::new("flows", vec![substep, batch, shader_piece!("flows/flow.wgsl")])
}

/// Uploads what may come and go, if there is any.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    if model.flows() {
        buffers.upload(device, "flowing", &flowing(model, &plan.slot_of));
        let mut drains = drain_boxes(model);
        // A binding cannot be empty: in this one is nothing.
        let nothing = DrainBox { min: [1.0; 3], max: [-1.0; 3], ..DrainBox::default() };
        drains.resize(drains.len().max(1), nothing);
        buffers.upload(device, "drains", &drains);
    }
}

/// Bytes of what [`upload`] uploads.
pub fn bytes(model: &Model) -> u64 {
    let particles: usize = model.fluids.iter().filter(|_| model.flows()).map(|fluid| fluid.particles.len()).sum();
    (particles * size_of::<Flowing>() + model.drains.len() * size_of::<DrainBox>()) as u64
}

impl Flows {
    /// `None` where nothing flows.
    pub fn new(setup: &Setup) -> Result<Option<Self>, KernelError> {
        let Setup { buffers, pipelines, model, .. } = *setup;
        let Some(flowing) = buffers.get("flowing") else { return Ok(None) };
        let count = (flowing.bytes() / size_of::<Flowing>() as u64) as u32;
        let mut dispatches = Dispatches::default();
        let drained = if model.drains.is_empty() { 0 } else { 2 * 16 };
        let dispatch = dispatches.threads(0..count, size_of::<Flowing>() as u64 + drained);
        let batches = dispatches.upload(&pipelines.device);
        let pipeline = pipelines.get(kernel(), &[("DRAINS", !model.drains.is_empty())])?;
        let own = [("batch", BufferRange::slot(&batches))];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
        Ok(Some(Self { work: Work { pipeline, bind_group, dispatch } }))
    }
}

impl Pass for Flows {
    fn hooks(&self) -> Hooks {
        Hooks { correct_prediction: true, ..Hooks::default() }
    }

    fn correct_prediction(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
