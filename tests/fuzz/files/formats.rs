//! Every format that is read, with a sound file, and what reads it.

use std::path::Path;
use std::sync::Mutex;

use pliant::export::checkpoint::{Checkpoint, EngineState, fingerprint};
use pliant::mesh::generate::{Cuboid, Diagonals, Grid};
use pliant::mesh::{self, LoadedTetrahedra, MeshError};
use pliant::scene::{Body, Cloth, Host, Robot, Scene, Soft};
use pliant::{CpuSolver, Model, Plan};
use tempfile::TempDir;

use super::write;
use crate::moving_glb::{arm, pc2};

/// Reads bytes; what it makes of them is its own.
pub type Reader = Box<dyn Fn(&[u8])>;

pub struct Format {
    pub name: String,
    pub content: Vec<u8>,
    /// Reads bytes, and looks at what comes of it.
    pub read: Reader,
}

impl Format {
    fn new(name: &str, content: impl Into<Vec<u8>>, read: impl Fn(&[u8]) + 'static) -> Self {
        Self { name: name.to_owned(), content: content.into(), read: Box::new(read) }
    }
}

pub fn all() -> Vec<Format> {
    [surfaces(), tetrahedra(), pictures(), scenes(), robots(), animations(), checkpoints(), kept()]
        .into_iter()
        .flatten()
        .collect()
}

fn surfaces() -> Vec<Format> {
    let grid = Grid { columns: 3, rows: 3, width: 2.0, height: 2.0 }.mesh(Diagonals::default());
    let cube = Cuboid { cells: [1; 3], size: [1.0; 3] }.mesh();
    let mut files = [write::all(&grid), write::all(&cube)].concat();
    files.push(("sparse.gltf", include_bytes!("../../model/mesh/files/sparse.gltf").to_vec()));
    let read = |name: &'static str| {
        move |bytes: &[u8]| {
            let Ok(mesh::Loaded { mesh, .. }) = mesh::parse(name, bytes) else { return };
            let count = mesh.positions.len() as u32;
            assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
            assert!(mesh.triangles.as_flattened().iter().all(|&vertex| vertex < count));
            assert!(mesh.area() > 0.0);
            let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
            let mut directed: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(sides).collect();
            directed.sort_unstable();
            assert!(
                directed.is_sorted_by(|x, y| x < y),
                "an edge has more than two faces, or they are not wound alike"
            );
        }
    };
    files.into_iter().map(|(name, content)| Format::new(name, content, read(name))).collect()
}

fn tetrahedra() -> Vec<Format> {
    let check = |loaded: Result<LoadedTetrahedra, MeshError>| {
        let Ok(LoadedTetrahedra { mesh, .. }) = loaded else { return };
        assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
        assert!(mesh.tetrahedra.iter().all(|&corners| mesh.volume_of(corners) > 0.0));
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/model/mesh/files/data");
    let files = std::fs::read_dir(folder).expect("files").map(|entry| entry.expect("a file").path());
    let mut formats: Vec<Format> = files
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let content = std::fs::read(&path).expect("a file");
            Format::new(&name.clone(), content, move |bytes| check(mesh::parse_tetrahedra(&name, bytes)))
        })
        .collect();
    let (node, ele) = ("5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n", "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n");
    formats.push(Format::new("a.node", node, move |bytes| check(mesh::parse_tetgen("a", bytes, ele))));
    formats.push(Format::new("a.ele", ele, move |bytes| check(mesh::parse_tetgen("a", node, bytes))));
    formats
}

/// A scene's text with a folder for the files that it names.
struct Place {
    folder: TempDir,
    scene: Scene,
}

impl Place {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = Scene::parse(text, "test.toml", folder.path()).unwrap_or_else(|error| panic!("{error}"));
        Self { folder, scene }
    }
}

/// Heights from grey pictures of 8 and 16 bits.
fn pictures() -> Vec<Format> {
    let picture = |depth| {
        let mut content = Vec::new();
        let mut encoder = png::Encoder::new(&mut content, 7, 5);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(depth);
        let bytes = if depth == png::BitDepth::Sixteen { 2 } else { 1 };
        let greys: Vec<u8> = (0..35 * bytes).map(|grey| (3 * grey) as u8).collect();
        encoder.write_header().and_then(|mut writer| writer.write_image_data(&greys)).expect("a picture");
        content
    };
    let format = |(name, depth)| {
        let field = "{ heightfield = { file = \"hills.png\", range = [0, 1], size = [2, 2] } }";
        let place = Place::new(&format!("{BALL}[[collider]]\nshape = {field}\n"));
        Format::new(name, picture(depth), move |bytes| {
            std::fs::write(place.folder.path().join("hills.png"), bytes).expect("a file");
            let Ok(built) = place.scene.build() else { return };
            assert!(built.model.colliders[0].shape.samples().iter().all(|height| height.is_finite()));
        })
    };
    [("8.png", png::BitDepth::Eight), ("16.png", png::BitDepth::Sixteen)].map(format).into()
}

const BALL: &str = "[[body]]\nkind = \"particles\"\npositions = [[0, 9, 0]]\n";

/// Scenes of the gallery with constraints, materials, curves, pins and colliders of every kind; no larger than fits.
fn scenes() -> Vec<Format> {
    let names =
        ["hanging_cloth", "chain", "breaking", "crawl", "cells", "stitches", "keeping_apart", "hair", "conveyor"];
    let text = |name: &str| pliant::scene::GALLERY.iter().find(|(known, _)| *known == name).expect(name).1;
    let read = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(scene) = Scene::parse(text, "test.toml", "nowhere") else { return };
        // What asks for millions of particles may have them.
        let digits = text.split(|letter: char| !letter.is_ascii_digit());
        if digits.filter_map(|digits| digits.parse::<u64>().ok()).all(|number| number <= 200) {
            let _ = scene.build().map(|built| built.model.check().expect("what is built can be solved"));
        }
    };
    names.map(|name| Format::new(&format!("{name}.toml"), text(name), read)).into()
}

