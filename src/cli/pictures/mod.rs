//! `run --render`: a PNG file for every frame and an animated PNG of all of them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc;

use clap::ValueEnum;

use super::engine::{Runner, on_adapter};
use super::failure::Failure;
use super::subject::subject;
use crate::Plan;
use crate::device::{Fault, Gpu};
use crate::export::frame_of;
use crate::export::picture::{AnimatedPng, PictureError, write_png};
use crate::model::{Model, State};
use crate::render::{
    self, Camera, Colour, Constraints, Look, Offscreen, Picture, RenderError, Renderer, Shot, UploadedSurface,
};
use crate::scene;

/// Width and height of a picture, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32, u32);

impl Default for Size {
    fn default() -> Self {
        Self(960, 540)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0, self.1)
    }
}

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(w, h)| Some(Size(w.parse().ok()?, h.parse().ok()?)));
        match sides {
            Some(size @ Size(1.., 1..)) => Ok(size),
            _ => Err("give width and height in pixels, like 1280x720".to_string()),
        }
    }
}

/// What pictures show, by name: [`Look`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LookName {
    /// Bodies in their own colours
    Plain,
    /// The edges of all triangles
    Wireframe,
    /// Particles as balls in place of surfaces
    Balls,
    /// Bodies coloured by stretch, full at 5 %
    Stretch,
    /// Bodies coloured by speed, full at 3 m/s
    Speed,
    /// Solids coloured by strain, full at 10 %
    Strain,
    /// Solids coloured by von Mises' stress; the scale is told
    Stress,
    /// Constraints as lines, each batch in its colour
    Constraints,
    /// Velocities as lines, 1/30 s long
    Velocities,
}

impl LookName {
    fn add_to(self, look: Look) -> Look {
        match self {
            Self::Plain => look,
            Self::Wireframe => Look { wireframe: true, ..look },
            Self::Balls => Look { balls: true, ..look },
            Self::Stretch => Look { colour: Colour::Stretch, ..look },
            Self::Speed => Look { colour: Colour::Speed, ..look },
            Self::Strain => Look { colour: Colour::Strain, ..look },
            Self::Stress => Look { colour: Colour::Stress, ..look },
            Self::Constraints => Look { constraints: Constraints::Batches, ..look },
            Self::Velocities => Look { velocities: true, ..look },
        }
    }
}

/// What pictures show by all of some names; refuses two that colour bodies.
pub fn combined(names: &[LookName]) -> Result<Look, Failure> {
    let colours = |name: &&LookName| name.add_to(Look::default()).colour != Look::default().colour;
    let mut colouring: Vec<&LookName> = names.iter().filter(colours).collect();
    colouring.dedup();
    if let [first, second, ..] = colouring[..] {
        let name = |look: &LookName| look.to_possible_value().map_or_else(String::new, |value| value.get_name().into());
        let message = format!("--look: {} and {} both colour bodies; give one of them", name(first), name(second));
        return Err(Failure::Input(message));
    }
    Ok(names.iter().fold(Look::default(), |look, name| name.add_to(look)))
}

const ANIMATION: &str = "animation.png";

/// Whether a run that draws writes a file of this name.
pub fn writes(name: &str) -> bool {
    frame_of(name, "png").is_some() || name.eq_ignore_ascii_case(ANIMATION)
}

/// Draws a run's frames into a folder.
pub struct Pictures {
    /// What draws for the CPU engine and the reference, which have no buffers of their own, and where.
    uploaded: Option<(Gpu, UploadedSurface)>,
    look: Look,
    renderer: Renderer,
    offscreen: Offscreen,
    camera: Camera,
    animation: AnimatedPng,
    folder: PathBuf,
}

