//! Colliders from meshes, hulls and heights: what is measured, shared, kept and told, and every fault of theirs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::bad_input::check;
use super::{build, refusal};
use pliant::model::{self, Model, Shape};
use pliant::scene::{Body, Collider, Host, Scene, Sphere, TriangleMesh};

fn scene(collider: &str) -> String {
    format!("[[body]]\nkind = \"particles\"\npositions = [[0, 9, 0]]\n[[collider]]\n{collider}\n")
}

fn with(collider: Collider) -> Scene {
    Scene::new("").with(Body::particles([[0.0, 9.0, 0.0]])).collider(collider)
}

fn ball() -> TriangleMesh {
    Sphere { radius: 0.5, segments: 20 }.mesh()
}

/// Of the first collider: its mesh's distance at a point.
fn distance(model: &Model, point: [f64; 3]) -> f64 {
    model.colliders[0].distance(0.0, point).1
}

/// A mesh, the hull of one and a field of heights are in the model, in place, turned and scaled.
#[test]
fn fields_are_built() {
    let torus = "shape = { mesh = { torus = { radius = 1, tube_radius = 0.4, segments = 48, tube_segments = 24 }, scale = 0.5 } }";
    let turned = "position = [0, 0, 3]\nrotation = [1, 0, 0, 1]";
    let model = build(&scene(&format!("{torus}\n{turned}"))).model;
    // A torus about z through its hole, half as large; the chords of its mesh take 2 mm, and the grid some more.
    assert!((distance(&model, [0.6, 0.0, 3.0]) + 0.1).abs() < 5e-3, "{}", distance(&model, [0.6, 0.0, 3.0]));
    assert!((distance(&model, [0.1, 0.0, 3.0]) - 0.2).abs() < 5e-3, "{}", distance(&model, [0.1, 0.0, 3.0]));
    let hull = "shape = { convex = { torus = { radius = 1, tube_radius = 0.4, segments = 48, tube_segments = 24 } } }";
    let model = build(&scene(hull)).model;
    assert!((distance(&model, [0.0, 0.2, 0.0]) + 0.2).abs() < 5e-3, "the hull closes the hole");
    let model = build(&scene("shape = { heightfield = { heights = [[0, 1], [0, 1]], size = [2, 4] } }")).model;
    assert!((distance(&model, [0.0, 1.5, 0.0]) - 1.0 / 1.25_f64.sqrt()).abs() < 1e-6);
}

/// Heights come from a grey picture, of 8 or 16 bits, between the two numbers that black and white stand for.
#[test]
fn heights_from_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hills.png");
    let text = |range: &str| {
        let file = path.display();
        scene(&format!("shape = {{ heightfield = {{ file = \"{file}\", range = {range}, size = [2, 2] }} }}"))
    };
    for deep in [false, true] {
        let greys = [0u16, 0x3333, 0xcccc, 0xffff, 0x3333, 0];
        if deep {
            image::ImageBuffer::<image::Luma<u16>, _>::from_raw(3, 2, greys.to_vec())
                .expect("fits")
                .save(&path)
                .expect("saved");
        } else {
            let bytes = greys.map(|grey| (grey >> 8) as u8);
            image::GrayImage::from_raw(3, 2, bytes.to_vec()).expect("fits").save(&path).expect("saved");
        }
        let model = build(&text("[-1.0, 4.0]")).model;
        let Shape::Heights(field) = &model.colliders[0].shape else { panic!("no heights") };
        assert_eq!((field.nodes, field.size), ([3, 2], [2.0, 2.0]));
        assert_eq!(field.heights, [-1.0, 0.0, 3.0, 4.0, 0.0, -1.0]);
    }
    image::RgbImage::new(3, 2).save(&path).expect("saved");
    assert!(refusal(&text("[0, 1]")).contains("the picture is in colours; make it grey"));
    std::fs::write(&path, b"no picture").expect("written");
    assert!(refusal(&text("[0, 1]")).contains("not a complete PNG picture"));
}

/// Colliders of the same mesh share its distances; of other cells they do not.
#[test]
fn distances_are_shared() {
    let text = "shape = { mesh = { sphere = { radius = 1, segments = 10 }, cells = 8 } }";
    let other = text.replace('8', "9");
    let model =
        build(&scene(&format!("{text}\n[[collider]]\n{text}\nposition = [3, 0, 0]\n[[collider]]\n{other}"))).model;
    let grid = |i: usize| model.colliders[i].shape.samples().as_ptr();
    assert!(grid(0) == grid(1) && grid(0) != grid(2));
}

