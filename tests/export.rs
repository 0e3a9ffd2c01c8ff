//! Frames written for other programs, read back by readers that are not ours and held against the run's own tables.
#![cfg(feature = "cli")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use pliant::elements::Fields;
use pliant::export::{Exports, Format};
use pliant::model::State;
use pliant::reference::Reference;
use pliant::scene::Scene;
use pliant::{Model, Plan};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Ply, Property};
use serde_json::Value;
use tempfile::TempDir;

/// A surface, and loose particles with a name that is no file's.
const SCENE: &str = r#"
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 5, rows = 4, width = 1.0, height = 0.7 } }
mass = 1.0
pin = ["top-left"]
stretch_compliance = 1e-6
[[body]]
name = "a/chain"
kind = "particles"
positions = [[3, 0, 0], [3.3, 0, 0], [3.7, 0, 0]]
masses = [0, 1, 1]
[[body.constraint]]
kind = "distance"
particles = [[0, 1], [1, 2]]
"#;
const CLOTH_PARTICLES: usize = 20;
const CLOTH_TRIANGLES: usize = 24;
const PARTICLES: usize = 23;

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

/// A folder with a scene in it, and one that runs write to.
struct Place {
    folder: TempDir,
    scene: String,
    out: PathBuf,
}

impl Place {
    fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        fs::write(&path, scene).unwrap();
        Self { scene: path.to_str().unwrap().to_string(), out: folder.path().join("out"), folder }
    }

    /// `pliant run` with some frames and options; in double precision where they say nothing else.
    fn command(&self, frames: u32, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(["run", &self.scene, "--frames", &frames.to_string(), "--out"]).arg(&self.out);
        if !options.contains(&"--device") {
            command.args(["--device", "reference"]);
        }
        command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, frames: u32, options: &[&str]) -> (i32, String) {
        ended(self.command(frames, options).output().unwrap())
    }

    fn files(&self) -> Vec<String> {
        names(&self.out)
    }

    fn model(&self) -> Model {
        Scene::load(&self.scene).unwrap().build().unwrap().model
    }
}

/// Exit code and messages.
fn ended(output: Output) -> (i32, String) {
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Positions and velocities of a `--positions` table, as single precision.
fn table(path: &Path) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|row| row.split(',').map(|field| field.parse::<f64>().unwrap() as f32));
    rows.map(|row| row.skip(1).collect::<Vec<f32>>())
        .map(|row| ([row[0], row[1], row[2]], [row[3], row[4], row[5]]))
        .unzip()
}

fn singles(positions: &[[f64; 3]]) -> Vec<[f32; 3]> {
    positions.iter().map(|position| position.map(|value| value as f32)).collect()
}

/// A point cache as its format defines it.
struct PointCache {
    points: usize,
    start_and_rate: [f32; 2],
    samples: Vec<Vec<[f32; 3]>>,
}

fn read_pc2(path: &Path) -> PointCache {
    let bytes = fs::read(path).unwrap();
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    assert_eq!(i32::from_le_bytes(word(12)), 1);
    let [points, samples] = [16, 28].map(|at| usize::try_from(i32::from_le_bytes(word(at))).unwrap());
    assert_eq!(bytes.len(), 32 + samples * points * 12, "the header tells how many samples there are");
    let position = |at: usize| [0, 4, 8].map(|axis| f32::from_le_bytes(word(at + axis)));
    let sample = |number| (0..points).map(|point| position(32 + (number * points + point) * 12)).collect();
    let start_and_rate = [20, 24].map(|at| f32::from_le_bytes(word(at)));
    PointCache { points, start_and_rate, samples: (0..samples).map(sample).collect() }
}

fn read_ply(path: &Path) -> Ply<DefaultElement> {
    Parser::<DefaultElement>::new().read_ply(&mut File::open(path).unwrap()).unwrap()
}

fn ply_vectors(ply: &Ply<DefaultElement>, keys: [&str; 3]) -> Vec<[f32; 3]> {
    let number = |vertex: &DefaultElement, key| match vertex[key] {
        Property::Float(value) => value,
        ref other => panic!("{key}: {other:?}"),
    };
    ply.payload["vertex"].iter().map(|vertex| keys.map(|key| number(vertex, key))).collect()
}

