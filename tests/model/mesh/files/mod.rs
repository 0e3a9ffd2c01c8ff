//! Meshes read from files: each format, sound and broken.

mod formats;
mod gltf;
mod obj;
mod ply;
mod random;
mod stl;
mod tetrahedra;
mod write;

use pliant::mesh::{self, Loaded, TriangleMesh};

use crate::closed::assert_tight;

/// Reads content that is written in the test; the end of the name says the format.
fn loaded_as(name: &str, content: impl AsRef<[u8]>) -> Loaded {
    mesh::parse(name, content).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of content that must be refused.
fn refused_as(name: &str, content: impl AsRef<[u8]>) -> String {
    match mesh::parse(name, content) {
        Ok(loaded) => panic!("was not refused: {loaded:?}"),
        Err(error) => error.to_string(),
    }
}

/// What the reader promises of a mesh that it hands out.
fn assert_clean(mesh: &TriangleMesh) {
    assert_tight(mesh);
    assert!(mesh.area() > 0.0);
    assert!(mesh.triangles.iter().all(|[a, b, c]| a != b && b != c && c != a));
    let mut directed: Vec<_> = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    directed.sort_unstable();
    assert!(directed.is_sorted_by(|x, y| x < y), "an edge has more than two faces, or they are not wound alike");
}
