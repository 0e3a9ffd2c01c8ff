//! Everything in the window but the window: panels and simulations, drawn to whatever texture it is given.

mod files;
mod hand;
mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use self::files::Files;
use super::layout::{self, Contents};
use super::loading::{Loaded, Loading, file_of};
use super::overlay::Labels;
use super::panels::{Action, Desk, Timing, Trouble};
use super::shelves::{Shelf, shelves};
use super::shown::{Shown, beside};
use super::simulation::{Simulation, SimulationError};
use super::stepper::Way;
use super::theme;
use super::timer::Timer;
use super::tuning::Tuning;
use super::watch::{self, Watch};
use crate::device::{Fault, Gpu};
use crate::scene::MeshUse;

/// A software device draws a fifth as many pixels while a scene runs: there pixels are what a picture costs.
const SOFTWARE_SHARPNESS: f64 = 0.45;
/// The weight of a new frame in the mean of their durations.
const WEIGHT: f64 = 0.05;

/// A texture to draw a frame to.
pub struct Target<'a> {
    /// Of the format that the stage was made for; usage: render attachment.
    pub view: &'a wgpu::TextureView,
    /// Pixels.
    pub size: [u32; 2],
    /// As the window scales: 1 on plain displays, 2 on many fine ones.
    pub pixels_per_point: f32,
}

/// What a frame asks of the window.
pub struct Frame {
    /// Cursor, clipboard and the like.
    pub platform: egui::PlatformOutput,
    /// How long the picture stays as it is if nothing happens.
    pub repaint_after: Duration,
    /// What went wrong on the device.
    pub fault: Option<Fault>,
}

/// The contents of the window.
pub struct Stage {
    gpu: Gpu,
    /// That the device is lost.
    lost: Option<Fault>,
    way: Way,
    format: wgpu::TextureFormat,
    context: egui::Context,
    painter: egui_wgpu::Renderer,
    timer: Timer,
    /// Submits with steps that the device has not done yet.
    in_flight: Arc<AtomicU32>,
    desk: Desk,
    shown: Option<Shown>,
    loading: Option<Loading>,
    watch: Option<Watch>,
    timing: Timing,
    labels: Labels,
    shelves: Vec<Shelf>,
    files: Files,
    single_steps: u32,
    /// The frame to go to, as soon as its state is here.
    sought: Option<u64>,
    /// Pixels of a running scene's picture for each of the window's, along a side.
    sharpness: f64,
}

impl Stage {
    /// An empty stage that draws to textures of `format`.
    pub fn new(gpu: Gpu, format: wgpu::TextureFormat, way: Way) -> Self {
        let context = egui::Context::default();
        theme::apply(&context);
        let info = gpu.adapter.get_info();
        Self {
            painter: egui_wgpu::Renderer::new(&gpu.device, format, Default::default()),
            timer: Timer::new(&gpu.device, &gpu.queue),
            in_flight: Arc::default(),
            timing: Timing { device: way.told(&info.name), on_cpu: way == Way::Cpu, ..Timing::default() },
            gpu,
            lost: None,
            way,
            format,
            context,
            desk: Desk::new([Tuning::default(), Tuning::default()]),
            shown: None,
            loading: None,
            watch: None,
            labels: Labels::default(),
            shelves: shelves(),
            files: Files::default(),
            single_steps: 0,
            sought: None,
            sharpness: if info.device_type == wgpu::DeviceType::Cpu { SOFTWARE_SHARPNESS } else { 1.0 },
        }
    }

    /// The device that it draws with.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// egui's context, which the window's events go to.
    pub fn context(&self) -> &egui::Context {
        &self.context
    }

    /// What the user has set.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// What the user has set, to be set by the program.
    pub fn desk_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// The simulations on show: none, one, or two that are compared.
    pub fn simulations(&self) -> impl Iterator<Item = &Simulation> {
        self.shown.iter().flat_map(|shown| &shown.panes).map(|pane| &pane.simulation)
    }

    /// Where the last frame had labels over its pictures, points.
    pub fn labels(&self) -> &[egui::Rect] {
        self.labels.placed()
    }

    /// The title of the window.
    pub fn title(&self) -> String {
        match &self.shown {
            Some(shown) => format!("{} · Pliant", shown.loaded.model.name),
            None => "Pliant".to_string(),
        }
    }

