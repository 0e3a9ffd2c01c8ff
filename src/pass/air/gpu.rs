//! The air: drag and lift of triangles, drag of cylinders along strands and of balls, in a wind.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::kernel::{Kernel, KernelError};
use crate::gpu::pass::Pass;
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::Integrator;
use crate::shader_piece;

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
    /// `torn`: whether any surface can be.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        particles: usize,
        torn: bool,
        integrator: Integrator,
    ) -> Result<Self, KernelError> {
        let mut dispatches = Dispatches::default();
        // Six triangles of three corners, each with its place and its way; and the particle's own.
        let dispatch = dispatches.threads(0..particles as u32, 6 * (4 * 4 + 3 * 32) + 3 * 16 + 12);
        let batches = dispatches.upload(&pipelines.device);
        let pipeline = pipelines.get(air_kernel(integrator), &[("TORN", torn)])?;
        let own = [("batch", BufferRange::slot(&batches))];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
        Ok(Self { work: Work { pipeline, bind_group, dispatch } })
    }
}

impl Pass for Air {
    fn name(&self) -> &'static str {
        "air"
    }

    fn accelerates(&self) -> bool {
        true
    }

    fn accelerate(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
