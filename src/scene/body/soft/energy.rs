//! Solids held by an energy, of Young's modulus and Poisson's ratio.

use super::{MEND, Soft};
use crate::constraint::NeoHookean;
use crate::model::Material;
use crate::scene::check;
use crate::scene::error::SceneError;
use crate::scene::lower::{Builder, PlacedBody, push};

impl Builder<'_> {
    /// Tetrahedra of a kind by Young's modulus and Poisson's ratio.
    pub(super) fn by_energy(&mut self, placed: &PlacedBody, soft: &Soft, kind: &str) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, preset, .. } = *placed;
        let young_modulus = soft.young_modulus_at(at, preset)?;
        let poisson_ratio = soft.poisson_ratio.unwrap_or(NeoHookean::DEFAULT_POISSON_RATIO);
        let poisson_ratio = check::number(&at.key("poisson_ratio"), poisson_ratio, &check::POISSON_RATIO)?;
        let group = self.kind(&at.key("elasticity"), kind, 4)?;
        let compliance = NeoHookean::compliance(young_modulus, poisson_ratio);
        let material = self.model.materials.insert(Material { compliance, ..Material::default() });
        let ratio_at = self.model.groups[group].kind.rest().iter().position(|rest| rest.name == "poisson_ratio");
        let begin = self.model.groups[group].len() as u32;
        for (index, tetrahedron) in local.tetrahedra.iter().enumerate() {
            let ends = tetrahedron.map(|p| first + p);
            self.check_shape(&at.key("mesh"), self.model.groups[group].kind, &ends, (index, Some(MEND)))?;
            push(&mut self.model.groups[group], &self.model.particles, &ends, material, |i| {
                (Some(i) == ratio_at).then_some(poisson_ratio)
            });
        }
        let end = self.model.groups[group].len() as u32;
        self.tearable_solid(placed, soft, group, begin..end)
    }
}
