//! Constraints that are the root of an energy, C = √(size 2Ψ/μ): what tetrahedra and triangles of St. Venant-Kirchhoff
//! and of corotated material have in common. With the columns f of F, P = ∂(Ψ/μ)/∂F and r = √(2Ψ/μ), ∂C/∂xᵢ = √size
//! (Σ_k B_ik P_k)/r; none at rest, where there is no direction.

use super::rest_shape::{columns, rows};
use super::{Real, Vec3};
use crate::math::each;
use crate::math::polar::{polar, polar_of_surface};

/// Which energy.
#[derive(Clone, Copy)]
pub(super) enum Law {
    Stvk,
    Corotated,
}

/// A tetrahedron: `rest` is its shape, the root of its volume and ν.
#[inline(always)]
pub(super) fn solid<R: Real>(law: Law, rest: &[R], x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
    let y = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let rows = rows(rest);
    let f = columns(y, rows);
    let b = [[rows[0].x, rows[0].y, rows[0].z], [rows[1].x, rows[1].y, rows[1].z], [rows[2].x, rows[2].y, rows[2].z]];
    let [one, two] = each([1.0, 2.0], R::from_f64);
    let ratio = two * rest[10] / (one - two * rest[10]);
    let (twice, stress) = match law {
        Law::Stvk => stvk(f, ratio),
        Law::Corotated => corotated(f, polar(f), ratio),
    };
    root(twice, rest[9], &b, &stress, gradient)
}

/// A triangle: `rest` is its shape, the root of its area and ν.
#[inline(always)]
pub(super) fn surface<R: Real>(law: Law, rest: &[R], x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
    let y = [x[1] - x[0], x[2] - x[0]];
    let b = [[rest[0], rest[1]], [rest[2], rest[3]]];
    let f = [y[0] * b[0][0] + y[1] * b[1][0], y[0] * b[0][1] + y[1] * b[1][1]];
    let ratio = R::from_f64(2.0) * rest[5] / (R::from_f64(1.0) - rest[5]);
    let (twice, stress) = match law {
        Law::Stvk => stvk(f, ratio),
        Law::Corotated => corotated(f, polar_of_surface(f), ratio),
    };
    root(twice, rest[4], &b, &stress, gradient)
}

/// 2Ψ/μ = 2 E:E + λ/μ (tr E)² and P = F (2E + λ/μ tr E).
#[inline(always)]
fn stvk<R: Real, const N: usize>(f: [Vec3<R>; N], ratio: R) -> (R, [Vec3<R>; N]) {
    let [zero, one, half, two] = each([0.0, 1.0, 0.5, 2.0], R::from_f64);
    let (mut trace, mut square) = (zero, zero);
    let mut stress = [Vec3::zero(); N];
    for column in f {
        trace = trace + (column.dot(column) - one) * half;
    }
    for j in 0..N {
        stress[j] = f[j] * (ratio * trace);
        for i in 0..N {
            let strain = (f[i].dot(f[j]) - if i == j { one } else { zero }) * half;
            square = square + strain * strain;
            stress[j] += f[i] * (two * strain);
        }
    }
    (two * square + ratio * trace * trace, stress)
}

/// 2Ψ/μ = 2 |F - R|² + λ/μ (tr RᵀF - N)² and P = 2 (F - R) + λ/μ (tr RᵀF - N) R.
#[inline(always)]
fn corotated<R: Real, const N: usize>(f: [Vec3<R>; N], r: [Vec3<R>; N], ratio: R) -> (R, [Vec3<R>; N]) {
    let [zero, two] = each([0.0, 2.0], R::from_f64);
    let mut stretch = f;
    let (mut trace, mut square) = (zero, zero);
    // tr RᵀF - N = tr Rᵀ(F - R), without cancellation.
    for k in 0..N {
        stretch[k] = f[k] - r[k];
        trace = trace + r[k].dot(stretch[k]);
        square = square + stretch[k].dot(stretch[k]);
    }
    let mut stress = stretch;
    for k in 0..N {
        stress[k] = stretch[k] * two + r[k] * (ratio * trace);
    }
    (two * square + ratio * trace * trace, stress)
}

/// C and its gradient.
#[inline(always)]
fn root<R: Real, const N: usize>(
    twice: R,
    root_size: R,
    b: &[[R; N]; N],
    stress: &[Vec3<R>; N],
    gradient: &mut [Vec3<R>],
) -> R {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let strained = twice.greater(zero);
    let root = R::select(strained, twice, one).sqrt();
    let scale = R::select(strained, root_size / root, zero);
    gradient[0] = Vec3::zero();
    for i in 0..N {
        let mut sum = Vec3::zero();
        for k in 0..N {
            sum += stress[k] * b[i][k];
        }
        gradient[i + 1] = sum * scale;
        gradient[0] = gradient[0] - gradient[i + 1];
    }
    R::select(strained, root_size * root, zero)
}
