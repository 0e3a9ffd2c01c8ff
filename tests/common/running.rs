//! What runs a model for the tests that every engine must pass. The engine is that of the module around it: `Tested`, which `tested` makes.

use pliant::model::{Contact, Model, Settings, State};
use pliant::plan::Plan;
use pliant::step::{ChangeError, Engine, EngineError, Placement, Snapshot, SnapshotError, Status, Synchronous};

use super::{Tested, arrived, drawn, tested};

/// An engine with what a test asks of it again and again.
pub struct Running {
    pub solver: Tested,
}

impl Running {
    pub fn new(model: &Model) -> Self {
        Self::planned(model, &Plan::new(model))
    }

    /// By a plan that a test has made. It is checked, but not of the largest models: that takes as long as the plan.
    pub fn planned(model: &Model, plan: &Plan) -> Self {
        if model.particles.len() <= 100_000 {
            assert_eq!(plan.check(model), Ok(()));
        }
        Self { solver: tested(model, plan) }
    }

    fn engine(&mut self) -> &mut dyn Synchronous {
        &mut self.solver
    }

    /// Runs so many frames and returns the state after them.
    pub fn run(&mut self, frames: u32) -> State {
        for _ in 0..frames {
            self.engine().step().unwrap_or_else(|fault| panic!("{fault}"));
        }
        self.state()
    }

    pub fn state(&mut self) -> State {
        self.engine().state().unwrap_or_else(|fault| panic!("{fault}"))
    }

    pub fn contacts(&mut self) -> Vec<Contact> {
        self.engine().contacts().unwrap_or_else(|fault| panic!("{fault}")).0
    }

    pub fn status(&mut self) -> Status {
        arrived(|| self.solver.status())
    }

    pub fn snapshot(&self) -> Snapshot {
        Synchronous::snapshot(&self.solver).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.try_restore(snapshot).unwrap();
    }

    pub fn try_restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        match self.engine().restore(snapshot) {
            Ok(()) => Ok(()),
            Err(EngineError::Snapshot(error)) => Err(error),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn place(&mut self, placements: &[Placement]) -> Result<(), ChangeError> {
        change(self.engine().place(placements))
    }

    /// Goes on with other settings by a plan of the model with these.
    pub fn reconfigure(&mut self, model: &Model, settings: Settings) {
        let plan = Plan::new(&Model { settings: settings.clone(), ..model.clone() });
        self.try_reconfigure(&plan, settings).unwrap_or_else(|error| panic!("{error}"));
    }

    pub fn try_reconfigure(&mut self, plan: &Plan, settings: Settings) -> Result<(), ChangeError> {
        change(self.engine().reconfigure(plan, settings))
    }

    /// The triangles that have an area in what is drawn, as particles, sorted; `None` where the engine draws nothing.
    pub fn drawn(&self, model: &Model) -> Option<Vec<[u32; 3]>> {
        drawn(&self.solver, model)
    }
}

/// Whether a change was refused; nothing else may go wrong.
fn change(done: Result<(), EngineError>) -> Result<(), ChangeError> {
    match done {
        Ok(()) => Ok(()),
        Err(EngineError::Change(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

/// The state of a model after so many frames.
pub fn run(model: &Model, frames: u32) -> State {
    Running::new(model).run(frames)
}
