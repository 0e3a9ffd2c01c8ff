//! Constraints of a scene, made into the groups of the model.

use super::super::error::{Path, SceneError};
use super::super::suggest::suggestion;
use super::super::{Constraint, Named, Values, check};
use super::Builder;
use super::rest::check_share;
use crate::constraint::Kind;
use crate::model::{Group, Material};

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
        let group = self.kind(&at.key("kind"), &constraint.kind)?;
        let kind = self.model.groups[group].kind;
        let numbers = Numbers::new(at, kind, constraint)?;
        self.check_yield(at, kind, constraint)?;
        let curves = self.curves(at, kind, constraint)?;
        let at = at.key("particles");
        if constraint.particles.is_empty() {
            return Err(SceneError::new(&at, "is empty; list the particles of each constraint, as in [[0, 1]]"));
        }
        for (index, list) in constraint.particles.iter().enumerate() {
            let at = at.index(index);
            let ends = list.iter().enumerate().map(|(i, p)| particle(self, &at.index(i), p));
            let ends = ends.collect::<Result<Vec<u32>, _>>()?;
            check_ends(&at, kind, &ends)?;
            let material = Material { curve: curves.get(index).copied(), ..numbers.material(index, constraint) };
            let material = self.model.materials.insert(material);
            push(&mut self.model.groups[group], &self.model.particles.positions, &ends, material, |i| {
                numbers.rest[i].map(|values| values.get(index))
            });
            check_share(&at, &self.model.groups[group], constraint.yield_point.is_some())?;
        }
        Ok(())
    }
}

/// Adds one constraint; rest values that `rest` does not give are measured.
pub(super) fn push(
    group: &mut Group,
    positions: &[[f64; 3]],
    ends: &[u32],
    material: u32,
    rest: impl Fn(usize) -> Option<f64>,
) {
    let x: Vec<_> = ends.iter().map(|&p| positions[p as usize].into()).collect();
    let mut values = group.kind.measure(&x);
    for (i, value) in values.iter_mut().enumerate() {
        *value = rest(i).unwrap_or(*value);
    }
    group.push(ends, &values, material);
}

/// The right number of particles, and no particle twice.
fn check_ends(at: &Path, kind: &dyn Kind, ends: &[u32]) -> Result<(), SceneError> {
    let (name, found) = (kind.name(), ends.len());
    match kind.arity().count() {
        Some(count) if count != found => {
            let message = format!("'{name}' connects {count} particles, found {found}; list {count} indices");
            return Err(SceneError::new(at, message));
        }
        None if found == 0 => return Err(SceneError::new(at, "is empty; list the particles that it connects")),
        _ => {}
    }
    let mut sorted = ends.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(SceneError::new(at, "names one particle twice; its ends must be different particles"));
    }
    Ok(())
}

/// The checked numbers of a list of constraints.
struct Numbers<'c> {
    compliance: &'c Values,
    damping: &'c Values,
    stiffness: &'c Values,
    break_force: Option<&'c Values>,
    yield_point: Option<&'c Values>,
    creep: Option<&'c Values>,
    /// One entry per rest value of the kind; `None` where it is measured.
    rest: Vec<Option<&'c Values>>,
}

impl<'c> Numbers<'c> {
    fn new<P>(at: &Path, kind: &dyn Kind, constraint: &'c Constraint<P>) -> Result<Self, SceneError> {
        let count = constraint.particles.len();
        let check = |key: &str, values: &'c Values, range: &check::Range| values.check(&at.key(key), count, range);
        let mut rest = vec![None; kind.rest().len()];
        for (name, values) in &constraint.rest {
            let Some(index) = kind.rest().iter().position(|rest| rest.name == name) else {
                let names = KEYS.into_iter().chain(kind.rest().iter().map(|rest| rest.name));
                let message = format!("unknown key; {}", suggestion(name, names));
                return Err(SceneError::key(&at.key(name), message));
            };
            let range = if kind.rest()[index].signed { &check::SIGNED_REST } else { &check::REST };
            rest[index] = Some(check(name, values, range)?);
        }
        let optional = |key: &str, values: &'c Option<Values>, range: &check::Range| {
            values.as_ref().map(|values| check(key, values, range)).transpose()
        };
        Ok(Self {
            compliance: check("compliance", &constraint.compliance, &check::COMPLIANCE)?,
            damping: check("damping", &constraint.damping, &check::DAMPING)?,
            stiffness: check("stiffness", &constraint.stiffness, &check::SHARE)?,
            break_force: optional("break_force", &constraint.break_force, &check::BREAK_FORCE)?,
            yield_point: optional("yield", &constraint.yield_point, &check::YIELD)?,
            creep: optional("creep", &constraint.creep, &check::CREEP)?,
            rest,
        })
    }

    fn material<P>(&self, index: usize, constraint: &Constraint<P>) -> Material {
        Material {
            compliance: self.compliance.get(index),
            damping: self.damping.get(index),
            stiffness: self.stiffness.get(index),
            side: constraint.side,
            break_force: self.break_force.map(|values| values.get(index)),
            curve: None,
            yield_point: self.yield_point.map(|values| values.get(index)),
            creep: self.creep.map(|values| values.get(index)),
        }
    }
}

impl Values {
    pub(super) fn check(&self, at: &Path, count: usize, range: &check::Range) -> Result<&Self, SceneError> {
        match self {
            Values::All(value) => {
                check::number(at, *value, range)?;
            }
            Values::Each(values) => {
                for (index, value) in values.iter().enumerate() {
                    check::number(&at.index(index), *value, range)?;
                }
                check::length(at, values.len(), count, "constraints")?;
            }
        }
        Ok(self)
    }

    pub(super) fn get(&self, index: usize) -> f64 {
        match self {
            Values::All(value) => *value,
            Values::Each(values) => values[index],
        }
    }
}
