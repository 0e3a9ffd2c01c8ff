//! Scenes far from their origin, as in coordinates of a survey.

use pliant::model::Model;
use pliant::scene::{Body, Built, Cloth, Collider, Constraint, Grid, Mesh, Scene, Sphere, TriangleMesh};

/// 500 km east, 200 m up, 4,100 km north, and not on whole kilometres.
const SURVEY: [f64; 3] = [500_123.25, 210.5, -4_100_456.75];
/// The nearest whole kilometres to where the cloth is.
const ORIGIN: [f64; 3] = [500_000.0, 0.0, -4_100_000.0];

fn moved(place: [f64; 3], by: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| place[axis] + by[axis])
}

/// A cloth tied to a point above a slope, a ball and a mesh whose own coordinates are those of the survey.
fn scene(by: [f64; 3]) -> Built {
    let grid = Grid { columns: 5, rows: 5, width: 1.0, height: 1.0 };
    let tie = Constraint::new("attach", [[0]]).rest("point", moved([0.0, 1.0, 0.5], by).to_vec());
    let above = Constraint::new("plane", [[24]]).rest("point", moved([0.0, -1.0, 0.0], by).to_vec());
    let cloth = Body::cloth(Cloth::new(grid)).position(by).pin("top-right").constrain(tie).constrain(above);
    let mut mesh: TriangleMesh = Sphere { radius: 0.5, segments: 10 }.mesh();
    mesh.positions.iter_mut().for_each(|x| *x = moved(moved(*x, [0.0, -2.0, 0.0]), by));
    let slope = [0.36, 0.8, 0.48];
    let offset = (0..3).map(|axis| slope[axis] * (by[axis] - 3.0)).sum();
    let ball = Collider::sphere(0.3).position(moved([0.0, -0.8, 0.2], by));
    let scene = Scene::new("far").with(cloth).collider(Collider::plane(slope, offset)).collider(ball);
    scene.collider(Collider::mesh(Mesh::Triangles(mesh))).build().unwrap_or_else(|error| panic!("{error}"))
}

/// A scene far away is the same as one at hand about another origin, which is told: places, ties, slopes, balls and meshes. Each lies where it
/// did to the rounding of a coordinate of 4,100 km, 5e-10 m.
#[test]
fn far_scenes_are_relative_to_an_origin() {
    let (far, near) = (scene(SURVEY), scene([SURVEY[0] - ORIGIN[0], SURVEY[1], SURVEY[2] - ORIGIN[2]]));
    assert_eq!((far.model.origin, near.model.origin), (ORIGIN, [0.0; 3]));
    let told =
        "the scene lies far from its origin: it is simulated, drawn and exported relative to [500000, 0, -4100000] m";
    assert!(far.notes.iter().any(|note| note.contains(told)), "{:?}", far.notes);
    assert!(!near.notes.iter().any(|note| note.contains("origin")), "{:?}", near.notes);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 2e-9, "{a} {b}");
    let places = |model: &Model| model.particles.positions.as_flattened().to_vec();
    places(&far.model).into_iter().zip(places(&near.model)).for_each(|(a, b)| close(a, b));
    for (far, near) in far.model.groups.iter().zip(&near.model.groups) {
        far.rest.iter().zip(&near.rest).for_each(|(&a, &b)| close(a, b));
    }
    for (far, near) in far.model.colliders.iter().zip(&near.model.colliders) {
        for point in [[123.0, 209.5, -456.5], [124.0, 211.0, -457.0], [123.25, 208.6, -456.75]] {
            // The grid is laid over a mesh whose coordinates are rounded, and its distances are single: of cells of 16 mm
            // their gradient has five digits.
            let ((normal, distance), (expected, at)) = (far.distance(0.0, point), near.distance(0.0, point));
            assert!((distance - at).abs() < 1e-6, "{distance} {at}");
            assert!((0..3).all(|axis| (normal[axis] - expected[axis]).abs() < 1e-4), "{normal:?} {expected:?}");
        }
        // No number that a device would round to centimetres.
        assert!(far.position.iter().all(|x| x.abs() < 1e3), "{:?}", far.position);
    }
}

/// What is large for its distance, or near, stays where it is.
#[test]
fn near_scenes_keep_their_origin() {
    for by in [[9_000.0, 0.0, 0.0], [0.0, -9_999.0, 9_999.0]] {
        assert_eq!(scene(by).model.origin, [0.0; 3]);
    }
    let grid = Grid { columns: 5, rows: 5, width: 4_000.0, height: 1.0 };
    let wide = |by: f64| {
        let body = Body::cloth(Cloth::new(grid)).position([by, 0.0, 0.0]);
        Scene::new("wide").with(body).build().unwrap_or_else(|error| panic!("{error}")).model.origin
    };
    assert_eq!((wide(30_000.0), wide(33_400.0)), ([0.0; 3], [33_000.0, 0.0, 0.0]));
}
