//! Constraints of a scene, made into the groups of the model.

use super::super::error::{Path, SceneError};
use super::super::mesh::check_closed;
use super::super::suggest::suggestion;
use super::super::{Constraint, Named, Values, check};
use super::Builder;
use super::degenerate;
use super::rest::check_share;
use crate::constraint::{Kind, Listed, RestValue};
use crate::math::Vec3;
use crate::model::{Group, Material, Particles, RestShape, Side};

/// The keys of a constraint beside the rest values of its kind.
const KEYS: [&str; 12] = [
    "kind",
    "particles",
    "compliance",
    "damping",
    "stiffness",
    "side",
    "break_force",
    "keyframes",
    "period",
    "delay",
    "yield",
    "creep",
];

impl Builder<'_> {
    /// Constraints inside one body.
    pub fn constraint_inside(
        &mut self,
        at: &Path,
        body: usize,
        constraint: &Constraint<u32>,
    ) -> Result<(), SceneError> {
        self.constraint(at, constraint, |builder, at, &index| builder.particle(at, body, index))
    }

    /// Constraints between particles of any bodies.
    pub fn constraint_across(&mut self, at: &Path, constraint: &Constraint<Named>) -> Result<(), SceneError> {
        self.constraint(at, constraint, |builder, at, (name, index)| {
            let body = builder.body_named(&at.index(0), name)?;
            builder.particle(&at.index(1), body, *index)
        })
    }

    fn constraint<P>(
        &mut self,
        at: &Path,
        constraint: &Constraint<P>,
        particle: impl Fn(&Self, &Path, &P) -> Result<u32, SceneError>,
    ) -> Result<(), SceneError> {
        let at_particles = at.key("particles");
        let Some(first) = constraint.particles.first() else {
            let message = "is empty; list the particles of each constraint, as in [[0, 1]]";
            return Err(SceneError::new(&at_particles, message));
        };
        let group = self.kind(&at.key("kind"), &constraint.kind, first.len())?;
        let kind = self.model.groups[group].kind;
        let numbers = Numbers::new(at, kind, constraint)?;
        refuse_of_shapes(at, kind, constraint)?;
        self.check_yield(at, kind, constraint)?;
        let curves = self.curves(at, kind, constraint)?;
        for (index, list) in constraint.particles.iter().enumerate() {
            let at = at_particles.index(index);
            let ends = list.iter().enumerate().map(|(i, p)| particle(self, &at.index(i), p));
            let ends = ends.collect::<Result<Vec<u32>, _>>()?;
            self.check_ends(&at, &constraint.kind, kind, &ends)?;
            for variant in &numbers.variants {
                let materials = numbers.materials(kind, index, variant.side, curves.get(index).copied());
                let material = self.model.materials.insert_run(&materials);
                degenerate::check(kind, &self.placed(&ends), |i| variant.rest[i].map(|given| given.get(index)))
                    .map_err(|fault| SceneError::new(&at, format!("{}; {}", fault.what, fault.remedy)))?;
                push(&mut self.model.groups[group], &self.model.particles, &ends, material, |i| {
                    variant.rest[i].map(|given| given.get(index))
                });
                check_finite(&at, &self.model.groups[group])?;
                check_share(&at, &self.model.groups[group], constraint.yield_point.is_some())?;
                if kind.reshapes() && constraint.yield_point.is_some() {
                    let index = self.model.groups[group].len() as u32 - 1;
                    let shape = RestShape { group: group as u32, constraint: index, blends: Vec::new() };
                    self.model.rest_shapes.push(shape);
                }
            }
        }
        Ok(())
    }

    /// The right number of particles, and no particle twice, or the corners of a closed surface.
    fn check_ends(&self, at: &Path, name: &str, kind: &dyn Kind, ends: &[u32]) -> Result<(), SceneError> {
        let found = ends.len();
        if kind.arity().count().is_some_and(|count| count != found) || found < kind.least() {
            let counts = match kind.is_named(name) && kind.family() != name {
                true => count_of(kind),
                false => {
                    let family = self.scene.kinds.iter().filter(|kind| kind.family() == name);
                    family.map(|kind| count_of(*kind)).collect::<Vec<_>>().join(", or ")
                }
            };
            let message = format!("'{name}' connects {counts} particles, found {found}; list as many indices");
            return Err(SceneError::new(at, message));
        }
        if kind.listed() == Listed::Triangles {
            let (triangles, rest) = ends.as_chunks::<3>();
            if !rest.is_empty() {
                let message = format!("lists the corners of triangles, three each, and has {found}; correct the list");
                return Err(SceneError::new(at, message));
            }
            if let Some(index) = triangles.iter().position(|[a, b, c]| a == b || b == c || c == a) {
                return Err(SceneError::new(at, format!("triangle {index} names one particle twice; it needs three")));
            }
            return check_closed(at, triangles, &self.model.particles.positions);
        }
        let mut sorted = ends.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(SceneError::new(at, "names one particle twice; its ends must be different particles"));
        }
        Ok(())
    }

    /// Where particles are placed, m.
    pub(super) fn placed(&self, particles: &[u32]) -> Vec<Vec3<f64>> {
        particles.iter().map(|&p| self.model.particles.positions[p as usize].into()).collect()
    }
}

