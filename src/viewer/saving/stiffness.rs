//! Where a scene's text says how stiff something is. A running simulation knows numbers of constraints; here are the
//! keys that they came from.

use std::collections::BTreeSet;

use toml_edit::{TableLike, Value};

use super::text::{Text, entry_of, number, set, set_in_list};
use crate::constraint::{SurfaceStrain, kind};
use crate::model::{Group, Material, Model};
use crate::scene::{Body, Constraint, Content, Values};
use crate::viewer::loading::Loaded;
use crate::viewer::tuning::Tuning;

/// A material that was changed.
struct Change {
    index: usize,
    before: Material,
    now: Material,
    /// The bodies with constraints that have it.
    bodies: BTreeSet<usize>,
}

impl Change {
    /// Whether numbers of a scene are those of the material before.
    fn was(&self, compliance: f64, stiffness: f64) -> bool {
        self.before.compliance == compliance && self.before.stiffness == stiffness
    }

    fn softened(&self) -> bool {
        self.before.compliance != self.now.compliance
    }

    fn stiffened(&self) -> bool {
        self.before.stiffness != self.now.stiffness
    }
}

/// Writes every changed stiffness where it came from.
pub fn change(text: &mut Text, loaded: &Loaded, tuning: &Tuning) {
    let model = &loaded.model;
    rename_materials(text, loaded, tuning);
    let changes = changes(model, tuning);
    for (index, body) in loaded.scene.bodies.iter().enumerate() {
        let Some(table) = text.entry("body", index) else { continue };
        let own: Vec<&Change> = changes.iter().filter(|change| change.bodies.contains(&index)).collect();
        if own.is_empty() {
            continue;
        }
        match strained(model, index) {
            Some(first) => change_weave(table, body, &tuning.materials[first..], &own),
            None => change_parts(table, body, loaded, &own),
        }
        change_modulus(table, &body.content, model, index, &own);
        if let (Some(tethers), Some(tether)) = (&body.tether, table.get_mut("tether"))
            && let Some(change) = own.iter().find(|change| change.was(tethers.compliance, 1.0) && change.softened())
            && let Some(tether) = tether.as_table_like_mut()
        {
            set(tether, "compliance", number(change.now.compliance));
        }
        for (constraint, described) in body.constraints.iter().enumerate() {
            if let Some(table) = entry_of(table, "constraint", constraint) {
                change_constraint(table, described, model, &own);
            }
        }
    }
    let all: Vec<&Change> = changes.iter().collect();
    for (constraint, described) in loaded.scene.constraints.iter().enumerate() {
        if let Some(table) = text.entry("constraint", constraint) {
            change_constraint(table, described, model, &all);
        }
    }
}

fn changes(model: &Model, tuning: &Tuning) -> Vec<Change> {
    let pairs = model.materials.iter().zip(&tuning.materials).enumerate();
    let changed = pairs.filter(|(_, (before, now))| before != now);
    let change = |(index, (before, now)): (usize, (&Material, &Material))| {
        let users = model.groups.iter().flat_map(|group| {
            let has = move |&c: &usize| (0..group.materials_each()).any(|k| group.material_of(c, k) as usize == index);
            (0..group.len()).filter(has).flat_map(|c| group.particles_of(c))
        });
        let bodies = users.map(|&p| model.particles.bodies[p as usize] as usize).collect();
        Change { index, before: *before, now: *now, bodies }
    };
    changed.map(change).collect()
}

/// A body that is made of something else now is called so, and weighs what it did.
fn rename_materials(text: &mut Text, loaded: &Loaded, tuning: &Tuning) {
    for made in &loaded.made {
        let Some(preset) = made.other(tuning) else { continue };
        let Some(index) = loaded.model.bodies.iter().position(|body| body.name == made.body) else { continue };
        let (Some(body), Some(table)) = (loaded.scene.bodies.get(index), text.entry("body", index)) else { continue };
        set(table, "material", preset.name.into());
        if let Some(density) = body.material_density().filter(|_| body.mass.is_none() && body.density.is_none()) {
            set(table, "density", number(density));
        }
    }
}

/// The first of the three materials of a body that is held by the strain of its triangles.
fn strained(model: &Model, body: usize) -> Option<usize> {
    let group = model.groups.iter().find(|group| group.kind == kind::<SurfaceStrain>())?;
    let first = (0..group.len()).find(|&c| model.particles.bodies[group.particles_of(c)[0] as usize] as usize == body);
    first.map(|c| group.material_of(c, 0) as usize)
}

/// A cloth of warp and weft: where one of the three is changed all are said.
fn change_weave(table: &mut dyn TableLike, body: &Body, materials: &[Material], changes: &[&Change]) {
    let [warp, weft, shear, ..] = materials else { return };
    let of_strain = [("stretch", warp), ("weft", weft), ("shear", shear)];
    for (name, material) in of_strain {
        if body.material.is_none() && changes.iter().any(|change| change.softened()) {
            set(table, &format!("{name}_compliance"), number(material.compliance));
        }
        if changes.iter().any(|change| change.stiffened()) {
            set(table, &format!("{name}_stiffness"), number(material.stiffness));
        }
    }
    if let Some(bend) = body.content.bend() {
        let change = changes.iter().find(|change| change.softened() && change.before.compliance == bend.compliance);
        change.into_iter().for_each(|change| change_bend(table, change));
    }
}

