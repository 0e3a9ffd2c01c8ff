//! The rotation next to a deformation, the factor R of F = R S with S symmetric.
//!
//! Of a tetrahedron the rotation with the largest tr RᵀF: its quaternion is the eigenvector of a symmetric 4 × 4 matrix
//! K with the largest eigenvalue (Horn, Closed-form Solution of Absolute Orientation Using Unit Quaternions, 1987),
//! found by Jacobi's rotations. That is a rotation for any F, inside out, flat or nothing too. The number of sweeps is
//! fixed: the last of them change nothing in double precision.

use super::{Real, Vec3, each};

/// Each halves the digits that are wrong, once the first few have made K nearly diagonal.
const SWEEPS: usize = 6;
/// What lies this share of its length beside a line lies on it.
const FLAT: f64 = 4e-6;
const PAIRS: [[usize; 2]; 6] = [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]];

/// The columns of the rotation next to three columns.
#[inline(always)]
pub fn polar<R: Real>(f: [Vec3<R>; 3]) -> [Vec3<R>; 3] {
    let [x, y, z] = f;
    let mut k = [
        [x.x + y.y + z.z, y.z - z.y, z.x - x.z, x.y - y.x],
        [y.z - z.y, x.x - y.y - z.z, x.y + y.x, z.x + x.z],
        [z.x - x.z, x.y + y.x, y.y - x.x - z.z, y.z + z.y],
        [x.y - y.x, z.x + x.z, y.z + z.y, z.z - x.x - y.y],
    ];
    let [zero, one] = each([0.0, 1.0], R::from_f64);
    let mut vectors =
        [[one, zero, zero, zero], [zero, one, zero, zero], [zero, zero, one, zero], [zero, zero, zero, one]];
    for turn in 0..SWEEPS * PAIRS.len() {
        let [p, q] = PAIRS[turn % PAIRS.len()];
        let (c, s) = diagonalising(k[p][p], k[q][q], k[p][q]);
        for row in &mut k {
            (row[p], row[q]) = turned(c, s, row[p], row[q]);
        }
        for i in 0..4 {
            (k[p][i], k[q][i]) = turned(c, s, k[p][i], k[q][i]);
            (vectors[p][i], vectors[q][i]) = turned(c, s, vectors[p][i], vectors[q][i]);
        }
    }
    let (mut largest, mut quaternion) = (k[0][0], vectors[0]);
    for i in 1..4 {
        let larger = k[i][i].greater(largest);
        largest = R::select(larger, k[i][i], largest);
        for j in 0..4 {
            quaternion[j] = R::select(larger, vectors[i][j], quaternion[j]);
        }
    }
    rotation(quaternion)
}

/// Two numbers turned by an angle of this cosine and sine.
#[inline(always)]
fn turned<R: Real>(cosine: R, sine: R, a: R, b: R) -> (R, R) {
    (cosine * a - sine * b, sine * a + cosine * b)
}

/// One of two vectors.
#[inline(always)]
fn some<R: Real>(there: R::Mask, v: Vec3<R>, or: Vec3<R>) -> Vec3<R> {
    Vec3::new(R::select(there, v.x, or.x), R::select(there, v.y, or.y), R::select(there, v.z, or.z))
}

/// Cosine and sine of the rotation that makes [[a, h], [h, b]] diagonal, the smaller of the two.
#[inline(always)]
fn diagonalising<R: Real>(a: R, b: R, h: R) -> (R, R) {
    let [zero, one, two] = each([0.0, 1.0, 2.0], R::from_f64);
    let (difference, twice) = (b - a, two * h);
    let squared = difference * difference + twice * twice;
    let coupled = squared.greater(zero);
    let hypotenuse = R::select(coupled, squared, one).sqrt();
    let below = R::select(coupled, R::select(difference.greater(zero), difference, -difference) + hypotenuse, one);
    let sign = R::select(zero.greater(difference), -one, one);
    let tangent = R::select(coupled, sign * twice / below, zero);
    let cosine = one / (one + tangent * tangent).sqrt();
    (cosine, tangent * cosine)
}

/// The columns of the rotation by a quaternion w, x, y, z, of any length but 0.
#[inline(always)]
fn rotation<R: Real>([w, x, y, z]: [R; 4]) -> [Vec3<R>; 3] {
    let (one, two) = (R::from_f64(1.0), R::from_f64(2.0));
    let s = two / (w * w + x * x + y * y + z * z);
    [
        Vec3::new(one - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
        Vec3::new(s * (x * y - w * z), one - s * (x * x + z * z), s * (y * z + w * x)),
        Vec3::new(s * (x * z + w * y), s * (y * z - w * x), one - s * (x * x + y * y)),
    ]
}

/// The two columns of the rotation next to two columns: with e₀ along f₀ and e₁ beside it in their plane, F = [e₀ e₁]
/// [[a, b], [0, d]], d not below zero, and R turns e₀ and e₁ by the angle with the cosine (a + d)/l and the sine -b/l.
#[inline(always)]
pub(crate) fn polar_of_surface<R: Real>(f: [Vec3<R>; 2]) -> [Vec3<R>; 2] {
    let [zero, one] = each([0.0, 1.0], R::from_f64);
    let (along, a) = f[0].direction_and_length();
    let e0 = some(a.greater(zero), along, Vec3::axis(0));
    let b = e0.dot(f[1]);
    let (beside, d) = (f[1] - e0 * b).direction_and_length();
    // Where there is no plane but by rounding in single precision any direction across e₀ will do.
    let length = a + R::select(b.greater(zero), b, -b);
    let plane = d.greater(length * R::from_f64(FLAT));
    let steep = (e0.x * e0.x).greater(R::from_f64(0.5));
    let (across, _) = e0.cross(some(steep, Vec3::axis(1), Vec3::axis(0))).direction_and_length();
    let e1 = some(plane, beside, across);
    let squared = (a + d) * (a + d) + b * b;
    let there = squared.greater(zero);
    let length = R::select(there, squared, one).sqrt();
    let (cosine, sine) = (R::select(there, (a + d) / length, one), R::select(there, -b / length, zero));
    [e0 * cosine + e1 * sine, e1 * cosine - e0 * sine]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rotation next to a stretched, sheared and turned frame is orthogonal, and leaves a symmetric stretch; inside
    /// out and flat too.
    #[test]
    fn leaves_a_symmetric_stretch() {
        let columns = [[1.3, 0.4, -0.2], [-0.9, 0.3, 0.7], [0.2, -1.1, 0.5]].map(Vec3::from);
        for scale in [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 0.0], [-1.0, -1.0, -1.0], [1e-8, 1e-8, 1e-8]] {
            let f = std::array::from_fn(|k| columns[k] * scale[k]);
            let r = polar(f);
            for i in 0..3 {
                for j in 0..3 {
                    let unit = if i == j { 1.0 } else { 0.0 };
                    assert!((r[i].dot(r[j]) - unit).abs() < 1e-14, "{scale:?}");
                    let size = f[j].length() + f[i].length();
                    assert!((r[i].dot(f[j]) - r[j].dot(f[i])).abs() <= 1e-14 * size, "{scale:?}");
                }
            }
            assert!((r[0].cross(r[1]).dot(r[2]) - 1.0).abs() < 1e-14, "{scale:?} is no rotation");
        }
        let r = polar_of_surface([columns[0], columns[1]]);
        assert!((r[0].dot(columns[1]) - r[1].dot(columns[0])).abs() < 1e-14 && r[0].dot(r[1]).abs() < 1e-14);
    }
}
