//! The walls of fluids: half-spaces behind planes through the nearest points of colliders, full of fluid.

use super::fluid::wall;
use crate::math::Vec3;
use crate::mesh::field::Number;
use crate::model::pose::Pose;
use crate::model::shape::{BOX, CYLINDER};

/// A half-space that is solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<R> {
    /// Out of the solid.
    pub normal: Vec3<R>,
    /// From its surface, m.
    pub gap: R,
    /// The way of the surface in the substep, m.
    pub carried: Vec3<R>,
}

/// Hands over the planes nearer than `reach` by which a collider of some thickness bounds a point, relative to the
/// collider's place: that at its nearest point; of hollow boxes and cylinders each face, since fluid lies in their
/// corners.
pub(crate) fn planes<R: Number + PartialOrd>(
    pose: &Pose<R>,
    point: Vec3<R>,
    (thickness, reach): (R, R),
    mut found: impl FnMut(Plane<R>),
) {
    let mut tell = |normal: Vec3<R>, distance: R| {
        let gap = distance - thickness;
        if gap < reach {
            let touched = point - normal * distance;
            found(Plane { normal, gap, carried: pose.carried(touched, touched, normal) });
        }
    };
    let size = pose.solid.size;
    let [x, y, z] = pose.axes;
    let own = Vec3 { x: x.dot(point), y: y.dot(point), z: z.dot(point) };
    match (pose.solid.shape, pose.solid.inside) {
        (BOX, true) => {
            for (axis, place, half) in [(x, own.x, size.x), (y, own.y, size.y), (z, own.z, size.z)] {
                tell(-axis, half - place);
                tell(axis, half + place);
            }
        }
        (CYLINDER, true) => {
            let (outwards, radius) = (x * own.x + z * own.z).direction_and_length();
            tell(-y, size.y - own.y);
            tell(y, size.y + own.y);
            tell(-outwards, size.x - radius);
        }
        _ => {
            let near = pose.near(point, R::from_f64(0.0));
            tell(near.normal, near.gap);
        }
    }
}

/// What walls add to C and its gradient where the particle has moved so far since they were found: of several
/// 1 - Π(1 - Φ). As it is the gradient of what it adds, walls press with the λ of the particle alone, and a pair with
/// the sum of two: at a wall λ is twice the pressure. Twice the gradient would set that right, and makes energy.
#[inline(always)]
pub(crate) fn pressed_by<R: Number>(planes: &[Plane<R>], moved: Vec3<R>, inverse_support: R) -> (R, Vec3<R>) {
    let one = R::from_f64(1.0);
    let (mut free, mut gradient) = (one, Vec3::zero());
    for plane in planes {
        let (value, slope) = wall((plane.gap + plane.normal.dot(moved)) * inverse_support);
        gradient = gradient * (one - value) - plane.normal * (slope * inverse_support * free);
        free = free * (one - value);
    }
    (one - free, gradient)
}
