//! `pliant view`: the window, or where there is no display, pictures in its place.

use clap::Args;

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
}

const FRAMES: u64 = 180;

impl Default for Options {
    fn default() -> Self {
        Self { scene: scenes::FIRST.to_string(), frames: FRAMES }
    }
}

/// Shows a scene in a window, or renders it and says where.
pub fn view(options: Options) -> Result<(), Failure> {
    match window(&options.scene)? {
        Shown::Window => Ok(()),
        Shown::Nothing(reason) => {
            let (rendering, out) = run::rendering(options.scene, options.frames);
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
fn window(scene: &str) -> Result<Shown, Failure> {
    use crate::viewer::{self, ViewerError};
    // A fault in a file shows in the window, which looks whether it is put right; a scene that is not there never will be.
    if !std::path::Path::new(scene).exists() {
        crate::scene::Scene::open(scene)?;
    }
    match viewer::run(scene) {
        Ok(()) => Ok(Shown::Window),
        Err(error @ ViewerError::NoWindow(_)) => Ok(Shown::Nothing(error.to_string())),
        Err(ViewerError::Device(error)) => Err(error.into()),
        Err(error @ ViewerError::Lost(_)) => Err(Failure::Simulation(error.to_string())),
    }
}

#[cfg(not(feature = "viewer"))]
fn window(_: &str) -> Result<Shown, Failure> {
    Ok(Shown::Nothing("this build has no window".to_string()))
}
