//! Where a body lies: scale, then rotation, then position.

use super::super::error::{Path, SceneError};
use super::super::{Body, Keyframes, check};
use crate::constraint::Vec3;
use crate::model;

pub(super) struct Transform {
    scale: [f64; 3],
    rotation: [f64; 4],
    position: [f64; 3],
}

impl Transform {
    pub fn new(at: &Path, body: &Body) -> Result<Self, SceneError> {
        Ok(Self {
            scale: check::vector(&at.key("scale"), body.scale, &check::SCALE)?,
            rotation: check::unit(&at.key("rotation"), body.rotation)?,
            position: check::vector(&at.key("position"), body.position, &check::COORDINATE)?,
        })
    }

    /// Turns a direction or a velocity.
    pub fn rotate(&self, v: [f64; 3]) -> [f64; 3] {
        rotate(self.rotation, v)
    }

    /// Turns a direction of the world to one of the body before its rotation.
    pub fn turn_back(&self, v: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.rotation;
        rotate([-x, -y, -z, w], v)
    }

    /// Moves all points; refuses those that end up beyond what single precision holds.
    pub fn apply(&self, at: &Path, points: &mut [[f64; 3]]) -> Result<(), SceneError> {
        for (index, point) in points.iter_mut().enumerate() {
            let scaled = std::array::from_fn(|i| point[i] * self.scale[i]);
            let rotated = self.rotate(scaled);
            *point = std::array::from_fn(|i| rotated[i] + self.position[i]);
            check::vector(at, *point, &check::COORDINATE)
                .map_err(|error| SceneError::new(at, format!("particle {index}, as placed: {}", error.message)))?;
        }
        Ok(())
    }
}

/// Turns a vector by a unit quaternion x, y, z, w.
pub(super) fn rotate([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let (axis, v) = (Vec3::new(x, y, z), Vec3::from(v));
    let twice = axis.cross(v) * 2.0;
    (v + twice * w + axis.cross(twice)).into()
}

/// Checks keyframes of values in a range, one by one so that the error names which.
pub(super) fn keyframes(
    at: &Path,
    keyframes: &Keyframes,
    range: &check::Range,
) -> Result<model::Keyframes, SceneError> {
    for (index, (time, value)) in keyframes.iter().enumerate() {
        let at = at.index(index);
        check::number(&at.key("time"), *time, &check::TIME)?;
        check::vector(&at.key("value"), *value, range)?;
        if index > 0 && *time <= keyframes[index - 1].0 {
            let before = check::display(keyframes[index - 1].0);
            let message = format!("must be later than the time before, {before} s; put keyframes in order of time");
            return Err(SceneError::new(&at.key("time"), message));
        }
    }
    let empty = || SceneError::new(at, "has no keyframe; give at least one { time = 0.0, value = [0, 0, 0] }");
    model::Keyframes::new(keyframes.clone()).ok_or_else(empty)
}

/// Keyframes of a displacement, m, under the key `keyframes`.
pub(super) fn motion(at: &Path, frames: &Option<Keyframes>) -> Result<Option<model::Keyframes>, SceneError> {
    frames.as_ref().map(|frames| keyframes(&at.key("keyframes"), frames, &check::COORDINATE)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn about z takes x to y, and one about x takes y to z: the quaternion is right-handed.
    #[test]
    fn rotates_right_handed() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(rotate([0.0, 0.0, half, half], [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(rotate([half, 0.0, 0.0, half], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
    }
}
