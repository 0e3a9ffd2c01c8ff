//! Joints of a scene, made into those of the model.

use std::f64::consts::PI;

use super::super::error::{Path, SceneError};
use super::super::{Joint, JointMotor, check};
use super::Builder;
use crate::math::Vec3;
use crate::math::rotation::between;
use crate::model::joint::no_joints;
use crate::model::{self, Curve, JointKind, Motor};

impl Builder<'_> {
    pub fn joint(&mut self, at: &Path, joint: &Joint) -> Result<(), SceneError> {
        if let Some(problem) = no_joints(&self.scene.settings) {
            return Err(SceneError::new(at, problem));
        }
        let bodies = self.held(&at.key("bodies"), &joint.bodies)?;
        let position = check::vector(&at.key("position"), joint.position, &check::COORDINATE)?;
        let axis = check::vector(&at.key("axis"), joint.axis, &check::COORDINATE)?;
        let (direction, length) = Vec3::from(axis).direction_and_length();
        if length == 0.0 {
            return Err(SceneError::new(&at.key("axis"), "is of no length; give the direction of the axis"));
        }
        let limits = limits(&at.key("limits"), joint)?;
        let motor = match &joint.motor {
            Some(motor) => Some(self.motor(&at.key("motor"), joint.kind, motor)?),
            None => None,
        };
        let break_force =
            joint.break_force.map(|force| check::number(&at.key("break_force"), force, &check::BREAK_FORCE));
        let at_moment = at.key("break_moment");
        if joint.break_moment.is_some() && joint.kind == JointKind::Distance {
            let message = "does not apply to a distance, which bears no moment; remove it";
            return Err(SceneError::key(&at_moment, message));
        }
        let break_moment = joint.break_moment.map(|moment| check::number(&at_moment, moment, &check::BREAK_MOMENT));
        self.model.joints.push(model::Joint {
            bodies,
            positions: [other_end(at, joint)?.unwrap_or(position), position],
            axes: between([0.0, 0.0, 1.0], direction.into()),
            compliance: check::number(&at.key("compliance"), joint.compliance, &check::COMPLIANCE)?,
            limits,
            motor,
            damping: damping(&at.key("damping"), joint)?,
            break_force: break_force.transpose()?.unwrap_or(f64::INFINITY),
            break_moment: break_moment.transpose()?.unwrap_or(f64::INFINITY),
            ..model::Joint::new(joint.kind, bodies, position)
        });
        Ok(())
    }

    /// The rigid bodies that a joint names: the world stands first.
    fn held(&self, at: &Path, names: &[String]) -> Result<[Option<u32>; 2], SceneError> {
        let rigid = |index: usize, name: &String| {
            let at = at.index(index);
            let body = self.body_named(&at, name)?;
            let Some(found) = self.model.rigid.iter().position(|rigid| rigid.body as usize == body) else {
                let message = format!("'{name}' is not rigid, and joints hold rigid bodies; make it kind = \"rigid\"");
                return Err(SceneError::new(&at, message));
            };
            let all = &self.model.particles.inverse_masses;
            let particles = &self.model.rigid[found].particles;
            let free = particles.iter().filter(|&&particle| all[particle as usize] > 0.0).count();
            if free > 0 && free < particles.len() {
                let message = format!("'{name}' is pinned in part; pin all of it, or let a joint hold it in place");
                return Err(SceneError::new(&at, message));
            }
            Ok(found as u32)
        };
        match names {
            [one] => Ok([None, Some(rigid(0, one)?)]),
            [first, second] if first == second => {
                Err(SceneError::new(&at.index(1), format!("names '{first}' twice; a joint holds two bodies")))
            }
            [first, second] => Ok([Some(rigid(0, first)?), Some(rigid(1, second)?)]),
            _ => Err(SceneError::new(at, format!("has {} names; give one body, or two", names.len()))),
        }
    }

    fn motor(&mut self, at: &Path, kind: JointKind, motor: &JointMotor) -> Result<Motor, SceneError> {
        refuse_undriven(at, kind)?;
        let compliance = check::number(&at.key("compliance"), motor.compliance, &check::COMPLIANCE)?;
        let at_keyframes = at.key("keyframes");
        for (index, &(time, value)) in motor.keyframes.iter().enumerate() {
            check::number(&at_keyframes.index(index).key("time"), time, &check::TIME)?;
            check::number(&at_keyframes.index(index).key("value"), value, &check::OFFSET)?;
        }
        let Some(keyframes) = model::Keyframes::new(motor.curve()) else {
            return Err(SceneError::new(&at_keyframes, "must not be empty, and their times must ascend"));
        };
        let period = motor.period.map(|period| check::number(&at.key("period"), period, &check::PERIOD)).transpose()?;
        let curve = self.model.curves.len() as u32;
        self.model.curves.push(Curve { keyframes, period, delay: 0.0 });
        Ok(Motor { curve, compliance })
    }
}

