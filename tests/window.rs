//! The real window, on a display of the test's own: started, clicked, dragged, squeezed, hidden and closed while it steps. It
//! needs Xvfb and xdotool, which `make test` installs.
#![cfg(all(target_os = "linux", feature = "viewer"))]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SIZE: [usize; 2] = [1280, 800];
/// Where buttons are, and the field for a path in the panel of scenes.
const SCENES: [&str; 2] = ["36", "18"];
const PLAY: [&str; 2] = ["208", "18"];
const PATH: [&str; 2] = ["200", "88"];
/// A software device that draws beside other work takes its time.
const PATIENCE: Duration = Duration::from_secs(300);

/// Two windows at once take a software device four times as long as one after the other.
static ALONE: Mutex<()> = Mutex::new(());

/// An X server that draws to a file.
struct Display {
    _alone: MutexGuard<'static, ()>,
    server: Child,
    name: String,
    folder: TempDir,
}

impl Display {
    fn open() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let screen = format!("{}x{}x24", SIZE[0], SIZE[1]);
        let mut command = Command::new("Xvfb");
        // Without -noreset the server begins anew when its last client leaves, as xdotool does after each question, and
        // refuses whoever comes meanwhile: 35 of 600 connections were, beside one that asked all the time.
        command.args(["-noreset", "-displayfd", "1", "-screen", "0", &screen, "-fbdir"]).arg(folder.path());
        let mut server = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb: {error}; `make test` installs it and xdotool"));
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { _alone: alone, server, name: format!(":{}", number.trim()), folder }
    }

    /// The screen's pixels, blue, green, red and nothing, out of the server's XWD file.
    fn pixels(&self) -> Vec<u8> {
        let path: PathBuf = self.folder.path().join("Xvfb_screen0");
        let bytes = std::fs::read(path).unwrap();
        let number = |at: usize| u32::from_be_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap()) as usize;
        // Size of the header, bytes of a row, colours in the table between.
        let (header, row, colours) = (number(0), number(12), number(19));
        assert_eq!(row, 4 * SIZE[0]);
        bytes[header + 12 * colours..][..row * SIZE[1]].to_vec()
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .unwrap_or_else(|error| panic!("xdotool: {error}; `make test` installs it"));
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

/// Waits for something, and fails with its name.
fn wait<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The share of pixels in the middle of the screen, where the scene is, that two pictures show differently.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let middle = |row: usize| 4 * (row * SIZE[0] + SIZE[0] * 3 / 10)..4 * (row * SIZE[0] + SIZE[0] * 7 / 10);
    let rows = || (100..SIZE[1] - 100).map(middle);
    let changed = rows().flat_map(|range| a[range.clone()].chunks(4).zip(b[range].chunks(4))).filter(|(a, b)| a != b);
    changed.count() as f64 / rows().map(|range| range.len() / 4).sum::<usize>() as f64
}

/// The command with its window on a display.
struct Viewer {
    process: Child,
    window: String,
}

impl Viewer {
    /// Waits until the window shows the scene whose name its title begins with.
    fn open(display: &Display, scene: &str, title: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_pliant"))
            .args(["view", scene])
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let window = wait("the window", || {
            if let Ok(Some(status)) = process.try_wait() {
                let mut message = String::new();
                std::io::Read::read_to_string(&mut process.stderr.take().unwrap(), &mut message).unwrap();
                panic!("the viewer ended: {status}: {message}");
            }
            let found = display.xdotool(&["search", "--onlyvisible", "--name", "Pliant"]);
            found.lines().next().map(str::to_string)
        });
        let [width, height] = SIZE.map(|side| side.to_string());
        display.xdotool(&["windowmove", &window, "0", "0"]);
        display.xdotool(&["windowsize", &window, &width, &height]);
        // No window manager gives the keys to a window.
        display.xdotool(&["windowfocus", &window]);
        let viewer = Self { process, window };
        wait("the scene", || viewer.shows(display, title).then_some(()));
        viewer
    }

