//! Colliders that are drawn as triangles: round where their surface is, sharp at its edges.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DQuat, DVec3};

use crate::mesh::TriangleMesh;
use crate::mesh::generate::Cuboid;
use crate::model::{Collider, Shape};

/// Triangles that meet at less than this angle, rad, are one round surface: 40°.
const CREASE: f64 = 0.7;
/// Stripes across a box that is a belt, and the time from one stripe to the next on other shapes, s.
const BELT_STRIPES: f64 = 8.0;
const STRIPE_SECONDS: f64 = 0.5;
/// Around a cylinder or a capsule.
const SEGMENTS: u32 = 64;

/// A corner of a triangle, in the frame of its shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Corner {
    /// m
    position: [f32; 3],
    normal: [f32; 3],
    /// Barycentric coordinates, but 1 at all corners where the side opposite is no edge: 0 on the edges of the shape
    /// only.
    from_edges: [f32; 3],
}

/// Where a shape is at a moment.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Placed {
    /// Rows of the matrix from its frame to the frame's.
    rows: [[f32; 4]; 3],
    style: u32,
    /// Stripes of a belt: direction in its frame over the distance between them, 1/m, and how far they have run,
    /// distances; zero without a belt.
    marks: [f32; 4],
    /// 1 if it turns.
    turns: f32,
}

/// The colliders that are drawn as triangles, as instances of their shapes.
pub(super) struct Solids {
    /// The triangles of each shape, once however many colliders have it.
    pub shapes: Vec<Vec<Corner>>,
    pub runs: Vec<Run>,
    /// The collider of each instance.
    colliders: Vec<usize>,
}

/// Instances of one shape that follow one another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub shape: usize,
    /// Whether they are containers, which are glass.
    pub inside: bool,
    pub instances: Range<u32>,
}

impl Solids {
    pub fn new(colliders: &[Collider]) -> Self {
        let mut distinct: Vec<&Shape> = Vec::new();
        let mut shapes = Vec::new();
        let mut order = Vec::new();
        for (index, collider) in colliders.iter().enumerate().filter(|(_, collider)| !collider.trigger) {
            let shape = distinct.iter().position(|shape| is_same(shape, &collider.shape)).or_else(|| {
                shapes.push(corners(&triangles(&collider.shape)?));
                distinct.push(&collider.shape);
                Some(distinct.len() - 1)
            });
            order.extend(shape.map(|shape| (collider.inside, shape, index)));
        }
        order.sort_unstable();
        let mut runs: Vec<Run> = Vec::new();
        for (instance, &(inside, shape, _)) in (0..).zip(&order) {
            match runs.last_mut().filter(|run| (run.inside, run.shape) == (inside, shape)) {
                Some(run) => run.instances.end = instance + 1,
                None => runs.push(Run { shape, inside, instances: instance..instance + 1 }),
            }
        }
        Self { shapes, runs, colliders: order.into_iter().map(|(_, _, index)| index).collect() }
    }

    /// Where the instances are at a time in s, relative to `origin`; their styles follow the colliders' from the first.
    pub fn placed(&self, colliders: &[Collider], seconds: f64, origin: DVec3, first_style: u32) -> Vec<Placed> {
        let placed = |&index: &usize| {
            let collider: &Collider = &colliders[index];
            let rotation = DMat3::from_quat(DQuat::from_array(collider.rotation_at(seconds)));
            let style = first_style + index as u32;
            let turns = if collider.turning.is_some() { 1.0 } else { 0.0 };
            let placed = Placed::new(rotation, DVec3::from(collider.position_at(seconds)) - origin, style);
            Placed { marks: marks(collider, seconds), turns, ..placed }
        };
        self.colliders.iter().map(placed).collect()
    }
}

/// Whether two colliders are drawn by the same triangles. Meshes are not compared number by number.
fn is_same(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Mesh(a), Shape::Mesh(b)) => Arc::ptr_eq(a, b),
        (Shape::Heights(a), Shape::Heights(b)) => Arc::ptr_eq(a, b),
        (a, b) => a == b,
    }
}

/// What a shape is drawn by; `None` of those that have no triangles.
fn triangles(shape: &Shape) -> Option<TriangleMesh> {
    Some(match shape {
        Shape::Plane | Shape::Sphere { .. } => return None,
        &Shape::Capsule { radius, length } => capsule(radius, length),
        &Shape::Box { size } => Cuboid { cells: [1; 3], size }.mesh(),
        &Shape::Cylinder { radius, length } => cylinder(radius, length),
        Shape::Mesh(mesh) => mesh.surface.clone(),
        Shape::Heights(field) => field.surface(),
    })
}

