//! Surfaces that tear, and skins.

use pliant::Plan;
use pliant::Reference;
use pliant::export::Exports;
use pliant::export::Format;
use ply_rs_bw::ply::DefaultElement;
use ply_rs_bw::ply::Property;
use std::path::Path;

use super::place::{Place, table};
use super::readers::{ply_vectors, read_obj, read_pc2, read_ply};

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
    let place = Place::new(&format!("{}{WHOLE}", include_str!("../../scenes/torn_strip.toml")));
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
    let place = Place::new(&format!("{camera}{}", include_str!("../../scenes/torn_strip.toml")));
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
        assert!(runs(40) > 1, "{device}: pieces, and a gap");
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

/// A liquid is written to OBJ as a closed surface of its volume, without what has not been poured.
#[test]
fn liquids_are_written_as_their_surface() {
    let place = Place::new(
        "[[body]]\nname = 'water'\nkind = 'fluid'\nspacing = 0.02\n\
         fill = { box = { min = [0, 0, 0], max = [0.2, 0.2, 0.2] } }\n\
         [[emitter]]\nbody = 'water'\nposition = [2, 0, 0]\ndirection = [1, 0, 0]\nradius = 0.03\nspeed = 1\n\
         particles = 100\n",
    );
    let model = place.model();
    let start = Reference::new(&model, &Plan::new(&model)).state();
    assert_eq!(start.absent.len(), model.emitters[0].particles.len());
    let mut exports = Exports::create(&[Format::Obj], &place.out, &model).unwrap();
    exports.frame(&start).unwrap();
    exports.finish().unwrap();
    let objects = read_obj(&place.out.join("frame_0000.obj"));
    let [water] = &objects[..] else { panic!("{} objects", objects.len()) };
    assert_eq!(water.name, "water");
    let vertex = |index: u32| -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(water.mesh.positions[3 * index as usize + axis]))
    };
    let mut sides = std::collections::HashMap::new();
    let mut volume = 0.0;
    for corners in water.mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| vertex(corners[k]));
        assert!(a.iter().all(|x| (-0.02..0.22).contains(x)), "{a:?}");
        let across: [f64; 3] = std::array::from_fn(|k| {
            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
            b[l] * c[m] - b[m] * c[l]
        });
        volume += a.iter().zip(across).map(|(a, x)| a * x).sum::<f64>() / 6.0;
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            *sides.entry((from.min(to), from.max(to))).or_insert(0) += if from < to { 1 } else { -1 };
        }
    }
    assert!(sides.len() > 1000 && sides.values().all(|sum| *sum == 0), "each edge has a triangle on either side");
    assert!((volume / 0.008 - 1.0).abs() < 0.1, "{volume} m³");
}
