//! `[[constraint]]`, `pin`, `[[force]]`, `[[collider]]`, `camera`.

use std::path::Path as FilePath;

use super::super::{
    Camera, Collider, ColliderShape, Constraint, Force, Heights, Hull, Keyframes, Named, Pin, PinSpin, RestKeyframes,
    Select, Strength, Values,
};
use super::mesh::mesh_variant;
use super::read::{Result, Table, Value, choice, list, number, pair, table, text, truth, values, vector, whole};
use crate::mesh::DEFAULT_CELLS;
use crate::model::{Finish, Side};

pub(super) fn constraint<P>(table: &Table, particle: impl Fn(Value) -> Result<P>) -> Result<Constraint<P>> {
    let mut kind = table.required("kind", "\"distance\"", text)?;
    // The one kind whose angle has no sign is called by what it is not.
    if kind == "angle" && table.optional("planar", truth)? == Some(false) {
        kind = "spatial_angle".into();
    }
    let lists = |value| list(value, |ends| list(ends, &particle));
    let mut read: Constraint<P> = Constraint::new(kind, table.required("particles", "[[0, 1]]", lists)?);
    table.set("compliance", &mut read.compliance, values)?;
    table.set("damping", &mut read.damping, values)?;
    table.set("stiffness", &mut read.stiffness, values)?;
    read.side = table
        .optional("side", |value| choice(value, &[("both", Side::Both), ("pull", Side::Pull), ("push", Side::Push)]))?;
    read.break_force = table.optional("break_force", values)?;
    read.keyframes = table.optional("keyframes", rest_keyframes)?;
    read.period = table.optional("period", number)?;
    read.delay = table.optional("delay", values)?;
    read.yield_point = table.optional("yield", values)?;
    read.creep = table.optional("creep", values)?;
    read.rest = rest_values(table)?;
    Ok(read)
}

/// What else a constraint gives: the rest values of its kind, which are known once the scene is built.
fn rest_values(table: &Table) -> Result<Vec<(String, Values)>> {
    let mut rest = Vec::new();
    for (key, value) in table.others() {
        if !value.is_number() && !value.is_list() {
            return Err(table.unknown(key));
        }
        rest.push((key.to_string(), values(value)?));
        table.accept(key);
    }
    Ok(rest)
}

/// `["rope", 63]`
pub(super) fn named_particle(value: Value) -> Result<Named> {
    let [body, index] = pair(value).ok_or_else(|| value.wrong("a body's name and an index, as in [\"rope\", 63]"))?;
    Ok((text(body)?, whole(index)?))
}

/// A list of pins, or the one pin that a table describes.
pub(super) fn pins(value: Value) -> Result<Vec<Pin>> {
    if value.is_table() { pin(value).map(|pin| vec![pin]) } else { list(value, pin) }
}

fn pin(value: Value) -> Result<Pin> {
    if value.is_text() {
        return Ok(Pin::new(Select::Names(vec![text(value)?])));
    }
    if value.is_number() {
        return Ok(Pin::new(Select::Indices(vec![whole(value)?])));
    }
    if !value.is_table() {
        return Err(
            value.wrong("a name such as \"top\", an index, { box = [min, max] } or { sphere = [centre, radius] }")
        );
    }
    let pin = table(value)?;
    let led = led(&pin, "value", Pin::new(Select::Indices(Vec::new())))?;
    let until = pin.optional("until", number)?;
    Ok(Pin { select: selection(&pin)?, until, ..led })
}

/// A pin with what leads it, and the key of its keyframes that has its way.
pub(in crate::scene) fn led(read: &Table, way: &'static str, pin: Pin) -> Result<Pin> {
    let keyframes = |value| pin_keyframes(value, way);
    let (keyframes, rotations) = read.optional("keyframes", keyframes)?.unwrap_or_default();
    let spin = read.optional("spin", pin_spin)?;
    let pivot = read.optional("pivot", vector)?;
    let to = read.optional("to", text)?;
    Ok(Pin { keyframes, spin, rotations, pivot, to, ..pin })
}

/// `(time in s, quaternion x, y, z, w)`
type Rotations = Vec<(f64, [f64; 4])>;

