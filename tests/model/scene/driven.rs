//! Driven bodies: where point caches and glTF animations put their vertices, and every message for what they may not say.

use std::fs;

use pliant::model::{Animation, Model};
use pliant::scene::{Built, Scene, SceneError};
use tempfile::TempDir;

use super::close;
use crate::moving_glb::{Glb, arm, pc2};

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Two triangles that share an edge. The file has a vertex that no face uses, and one twice.
const SHEET: &str = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nf 1 3 4\nf 5 6 4\n";

/// A folder with some files, and what a scene makes of a driven body with these lines in it.
fn try_built(files: &[(&str, &[u8])], lines: &str) -> Result<Built, SceneError> {
    let folder = TempDir::new().expect("a folder");
    files.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).expect("a file"));
    let text = format!("[[body]]\nkind = \"driven\"\nname = \"dancer\"\n{lines}\n");
    Scene::parse(&text, "test.toml", folder.path()).and_then(|scene| scene.build())
}

fn built(files: &[(&str, &[u8])], lines: &str) -> Model {
    try_built(files, lines).unwrap_or_else(|error| panic!("{error}")).model
}

/// Checks that a body is refused in the line that ends with `#!`, with all of the words.
#[track_caller]
fn refused(files: &[(&str, &[u8])], lines: &str, words: &[&str]) {
    let line = 4 + lines.lines().position(|line| line.ends_with("#!")).expect("a line ends with #!");
    let message = match try_built(files, lines) {
        Ok(_) => panic!("this was accepted:\n{lines}"),
        Err(error) => error.to_string(),
    };
    assert!(message.starts_with(&format!("test.toml:{line}:")), "line {line}: {message}");
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

/// Where the particles of an animation are at a time, m.
fn places(model: &Model, seconds: f64) -> Vec<[f64; 3]> {
    let [Animation { particles, .. }] = &model.animations[..] else { panic!("one animation") };
    let placed = particles.iter().map(|&particle| model.particles.positions[particle as usize]);
    let moved = placed.zip(model.animations[0].at(seconds));
    moved.map(|(place, way)| std::array::from_fn(|i| place[i] + way[i])).collect()
}

#[track_caller]
fn assert_at(model: &Model, seconds: f64, expected: &[[f64; 3]]) {
    let found = places(model, seconds);
    // Files have single precision.
    let near = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{seconds} s: {found:?}");
}

/// Three samples for the six points of the sheet, which rises along z by 1 m and then by 2 m.
fn rising() -> Vec<u8> {
    let at = |z: f32| [[0.0, 0.0, z], [9.0, 9.0, z], [1.0, 0.0, z], [0.0, 1.0, z], [1.0, 0.0, z], [1.0, 1.0, z]];
    let samples = [0.0, 1.0, 3.0].map(at);
    pc2(&samples.each_ref().map(|sample| &sample[..]), 2.0)
}

/// A point cache moves the vertices that faces use, as the file numbers them; its samples lie two frames of the scene
/// apart. The body's transform applies to all samples, and its particles are fixed.
#[test]
fn point_caches_move_the_vertices_of_their_mesh() {
    let files: [(&str, &[u8]); 2] = [("sheet.obj", SHEET.as_bytes()), ("walk.pc2", &rising())];
    let keys = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\" }";
    let at = |z: f64| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z], [1.0, 1.0, z]];
    let model = built(&files, keys);
    assert!(model.particles.inverse_masses.iter().all(|&w| w == 0.0));
    for (frame, z) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 2.0), (4, 3.0), (99, 3.0)] {
        assert_at(&model, f64::from(frame) / 60.0, &at(z));
    }
    let moved = built(&files, &format!("{keys}\nscale = 2\nrotation = [1, 0, 0, 1]\nposition = [0, 0, 5]"));
    // A quarter turn about x takes y to z and z to -y.
    assert_at(&moved, 2.0 / 60.0, &at(1.0).map(|[x, y, z]| [2.0 * x, -2.0 * z, 5.0 + 2.0 * y]));
    let own = built(&files, "mesh = { file = \"sheet.obj\" }\nanimation = { file = \"walk.pc2\", frame_rate = 2 }");
    assert_at(&own, 1.0, &at(1.0));
}