    /// Begins to read a scene: a name of the gallery or a path, also of a mesh. What is on show stays until it is
    /// there.
    pub fn open(&mut self, source: &str) {
        // A mesh that is saved again stays what it was.
        let again = self.shown.as_ref().filter(|shown| shown.loaded.source == source);
        self.open_as(source, again.and_then(|shown| shown.loaded.mesh_use));
    }

    /// Begins to read a scene, or a mesh as something.
    pub fn open_as(&mut self, source: &str, mesh_use: Option<MeshUse>) {
        match Loading::begin(source, self.way, mesh_use) {
            Ok(loading) => self.loading = Some(loading),
            Err(error) => {
                self.desk.trouble = Some(Trouble::new(source, format!("the system refused to start a thread: {error}")))
            }
        }
        // A faulty file is looked at too: it is saved again when it is right.
        let file = file_of(source);
        if self.watch.as_ref().map(Watch::path) != file.as_deref() {
            self.watch = file.map(Watch::new);
        }
    }

    /// Goes on with another device in place of one that was lost: from the beginning of the scene.
    pub fn restart(&mut self, gpu: Gpu, format: wgpu::TextureFormat) {
        let mut stage = Self::new(gpu, format, self.way);
        stage.desk = self.desk.clone();
        stage.watch = self.watch.take();
        stage.loading = self.loading.take();
        stage.files = std::mem::take(&mut self.files).carried_over();
        // The fonts that egui has uploaded are lost too: the new context uploads them again.
        let loaded = self.shown.take().map(|shown| shown.loaded);
        *self = stage;
        if let Some(loaded) = loaded {
            let desk = self.desk.clone();
            let mut encoder = self.encoder();
            self.show(&mut encoder, loaded);
            self.desk = desk;
            self.gpu.queue.submit([encoder.finish()]);
        }
        self.desk.notes.push("The graphics device was lost and opened again; the scene starts over.".to_string());
    }

