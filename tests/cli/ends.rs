//! Runs that are ended or refused: by signals, by another run in their folder, by limits of the system.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::place::{CLOTH, Place, Ran, json, pliant, ran, run};

/// A cloth of which one frame takes minutes.
const LONG: &str = r#"
[solver]
substeps = 10000
iterations = 100
[[body]]
kind = "cloth"
mesh = { grid = { columns = 64, rows = 64, width = 1.0, height = 1.0 } }
pin = ["top"]
stretch_compliance = 1e-6
"#;

fn start(arguments: &[&str]) -> Child {
    pliant(arguments).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

fn wait_for(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no {} in a minute", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn end(child: Child) -> Ran {
    ran(child.wait_with_output().unwrap())
}

/// Ctrl-C ends a run after the frame in hand, with exit code 0 and the report of what was done.
#[test]
fn interrupt() {
    let place = Place::new(CLOTH);
    let (out, report) = (place.name("out"), place.path("out/report.json"));
    let child = start(&["run", &place.scene, "--frames", "1000000", "--out", &out, "--checkpoint-every", "1"]);
    // The first checkpoint shows that frames are under way.
    wait_for(&report);
    signal(&child, "-INT");
    let ran = end(child);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("interrupted"), "{}", ran.err);
    let report = json(&report);
    assert_eq!(report["interrupted"], true);
    assert!(!report["frames"].as_array().unwrap().is_empty());
    assert_eq!(place.files_in("out"), ["checkpoint.pliant", "report.json"]);
}

/// A frame that takes too long is given up: on every engine the run ends within two seconds, with exit code 0 and the
/// results of the frames before.
#[test]
fn a_frame_that_takes_too_long_is_given_up() {
    let place = Place::new(LONG);
    for device in ["cpu", "reference", "gpu"] {
        let out = place.name(device);
        let child =
            start(&["run", &place.scene, "--frames", "9", "--out", &out, "--export", "ply", "--device", device]);
        // The export of the start shows that the first frame comes next.
        wait_for(&place.path(device).join("frame_0000.ply"));
        std::thread::sleep(Duration::from_millis(100));
        signal(&child, "-TERM");
        let asked = Instant::now();
        let ran = end(child);
        // Two seconds, and one more for a loaded machine.
        assert!(asked.elapsed() < Duration::from_secs(3), "{device}: {:?}", asked.elapsed());
        assert_eq!(ran.code, 0, "{device}: {}", ran.err);
        assert!(ran.err.contains("took too long and was given up"), "{device}: {}", ran.err);
        let report = json(&place.path(device).join("report.json"));
        assert_eq!((&report["interrupted"], report["frames"].as_array().unwrap().len()), (&true.into(), 0), "{device}");
        assert_eq!(place.files_in(device), ["frame_0000.ply", "report.json"], "{device}");
    }
}

/// The second signal ends a run at once, and leaves no incomplete file.
#[test]
fn twice_is_at_once() {
    let place = Place::new(LONG);
    let out = place.name("out");
    let child = start(&["run", &place.scene, "--out", &out, "--export", "ply", "--render", "--device", "cpu"]);
    wait_for(&place.path("out/frame_0000.ply"));
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    assert_eq!(end(child).code, 130);
    assert_eq!(place.files_in("out"), ["frame_0000.ply"]);
}

/// A second run in a folder is refused, with the number of the first process. After that was killed, the next run takes
/// over and clears its temporary files.
#[test]
fn one_run_at_a_time_has_a_folder() {
    let place = Place::new(LONG);
    let out = place.name("out");
    let arguments = ["run", &place.scene, "--out", &out, "--export", "ply", "--device", "cpu"];
    let mut child = start(&arguments);
    wait_for(&place.path("out/frame_0000.ply"));
    let second = run(&arguments);
    assert_eq!(second.code, 2, "{}", second.err);
    let process = format!("another run (process {}) is writing to this folder", child.id());
    assert!(second.err.contains(&process) && second.err.contains("another folder"), "{}", second.err);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.files_in("out").iter().any(|name| name.ends_with(".tmp")));
    fs::write(&place.scene, CLOTH).unwrap();
    let next = run(&[&arguments[..], &["--frames", "1"]].concat());
    assert_eq!(next.code, 0, "{}", next.err);
    assert_eq!(place.files_in("out"), ["frame_0000.ply", "frame_0001.ply", "report.json"]);
}

/// A file beyond the system's size limit is an error with name, cause and remedy, and leaves nothing.
#[test]
fn a_file_that_is_too_large() {
    let place = Place::new(CLOTH);
    let report = place.name("report.json");
    let run = format!(
        "ulimit -f 8; exec {} run {} --frames 60 --device cpu --report {report}",
        env!("CARGO_BIN_EXE_pliant"),
        place.scene
    );
    let ran = ran(Command::new("sh").args(["-c", &run]).output().unwrap());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("report.json") && ran.err.contains("raise the limit"), "{}", ran.err);
    assert_eq!(place.files(), [] as [&str; 0]);
}
