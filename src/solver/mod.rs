//! The three engines: the oracle in double precision, and the solvers on the CPU and on a GPU.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;

#[cfg(feature = "cpu")]
pub use crate::cpu::{CpuError, Instructions};
#[cfg(feature = "gpu")]
pub use crate::gpu::{Download, Kernel, KernelError, Piece, Pipelines, Profile, Section, SolverError};
#[cfg(any(feature = "cpu", feature = "gpu"))]
#[doc(hidden)]
pub use crate::step::records;
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub use crate::step::{
    ChangeError, Engine, EngineError, FixedStep, MOST_PULLS, ModelError, Placement, Pull, Snapshot, SnapshotError,
    Status, Synchronous,
};
#[cfg(feature = "cpu")]
pub use cpu::CpuSolver;
#[cfg(feature = "gpu")]
pub use gpu::{ContactDownload, SnapshotDownload, Solver, all_kernels, level_bytes};
pub use reference::Reference;
