//! Draws a simulation, for pictures without a window and for the window of `pliant view`. Bodies with triangles are
//! drawn as cloth lit from both sides, others as balls and links, and colliders as their shapes, under one sun with a
//! soft shadow.
//!
//! A [`Renderer`] reads positions, normals and indices where the GPU solver keeps them: nothing is copied through the
//! CPU. It serves every solver whose buffers are as [`Surface`] describes. For a picture, draw to an [`Offscreen`]
//! texture and download it:
//!
//! ```no_run
//! use pliant::device::Gpu;
//! use pliant::render::{Camera, Look, Offscreen, Renderer, Shot, Surface, bounds, up};
//! use pliant::scene::{Body, Cloth, Grid, Scene};
//! use pliant::{Plan, solver::Solver};
//!
//! let cloth = Cloth::new(Grid { columns: 16, rows: 16, width: 1.0, height: 1.0 });
//! let model = Scene::new("a cloth").with(Body::cloth(cloth).pin("top-left").pin("top-right")).build()?.model;
//! let plan = Plan::new(&model);
//! let Gpu { device, queue, .. } = pollster::block_on(Gpu::open(None, Solver::required_limits(&plan)))?;
//! let solver = Solver::new(&device, &model, &plan)?;
//! let mut renderer = Renderer::new(&device, &model, &plan, Offscreen::FORMAT)?;
//!
//! let picture = Offscreen::new(&device, [640, 360])?;
//! let (low, high) = bounds(&model).ok_or("the model is empty")?;
//! let shot = Shot {
//!     target: picture.view(),
//!     size: picture.size(),
//!     camera: Camera::framing(low, high, up(&model.world), 16.0 / 9.0),
//!     seconds: 0.0,
//!     look: Look::default(),
//!     substep_seconds: model.settings.substep_seconds(),
//!     transparent: false,
//! };
//! let mut encoder = device.create_command_encoder(&Default::default());
//! solver.update_normals(&mut encoder);
//! renderer.draw(&device, &mut encoder, Surface::of(&solver), &shot);
//! let download = picture.download(&device, &mut encoder);
//! queue.submit([encoder.finish()]);
//! download.read(|picture| println!("{} bytes", picture.map_or(0, |picture| picture.rgba.len())));
//! device.poll(pliant::wgpu::PollType::wait_indefinitely())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod camera;
mod crowd;
mod drawing;
mod element_heat;
mod finish;
mod frame;
mod gpu;
mod heat;
mod holds;
mod liquid;
mod lists;
mod look;
mod occlusion;
mod offscreen;
mod pipelines;
mod renderer;
mod screen;
mod shaders;
mod solid;
mod strands;
mod subject;
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
pub use subject::subject;
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
        "the scene's particles need a binding of {needed} bytes, and the device was opened with {available}; open it \
         with a larger `{limit}`, or draw a scene with fewer particles"
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
