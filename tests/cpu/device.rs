//! The engine on the CPU, for the tests that every engine must pass.

#[path = "../common/running.rs"]
mod running;

use pliant::model::Model;
use pliant::plan::Plan;
use pliant::{CpuSolver, cpu::CpuError};
pub use running::{Running, run};

/// Seconds for which tests watch what has come to rest: all of what is promised.
pub const WATCHED: u32 = 10;

/// Whether a test may ask for hundreds of kernels: here they are there.
pub fn compiles_fast() -> bool {
    true
}

/// The engine that is tested.
pub type Tested = CpuSolver;

/// Of one thread, by a plan that a test has made.
fn tested(model: &Model, plan: &Plan) -> Tested {
    CpuSolver::with_threads(model, plan, 1).unwrap_or_else(|error| panic!("{error}"))
}

/// Nothing is ever on its way here.
fn arrived<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    ask().unwrap()
}

/// Nothing is drawn here.
fn drawn(_solver: &Tested, _model: &Model) -> Option<Vec<[u32; 3]>> {
    None
}

/// A solver of one thread: tests run side by side.
pub fn solver(model: &Model) -> Result<CpuSolver, CpuError> {
    CpuSolver::with_threads(model, &Plan::new(model), 1)
}