/// A mesh that is inside out is turned, and that is told; one with holes is refused, and their edges are counted.
#[test]
fn inside_out_and_holes() {
    let mut mesh = ball();
    mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    let built = with(Collider::mesh(mesh)).build().expect("it is turned");
    assert_eq!(built.notes.len(), 1);
    assert!(
        built.notes[0]
            .contains("collider[0].shape.mesh: reversed triangles that were wound inwards: a part was inside out"),
        "{:?}",
        built.notes
    );
    assert!(distance(&built.model, [0.0; 3]) < -0.49, "inside it is solid");
    let mut mesh = ball();
    mesh.triangles.drain(..2);
    let message = with(Collider::mesh(mesh)).build().expect_err("a refusal").to_string();
    assert!(message.contains("has holes with 4 open edges around them") && message.contains("convex"), "{message}");
    let empty = TriangleMesh { triangles: Vec::new(), ..ball() };
    let message = with(Collider::mesh(empty)).build().expect_err("a refusal").to_string();
    assert!(message.contains("has no triangles"), "{message}");
    let mut plate = ball();
    plate.positions.iter_mut().for_each(|position| position[1] *= 0.004);
    let notes = with(Collider::mesh(plate)).build().expect("a plate").notes;
    assert!(notes.len() == 1 && notes[0].contains("thinner than the cells"), "{notes:?}");
}

/// A mesh that is open and covers each place once, seen against gravity, is solid below: it holds what falls on it, wherever its
/// triangles face, and says so.
#[test]
fn open_ground_is_solid_below() {
    let place = |i: u32| [f64::from(i % 9) - 4.0, 0.1 * f64::from(i % 9 * (i / 9) % 5), f64::from(i / 9) - 4.0];
    let cell = |i: u32| [[i, i + 9, i + 10], [i, i + 10, i + 1]];
    let triangles = (0..72).filter(|i| i % 9 < 8).flat_map(cell).collect();
    let mut ground = TriangleMesh { positions: (0..81).map(place).collect(), triangles };
    for turned in [false, true] {
        let built = with(Collider::mesh(ground.clone())).build().unwrap_or_else(|error| panic!("{error}"));
        let words =
            ["collider[0].shape.mesh: ", "treated as ground, because it is open: solid below", "a floor 0.8 m below"];
        assert!(words.iter().all(|word| built.notes[0].contains(word)), "{:?}", built.notes);
        assert_eq!(built.notes[0].contains("reversed, because its triangles faced down"), turned, "{:?}", built.notes);
        for [x, z] in [[0.3, 0.2], [-2.5, 3.1], [3.9, -3.9]] {
            assert!(distance(&built.model, [x, 1.0, z]) > 0.3 && distance(&built.model, [x, -0.3, z]) < -0.05);
            assert!(distance(&built.model, [x, -1.5, z]) > 0.5, "below its floor it is free");
        }
        ground.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    }
}

/// What cannot be a collider's mesh, hull or ground is refused where it is written, with a remedy.
#[test]
fn faults() {
    let shape = |shape: &str| scene(&format!("shape = {{ {shape} }} #!"));
    let ball = "sphere = { radius = 1, segments = 10 }";
    let checked = |text: &str, words: &[&str]| check(&shape(text), words);
    checked("mesh = {}", &["shape.mesh: needs one of: file, box, sphere, torus"]);
    checked("mesh = { file = \"no.obj\" }", &["shape.mesh.file", "no.obj: there is no such file"]);
    checked("mesh = { grid = {} }", &["shape.mesh.grid: unknown key"]);
    checked(&format!("mesh = {{ {ball}, cells = 0 }}"), &["shape.mesh.cells", "from 4 to 256", "64 shows most"]);
    checked(&format!("mesh = {{ {ball}, cells = 1000000 }}"), &["shape.mesh.cells", "from 4 to 256"]);
    checked(&format!("mesh = {{ {ball}, cells = 6.5 }}"), &["shape.mesh.cells", "whole"]);
    checked(&format!("mesh = {{ {ball}, scale = 0 }}"), &["shape.mesh.scale", "above 0"]);
    checked(&format!("mesh = {{ {ball}, scale = 1e9, cell = 3 }}"), &["shape.mesh.cell: unknown key", "'cells'"]);
    checked("mesh = { sphere = { radius = 1e9, segments = 10 }, scale = 2 }", &["shape.mesh: vertex", "scaled"]);
    checked("convex = {}", &["needs one of: points, file"]);
    checked("convex = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }", &["shape.convex: has no hull", "four points"]);
    checked("convex = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 3, 0]] }", &["has no hull"]);
    checked("convex = { points = [[0, 0, 0], [1, 0, 0], [0, nan, 0], [0, 0, 1]] }", &["shape.convex.points[2][1]"]);
    checked("heightfield = { size = [1, 1] }", &["shape.heightfield"]);
    checked("heightfield = { heights = [[0, 0], [0, 0]] }", &["shape.heightfield: has no `size`"]);
    checked("heightfield = { heights = [[0, 0], [0, nan]], size = [1, 1] }", &["shape.heightfield.heights[1][1]"]);
    checked(
        "heightfield = { heights = [[0, 0], [0]], size = [1, 1] }",
        &["heights[1]: has 1 heights", "the first row 2"],
    );
    checked(
        "heightfield = { heights = [[0, 0]], size = [1, 1] }",
        &["has 1 rows of 2 heights; give at least two rows of two"],
    );
    checked("heightfield = { heights = [], size = [1, 1] }", &["has 0 rows of 0 heights"]);
    checked("heightfield = { heights = [[0, 0], [0, 0]], size = [1, 0] }", &["shape.heightfield.size[1]"]);
    checked("heightfield = { file = \"no.png\", range = [0, 1], size = [1, 1] }", &["no.png: there is no such file"]);
    check(
        &scene("shape = { heightfield = { heights = [[0, 0], [0, 0]], size = [1, 1] } }\ninside = true #!"),
        &["does not apply to a height field"],
    );
}

