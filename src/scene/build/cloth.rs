//! The constraints of a cloth: stretch, shear and bend.

use super::super::error::{Path, SceneError};
use super::super::suggest::suggestion;
use super::super::{Cloth, Grid, check};
use super::Builder;
use super::constraint::push;
use super::shape::Local;
use super::tear::Laws;
use crate::model::{Material, Mode};

/// The kind that holds a cloth together.
pub(super) const DISTANCE: &str = "distance";
/// The kinds that resist its bending.
const BENDS: [&str; 3] = [DISTANCE, "dihedral", "isometric_bend"];

impl Builder<'_> {
    pub fn cloth(&mut self, at: &Path, first: u32, cloth: &Cloth, local: &Local) -> Result<(), SceneError> {
        let stretch = material(at, ("stretch", cloth.stretch_compliance, cloth.stretch_stiffness))?;
        let shear_keys = (cloth.shear_compliance.unwrap_or(0.0), cloth.shear_stiffness.unwrap_or(1.0));
        let shear = material(at, ("shear", shear_keys.0, shear_keys.1))?;
        let bend = self.bend(at, cloth)?;
        if let Some(force) = self.break_force(at, cloth)? {
            if local.grid.is_none() {
                refuse_shear(at, cloth)?;
            }
            let [stretch, shear] = [stretch, shear].map(|law| Material { break_force: Some(force), ..law });
            let spares = self.spares(at, cloth, local)?;
            return self.tearable(at, first, local, &Laws { stretch, shear, bend }, spares);
        }
        match local.grid {
            Some(grid) => {
                self.distances(at, first, stretch, steps(grid, [(1, 0), (0, 1)]))?;
                self.distances(at, first, shear, steps(grid, [(1, 1), (-1, 1)]))?;
                if let Some((DISTANCE, bend)) = bend {
                    self.distances(at, first, bend, steps(grid, [(2, 0), (0, 2)]))?;
                }
            }
            None => {
                refuse_shear(at, cloth)?;
                self.distances(at, first, stretch, local.mesh.edges().into_iter())?;
                if let Some((DISTANCE, bend)) = bend {
                    let opposite = hinges(local).map(|[_, _, c, d]| [c, d]);
                    self.distances(at, first, bend, opposite)?;
                }
            }
        }
        match bend {
            None | Some((DISTANCE, _)) => Ok(()),
            Some((kind, bend)) => self.constraints(at, (kind, first, bend), hinges(local)),
        }
    }

    /// By what kind and how the cloth resists bending, if it does in this mode.
    fn bend(&self, at: &Path, cloth: &Cloth) -> Result<Option<(&'static str, Material)>, SceneError> {
        let (mut kind, mut compliance) = (DISTANCE, 0.0);
        if let Some(bend) = &cloth.bend {
            let at = at.key("bend");
            kind = BENDS.into_iter().find(|kind| *kind == bend.kind).ok_or_else(|| {
                let message = format!("unknown kind of bend '{}'; {}", bend.kind, suggestion(&bend.kind, BENDS));
                SceneError::new(&at.key("kind"), message)
            })?;
            compliance = check::number(&at.key("compliance"), bend.compliance, &check::COMPLIANCE)?;
        }
        let stiffness = cloth.bend_stiffness.unwrap_or(1.0);
        let stiffness = check::number(&at.key("bend_stiffness"), stiffness, &check::SHARE)?;
        let asked = match self.scene.settings.mode {
            Mode::Xpbd => cloth.bend.is_some(),
            Mode::Pbd => cloth.bend.is_some() || cloth.bend_stiffness.is_some(),
        };
        Ok(asked.then_some((kind, Material { compliance, stiffness, ..Material::default() })))
    }

    /// Distance constraints of one material, at rest as placed.
    fn distances(
        &mut self,
        at: &Path,
        first: u32,
        material: Material,
        pairs: impl Iterator<Item = [u32; 2]>,
    ) -> Result<(), SceneError> {
        self.constraints(at, (DISTANCE, first, material), pairs)
    }

    /// Constraints of one kind and material between particles counted from `first`, at rest as placed.
    fn constraints<const N: usize>(
        &mut self,
        at: &Path,
        (kind, first, material): (&str, u32, Material),
        all: impl Iterator<Item = [u32; N]>,
    ) -> Result<(), SceneError> {
        let group = self.kind(at, kind)?;
        let material = self.model.materials.insert(material);
        for particles in all {
            let ends = particles.map(|p| first + p);
            push(&mut self.model.groups[group], &self.model.particles.positions, &ends, material, |_| None);
        }
        Ok(())
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
    let message = "a triangle mesh has no diagonals to shear, its edges resist by themselves; remove it";
    Err(SceneError::key(&at.key(key), message))
}

/// Pairs of a grid's particles that lie so many columns and rows apart.
fn steps(grid: Grid, steps: [(i64, i64); 2]) -> impl Iterator<Item = [u32; 2]> {
    let (columns, rows) = (i64::from(grid.columns), i64::from(grid.rows));
    steps.into_iter().flat_map(move |(right, down)| {
        let starts =
            (0..rows - down).flat_map(move |row| (0.max(-right)..columns.min(columns - right)).map(move |c| (row, c)));
        starts.map(move |(row, c)| [row * columns + c, (row + down) * columns + c + right].map(|p| p as u32))
    })
}
