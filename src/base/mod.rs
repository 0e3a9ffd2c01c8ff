//! What rests on nothing of the engine: work on all cores, a hash, layouts shared with shaders, files read whole.
//! Imports nothing.

pub(crate) mod hash;
#[cfg(any(feature = "mesh-files", feature = "scene-files"))]
pub(crate) mod input;
pub mod layout;
pub(crate) mod parallel;
