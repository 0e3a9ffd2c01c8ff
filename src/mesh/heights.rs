//! Ground: heights over a rectangle.

use super::TriangleMesh;
use super::field::{Field, Number};
use crate::math::Vec3;
use crate::math::mask::{clamp, either, greatest, mix, sign, zero};

/// Heights over a rectangle of the plane y = 0, centred on the origin. Below them it is solid, however deep, between
/// upright walls at its edges.
#[derive(Clone, PartialEq)]
pub struct HeightField {
    /// Along x and z, above 0, m.
    pub size: [f64; 2],
    /// Nodes along x and z, at least 2 each.
    pub nodes: [u32; 2],
    /// m, x running fastest: the first is at the lowest x and z.
    pub heights: Vec<f32>,
    /// The steepest slope between them, at least 0.
    pub steepest: f64,
}

/// Of a million heights only what tells them from others is worth printing.
impl std::fmt::Debug for HeightField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut hash = crate::base::hash::Fnv::default();
        hash.bytes(bytemuck::cast_slice(&self.heights));
        write!(f, "HeightField({:?}, {:?}, {:016x})", self.size, self.nodes, hash.0)
    }
}

impl HeightField {
    /// Over a rectangle of a size, m, with so many nodes along x and z, two at least; as many heights, m, x running
    /// fastest. `None` if these are not that many, or a height or size is not finite, or a size not above 0.
    pub fn new(size: [f64; 2], nodes: [u32; 2], heights: Vec<f32>) -> Option<Self> {
        let [columns, rows] = nodes.map(|nodes| nodes as usize);
        let whole = columns > 1 && rows > 1 && columns.checked_mul(rows) == Some(heights.len());
        if !whole || !size.iter().all(|&side| side > 0.0 && side.is_finite()) || !heights.iter().all(|y| y.is_finite())
        {
            return None;
        }
        let per_metre: [f64; 2] = std::array::from_fn(|axis| f64::from(nodes[axis] - 1) / size[axis]);
        let slope = |from: usize, to: usize, axis: usize| {
            (f64::from(heights[to]) - f64::from(heights[from])).abs() * per_metre[axis]
        };
        let cells = (1..rows).flat_map(|z| (1..columns).map(move |x| z * columns + x));
        let steepest = cells.map(|d| {
            let [c, b, a] = [d - 1, d - columns, d - columns - 1];
            let [x, z] = [slope(a, b, 0).max(slope(c, d, 0)), slope(a, c, 1).max(slope(b, d, 1))];
            // Not by `hypot`, which has other bits on other processors.
            (x * x + z * z).sqrt()
        });
        let steepest = steepest.fold(0.0, f64::max);
        Some(Self { size, nodes, heights, steepest })
    }

    /// The outward normal at a point in its frame, and the distance from the surface, m.
    pub fn nearest(&self, point: [f64; 3]) -> ([f64; 3], f64) {
        let [columns, rows] = self.nodes;
        let field = Field { samples: &self.heights, nodes: [columns, rows, 1], cell: 0.0 };
        let [x, z] = self.size;
        let (normal, distance) = nearest(&field, Vec3::new(x, 0.0, z), point.into());
        (normal.into(), distance)
    }

