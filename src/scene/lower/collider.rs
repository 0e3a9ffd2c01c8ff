//! Colliders, placed and checked.

use std::sync::Arc;

use super::super::error::{Path, SceneError};
use super::super::{Collider, ColliderShape, Hull, Mesh, check};
use super::solid::Solids;
use super::{collision, ground, place};
use crate::math::Vec3;
use crate::math::rotation::{between, inverse, product, rotate};
use crate::model::{self, Settings, Shape, Turning};

pub(super) fn collider(
    at: &Path,
    collider: &Collider,
    (settings, gravity): (&Settings, [f64; 3]),
    solids: &mut Solids,
) -> Result<model::Collider, SceneError> {
    let mut position = check::vector(&at.key("position"), collider.position, &check::COORDINATE)?;
    let mut rotation = check::unit(&at.key("rotation"), collider.rotation)?;
    if let ColliderShape::Plane { normal, offset } = collider.shape {
        let at = at.key("shape");
        let at = at.key("plane");
        let own = check::unit(&at.key("normal"), normal)?;
        let offset = check::number(&at.key("offset"), offset, &check::COORDINATE)?;
        let normal = rotate(rotation, own);
        position = std::array::from_fn(|i| position[i] + offset * normal[i]);
        rotation = product(rotation, between([0.0, 1.0, 0.0], own));
    }
    solids.weld = weld(at, collider)?;
    solids.up = up(gravity, rotation);
    let friction = check::number(&at.key("friction"), collider.friction, &check::FRICTION)?;
    let dynamic_friction = collider.dynamic_friction.unwrap_or(friction);
    let turning = turning(at, collider, settings)?;
    // What turns does so about its own origin.
    solids.may_move = turning.is_none();
    let shape = shape(&at.key("shape"), &collider.shape, solids)?;
    let moved = rotate(rotation, solids.moved.take().unwrap_or_default());
    position = std::array::from_fn(|axis| position[axis] + moved[axis]);
    if let Some(colour) = collider.colour {
        check::vector(&at.key("colour"), colour.map(f64::from), &check::SHARE)?;
    }
    Ok(model::Collider {
        shape,
        inside: inside(at, collider)?,
        position,
        rotation,
        motion: place::motion(at, &collider.keyframes)?,
        turning,
        belt: check::vector(&at.key("belt"), collider.belt, &check::VELOCITY)?,
        friction,
        dynamic_friction: check::number(&at.key("dynamic_friction"), dynamic_friction, &check::FRICTION)?,
        restitution: check::number(&at.key("restitution"), collider.restitution, &check::SHARE)?,
        thickness: check::number(&at.key("thickness"), collider.thickness, &check::RADIUS)?,
        adhesion: check::number(&at.key("adhesion"), collider.adhesion, &check::ADHESION)?,
        trigger: trigger(at, collider)?,
        groups: collision::groups(at, collider.collision_group, &collider.collides_with)?,
        colour: collider.colour,
        look: collider.look,
    })
}

/// The direction against gravity, in the frame of what is turned by a rotation.
fn up(gravity: [f64; 3], rotation: [f64; 4]) -> Option<[f64; 3]> {
    let (down, strength) = Vec3::from(gravity).direction_and_length();
    (strength > 0.0).then(|| rotate(inverse(rotation), (-down).into()))
}

/// Only what comes from a file can be welded.
fn weld(at: &Path, collider: &Collider) -> Result<Option<f64>, SceneError> {
    let at = at.key("weld");
    let Some(weld) = collider.weld else { return Ok(None) };
    match &collider.shape {
        ColliderShape::Mesh { mesh: Mesh::File(_), .. }
        | ColliderShape::Convex { hull: Hull::Mesh(Mesh::File(_)), .. } => {
            check::number(&at, weld, &check::LENGTH).map(Some)
        }
        _ => Err(SceneError::key(&at, "applies to meshes from files, and this collider has none; remove it")),
    }
}

