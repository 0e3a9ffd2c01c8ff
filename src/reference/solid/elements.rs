//! Linear tetrahedra: the gradient of the displacement, H = Σ uᵢ ⊗ ∇Nᵢ over the corners, is the same all over one, so
//! that its energy is V ψ(H), and the force at a corner -V P ∇Nᵢ (Bonet and Wood, Nonlinear Continuum Mechanics for
//! Finite Element Analysis, 2008, chapter 9).

use super::super::newton::{Potential, Product, Vectors};
use super::law::Elastic;
use super::matrix::Matrix;
use crate::math::Vec3;
use crate::mesh::TetrahedronMesh;

pub struct Elements {
    elastic: Elastic,
    /// At rest, m.
    rest: Vectors,
    all: Vec<Element>,
    /// Each once, the lower vertex first, ascending.
    edges: Vec<[u32; 2]>,
}

struct Element {
    corners: [usize; 4],
    /// ∇N of each corner, 1/m.
    slopes: [Vec3<f64>; 4],
    /// m³
    volume: f64,
}

impl Elements {
    pub fn new(mesh: &TetrahedronMesh, elastic: Elastic) -> Self {
        let rest: Vectors = mesh.positions.iter().map(|&x| x.into()).collect();
        let all = mesh.tetrahedra.iter().map(|corners| Element::new(&rest, corners.map(|c| c as usize))).collect();
        Self { elastic, all, edges: mesh.edges(), rest }
    }

    /// m, from where each vertex is at rest.
    pub fn displacements(&self, x: &[Vec3<f64>]) -> impl Iterator<Item = Vec3<f64>> {
        x.iter().zip(&self.rest).map(|(&x, &rest)| x - rest)
    }

    /// The displacement gradient of each element with the element.
    fn strained<'a>(&'a self, x: &'a [Vec3<f64>]) -> impl Iterator<Item = (&'a Element, Matrix)> {
        self.all.iter().map(|element| {
            let moved = |(&corner, &slope): (&usize, &Vec3<f64>)| Matrix::outer(x[corner] - self.rest[corner], slope);
            let each = element.corners.iter().zip(&element.slopes).map(moved);
            (element, each.fold(Matrix::zero(), |sum, matrix| sum + matrix))
        })
    }

    /// ∇²U at x.
    fn assemble(&self, x: &[Vec3<f64>]) -> Tangent<'_> {
        let zeros = |count: usize| vec![Matrix::zero(); count];
        let mut sum = Tangent { edges: &self.edges, at: zeros(x.len()), across: zeros(self.edges.len()) };
        for (element, h) in self.strained(x) {
            for (b, &second) in element.corners.iter().enumerate() {
                // By the corner's ways along the axes.
                let changes = [0, 1, 2].map(|axis| {
                    self.elastic.stress_change(h, Matrix::outer(Vec3::axis(axis), element.slopes[b])) * element.volume
                });
                for (a, &first) in element.corners.iter().enumerate().filter(|&(_, &first)| first <= second) {
                    let block = Matrix(changes.map(|change| change * element.slopes[a]));
                    match self.edges.binary_search(&[first as u32, second as u32]) {
                        Ok(edge) => sum.across[edge] += block,
                        Err(_) => sum.at[first] += block,
                    }
                }
            }
        }
        sum
    }
}

impl Element {
    fn new(rest: &[Vec3<f64>], corners: [usize; 4]) -> Self {
        let edges = Matrix([1, 2, 3].map(|k| rest[corners[k]] - rest[corners[0]]));
        let six_volumes = edges.determinant();
        let [a, b, c] = edges.cofactor().0.map(|slope| slope * (1.0 / six_volumes));
        Self { corners, slopes: [-(a + b + c), a, b, c], volume: six_volumes / 6.0 }
    }
}

/// ∇²U, symmetric, of 3 × 3 blocks.
struct Tangent<'a> {
    edges: &'a [[u32; 2]],
    /// On the diagonal.
    at: Vec<Matrix>,
    /// For each edge that in the row of its first vertex.
    across: Vec<Matrix>,
}

impl Tangent<'_> {
    fn blocks(&self) -> impl Iterator<Item = ([usize; 2], Matrix)> {
        self.edges.iter().zip(&self.across).map(|(edge, &block)| (edge.map(|vertex| vertex as usize), block))
    }

    fn product(&self, p: &[Vec3<f64>]) -> Vectors {
        let mut sum: Vectors = self.at.iter().zip(p).map(|(&block, &p)| block * p).collect();
        for ([a, b], block) in self.blocks() {
            sum[a] += block * p[b];
            sum[b] += block.transpose() * p[a];
        }
        sum
    }
}

impl Potential for Elements {
    fn energy(&self, x: &[Vec3<f64>]) -> f64 {
        self.strained(x).map(|(element, h)| element.volume * self.elastic.energy(h)).sum()
    }

    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors {
        let mut sum = vec![Vec3::zero(); x.len()];
        for (element, h) in self.strained(x) {
            let stress = self.elastic.stress(h) * element.volume;
            element.corners.iter().zip(element.slopes).for_each(|(&corner, slope)| sum[corner] += stress * slope);
        }
        sum
    }

