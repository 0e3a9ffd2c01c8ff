//! The air: drag and lift of triangles, drag of cylinders along strands and of balls, in a wind.

use std::sync::Arc;

use crate::gpu::buffers::BufferRange;
use crate::gpu::kernel::{Kernel, KernelError};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::Integrator;
use crate::shader_piece;
use crate::step::{Hooks, air_is_felt};

pub fn air_kernel(integrator: Integrator) -> Kernel {
    let (label, way) = match integrator {
        Integrator::Euler => ("air", shader_piece!("step/way.wgsl")),
        Integrator::Bdf2 => ("air bdf2", shader_piece!("step/way_bdf2.wgsl")),
    };
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/properties.wgsl"),
        way,
        shader_piece!("air/accelerate.wgsl"),
    ];
    Kernel::new(label, pieces)
}

/// What the air does to every particle.
pub struct Air {
    work: Work,
}

impl Air {
    /// `None` where it acts on nothing.
    pub fn new(setup: &Setup) -> Result<Option<Self>, KernelError> {
        if !air_is_felt(setup.model) {
            return Ok(None);
        }
        let Setup { pipelines, buffers, model, .. } = *setup;
        let mut dispatches = Dispatches::default();
        // Six triangles of three corners, each with its place and its way; and the particle's own.
        let dispatch = dispatches.threads(0..setup.particles() as u32, 6 * (4 * 4 + 3 * 32) + 3 * 16 + 12);
        let batches = dispatches.upload(&pipelines.device);
        let pipeline = pipelines.get(air_kernel(model.settings.integrator), &[("TORN", model.tearing.is_some())])?;
        let own = [("batch", BufferRange::slot(&batches))];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, buffers, &own)?);
        Ok(Some(Self { work: Work { pipeline, bind_group, dispatch } }))
    }
}

impl Pass for Air {
    fn hooks(&self) -> Hooks {
        Hooks { accelerate: true, ..Hooks::default() }
    }

    fn accelerate(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
