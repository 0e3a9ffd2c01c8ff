//! What bodies are made of, by name, and how that may change while they move.

use std::collections::BTreeSet;

use super::tuning::Tuning;
use crate::constraint::{Distance, SurfaceStrain, kind};
use crate::model::{Group, Model};
use crate::scene::{PRESETS, Preset, Scene};

/// A body that a scene says is made of a material, and the springs that come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMaterial {
    /// The body's name.
    pub body: String,
    /// What the scene says.
    preset: &'static Preset,
    /// Index of each of the model's materials that the springs have, and its compliance as built, m/N.
    springs: Vec<(usize, f64)>,
}

/// The bodies of a scene that are made of materials by name.
pub fn made(scene: &Scene, model: &Model) -> Vec<NamedMaterial> {
    let preset = |name: &Option<String>| Preset::named(name.as_deref()?);
    let bodies = scene.bodies.iter().zip(&model.bodies).enumerate();
    let made = bodies.filter_map(|(index, (described, body))| {
        let preset = preset(&described.material)?;
        let bend = described.content.bend();
        // A bend across two edges is a distance, too; its compliance is its own.
        let own = |&material: &u32| {
            let compliance = model.materials[material as usize].compliance;
            bend.is_none_or(|bend| bend.compliance != compliance)
        };
        let springs: BTreeSet<u32> = springs_of(model, index as u32).filter(own).collect();
        let springs = springs.into_iter().map(|spring| spring as usize);
        let springs = springs.map(|spring| (spring, model.materials[spring].compliance)).collect();
        Some(NamedMaterial { body: body.name.clone(), preset, springs })
    });
    made.collect()
}

/// The materials of each distance between particles of one body, and of each element of its surface or inside.
fn springs_of(model: &Model, body: u32) -> impl Iterator<Item = u32> + '_ {
    let is_spring =
        |group: &&Group| [kind::<Distance>(), kind::<SurfaceStrain>()].contains(&group.kind) || group.kind.is_solid();
    model.groups.iter().filter(is_spring).flat_map(move |group| {
        let inside =
            move |&c: &usize| group.particles_of(c).iter().all(|&p| model.particles.bodies[p as usize] == body);
        let materials = move |c| (0..group.materials_each()).map(move |k| group.material_of(c, k));
        (0..group.len()).filter(inside).flat_map(materials)
    })
}

impl NamedMaterial {
    /// Whether one of its springs has this of the model's materials.
    pub fn has(&self, material: usize) -> bool {
        self.springs.iter().any(|(spring, _)| *spring == material)
    }

    /// How much softer a material is than what the scene says.
    fn ratio(&self, preset: &Preset) -> f64 {
        preset.compliance / self.preset.compliance
    }

    /// Whether the springs are those of a material.
    pub fn is(&self, tuning: &Tuning, preset: &Preset) -> bool {
        let ratio = self.ratio(preset);
        let same = |&(spring, built): &(usize, f64)| {
            let now = tuning.materials.get(spring).map_or(built, |material| material.compliance);
            (now / (built * ratio) - 1.0).abs() < 1e-9
        };
        self.springs.iter().all(same)
    }

    /// The material that it is made of now, if that is another than the scene says.
    pub fn other(&self, tuning: &Tuning) -> Option<&'static Preset> {
        let now = PRESETS.iter().find(|preset| self.is(tuning, preset));
        now.filter(|now| now.name != self.preset.name && !self.is(tuning, self.preset))
    }

    /// Makes the springs those of another material. The body weighs what it did.
    pub fn remake(&self, tuning: &mut Tuning, preset: &Preset) {
        for &(spring, built) in &self.springs {
            if let Some(material) = tuning.materials.get_mut(spring) {
                material.compliance = built * self.ratio(preset);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each ribbon of the gallery is of what it says, and may be made of anything else and back again.
    #[test]
    fn ribbons_are_remade() {
        let scene = Scene::gallery("materials").unwrap().unwrap();
        let model = scene.build().unwrap().model;
        let (made, mut tuning) = (made(&scene, &model), Tuning::of(&model));
        assert_eq!(made.iter().map(|made| made.body.as_str()).collect::<Vec<_>>(), PRESETS.map(|preset| preset.name));
        for (made, own) in made.iter().zip(&PRESETS) {
            for preset in &PRESETS {
                made.remake(&mut tuning, preset);
                let is: Vec<bool> = PRESETS.iter().map(|other| made.is(&tuning, other)).collect();
                assert_eq!(is, PRESETS.map(|other| other == *preset));
            }
            made.remake(&mut tuning, own);
        }
        let apart = tuning.materials.iter().zip(model.materials.iter());
        assert!(apart.clone().all(|(a, b)| (a.compliance / b.compliance - 1.0).abs() < 1e-12), "{apart:?}");
    }
}
