//! Two features, a vertex and a face or two edges, and the axes along which they are apart.
//!
//! With A the first feature, B the second and y their vertices, g(y) = min over A of n·y - max over B of n·y. If g is positive at the beginning
//! and at the end of a straight motion for the same n, A and B are apart all the way: n·y is linear in time for each vertex, so g is concave.

use pliant::constraint::Vec3;
use pliant::math::closest::{between_segments, on_triangle};

type Places = [Vec3<f64>; 4];

/// Vertices of a face, or of an edge beside another's, which are all in one list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pair {
    /// A vertex and the corners of a face.
    VertexFace([u32; 4]),
    /// The ends of an edge and of another.
    EdgeEdge([u32; 4]),
}

impl Pair {
    pub fn vertices(self) -> [usize; 4] {
        let (Self::VertexFace(vertices) | Self::EdgeEdge(vertices)) = self;
        vertices.map(|vertex| vertex as usize)
    }

    /// How many of the four are A's.
    fn of_first(self) -> usize {
        if matches!(self, Self::VertexFace(_)) { 1 } else { 2 }
    }

    /// The weights of the vertices at the two nearest points: A's are positive, B's negative.
    pub fn weights(self, y: &Places) -> [f64; 4] {
        match self {
            Self::VertexFace(_) => {
                let [a, b, c] = on_triangle(y[0], [y[1], y[2], y[3]]);
                [1.0, -a, -b, -c]
            }
            Self::EdgeEdge(_) => {
                let [s, t] = between_segments(y[0], y[1], y[2], y[3]);
                [1.0 - s, s, t - 1.0, -t]
            }
        }
    }

    /// From B's nearest point to A's.
    pub fn between(self, y: &Places) -> Vec3<f64> {
        self.weights(y).iter().zip(y).fold(Vec3::zero(), |sum, (&weight, &place)| sum + place * weight)
    }

    /// g along an axis, m.
    pub fn gap(self, axis: Vec3<f64>, y: &Places) -> f64 {
        let along = y.map(|place| axis.dot(place));
        let (first, second) = along.split_at(self.of_first());
        first.iter().copied().fold(f64::INFINITY, f64::min) - second.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The axes that are tried: of the nearest points as the motion begins and as it ends, their mean, and the normal of the face or of the
    /// two edges.
    pub fn axes(self, begin: &Places, end: &Places) -> [Vec3<f64>; 4] {
        let [first, last] = [begin, end].map(|y| self.between(y).direction_and_length().0);
        let normal = match self {
            Self::VertexFace(_) => (end[2] - end[1]).cross(end[3] - end[1]),
            Self::EdgeEdge(_) => (end[1] - end[0]).cross(end[3] - end[2]),
        };
        let normal = normal.direction_and_length().0;
        let normal = if normal.dot(first) < 0.0 { -normal } else { normal };
        [first, last, (first + last).direction_and_length().0, normal]
    }

    /// The axis that is valid as the motion begins and has the widest gap as it ends, and that gap.
    pub fn widest(self, begin: &Places, end: &Places) -> (Vec3<f64>, f64) {
        let axes = self.axes(begin, end);
        let valid = axes.into_iter().filter(|&axis| self.gap(axis, begin) > 0.0);
        let gaps = valid.map(|axis| (axis, self.gap(axis, end)));
        gaps.fold((axes[0], f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// By how much the pair lacks a certificate, m: what the widest gap is short of `floor`, or of the distance at the beginning if that is
    /// less; at most 0 if the pair has one. And the axis.
    pub fn lack(self, begin: &Places, end: &Places, floor: f64) -> (f64, Vec3<f64>) {
        let (axis, gap) = self.widest(begin, end);
        (self.between(begin).length().min(floor) - gap, axis)
    }
}