/// `[{ time = 0, value = [0, 0, 0], rotation = [0, 0, 0, 1] }]`: all have a value, all have a rotation, or both. Clamps
/// call the value `position`.
fn pin_keyframes(value: Value, way: &'static str) -> Result<(Option<Keyframes>, Option<Rotations>)> {
    let has = |key: &'static str| list(value, |entry| table(entry).map(|entry| entry.get(key).is_some()));
    let turns = has("rotation")?.contains(&true);
    let moves = !turns || has(way)?.contains(&true);
    let entry = |entry: Value| {
        let keyframe = table(entry)?;
        let time = keyframe.required("time", "0.0", number)?;
        let value = moves.then(|| keyframe.required(way, "[0, 0, 0]", vector)).transpose()?;
        let rotation = turns.then(|| keyframe.required("rotation", "[0, 0, 0, 1]", vector)).transpose()?;
        keyframe.finish()?;
        Ok((time, value, rotation))
    };
    let entries = list(value, entry)?;
    let values = entries.iter().filter_map(|(time, value, _)| Some((*time, (*value)?))).collect();
    let rotations = entries.iter().filter_map(|(time, _, rotation)| Some((*time, (*rotation)?))).collect();
    Ok((moves.then_some(values), turns.then_some(rotations)))
}

/// `{ axis = [1, 0, 0], rate = 3.14, until = 2 }`
fn pin_spin(value: Value) -> Result<PinSpin> {
    let read = table(value)?;
    let spin = PinSpin {
        axis: read.required("axis", "[1, 0, 0]", vector)?,
        rate: read.required("rate", "3.14", number)?,
        until: read.optional("until", number)?,
    };
    read.finish()?;
    Ok(spin)
}

/// `{ box = [min, max] }` and its like, which may have other keys that were read before.
pub(in crate::scene) fn selection(read: &Table) -> Result<Select> {
    let (name, value) = read.variant(&["names", "indices", "box", "sphere"])?;
    read.finish()?;
    Ok(match name {
        "names" => Select::Names(list(value, text)?),
        "indices" => Select::Indices(list(value, whole)?),
        "box" => {
            let [min, max] = pair(value).ok_or_else(|| value.wrong("two corners, as in [[0, 0, 0], [1, 1, 1]]"))?;
            Select::Box { min: vector(min)?, max: vector(max)? }
        }
        _ => {
            let wrong = || value.wrong("a centre and a radius, as in [[0, 0, 0], 1]");
            let [centre, radius] = pair(value).ok_or_else(wrong)?;
            Select::Sphere { centre: vector(centre)?, radius: number(radius)? }
        }
    })
}

pub(in crate::scene) fn keyframes(value: Value) -> Result<Keyframes> {
    list(value, |entry| keyframe(entry, "[0, 0, 0]", vector))
}

/// Keyframes of rest values: a number, or a list where the kind has several.
pub(in crate::scene) fn rest_keyframes(value: Value) -> Result<RestKeyframes> {
    let numbers = |value: Value| if value.is_list() { list(value, number) } else { Ok(vec![number(value)?]) };
    list(value, |entry| keyframe(entry, "1.0", numbers))
}

/// `[{ time = 0.0, value = 1.0 }]`
pub(in crate::scene) fn share_keyframes(value: Value) -> Result<Vec<(f64, f64)>> {
    list(value, |entry| keyframe(entry, "1.0", number))
}

fn keyframe<T>(entry: Value, example: &str, read: impl Fn(Value) -> Result<T>) -> Result<(f64, T)> {
    let keyframe = table(entry)?;
    let time = keyframe.required("time", "0.0", number)?;
    let value = keyframe.required("value", example, read)?;
    keyframe.finish()?;
    Ok((time, value))
}

pub(super) fn force(table: &Table) -> Result<Force> {
    let body = table.optional("body", text)?;
    let particles = table.optional("particles", |value| list(value, whole))?;
    let value = match table.variant(&["value", "keyframes"])? {
        ("value", value) => Strength::Constant(vector(value)?),
        (_, value) => Strength::Keyframes(keyframes(value)?),
    };
    Ok(Force { body, particles, value })
}

