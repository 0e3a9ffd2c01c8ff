//! Cloth that is held by distances: along its edges, across the cells of a grid, and across two edges.

use super::Cloth;
use super::tear::Laws;
use crate::math::Vec3;
use crate::model::Material;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, DISTANCE, GridSprings, Local, PlacedBody, SizedPreset};
use crate::scene::{Grid, check};

/// The kinds that resist its bending.
const BENDS: [&str; 3] = [DISTANCE, "dihedral", "isometric_bend"];

impl Builder<'_> {
    /// What holds a cloth by its edges, and bends it.
    pub(super) fn springs(&mut self, placed: &PlacedBody, cloth: &Cloth) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, preset, .. } = *placed;
        let stretch = material(at, ("stretch", cloth.stretch_compliance.unwrap_or(0.0), cloth.stretch_stiffness))?;
        let shear_keys = (cloth.shear_compliance.unwrap_or(0.0), cloth.shear_stiffness.unwrap_or(1.0));
        let shear = material(at, ("shear", shear_keys.0, shear_keys.1))?;
        let bend = self.cloth_bend(at, cloth)?;
        if let Some(force) = self.break_force(at, cloth)? {
            let [stretch, shear] = [stretch, shear].map(|law| Material { break_force: Some(force), ..law });
            let (compliance, springs) = match (local.grid, preset) {
                (Some(grid), Some(preset)) => (0.0, Some(self.grid_springs(at, first, grid, preset)?)),
                (Some(_), None) => (stretch.compliance, None),
                (None, preset) => {
                    refuse_shear(at, cloth)?;
                    (preset.map_or(stretch.compliance, |preset| preset.edge()), None)
                }
            };
            let laws = Laws { stretch: Material { compliance, ..stretch }, shear, springs, bend };
            let spares = self.spares(at, cloth.spare_particles, local)?;
            return self.tearable(placed, &laws, spares);
        }
        let begin = self.distance_count();
        match local.grid {
            Some(grid) => match preset {
                None => {
                    self.distances(at, first, stretch, steps(grid, [(1, 0), (0, 1)]))?;
                    self.distances(at, first, shear, steps(grid, [(1, 1), (-1, 1)]))?;
                }
                Some(preset) => self.grid_of(at, first, grid, preset, [stretch, shear])?,
            },
            None => {
                refuse_shear(at, cloth)?;
                let compliance = preset.map_or(stretch.compliance, |preset| preset.edge());
                self.distances(at, first, Material { compliance, ..stretch }, local.mesh.edges().into_iter())?;
            }
        }
        self.stretches(begin);
        self.resist_bending(placed, bend)
    }

    /// What resists bending: by distances across two edges, of a grid along its rows and columns, or by the angles of
    /// its hinges.
    pub(super) fn resist_bending(
        &mut self,
        placed: &PlacedBody,
        bend: Option<(&'static str, Material)>,
    ) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, .. } = *placed;
        match (bend, local.grid) {
            (None, _) => Ok(()),
            (Some((DISTANCE, bend)), grid) => {
                let begin = self.distance_count();
                match grid {
                    Some(grid) => self.distances(at, first, bend, steps(grid, [(2, 0), (0, 2)]))?,
                    None => self.distances(at, first, bend, hinges(local).map(|[_, _, c, d]| [c, d]))?,
                }
                let range = begin..self.distance_count();
                self.model.bodies.last_mut().into_iter().for_each(|body| body.bend = Some(range.clone()));
                Ok(())
            }
            (Some((kind, bend)), _) => self.constraints(at, (kind, first, bend), hinges(local)),
        }
    }

    /// The springs of a grid that is made of a material: along rows and columns, softer at its border, and across
    /// cells.
    fn grid_of(
        &mut self,
        at: &Path,
        first: u32,
        grid: Grid,
        preset: SizedPreset,
        [stretch, shear]: [Material; 2],
    ) -> Result<(), SceneError> {
        let springs = self.grid_springs(at, first, grid, preset)?;
        for (step, compliance) in [((1, 0), springs.row), ((0, 1), springs.column)] {
            let (border, inner): (Vec<_>, Vec<_>) = steps(grid, [step]).partition(|&ends| at_border(grid, ends));
            self.distances(at, first, Material { compliance, ..stretch }, inner.into_iter())?;
            self.distances(at, first, Material { compliance: 2.0 * compliance, ..stretch }, border.into_iter())?;
        }
        let compliance = springs.diagonal;
        self.distances(at, first, Material { compliance, ..shear }, steps(grid, [(1, 1), (-1, 1)]))
    }

    /// The springs of a grid of this material, by the size of its cells.
    fn grid_springs(&self, at: &Path, first: u32, grid: Grid, preset: SizedPreset) -> Result<GridSprings, SceneError> {
        let place = |p: u32| Vec3::from(self.model.particles.positions[(first + p) as usize]);
        let (a, b) = ((place(1) - place(0)).length(), (place(grid.columns) - place(0)).length());
        preset.grid(a, b).ok_or_else(|| {
            let message = format!(
                "cannot be made of springs in cells of {} m by {} m; make the sides of a cell differ by a factor of \
                 1.7 at most",
                check::display(a),
                check::display(b)
            );
            SceneError::new(&at.key("material"), message)
        })
    }

    /// By what kind and how the cloth resists bending, if it does in this mode.
    pub(super) fn cloth_bend(&self, at: &Path, cloth: &Cloth) -> Result<Option<(&'static str, Material)>, SceneError> {
        let (kind, compliance) = match &cloth.bend {
            Some(bend) => bend.check(&at.key("bend"), BENDS)?,
            None => (DISTANCE, 0.0),
        };
        let stiffness = cloth.bend_stiffness.unwrap_or(1.0);
        let stiffness = check::number(&at.key("bend_stiffness"), stiffness, &check::SHARE)?;
        let bends = cloth.bends(self.scene.settings.mode);
        Ok(bends.then_some((kind, Material { compliance, stiffness, ..Material::default() })))
    }
}

