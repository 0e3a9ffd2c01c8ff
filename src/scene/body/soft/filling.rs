//! Closed surfaces filled with tetrahedra, which carry them as a skin.

use crate::mesh::{Skin, TetrahedronMesh, TriangleMesh, pieces};
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Local, Reading};
use crate::scene::mesh::check_closed;
use crate::scene::{Mesh, check};

/// Cells along the longest side of a surface whose scene gives no size.
const DEFAULT_CELLS: f64 = 16.0;
/// The most points of a lattice around a surface: ten seconds of search.
const MOST_POINTS: f64 = 4e6;
/// By how much the volume of the tetrahedra may differ from that of the surface before it is told.
const TOLD: f64 = 0.1;

/// A closed surface and how finely it is filled with tetrahedra. It is what is drawn and exported of the solid; the
/// tetrahedra's particles carry it, and they are what is simulated and touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Filling {
    /// Its triangles meet two at each edge and enclose a volume.
    pub surface: Mesh,
    /// Size of the tetrahedra, m, above 0; left out: a sixteenth of the surface's longest side. Smaller ones follow the
    /// surface more closely, and their number grows with the cube.
    pub cell: Option<f64>,
}

impl Filling {
    /// With cells of the default size.
    pub fn new(surface: impl Into<Mesh>) -> Self {
        Self { surface: surface.into(), cell: None }
    }
    /// Size of the tetrahedra, m.
    pub fn cell(self, metres: f64) -> Self {
        Self { cell: Some(metres), ..self }
    }

    /// The particles, tetrahedra and skin of a solid, before its transform. `at` is its mesh.
    pub(super) fn local(&self, at: &Path, reading: &mut Reading) -> Result<Local, SceneError> {
        let at_surface = at.key("surface");
        let mut surface = self.surface.surface(&at_surface, reading)?;
        // Its particles are those of the lattice.
        reading.renumbered.numbers.clear();
        check_closed(&at_surface, &surface.triangles, &surface.positions).map_err(|error| reading.explain(error))?;
        let notes = &mut reading.notes;
        let volume = enclosed(&at_surface, &mut surface, notes)?;
        let cell = cell(&at.key("cell"), self.cell, &surface)?;
        let solid = fill(&at_surface, &surface, cell)?;
        let surfaces =
            pieces(surface.positions.len(), surface.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c]]));
        let parts = solid.pieces();
        if parts > surfaces {
            let message = format!("fills a surface of {surfaces} with {parts} separate pieces; make it smaller");
            return Err(SceneError::new(&at.key("cell"), message));
        }
        let volume_share = volume / solid.signed_volume();
        if (1.0 / volume_share - 1.0).abs() > TOLD {
            let times = 1.0 / volume_share;
            let below = check::display(cell);
            let note = format!(
                "its tetrahedra have {times:.2} times the volume that it encloses; \
                a cell below {below} m follows it more closely"
            );
            notes.push(SceneError::new(&at_surface, note).to_string());
        }
        let skin = Some(Skin::new(&surface, &solid));
        Ok(Local { skin, volume_share, ..Local::solid_of(solid) })
    }
}

/// The volume that a surface encloses, m³. One that is wound inwards is turned round.
fn enclosed(at: &Path, surface: &mut TriangleMesh, notes: &mut Vec<String>) -> Result<f64, SceneError> {
    let volume = surface.signed_volume();
    let extent = extent(surface);
    // What is left of the volume of a flat surface by rounding.
    if volume.abs() <= 1e-9 * extent.iter().map(|side| side.max(1e-3 * longest(extent))).product::<f64>() {
        let message = format!("encloses {} m³: it is flat; give a surface around a volume", check::display(volume));
        return Err(SceneError::new(at, message));
    }
    if volume < 0.0 {
        surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        notes.push(SceneError::new(at, "reversed its triangles, which were wound inwards").to_string());
    }
    Ok(volume.abs())
}

/// The size of the lattice's cells, m.
fn cell(at: &Path, given: Option<f64>, surface: &TriangleMesh) -> Result<f64, SceneError> {
    let extent = extent(surface);
    let cell = check::number(at, given.unwrap_or(longest(extent) / DEFAULT_CELLS), &check::LENGTH)?;
    if cell > longest(extent) {
        let (cell, side) = (check::display(cell), check::display(longest(extent)));
        let message = format!("is {cell} m, and the longest side of the surface {side} m; make it smaller");
        return Err(SceneError::new(at, message));
    }
    // Corners and centres, with a cell around the surface on each side.
    let points = 2.0 * extent.iter().map(|side| side / cell + 3.0).product::<f64>();
    if points <= MOST_POINTS {
        return Ok(cell);
    }
    let message = format!(
        "makes a lattice of {points:.0} points around the surface, and at most {MOST_POINTS:.0} are allowed; make it \
         larger than {} m",
        check::display(cell)
    );
    Err(SceneError::new(at, message))
}

fn extent(surface: &TriangleMesh) -> [f64; 3] {
    let (low, high) = surface.bounding_box().unwrap_or_default();
    std::array::from_fn(|axis| high[axis] - low[axis])
}

fn longest(extent: [f64; 3]) -> f64 {
    extent.into_iter().fold(0.0, f64::max)
}

#[cfg(feature = "tetrahedralise")]
fn fill(at: &Path, surface: &TriangleMesh, cell: f64) -> Result<TetrahedronMesh, SceneError> {
    crate::mesh::fill(surface, cell).ok_or_else(|| {
        let message = "cannot be filled; check that it does not intersect itself, and that no two of its vertices are \
             in one place";
        SceneError::new(at, message)
    })
}

#[cfg(not(feature = "tetrahedralise"))]
fn fill(at: &Path, _: &TriangleMesh, _: f64) -> Result<TetrahedronMesh, SceneError> {
    Err(SceneError::new(at, "this build fills no surfaces; build Pliant with the feature `tetrahedralise`"))
}
