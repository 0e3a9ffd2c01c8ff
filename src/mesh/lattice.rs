//! The points of a cubic lattice inside of a closed surface.

use super::TriangleMesh;
use crate::math::Vec3;
use crate::math::closest::on_triangle;

/// Columns are looked at so much beside where they are, in spacings: edges of a mesh that was made along the axes run
/// through them.
const ASIDE: [f64; 2] = [1.8e-7, 3.1e-7];

/// A lattice in the middle of a box.
pub(crate) struct Lattice {
    /// How many points there are along each axis.
    pub counts: [usize; 3],
    first: [f64; 3],
    spacing: f64,
}

impl Lattice {
    /// As many points as fit between the bounds of a surface, no nearer to these than `margin`.
    pub fn within(surface: &TriangleMesh, spacing: f64, margin: f64) -> Self {
        let (low, high) = surface.bounding_box().unwrap_or_default();
        let room: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis] - 2.0 * margin);
        // What fits exactly fits, whatever rounding says.
        let steps = |room: f64| (room / spacing + 1e-9).floor();
        // A cast from a float saturates.
        let count = |room: f64| if steps(room) >= 0.0 { (steps(room) as usize).saturating_add(1) } else { 0 };
        Self {
            counts: room.map(count),
            first: std::array::from_fn(|axis| low[axis] + margin + 0.5 * (room[axis] - steps(room[axis]) * spacing)),
            spacing,
        }
    }

    fn along(&self, axis: usize, index: usize) -> f64 {
        self.first[axis] + self.spacing * index as f64
    }

    /// The indices along an axis between two coordinates.
    fn between(&self, axis: usize, low: f64, high: f64) -> std::ops::Range<usize> {
        let index = |x: f64| (x - self.first[axis]) / self.spacing;
        let last = index(high).floor();
        let end = if last < 0.0 { 0 } else { (last as usize).saturating_add(1).min(self.counts[axis]) };
        (index(low).ceil().max(0.0) as usize).min(end)..end
    }

    /// The points around which the surface winds, as often as it may, and that are no nearer to it than `margin`: along
    /// y, then z, then x.
    pub fn inside(&self, surface: &TriangleMesh, margin: f64) -> Vec<[f64; 3]> {
        let [rows, height, depth] = self.counts;
        let mut is_inside = vec![false; rows * height * depth];
        for (column, mut crossings) in self.crossings(surface).into_iter().enumerate() {
            crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (mut crossings, mut winding) = (crossings.into_iter().peekable(), 0);
            for (j, inside) in is_inside[column * height..][..height].iter_mut().enumerate() {
                while let Some((_, turn)) = crossings.next_if(|(y, _)| *y < self.along(1, j)) {
                    winding += turn;
                }
                *inside = winding != 0;
            }
        }
        self.leave_margin(surface, margin, &mut is_inside);
        let place = |point: usize| {
            let (column, j) = (point / height, point % height);
            [self.along(0, column / depth), self.along(1, j), self.along(2, column % depth)]
        };
        (0..is_inside.len()).filter(|&point| is_inside[point]).map(place).collect()
    }

    /// Where the surface crosses each column along y, and from which side.
    fn crossings(&self, surface: &TriangleMesh) -> Vec<Vec<(f64, i32)>> {
        let mut crossings = vec![Vec::new(); self.counts[0] * self.counts[2]];
        let aside = ASIDE.map(|share| share * self.spacing);
        for &triangle in &surface.triangles {
            let [a, b, c] = surface.corners(triangle);
            let (u, v) = (b - a, c - a);
            let area = u.x * v.z - u.z * v.x;
            if area == 0.0 {
                continue;
            }
            let ((x0, x1), (z0, z1)) = (span([a, b, c], |p| p.x), span([a, b, c], |p| p.z));
            for i in self.between(0, x0 - aside[0], x1) {
                for k in self.between(2, z0 - aside[1], z1) {
                    let (x, z) = (self.along(0, i) + aside[0] - a.x, self.along(2, k) + aside[1] - a.z);
                    let (s, t) = ((x * v.z - z * v.x) / area, (u.x * z - u.z * x) / area);
                    if s >= 0.0 && t >= 0.0 && s + t < 1.0 {
                        crossings[i * self.counts[2] + k]
                            .push((a.y + s * u.y + t * v.y, if area > 0.0 { 1 } else { -1 }));
                    }
                }
            }
        }
        crossings
    }

    /// Takes out what is nearer to the surface than `margin`.
    fn leave_margin(&self, surface: &TriangleMesh, margin: f64, is_inside: &mut [bool]) {
        // What lies just as far away as it may does not fall to rounding.
        let least = margin * margin * (1.0 - 1e-9);
        for &triangle in &surface.triangles {
            let corners = surface.corners(triangle);
            let range = |axis: usize, of: fn(Vec3<f64>) -> f64| {
                let (low, high) = span(corners, of);
                self.between(axis, low - margin, high + margin)
            };
            let [xs, ys, zs] = [range(0, |p| p.x), range(1, |p| p.y), range(2, |p| p.z)];
            for (i, k) in xs.flat_map(|i| zs.clone().map(move |k| (i, k))) {
                let column = (i * self.counts[2] + k) * self.counts[1];
                for j in ys.clone() {
                    if !is_inside[column + j] {
                        continue;
                    }
                    let p = Vec3::new(self.along(0, i), self.along(1, j), self.along(2, k));
                    let weights = on_triangle(p, corners);
                    let way = (0..3).fold(p, |way, corner| way - corners[corner] * weights[corner]);
                    is_inside[column + j] = way.dot(way) >= least;
                }
            }
        }
    }
}