/// What only pushes, holds or rebounds says of a trigger nothing.
fn trigger(at: &Path, collider: &Collider) -> Result<bool, SceneError> {
    let touches = [
        ("friction", collider.friction != 0.0),
        ("dynamic_friction", collider.dynamic_friction.is_some()),
        ("restitution", collider.restitution != 0.0),
        ("adhesion", collider.adhesion != 0.0),
        ("belt", collider.belt != [0.0; 3]),
    ];
    match touches.iter().find(|(_, given)| collider.trigger && *given) {
        Some((key, _)) => Err(SceneError::new(
            &at.key(key),
            "does not apply to a trigger, which lets everything through; remove one of the two",
        )),
        None => Ok(collider.trigger),
    }
}

fn shape(at: &Path, shape: &ColliderShape, solids: &mut Solids) -> Result<Shape, SceneError> {
    let length = |name: &'static str, key: &'static str, value: f64, range: &check::Range| {
        check::number(&at.key(name).key(key), value, range)
    };
    Ok(match *shape {
        ColliderShape::Plane { .. } => Shape::Plane,
        ColliderShape::Sphere { radius } => {
            Shape::Sphere { radius: length("sphere", "radius", radius, &check::LENGTH)? }
        }
        ColliderShape::Capsule { radius, length: between } => Shape::Capsule {
            radius: length("capsule", "radius", radius, &check::LENGTH)?,
            length: length("capsule", "length", between, &check::RADIUS)?,
        },
        ColliderShape::Box { size } => {
            Shape::Box { size: check::vector(&at.key("box").key("size"), size, &check::LENGTH)? }
        }
        ColliderShape::Cylinder { radius, length: whole } => Shape::Cylinder {
            radius: length("cylinder", "radius", radius, &check::LENGTH)?,
            length: length("cylinder", "length", whole, &check::LENGTH)?,
        },
        ColliderShape::Convex { ref hull, scale, cells } => solids.hull(&at.key("convex"), hull, scale, cells)?,
        ColliderShape::Mesh { ref mesh, scale, cells } => solids.mesh(&at.key("mesh"), mesh, scale, cells)?,
        ColliderShape::HeightField { ref heights, size } => {
            let field = ground::field(&at.key("heightfield"), heights, size)?;
            solids.count(&at.key("heightfield"), field.heights.len() as u64)?;
            Shape::Heights(Arc::new(field))
        }
    })
}

fn inside(at: &Path, collider: &Collider) -> Result<bool, SceneError> {
    let message = match collider.shape {
        ColliderShape::Plane { .. } => "does not apply to a plane; remove it, and reverse the normal to swap the sides",
        ColliderShape::HeightField { .. } => {
            "does not apply to a height field; remove it, and set rotation = [1, 0, 0, 0] for a ceiling"
        }
        _ => return Ok(collider.inside),
    };
    if collider.inside {
        return Err(SceneError::new(&at.key("inside"), message));
    }
    Ok(collider.inside)
}

fn turning(at: &Path, collider: &Collider, settings: &Settings) -> Result<Option<Turning>, SceneError> {
    let at_spin = at.key("spin");
    let spin = check::vector(&at_spin, collider.spin, &check::ANGULAR_VELOCITY)?;
    let turn = spin.iter().map(|rate| rate * rate).sum::<f64>().sqrt() * settings.substep_seconds();
    if turn >= std::f64::consts::PI {
        let message =
            "is half a turn or more in a substep, so that its direction is lost; lower it or raise solver.substeps";
        return Err(SceneError::new(&at_spin, message));
    }
    let rotations = collider
        .rotations
        .as_ref()
        .map(|frames| place::rotations(&at.key("rotations"), "value", frames))
        .transpose()?;
    Ok((spin != [0.0; 3] || rotations.is_some()).then_some(Turning { spin, rotations }))
}
