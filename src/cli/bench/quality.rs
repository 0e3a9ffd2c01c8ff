//! The fewest substeps with which the standard cloth hangs as it should: what throughput alone does not tell.

use std::fmt;

use serde::Serialize;

use super::w1;
use crate::Plan;
use crate::cli::engine::{Device, Engine};
use crate::cli::failure::Failure;
use crate::cli::report::median;
use crate::cli::sag;

/// The largest drop of the lowest point below its place that counts as good, of the cloth's height of 1 m. The exact sag is 2e-6.
const GOOD: f64 = 0.01;

/// Substeps tried, each about a seventh more than the one before.
const LADDER: [u32; 28] =
    [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 50, 60, 80, 100, 120, 140, 160, 200, 240, 280, 320, 400];

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Quality {
    pub n: u32,
    pub substeps: u32,
    /// Largest during seconds 3 and 4, m.
    pub sag: f64,
    pub step_ms_median: f64,
}

impl Quality {
    pub const HEADER: &'static str = "     n  substeps  sag m in s 3 and 4  median ms a frame";

    /// Begins where the sag is predicted to be good enough and goes up or down from there, until one is good and the next
    /// lower is not.
    pub fn find(n: u32, device: &Device) -> Result<Self, Failure> {
        let predicted = sag::predict(&w1::model(n)).first().map_or(1, |sag| sag.substeps_for(GOOD, 10));
        let start = LADDER.partition_point(|&substeps| substeps < predicted).min(LADDER.len() - 1);
        let mut here = start;
        let mut tried = Self::run(n, LADDER[here], device)?;
        if !tried.is_good() {
            while !tried.is_good() && here + 1 < LADDER.len() {
                here += 1;
                tried = Self::run(n, LADDER[here], device)?;
            }
            return Ok(tried);
        }
        while here > 0 {
            here -= 1;
            let fewer = Self::run(n, LADDER[here], device)?;
            if !fewer.is_good() {
                break;
            }
            tried = fewer;
        }
        Ok(tried)
    }

    fn is_good(&self) -> bool {
        self.sag < GOOD
    }

    /// Four seconds.
    fn run(n: u32, substeps: u32, device: &Device) -> Result<Self, Failure> {
        let mut model = w1::model(n);
        model.settings.substeps = substeps;
        let plan = Plan::new(&model);
        let mut engine = Engine::open(device, &model, &plan)?;
        let mut step_ms = Vec::new();
        let mut lowest = f64::INFINITY;
        for frame in 1..=240 {
            step_ms.push(engine.step()?.step.as_secs_f64() * 1e3);
            if frame > 120 {
                let state = engine.state()?;
                lowest = state.positions.iter().map(|x| x[1]).fold(lowest, f64::min);
            }
        }
        Ok(Self { n, substeps, sag: -1.0 - lowest, step_ms_median: median(step_ms) })
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = if self.is_good() { "" } else { "  (not good enough)" };
        write!(f, "{:6} {:9} {:19.5} {:18.3}{failed}", self.n, self.substeps, self.sag, self.step_ms_median)
    }
}