    /// What it takes on a device.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.heights) as u64
    }

    /// The lowest and the highest, m.
    pub fn range(&self) -> [f64; 2] {
        let range = [f64::INFINITY, f64::NEG_INFINITY];
        self.heights.iter().map(|&y| f64::from(y)).fold(range, |[low, high], y| [low.min(y), high.max(y)])
    }

    /// Its top, and its walls down to a tenth of its size below the lowest height: what there is to see of it.
    pub fn surface(&self) -> TriangleMesh {
        let [columns, rows] = self.nodes;
        let at = |column: u32, row: u32| {
            let place = |index: u32, nodes: u32, size: f64| size * (f64::from(index) / f64::from(nodes - 1) - 0.5);
            let height = f64::from(self.heights[(row * columns + column) as usize]);
            [place(column, columns, self.size[0]), height, place(row, rows, self.size[1])]
        };
        let nodes = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let mut mesh = TriangleMesh { positions: nodes.map(|(x, z)| at(x, z)).collect(), triangles: Vec::new() };
        for (z, x) in (1..rows).flat_map(|z| (1..columns).map(move |x| (z, x))) {
            let [d, c] = [z * columns + x, z * columns + x - 1];
            let [b, a] = [d - columns, c - columns];
            mesh.triangles.extend([[a, c, d], [a, d, b]]);
        }
        // Round the edge, seen from above against the clock: along the highest z first.
        let edge = (0..columns).map(|x| (x, rows - 1));
        let edge = edge.chain((0..rows - 1).rev().map(|z| (columns - 1, z)));
        let edge = edge.chain((0..columns - 1).rev().map(|x| (x, 0)));
        let edge: Vec<u32> = edge.chain((1..rows - 1).map(|z| (0, z))).map(|(x, z)| z * columns + x).collect();
        let floor = self.range()[0] - 0.1 * self.size[0].max(self.size[1]);
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(
            edge.iter()
                .map(|&top| [mesh.positions[top as usize][0], floor, mesh.positions[top as usize][2]])
                .collect::<Vec<_>>(),
        );
        for i in 0..edge.len() {
            let next = (i + 1) % edge.len();
            let [foot, next_foot] = [i, next].map(|i| first + i as u32);
            mesh.triangles.extend([[edge[i], foot, next_foot], [edge[i], next_foot, edge[next]]]);
        }
        mesh
    }
}

/// The outward normal and the distance of a point: over the tangent plane of the bilinear interpolant below it, or over
/// a wall where that is nearer to coming out. Beyond the rectangle as beyond a grid of distances. x and z of `size` are
/// those of the rectangle. `shaders/colliders/heights.wgsl` is the same.
#[inline(always)]
pub(crate) fn nearest<R: Number>(field: &Field<R>, size: Vec3<R>, point: Vec3<R>) -> (Vec3<R>, R) {
    let half = size * R::from_f64(0.5);
    let held = [clamp(point.x, -half.x, half.x), clamp(point.z, -half.z, half.z)];
    let (normal, over) = over(field, size, held, point.y);
    // Or out of a wall, if that is nearer.
    let (side_x, side_z) = (sign(point.x), sign(point.z));
    let (wall_x, wall_z) = (point.x * side_x - half.x, point.z * side_z - half.z);
    let along_z = wall_z.greater(wall_x);
    let wall = greatest(wall_z, wall_x);
    let aside = Vec3 { x: R::select(along_z, zero(), side_x), y: zero(), z: R::select(along_z, side_z, zero()) };
    let walled = wall.greater(over);
    let (normal_inside, inside) = (either(walled, aside, normal), R::select(walled, wall, over));
    let away = Vec3 { x: point.x - held[0], y: zero(), z: point.z - held[1] };
    let outside = away.dot(away).greater(zero());
    if !R::any(outside) {
        return (normal_inside, inside);
    }
    let over = greatest(over, zero());
    let (direction, _) = (away + normal * over).direction_and_length();
    let distance = R::select(outside, away.dot(away) + over * over, R::from_f64(1.0)).sqrt();
    (either(outside, direction, normal_inside), R::select(outside, distance, inside))
}

/// The normal at a place of the rectangle, and how far above its tangent plane a height is.
#[inline(always)]
fn over<R: Number>(field: &Field<R>, size: Vec3<R>, flat: [R; 2], height: R) -> (Vec3<R>, R) {
    let [columns, rows, _] = field.nodes;
    let cells = [R::from_f64((columns - 1).into()), R::from_f64((rows - 1).into())];
    let one = R::from_f64(1.0);
    let (x, at_x) = R::between(place(flat[0], size.x, cells[0]), columns);
    let (z, at_z) = R::between(place(flat[1], size.z, cells[1]), rows);
    let node = R::further(x, z, columns);
    let (a, b) = (R::sample(field.samples, node, 0), R::sample(field.samples, node, 1));
    let (c, d) = (R::sample(field.samples, node, columns), R::sample(field.samples, node, columns + 1));
    let ends = [mix(a, b, at_x), mix(c, d, at_x)];
    let slope = [(mix(b, d, at_z) - mix(a, c, at_z)) * cells[0] / size.x, (ends[1] - ends[0]) * cells[1] / size.z];
    let up = Vec3 { x: -slope[0], y: one, z: -slope[1] };
    let steepness = one / up.length();
    (up * steepness, (height - mix(ends[0], ends[1], at_z)) * steepness)
}

