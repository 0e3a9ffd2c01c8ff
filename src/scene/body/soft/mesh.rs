//! The tetrahedra of solids.

use std::path::PathBuf;

use super::Filling;
use crate::mesh::TetrahedronMesh;
use crate::mesh::generate::Cuboid;
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Local, Reading};
use crate::scene::mesh::{check_count, check_cuboid};

/// Where a solid's tetrahedra come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidMesh {
    /// A box of cells of five tetrahedra each.
    Box(Cuboid),
    /// A TetGen, Gmsh or VTK file, read by [`Scene::build`](crate::scene::Scene::build). Needs the feature
    /// `mesh-files`.
    File(PathBuf),
    /// A closed surface, filled with tetrahedra that carry it. Needs the feature `tetrahedralise`.
    Filling(Filling),
    /// Vertices and tetrahedra as they are, each of positive volume.
    Tetrahedra(TetrahedronMesh),
}

impl From<Cuboid> for SolidMesh {
    fn from(cuboid: Cuboid) -> Self {
        SolidMesh::Box(cuboid)
    }
}
impl From<Filling> for SolidMesh {
    fn from(filling: Filling) -> Self {
        SolidMesh::Filling(filling)
    }
}
impl From<TetrahedronMesh> for SolidMesh {
    fn from(mesh: TetrahedronMesh) -> Self {
        SolidMesh::Tetrahedra(mesh)
    }
}

impl SolidMesh {
    /// The particles, surface and tetrahedra of a solid, before its transform. `at` is the mesh.
    pub(super) fn local(&self, at: &Path, reading: &mut Reading) -> Result<Local, SceneError> {
        let solid = match self {
            SolidMesh::Box(cuboid) => {
                let at = at.key("box");
                check_cuboid(&at, cuboid)?;
                let corners = cuboid.cells.map(|count| u128::from(count) + 1);
                check_count(&at, corners.iter().product())?;
                cuboid.solid()
            }
            SolidMesh::File(path) => {
                let at = at.key("file");
                let mesh = reading.tetrahedra(&at, path)?;
                check_count(&at, mesh.positions.len() as u128)?;
                mesh
            }
            SolidMesh::Filling(filling) => return filling.local(at, reading),
            SolidMesh::Tetrahedra(mesh) => check_tetrahedra(at, mesh).map(|()| mesh.clone())?,
        };
        Ok(Local::solid_of(solid))
    }
}

/// Refuses indices that are not there, corners named twice, tetrahedra inside out, and vertices without a tetrahedron.
fn check_tetrahedra(at: &Path, mesh: &TetrahedronMesh) -> Result<(), SceneError> {
    let count = mesh.positions.len();
    for (index, position) in mesh.positions.iter().enumerate() {
        check::vector(&at.key("positions").index(index), *position, &check::COORDINATE)?;
    }
    for (index, &tetrahedron) in mesh.tetrahedra.iter().enumerate() {
        let mut sorted = tetrahedron;
        sorted.sort_unstable();
        let fault = if tetrahedron.iter().any(|&p| p as usize >= count) {
            format!("names a vertex that does not exist: the mesh has {count}; correct the index")
        } else if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            "names one vertex twice; a tetrahedron needs four".to_string()
        } else if mesh.volume_of(tetrahedron) <= 0.0 {
            "is flat or inside out; swap two of its corners, or remove it".to_string()
        } else {
            continue;
        };
        return Err(SceneError::new(&at.key("tetrahedra").index(index), fault));
    }
    if mesh.tetrahedra.is_empty() {
        return Err(SceneError::new(at, "has no tetrahedron; a solid needs at least one"));
    }
    match mesh.vertex_volumes().iter().position(|&volume| volume == 0.0) {
        None => Ok(()),
        Some(index) => {
            let message = format!("vertex {index} belongs to no tetrahedron and would weigh nothing; remove it");
            Err(SceneError::new(at, message))
        }
    }
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::Mesh;
    use crate::scene::toml::mesh;
    use crate::scene::toml::read::{Result, Value, number, table, text};

    pub(in crate::scene) fn solid_mesh(value: Value, folder: &FilePath) -> Result<SolidMesh> {
        let read = table(value)?;
        let (name, value) = read.variant(&["box", "file", "surface"])?;
        if name == "surface" {
            let surface =
                if value.is_text() { Mesh::File(folder.join(text(value)?)) } else { mesh::mesh(value, folder)? };
            let cell = read.optional("cell", number)?;
            read.finish()?;
            return Ok(SolidMesh::Filling(Filling { surface, cell }));
        }
        read.finish()?;
        match name {
            "box" => mesh::cuboid(value).map(SolidMesh::Box),
            _ => Ok(SolidMesh::File(folder.join(text(value)?))),
        }
    }
}

#[cfg(feature = "scene-files")]
pub(super) use keys::solid_mesh;
