//! Runs that end early: blown up, interrupted, killed, refused, on a full disk.

use pliant::Plan;
use pliant::Reference;
use pliant::export::Exports;
use pliant::export::Format;
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::time::Duration;

use super::place::{CLOTH_PARTICLES, Place, SCENE, ended};
use super::readers::read_pc2;

/// A mass on a string that a force, from 0.1 s on, pulls apart without measure.
pub const BLOW_UP: &str = include_str!("../../scenes/blow_up.toml");

fn frames_reported(place: &Place) -> usize {
    let report: Value = serde_json::from_slice(&fs::read(place.out.join("report.json")).unwrap()).unwrap();
    report["frames"].as_array().unwrap().len()
}

/// A run that blows up leaves its good frames, and a point cache whose header tells how many they are.
#[test]
fn blow_up_leaves_the_good_frames() {
    let place = Place::new(BLOW_UP);
    let (code, message) = place.run(60, &["--export", "pc2,ply"]);
    assert_eq!(code, 4, "{message}");
    // The report has the bad frame, the cache the start.
    let frames = frames_reported(&place);
    assert!(frames < 60);
    let cache = read_pc2(&place.out.join("mass.pc2"));
    assert_eq!(cache.samples.len(), frames);
    assert!(cache.samples.concat().concat().iter().all(|value| value.is_finite()));
    assert_eq!(place.files().iter().filter(|name| name.ends_with(".ply")).count(), frames);
}

/// Waits until a run has come to a frame, by the size of the first body's point cache.
#[cfg(unix)]
fn wait_for_frame(place: &Place, frame: u64) {
    let part = place.out.join("cloth.pc2.part");
    let bytes = 32 + (frame + 1) * 12 * CLOTH_PARTICLES as u64;
    while fs::metadata(&part).map_or(0, |metadata| metadata.len()) < bytes {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
fn signal(signal: &str, process: u32) {
    assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
}

/// Ctrl-C leaves complete files under their names.
#[cfg(unix)]
#[test]
fn interrupted_run_is_complete() {
    let place = Place::new(SCENE);
    let child = place.command(1_000_000, &["--export", "pc2"]).spawn().unwrap();
    wait_for_frame(&place, 2);
    signal("-INT", child.id());
    let (code, message) = ended(child.wait_with_output().unwrap());
    assert_eq!(code, 0, "{message}");
    assert_eq!(read_pc2(&place.out.join("cloth.pc2")).samples.len(), frames_reported(&place) + 1);
    assert_eq!(place.files(), ["a_chain.obj", "a_chain.pc2", "cloth.obj", "cloth.pc2", "report.json"]);
}

/// A run that is killed leaves a part that can be gone on with: the result has the bytes of an unbroken run.
#[cfg(unix)]
#[test]
fn killed_run_goes_on() {
    let (unbroken, killed) = (Place::new(SCENE), Place::new(SCENE));
    assert_eq!(unbroken.run(6, &["--export", "pc2"]).0, 0);
    let mut child = killed.command(1_000_000, &["--export", "pc2"]).spawn().unwrap();
    // Of frame 5 the other body's part may not be there yet.
    wait_for_frame(&killed, 5);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!killed.out.join("cloth.pc2").exists());

    let model = killed.model();
    let mut reference = Reference::new(&model, &Plan::new(&model));
    (0..4).for_each(|_| reference.step());
    let mut exports = Exports::resume(&[Format::Pc2], &killed.out, &model, &reference.state()).unwrap();
    for _ in 5..=6 {
        reference.step();
        exports.frame(&reference.state()).unwrap();
    }
    exports.finish().unwrap();
    for name in ["cloth.pc2", "a_chain.pc2"] {
        assert!(fs::read(unbroken.out.join(name)).unwrap() == fs::read(killed.out.join(name)).unwrap(), "{name}");
        assert!(!killed.out.join(format!("{name}.part")).exists());
    }
}

/// Folders and files that cannot be written, and formats that there are not, are told by name with exit code 2, and leave
/// no half file.
#[test]
fn faults_are_told() {
    let place = Place::new(SCENE);
    let (code, message) = place.run(1, &["--export", "stl"]);
    assert_eq!(code, 2);
    assert!(message.contains("stl") && message.contains("ply, obj, pc2"), "{message}");
    assert!(!place.out.exists());
    for (taken, format) in
        [("frame_0000.ply", "ply"), ("frame_0000.obj", "obj"), ("cloth.pc2", "pc2"), ("a_chain.obj", "pc2")]
    {
        let place = Place::new(SCENE);
        fs::create_dir_all(place.out.join(taken)).unwrap();
        let (code, message) = place.run(1, &["--export", format]);
        assert_eq!(code, 2, "{message}");
        assert!(message.contains(taken) && message.contains("give the name of a file"), "{message}");
        assert!(place.files().iter().all(|name| name == taken || name == "report.json" || name == "cloth.obj"));
    }
}

/// A disk that fills up while frames are written ends the run with exit code 2, the file's name and a remedy. The point
/// cache keeps the samples that it holds whole.
#[cfg(unix)]
#[test]
fn full_disk() {
    let place = Place::new(SCENE);
    let (code, message) = run_on_small_disk(&place, "pc2");
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("cloth.pc2") && message.contains("free some space"), "{message}");
    let whole = (SMALL_DISK_BYTES - 32) / (12 * CLOTH_PARTICLES);
    for name in ["cloth.pc2", "a_chain.pc2"] {
        assert_eq!(read_pc2(&place.out.join(name)).samples.len(), whole);
    }
    let large = Place::new(&SCENE.replace("columns = 5, rows = 4", "columns = 50, rows = 4"));
    let (code, message) = run_on_small_disk(&large, "ply");
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("frame_0000.ply") && message.contains("free some space"), "{message}");
    assert_eq!(large.files(), [] as [&str; 0]);
}

#[cfg(unix)]
const SMALL_DISK_BYTES: usize = 4 * 512;

/// A run whose files may have 4 blocks of 512 bytes each. To write more is an error, where the signal for it is not heard.
#[cfg(unix)]
fn run_on_small_disk(place: &Place, format: &str) -> (i32, String) {
    let run = place.command(60, &["--export", format, "--report", "/dev/null"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh"]).arg(run.get_program()).args(run.get_args());
    ended(shell.output().unwrap())
}
