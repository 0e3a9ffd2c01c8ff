//! `bench`: its JSON, its parts, its comparisons.

use serde_json::Value;
use std::path::Path;

use crate::place::{CLOTH, Place, json, run};

/// A made-up result of the standard cloth at some sizes: median ms (a quarter of the frames 10 % below and above), and bytes.
pub fn made_up(rows: &[(u64, f64, u64)]) -> String {
    let row = |&(n, ms, bytes): &(u64, f64, u64)| {
        serde_json::json!({"n": n, "particles": n * n, "constraints": 6 * n * n, "substeps": 10, "iterations": 1, "step_ms_median": ms,
            "step_ms_min": 0.5 * ms, "step_ms_lower_quartile": 0.9 * ms, "step_ms_upper_quartile": 1.1 * ms, "dispatches_per_frame": 132,
            "bytes_per_frame": bytes, "memory_bytes": 1000, "plan_ms": 1.0})
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    serde_json::json!({"adapter": "made up", "driver": "1", "version": "0", "commit": null, "scene": "W1", "sizes": rows}).to_string()
}

/// What may never end is refused before it is read: a pipe to which nobody writes, a device that gives zeros for ever.
#[cfg(unix)]
#[test]
fn bench_compares_files_only() {
    let place = Place::new(CLOTH);
    let pipe = place.name("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for endless in [&pipe, "/dev/zero"] {
        let ran = run(&["bench", "--compare", endless]);
        assert_eq!(ran.code, 2, "{endless}: {}", ran.err);
        let expected = format!("{endless}: this is a device or a pipe, which may never end; give the path of a file");
        assert!(ran.err.contains(&expected), "{}", ran.err);
    }
}

/// New over old, row by row: only of rows that both have, and with a word where the spread is larger than the difference.
#[test]
fn bench_compares_two_files() {
    let place = Place::new(CLOTH);
    let [old, new] = ["old.json", "new.json"].map(|name| place.name(name));
    std::fs::write(&old, made_up(&[(64, 8.0, 4000), (256, 100.0, 500), (512, 1.0, 1)])).unwrap();
    std::fs::write(&new, made_up(&[(256, 95.0, 500), (64, 2.0, 1000), (128, 1.0, 1)])).unwrap();
    let ran = run(&["bench", "--compare", &old, "--with", &new]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows: Vec<Vec<&str>> = ran
        .out
        .lines()
        .filter(|line| line.trim().starts_with("W1"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 2, "{}", ran.out);
    // n, old and new ms, then the ratios of median, best frame, dispatches, bytes, memory and planning.
    assert_eq!(rows[1][1..], ["64", "8.000", "2.000", "0.250", "0.250", "1.000", "0.250", "1.000", "1.000"]);
    assert_eq!(rows[0][1..10], ["256", "100.000", "95.000", "0.950", "0.950", "1.000", "1.000", "1.000", "1.000"]);
    assert!(rows[0][10..].join(" ").contains("no difference seen"), "{}", ran.out);
}

/// A scene is measured with each number of substeps; parts of a frame add up to it; a search that has no time says so.
#[test]
fn bench_in_parts() {
    let place = Place::new(CLOTH);
    let path = place.name("bench.json");
    let ran = run(&["bench", &place.scene, "--substeps", "2,3", "--frames", "3", "--profile", "--json", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let bench = json(Path::new(&path));
    let rows = bench["sizes"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["substeps"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3]);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", row[key]));
        assert_eq!(number("frames"), 3.0);
        let quartiles =
            ["min", "lower_quartile", "median", "upper_quartile", "max"].map(|of| number(&format!("step_ms_{of}")));
        assert!(quartiles.is_sorted(), "{quartiles:?}");
        assert_eq!(number("memory_bytes_per_particle") * number("particles"), number("memory_bytes"));
        assert!(
            (number("memory_bytes_per_constraint") * number("constraints") / number("memory_bytes") - 1.0).abs()
                < 1e-12
        );
        let parts = row["sections"].as_array().unwrap();
        let sum = |key: &str| parts.iter().map(|part| part[key].as_f64().unwrap()).sum::<f64>();
        assert_eq!(sum("dispatches"), number("dispatches_per_frame"));
        assert_eq!(sum("bytes"), number("bytes_per_frame"));
        assert!((sum("floor_ms") / number("floor_ms") - 1.0).abs() < 1e-9);
        for part in parts {
            assert!(ran.out.contains(part["name"].as_str().unwrap()), "{part}: {}", ran.out);
        }
    }
    let ran = run(&["bench", &place.scene, "--frames", "3", "--substeps", "3", "--compare", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("new / old"), "{}", ran.out);

    let ran = run(&[
        "bench",
        "--sizes",
        "64",
        "--blocks",
        "1",
        "--balls",
        "1",
        "--frames",
        "1",
        "--quality",
        "--patience",
        "1",
        "--json",
        &path,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let quality = json(Path::new(&path))["quality"].clone();
    let levels: Vec<bool> = quality.as_array().unwrap().iter().map(|row| row["nested"].as_bool().unwrap()).collect();
    assert_eq!(levels, [false, true]);
    for row in quality.as_array().unwrap() {
        // Each second a search runs it either finds something or says that it had no time.
        assert!(row["stopped"].as_bool().unwrap() || row["substeps"].is_u64(), "{row}");
    }
}

/// The CPU engine is measured with each number of threads, beside what so many copy and what a meeting costs them, and is compared by it.
#[test]
fn bench_on_the_cpu() {
    let place = Place::new(CLOTH);
    let path = place.name("bench.json");
    let cpu = ["bench", "--device", "cpu", "--threads", "1,2", "--sizes", "8", "--blocks", "1", "--frames", "3"];
    let ran = run(&[&cpu[..], &["--piles", "8", "--balls", "50", "--json", &path]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in ["1 thread: copies", "2 threads: copies", "a meeting takes", "lanes", "threads 2"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let bench = json(Path::new(&path));
    assert_eq!(bench["adapter"], "cpu");
    for rows in [&bench["sizes"], &bench["blocks"], &bench["piles"], &bench["balls"]] {
        let threads = rows.as_array().unwrap().iter().map(|row| row["threads"].as_u64().unwrap());
        assert_eq!(threads.collect::<Vec<_>>(), [1, 2]);
        for row in rows.as_array().unwrap() {
            for key in ["dispatches_per_frame", "bytes_per_frame", "share_of_copy_bandwidth", "memory_bytes"] {
                assert!(row[key].as_f64().unwrap() > 0.0, "{key}");
            }
        }
        // Threads change no bit.
        assert_eq!(rows[0]["max_stretch"], rows[1]["max_stretch"]);
    }
    let ran = run(&["bench", "--compare", &path, "--with", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = ran.out.lines().filter(|line| line.contains("thr.") && line.contains("1.000    1.000"));
    assert_eq!(rows.count(), 8, "{}", ran.out);
}

/// A benchmark's JSON holds every key of the contract, and its numbers fit together.
#[test]
fn bench_keeps_the_contract() {
    let place = Place::new(CLOTH);
    let path = place.name("bench.json");
    let ran = run(&["bench", "--sizes", "8,16", "--blocks", "2", "--balls", "60", "--json", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let bench = json(Path::new(&path));
    for key in ["adapter", "driver", "version"] {
        assert!(bench[key].is_string(), "{key}");
    }
    // Built from a checkout or not.
    assert!(bench.as_object().unwrap().contains_key("commit"), "{bench}");
    for key in ["copy_bandwidth_bytes_per_s", "empty_dispatch_us"] {
        assert!(bench[key].as_f64().unwrap() > 0.0, "{key}");
    }
    let sizes = bench["sizes"].as_array().unwrap();
    assert_eq!(sizes.iter().map(|size| size["n"].as_u64().unwrap()).collect::<Vec<_>>(), [8, 16]);
    for size in sizes {
        let number = |key: &str| size[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", size[key]));
        assert_eq!(number("particles"), number("n").powi(2));
        assert!(number("step_ms_min") <= number("step_ms_median") && number("step_ms_median") <= number("step_ms_max"));
        let expected = number("constraints") * 10.0 / (number("step_ms_median") / 1e3);
        assert!((number("projections_per_s") / expected - 1.0).abs() < 1e-9);
        for key in ["dispatches_per_frame", "bytes_per_frame", "share_of_copy_bandwidth", "memory_bytes"] {
            assert!(number(key) > 0.0, "{key}");
        }
    }
    // The block: five tetrahedra a cell, counted once a substep.
    let block = &bench["blocks"][0];
    let number = |key: &str| block[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", block[key]));
    assert_eq!((number("n"), number("particles"), number("constraints")), (2.0, 63.0, 120.0));
    assert!((number("tetrahedra_per_s") / (120.0 * 10.0 / (number("step_ms_median") / 1e3)) - 1.0).abs() < 1e-9);
    // The heap: balls, counted once a substep.
    let heap = &bench["balls"][0];
    let number = |key: &str| heap[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", heap[key]));
    assert_eq!((number("n"), number("particles"), number("constraints")), (60.0, 60.0, 0.0));
    assert!((number("balls_per_s") / (60.0 * 20.0 / (number("step_ms_median") / 1e3)) - 1.0).abs() < 1e-9);
    let ran = run(&["bench", &place.scene]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains("W2") && !ran.out.contains("W5"), "{}", ran.out);
    assert!(ran.out.contains("306"), "{}", ran.out);
}