fn material(at: &Path, (name, compliance, stiffness): (&str, f64, f64)) -> Result<Material, SceneError> {
    Ok(Material {
        compliance: check::number(&at.key(&format!("{name}_compliance")), compliance, &check::COMPLIANCE)?,
        stiffness: check::number(&at.key(&format!("{name}_stiffness")), stiffness, &check::SHARE)?,
        ..Material::default()
    })
}

/// The hinges of a mesh; two triangles over the same three corners make none.
fn hinges(local: &Local) -> impl Iterator<Item = [u32; 4]> {
    local.mesh.hinges().into_iter().filter(|[_, _, c, d]| c != d)
}

fn refuse_shear(at: &Path, cloth: &Cloth) -> Result<(), SceneError> {
    let key = match (cloth.shear_compliance, cloth.shear_stiffness) {
        (Some(_), _) => "shear_compliance",
        (None, Some(_)) => "shear_stiffness",
        (None, None) => return Ok(()),
    };
    let message = "does not apply to a triangle mesh: it has no diagonals, and its edges resist shear by themselves; \
         remove it";
    Err(SceneError::key(&at.key(key), message))
}

/// Whether an edge of a grid runs along its border.
pub(super) fn at_border(grid: Grid, [p, q]: [u32; 2]) -> bool {
    let same =
        |line: fn(u32, Grid) -> u32, last: u32| line(p, grid) == line(q, grid) && [0, last].contains(&line(p, grid));
    same(|p, grid| p / grid.columns, grid.rows - 1) || same(|p, grid| p % grid.columns, grid.columns - 1)
}

/// Pairs of a grid's particles that lie so many columns and rows apart.
fn steps<const N: usize>(grid: Grid, steps: [(i64, i64); N]) -> impl Iterator<Item = [u32; 2]> {
    let (columns, rows) = (i64::from(grid.columns), i64::from(grid.rows));
    steps.into_iter().flat_map(move |(right, down)| {
        let starts =
            (0..rows - down).flat_map(move |row| (0.max(-right)..columns.min(columns - right)).map(move |c| (row, c)));
        starts.map(move |(row, c)| [row * columns + c, (row + down) * columns + c + right].map(|p| p as u32))
    })
}
