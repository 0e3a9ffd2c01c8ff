//! The window's contents on a device, drawn to a texture in place of a window: what a user does comes in as egui's events.

#[path = "viewer/files.rs"]
mod files;
#[path = "viewer/labels.rs"]
mod labels;
#[path = "viewer/typing.rs"]
mod typing;

use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use pliant::device::{Fault, Gpu};
use pliant::model::{Method, Mode, Model, Settings};
use pliant::scene::Scene;
use pliant::solver::Solver;
use pliant::viewer::{Stage, Target, Tool, Tuning, Way};
use pliant::{CpuSolver, Engine, Plan};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const SIZE: [u32; 2] = [360, 280];
/// Few: on a software device pixels are what takes time.
const PIXELS_PER_POINT: f32 = 0.25;
/// A window solves on its device, or on the CPU.
const WAYS: [Way; 2] = [Way::Colours, Way::Cpu];
const CLOTH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/viewer/cloth.toml");
/// Frames and a time after which what is waited for should long have come.
const PATIENCE: usize = 400;
const LONG: Duration = Duration::from_secs(60);

fn gpu() -> Gpu {
    let adapters = pollster::block_on(pliant::device::adapters());
    let adapter = adapters.into_iter().next().expect("an adapter: `make setup` installs a software one");
    let limits = adapter.limits();
    pollster::block_on(Gpu::open_adapter(adapter, limits)).expect("a device")
}

/// A stage and the texture that it is drawn to.
struct Theatre {
    stage: Stage,
    view: wgpu::TextureView,
    /// In points.
    size: [u32; 2],
    pixels_per_point: f32,
    drawn: Instant,
}

impl Theatre {
    fn new(way: Way) -> Self {
        let mut stage = Stage::new(gpu(), FORMAT, way);
        // The scene alone.
        (stage.desk_mut().controls_open, stage.desk_mut().numbers_open) = (false, false);
        let pixels_per_point = PIXELS_PER_POINT;
        let view = texture(&stage, pixels(SIZE, pixels_per_point)).create_view(&Default::default());
        Self { stage, view, size: SIZE, pixels_per_point, drawn: Instant::now() }
    }

    /// With a scene on show, paused at its beginning.
    fn of(scene: &str) -> Self {
        Self::solved(scene, Way::Colours)
    }

    fn solved(scene: &str, way: Way) -> Self {
        let mut theatre = Self::new(way);
        theatre.stage.open(scene);
        theatre.until("the scene", |stage| stage.simulations().any(|simulation| simulation.observation().is_some()));
        // It plays at once.
        theatre.stage.desk_mut().playing = false;
        theatre.reset();
        theatre
    }

    /// To the beginning, until that is seen.
    fn reset(&mut self) {
        self.key(Key::R);
        self.until("the beginning", |stage| stage.simulations().all(|simulation| !simulation.has_begun()));
        self.until("a look at it", |stage| stage.simulations().all(|simulation| simulation.observation().is_some()));
    }

    /// The cloth of these tests in a window that is large enough for the bars to leave room.
    fn with_cloth(way: Way) -> Self {
        let mut theatre = Self::solved(CLOTH, way);
        theatre.resize([600, 420]);
        theatre
    }

    fn resize(&mut self, size: [u32; 2]) {
        let pixels = pixels(size, self.pixels_per_point);
        self.view = texture(&self.stage, pixels).create_view(&Default::default());
        self.size = size;
    }

