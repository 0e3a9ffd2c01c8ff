//! Runs in pieces: checkpoints, resumed, killed, damaged, mistaken.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A cloth that falls on a ball, moved by a pin, with a link that breaks on the way and two that are actuated and yield.
const SCENE: &str = r#"
[solver]
substeps = 8
[world]
wind = [2, 0, 1]
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 12, rows = 12, width = 1.0, height = 1.0 } }
rotation = [-0.7, 0, 0, 0.7]
mass = 0.3
radius = 0.01
friction = 0.4
drag = 1.1
stretch_compliance = 1e-6
pin = [{ indices = [0], keyframes = [{ time = 0.2, value = [0, 0, 0] }, { time = 0.5, value = [0.2, 0.1, 0] }] }]
[[body.constraint]]
kind = "distance"
particles = [[13, 130]]
break_force = 0.05
compliance = 1e-3
[[body.constraint]]
kind = "distance"
particles = [[14, 100], [20, 90]]
compliance = 1e-2
yield = 0.01
creep = 3
keyframes = [{ time = 0, value = 1 }, { time = 0.2, value = 0.7 }, { time = 0.4, value = 1 }]
period = 0.4
delay = [0, 0.1]
[[collider]]
shape = { sphere = { radius = 0.3 } }
position = [0, -0.4, 0.5]
friction = 0.4
"#;
/// A strip whose ends are drawn apart until it tears.
const TEAR: &str = include_str!("../scenes/torn_strip.toml");
/// A solid bar, likewise.
const TORN_BAR: &str = include_str!("../scenes/torn_bar.toml");
const FRAMES: &str = "40";

struct Place {
    folder: TempDir,
    scene: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("scene.toml");
        fs::write(&scene, SCENE).unwrap();
        Self { folder, scene }
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn checkpoint(&self, name: &str) -> String {
        self.out(name).join("checkpoint.pliant").to_str().unwrap().to_string()
    }

    /// `pliant run SCENE --out NAME ...`
    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.arg("run").arg(&self.scene).arg("--out").arg(self.out(name)).args(arguments);
        command
    }

    /// Runs to a good end and returns the report.
    fn run(&self, name: &str, arguments: &[&str]) -> Value {
        let output = self.command(name, arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&fs::read(self.out(name).join("report.json")).unwrap()).unwrap()
    }

    /// The text of the first frames of a report.
    fn frames(&self, name: &str, count: u32) -> String {
        let report = fs::read_to_string(self.out(name).join("report.json")).unwrap();
        let begin = report.find("\"frames\":[").unwrap();
        let end = report.find(&format!("{{\"frame\":{},", count + 1)).unwrap();
        report[begin..end].to_string()
    }

    /// The message of a fault of the input.
    fn refused(&self, arguments: &[&str]) -> String {
        let Output { status, stderr, .. } = self.command("refused", arguments).output().unwrap();
        let message = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{message}");
        message
    }
}