impl Placed {
    /// `position` is relative to the frame's origin.
    fn new(rotation: DMat3, position: DVec3, style: u32) -> Self {
        let row = |i: usize| {
            let row = rotation.row(i);
            [row.x, row.y, row.z, position[i]].map(|value| value as f32)
        };
        Self { rows: [0, 1, 2].map(row), style, marks: [0.0; 4], turns: 0.0 }
    }
}

/// Stripes that run with a belt's surface.
fn marks(collider: &Collider, seconds: f64) -> [f32; 4] {
    let belt = DVec3::from(collider.belt);
    let Some(along) = belt.try_normalize() else { return [0.0; 4] };
    let apart = match &collider.shape {
        Shape::Box { size } => DVec3::from(*size).dot(along.abs()) / BELT_STRIPES,
        _ => belt.length() * STRIPE_SECONDS,
    };
    let run = (belt.length() * seconds / apart).fract();
    let [x, y, z] = (along / apart).as_vec3().to_array();
    [x, y, z, run as f32]
}

/// Three corners for each triangle. A corner's normal is the mean of those of the triangles around it, by their angles
/// there, that are not across a crease.
fn corners(mesh: &TriangleMesh) -> Vec<Corner> {
    let at = |vertex: u32| DVec3::from(mesh.positions[vertex as usize]);
    let faces: Vec<DVec3> =
        mesh.triangles.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).normalize_or_zero()).collect();
    let mut around = vec![Vec::new(); mesh.positions.len()];
    for (face, triangle) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let [vertex, next, last] = [0, 1, 2].map(|step| triangle[(k + step) % 3]);
            let angle = (at(next) - at(vertex)).angle_between(at(last) - at(vertex));
            around[vertex as usize].push((face, if angle.is_finite() { angle } else { 0.0 }));
        }
    }
    let least = CREASE.cos();
    let is_round = |face: usize, ends: [u32; 2]| {
        let beside = around[ends[0] as usize].iter().filter(|(other, _)| *other != face);
        let mut beside = beside.filter(|(other, _)| mesh.triangles[*other].contains(&ends[1]));
        beside.any(|(other, _)| faces[*other].dot(faces[face]) > least)
    };
    let corner = |face: usize, vertex: u32, from_edges: [f32; 3]| {
        let smooth = around[vertex as usize].iter().filter(|(other, _)| faces[*other].dot(faces[face]) > least);
        let normal = smooth.map(|&(other, angle)| faces[other] * angle).sum::<DVec3>().normalize_or(faces[face]);
        Corner { position: at(vertex).as_vec3().into(), normal: normal.as_vec3().into(), from_edges }
    };
    let triangle = |(face, &[a, b, c]): (usize, &[u32; 3])| {
        let round = [[b, c], [c, a], [a, b]].map(|side| is_round(face, side));
        let from_edges = |corner: usize| std::array::from_fn(|i| if round[i] || i == corner { 1.0 } else { 0.0 });
        [corner(face, a, from_edges(0)), corner(face, b, from_edges(1)), corner(face, c, from_edges(2))]
    };
    mesh.triangles.iter().enumerate().flat_map(triangle).collect()
}

/// About y, closed by its ends.
fn cylinder(radius: f64, length: f64) -> TriangleMesh {
    let half = 0.5 * length;
    revolved(&[[0.0, -half], [radius, -half], [radius, half], [0.0, half]])
}

/// About y; the length is that between the centres of its caps.
fn capsule(radius: f64, length: f64) -> TriangleMesh {
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

/// The surface that a line of points, each a distance from the axis and a height, sweeps about y. It begins and ends on
/// the axis, and goes up.
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

    /// Cylinder and capsule are closed, face outwards, and have the volume of a polygon with 64 sides swept along:
    /// short of theirs by its share of the circle, and of a capsule's ends by twice that.
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

    /// A box has sharp edges: each corner has the normal of its face. A ball is round: its normals are radial, to the
    /// angle of its triangles.
    #[test]
    fn edges_are_sharp_and_balls_round() {
        let cuboid = corners(&Cuboid { cells: [1; 3], size: [1.0, 2.0, 3.0] }.mesh());
        assert_eq!(cuboid.len(), 36);
        assert!(cuboid.iter().all(|corner| corner.normal.iter().filter(|x| x.abs() == 1.0).count() == 1));
        // Of a face's two triangles each has two sides on its edges.
        for [a, b, c] in cuboid.as_chunks().0 {
            let edges = (0..3).filter(|&i| [a, b, c].iter().any(|corner| corner.from_edges[i] == 0.0));
            assert_eq!(edges.count(), 2);
        }
        let ball = corners(&Sphere { radius: 2.0, segments: 40 }.mesh());
        for Corner { position, normal, from_edges } in ball {
            assert_eq!(from_edges, [1.0; 3]);
            let radial = DVec3::from(position.map(f64::from)).normalize();
            assert!(radial.angle_between(DVec3::from(normal.map(f64::from))) < 0.02);
        }
    }
}
