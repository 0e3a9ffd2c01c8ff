//! Colliders that are drawn as triangles: round where their surface is, sharp at its edges.

use std::f64::consts::{FRAC_PI_2, TAU};

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DVec3};

use crate::mesh::TriangleMesh;

/// Triangles that meet at less than this angle, rad, are one round surface: 40°.
const CREASE: f64 = 0.7;
/// Around a cylinder or a capsule.
const SEGMENTS: u32 = 64;

/// A corner of a triangle, in the frame of its shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Corner {
    /// m
    position: [f32; 3],
    normal: [f32; 3],
}

/// Where a shape is at a moment.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Placed {
    /// Rows of the matrix from its frame to the frame's.
    rows: [[f32; 4]; 3],
    style: u32,
}

impl Placed {
    /// `position` is relative to the frame's origin.
    pub fn new(rotation: DMat3, position: DVec3, style: u32) -> Self {
        let row = |i: usize| {
            let row = rotation.row(i);
            [row.x, row.y, row.z, position[i]].map(|value| value as f32)
        };
        Self { rows: [0, 1, 2].map(row), style }
    }
}

/// Three corners for each triangle. A corner's normal is the mean of those of the triangles around it, by their angles there, that are not
/// across a crease.
pub(super) fn corners(mesh: &TriangleMesh) -> Vec<Corner> {
    let at = |vertex: u32| DVec3::from(mesh.positions[vertex as usize]);
    let faces: Vec<DVec3> = mesh
        .triangles
        .iter()
        .map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).normalize_or_zero())
        .collect();
    let mut around = vec![Vec::new(); mesh.positions.len()];
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let [vertex, next, last] = [0, 1, 2].map(|step| triangle[(k + step) % 3]);
            let angle = (at(next) - at(vertex)).angle_between(at(last) - at(vertex));
            around[vertex as usize].push((face, if angle.is_finite() { angle } else { 0.0 }));
        }
    }
    let least = CREASE.cos();
    let corner = |face: usize, vertex: u32| {
        let smooth = around[vertex as usize].iter().filter(|(other, _)| faces[*other].dot(faces[face]) > least);
        let normal = smooth.map(|&(other, angle)| faces[other] * angle).sum::<DVec3>().normalize_or(faces[face]);
        Corner { position: at(vertex).as_vec3().into(), normal: normal.as_vec3().into() }
    };
    let triangles = mesh.triangles.iter().enumerate();
    triangles.flat_map(|(face, triangle)| triangle.map(|vertex| corner(face, vertex))).collect()
}

/// About y, closed by its ends.
pub(super) fn cylinder(radius: f64, length: f64) -> TriangleMesh {
    let half = 0.5 * length;
    revolved(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]])
}

/// About y; the length is that between the centres of its caps.
pub(super) fn capsule(radius: f64, length: f64) -> TriangleMesh {
    let rings = SEGMENTS / 4;
    let cap = |side: f64| {
        (0..=rings).map(move |i| {
            let angle = FRAC_PI_2 * (f64::from(i) / f64::from(rings) + 0.5 * (side - 1.0));
            let (sin, cos) = angle.sin_cos();
            // The poles are on the axis whatever rounding makes of them.
            let pole = (side < 0.0 && i == 0) || (side > 0.0 && i == rings);
            [if pole { 0.0 } else { radius * cos }, radius * sin + 0.5 * side * length]
        })
    };
    revolved(&cap(-1.0).chain(cap(1.0)).collect::<Vec<_>>())
}

/// The surface that a line of points, each a distance from the axis and a height, sweeps about y. It begins and ends on the axis, and goes
/// up.
fn revolved(line: &[[f64; 2]]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let ring = |&[radius, y]: &[f64; 2]| {
        (0..if radius > 0.0 { SEGMENTS } else { 1 }).map(move |i| {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(SEGMENTS)).sin_cos();
            [radius * cos, y, radius * sin]
        })
    };
    let firsts: Vec<u32> = line
        .iter()
        .map(|point| {
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(ring(point));
            first
        })
        .collect();
    for (ends, firsts) in line.windows(2).zip(firsts.windows(2)) {
        for i in 0..SEGMENTS {
            let [low, high] = [0, 1].map(|end| {
                let vertex = |i: u32| firsts[end] + if ends[end][0] > 0.0 { i % SEGMENTS } else { 0 };
                [vertex(i), vertex(i + 1)]
            });
            if ends[1][0] > 0.0 {
                mesh.triangles.push([low[0], high[0], high[1]]);
            }
            if ends[0][0] > 0.0 {
                mesh.triangles.push([low[0], high[1], low[1]]);
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Cuboid, Sphere};

    /// Cylinder and capsule are closed, face outwards, and have the volume of a polygon with 64 sides swept along: short of theirs by its
    /// share of the circle, and of a capsule's ends by twice that.
    #[test]
    fn swept_solids_are_closed() {
        let polygon = f64::from(SEGMENTS) / 2.0 * (TAU / f64::from(SEGMENTS)).sin();
        let tin = cylinder(0.5, 2.0);
        assert_eq!(crate::mesh::unclosed(&tin.triangles), None);
        assert!((tin.signed_volume() - polygon * 0.25 * 2.0).abs() < 1e-12);
        let pill = capsule(0.5, 2.0);
        assert_eq!(crate::mesh::unclosed(&pill.triangles), None);
        let truth = TAU / 2.0 * (0.25 * 2.0 + 4.0 / 3.0 * 0.125);
        let short = 1.0 - pill.signed_volume() / truth;
        assert!(short > 0.0 && short < 2.0 * (1.0 - polygon / (TAU / 2.0)), "{short}");
    }

    /// A box has sharp edges: each corner has the normal of its face. A ball is round: its normals are radial, to the angle of its triangles.
    #[test]
    fn edges_are_sharp_and_balls_round() {
        let cuboid = corners(&Cuboid { cells: [1; 3], size: [1.0, 2.0, 3.0] }.mesh());
        assert_eq!(cuboid.len(), 36);
        assert!(cuboid.iter().all(|corner| corner.normal.iter().filter(|x| x.abs() == 1.0).count() == 1));
        let ball = corners(&Sphere { radius: 2.0, segments: 40 }.mesh());
        for Corner { position, normal } in ball {
            let radial = DVec3::from(position.map(f64::from)).normalize();
            assert!(radial.angle_between(DVec3::from(normal.map(f64::from))) < 0.02);
        }
    }
}
