//! A solver together with its device: an engine whose calls are done when they return.

use std::ops::{Deref, DerefMut};
use std::thread::sleep;
use std::time::Duration;

use super::Gpu;
use crate::gpu::SolverError;
use crate::model::{Contact, Model, Settings, State};
use crate::plan::Plan;
use crate::solver::gpu::Solver;
use crate::step::{EngineError, Fault, Placement, Snapshot, Synchronous};

/// A solver and the device that it records for. What it records is submitted at once, and waited for.
pub struct OnDevice {
    /// The solver's device.
    pub gpu: Gpu,
    /// What runs there.
    pub solver: Solver,
}

impl OnDevice {
    /// Uploads a model to a device. `plan` must be the plan of this model.
    ///
    /// # Errors
    /// As [`Solver::sharing`].
    pub fn new(gpu: Gpu, model: &Model, plan: &Plan) -> Result<Self, SolverError> {
        let solver = Solver::sharing(&gpu.pipelines, model, plan)?;
        Ok(Self { gpu, solver })
    }

    /// What is recorded to be read back, once it is there.
    fn read<T, U>(
        &self,
        what: &str,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> T,
        read: impl Fn(&T) -> Option<U>,
    ) -> Result<U, Fault> {
        let coming = self.gpu.record(record)?;
        self.gpu.arrived(what, || read(&coming))
    }
}

impl Deref for OnDevice {
    type Target = Solver;
    fn deref(&self) -> &Solver {
        &self.solver
    }
}

impl DerefMut for OnDevice {
    fn deref_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }
}

impl Synchronous for OnDevice {
    fn step(&mut self) -> Result<(), Fault> {
        self.gpu.record(|encoder| self.solver.step(encoder))
    }

    fn state(&self) -> Result<State, Fault> {
        self.read("a state", |encoder| self.solver.download(encoder), |download| download.state())
    }

    fn contacts(&self) -> Result<(Vec<Contact>, usize), Fault> {
        let record = |encoder: &mut wgpu::CommandEncoder| self.solver.contacts(encoder);
        self.read("the contacts", record, |download| Some((download.contacts()?, download.missing()?)))
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        let record = |encoder: &mut wgpu::CommandEncoder| self.solver.snapshot(encoder);
        Ok(self.read("a snapshot", record, |download| download.snapshot())?)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), EngineError> {
        Ok(self.gpu.record(|encoder| self.solver.restore(encoder, snapshot))??)
    }

    fn reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), EngineError> {
        Ok(self.gpu.record(|encoder| self.solver.reconfigure(encoder, plan, settings))??)
    }

    fn place(&mut self, placements: &[Placement]) -> Result<(), EngineError> {
        Ok(self.gpu.record(|encoder| self.solver.place(encoder, placements))??)
    }
}

/// How often what has to be there is asked for, and how long it is waited in between: where several threads share a
/// device, another may have taken the news that it arrived and be about to tell.
const ASKED: usize = 10_000;
const BETWEEN: Duration = Duration::from_millis(1);

impl Gpu {
    /// Records commands, submits them and waits until the device has done them.
    ///
    /// # Errors
    /// If anything went wrong on the device since the last call.
    pub fn record<T>(&self, record: impl FnOnce(&mut wgpu::CommandEncoder) -> T) -> Result<T, Fault> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let recorded = record(&mut encoder);
        self.submit_and_wait(encoder.finish())?;
        Ok(recorded)
    }

    /// What the device sends with what was submitted. `what`: its name with an article, `a state`.
    ///
    /// # Errors
    /// If anything went wrong on the device since the last call, or it does not come.
    pub fn arrived<T>(&self, what: &str, mut ask: impl FnMut() -> Option<T>) -> Result<T, Fault> {
        for _ in 0..ASKED {
            self.wait()?;
            match ask() {
                Some(answer) => return Ok(answer),
                None => sleep(BETWEEN),
            }
        }
        Err(Fault::Lost(format!("{what} could not be read back")))
    }
}
