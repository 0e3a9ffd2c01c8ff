//! Open surfaces that are ground: seen along one direction they cover each place once. What lies below them is made
//! solid, by walls from their border down to a floor.

use crate::math::Vec3;
use crate::mesh::{HalfEdge, TriangleMesh, half_edges};

/// How far the floor lies below the lowest vertex, as a share of the surface's longest side.
const DEPTH: f64 = 0.1;
/// A triangle is upright if its normal has less than this along the direction.
const UPRIGHT: f64 = 1e-4;

/// A surface that was made solid.
pub(crate) struct Ground {
    pub solid: TriangleMesh,
    /// Whether its triangles faced down and were turned round.
    pub turned: bool,
    /// Of the floor below the lowest vertex, m.
    pub depth: f64,
}

/// The solid below a surface, along `up` where that sees each place of it once, else along the mean of its normals.
/// `None` if neither does. At each edge are two triangles that are wound alike, or one.
pub(crate) fn ground(surface: &TriangleMesh, up: Option<Vec3<f64>>) -> Option<Ground> {
    let areas = surface.triangles.iter().map(|&triangle| area_vector(surface, triangle));
    let (mean, length) = areas.fold(Vec3::zero(), |sum, area| sum + area).direction_and_length();
    let mean = (length > 0.0).then_some(mean);
    [up, mean].into_iter().flatten().find_map(|up| along(surface, up))
}

fn area_vector(surface: &TriangleMesh, triangle: [u32; 3]) -> Vec3<f64> {
    let [a, b, c] = surface.corners(triangle);
    (b - a).cross(c - a) * 0.5
}

fn along(surface: &TriangleMesh, up: Vec3<f64>) -> Option<Ground> {
    let facing =
        surface.triangles.iter().map(|&triangle| area_vector(surface, triangle).direction_and_length().0.dot(up));
    let (low, high) = facing.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (x.min(low), x.max(high)));
    let turned = high < -UPRIGHT;
    if !(turned || low > UPRIGHT) {
        return None;
    }
    let mut top = surface.clone();
    if turned {
        top.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    let plan = Plan::new(&top, up);
    if plan.border_crosses_itself() || plan.covers_a_place_twice() {
        return None;
    }
    Some(closed(top, up, turned))
}

/// The surface with walls and a floor.
fn closed(top: TriangleMesh, up: Vec3<f64>, turned: bool) -> Ground {
    let height = |x: &[f64; 3]| Vec3::from(*x).dot(up);
    let lowest = top.positions.iter().map(height).fold(f64::INFINITY, f64::min);
    let (low, high) = top.bounding_box().unwrap_or_default();
    let depth = DEPTH * (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let below = |x: &[f64; 3]| <[f64; 3]>::from(Vec3::from(*x) - up * (height(x) - lowest + depth));
    let count = top.positions.len() as u32;
    let mut solid = top.clone();
    solid.positions.extend(top.positions.iter().map(below));
    solid.triangles.extend(top.triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]));
    for [a, b] in border(&top) {
        solid.triangles.extend([[a, a + count, b], [b, a + count, b + count]]);
    }
    Ground { solid, turned, depth }
}

/// The edges of one triangle only, as that runs through them.
fn border(surface: &TriangleMesh) -> Vec<[u32; 2]> {
    let half_edges = half_edges(&surface.triangles);
    let alone = half_edges.chunk_by(HalfEdge::same_edge).filter(|edge| edge.len() == 1);
    alone.map(|edge| edge[0].directed()).collect()
}

type Point = [f64; 2];

/// A surface as it is seen from above.
struct Plan<'s> {
    surface: &'s TriangleMesh,
    points: Vec<Point>,
}

