//! Where surfaces cross: which edges pierce which triangles. A tree of boxes finds the candidates. Exact signs of
//! volumes and areas decide (Shewchuk 1997), so that no sliver and no vertex a rounding beyond a face is missed.

use std::ops::Range;

use robust::{Coord, Coord3D, orient2d, orient3d};

use super::box_tree::{BoxTree, Extent};
use super::{HalfEdge, half_edges};
use crate::base::parallel;
use crate::math::Vec3;

/// An edge that pierces a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// The lower index first.
    pub edge: [u32; 2],
    /// Index into the list of triangles.
    pub triangle: u32,
}

/// Finds every edge that pierces a triangle: that has a point in common with it. A point of the triangle's border
/// counts, and so does an edge in the triangle's plane. The list is ascending. `meet` takes the indices of two
/// triangles and says whether edges of the first may pierce the second; an edge counts if it may for one of its
/// triangles.
///
/// An edge and a triangle that share a vertex, or have vertices at the same place as the two lips of a tear have, do
/// not count. So a triangle folded flat onto its neighbour is not found, nor are two copies of a mesh at one place.
/// Triangles without area are not pierced; their edges may pierce others. A vertex that is not finite or not in the
/// list is skipped with its edges and triangles. The result is exact for coordinates of 0 or between 1e-60 and 1e100
/// in size.
///
/// ```
/// use pliant::mesh::crossings;
///
/// // The first triangle's edge from 0 to 1 passes through the middle of the second.
/// let first = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [9.0, 0.0, 0.0]];
/// let second = [[-2.0, -1.0, 0.0], [2.0, -1.0, 0.0], [0.0, 2.0, 0.0]];
/// let found = crossings(&[first, second].concat(), &[[0, 1, 2], [3, 4, 5]], |_, _| true);
/// assert_eq!((found[0].edge, found[0].triangle), ([0, 1], 1));
/// ```
pub fn crossings(
    positions: &[[f64; 3]],
    triangles: &[[u32; 3]],
    meet: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Crossing> {
    let place = |vertex: u32| positions.get(vertex as usize).copied().filter(|x| x.iter().all(|x| x.is_finite()));
    let boxes =
        (0..).zip(triangles).filter_map(|(triangle, corners)| Some((triangle, Extent::of(corners.map(place))?)));
    let tree = BoxTree::new(boxes.collect());
    let half_edges = half_edges(triangles);
    let edges: Vec<&[HalfEdge]> = half_edges.chunk_by(HalfEdge::same_edge).collect();
    let of_edge = |sides: &[HalfEdge]| {
        let edge = sides[0].ends;
        let pierced = |&triangle: &u32| {
            let corners = triangles[triangle as usize];
            !corners.iter().any(|corner| edge.contains(corner))
                && sides.iter().any(|side| meet(side.triangle as usize, triangle as usize))
                && pierces(edge.map(|end| positions[end as usize]), corners.map(|corner| positions[corner as usize]))
        };
        let met = Extent::of(edge.map(place)).into_iter().flat_map(|extent| tree.met(extent));
        let mut found: Vec<u32> = met.filter(pierced).collect();
        found.sort_unstable();
        found.into_iter().map(move |triangle| Crossing { edge, triangle })
    };
    let of_piece = |piece: Range<usize>| edges[piece].iter().flat_map(|sides| of_edge(sides)).collect::<Vec<_>>();
    parallel::map(edges.len(), parallel::LEAST, of_piece).concat()
}

/// Whether a segment and a triangle have a point in common, and no corner of the triangle lies at an end of the
/// segment.
pub(crate) fn pierces(edge: [[f64; 3]; 2], corners: [[f64; 3]; 3]) -> bool {
    if corners.iter().any(|corner| edge.contains(corner)) {
        return false;
    }
    // First by areas: in a flat sheet all volumes are 0, which exact arithmetic shows in three times the time.
    let steepest = steepest(corners);
    let mut axes = (0..3).map(|next| (steepest + next) % 3);
    if axes.find_map(|axis| apart(edge, corners, axis)) != Some(false) {
        return false;
    }
    let ([p, q], [a, b, c]) = (edge, corners);
    match [p, q].map(|end| volume(a, b, c, end)) {
        [0, 0] => true,
        [one, other] if one == other => false,
        // The line of the segment passes all three sides on the same hand, or meets some of them.
        _ => {
            let hands = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
            !(hands.contains(&1) && hands.contains(&-1))
        }
    }
}

/// Whether a segment and a triangle, seen along an axis, are parted by the line of the segment or of a side. `None` if
/// the triangle has no area in this view; a triangle without area has none in any.
fn apart(edge: [[f64; 3]; 2], corners: [[f64; 3]; 3], axis: usize) -> Option<bool> {
    let flat = |x: [f64; 3]| [x[(axis + 1) % 3], x[(axis + 2) % 3]];
    let ([p, q], [a, b, c]) = (edge.map(flat), corners.map(flat));
    let turn = area(a, b, c);
    let outside = |from, to| [p, q].iter().all(|&end| area(from, to, end) == -turn);
    let beside = || [a, b, c].map(|corner| area(p, q, corner));
    let parted = || outside(a, b) || outside(b, c) || outside(c, a) || matches!(beside(), [1, 1, 1] | [-1, -1, -1]);
    (turn != 0).then(parted)
}

/// The axis along which a triangle shows most of its area, but for rounding.
fn steepest(corners: [[f64; 3]; 3]) -> usize {
    let [a, b, c] = corners.map(Vec3::from);
    let normal = <[f64; 3]>::from((b - a).cross(c - a));
    (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0)
}

/// On which side of the plane through three points a fourth lies.
fn volume(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> i8 {
    let [a, b, c, d] = [a, b, c, d].map(|[x, y, z]| Coord3D { x, y, z });
    sign(orient3d(a, b, c, d))
}

/// Whether three points of a plane follow each other counter-clockwise, 1, or clockwise, -1.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i8 {
    let [a, b, c] = [a, b, c].map(|[x, y]| Coord { x, y });
    sign(orient2d(a, b, c))
}

/// 1, -1 or 0.
fn sign(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::TriangleMesh;
    use crate::mesh::generate::{Diagonals, Grid};

    type Whole = [i128; 3];

    fn minus(a: Whole, b: Whole) -> Whole {
        std::array::from_fn(|i| a[i] - b[i])
    }

    fn dot(a: Whole, b: Whole) -> i128 {
        (0..3).map(|i| a[i] * b[i]).sum()
    }

    fn cross(a: Whole, b: Whole) -> Whole {
        std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    }

    /// In whole numbers, and another way: the part of the segment in the plane, cut off at each side of the triangle.
    fn meets(edge: [Whole; 2], [a, b, c]: [Whole; 3]) -> bool {
        let (normal, way) = (cross(minus(b, a), minus(c, a)), minus(edge[1], edge[0]));
        if normal == [0; 3] || [a, b, c].iter().any(|corner| edge.contains(corner)) {
            return false;
        }
        // Each bound of the part is a fraction whose lower number is above 0.
        let (mut from, mut to) = ((0, 1), (1, 1));
        let less = |a: (i128, i128), b: (i128, i128)| a.0 * b.1 < b.0 * a.1;
        let mut keep = |height: i128, climb: i128| {
            // Where height + t climb is at least 0.
            match climb.signum() {
                0 if height < 0 => to = (-1, 1),
                0 => {}
                1 if less(from, (-height, climb)) => from = (-height, climb),
                -1 if less((height, -climb), to) => to = (height, -climb),
                _ => {}
            }
        };
        let (height, climb) = (dot(normal, minus(edge[0], a)), dot(normal, way));
        keep(height, climb);
        keep(-height, -climb);
        for (corner, next) in [(a, b), (b, c), (c, a)] {
            let inwards = cross(normal, minus(next, corner));
            keep(dot(inwards, minus(edge[0], corner)), dot(inwards, way));
        }
        !less(to, from)
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % count
        }
    }

    fn by_all_pairs(places: &[Whole], triangles: &[[u32; 3]]) -> Vec<Crossing> {
        let mesh = TriangleMesh { positions: Vec::new(), triangles: triangles.to_vec() };
        let pairs = mesh.edges().into_iter().flat_map(|edge| (0..triangles.len()).map(move |index| (edge, index)));
        let found = pairs.filter(|&(edge, index)| {
            meets(edge.map(|end| places[end as usize]), triangles[index].map(|corner| places[corner as usize]))
        });
        found.map(|(edge, index)| Crossing { edge, triangle: index as u32 }).collect()
    }

    fn all(mesh: &TriangleMesh) -> Vec<Crossing> {
        crossings(&mesh.positions, &mesh.triangles, |_, _| true)
    }

    fn sheet(cells: u32) -> TriangleMesh {
        Grid { columns: cells + 1, rows: cells + 1, width: 1.0, height: 1.0 }.mesh(Diagonals::Uniform)
    }

    /// The two as one mesh, with the vertices of the second where `place` puts them.
    fn with(mut first: TriangleMesh, second: &TriangleMesh, place: impl Fn([f64; 3]) -> [f64; 3]) -> TriangleMesh {
        let count = first.positions.len() as u32;
        first.positions.extend(second.positions.iter().map(|&x| place(x)));
        first.triangles.extend(second.triangles.iter().map(|corners| corners.map(|vertex| vertex + count)));
        first
    }

    /// Of random triangles over few places, which touch, lie in each other's planes, have common corners or no area,
    /// and over many, crossings are those that a search through all pairs finds in whole numbers; by one thread as by
    /// several.
    #[test]
    fn finds_what_a_search_through_all_finds() {
        let mut random = Random(1);
        for (side, vertices, count) in [(2, 20, 30), (3, 40, 60), (5, 60, 80), (9, 100, 100), (2000, 150, 120)] {
            for _ in 0..if side < 10 { 20 } else { 4 } {
                let places: Vec<Whole> =
                    (0..vertices).map(|_| std::array::from_fn(|_| i128::from(random.below(side)))).collect();
                let corners = |random: &mut Random| std::array::from_fn(|_| random.below(vertices) as u32);
                let different = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
                let triangles: Vec<[u32; 3]> =
                    std::iter::repeat_with(|| corners(&mut random)).filter(different).take(count).collect();
                // At any scale, and far from the origin.
                let (scale, far) = (0.5f64.powi(20), 3.0);
                let positions: Vec<[f64; 3]> =
                    places.iter().map(|place| place.map(|x| far + scale * x as f64)).collect();
                let expected = by_all_pairs(&places, &triangles);
                assert!(expected.len() > 10, "{}", expected.len());
                for threads in [1, 3] {
                    let found = parallel::with_threads(threads, || crossings(&positions, &triangles, |_, _| true));
                    assert_eq!(found, expected, "{side}");
                }
                // Those of which one is red and one is not.
                let red = |index: usize| index.is_multiple_of(2);
                let found = crossings(&positions, &triangles, |one, other| red(one) != red(other));
                let sides = half_edges(&triangles);
                let counts = |crossing: &&Crossing| {
                    let of_edge = sides.iter().filter(|side| side.ends == crossing.edge);
                    of_edge.clone().any(|side| red(side.triangle as usize) != red(crossing.triangle as usize))
                };
                assert_eq!(found, expected.iter().filter(counts).copied().collect::<Vec<_>>());
            }
        }
    }

    /// A flat grid of 100,000 triangles crosses nothing, nor does a rolled one that passes close above it. With one of
    /// its vertices pushed through by 1e-12 m it does.
    #[test]
    fn a_large_sheet_is_pierced_by_one_vertex() {
        let flat = sheet(224);
        assert!(flat.triangles.len() > 100_000 && all(&flat).is_empty());
        let rolled = |[x, y, _]: [f64; 3]| [x, y, 1e-3 + 0.05 * (1.0 - (60.0 * x).cos())];
        let mut both = with(flat.clone(), &flat, rolled);
        assert!(all(&both).is_empty());
        let pushed = flat.positions.len() + 100 * 225 + 77;
        // Within a triangle below.
        both.positions[pushed][0] += 1e-3;
        both.positions[pushed][1] += 5e-4;
        both.positions[pushed][2] = 1e-12;
        assert!(all(&both).is_empty());
        both.positions[pushed][2] = -1e-12;
        let found = all(&both);
        // All six edges at the vertex pierce one triangle, or its neighbours.
        let down: Vec<&Crossing> = found.iter().filter(|one| one.edge.contains(&(pushed as u32))).collect();
        assert_eq!((down.len(), found.len()), (6, 6));
    }

    /// A vertex in the plane of a face and those a unit above and below are told apart where the face is a thousand
    /// million units large: volumes in double precision are noise there.
    #[test]
    fn a_rounding_is_seen() {
        let mut random = Random(2);
        for _ in 0..200 {
            let mut number = |below: u64| i128::from(random.below(below)) - i128::from(below / 2);
            let corners: [Whole; 3] = std::array::from_fn(|_| std::array::from_fn(|_| number(1 << 30)));
            let [a, b, c] = corners;
            let (s, t) = (number(9), number(9));
            let within: Whole = std::array::from_fn(|i| a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]));
            let normal = cross(minus(b, a), minus(c, a));
            let [a, b, c] = corners.map(|corner| corner.map(|x| x as f64));
            for up in [-1, 0, 1] {
                let [x, y, z] = within;
                let seen = super::volume(a, b, c, [x, y, z + up].map(|x| x as f64));
                assert_eq!(i128::from(seen), -(up * normal[2]).signum());
            }
        }
    }

    /// A sheet that stands on end in a lying one: each is cut along rows and columns, and by its diagonals.
    #[test]
    fn edges_of_two_sheets_are_counted() {
        let lying = sheet(10);
        // From x = -0.47, so that it ends within the other, whose edges it passes from -0.5 on.
        let standing = with(lying.clone(), &sheet(10), |[x, y, _]| [x + 0.03, -0.52, y + 0.43]);
        let found = all(&standing);
        let of_lying = found.iter().filter(|one| one.edge[0] < 121).count();
        // The row of cells in which it stands has 10 columns and diagonals to the right of its left end, at 0.3 of a
        // cell, and of the first column's diagonal, which it would pass at 0.2.
        assert_eq!(of_lying, 10 + 9);
        // Of its own 11 columns and 10 diagonals the last column stands beyond the other's right end, and the last
        // cell's diagonal, which it passes at 0.3 of the cell, does not.
        assert_eq!(found.len() - of_lying, 10 + 10);
    }

    /// A sliver a millionth of a millionth wide is pierced in its middle and not beside it; one without area is not.
    #[test]
    fn slivers_are_pierced() {
        let at = |x: f64| [[x, 1e-3, -1.0], [x, 1e-3, 1.0]];
        let sliver = |width: f64| [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, width, 0.0]];
        let thin = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1e-12, 1e-3, 0.0]];
        assert!(pierces(at(5e-13), thin) && pierces(at(1e-12), thin));
        assert!(!pierces(at(1.1e-12), thin) && !pierces(at(-1e-15), thin));
        assert!(pierces([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], sliver(1e-300)));
        assert!(!pierces([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], sliver(0.0)));
    }

    /// Two sheets side by side, and folded along their common border, of which each has its own vertices at the same
    /// places, do not cross; one whose vertices lie between those of the other touches it.
    #[test]
    fn seams_do_not_cross() {
        for angle in [0.0, 1.0, 2.0, 3.0] {
            let beside = |[x, y, _]: [f64; 3]| {
                let along = x + 0.5;
                [0.5 + along * f64::cos(angle), y, along * f64::sin(angle)]
            };
            assert_eq!(all(&with(sheet(5), &sheet(5), beside)), []);
        }
        assert_ne!(all(&with(sheet(4), &sheet(8), |[x, y, _]| [x + 1.0, y, 0.0])), []);
    }

    /// What is not finite, very large, or not there, is left out.
    #[test]
    fn what_is_no_place_is_left_out() {
        let mut mesh = with(sheet(3), &sheet(3), |[x, y, _]| [0.01, y + 0.02, x]);
        let before = all(&mesh);
        assert!(!before.is_empty());
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut broken = mesh.clone();
            broken.positions[5][1] = value;
            assert!(all(&broken).iter().all(|one| !one.edge.contains(&5)) && all(&broken).len() < before.len());
            broken.positions.fill([value; 3]);
            assert_eq!(all(&broken), []);
        }
        mesh.triangles.push([0, 1, 99]);
        assert_eq!(all(&mesh), before);
        mesh.positions[5] = [f64::MAX, -f64::MAX, f64::MAX];
        all(&mesh);
        assert_eq!(crossings(&[], &[], |_, _| true), []);
    }
}
