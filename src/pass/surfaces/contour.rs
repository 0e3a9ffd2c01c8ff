//! Which way an edge that pierces a face is moved against it, so that the curve along which the two surfaces meet grows
//! shorter. Volino and Magnenat-Thalmann, Resolving Surface Collisions through Intersection Contour Minimization, 2006.
//!
//! With E the direction of the edge, N the normal of the face and Rᵢ the direction in which the curve goes on from the
//! edge in the i-th face at it, moving the edge by D moves the point in which it pierces by D - (D·N)/(E·N) E, and the
//! curve grows shorter by D·G with
//!   G = Σ Rᵢ - (E·Rᵢ)/(E·N) N.

use crate::math::Vec3;
use crate::math::closest::on_triangle;

/// An edge whose line is nearer to the plane of the face than this is not taken for one that passes through it.
const LEAST_SLOPE: f64 = 0.05;

/// An edge and a face that have a point in common.
pub struct Piercing {
    pub edge: [Vec3<f64>; 2],
    pub face: [Vec3<f64>; 3],
}

fn unit(v: Vec3<f64>) -> Vec3<f64> {
    v.direction_and_length().0
}

impl Piercing {
    /// The unit normal of the face.
    pub fn normal(&self) -> Vec3<f64> {
        let [a, b, c] = self.face;
        unit((b - a).cross(c - a))
    }

    /// How far over the plane of the face the ends of the edge are, m.
    fn heights(&self) -> [f64; 2] {
        let normal = self.normal();
        self.edge.map(|end| normal.dot(end - self.face[0]))
    }

    /// The side of the face on which the edge lies that only touches it: 1, -1, or 0 where it lies in its plane; `None`
    /// if the edge passes through. Within this share of its length it touches.
    pub fn side(&self, share: f64) -> Option<f64> {
        let rounding = share * (self.edge[1] - self.edge[0]).length();
        let [low, high] = self.heights().map(|height| if height.abs() > rounding { height } else { 0.0 });
        (low * high >= 0.0).then(|| if low + high == 0.0 { 0.0 } else { (low + high).signum() })
    }

    /// On which side of the face an end of the edge is: 1 or -1.
    pub fn side_of(&self, end: usize) -> f64 {
        self.heights()[end].signum()
    }

    /// The shares of the ends of the edge, and less those of the corners of the face, where it pierces.
    pub fn weights(&self) -> [f64; 5] {
        let [p, q] = self.edge;
        let [below, above] = self.heights();
        let share = below / (below - above);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        // Of a vertex, which is an edge without length, one end has all of it.
        let share = if p == q { 0.0 } else { share };
        let [a, b, c] = on_triangle(p + (q - p) * share, self.face);
        [1.0 - share, share, -a, -b, -c]
    }

    /// The mean unit normal of the faces at the edge, by their third corners and by whether they run along it, 1, or
    /// back, -1.
    pub fn normal_at_edge(&self, faces: impl Iterator<Item = (Vec3<f64>, f64)>) -> Vec3<f64> {
        let [p, q] = self.edge;
        unit(faces.fold(Vec3::zero(), |sum, (corner, sense)| sum + unit((q - p).cross(corner - p)) * sense))
    }

    /// G, by the third corners of the faces at the edge.
    pub fn shortening(&self, corners: impl Iterator<Item = Vec3<f64>>) -> Vec3<f64> {
        let [p, q] = self.edge;
        let (along, normal) = (unit(q - p), self.normal());
        let slope = along.dot(normal);
        let slope = slope.abs().max(LEAST_SLOPE).copysign(slope);
        corners.fold(Vec3::zero(), |sum, corner| {
            let inwards = (corner - p) - along * along.dot(corner - p);
            let curve = unit(normal.cross(inwards.cross(along)));
            let curve = if curve.dot(inwards) < 0.0 { -curve } else { curve };
            sum + curve - normal * (along.dot(curve) / slope)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64, z: f64) -> Vec3<f64> {
        Vec3::new(x, y, z)
    }

    /// G is what a small way of the edge changes of the length of the curve, by differences: of a face at an edge that
    /// pierces a large one, whose other end of the curve stays.
    #[test]
    fn the_curve_grows_shorter_by_the_gradient() {
        let face = [at(-9.0, 0.2, -9.0), at(9.0, -0.1, -9.0), at(0.5, 0.3, 9.0)];
        let (edge, corner) = ([at(0.1, -1.0, 0.2), at(0.4, 1.2, -0.1)], at(1.5, 0.1, 0.4));
        let piercing = Piercing { edge, face };
        let gradient = piercing.shortening([corner].into_iter());
        let place = |by: Vec3<f64>| {
            let moved = Piercing { edge: edge.map(|end| end + by), face };
            let [low, high, ..] = moved.weights();
            moved.edge[0] * low + moved.edge[1] * high
        };
        let here = place(Vec3::zero());
        // Where the side from the second end to the corner pierces.
        let far = {
            let side = Piercing { edge: [edge[1], corner], face };
            let [low, high, ..] = side.weights();
            edge[1] * low + corner * high
        };
        for way in [at(1e-6, 0.0, 0.0), at(0.0, 1e-6, 0.0), at(0.0, 0.0, 1e-6)] {
            let grown = (place(way) - far).length() - (here - far).length();
            assert!((grown + gradient.dot(way)).abs() < 1e-11, "{grown}, {}", -gradient.dot(way));
        }
    }

    /// An edge with an end in the plane of a face lies on the side of the other end; one that passes lies on none.
    #[test]
    fn touching_is_told_from_piercing() {
        let face = [at(0.0, 0.0, 0.0), at(0.0, 0.0, 1.0), at(1.0, 0.0, 0.0)];
        let side = |low: f64, high: f64| Piercing { edge: [at(0.1, low, 0.1), at(0.2, high, 0.2)], face }.side(1e-9);
        assert_eq!([side(0.0, 1.0), side(-1.0, 1e-12), side(0.0, 0.0)], [Some(1.0), Some(-1.0), Some(0.0)]);
        assert_eq!(side(-1.0, 1.0), None);
    }
}
