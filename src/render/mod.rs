//! Draws the solver's buffers: what headless pictures and a window share. Bodies with triangles appear as cloth lit
//! from both sides, others as balls and links, colliders as what they are, under one sun with a soft shadow.
//!
//! Nothing is copied through the CPU: [`Renderer::draw`] reads the positions, normals and indices where they lie, so it
//! serves every solver whose buffers hold them as [`Surface`] describes.

mod camera;
mod drawing;
mod element_heat;
mod frame;
mod gpu;
mod heat;
mod lists;
mod look;
mod occlusion;
mod offscreen;
mod pipelines;
mod renderer;
mod shaders;
mod solid;
mod uploaded;

pub use camera::{Camera, bounds, up};
#[doc(hidden)]
pub use element_heat::Element;
pub use element_heat::heat_kernels;
pub use look::{Colour, Constraints, FULL_SPEED, FULL_STRAIN, FULL_STRESS, FULL_STRETCH, Look, VELOCITY_SECONDS};
pub use look::{batch_colour, heat};
pub use offscreen::{Download, Offscreen, Picture};
pub use renderer::{Renderer, Shot, Surface};
pub use shaders::{MODULES, RECORDS, ShaderModule, ShaderRecord};
pub use uploaded::UploadedSurface;

use thiserror::Error;

/// Why nothing was drawn.
#[derive(Debug, Error)]
pub enum RenderError {
    /// A shader does not compile. Only a constraint kind from outside the crate can bring one that does not.
    #[error(transparent)]
    Kernel(#[from] crate::gpu::KernelError),
    /// The device's limits are too small for the scene.
    #[error(
        "the scene's particles need a binding of {needed} bytes, and the device was opened with {available}: \
         ask for a larger `{limit}`, or draw a smaller scene"
    )]
    TooLarge {
        /// Field of `wgpu::Limits` to raise when opening the device.
        limit: &'static str,
        /// Bytes.
        needed: u64,
        /// Bytes that the device was opened with.
        available: u64,
    },
    /// A side is 0, or longer than the device's textures may be.
    #[error("a picture of {width} x {height} pixels cannot be drawn: each side must be from 1 to {limit}")]
    PictureSize {
        /// As asked for, pixels.
        width: u32,
        /// As asked for, pixels.
        height: u32,
        /// Longest side, pixels.
        limit: u32,
    },
    /// Mapping the picture failed, with wgpu's reason.
    #[error("the picture could not be read back from the GPU: {0}. The device may have been lost; try again")]
    ReadBack(String),
}