/// The triangles that the scene's grid has, over the particles of the model.
fn grid_triangles(place: &Place) -> Vec<[u32; 3]> {
    let triangles = place.model().bodies[0].triangles.clone();
    assert_eq!(triangles.len(), CLOTH_TRIANGLES);
    triangles
}

fn run_with_table(formats: &[&str]) -> (Place, Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let place = Place::new(SCENE);
    let table_path = place.folder.path().join("positions.csv");
    let mut options = vec!["--positions", table_path.to_str().unwrap()];
    formats.iter().for_each(|format| options.extend(["--export", format]));
    let (code, message) = place.run(3, &options);
    assert_eq!(code, 0, "{message}");
    let (positions, velocities) = table(&table_path);
    assert_eq!(positions.len(), PARTICLES);
    (place, positions, velocities)
}

/// Formats can be named one by one, by commas and twice; each frame is there from the start on, and nothing else.
#[test]
fn every_frame_of_every_format_is_written() {
    let (place, ..) = run_with_table(&["ply", "obj,pc2,ply"]);
    let mut expected = vec!["a_chain.obj", "a_chain.pc2", "cloth.obj", "cloth.pc2", "report.json"];
    let frames = (0..=3).flat_map(|frame| ["obj", "ply"].map(|extension| format!("frame_000{frame}.{extension}")));
    let frames: Vec<String> = frames.collect();
    expected.extend(frames.iter().map(String::as_str));
    expected.sort();
    assert_eq!(place.files(), expected);
}

