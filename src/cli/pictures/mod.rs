//! What a run draws: PNG files and an animation of them (`--render`), a video (`--video`), a GIF (`--gif`).

mod ink;
mod legend;
mod look;
mod options;
mod painter;
mod video;

use std::path::{Path, PathBuf};

use super::engine::Runner;
use super::failure::Failure;
use crate::Plan;
use crate::export::frame_of;
use crate::export::gif::AnimatedGif;
use crate::export::picture::{AnimatedPng, PictureError, Rate, write_png};
use crate::model::{Model, State};
use crate::render::{Camera, Picture, RenderError};
use crate::scene;

pub use options::{Drawing, Size};
use painter::Painter;
use video::Video;

const ANIMATION: &str = "animation.png";

/// Whether a run that draws into a folder writes a file of this name.
pub fn writes(name: &str) -> bool {
    frame_of(name, "png").is_some() || name.eq_ignore_ascii_case(ANIMATION)
}

/// Draws a run's frames.
pub struct Pictures {
    painter: Painter,
    /// How many frames of the simulation there are to one that is drawn.
    every: u64,
    sinks: Vec<Box<dyn Sink>>,
}

/// Where pictures go.
trait Sink {
    /// Adds the picture of a frame. They come in order.
    fn push(&mut self, frame: u64, picture: &Picture) -> Result<(), Failure>;
    /// Completes the files with the pictures that came, however many were meant to.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

impl Pictures {
    /// `folder`: for PNG files, if they are asked for.
    pub fn open(
        engine: &dyn Runner,
        model: &Model,
        plan: &Plan,
        camera: Option<scene::Camera>,
        drawing: &Drawing,
        folder: Option<&Path>,
    ) -> Result<Self, Failure> {
        let size @ Size(width, height) = drawing.size;
        let aspect = f64::from(width) / f64::from(height);
        let camera = Camera::of_scene(drawing.camera.or(camera), model, aspect);
        let painter = Painter::open(engine, model, plan, camera, drawing)?;
        let every = drawing.every();
        let rate = model.settings.frame_rate / every as f64;
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        if let (true, Some(folder)) = (drawing.render, folder) {
            let animation = AnimatedPng::create(&folder.join(ANIMATION), width, height, rate)?;
            sinks.push(Box::new(Files { folder: folder.to_path_buf(), animation }));
        }
        if let Some(path) = &drawing.gif {
            sinks.push(Box::new(AnimatedGif::create(path, width, height, rate)?));
        }
        if let Some(path) = &drawing.video {
            sinks.push(Box::new(Video::create(path, size, Rate::of(rate))?));
        }
        Ok(Self { painter, every, sinks })
    }

    /// Draws the frame that the engine has done, whose state this is, if it is one of those to be drawn.
    pub fn take(&mut self, engine: &dyn Runner, model: &Model, plan: &Plan, state: &State) -> Result<(), Failure> {
        if !state.frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let picture = self.painter.picture(engine, model, plan, state)?;
        self.sinks.iter_mut().try_for_each(|sink| sink.push(state.frame, &picture))
    }

    /// Completes the files of each kind, also of those after one that fails.
    pub fn finish(self) -> Result<(), Failure> {
        self.sinks.into_iter().map(Sink::finish).fold(Ok(()), Result::and)
    }
}

/// A PNG file for each frame and an animated PNG of all of them.
struct Files {
    folder: PathBuf,
    animation: AnimatedPng,
}

impl Sink for Files {
    fn push(&mut self, frame: u64, picture: &Picture) -> Result<(), Failure> {
        let path = self.folder.join(format!("frame_{frame:04}.png"));
        write_png(&path, picture.width, picture.height, &picture.rgba)?;
        Ok(self.animation.push(&picture.rgba)?)
    }
    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}

impl Sink for AnimatedGif {
    fn push(&mut self, _: u64, picture: &Picture) -> Result<(), Failure> {
        Ok(AnimatedGif::push(self, &picture.rgba)?)
    }
    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(AnimatedGif::finish(*self)?)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::ReadBack(_) | RenderError::Kernel(_) => Failure::Simulation(error.to_string()),
            RenderError::TooLarge { .. } | RenderError::PictureSize { .. } => Failure::Input(error.to_string()),
        }
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        Failure::Input(error.to_string())
    }
}
