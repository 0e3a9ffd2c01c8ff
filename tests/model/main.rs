//! What is there before anything moves, without a device: meshes, scenes, kinds of constraints, plans and the text of kernels.

#[path = "../common/blob.rs"]
mod blob;
#[path = "../common/closed.rs"]
mod closed;
#[path = "../common/kinds.rs"]
mod kinds;
#[path = "../common/moving_glb.rs"]
mod moving_glb;

mod constraints;
mod mesh;
mod plan;
mod rounding;
#[cfg(feature = "scene-files")]
mod scene;
mod shaders;
