//! What goes wrong: exit codes and messages.

use serde_json::Value;
use std::path::Path;

use crate::bench::made_up;
use crate::place::{CLOTH, Place, json, pliant, ran, run};

/// A mass on a string that a force, from 0.1 s on, pulls apart without measure.
const BLOW_UP: &str = include_str!("../scenes/blow_up.toml");

/// A fault of the input has exit code 2 and a message that names what is wrong, on the error output alone.
#[test]
fn faults_of_the_input() {
    let place = Place::new(CLOTH);
    let misspelt = Place::new(&CLOTH.replace("pin =", "pinn ="));
    let unwritable = if cfg!(target_os = "linux") { "/proc/report.json".to_string() } else { place.name("no\0name") };
    let through_file = format!("{}/out", place.scene);
    let [others, empty] = [(&[(64, 8.0, 4000)][..], "others.json"), (&[], "empty.json")].map(|(rows, name)| {
        std::fs::write(misspelt.path(name), made_up(rows)).unwrap();
        misspelt.name(name)
    });
    let [video, clip] = ["a.mp4", "a.avi"].map(|name| place.name(name));
    let (one, torn) = (place.name("one.csv"), misspelt.name("torn.toml"));
    let few = "[solver]\nmax_colours = 2\n".to_string() + &CLOTH.replace("pin =", "break_force = 10\npin =");
    std::fs::write(&torn, few).unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "hanging_clot"], &["hanging_cloth"]),
        (&["check", "hanging_clot"], &["hanging_cloth"]),
        (&["run", "missing.toml"], &["missing.toml"]),
        (&["run", &misspelt.scene], &["scene.toml:", "pinn", "pin"]),
        (&["check", &misspelt.scene], &["scene.toml:", "pinn", "pin"]),
        (&["run", &place.scene, "--device", "voodoo"], &["voodoo"]),
        (&["run", &place.scene, "--frames", "0"], &["--frames", "1.."]),
        (&["run", &place.scene, "--frames", "many"], &["--frames", "many"]),
        (&["run", &place.scene, "--size", "0x10"], &["--size", "1280x720"]),
        (&["run", &place.scene, "--render", "--size", "99999x9"], &["99999"]),
        (&["run", &place.scene, "--size", "640x480"], &["--render"]),
        (&["run", &place.scene, "--look", "stretch"], &["--render"]),
        (&["run", &place.scene, "--render", "--look", "stretch,balls,stress"], &["stretch and stress", "give one"]),
        (&["run", &place.scene, "--every", "2"], &["--render"]),
        (&["run", &place.scene, "--render", "--every", "0"], &["--every", "1.."]),
        (&["run", &place.scene, "--render", "--every", "9", "--frames", "8"], &["--every 9: the run has 8 frames"]),
        (&["run", &place.scene, "--render", "--camera", "1,2:0,0,0"], &["--camera", "1,2,3:0,0.5,0:35"]),
        (&["run", &place.scene, "--video", &video, "--size", "65x36"], &["even", "give --size 64x36"]),
        (&["run", &place.scene, "--video", &clip], &["--video", "a.avi", "end it in .mp4"]),
        (&["run", &place.scene, "--render", "--transparent", "--video", &video], &["--transparent", "--video"]),
        (&["run", &place.scene, "--gif", &clip], &["--gif", "a.avi", "end it in .gif"]),
        (&["run", &place.scene, "--positions", &one, "--forces", &one], &["--positions and --forces", "each its own"]),
        (&["run", &torn, "--frames", "1"], &["torn.toml:", "max_colours"]),
        (&["run", &place.scene, "--report", &unwritable], &["report.json", "choose a folder"]),
        (&["run", &place.scene, "--out", &through_file], &["scene.toml", "choose another"]),
        (&["run"], &["SCENE"]),
        (&["simulate"], &["simulate"]),
        (&["bench", "--sizes", "1"], &["--sizes"]),
        (&["bench", "--blocks", "0"], &["--blocks"]),
        (&["bench", "--balls", "0"], &["--balls"]),
        (&["bench", "hanging_clot"], &["hanging_cloth"]),
        (&["bench", "--device", "reference"], &["adapters"]),
        (&["bench", "--threads", "2"], &["--device cpu"]),
        (&["bench", "--device", "cpu", "--threads", "0"], &["--threads"]),
        (&["bench", "--substeps", "5"], &["SCENE"]),
        (&["bench", &place.scene, "--substeps", "5,0"], &["--substeps", "1..=10000"]),
        (&["bench", "--frames", "0"], &["--frames"]),
        (&["bench", "--patience", "9"], &["--quality"]),
        (&["bench", "--with", "new.json"], &["--compare"]),
        (&["bench", "--compare", "missing.json"], &["missing.json: there is no such file", "pliant bench --json"]),
        (&["bench", "--compare", &place.scene], &["scene.toml: this is not a result of `pliant bench --json`"]),
        (&["bench", &place.scene, "--compare", &others], &["of W1 and the new of", "the same scene"]),
        (&["bench", "--compare", &others, "--with", &empty], &["no row in common", "the same sizes"]),
    ];
    for (arguments, expected) in cases {
        let ran = run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
        for part in *expected {
            assert!(ran.err.contains(part), "{arguments:?} should mention {part}: {}", ran.err);
        }
        assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(place.files(), [] as [&str; 0], "a run that fails leaves nothing");
}

