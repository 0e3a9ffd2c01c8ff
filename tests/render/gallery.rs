//! Two pictures as `pliant run --render` makes them, solved and drawn on the GPU, against those kept in `tests/golden`.

use std::path::Path;
use std::process::Command;

use super::golden;

/// Runs a scene of the gallery and compares the picture of its last frame. Both are written if they differ.
#[track_caller]
fn check(scene: &str, frames: u32) {
    let folder = tempfile::tempdir().unwrap();
    let mut pliant = Command::new(env!("CARGO_BIN_EXE_pliant"));
    pliant.args(["run", scene, "--render", "--size", "480x270", "--frames", &frames.to_string(), "--out"]);
    let output = pliant.arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let picture = image::open(folder.path().join(format!("frame_{frames:04}.png"))).unwrap().to_rgba8();
    golden::check(Path::new(env!("CARGO_MANIFEST_DIR")), scene, &picture).unwrap_or_else(|message| panic!("{message}"));
}

/// A cloth on a ball: surface, collider, ground, shadow and background, and the contacts that shape the cloth. At this
/// frame a picture solved in double precision differs by 0.2 of 255; later, folds grow from the last bit.
#[test]
fn draped_cloth() {
    check("draped_cloth", 12);
}

/// A cloth that swings down on two corners: how it moves, stretches, folds and is lit. At this frame a picture solved in
/// double precision differs by 0.01 of 255.
#[test]
fn hanging_cloth() {
    check("hanging_cloth", 24);
}
