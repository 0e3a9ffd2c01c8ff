//! The main job on real meshes, run by the command and the report checked: the bunny's shell, pinned by its ears and shaken, the bunny
//! as a balloon, and the torus, which falls on the ground and a sphere.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::files::{file, scene};

/// Runs a scene of a real mesh for so many frames and returns the report; `positions.csv` appears in the folder.
fn run(text: &str, frames: u32, folder: &Path) -> Value {
    let meshes = std::fs::canonicalize(file("")).unwrap();
    let scene = folder.join("scene.toml");
    std::fs::write(&scene, text.replace("file = \"", &format!("file = \"{}/", meshes.display()))).unwrap();
    let pliant = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        assert!(command.current_dir(folder).args(arguments).status().unwrap().success(), "{arguments:?}");
    };
    pliant(&["check", "scene.toml"]);
    let frames = frames.to_string();
    pliant(&["run", "scene.toml", "--frames", &frames, "--report", "report.json", "--positions", "positions.csv"]);
    serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap()
}

fn vector(value: &Value) -> [f64; 3] {
    std::array::from_fn(|i| value[i].as_f64().unwrap_or_else(|| panic!("{value} is no vector")))
}

/// A shaken bunny keeps its particles, its size and its senses: no flags, finite momentum, no edge stretched out of shape,
/// and it moves.
#[test]
fn bunny_is_sane() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&scene("bunny.toml"), 120, folder.path());
    check_bunny(&report);
    assert!(report["constraints"]["distance"].as_u64().unwrap() > 3 * report["particles"].as_u64().unwrap());
}

fn check_bunny(report: &Value) {
    let frames = report["frames"].as_array().unwrap();
    assert!(frames.len() >= 30);
    assert!(report["failure"].is_null() && report["interrupted"] == false);
    // The mesh has about 10,000 vertices; welding and dropping leave nearly all of them.
    let particles = report["particles"].as_u64().unwrap();
    assert!((4_000..20_000).contains(&particles), "{particles} particles");
    assert_eq!(
        report["bodies"].as_array().unwrap().iter().map(|body| body["count"].as_u64().unwrap()).sum::<u64>(),
        particles
    );

    for frame in frames {
        let number = &frame["frame"];
        assert_eq!(frame["flags"].as_array().unwrap().len(), 0, "frame {number}: {}", frame["flags"]);
        assert!(vector(&frame["momentum"]).iter().all(|p| p.is_finite()));
        // Twice its length is more than a shell of thin rubber bears; a solver that comes apart shows thousands.
        assert!(frame["max_stretch"].as_f64().unwrap() < 1.0, "frame {number}: max_stretch {}", frame["max_stretch"]);
        let (min, max) = (vector(&frame["min"]), vector(&frame["max"]));
        let diagonal = (0..3).map(|i| (max[i] - min[i]).powi(2)).sum::<f64>().sqrt();
        let first = (vector(&frames[0]["min"]), vector(&frames[0]["max"]));
        let placed = (0..3).map(|i| (first.1[i] - first.0[i]).powi(2)).sum::<f64>().sqrt();
        assert!(diagonal < 2.0 * placed, "frame {number}: {diagonal} m across, {placed} m at the beginning");
    }
    let moved = frames.iter().map(|frame| frame["max_speed"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(moved > 0.01, "nothing moves: {moved} m/s");
}

/// The bunny as a balloon is blown up by half, bounces on its feet, and has the volume that it should have to 0.1 %; blown up it is
/// under pressure.
#[test]
fn bunny_is_a_balloon() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&scene("bunny_balloon.toml"), 30, folder.path());
    let placed = pliant::mesh::read(file("bunny_10k.obj")).unwrap().mesh.signed_volume();
    let frames = report["frames"].as_array().unwrap();
    for frame in frames {
        assert_eq!(frame["flags"].as_array().unwrap().len(), 0, "{}", frame["flags"]);
        // It has no compliance: the residual is the error.
        let error = frame["residual"]["surface_volume"].as_f64().unwrap() / placed;
        assert!(error < 1e-3, "frame {}: off by {error}", frame["frame"]);
        // Its creases open to about twice their length; a solver that comes apart shows thousands.
        assert!(frame["max_stretch"].as_f64().unwrap() < 2.0, "frame {}: {}", frame["frame"], frame["max_stretch"]);
    }
    let [first, last] = [&frames[0], &frames[29]].map(|frame| frame["pressure_pa"]["bunny"].as_f64().unwrap());
    assert!(last > 10.0 * first.abs(), "{first} Pa and then {last} Pa");
}

/// So does a bunny whose bends are angles, and one whose bends are those of a thin plate: of rubber some 2 mm thick, 1/α about E t³/10.
#[test]
fn bunny_is_sane_with_every_bend() {
    let text = scene("bunny.toml");
    for kind in ["dihedral", "isometric_bend"] {
        let bend = format!("bend = {{ kind = \"{kind}\", compliance = 1e3 }}");
        let text = text.replace("bend = { kind = \"distance\", compliance = 1e-3 }", &bend);
        let folder = tempfile::tempdir().unwrap();
        let report = run(&text, 30, folder.path());
        check_bunny(&report);
        // Each inner edge bends once; the shell is closed but for its base.
        let [edges, bends] = ["distance", kind].map(|kind| report["constraints"][kind].as_u64().unwrap());
        assert!(bends <= edges && bends > edges * 9 / 10, "{bends} bends of {edges} edges");
    }
}

/// The torus falls past the ball and lies on the ground: after two seconds it is slow, it touches, and no particle is more than
/// its radius' tenth inside of either, which is what one sweep leaves when constraints pull after contacts pushed.
#[test]
fn torus_lands() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&scene("torus.toml"), 120, folder.path());
    let frames = report["frames"].as_array().unwrap();
    let (first, last) = (&frames[0], &frames[119]);
    assert!(frames.iter().all(|frame| frame["flags"].as_array().unwrap().is_empty()));
    assert!(vector(&first["centroid"])[1] - vector(&last["centroid"])[1] > 0.3, "{}", last["centroid"]);
    assert!(last["contacts"].as_u64().unwrap() > 10, "{}", last["contacts"]);
    assert!(last["max_speed"].as_f64().unwrap() < 0.5, "{} m/s", last["max_speed"]);

    let (radius, ball) = (0.005, [0.0, 0.12, 0.0]);
    let positions = std::fs::read_to_string(folder.path().join("positions.csv")).unwrap();
    for line in positions.lines().skip(1) {
        let row: Vec<f64> = line.split(',').skip(1).map(|value| value.parse().unwrap()).collect();
        assert!(row[1] > 0.9 * radius, "{line} is in the ground");
        let distance = (0..3).map(|i| (row[i] - ball[i]).powi(2)).sum::<f64>().sqrt();
        assert!(distance > 0.12 + 0.9 * radius, "{line} is in the ball");
    }
}