fn refuse_undriven(at: &Path, kind: JointKind) -> Result<(), SceneError> {
    if kind.is_driven() {
        return Ok(());
    }
    let message = format!("applies to hinges, sliders and distances, and this is a {} joint; remove it", kind.name());
    Err(SceneError::key(at, message))
}

fn limits(at: &Path, joint: &Joint) -> Result<Option<[f64; 2]>, SceneError> {
    let Some([low, high]) = joint.limits else { return Ok(None) };
    if !joint.kind.has_coordinate() {
        let message = format!("does not apply to a {} joint, which leaves no motion; remove it", joint.kind.name());
        return Err(SceneError::key(at, message));
    }
    check::number(&at.index(0), low, &check::OFFSET)?;
    check::number(&at.index(1), high, &check::OFFSET)?;
    if low > high {
        let message = format!("has {low} before {high}; give the lower limit first");
        return Err(SceneError::new(at, message));
    }
    if joint.kind == JointKind::Hinge && (low < -PI || high > PI) {
        return Err(SceneError::new(at, "goes beyond half a turn; give angles between -3.1416 and 3.1416 rad"));
    }
    if joint.kind == JointKind::Ball && (low != 0.0 || high > PI) {
        let message = "is of the angle by which the axis swings out: give 0, and an angle up to 3.1416 rad";
        return Err(SceneError::new(at, message));
    }
    if joint.kind == JointKind::Distance && low < 0.0 {
        return Err(SceneError::new(at, format!("begins at {low} m; a distance is at least 0")));
    }
    Ok(Some([low, high]))
}

fn damping(at: &Path, joint: &Joint) -> Result<f64, SceneError> {
    let damping = check::number(at, joint.damping, &check::DAMPING)?;
    if damping > 0.0 {
        refuse_undriven(at, joint.kind)?;
        if joint.kind == JointKind::Distance && joint.limits.is_none() && joint.motor.is_none() {
            let message = "damps a length, and this one is held; give limits or a motor, or remove it";
            return Err(SceneError::key(at, message));
        }
    }
    Ok(damping)
}

/// The other end of a distance, which must lie elsewhere.
fn other_end(at: &Path, joint: &Joint) -> Result<Option<[f64; 3]>, SceneError> {
    let at = at.key("other_end");
    match (joint.kind, joint.other_end) {
        (JointKind::Distance, None) => {
            Err(SceneError::new(&at, "is missing: a distance has two ends; give the place of the other one, m"))
        }
        (JointKind::Distance, Some(end)) if end == joint.position => {
            Err(SceneError::new(&at, "is where the position is; a distance has two ends"))
        }
        (JointKind::Distance, Some(end)) => Ok(Some(check::vector(&at, end, &check::COORDINATE)?)),
        (_, None) => Ok(None),
        (kind, Some(_)) => {
            let message = format!("applies to distances, and this is a {} joint; remove it", kind.name());
            Err(SceneError::key(&at, message))
        }
    }
}