/// Robots: all kinds of joints and shapes.
fn robots() -> Vec<Format> {
    let read = |bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let built = Scene::new("").robot(Robot::parse(text, "nowhere/arm.urdf")).build();
        let _ = built.map(|built| built.model.check().expect("what is built can be solved"));
    };
    vec![Format::new("arm.urdf", include_bytes!("../../../examples/scenes/robot.urdf"), read)]
}

/// Animations of driven bodies: bones, and points.
fn animations() -> Vec<Format> {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let cache = pc2(&[&corners, &corners.map(|[x, y, z]| [x, y, z + 1.0])], 1.0);
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let format = |(name, content): (&'static str, Vec<u8>), keys: &str| {
        let place = Place::new(&format!("[[body]]\nkind = \"driven\"\nloop = true\n{keys}\n"));
        std::fs::write(place.folder.path().join("triangle.obj"), triangle).expect("a file");
        Format::new(name, content, move |bytes| {
            std::fs::write(place.folder.path().join(name), bytes).expect("a file");
            let _ = place.scene.build().map(|built| built.model.check().expect("what is built can be solved"));
        })
    };
    vec![
        format(("arm.glb", arm()), "animation = { file = \"arm.glb\", clip = \"Bend\" }"),
        format(("walk.pc2", cache), "mesh = \"triangle.obj\"\nanimation = { file = \"walk.pc2\" }"),
    ]
}

/// A cloth that can tear, and a solid, after some frames.
fn model() -> Model {
    let cloth = Cloth::new(Grid { columns: 4, rows: 4, width: 1.0, height: 1.0 }).bend(1e-3).tears_at(1e3);
    let block = Soft::new(Cuboid { cells: [1; 3], size: [0.5; 3] }).young_modulus(1e5);
    let scene = Scene::new("both").with(Body::cloth(cloth).pin("top-left")).with(Body::soft(block));
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Checkpoints, with and without the sums that tell damage, read and taken up.
fn checkpoints() -> Vec<Format> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint.pliant");
    let model = model();
    let plan = Plan::new(&model);
    let mut solver = CpuSolver::new(&model, &plan).expect("a solver");
    (0..3).for_each(|_| solver.step());
    let state = EngineState::Device(solver.snapshot());
    let checkpoint = Checkpoint { fingerprint: fingerprint(&model), adapter: "cpu".into(), clustered: false, state };
    checkpoint.write(&path).expect("a checkpoint");
    let content = std::fs::read(&path).expect("a checkpoint");
    let solver = Mutex::new((solver, folder));
    let read = move |bytes: &[u8]| {
        let mut held = solver.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (solver, folder) = &mut *held;
        let path = folder.path().join("changed.pliant");
        for bytes in [bytes.to_vec(), with_sums(bytes)] {
            std::fs::write(&path, bytes).expect("a file");
            if let Ok(Checkpoint { state: EngineState::Device(snapshot), .. }) = Checkpoint::read(&path) {
                let _ = solver.restore(&snapshot);
            }
        }
    };
    vec![Format::new("checkpoint.pliant", content, read)]
}

/// With the length and the CRC-32 that a whole file would have: what is damaged then reaches further.
fn with_sums(bytes: &[u8]) -> Vec<u8> {
    /// Magic and version, then length, sum and body.
    const LENGTH: usize = 18 + 4;
    let mut bytes = bytes.to_vec();
    if let Some((head, body)) = bytes.split_at_mut_checked(LENGTH + 12) {
        head[LENGTH..LENGTH + 8].copy_from_slice(&(body.len() as u64).to_le_bytes());
        head[LENGTH + 8..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    }
    bytes
}

/// Keeps nothing, and has what it was given.
struct Keeper(Mutex<Vec<u8>>);

impl Host for Keeper {
    fn kept(&self, _: &Path) -> Option<Vec<u8>> {
        Some(self.0.lock().expect("no panic").clone())
    }

    fn keep(&self, _: &Path, content: &[u8]) {
        *self.0.lock().expect("no panic") = content.to_vec();
    }
}

/// Distances to a mesh that lie beside it: what is damaged is measured again, and comes out the same.
fn kept() -> Vec<Format> {
    let place = Place::new(&format!("{BALL}[[collider]]\nshape = {{ mesh = {{ file = \"cube.obj\", cells = 4 }} }}\n"));
    let cube = Cuboid { cells: [1; 3], size: [1.0; 3] }.mesh();
    std::fs::write(place.folder.path().join("cube.obj"), write::obj(&cube)).expect("a file");
    let keeper = Keeper(Mutex::default());
    let samples = move |keeper: &Keeper| -> Vec<f32> {
        // The folder goes along.
        let place = &place;
        let built = place.scene.build_with(keeper).unwrap_or_else(|error| panic!("{error}"));
        built.model.colliders[0].shape.samples().to_vec()
    };
    let sound = samples(&keeper);
    let content = keeper.0.into_inner().expect("no panic");
    let read = move |bytes: &[u8]| assert_eq!(samples(&Keeper(Mutex::new(bytes.to_vec()))), sound);
    vec![Format::new("cube.obj.sdf", content, read)]
}
