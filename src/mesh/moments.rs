//! Mass, centre and inertia of solids, and few particles that have the same.

use super::TriangleMesh;
use crate::math::Vec3;
use crate::math::symmetric::eigen;

/// A symmetric matrix, or a lower triangle of one, by rows.
type Matrix = [[f64; 3]; 3];

/// How much there is of something, where its middle is, and how far it spreads from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    /// Volume of a solid, m³; the sum of the weights of points.
    pub whole: f64,
    /// m
    pub centre: Vec3<f64>,
    /// The mean of (x - c)(x - c)ᵀ, m². A mass M has the inertia M (tr S - S).
    pub spread: Matrix,
}

impl Moments {
    /// Of what a closed surface encloses, wound outwards, by its tetrahedra from one corner.
    pub fn of_solid(surface: &TriangleMesh) -> Self {
        let from = surface.positions.first().map_or(Vec3::zero(), |&x| x.into());
        let (mut whole, mut first, mut second) = (0.0, Vec3::zero(), Matrix::default());
        for &triangle in &surface.triangles {
            let corners = triangle.map(|vertex| Vec3::from(surface.positions[vertex as usize]) - from);
            let [a, b, c] = corners;
            let volume = a.dot(b.cross(c)) / 6.0;
            let sum = a + b + c;
            whole += volume;
            first += sum * (volume / 4.0);
            // The integral of x xᵀ over a tetrahedron with a corner at 0.
            for v in [sum, a, b, c] {
                add(&mut second, v, volume / 20.0);
            }
        }
        Self::about_mean(whole, first, second).moved(from)
    }

    /// Of points with weights.
    pub fn of_points(points: &[[f64; 3]], weights: &[f64]) -> Self {
        let from = points.first().map_or(Vec3::zero(), |&x| x.into());
        let (mut first, mut second) = (Vec3::zero(), Matrix::default());
        for (&x, &weight) in points.iter().zip(weights) {
            let x = Vec3::from(x) - from;
            first += x * weight;
            add(&mut second, x, weight);
        }
        Self::about_mean(weights.iter().sum(), first, second).moved(from)
    }

    /// Of a mass, kg, with this inertia about its centre, kg m².
    pub fn of_inertia(mass: f64, centre: Vec3<f64>, inertia: &Matrix) -> Self {
        let half_trace = 0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2]);
        let entry = |i: usize, j: usize| (if i == j { half_trace } else { 0.0 } - inertia[i][j]) / mass;
        Self { whole: mass, centre, spread: std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))) }
    }

    /// How far it spreads along its principal axes, m², and these axes.
    pub fn principal(&self) -> ([f64; 3], [[f64; 3]; 3]) {
        eigen(self.spread)
    }

    /// Why no solid has these moments, in words; `None` if one has.
    pub fn fault(&self) -> Option<String> {
        let (spread, _) = self.principal();
        let trace: f64 = spread.iter().sum();
        let inertias = spread.map(|along| self.whole * (trace - along));
        let [a, b, c] = inertias.map(|inertia| format!("{inertia:.3e}"));
        if inertias.iter().any(|&inertia| inertia <= 0.0) {
            return Some(format!(
                "is not positive definite: its principal moments are {a}, {b} and {c} kg m²; make all of them larger \
                 than 0"
            ));
        }
        spread.iter().any(|&along| along <= 0.0).then(|| {
            format!(
                "is of no solid: its principal moments are {a}, {b} and {c} kg m², and the largest must be below the \
                 sum of the other two; correct it"
            )
        })
    }

    fn about_mean(whole: f64, first: Vec3<f64>, mut second: Matrix) -> Self {
        let centre = first * (1.0 / whole);
        add(&mut second, centre, -whole);
        Self { whole, centre, spread: second.map(|row| row.map(|value| value / whole)) }
    }

    fn moved(self, by: Vec3<f64>) -> Self {
        Self { centre: self.centre + by, ..self }
    }

    /// What is left of a mass of 1 with these moments when this share of it has those of something else: where its
    /// middle is, and the lower triangle L of its spread L Lᵀ. `None` if nothing has such moments.
    fn rest(&self, share: f64, other: &Self) -> Option<(Vec3<f64>, Matrix)> {
        let left = 1.0 - share;
        let apart = other.centre - self.centre;
        let mut spread = self.spread;
        for (row, taken) in spread.iter_mut().zip(other.spread) {
            row.iter_mut().zip(taken).for_each(|(value, taken)| *value -= share * taken);
        }
        add(&mut spread, apart, -share - share * share / left);
        let spread = spread.map(|row| row.map(|value| value / left));
        Some((self.centre - apart * (share / left), lower(&spread)?))
    }

    /// Points of which those of `surface` take a share of the whole: four more, alike, that take the rest, so that all
    /// together have these moments. The share and the four; none if the surface alone is as wide as this.
    pub fn ballast(&self, surface: &Self) -> Option<(f64, [[f64; 3]; 4])> {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            *if self.rest(middle, surface).is_some() { &mut low } else { &mut high } = middle;
        }
        let share = low * SHARE;
        let (centre, l) = self.rest(share, surface)?;
        // The corners of a tetrahedron: the mean of v vᵀ is one.
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let place = |v: [f64; 3]| (centre + l_times(&l, v)).into();
        Some((share, corners.map(place)))
    }
}

