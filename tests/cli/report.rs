//! What a run writes: reports, tables, pictures; and that engines and repetitions agree.

use serde_json::Value;
use std::path::Path;

use crate::place::{CLOTH, Place, json, pliant, ran, run};

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
    assert!(ran.err.contains("no body of this scene has a strain or stress to show"), "{}", ran.err);
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

/// Where nothing is said a software adapter leaves the work to the CPU engine, also where it draws.
#[test]
fn software_adapters_leave_solving_to_the_cpu() {
    let best = pollster::block_on(pliant::device::adapters()).first().map(|adapter| adapter.get_info()).unwrap();
    let place = Place::new(CLOTH);
    for pictures in [&[][..], &["--render", "--size", "64x36", "--out", &place.name("out")]] {
        let path = place.name("report.json");
        let ran = run(&[&["run", &place.scene, "--frames", "1", "--report", &path][..], pictures].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let software = best.device_type == pliant::wgpu::DeviceType::Cpu;
        assert_eq!(json(Path::new(&path))["adapter"], if software { "cpu" } else { &best.name });
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

/// A scene of survey coordinates is simulated about another origin, which the report tells; its places, and those of tables, are the scene's. A metre of
/// fall is the same there as here to a thousandth of a millimetre.
#[test]
fn far_scenes_report_their_own_coordinates() {
    let fall = |x: f64| {
        let body = format!("[[body]]\nkind = \"particles\"\npositions = [[{x}, 0, 0]]\nvelocities = [[1, 0, 0]]\n");
        let place = Place::new(&body);
        let [report, table] = ["report.json", "positions.csv"].map(|name| place.name(name));
        let options = ["--frames", "30", "--device", "cpu", "--report", &report, "--positions", &table];
        let ran = run(&[&["run", &*place.scene], &options[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let report = json(Path::new(&report));
        let centroid: Vec<f64> = (0..3).map(|axis| report["frames"][29]["centroid"][axis].as_f64().unwrap()).collect();
        let row = std::fs::read_to_string(&table).unwrap().lines().nth(1).unwrap().to_string();
        let row: Vec<f64> = row.split(',').map(|word| word.parse().unwrap()).collect();
        assert!((0..3).all(|axis| (row[1 + axis] - centroid[axis]).abs() < 1e-9), "{row:?} {centroid:?}");
        assert_eq!(report["frames"][29]["min"], report["frames"][29]["max"]);
        (report["origin_m"].clone(), [centroid[0] - x, centroid[1]], ran.err)
    };
    let (none, near, _) = fall(0.5);
    let (origin, far, told) = fall(500_000.5);
    assert!(none.is_null() && origin == serde_json::json!([500_000.0, 0.0, 0.0]), "{none} {origin}");
    assert!(told.contains("relative to [500000, 0, 0] m"), "{told}");
    assert!((0..2).all(|axis| (near[axis] - far[axis]).abs() < 1e-6), "{near:?} {far:?}");
}
