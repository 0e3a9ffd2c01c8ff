//! Point caches that are gone on with.

use pliant::Model;
use pliant::export::Exports;
use pliant::export::Format;
use pliant::model::State;
use std::fs;
use std::path::Path;

use super::place::{PARTICLES, Place, SCENE, names};
use super::readers::{read_obj, read_pc2};

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
    assert!(refused(&folder, &model, &state(1, 0.0)).contains("does not exist"));
    write_caches(&folder, &model, 3, false);
    let bytes = fs::read(folder.join("cloth.pc2.part")).unwrap();
    assert!(refused(&folder, &model, &state(3, 0.0)).contains("does not reach to frame 3"));
    assert!(refused(&folder, &model, &state(2, 0.5)).contains("another run"));
    let other = Place::new(&SCENE.replace("columns = 5, rows = 4", "columns = 2, rows = 4")).model();
    let mut its = state(1, 0.0);
    its.positions.truncate(other.particles.len());
    its.velocities.truncate(other.particles.len());
    assert!(refused(&folder, &other, &its).contains("not a point cache of body 'cloth' with 8 vertices"));
    assert_eq!(fs::read(folder.join("cloth.pc2.part")).unwrap(), bytes);
}

/// A point cache takes every frame in its order; one that got none leaves no file.
#[test]
fn caches_take_frames_in_order() {
    let place = Place::new(SCENE);
    let model = place.model();
    let mut exports = Exports::create(&[Format::Pc2], &place.out, &model).unwrap();
    let message = exports.frame(&state(1, 0.0)).unwrap_err().to_string();
    assert!(message.contains("expected frame 0, got frame 1"), "{message}");
    exports.finish().unwrap();
    assert_eq!(place.files(), [] as [&str; 0]);
}

/// A solid's cache and the mesh that it moves have what is on its surface: Blender leaves out vertices without a face as it reads the mesh.
#[test]
fn solids_have_their_surface() {
    let place = Place::new(
        "[[body]]\nname = \"jelly\"\nkind = \"soft\"\nmesh = { box = { cells = [2, 2, 2], size = [0.3, 0.3, 0.3] } }\nyoung_modulus = 1e4\n",
    );
    assert_eq!(place.run(2, &["--export", "pc2"]).0, 0);
    let mesh = read_obj(&place.out.join("jelly.obj")).remove(0).mesh;
    let cache = read_pc2(&place.out.join("jelly.pc2"));
    let mut corners = mesh.indices.clone();
    corners.sort_unstable();
    corners.dedup();
    // 27 but the middle one.
    assert_eq!((corners.len(), mesh.positions.len(), cache.samples[0].len()), (26, 3 * 26, 26));
    // In the order of the file, which the reader's is not.
    let text = fs::read_to_string(place.out.join("jelly.obj")).unwrap();
    let numbers = text.lines().filter_map(|line| line.strip_prefix("v ")).flat_map(str::split_whitespace);
    let written: Vec<f32> = numbers.map(|number| number.parse().unwrap()).collect();
    assert_eq!(written, cache.samples[0].as_flattened());
}
