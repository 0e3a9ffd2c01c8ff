//! Surfaces that solids carry: finer than their tetrahedra, and what of them is drawn and exported.

use std::collections::BTreeMap;

use super::{TetrahedronMesh, TriangleMesh};
use crate::math::Vec3;

/// A surface whose vertices go along with tetrahedra of particles. It weighs nothing and touches nothing: particles do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The four particles that carry each vertex.
    pub anchors: Vec<[u32; 4]>,
    /// Each vertex's barycentric coordinates in the tetrahedron of its anchors. Their sum is 1; one that is negative
    /// belongs to a vertex outside.
    pub weights: Vec<[f64; 4]>,
    /// Triangles over the skin's own vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// Binds each vertex of a surface to the tetrahedron that contains it, or among those around to the one that it is
    /// least outside of: whose least barycentric coordinate is the largest. The solid needs a tetrahedron, and each
    /// some volume.
    pub fn new(surface: &TriangleMesh, solid: &TetrahedronMesh) -> Self {
        let around = Around::new(solid);
        let bonds = surface.positions.iter().map(|&position| around.bind(position.into()));
        let (anchors, weights) = bonds.map(|(tetrahedron, weights)| (solid.tetrahedra[tetrahedron], weights)).unzip();
        Self { anchors, weights, triangles: surface.triangles.clone() }
    }

    /// How many vertices it has.
    pub fn len(&self) -> usize {
        self.anchors.len()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.anchors.is_empty()
    }

    /// Vectors of the particles, positions or velocities, as they are at its vertices: x = xₐ + Σ w (x_b - xₐ).
    ///
    /// # Panics
    /// If it names a particle that has no vector.
    pub fn interpolate(&self, values: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let at = |(anchors, weights): (&[u32; 4], &[f64; 4])| {
            let [a, b, c, d] = anchors.map(|p| Vec3::from(values[p as usize]));
            (a + (b - a) * weights[1] + (c - a) * weights[2] + (d - a) * weights[3]).into()
        };
        self.anchors.iter().zip(&self.weights).map(at).collect()
    }
}

/// The tetrahedra of a solid by the places where they are.
struct Around {
    /// The first corner of each, and the gradients of the coordinates of the other three.
    frames: Vec<(Vec3<f64>, [Vec3<f64>; 3])>,
    /// m
    bin: f64,
    /// Which may be where, by their bounding boxes.
    bins: BTreeMap<[i64; 3], Vec<usize>>,
}

impl Around {
    fn new(solid: &TetrahedronMesh) -> Self {
        let corners = |t: &[u32; 4]| t.map(|p| Vec3::from(solid.positions[p as usize]));
        let frame = |[x, b, c, d]: [Vec3<f64>; 4]| {
            let (b, c, d) = (b - x, c - x, d - x);
            let inverse = 1.0 / b.cross(c).dot(d);
            (x, [c.cross(d) * inverse, d.cross(b) * inverse, b.cross(c) * inverse])
        };
        let lengths = solid.tetrahedra.iter().map(corners).map(|[a, b, ..]| (b - a).length());
        let bin = lengths.sum::<f64>() / solid.tetrahedra.len() as f64;
        let mut bins = BTreeMap::<_, Vec<usize>>::new();
        for (index, tetrahedron) in solid.tetrahedra.iter().enumerate() {
            let places = corners(tetrahedron).map(|corner| place(corner, bin));
            let [low, high] =
                [i64::min, i64::max].map(|of| places.into_iter().reduce(|a, b| each(a, b, of)).unwrap_or_default());
            for_each_place(low, high, |place| bins.entry(place).or_default().push(index));
        }
        Self { frames: solid.tetrahedra.iter().map(corners).map(frame).collect(), bin, bins }
    }

    fn bind(&self, position: Vec3<f64>) -> (usize, [f64; 4]) {
        let place = place(position, self.bin);
        let mut best = (0, self.weights(0, position));
        let mut found = false;
        // What contains it is in its own bin; what is nearest may be in one beside it.
        for reach in 0.. {
            for_each_place(place.map(|i| i - reach), place.map(|i| i + reach), |place| {
                for &index in self.bins.get(&place).into_iter().flatten() {
                    let weights = self.weights(index, position);
                    if !found || least(weights) > least(best.1) {
                        best = (index, weights);
                        found = true;
                    }
                }
            });
            if found && (reach > 0 || least(best.1) >= 0.0) {
                break;
            }
        }
        best
    }

    fn weights(&self, tetrahedron: usize, position: Vec3<f64>) -> [f64; 4] {
        let (first, gradients) = self.frames[tetrahedron];
        let [b, c, d] = gradients.map(|gradient| gradient.dot(position - first));
        [1.0 - b - c - d, b, c, d]
    }
}

fn least(weights: [f64; 4]) -> f64 {
    weights.into_iter().fold(f64::INFINITY, f64::min)
}

fn place(position: Vec3<f64>, bin: f64) -> [i64; 3] {
    <[f64; 3]>::from(position).map(|value| (value / bin).floor() as i64)
}

fn each(a: [i64; 3], b: [i64; 3], of: fn(i64, i64) -> i64) -> [i64; 3] {
    std::array::from_fn(|i| of(a[i], b[i]))
}

fn for_each_place(low: [i64; 3], high: [i64; 3], mut visit: impl FnMut([i64; 3])) {
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            (low[2]..=high[2]).for_each(|z| visit([x, y, z]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Cuboid, Sphere};

    /// Whatever affine motion the particles make, the skin makes it too, also where it is outside; its vertices are
    /// inside the tetrahedra that they are bound to where the solid contains them.
    #[test]
    fn a_skin_goes_along() {
        let solid = Cuboid { cells: [4, 5, 3], size: [1.0, 1.2, 0.8] }.solid();
        for (radius, inside) in [(0.39, true), (0.6, false)] {
            let surface = Sphere { radius, segments: 20 }.mesh();
            let skin = Skin::new(&surface, &solid);
            let outside = skin.weights.iter().filter(|&&weights| least(weights) < -1e-12).count();
            assert_eq!(outside == 0, inside, "{outside} vertices outside");
            assert!(skin.weights.iter().all(|weights| (weights.iter().sum::<f64>() - 1.0).abs() < 1e-12));
            let moved = |[x, y, z]: [f64; 3]| [2.0 * x + y - 3.0, 0.5 * y - z, 0.1 * x + z + 7.0];
            let particles: Vec<[f64; 3]> = solid.positions.iter().map(|&x| moved(x)).collect();
            for (found, &at) in skin.interpolate(&particles).into_iter().zip(&surface.positions) {
                let expected = moved(at);
                assert!((0..3).all(|i| (found[i] - expected[i]).abs() < 1e-12), "{found:?} {expected:?}");
            }
        }
    }
}
