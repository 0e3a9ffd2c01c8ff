//! Rest shapes that change: blend shapes, and plastic flow.
//!
//! The rest place of a particle is q = F (p + Σ wᵢ dᵢ): p its place as built from the mean by weight, dᵢ its way to
//! blend shape i, wᵢ how much of that there is, and F what has flowed, with det F = 1. How a shape is strained is told
//! by the linear map that takes its rest places nearest to its particles, A = (Σ m x qᵀ) (Σ m q qᵀ)⁻¹, without its
//! rotation R: E is RᵀA plus its transpose, halved, less 1. What of E lies beyond the yield point flows (Müller,
//! Heidelberger, Teschner and Gross, Meshless Deformations Based on Shape Matching, 2005):
//!
//! ```text
//! F ← (1 + s (1 - limit/‖E‖) E) F,  over the cube root of its determinant
//! ```

use crate::math::Vec3;
use crate::math::polar::polar;

use super::shape_matching::OF_MEMBER;

/// F, by columns.
pub(crate) type Flow = [Vec3<f64>; 3];

/// F of what has not flowed.
pub(crate) const UNFLOWED: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// In directions in which a shape has no extent it has no strain: so much of its extent it is given in each.
const LEAST_EXTENT: f64 = 1e-4;
/// ‖F - 1‖ beyond which nothing flows on.
const MOST_FLOW: f64 = 2.0;

/// E of a shape with Σ m x qᵀ and Σ m q qᵀ, both by columns.
fn strain(moments: [Vec3<f64>; 3], extent: [Vec3<f64>; 3]) -> [Vec3<f64>; 3] {
    let rotation = polar(moments);
    let least = LEAST_EXTENT * (0..3).map(|k| extent[k].dot(Vec3::axis(k))).sum::<f64>();
    let extent: [Vec3<f64>; 3] = std::array::from_fn(|k| extent[k] + Vec3::axis(k) * least);
    let [a, b, c] = extent;
    let rows = [b.cross(c), c.cross(a), a.cross(b)];
    let volume = a.dot(rows[0]);
    if volume <= 0.0 {
        return [Vec3::zero(); 3];
    }
    // Without its rotation; the inverse is symmetric.
    let turned_back = |k: usize| {
        let moment = moments[k] + rotation[k] * least;
        Vec3::new(rotation[0].dot(moment), rotation[1].dot(moment), rotation[2].dot(moment))
    };
    let moments = [turned_back(0), turned_back(1), turned_back(2)];
    let stretch: [[f64; 3]; 3] = std::array::from_fn(|k| {
        let column = rows[k] * (1.0 / volume);
        (moments[0] * column.x + moments[1] * column.y + moments[2] * column.z).into()
    });
    let symmetric = |i: usize, j: usize| 0.5 * (stretch[i][j] + stretch[j][i]) - if i == j { 1.0 } else { 0.0 };
    std::array::from_fn(|k| Vec3::new(symmetric(k, 0), symmetric(k, 1), symmetric(k, 2)))
}

/// F after a substep with the strain E, of which beyond `limit` this share flows.
pub(crate) fn flowed(flow: Flow, strain: [Vec3<f64>; 3], limit: f64, share: f64) -> Flow {
    let size = |m: [Vec3<f64>; 3]| m.iter().map(|column| column.dot(*column)).sum::<f64>().sqrt();
    let strained = size(strain);
    if strained <= limit || share == 0.0 {
        return flow;
    }
    let excess = share * (1.0 - limit / strained);
    let [a, b, c] =
        flow.map(|column| column + (strain[0] * column.x + strain[1] * column.y + strain[2] * column.z) * excess);
    let volume = a.dot(b.cross(c));
    if volume <= 0.0 {
        return flow;
    }
    let next = [a, b, c].map(|column| column * (1.0 / volume.cbrt()));
    let way = size(std::array::from_fn(|k| next[k] - Vec3::axis(k)));
    if way > MOST_FLOW { flow } else { next }
}

/// The particles of a shape, about their mean by weight.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    /// Places as built, m, and shares of the weight.
    pub places: Vec<(Vec3<f64>, f64)>,
    /// To each blend shape, m.
    pub ways: Vec<Vec<Vec3<f64>>>,
}