/// What has no sense where C is never below zero, and without compliance tells no force: that is so of shapes.
fn refuse_of_shapes<P>(at: &Path, kind: &dyn Kind, constraint: &Constraint<P>) -> Result<(), SceneError> {
    if !kind.never_negative() {
        return Ok(());
    }
    if constraint.side.is_some_and(|side| side != Side::Both) {
        let message = "does not apply to shapes: it chooses between stretching and compression; remove it";
        return Err(SceneError::key(&at.key("side"), message));
    }
    let rigid = |index: usize| constraint.compliance.get(index) == 0.0;
    if constraint.break_force.is_some() && (0..constraint.particles.len()).any(rigid) {
        let message = "needs a compliance above 0: a rigid shape reports no force; set a compliance, or remove the \
             break_force";
        return Err(SceneError::key(&at.key("break_force"), message));
    }
    Ok(())
}

/// How many particles a kind connects, in words.
fn count_of(kind: &dyn Kind) -> String {
    kind.arity().count().map_or_else(|| format!("{} or more", kind.least()), |count| count.to_string())
}

/// Adds one constraint; rest values that `rest` does not give are measured.
pub(in crate::scene) fn push(
    group: &mut Group,
    particles: &Particles,
    ends: &[u32],
    material: u32,
    rest: impl Fn(usize) -> Option<f64>,
) {
    let x: Vec<_> = ends.iter().map(|&p| particles.positions[p as usize].into()).collect();
    let mut values = group.kind.measure(&x);
    group.kind.weigh(&mut values, &|k| particles.inverse_masses[ends[k] as usize]);
    let own = values.iter_mut().take(group.kind.rest().len()).enumerate();
    own.for_each(|(i, value)| *value = rest(i).unwrap_or(*value));
    group.push(ends, &values, material);
}

/// Refuses a last constraint whose rest values no number tells: what it bends about, or divides by, is nothing where
/// its particles are placed.
fn check_finite(at: &Path, group: &Group) -> Result<(), SceneError> {
    let rest = group.rest_of(group.len() - 1);
    match rest.iter().all(|value| value.is_finite()) {
        true => Ok(()),
        false => Err(SceneError::new(
            at,
            format!(
                "its particles lie in a line or a point, where `{}` has no rest shape; move them apart",
                group.kind.name()
            ),
        )),
    }
}

/// The checked numbers of a list of constraints.
struct Numbers<'c> {
    compliance: &'c Values,
    damping: &'c Values,
    stiffness: &'c Values,
    break_force: Option<&'c Values>,
    yield_point: Option<&'c Values>,
    creep: Option<&'c Values>,
    /// The constraints that each entry of the list becomes: one, or one for each limit.
    variants: Vec<Variant<'c>>,
}

/// One constraint on the particles of an entry.
struct Variant<'c> {
    side: Side,
    /// One entry per rest value of the kind; `None` where it is measured.
    rest: Vec<Option<Given<'c>>>,
}

/// A rest value that a scene gives.
#[derive(Clone, Copy)]
enum Given<'c> {
    Listed(&'c Values),
    /// A component of a vector, the same for all.
    Component(f64),
}

impl Given<'_> {
    fn get(self, index: usize) -> f64 {
        match self {
            Given::Listed(values) => values.get(index),
            Given::Component(value) => value,
        }
    }
}

