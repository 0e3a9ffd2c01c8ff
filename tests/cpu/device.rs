//! What runs a model for the tests of the solver on a GPU, here on the CPU.

use pliant::model::{Contact, Model, Settings, State};
use pliant::plan::Plan;
use pliant::step::{ChangeError, Placement, Snapshot, SnapshotError, Status};
use pliant::{CpuSolver, cpu::CpuError};

/// Seconds for which tests watch what has come to rest: all of what is promised.
pub const WATCHED: u32 = 10;

/// A solver with what a test asks of it again and again.
pub struct Running {
    pub solver: CpuSolver,
}

impl Running {
    pub fn new(model: &Model) -> Self {
        Self { solver: solver(model).unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Of one thread, by a plan that a test has made.
    pub fn planned(model: &Model, plan: &Plan) -> Self {
        Self { solver: CpuSolver::with_threads(model, plan, 1).unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Runs so many frames and returns the state after them.
    pub fn run(&mut self, frames: u32) -> State {
        (0..frames).for_each(|_| self.solver.step());
        self.state()
    }

    pub fn state(&mut self) -> State {
        self.solver.state()
    }

    pub fn contacts(&mut self) -> Vec<Contact> {
        self.solver.contacts()
    }

    pub fn status(&mut self) -> Status {
        self.solver.status()
    }

    pub fn snapshot(&self) -> Snapshot {
        self.solver.snapshot()
    }

    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.try_restore(snapshot).unwrap();
    }

    pub fn try_restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.solver.restore(snapshot)
    }

    /// Goes on with other settings by a plan of the model with these.
    pub fn place(&mut self, placements: &[Placement]) -> Result<(), ChangeError> {
        self.solver.place(placements)
    }

    pub fn reconfigure(&mut self, model: &Model, settings: Settings) {
        let plan = Plan::new(&Model { settings: settings.clone(), ..model.clone() });
        self.try_reconfigure(&plan, settings).unwrap_or_else(|error| panic!("{error}"));
    }

    pub fn try_reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), ChangeError> {
        self.solver.reconfigure(plan, settings)
    }

    /// Nothing is drawn here.
    pub fn drawn(&self, _model: &Model) -> Option<Vec<[u32; 3]>> {
        None
    }
}

/// The state of a model after so many frames.
pub fn run(model: &Model, frames: u32) -> State {
    Running::new(model).run(frames)
}

/// A solver of one thread: tests run side by side.
pub fn solver(model: &Model) -> Result<CpuSolver, CpuError> {
    CpuSolver::with_threads(model, &Plan::new(model), 1)
}