impl<'s> Plan<'s> {
    fn new(surface: &'s TriangleMesh, up: Vec3<f64>) -> Self {
        let axis = Vec3::axis(if up.x.abs() < 0.6 { 0 } else { 1 });
        let (u, _) = axis.cross(up).direction_and_length();
        let v = up.cross(u);
        let first = surface.positions.first().copied().unwrap_or_default();
        let seen = |x: &[f64; 3]| {
            let x = Vec3::from(*x) - first.into();
            [x.dot(u), x.dot(v)]
        };
        Self { surface, points: surface.positions.iter().map(seen).collect() }
    }

    fn border_crosses_itself(&self) -> bool {
        let ends = |edge: [u32; 2]| edge.map(|vertex| self.points[vertex as usize]);
        let mut edges: Vec<[Point; 2]> = border(self.surface).into_iter().map(ends).collect();
        let low = |[a, b]: &[Point; 2]| a[0].min(b[0]);
        edges.sort_unstable_by(|a, b| low(a).total_cmp(&low(b)));
        edges.iter().enumerate().any(|(index, edge)| {
            let high = edge[0][0].max(edge[1][0]);
            edges[index + 1..].iter().take_while(|other| low(other) < high).any(|other| cross(*edge, *other))
        })
    }

    /// Whether the middle of a triangle lies in another one.
    fn covers_a_place_twice(&self) -> bool {
        let corners = |&triangle: &[u32; 3]| triangle.map(|vertex| self.points[vertex as usize]);
        let triangles: Vec<[Point; 3]> = self.surface.triangles.iter().map(corners).collect();
        let cells = Cells::new(&triangles);
        (0..triangles.len()).any(|index| {
            let [a, b, c] = triangles[index];
            let middle = [0, 1].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            cells.at(middle).iter().any(|&other| other as usize != index && holds(triangles[other as usize], middle))
        })
    }
}

/// Twice the area of a triangle, positive if it is counter-clockwise.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn holds([a, b, c]: [Point; 3], p: Point) -> bool {
    turn(a, b, p) > 0.0 && turn(b, c, p) > 0.0 && turn(c, a, p) > 0.0
}

/// Whether two edges cross at a point inside both.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let apart = |p: Point, q: Point, r: Point, s: Point| turn(p, q, r) * turn(p, q, s) < 0.0;
    apart(a, b, c, d) && apart(c, d, a, b)
}

/// Triangles by the cells of a grid that their boxes meet.
struct Cells {
    low: Point,
    side: Point,
    across: usize,
    triangles: Vec<Vec<u32>>,
}