/// A body waits for its start, goes faster by its speed, and begins anew where it is to.
#[test]
fn start_speed_and_loop() {
    let files: [(&str, &[u8]); 2] = [("sheet.obj", SHEET.as_bytes()), ("walk.pc2", &rising())];
    let keys = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\", frame_rate = 2 }\nstart = 1\nspeed = 4";
    let height = |model: &Model, seconds: f64| places(model, seconds)[0][2];
    let model = built(&files, keys);
    let found = [0.5, 1.0, 1.125, 1.25, 1.5, 4.0].map(|seconds| height(&model, seconds));
    assert_eq!(found, [0.0, 0.0, 0.5, 1.0, 3.0, 3.0]);
    let Built { model, notes } = try_built(&files, &format!("{keys}\nloop = true")).unwrap();
    let found = [1.25, 1.5, 1.625, 1.75, 2.25].map(|seconds| height(&model, seconds));
    assert_eq!(found, [1.0, 0.0, 0.5, 1.0, 1.0]);
    assert!(notes.iter().any(|note| note.contains("begins anew with a jump of 3 m")), "{notes:?}");
}

/// Two joints, by hand: at 45° and 90° the tip goes round the second joint, and what follows both lies halfway between
/// where each would take it. The place of the mesh's own node does not count.
#[test]
fn bones_bend_a_mesh() {
    let arm = arm();
    let files: [(&str, &[u8]); 1] = [("arm.glb", &arm)];
    let model = built(&files, "animation = { file = \"arm.glb\", clip = \"Bend\" }");
    assert_at(&model, 0.0, &[[0.0; 3], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_at(&model, 0.5, &[[0.0; 3], [0.5 + 0.5 * HALF, 1.0 + 0.5 * HALF, 0.0], [-HALF, 1.0 + HALF, 0.0]]);
    assert_at(&model, 1.0, &[[0.0; 3], [0.5, 1.5, 0.0], [-1.0, 1.0, 0.0]]);
    assert_at(&model, 7.0, &[[0.0; 3], [0.5, 1.5, 0.0], [-1.0, 1.0, 0.0]]);
}

/// Steps hold until the next key, and a spline goes by Hermite's formula: half of the second value and an eighth of the
/// first tangent in the middle.
#[test]
fn keys_hold_and_curve() {
    let arm = arm();
    let files: [(&str, &[u8]); 1] = [("arm.glb", &arm)];
    let x = |clip: &str, seconds: f64| {
        let model = built(&files, &format!("animation = {{ file = \"arm.glb\", clip = \"{clip}\" }}"));
        places(&model, seconds)[0][0]
    };
    assert_eq!([0.5, 59.0 / 60.0, 1.0].map(|seconds| x("Step", seconds)), [0.0, 0.0, 1.0]);
    assert!((x("Spline", 0.5) - 1.0).abs() < 1e-6, "{}", x("Spline", 0.5));
    assert!((x("Spline", 1.0) - 1.0).abs() < 1e-6);
}

/// A morph target moves a vertex by its weight, under the node of its mesh; the clip begins at its first key.
#[test]
fn morph_targets_shape_a_mesh() {
    let mut glb = Glb::default();
    let positions = glb.floats("VEC3", &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let target = glb.floats("VEC3", &[[0.0; 3], [0.0; 3], [0.0, 0.0, 3.0]]);
    let times = glb.floats("SCALAR", &[[2.0], [3.0]]);
    let weights = glb.floats("SCALAR", &[[0.0], [1.0]]);
    let file = glb.file(&format!(
        r#""meshes": [{{"primitives": [{{"attributes": {{"POSITION": {positions}}}, "targets": [{{"POSITION": {target}}}]}}]}}], "nodes": [{{"mesh": 0, "scale": [2, 2, 2]}}], "animations": [{{"channels": [{{"sampler": 0, "target": {{"node": 0, "path": "weights"}}}}], "samplers": [{{"input": {times}, "output": {weights}}}]}}]"#
    ));
    let model = built(&[("face.glb", &file)], "animation = { file = \"face.glb\" }");
    for (seconds, z) in [(0.0, 0.0), (0.5, 3.0), (1.0, 6.0)] {
        assert_at(&model, seconds, &[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, z]]);
    }
}

/// Faults of point caches: what is none, is cut off, has other points than the mesh, or numbers that no scene has.
#[test]
fn faults_of_point_caches() {
    let sound = rising();
    let keys = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\" } #!";
    let with = |cache: &[u8], words: &[&str]| {
        refused(&[("sheet.obj", SHEET.as_bytes()), ("walk.pc2", cache)], keys, words);
    };
    let changed = |at: usize, bytes: &[u8]| {
        let mut cache = sound.clone();
        cache[at..at + bytes.len()].copy_from_slice(bytes);
        cache
    };
    with(b"solid cube", &["walk.pc2", "is not a PC2 point cache"]);
    with(b"", &["is not a PC2 point cache"]);
    with(&sound[..20], &["ends in its header"]);
    with(&sound[..sound.len() - 1], &["the header says 248 bytes, and the file has 247", "it was cut off"]);
    with(&changed(12, &2_i32.to_le_bytes()), &["byte 12", "the version is 2, and version 1 is read"]);
    with(&changed(16, &5_i32.to_le_bytes()), &["the cache has 5 points, and the mesh has 6 vertices"]);
    with(&changed(16, &(-6_i32).to_le_bytes()), &["3 samples of -6 points"]);
    with(&changed(28, &i32::MAX.to_le_bytes()), &["it was cut off"]);
    with(&changed(24, &0_f32.to_le_bytes()), &["0 frames a sample"]);
    with(&changed(24, &f32::NAN.to_le_bytes()), &["NaN frames a sample"]);
    // The second sample of the first point.
    with(&changed(32 + 72, &f32::NAN.to_le_bytes()), &["sample 1: particle 0", "NaN"]);
    with(&changed(32 + 72, &1e30_f32.to_le_bytes()), &["sample 1: particle 0", "1e9 m"]);
    let files: [(&str, &[u8]); 2] = [("sheet.obj", SHEET.as_bytes()), ("walk.pc2", &sound)];
    refused(
        &files,
        "mesh = \"sheet.obj\"\nanimation = { file = \"run.pc2\" } #!",
        &["run.pc2", "there is no such file"],
    );
    let clip = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\", clip = \"Walk\" } #!";
    refused(&files, clip, &["animation.clip", "a point cache has no clips"]);
    let rate = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\", frame_rate = 0 } #!";
    refused(&files, rate, &["animation.frame_rate", "60 is usual"]);
    let obj = "animation = { file = \"sheet.obj\" } #!";
    refused(&files, obj, &["the file has no clips; name a .glb, .gltf or .pc2 file"]);
}

/// Faults of clips: those that are not there are told with those that are, and a file that is cut off or refers to what
/// it has not is refused.
#[test]
fn faults_of_clips() {
    let arm = arm();
    let with = |file: &[u8], keys: &str, words: &[&str]| refused(&[("arm.glb", file)], keys, words);
    let bend = "animation = { file = \"arm.glb\", clip = \"Bend\" } #!";
    let jump = "animation = { file = \"arm.glb\", clip = \"Jump\" } #!";
    with(&arm, jump, &["there is no clip 'Jump'", "name one of 'Bend', 'Step', 'Spline'"]);
    with(&arm, "animation = { file = \"arm.glb\" } #!", &["the file has 3 clips", "'Bend', 'Step', 'Spline'"]);
    with(&arm[..arm.len() - 8], bend, &["it was cut off"]);
    let rate = "animation = { file = \"arm.glb\", clip = \"Bend\", frame_rate = 24 } #!";
    with(&arm, rate, &["animation.frame_rate", "has times of its own"]);
    with(&arm, &format!("mesh = {{ file = \"other.glb\" }} #!\n{}", &bend[..bend.len() - 3]), &["mesh", "remove it"]);
    let changed = |from: &str, to: &str| {
        let text: Vec<u8> = from.bytes().collect();
        assert_eq!(from.len(), to.len());
        let at = arm.windows(text.len()).position(|window| window == text).expect("the text is there");
        [&arm[..at], to.as_bytes(), &arm[at + text.len()..]].concat()
    };
    with(&changed(r#""joints": [0, 1]"#, r#""joints": [0, 9]"#), bend, &["skin 0", "node 9 does not exist"]);
    with(&changed(r#""joints": [0, 1]"#, r#""joints": [0   ]"#), bend, &["vertex 1 follows joint 1, and there are 1"]);
    with(&changed(r#""skin": 0"#, r#""skin": 7"#), bend, &["skin 7 does not exist"]);
    with(&changed(r#""node": 1"#, r#""node": 8"#), bend, &["animation 0", "node 8 does not exist"]);
    with(&changed(r#""LINEAR""#, r#""LINEAL""#), bend, &["animation 0", "the interpolation LINEAL is unknown"]);
    with(&changed(r#""rotation""#, r#""weights" "#), bend, &["animation 0", "is not of type SCALAR"]);
    // The times, 0 s and 1 s, lie between the last matrix and the first rotation.
    let bytes = |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let times = bytes(&[1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let at = 4 + arm.windows(times.len()).position(|window| window == times).expect("times");
    let still = [&arm[..at], &bytes(&[1.0, 1.0]), &arm[at + 8..]].concat();
    let message = try_built(&[("arm.glb", &still)], bend).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("the times of a sampler do not ascend"), "{message}");
}

/// What only bodies that move by themselves have is refused, as is a body without an animation or a mesh.
#[test]
fn faults_of_driven_bodies() {
    let files: [(&str, &[u8]); 2] = [("sheet.obj", SHEET.as_bytes()), ("walk.pc2", &rising())];
    let keys = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\" }";
    for line in ["mass = 1", "density = 1", "material = \"wood\"", "velocity = [1, 0, 0]", "drag = 1", "pin = [0]"] {
        let key = line.split(' ').next().unwrap_or_default();
        refused(&files, &format!("{keys}\n{line} #!"), &[key, "which only its animation moves; remove it"]);
    }
    for (line, word) in [
        ("speed = 0", "1 is as fast as recorded"),
        ("speed = nan", "NaN"),
        ("start = -1", "the simulation begins at 0 s"),
        ("loop = 1", "must be true or false"),
        ("lop = true", "did you mean 'loop'?"),
    ] {
        refused(&files, &format!("{keys}\n{line} #!"), &[word]);
    }
    let message = try_built(&files, "mesh = \"sheet.obj\"").map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("has no `animation`; add for instance animation = { file"), "{message}");
    let message = try_built(&files, "animation = { file = \"walk.pc2\" }").map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("mesh: is missing"), "{message}");
}

/// A cloth whose middle is pinned over a driven sheet keeps its place over it while the sheet turns about x, and what
/// `to` names must be a driven body that nothing else is at odds with.
#[test]
fn pins_hold_to_a_driven_body() {
    let turned = |angle: f32| {
        let (sin, cos) = angle.sin_cos();
        let about_x = |[x, y, z]: [f32; 3]| [x, y * cos - z * sin, y * sin + z * cos];
        [[0.0; 3], [9.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]].map(about_x)
    };
    let samples = [0.0, 0.7, std::f32::consts::FRAC_PI_2].map(turned);
    let cache = pc2(&samples.each_ref().map(|sample| &sample[..]), 60.0);
    let files: [(&str, &[u8]); 2] = [("sheet.obj", SHEET.as_bytes()), ("walk.pc2", &cache)];
    let scene = |pin: &str| {
        format!(
            "mesh = \"sheet.obj\"\nanimation = {{ file = \"walk.pc2\" }}\n[[body]]\nkind = \"particles\"\nname = \
             \"cape\"\npositions = [[0.25, 0.5, 0.1], [1.5, 0.5, 0]]\npin = [{pin}]"
        )
    };
    let model = built(&files, &scene("{ indices = [0, 1], to = \"dancer\" }"));
    let tied = &model.animations[1];
    let at = |seconds: f64| -> Vec<[f64; 3]> {
        let placed = tied.particles.iter().map(|&particle| model.particles.positions[particle as usize]);
        placed.zip(tied.at(seconds)).map(|(place, way)| std::array::from_fn(|i| place[i] + way[i])).collect()
    };
    for (seconds, angle) in [(0.0, 0.0), (1.0, f64::from(0.7_f32)), (2.0, std::f64::consts::FRAC_PI_2)] {
        let (sin, cos) = angle.sin_cos();
        let expected = [[0.25, 0.5 * cos - 0.1 * sin, 0.5 * sin + 0.1 * cos], [1.5, 0.5 * cos, 0.5 * sin]];
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);
        assert!(at(seconds).iter().zip(expected).all(|(a, b)| near(*a, b)), "{seconds}: {:?}", at(seconds));
    }
    assert!(close(at(0.0)[0], [0.25, 0.5, 0.1]));
    // The clamp of a rod is led in its direction, too: it turns as the sheet does.
    let rod = format!(
        "mesh = \"sheet.obj\"\nanimation = {{ file = \"walk.pc2\" }}\n[[body]]\nkind = \"rod\"\nradius = 0.01\n{}",
        "young_modulus = 1e6\nmesh = { points = [[0.25, 0.5, 0.1], [1.5, 0.5, 0]] }\nclamp = [{ end = \"first\", to = \"dancer\" }]"
    );
    let clamped = built(&files, &rod);
    let [_, turning] = &clamped.animations[..] else { panic!("two animations") };
    assert_eq!(turning.displacements[..3], [tied.displacements[0], tied.displacements[2], tied.displacements[4]]);
    for (turn, angle) in turning.turns.iter().zip([0.0, f64::from(0.7_f32), std::f64::consts::FRAC_PI_2]) {
        let expected = [(0.5 * angle).sin(), 0.0, 0.0, (0.5 * angle).cos()];
        assert!((0..4).all(|i| (turn[i] - expected[i]).abs() < 1e-6), "{turn:?} is not {expected:?}");
    }
    assert!(turning.turns.len() == 3 && tied.turns.is_empty());
    let message =
        try_built(&files, &rod.replace("to = \"dancer\"", "to = \"cape\"")).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("body[1].clamp[0].to") && message.contains("cape"), "{message}");
    let twice = built(&files, &scene("{ indices = [0, 1], to = \"dancer\" }, { indices = [1], to = \"dancer\" }"));
    assert_eq!(twice.animations, model.animations);
    assert_eq!(twice.check(), Ok(()));
    let tears = "mesh = \"sheet.obj\"\nanimation = { file = \"walk.pc2\" }\n[[body]]\nkind = \"cloth\"\nmesh = { file = \
                 \"sheet.obj\" }\nbreak_force = 1\npin = [{ indices = [0], to = \"dancer\" }]";
    let message = try_built(&files, tears).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("body[1].pin[0].to: cannot follow a tear"), "{message}");
    for (pin, words) in [
        ("{ indices = [0], to = \"dancr\" }", ["body[1].pin[0].to", "did you mean 'dancer'?"]),
        ("{ indices = [0], to = \"cape\" }", ["body[1].pin[0].to", "'cape' is no driven body"]),
        (
            "{ indices = [0], to = \"dancer\", keyframes = [{ time = 0, value = [0, 0, 0] }] }",
            ["body[1].pin[0].to", "remove `keyframes`"],
        ),
        ("{ indices = [0], to = 3 }", ["body[1].pin[0].to", "must be a text in quotes"]),
        ("{ indices = [0], to = \"dancer\" }, 0", ["body[1].pin[1]", "which pin[0] moves differently"]),
    ] {
        let message = try_built(&files, &scene(pin)).map(|_| ()).unwrap_err().to_string();
        words.iter().for_each(|word| assert!(message.contains(word), "'{word}' is not in: {message}"));
    }
}
