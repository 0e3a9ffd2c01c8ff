//! What a material by name makes of a body: the compliances of its springs and its weight.

use std::f64::consts::PI;

use super::super::error::{Path, SceneError};
use super::super::suggest::suggestion;
use super::super::{Body, PRESETS, Preset};
use super::local::Extent;

/// A material by name, and the size of what is made of it.
#[derive(Clone, Copy)]
pub(in crate::scene) struct SizedPreset {
    preset: &'static Preset,
    /// m
    radius: f64,
}

/// Compliances of the springs of a grid, m/N.
pub(in crate::scene) struct GridSprings {
    /// Along rows; twice that on the first and last, which bear half a cell.
    pub row: f64,
    /// Along columns; likewise.
    pub column: f64,
    /// Across cells.
    pub diagonal: f64,
}

impl SizedPreset {
    /// What a body of this radius says it is made of, if it does.
    pub fn new(at: &Path, body: &Body, radius: f64) -> Result<Option<Self>, SceneError> {
        let Some(name) = &body.material else { return Ok(None) };
        let at_material = at.key("material");
        let Some(preset) = Preset::named(name) else {
            let names = PRESETS.iter().map(|preset| preset.name);
            return Err(SceneError::new(
                &at_material,
                format!("unknown material '{name}'; {}", suggestion(name, names)),
            ));
        };
        let kind = body.content.kind();
        let keys = kind.material_keys().map_err(|message| SceneError::new(&at_material, message))?;
        for (key, given) in keys {
            if given.is_some() {
                let message = "cannot be combined with a material, which has its own; give one of the two";
                return Err(SceneError::key(&at.key(key), message));
            }
        }
        if radius == 0.0 && !matches!(kind.extent(), Extent::Volume | Extent::Enclosed) {
            return Err(SceneError::new(
                &at_material,
                "needs the body's cross-section; give a thickness (or a radius)",
            ));
        }
        Ok(Some(Self { preset, radius }))
    }

    /// Pa
    pub fn young_modulus(&self) -> f64 {
        self.preset.young_modulus()
    }

    /// kg/m of a strand of round cross-section, kg/m² of a surface, kg/m³ of a solid or of balls.
    pub fn density(&self, extent: Extent) -> f64 {
        match extent {
            Extent::Length => self.preset.density * PI * self.radius * self.radius,
            Extent::Area => self.preset.density * 2.0 * self.radius,
            Extent::Volume | Extent::Enclosed | Extent::Liquid | Extent::Balls | Extent::Points => self.preset.density,
        }
    }

    /// Of a segment of a strand of round cross-section: α = L/(E π r²), m/N.
    pub fn segment(&self, length: f64) -> f64 {
        self.preset.compliance * length / (PI * self.radius * self.radius)
    }

    /// Of each edge of a mesh of equilateral triangles, of whatever size: α = 2/(√3 E t), m/N. Seung and Nelson,
    /// Defects in Flexible Membranes with Crystalline Order, 1988.
    pub fn edge(&self) -> f64 {
        2.0 * self.preset.compliance / (3_f64.sqrt() * 2.0 * self.radius)
    }

    /// Of a sheet without lateral contraction and its shear modulus E/2, along warp and weft and in shear: 1/(E t) and
    /// 2/(E t), m/N.
    pub fn sheet(&self) -> [f64; 3] {
        let stretch = self.preset.compliance / (2.0 * self.radius);
        [stretch, stretch, 2.0 * stretch]
    }

    /// Of the springs of a grid with cells of width a and height b: those with which its energy at any uniform strain
    /// is that of a sheet of Young's modulus E, Poisson's ratio 1/3 (as springs have it) and thickness t:
    /// k_diagonal = 3/16 E t (a² + b²)/(ab), k_row = 3/8 E t (3b/a - a/b), k_column = 3/8 E t (3a/b - b/a).
    /// `None` where cells are so oblong that one would have to push: beyond 1 : √3.
    pub fn grid(&self, a: f64, b: f64) -> Option<GridSprings> {
        let eighth = 2.0 * self.radius / self.preset.compliance / 8.0;
        let (row, column) = (3.0 * eighth * (3.0 * b / a - a / b), 3.0 * eighth * (3.0 * a / b - b / a));
        let diagonal = 1.5 * eighth * (a * a + b * b) / (a * b);
        let possible = row > 0.0 && column > 0.0;
        possible.then_some(GridSprings { row: 1.0 / row, column: 1.0 / column, diagonal: 1.0 / diagonal })
    }
}