impl Cells {
    fn new(triangles: &[[Point; 3]]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in triangles.as_flattened() {
            (0..2).for_each(|axis| (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis])));
        }
        let across = ((triangles.len() as f64).sqrt() as usize).clamp(1, 1024);
        let side = [0, 1].map(|axis| (high[axis] - low[axis]) / across as f64);
        let mut cells = Self { low, side, across, triangles: vec![Vec::new(); across * across] };
        for (index, corners) in (0..).zip(triangles) {
            let [first, last] = [f64::min as fn(f64, f64) -> f64, f64::max].map(|outer| {
                let end = |axis: usize| outer(outer(corners[0][axis], corners[1][axis]), corners[2][axis]);
                cells.cell([end(0), end(1)])
            });
            for y in first[1]..=last[1] {
                (first[0]..=last[0]).for_each(|x| cells.triangles[y * across + x].push(index));
            }
        }
        cells
    }

    fn cell(&self, point: Point) -> [usize; 2] {
        [0, 1].map(|axis| (((point[axis] - self.low[axis]) / self.side[axis]) as usize).min(self.across - 1))
    }

    fn at(&self, point: Point) -> &[u32] {
        let [x, y] = self.cell(point);
        &self.triangles[y * self.across + x]
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;
    use crate::mesh::distance;

    const UP: Vec3<f64> = Vec3 { x: 0.0, y: 1.0, z: 0.0 };

    /// A sheet of cells over the plane of x and z, wound to face upwards.
    fn sheet(columns: u32, rows: u32, place: impl Fn(f64, f64) -> [f64; 3]) -> TriangleMesh {
        let nodes = (0..=rows).flat_map(|z| (0..=columns).map(move |x| (x, z)));
        let at = |(x, z): (u32, u32)| place(f64::from(x) / f64::from(columns), f64::from(z) / f64::from(rows));
        let mut mesh = TriangleMesh { positions: nodes.map(at).collect(), triangles: Vec::new() };
        for (z, x) in (0..rows).flat_map(|z| (0..columns).map(move |x| (z, x))) {
            let a = z * (columns + 1) + x;
            let [b, c, d] = [a + 1, a + columns + 1, a + columns + 2];
            mesh.triangles.extend([[a, c, d], [a, d, b]]);
        }
        mesh
    }

    /// With a level border, so that the mean normal is upright.
    fn hills() -> TriangleMesh {
        sheet(8, 6, |x, z| [2.0 * x, 0.2 * (PI * x).sin() * (TAU * z).sin(), z])
    }

    /// Hills become a solid: closed, turned outwards, as large as what lies between them and the floor. So do hills
    /// that face down, that stand on their side, or that have a hole.
    #[test]
    fn hills_become_solid() {
        let check = |surface: &TriangleMesh, up: Vec3<f64>, turned: bool| {
            let made = ground(surface, Some(up)).expect("ground");
            let (solid, parts) = distance::solid(&made.solid).expect("a solid");
            assert_eq!((made.turned, parts), (turned, 0));
            assert!((made.depth - 0.2).abs() < 1e-12);
            solid.signed_volume()
        };
        let volume = check(&hills(), UP, false);
        let heights = hills().positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        // Prisms over the triangles: their mean height over the floor by their area seen from above.
        let prism = |&triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| hills().positions[vertex as usize]);
            let area = 0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]));
            area * ((a[1] + b[1] + c[1]) / 3.0 - heights + 0.2)
        };
        let expected: f64 = hills().triangles.iter().map(prism).sum();
        assert!((volume - expected).abs() < 1e-12, "{volume} {expected}");
        let mut down = hills();
        down.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        assert!((check(&down, UP, true) - volume).abs() < 1e-12);
        let mut holed = hills();
        holed.triangles.drain(40..42);
        assert!(check(&holed, UP, false) < volume);
        // A wall, with gravity along it: solid behind what it faces.
        let mut wall = hills();
        wall.positions.iter_mut().for_each(|x| *x = [x[1], -x[0], x[2]]);
        assert!((check(&wall, UP, false) - volume).abs() < 1e-12);
    }

    /// What covers a place twice, or has no side, is no ground: most of a ball, a ramp that winds over itself, two that
    /// cross.
    #[test]
    fn what_is_no_ground_is_none() {
        let mut bowl = crate::mesh::generate::Sphere { radius: 1.0, segments: 20 }.mesh();
        bowl.triangles.pop();
        assert!(ground(&bowl, Some(UP)).is_none());
        let ramp = |turns: f64| {
            sheet(60, 2, |along, across| {
                let (sine, cosine) = (TAU * turns * along).sin_cos();
                [(2.0 - across) * cosine, along, -(2.0 - across) * sine]
            })
        };
        assert!(ground(&ramp(0.9), Some(UP)).is_some());
        assert!(ground(&ramp(1.7), Some(UP)).is_none());
        let mut crossed = sheet(1, 1, |x, z| [10.0 * x - 5.0, 0.0, z - 0.5]);
        let other = sheet(1, 1, |x, z| [x - 0.5, 1.0, 10.0 * z - 5.0]);
        let first = crossed.positions.len() as u32;
        crossed.positions.extend(other.positions);
        crossed.triangles.extend(other.triangles.iter().map(|corners| corners.map(|vertex| vertex + first)));
        assert!(ground(&crossed, Some(UP)).is_none());
    }
}
