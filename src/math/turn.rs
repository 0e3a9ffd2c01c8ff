//! Small rotations, and orientations made of a reference and a small rotation from there.
//!
//! A *turn* is the vector part v of a unit quaternion whose scalar part √(1 - v²) is positive: half the rotation's
//! vector where that is small. Two are composed exactly by v₁∘v₂ = w₁v₂ + w₂v₁ + v₁×v₂, without sines or series.

use super::{Real, Vec3};

/// Of the vector part of a quaternion that is turned at once: about 127°.
const MOST: f64 = 0.9;

/// A unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<R> {
    /// The axis times the sine of half the angle.
    pub vector: Vec3<R>,
    /// The cosine of half the angle.
    pub scalar: R,
}

/// The scalar part of a turn's quaternion.
#[inline(always)]
pub fn scalar<R: Real>(turn: Vec3<R>) -> R {
    let (zero, left) = (R::from_f64(0.0), R::from_f64(1.0) - turn.dot(turn));
    R::select(left.greater(zero), left, zero).sqrt()
}

/// The turn `second` after the turn `first`.
#[inline(always)]
pub fn compose<R: Real>(second: Vec3<R>, first: Vec3<R>) -> Vec3<R> {
    shortened(first * scalar(second) + second * scalar(first) + second.cross(first), MOST)
}

/// A vector of at most this length.
#[inline(always)]
pub(crate) fn shortened<R: Real>(v: Vec3<R>, most: f64) -> Vec3<R> {
    let (one, squared, limit) = (R::from_f64(1.0), v.dot(v), R::from_f64(most * most));
    let long = squared.greater(limit);
    v * R::select(long, R::from_f64(most) / R::select(long, squared, one).sqrt(), one)
}

/// The turn by half of a small rotation's vector φ, rad.
#[inline(always)]
pub fn by<R: Real>(rotation: Vec3<R>) -> Vec3<R> {
    shortened(rotation * R::from_f64(0.5), 0.5)
}

/// The turn of an angular velocity, rad/s, in a time; of more than half a turn the half.
pub fn of_speed(speed: [f64; 3], seconds: f64) -> Vec3<f64> {
    let (axis, speed) = Vec3::from(speed).direction_and_length();
    axis * (0.5 * speed * seconds).min(0.5 * std::f64::consts::PI).sin()
}

/// The angular velocity of a turn in a time, rad/s.
pub fn speed_of(turn: Vec3<f64>, seconds: f64) -> [f64; 3] {
    let (axis, sine) = turn.direction_and_length();
    (axis * (2.0 * sine.min(1.0).asin() / seconds)).into()
}

impl<R: Real> Quaternion<R> {
    /// That of a turn.
    #[inline(always)]
    pub fn of_turn(turn: Vec3<R>) -> Self {
        Self { vector: turn, scalar: scalar(turn) }
    }
    /// The other way round.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Self { vector: -self.vector, ..self }
    }
    /// This rotation after another.
    #[inline(always)]
    pub fn after(self, first: Self) -> Self {
        Self {
            vector: first.vector * self.scalar + self.vector * first.scalar + self.vector.cross(first.vector),
            scalar: self.scalar * first.scalar - self.vector.dot(first.vector),
        }
    }
    /// A vector turned by it.
    #[inline(always)]
    pub fn rotate(self, v: Vec3<R>) -> Vec3<R> {
        let twice = self.vector.cross(v) * R::from_f64(2.0);
        v + twice * self.scalar + self.vector.cross(twice)
    }
    /// The world's axes turned by it.
    #[inline(always)]
    pub fn axes(self) -> [Vec3<R>; 3] {
        [self.rotate(Vec3::axis(0)), self.rotate(Vec3::axis(1)), self.rotate(Vec3::axis(2))]
    }
    /// Of length 1 again.
    #[inline(always)]
    pub fn normalised(self) -> Self {
        let squared = self.vector.dot(self.vector) + self.scalar * self.scalar;
        let inverse = R::from_f64(1.0) / squared.sqrt();
        Self { vector: self.vector * inverse, scalar: self.scalar * inverse }
    }
    /// The vector about whose direction it turns by its length, rad, at most π.
    #[inline(always)]
    pub fn logarithm(self) -> Vec3<R> {
        let (zero, one, two) = (R::from_f64(0.0), R::from_f64(1.0), R::from_f64(2.0));
        let positive = R::select(zero.greater(self.scalar), -one, one);
        let (vector, scalar) = (self.vector * positive, self.scalar * positive);
        let squared = vector.dot(vector);
        let large = squared.greater(R::from_f64(1e-12));
        let sine = R::select(large, squared, one).sqrt();
        // Of the smallest angles 2 v/w: the next term is a third of (v/w)².
        let angle = two * sine.atan2(scalar) / sine;
        vector * R::select(large, angle, two / R::select(large, one, scalar))
    }
}