/// The parts of a body that have keys of their own.
fn change_parts(table: &mut dyn TableLike, body: &Body, loaded: &Loaded, changes: &[&Change]) {
    for part in body.content.parts(loaded.scene.settings.mode) {
        let Some(change) = changes.iter().find(|change| change.was(part.compliance, part.stiffness)) else { continue };
        if change.stiffened() {
            set(table, &format!("{}_stiffness", part.name), number(change.now.stiffness));
        }
        if change.softened() && part.name == "bend" {
            change_bend(table, change);
        } else if change.softened() {
            set(table, &format!("{}_compliance", part.name), number(change.now.compliance));
        }
    }
}

fn change_bend(table: &mut dyn TableLike, change: &Change) {
    if let Some(bend) = table.get_mut("bend").and_then(|bend| bend.as_table_like_mut()) {
        set(bend, "compliance", number(change.now.compliance));
    }
}

/// A solid of Young's modulus, if all that comes of that has become softer by the same factor.
fn change_modulus(table: &mut dyn TableLike, content: &Content, model: &Model, body: usize, changes: &[&Change]) {
    let Some(modulus) = content.modulus() else { return };
    let is_inside =
        |group: &Group, c: usize| model.particles.bodies[group.particles_of(c)[0] as usize] as usize == body;
    let mut materials = BTreeSet::new();
    for group in model.groups.iter().filter(|group| group.kind.is_solid()) {
        for c in (0..group.len()).filter(|&c| is_inside(group, c)) {
            materials.extend((0..group.materials_each()).map(|k| group.material_of(c, k) as usize));
        }
    }
    materials.retain(|&index| modulus.compliances.contains(&model.materials[index].compliance));
    let factor = |index: &usize| {
        let change = changes.iter().find(|change| change.index == *index);
        change.map_or(1.0, |change| change.now.compliance / change.before.compliance)
    };
    let mut factors = materials.iter().map(factor);
    let Some(first) = factors.next().filter(|factor| *factor > 0.0 && *factor != 1.0) else { return };
    if factors.all(|other| (other / first - 1.0).abs() < 1e-9) {
        set(table, "young_modulus", number(modulus.pascals / first));
    }
}

/// Constraints that are listed: one number for all, or one for each.
fn change_constraint<P>(table: &mut dyn TableLike, described: &Constraint<P>, model: &Model, changes: &[&Change]) {
    let is_kind = |group: &&Group| group.kind.is_named(&described.kind) || group.kind.family() == described.kind;
    let has = |group: &Group, index: usize| {
        (0..group.len()).any(|c| (0..group.materials_each()).any(|k| group.material_of(c, k) as usize == index))
    };
    for change in changes {
        if !model.groups.iter().filter(is_kind).any(|group| has(group, change.index)) {
            continue;
        }
        let count = described.particles.len();
        let is_it = |c: usize| {
            change.was(at(&described.compliance, c), at(&described.stiffness, c))
                && at(&described.damping, c) == change.before.damping
                && described.break_force.as_ref().map(|force| at(force, c)) == change.before.break_force
                && described.side.is_none_or(|side| side == change.before.side)
        };
        let own: Vec<usize> = (0..count).filter(|&c| is_it(c)).collect();
        if change.softened() {
            change_values(table, ("compliance", &described.compliance), (&own, count), change.now.compliance);
        }
        if change.stiffened() {
            change_values(table, ("stiffness", &described.stiffness), (&own, count), change.now.stiffness);
        }
    }
}

/// The number of one of several constraints; a list that is too short has been refused.
fn at(values: &Values, index: usize) -> f64 {
    match values {
        Values::All(value) => *value,
        Values::Each(values) => values.get(index).copied().unwrap_or(f64::NAN),
    }
}

/// Gives some of several constraints a number: where they shared one with others, each has its own then.
fn change_values(table: &mut dyn TableLike, (key, values): (&str, &Values), (own, count): (&[usize], usize), now: f64) {
    match values {
        _ if own.is_empty() => {}
        Values::All(_) if own.len() == count => set(table, key, number(now)),
        Values::All(before) => {
            // Another of them may have become a list before.
            if table.get(key).is_none_or(|item| !item.is_array()) {
                set(table, key, Value::Array((0..count).map(|_| number(*before)).collect()));
            }
            own.iter().for_each(|&index| set_in_list(table, key, index, number(now)));
        }
        Values::Each(_) => own.iter().for_each(|&index| set_in_list(table, key, index, number(now))),
    }
}

/// The names of the materials that a scene, read back, has otherwise than in the window.
pub fn others(loaded: &Loaded, tuning: &Tuning, reread: &Model) -> Vec<String> {
    let mut differing = BTreeSet::new();
    for (before, after) in loaded.model.groups.iter().zip(&reread.groups) {
        for constraint in 0..before.len().min(after.len()) {
            for component in 0..before.materials_each().min(after.materials_each()) {
                let index = before.material_of(constraint, component) as usize;
                let read = &reread.materials[after.material_of(constraint, component) as usize];
                if tuning.materials.get(index).is_some_and(|material| !alike(material, read)) {
                    differing.insert(index);
                }
            }
        }
    }
    let named = loaded.materials.iter().filter(|material| differing.contains(&material.index));
    named.map(|material| material.name.clone()).collect()
}

/// Whether two materials are as stiff as each other, but for the rounding of a modulus and its inverse.
fn alike(a: &Material, b: &Material) -> bool {
    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    near(a.compliance, b.compliance) && near(a.stiffness, b.stiffness)
}
