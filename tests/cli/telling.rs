//! What the command tells: `check`, `scenes`, `info`.

use std::path::Path;

use crate::place::{CLOTH, Place, json, run};

/// `check` prints what a scene holds and what substeps it wants.
#[test]
fn check_describes() {
    let stiff = CLOTH.replace("columns = 8, rows = 8", "columns = 64, rows = 64").replace("1e-6", "1e-8");
    let plain = stiff.replace("[[body]]", "[solver]\nnested = false\n[[body]]");
    for (scene, parts) in [
        (stiff, ["levels: over 1 sheet, ", "memory: about 2.0 MiB", "substeps: 10 given; enough"]),
        (plain, ["colours\n", "memory: about 1.1 MiB", "substeps: 10 given; about"]),
    ] {
        let place = Place::new(&scene);
        let ran = run(&["check", &place.scene]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for part in ["particles: 4096, 2 of them fixed", "distance in"].iter().chain(&parts) {
            assert!(ran.out.contains(part), "{part}: {}", ran.out);
        }
    }
}

/// What levels take is told by `check`, by `run` and in the report, and counts as memory.
#[test]
fn levels_are_told() {
    let cloth = CLOTH.replace("columns = 8, rows = 8", "columns = 64, rows = 64");
    let [plain, nested] = ["false", "true"]
        .map(|wish| Place::new(&cloth.replace("[[body]]", &format!("[solver]\nnested = {wish}\n[[body]]"))));
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

/// Who asks for levels where there can be none hears it.
#[test]
fn levels_that_cannot_be_are_told() {
    let strained = CLOTH.replace("stretch_compliance", "stretch = \"strain\"\nstretch_compliance");
    let place = Place::new(&strained.replace("[[body]]", "[solver]\nnested = true\n[[body]]"));
    let ran = run(&["check", &place.scene]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(format!("{}{}", ran.out, ran.err).contains("no body can have levels"), "{}{}", ran.out, ran.err);
}

/// The gallery is listed with descriptions, and every third scene of it is valid: all are built by other tests.
#[test]
fn gallery_is_valid() {
    let ran = run(&["scenes"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.lines().count() >= 5);
    for line in ran.out.lines() {
        let (name, description) = line.split_once(' ').unwrap();
        assert!(!description.trim().is_empty(), "{name}");
    }
    for line in ran.out.lines().step_by(3) {
        let name = line.split(' ').next().unwrap();
        let check = run(&["check", name]);
        assert_eq!(check.code, 0, "{name}: {}", check.err);
    }
}

/// `scenes --names` prints names alone; `scenes NAME` the text of one, which is a scene; a wrong name is told with the
/// nearest.
#[test]
fn gallery_can_be_read() {
    let names = run(&["scenes", "--names"]);
    assert_eq!(names.code, 0, "{}", names.err);
    let listed = run(&["scenes"]).out;
    let first = |line: &str| line.split_whitespace().next().unwrap().to_string();
    assert_eq!(names.out.lines().collect::<Vec<_>>(), listed.lines().map(first).collect::<Vec<_>>());
    let text = run(&["scenes", "chain"]);
    assert_eq!(text.code, 0, "{}", text.err);
    let place = Place::new(&text.out);
    assert_eq!(run(&["check", &place.scene]).code, 0);
    let wrong = run(&["scenes", "chian"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert!(wrong.err.contains("did you mean 'chain'?"), "{}", wrong.err);
}

/// `info` lists an adapter with its limits, and which one `--device gpu` means.
#[test]
fn info_lists_adapters() {
    let ran = run(&["info"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "--device gpu",
        "backend",
        "storage buffers",
        "workgroup",
        "features",
        "large bodies by",
        "--device cpu",
        "lanes",
        "thread",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}
