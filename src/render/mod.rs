//! Draws the solver's buffers: what headless pictures and a window share. Bodies with triangles appear as cloth lit from
//! both sides, others as balls and links, colliders as what they are, under one sun with a soft shadow.
//!
//! Nothing is copied through the CPU: [`Renderer::draw`] reads the positions, normals and indices where they lie, so it
//! serves every solver whose buffers hold them as [`Surface`] describes.

mod camera;
mod drawing;
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

pub use camera::{Camera, bounds, up};
pub use look::{Colour, Constraints, FULL_SPEED, FULL_STRETCH, Look, VELOCITY_SECONDS, batch_colour, heat};
pub use offscreen::{Download, Offscreen, Picture};
pub use renderer::{Renderer, Shot, Surface};
pub use shaders::{MODULES, RECORDS, ShaderModule, ShaderRecord};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error(
        "the scene's particles need a binding of {needed} bytes, and the device was opened with {available}: \
         ask for a larger `{limit}`, or draw a smaller scene"
    )]
    TooLarge { limit: &'static str, needed: u64, available: u64 },
    #[error("a picture of {width} x {height} pixels cannot be drawn: each side must be from 1 to {limit}")]
    PictureSize { width: u32, height: u32, limit: u32 },
    #[error("the picture could not be read back from the GPU: {0}. The device may have been lost; try again")]
    ReadBack(String),
}
