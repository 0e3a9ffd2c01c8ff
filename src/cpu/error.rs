//! Why there can be no solver on the CPU.

use thiserror::Error;

use crate::plan::TearingError;
use crate::step::ModelError;

/// Why there can be no solver on the CPU.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CpuError {
    /// The model is none that can be solved.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A surface that can be torn is held in a way that cannot follow a tear.
    #[error(transparent)]
    Tearing(#[from] TearingError),
    /// The plan is of another model, or was changed so that threads would get into each other's way.
    #[error("the plan belongs to another model; make one of this model with Plan::new")]
    OtherModel,
    /// A constraint names a particle twice, which a device solves in some way, and threads not at all.
    #[error("{kind} constraint {constraint} names a particle twice; its particles must be different ones")]
    Twice {
        /// Name of its kind.
        kind: &'static str,
        /// Its index in the model's group.
        constraint: u32,
    },
}
