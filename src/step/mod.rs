//! What all engines share: the [`Engine`] trait, by which a host reads and changes a running simulation, and what it
//! exchanges with one.
//!
//! | type | what it is |
//! |---|---|
//! | [`Engine`] | what hosts read and change, on any engine |
//! | [`Synchronous`] | an engine whose calls are done when they return: on the CPU, or with its own device |
//! | [`Status`] | flags and counts of a frame: whether the simulation is still sound, how many contacts press |
//! | [`Snapshot`] | the state bit for bit, to go back to or to go on from |
//! | [`Pull`] | a spring by which a host or the mouse drags a particle |
//! | [`Placement`] | where to put a particle, and with which velocity |
//! | [`FixedStep`] | turns frames of varying length into whole steps |

mod air;
pub(crate) mod change;
mod check;
mod clock;
pub(crate) mod contact;
mod engine;
mod fans;
mod flows;
mod frame;
mod hooks;
mod jointed;
mod materials;
mod place;
#[cfg(feature = "gpu")]
mod pressures;
mod pull;
// Public for the test that compares layouts; the fields are explained at the structs in WGSL.
#[doc(hidden)]
pub mod records;
mod reshaped;
mod snapshot;
mod status;
mod turned;

pub use change::ChangeError;
pub use check::ModelError;
pub use clock::FixedStep;
pub use engine::{Engine, EngineError, EngineState, Fault, Synchronous};
pub use hooks::Hooks;
pub use jointed::Jointed;
#[cfg(feature = "gpu")]
pub(crate) use jointed::KEPT_NUMBERS;
pub use place::Placement;
pub(crate) use place::placed;
#[cfg(feature = "gpu")]
pub(crate) use pressures::pressures;
pub use pull::{MOST_PULLS, Pull};
pub use reshaped::Reshaped;
pub(crate) use reshaped::UNSHAPED;
pub use snapshot::{Snapshot, SnapshotError};
pub use status::Status;
pub use turned::Turned;

pub(crate) use crate::law::air::acts as air_is_felt;
pub(crate) use air::foils;
pub(crate) use fans::fans;
#[cfg(feature = "cpu")]
pub(crate) use flows::NO_EMITTER;
#[cfg(any(feature = "cpu", feature = "gpu"))]
pub(crate) use flows::{drain_boxes, flowing};
#[cfg(feature = "gpu")]
pub(crate) use frame::is_driven;
pub(crate) use frame::{FrameRecords, drives_of_particles, lattice_step};
pub(crate) use materials::{Needs, Tears, Used, material_record, needs, rest_law};
pub(crate) use pull::Active;
pub(crate) use snapshot::{Shape, rescaled};

/// λ of a broken constraint in `shaders/lib/broken.wgsl`.
pub(crate) const BROKEN: f32 = 3e38;

/// The root of a corner that nothing holds, in `shaders/tear/tear.wgsl`.
#[cfg(feature = "gpu")]
pub(crate) const LOOSE: u32 = u32::MAX;