/// The order of constraints is that of before, also where another would now be chosen; told otherwise the command says what that does.
#[test]
fn pieces_keep_the_order_of_constraints() {
    let place = Place::new();
    let cloth = "[solver]\nsubsteps = 2\nnested = false\n[[body]]\nkind = \"cloth\"\npin = [\"top\"]\nstretch_compliance = 1e-7\n\
                 mesh = { grid = { columns = 80, rows = 60, width = 1.0, height = 0.8 } }\n";
    fs::write(&place.scene, cloth).unwrap();
    let whole = place.run("whole", &["--device", "gpu", "--frames", "4", "--clusters", "on"]);
    let plain = place.run("plain", &["--device", "gpu", "--frames", "4"]);
    assert_ne!(whole["state_hash"], plain["state_hash"], "a software device goes by colours");
    place.run("first", &["--device", "gpu", "--frames", "2", "--clusters", "on", "--checkpoint-every", "2"]);
    let resume = place.checkpoint("first");
    let second = place.run("second", &["--device", "gpu", "--frames", "4", "--resume", &resume]);
    assert_eq!(second["state_hash"], whole["state_hash"]);
    let other = place
        .command("other", &["--device", "gpu", "--frames", "4", "--resume", &resume, "--clusters", "off"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&other.stderr);
    assert!(
        other.status.success() && told.contains("in clusters before and are solved colour by colour now"),
        "{told}"
    );
}

/// A run in two pieces ends with the bits of an unbroken one, on the GPU and on the CPU, and its report says where it went on.
#[test]
fn pieces_make_the_whole() {
    let place = Place::new();
    for (device, integrator) in
        [("gpu", "euler"), ("cpu", "euler"), ("reference", "euler"), ("gpu", "bdf2"), ("reference", "bdf2")]
    {
        let solver = format!("[solver]\nintegrator = \"{integrator}\"");
        fs::write(&place.scene, SCENE.replace("[solver]", &solver)).unwrap();
        let whole = place.run("whole", &["--frames", FRAMES, "--device", device]);
        let first = place.run("first", &["--frames", "25", "--checkpoint-every", "10", "--device", device]);
        assert_eq!((first["frames"].as_array().unwrap().len(), &first["resumed_from"]), (25, &Value::Null));
        let resume = place.checkpoint("first");
        let second = place.run("second", &["--frames", FRAMES, "--resume", &resume, "--device", device]);
        assert_eq!((second["frames"].as_array().unwrap().len(), &second["resumed_from"]), (20, &Value::from(20)));
        assert_eq!(second["frames"][0]["frame"], 21);
        assert_eq!(whole["state_hash"], second["state_hash"], "{device}, {integrator}");
        assert_eq!(whole["integrator"], integrator);
        assert_ne!(whole["state_hash"], first["state_hash"]);
        // In the same folder the report keeps what was there, to the checkpoint, byte for byte.
        let before = place.frames("first", 20);
        let kept = place.run("first", &["--frames", FRAMES, "--resume", &resume, "--device", device]);
        let numbers: Vec<u64> = kept["frames"].as_array().unwrap().iter().filter_map(|f| f["frame"].as_u64()).collect();
        assert_eq!((numbers, &kept["resumed_from"]), ((1..=40).collect(), &Value::from(20)));
        assert_eq!(place.frames("first", 20), before);
        // Nothing is left to do: the state is that of the checkpoint.
        let third = place.run("third", &["--frames", "20", "--resume", &resume, "--device", device]);
        assert_eq!(third["frames"].as_array().unwrap().len(), 0);
    }
    // Nor is anything lost by it, and frames count from the beginning.
    let (contacts, resume) = (place.out("contacts.csv"), place.checkpoint("first"));
    fs::write(&contacts, "as it was").unwrap();
    let contacts = contacts.to_str().unwrap();
    let again =
        place.run("first", &["--frames", "20", "--resume", &resume, "--contacts", contacts, "--device", "reference"]);
    assert_eq!(again["frames"].as_array().unwrap().len(), 20);
    assert_eq!(fs::read_to_string(contacts).unwrap(), "as it was");
    let message = place.refused(&["--frames", "15", "--resume", &resume, "--device", "reference"]);
    assert!(message.contains("is of frame 20, beyond") && message.contains("--frames 15"), "{message}");
}

/// A report that goes to a pipe is not read when a run resumes: that would wait for the run itself. It holds the
/// frames of this run.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_resumed() {
    let place = Place::new();
    place.run("first", &["--frames", "2", "--checkpoint-every", "2", "--device", "cpu"]);
    let resume = place.checkpoint("first");
    let arguments = ["--frames", "4", "--resume", &resume, "--report", "/dev/stdout", "--device", "cpu"];
    let Output { stdout, stderr, status } = place.command("second", &arguments).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let report: Value = serde_json::Deserializer::from_slice(&stdout).into_iter().next().unwrap().unwrap();
    let numbers: Vec<u64> = report["frames"].as_array().unwrap().iter().filter_map(|f| f["frame"].as_u64()).collect();
    assert_eq!(numbers, [3, 4]);
}

