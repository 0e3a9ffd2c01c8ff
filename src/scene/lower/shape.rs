//! The particles and triangles of a body, before its transform.

use super::super::error::{Path, SceneError};
use super::super::{Balloon, Body, Content, Cuboid, Curve, Grid, Line, Mesh, Sphere, Strand, StrandPath, Torus, check};
use super::reading::Reading;
use super::{MAX_PARTICLES, grains, soft};
use crate::mesh::generate::Diagonals;
use crate::mesh::{Skin, TetrahedronMesh, TriangleMesh};

/// A body in its own frame. Strands and loose particles are a mesh with no triangles; the triangles of a solid are its
/// boundary.
pub(super) struct Local {
    pub mesh: TriangleMesh,
    pub grid: Option<Grid>,
    /// Particles in each of the strands that follow one another; `None` where there are no strands.
    pub strand: Option<u32>,
    /// Of a solid.
    pub tetrahedra: Vec<[u32; 4]>,
    /// What is drawn of a solid in place of its boundary, over its particles.
    pub skin: Option<Skin>,
    /// Volume of what a solid stands for over that of its tetrahedra: its weight goes by it.
    pub volume_share: f64,
}

impl Local {
    fn loose(positions: Vec<[f64; 3]>, strand: Option<u32>) -> Self {
        Self { strand, ..Self::surface(TriangleMesh { positions, triangles: Vec::new() }, None) }
    }

    fn surface(mesh: TriangleMesh, grid: Option<Grid>) -> Self {
        Self { mesh, grid, strand: None, tetrahedra: Vec::new(), skin: None, volume_share: 1.0 }
    }

    /// A solid that is drawn by its boundary.
    pub fn solid_of(solid: TetrahedronMesh) -> Self {
        Self { tetrahedra: solid.tetrahedra.clone(), ..Self::surface(solid.surface(), None) }
    }

    /// Its tetrahedra over its particles.
    pub fn solid(&self) -> TetrahedronMesh {
        TetrahedronMesh { positions: self.mesh.positions.clone(), tetrahedra: self.tetrahedra.clone() }
    }

    /// Runs of so many neighbouring particles of a strand, by index in the body.
    pub fn runs<const N: usize>(&self) -> impl Iterator<Item = [u32; N]> + '_ {
        let each = self.strand.unwrap_or(0);
        let runs = (0..self.mesh.positions.len() as u32).filter(move |i| i % each.max(1) + N as u32 <= each);
        runs.map(|i| std::array::from_fn(|k| i + k as u32))
    }
}

/// `at` is the body.
pub(super) fn local(at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
    match &body.content {
        Content::Cloth(cloth) | Content::Balloon(Balloon { surface: cloth, .. }) => {
            let grid = if let Mesh::Grid(grid) = cloth.mesh { Some(grid) } else { None };
            Ok(Local::surface(surface_mesh(&at.key("mesh"), &cloth.mesh, reading)?, grid))
        }
        Content::Shape(matching) => {
            let grid = if let Mesh::Grid(grid) = matching.mesh { Some(grid) } else { None };
            Ok(Local::surface(surface_mesh(&at.key("mesh"), &matching.mesh, reading)?, grid))
        }
        Content::Strand(strand) => strands(at, strand),
        Content::Soft(soft) => soft::local(at, soft, reading),
        Content::Grains(grains) => Ok(Local::loose(grains::places(at, body, grains, reading)?, None)),
        Content::Particles(particles) => {
            let at = at.key("positions");
            if particles.positions.is_empty() {
                return Err(SceneError::new(&at, "the body is empty; list at least one position, as in [[0, 0, 0]]"));
            }
            for (index, position) in particles.positions.iter().enumerate() {
                check::vector(&at.index(index), *position, &check::COORDINATE)?;
            }
            Ok(Local::loose(particles.positions.clone(), None))
        }
    }
}

fn strands(at: &Path, strand: &Strand) -> Result<Local, SceneError> {
    let path = strand_path(&at.key("mesh"), &strand.path)?;
    check_cells(&at.key("strands"), strand.strands, 1)?;
    let spacing = check::vector(&at.key("spacing"), strand.spacing, &check::COORDINATE)?;
    check_size(at, &[(path.len() as u32, strand.strands)])?;
    let moved = |i: u32| path.iter().map(move |x| std::array::from_fn(|k| x[k] + spacing[k] * f64::from(i)));
    Ok(Local::loose((0..strand.strands).flat_map(moved).collect(), Some(path.len() as u32)))
}

fn strand_path(at: &Path, path: &StrandPath) -> Result<Vec<[f64; 3]>, SceneError> {
    let (at, points) = match path {
        StrandPath::Line(line) => (at.key("line"), check_line(&at.key("line"), line).map(|()| line.positions())?),
        StrandPath::Curve(curve) => (at.key("curve"), check_curve(&at.key("curve"), curve).map(|()| curve.points())?),
        StrandPath::Points(points) => (at.key("points"), points.clone()),
    };
    check_points(&at, &points)?;
    Ok(points)
}

fn check_line(at: &Path, line: &Line) -> Result<(), SceneError> {
    check::vector(&at.key("from"), line.from, &check::COORDINATE)?;
    check::vector(&at.key("to"), line.to, &check::COORDINATE)?;
    check_cells(&at.key("segments"), line.segments, 1)?;
    check_size(at, &[(line.segments, 1)])
}

fn check_curve(at: &Path, curve: &Curve) -> Result<(), SceneError> {
    check_points(&at.key("through"), &curve.through)?;
    check_cells(&at.key("segments"), curve.segments, 1)?;
    check_size(at, &[(curve.segments, 1)])
}

/// Refuses fewer than two points, and two neighbours in one place: a segment needs a length.
fn check_points(at: &Path, points: &[[f64; 3]]) -> Result<(), SceneError> {
    for (index, point) in points.iter().enumerate() {
        check::vector(&at.index(index), *point, &check::COORDINATE)?;
    }
    if points.len() < 2 {
        return Err(SceneError::new(at, format!("has {} points; a strand needs two at least", points.len())));
    }
    match points.windows(2).position(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(index) => {
            let message = format!("points {index} and {} are in one place; a segment needs a length", index + 1);
            Err(SceneError::new(at, message))
        }
    }
}

pub(super) fn surface_mesh(at: &Path, mesh: &Mesh, reading: &mut Reading) -> Result<TriangleMesh, SceneError> {
    match mesh {
        Mesh::Grid(grid) => check_grid(&at.key("grid"), grid).map(|()| grid.mesh(Diagonals::default())),
        Mesh::Box(cuboid) => check_box(&at.key("box"), cuboid).map(|()| cuboid.mesh()),
        Mesh::Sphere(sphere) => check_sphere(&at.key("sphere"), sphere).map(|()| sphere.mesh()),
        Mesh::Torus(torus) => check_torus(&at.key("torus"), torus).map(|()| torus.mesh()),
        Mesh::File(path) => reading.surface(&at.key("file"), path),
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
    check_count(at, patches.iter().map(|&(a, b)| u128::from(a) * u128::from(b)).sum())
}

pub(super) fn check_count(at: &Path, particles: u128) -> Result<(), SceneError> {
    if particles <= MAX_PARTICLES.into() {
        return Ok(());
    }
    let message = format!("makes {particles} particles, and a scene can have {MAX_PARTICLES}; make it coarser");
    Err(SceneError::new(at, message))
}
