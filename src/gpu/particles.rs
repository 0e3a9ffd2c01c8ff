//! Predicting where particles go and finishing a substep: what happens to every particle, constraints or not.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::kernel::{Kernel, KernelError, Piece};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::{Integrator, Model};
use crate::shader_piece;
use crate::step::is_driven;

/// A kernel that runs over all particles.
fn kernel(label: &str, pieces: Vec<Piece>) -> Kernel {
    let mut all = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("lib/properties.wgsl"),
    ];
    all.extend(pieces);
    Kernel::new(label, all)
}

fn moving(last: &[Piece]) -> Vec<Piece> {
    let begin = [
        shader_piece!("lib/products.wgsl"),
        shader_piece!("step/fall.wgsl"),
        shader_piece!("step/motion.wgsl"),
        shader_piece!("step/past.wgsl"),
    ];
    [&begin, last].concat()
}

pub fn predict_kernel() -> Kernel {
    placing("predict", moving(&[shader_piece!("step/predict.wgsl")]))
}

pub fn finish_kernel() -> Kernel {
    let last = [shader_piece!("step/settle.wgsl"), shader_piece!("step/finish.wgsl")];
    placing("finish", moving(&last))
}

pub fn lattice_kernel() -> Kernel {
    placing("lattice", vec![shader_piece!("step/fit.wgsl"), shader_piece!("step/lattice.wgsl")])
}

pub fn begin_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/products.wgsl"),
        shader_piece!("step/fall.wgsl"),
        shader_piece!("step/fit.wgsl"),
        shader_piece!("step/begin.wgsl"),
    ];
    placing("begin", pieces)
}

/// A kernel that writes positions or displacements.
fn placing(label: &str, mut pieces: Vec<Piece>) -> Kernel {
    pieces.extend([shader_piece!("lib/displacement.wgsl"), shader_piece!("step/vectors.wgsl")]);
    kernel(label, pieces)
}

/// The kernels that run over all particles.
pub struct ParticleKernels {
    lattice: Work,
    predict: Work,
    /// Both, where gravity alone moves particles.
    begin: Option<Work>,
    finish: Work,
    finish_and_predict: Work,
}

impl ParticleKernels {
    /// `air`: whether it acts on any particle.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        particles: u32,
        air: bool,
        model: &Model,
    ) -> Result<Self, KernelError> {
        let two_steps = model.settings.integrator == Integrator::Bdf2;
        let driven = is_driven(model);
        // The past in, and out; and where the velocity is taken from, as much as u that a substep does not hand to the
        // next.
        let [past, start] = if two_steps { [2 * 16, 16] } else { [0; 2] };
        let falls = !(driven || air || two_steps);
        let mut dispatches = Dispatches::default();
        let lattice = dispatches.threads(0..particles, 0);
        let predict = dispatches.threads(0..particles, 4 * 16 + past + start);
        let finish = dispatches.threads(0..particles, 6 * 16 + 2 * past + start);
        let finish_and_predict = dispatches.threads(0..particles, 6 * 16 + 2 * past + 2 * start);
        let batches = dispatches.upload(&pipelines.device);
        let work = |kernel: Kernel, begins_next: bool, dispatch| {
            let constants = [("BEGINS_NEXT", begins_next), ("AIR", air), ("DRIVEN", driven), ("BDF2", two_steps)];
            let pipeline = pipelines.get(kernel, &constants)?;
            let bind_group = pipeline.bind(&pipelines.device, shared, &[("batch", BufferRange::slot(&batches))])?;
            Ok(Work { pipeline, bind_group: Arc::new(bind_group), dispatch })
        };
        Ok(Self {
            lattice: work(lattice_kernel(), false, lattice)?,
            predict: work(predict_kernel(), false, predict)?,
            begin: falls.then(|| work(begin_kernel(), false, predict)).transpose()?,
            finish: work(finish_kernel(), false, finish)?,
            finish_and_predict: work(finish_kernel(), true, finish_and_predict)?,
        })
    }

    /// Once a frame: a coarser lattice if a particle has left it.
    pub fn fit_lattice(&self, recorder: &mut Recorder) {
        recorder.section("lattice").run(&self.lattice);
    }

    /// [`Self::fit_lattice`] and [`Self::predict`] in one dispatch; `false`, and nothing is recorded, where that cannot
    /// be.
    pub fn begin(&self, recorder: &mut Recorder) -> bool {
        self.begin.iter().for_each(|begin| recorder.section("predict").run(begin));
        self.begin.is_some()
    }

    pub fn predict(&self, recorder: &mut Recorder) {
        recorder.section("predict").run(&self.predict);
    }

    pub fn finish(&self, recorder: &mut Recorder) {
        recorder.section("finish").run(&self.finish);
    }

    /// Finishes a substep and begins the next.
    pub fn finish_and_predict(&self, recorder: &mut Recorder) {
        recorder.section("finish").run(&self.finish_and_predict);
    }
}
