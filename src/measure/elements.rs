//! Strain and stress of elements, the constraints that hold a piece of a solid or a sheet to its rest shape
//! ([`Constraint::SHAPE`](crate::constraint::Constraint::SHAPE)): what heat maps, reports and exports tell.
//!
//! With B the inverse of the rest shape, F = [x₁ - x₀, x₂ - x₀, x₃ - x₀] B; of a triangle the unit normal stands for
//! the third edge, now and at rest. An element's **strain** is the largest |s - 1| of its principal stretches s, which
//! are the singular values of F, the least of them negative where the element is inside out (Irving, Teran and Fedkiw,
//! Invertible Finite Elements, 2004).
//!
//! Its **stress** is that of its energy Σ C²/2α, whatever the kind: such an element is linear, so that Cauchy's stress
//! times the volume v is Σᵢ ∂U/∂xᵢ ⊗ xᵢ,
//!
//!   σ = 1/v Σ C/α Σᵢ ∇ᵢC ⊗ (xᵢ - x₀),    told as von Mises' √(3/2 s:s), s = σ - tr σ/3
//!
//! It is elastic: that of damping is not in it. An element that is flattened to less than a millionth of its volume at
//! rest has the stress of that volume: what acts in none is no number. `shaders/heat/` does the same on the device.

use crate::math::Vec3;
use crate::model::{Group, Material, Mode, Model, Side, State};

/// Below one by more than what rounds.
const SURELY: f64 = 1.0 - 1e-12;

/// The least share of its volume at rest in which an element's stress acts.
const FLATTEST: f64 = 1e-6;

/// An element that is whole.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Index into [`Model::groups`].
    pub group: usize,
    /// Index in the group.
    pub constraint: usize,
    /// Rows of B, 1/m; of a triangle the last is (0, 0, 1).
    pub inverse: [[f64; 3]; 3],
    /// Volume at rest, m³; of a triangle the area, m².
    pub size: f64,
}

/// Every element of a model that is whole in a state, and not flat at rest. Where surfaces tear, `model` is that of
/// [`Model::torn`]. The empty state is that of the beginning.
pub fn elements(model: &Model, state: &State) -> impl Iterator<Item = Element> {
    model.groups.iter().enumerate().filter_map(|(index, of)| Some((index, of, of.kind.shape()?))).flat_map(
        move |(index, of, first)| {
            let whole = move |&constraint: &usize| state.is_whole(model, index, constraint);
            (0..of.len()).filter(whole).filter_map(move |constraint| Element::of(of, index, constraint, first))
        },
    )
}

impl Element {
    /// That of a constraint of a group of this index, whose shape begins at `first` of its rest values; `None` where it
    /// is flat.
    pub(crate) fn of(of: &Group, group: usize, constraint: usize, first: usize) -> Option<Self> {
        let rest = &of.rest_of(constraint)[first..];
        let is_triangle = of.kind.is_sheet();
        let inverse = match is_triangle {
            true => [[rest[0], rest[1], 0.0], [rest[2], rest[3], 0.0], [0.0, 0.0, 1.0]],
            false => std::array::from_fn(|row| std::array::from_fn(|column| rest[3 * row + column])),
        };
        let [a, b, c] = inverse.map(Vec3::from);
        let simplices = if is_triangle { 2.0 } else { 6.0 };
        let size = 1.0 / (simplices * a.cross(b).dot(c)).abs();
        size.is_finite().then_some(Self { group, constraint, inverse, size })
    }