    /// A frame with some events, until the device has done it.
    fn frame(&mut self, events: Vec<Event>) {
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32);
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        let input = RawInput { screen_rect, events, ..RawInput::default() };
        let seconds = self.drawn.elapsed().as_secs_f64();
        self.drawn = Instant::now();
        let target = target(&self.view, self.size, self.pixels_per_point);
        let frame = self.stage.frame(input, seconds, &target);
        assert_eq!(frame.fault, None);
        self.stage.gpu().wait().expect("a device that is well");
    }

    fn until(&mut self, what: &str, done: impl Fn(&Stage) -> bool) {
        let begin = Instant::now();
        for frames in 0.. {
            if done(&self.stage) {
                return;
            }
            // Beside other work scenes are read more slowly than frames are drawn.
            if frames > PATIENCE && begin.elapsed() > LONG {
                break;
            }
            self.frame(Vec::new());
        }
        panic!("{what} did not come: {:?}", self.stage.desk().trouble);
    }

    fn key(&mut self, key: Key) {
        self.key_with(Modifiers::NONE, key);
    }

    fn key_with(&mut self, modifiers: Modifiers, key: Key) {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.frame(vec![event(true), event(false)]);
    }

    fn click(&mut self, place: Pos2) {
        self.frame(vec![Event::PointerMoved(place)]);
        self.frame(vec![button(place, true)]);
        self.frame(vec![button(place, false)]);
    }

    /// Makes exactly so many steps from the beginning, however slow the machine.
    fn step_from_the_beginning(&mut self, frames: u64) {
        self.reset();
        self.step(frames);
    }

    /// Makes exactly so many steps more: playing, the device runs ahead of what is seen.
    fn step(&mut self, frames: u64) {
        let last = seen_frame(&self.stage) + frames;
        (0..frames).for_each(|_| self.key(Key::Period));
        self.until("the last step", |stage| seen_frame(stage) == last);
    }

    /// Runs until the device has done and told so many frames of the scene, or more.
    fn play(&mut self, frames: u64) {
        self.stage.desk_mut().playing = true;
        self.until("that frame", |stage| seen_frame(stage) >= frames);
        self.stage.desk_mut().playing = false;
    }
}

/// Places of the picture, some of which are on what is shown in the middle.
fn places() -> impl Iterator<Item = Pos2> {
    let places = (0..12).flat_map(|row| (0..12).map(move |column| (column, row)));
    places.map(|(column, row)| Pos2::new(120.0 + 30.0 * column as f32, 150.0 + 16.0 * row as f32))
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn pixels(size: [u32; 2], pixels_per_point: f32) -> [u32; 2] {
    size.map(|points| (points as f32 * pixels_per_point).ceil() as u32)
}

fn target(view: &wgpu::TextureView, size: [u32; 2], pixels_per_point: f32) -> Target<'_> {
    Target { view, size: pixels(size, pixels_per_point), pixels_per_point }
}

