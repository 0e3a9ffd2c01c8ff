//! Colliders, placed and checked.

use super::super::error::{Path, SceneError};
use super::super::{Collider, ColliderShape, check};
use super::place;
use crate::model::{self, Shape};

pub(super) fn collider(at: &Path, collider: &Collider) -> Result<model::Collider, SceneError> {
    let position = check::vector(&at.key("position"), collider.position, &check::COORDINATE)?;
    let rotation = check::unit(&at.key("rotation"), collider.rotation)?;
    let at_shape = at.key("shape");
    let shape = match collider.shape {
        ColliderShape::Plane { normal, offset } => {
            if collider.inside {
                let message = "a plane has no inside; leave it out, and turn the normal to swap the sides";
                return Err(SceneError::new(&at.key("inside"), message));
            }
            let at = at_shape.key("plane");
            let normal = place::rotate(rotation, check::unit(&at.key("normal"), normal)?);
            let offset = check::number(&at.key("offset"), offset, &check::COORDINATE)?;
            Shape::Plane { point: std::array::from_fn(|i| position[i] + offset * normal[i]), normal }
        }
        ColliderShape::Sphere { radius } => {
            let radius = check::number(&at_shape.key("sphere").key("radius"), radius, &check::LENGTH)?;
            Shape::Sphere { centre: position, radius, inside: collider.inside }
        }
    };
    let friction = check::number(&at.key("friction"), collider.friction, &check::FRICTION)?;
    let dynamic_friction = collider.dynamic_friction.unwrap_or(friction);
    Ok(model::Collider {
        shape,
        motion: place::motion(at, &collider.keyframes)?,
        friction,
        dynamic_friction: check::number(&at.key("dynamic_friction"), dynamic_friction, &check::FRICTION)?,
        restitution: check::number(&at.key("restitution"), collider.restitution, &check::SHARE)?,
    })
}
