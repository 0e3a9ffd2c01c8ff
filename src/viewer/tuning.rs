//! What may be changed of a simulation while it runs.

use super::units;
use crate::constraint::Kind;
use crate::model::{Material, Model, Settings};
use crate::scene::{Part, Scene};

/// Settings, materials, damping, gravity and wind of one configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Mode, method, integrator, substeps, iterations.
    pub settings: Settings,
    /// m/s²
    pub gravity: [f64; 3],
    /// m/s
    pub wind: [f64; 3],
    /// As the model's.
    pub materials: Vec<Material>,
    /// Of each body, 1/s.
    pub damping: Vec<f64>,
}

impl Tuning {
    /// What the scene says.
    pub fn of(model: &Model) -> Self {
        Self {
            settings: model.settings.clone(),
            gravity: model.world.gravity,
            wind: model.world.wind,
            materials: model.materials.to_vec(),
            damping: model.bodies.iter().map(|body| body.damping).collect(),
        }
    }

    /// Brings a copy of the model to these values.
    pub fn apply(&self, model: &mut Model) {
        model.settings.clone_from(&self.settings);
        (model.world.gravity, model.world.wind) = (self.gravity, self.wind);
        for (index, material) in self.materials.iter().enumerate() {
            if let Some(entry) = model.materials.get_mut(index) {
                *entry = *material;
            }
        }
        for (body, &damping) in model.bodies.iter_mut().zip(&self.damping) {
            body.damping = damping;
        }
    }
}

/// A material as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialUse {
    /// Index into the model's materials.
    pub index: usize,
    /// What uses it: `cloth: stretch`.
    pub name: String,
    /// How many constraints use it.
    pub count: usize,
    /// The unit of its compliance; empty where kinds of several units share it.
    pub unit: &'static str,
}

/// The materials that constraints use, named by what uses them.
pub fn materials(scene: &Scene, model: &Model) -> Vec<MaterialUse> {
    let mut uses: Vec<(Vec<String>, usize)> = vec![(Vec::new(), 0); model.materials.len()];
    let mut units: Vec<Option<&'static str>> = vec![None; model.materials.len()];
    for group in &model.groups {
        let own = units::of_compliance(group.kind);
        let all = (0..group.len()).flat_map(|constraint| (0..group.materials_each()).map(move |k| (constraint, k)));
        for (constraint, component) in all {
            let material = group.material_of(constraint, component);
            let (names, count) = &mut uses[material as usize];
            *count += 1;
            let unit = units[material as usize].get_or_insert(own);
            *unit = if *unit == own { own } else { "" };
            let body = model.particles.bodies[group.particles_of(constraint)[0] as usize] as usize;
            // Names are few and constraints many: only those that are not there yet are worth a look at the scene.
            let known = |name: &String| name.starts_with(&model.bodies[body].name);
            if !names.iter().any(known) {
                let part = match group.kind.own_materials() {
                    true => component_name(group.kind, component),
                    false => {
                        let parts = parts_of(scene, body, &model.materials[material as usize]);
                        match parts.is_empty() {
                            true if group.kind.is_solid() => "elasticity".to_string(),
                            true => group.kind.name().replace('_', " "),
                            false => parts.join(", "),
                        }
                    }
                };
                names.push(format!("{}: {part}", model.bodies[body].name));
            }
        }
    }
    let named = uses.into_iter().enumerate().filter(|(_, (_, count))| *count > 0);
    let named_by = |(index, (names, count)): (usize, (Vec<String>, usize))| {
        let unit = units[index].unwrap_or_default();
        MaterialUse { index, name: shortened(&names), count, unit }
    };
    named.map(named_by).collect()
}

/// By what a component with a material of its own is measured: `strain warp`.
fn component_name(kind: &dyn Kind, component: usize) -> String {
    let name = kind.rest().get(kind.changing_rest().start + component).map_or(kind.name(), |rest| rest.name);
    name.trim_start_matches("rest_").replace('_', " ")
}

/// Which parts of a body's elasticity have this material, by name.
fn parts_of(scene: &Scene, body: usize, material: &Material) -> Vec<&'static str> {
    let Some(body) = scene.bodies.get(body) else { return Vec::new() };
    let same = |part: &Part| part.compliance == material.compliance && part.stiffness == material.stiffness;
    let parts = body.content.parts(scene.settings.mode);
    parts.into_iter().filter(same).map(|part| part.name).collect()
}

/// The first names, and how many there are more.
fn shortened(names: &[String]) -> String {
    match names {
        [first, second, rest @ ..] if !rest.is_empty() => format!("{first}; {second}; {} more", rest.len()),
        _ => names.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(scene: &Scene) -> Vec<(String, usize)> {
        let model = scene.build().unwrap().model;
        materials(scene, &model).into_iter().map(|material| (material.name, material.count)).collect()
    }

    /// A cloth's materials are called by what they do, and one that two parts share is named once, after both.
    #[test]
    fn cloth_is_named_by_its_parts() {
        use crate::scene::{Body, Cloth, Grid};
        let grid = Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 };
        let body = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-4)).name("sail");
        let named = uses(&Scene::new("").with(body));
        let expected = [("sail: stretch", 12), ("sail: shear", 8), ("sail: bend", 6)];
        assert_eq!(named, expected.map(|(name, count)| (name.to_string(), count)));

        let same = Body::cloth(Cloth::new(grid).stretch(1e-6).shear(1e-6)).name("sail");
        assert_eq!(uses(&Scene::new("").with(same)), [("sail: stretch, shear".to_string(), 20)]);
    }

    /// Materials of other bodies are called by the kind of constraint.
    #[test]
    fn others_are_named_by_their_kind() {
        let named = uses(&Scene::gallery("breaking").unwrap().unwrap());
        assert!(
            named.iter().any(|(name, count)| name.starts_with("weakest: distance; ")
                && name.ends_with(" more")
                && *count == 46),
            "{named:?}"
        );
    }
}
