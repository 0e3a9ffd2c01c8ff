//! Where a body lies: scale, then rotation, then position.

use super::super::error::{Path, SceneError};
use super::super::{Body, Keyframes, check};
use crate::math::rotation::{inverse, rotate};
use crate::model::{self, Rotations};

pub(in crate::scene) struct Transform {
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
        rotate(inverse(self.rotation), v)
    }

    /// Where a place of the body, as scaled, comes to lie.
    pub fn placed(&self, place: [f64; 3]) -> [f64; 3] {
        let rotated = self.rotate(place);
        std::array::from_fn(|i| rotated[i] + self.position[i])
    }

    /// Where a place of the body before its scale comes to lie.
    pub fn at(&self, place: [f64; 3]) -> [f64; 3] {
        self.placed(std::array::from_fn(|i| place[i] * self.scale[i]))
    }

    /// Moves all points; refuses those that end up beyond what single precision holds.
    pub fn apply(&self, at: &Path, points: &mut [[f64; 3]]) -> Result<(), SceneError> {
        for (index, point) in points.iter_mut().enumerate() {
            *point = self.at(*point);
            check::vector(at, *point, &check::COORDINATE)
                .map_err(|error| SceneError::new(at, format!("particle {index}, as placed: {}", error.message)))?;
        }
        Ok(())
    }
}

/// Checks the times of keyframes.
pub(super) fn times(at: &Path, times: impl Iterator<Item = f64>) -> Result<(), SceneError> {
    let mut before: Option<f64> = None;
    for (index, time) in times.enumerate() {
        let at = at.index(index);
        let at = at.key("time");
        check::number(&at, time, &check::TIME)?;
        if let Some(before) = before.filter(|before| time <= *before) {
            let before = check::display(before);
            let message = format!("must be later than the time before, {before} s; put keyframes in order of time");
            return Err(SceneError::new(&at, message));
        }
        before = Some(time);
    }
    Ok(())
}

/// Checks keyframes of values in a range, one by one so that the error names which.
pub(in crate::scene) fn keyframes(
    at: &Path,
    keyframes: &Keyframes,
    range: &check::Range,
) -> Result<model::Keyframes, SceneError> {
    times(at, keyframes.iter().map(|(time, _)| *time))?;
    for (index, (_, value)) in keyframes.iter().enumerate() {
        check::vector(&at.index(index).key("value"), *value, range)?;
    }
    let empty = || SceneError::new(at, "has no keyframe; give at least one { time = 0.0, value = [0, 0, 0] }");
    model::Keyframes::new(keyframes.clone()).ok_or_else(empty)
}

/// Keyframes of a displacement, m, under the key `keyframes`.
pub(super) fn motion(at: &Path, frames: &Option<Keyframes>) -> Result<Option<model::Keyframes>, SceneError> {
    frames.as_ref().map(|frames| keyframes(&at.key("keyframes"), frames, &check::COORDINATE)).transpose()
}

/// Checks keyframes of rotations. `key`: what each calls its quaternion.
pub(super) fn rotations(at: &Path, key: &str, frames: &[(f64, [f64; 4])]) -> Result<Rotations, SceneError> {
    times(at, frames.iter().map(|(time, _)| *time))?;
    for (index, (_, value)) in frames.iter().enumerate() {
        check::unit(&at.index(index).key(key), *value)?;
    }
    let empty =
        || SceneError::new(at, format!("has no keyframe; give at least one {{ time = 0.0, {key} = [0, 0, 0, 1] }}"));
    Rotations::new(frames.to_vec()).ok_or_else(empty)
}