    /// The particles that it joins: four of a tetrahedron, three of a triangle.
    pub fn particles<'m>(&self, model: &'m Model) -> &'m [u32] {
        model.groups[self.group].particles_of(self.constraint)
    }

    /// The largest |s - 1| of its principal stretches at these positions, m.
    ///
    /// # Panics
    /// If `positions` lacks one of its particles.
    pub fn strain(&self, model: &Model, positions: &[[f64; 3]]) -> f64 {
        self.strain_beyond(0.0, model, positions)
    }

    /// The strain where it is more than `most`, else that. Few are more than the largest so far, and for most others
    /// the eigenvalues, half of what they take, need not be found: with |s² - 1| ≤ e, the Frobenius norm of FᵀF - 1,
    /// |s - 1| is at most 1 - √(1 - e), where e < 1 and F is not inside out.
    pub(crate) fn strain_beyond(&self, most: f64, model: &Model, positions: &[[f64; 3]]) -> f64 {
        let x = |p: u32| Vec3::from(positions[p as usize]);
        let particles = self.particles(model);
        let first = x(particles[0]);
        let (a, b) = (x(particles[1]) - first, x(particles[2]) - first);
        let c = match particles.get(3) {
            Some(&last) => x(last) - first,
            None => a.cross(b).direction_and_length().0,
        };
        let column = |k: usize| a * self.inverse[0][k] + b * self.inverse[1][k] + c * self.inverse[2][k];
        let f = [column(0), column(1), column(2)];
        let inside_out = f[0].dot(f[1].cross(f[2])) < 0.0;
        let strain = Green::of(f);
        let no_more = 1.0 - (1.0 - most.min(1.0)).powi(2);
        if !inside_out && strain.squared() < no_more * no_more * SURELY {
            return most;
        }
        let [longest, shortest] = strain.extremes().map(|eigenvalue| (1.0 + eigenvalue).max(0.0).sqrt());
        let shortest = if inside_out { -shortest } else { shortest };
        (longest - 1.0).abs().max((shortest - 1.0).abs()).max(most)
    }

    /// Von Mises' stress in a state, Pa. `None` where its material tells none: rigid, one-sided, or in PBD mode; and of
    /// triangles, whose stress has no volume to act in.
    ///
    /// # Panics
    /// If the state is one of another model.
    pub fn stress(&self, model: &Model, state: &State) -> Option<f64> {
        let group = &model.groups[self.group];
        let mut virial = self.virial(model, &state.positions)?;
        let rest = state.rest_of(model, self.group, self.constraint);
        let mut gradient = Vec::new();
        for component in 0..group.kind.components() {
            let material = &model.materials[group.material_of(self.constraint, component) as usize];
            let value = modulus(model.settings.mode, material)?
                * group.evaluate(self.constraint, component, rest, &state.positions, &mut gradient);
            virial = virial.with(value, &gradient);
        }
        Some(virial.von_mises())
    }

    /// That of no forces yet; `None` of a triangle.
    pub(crate) fn virial(&self, model: &Model, positions: &[[f64; 3]]) -> Option<Virial> {
        let &[x0, x1, x2, x3] = self.particles(model) else { return None };
        let [x0, x1, x2, x3] = [x0, x1, x2, x3].map(|p| Vec3::from(positions[p as usize]));
        let edges = [x1 - x0, x2 - x0, x3 - x0];
        let volume = edges[0].dot(edges[1].cross(edges[2])).abs() / 6.0;
        Some(Virial { edges, volume: volume.max(FLATTEST * self.size), sum: [[0.0; 3]; 3] })
    }
}

/// vσ of a tetrahedron, while the components of its energy are gone through.
#[derive(Clone, Copy)]
pub(crate) struct Virial {
    edges: [Vec3<f64>; 3],
    /// v, m³.
    volume: f64,
    sum: [[f64; 3]; 3],
}

impl Virial {
    /// With a component of this C/α, Pa, and gradient.
    pub fn with(mut self, value: f64, gradient: &[Vec3<f64>]) -> Self {
        for (force, edge) in gradient[1..].iter().zip(self.edges) {
            let (force, edge) = (<[f64; 3]>::from(*force * value), <[f64; 3]>::from(edge));
            (0..9).for_each(|i| self.sum[i / 3][i % 3] += force[i / 3] * edge[i % 3]);
        }
        self
    }

    /// Von Mises' stress, Pa.
    pub fn von_mises(&self) -> f64 {
        von_mises(self.sum) / self.volume
    }
}

/// 1/α of a material, Pa, where it tells a stress.
pub(crate) fn modulus(mode: Mode, material: &Material) -> Option<f64> {
    let elastic = material.compliance > 0.0 && material.side == Side::Both && mode == Mode::Xpbd;
    elastic.then(|| 1.0 / material.compliance)
}

/// FᵀF - 1, twice Green's strain: what is on its diagonal and beside it.
struct Green {
    diagonal: [f64; 3],
    beside: [f64; 3],
}

impl Green {
    /// By the columns of F.
    fn of(f: [Vec3<f64>; 3]) -> Self {
        let diagonal = f.map(|column| column.dot(column) - 1.0);
        Self { diagonal, beside: [f[1].dot(f[2]), f[2].dot(f[0]), f[0].dot(f[1])] }
    }

