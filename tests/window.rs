//! The real window, on a display of the test's own: started, clicked, dragged, squeezed, hidden and closed while it steps. It
//! needs Xvfb and xdotool, which `make test` installs.
#![cfg(all(target_os = "linux", feature = "viewer"))]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SIZE: [usize; 2] = [1280, 800];
/// A software device that draws beside other tests takes its time.
const PATIENCE: Duration = Duration::from_secs(90);

/// An X server that draws to a file.
struct Display {
    server: Child,
    name: String,
    folder: TempDir,
}

impl Display {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let screen = format!("{}x{}x24", SIZE[0], SIZE[1]);
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", &screen, "-fbdir"]).arg(folder.path());
        let mut server = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb: {error}; `make test` installs it and xdotool"));
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()), folder }
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

/// The cloth moves at once, a click stops it and another one moves it again, a drag is answered, and neither a window of one pixel, a hidden one nor one that is closed
/// while it steps makes an error.
#[test]
fn the_window_works() {
    let display = Display::open();
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["view", "hanging_cloth"])
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let window = wait("the window", || {
        let found = display.xdotool(&["search", "--onlyvisible", "--name", "Pliant"]);
        found.lines().next().map(str::to_string)
    });
    let xdotool = |arguments: &[&str]| display.xdotool(arguments);
    let [width, height] = SIZE.map(|side| side.to_string());
    xdotool(&["windowmove", &window, "0", "0"]);
    xdotool(&["windowsize", &window, &width, &height]);
    let scene = wait("the scene", || {
        let picture = display.pixels();
        let title = display.xdotool(&["getwindowname", &window]);
        let blank = picture.chunks(4).all(|pixel| pixel == &picture[..4]);
        (!blank && title.starts_with("Hanging cloth")).then_some(picture)
    });
    assert_eq!(scene.len(), 4 * SIZE[0] * SIZE[1]);

    wait("the cloth to move by itself", || (difference(&scene, &display.pixels()) > 0.01).then_some(()));
    // Paused, the picture settles.
    let still = || {
        let before = display.pixels();
        std::thread::sleep(Duration::from_millis(1500));
        let after = display.pixels();
        (difference(&before, &after) == 0.0).then_some(after)
    };
    xdotool(&["mousemove", "118", "18", "click", "1"]);
    let calm = wait("a picture that stands still after a click on Pause", still);
    xdotool(&["mousemove", "118", "18", "click", "1"]);
    wait("the cloth to move after a click on Play", || (difference(&calm, &display.pixels()) > 0.01).then_some(()));
    // While it plays any picture differs from the last.
    xdotool(&["mousemove", "118", "18", "click", "1"]);
    let paused = wait("a picture that stands still after another click", still);
    // Beside the cloth, which turns what is seen.
    xdotool(&["mousemove", "640", "740", "mousedown", "1"]);
    for place in [["700", "710"], ["760", "690"]] {
        // No hand is faster than a software device's picture.
        std::thread::sleep(Duration::from_millis(500));
        xdotool(&["mousemove", place[0], place[1]]);
    }
    std::thread::sleep(Duration::from_millis(500));
    xdotool(&["mouseup", "1"]);
    wait("an answer to the drag", || (difference(&paused, &display.pixels()) > 0.01).then_some(()));
    xdotool(&["mousemove", "118", "18", "click", "1"]);

    xdotool(&["windowsize", &window, "1", "1"]);
    std::thread::sleep(Duration::from_secs(1));
    xdotool(&["windowsize", &window, &width, &height]);
    xdotool(&["windowunmap", &window]);
    std::thread::sleep(Duration::from_secs(1));
    xdotool(&["windowmap", &window]);
    let shown = display.pixels();
    wait("a moving picture after hiding", || (difference(&shown, &display.pixels()) > 0.001).then_some(()));

    xdotool(&["windowclose", &window]);
    let status = wait("the end", || viewer.try_wait().unwrap());
    let mut message = String::new();
    std::io::Read::read_to_string(&mut viewer.stderr.take().unwrap(), &mut message).unwrap();
    assert!(status.success() && !message.contains("panicked"), "{status}: {message}");
}
