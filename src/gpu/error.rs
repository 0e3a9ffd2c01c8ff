//! Why a solver could not be made.

use thiserror::Error;

use crate::gpu::KernelError;
use crate::plan::TearingError;
use crate::step::{ChangeError, ModelError};

/// Why a solver could not be made, or not with other settings.
#[derive(Debug, Error)]
pub enum SolverError {
    /// The device cannot hold the scene. Ask the adapter for
    /// [`Solver::required_limits`](crate::solver::Solver::required_limits).
    #[error(
        "the scene needs {what} of {needed} bytes and the device allows {available}; \
         use fewer particles, or a device with more memory"
    )]
    TooBig {
        /// `one binding`, `one buffer`, or the part of the plan that is too large.
        what: &'static str,
        /// Bytes of it.
        needed: u64,
        /// Bytes that the device's limits allow.
        available: u64,
    },
    /// The device was opened with less than the solver's kernels need. Ask the adapter for
    /// [`Solver::required_limits`](crate::solver::Solver::required_limits).
    #[error(
        "the solver needs {limit} = {needed}, and the device was opened with {available}; open it with \
         Solver::required_limits, or use another adapter"
    )]
    Limit {
        /// Name of the limit.
        limit: &'static str,
        /// What it has to be.
        needed: u32,
        /// What it is.
        available: u32,
    },
    /// The model is none that can be solved.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A surface that can be torn is held in a way that cannot follow a tear.
    #[error(transparent)]
    Tearing(#[from] TearingError),
    /// A shader does not compile. Only a constraint kind from outside the crate can bring one that does not.
    #[error(transparent)]
    Kernel(#[from] KernelError),
}

impl From<SolverError> for ChangeError {
    fn from(error: SolverError) -> Self {
        Self::Engine(error.into())
    }
}
