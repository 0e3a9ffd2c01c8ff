//! The particles and triangles of a body, before its transform.

use super::super::error::{Path, SceneError};
use super::super::{Content, Cuboid, Grid, Mesh, Sphere, Torus, check};
use super::MAX_PARTICLES;
use crate::mesh::TriangleMesh;
use crate::mesh::generate::Diagonals;

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
            Ok(Local {
                mesh: TriangleMesh { positions: particles.positions.clone(), triangles: Vec::new() },
                grid: None,
            })
        }
    }
}

fn cloth_mesh(at: &Path, mesh: &Mesh, notes: &mut Vec<String>) -> Result<TriangleMesh, SceneError> {
    match mesh {
        Mesh::Grid(grid) => check_grid(&at.key("grid"), grid).map(|()| grid.mesh(Diagonals::default())),
        Mesh::Box(cuboid) => check_box(&at.key("box"), cuboid).map(|()| cuboid.mesh()),
        Mesh::Sphere(sphere) => check_sphere(&at.key("sphere"), sphere).map(|()| sphere.mesh()),
        Mesh::Torus(torus) => check_torus(&at.key("torus"), torus).map(|()| torus.mesh()),
        Mesh::File(path) => read(&at.key("file"), path, notes),
        Mesh::Triangles(mesh) => check_triangles(at, mesh).map(|()| mesh.clone()),
    }
}

fn check_grid(at: &Path, grid: &Grid) -> Result<(), SceneError> {
    check_cells(&at.key("columns"), grid.columns, 2)?;
    check_cells(&at.key("rows"), grid.rows, 2)?;
    check::number(&at.key("width"), grid.width, &check::LENGTH)?;
    check::number(&at.key("height"), grid.height, &check::LENGTH)?;
    check_size(at, &[(grid.columns, grid.rows)])
}

fn check_box(at: &Path, &Cuboid { cells: cells @ [x, y, z], size }: &Cuboid) -> Result<(), SceneError> {
    cells.iter().enumerate().try_for_each(|(i, &cells)| check_cells(&at.key("cells").index(i), cells, 1))?;
    check::vector(&at.key("size"), size, &check::LENGTH)?;
    // Two faces of each direction.
    check_size(at, &[(x, y), (x, y), (y, z), (y, z), (z, x), (z, x)])
}

fn check_sphere(at: &Path, sphere: &Sphere) -> Result<(), SceneError> {
    check::number(&at.key("radius"), sphere.radius, &check::LENGTH)?;
    check_cells(&at.key("segments"), sphere.segments, 5)?;
    // An icosahedron with its edges in a fifth as many parts has ten times their square vertices.
    let parts = sphere.segments.div_ceil(5);
    check_size(at, &[(parts, parts); 10])
}

fn check_torus(at: &Path, torus: &Torus) -> Result<(), SceneError> {
    check::number(&at.key("radius"), torus.radius, &check::LENGTH)?;
    check::number(&at.key("tube_radius"), torus.tube_radius, &check::LENGTH)?;
    check_cells(&at.key("segments"), torus.segments, 3)?;
    check_cells(&at.key("tube_segments"), torus.tube_segments, 3)?;
    if torus.tube_radius >= torus.radius {
        let message = "must be below the radius of the ring, or the tube runs through itself; make it smaller";
        return Err(SceneError::new(&at.key("tube_radius"), message));
    }
    check_size(at, &[(torus.segments, torus.tube_segments)])
}

fn check_triangles(at: &Path, mesh: &TriangleMesh) -> Result<(), SceneError> {
    let count = mesh.positions.len();
    for (index, position) in mesh.positions.iter().enumerate() {
        check::vector(&at.key("positions").index(index), *position, &check::COORDINATE)?;
    }
    for (index, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        let fault = if [a, b, c].iter().any(|&p| p as usize >= count) {
            format!("names a vertex beyond the {count} that there are; correct the index")
        } else if a == b || b == c || c == a {
            "names one vertex twice; a triangle needs three".to_string()
        } else {
            continue;
        };
        return Err(SceneError::new(&at.key("triangles").index(index), fault));
    }
    Ok(())
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
    let loaded = crate::mesh::read(path).map_err(|error| SceneError::new(at, error.to_string()))?;
    notes.extend(loaded.repairs.iter().map(|repair| format!("{}: {repair}", path.display())));
    Ok(loaded.mesh)
}

#[cfg(not(feature = "mesh-files"))]
fn read(at: &Path, _: &std::path::Path, _: &mut Vec<String>) -> Result<TriangleMesh, SceneError> {
    Err(SceneError::new(at, "this build reads no mesh files; build Pliant with the feature `mesh-files`"))
}