impl<'c> Numbers<'c> {
    fn new<P>(at: &Path, kind: &dyn Kind, constraint: &'c Constraint<P>) -> Result<Self, SceneError> {
        let check = |key: &str, values: &'c Values, range: &check::Range| {
            check_each(&at.key(key), kind, values, constraint.particles.len(), range)
        };
        let optional = |key: &str, values: &'c Option<Values>, range: &check::Range| {
            values.as_ref().map(|values| check(key, values, range)).transpose()
        };
        let breaks =
            |force: &'c Values| force.check(&at.key("break_force"), constraint.particles.len(), &check::BREAK_FORCE);
        Ok(Self {
            compliance: check("compliance", &constraint.compliance, &check::COMPLIANCE)?,
            damping: check("damping", &constraint.damping, &check::DAMPING)?,
            stiffness: check("stiffness", &constraint.stiffness, &check::SHARE)?,
            break_force: constraint.break_force.as_ref().map(breaks).transpose()?,
            yield_point: optional("yield", &constraint.yield_point, &check::YIELD)?,
            creep: optional("creep", &constraint.creep, &check::CREEP)?,
            variants: variants(at, kind, constraint)?,
        })
    }

    /// The materials of a constraint: one, or one for each component. Lists have an entry for each constraint, or for
    /// each component.
    fn materials(&self, kind: &dyn Kind, index: usize, side: Side, curve: Option<u32>) -> Vec<Material> {
        let material = |at: usize| Material {
            compliance: self.compliance.get(at),
            damping: self.damping.get(at),
            stiffness: self.stiffness.get(at),
            side,
            break_force: self.break_force.map(|values| values.get(index)),
            curve,
            yield_point: self.yield_point.map(|values| values.get(at)),
            creep: self.creep.map(|values| values.get(at)),
        };
        match kind.own_materials() {
            true => (0..kind.components()).map(material).collect(),
            false => vec![material(index)],
        }
    }
}

/// Checks numbers of which a list has one for each constraint, or for each component where these have materials of
/// their own.
fn check_each<'c>(
    at: &Path,
    kind: &dyn Kind,
    values: &'c Values,
    constraints: usize,
    range: &check::Range,
) -> Result<&'c Values, SceneError> {
    match kind.own_materials() {
        true => values.check_list(at, (kind.components(), "components"), range),
        false => values.check(at, constraints, range),
    }
}

/// What the rest values and limits of a list of constraints make of each of its entries.
fn variants<'c, P>(at: &Path, kind: &dyn Kind, constraint: &'c Constraint<P>) -> Result<Vec<Variant<'c>>, SceneError> {
    let count = constraint.particles.len();
    let mut rest = vec![None; kind.rest().len()];
    let mut limits = Vec::new();
    for (name, values) in &constraint.rest {
        let at = at.key(name);
        if let Some(index) = kind.rest().iter().position(|rest| rest.name == name) {
            rest[index] = Some(Given::Listed(values.check(&at, count, range(&kind.rest()[index]))?));
        } else if let Some(first) = kind.rest().iter().position(|rest| rest.name == format!("{name}_x")) {
            let vector = values.vector(&at, range(&kind.rest()[first]))?;
            // A direction: it cannot be zero, and its length means nothing.
            let vector = if kind.rest()[first].unit == "1" { check::unit(&at, vector)? } else { vector };
            rest[first..].iter_mut().zip(vector).for_each(|(rest, value)| *rest = Some(Given::Component(value)));
        } else if let Some(side) = limit_side(kind, name) {
            let range = range(&kind.rest()[kind.changing_rest().start]);
            limits.push((side, check_each(&at, kind, values, count, range)?));
        } else {
            let message = format!("unknown key; {}", suggestion(name, keys(kind).iter().map(String::as_str)));
            return Err(SceneError::key(&at, message));
        }
    }
    if limits.is_empty() {
        return Ok(vec![Variant { side: constraint.side.unwrap_or(kind.side()), rest }]);
    }
    check_limits(at, kind, constraint, &limits)?;
    // The lower first, in whatever order they were written.
    limits.sort_by_key(|(side, _)| *side != Side::Push);
    let limited = |values: &'c Values| {
        let mut rest = rest.clone();
        for (k, at) in kind.changing_rest().enumerate() {
            rest[at] = Some(if kind.own_materials() { Given::Component(values.get(k)) } else { Given::Listed(values) });
        }
        rest
    };
    Ok(limits.into_iter().map(|(side, values)| Variant { side, rest: limited(values) }).collect())
}

/// Which numbers a rest value may have.
fn range(rest: &RestValue) -> &'static check::Range {
    match (rest.unit, rest.signed) {
        _ if rest.name == "poisson_ratio" => &check::POISSON_RATIO,
        ("rad", _) => &check::REST_ANGLE,
        ("m", true) => &check::REST_COORDINATE,
        ("m", false) => &check::REST_LENGTH,
        ("1", true) => &check::REST_NUMBER,
        ("1/m", _) => &check::REST_INVERSE,
        (_, true) => &check::SIGNED_REST,
        (_, false) => &check::REST,
    }
}

