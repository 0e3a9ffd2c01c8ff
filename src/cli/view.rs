//! `pliant view`: the window, or where there is no display, pictures in its place.

use clap::Args;

use super::engine::Device;
use super::failure::Failure;
use super::run;
use super::scenes;

#[derive(Args)]
pub struct Options {
    /// Name from the gallery (`pliant scenes`) or path to a .toml file
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

/// Shows a scene in a window, or renders it and says where.
pub fn view(options: Options) -> Result<(), Failure> {
    if options.device == Device::Reference {
        let message =
            "--device reference: the window has no reference solver, which takes seconds a frame; use `pliant run`";
        return Err(Failure::Input(message.to_string()));
    }
    match window(&options.scene, &options.device)? {
        Shown::Window => Ok(()),
        Shown::Nothing(reason) => {
            let (rendering, out) = run::rendering(options.scene, options.frames, options.device);
            eprintln!("note: {reason}; the scene is rendered to {}", out.display());
            run::run(&rendering)
        }
    }
}

enum Shown {
    #[cfg_attr(not(feature = "viewer"), expect(dead_code, reason = "only the viewer opens windows"))]
    Window,
    /// Why there was no window.
    Nothing(String),
}

#[cfg(feature = "viewer")]
fn window(scene: &str, device: &Device) -> Result<Shown, Failure> {
    use crate::viewer::{self, ViewerError};
    // A fault in a file shows in the window, which looks whether it is put right; a scene that is not there never will
    // be.
    if !std::path::Path::new(scene).exists() {
        crate::scene::Scene::open(scene)?;
    }
    match viewer::run(scene, device) {
        Ok(()) => Ok(Shown::Window),
        Err(error @ ViewerError::NoWindow(_)) => Ok(Shown::Nothing(error.to_string())),
        Err(ViewerError::Device(error)) => Err(error.into()),
        Err(error @ ViewerError::Lost(_)) => Err(Failure::Simulation(error.to_string())),
    }
}

#[cfg(not(feature = "viewer"))]
fn window(_: &str, _: &Device) -> Result<Shown, Failure> {
    Ok(Shown::Nothing("this build has no window".to_string()))
}
