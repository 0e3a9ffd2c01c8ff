//! The three engines, and the list of passes that is their substep.
//!
//! | engine | precision | what it is for |
//! |---|---|---|
//! | [`Solver`] | single | a GPU: records steps into the host's command encoder |
//! | [`CpuSolver`] | single | machines without a GPU: render farms, servers, tests; on all cores |
//! | [`Reference`] | double | comparison: slow and plain, in textbook form |
//!
//! All three are made of a [`Model`](crate::Model) and its [`Plan`](crate::Plan), solve the constraints in the order of
//! the plan, and implement [`Engine`], by which hosts read and change a running simulation. [`PASSES`] lists what takes
//! part in a substep beside constraints; `with_passes` of each engine adds passes of your own.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;

use crate::pass::{
    Pass, air, colliders, damping, flows, fluid, joints, levels, pairs, pulls, rest, rods, shapes, surfaces,
};

/// The passes of a substep, in the order in which each hook calls them. Each sweep solves the constraints first.
/// Contacts come last, so that nothing changes the velocity with which a particle leaves a contact.
pub static PASSES: &[&dyn Pass] = &[
    &levels::Levels,
    &air::Air,
    &rest::Rest,
    &shapes::Shapes,
    &pulls::Pulls,
    &rods::Rods,
    &joints::Joints,
    &flows::Flows,
    &fluid::Fluids,
    &damping::Damping,
    &pairs::Pairs,
    &surfaces::Surfaces,
    &colliders::Colliders,
];

/// [`PASSES`] with the passes of a caller, which come before damping and contacts.
pub fn in_order(own: &[&'static dyn Pass]) -> Vec<&'static dyn Pass> {
    let before = |pass: &&&dyn Pass| !matches!(pass.name(), "damping" | "pairs" | "surfaces" | "colliders");
    let (first, last) = PASSES.split_at(PASSES.iter().take_while(before).count());
    [first, own, last].concat()
}

#[cfg(feature = "cpu")]
pub use crate::cpu::{CpuError, Instructions};
#[cfg(feature = "gpu")]
pub use crate::gpu::{Download, Kernel, KernelError, Piece, Pipelines, Profile, Section, SolverError};
#[cfg(any(feature = "cpu", feature = "gpu"))]
#[doc(hidden)]
pub use crate::step::records;
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub use crate::step::{
    ChangeError, Engine, EngineError, FixedStep, Hooks, MOST_PULLS, ModelError, Placement, Pull, Snapshot,
    SnapshotError, Status, Synchronous, Turned,
};
#[cfg(feature = "cpu")]
pub use cpu::CpuSolver;
#[cfg(feature = "gpu")]
pub use gpu::{ContactDownload, SnapshotDownload, Solver, all_kernels, level_bytes};
pub use reference::Reference;