/// What may have limits: the length of the one rest value `rest_length`, the strain of `rest_strain_xx` and its like.
fn limited(kind: &dyn Kind) -> Option<&'static str> {
    match kind.rest() {
        [RestValue { name, .. }] => name.strip_prefix("rest_"),
        all if kind.own_materials() => {
            let (quantity, _) = all.get(kind.changing_rest().start)?.name.strip_prefix("rest_")?.split_once('_')?;
            Some(quantity)
        }
        _ => None,
    }
}

/// `min_length` and `max_length` are limits of `rest_length`: one-sided constraints.
fn limit_side(kind: &dyn Kind, name: &str) -> Option<Side> {
    match name.strip_suffix(limited(kind)?)? {
        "min_" => Some(Side::Push),
        "max_" => Some(Side::Pull),
        _ => None,
    }
}

fn check_limits<P>(
    at: &Path,
    kind: &dyn Kind,
    constraint: &Constraint<P>,
    limits: &[(Side, &Values)],
) -> Result<(), SceneError> {
    let changing = &kind.rest()[kind.changing_rest()];
    if let Some(rest) = changing.iter().find(|rest| constraint.rest.iter().any(|(name, _)| name == rest.name)) {
        let message = "cannot be combined with limits, between which the rest value is free; give one or the other";
        return Err(SceneError::key(&at.key(rest.name), message));
    }
    if constraint.side.is_some() {
        let message = "cannot be combined with limits, which act on one side each; remove it";
        return Err(SceneError::key(&at.key("side"), message));
    }
    let limit = |side| limits.iter().find(|limit| limit.0 == side).map(|limit| limit.1);
    let Some((min, max)) = limit(Side::Push).zip(limit(Side::Pull)) else { return Ok(()) };
    let (count, of) = match kind.own_materials() {
        true => (kind.components(), "component"),
        false => (constraint.particles.len(), "constraint"),
    };
    match (0..count).find(|&index| min.get(index) > max.get(index)) {
        None => Ok(()),
        Some(index) => {
            let quantity = limited(kind).unwrap_or_default();
            let [min, max] = [min, max].map(|values| check::display(values.get(index)));
            let message = format!("of {of} {index} is {max}, below the min_{quantity} of {min}; raise it");
            Err(SceneError::new(&at.key(&format!("max_{quantity}")), message))
        }
    }
}

/// The keys of a constraint of a kind.
fn keys(kind: &dyn Kind) -> Vec<String> {
    let mut keys: Vec<String> = KEYS.map(String::from).into();
    keys.extend(kind.rest().iter().map(|rest| rest.name.strip_suffix("_x").unwrap_or(rest.name).to_string()));
    if let Some(quantity) = limited(kind) {
        keys.extend([format!("min_{quantity}"), format!("max_{quantity}")]);
    }
    keys.retain(|key| !key.ends_with("_y") && !key.ends_with("_z"));
    keys
}

impl Values {
    /// One number for all, or one for each constraint.
    pub(super) fn check(&self, at: &Path, count: usize, range: &check::Range) -> Result<&Self, SceneError> {
        self.check_list(at, (count, "constraints"), range)
    }

    fn check_list(&self, at: &Path, (count, of): (usize, &str), range: &check::Range) -> Result<&Self, SceneError> {
        match self {
            Values::All(value) => {
                check::number(at, *value, range)?;
            }
            Values::Each(values) => {
                for (index, value) in values.iter().enumerate() {
                    check::number(&at.index(index), *value, range)?;
                }
                check::length(at, values.len(), count, of)?;
            }
        }
        Ok(self)
    }

    /// Three numbers for all.
    fn vector(&self, at: &Path, range: &check::Range) -> Result<[f64; 3], SceneError> {
        match self {
            Values::Each(values) => match values[..] {
                [x, y, z] => check::vector(at, [x, y, z], range),
                _ => Err(SceneError::new(at, format!("has {} numbers; give three, [x, y, z]", values.len()))),
            },
            Values::All(_) => Err(SceneError::new(at, "is one number; give three, [x, y, z]")),
        }
    }

    pub(super) fn get(&self, index: usize) -> f64 {
        match self {
            Values::All(value) => *value,
            Values::Each(values) => values[index],
        }
    }
}
