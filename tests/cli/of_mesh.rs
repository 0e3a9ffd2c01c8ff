//! A mesh in the place of a scene.

use std::fs;

use crate::place::{CLOTH, Place, json, run};

/// A tent: two triangles, open.
const TENT: &str = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0.6 1\nf 1 3 2\nf 2 3 4\n";
/// An octahedron, closed, in millimetres.
const OCTAHEDRON: &str = "v 400 0 0\nv -400 0 0\nv 0 400 0\nv 0 -400 0\nv 0 0 400\nv 0 0 -400\n\
    f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

fn place_of(name: &str, mesh: &str) -> (Place, String) {
    let place = Place::new(CLOTH);
    fs::write(place.path(name), mesh).unwrap();
    let path = place.name(name);
    (place, path)
}

/// `run MESH` simulates the mesh by itself and tells what it took it for, and in which size; `--as` chooses.
#[test]
fn meshes_run() {
    let (place, path) = place_of("stone.obj", OCTAHEDRON);
    let report = place.name("report.json");
    for (options, said) in [
        (&[][..], "falls to the ground, as a soft solid"),
        (&["--as", "balloon"], "falls to the ground, as a balloon"),
        (&["--as", "collider"], "a cloth falls on it"),
    ] {
        let arguments = ["run", &path, "--frames", "2", "--device", "cpu", "--report", &report];
        let ran = run(&[&arguments[..], options].concat());
        assert_eq!(ran.code, 0, "{options:?}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.err.contains("scaled by 0.001 to 0.8 m"), "{options:?}: {}", ran.err);
        assert_eq!(json(&place.path("report.json"))["frames"].as_array().unwrap().len(), 2);
    }
    let (_place, path) = place_of("tent.obj", TENT);
    let ran = run(&["check", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("as a cloth") || ran.err.contains("as a cloth"), "{}{}", ran.out, ran.err);
}

/// What a mesh becomes can be printed, and is a scene when it is saved beside the mesh.
#[test]
fn its_scene_is_a_scene() {
    let (place, path) = place_of("stone.obj", OCTAHEDRON);
    let text = run(&["scenes", &path]);
    assert_eq!(text.code, 0, "{}", text.err);
    let saved = place.name("stone.toml");
    fs::write(&saved, &text.out).unwrap();
    let checked = [&path, &saved].map(|path| run(&["check", path]));
    let numbers = |out: &str| out.lines().filter(|line| line.starts_with("constraints")).collect::<String>();
    assert_eq!(checked[1].code, 0, "{}", checked[1].err);
    assert_eq!(numbers(&checked[0].out), numbers(&checked[1].out));
}

/// What cannot be is told, and a run does not write over the mesh that it reads.
#[test]
fn faults_of_meshes() {
    let (place, path) = place_of("frame_0001.obj", TENT);
    let folder = place.name("");
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", &path, "--as", "balloon"], &["frame_0001.obj: this is not a closed surface", "the edge from ["]),
        (&["run", &path, "--as", "jelly"], &["--as", "cloth, soft, balloon, shape, collider"]),
        (&["run", &place.scene, "--as", "soft"], &["--as soft", "is no mesh"]),
        (&["run", "missing.stl"], &["missing.stl: there is no such file"]),
        (&["run", &path, "--export", "obj", "--out", &folder], &["--export obj would overwrite"]),
    ];
    for (arguments, expected) in cases {
        let ran = run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        for part in *expected {
            assert!(ran.err.contains(part), "{arguments:?} should mention {part}: {}", ran.err);
        }
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), TENT);
}
