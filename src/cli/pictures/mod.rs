//! What a run draws: PNG files and an animation of them (`--render`), a video (`--video`), a GIF (`--gif`).

mod beside;
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
use crate::render::{Camera, Colour, Picture, RenderError};
use crate::scene;

pub use beside::{Other, is_exhibit, otherwise};
pub use options::{Drawing, Size};

use beside::Beside;
use legend::Legend;
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
    beside: Option<Beside>,
    legend: Option<Legend>,
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
    /// `folder`: for PNG files, if they are asked for. `other`: the scene otherwise solved, to be drawn beside it.
    pub fn open(
        engine: &dyn Runner,
        model: &Model,
        plan: &Plan,
        camera: Option<scene::Camera>,
        drawing: &Drawing,
        folder: Option<&Path>,
        other: Option<Other>,
    ) -> Result<Self, Failure> {
        let size @ Size(width, height) = drawing.size;
        let right = if other.is_some() { width / 2 } else { 0 };
        let paint = |engine: &dyn Runner, model: &Model, plan: &Plan, width: u32| {
            let aspect = f64::from(width) / f64::from(height);
            let camera = Camera::of_scene(drawing.camera.or(camera), model, aspect);
            Painter::open(engine, model, plan, camera, [width, height], drawing)
        };
        let painter = paint(engine, model, plan, width - right)?;
        let beside = match other {
            Some(other) => Beside::open(other, |engine, model, plan| paint(engine, model, plan, right))?,
            None => None,
        };
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
        let (colour, full) = painter.scale();
        note_scale(colour, full);
        Ok(Self { legend: full.and_then(|full| Legend::of(colour, full)), painter, beside, every, sinks })
    }

    /// Draws the frame that the engine has done, whose state this is, if it is one of those to be drawn.
    pub fn take(&mut self, engine: &dyn Runner, model: &Model, plan: &Plan, state: &State) -> Result<(), Failure> {
        self.beside.as_mut().map_or(Ok(()), Beside::step)?;
        if !state.frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let mut picture = self.painter.picture(engine, model, plan, state)?;
        if let Some(beside) = &mut self.beside {
            // The run is to end, and what is beside it is not there yet.
            let Some(both) = beside.beside(picture)? else { return Ok(()) };
            picture = both;
        }
        self.legend.iter().for_each(|legend| legend.draw(&mut picture));
        self.sinks.iter_mut().try_for_each(|sink| sink.push(state.frame, &picture))
    }

    /// Completes the files of each kind, also of those after one that fails.
    pub fn finish(self) -> Result<(), Failure> {
        self.sinks.into_iter().map(Sink::finish).fold(Ok(()), Result::and)
    }
}

/// Tells where the scale of a colour ends that depends on the scene, or that the scene has none.
fn note_scale(colour: Colour, full: Option<f64>) {
    match (colour, full) {
        (Colour::Stress, Some(full)) => eprintln!("note: the colour of stress is full at {full} Pa"),
        (Colour::Strain | Colour::Stress, None) => {
            eprintln!("note: no body of this scene has a strain or stress to show; bodies keep their own colours");
        }
        _ => {}
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
