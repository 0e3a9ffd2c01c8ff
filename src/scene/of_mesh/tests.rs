use super::*;
use crate::check::advice;
use crate::mesh::TetrahedronMesh;
use crate::mesh::generate::{Cuboid, Diagonals, Grid, Sphere, Torus};
use crate::model::Model;

fn obj(mesh: &TriangleMesh) -> String {
    let vertices = mesh.positions.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = mesh.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    vertices.chain(faces).collect()
}

fn vtk(mesh: &TetrahedronMesh) -> String {
    let (points, cells) = (mesh.positions.len(), mesh.tetrahedra.len());
    let vertices = mesh.positions.iter().map(|[x, y, z]| format!("{x} {y} {z}\n"));
    let corners = mesh.tetrahedra.iter().map(|[a, b, c, d]| format!("4 {a} {b} {c} {d}\n"));
    let head = "# vtk DataFile Version 3.0\nsolid\nASCII\nDATASET UNSTRUCTURED_GRID\n";
    let mut text = format!("{head}POINTS {points} double\n");
    text.extend(vertices.chain([format!("CELLS {cells} {}\n", 5 * cells)]).chain(corners));
    text + &format!("CELL_TYPES {cells}\n") + &"10\n".repeat(cells)
}

fn sphere(radius: f64) -> TriangleMesh {
    Sphere { radius, segments: 20 }.mesh()
}

fn sheet() -> TriangleMesh {
    Grid { columns: 12, rows: 12, width: 1.0, height: 0.8 }.mesh(Diagonals::default())
}

/// The scene of a file with this name and content, and its notes and model.
fn made(name: &str, content: &str, as_what: Option<MeshUse>) -> Result<(Scene, Vec<String>, Model), SceneError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let scene = Scene::of_mesh(&path, as_what)?;
    assert_eq!(
        as_what.is_none().then(|| Scene::open(path.to_str().unwrap())),
        as_what.is_none().then(|| Ok(scene.clone()))
    );
    let built = scene.build()?;
    Ok((scene, built.notes, built.model))
}

fn kind(scene: &Scene) -> &str {
    let text = &scene.source.as_ref().unwrap().text;
    text.split_once("kind = \"").unwrap().1.split_once('"').unwrap().0
}

/// Open surfaces become cloth, closed ones and tetrahedra solids, or what is asked for. All begin above the ground,
/// on its middle, and want nothing that they do not have.
#[test]
fn becomes_what_it_should() {
    let (ball, sheet) = (obj(&sphere(0.4)), obj(&sheet()));
    let ring = obj(&Torus { radius: 0.1, tube_radius: 0.03, segments: 40, tube_segments: 20 }.mesh());
    let far = TriangleMesh {
        positions: sphere(4.0).positions.iter().map(|[x, y, z]| [x + 2000.0, y - 700.35, *z]).collect(),
        ..sphere(4.0)
    };
    let solid = vtk(&Cuboid { cells: [6, 4, 4], size: [0.9, 0.6, 0.6] }.solid());
    let fine = vtk(&Cuboid { cells: [24, 8, 8], size: [0.9, 0.3, 0.3] }.solid());
    use MeshUse::{Balloon, Cloth, Shape, Soft};
    let cases = [
        ("a.obj", &sheet, None, "cloth"),
        ("a.obj", &ball, None, "soft"),
        ("a.OBJ", &ring, None, "soft"),
        ("a.obj", &obj(&far), None, "soft"),
        ("a b \"'.obj", &ball, Some(Soft), "soft"),
        ("a.obj", &ball, Some(Balloon), "balloon"),
        ("a.obj", &ball, Some(Shape), "shape"),
        ("a.obj", &sheet, Some(Shape), "shape"),
        ("a.obj", &ball, Some(Cloth), "cloth"),
        ("a.vtk", &solid, None, "soft"),
        ("a.vtk", &fine, Some(Soft), "soft"),
    ];
    for (name, content, as_what, expected) in cases {
        let (scene, notes, model) = made(name, content, as_what).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(kind(&scene), expected, "{name} {as_what:?}");
        assert!(notes.len() == 1 && notes[0].contains("falls to the ground"), "{notes:?}");
        let (low, high) = bounds(&model.particles.positions);
        let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        assert!((0.1 * size..0.5 * size).contains(&low[1]), "{name} {as_what:?}: {low:?}");
        for axis in [0, 2] {
            assert!((low[axis] + high[axis]).abs() < 0.01 * size, "{name} {as_what:?}: {low:?} {high:?}");
        }
        let wanted: Vec<String> =
            advice(&model).iter().filter(|note| note.is_warning()).map(|note| note.to_string()).collect();
        assert_eq!(wanted, [] as [&str; 0], "{name} {as_what:?}");
    }
}