/// So does a run that was cut while a cloth or a solid tore.
#[test]
fn a_tear_goes_on() {
    let place = Place::new();
    let cloth = TEAR.replace("break_force", "spare_particles = 3\nbreak_force");
    let bar = TORN_BAR.replace("tear_stress", "spare_particles = 3\ntear_stress");
    for (scene, device) in [(&bar, "gpu"), (&bar, "reference"), (&cloth, "gpu"), (&cloth, "reference")] {
        fs::write(&place.scene, scene).unwrap();
        let whole = place.run("whole", &["--frames", "30", "--device", device]);
        let first = place.run("first", &["--frames", "20", "--checkpoint-every", "20", "--device", device]);
        let resume = place.checkpoint("first");
        let second = place.run("second", &["--frames", "30", "--resume", &resume, "--device", device]);
        assert_eq!(whole["state_hash"], second["state_hash"], "{device}");
        // Three spares are not enough, and the runs say so.
        let flagged = |report: &Value, frame: usize| {
            report["frames"][frame]["flags"] == serde_json::json!(["out of spare particles"])
        };
        assert!(!flagged(&first, 0) && flagged(&first, 19) && flagged(&second, 9), "{device}");
    }
    let Output { stderr, .. } = place.command("told", &["--frames", "30"]).output().unwrap();
    let message = String::from_utf8(stderr).unwrap();
    assert!(message.contains("spare particles") && message.contains("raise spare_particles"), "{message}");
}

/// A run that is killed without notice goes on from its latest checkpoint with the bits of an unbroken one, and so does the
/// point cache that it was writing.
#[test]
fn a_killed_run_goes_on() {
    let place = Place::new();
    let whole = place.run("whole", &["--frames", FRAMES, "--export", "pc2"]);
    let endless = ["--frames", "1000000", "--export", "pc2", "--checkpoint-every", "3"];
    let mut child = place.command("killed", &endless).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (checkpoint, start) = (place.checkpoint("killed"), Instant::now());
    while !fs::exists(&checkpoint).unwrap() {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint in a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // So early that the whole is longer: a frame takes some milliseconds.
    let end = place.run("killed", &["--frames", FRAMES, "--export", "pc2", "--resume", &checkpoint]);
    assert!(end["resumed_from"].as_u64().unwrap() < 40, "killed too late: the test shows nothing");
    // The report has the frames of both.
    let numbers: Vec<u64> = end["frames"].as_array().unwrap().iter().filter_map(|f| f["frame"].as_u64()).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<u64>>());
    assert_eq!(whole["state_hash"], end["state_hash"]);
    for name in ["cloth.pc2", "cloth.obj"] {
        assert!(
            fs::read(place.out("whole").join(name)).unwrap() == fs::read(place.out("killed").join(name)).unwrap(),
            "{name}"
        );
    }
}

/// What is no checkpoint, is cut off or damaged, of another version, another scene or another kind of device is refused with the
/// file, what is wrong and what to do.
#[test]
fn what_does_not_fit_is_refused() {
    let place = Place::new();
    place.run("good", &["--frames", "2", "--checkpoint-every", "1"]);
    let good = place.checkpoint("good");
    let bytes = fs::read(&good).unwrap();
    let bad = place.out("bad.pliant");
    let bad_name = bad.to_str().unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&bad, bytes).unwrap();
        place.refused(&["--resume", bad_name])
    };
    let has = |message: String, parts: &[&str]| {
        for part in parts {
            assert!(message.contains(part), "{message} does not say {part}");
        }
    };
    has(place.refused(&["--resume", "none.pliant"]), &["none.pliant: there is no such file", "--checkpoint-every"]);
    has(place.refused(&["--resume", "/dev/zero"]), &["/dev/zero: this is a device or a pipe", "--checkpoint-every"]);
    has(refused(b"solid cube"), &["bad.pliant: this is not a checkpoint; give the path of a file"]);
    has(refused(b""), &["this is not a checkpoint"]);
    has(refused(&bytes[..25]), &["the checkpoint is cut off; start again without --resume"]);
    has(refused(&bytes[..bytes.len() - 1]), &["the checkpoint is cut off"]);
    let with = |at: usize, bits: u8| {
        let mut changed = bytes.clone();
        changed[at] ^= bits;
        changed
    };
    has(refused(&with(18, 1)), &["the checkpoint has version 7, and this program reads version 6"]);
    has(refused(&with(bytes.len() / 2, 4)), &["the checkpoint is damaged"]);
    has(
        place.refused(&["--resume", &good, "--device", "reference"]),
        &["not made by the reference solver; remove `--device reference`"],
    );
    fs::write(&place.scene, SCENE.replace("substeps = 8", "substeps = 9")).unwrap();
    has(
        place.refused(&["--resume", &good]),
        &["good/checkpoint.pliant: the checkpoint belongs to another scene, or the scene has"],
    );
    has(place.refused(&["--checkpoint-every", "0"]), &["0 is not in 1.."]);
}
