//! The window and its events.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use super::screen::Screen;
use super::stage::{Stage, Target};
use super::stepper::Way;
use crate::cli::{Device, WindowError};
use crate::device::Fault;

/// The smallest window.
const LEAST: LogicalSize<f64> = LogicalSize::new(320.0, 200.0);

/// Where the display does not hold the window back, this does, s: no display shows more than 250 pictures a second.
const SHORTEST_FRAME: Duration = Duration::from_millis(4);
/// How long to wait before a window that cannot be drawn on now is tried again.
const RETRY: Duration = Duration::from_millis(100);
/// Devices that are opened in turn when each is lost at once.
const MOST_RECOVERIES: u32 = 3;

/// Opens a window on a scene, a name of the gallery or the path of a file, and returns when it is closed. It draws on
/// the best adapter, or the one that is named, and solves there, too, or on the CPU ([`Way::of`]).
///
/// # Errors
/// If there is no display or nothing that can draw on it, or no adapter has the name: then nothing was shown.
pub fn run(scene: &str, device: &Device) -> Result<(), WindowError> {
    let event_loop = event_loop()?;
    let mut app = App { scene: scene.to_string(), device: device.clone(), state: State::Closed, error: None };
    event_loop.run_app(&mut app).map_err(|error| WindowError::NoWindow(error.to_string()))?;
    app.error.map_or(Ok(()), Err)
}

/// winit panics where a library of the windowing system is missing; here that is one more reason for having no window.
fn event_loop() -> Result<EventLoop<()>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let made = std::panic::catch_unwind(EventLoop::new);
    std::panic::set_hook(hook);
    let reason = match made {
        Ok(Ok(event_loop)) => return Ok(event_loop),
        Ok(Err(error)) => reason(&error.to_string()).to_string(),
        Err(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(message), _) => message.clone(),
            (None, Some(message)) => (*message).to_string(),
            (None, None) => "a library of the windowing system is missing".to_string(),
        },
    };
    Err(WindowError::NoWindow(reason))
}

/// What winit says, without the place in its source that it begins with.
fn reason(text: &str) -> &str {
    let after = text.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    after.map_or(text, |(_, reason)| reason).trim_end_matches('.')
}

struct App {
    scene: String,
    device: Device,
    state: State,
    error: Option<WindowError>,
}

enum State {
    Closed,
    Open(Box<Open>),
}

