//! Position-based dynamics on the GPU: XPBD and PBD in Rust and wgpu.

extern crate self as pliant;

pub use bytemuck;
pub use wgpu;

#[cfg(feature = "cli")]
pub mod cli;
pub mod constraint;
mod contact;
#[cfg(feature = "cli")]
pub mod device;
#[cfg(feature = "cli")]
pub mod export;
pub mod layout;
pub mod measure;
pub mod mesh;
pub mod model;
pub mod plan;
pub mod reference;
#[cfg(feature = "render")]
pub mod render;
pub mod scene;
pub mod solver;

pub use model::Model;
pub use plan::Plan;