impl Pictures {
    pub fn open(
        engine: &dyn Runner,
        model: &Model,
        plan: &Plan,
        camera: Option<scene::Camera>,
        Size(width, height): Size,
        look: Look,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let uploaded = match engine.gpu() {
            Some(_) => None,
            None => Some(on_adapter(None, plan, |gpu| {
                let uploaded = UploadedSurface::new(&gpu.pipelines, &gpu.queue, model, plan)?;
                let bytes = uploaded.memory_bytes();
                Ok((uploaded, bytes))
            })?),
        };
        let device = &painter(&uploaded, engine)?.device;
        let renderer = Renderer::new(device, model, plan, Offscreen::FORMAT)?;
        match (look.colour, renderer.full(look.colour)) {
            (Colour::Stress, Some(full)) => eprintln!("note: the colour of stress is full at {full} Pa"),
            (Colour::Strain | Colour::Stress, None) => {
                eprintln!("note: no body of this scene has a strain or stress to show; bodies keep their own colours");
            }
            _ => {}
        }
        Ok(Self {
            renderer,
            offscreen: Offscreen::new(device, [width, height])?,
            camera: place(camera, model, f64::from(width) / f64::from(height)),
            animation: AnimatedPng::create(&folder.join(ANIMATION), width, height, model.settings.frame_rate)?,
            folder: folder.to_path_buf(),
            look,
            uploaded,
        })
    }

    /// Draws the frame that the engine has done, whose state this is.
    pub fn take(&mut self, engine: &dyn Runner, model: &Model, plan: &Plan, state: &State) -> Result<(), Failure> {
        let h = model.settings.substep_seconds();
        if let Some((_, uploaded)) = &mut self.uploaded {
            uploaded.take(&state.positions, &state.velocities, state.torn.as_ref(), h);
        }
        let device = &painter(&self.uploaded, engine)?.device;
        self.renderer.follow(device, model, plan, state);
        let picture = self.draw(engine, state.seconds, h)?;
        let path = self.folder.join(format!("frame_{:04}.png", state.frame));
        write_png(&path, picture.width, picture.height, &picture.rgba)?;
        Ok(self.animation.push(&picture.rgba)?)
    }

    fn draw(&mut self, engine: &dyn Runner, seconds: f64, substep_seconds: f64) -> Result<Picture, Failure> {
        let gpu = painter(&self.uploaded, engine)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let surface = match &self.uploaded {
            Some((_, uploaded)) => uploaded.surface(&mut encoder),
            None => engine.surface(&mut encoder).ok_or_else(no_painter)?,
        };
        let shot = Shot {
            target: self.offscreen.view(),
            size: self.offscreen.size(),
            camera: self.camera,
            seconds,
            look: self.look,
            substep_seconds,
            transparent: false,
        };
        self.renderer.draw(&gpu.device, &mut encoder, surface, &shot);
        let download = self.offscreen.download(&gpu.device, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        // The receiver outlives the wait below; if the device is lost before, there is no picture to send.
        download.read(move |picture| drop(sender.send(picture)));
        gpu.wait()?;
        let lost = || Failure::from(Fault::Lost("a picture could not be read back from the device".to_string()));
        Ok(receiver.try_recv().map_err(|_| lost())??)
    }

    /// Completes the animation.
    pub fn finish(self) -> Result<(), Failure> {
        Ok(self.animation.finish()?)
    }
}

/// The device that draws.
fn painter<'a>(uploaded: &'a Option<(Gpu, UploadedSurface)>, engine: &'a dyn Runner) -> Result<&'a Gpu, Failure> {
    uploaded.as_ref().map(|(gpu, _)| gpu).or(engine.gpu()).ok_or_else(no_painter)
}

fn no_painter() -> Failure {
    Failure::NoGpu("drawing needs a GPU".to_string())
}

/// The scene's camera, or one that sees everything at the beginning and where it is likely to go.
pub(crate) fn place(camera: Option<scene::Camera>, model: &Model, aspect: f64) -> Camera {
    let up = render::up(&model.world);
    match camera {
        Some(camera) => {
            let [eye, target] =
                [camera.eye, camera.target].map(|place| std::array::from_fn(|axis| place[axis] - model.origin[axis]));
            Camera { eye, target, up, vertical_field_of_view_degrees: camera.field_of_view }
        }
        None => {
            let (min, max) = subject(model, up);
            Camera::framing(min, max, up, aspect)
        }
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