/// A window with all that belongs to it.
struct Open {
    // Dropped in this order: what draws before what it draws on.
    stage: Stage,
    screen: Screen,
    input: egui_winit::State,
    window: Arc<Window>,
    opened: Instant,
    drawn: Instant,
    /// When to draw next if nothing happens before.
    next: Option<Instant>,
    hidden: bool,
    title: String,
    /// As the user has named it.
    device: Device,
    /// Devices that were lost with no good frame between.
    lost: u32,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let State::Open(_) = self.state {
            return;
        }
        match Open::new(event_loop, &self.scene, &self.device) {
            Ok(open) => self.state = State::Open(Box::new(open)),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let State::Open(open) = &mut self.state else { return };
        if open.input.on_window_event(&open.window, &event).repaint {
            open.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Resized(size) => {
                open.screen.resized(size);
                open.window.request_redraw();
            }
            WindowEvent::Occluded(hidden) => {
                open.hidden = hidden;
                open.window.request_redraw();
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = open.draw(event_loop) {
                    self.fail(event_loop, error);
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let State::Open(open) = &mut self.state else { return };
        match open.next {
            Some(next) if next <= Instant::now() => {
                open.next = None;
                open.window.request_redraw();
            }
            Some(next) => event_loop.set_control_flow(ControlFlow::WaitUntil(next)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }
}

impl App {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: WindowError) {
        self.error = Some(error);
        event_loop.exit();
    }
}

/// The size of the window when it opens: what shows all panels, or most of a smaller screen. Where no screen is the
/// first one, as on Wayland, the compositor sees to that: which one a window comes to nobody knows before, and its
/// scale is told in whole numbers.
fn size_on(event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    let mut size = LogicalSize::<f64>::new(1440.0, 860.0);
    let screen = event_loop.primary_monitor().map(|monitor| monitor.size().to_logical::<f64>(monitor.scale_factor()));
    // Where there is no screen, some servers tell of one of a single pixel.
    if let Some(screen) = screen.filter(|screen| screen.width >= LEAST.width && screen.height >= LEAST.height) {
        // A window has a bar, and screens often have another.
        size = LogicalSize::new(size.width.min(screen.width), size.height.min(0.9 * screen.height));
    }
    size
}

impl Open {
    fn new(event_loop: &ActiveEventLoop, scene: &str, device: &Device) -> Result<Self, WindowError> {
        let attributes = Window::default_attributes()
            .with_title("Pliant")
            .with_inner_size(size_on(event_loop))
            .with_min_inner_size(LEAST);
        let window = event_loop.create_window(attributes).map_err(|error| WindowError::NoWindow(error.to_string()))?;
        let window = Arc::new(window);
        let display = event_loop.owned_display_handle();
        let (screen, gpu) = pollster::block_on(Screen::open(window.clone(), display, device))?;
        let way = Way::of(device, &gpu.adapter.get_info());
        let largest = gpu.device.limits().max_texture_dimension_2d as usize;
        let mut stage = Stage::new(gpu, screen.format(), way);
        stage.open(scene);
        let scale = window.scale_factor() as f32;
        let id = egui::ViewportId::ROOT;
        let input =
            egui_winit::State::new(stage.context().clone(), id, event_loop, Some(scale), window.theme(), Some(largest));
        window.request_redraw();
        Ok(Self {
            stage,
            screen,
            input,
            window,
            opened: Instant::now(),
            drawn: Instant::now(),
            next: None,
            hidden: false,
            title: String::new(),
            device: device.clone(),
            lost: 0,
        })
    }

    /// Draws a frame, if there is something to draw on.
    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), WindowError> {
        let wait = SHORTEST_FRAME.saturating_sub(self.drawn.elapsed());
        if !wait.is_zero() {
            self.next = Some(Instant::now() + wait);
            return Ok(());
        }
        let texture = if self.hidden { None } else { self.screen.texture(self.stage.gpu()) };
        let Some(texture) = texture else {
            self.next = Some(Instant::now() + RETRY);
            self.drawn = Instant::now();
            return self.recover(self.stage.gpu().faults.take(), event_loop);
        };
        let seconds = self.drawn.elapsed().as_secs_f64();
        self.drawn = Instant::now();
        let view = texture.texture.create_view(&Default::default());
        let pixels_per_point = egui_winit::pixels_per_point(self.stage.context(), &self.window);
        let input = self.take_input(pixels_per_point);
        let target = Target { view: &view, size: self.screen.size(), pixels_per_point };
        let frame = self.stage.frame(input, seconds, &target);
        self.window.pre_present_notify();
        self.stage.gpu().queue.present(texture);
        self.input.handle_platform_output(&self.window, frame.platform);
        self.next = Instant::now().checked_add(frame.repaint_after);
        self.retitle();
        self.recover(frame.fault, event_loop)
    }

    /// What has come in since the last frame. egui's own way asks the window for its size, at which winit panics if the
    /// window was destroyed from outside.
    fn take_input(&mut self, pixels_per_point: f32) -> egui::RawInput {
        let [width, height] = self.screen.size().map(|pixels| pixels as f32 / pixels_per_point);
        let input = self.input.egui_input_mut();
        input.screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height)));
        input.time = Some(self.opened.elapsed().as_secs_f64());
        input.take()
    }

    fn retitle(&mut self) {
        let title = self.stage.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    /// Goes on with another device if this one was lost.
    fn recover(&mut self, fault: Option<Fault>, event_loop: &ActiveEventLoop) -> Result<(), WindowError> {
        let Some(Fault::Lost(reason)) = fault else {
            self.lost = 0;
            return Ok(());
        };
        self.lost += 1;
        if self.lost > MOST_RECOVERIES {
            return Err(WindowError::Lost(reason));
        }
        let display = event_loop.owned_display_handle();
        let (screen, gpu) = pollster::block_on(Screen::open(self.window.clone(), display, &self.device))?;
        self.stage.restart(gpu, screen.format());
        self.screen = screen;
        self.next = Some(Instant::now());
        Ok(())
    }
}
