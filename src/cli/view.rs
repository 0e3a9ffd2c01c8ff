//! `pliant view`: the window, or where there is no display, pictures in its place.

use std::path::Path;

use clap::Args;
use thiserror::Error;

use super::engine::Device;
use super::failure::Failure;
use super::run;
use super::scenes;
use crate::device::DeviceError;
use crate::scene::Scene;

#[derive(Args)]
pub(super) struct Options {
    /// Name from the gallery (`pliant scenes`), path to a .toml file, or to a mesh
    #[arg(default_value = scenes::FIRST)]
    scene: String,
    /// How many frames to render where there is no display
    #[arg(long, default_value_t = FRAMES, value_parser = clap::value_parser!(u64).range(1..))]
    frames: u64,
    /// `gpu` (the best adapter, software ones included), a part of an adapter's name, `cpu` (the CPU engine; the best
    /// adapter draws), or `auto`: the best adapter, and the CPU engine where that is a software one
    #[arg(long, default_value = "auto")]
    device: Device,
}

const FRAMES: u64 = 180;

impl Default for Options {
    fn default() -> Self {
        Self { scene: scenes::FIRST.to_string(), frames: FRAMES, device: Device::default() }
    }
}

/// Shows a scene in a window, by its name or path, on a device; the room of the window has one (`viewer::run`).
pub type Window = fn(&str, &Device) -> Result<(), WindowError>;

/// Why there is no window.
#[derive(Debug, Error)]
pub enum WindowError {
    /// There is no display, or nothing that can draw on it.
    #[error("no window can be opened: {0}")]
    NoWindow(String),
    /// The device could not be opened.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The device was lost again and again.
    #[error("the graphics device was lost repeatedly: {0}; update its driver, or try another adapter")]
    Lost(String),
}

/// Shows a scene in a window, or renders it and says where.
pub(super) fn view(options: Options, window: Option<Window>) -> Result<(), Failure> {
    if options.device == Device::Reference {
        let message = "--device reference: the window cannot use the reference solver, which takes seconds a frame; \
                       use `pliant run`";
        return Err(Failure::Input(message.to_string()));
    }
    let reason = match window {
        Some(window) => match show(window, &options.scene, &options.device)? {
            None => return Ok(()),
            Some(reason) => reason,
        },
        None => "this build has no window".to_string(),
    };
    let (rendering, out) = run::rendering(options.scene, options.frames, options.device);
    eprintln!("note: {reason}; the scene is rendered to {}", out.display());
    run::run(&rendering)
}

/// Why there was no window, if there was none.
fn show(window: Window, scene: &str, device: &Device) -> Result<Option<String>, Failure> {
    // A fault in a file shows in the window, which looks whether it is put right; a scene that is not there never will
    // be.
    if !Path::new(scene).exists() {
        Scene::open(scene)?;
    }
    match window(scene, device) {
        Ok(()) => Ok(None),
        Err(error @ WindowError::NoWindow(_)) => Ok(Some(error.to_string())),
        Err(WindowError::Device(error)) => Err(error.into()),
        Err(error @ WindowError::Lost(_)) => Err(Failure::Simulation(error.to_string())),
    }
}
