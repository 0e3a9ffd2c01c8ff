//! `[[body]]`.

use std::path::Path as FilePath;

use super::super::body::KINDS;
use super::super::suggest::suggestion;
use super::super::{Body, ContactBy, Content, Segments, Tethers};
use super::parts;
use super::read::{Result, Table, Value, choice, list, number, table, text, truth, vector, whole};

pub(super) fn body(body: &Table, folder: &FilePath) -> Result<Body> {
    let content = body.required("kind", "\"cloth\"", |kind| content(kind, body, folder))?;
    let mut read = Body::new(content);
    read.name = body.optional("name", text)?;
    body.set("scale", &mut read.scale, scale)?;
    body.set("rotation", &mut read.rotation, vector)?;
    body.set("position", &mut read.position, vector)?;
    read.weld = body.optional("weld", number)?;
    body.set("velocity", &mut read.velocity, vector)?;
    body.set("angular_velocity", &mut read.angular_velocity, vector)?;
    read.mass = body.optional("mass", number)?;
    read.density = body.optional("density", number)?;
    read.material = body.optional("material", text)?;
    read.radius = body.optional("radius", number)?;
    read.thickness = body.optional("thickness", number)?;
    body.set("friction", &mut read.friction, number)?;
    read.dynamic_friction = body.optional("dynamic_friction", number)?;
    body.set("restitution", &mut read.restitution, number)?;
    body.set("contact_compliance", &mut read.contact_compliance, number)?;
    body.set("contact", &mut read.contact, |value| {
        choice(value, &ContactBy::ALL.map(|contact| (contact.name(), contact)))
    })?;
    read.self_collision = read.contact == ContactBy::Surface;
    body.set("self_collision", &mut read.self_collision, truth)?;
    body.set("segments", &mut read.segments, segments)?;
    body.set("collision_group", &mut read.collision_group, whole)?;
    read.collides_with = body.optional("collides_with", |groups| list(groups, whole))?;
    body.set("drag", &mut read.drag, number)?;
    body.set("lift", &mut read.lift, number)?;
    body.set("damping", &mut read.damping, number)?;
    body.set("pin", &mut read.pins, parts::pins)?;
    read.tether = body.optional("tether", tethers)?;
    body.set("planar", &mut read.planar, truth)?;
    read.colour = body.optional("colour", parts::colour)?;
    read.look = body.optional("look", parts::look)?;
    read.constraints = body.tables("constraint", |constraint| parts::constraint(constraint, whole))?;
    Ok(read)
}

fn content(kind: Value, body: &Table, folder: &FilePath) -> Result<Content> {
    let name = text(kind)?;
    let names = || KINDS.map(|(name, _)| name);
    match KINDS.iter().find(|(known, _)| *known == name) {
        Some((_, read)) => read(body, folder),
        None => Err(kind.error(format!("unknown kind of body '{name}'; {}", suggestion(&name, names())))),
    }
}

/// `true` along strands, or the ends of each.
fn segments(value: Value) -> Result<Segments> {
    if value.is_list() {
        let ends =
            |value: Value| list(value, whole)?.try_into().map_err(|_| value.wrong("the indices of two particles"));
        return list(value, ends).map(Segments::Between);
    }
    truth(value).map(|along| if along { Segments::AlongStrands } else { Segments::None })
}

/// One factor for all directions, or one for each.
fn scale(value: Value) -> Result<[f64; 3]> {
    if value.is_list() { vector(value) } else { Ok([number(value)?; 3]) }
}

fn tethers(value: Value) -> Result<Tethers> {
    let read = table(value)?;
    let mut tethers = Tethers::default();
    read.set("compliance", &mut tethers.compliance, number)?;
    read.set("slack", &mut tethers.slack, number)?;
    read.set("nearest", &mut tethers.nearest, whole)?;
    read.finish()?;
    Ok(tethers)
}
