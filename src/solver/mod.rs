//! The infrastructure of the engine on a GPU: buffers, kernels, and recording them.

mod air;
pub(crate) mod buffers;
mod carry;
mod change;
mod cluster;
mod cluster_kernel;
mod cluster_words;
mod constraint_kernel;
mod constraints;
mod contacts;
pub(crate) mod copies;
mod damping;
pub(crate) mod download;
mod error;
mod host;
mod kernel;
mod limits;
mod nested;
mod parameters;
mod particles;
mod parts;
mod pass;
mod pipelines;
mod place;
mod profile;
mod pulls;
mod record_check;
mod recorder;
mod rest;
mod snapshot;
mod stages;
mod status;
mod surface;
mod sweep_text;
mod tear;
mod tile;
mod tile_kernel;
mod unpack;
mod upload;
mod visit;

pub use crate::contact::ContactDownload;
#[doc(hidden)]
pub use crate::engine::records;
pub use crate::engine::{
    ChangeError, FixedStep, MOST_PULLS, ModelError, Placement, Pull, Snapshot, SnapshotError, Status,
};
#[cfg(feature = "render")]
pub(crate) use constraint_kernel::evaluation_pieces;
pub use download::Download;
pub use error::SolverError;
pub use host::*;
pub(crate) use kernel::Pipeline;
pub use kernel::{Kernel, KernelError, Piece};
pub(crate) use limits::useful as useful_limits;
pub(crate) use pass::Pass;
pub use pipelines::Pipelines;
pub use profile::{Profile, Section};
pub(crate) use recorder::{Dispatch, Dispatches, Load, Recorder, Work};
pub use snapshot::SnapshotDownload;
#[cfg(feature = "render")]
pub(crate) use surface::skin;
