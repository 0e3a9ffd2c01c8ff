//! The meshes themselves: they are read as what they are, in every format, and make scenes.

use std::path::{Path, PathBuf};

use pliant::constraint::Listed;
use pliant::mesh::{self, Loaded, LoadedTetrahedra};
use pliant::model::Model;
use pliant::scene::Scene;

use crate::closed::{assert_closed, assert_tight};
use crate::write::{self, canonical};

/// A file in the folder of meshes.
pub fn file(name: &str) -> PathBuf {
    let folder = std::env::var_os("PLIANT_MESHES").expect("PLIANT_MESHES names no folder; see CONTRIBUTING.md");
    Path::new(&folder).join(name)
}

/// The text of a scene of `tests/meshes/scenes` and the folder by which it is read.
pub fn scene(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/meshes/scenes").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The model of such a scene, whose meshes lie in the folder.
pub fn load(name: &str) -> Model {
    built(&scene(name), name)
}

pub fn built(text: &str, name: &str) -> Model {
    let scene = Scene::parse(text, name, file("")).and_then(|scene| scene.build());
    scene.unwrap_or_else(|error| panic!("{error}")).model
}

/// The real meshes load as closed surfaces; the bunny is clean, the torus, too.
#[test]
fn real_meshes_load() {
    for (name, vertices, triangles) in [("bunny_10k.obj", 5002, 10_000), ("torus.obj", 400, 800)] {
        let Loaded { mesh, repairs, .. } = mesh::read(file(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (vertices, triangles));
        assert_eq!(repairs, [""; 0]);
        assert_closed(&mesh);
        assert_tight(&mesh);
        assert!(mesh.signed_volume() > 0.0, "wound outwards");
    }
}

/// A real mesh written in every format comes back as the closed surface that it is.
#[test]
fn a_real_mesh_in_every_format() {
    let bunny = mesh::read(file("bunny_10k.obj")).unwrap_or_else(|error| panic!("{error}")).mesh;
    let expected = canonical(&bunny);
    assert_closed(&expected);
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (name, content) in write::all(&expected) {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("the test's folder is writable");
        let found = mesh::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((found.mesh, found.repairs), (expected.clone(), Vec::new()), "{name}");
    }
}

/// The real mesh loads whole and needs no repair, whichever of its files is named: as many vertices and tetrahedra as the
/// test itself finds in the files, in the same box, and of the volume that the boundary encloses.
#[test]
fn the_armadillo_loads() {
    let text = |name| std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = |text: String| -> Vec<Vec<f64>> {
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        lines
            .map(|line| line.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect())
            .collect()
    };
    let positions: Vec<[f64; 3]> = rows(text("armadillo_4k.node")).iter().map(|row| [row[0], row[1], row[2]]).collect();
    let tetrahedra: Vec<[usize; 4]> =
        rows(text("armadillo_4k.ele")).iter().map(|row| std::array::from_fn(|corner| row[corner] as usize)).collect();
    assert_eq!((positions.len(), tetrahedra.len()), (1180, 3717));
    for name in ["armadillo_4k.node", "armadillo_4k.ele"] {
        let LoadedTetrahedra { mesh, repairs, .. } =
            mesh::read_tetrahedra(file(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(repairs, [""; 0]);
        assert_eq!(mesh.positions, positions);
        assert!(
            mesh.tetrahedra.iter().map(|corners| corners.map(|vertex| vertex as usize)).eq(tetrahedra.iter().copied())
        );
        let (volume, enclosed) = (mesh.signed_volume(), mesh.surface().signed_volume());
        assert!((volume / enclosed - 1.0).abs() < 1e-12, "{volume} m³, and its surface encloses {enclosed}");
    }
}

/// The real meshes make scenes: the bunny hangs by its ears, which move, and the torus is free.
#[test]
fn real_meshes() {
    let bunny = load("bunny.toml");
    assert_eq!((bunny.particles.len(), bunny.bodies[0].triangles.len()), (5002, 10_000));
    let held = bunny.particles.inverse_masses.iter().filter(|w| **w == 0.0).count();
    assert!((50..300).contains(&held), "{held} particles are held by the ears");
    assert_eq!(bunny.drives.len(), 2);
    let balloon = load("bunny_balloon.toml");
    assert_eq!(
        balloon.groups.iter().find(|group| group.kind.listed() == Listed::Triangles).map(|group| group.particles.len()),
        Some(5002)
    );
    let torus = load("torus.toml");
    assert_eq!((torus.particles.len(), torus.bodies[0].triangles.len(), torus.colliders.len()), (400, 800, 2));
    assert!(torus.particles.inverse_masses.iter().all(|w| *w > 0.0));
}
