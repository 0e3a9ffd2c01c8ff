//! Every format comes back as it was written.

use pliant::Plan;
use pliant::Reference;
use pliant::export::Format;
use pliant::measure::elements::Fields;
use ply_rs_bw::ply::DefaultElement;
use ply_rs_bw::ply::Property;
use std::fs;

use super::ends::BLOW_UP;
use super::place::{
    CLOTH_PARTICLES, CLOTH_TRIANGLES, PARTICLES, Place, SCENE, grid_triangles, run_with_table, singles,
};
use super::readers::{ply_vectors, read_obj, read_pc2, read_ply};

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

/// A state of another number of particles is refused, with both counts.
#[test]
fn frames_of_others_are_refused() {
    let place = Place::new(SCENE);
    let (model, other) = (place.model(), pliant::scene::Scene::open("chain").unwrap().build().unwrap().model);
    let state = Reference::new(&other, &Plan::new(&other)).state();
    for format in [Format::Ply, Format::Obj, Format::Pc2] {
        let folder = place.out.join(format!("{format:?}"));
        let mut exporter = format.create(&folder, &model).unwrap();
        let error = exporter.frame(&state).unwrap_err().to_string();
        let counts =
            format!("the frame has {} particles and the model {}", other.particles.len(), model.particles.len());
        assert!(error.contains(&counts), "{error}");
    }
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
