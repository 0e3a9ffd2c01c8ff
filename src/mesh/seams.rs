//! What of a mesh lies together and is not joined: it comes apart where it looks whole.

use super::near::Points;
use super::{HalfEdge, TetrahedronMesh, TriangleMesh, bounds, half_edges, pieces};
use crate::math::Vec3;

/// Vertices nearer to each other than this share of a mesh's longest side look as one: a file in single precision
/// rounds by 6e-8 of its coordinates.
const NEAR: f64 = 1e-6;

/// What is not joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seams {
    /// Into how many parts it falls that have no vertex in common.
    pub pieces: usize,
    /// Vertices that lie on or near another one, of a lower number.
    pub doubled: Option<Doubled>,
    /// Vertices that lie on an edge of which they are no end.
    pub hanging: Option<Hanging>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doubled {
    pub count: usize,
    /// The first, with the one that it lies on.
    pub first: [u32; 2],
    /// The farthest that two of them are apart, m.
    pub gap: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hanging {
    pub count: usize,
    pub first: u32,
    /// The edge on which that lies.
    pub edge: [u32; 2],
}

/// Of a surface: doubled vertices, and those that hang on its border.
pub(crate) fn of_surface(mesh: &TriangleMesh) -> Seams {
    let half_edges = half_edges(&mesh.triangles);
    let edges: Vec<&[HalfEdge]> = half_edges.chunk_by(HalfEdge::same_edge).collect();
    let all: Vec<[u32; 2]> = edges.iter().map(|edge| edge[0].ends).collect();
    let border: Vec<[u32; 2]> = edges.iter().filter(|edge| edge.len() == 1).map(|edge| edge[0].ends).collect();
    Seams { pieces: pieces(mesh.positions.len(), all.iter().copied()), ..seams(&mesh.positions, &all, &border) }
}

/// Of a solid: doubled vertices, and those that hang on an edge of its boundary.
pub(crate) fn of_solid(mesh: &TetrahedronMesh) -> Seams {
    let all = mesh.edges();
    let boundary = TriangleMesh { positions: Vec::new(), triangles: mesh.boundary() }.edges();
    Seams { pieces: pieces(mesh.positions.len(), all.iter().copied()), ..seams(&mesh.positions, &all, &boundary) }
}

/// `joined` are all edges, ascending; on those of `border` vertices may hang.
fn seams(positions: &[[f64; 3]], joined: &[[u32; 2]], border: &[[u32; 2]]) -> Seams {
    let near = near(positions);
    Seams { pieces: 0, doubled: doubled(positions, joined, near), hanging: hanging(positions, border, near) }
}

/// The distance below which vertices look as one, in the mesh's units.
pub(crate) fn near(positions: &[[f64; 3]]) -> f64 {
    let (low, high) = bounds(positions);
    let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let farthest = low.iter().chain(&high).fold(0.0, |farthest: f64, x| farthest.max(x.abs()));
    // Far from the origin single precision rounds by more than the mesh's size says.
    NEAR * extent.max(0.25 * farthest)
}

fn doubled(positions: &[[f64; 3]], joined: &[[u32; 2]], near: f64) -> Option<Doubled> {
    let points = Points::new(positions, 0..positions.len() as u32);
    let mut doubled: Option<Doubled> = None;
    for (vertex, &place) in (0..).zip(positions) {
        let apart = |other: u32| (Vec3::from(positions[other as usize]) - Vec3::from(place)).length();
        let others = points
            .around(place, near)
            .filter(|&other| other < vertex && joined.binary_search(&[other, vertex]).is_err());
        let Some(other) = others.min_by(|&a, &b| apart(a).total_cmp(&apart(b)).then(a.cmp(&b))) else { continue };
        let found = doubled.get_or_insert(Doubled { count: 0, first: [other, vertex], gap: 0.0 });
        found.count += 1;
        found.gap = found.gap.max(apart(other));
    }
    doubled
}

fn hanging(positions: &[[f64; 3]], border: &[[u32; 2]], near: f64) -> Option<Hanging> {
    let mut ends: Vec<u32> = border.as_flattened().to_vec();
    ends.sort_unstable();
    ends.dedup();
    let points = Points::new(positions, ends.into_iter());
    let place = |vertex: u32| Vec3::from(positions[vertex as usize]);
    let mut hanging: Vec<(u32, [u32; 2])> = Vec::new();
    for &edge in border {
        let between = |&vertex: &u32| edge.into_iter().all(|end| (place(vertex) - place(end)).length() > near);
        let found = points.along(edge.map(|end| positions[end as usize]), near).filter(between);
        hanging.extend(found.map(|vertex| (vertex, edge)));
    }
    hanging.sort_unstable();
    hanging.dedup_by_key(|(vertex, _)| *vertex);
    hanging.first().map(|&(first, edge)| Hanging { count: hanging.len(), first, edge })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Cuboid, Diagonals, Grid, Sphere};

    fn two(mut first: TriangleMesh, second: &TriangleMesh, by: [f64; 3]) -> TriangleMesh {
        let count = first.positions.len() as u32;
        let moved = |x: &[f64; 3]| std::array::from_fn(|axis| x[axis] + by[axis]);
        first.positions.extend(second.positions.iter().map(moved));
        first.triangles.extend(second.triangles.iter().map(|corners| corners.map(|vertex| vertex + count)));
        first
    }

    fn sheet(cells: u32) -> TriangleMesh {
        Grid { columns: cells + 1, rows: cells + 1, width: 1.0, height: 1.0 }.mesh(Diagonals::default())
    }

    /// What is whole has one piece and no seam.
    #[test]
    fn whole_meshes_have_none() {
        let whole = Seams { pieces: 1, doubled: None, hanging: None };
        assert_eq!(of_surface(&sheet(7)), whole);
        assert_eq!(of_surface(&Sphere { radius: 1.0, segments: 20 }.mesh()), whole);
        assert_eq!(of_solid(&Cuboid { cells: [3, 2, 4], size: [1.0; 3] }.solid()), whole);
        assert_eq!(of_surface(&two(sheet(2), &sheet(2), [1.1, 0.0, 0.0])), Seams { pieces: 2, ..whole });
    }

    /// Two sheets side by side, a seam of a ten-millionth wide, or none: each vertex of the common border is there
    /// twice.
    #[test]
    fn doubled_vertices_are_counted() {
        for gap in [0.0, 2e-7] {
            let found = of_surface(&two(sheet(4), &sheet(4), [1.0 + gap, 0.0, 0.0]));
            assert_eq!((found.pieces, found.hanging), (2, None));
            let Doubled { count, first, gap: widest } = found.doubled.expect("a seam");
            // The first of the second sheet's left column lies on the first of the first one's right column.
            assert_eq!((count, first), (5, [4, 25]));
            assert!((widest - gap).abs() < 1e-15, "{widest}");
        }
        assert_eq!(of_surface(&two(sheet(4), &sheet(4), [1.0 + 1e-5, 0.0, 0.0])).doubled, None);
    }

    /// A sheet of two columns against one of four: every other vertex of the finer hangs on an edge of the coarser;
    /// those between lie on its vertices.
    #[test]
    fn hanging_vertices_are_counted() {
        let found = of_surface(&two(sheet(2), &sheet(4), [1.0, 0.0, 0.0]));
        assert_eq!(found.doubled.expect("common vertices").count, 3);
        // Vertex 9 is the finer sheet's first, and its left column has every fifth.
        assert_eq!(found.hanging, Some(Hanging { count: 2, first: 9 + 5, edge: [2, 5] }));
    }

    /// Two boxes whose common face has its vertices twice.
    #[test]
    fn solids_meshed_one_by_one() {
        let cube = Cuboid { cells: [1; 3], size: [1.0; 3] }.solid();
        let mut both = cube.clone();
        both.positions.extend(cube.positions.iter().map(|&[x, y, z]| [x + 1.0, y, z]));
        both.tetrahedra.extend(cube.tetrahedra.iter().map(|corners| corners.map(|vertex| vertex + 8)));
        let found = of_solid(&both);
        assert_eq!((found.pieces, found.doubled.map(|doubled| doubled.count), found.hanging), (2, Some(4), None));
    }
}
