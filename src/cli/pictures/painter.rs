//! Draws the frames of any engine on an adapter.

use std::sync::mpsc;

use super::options::Drawing;
use crate::Plan;
use crate::cli::engine::{Runner, on_adapter};
use crate::cli::failure::Failure;
use crate::device::{Fault, Gpu};
use crate::model::{Model, State};
use crate::render::{Camera, Colour, Look, Offscreen, Picture, Renderer, Shot, UploadedSurface};

/// Draws frames of one engine.
pub struct Painter {
    /// What draws for the CPU engine and the reference, which have no buffers of their own, and where.
    uploaded: Option<(Gpu, UploadedSurface)>,
    look: Look,
    transparent: bool,
    renderer: Renderer,
    offscreen: Offscreen,
    camera: Camera,
}

impl Painter {
    pub fn open(
        engine: &dyn Runner,
        model: &Model,
        plan: &Plan,
        camera: Camera,
        size: [u32; 2],
        drawing: &Drawing,
    ) -> Result<Self, Failure> {
        let uploaded = match engine.gpu() {
            Some(_) => None,
            None => Some(on_adapter(None, plan, |gpu| {
                let uploaded = UploadedSurface::new(&gpu.pipelines, &gpu.queue, model, plan)?;
                let bytes = uploaded.memory_bytes();
                Ok((uploaded, bytes))
            })?),
        };
        let device = &device_of(&uploaded, engine)?.device;
        let look = drawing.look()?;
        let renderer = Renderer::new(device, model, plan, Offscreen::FORMAT)?;
        let (offscreen, transparent) = (Offscreen::new(device, size)?, drawing.transparent);
        Ok(Self { offscreen, camera, look, transparent, renderer, uploaded })
    }

    /// What the colours of bodies stand for, and the number at the end of their scale, if they stand for one.
    pub fn scale(&self) -> (Colour, Option<f64>) {
        (self.look.colour, self.renderer.full(self.look.colour))
    }

    /// The picture of the frame that the engine has done, whose state this is.
    pub fn picture(
        &mut self,
        engine: &dyn Runner,
        model: &Model,
        plan: &Plan,
        state: &State,
    ) -> Result<Picture, Failure> {
        let h = model.settings.substep_seconds();
        if let Some((_, uploaded)) = &mut self.uploaded {
            uploaded.take([&state.positions, &state.velocities], state.torn.as_ref(), &state.absent, h);
        }
        let device = &device_of(&self.uploaded, engine)?.device;
        self.renderer.follow(device, model, plan, state);
        self.draw(engine, state.seconds, h)
    }

    fn draw(&mut self, engine: &dyn Runner, seconds: f64, substep_seconds: f64) -> Result<Picture, Failure> {
        let gpu = device_of(&self.uploaded, engine)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let surface = match &self.uploaded {
            Some((_, uploaded)) => uploaded.surface(&mut encoder),
            None => engine.surface(&mut encoder).ok_or_else(no_gpu)?,
        };
        let shot = Shot {
            target: self.offscreen.view(),
            size: self.offscreen.size(),
            camera: self.camera,
            seconds,
            look: self.look,
            substep_seconds,
            transparent: self.transparent,
        };
        self.renderer.draw(&gpu.device, &mut encoder, surface, &shot);
        let download = self.offscreen.download(&gpu.device, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        // The receiver outlives the wait below; if the device is lost before, there is no picture to send.
        download.read(move |picture| drop(sender.send(picture)));
        gpu.wait()?;
        let lost = || Failure::from(Fault::Lost("a picture could not be read back from the device".to_string()));
        let picture = receiver.try_recv().map_err(|_| lost())??;
        Ok(if self.transparent { picture.into_straight_alpha() } else { picture })
    }
}

/// The device that draws.
fn device_of<'a>(uploaded: &'a Option<(Gpu, UploadedSurface)>, engine: &'a dyn Runner) -> Result<&'a Gpu, Failure> {
    uploaded.as_ref().map(|(gpu, _)| gpu).or(engine.gpu()).ok_or_else(no_gpu)
}

fn no_gpu() -> Failure {
    Failure::NoGpu("drawing needs a GPU".to_string())
}