fn texture(stage: &Stage, [width, height]: [u32; 2]) -> wgpu::Texture {
    stage.gpu().device.create_texture(&wgpu::TextureDescriptor {
        label: Some("window"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// The frame of each simulation that was last seen.
fn seen_frames(stage: &Stage) -> impl Iterator<Item = u64> {
    stage.simulations().map(|simulation| simulation.observation().map_or(0, |seen| seen.state.frame))
}

/// The frame of the scene that was last seen, of the simulation that is farthest behind.
fn seen_frame(stage: &Stage) -> u64 {
    seen_frames(stage).min().unwrap_or(0)
}

fn positions(stage: &Stage, index: usize) -> Vec<[f64; 3]> {
    let simulation = stage.simulations().nth(index).expect("a simulation");
    simulation.observation().expect("something seen").state.positions.clone()
}

fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let distance = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    a.iter().zip(b).map(distance).fold(0.0, f64::max)
}

/// Space plays and pauses, a full stop makes one step, and R goes back to the very beginning.
#[test]
fn keys_play_step_and_reset() {
    WAYS.into_iter().for_each(play_step_and_reset);
}

fn play_step_and_reset(way: Way) {
    let mut theatre = Theatre::solved("chain", way);
    let beginning = positions(&theatre.stage, 0);
    theatre.key(Key::Space);
    assert!(theatre.stage.desk().playing);
    theatre.until("some frames", |stage| seen_frame(stage) >= 5);
    theatre.key(Key::Space);
    assert!(!theatre.stage.desk().playing);
    theatre.reset();
    assert_eq!(positions(&theatre.stage, 0), beginning);
    theatre.key(Key::Period);
    theatre.until("one step", |stage| seen_frame(stage) == 1);
    // Some frames later it is still one step.
    (0..10).for_each(|_| theatre.frame(Vec::new()));
    assert_eq!(seen_frame(&theatre.stage), 1);
}

/// A scene plays as soon as it is there; another one, opened while the first is paused, does too.
#[test]
fn scenes_play_at_once() {
    let mut theatre = Theatre::new(Way::Cpu);
    for scene in ["chain", "swing"] {
        theatre.stage.open(scene);
        theatre.stage.desk_mut().playing = false;
        theatre.until("the scene", |stage| stage.desk().playing && seen_frame(stage) >= 3);
        theatre.key(Key::Space);
        assert!(!theatre.stage.desk().playing);
    }
}

/// What was seen is gone back to step by step or at once, in both panes of a comparison, and stepped on through;
/// nothing of it is lost by looking.
#[test]
fn time_is_gone_back_to() {
    WAYS.into_iter().for_each(go_back);
}

fn go_back(way: Way) {
    let mut theatre = Theatre::solved("compare", way);
    let mut seen = vec![[0, 1].map(|pane| positions(&theatre.stage, pane))];
    for frame in 1..=6 {
        theatre.key(Key::ArrowRight);
        theatre.until("the next step", |stage| seen_frame(stage) == frame);
        seen.push([0, 1].map(|pane| positions(&theatre.stage, pane)));
    }
    let mut go = |key: Key, frame: u64| {
        theatre.key(key);
        theatre.until("the moment", |stage| seen_frames(stage).all(|seen| seen == frame));
        let [left, right] = [0, 1].map(|pane| positions(&theatre.stage, pane));
        assert!([left, right] == seen[frame as usize], "{way:?}, frame {frame}");
        let kept = theatre.stage.kept().expect("what is kept");
        assert_eq!((kept.frames, kept.now), ([0, 6], frame));
    };
    go(Key::ArrowLeft, 5);
    go(Key::ArrowLeft, 4);
    go(Key::Home, 0);
    go(Key::ArrowLeft, 0);
    go(Key::ArrowRight, 1);
    go(Key::Period, 2);
}

/// Who goes on from an earlier moment sees the same bits again, and what came after is forgotten.
#[test]
fn time_goes_on_with_the_same_bits() {
    WAYS.into_iter().for_each(go_on);
}

fn go_on(way: Way) {
    // Falls, touches, breaks nothing: contacts and friction go on, too.
    let mut theatre = Theatre::solved("bouncing_balls", way);
    theatre.step_from_the_beginning(30);
    let first = positions(&theatre.stage, 0);
    (0..20).for_each(|_| theatre.key(Key::ArrowLeft));
    theatre.until("an earlier moment", |stage| seen_frame(stage) == 10);
    assert!(positions(&theatre.stage, 0) != first);
    // A change forgets what came after, and so does its end.
    for gravity in [-20.0, -9.81] {
        theatre.stage.desk_mut().tunings[0].gravity[1] = gravity;
        theatre.frame(Vec::new());
        assert_eq!(theatre.stage.kept().expect("what is kept").frames, [0, 10]);
    }
    for frame in 11..=30 {
        theatre.key(Key::Period);
        assert_eq!(theatre.stage.kept().expect("what is kept").frames, [0, frame]);
    }
    theatre.until("the last step again", |stage| seen_frame(stage) == 30);
    let again = positions(&theatre.stage, 0);
    assert!(again == first, "{way:?}: {} m apart", farthest(&again, &first));
}

/// A particle that is dragged with the left button follows the pointer, and falls back when it is let go.
#[test]
fn mouse_drags_a_particle() {
    WAYS.into_iter().for_each(drag_a_particle);
}

fn drag_a_particle(way: Way) {
    let mut theatre = Theatre::with_cloth(way);
    // The first place where pressing takes hold of the cloth, which starts the simulation.
    let held = places().find(|&place| {
        theatre.frame(vec![Event::PointerMoved(place), button(place, true)]);
        theatre.frame(vec![Event::PointerMoved(place + Vec2::new(0.0, -10.0))]);
        let held = theatre.stage.desk().playing;
        if !held {
            theatre.frame(vec![button(place, false)]);
        }
        held
    });
    let held = held.expect("a place on the cloth");
    let before = positions(&theatre.stage, 0);
    theatre.frame(vec![Event::PointerMoved(held + Vec2::new(0.0, -60.0))]);
    let frame = seen_frame(&theatre.stage);
    theatre.until("a third of a second", |stage| seen_frame(stage) > frame + 20);
    // Without the mouse everything would have fallen: nothing would be higher than the pins.
    let highest = |positions: &[[f64; 3]]| positions.iter().map(|x| x[1]).fold(f64::MIN, f64::max);
    assert!(highest(&positions(&theatre.stage, 0)) > highest(&before) + 0.02);
    assert!(theatre.stage.desk().has_dragged, "the hint stays");
    theatre.frame(vec![button(held, false)]);
    theatre.until("its fall", |stage| highest(&positions(stage, 0)) < highest(&before) + 0.02);
}

/// Where particles are after each of so many steps from the beginning.
fn way_of(theatre: &mut Theatre, frames: u64) -> Vec<Vec<[f64; 3]>> {
    theatre.reset();
    let mut seen = vec![positions(&theatre.stage, 0)];
    for frame in 1..=frames {
        theatre.key(Key::Period);
        theatre.until("the next step", |stage| seen_frame(stage) == frame);
        seen.push(positions(&theatre.stage, 0));
    }
    theatre.reset();
    seen
}

/// Goes back to before the last use of a tool, which pauses, and makes steps from there: they are as if it had never
/// been used.
fn undo(theatre: &mut Theatre, seen: &[Vec<[f64; 3]>]) {
    theatre.key_with(Modifiers::COMMAND, Key::Z);
    theatre.until("the beginning again", |stage| seen_frame(stage) == 0);
    assert!(!theatre.stage.desk().playing);
    let last = seen.len() as u64 - 1;
    (0..last).for_each(|_| theatre.key(Key::Period));
    theatre.until("the last step again", |stage| seen_frame(stage) == last);
    let apart = farthest(&positions(&theatre.stage, 0)[..seen[0].len()], &seen[last as usize]);
    assert!(apart < 1e-6, "{apart} m");
}

/// A particle that is pinned stays where it is while the rest falls, under levels, too; another click lets it go, and
/// what the scene itself holds stays held.
#[test]
fn pins_hold_particles() {
    WAYS.into_iter().for_each(|way| pin_a_particle(false, way));
    pin_a_particle(true, Way::Cpu);
}

fn pin_a_particle(nested: bool, way: Way) {
    let mut theatre = Theatre::with_cloth(way);
    theatre.stage.desk_mut().tunings[0].settings.nested = Some(nested);
    theatre.key(Key::Num2);
    assert_eq!(theatre.stage.desk().tool, Tool::Pin);
    let before = positions(&theatre.stage, 0);
    let place = places().find(|&place| {
        theatre.click(place);
        theatre.stage.pinned().next().is_some()
    });
    let place = place.expect("a place on the cloth");
    let pinned = theatre.stage.pinned().next().expect("a particle");
    theatre.step(25);
    let after = positions(&theatre.stage, 0);
    let moved = farthest(&before[pinned..=pinned], &after[pinned..=pinned]);
    let farthest_moved = farthest(&before, &after);
    assert!(moved < 1e-3 && farthest_moved > 0.05, "{nested}, {way:?}: {moved} m of {farthest_moved} m");
    theatre.click(place);
    assert_eq!(theatre.stage.pinned().count(), 0);
    theatre.step(10);
    let now = positions(&theatre.stage, 0);
    assert!(farthest(&now[pinned..=pinned], &after[pinned..=pinned]) > 1e-3, "{nested}, {way:?}");
    // Back before the release, and before the pin.
    for held in [1, 0] {
        theatre.key_with(Modifiers::COMMAND, Key::Z);
        theatre.until("the moment", |stage| stage.pinned().count() == held);
    }
}

/// A ball that is thrown pushes the cloth; undone, the cloth moves as if nobody had thrown it. Another throw takes the
/// ball from wherever it is.
#[test]
fn balls_are_thrown() {
    WAYS.into_iter().for_each(throw_a_ball);
}

fn throw_a_ball(way: Way) {
    let mut theatre = Theatre::with_cloth(way);
    let seen = way_of(&mut theatre, 45);
    theatre.key(Key::Num4);
    let place = |stage: &Stage| stage.ball().expect("a ball");
    theatre.click(Pos2::new(300.0, 220.0));
    theatre.until("the ball", |stage| stage.ball().is_some());
    let start = place(&theatre.stage);
    theatre.until("its flight", |stage| seen_frame(stage) >= 20);
    let flown = farthest(&[start], &[place(&theatre.stage)]);
    assert!(flown > 0.5, "{flown} m");
    theatre.click(Pos2::new(300.0, 220.0));
    theatre.until("the ball again", |stage| farthest(&[start], &[place(stage)]) < 0.5 * flown);
    theatre.stage.desk_mut().playing = false;
    theatre.until("a look", |stage| stage.simulations().all(|one| !one.is_waiting()));
    let (frame, now) = (seen_frame(&theatre.stage), positions(&theatre.stage, 0));
    let pushed = farthest(&now, &seen[(frame as usize).min(seen.len() - 1)]);
    assert!(pushed > 0.05, "{way:?}: {pushed} m");
    assert_eq!(theatre.stage.desk().trouble, None);
    // The second throw, and the first.
    theatre.key_with(Modifiers::COMMAND, Key::Z);
    theatre.until("the moment", |stage| stage.ball().is_some() && seen_frame(stage) < frame);
    undo(&mut theatre, &seen);
    assert_eq!(theatre.stage.ball(), None);
}

/// Blowing moves a cloth that knows no air in its scene, away from the eye, and the air is still when it ends.
#[test]
fn blowing_moves_the_cloth() {
    WAYS.into_iter().for_each(blow);
}

fn blow(way: Way) {
    let mut theatre = Theatre::with_cloth(way);
    let seen = way_of(&mut theatre, 20);
    theatre.key(Key::Num5);
    let place = Pos2::new(300.0, 220.0);
    theatre.frame(vec![Event::PointerMoved(place)]);
    theatre.frame(vec![button(place, true)]);
    theatre.until("wind", |stage| seen_frame(stage) >= 20);
    theatre.frame(vec![button(place, false)]);
    let frame = (seen_frame(&theatre.stage) as usize).min(20);
    let blown = farthest(&positions(&theatre.stage, 0), &seen[frame]);
    assert!(blown > 0.01, "{way:?}: {blown} m");
    undo(&mut theatre, &seen);
}

/// A stroke across a cloth that cannot tear by its scene cuts it: what is below falls. Undone, it is whole. A rope is cut
/// as well.
#[test]
fn strokes_cut() {
    let across = [Pos2::new(150.0, 265.0), Pos2::new(450.0, 265.0)];
    WAYS.into_iter().for_each(|way| cut(CLOTH, way, across));
    cut("chain", Way::Cpu, [Pos2::new(330.0, 225.0), Pos2::new(430.0, 125.0)]);
}

fn cut(scene: &str, way: Way, [from, to]: [Pos2; 2]) {
    let mut theatre = Theatre::solved(scene, way);
    theatre.resize([600, 420]);
    let lowest = |stage: &Stage| positions(stage, 0).iter().map(|x| x[1]).fold(f64::MAX, f64::min);
    theatre.step_from_the_beginning(20);
    let whole = lowest(&theatre.stage);
    theatre.key(Key::Num3);
    theatre.frame(vec![Event::PointerMoved(from)]);
    theatre.frame(vec![button(from, true)]);
    for part in 1..=8 {
        theatre.frame(vec![Event::PointerMoved(from.lerp(to, part as f32 / 8.0))]);
    }
    theatre.frame(vec![button(to, false)]);
    theatre.until("the cut", |stage| seen_frame(stage) == 21);
    theatre.play(60);
    assert_eq!((&theatre.stage.desk().trouble, &theatre.stage.desk().notes[..]), (&None, &[][..]), "{scene}, {way:?}");
    let fallen = whole - lowest(&theatre.stage);
    assert!(fallen > 0.5, "{scene}, {way:?}: {fallen} m");
    theatre.key_with(Modifiers::COMMAND, Key::Z);
    theatre.until("the moment", |stage| seen_frame(stage) == 20);
    assert!((lowest(&theatre.stage) - whole).abs() < 1e-6);
    let torn = |stage: &Stage| stage.simulations().any(|one| one.observation().is_some_and(|seen| seen.torn.is_some()));
    assert!(!torn(&theatre.stage), "{scene}, {way:?}");
}

/// Holding the button on a balloon inflates it, and going back lets the air out.
#[test]
fn balloons_are_inflated() {
    let mut theatre = Theatre::solved("balloon", Way::Cpu);
    // Large enough for the bars to leave room: the balloons lie in the lower half of the picture.
    theatre.resize([720, 560]);
    let scene = theatre.stage.desk().tunings[0].clone();
    theatre.key(Key::Num6);
    let rows = (0..12).flat_map(|row| (0..24).map(move |column| (column, row)));
    let mut places = rows.map(|(column, row)| Pos2::new(230.0 + 15.0 * column as f32, 300.0 + 15.0 * row as f32));
    let held = places.find(|&place| {
        theatre.frame(vec![Event::PointerMoved(place)]);
        theatre.frame(vec![button(place, true)]);
        theatre.frame(Vec::new());
        let held = theatre.stage.desk().playing;
        if !held {
            theatre.frame(vec![button(place, false)]);
        }
        held
    });
    assert!(held.is_some(), "a place on a balloon");
    theatre.until("air", |stage| stage.desk().tunings[0].materials != scene.materials && seen_frame(stage) > 2);
    theatre.frame(vec![button(held.unwrap(), false)]);
    theatre.key_with(Modifiers::COMMAND, Key::Z);
    theatre.until("the beginning", |stage| seen_frame(stage) == 0);
    assert_eq!(theatre.stage.desk().tunings[0].materials, scene.materials);
    let simulation = theatre.stage.simulations().next().expect("a simulation");
    assert_eq!(simulation.tuning().materials, scene.materials);
}

/// A solver that nobody looks at.
enum Alone {
    Device(Box<Solver>, Box<Gpu>),
    Cpu(Box<CpuSolver>),
}

impl Alone {
    fn new(model: &Model, plan: &Plan, way: Way) -> Self {
        match way {
            Way::Cpu => Self::Cpu(Box::new(CpuSolver::new(model, plan).expect("a solver"))),
            _ => {
                let gpu = Box::new(gpu());
                Self::Device(Box::new(Solver::sharing(&gpu.pipelines, model, plan).expect("a solver")), gpu)
            }
        }
    }

    fn change(&mut self, change: u32, plan: &Plan, tuning: &Tuning) {
        let settings = tuning.settings.clone();
        let materials = (0..).zip(tuning.materials.iter().copied());
        match self {
            Self::Device(solver, gpu) => match change {
                0..4 => {
                    let mut encoder = gpu.device.create_command_encoder(&Default::default());
                    solver.reconfigure(&mut encoder, plan, settings).expect("good settings");
                    gpu.submit_and_wait(encoder.finish()).expect("a device that is well");
                }
                4 => solver.set_damping(0, tuning.damping[0]).expect("good damping"),
                _ => materials.for_each(|(i, material)| solver.set_material(i, material).expect("a material")),
            },
            Self::Cpu(solver) => match change {
                0..4 => solver.reconfigure(plan, settings).expect("good settings"),
                4 => solver.set_damping(0, tuning.damping[0]).expect("good damping"),
                _ => materials.for_each(|(i, material)| solver.set_material(i, material).expect("a material")),
            },
        }
    }

    /// Where its particles are after so many steps more.
    fn after(&mut self, steps: u32) -> Vec<[f64; 3]> {
        match self {
            Self::Device(solver, gpu) => {
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                (0..steps).for_each(|_| solver.step(&mut encoder));
                let download = solver.download(&mut encoder);
                gpu.submit_and_wait(encoder.finish()).expect("a device that is well");
                download.state().expect("a state").positions
            }
            Self::Cpu(solver) => {
                (0..steps).for_each(|_| solver.step());
                solver.state().positions
            }
        }
    }
}

/// Every setting may change while the scene runs: it goes on from where it is, to the bit as a solver does that nobody looks at.
#[test]
fn settings_change_without_a_jerk() {
    WAYS.into_iter().for_each(change_settings);
}

fn change_settings(way: Way) {
    let mut theatre = Theatre::solved(CLOTH, way);
    theatre.step_from_the_beginning(5);
    let model = Scene::open(CLOTH).expect("a scene").build().expect("a model").model;
    let planned = |settings: &Settings| Plan::new(&Model { settings: settings.clone(), ..model.clone() });
    let mut alone = Alone::new(&model, &planned(&model.settings), way);
    alone.after(5);
    for change in 0..6 {
        let (before, frame) = (positions(&theatre.stage, 0), seen_frame(&theatre.stage));
        let tuning = &mut theatre.stage.desk_mut().tunings[0];
        match change {
            0 => tuning.settings.substeps += 7,
            1 => tuning.settings.iterations = 3,
            2 => tuning.settings.method = Method::Jacobi,
            3 => tuning.settings.mode = Mode::Pbd,
            4 => tuning.damping[0] = 5.0,
            _ => tuning.materials.iter_mut().for_each(|material| material.compliance *= 10.0),
        }
        alone.change(change, &planned(&tuning.settings), tuning);
        (0..2).for_each(|_| theatre.key(Key::Period));
        theatre.until("the last step", |stage| seen_frame(stage) == frame + 2);
        assert_eq!(theatre.stage.desk().trouble, None);

        let expected = alone.after(2);
        let after = positions(&theatre.stage, 0);
        assert!(after == expected, "{way:?}, change {change}: {} m apart", farthest(&after, &expected));
        // A cloth of a metre that swings from the horizontal is no faster than 5 m/s.
        let jump = farthest(&before, &after);
        assert!(jump < 5.0 * 2.0 / 60.0, "{way:?}, change {change}: {jump} m");
    }
}

/// A fault in a saved file is shown with line and column while the old scene runs on, and goes when it is put right.
#[test]
fn faults_are_shown_and_files_are_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.toml");
    let text = pliant::scene::GALLERY.iter().find(|(name, _)| *name == "chain").expect("the chain").1;
    let write = |path: &Path, text: &str| std::fs::write(path, text).expect("a file");
    write(&path, text);
    let mut theatre = Theatre::of(path.to_str().expect("a path"));
    theatre.play(3);
    write(&path, &text.replace("substeps = 50", "substeps = 0.5"));
    theatre.stage.desk_mut().playing = true;
    let told = |stage: &Stage| stage.desk().trouble.clone();
    while told(&theatre.stage).is_none() {
        theatre.frame(Vec::new());
    }
    let trouble = told(&theatre.stage).expect("a fault");
    let line = 1 + text.lines().position(|line| line.starts_with("substeps")).expect("its line");
    assert!(trouble.place.ends_with(&format!("scene.toml, line {line}, column 12")), "{trouble:?}");
    let frame = seen_frame(&theatre.stage);
    theatre.until("the old scene", |stage| seen_frame(stage) > frame);
    write(&path, &text.replace("substeps = 50", "substeps = 20"));
    // The file is looked at a few times a second.
    for _ in 0..PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
        theatre.frame(Vec::new());
        if told(&theatre.stage).is_none() {
            break;
        }
    }
    assert_eq!(told(&theatre.stage), None);
    assert_eq!(theatre.stage.desk().tunings[0].settings.substeps, 20);
}

/// Side by side on the same scene: more iterations stiffen PBD and leave XPBD as it is.
#[test]
fn compare_shows_what_iterations_do() {
    WAYS.into_iter().for_each(compare_iterations);
}

fn compare_iterations(way: Way) {
    let mut theatre = Theatre::solved("compare", way);
    let sags = |theatre: &mut Theatre, iterations: u32| -> Vec<f64> {
        theatre.stage.desk_mut().tunings.iter_mut().for_each(|tuning| tuning.settings.iterations = iterations);
        // The fall of the first quarter of a second: hardly any of it is taken back yet by what is soft.
        theatre.step_from_the_beginning(15);
        theatre.stage.simulations().map(|simulation| simulation.sag().expect("a sag")).collect()
    };
    let (one, many) = (sags(&mut theatre, 1), sags(&mut theatre, 12));
    assert_eq!((one.len(), many.len()), (2, 2));
    // Left is XPBD. A single iteration acts as if the compliance were 2 % larger: so does the sag, and its swing is 1 % slower.
    assert!((many[0] / one[0] - 1.0).abs() < 0.02, "{one:?} {many:?}");
    // A stiffness does not know that a pinned particle has no inverse mass: in PBD the first row, which adds a sixth of the
    // sag, is twice as stiff.
    assert!((one[1] / one[0] - 1.0).abs() < 0.15, "{one:?}");
    assert!(many[1] < 0.5 * one[1], "{one:?} {many:?}");
}

/// What presses is shown as soon as that is asked for, also of a scene that stands still: of three blocks of a kilogram each, on four corners,
/// at 20 degrees, the plane bears the weight along its normal.
#[test]
fn contacts_are_shown() {
    WAYS.into_iter().for_each(show_contacts);
}

fn show_contacts(way: Way) {
    let mut theatre = Theatre::solved("incline", way);
    theatre.play(10);
    assert!(theatre.stage.simulations().all(|simulation| simulation.observation().unwrap().contacts.is_none()));
    theatre.stage.desk_mut().contacts = true;
    let seen = |stage: &Stage| stage.simulations().next().and_then(|one| one.observation()?.contacts.clone());
    theatre.until("contacts", |stage| seen(stage).is_some());
    let contacts = seen(&theatre.stage).unwrap();
    let sum: f64 = contacts.iter().map(|contact| contact.force).sum();
    let weight = 3.0 * 9.81 * 20_f64.to_radians().cos();
    assert!((sum / weight - 1.0).abs() < 0.1, "{} contacts bear {sum} N of {weight} N", contacts.len());
}

/// Beside a scene with levels stands the same without.
#[test]
fn compare_shows_what_levels_do() {
    WAYS.into_iter().for_each(compare_levels);
}

fn compare_levels(way: Way) {
    let mut theatre = Theatre::solved("curtain", way);
    theatre.stage.desk_mut().comparing = true;
    theatre.play(2);
    let nested: Vec<bool> =
        theatre.stage.simulations().map(|simulation| simulation.tuning().settings.nested.unwrap()).collect();
    assert_eq!(nested, [true, false]);
    if way != Way::Cpu {
        return;
    }
    // What hangs without them stretches, here as by their twin.
    theatre.play(40);
    let hem = |index: usize| positions(&theatre.stage, index).iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
    let [with, without] = [hem(0), hem(1)];
    assert!(with - without > 0.02, "the hem is at {with} m with levels and at {without} m without");
}

/// A window of one pixel, and a large one after it, are drawn like any other.
#[test]
fn any_size_is_drawn() {
    let mut theatre = Theatre::of("chain");
    (theatre.stage.desk_mut().controls_open, theatre.stage.desk_mut().numbers_open) = (true, true);
    theatre.pixels_per_point = 1.0;
    for size in [[1, 1], [3, 700], [900, 2], SIZE] {
        theatre.resize(size);
        theatre.play(1);
        (0..3).for_each(|_| theatre.frame(Vec::new()));
    }
    assert_eq!(theatre.stage.desk().trouble, None);
}

/// On another device in place of a lost one the scene begins anew with the user's settings, and says so.
#[test]
fn lost_device_is_replaced() {
    WAYS.into_iter().for_each(replace_a_lost_device);
}

fn replace_a_lost_device(way: Way) {
    let mut theatre = Theatre::solved(CLOTH, way);
    theatre.stage.desk_mut().comparing = true;
    theatre.play(1);
    theatre.stage.desk_mut().tunings[0].settings.substeps = 9;
    theatre.play(3);
    theatre.stage.desk_mut().playing = true;
    theatre.stage.gpu().device.destroy();
    let target = target(&theatre.view, theatre.size, theatre.pixels_per_point);
    for _ in 0..3 {
        let frame = theatre.stage.frame(RawInput::default(), 0.02, &target);
        assert!(matches!(frame.fault, Some(Fault::Lost(_))), "{:?}", frame.fault);
    }
    theatre.stage.restart(gpu(), FORMAT);
    theatre.resize(SIZE);
    assert!(theatre.stage.desk().notes.iter().any(|note| note.contains("lost")));
    theatre.play(2);
    assert_eq!(theatre.stage.simulations().count(), 2);
    assert_eq!(theatre.stage.simulations().next().map(|s| s.tuning().settings.substeps), Some(9));
}

/// A software device draws what the CPU engine solves, unless it was asked for; a card solves itself, in clusters.
#[test]
fn software_devices_leave_solving_to_the_cpu() {
    let mut info = gpu().adapter.get_info();
    let way = |device: &str, info: &wgpu::AdapterInfo| Way::of(&device.parse().unwrap(), info);
    info.device_type = wgpu::DeviceType::Cpu;
    assert_eq!(["auto", "cpu", "gpu"].map(|device| way(device, &info)), [Way::Cpu, Way::Cpu, Way::Colours]);
    info.device_type = wgpu::DeviceType::DiscreteGpu;
    assert_eq!(["auto", "cpu", "gpu"].map(|device| way(device, &info)), [Way::Clusters, Way::Cpu, Way::Clusters]);
}
