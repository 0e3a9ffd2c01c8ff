//! The mass, centre and inertia that a file gives a link.

use super::geometry::cuboid;
use super::urdf::{Link, Weight};
use super::xml::{Result, Source};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::mesh::moments::Moments;
use crate::scene::Inertial;

/// Files round: inertias that are off those of a flat plate by this share are its.
const ROUNDED: f64 = 1e-6;
/// A mass spreads by at least this share of its whole spread along each axis. A plate without thickness would leave no
/// room for particles beside it.
const THINNEST: f64 = 1e-5;
/// Below this share of its mass on its surface, what touches a body moves it late.
const LIGHT: f64 = 0.01;

/// The moments of a link in its frame. What has no thickness gets some, and a note.
pub(super) fn moments(source: &Source, link: &Link, weight: &Weight, notes: &mut Vec<String>) -> Result<Moments> {
    let [xx, yy, zz, xy, xz, yz] = weight.inertia;
    let turned = |m: [[f64; 3]; 3]| m.map(|row| weight.origin.turn(row));
    let half = turned([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
    let transposed = std::array::from_fn(|i| std::array::from_fn(|j| half[j][i]));
    let moments = Moments::of_inertia(weight.mass, weight.origin.position.into(), &turned(transposed));
    let (along, axes) = moments.principal();
    let trace: f64 = along.iter().sum();
    let off = |along: f64| along < -ROUNDED * trace || trace - along <= 0.0;
    if let Some(fault) = moments.fault().filter(|_| along.into_iter().any(off)) {
        return Err(source.error(weight.byte, format!("link '{}': its <inertia> {fault}", link.name)));
    }
    if along.into_iter().all(|along| along >= THINNEST * trace) {
        return Ok(moments);
    }
    notes.push(format!("link '{}': its <inertia> is that of a plate without thickness, and it gets some", link.name));
    let mut spread = [[0.0; 3]; 3];
    for (along, axis) in along.into_iter().zip(axes) {
        let along = along.max(THINNEST * trace);
        (0..3).for_each(|i| (0..3).for_each(|j| spread[i][j] += along * axis[i] * axis[j]));
    }
    Ok(Moments { spread, ..moments })
}

/// As a rigid body takes it: M (tr S - S).
pub(super) fn inertial(moments: &Moments) -> Inertial {
    let s = &moments.spread;
    let trace = s[0][0] + s[1][1] + s[2][2];
    let [xx, yy, zz] = [0, 1, 2].map(|i| moments.whole * (trace - s[i][i]));
    let [xy, xz, yz] = [[0, 1], [0, 2], [1, 2]].map(|[i, j]| -moments.whole * s[i][j]);
    Inertial { mass: moments.whole, centre: moments.centre.into(), inertia: [xx, yy, zz, xy, xz, yz] }
}

/// A box of these moments, for a link without a shape: along a principal axis its edge is √(12 S).
pub(super) fn equal_box(moments: &Moments) -> TriangleMesh {
    let (along, [x, y, _]) = moments.principal();
    let [x, y] = [Vec3::from(x), Vec3::from(y)];
    let mut mesh = cuboid(along.map(|along| (12.0 * along).sqrt()));
    let z = x.cross(y);
    let place = |[a, b, c]: [f64; 3]| (moments.centre + x * a + y * b + z * c).into();
    mesh.positions.iter_mut().for_each(|position| *position = place(*position));
    mesh
}

/// Notes a link whose inertia leaves its surface next to no mass.
pub(super) fn note_light_surface(link: &Link, moments: &Moments, surface: &TriangleMesh, notes: &mut Vec<String>) {
    let shell = Moments::of_points(&surface.positions, &surface.vertex_areas());
    if moments.ballast(&shell).is_some_and(|(share, _)| share < LIGHT) {
        notes.push(format!(
            "link '{}': its <inertia> is far smaller than its shape's, so what touches it moves it late; correct the \
             inertia if it touches anything",
            link.name
        ));
    }
}