/// Of the most that a surface can take of the mass of its solid: all of it would leave the rest flat.
const SHARE: f64 = 0.9;

/// Adds factor v vᵀ.
fn add(matrix: &mut Matrix, v: Vec3<f64>, factor: f64) {
    let v = <[f64; 3]>::from(v);
    for (row, a) in matrix.iter_mut().zip(v) {
        row.iter_mut().zip(v).for_each(|(value, b)| *value += factor * a * b);
    }
}

/// L of a positive matrix L Lᵀ (Cholesky).
fn lower(matrix: &Matrix) -> Option<Matrix> {
    let mut l = Matrix::default();
    for i in 0..3 {
        for j in 0..=i {
            let left = matrix[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i != j {
                l[i][j] = left / l[j][j];
            } else if left > 0.0 {
                l[i][i] = left.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(l)
}

fn l_times(l: &Matrix, v: [f64; 3]) -> Vec3<f64> {
    let row = |row: [f64; 3]| (0..3).map(|k| row[k] * v[k]).sum();
    l.map(row).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Cuboid, Sphere, Torus};

    fn close(found: Moments, whole: f64, centre: [f64; 3], spread: [f64; 3], tolerance: f64) {
        assert!((found.whole / whole - 1.0).abs() < tolerance, "{found:?}");
        assert!((found.centre - Vec3::from(centre)).length() < tolerance, "{found:?}");
        for (i, row) in found.spread.iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                let wanted = if i == j { spread[i] } else { 0.0 };
                assert!((value - wanted).abs() < tolerance * spread[i], "{found:?}");
            }
        }
    }

    fn moved(mut mesh: TriangleMesh, by: [f64; 3]) -> TriangleMesh {
        mesh.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|i| x[i] + by[i]));
        mesh
    }

    /// A box has a²/12 along each edge, a ball r²/5, and a ring (4R² + 3r²)/8 across its axis and r²/4 along it.
    #[test]
    fn solids_have_their_moments() {
        let at = [3.0, -2.0, 0.5];
        let cuboid = Cuboid { cells: [2, 3, 1], size: [1.0, 2.0, 0.5] }.mesh();
        close(
            Moments::of_solid(&moved(cuboid.clone(), at)),
            1.0,
            Moments::of_points(&moved(cuboid, at).positions, &[1.0; 24]).centre.into(),
            [1.0 / 12.0, 4.0 / 12.0, 0.25 / 12.0],
            1e-12,
        );
        let ball = moved(Sphere { radius: 0.5, segments: 200 }.mesh(), at);
        close(Moments::of_solid(&ball), std::f64::consts::PI / 6.0, at, [0.05; 3], 1e-3);
    }

    /// A surface with its ballast has the moments of the solid, whatever the solid is.
    #[test]
    fn ballast_makes_a_surface_a_solid() {
        let meshes = [
            Cuboid { cells: [1, 1, 1], size: [1.0, 2.0, 0.1] }.mesh(),
            Sphere { radius: 0.5, segments: 12 }.mesh(),
            Torus { radius: 1.0, tube_radius: 0.3, segments: 24, tube_segments: 10 }.mesh(),
        ];
        for mesh in meshes {
            let mesh = moved(mesh, [0.3, 0.2, -0.7]);
            let solid = Moments::of_solid(&mesh);
            let weights = mesh.vertex_areas();
            let surface = Moments::of_points(&mesh.positions, &weights);
            let (share, four) = solid.ballast(&surface).expect("a solid is narrower than its surface");
            assert!(share > 0.2 && share < 1.0, "{share}");
            let mut points = mesh.positions.clone();
            let mut masses: Vec<f64> = weights.iter().map(|weight| weight * share / surface.whole).collect();
            points.extend(four);
            masses.extend([0.25 * (1.0 - share); 4]);
            let all = Moments::of_points(&points, &masses);
            assert!((all.whole - 1.0).abs() < 1e-12);
            assert!((all.centre - solid.centre).length() < 1e-12);
            for (found, wanted) in all.spread.as_flattened().iter().zip(solid.spread.as_flattened()) {
                assert!((found - wanted).abs() < 1e-12, "{all:?} {solid:?}");
            }
        }
    }
}
