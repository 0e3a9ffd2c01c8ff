//! Meshes and hulls as colliders: closed, turned outwards, measured once however many colliders have them.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use super::super::error::{Path, SceneError};
use super::super::{Hull, Mesh, check};
use super::origin;
use super::reading::Reading;
use super::solid::Solids;
use crate::math::Vec3;
use crate::mesh::{DistanceGrid, TriangleMesh, distance};
use crate::model::{MeshShape, Shape};

impl Solids<'_> {
    /// A closed mesh, in multiples of its own lengths.
    pub fn mesh(&mut self, at: &Path, mesh: &Mesh, scale: f64, cells: u32) -> Result<Shape, SceneError> {
        let (surface, reading) = self.read(at, mesh, scale)?;
        let surface = self.near(scaled(at, surface, scale)?);
        let (surface, turned) = match distance::solid(&surface) {
            Ok(solid) => solid,
            Err(fault) => (self.ground(at, &surface, &fault).map_err(|error| reading.explain(error))?, 0),
        };
        if turned > 0 {
            let parts = if turned == 1 { "a part was" } else { &format!("{turned} parts were") };
            let note = format!("reversed triangles that were wound inwards: {parts} inside out");
            self.notes.push(SceneError::new(at, note).to_string());
        }
        self.measured(at, surface, cells, file_of(mesh))
    }

    /// A mesh that is far from its origin about another one.
    fn near(&mut self, mut mesh: TriangleMesh) -> TriangleMesh {
        let far = mesh.bounding_box().filter(|_| self.may_move).and_then(|(low, high)| origin::of_box(low, high));
        if let Some(origin) = far {
            mesh.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] - origin[axis]));
        }
        self.moved = far;
        mesh
    }

    /// The solid below a surface with holes, if it is ground; else the fault of that surface.
    fn ground(
        &mut self,
        at: &Path,
        surface: &TriangleMesh,
        fault: &distance::Fault,
    ) -> Result<TriangleMesh, SceneError> {
        let open = matches!(fault, distance::Fault::Holes { tangled: false, .. });
        let ground = open.then(|| distance::ground(surface, self.up.map(Vec3::from))).flatten();
        let solid = ground.as_ref().and_then(|ground| distance::solid(&ground.solid).ok());
        let Some((ground, (solid, _))) = ground.as_ref().zip(solid) else { return Err(refusal(at, fault)) };
        let turned = if ground.turned { "reversed, because its triangles faced down, and " } else { "" };
        let depth = check::display(ground.depth);
        let note = format!(
            "{turned}treated as ground, because it is open: solid below, with walls at its border and a floor {depth} \
             m below its lowest point"
        );
        self.notes.push(SceneError::new(at, note).to_string());
        Ok(solid)
    }

    fn read(&mut self, at: &Path, mesh: &Mesh, scale: f64) -> Result<(TriangleMesh, Reading), SceneError> {
        let mut reading = Reading::new(at, self.weld, [scale; 3])?;
        let surface = mesh.surface(at, &mut reading)?;
        self.notes.append(&mut reading.notes);
        Ok((surface, reading))
    }

    /// The convex hull of points.
    pub fn hull(&mut self, at: &Path, hull: &Hull, scale: f64, cells: u32) -> Result<Shape, SceneError> {
        let (points, file) = match hull {
            Hull::Mesh(mesh) => (self.read(at, mesh, scale)?.0, file_of(mesh)),
            Hull::Points(points) => {
                let at = at.key("points");
                for (index, point) in points.iter().enumerate() {
                    check::vector(&at.index(index), *point, &check::COORDINATE)?;
                }
                (TriangleMesh { positions: points.clone(), triangles: Vec::new() }, None)
            }
        };
        let points = self.near(scaled(at, points, scale)?);
        let flat = || {
            let message = "has no hull: it needs at least four points that are not in one plane; add points off the \
                 plane";
            SceneError::new(at, message)
        };
        let surface = distance::hull(&points.positions).ok_or_else(flat)?;
        let (surface, _) = distance::solid(&surface).map_err(|_| flat())?;
        self.measured(at, surface, cells, file)
    }

    fn measured(
        &mut self,
        at: &Path,
        surface: TriangleMesh,
        cells: u32,
        file: Option<&FilePath>,
    ) -> Result<Shape, SceneError> {
        check::number(&at.key("cells"), cells.into(), &check::DISTANCE_CELLS)?;
        let key = distance::key(&surface, cells);
        if let Some(made) = self.made.get(&key) {
            return Ok(Shape::Mesh(made.clone()));
        }
        let refused = || SceneError::new(at, "encloses a volume too small for single precision; scale the mesh up");
        let lattice = distance::lattice(&surface, cells).ok_or_else(refused)?;
        self.count(&at.key("cells"), lattice.nodes.iter().map(|&nodes| u64::from(nodes)).product())?;
        let kept = file.map(|file| kept_at(file, key));
        let read = kept.as_deref().and_then(|path| distance::decode(&self.host.kept(path)?, key));
        // What another version laid out differently fits no more than what is damaged.
        let read = read.filter(|grid| grid.lattice() == lattice);
        let grid = match read {
            Some(grid) => grid,
            None => self.measure(&surface, lattice, file, kept.as_deref(), key).ok_or_else(refused)?,
        };
        self.notes.extend(thin(&grid, &surface).map(|note| SceneError::new(at, note).to_string()));
        let made = Arc::new(MeshShape { surface, grid });
        self.made.insert(key, made.clone());
        Ok(Shape::Mesh(made))
    }

    fn measure(
        &self,
        surface: &TriangleMesh,
        lattice: distance::Lattice,
        file: Option<&FilePath>,
        kept: Option<&FilePath>,
        key: u64,
    ) -> Option<DistanceGrid> {
        let name = file.and_then(FilePath::file_name).map_or("a collider".into(), |name| name.to_string_lossy());
        let what = format!("measuring distances to {name}");
        let grid = distance::build(surface, lattice, &|share| self.host.progress(&what, share))?;
        if let Some(path) = kept {
            self.host.keep(path, &distance::encode(&grid, key));
        }
        Some(grid)
    }
}