impl Members {
    /// `rest`: x, y, z and weight of each; of ways one list for each blend shape.
    pub fn new<'a>(rest: &[f64], ways: impl Iterator<Item = &'a [[f64; 3]]>) -> Self {
        let rest: &[[f64; OF_MEMBER]] = rest.as_chunks().0;
        let whole: f64 = rest.iter().map(|[.., weight]| weight).sum();
        let shares: Vec<f64> = rest.iter().map(|[.., weight]| weight / whole).collect();
        let centred = |places: Vec<Vec3<f64>>| {
            let mean = places.iter().zip(&shares).fold(Vec3::zero(), |sum, (&place, &share)| sum + place * share);
            places.into_iter().map(|place| place - mean).collect::<Vec<_>>()
        };
        let ways = ways.map(|ways| centred(ways.iter().map(|&way| way.into()).collect())).collect();
        let places = centred(rest.iter().map(|&[x, y, z, _]| Vec3::new(x, y, z)).collect());
        Self { places: places.into_iter().zip(shares).collect(), ways }
    }

    /// Their rest places with so much of each blend shape, m.
    pub fn rest(&self, shares: &[f64], flow: Flow) -> Vec<Vec3<f64>> {
        let blended = |(k, &(place, _)): (usize, &(Vec3<f64>, f64))| {
            let q = self.ways.iter().zip(shares).fold(place, |sum, (ways, &share)| sum + ways[k] * share);
            flow[0] * q.x + flow[1] * q.y + flow[2] * q.z
        };
        self.places.iter().enumerate().map(blended).collect()
    }

    /// E, with the particles at `x` and these rest places.
    pub fn strain(&self, rest: &[Vec3<f64>], x: impl Fn(usize) -> Vec3<f64>) -> [Vec3<f64>; 3] {
        let (mut moments, mut extent) = ([Vec3::zero(); 3], [Vec3::zero(); 3]);
        let origin = x(0);
        for (k, (&q, &(_, share))) in rest.iter().zip(&self.places).enumerate() {
            let way = (x(k) - origin) * share;
            for (axis, along) in <[f64; 3]>::from(q).into_iter().enumerate() {
                moments[axis] += way * along;
                extent[axis] += q * (along * share);
            }
        }
        strain(moments, extent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::turn::Quaternion;

    fn cube() -> Vec<f64> {
        (0..8).flat_map(|k| [f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2), 1.0 + f64::from(k)]).collect()
    }

    /// A shape that is stretched along two axes, sheared and turned has the strain that it was given, wherever it is.
    #[test]
    fn strain_is_what_is_not_turned() {
        let members = Members::new(&cube(), std::iter::empty());
        let rest = members.rest(&[], UNFLOWED.map(Vec3::from));
        let given = [[1.2, 0.1, 0.0], [0.1, 0.9, 0.05], [0.0, 0.05, 1.0]].map(Vec3::from);
        let turn = Quaternion::of_turn(Vec3::new(0.2, -0.4, 0.3));
        let x = |k: usize| {
            let q = rest[k];
            turn.rotate(given[0] * q.x + given[1] * q.y + given[2] * q.z) + Vec3::new(5.0, -3.0, 2.0)
        };
        // Rotations of A and of A Q are alike where Q is nearly the same in all directions.
        let found = members.strain(&rest, x);
        for k in 0..3 {
            let off = found[k] + Vec3::axis(k) - given[k];
            assert!(off.length() < 0.01, "{found:?}");
        }
        let unstrained = members.strain(&rest, |k| turn.rotate(rest[k]));
        assert!(unstrained.iter().all(|column| column.length() < 1e-12), "{unstrained:?}");
    }

    /// A flat shape is not strained across itself.
    #[test]
    fn flat_shapes_are_not_strained_across() {
        let flat: Vec<f64> = cube().chunks_exact(4).take(4).flatten().copied().collect();
        let members = Members::new(&flat, std::iter::empty());
        let rest = members.rest(&[], UNFLOWED.map(Vec3::from));
        let found = members.strain(&rest, |k| Vec3::new(1.1 * rest[k].x, rest[k].y, 0.0));
        assert!((found[0].x - 0.1).abs() < 1e-3 && found[2].length() < 1e-9, "{found:?}");
    }

    /// What is held at a strain flows until what is left of it is the limit, and keeps its volume.
    #[test]
    fn flow_ends_at_the_limit() {
        let members = Members::new(&cube(), std::iter::empty());
        let placed = members.rest(&[], UNFLOWED.map(Vec3::from));
        let stretch = Vec3::new(1.3, 1.0 / 1.3_f64.sqrt(), 1.0 / 1.3_f64.sqrt());
        let x = |k: usize| Vec3::new(placed[k].x * stretch.x, placed[k].y * stretch.y, placed[k].z * stretch.z);
        let (mut flow, limit) = (UNFLOWED.map(Vec3::from), 0.05);
        for _ in 0..400 {
            let rest = members.rest(&[], flow);
            flow = flowed(flow, members.strain(&rest, x), limit, 0.1);
        }
        let left = members.strain(&members.rest(&[], flow), x);
        let size = left.iter().map(|column| column.dot(*column)).sum::<f64>().sqrt();
        assert!((size - limit).abs() < 1e-4, "{size}");
        assert!((flow[0].dot(flow[1].cross(flow[2])) - 1.0).abs() < 1e-12, "{flow:?}");
        assert_eq!(flowed(flow, left, 0.051, 1.0), flow);
    }
}
