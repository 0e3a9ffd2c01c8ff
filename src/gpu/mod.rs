//! The infrastructure of the engine on a GPU: buffers, kernels, and recording them.

pub(crate) mod buffers;
pub(crate) mod cluster;
pub(crate) mod cluster_kernel;
pub(crate) mod cluster_words;
pub(crate) mod constraint_kernel;
pub(crate) mod constraints;
pub(crate) mod copies;
pub(crate) mod download;
pub(crate) mod error;
pub(crate) mod island;
pub(crate) mod island_kernel;
pub(crate) mod joined_kernel;
pub(crate) mod kernel;
pub(crate) mod parameters;
pub(crate) mod particles;
pub mod pass;
pub(crate) mod pipelines;
pub(crate) mod profile;
pub(crate) mod record_check;
pub(crate) mod recorder;
pub(crate) mod rest;
pub(crate) mod stages;
pub(crate) mod status;
pub(crate) mod stores;
pub(crate) mod surface;
pub(crate) mod sweep_text;
pub(crate) mod unpack;
pub(crate) mod visit;

#[cfg(feature = "render")]
pub(crate) use constraint_kernel::evaluation_pieces;
pub use download::Download;
pub use error::SolverError;
pub(crate) use kernel::Pipeline;
pub use kernel::{Kernel, KernelError, Piece};
pub use pipelines::Pipelines;
pub use profile::{Profile, Section};
pub(crate) use recorder::{Dispatch, Dispatches, Load, Recorder, Work};
#[cfg(feature = "render")]
pub(crate) use surface::skin;