    /// The square of its Frobenius norm.
    fn squared(&self) -> f64 {
        let sum = |[a, b, c]: [f64; 3]| a * a + b * b + c * c;
        sum(self.diagonal) + 2.0 * sum(self.beside)
    }

    /// Its largest and its least eigenvalue (Smith, Eigenvalues of a symmetric 3 × 3 matrix, 1961).
    fn extremes(&self) -> [f64; 2] {
        let ([a, b, c], [s, t, u]) = (self.diagonal, self.beside);
        let mean = (a + b + c) / 3.0;
        let [a, b, c] = [a, b, c].map(|value| value - mean);
        let size = ((a * a + b * b + c * c + 2.0 * (s * s + t * t + u * u)) / 6.0).sqrt();
        // Its cube must not be 0.
        if size < 1e-100 {
            return [mean; 2];
        }
        let determinant = a * b * c + 2.0 * s * t * u - (a * s * s + b * t * t + c * u * u);
        let angle = (0.5 * determinant / (size * size * size)).clamp(-1.0, 1.0).acos() / 3.0;
        [angle, angle + 2.0 * std::f64::consts::FRAC_PI_3].map(|angle| mean + 2.0 * size * angle.cos())
    }
}

fn von_mises(s: [[f64; 3]; 3]) -> f64 {
    let normal = (s[0][0] - s[1][1]).powi(2) + (s[1][1] - s[2][2]).powi(2) + (s[2][2] - s[0][0]).powi(2);
    (0.5 * normal + 3.0 * (s[0][1].powi(2) + s[1][2].powi(2) + s[2][0].powi(2))).sqrt()
}

/// Strain and stress at the particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// One per particle of the state.
    pub strain: Vec<Option<f64>>,
    /// Pa, one per particle of the state.
    pub stress: Vec<Option<f64>>,
}

impl Fields {
    /// The mean over the whole elements at each particle, weighted by their size at rest; `None` where there is none
    /// that tells. Where surfaces tear, `model` is that of [`Model::torn`].
    ///
    /// # Panics
    /// If the state is one of another model.
    pub fn of(model: &Model, state: &State) -> Self {
        let mut sums = [vec![[0.0; 2]; state.positions.len()], vec![[0.0; 2]; state.positions.len()]];
        for element in elements(model, state) {
            let values = [Some(element.strain(model, &state.positions)), element.stress(model, state)];
            for (sums, value) in sums.iter_mut().zip(values) {
                for (&p, value) in element.particles(model).iter().flat_map(|p| value.map(|value| (p, value))) {
                    sums[p as usize][0] += element.size * value;
                    sums[p as usize][1] += element.size;
                }
            }
        }
        let [strain, stress] = sums
            .map(|sums| sums.into_iter().map(|[sum, weight]| (weight > 0.0).then(|| sum / weight)).collect::<Vec<_>>());
        Self { strain, stress }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Body, Cuboid, Scene, Soft};

    /// The larger of the strain and any other number, whether eigenvalues are found for it or not: of elements hardly
    /// and much deformed, flattened and inside out.
    #[test]
    fn strain_beyond_is_the_larger() {
        let cube = Soft::new(Cuboid { cells: [1, 1, 1], size: [1.0; 3] }).young_modulus(1e5).poisson_ratio(0.3);
        let model = Scene::new("cube").with(Body::soft(cube).density(1000.0)).build().unwrap().model;
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 23) - 1.0
        };
        for size in [1e-9, 1e-3, 0.1, 0.5, 2.0] {
            for _ in 0..20 {
                let moved = |&x: &[f64; 3]| x.map(|x| x + size * random());
                let positions: Vec<[f64; 3]> = model.particles.positions.iter().map(moved).collect();
                for element in elements(&model, &State::default()) {
                    let strain = element.strain(&model, &positions);
                    for most in [0.0, 0.5 * strain, strain, 1.5 * strain, 3.0 * strain, 0.9, 1.0, 1.1] {
                        let beyond = element.strain_beyond(most, &model, &positions);
                        assert_eq!(beyond, strain.max(most), "{size}: {strain} and {most}");
                    }
                }
            }
        }
    }
}
