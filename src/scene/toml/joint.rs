//! `[[joint]]`.

use super::super::{Joint, JointMotor};
use super::read::{Result, Table, Value, choice, list, number, pair, table, text, vector};
use crate::model::JointKind;

pub(super) fn joint(read: &Table) -> Result<Joint> {
    let kinds = JointKind::ALL.map(|kind| (kind.name(), kind));
    let kind = read.required("kind", "\"hinge\"", |value| choice(value, &kinds))?;
    let bodies = read.required("bodies", "[\"arm\", \"hand\"]", |value| list(value, text))?;
    let position = read.required("position", "[0, 0, 0]", vector)?;
    let mut joint = Joint { bodies, ..Joint::new(kind, "", position) };
    joint.other_end = read.optional("other_end", vector)?;
    match kind {
        JointKind::Hinge | JointKind::Slider => joint.axis = read.required("axis", "[0, 1, 0]", vector)?,
        _ => read.set("axis", &mut joint.axis, vector)?,
    }
    read.set("compliance", &mut joint.compliance, number)?;
    joint.limits = read.optional("limits", limits)?;
    joint.motor = read.optional("motor", motor)?;
    read.set("damping", &mut joint.damping, number)?;
    joint.break_force = read.optional("break_force", number)?;
    joint.break_moment = read.optional("break_moment", number)?;
    Ok(joint)
}

fn limits(value: Value) -> Result<[f64; 2]> {
    let [low, high] = pair(value).ok_or_else(|| value.wrong("two numbers, as in [-1.5, 0]"))?;
    Ok([number(low)?, number(high)?])
}

/// `{ target = 0.5, compliance = 1e-3 }`, or with `keyframes` in place of the target.
pub(super) fn motor(value: Value) -> Result<JointMotor> {
    let read = table(value)?;
    let keyframes = match read.variant(&["target", "keyframes"])? {
        ("target", value) => vec![(0.0, number(value)?)],
        (_, value) => list(value, keyframe)?,
    };
    let mut motor = JointMotor::keyframes(keyframes);
    read.set("compliance", &mut motor.compliance, number)?;
    motor.period = read.optional("period", number)?;
    read.finish()?;
    Ok(motor)
}

fn keyframe(value: Value) -> Result<(f64, f64)> {
    let read = table(value)?;
    let keyframe = (read.required("time", "0.0", number)?, read.required("value", "1.0", number)?);
    read.finish()?;
    Ok(keyframe)
}
