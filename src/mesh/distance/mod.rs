//! Signed distances to a closed surface at the nodes of a grid: what colliders of general shape are to the solver.

#[cfg(feature = "mesh-colliders")]
mod build;
#[cfg(feature = "mesh-colliders")]
mod ground;
#[cfg(feature = "mesh-colliders")]
mod kept;
#[cfg(feature = "mesh-colliders")]
mod solid;

#[cfg(feature = "mesh-colliders")]
pub(crate) use build::{build, hull, lattice};
#[cfg(feature = "mesh-colliders")]
pub(crate) use ground::ground;
#[cfg(feature = "mesh-colliders")]
pub(crate) use kept::{decode, encode, key};
#[cfg(feature = "mesh-colliders")]
pub(crate) use solid::{Fault, solid};

use super::TriangleMesh;
use super::field::{Field, Number};
use crate::math::Vec3;
use crate::math::mask::{clamp, direction_or, either, mix, up, zero};

/// The cells along the longest side of a mesh unless a scene says otherwise.
pub const DEFAULT_CELLS: u32 = 64;
/// Fewer cells show no shape.
#[cfg(feature = "mesh-colliders")]
pub(crate) const LEAST_CELLS: u32 = 4;
/// A cubic mesh of so many is 64 MiB.
#[cfg(feature = "mesh-colliders")]
pub(crate) const MOST_CELLS: u32 = 256;
/// What WebGPU lets a shader see at once, for all grids and heights of a scene: 128 MiB.
pub(crate) const MOST_SAMPLES: u64 = 32 << 20;

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
        let mut hash = crate::base::hash::Fnv::default();
        hash.bytes(bytemuck::cast_slice(&self.distances));
        write!(f, "DistanceGrid({:?}, {}, {:?}, {:016x})", self.low, self.cell, self.nodes, hash.0)
    }
}

/// Where a grid lies, before it is filled.
#[cfg(feature = "mesh-colliders")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    pub low: [f64; 3],
    pub cell: f64,
    pub nodes: [u32; 3],
}

impl DistanceGrid {
    #[cfg(feature = "mesh-colliders")]
    pub(crate) fn lattice(&self) -> Lattice {
        Lattice { low: self.low, cell: self.cell, nodes: self.nodes }
    }

    /// The outward normal at a point in the surface's frame, and the distance from the surface, m.
    pub fn nearest(&self, point: [f64; 3]) -> ([f64; 3], f64) {
        let field = Field { samples: &self.distances, nodes: self.nodes, cell: self.cell };
        let (normal, distance) = nearest(&field, self.low.into(), point.into());
        (normal.into(), distance)
    }

    /// What it takes on a device.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.distances) as u64
    }

    /// How far the surface that the grid shows is from its mesh, m: the largest distance at the mesh's vertices and at
    /// the middles of its triangles, which is 0 in truth.
    pub fn error(&self, surface: &TriangleMesh) -> f64 {
        let middles = surface.triangles.iter().map(|&triangle| middle(surface, triangle).into());
        let points = surface.positions.iter().copied().chain(middles);
        points.map(|point| self.nearest(point).1.abs()).fold(0.0, f64::max)
    }

    /// The share of a surface, by area, that is too thin for the grid: where there is hardly an inside a quarter of a
    /// cell below it.
    #[cfg(feature = "mesh-colliders")]
    pub(crate) fn thin_share(&self, surface: &TriangleMesh) -> f64 {
        let thin = |&&triangle: &&[u32; 3]| {
            let [a, b, c] = surface.corners(triangle);
            let (normal, _) = (b - a).cross(c - a).direction_and_length();
            self.nearest((middle(surface, triangle) - normal * (0.25 * self.cell)).into()).1 > -0.05 * self.cell
        };
        let area = |&triangle: &[u32; 3]| surface.triangle_area(triangle);
        surface.triangles.iter().filter(thin).map(area).sum::<f64>() / surface.area()
    }
}

fn middle(surface: &TriangleMesh, triangle: [u32; 3]) -> Vec3<f64> {
    let [a, b, c] = surface.corners(triangle);
    (a + b + c) * (1.0 / 3.0)
}

/// The outward normal and the distance of a point, in the frame in which the grid's first node is at `low`: the
/// trilinear interpolant of the cell that the point is in, and the direction of its gradient.
/// `shaders/colliders/grid.wgsl` is the same.
///
/// For a point p outside of the grid, with q the grid's point nearest to it, it is √(|p - q|² + φ(q)²): the surface
/// lies in the grid, which is convex, so that the way from q to the surface is at no acute angle to that from q to p,
/// and the surface is not nearer.
#[inline(always)]
pub(crate) fn nearest<R: Number>(field: &Field<R>, low: Vec3<R>, point: Vec3<R>) -> (Vec3<R>, R) {
    let [columns, rows, layers] = field.nodes;
    let from = point - low;
    let place = Vec3 { x: from.x / field.cell, y: from.y / field.cell, z: from.z / field.cell };
    let held = Vec3 { x: hold(place.x, columns), y: hold(place.y, rows), z: hold(place.z, layers) };
    let ((x, at_x), (y, at_y)) = (R::between(held.x, columns), R::between(held.y, rows));
    let (z, at_z) = R::between(held.z, layers);
    let (row, layer) = (columns, columns * rows);
    let node = R::further(R::further(x, y, row), z, layer);
    // The edges of the cell along x: at y and z = 0, at y = 1, at z = 1, at both. Where each begins, and how it goes
    // on.
    let (begin, slope) = edge(field, node, 0);
    let (begin_y, slope_y) = edge(field, node, row);
    let (begin_z, slope_z) = edge(field, node, layer);
    let (begin_yz, slope_yz) = edge(field, node, row + layer);
    let edges = [begin + slope * at_x, begin_y + slope_y * at_x, begin_z + slope_z * at_x, begin_yz + slope_yz * at_x];
    let faces = [mix(edges[0], edges[1], at_y), mix(edges[2], edges[3], at_y)];
    let gradient = Vec3 {
        x: mix(mix(slope, slope_y, at_y), mix(slope_z, slope_yz, at_y), at_z),
        y: mix(edges[1] - edges[0], edges[3] - edges[2], at_z),
        z: faces[1] - faces[0],
    };
    let distance = mix(faces[0], faces[1], at_z);
    let normal = direction_or(gradient, up());
    let away = (place - held) * field.cell;
    let beyond = away.dot(away);
    let outside = beyond.greater(zero());
    if !R::any(outside) {
        return (normal, distance);
    }
    let normal_outside = direction_or(away + normal * distance, normal);
    let distance_outside = R::select(outside, beyond + distance * distance, R::from_f64(1.0)).sqrt();
    (either(outside, normal_outside, normal), R::select(outside, distance_outside, distance))
}

#[inline(always)]
fn hold<R: Number>(place: R, nodes: u32) -> R {
    clamp(place, zero(), R::from_f64((nodes - 1).into()))
}

/// The distance at so many nodes behind one, and how much it is more at the next node along x.
#[inline(always)]
fn edge<R: Number>(field: &Field<R>, node: R::Node, behind: u32) -> (R, R) {
    let begin = R::sample(field.samples, node, behind);
    (begin, R::sample(field.samples, node, behind + 1) - begin)
}

#[cfg(test)]
mod tests;
