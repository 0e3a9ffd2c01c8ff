//! Meshes: of triangles, generated, read and repaired, and of tetrahedra. Where surfaces cross.

mod box_tree;
mod crossings;
pub mod curve;
pub(crate) mod distance;
pub(crate) mod field;
#[cfg(feature = "mesh-files")]
mod file;
#[cfg(feature = "tetrahedralise")]
mod fill;
pub mod generate;
pub(crate) mod heights;
pub(crate) mod lattice;
#[cfg(feature = "cli")]
pub(crate) mod liquid;
pub(crate) mod moments;
#[cfg(feature = "mesh-files")]
mod near;
pub(crate) mod scatter;
#[cfg(feature = "mesh-files")]
pub(crate) mod seams;
mod skin;
mod tetrahedra;

#[cfg(feature = "cli")]
pub(crate) use file::pc2;
#[cfg(feature = "mesh-files")]
pub use file::{
    Loaded, LoadedTetrahedra, MeshError, Place, parse, parse_tetgen, parse_tetrahedra, read, read_tetrahedra,
};
#[cfg(feature = "mesh-files")]
pub(crate) use file::{Numbering, read_clip, read_point_cache, read_tetrahedra_welded, read_welded};

pub(crate) use crossings::pierces;
pub use crossings::{Crossing, crossings};
pub use distance::{DEFAULT_CELLS, DistanceGrid};
#[cfg(feature = "tetrahedralise")]
pub(crate) use fill::fill;
pub use heights::HeightField;
pub use skin::Skin;
pub use tetrahedra::TetrahedronMesh;
pub(crate) use tetrahedra::{ascending, face_opposite};

use crate::math::Vec3;

/// A surface of triangles, counter-clockwise seen from outside. Areas and volumes panic where a triangle names a vertex
/// that is not there; meshes that were generated or read have none such.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// m, one per vertex.
    pub positions: Vec<[f64; 3]>,
    /// Three different indices into `positions` each.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Each edge once, the lower index first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        half_edges(&self.triangles).chunk_by(HalfEdge::same_edge).map(|edge| edge[0].ends).collect()
    }

    /// Each edge between exactly two triangles once, in the order of [`TriangleMesh::edges`], as a dihedral constraint
    /// wants it: `[a, b, c, d]` with the edge from a to b as the first of the two triangles runs through it, the corner
    /// c opposite in that triangle and d in the other. The angle is positive when d lies on the side that (b-a)×(c-a)
    /// points to.
    pub fn hinges(&self) -> Vec<[u32; 4]> {
        let half_edges = half_edges(&self.triangles);
        let hinge = |edge: &[HalfEdge]| match edge {
            [first, second] => {
                let [a, b] = first.directed();
                Some([a, b, first.opposite(&self.triangles), second.opposite(&self.triangles)])
            }
            _ => None,
        };
        half_edges.chunk_by(HalfEdge::same_edge).filter_map(hinge).collect()
    }

    /// Of the whole surface, m².
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|&triangle| self.triangle_area(triangle)).sum()
    }

    /// A third of the area of the triangles at each vertex, m², one per vertex. Mass is shared out by it.
    pub fn vertex_areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.positions.len()];
        for &triangle in &self.triangles {
            let third = self.triangle_area(triangle) / 3.0;
            triangle.into_iter().for_each(|vertex| areas[vertex as usize] += third);
        }
        areas
    }

    /// The volume that a closed surface encloses, m³; negative if its triangles are wound inwards.
    pub fn signed_volume(&self) -> f64 {
        let volume = |&triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(triangle);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(volume).sum()
    }

    /// The lowest and the highest coordinates, m; `None` for a mesh without vertices.
    pub fn bounding_box(&self) -> Option<([f64; 3], [f64; 3])> {
        (!self.positions.is_empty()).then(|| bounds(&self.positions))
    }

    fn triangle_area(&self, triangle: [u32; 3]) -> f64 {
        let [a, b, c] = self.corners(triangle);
        0.5 * (b - a).cross(c - a).length()
    }

    fn corners(&self, triangle: [u32; 3]) -> [Vec3<f64>; 3] {
        triangle.map(|vertex| self.positions[vertex as usize].into())
    }
}

