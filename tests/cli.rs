//! The command `pliant` as people and scripts meet it: exit codes, messages, files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

fn pliant(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments);
    command
}

/// What a command printed, and its exit code.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Ran {
    ran(pliant(arguments).output().unwrap())
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder with a scene in it.
struct Place {
    folder: TempDir,
    scene: String,
}

impl Place {
    fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, scene).unwrap();
        Self { scene: path.to_str().unwrap().to_string(), folder }
    }
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }
    /// What lies in the folder, the scene aside.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "scene.toml");
        names.sort();
        names
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

const CLOTH: &str = r#"
name = "Small cloth"
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 8, rows = 8, width = 1.0, height = 1.0 } }
mass = 1.0
pin = ["top-left", "top-right"]
stretch_compliance = 1e-6
bend = { kind = "distance", compliance = 1e-3 }
"#;

/// A mass on a string that a force, from 0.1 s on, pulls apart without measure.
const BLOW_UP: &str = r#"
[[body]]
name = "mass"
kind = "particles"
positions = [[0, 0, 0], [1, 0, 0]]
masses = [0, 1]
[[force]]
body = "mass"
particles = [1]
keyframes = [{ time = 0.1, value = [0, 0, 0] }, { time = 0.2, value = [1e15, 0, 0] }]
"#;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A report holds every key of the contract with the type that it promises.
#[test]
fn report_keeps_the_contract() {
    let place = Place::new(CLOTH);
    let path = place.name("report.json");
    let ran = run(&["run", &place.scene, "--frames", "3", "--report", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = json(Path::new(&path));
    for key in ["scene", "adapter", "driver", "backend", "version", "method", "mode", "state_hash"] {
        assert!(report[key].is_string(), "{key}: {}", report[key]);
    }
    assert_eq!(report["particles"], 64);
    assert_eq!((&report["substeps"], &report["iterations"]), (&10.into(), &1.into()));
    assert_eq!((&report["method"], &report["mode"]), (&"gauss-seidel".into(), &"xpbd".into()));
    // 2 · 7 · 8 along rows and columns, 2 · 7 · 7 diagonals, 2 · 6 · 8 second neighbours.
    assert_eq!(report["constraints"], serde_json::json!({ "distance": 306 }));
    assert!(report["colours"]["distance"].as_u64().unwrap() >= 12);
    assert_eq!(report["bodies"], serde_json::json!([{ "name": "cloth", "first": 0, "count": 64 }]));
    assert!(report["timing"]["step_ms_median"].as_f64().unwrap() > 0.0);
    assert!(report["timing"]["wall_s"].as_f64().unwrap() > 0.0);
    assert!(report["plan_s"].as_f64().unwrap() > 0.0);
    assert!(report["levels"].is_null());

    let frames = report["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3);
    for (frame, number) in frames.iter().zip(1..) {
        assert_eq!(frame["frame"], number);
        assert!((frame["time_s"].as_f64().unwrap() - f64::from(number) / 60.0).abs() < 1e-12);
        for key in ["min", "max", "centroid", "momentum", "angular_momentum"] {
            let vector = frame[key].as_array().unwrap();
            assert!(vector.len() == 3 && vector.iter().all(Value::is_number), "{key}: {vector:?}");
        }
        for key in ["step_ms", "kinetic_energy_j", "gravity_energy_j", "elastic_energy_j", "max_speed", "max_stretch"] {
            assert!(frame[key].is_number(), "{key}: {}", frame[key]);
        }
        assert_eq!(keys(&frame["residual"]), ["distance"]);
        assert_eq!((&frame["contacts"], &frame["flags"]), (&0.into(), &serde_json::json!([])));
    }
    assert_eq!(place.files(), ["report.json"], "nothing but the report is left");
}

const SOLID: &str = r#"
[[body]]
name = "jelly"
kind = "soft"
mesh = { box = { cells = [2, 2, 2], size = [0.4, 0.4, 0.4] } }
young_modulus = 5e4
density = 1000
pin = [{ box = [[-1, 0.19, -1], [1, 0.21, 1]] }]
"#;

/// Reports of solids tell their largest strain and von Mises stress; those of cloth do not. Pictures of stress say what its scale is,
/// and of what has neither, that there is none.
#[test]
fn solids_tell_strain_and_stress() {
    let solid = Place::new(SOLID);
    let out = solid.name("out");
    let look = |scene: &str, out: &str, look: &str| {
        let size = ["--frames", "3", "--render", "--size", "64x36"];
        run(&[&["run", scene, "--out", out, "--look", look], &size[..]].concat())
    };
    let ran = look(&solid.scene, &out, "stress,wireframe");
    assert_eq!(ran.code, 0, "{}", ran.err);
    // 0.3 of G = E/2.6 are 5.8 kPa.
    assert!(ran.err.contains("the colour of stress is full at 5000 Pa"), "{}", ran.err);
    let report = json(&solid.path("out/report.json"));
    for frame in report["frames"].as_array().unwrap() {
        let [strain, stress] = ["max_strain", "max_stress_pa"].map(|key| frame[key].as_f64().unwrap());
        // It hangs from its lid by less than its weight, of 3.9 kPa.
        assert!(strain > 1e-6 && strain < 0.2 && stress > 0.1 && stress < 1e4, "{strain} {stress}");
    }
    let cloth = Place::new(CLOTH);
    let ran = look(&cloth.scene, &cloth.name("out"), "strain");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("no solid of this scene has a strain or stress to show"), "{}", ran.err);
    let frame = &json(&cloth.path("out/report.json"))["frames"][2];
    assert!(frame["max_strain"].is_null() && frame["max_stress_pa"].is_null() && frame["max_stretch"].is_number());
}

/// The tables have the header of the contract and one row for each particle and constraint, in order.
#[test]
fn tables_keep_the_contract() {
    let place = Place::new(CLOTH);
    let (positions, forces) = (place.name("positions.csv"), place.name("forces.csv"));
    let ran = run(&["run", &place.scene, "--frames", "2", "--positions", &positions, "--forces", &forces]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let positions = std::fs::read_to_string(positions).unwrap();
    let rows: Vec<&str> = positions.lines().collect();
    assert_eq!((rows[0], rows.len()), ("index,x,y,z,vx,vy,vz", 65));
    for (index, row) in rows[1..].iter().enumerate() {
        let fields: Vec<f64> = row.split(',').map(|field| field.parse().unwrap()).collect();
        assert_eq!((fields.len(), fields[0]), (7, index as f64));
    }
    assert!(rows[1].starts_with("0,-0.5,0,0,0,0,0"), "the pinned corner stays: {}", rows[1]);
    let forces = std::fs::read_to_string(forces).unwrap();
    let rows: Vec<&str> = forces.lines().collect();
    assert_eq!((rows[0], rows.len()), ("kind,index,force_n", 307));
    assert!(rows[306].starts_with("distance,305,"), "{}", rows[306]);
    let total: f64 = rows[1..].iter().map(|row| row.split(',').nth(2).unwrap().parse::<f64>().unwrap()).sum();
    assert!(total > 1.0, "the constraints carry the cloth: {total} N");
}

/// What presses after the last frame has a row, with the weight that it bears; where nothing touches there is the header alone.
#[test]
fn contacts_are_told() {
    const BALL: &str =
        "[[body]]\nkind = \"particles\"\npositions = [[0, 0.1, 0], [3, 9, 0]]\nmasses = [2, 1]\nradius = 0.1\n";
    let ground = "[[collider]]\nshape = { plane = { normal = [0, 1, 0] } }\n";
    for (text, rows) in [(BALL.to_string() + ground, 1), (BALL.to_string(), 0)] {
        let place = Place::new(&text);
        for device in ["gpu", "cpu", "reference"] {
            let file = place.name("contacts.csv");
            let ran = run(&["run", &place.scene, "--frames", "20", "--contacts", &file, "--device", device]);
            assert_eq!(ran.code, 0, "{}", ran.err);
            let table = std::fs::read_to_string(file).unwrap();
            let lines: Vec<&str> = table.lines().collect();
            assert_eq!(lines.len(), 1 + rows, "{table}");
            assert_eq!(lines[0].split(',').count(), 13);
            for line in &lines[1..] {
                let fields: Vec<&str> = line.split(',').collect();
                assert_eq!(fields[..3], ["0", "collider", "0"], "{line}");
                let force: f64 = fields[9].parse().unwrap();
                assert!((force / (2.0 * 9.81) - 1.0).abs() < 0.01, "{line}");
            }
        }
    }
}

/// The same scene twice gives the same bits; a scene that differs gives others.
#[test]
fn same_scene_same_hash() {
    let (place, other) = (Place::new(CLOTH), Place::new(&CLOTH.replace("1e-6", "2e-6")));
    let hash = |place: &Place, name: &str| {
        assert_eq!(run(&["run", &place.scene, "--frames", "10", "--report", &place.name(name)]).code, 0);
        json(&place.path(name))["state_hash"].clone()
    };
    assert_eq!(hash(&place, "a.json"), hash(&place, "b.json"));
    assert_ne!(hash(&place, "a.json"), hash(&other, "c.json"));
}

/// A cloth that falls on a ball that lies on the ground.
const DRAPED: &str = r#"
[[body]]
kind = "cloth"
mesh = { grid = { columns = 8, rows = 8, width = 1.0, height = 1.0 } }
rotation = [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476]
position = [0.05, 0.5, -0.5]
friction = 0.5
thickness = 0.02
stretch_compliance = 1e-4
[[collider]]
shape = { sphere = { radius = 0.2 } }
position = [0.0, 0.2, 0.0]
[[collider]]
shape = { plane = { normal = [0, 1, 0] } }
"#;

/// The CPU engine gives the GPU's answer as closely as single precision can, hanging and touching two colliders: a tenth of
/// a millimetre in 20 frames of 1 m.
#[test]
fn cpu_agrees_with_gpu() {
    for scene in [CLOTH, DRAPED] {
        let place = Place::new(scene);
        let reports = ["gpu", "cpu"].map(|device| {
            let path = place.name(device);
            let ran = run(&["run", &place.scene, "--frames", "20", "--device", device, "--report", &path]);
            assert_eq!(ran.code, 0, "{}", ran.err);
            json(Path::new(&path))
        });
        assert_eq!(reports[1]["adapter"], "cpu");
        let touches = reports[1]["frames"][19]["contacts"].as_u64().unwrap() > 0;
        assert_eq!(touches, scene == DRAPED);
        let [gpu, cpu] = reports.map(|report| report["frames"][19]["centroid"].clone());
        for i in 0..3 {
            let (a, b) = (gpu[i].as_f64().unwrap(), cpu[i].as_f64().unwrap());
            assert!((a - b).abs() < 1e-4, "axis {i}: {a} on the GPU, {b} on the CPU");
        }
    }
}

/// Pictures: one file a frame in the size asked for, an animation, and the report beside them.
#[test]
fn render_writes_pictures() {
    let place = Place::new(CLOTH);
    for device in ["gpu", "cpu"] {
        let out = place.name(device);
        let ran = run(&[
            "run",
            &place.scene,
            "--frames",
            "2",
            "--device",
            device,
            "--render",
            "--size",
            "64x48",
            "--out",
            &out,
        ]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(&out), "it says where: {}", ran.out);
        let mut names: Vec<String> =
            std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["animation.png", "frame_0001.png", "frame_0002.png", "report.json"]);
        let picture = image::open(Path::new(&out).join("frame_0002.png")).unwrap().to_rgba8();
        assert_eq!(picture.dimensions(), (64, 48));
        assert!(picture.pixels().any(|pixel| pixel != picture.get_pixel(0, 0)), "something is drawn");
    }
}

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
        (&["bench", "--compare", "missing.json"], &["missing.json: cannot be read"]),
        (&["bench", "--compare", &place.scene], &["scene.toml: this is no result of `pliant bench --json`"]),
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
        for arguments in [&["run", &place.scene, "--device", "gpu"][..], &["info"]] {
            let ran = without(arguments);
            assert_eq!(ran.code, 3, "{}", ran.err);
            assert!(ran.err.contains("mesa-vulkan-drivers"), "{}", ran.err);
        }
    }
    for device in ["cpu", "auto"] {
        let ran = without(&["run", &place.scene, "--device", device, "--frames", "1"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
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

/// Ctrl-C ends a run after the frame in hand, with exit code 0 and the report of what was done.
#[cfg(unix)]
#[test]
fn interrupt() {
    let place = Place::new(CLOTH);
    let path = place.name("report.json");
    let child = pliant(&["run", &place.scene, "--frames", "1000000", "--report", &path])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The command listens before it opens its files, and does one frame at least.
    while place.files().is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("interrupted"), "{}", ran.err);
    let report = json(Path::new(&path));
    assert_eq!(report["interrupted"], true);
    assert!(!report["frames"].as_array().unwrap().is_empty());
    assert_eq!(place.files(), ["report.json"]);
}

/// `check` prints what a scene holds and what substeps it wants.
#[test]
fn check_describes() {
    let place = Place::new(&CLOTH.replace("columns = 8, rows = 8", "columns = 64, rows = 64").replace("1e-6", "1e-8"));
    let ran = run(&["check", &place.scene]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in
        ["particles: 4096, 2 of them fixed", "distance in", "colours", "memory: about 1.", "substeps: 10 given; about"]
    {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

/// What levels take is told by `check`, by `run` and in the report, and counts as memory.
#[test]
fn levels_are_told() {
    let cloth = CLOTH.replace("columns = 8, rows = 8", "columns = 64, rows = 64");
    let plain = Place::new(&cloth);
    let nested = Place::new(&cloth.replace("[[body]]", "[solver]\nnested = true\n[[body]]"));
    let memory = |place: &Place| {
        let ran = run(&["check", &place.scene]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("planned in "), "{}", ran.out);
        assert_eq!(ran.out.contains("levels: over 1 sheet, "), place.scene == nested.scene, "{}", ran.out);
        let line = ran.out.lines().find(|line| line.starts_with("memory")).unwrap().to_string();
        line.split_whitespace().find_map(|word| word.parse::<f64>().ok()).unwrap()
    };
    assert!(memory(&nested) > memory(&plain) + 0.3, "MiB");
    let path = nested.name("report.json");
    let ran = run(&["run", &nested.scene, "--frames", "1", "--report", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("levels: over 1 sheet, ") && ran.out.contains("planned in "), "{}", ran.out);
    let levels = &json(Path::new(&path))["levels"];
    assert_eq!(levels["sheets"], 1);
    for key in ["nodes", "edges", "bytes"] {
        assert!(levels[key].as_u64().unwrap() > 100, "{key}: {levels}");
    }
}

/// The gallery is listed with descriptions, and every scene of it is valid.
#[test]
fn gallery_is_valid() {
    let ran = run(&["scenes"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.lines().count() >= 5);
    for line in ran.out.lines() {
        let (name, description) = line.split_once(' ').unwrap();
        assert!(!description.trim().is_empty(), "{name}");
        let check = run(&["check", name]);
        assert_eq!(check.code, 0, "{name}: {}", check.err);
    }
}

/// `info` lists an adapter with its limits, and which one `--device gpu` means.
#[test]
fn info_lists_adapters() {
    let ran = run(&["info"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in
        ["--device gpu", "backend", "storage buffers", "workgroup", "features", "--device cpu", "lanes", "thread"]
    {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

/// `info --recalibrate` times both ways of solving large bodies, keeps that, and tells which was picked; what is kept is told again, and goes
/// for runs. A damaged file is told of.
#[test]
fn info_calibrates_and_remembers() {
    let caches = tempfile::tempdir().unwrap();
    let pliant = |arguments: &[&str]| {
        let ran =
            ran(pliant(arguments).env("XDG_CACHE_HOME", caches.path()).env("HOME", caches.path()).output().unwrap());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let measured = pliant(&["info", "--recalibrate"]);
    let lines = |ran: &Ran| -> Vec<String> {
        ran.out.lines().filter(|line| line.contains("large bodies by")).map(str::to_string).collect()
    };
    assert!(lines(&measured).iter().all(|line| line.contains("measured just now")), "{}", measured.out);
    let remembered = pliant(&["info"]);
    let expected: Vec<String> = lines(&measured)
        .iter()
        .map(|line| line.replace("measured just now", "remembered; --recalibrate measures it again"))
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(lines(&remembered), expected);
    if cfg!(target_os = "linux") {
        let path = caches.path().join("pliant/adapters.json");
        assert!(remembered.out.contains(path.to_str().unwrap()), "{}", remembered.out);
        // What is remembered decides.
        let mut entries = json(&path);
        for (clusters_ms, dispatches) in [(0.5, 4), (2.0, 13)] {
            for entry in entries.as_array_mut().unwrap() {
                (entry["colours_ms"], entry["clusters_ms"]) = (1.0.into(), clusters_ms.into());
            }
            std::fs::write(&path, entries.to_string()).unwrap();
            let results = caches.path().join("bench.json");
            pliant(&["bench", "--sizes", "96", "--blocks", "1", "--frames", "1", "--json", results.to_str().unwrap()]);
            let bench = json(&results);
            assert_eq!(bench["clusters"], clusters_ms < 1.0);
            assert_eq!(bench["sizes"][0]["dispatches_per_frame"], 2 + 10 * dispatches);
        }
        std::fs::write(&path, "{").unwrap();
        let told = pliant(&["info"]);
        assert!(told.err.contains("adapters.json is of no use"), "{}", told.err);
    }
}

/// A made-up result of the standard cloth at some sizes: median ms (a quarter of the frames 10 % below and above), and bytes.
fn made_up(rows: &[(u64, f64, u64)]) -> String {
    let row = |&(n, ms, bytes): &(u64, f64, u64)| {
        serde_json::json!({"n": n, "particles": n * n, "constraints": 6 * n * n, "substeps": 10, "iterations": 1, "step_ms_median": ms,
            "step_ms_min": 0.5 * ms, "step_ms_lower_quartile": 0.9 * ms, "step_ms_upper_quartile": 1.1 * ms, "dispatches_per_frame": 132,
            "bytes_per_frame": bytes, "memory_bytes": 1000, "plan_ms": 1.0})
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    serde_json::json!({"adapter": "made up", "driver": "1", "version": "0", "commit": null, "scene": "W1", "sizes": rows}).to_string()
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

/// Without a display `view` renders, says so, and says where. Only on Linux can a program be denied the display.
#[cfg(target_os = "linux")]
#[test]
fn view_renders() {
    let place = Place::new(CLOTH);
    let mut view = pliant(&["view", "scene.toml", "--frames", "2"]);
    view.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    let ran = ran(view.current_dir(place.folder.path()).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("no window"), "{}", ran.err);
    assert!(ran.out.contains("out/scene"), "{}", ran.out);
    assert!(place.path("out/scene/animation.png").is_file());
}

/// A thousand balls, each of which lies on twenty colliders at once, need more room for contacts than there is at first: which is told, and
/// flagged in the report, and the run goes on.
#[test]
fn contacts_without_room_are_told() {
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
    assert!(ran.err.contains("there was no room for all contacts"), "{}", ran.err);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["frames"][0]["flags"], serde_json::json!(["contacts without room"]));
}