/// Keeps in memory.
#[derive(Default)]
struct Kept {
    files: Mutex<HashMap<PathBuf, Vec<u8>>>,
    told: Mutex<Vec<f64>>,
}

impl Host for Kept {
    fn progress(&self, what: &str, share: f64) {
        assert_eq!(what, "measuring distances to ball.obj");
        self.told.lock().expect("no panic").push(share);
    }
    fn kept(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.lock().expect("no panic").get(path).cloned()
    }
    fn keep(&self, path: &Path, content: &[u8]) {
        self.files.lock().expect("no panic").insert(path.to_path_buf(), content.to_vec());
    }
}

impl Kept {
    /// Builds; whether distances were measured.
    fn measures(&self, scene: &Scene) -> (bool, Vec<model::Collider>) {
        self.told.lock().expect("no panic").clear();
        let model = scene.build_with(self).expect("a scene").model.colliders;
        (!self.told.lock().expect("no panic").is_empty(), model)
    }
}

/// Distances to a file's mesh are measured once, with progress from 0 to 1, and kept beside it under a name that goes by mesh and cells;
/// what is damaged, cut short or of another mesh is measured again.
#[test]
fn distances_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ball.obj");
    let write = |mesh: &TriangleMesh| {
        let line = |name: char, numbers: [String; 3]| format!("{name} {}\n", numbers.join(" "));
        let vertices = mesh.positions.iter().map(|position| line('v', position.map(|x| x.to_string())));
        let faces = mesh.triangles.iter().map(|triangle| line('f', triangle.map(|vertex| (vertex + 1).to_string())));
        std::fs::write(&path, vertices.chain(faces).collect::<String>()).expect("written");
    };
    write(&ball());
    let text = |cells: u32| scene(&format!("shape = {{ mesh = {{ file = \"ball.obj\", cells = {cells} }} }}"));
    let scene = |cells: u32| Scene::parse(&text(cells), "test.toml", folder.path()).expect("it parses");
    let host = Kept::default();
    let (measured, model) = host.measures(&scene(12));
    assert!(measured);
    let shares = host.told.lock().expect("no panic").clone();
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.contains(&1.0), "{shares:?}");
    let names: Vec<PathBuf> = host.files.lock().expect("no panic").keys().cloned().collect();
    let name = names[0].file_name().expect("a name").to_string_lossy().into_owned();
    assert!(names.len() == 1 && names[0].parent() == path.parent());
    assert!(name.starts_with("ball.obj.") && name.ends_with(".sdf"), "{name}");

    assert_eq!(host.measures(&scene(12)), (false, model.clone()), "it is read, and the same");
    assert!(host.measures(&scene(13)).0, "other cells");
    assert!(!host.measures(&scene(12)).0, "which leave the first ones where they are");
    let damages: [fn(&mut Vec<u8>); 3] = [|bytes| bytes[500] ^= 1, |bytes| bytes.truncate(300), |bytes| bytes.clear()];
    for damage in damages {
        damage(host.files.lock().expect("no panic").get_mut(&names[0]).expect("it is there"));
        assert_eq!(host.measures(&scene(12)), (true, model.clone()), "damage is noticed");
        assert!(!host.measures(&scene(12)).0, "and mended");
    }
    write(&Sphere { radius: 0.4, segments: 20 }.mesh());
    assert!(host.measures(&scene(12)).0, "another mesh");
    // Without a host all is as well.
    assert_eq!(scene(12).build().expect("a scene").model.colliders, host.measures(&scene(12)).1);
}
