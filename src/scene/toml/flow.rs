//! `[[emitter]]` and `[[drain]]`.

use super::super::{Drain, Emitter};
use super::parts::keyframes;
use super::read::{Result, Table, Value, number, table, text, vector, whole};

pub(super) fn emitter(read: &Table) -> Result<Emitter> {
    let body = read.required("body", "\"water\"", text)?;
    let position = read.required("position", "[0.0, 1.0, 0.0]", vector)?;
    let mut emitter = Emitter::new(body, position, read.required("direction", "[0.0, -1.0, 0.0]", vector)?);
    emitter.radius = read.required("radius", "0.02", number)?;
    emitter.speed = read.required("speed", "1.0", number)?;
    emitter.until = read.optional("until", number)?;
    emitter.keyframes = read.optional("keyframes", keyframes)?;
    emitter.particles = read.optional("particles", whole)?;
    Ok(emitter)
}

pub(super) fn drain(read: &Table) -> Result<Drain> {
    read.required("box", "{ min = [-1.0, -1.0, -1.0], max = [1.0, 0.0, 1.0] }", corners)
}

fn corners(value: Value) -> Result<Drain> {
    let corners = table(value)?;
    let min = corners.required("min", "[-1.0, -1.0, -1.0]", vector)?;
    let max = corners.required("max", "[1.0, 0.0, 1.0]", vector)?;
    corners.finish()?;
    Ok(Drain { min, max })
}
