//! Whether a device solves large bodies faster in clusters or colour after colour: measured, since nothing that an adapter tells of itself
//! says so.

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::Plan;
use crate::cli::bench::w1;
use crate::device::{Fault, Gpu};
use crate::model::Model;
use crate::solver::{Solver, SolverError};

/// Particles along the side of the cloth that is timed: large enough that the work counts, not only the dispatches.
const SIDE: u32 = 256;
/// Frames by either way that are timed, in turn.
const FRAMES: usize = 9;

/// Why nothing was measured.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The device does not hold the cloth.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Something went wrong on the device.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// How long the best frame of a cloth of 256 × 256 particles takes: the workload W1 of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// By [`Plan::new`], milliseconds.
    pub colours_ms: f64,
    /// By [`Plan::clustered`], milliseconds.
    pub clusters_ms: f64,
}

impl Calibration {
    /// Times frames by either way in turn, after one each to warm up. Takes about 20 frames and the compilation of the kernels: two seconds
    /// on a software device. Blocks.
    ///
    /// # Errors
    /// If the device does not hold the cloth, or fails.
    pub fn measure(gpu: &Gpu) -> Result<Self, CalibrationError> {
        Self::of(gpu, &w1::model(SIDE))
    }

    fn of(gpu: &Gpu, model: &Model) -> Result<Self, CalibrationError> {
        let mut colours = Solver::sharing(&gpu.pipelines, model, &Plan::new(model))?;
        let mut clusters = Solver::sharing(&gpu.pipelines, model, &Plan::clustered(model))?;
        let mut best = [Duration::MAX; 2];
        for frame in 0..=FRAMES {
            for (best, solver) in best.iter_mut().zip([&mut colours, &mut clusters]) {
                let taken = time(gpu, solver)?;
                if frame > 0 {
                    *best = (*best).min(taken);
                }
            }
        }
        let [colours_ms, clusters_ms] = best.map(|best| best.as_secs_f64() * 1e3);
        Ok(Self { colours_ms, clusters_ms })
    }

    /// Whether clusters took less time.
    pub fn favours_clusters(&self) -> bool {
        self.clusters_ms < self.colours_ms
    }
}

fn time(gpu: &Gpu, solver: &mut Solver) -> Result<Duration, Fault> {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    solver.step(&mut encoder);
    let commands = encoder.finish();
    let start = Instant::now();
    gpu.submit_and_wait(commands)?;
    Ok(start.elapsed())
}