/// The least and the largest of the corners' coordinates.
fn span(corners: [Vec3<f64>; 3], of: fn(Vec3<f64>) -> f64) -> (f64, f64) {
    let all = corners.map(of);
    (all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Cuboid, Sphere, Torus};

    /// A box has all that fit; a ball and a ring have what their equations say, but for what their flat triangles cut
    /// off.
    #[test]
    fn fills_what_is_closed() {
        let cuboid = Cuboid { cells: [2, 3, 1], size: [1.0, 0.5, 0.3] }.mesh();
        let lattice = Lattice::within(&cuboid, 0.1, 0.05);
        assert_eq!(lattice.counts, [10, 5, 3]);
        assert_eq!(lattice.inside(&cuboid, 0.05).len(), 150);
        assert_eq!(Lattice::within(&cuboid, 0.1, 0.2).counts, [7, 2, 0]);

        // What is enclosed twice is no hollow, and what is wound the other way within is.
        let two = |shift: f64, turned: bool| {
            let (mut mesh, mut other) = (cuboid.clone(), Cuboid { cells: [1; 3], size: [0.5, 0.25, 0.15] }.mesh());
            let first = mesh.positions.len() as u32;
            other.positions.iter_mut().for_each(|x| x[0] += shift);
            mesh.positions.extend(other.positions);
            let order = |[a, b, c]: [u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
            mesh.triangles.extend(other.triangles.into_iter().map(|t| order(t.map(|p| p + first))));
            Lattice::within(&mesh, 0.01, 0.0).inside(&mesh, 0.0).len() as f64 * 1e-6
        };
        let [outer, inner] = [0.15, 0.5 * 0.25 * 0.15];
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.1, "{found}, {expected}");
        near(two(0.0, false), outer);
        near(two(0.0, true), outer - inner);
        near(two(0.5, false), outer + 0.5 * inner);

        let inside = |mesh: &TriangleMesh, is: fn([f64; 3]) -> f64| {
            let margin = 0.04;
            let found = Lattice::within(mesh, 0.05, margin).inside(mesh, margin);
            // How deep each lies.
            assert!(found.iter().all(|&p| is(p) > margin), "one is outside");
            let all = Lattice::within(mesh, 0.05, margin);
            let [a, b, c] = all.counts;
            let points = (0..a).flat_map(|i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])));
            let places = points.map(|p| std::array::from_fn(|axis| all.along(axis, p[axis])));
            let deep = places.filter(|&p| is(p) > margin + 0.005).count();
            assert!(deep > 1000 && (deep..deep + deep / 5).contains(&found.len()), "{} of {deep}", found.len());
        };
        inside(&Sphere { radius: 0.6, segments: 60 }.mesh(), |[x, y, z]| 0.6 - (x * x + y * y + z * z).sqrt());
        let ring = Torus { radius: 0.6, tube_radius: 0.25, segments: 90, tube_segments: 45 };
        inside(&ring.mesh(), |[x, y, z]| 0.25 - ((x * x + z * z).sqrt() - 0.6).hypot(y));
    }
}
