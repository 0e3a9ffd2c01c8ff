//! The main job on a real mesh: the bunny's shell, pinned by its ears and shaken, run by the command and its report checked.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The report named by `PLIANT_REPORT`, or that of a short run made here.
fn report() -> Value {
    let read = |path: &Path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    if let Some(path) = std::env::var_os("PLIANT_REPORT") {
        return read(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let status = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["run", "tests/scenes/bunny.toml", "--frames", "30", "--report"])
        .arg(&path)
        .status()
        .unwrap();
    assert!(status.success());
    read(&path)
}

fn vector(value: &Value) -> [f64; 3] {
    std::array::from_fn(|i| value[i].as_f64().unwrap_or_else(|| panic!("{value} is no vector")))
}

/// A shaken bunny keeps its particles, its size and its senses: no flags, finite momentum, no edge stretched out of shape,
/// and it moves.
#[test]
fn bunny_is_sane() {
    let report = report();
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
    assert!(report["constraints"]["distance"].as_u64().unwrap() > 3 * particles);

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