    fn tangent<'a>(&'a self, x: &'a [Vec3<f64>]) -> Product<'a> {
        let tangent = self.assemble(x);
        Box::new(move |p| tangent.product(p))
    }

    fn stiffness(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        let size = |block: Matrix| block.inner(block).sqrt();
        let tangent = self.assemble(x);
        let mut sum: Vec<f64> = tangent.at.iter().map(|&block| size(block)).collect();
        for (edge, block) in tangent.blocks() {
            edge.into_iter().for_each(|vertex| sum[vertex] += size(block));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::law::Law;
    use super::*;

    /// Two tetrahedra with a face in common.
    fn elements(law: Law) -> Elements {
        let positions = vec![[0.0; 3], [1.0, 0.1, 0.0], [0.2, 1.1, 0.0], [0.0, 0.3, 0.9], [1.0, 1.2, 1.1]];
        let mesh = TetrahedronMesh { positions, tetrahedra: vec![[0, 1, 2, 3], [1, 4, 2, 3]] };
        assert!(mesh.tetrahedra.iter().all(|&t| mesh.volume_of(t) > 0.0));
        Elements::new(&mesh, Elastic { law, young_modulus: 100.0, poisson_ratio: 0.3 })
    }

    fn waves(k: i32, size: f64) -> Vectors {
        let wave = |i: i32, k: i32| size * f64::from(i * i * 7 + i * 3 * (k + 1) + k * 5).sin();
        (0..5).map(|i| Vec3::new(wave(i, k), wave(i, k + 1), wave(i, k + 2))).collect()
    }

    fn moved(x: &[Vec3<f64>], way: &[Vec3<f64>], by: f64) -> Vectors {
        x.iter().zip(way).map(|(&x, &way)| x + way * by).collect()
    }

    fn inner(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
        a.iter().zip(b).map(|(&a, &b)| a.dot(b)).sum()
    }

    const LAWS: [Law; 2] = [Law::StVenantKirchhoff, Law::NeoHookean];

    /// The gradient is the change of the energy, and the tangent that of the gradient, at places strained by a tenth,
    /// by one, and by so much that elements are inside out. Differences over 1e-5 m are off by 2e-11 of the third
    /// derivative, which at small strains is up to a thousand times the first, and rounded by 1e-11.
    #[test]
    fn tangents_are_changes_of_gradients_and_gradients_of_energies() {
        for law in LAWS {
            let elements = elements(law);
            for strain in [0.1, 1.0, 3.0] {
                let (x, way) = (moved(&elements.rest, &waves(1, strain), 1.0), waves(4, 1.0));
                let step = 1e-5;
                let [ahead, behind] = [step, -step].map(|by| moved(&x, &way, by));
                let rise = (elements.energy(&ahead) - elements.energy(&behind)) / (2.0 * step);
                let slope = inner(&elements.gradient(&x), &way);
                assert!((rise / slope - 1.0).abs() < 1e-7, "{law:?} at {strain}: {rise} for {slope}");
                let product = elements.tangent(&x)(&way);
                let change = moved(&elements.gradient(&ahead), &elements.gradient(&behind), -1.0);
                let error = moved(&change, &product, -2.0 * step);
                let share = (inner(&error, &error) / inner(&change, &change)).sqrt();
                assert!(share < 1e-7, "{law:?} at {strain}: {share:.1e}");
            }
        }
    }

    /// Turned and moved as a whole an element is at rest.
    #[test]
    fn rotations_cost_nothing() {
        for law in LAWS {
            let elements = elements(law);
            let (sin, cos) = 0.7_f64.sin_cos();
            let turned = |x: &Vec3<f64>| Vec3::new(cos * x.x - sin * x.y + 5.0, sin * x.x + cos * x.y, x.z - 2.0);
            let x: Vectors = elements.rest.iter().map(turned).collect();
            assert!(elements.energy(&x).abs() < 1e-12 && inner(&elements.gradient(&x), &elements.gradient(&x)) < 1e-24);
        }
    }

    /// At small strains both laws are linear elasticity, σ = 2μ ε + λ tr ε I, to first order in them: halved, they
    /// leave half.
    #[test]
    fn small_strains_are_linear_elasticity() {
        let (mu, lambda) = (100.0 / 2.6, 100.0 * 0.3 / (1.3 * 0.4));
        for law in LAWS {
            let elastic = Elastic { law, young_modulus: 100.0, poisson_ratio: 0.3 };
            let error = |size: f64| {
                let h = Matrix([0, 1, 2].map(|k| waves(2, size)[k]));
                let strain = (h + h.transpose()) * 0.5;
                let linear = strain * (2.0 * mu) + Matrix::identity() * (lambda * strain.trace());
                let energy = elastic.energy(h) / (0.5 * linear.inner(strain)) - 1.0;
                let wrong = elastic.stress(h) - linear;
                [energy.abs(), (wrong.inner(wrong) / linear.inner(linear)).sqrt()]
            };
            let (whole, half) = (error(1e-6), error(5e-7));
            for (whole, half) in whole.into_iter().zip(half) {
                assert!(whole < 1e-5, "{law:?}: off by {whole:.1e} at strains of 1e-6");
                assert!(
                    (whole / half - 2.0).abs() < 1e-3,
                    "{law:?}: {whole:.1e}, and {half:.1e} at half of the strain"
                );
            }
        }
    }
}
