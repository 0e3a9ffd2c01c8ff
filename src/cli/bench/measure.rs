//! Times the frames of one model on an engine, whichever it is.

use std::fmt;

use serde::Serialize;

use super::adapter::{self, Floor};
use super::sections::{self, Part};
use crate::cli::engine::{FrameTime, Runner};
use crate::cli::failure::Failure;
use crate::cli::report::quantile;
use crate::measure::Measurement;
use crate::model::Model;

/// Particles above which ten frames are enough.
const LARGE: usize = 1_000_000;

/// How a model is measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// How many frames are timed, if not as many as its size suggests.
    pub frames: Option<usize>,
    /// Whether the device then times each kind of work by itself.
    pub profile: bool,
}

/// One size of a benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Particles along a side of the cloth, cells along a short side of the block, or the particles of the scene.
    pub n: usize,
    pub particles: usize,
    pub constraints: usize,
    pub substeps: u32,
    pub iterations: u32,
    /// Of the CPU engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    pub frames: usize,
    pub step_ms_median: f64,
    pub step_ms_min: f64,
    pub step_ms_max: f64,
    /// A quarter of the frames took less.
    pub step_ms_lower_quartile: f64,
    /// A quarter of the frames took more.
    pub step_ms_upper_quartile: f64,
    /// Constraints solved per second, counted once for each iteration of each substep.
    pub projections_per_s: f64,
    /// Of the CPU engine the meetings of its threads.
    pub dispatches_per_frame: u32,
    /// What the kernels read and write.
    pub bytes_per_frame: u64,
    /// The same for each constraint solved; 0 without constraints.
    pub bytes_per_projection: f64,
    pub share_of_copy_bandwidth: f64,
    /// What as many dispatches would take that only copied as many bytes.
    pub floor_ms: f64,
    pub memory_bytes: u64,
    /// All of the memory over the particles, and over the constraints.
    pub memory_bytes_per_particle: f64,
    pub memory_bytes_per_constraint: f64,
    /// Of the CPU, for each frame.
    pub record_ms_median: f64,
    /// To colour, order and pack the model, once.
    pub plan_ms: f64,
    /// Of the state after the timed frames: the error that the time bought. y of the lowest particle, m.
    pub lowest_m: f64,
    /// Largest |length/rest - 1| of a distance constraint.
    pub max_stretch: f64,
    /// What the device noticed during the frames; the cloth of 1 m is stiffer than 10 substeps can hold, so that large
    /// ones stretch far.
    pub flags: Vec<&'static str>,
    /// Where the time goes, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Part>,
}

impl Row {
    pub const HEADER: &'static str = concat!(
        "     n  particles  constraints  median ms    quartiles of it      min",
        "  Mproj/s  dispatches  B/proj  of copy  of floor",
        "  memory MiB  B/constraint  record ms  plan ms  stretch %",
    );

    /// Steps a model some frames to warm up, then times at least 30 (10 of a large one).
    pub fn measure(
        n: usize,
        model: &Model,
        plan_ms: f64,
        engine: &mut dyn Runner,
        floor: &Floor,
        way: Way,
    ) -> Result<Self, Failure> {
        let (warm_up, frames) = if model.particles.len() >= LARGE { (3, 10) } else { (10, 30) };
        let frames = way.frames.unwrap_or(frames);
        wake(engine)?;
        time(engine, warm_up.min(frames))?;
        let times = time(engine, frames)?;
        let state = engine.state()?;
        let flags = engine.alarm(&state).map_or_else(Vec::new, |alarm| alarm.flags);
        let measured = Measurement::of(model, &state);
        if way.profile {
            wake(engine)?;
        }
        let sections = if way.profile { sections::measure(engine, floor)? } else { Vec::new() };

        let milliseconds = |of: fn(&FrameTime) -> std::time::Duration| {
            times.iter().map(|time| of(time).as_secs_f64() * 1e3).collect::<Vec<f64>>()
        };
        let step_ms = milliseconds(|time| time.step);
        let constraints: usize = model.groups.iter().map(|group| group.len()).sum();
        let sweeps = f64::from(model.settings.substeps) * f64::from(model.settings.iterations);
        let step_ms_median = quantile(&step_ms, 0.5);
        let (dispatches, bytes) = (engine.dispatches(), engine.bytes_per_frame());
        let memory_bytes = engine.memory_bytes();
        Ok(Self {
            n,
            particles: model.particles.len(),
            constraints,
            substeps: model.settings.substeps,
            iterations: model.settings.iterations,
            threads: engine.threads(),
            frames,
            step_ms_median,
            step_ms_min: quantile(&step_ms, 0.0),
            step_ms_max: quantile(&step_ms, 1.0),
            step_ms_lower_quartile: quantile(&step_ms, 0.25),
            step_ms_upper_quartile: quantile(&step_ms, 0.75),
            projections_per_s: constraints as f64 * sweeps / (step_ms_median / 1e3),
            dispatches_per_frame: dispatches,
            bytes_per_frame: bytes,
            bytes_per_projection: match constraints {
                0 => 0.0,
                _ => bytes as f64 / (constraints as f64 * sweeps),
            },
            share_of_copy_bandwidth: bytes as f64 / (step_ms_median / 1e3) / floor.copy_bandwidth_bytes_per_s,
            floor_ms: floor.milliseconds(dispatches, bytes),
            memory_bytes,
            memory_bytes_per_particle: memory_bytes as f64 / model.particles.len() as f64,
            memory_bytes_per_constraint: if constraints == 0 { 0.0 } else { memory_bytes as f64 / constraints as f64 },
            record_ms_median: quantile(&milliseconds(|time| time.record), 0.5),
            plan_ms,
            lowest_m: measured.min[1],
            max_stretch: measured.max_stretch,
            flags,
            sections,
        })
    }
}

/// Planning and looking at states take so long that a card may rest meanwhile.
fn wake(engine: &dyn Runner) -> Result<(), Failure> {
    engine.gpu().map_or(Ok(()), adapter::wake)
}

fn time(engine: &mut dyn Runner, frames: usize) -> Result<Vec<FrameTime>, Failure> {
    (0..frames).map(|_| engine.solve()).collect()
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6} {:10} {:12} {:10.3} {:9.3} to {:8.3} {:8.3} {:8.1} {:11} \
             {:7.1} {:7.0}% {:8.0}% {:11.1} {:13.0} {:10.3} {:8.0} {:10.3}{}{}",
            self.n,
            self.particles,
            self.constraints,
            self.step_ms_median,
            self.step_ms_lower_quartile,
            self.step_ms_upper_quartile,
            self.step_ms_min,
            self.projections_per_s / 1e6,
            self.dispatches_per_frame,
            self.bytes_per_projection,
            self.share_of_copy_bandwidth * 100.0,
            self.floor_ms / self.step_ms_median * 100.0,
            self.memory_bytes as f64 / f64::from(1 << 20),
            self.memory_bytes_per_constraint,
            self.record_ms_median,
            self.plan_ms,
            self.max_stretch * 100.0,
            self.threads.map_or(String::new(), |threads| format!("  threads {threads}")),
            if self.flags.is_empty() { String::new() } else { format!("  ({})", self.flags.join(", ")) }
        )
    }
}