/// In cells, from the rectangle's border on.
#[inline(always)]
fn place<R: Number>(flat: R, size: R, cells: R) -> R {
    clamp(flat / size + R::from_f64(0.5), zero(), R::from_f64(1.0)) * cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(nodes: [u32; 2], height: impl Fn(f64, f64) -> f64) -> HeightField {
        let size = [2.0, 4.0];
        let place = |i: u32, axis: usize| size[axis] * (f64::from(i) / f64::from(nodes[axis] - 1) - 0.5);
        let heights = (0..nodes[1]).flat_map(|z| (0..nodes[0]).map(move |x| (x, z)));
        let heights = heights.map(|(x, z)| height(place(x, 0), place(z, 1)) as f32).collect();
        HeightField::new(size, nodes, heights).expect("a field")
    }

    /// What is no field is none.
    #[test]
    fn faults_are_refused() {
        let of = |size: [f64; 2], nodes: [u32; 2], heights: Vec<f32>| HeightField::new(size, nodes, heights).is_some();
        assert!(of([1.0; 2], [2, 3], vec![0.0; 6]));
        for (size, nodes, heights) in [
            ([1.0; 2], [2, 3], vec![0.0; 5]),
            ([1.0; 2], [1, 3], vec![0.0; 3]),
            ([1.0; 2], [0, 0], vec![]),
            ([1.0, 0.0], [2, 2], vec![0.0; 4]),
            ([1.0, f64::INFINITY], [2, 2], vec![0.0; 4]),
            ([1.0; 2], [2, 2], vec![0.0, f32::NAN, 0.0, 0.0]),
        ] {
            assert!(!of(size, nodes, heights.clone()), "{size:?} {nodes:?} {heights:?}");
        }
    }

    /// Over a slope the distance and the normal are those of its plane; walls bound it, and beyond them the nearest is
    /// the wall or the edge.
    #[test]
    fn a_slope_in_closed_form() {
        let slope = field([5, 7], |x, z| 0.5 * x - 0.25 * z + 1.0);
        let length = (1.0f64 + 0.25 + 0.0625).sqrt();
        assert!((slope.steepest.hypot(1.0) - length).abs() < 1e-6);
        for point in [[0.3, 2.0, -1.1], [-0.9, 0.8, 0.2], [0.0, 1.5, 1.9]] {
            let (normal, distance) = slope.nearest(point);
            let expected = (point[1] - (0.5 * point[0] - 0.25 * point[2] + 1.0)) / length;
            // Heights are single precision.
            assert!((distance - expected).abs() < 1e-6, "{point:?}: {distance}, {expected}");
            let off = Vec3::from(normal) - Vec3::new(-0.5, 1.0, 0.25) * (1.0 / length);
            assert!(off.length() < 1e-6);
        }
        assert_eq!(slope.nearest([0.95, -3.0, 0.0]).0, [1.0, 0.0, 0.0]);
        assert!((slope.nearest([0.95, -3.0, 0.0]).1 + 0.05).abs() < 1e-12);
        assert_eq!(slope.nearest([0.0, -3.0, -2.5]), ([0.0, 0.0, -1.0], 0.5));
        let (normal, distance) = field([2, 2], |_, _| 0.0).nearest([4.0, 4.0, 0.0]);
        assert!((distance - 5.0).abs() < 1e-12 && (normal[0] - 0.6).abs() < 1e-12 && (normal[1] - 0.8).abs() < 1e-12);
    }

    /// What is drawn of it faces outwards: with a bottom it would enclose the volume under the heights.
    #[test]
    fn its_surface_faces_outwards() {
        let mut surface = field([4, 6], |x, z| 0.1 * x + 0.2 * z + 1.0).surface();
        let foot = surface.positions.iter().map(|position| position[1]).fold(f64::INFINITY, f64::min);
        let floor = field([4, 6], |_, _| foot);
        let below = floor.surface();
        let first = surface.positions.len() as u32;
        surface.positions.extend(&below.positions[..24]);
        surface.triangles.extend(below.triangles[..30].iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
        let volume = surface.signed_volume();
        // Heights are single precision.
        assert!((volume - 8.0 * (1.0 - foot)).abs() < 1e-5, "{volume}");
    }
}