pub(super) fn collider(table: &Table, folder: &FilePath) -> Result<Collider> {
    let mut read = table.required("shape", "{ sphere = { radius = 1.0 } }", |value| shape(value, folder))?;
    table.set("position", &mut read.position, vector)?;
    table.set("rotation", &mut read.rotation, vector)?;
    read.keyframes = table.optional("keyframes", keyframes)?;
    table.set("spin", &mut read.spin, vector)?;
    let rotations = |value: Value| list(value, |entry| keyframe(entry, "[0, 0, 0, 1]", vector));
    read.rotations = table.optional("rotations", rotations)?;
    table.set("belt", &mut read.belt, vector)?;
    table.set("friction", &mut read.friction, number)?;
    read.dynamic_friction = table.optional("dynamic_friction", number)?;
    table.set("restitution", &mut read.restitution, number)?;
    table.set("thickness", &mut read.thickness, number)?;
    read.weld = table.optional("weld", number)?;
    table.set("adhesion", &mut read.adhesion, number)?;
    table.set("trigger", &mut read.trigger, truth)?;
    table.set("collision_group", &mut read.collision_group, whole)?;
    read.collides_with = table.optional("collides_with", |groups| list(groups, whole))?;
    table.set("inside", &mut read.inside, truth)?;
    read.colour = table.optional("colour", colour)?;
    read.look = table.optional("look", look)?;
    Ok(read)
}

/// Linear red, green, blue.
pub(super) fn colour(value: Value) -> Result<[f32; 3]> {
    vector(value).map(|colour: [f64; 3]| colour.map(|channel| channel as f32))
}

pub(super) fn look(value: Value) -> Result<Finish> {
    choice(value, &Finish::ALL.map(|finish| (finish.name(), finish)))
}

const SHAPES: [&str; 8] = ["plane", "sphere", "capsule", "box", "cylinder", "convex", "mesh", "heightfield"];

fn shape(value: Value, folder: &FilePath) -> Result<Collider> {
    let shape = table(value)?;
    let (name, value) = shape.variant(&SHAPES)?;
    shape.finish()?;
    let shape = table(value)?;
    let radius = || shape.required("radius", "1.0", number);
    let length = || shape.required("length", "1.0", number);
    let collider = match name {
        "plane" => {
            let normal = shape.optional("normal", vector)?.unwrap_or([0.0, 1.0, 0.0]);
            Collider::plane(normal, shape.optional("offset", number)?.unwrap_or(0.0))
        }
        "sphere" => Collider::sphere(radius()?),
        "capsule" => Collider::capsule(radius()?, length()?),
        "box" => Collider::cuboid(shape.required("size", "[1.0, 1.0, 1.0]", vector)?),
        "cylinder" => Collider::cylinder(radius()?, length()?),
        "heightfield" => Collider::new(height_field(&shape, folder)?),
        _ => {
            let cells = shape.optional("cells", whole)?.unwrap_or(DEFAULT_CELLS);
            let scale = shape.optional("scale", number)?.unwrap_or(1.0);
            let measured = if name == "mesh" {
                ColliderShape::Mesh { mesh: mesh_variant(&shape, &SOLID_MESHES, folder)?, scale, cells }
            } else if let Some(points) = shape.optional("points", |points| list(points, vector))? {
                ColliderShape::Convex { hull: Hull::Points(points), scale, cells }
            } else {
                ColliderShape::Convex { hull: Hull::Mesh(mesh_variant(&shape, &HULL_MESHES, folder)?), scale, cells }
            };
            Collider::new(measured)
        }
    };
    shape.finish()?;
    Ok(collider)
}

/// What a mesh collider may be of, and a hull.
const SOLID_MESHES: [&str; 4] = ["file", "box", "sphere", "torus"];
const HULL_MESHES: [&str; 5] = ["points", "file", "box", "sphere", "torus"];

fn height_field(field: &Table, folder: &FilePath) -> Result<ColliderShape> {
    let rows = field.optional("heights", |rows| list(rows, |row| list(row, number)))?;
    let heights = match rows {
        Some(rows) => Heights::Rows(rows),
        None => {
            let path = folder.join(field.required("file", "\"hills.png\"", text)?);
            Heights::File { path, range: field.required("range", "[0.0, 1.0]", vector)? }
        }
    };
    Ok(ColliderShape::HeightField { heights, size: field.required("size", "[10.0, 10.0]", vector)? })
}

pub(super) fn camera(value: Value) -> Result<Camera> {
    let camera = table(value)?;
    let read = Camera {
        eye: camera.required("eye", "[0.0, 1.0, 3.0]", vector)?,
        target: camera.required("target", "[0.0, 0.0, 0.0]", vector)?,
        field_of_view: camera.optional("field_of_view", number)?.unwrap_or(Camera::DEFAULT_FIELD_OF_VIEW),
    };
    camera.finish()?;
    Ok(read)
}
