//! The surfaces of bodies and colliders: what a scene says of them, their keys, and their checks.

use std::path::PathBuf;

use super::check;
use super::error::{Path, SceneError};
use super::lower::{MAX_PARTICLES, Reading};
use crate::mesh::generate::{Cuboid, Diagonals, Grid, Sphere, Torus};
use crate::mesh::{TriangleMesh, unclosed};

/// Where a surface comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Mesh {
    /// A rectangle with rows and columns; the only one with shear and with corners to pin.
    Grid(Grid),
    /// The surface of a box.
    Box(Cuboid),
    /// The surface of a ball.
    Sphere(Sphere),
    /// The surface of a ring.
    Torus(Torus),
    /// An OBJ, PLY, STL, glTF or GLB file, read by [`Scene::build`](super::Scene::build). Needs the feature
    /// `mesh-files`.
    File(PathBuf),
    /// Vertices and triangles as they are.
    Triangles(TriangleMesh),
}

impl From<Grid> for Mesh {
    fn from(grid: Grid) -> Self {
        Mesh::Grid(grid)
    }
}
impl From<Cuboid> for Mesh {
    fn from(cuboid: Cuboid) -> Self {
        Mesh::Box(cuboid)
    }
}
impl From<Sphere> for Mesh {
    fn from(sphere: Sphere) -> Self {
        Mesh::Sphere(sphere)
    }
}
impl From<Torus> for Mesh {
    fn from(torus: Torus) -> Self {
        Mesh::Torus(torus)
    }
}
impl From<TriangleMesh> for Mesh {
    fn from(mesh: TriangleMesh) -> Self {
        Mesh::Triangles(mesh)
    }
}

impl Mesh {
    /// Replaces the name of a file by the mesh in it, if the file is among these. What cannot be read keeps its name,
    /// and is told when the scene is built.
    #[cfg(feature = "scene-files")]
    pub(super) fn embed(&mut self, files: &[(&str, &[u8])]) {
        #[cfg(feature = "mesh-files")]
        if let Mesh::File(path) = self
            && let Some((name, bytes)) = files.iter().find(|(name, _)| path.as_os_str() == *name)
            && let Ok(loaded) = crate::mesh::parse(name, bytes)
        {
            *self = Mesh::Triangles(loaded.mesh);
        }
        #[cfg(not(feature = "mesh-files"))]
        let _ = files;
    }

    /// Its vertices and triangles, checked. `at` is the mesh.
    pub(super) fn surface(&self, at: &Path, reading: &mut Reading) -> Result<TriangleMesh, SceneError> {
        match self {
            Mesh::Grid(grid) => check_grid(&at.key("grid"), grid).map(|()| grid.mesh(Diagonals::default())),
            Mesh::Box(cuboid) => check_box(&at.key("box"), cuboid).map(|()| cuboid.mesh()),
            Mesh::Sphere(sphere) => check_sphere(&at.key("sphere"), sphere).map(|()| sphere.mesh()),
            Mesh::Torus(torus) => check_torus(&at.key("torus"), torus).map(|()| torus.mesh()),
            Mesh::File(path) => reading.surface(&at.key("file"), path),
            Mesh::Triangles(mesh) => check_triangles(at, mesh).map(|()| mesh.clone()),
        }
    }

    /// Its rows and columns, if it has them.
    pub(super) fn grid(&self) -> Option<Grid> {
        if let Mesh::Grid(grid) = self { Some(*grid) } else { None }
    }
}

fn check_grid(at: &Path, grid: &Grid) -> Result<(), SceneError> {
    check_cells(&at.key("columns"), grid.columns, 2)?;
    check_cells(&at.key("rows"), grid.rows, 2)?;
    check::number(&at.key("width"), grid.width, &check::LENGTH)?;
    check::number(&at.key("height"), grid.height, &check::LENGTH)?;
    check_size(at, &[(grid.columns, grid.rows)])
}

pub(super) fn check_cuboid(at: &Path, cuboid: &Cuboid) -> Result<(), SceneError> {
    let mut cells = cuboid.cells.iter().enumerate();
    cells.try_for_each(|(i, &cells)| check_cells(&at.key("cells").index(i), cells, 1))?;
    check::vector(&at.key("size"), cuboid.size, &check::LENGTH).map(|_| ())
}

fn check_box(at: &Path, cuboid: &Cuboid) -> Result<(), SceneError> {
    check_cuboid(at, cuboid)?;
    let [x, y, z] = cuboid.cells;
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
        let message = "must be below the radius of the ring, or the tube intersects itself; make it smaller";
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
            format!("names a vertex that does not exist: the mesh has {count}; correct the index")
        } else if a == b || b == c || c == a {
            "names one vertex twice; a triangle needs three".to_string()
        } else {
            continue;
        };
        return Err(SceneError::new(&at.key("triangles").index(index), fault));
    }
    Ok(())
}

/// Refuses fewer cells, columns or rows than make a mesh.
pub(super) fn check_cells(at: &Path, found: u32, least: u32) -> Result<(), SceneError> {
    if found >= least {
        return Ok(());
    }
    Err(SceneError::new(at, format!("must be at least {least}, found {found}; raise it")))
}

/// Refuses a mesh of more particles than a scene may have, before it is made.
pub(super) fn check_size(at: &Path, patches: &[(u32, u32)]) -> Result<(), SceneError> {
    check_count(at, patches.iter().map(|&(a, b)| u128::from(a) * u128::from(b)).sum())
}

pub(super) fn check_count(at: &Path, particles: u128) -> Result<(), SceneError> {
    if particles <= MAX_PARTICLES.into() {
        return Ok(());
    }
    let message = format!("makes {particles} particles, and a scene can have at most {MAX_PARTICLES}; make it coarser");
    Err(SceneError::new(at, message))
}

/// Refuses triangles that enclose nothing, with the place in space.
pub(super) fn check_closed(at: &Path, triangles: &[[u32; 3]], positions: &[[f64; 3]]) -> Result<(), SceneError> {
    let Some((ends, fault)) = unclosed(triangles) else { return Ok(()) };
    let [from, to] = ends.map(|p| positions[p as usize].map(check::display).join(", "));
    let message = format!(
        "is not a closed surface: the edge from [{from}] to [{to}] {fault}; join two triangles of equal winding at it"
    );
    Err(SceneError::new(at, message))
}