/// As a collider a mesh stands on the ground, and a cloth begins above all of it.
#[test]
fn cloth_falls_on_a_collider() {
    let (scene, notes, model) = made("ball.obj", &obj(&sphere(0.4)), Some(MeshUse::Collider)).unwrap();
    assert!(notes[0].contains("a cloth falls on it"), "{notes:?}");
    let distance = |y: f64| scene_distance(&model, [0.0, y, 0.0]);
    assert!(distance(0.01).abs() < 0.03 && distance(0.4) < -0.2 && distance(0.9) > 0.05);
    let (low, high) = bounds(&model.particles.positions);
    assert!(low[1] > 0.8 && high[0] - low[0] > 0.8 && high[2] - low[2] > 0.8, "{low:?} {high:?}");
    assert_eq!(scene.colliders.len(), 2);
}

fn scene_distance(model: &Model, at: [f64; 3]) -> f64 {
    model.colliders.iter().map(|collider| collider.distance(0.0, at).1).fold(f64::INFINITY, f64::min)
}

/// What is much too large or small is of other units: it is scaled to about a metre by a power of ten, and told.
#[test]
fn other_units_are_scaled() {
    for (radius, scale) in [(300.0, 0.001), (80.0, 0.01), (0.0004, 1000.0), (2.0, 1.0), (0.1, 1.0)] {
        let (scene, notes, model) = made("ball.obj", &obj(&sphere(radius)), Some(MeshUse::Cloth)).unwrap();
        assert_eq!(scene.bodies[0].scale, [scale; 3], "{radius} m");
        let (low, high) = bounds(&model.particles.positions);
        assert!((high[0] - low[0] - 2.0 * radius * scale).abs() < 0.02 * radius * scale);
        assert_eq!(notes.len(), if scale == 1.0 { 1 } else { 2 }, "{notes:?}");
        assert!(scale == 1.0 || notes[1].contains(&format!("scaled by {scale} ")), "{notes:?}");
    }
}

/// What cannot be is told with the place and what to do; a broken file as meshes of scenes are.
#[test]
fn refusals() {
    let (sheet, ball) = (obj(&sheet()), obj(&sphere(0.4)));
    let solid = vtk(&Cuboid { cells: [2; 3], size: [0.5; 3] }.solid());
    for as_what in [MeshUse::Balloon, MeshUse::Soft, MeshUse::Collider] {
        let error = made("a.obj", &sheet, Some(as_what)).expect_err("a hole").to_string();
        assert!(error.contains("a.obj: this is not a closed surface") && error.contains("the edge from ["), "{error}");
    }
    let error = made("a.vtk", &solid, Some(MeshUse::Balloon)).expect_err("tetrahedra").to_string();
    assert!(error.contains("become a soft solid, and no balloon"), "{error}");
    let error = made("a.obj", &ball.replace("v ", "vv "), None).expect_err("no vertices").to_string();
    assert!(error.contains("a.obj"), "{error}");
    let error = Scene::of_mesh(FilePath::new("missing.stl"), None).expect_err("no file").to_string();
    assert!(error.starts_with("missing.stl: there is no such file"), "{error}");
}
