//! The particles and triangles of a body, before its transform.

use super::super::error::{Path, SceneError};
use super::super::{Content, Grid, Mesh, check};
use super::MAX_PARTICLES;
use crate::mesh::{self, TriangleMesh};

/// A body in its own frame. Loose particles are a mesh with no triangles.
pub(super) struct Local {
    pub mesh: TriangleMesh,
    pub grid: Option<Grid>,
}

pub(super) fn local(at: &Path, content: &Content, notes: &mut Vec<String>) -> Result<Local, SceneError> {
    match content {
        Content::Cloth(cloth) => {
            let grid = if let Mesh::Grid(grid) = cloth.mesh { Some(grid) } else { None };
            Ok(Local { mesh: cloth_mesh(&at.key("mesh"), &cloth.mesh, notes)?, grid })
        }
        Content::Particles(particles) => {
            let at = at.key("positions");
            if particles.positions.is_empty() {
                return Err(SceneError::new(&at, "the body is empty; list at least one position, as in [[0, 0, 0]]"));
            }
            for (index, position) in particles.positions.iter().enumerate() {
                check::vector(&at.index(index), *position, &check::COORDINATE)?;
            }
            Ok(Local { mesh: TriangleMesh { positions: particles.positions.clone(), triangles: Vec::new() }, grid: None })
        }
    }
}

fn cloth_mesh(at: &Path, mesh: &Mesh, notes: &mut Vec<String>) -> Result<TriangleMesh, SceneError> {
    match mesh {
        Mesh::Grid(grid) => {
            let at = at.key("grid");
            check_cells(&at.key("columns"), grid.columns, 2)?;
            check_cells(&at.key("rows"), grid.rows, 2)?;
            check::number(&at.key("width"), grid.width, &check::LENGTH)?;
            check::number(&at.key("height"), grid.height, &check::LENGTH)?;
            check_size(&at, &[(grid.columns, grid.rows)])?;
            Ok(mesh::grid(grid.columns, grid.rows, grid.width, grid.height))
        }
        Mesh::Box { cells: cells @ [x, y, z], size } => {
            let at = at.key("box");
            cells.iter().enumerate().try_for_each(|(i, &cells)| check_cells(&at.key("cells").index(i), cells, 1))?;
            check::vector(&at.key("size"), *size, &check::LENGTH)?;
            // Two faces of each direction.
            check_size(&at, &[(*x, *y), (*x, *y), (*y, *z), (*y, *z), (*z, *x), (*z, *x)])?;
            Ok(mesh::cuboid(*cells, *size))
        }
        Mesh::Sphere { radius, segments } => {
            let at = at.key("sphere");
            check::number(&at.key("radius"), *radius, &check::LENGTH)?;
            check_cells(&at.key("segments"), *segments, 2)?;
            check_size(&at, &[(*segments, *segments), (*segments, *segments)])?;
            Ok(mesh::sphere(*radius, *segments))
        }
        Mesh::Torus { radius, tube_radius, segments, tube_segments } => {
            let at = at.key("torus");
            check::number(&at.key("radius"), *radius, &check::LENGTH)?;
            check::number(&at.key("tube_radius"), *tube_radius, &check::LENGTH)?;
            check_cells(&at.key("segments"), *segments, 3)?;
            check_cells(&at.key("tube_segments"), *tube_segments, 3)?;
            check_size(&at, &[(*segments, *tube_segments)])?;
            if tube_radius >= radius {
                let message = "must be below the radius of the ring, or the tube runs through itself; make it smaller";
                return Err(SceneError::new(&at.key("tube_radius"), message));
            }
            Ok(mesh::torus(*radius, *tube_radius, *segments, *tube_segments))
        }
        Mesh::File(path) => read(&at.key("file"), path, notes),
        Mesh::Triangles { positions, triangles } => {
            for (index, position) in positions.iter().enumerate() {
                check::vector(&at.key("positions").index(index), *position, &check::COORDINATE)?;
            }
            if let Some(index) = triangles.iter().flatten().position(|&p| p as usize >= positions.len()) {
                let message = format!("names a vertex beyond the {} that there are; correct the index", positions.len());
                return Err(SceneError::new(&at.key("triangles").index(index / 3), message));
            }
            Ok(TriangleMesh { positions: positions.clone(), triangles: triangles.clone() })
        }
    }
}

/// Refuses fewer cells, columns or rows than make a surface.
fn check_cells(at: &Path, found: u32, least: u32) -> Result<(), SceneError> {
    if found >= least {
        return Ok(());
    }
    Err(SceneError::new(at, format!("must be at least {least}, found {found}; raise it")))
}

/// Refuses a mesh of more particles than a scene may have, before it is made.
fn check_size(at: &Path, patches: &[(u32, u32)]) -> Result<(), SceneError> {
    let particles: u128 = patches.iter().map(|&(a, b)| u128::from(a) * u128::from(b)).sum();
    if particles <= MAX_PARTICLES.into() {
        return Ok(());
    }
    let message = format!("makes {particles} particles, and a scene can have {MAX_PARTICLES}; make it coarser");
    Err(SceneError::new(at, message))
}

#[cfg(feature = "mesh-files")]
fn read(at: &Path, path: &std::path::Path, notes: &mut Vec<String>) -> Result<TriangleMesh, SceneError> {
    let loaded = mesh::obj::read(path).map_err(|error| SceneError::new(at, error.to_string()))?;
    notes.extend(loaded.repairs.iter().map(|repair| format!("{}: {repair}", path.display())));
    for position in &loaded.mesh.positions {
        check::vector(at, *position, &check::COORDINATE)?;
    }
    Ok(loaded.mesh)
}

#[cfg(not(feature = "mesh-files"))]
fn read(at: &Path, _: &std::path::Path, _: &mut Vec<String>) -> Result<TriangleMesh, SceneError> {
    Err(SceneError::new(at, "this build reads no mesh files; build Pliant with the feature `mesh-files`"))
}
