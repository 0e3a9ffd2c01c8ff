//! Signed distances to a closed surface at the nodes of a grid: what colliders of general shape are to the solver.

#[cfg(feature = "mesh-colliders")]
mod build;
mod kept;
#[cfg(feature = "mesh-colliders")]
mod solid;

#[cfg(feature = "mesh-colliders")]
pub(crate) use build::{LEAST_CELLS, MOST_CELLS, MOST_NODES, build, hull, shape};
pub(crate) use kept::{decode, encode, key};
#[cfg(feature = "mesh-colliders")]
pub(crate) use solid::{Fault, solid};

use super::TriangleMesh;
use crate::constraint::Vec3;

/// The cells along the longest side of a mesh unless a scene says otherwise.
pub const DEFAULT_CELLS: u32 = 64;

/// Signed distances to a closed surface, below 0 inside, at the nodes of a grid of cubic cells around it.
#[derive(Clone, PartialEq)]
pub struct DistanceGrid {
    /// Where the first node is, m.
    pub low: [f64; 3],
    /// Width of a cell, m.
    pub cell: f64,
    /// Nodes along x, y and z, at least 2 each.
    pub nodes: [u32; 3],
    /// m, x running fastest, then y.
    pub distances: Vec<f32>,
}

/// Of a million distances only what tells them from others is worth printing.
impl std::fmt::Debug for DistanceGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut hash = crate::hash::Fnv::default();
        hash.bytes(bytemuck::cast_slice(&self.distances));
        write!(f, "DistanceGrid({:?}, {}, {:?}, {:016x})", self.low, self.cell, self.nodes, hash.0)
    }
}

impl DistanceGrid {
    /// The outward normal at a point in the surface's frame, and the distance from the surface, m.
    pub fn nearest(&self, point: [f64; 3]) -> ([f64; 3], f64) {
        let (normal, distance) = nearest(&self.distances, self.nodes, self.cell, self.low.into(), point.into());
        (normal.into(), distance)
    }

    /// What it takes on a device.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.distances) as u64
    }

    /// How far the surface that the grid shows is from its mesh, m: the largest distance at the mesh's vertices and at the middles of its
    /// triangles, which is 0 in truth.
    pub fn error(&self, surface: &TriangleMesh) -> f64 {
        let middle = |corners: &[u32; 3]| -> [f64; 3] {
            let corners = corners.map(|corner| surface.positions[corner as usize]);
            std::array::from_fn(|axis| (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3.0)
        };
        let points = surface.positions.iter().copied().chain(surface.triangles.iter().map(middle));
        points.map(|point| self.nearest(point).1.abs()).fold(0.0, f64::max)
    }
}

/// The outward normal and the distance of a point, in the frame in which the grid's first node is at `low`: the trilinear interpolant of the
/// cell that the point is in, and the direction of its gradient. `shaders/contact/grid.wgsl` is the same.
///
/// For a point p outside of the grid, with q the grid's point nearest to it, it is √(|p - q|² + φ(q)²): the surface lies in the grid, which
/// is convex, so that the way from q to the surface is at no acute angle to that from q to p, and the surface is not nearer.
pub(crate) fn nearest(
    distances: &[f32],
    nodes: [u32; 3],
    cell: f64,
    low: Vec3<f64>,
    point: Vec3<f64>,
) -> (Vec3<f64>, f64) {
    let place: [f64; 3] = ((point - low) * (1.0 / cell)).into();
    let held: [f64; 3] = std::array::from_fn(|axis| place[axis].clamp(0.0, f64::from(nodes[axis] - 1)));
    let first: [u32; 3] = std::array::from_fn(|axis| (held[axis] as u32).min(nodes[axis] - 2));
    let node = (first[2] as usize * nodes[1] as usize + first[1] as usize) * nodes[0] as usize + first[0] as usize;
    let (up, back) = (nodes[0] as usize, nodes[0] as usize * nodes[1] as usize);
    let rows = [node, node + up, node + back, node + up + back];
    let rows = rows.map(|row| [distances[row], distances[row + 1]].map(f64::from));
    let (distance, gradient) = trilinear(rows, std::array::from_fn(|axis| held[axis] - f64::from(first[axis])));
    let away: [f64; 3] = std::array::from_fn(|axis| (place[axis] - held[axis]) * cell);
    let away = Vec3::from(away);
    let normal = direction(gradient, Vec3::new(0.0, 1.0, 0.0));
    let beyond = away.dot(away);
    if beyond == 0.0 {
        return (normal, distance);
    }
    (direction(away + normal * distance, normal), (beyond + distance * distance).sqrt())
}

/// The value at `at`, 0 to 1 each, and the gradient per cell of the interpolant of a cell's corners, which come in pairs along x: the pair
/// at y and z = 0, at y = 1, at z = 1, at both.
fn trilinear(rows: [[f64; 2]; 4], at: [f64; 3]) -> (f64, Vec3<f64>) {
    let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
    let [near, up, back, far] = rows.map(|[a, b]| mix(a, b, at[0]));
    let [near_slope, up_slope, back_slope, far_slope] = rows.map(|[a, b]| b - a);
    let (front, behind) = (mix(near, up, at[1]), mix(back, far, at[1]));
    let along_x = mix(mix(near_slope, up_slope, at[1]), mix(back_slope, far_slope, at[1]), at[2]);
    let along_y = mix(up - near, far - back, at[2]);
    (mix(front, behind, at[2]), Vec3::new(along_x, along_y, behind - front))
}

fn direction(v: Vec3<f64>, otherwise: Vec3<f64>) -> Vec3<f64> {
    let length = v.length();
    if length > 0.0 { v * (1.0 / length) } else { otherwise }
}

#[cfg(test)]
mod tests;
