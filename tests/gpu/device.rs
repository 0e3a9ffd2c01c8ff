//! The device of the tests, and what runs a model on it.

use std::sync::OnceLock;

use pliant::device::Gpu;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::solver::{Solver, Status};

/// One device for all tests: opening one takes longer than most tests.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let name = std::env::var("PLIANT_DEVICE").ok();
        pollster::block_on(Gpu::open(name.as_deref(), wgpu_limits())).unwrap_or_else(|error| panic!("{error}"))
    })
}

fn wgpu_limits() -> pliant::wgpu::Limits {
    pliant::wgpu::Limits::default()
}

/// A solver with what a test asks of it again and again.
pub struct Running {
    pub solver: Solver,
}

impl Running {
    pub fn new(model: &Model) -> Self {
        Self::planned(model, &Plan::new(model))
    }

    pub fn planned(model: &Model, plan: &Plan) -> Self {
        Self { solver: Solver::new(&gpu().device, model, plan).unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Runs so many frames, one submit each, and returns the state after them.
    pub fn run(&mut self, frames: u32) -> State {
        for _ in 0..frames {
            let mut encoder = gpu().device.create_command_encoder(&Default::default());
            self.solver.step(&mut encoder);
            gpu().queue.submit([encoder.finish()]);
        }
        self.state()
    }

    pub fn state(&mut self) -> State {
        let mut encoder = gpu().device.create_command_encoder(&Default::default());
        let download = self.solver.download(&mut encoder);
        gpu().queue.submit([encoder.finish()]);
        // Another test's thread may be the one that is told that the device is done, a moment after this one's wait.
        while !download.is_ready() {
            assert!(!download.has_failed(), "the device was lost");
            wait();
        }
        download.state().expect("it is ready")
    }

    pub fn status(&mut self) -> Status {
        wait();
        self.solver.status().expect("the device has done all that was submitted")
    }
}

/// Waits until the device has done everything.
pub fn wait() {
    gpu().device.poll(pliant::wgpu::PollType::wait_indefinitely()).expect("the device answers");
}

/// The state of a model after so many frames.
pub fn run(model: &Model, frames: u32) -> State {
    Running::new(model).run(frames)
}
