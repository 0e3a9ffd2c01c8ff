//! Rotations as unit quaternions x, y, z, w, and collider turns over time.

use super::Vec3;

/// A rotation: x, y, z are its axis times the sine of half its angle, w the cosine.
pub(crate) type Quaternion = [f64; 4];

/// Turns nothing.
pub(crate) const IDENTITY: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Turns a vector.
pub(crate) fn rotate([x, y, z, w]: Quaternion, v: [f64; 3]) -> [f64; 3] {
    let (axis, v) = (Vec3::new(x, y, z), Vec3::from(v));
    let twice = axis.cross(v) * 2.0;
    (v + twice * w + axis.cross(twice)).into()
}

/// The rotation the other way round.
pub(crate) fn inverse([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// First `b`, then `a`.
pub(crate) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let (v, u) = (Vec3::new(a[0], a[1], a[2]), Vec3::new(b[0], b[1], b[2]));
    let vector = u * a[3] + v * b[3] + v.cross(u);
    [vector.x, vector.y, vector.z, a[3] * b[3] - v.dot(u)]
}

/// About the direction of a vector by its length, rad.
pub(crate) fn about(vector: [f64; 3]) -> Quaternion {
    let (axis, angle) = Vec3::from(vector).direction_and_length();
    let (sin, cos) = (0.5 * angle).sin_cos();
    [axis.x * sin, axis.y * sin, axis.z * sin, cos]
}

/// The vector about whose direction a rotation turns by its length, rad, at most π.
pub(crate) fn vector(q: Quaternion) -> [f64; 3] {
    let [x, y, z, w] = if q[3] < 0.0 { q.map(|value| -value) } else { q };
    let (axis, sin) = Vec3::new(x, y, z).direction_and_length();
    (axis * (2.0 * sin.atan2(w))).into()
}

/// The shortest rotation that takes one unit vector to another.
pub(crate) fn between(from: [f64; 3], to: [f64; 3]) -> Quaternion {
    let (a, b) = (Vec3::from(from), Vec3::from(to));
    let w = 1.0 + a.dot(b);
    // Opposite directions: half a turn about any axis across.
    if w < 1e-12 {
        let across = if from[0].abs() < 0.7 { Vec3::axis(0) } else { Vec3::axis(1) };
        let (axis, _) = a.cross(across).direction_and_length();
        return [axis.x, axis.y, axis.z, 0.0];
    }
    let v = a.cross(b);
    normalised([v.x, v.y, v.z, w])
}

/// The rotation that takes axes at right angles, right-handed and of length 1, to others.
pub(crate) fn between_axes(from: [Vec3<f64>; 3], to: [Vec3<f64>; 3]) -> Quaternion {
    let first = between(from[0].into(), to[0].into());
    let (second, target) = (Vec3::from(rotate(first, from[1].into())), to[1]);
    let angle = second.cross(target).dot(to[0]).atan2(second.dot(target));
    product(about((to[0] * angle).into()), first)
}

fn normalised(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

/// How a collider turns about its position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turning {
    /// Steady angular velocity about axes of its own, rad/s.
    pub spin: [f64; 3],
    /// Applied after its rotation as placed, if any.
    pub rotations: Option<Rotations>,
}

/// A rotation that changes with time: spherically linear between keyframes, the shorter way round, held before the
/// first and after the last. At least one keyframe; times ascend.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotations {
    /// (time in s, unit quaternion)
    frames: Vec<(f64, Quaternion)>,
}

impl Rotations {
    /// From `(time in s, quaternion x, y, z, w of any length but 0)`. `None` if there is no keyframe, a time or value
    /// is not finite, a quaternion is zero, or times do not strictly ascend.
    pub fn new(frames: Vec<(f64, [f64; 4])>) -> Option<Self> {
        let fits = |(time, q): &(f64, Quaternion)| {
            time.is_finite() && q.iter().all(|v| v.is_finite()) && q.iter().any(|v| v.abs() > 1e-9)
        };
        let ascending = frames.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (!frames.is_empty() && frames.iter().all(fits) && ascending)
            .then(|| Self { frames: frames.into_iter().map(|(time, q)| (time, normalised(q))).collect() })
    }

    /// The times of its keyframes, s.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        self.frames.iter().map(|(time, _)| *time)
    }

    /// The rotation at a time in s, as a unit quaternion x, y, z, w.
    pub fn at(&self, seconds: f64) -> [f64; 4] {
        let after = self.frames.partition_point(|(time, _)| *time <= seconds);
        if after == 0 {
            return self.frames[0].1;
        }
        let (time0, before) = self.frames[after - 1];
        match self.frames.get(after) {
            None => before,
            Some(&(time1, next)) => {
                let way = vector(product(next, inverse(before)));
                let t = (seconds - time0) / (time1 - time0);
                product(about(way.map(|angle| angle * t)), before)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close<const N: usize>(a: [f64; N], b: [f64; N]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15)
    }

    /// A quarter turn about z takes x to y, and one about x takes y to z: the quaternion is right-handed.
    #[test]
    fn rotates_right_handed() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(close(rotate([0.0, 0.0, half, half], [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(rotate([half, 0.0, 0.0, half], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]));
    }

    /// Products apply the right one first; a rotation's vector is what it was made from; what is between two directions
    /// takes one to the other, also where they are opposite.
    #[test]
    fn products_vectors_and_directions() {
        let (a, b) = (about([0.3, -0.2, 0.9]), about([-1.0, 0.4, 0.1]));
        let v = [0.2, 0.5, -0.7];
        assert!(close(rotate(product(a, b), v), rotate(a, rotate(b, v))));
        assert!(close(rotate(product(a, inverse(a)), v), v));
        assert!(close(vector(a), [0.3, -0.2, 0.9]) && close(vector(a.map(|c| -c)), [0.3, -0.2, 0.9]));
        for to in [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, -0.8], [-0.28, -0.96, 0.0]] {
            assert!(close(rotate(between([0.0, 1.0, 0.0], to), [0.0, 1.0, 0.0]), to), "{to:?}");
        }
    }

    /// Halfway between keyframes it has turned by half the angle, the shorter way; outside it is held.
    #[test]
    fn rotations_interpolate_and_hold() {
        let far = about([0.0, 3.0, 0.0]);
        let rotations = Rotations::new(vec![(1.0, IDENTITY), (3.0, far.map(|c| -2.0 * c))]).unwrap();
        assert_eq!(rotations.at(0.0), IDENTITY);
        assert!(close(vector(rotations.at(2.0)), [0.0, 1.5, 0.0]));
        assert!(close(vector(rotations.at(9.0)), [0.0, 3.0, 0.0]));
        assert_eq!(Rotations::new(vec![]), None);
        assert_eq!(Rotations::new(vec![(0.0, [0.0; 4])]), None);
        assert_eq!(Rotations::new(vec![(1.0, IDENTITY), (1.0, IDENTITY)]), None);
    }
}
