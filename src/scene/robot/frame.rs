//! Where something lies in its parent's frame, or in the scene.

use crate::math::rotation::{IDENTITY, Quaternion, about, product, rotate};

/// A rotation, and then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub rotation: Quaternion,
    /// m
    pub position: [f64; 3],
}

impl Frame {
    pub const IDENTITY: Self = Self { rotation: IDENTITY, position: [0.0; 3] };

    /// About the fixed axes x, y and z, one after another, as URDF has it; rad.
    pub fn of_origin(position: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let about_z_y = product(about([0.0, 0.0, yaw]), about([0.0, pitch, 0.0]));
        Self { rotation: product(about_z_y, about([roll, 0.0, 0.0])), position }
    }

    /// A frame inside of this one.
    pub fn with(&self, inner: &Self) -> Self {
        Self { rotation: product(self.rotation, inner.rotation), position: self.place(inner.position) }
    }

    /// Where a place of this frame lies outside of it.
    pub fn place(&self, place: [f64; 3]) -> [f64; 3] {
        let rotated = self.turn(place);
        std::array::from_fn(|i| rotated[i] + self.position[i])
    }

    /// A direction of this frame, outside of it.
    pub fn turn(&self, direction: [f64; 3]) -> [f64; 3] {
        rotate(self.rotation, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roll comes first, about the fixed x axis: it takes y to z, and a yaw of a quarter turn then leaves z alone.
    #[test]
    fn roll_pitch_and_yaw_are_about_fixed_axes() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let frame = Frame::of_origin([1.0, 2.0, 3.0], [quarter, 0.0, quarter]);
        let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(frame.turn([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
        assert!(close(frame.turn([1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(Frame::of_origin([0.0; 3], [0.0, quarter, quarter]).turn([1.0, 0.0, 0.0]), [0.0, 0.0, -1.0]));
        assert!(close(frame.with(&frame).place([0.0, 0.0, 0.0]), frame.place([1.0, 2.0, 3.0])));
    }
}
