//! What the joints of a robot are set to, and what drives them.

use super::Robot;
use super::urdf::{Joint, Urdf};
use super::xml::{Result, Source};
use crate::scene::error::{Path, SceneError};
use crate::scene::suggest::suggestion;
use crate::scene::{JointMotor, check};

/// Beyond a limit by less than this is on it, rad or m.
const ON_LIMIT: f64 = 1e-6;

/// What one joint is set to.
#[derive(Clone, Debug, Default)]
pub(super) struct Setting {
    /// As placed, rad or m.
    pub value: f64,
    pub motor: Option<JointMotor>,
    /// The joint whose motor the scene gives, by its name.
    pub driven_by: Option<String>,
}

/// The settings of all joints.
pub(super) fn settings(
    at: &Path,
    source: &Source,
    robot: &Robot,
    urdf: &Urdf,
    notes: &mut Vec<String>,
) -> Result<Vec<Setting>> {
    check_names(&at.key("pose"), urdf, robot.pose.iter().map(|(name, _)| name))?;
    check_names(&at.key("motor"), urdf, robot.motors.iter().map(|(name, _)| name))?;
    let masters = masters(source, urdf)?;
    let mut settings = vec![Setting::default(); urdf.joints.len()];
    for index in masters_first(source, urdf, &masters)? {
        let master = masters[index].map(|master| &settings[master]);
        settings[index] = setting(at, robot, &urdf.joints[index], master)?;
        note_loose_mimic(&urdf.joints[index], &settings[index], notes);
    }
    Ok(settings)
}

fn setting(at: &Path, robot: &Robot, joint: &Joint, master: Option<&Setting>) -> Result<Setting> {
    let motor = robot.motors.iter().find(|(name, _)| *name == joint.name).map(|(_, motor)| motor.clone());
    let mut setting = Setting { value: value(at, robot, joint, master)?, motor, driven_by: None };
    if setting.motor.is_some() {
        setting.driven_by = Some(joint.name.clone());
    } else if let (Some(mimic), Some(master)) = (&joint.mimic, master) {
        let follow = |&(time, value): &(f64, f64)| (time, mimic.multiplier * value + mimic.offset);
        setting.motor = master
            .motor
            .as_ref()
            .map(|motor| JointMotor { keyframes: motor.keyframes.iter().map(follow).collect(), ..motor.clone() });
        setting.driven_by.clone_from(&master.driven_by);
    }
    Ok(setting)
}

/// What a joint is placed at. A value that nobody gives is brought within the limits.
fn value(at: &Path, robot: &Robot, joint: &Joint, master: Option<&Setting>) -> Result<f64> {
    let at = at.key("pose");
    let at = at.key(&joint.name);
    let given = robot.pose.iter().find(|(name, _)| *name == joint.name).map(|(_, value)| *value);
    given.map(|value| check::number(&at, value, &check::POSE)).transpose()?;
    let by_itself = match (&joint.mimic, master) {
        (Some(mimic), Some(master)) => mimic.multiplier * master.value + mimic.offset,
        _ => 0.0,
    };
    let value = given.unwrap_or(by_itself);
    let Some([low, high]) = joint.limits else { return Ok(value) };
    if given.is_some() && !(low - ON_LIMIT..=high + ON_LIMIT).contains(&value) {
        let message =
            format!("is {value}, and the limits of the joint are {low} and {high}; give a value between them");
        return Err(SceneError::new(&at, message));
    }
    Ok(value.clamp(low, high))
}

fn note_loose_mimic(joint: &Joint, setting: &Setting, notes: &mut Vec<String>) {
    if let (Some(mimic), None) = (&joint.mimic, &setting.motor) {
        notes.push(format!(
            "joint '{}' moves freely: it mimics '{}', which has no motor; give that one",
            joint.name, mimic.joint
        ));
    }
}

/// Refuses what is said of joints that are not there, or have no value.
fn check_names<'n>(at: &Path, urdf: &Urdf, names: impl Iterator<Item = &'n String>) -> Result<()> {
    for name in names {
        match urdf.joints.iter().find(|joint| joint.name == *name) {
            Some(joint) if joint.kind.has_value() => {}
            Some(_) => {
                let message = "is a joint that is fixed or floats, and has no value; remove it";
                return Err(SceneError::key(&at.key(name), message));
            }
            None => {
                let movable = urdf.joints.iter().filter(|joint| joint.kind.has_value());
                let names = suggestion(name, movable.map(|joint| joint.name.as_str()));
                return Err(SceneError::key(&at.key(name), format!("there is no joint '{name}' that moves; {names}")));
            }
        }
    }
    Ok(())
}

/// Of each joint the one that it mimics.
fn masters(source: &Source, urdf: &Urdf) -> Result<Vec<Option<usize>>> {
    let by_name: std::collections::HashMap<&str, usize> =
        urdf.joints.iter().enumerate().map(|(index, joint)| (joint.name.as_str(), index)).collect();
    let master = |joint: &Joint| {
        let Some(mimic) = joint.mimic.as_ref().filter(|_| joint.kind.has_value()) else { return Ok(None) };
        match by_name.get(mimic.joint.as_str()) {
            Some(&master) if urdf.joints[master].kind.has_value() => Ok(Some(master)),
            _ => {
                let movable = urdf.joints.iter().filter(|joint| joint.kind.has_value());
                let names = suggestion(&mimic.joint, movable.map(|joint| joint.name.as_str()));
                let message = format!(
                    "joint '{}' mimics '{}', and no joint that moves is called so; {names}",
                    joint.name, mimic.joint
                );
                Err(source.error(mimic.byte, message))
            }
        }
    };
    urdf.joints.iter().map(master).collect()
}

/// All joints, each after the one that it mimics.
fn masters_first(source: &Source, urdf: &Urdf, masters: &[Option<usize>]) -> Result<Vec<usize>> {
    let mut followers = vec![Vec::new(); masters.len()];
    for (joint, master) in masters.iter().enumerate() {
        master.iter().for_each(|&master| followers[master].push(joint));
    }
    let mut order: Vec<usize> = (0..masters.len()).filter(|&joint| masters[joint].is_none()).collect();
    let mut next = 0;
    while let Some(&joint) = order.get(next) {
        order.extend(&followers[joint]);
        next += 1;
    }
    let mut reached = vec![false; masters.len()];
    order.iter().for_each(|&joint| reached[joint] = true);
    match reached.iter().position(|reached| !reached) {
        Some(joint) => {
            let joint = &urdf.joints[joint];
            let byte = joint.mimic.as_ref().map_or(joint.byte, |mimic| mimic.byte);
            let message = format!("joint '{}' mimics itself by way of others; remove one <mimic>", joint.name);
            Err(source.error(byte, message))
        }
        None => Ok(order),
    }
}