/// The lowest and the highest coordinates; 0 of no points.
pub(crate) fn bounds(positions: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let first = positions.first().copied().unwrap_or_default();
    positions.iter().fold((first, first), |(low, high), x| {
        (std::array::from_fn(|axis| x[axis].min(low[axis])), std::array::from_fn(|axis| x[axis].max(high[axis])))
    })
}

/// How many pieces so many things are in that these links hold together.
pub(crate) fn pieces(count: usize, links: impl Iterator<Item = [u32; 2]>) -> usize {
    let mut parents: Vec<u32> = (0..count as u32).collect();
    let mut pieces = count;
    for ends in links {
        let [a, b] = ends.map(|mut end| {
            while parents[end as usize] != end {
                parents[end as usize] = parents[parents[end as usize] as usize];
                end = parents[end as usize];
            }
            end
        });
        if a != b {
            parents[a.max(b) as usize] = a.min(b);
            pieces -= 1;
        }
    }
    pieces
}

/// The first edge, by its lower end, at which a surface is not closed, and what is wrong there. At each edge of a
/// closed one two triangles meet, which run through it in opposite directions.
pub(crate) fn unclosed(triangles: &[[u32; 3]]) -> Option<([u32; 2], &'static str)> {
    half_edges(triangles).chunk_by(HalfEdge::same_edge).find_map(|edge| {
        let fault = match edge {
            [first, second] if first.ascending != second.ascending => return None,
            [_] => "belongs to one triangle only",
            [_, _] => "belongs to two triangles that are wound against each other",
            _ => "belongs to more than two triangles",
        };
        Some((edge[0].ends, fault))
    })
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HalfEdge {
    /// The lower index first.
    pub ends: [u32; 2],
    triangle: u32,
    /// The corner where the side begins.
    corner: u8,
    /// Whether the triangle runs from the lower to the higher index.
    ascending: bool,
}

impl HalfEdge {
    pub fn same_edge(&self, other: &Self) -> bool {
        self.ends == other.ends
    }

    /// The corners of its triangle as indices into the list of all corners: where the triangle runs through the edge
    /// from and to, and the one that is not on the edge.
    pub fn corners(&self) -> [u32; 3] {
        [0, 1, 2].map(|k| 3 * self.triangle + (u32::from(self.corner) + k) % 3)
    }

    /// The corners at the lower and at the higher end.
    #[cfg(feature = "gpu")]
    pub fn end_corners(&self) -> [u32; 2] {
        let [begin, end, _] = self.corners();
        if self.ascending { [begin, end] } else { [end, begin] }
    }

    #[cfg(feature = "mesh-colliders")]
    pub fn is_ascending(&self) -> bool {
        self.ascending
    }

    /// The ends in the order in which the triangle runs through them.
    fn directed(&self) -> [u32; 2] {
        let [low, high] = self.ends;
        if self.ascending { [low, high] } else { [high, low] }
    }

    /// The corner of the triangle that is not on the edge.
    fn opposite(&self, triangles: &[[u32; 3]]) -> u32 {
        triangles[self.triangle as usize][(self.corner as usize + 2) % 3]
    }
}

/// All sides of all triangles, sorted by edge, then by triangle.
pub(crate) fn half_edges(triangles: &[[u32; 3]]) -> Vec<HalfEdge> {
    let mut half_edges: Vec<HalfEdge> = (0u32..)
        .zip(triangles)
        .flat_map(|(triangle, corners)| {
            (0u8..3).map(move |corner| {
                let (from, to) = (corners[corner as usize], corners[(corner as usize + 1) % 3]);
                HalfEdge { ends: [from.min(to), from.max(to)], triangle, corner, ascending: from < to }
            })
        })
        .collect();
    half_edges.sort_unstable();
    half_edges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron is closed; one without a triangle, with a triangle turned round or with a fin on an edge is not,
    /// and the edge is told.
    #[test]
    fn finds_where_a_surface_is_not_closed() {
        let closed = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        assert_eq!(unclosed(&closed), None);
        assert_eq!(unclosed(&closed[..3]), Some(([0, 2], "belongs to one triangle only")));
        let mut turned = closed.clone();
        turned[2] = [2, 1, 3];
        assert_eq!(unclosed(&turned), Some(([1, 2], "belongs to two triangles that are wound against each other")));
        let fin = [closed, vec![[2, 3, 4]]].concat();
        assert_eq!(unclosed(&fin), Some(([2, 3], "belongs to more than two triangles")));
    }
}
