//! Predicting where particles go and finishing a substep: what happens to every particle, constraints or not.

use std::sync::Arc;

use super::buffers::{BufferRange, Buffers};
use super::kernel::{Kernel, KernelError};
use super::recorder::{Dispatches, Recorder, Work};
use crate::shader_piece;

pub fn predict_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/properties.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("step/predict.wgsl"),
    ];
    Kernel::new("predict", pieces)
}

pub fn finish_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("step/finish.wgsl"),
    ];
    Kernel::new("finish", pieces)
}

pub fn lattice_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("step/lattice.wgsl"),
    ];
    Kernel::new("lattice", pieces)
}

/// The kernels that run over all particles.
pub struct ParticleKernels {
    lattice: Work,
    predict: Work,
    finish: Work,
}

impl ParticleKernels {
    pub fn new(device: &wgpu::Device, shared: &Buffers, particles: u32) -> Result<Self, KernelError> {
        let mut dispatches = Dispatches::default();
        let lattice = dispatches.threads(0..particles, 0);
        let predict = dispatches.threads(0..particles, 4 * 16 + 8);
        let finish = dispatches.threads(0..particles, 6 * 16);
        let batches = dispatches.upload(device);
        let work = |kernel: Kernel, dispatch| {
            let pipeline = kernel.compile(device, &[])?;
            let bind_group = pipeline.bind(device, shared, &[("batch", BufferRange::slot(&batches))])?;
            Ok(Work { pipeline: Arc::new(pipeline), bind_group: Arc::new(bind_group), dispatch })
        };
        Ok(Self {
            lattice: work(lattice_kernel(), lattice)?,
            predict: work(predict_kernel(), predict)?,
            finish: work(finish_kernel(), finish)?,
        })
    }

    /// Once a frame: a coarser lattice if a particle has left it.
    pub fn fit_lattice(&self, recorder: &mut Recorder) {
        recorder.run(&self.lattice);
    }

    pub fn predict(&self, recorder: &mut Recorder) {
        recorder.run(&self.predict);
    }

    pub fn finish(&self, recorder: &mut Recorder) {
        recorder.run(&self.finish);
    }
}
