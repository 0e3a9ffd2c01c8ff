//! The passes: what takes part in a substep beside constraints. Each is one folder, with its part in the oracle, on the
//! CPU and on a GPU, and shaders in a folder of the same name.

pub(crate) mod air;
pub(crate) mod colliders;
pub(crate) mod constraints;
pub(crate) mod damping;
pub(crate) mod levels;
pub(crate) mod pairs;
pub(crate) mod pulls;
pub(crate) mod rest;
pub(crate) mod tear;