impl From<[f64; 4]> for Quaternion<f64> {
    fn from([x, y, z, w]: [f64; 4]) -> Self {
        Self { vector: Vec3 { x, y, z }, scalar: w }
    }
}

impl From<Quaternion<f64>> for [f64; 4] {
    fn from(q: Quaternion<f64>) -> Self {
        [q.vector.x, q.vector.y, q.vector.z, q.scalar]
    }
}

/// An orientation: a reference, and the turn from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orientation<R> {
    /// It stays while the turn is small, so that its rounding enters no velocity.
    pub reference: Quaternion<R>,
    /// In axes of the world.
    pub turn: Vec3<R>,
}

impl<R: Real> Orientation<R> {
    /// As one quaternion.
    #[inline(always)]
    pub fn quaternion(self) -> Quaternion<R> {
        Quaternion::of_turn(self.turn).after(self.reference)
    }
    /// The world's axes turned by it.
    #[inline(always)]
    pub fn axes(self) -> [Vec3<R>; 3] {
        let turn = Quaternion::of_turn(self.turn);
        let [a, b, c] = self.reference.axes();
        [turn.rotate(a), turn.rotate(b), turn.rotate(c)]
    }
    /// A vector of the world in its axes.
    #[inline(always)]
    pub fn inside(self, v: Vec3<R>) -> Vec3<R> {
        let v = Quaternion::of_turn(-self.turn).rotate(v);
        self.reference.inverse().rotate(v)
    }
    /// The rotation from it to another, in its axes. What lies between the two turns is small and is worked out first:
    /// so the rounding of references stays the same while they stay.
    #[inline(always)]
    pub fn to(self, other: Self) -> Quaternion<R> {
        let between = compose(-self.turn, other.turn);
        let turned = Quaternion::of_turn(self.reference.inverse().rotate(between));
        turned.after(self.reference.inverse().after(other.reference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orientation(reference: [f64; 4], turn: [f64; 3]) -> Orientation<f64> {
        Orientation { reference: Quaternion::from(reference).normalised(), turn: turn.into() }
    }

    /// Turns compose as their quaternions do; an orientation's axes are those of its quaternion; the rotation from one
    /// to another takes the one to the other.
    #[test]
    fn turns_are_quaternions() {
        let (a, b) = (Vec3::new(0.1, -0.2, 0.05), Vec3::new(-0.3, 0.1, 0.2));
        let product = Quaternion::of_turn(a).after(Quaternion::of_turn(b));
        assert!((compose(a, b) - product.vector).length() < 1e-15);
        let first = orientation([0.3, -0.5, 0.2, 0.7], [0.01, 0.02, -0.03]);
        let second = orientation([-0.6, 0.1, 0.4, 0.2], [0.03, -0.01, 0.02]);
        for (axis, expected) in first.axes().into_iter().zip(first.quaternion().axes()) {
            assert!((axis - expected).length() < 1e-15);
        }
        let reached = first.quaternion().after(first.to(second));
        let [q, p] = [reached, second.quaternion()].map(<[f64; 4]>::from);
        let cosine: f64 = q.iter().zip(p).map(|(a, b)| a * b).sum();
        assert!((cosine.abs() - 1.0).abs() < 1e-14, "{cosine}");
        let v = Vec3::new(0.3, 0.4, -0.8);
        let axes = first.axes();
        let back = first.inside(axes[0] * v.x + axes[1] * v.y + axes[2] * v.z);
        assert!((back - v).length() < 1e-14);
    }

    /// A logarithm is the vector that a rotation was made of: small, large, and beyond half a turn the shorter way.
    #[test]
    fn logarithms_are_vectors() {
        for (angle, expected) in
            [(1e-9, 1e-9), (1e-4, 1e-4), (0.7, 0.7), (3.1, 3.1), (3.3, 3.3 - std::f64::consts::TAU)]
        {
            let axis = Vec3::new(0.6, 0.0, -0.8);
            let (sin, cos) = f64::sin_cos(0.5 * angle);
            let found = Quaternion { vector: axis * sin, scalar: cos }.logarithm();
            assert!((found - axis * expected).length() < 1e-12 * angle.max(1e-3), "{angle}: {found:?}");
        }
    }
}
