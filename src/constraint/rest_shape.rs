//! The rest shape of an element in a record: the inverse B of its edges at rest, by which the deformation gradient of a
//! tetrahedron is F = [x₁ - x₀, x₂ - x₀, x₃ - x₀] B, and of a triangle F = [x₁ - x₀, x₂ - x₀] B with two columns, along
//! warp and weft.

use super::{NeoHookean, Real, RestValue, Vec3};

/// An element of B.
pub(super) const fn inverse(name: &'static str) -> RestValue {
    RestValue { name, unit: "1/m", signed: true }
}

/// What kinds of isotropic tetrahedra have at rest: B, the root of the volume, and Poisson's ratio.
pub(super) const ISOTROPIC_TETRAHEDRON: &[RestValue] = &[
    inverse("inverse00"),
    inverse("inverse01"),
    inverse("inverse02"),
    inverse("inverse10"),
    inverse("inverse11"),
    inverse("inverse12"),
    inverse("inverse20"),
    inverse("inverse21"),
    inverse("inverse22"),
    RestValue { name: "root_volume", unit: "m^1.5", signed: false },
    RestValue { name: "poisson_ratio", unit: "1", signed: false },
];

/// The same of triangles.
pub(super) const ISOTROPIC_TRIANGLE: &[RestValue] = &[
    inverse("inverse00"),
    inverse("inverse01"),
    inverse("inverse10"),
    inverse("inverse11"),
    RestValue { name: "root_area", unit: "m", signed: false },
    RestValue { name: "poisson_ratio", unit: "1", signed: false },
];

/// The values of [`ISOTROPIC_TETRAHEDRON`]. A flat one has no inverse and no volume, and does nothing.
pub(super) fn isotropic_tetrahedron(x: &[Vec3<f64>]) -> Vec<f64> {
    let mut rest = of_tetrahedron(x);
    rest.push(NeoHookean::DEFAULT_POISSON_RATIO);
    rest
}

/// The values of [`ISOTROPIC_TRIANGLE`]. One without area has no inverse, and does nothing.
pub(super) fn isotropic_triangle(x: &[Vec3<f64>]) -> Vec<f64> {
    let mut rest = of_triangle(x, x[1] - x[0]);
    rest.push(NeoHookean::DEFAULT_POISSON_RATIO);
    rest
}

/// The nine elements of B of a tetrahedron, row by row, and the square root of its volume. A flat one has no inverse
/// and no volume.
pub(super) fn of_tetrahedron(x: &[Vec3<f64>]) -> Vec<f64> {
    let (a, b, c) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let six_volumes = a.cross(b).dot(c);
    let scale = if six_volumes == 0.0 { 0.0 } else { 1.0 / six_volumes };
    let rows = [b.cross(c), c.cross(a), a.cross(b)];
    let mut rest: Vec<f64> = rows.into_iter().flat_map(|row| <[f64; 3]>::from(row * scale)).collect();
    rest.push((six_volumes.abs() / 6.0).sqrt());
    rest
}

/// The four elements of B of a triangle, row by row, and the square root of its area. The warp lies along `warp`, laid
/// onto the triangle; the weft is a quarter turn on from it, counter-clockwise where the corners are. A triangle
/// without area has no inverse.
pub(super) fn of_triangle(x: &[Vec3<f64>], warp: Vec3<f64>) -> Vec<f64> {
    let (a, b) = (x[1] - x[0], x[2] - x[0]);
    let (normal, doubled_area) = a.cross(b).direction_and_length();
    if doubled_area == 0.0 {
        return vec![0.0; 5];
    }
    let laid = |along: Vec3<f64>| (along - normal * normal.dot(along)).direction_and_length();
    let warp = match laid(warp) {
        (direction, length) if length > 0.0 => direction,
        _ => a.direction_and_length().0,
    };
    let weft = normal.cross(warp);
    let inverse = [b.dot(weft), -b.dot(warp), -a.dot(weft), a.dot(warp)].map(|value| value / doubled_area);
    let mut rest = inverse.to_vec();
    rest.push((0.5 * doubled_area).sqrt());
    rest
}

/// The rows of B of a tetrahedron.
#[inline(always)]
pub(super) fn rows<R: Real>(rest: &[R]) -> [Vec3<R>; 3] {
    [Vec3::new(rest[0], rest[1], rest[2]), Vec3::new(rest[3], rest[4], rest[5]), Vec3::new(rest[6], rest[7], rest[8])]
}

/// The columns of F of a tetrahedron, by its edges and the rows of B.
#[inline(always)]
pub(super) fn columns<R: Real>(y: [Vec3<R>; 3], b: [Vec3<R>; 3]) -> [Vec3<R>; 3] {
    [
        y[0] * b[0].x + y[1] * b[1].x + y[2] * b[2].x,
        y[0] * b[0].y + y[1] * b[1].y + y[2] * b[2].y,
        y[0] * b[0].z + y[1] * b[1].z + y[2] * b[2].z,
    ]
}
