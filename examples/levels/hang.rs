//! A sheet that hangs from the beginning, and what is measured of it.

use std::error::Error;
use std::time::Instant;

use pliant::device::Gpu;
use pliant::model::{Model, State};
use pliant::reference::{Euler, Scheme};
use pliant::solver::Solver;
use pliant::{Plan, wgpu};

use super::sheets::{sag, stretch};

/// Of a second each.
const FRAMES: usize = 60;
/// How many of them each state is looked at after.
const EVERY: usize = 5;

/// What is measured of a sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// In the second of two seconds, % of the height.
    pub sag: f64,
    /// Of an edge, in the second of two seconds, %.
    pub stretch: f64,
    /// Of the fastest frame, ms: what other work on the machine does not add to.
    pub ms: f64,
}

impl Measured {
    fn see(&mut self, model: &Model, state: &State) {
        // What has blown up is off by more than any number.
        let worst = |a: f64, b: f64| if b.is_finite() { a.max(100.0 * b) } else { f64::INFINITY };
        (self.sag, self.stretch) = (worst(self.sag, sag(state)), worst(self.stretch, stretch(model, state)));
    }
}

/// On the device, by the model's own settings.
pub fn on_device(gpu: &Gpu, model: &Model, plan: &Plan) -> Result<Measured, Box<dyn Error>> {
    let mut solver = Solver::new(&gpu.device, model, plan)?;
    let mut measured = Measured { ms: f64::INFINITY, ..Measured::default() };
    for frame in 1..=2 * FRAMES {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        solver.step(&mut encoder);
        let begin = Instant::now();
        gpu.submit_and_wait(encoder.finish())?;
        measured.ms = measured.ms.min(begin.elapsed().as_secs_f64() * 1e3);
        if frame > FRAMES && frame % EVERY == 0 {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let download = solver.download(&mut encoder);
            gpu.submit_and_wait(encoder.finish())?;
            measured.see(model, &download.state().ok_or("the state did not arrive")?);
        }
    }
    Ok(measured)
}

/// By implicit Euler and Newton's method, in double precision on one core: nothing sags for want of sweeps, so a few frames do.
pub fn by_newton(model: &Model, frames: usize) -> Result<Measured, Box<dyn Error>> {
    let mut euler = Euler::new(model, Scheme::Implicit)?;
    let mut measured = Measured { ms: f64::INFINITY, ..Measured::default() };
    for _ in 0..frames {
        let begin = Instant::now();
        euler.step()?;
        measured.ms = measured.ms.min(begin.elapsed().as_secs_f64() * 1e3);
        measured.see(model, &euler.state());
    }
    Ok(measured)
}

/// The best adapter, with room for some plans.
pub fn device(limits: wgpu::Limits) -> Result<Gpu, Box<dyn Error>> {
    Ok(pollster::block_on(Gpu::open(std::env::var("PLIANT_DEVICE").ok().as_deref(), limits))?)
}
