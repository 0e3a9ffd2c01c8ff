//! Rest values that change: the curves that drive a list of constraints, and how they yield.

use std::collections::HashMap;

use super::super::error::{Path, SceneError};
use super::super::{Constraint, RestKeyframes, Values, check};
use super::{Builder, place};
use crate::constraint::{Kind, RestChange};
use crate::model::{Curve, Group, Keyframes, Mode};

impl Builder<'_> {
    /// The curve that drives each of a list of constraints, in its order; empty if none does.
    pub fn curves<P>(
        &mut self,
        at: &Path,
        kind: &dyn Kind,
        constraint: &Constraint<P>,
    ) -> Result<Vec<u32>, SceneError> {
        let Some(keyframes) = &constraint.keyframes else {
            return match (constraint.period, &constraint.delay) {
                (None, None) => Ok(Vec::new()),
                (Some(_), _) => Err(SceneError::key(
                    &at.key("period"),
                    "repeats `keyframes`, and there are none; give \
                     keyframes too",
                )),
                (None, Some(_)) => Err(SceneError::key(
                    &at.key("delay"),
                    "delays `keyframes`, and there are none; give \
                     keyframes too",
                )),
            };
        };
        let count = constraint.particles.len();
        let keyframes = checked(&at.key("keyframes"), kind, keyframes)?;
        let period = match constraint.period {
            Some(period) => Some(check::number(&at.key("period"), period, &check::PERIOD)?),
            None => None,
        };
        let times = constraint.keyframes.iter().flatten().map(|(time, _)| *time);
        check_period(&at.key("keyframes"), times, period)?;
        let none = Values::All(0.0);
        let delay = constraint.delay.as_ref().unwrap_or(&none).check(&at.key("delay"), count, &check::TIME)?;
        let mut known = HashMap::new();
        let curves = &mut self.model.curves;
        let curve = |index| {
            let delay = delay.get(index);
            *known.entry(delay.to_bits()).or_insert_with(|| {
                curves.push(Curve { keyframes: keyframes.clone(), period, delay });
                curves.len() as u32 - 1
            })
        };
        Ok((0..count).map(curve).collect())
    }

    /// Refuses a yield point where nothing could flow.
    pub fn check_yield<P>(&self, at: &Path, kind: &dyn Kind, constraint: &Constraint<P>) -> Result<(), SceneError> {
        if constraint.yield_point.is_none() {
            return match constraint.creep {
                None => Ok(()),
                Some(_) => {
                    let message = "is the rate of flow beyond the yield point; give `yield` too";
                    Err(SceneError::key(&at.key("creep"), message))
                }
            };
        }
        let at = at.key("yield");
        let yields = |kind: &dyn Kind| {
            let changes = kind.rest_change().is_some() && (kind.components() == 1 || kind.own_materials());
            changes || kind.reshapes()
        };
        if !yields(kind) {
            let names: Vec<_> = self.scene.kinds.iter().filter(|kind| yields(**kind)).map(|kind| kind.name()).collect();
            let message = format!("'{}' cannot yield; kinds that can: {}", kind.name(), names.join(", "));
            return Err(SceneError::key(&at, message));
        }
        if self.scene.settings.mode == Mode::Pbd {
            let message = "needs XPBD mode: PBD mode has no elastic deformation; set solver.mode = \"xpbd\", or remove \
                 it";
            return Err(SceneError::key(&at, message));
        }
        let (count, of) = match kind.own_materials() {
            true => (kind.components(), "component"),
            false => (constraint.particles.len(), "constraint"),
        };
        match (0..count).find(|&index| constraint.compliance.get(index) == 0.0) {
            None => Ok(()),
            Some(index) => {
                let message = format!(
                    "is a limit of elastic deformation, and {of} {index} is rigid; give it a compliance above 0"
                );
                Err(SceneError::new(&at, message))
            }
        }
    }
}

/// Refuses a strain of nothing: a yield point is a share of such rest values.
pub(super) fn check_share(at: &Path, group: &Group, yields: bool) -> Result<(), SceneError> {
    let last = group.rest.last().copied().unwrap_or_default();
    if yields && group.kind.rest_change() == Some(RestChange::Factor) && last == 0.0 {
        let message = "has a rest value of 0, and `yield` is a share of the rest value; set a rest value above 0, or \
                       remove `yield`";
        return Err(SceneError::new(at, message));
    }
    Ok(())
}

/// Keyframes with as many numbers as the kind has rest values that change, but three at most, in the range that its
/// change allows.
fn checked(at: &Path, kind: &dyn Kind, keyframes: &RestKeyframes) -> Result<Keyframes, SceneError> {
    let Some(change) = kind.rest_change() else {
        let message = format!("'{}' has no rest values that keyframes can drive; remove it", kind.name());
        return Err(SceneError::key(at, message));
    };
    let range = match change {
        RestChange::Factor => &check::FACTOR,
        RestChange::Offset => &check::OFFSET,
    };
    let names: Vec<_> = kind.rest()[kind.changing_rest()].iter().take(3).map(|rest| rest.name).collect();
    let mut padded = Vec::with_capacity(keyframes.len());
    for (index, (time, values)) in keyframes.iter().enumerate() {
        if values.len() != names.len() {
            let (found, expected) = (values.len(), names.len());
            let message = format!("must be {expected} for {}, found {found}; give as many numbers", names.join(", "));
            return Err(SceneError::new(&at.index(index).key("value"), message));
        }
        padded.push((*time, std::array::from_fn(|i| values.get(i).copied().unwrap_or_default())));
    }
    place::keyframes(at, &padded, range)
}

/// Refuses keyframes that a period never comes to.
pub(in crate::scene) fn check_period(
    at: &Path,
    mut times: impl Iterator<Item = f64>,
    period: Option<f64>,
) -> Result<(), SceneError> {
    let Some(period) = period else { return Ok(()) };
    match times.position(|time| !(0.0..=period).contains(&time)) {
        None => Ok(()),
        Some(index) => {
            let message =
                format!("lies outside of the period of {} s; give times from 0 to it", check::display(period));
            Err(SceneError::new(&at.index(index).key("time"), message))
        }
    }
}
