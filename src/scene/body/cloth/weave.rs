//! Cloth that is held by the strain of its triangles: along the warp, along the weft, and in shear.

use super::{Cloth, Stretch};
use crate::constraint::{Constraint, SurfaceStrain};
use crate::math::Vec3;
use crate::model::Material;
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, PlacedBody, SizedPreset};

/// What to do about a triangle without a shape.
const MEND: &str = "correct the mesh there, or set stretch = \"edges\"";
/// A triangle whose normal is this near the body's x has its warp along the body's z.
const FACING: f64 = 1e-6;

impl Builder<'_> {
    /// The strain of each triangle, and what bends it. The warp lies along the body's x, laid onto the triangle; along
    /// its z where a triangle faces x.
    pub(super) fn woven(&mut self, placed: &PlacedBody, cloth: &Cloth) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, transform, preset, .. } = *placed;
        let group = self.kind(&at.key("stretch"), SurfaceStrain::NAME, 3)?;
        let kind = self.model.groups[group].kind;
        let material = self.model.materials.insert_run(&materials(at, cloth, preset)?);
        let [along, instead] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| Vec3::from(transform.rotate(axis)));
        for (index, triangle) in local.mesh.triangles.iter().enumerate() {
            let ends = triangle.map(|p| first + p);
            let x = ends.map(|p| Vec3::from(self.model.particles.positions[p as usize]));
            self.check_shape(&at.key("mesh"), kind, &ends, (index, Some(MEND)))?;
            let (normal, _) = (x[1] - x[0]).cross(x[2] - x[0]).direction_and_length();
            let warp = if normal.cross(along).length() > FACING { along } else { instead };
            self.model.groups[group].push(&ends, &SurfaceStrain::along(&x, warp), material);
        }
        let bend = self.cloth_bend(at, cloth)?;
        self.resist_bending(placed, bend)
    }
}

/// Those of warp, weft and shear. A material by name is a sheet without lateral contraction, of Young's modulus E and
/// thickness t: 1/(E t) along both, and 1/(G t) = 2/(E t) in shear.
fn materials(at: &Path, cloth: &Cloth, preset: Option<SizedPreset>) -> Result<[Material; 3], SceneError> {
    let of_sheet = preset.map(|preset| preset.sheet());
    let stretch = cloth.stretch_compliance.unwrap_or(0.0);
    let keys = [
        ("stretch_compliance", stretch, "stretch_stiffness", cloth.stretch_stiffness),
        (
            "weft_compliance",
            cloth.weft_compliance.unwrap_or(stretch),
            "weft_stiffness",
            cloth.weft_stiffness.unwrap_or(cloth.stretch_stiffness),
        ),
        (
            "shear_compliance",
            cloth.shear_compliance.unwrap_or(0.0),
            "shear_stiffness",
            cloth.shear_stiffness.unwrap_or(1.0),
        ),
    ];
    let mut materials = [Material::default(); 3];
    for (k, (compliance_key, compliance, stiffness_key, stiffness)) in keys.into_iter().enumerate() {
        let compliance = of_sheet.map_or(compliance, |sheet| sheet[k]);
        materials[k].compliance = check::number(&at.key(compliance_key), compliance, &check::COMPLIANCE)?;
        materials[k].stiffness = check::number(&at.key(stiffness_key), stiffness, &check::SHARE)?;
    }
    Ok(materials)
}

/// Refuses keys of the way of stretching that the cloth has not.
pub(super) fn check_keys(at: &Path, cloth: &Cloth) -> Result<(), SceneError> {
    let weft = [("weft_compliance", cloth.weft_compliance), ("weft_stiffness", cloth.weft_stiffness)];
    match cloth.stretch {
        Stretch::Edges => match weft.into_iter().find(|(_, given)| given.is_some()) {
            None => Ok(()),
            Some((key, _)) => {
                let message = "applies to stretch = \"strain\" only: edges stretch equally in all directions; set \
                               stretch = \"strain\", or remove it";
                Err(SceneError::key(&at.key(key), message))
            }
        },
        Stretch::Strain if cloth.break_force.is_some() => {
            let message = "breaks edges, and this cloth has none: it is held by the strain of its triangles; remove \
                 it, or set stretch = \"edges\"";
            Err(SceneError::new(&at.key("break_force"), message))
        }
        Stretch::Strain => Ok(()),
    }
}