/// A PLY reader finds all particles with the run's positions and velocities, and the surface's triangles.
#[test]
fn ply_comes_back() {
    let (place, positions, velocities) = run_with_table(&["ply"]);
    let last = read_ply(&place.out.join("frame_0003.ply"));
    assert_eq!(ply_vectors(&last, ["x", "y", "z"]), positions);
    assert_eq!(ply_vectors(&last, ["vx", "vy", "vz"]), velocities);
    let corners = |face: &DefaultElement| match &face["vertex_indices"] {
        Property::ListInt(corners) => {
            <[u32; 3]>::try_from(corners.iter().map(|&c| c as u32).collect::<Vec<_>>()).unwrap()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(last.payload["face"].iter().map(corners).collect::<Vec<_>>(), grid_triangles(&place));
    let comments = &last.header.comments;
    assert!(
        comments.iter().any(|comment| comment.ends_with("body a_chain: vertices from 20 up to 23")),
        "{comments:?}"
    );
    let first = read_ply(&place.out.join("frame_0000.ply"));
    assert_eq!(ply_vectors(&first, ["x", "y", "z"]), singles(&place.model().particles.positions));
}

/// Vertices of solids have the strain and stress of the run's particles, those of other bodies 0; without solids neither is there.
#[test]
fn ply_tells_strain_and_stress_of_solids() {
    let solid = r#"
[[body]]
name = "jelly"
kind = "soft"
mesh = { box = { cells = [2, 1, 1], size = [0.4, 0.2, 0.2] } }
young_modulus = 2e4
density = 1000
pin = [{ box = [[-0.21, -1, -1], [-0.19, 1, 1]] }]
"#;
    let place = Place::new(&format!("{solid}{SCENE}"));
    let (code, message) = place.run(4, &["--export", "ply"]);
    assert_eq!(code, 0, "{message}");
    let model = place.model();
    let mut reference = Reference::new(&model, &Plan::new(&model));
    (0..4).for_each(|_| reference.step());
    let fields = Fields::of(&model, &reference.state());
    let file = read_ply(&place.out.join("frame_0004.ply"));
    let vertices = &file.payload["vertex"];
    assert_eq!(vertices.len(), 12 + PARTICLES);
    for (key, field) in [("strain", &fields.strain), ("stress", &fields.stress)] {
        let single = |value: &Option<f64>| Property::Float(value.unwrap_or(0.0) as f32);
        assert!(vertices.iter().zip(field).all(|(vertex, value)| vertex[key] == single(value)), "{key}");
        assert!(field[..12].iter().all(|value| value.unwrap() > 0.0) && field[12..].iter().all(Option::is_none));
    }
    let (place, ..) = run_with_table(&["ply"]);
    assert!(!read_ply(&place.out.join("frame_0003.ply")).payload["vertex"][0].contains_key("strain"));
}

/// The objects of an OBJ file. The reader knows points, but not the statement `p` by which the format says them, only a face
/// of one corner.
fn read_obj(path: &Path) -> Vec<tobj::Model> {
    let text = fs::read_to_string(path).unwrap().replace("\np ", "\nf ");
    tobj::load_obj_buf(&mut text.as_bytes(), &tobj::LoadOptions::default(), |_| unreachable!()).unwrap().0
}

/// An OBJ reader finds an object for each body by its name: the surface's triangles, and loose particles as points, at
/// the run's positions.
#[test]
fn obj_comes_back() {
    let (place, positions, _) = run_with_table(&["obj"]);
    let objects = read_obj(&place.out.join("frame_0003.obj"));
    assert_eq!(objects.iter().map(|object| object.name.as_str()).collect::<Vec<_>>(), ["cloth", "a_chain"]);
    let corners: Vec<u32> = grid_triangles(&place).concat();
    let points: Vec<u32> = (CLOTH_PARTICLES as u32..PARTICLES as u32).collect();
    for (object, expected) in objects.iter().zip([corners, points]) {
        // The reader numbers vertices as it meets them; what stands at each corner is what counts.
        let (vertices, _) = object.mesh.positions.as_chunks::<3>();
        let found: Vec<[f32; 3]> = object.mesh.indices.iter().map(|&index| vertices[index as usize]).collect();
        let expected: Vec<[f32; 3]> = expected.iter().map(|&particle| positions[particle as usize]).collect();
        assert_eq!(found, expected, "{}", object.name);
    }
    assert!(objects[0].mesh.face_arities.iter().all(|&arity| arity == 3));
    assert_eq!(objects[1].mesh.face_arities, [1, 1, 1]);
}

/// A point cache holds a sample for each frame from the start on, in the order of the vertices of the mesh beside it.
#[test]
fn pc2_comes_back() {
    let (place, positions, _) = run_with_table(&["pc2"]);
    let model = place.model();
    let start = singles(&model.particles.positions);
    for (name, range) in [("cloth", 0..CLOTH_PARTICLES), ("a_chain", CLOTH_PARTICLES..PARTICLES)] {
        let cache = read_pc2(&place.out.join(name).with_extension("pc2"));
        assert_eq!((cache.points, cache.samples.len(), cache.start_and_rate), (range.len(), 4, [0.0, 1.0]));
        assert_eq!(cache.samples[0], start[range.clone()]);
        assert_eq!(cache.samples[3], positions[range.clone()]);
        let mesh = fs::read_to_string(place.out.join(name).with_extension("obj")).unwrap();
        let lines = mesh.lines().filter_map(|line| line.strip_prefix("v "));
        let vertices: Vec<Vec<f32>> =
            lines.map(|line| line.split(' ').map(|field| field.parse().unwrap()).collect()).collect();
        assert_eq!(vertices, start[range]);
    }
    let objects = read_obj(&place.out.join("cloth.obj"));
    assert_eq!((objects.len(), objects[0].mesh.indices.len()), (1, 3 * CLOTH_TRIANGLES));
}

/// A scene without a surface gives files that readers take too.
#[test]
fn loose_particles_alone() {
    let place = Place::new(BLOW_UP);
    let (code, message) = place.run(1, &["--export", "ply,obj,pc2"]);
    assert_eq!(code, 0, "{message}");
    let ply = read_ply(&place.out.join("frame_0001.ply"));
    assert_eq!((ply.payload["vertex"].len(), ply.header.elements["face"].count), (2, 0));
    let objects = read_obj(&place.out.join("frame_0001.obj"));
    assert_eq!((objects.len(), objects[0].mesh.positions.len()), (1, 6));
    assert_eq!(read_pc2(&place.out.join("mass.pc2")).samples.len(), 2);
}

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

/// A made-up state in which every coordinate of every frame is another.
fn state(frame: u64, shift: f64) -> State {
    let positions =
        (0..PARTICLES).map(|particle| [0.0, 1.0, 2.0].map(|axis| axis + particle as f64 + 100.0 * frame as f64));
    let positions: Vec<[f64; 3]> = positions.map(|position| position.map(|value| value + shift)).collect();
    State { frame, velocities: positions.clone(), positions, ..State::default() }
}

/// Writes point caches of a number of frames into a folder, and completes them or abandons them as a killed process does.
fn write_caches(folder: &Path, model: &Model, frames: u64, finish: bool) {
    let mut exports = Exports::create(&[Format::Pc2], folder, model).unwrap();
    (0..frames).for_each(|frame| exports.frame(&state(frame, 0.0)).unwrap());
    if finish {
        exports.finish().unwrap();
    }
}

/// A cut part, one whose last sample is half there and a cache that an interrupted run completed are gone on with alike.
#[test]
fn caches_are_taken_up() {
    let place = Place::new(SCENE);
    let model = place.model();
    let unbroken = place.folder.path().join("unbroken");
    write_caches(&unbroken, &model, 6, true);
    for (number, (frames, rest, finished)) in
        [(3, 0, false), (5, 0, false), (4, 7, false), (5, 0, true)].into_iter().enumerate()
    {
        let folder = place.folder.path().join(number.to_string());
        write_caches(&folder, &model, frames, finished);
        if rest > 0 {
            let path = folder.join("cloth.pc2.part");
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, [bytes, vec![9; rest]].concat()).unwrap();
        }
        let mut exports = Exports::resume(&[Format::Pc2], &folder, &model, &state(2, 0.0)).unwrap();
        (3..6).for_each(|frame| exports.frame(&state(frame, 0.0)).unwrap());
        exports.finish().unwrap();
        assert_eq!(names(&folder), names(&unbroken));
        for name in names(&unbroken) {
            assert!(
                fs::read(unbroken.join(&name)).unwrap() == fs::read(folder.join(&name)).unwrap(),
                "{number}: {name}"
            );
        }
    }
}

/// What cannot be gone on with is told by its path, what is wrong and what to do, and stays as it is.
#[test]
fn caches_that_do_not_fit_are_refused() {
    let place = Place::new(SCENE);
    let model = place.model();
    let refused = |folder: &Path, model: &Model, state: &State| {
        let before = names(folder);
        let message = Exports::resume(&[Format::Pc2], folder, model, state).err().unwrap().to_string();
        assert!(message.contains("pc2.part") && message.contains("from its start"), "{message}");
        assert_eq!(names(folder), before);
        message
    };
    let folder = place.folder.path().join("caches");
    fs::create_dir(&folder).unwrap();
    assert!(refused(&folder, &model, &state(1, 0.0)).contains("is not there"));
    write_caches(&folder, &model, 3, false);
    let bytes = fs::read(folder.join("cloth.pc2.part")).unwrap();
    assert!(refused(&folder, &model, &state(3, 0.0)).contains("does not reach to frame 3"));
    assert!(refused(&folder, &model, &state(2, 0.5)).contains("another run"));
    let other = Place::new(&SCENE.replace("columns = 5, rows = 4", "columns = 2, rows = 4")).model();
    assert!(refused(&folder, &other, &state(1, 0.0)).contains("no point cache of body 'cloth' with 8 particles"));
    assert_eq!(fs::read(folder.join("cloth.pc2.part")).unwrap(), bytes);
}

/// A point cache takes every frame in its order; one that got none leaves no file.
#[test]
fn caches_take_frames_in_order() {
    let place = Place::new(SCENE);
    let model = place.model();
    let mut exports = Exports::create(&[Format::Pc2], &place.out, &model).unwrap();
    let message = exports.frame(&state(1, 0.0)).unwrap_err().to_string();
    assert!(message.contains("frame 1 came where frame 0 belongs"), "{message}");
    exports.finish().unwrap();
    assert_eq!(place.files(), [] as [&str; 0]);
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

/// Beside a strip whose ends are drawn apart until it tears, a cloth that stays whole.
const WHOLE: &str = r#"
[[body]]
name = "whole"
kind = "cloth"
mesh = { grid = { columns = 2, rows = 2, width = 1.0, height = 1.0 } }
position = [0, 0, 2]
"#;

/// A torn cloth is written torn: with the vertices that the tear has made and without the triangles that it has dropped, each
/// corner where the particle is, in PLY and OBJ alike; a point cache is refused.
#[test]
fn torn_cloth_is_written_torn() {
    let place = Place::new(&format!("{}{WHOLE}", include_str!("scenes/torn_strip.toml")));
    let model = place.model();
    let mut reference = Reference::new(&model, &Plan::new(&model));
    let folder = place.out.clone();
    let mut exports = Exports::create(&[Format::Ply, Format::Obj], &folder, &model).unwrap();
    for _ in 0..40 {
        reference.step();
    }
    let state = reference.state();
    let torn = state.torn.as_ref().expect("a tear");
    assert!(state.positions.len() > model.placed_particles() && !torn.dropped.is_empty());
    exports.frame(&state).unwrap();
    exports.finish().unwrap();

    let now = model.torn(&state);
    let expected: Vec<Vec<[[f32; 3]; 3]>> = now
        .bodies
        .iter()
        .map(|body| body.triangles.iter().map(|t| t.map(|p| state.positions[p as usize].map(|x| x as f32))).collect())
        .collect();
    assert_eq!(expected[0].len() + torn.dropped.len(), 96);
    assert_eq!(expected[1].len(), 2);
    let ply = read_ply(&folder.join("frame_0040.ply"));
    let places = ply_vectors(&ply, ["x", "y", "z"]);
    assert_eq!(places.len(), state.positions.len());
    let faces: Vec<[[f32; 3]; 3]> = ply.payload["face"]
        .iter()
        .map(|face| match &face["vertex_indices"] {
            Property::ListInt(corners) => std::array::from_fn(|k| places[corners[k] as usize]),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(faces, expected.concat());
    for (object, expected) in read_obj(&folder.join("frame_0040.obj")).iter().zip(&expected) {
        let (vertices, _) = object.mesh.positions.as_chunks::<3>();
        let (faces, _) = object.mesh.indices.as_chunks::<3>();
        let faces: Vec<[[f32; 3]; 3]> = faces.iter().map(|face| face.map(|corner| vertices[corner as usize])).collect();
        assert_eq!(&faces, expected);
    }
    let refused = Exports::create(&[Format::Pc2], &folder, &model).err().expect("a refusal").to_string();
    assert!(refused.contains("export ply or obj"), "{refused}");
}

/// A picture of a torn strip shows the background where it is torn, also when the CPU has torn it.
#[test]
fn a_tear_is_seen() {
    let camera = "camera = { eye = [0.3, -0.2, 4.0], target = [0.3, -0.2, 0.0] }\n";
    let place = Place::new(&format!("{camera}{}", include_str!("scenes/torn_strip.toml")));
    let red = |out: &Path, frame: u32| {
        let picture = image::open(out.join(format!("frame_{frame:04}.png"))).unwrap().to_rgb8();
        // The strip is madder, the sky grey: columns of the picture in which something is red.
        let is_red = |pixel: &image::Rgb<u8>| i32::from(pixel[0]) > i32::from(pixel[2]) + 40;
        (0..picture.width()).map(|x| (0..picture.height()).any(|y| is_red(picture.get_pixel(x, y)))).collect::<Vec<_>>()
    };
    for device in ["gpu", "reference"] {
        let (code, message) = place.run(40, &["--device", device, "--render", "--size", "240x60"]);
        assert_eq!(code, 0, "{message}");
        let runs = |frame| red(&place.out, frame).chunk_by(|a, b| a == b).filter(|run| run[0]).count();
        assert_eq!(runs(1), 1, "{device}: one piece");
        assert_eq!(runs(40), 2, "{device}: two pieces, and a gap");
    }
}

/// A rope, a solid with a skin, and a cloth after it, whose vertices come after the skin's.
const SKINNED: &str = r#"
[[body]]
name = "rope"
kind = "rope"
mesh = { line = { from = [0, 2, 0], to = [1, 2, 0], segments = 3 } }
[[body]]
name = "ball"
kind = "soft"
young_modulus = 1e4
mesh = { surface = { sphere = { radius = 0.2, segments = 10 } }, cell = 0.15 }
angular_velocity = [0, 3, 0]
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 3, rows = 3, width = 1.0, height = 1.0 } }
"#;

/// Of a solid with a skin every format holds the skin, where its particles have it, and not the particles; bodies before and after keep
/// theirs.
#[test]
fn skins_come_back() {
    let place = Place::new(SKINNED);
    let table_path = place.folder.path().join("positions.csv");
    let options = ["--positions", table_path.to_str().unwrap(), "--export", "ply,obj,pc2"];
    let (code, message) = place.run(3, &options);
    assert_eq!(code, 0, "{message}");
    let model = place.model();
    let skin = model.bodies[1].skin.as_ref().unwrap();
    let wide = |values: Vec<[f32; 3]>| values.into_iter().map(|v| v.map(f64::from)).collect::<Vec<_>>();
    let (positions, velocities) = table(&table_path);
    // The table is in single precision, and an exporter starts from double: they differ by a rounding or two of numbers below 2 m.
    let shown = |values: Vec<[f32; 3]>| {
        let values = wide(values);
        let range =
            |body: usize| model.bodies[body].particles.start as usize..model.bodies[body].particles.end as usize;
        [values[range(0)].to_vec(), skin.interpolate(&values), values[range(2)].to_vec()]
    };
    let near = |found: &[[f32; 3]], expected: &[[f64; 3]]| {
        assert_eq!(found.len(), expected.len());
        let apart = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (f64::from(*a) - b).abs());
        let largest = apart.fold(0.0, f64::max);
        assert!(largest < 1e-6, "{largest}");
    };
    let (positions, velocities) = (shown(positions), shown(velocities));
    let ply = read_ply(&place.out.join("frame_0003.ply"));
    near(&ply_vectors(&ply, ["x", "y", "z"]), &positions.concat());
    near(&ply_vectors(&ply, ["vx", "vy", "vz"]), &velocities.concat());
    assert_eq!(ply.payload["face"].len(), skin.triangles.len() + 8);
    let highest = |face: &DefaultElement| match &face["vertex_indices"] {
        Property::ListInt(corners) => corners.iter().copied().max().unwrap() as usize,
        other => panic!("{other:?}"),
    };
    let (ball, cloth) = ply.payload["face"].split_at(skin.triangles.len());
    assert_eq!(ball.iter().map(highest).max(), Some(4 + skin.len() - 1));
    assert_eq!(cloth.iter().map(highest).max(), Some(4 + skin.len() + 9 - 1));
    let comments = &ply.header.comments;
    assert!(comments.iter().any(|comment| comment.ends_with(&format!(
        "cloth: vertices from {} up to {}",
        4 + skin.len(),
        13 + skin.len()
    ))));

    let objects = read_obj(&place.out.join("frame_0003.obj"));
    for (object, (triangles, vertices)) in objects[1..].iter().zip([
        (&skin.triangles, &positions[1]),
        (
            &model.bodies[2].triangles.iter().map(|t| t.map(|p| p - model.bodies[2].particles.start)).collect(),
            &positions[2],
        ),
    ]) {
        let (found, _) = object.mesh.positions.as_chunks::<3>();
        let found: Vec<[f32; 3]> = object.mesh.indices.iter().map(|&index| found[index as usize]).collect();
        let expected: Vec<[f64; 3]> = triangles.iter().flatten().map(|&v| vertices[v as usize]).collect();
        near(&found, &expected);
    }
    let cache = read_pc2(&place.out.join("ball.pc2"));
    assert_eq!((cache.points, cache.samples.len()), (skin.len(), 4));
    near(&cache.samples[3], &positions[1]);
}