    /// Does everything for one frame of the window, `seconds` after the last, and draws it.
    pub fn frame(&mut self, input: egui::RawInput, seconds: f64, target: &Target) -> Frame {
        self.timing.frame_seconds += WEIGHT * (seconds.min(1.0) - self.timing.frame_seconds);
        // Nothing can be recorded on a device that is lost.
        self.gpu.poll(wgpu::PollType::Poll);
        if let Some(fault) = self.fault() {
            return Frame { platform: Default::default(), repaint_after: Duration::ZERO, fault: Some(fault) };
        }
        let mut encoder = self.encoder();
        self.take_in(&mut encoder);

        let mut actions: Vec<Action> = input.dropped_files.iter().map(|file| opening(file.path())).collect();
        self.desk.filming = self.files.is_filming();
        self.context.set_theme(self.desk.theme);
        let context = self.context.clone();
        let mut pointers = Vec::new();
        let output = context.run_ui(input, |ui| {
            let loading = self.loading.as_ref().map(|loading| loading.source.as_str());
            let labels = Labels::default();
            let (timing, shelves) = (&self.timing, &self.shelves[..]);
            let mut contents = Contents { shown: self.shown.as_mut(), loading, timing, shelves, labels };
            pointers = layout::window(ui, &mut self.desk, &mut contents, &mut actions);
            self.labels = contents.labels;
        });

        self.act(&mut encoder, actions);
        self.seek(&mut encoder);
        self.point(&mut encoder, &pointers, seconds);
        self.configure(&mut encoder);
        let steps = self.step(&mut encoder, seconds);
        let is_rough = (steps > 0 || self.desk.playing) && !self.files.is_capturing();
        let sharpness = if is_rough { self.sharpness } else { 1.0 };
        self.draw_panes(&mut encoder, sharpness * f64::from(target.pixels_per_point));
        let captured = self.capture(&mut encoder, steps, seconds);
        let mut commands = self.draw_window(&mut encoder, target, output.textures_delta, output.shapes);
        commands.push(encoder.finish());
        self.gpu.queue.submit(commands);
        self.develop(captured);
        if steps > 0 {
            self.in_flight.fetch_add(1, Ordering::Relaxed);
            let in_flight = self.in_flight.clone();
            self.gpu.queue.on_submitted_work_done(move || _ = in_flight.fetch_sub(1, Ordering::Relaxed));
        }
        let fault = self.fault();
        let asked = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        Frame {
            platform: output.platform_output,
            repaint_after: self.repaint_after().min(asked.unwrap_or(Duration::MAX)),
            fault,
        }
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&Default::default())
    }

    /// Takes in what has come from elsewhere since the last frame: a scene, a saved file, numbers from the device.
    fn take_in(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.take_news();
        let saved = self.watch.as_mut().and_then(|watch| watch.changed().then(|| watch.path().to_owned()));
        if let Some(path) = saved {
            self.open(&path.to_string_lossy());
        }
        if let Some(result) = self.loading.as_ref().and_then(Loading::result) {
            self.loading = None;
            match result {
                Ok(loaded) => self.show(encoder, loaded),
                Err(trouble) => self.desk.trouble = Some(trouble),
            }
        }
        let period = self.gpu.queue.get_timestamp_period();
        let measured = self.timer.step_seconds();
        let Some(shown) = &mut self.shown else { return };
        measured.into_iter().for_each(|step_seconds| shown.pace.measured(step_seconds));
        self.timing.step_seconds = shown.pace.step_seconds();
        shown.recording.settle();
        shown.panes.iter_mut().for_each(|pane| pane.simulation.collect(period));
    }

    /// Puts a scene on show. One that the device cannot hold leaves the old one there.
    fn show(&mut self, encoder: &mut wgpu::CommandEncoder, loaded: Arc<Loaded>) {
        let shown = match Shown::new(&self.gpu, &mut self.painter, encoder, loaded.clone()) {
            Ok(shown) => shown,
            Err(error) => return self.report(&loaded.source, &error),
        };
        let before = self.shown.replace(shown);
        let again = before.as_ref().is_some_and(|before| before.loaded.source == loaded.source);
        for pane in before.iter().flat_map(|before| &before.panes) {
            self.painter.free_texture(&pane.canvas.id());
        }
        if let (true, Some(before), Some(shown)) = (again, &before, &mut self.shown) {
            // A file that was saved: seen from where the user was looking.
            shown.see_as(before);
        }
        self.sought = None;
        self.desk.trouble = None;
        self.desk.notes.clone_from(&loaded.notes);
        self.desk.tunings = tunings(&loaded);
        if !again {
            self.desk.comparing = crate::cli::pictures::is_exhibit(&loaded.source);
            self.desk.playing = true;
        }
    }

    fn act(&mut self, encoder: &mut wgpu::CommandEncoder, actions: Vec<Action>) {
        for action in actions {
            if self.act_on_files(&action) {
                continue;
            }
            let Some(shown) = &mut self.shown else {
                if let Action::Open(source) = action {
                    self.open(&source);
                }
                continue;
            };
            match action {
                Action::Open(source) => self.open(&source),
                Action::Step | Action::Back | Action::Seek(_) | Action::Oldest | Action::Undo => self.look_for(&action),
                Action::Frame => shown.frame(),
                Action::See(side) => shown.see(side),
                Action::Restore => {
                    shown.tools.changes.inflation.clear();
                    self.desk.tunings = tunings(&shown.loaded);
                }
                Action::Reset => {
                    self.sought = None;
                    if let Err(error) = shown.reset(encoder) {
                        self.report("Reset", &error);
                    }
                }
                _ => {}
            }
        }
    }

    /// Brings the simulations to what the desk says.
    fn configure(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(shown) = &mut self.shown else { return };
        let (mut result, mut changed) = (Ok(()), false);
        if self.desk.comparing != (shown.panes.len() > 1) {
            let second = self.desk.comparing.then_some(&self.desk.tunings[1]);
            result = shown.compare(&self.gpu, &mut self.painter, encoder, second);
            self.desk.comparing = shown.panes.len() > 1;
        }
        for (pane, tuning) in shown.panes.iter_mut().zip(&mut self.desk.tunings) {
            if pane.simulation.tuning() != tuning && result.is_ok() {
                result = pane.simulation.tune(encoder, tuning);
                tuning.clone_from(pane.simulation.tuning());
                changed = true;
            }
        }
        if changed {
            shown.branch();
        }
        if let Err(error) = result {
            self.report("Settings", &error);
        }
    }

    /// Makes, or records, the steps that are due. Returns how many.
    fn step(&mut self, encoder: &mut wgpu::CommandEncoder, seconds: f64) -> u32 {
        let Some(shown) = &mut self.shown else { return 0 };
        let steps = match self.desk.playing {
            _ if shown.tools.is_waiting() => 0,
            true => {
                self.sought = None;
                shown.pace.steps(seconds, self.desk.speed, self.in_flight.load(Ordering::Relaxed))
            }
            false => {
                shown.pace.pause();
                std::mem::take(&mut self.single_steps)
            }
        };
        let steps = self.files.allowed(steps, 1.0 / shown.loaded.model.settings.frame_rate, self.desk.speed);
        let mut result = Ok(());
        let mut make = |encoder: &mut wgpu::CommandEncoder| {
            result = (0..steps).try_for_each(|_| shown.step(encoder));
        };
        match self.way {
            _ if steps == 0 => {}
            Way::Cpu => {
                let begun = Instant::now();
                make(encoder);
                shown.pace.measured(begun.elapsed().as_secs_f64() / f64::from(steps));
            }
            Way::Colours | Way::Clusters => {
                self.timer.begin(encoder);
                make(encoder);
                self.timer.end(encoder, steps);
            }
        }
        let (contacts, forces) = (self.desk.contacts, shown.picked.is_some());
        shown.panes.iter_mut().for_each(|pane| pane.simulation.observe(encoder, contacts, forces));
        if let Err(error) = result {
            self.desk.playing = false;
            self.report("The ball", &error);
        }
        steps
    }

    fn draw_panes(&mut self, encoder: &mut wgpu::CommandEncoder, pixels_per_point: f64) {
        let Some(shown) = &mut self.shown else { return };
        let mut result = Ok(());
        for pane in &mut shown.panes {
            let pixels = pane.size.map(|side| (side * pixels_per_point).round() as u32);
            pane.canvas.fit(&self.gpu.device, &mut self.painter, pixels);
            let (view, size) = (pane.canvas.view(), pane.canvas.size());
            let drawn = pane.simulation.draw(encoder, view, size, shown.orbit.camera(), self.desk.look);
            result = result.and(drawn);
        }
        if let Err(error) = result {
            self.desk.look = Default::default();
            self.report("Look", &error);
        }
    }

    /// Draws what egui has laid out. Returns commands to submit before the encoder's.
    fn draw_window(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &Target,
        mut textures: egui::TexturesDelta,
        shapes: Vec<egui::epaint::ClippedShape>,
    ) -> Vec<wgpu::CommandBuffer> {
        let Gpu { device, queue, .. } = &self.gpu;
        for (id, deltas) in &textures.set {
            deltas.iter().for_each(|delta| self.painter.update_texture(device, queue, *id, delta));
        }
        let screen =
            egui_wgpu::ScreenDescriptor { size_in_pixels: target.size, pixels_per_point: target.pixels_per_point };
        let triangles = self.context.tessellate(shapes, target.pixels_per_point);
        let commands = self.painter.update_buffers(device, queue, encoder, &triangles, &screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(theme::background(self.format, self.context.theme())),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), &triangles, &screen);
        textures.free.iter().for_each(|id| self.painter.free_texture(id));
        textures.clear();
        commands
    }

    /// How long the picture stays as it is if the user does nothing.
    fn repaint_after(&self) -> Duration {
        let waits = self.shown.as_ref().is_some_and(|shown| shown.tools.is_waiting());
        let waiting = waits || self.simulations().any(Simulation::is_waiting);
        match self.desk.playing && self.shown.is_some() || waiting || self.single_steps > 0 || self.sought.is_some() {
            true => Duration::ZERO,
            false if self.files.is_filming() => Duration::ZERO,
            false if self.loading.is_some() || self.files.is_waiting() => Duration::from_millis(30),
            false if self.watch.is_some() => watch::INTERVAL,
            false => Duration::MAX,
        }
    }

    /// What went wrong on the device; that it is lost, from then on at every call. Other faults are told here.
    fn fault(&mut self) -> Option<Fault> {
        let fault = self.lost.clone().or_else(|| self.gpu.faults.take())?;
        match fault {
            Fault::Lost(_) => self.lost = Some(fault.clone()),
            Fault::OutOfMemory | Fault::Error(_) => {
                self.desk.trouble = Some(Trouble::new("The graphics device", fault.to_string()));
                self.desk.playing = false;
            }
        }
        Some(fault)
    }

    fn report(&mut self, place: &str, error: &SimulationError) {
        self.desk.trouble = Some(Trouble::new(place, error.to_string()));
    }

    /// The format of the textures that it draws to.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }
}

/// What a scene says, and what to compare it with.
fn tunings(loaded: &Loaded) -> [Tuning; 2] {
    let tuning = Tuning::of(&loaded.model);
    let other = beside(&tuning);
    [tuning, other]
}

fn opening(path: &std::path::Path) -> Action {
    Action::Open(path.to_string_lossy().into_owned())
}
