//! Measures the distances (parry3d), with all threads that there are.

use std::sync::atomic::{AtomicUsize, Ordering};

use parry3d::math::Vector;
use parry3d::query::PointQuery;
use parry3d::shape::{TriMesh, TriMeshFlags};
use parry3d::transformation::try_convex_hull;
use rayon::prelude::*;

use super::{DistanceGrid, Lattice};
use crate::mesh::TriangleMesh;

/// Cells around the surface, in which distances are interpolated before they are estimated.
const MARGIN: u32 = 3;

/// The grid around a mesh with an extent above 0, so many cells along its longest side.
pub(crate) fn lattice(surface: &TriangleMesh, cells: u32) -> Option<Lattice> {
    let (low, high) = surface.bounding_box()?;
    let extent: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let cell = extent.into_iter().fold(0.0, f64::max) / f64::from(cells);
    // The longest side may come out a hair longer than its cells.
    let inner = extent.map(|length| ((length / cell - 1e-6).ceil() as u32).max(1));
    let nodes = inner.map(|cells| cells + 2 * MARGIN + 1);
    let middle = |axis: usize| (low[axis] + high[axis]) / 2.0;
    let low = std::array::from_fn(|axis| middle(axis) - cell * f64::from(nodes[axis] - 1) / 2.0);
    Some(Lattice { low, cell, nodes })
}

/// The distances from a closed surface, told from inside to outside by pseudo-normals (Bærentzen and Aanæs, Signed
/// Distance Computation Using the Angle Weighted Pseudonormal, 2005). `progress` hears the share that is done. `None`
/// if parry3d finds no surface in the mesh.
pub(crate) fn build(surface: &TriangleMesh, lattice: Lattice, progress: &(dyn Fn(f64) + Sync)) -> Option<DistanceGrid> {
    let Lattice { low, cell, nodes: [columns, rows, layers] } = lattice;
    // In cells, since parry3d calculates in single precision.
    let scaled = |position: &[f64; 3]| single(std::array::from_fn(|axis| (position[axis] - low[axis]) / cell));
    let vertices = surface.positions.iter().map(scaled).collect();
    let surface = TriMesh::with_flags(vertices, surface.triangles.clone(), TriMeshFlags::ORIENTED).ok()?;
    let done = AtomicUsize::new(0);
    let layer = |z: u32| {
        let nodes = (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y, z]));
        let distances: Vec<f32> = nodes.map(|node| distance(&surface, node.map(f64::from)) * cell as f32).collect();
        progress((1 + done.fetch_add(1, Ordering::Relaxed)) as f64 / f64::from(layers));
        distances
    };
    let layers: Vec<Vec<f32>> = (0..layers).into_par_iter().map(layer).collect();
    let distances = layers.concat();
    let sound = distances.iter().all(|distance| distance.is_finite());
    sound.then_some(DistanceGrid { low, cell, nodes: lattice.nodes, distances })
}

/// In cells.
fn distance(surface: &TriMesh, point: [f64; 3]) -> f32 {
    let point = single(point);
    let nearest = surface.project_local_point(point, false);
    let distance = (point - nearest.point).length();
    if nearest.is_inside { -distance } else { distance }
}

/// The convex hull of points; `None` if they lie in a plane, or nearly so.
pub(crate) fn hull(points: &[[f64; 3]]) -> Option<TriangleMesh> {
    let mesh = TriangleMesh { positions: points.to_vec(), triangles: Vec::new() };
    let (low, high) = mesh.bounding_box()?;
    let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    if points.len() < 4 || extent <= 0.0 || is_flat(points, extent) {
        return None;
    }
    let scaled = |position: &[f64; 3]| single(std::array::from_fn(|axis| (position[axis] - low[axis]) / extent));
    let (vertices, triangles) = try_convex_hull(&points.iter().map(scaled).collect::<Vec<_>>()).ok()?;
    let placed = |vertex: &Vector| {
        let vertex = [vertex.x, vertex.y, vertex.z].map(f64::from);
        std::array::from_fn(|axis| low[axis] + extent * vertex[axis])
    };
    Some(TriangleMesh { positions: vertices.iter().map(placed).collect(), triangles })
}

/// Whether all points are nearer to a plane than single precision tells reliably, a hundred-thousandth of their extent.
fn is_flat(points: &[[f64; 3]], extent: f64) -> bool {
    use crate::math::Vec3;
    let from = |point: &[f64; 3]| Vec3::from(*point) - Vec3::from(points[0]);
    let farthest = |measure: &dyn Fn(Vec3<f64>) -> f64| {
        points.iter().map(from).max_by(|&a, &b| measure(a).total_cmp(&measure(b))).unwrap_or_else(Vec3::zero)
    };
    let along = farthest(&|arm| arm.length());
    let across = farthest(&|arm| arm.cross(along).length());
    let normal = along.cross(across);
    let height = farthest(&|arm| arm.dot(normal).abs()).dot(normal).abs();
    height <= 1e-5 * extent * normal.length()
}

fn single(position: [f64; 3]) -> Vector {
    let [x, y, z] = position.map(|value| value as f32);
    Vector::new(x, y, z)
}