/// Where there is no driver at all the exit code is 3 and the message says what to install; the CPU needs none, and is taken.
#[test]
fn no_gpu() {
    let place = Place::new(CLOTH);
    let without = |arguments: &[&str]| {
        let nowhere = place.folder.path().join("nowhere.json");
        // Loaders read one variable or the other by age.
        ran(pliant(arguments).env("VK_DRIVER_FILES", &nowhere).env("VK_ICD_FILENAMES", &nowhere).output().unwrap())
    };
    if cfg!(target_os = "linux") {
        let out = place.name("pictures");
        let drawn = ["run", &place.scene, "--frames", "1", "--render", "--out", &out];
        for arguments in [&["run", &place.scene, "--device", "gpu"][..], &["info"], &drawn] {
            let ran = without(arguments);
            assert_eq!(ran.code, 3, "{}", ran.err);
            assert!(ran.err.contains("mesa-vulkan-drivers"), "{}", ran.err);
        }
    }
    let path = place.name("report.json");
    for device in [&["--device", "cpu"][..], &["--device", "auto"], &[]] {
        let ran = without(&[&["run", &place.scene, "--frames", "1", "--report", &path], device].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(json(Path::new(&path))["adapter"], "cpu", "{device:?}");
    }
}

/// A full disk is told by file and remedy, with exit code 2.
#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let place = Place::new(CLOTH);
    let ran = run(&["run", &place.scene, "--frames", "1", "--report", "/dev/full"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("/dev/full") && ran.err.contains("free some space"), "{}", ran.err);
}

/// A simulation that blows up is stopped within a few frames with exit code 4; its flags are in the report, and what is
/// written is the last good frame.
#[test]
fn blow_up() {
    for device in ["gpu", "cpu"] {
        let place = Place::new(BLOW_UP);
        let (report, positions) = (place.name("report.json"), place.name("positions.csv"));
        let ran = run(&["run", &place.scene, "--device", device, "--report", &report, "--positions", &positions]);
        assert_eq!(ran.code, 4, "{device}: {}", ran.err);
        assert!(ran.err.contains("frame") && ran.err.contains("substeps"), "{device}: {}", ran.err);
        let report = json(Path::new(&report));
        let frames = report["frames"].as_array().unwrap();
        assert!((7..=12).contains(&frames.len()), "{device}: the force begins in frame 7, noticed in {}", frames.len());
        assert!(!frames.last().unwrap()["flags"].as_array().unwrap().is_empty());
        assert!(report["failure"].as_str().unwrap().contains("blew up"));
        let positions = std::fs::read_to_string(positions).unwrap();
        for field in positions.lines().skip(1).flat_map(|row| row.split(',')) {
            assert!(field.parse::<f64>().unwrap().is_finite(), "{device}: {positions}");
        }
    }
}

/// Balls in a place that has no room for them are no simulation that blew up: the run ends and says so.
#[test]
fn a_crowd() {
    let places = "[0.3, 0.3, 0.3], ".repeat(5000);
    let scene =
        format!("[[body]]\nkind = \"particles\"\nradius = 0.1\nself_collision = true\npositions = [{places}]\n");
    for device in ["gpu", "cpu"] {
        let place = Place::new(&scene);
        let ran = run(&["run", &place.scene, "--device", device, "--frames", "2"]);
        assert_eq!(ran.code, 4, "{device}: {}", ran.err);
        assert!(ran.err.contains("crowded") && ran.err.contains("smaller radii"), "{device}: {}", ran.err);
    }
}

/// What a run is made from it does not write over: its meshes, itself and its checkpoint, by whatever flag.
#[test]
fn inputs_are_not_written_over() {
    let place =
        Place::new("[[body]]\nname = \"shirt\"\nkind = \"cloth\"\nmesh = { file = \"shirt.obj\" }\npin = [0]\n");
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 -1 0\nf 1 2 3\n";
    let [shirt, frame] = ["shirt.obj", "frame_0001.obj"].map(|name| place.path(name));
    std::fs::write(&shirt, mesh).unwrap();
    let folder = place.folder.path().to_str().unwrap();
    let (shirt_name, again) = (place.name("shirt.obj"), place.name("again"));
    let run_with =
        |options: &[&str]| run(&[&["run", &*place.scene, "--frames", "2", "--device", "cpu"], options].concat());
    for options in
        [&["--export", "pc2", "--out", folder][..], &["--positions", &shirt_name], &["--report", &place.scene]]
    {
        let ran = run_with(options);
        assert_eq!(ran.code, 2, "{options:?}: {}", ran.err);
        assert!(ran.err.contains("would overwrite"), "{options:?}: {}", ran.err);
    }
    assert_eq!(std::fs::read_to_string(&shirt).unwrap(), mesh);
    assert!(std::fs::read_to_string(&place.scene).unwrap().starts_with("[[body]]"));
    let ran = run_with(&["--checkpoint-every", "2", "--out", &again]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let checkpoint = place.name("again/checkpoint.pliant");
    let ran = run_with(&["--resume", &checkpoint, "--report", &checkpoint]);
    assert!(ran.code == 2 && ran.err.contains("would overwrite"), "{}", ran.err);
    // A mesh named as a frame is.
    std::fs::rename(&shirt, &frame).unwrap();
    let scene = std::fs::read_to_string(&place.scene).unwrap().replace("shirt.obj", "frame_0001.obj");
    std::fs::write(&place.scene, scene).unwrap();
    let ran = run_with(&["--export", "obj", "--out", folder]);
    assert!(ran.code == 2 && ran.err.contains("--export obj would overwrite"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&frame).unwrap(), mesh);
}

/// What `check` warns of `run` does too, and it tells of frames that a longer run has left.
#[test]
fn runs_warn() {
    let inside = "[[body]]\nkind = \"particles\"\npositions = [[0, -0.5, 0]]\n[[collider]]\nshape = { plane = {} }\n";
    let place = Place::new(inside);
    let out = place.name("out");
    let run_for = |frames: &str| {
        run(&["run", &place.scene, "--frames", frames, "--device", "cpu", "--export", "ply", "--out", &out])
    };
    let ran = run_for("4");
    assert!(ran.err.contains("begin inside a collider") && !ran.err.contains("earlier run"), "{}", ran.err);
    let ran = run_for("2");
    assert!(ran.err.contains("has frames of an earlier run, up to 4"), "{}", ran.err);
    let few = "[solver]\nsubsteps = 1\nnested = false\n[[body]]\nkind = \"cloth\"\nmesh = { grid = { columns = 40, rows = 40, width = 1.0, height = 1.0 } }\npin = [\"top\"]\n";
    let place = Place::new(few);
    let ran = run(&["run", &place.scene, "--frames", "1", "--device", "cpu"]);
    assert!(ran.err.contains("warning: substeps: 1 given; about "), "{}", ran.err);
}

/// A thousand balls, each of which lies on twenty colliders at once, need more room for contacts than there is at first: the frame is done again
/// with room for all, which its report tells, and none is missing.
#[test]
fn a_frame_without_room_is_done_again() {
    let mut scene = String::from("[[body]]\nkind = \"particles\"\nradius = 0.1\npositions = [");
    scene.push_str(&"[0, 0.1, 0], ".repeat(1000));
    scene.push_str("]\ncollides_with = [1]\n");
    for k in 0..20 {
        let shape = "shape = { sphere = { radius = 0.2 } }";
        let place = 0.001 * f64::from(k);
        scene.push_str(&format!("[[collider]]\n{shape}\nposition = [0, -0.21, {place}]\ncollision_group = 1\n"));
    }
    let place = Place::new(&scene);
    let report = place.name("report.json");
    let ran = run(&["run", &place.scene, "--frames", "3", "--device", "gpu", "--report", &report]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.err.contains("no room for all contacts"), "{}", ran.err);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    let flags = [0, 1, 2].map(|frame| &report["frames"][frame]["flags"]);
    assert_eq!(
        flags,
        [&serde_json::json!(["done again with more room for contacts"]), &Value::Array(vec![]), &Value::Array(vec![])]
    );
}
