//! Times the frames of one model.

use std::fmt;
use std::time::Instant;

use serde::Serialize;

use crate::Plan;
use crate::cli::engine::{Device, Engine, FrameTime};
use crate::cli::failure::Failure;
use crate::cli::report::median;
use crate::model::Model;

/// Particles above which ten frames are enough.
const LARGE: usize = 1_000_000;

/// One size of a benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Particles along a side of the cloth, cells along a short side of the block, or the particles of the scene.
    pub n: usize,
    pub particles: usize,
    pub constraints: usize,
    pub frames: usize,
    pub step_ms_median: f64,
    pub step_ms_min: f64,
    pub step_ms_max: f64,
    /// Constraints solved per second, counted once for each iteration of each substep.
    pub projections_per_s: f64,
    pub dispatches_per_frame: u32,
    /// What the kernels read and write.
    pub bytes_per_frame: u64,
    pub share_of_copy_bandwidth: f64,
    pub memory_bytes: u64,
    /// Of the CPU, for each frame.
    pub record_ms_median: f64,
    pub plan_ms: f64,
    /// What the device noticed during the frames; the cloth of 1 m is stiffer than 10 substeps can hold, so that large ones
    /// stretch far.
    pub flags: Vec<&'static str>,
}

impl Row {
    pub const HEADER: &'static str = "     n  particles  constraints  median ms      min      max  Mproj/s  dispatches  of copy  \
                                      memory MiB  record ms  plan ms";

    /// Steps a model some frames to warm up, then times at least 30 (10 of a large one).
    pub fn measure(n: usize, model: &Model, device: &Device) -> Result<Self, Failure> {
        let start = Instant::now();
        let plan = Plan::new(model);
        let plan_ms = start.elapsed().as_secs_f64() * 1e3;
        let mut engine = Engine::open(device, model, &plan)?;
        let (warm_up, frames) = if model.particles.len() >= LARGE { (3, 10) } else { (10, 30) };
        time(&mut engine, warm_up)?;
        let times = time(&mut engine, frames)?;

        let step_ms: Vec<f64> = times.iter().map(|time| time.step.as_secs_f64() * 1e3).collect();
        let record_ms = times.iter().map(|time| time.record.as_secs_f64() * 1e3).collect();
        let constraints: usize = model.groups.iter().map(|group| group.len()).sum();
        let sweeps = f64::from(model.settings.substeps) * f64::from(model.settings.iterations);
        let step_ms_median = median(step_ms.clone());
        let work = engine.work();
        let state = engine.state()?;
        Ok(Self {
            n,
            particles: model.particles.len(),
            constraints,
            frames,
            step_ms_median,
            step_ms_min: step_ms.iter().copied().fold(f64::INFINITY, f64::min),
            step_ms_max: step_ms.iter().copied().fold(0.0, f64::max),
            projections_per_s: constraints as f64 * sweeps / (step_ms_median / 1e3),
            dispatches_per_frame: work.dispatches_per_frame,
            bytes_per_frame: work.bytes_per_frame,
            share_of_copy_bandwidth: 0.0,
            memory_bytes: work.memory_bytes,
            record_ms_median: median(record_ms),
            plan_ms,
            flags: engine.alarm(&state).map_or_else(Vec::new, |alarm| alarm.flags),
        })
    }
}

fn time(engine: &mut Engine, frames: usize) -> Result<Vec<FrameTime>, Failure> {
    (0..frames).map(|_| engine.step()).collect()
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6} {:10} {:12} {:10.3} {:8.3} {:8.3} {:8.1} {:11} {:7.0}% {:11.1} {:10.3} {:8.0}{}",
            self.n,
            self.particles,
            self.constraints,
            self.step_ms_median,
            self.step_ms_min,
            self.step_ms_max,
            self.projections_per_s / 1e6,
            self.dispatches_per_frame,
            self.share_of_copy_bandwidth * 100.0,
            self.memory_bytes as f64 / f64::from(1 << 20),
            self.record_ms_median,
            self.plan_ms,
            if self.flags.is_empty() { String::new() } else { format!("  ({})", self.flags.join(", ")) }
        )
    }
}