/// Where distances to a file's mesh are kept: beside it, named by what they go by.
fn kept_at(file: &FilePath, key: u64) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{name}.{key:016x}.sdf"))
}

fn file_of(mesh: &Mesh) -> Option<&FilePath> {
    match mesh {
        Mesh::File(path) => Some(path),
        _ => None,
    }
}

fn scaled(at: &Path, mut mesh: TriangleMesh, scale: f64) -> Result<TriangleMesh, SceneError> {
    let scale = check::number(&at.key("scale"), scale, &check::SCALE)?;
    for (index, position) in mesh.positions.iter_mut().enumerate() {
        *position = position.map(|x| x * scale);
        check::vector(at, *position, &check::COORDINATE)
            .map_err(|error| SceneError::new(at, format!("vertex {index}, scaled: {}", error.message)))?;
    }
    Ok(mesh)
}

fn refusal(at: &Path, fault: &distance::Fault) -> SceneError {
    use distance::Fault::{Empty, Flat, Holes, Tangled};
    let message = match fault {
        Empty => "has no triangles; give a closed mesh".to_string(),
        Holes { edges, .. } => format!(
            "has holes with {edges} open edges around them, so that it has no inside, and it is not ground that covers \
             each place once; close the holes in a modelling program, or use the hull: shape = {{ convex = ... }}"
        ),
        Tangled(edges) => format!(
            "has {edges} edges at which more than two triangles meet, or two that are wound against each other, so \
             that it has no inside; give a closed mesh"
        ),
        Flat => "encloses no volume; give a closed mesh with an inside".to_string(),
    };
    SceneError::new(at, message)
}

/// A note if part of a mesh is too thin for its grid.
fn thin(grid: &DistanceGrid, surface: &TriangleMesh) -> Option<String> {
    let share = 100.0 * grid.thin_share(surface);
    (share > 1.0).then(|| {
        format!(
            "{share:.0} % of its surface belongs to parts thinner than the cells of its grid, {:.2e} m; particles pass \
             through them: raise cells",
            grid.cell
        )
    })
}