    fn shows(&self, display: &Display, title: &str) -> bool {
        let picture = display.pixels();
        let blank = picture.chunks(4).all(|pixel| pixel == &picture[..4]);
        !blank && display.xdotool(&["getwindowname", &self.window]).starts_with(title)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// No hand is faster than a software device's picture: what is typed in the frame in which the cursor comes or goes is lost.
fn pause() {
    std::thread::sleep(Duration::from_secs(1));
}

/// A picture that stands still, if it does.
fn still(display: &Display) -> Option<Vec<u8>> {
    let before = display.pixels();
    std::thread::sleep(Duration::from_millis(1500));
    let after = display.pixels();
    (difference(&before, &after) == 0.0).then_some(after)
}

/// The path of a scene is clicked and typed. Its letters are keys that reset, frame, step, film and shoot elsewhere:
/// here the scene stays as it is, until Enter opens the other.
#[test]
fn paths_are_typed() {
    let display = Display::open();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raft.for.vs.toml");
    let other =
        "name = \"Typed\"\n[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [0.1, 0, 0]]\nradius = 0.05\n";
    std::fs::write(&path, other).unwrap();
    let viewer = Viewer::open(&display, "hanging_cloth", "Hanging cloth");
    let xdotool = |arguments: &[&str]| display.xdotool(arguments);
    // Beside the panel of scenes, and off what could say something.
    let away = || xdotool(&["mousemove", "1000", "790"]);
    let click_path = || {
        xdotool(&["mousemove", PATH[0], PATH[1], "click", "1"]);
        pause();
    };
    away();
    if still(&display).is_some() {
        xdotool(&["key", "space"]);
        let calm = display.pixels();
        wait("the cloth to move", || (difference(&calm, &display.pixels()) > 0.01).then_some(()));
    }
    xdotool(&["key", "space"]);
    let paused = wait("a picture that stands still", || still(&display));

    xdotool(&["mousemove", SCENES[0], SCENES[1], "click", "1"]);
    wait("the panel of scenes", || (difference(&paused, &display.pixels()) > 0.01).then_some(()));
    click_path();
    xdotool(&["type", "--delay", "60", path.to_str().unwrap()]);
    pause();
    xdotool(&["key", "Escape"]);
    away();
    let same = || still(&display).filter(|now| difference(&paused, now) == 0.0).map(drop);
    wait("the scene as it was, below the closed panel", same);
    assert!(viewer.shows(&display, "Hanging cloth"));

    xdotool(&["mousemove", SCENES[0], SCENES[1], "click", "1"]);
    wait("the panel of scenes", || (difference(&paused, &display.pixels()) > 0.01).then_some(()));
    click_path();
    xdotool(&["key", "Return"]);
    wait("the scene that was typed", || viewer.shows(&display, "Typed").then_some(()));
}

/// A click on Play moves the cloth, a drag is answered, and neither a window of one pixel, a hidden one nor one that is closed
/// while it steps makes an error.
#[test]
fn the_window_works() {
    let display = Display::open();
    let mut viewer = Viewer::open(&display, "hanging_cloth", "Hanging cloth");
    let window = viewer.window.clone();
    let xdotool = |arguments: &[&str]| display.xdotool(arguments);
    let [width, height] = SIZE.map(|side| side.to_string());
    let scene = display.pixels();
    assert_eq!(scene.len(), 4 * SIZE[0] * SIZE[1]);

    wait("the cloth to move by itself", || (difference(&scene, &display.pixels()) > 0.01).then_some(()));
    // Paused, the picture settles.
    xdotool(&["mousemove", PLAY[0], PLAY[1], "click", "1"]);
    let calm = wait("a picture that stays after a click on Pause", || still(&display));
    xdotool(&["mousemove", PLAY[0], PLAY[1], "click", "1"]);
    wait("the cloth to move after a click on Play", || (difference(&calm, &display.pixels()) > 0.01).then_some(()));
    // While it plays any picture differs from the last.
    xdotool(&["mousemove", PLAY[0], PLAY[1], "click", "1"]);
    let paused = wait("a picture that stands still after another click", || still(&display));
    // Beside the cloth, which turns what is seen. The hand goes on until it sees an answer: a press and a release within one
    // of a software device's pictures are a click.
    xdotool(&["mousemove", "640", "740", "mousedown", "1"]);
    let mut places = [["700", "710"], ["760", "690"]].into_iter().cycle();
    wait("an answer to the drag", || {
        let [x, y] = places.next()?;
        xdotool(&["mousemove", x, y]);
        std::thread::sleep(Duration::from_millis(500));
        (difference(&paused, &display.pixels()) > 0.01).then_some(())
    });
    xdotool(&["mouseup", "1"]);
    xdotool(&["mousemove", PLAY[0], PLAY[1], "click", "1"]);

    xdotool(&["windowsize", &window, "1", "1"]);
    std::thread::sleep(Duration::from_secs(1));
    xdotool(&["windowsize", &window, &width, &height]);
    xdotool(&["windowunmap", &window]);
    std::thread::sleep(Duration::from_secs(1));
    xdotool(&["windowmap", &window]);
    let shown = display.pixels();
    wait("a moving picture after hiding", || (difference(&shown, &display.pixels()) > 0.001).then_some(()));

    xdotool(&["windowclose", &window]);
    let status = wait("the end", || viewer.process.try_wait().unwrap());
    let mut message = String::new();
    std::io::Read::read_to_string(&mut viewer.process.stderr.take().unwrap(), &mut message).unwrap();
    assert!(status.success() && !message.contains("panicked"), "{status}: {message}");
}
