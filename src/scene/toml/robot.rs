//! `[[robot]]`.

use std::path::Path as FilePath;

use super::super::{Base, ContactBy, Robot};
use super::read::{Result, Table, choice, entries, list, number, text, vector, whole};
use super::{joint, parts};

pub(super) fn robot(read: &Table, folder: &FilePath) -> Result<Robot> {
    let file = read.required("file", "\"arm.urdf\"", text)?;
    let mut robot = Robot::urdf(folder.join(file));
    robot.name = read.optional("name", text)?;
    read.set("rotation", &mut robot.rotation, vector)?;
    read.set("position", &mut robot.position, vector)?;
    read.set("base", &mut robot.base, |value| choice(value, &Base::ALL.map(|base| (base.name(), base))))?;
    read.set("pose", &mut robot.pose, |value| entries(value, number))?;
    read.set("motor", &mut robot.motors, |value| entries(value, joint::motor))?;
    robot.radius = read.optional("radius", number)?;
    read.set("contact", &mut robot.contact, |value| {
        choice(value, &ContactBy::ALL.map(|contact| (contact.name(), contact)))
    })?;
    read.set("friction", &mut robot.friction, number)?;
    robot.dynamic_friction = read.optional("dynamic_friction", number)?;
    read.set("restitution", &mut robot.restitution, number)?;
    robot.collision_group = read.optional("collision_group", whole)?;
    robot.collides_with = read.optional("collides_with", |groups| list(groups, whole))?;
    robot.colour = read.optional("colour", parts::colour)?;
    robot.look = read.optional("look", parts::look)?;
    Ok(robot)
}
