//! The constraints of a model as springs of energy C²/2α: their energy, its gradient, and the exact product of its
//! second derivative with a vector, which dual numbers give for every kind from the gradient that the kind has anyway.

use super::super::newton::{Potential, Product, Vectors};
use crate::math::{Dual, Vec3};
use crate::model::{Group, Model, Multiplier};

/// The springs of a model, each component of a constraint one of them. Compliances must be above 0.
#[derive(Clone, Copy)]
pub(super) struct Springs<'a> {
    model: &'a Model,
}

/// A component of a constraint with its compliance.
struct Spring<'a> {
    group: &'a Group,
    constraint: usize,
    component: usize,
    compliance: f64,
}

impl<'a> Springs<'a> {
    pub fn of(model: &'a Model) -> Self {
        Self { model }
    }

    fn all(self) -> impl Iterator<Item = Spring<'a>> {
        self.model.groups.iter().flat_map(move |group| self.of_group(group))
    }

    fn of_group(self, group: &'a Group) -> impl Iterator<Item = Spring<'a>> {
        (0..group.len()).flat_map(move |constraint| {
            (0..group.kind.components()).map(move |component| {
                let material = group.material_of(constraint, component);
                let compliance = self.model.materials[material as usize].compliance;
                Spring { group, constraint, component, compliance }
            })
        })
    }

    /// The multipliers with which C + α̃ λ = 0, a list for each group.
    pub fn multipliers(self, x: &[Vec3<f64>]) -> Vec<Vec<Multiplier>> {
        let h = self.model.settings.substep_seconds();
        let mut gradient = Vec::new();
        let mut multiplier = |spring: Spring| {
            let last = -spring.value(x, &mut gradient) * h * h / spring.compliance;
            Multiplier { last, mean: last, broken: false }
        };
        self.model.groups.iter().map(|group| self.of_group(group).map(&mut multiplier).collect()).collect()
    }
}

impl Potential for Springs<'_> {
    /// U = Σ C²/2α, J.
    fn energy(&self, x: &[Vec3<f64>]) -> f64 {
        let mut gradient = Vec::new();
        self.all().map(|spring| spring.value(x, &mut gradient).powi(2) / (2.0 * spring.compliance)).sum()
    }

    /// ∇U = Σ C ∇C/α, N: the forces with their sign turned.
    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors {
        let mut sum = vec![Vec3::zero(); x.len()];
        let mut gradient = Vec::new();
        for spring in self.all() {
            let tension = spring.value(x, &mut gradient) / spring.compliance;
            for (&particle, &slope) in spring.group.particles_of(spring.constraint).iter().zip(&gradient) {
                sum[particle as usize] += slope * tension;
            }
        }
        sum
    }

    /// ∇²U p = Σ (∇C (∇C·p) + C ∇²C p)/α, N: the change of ∇U along p, geometric term included.
    /// Conjugate gradients take hundreds of products with one matrix: of small constraints it is stored, of large ones
    /// only products are taken.
    fn tangent<'b>(&'b self, x: &'b [Vec3<f64>]) -> Product<'b> {
        let (small, large): (Vec<_>, Vec<_>) = self.all().partition(|spring| spring.particles().len() <= 4);
        let blocks = blocks(&small, x);
        Box::new(move |p| {
            let mut sum = vec![Vec3::zero(); x.len()];
            for Block { row, column, by } in &blocks {
                let Vec3 { x, y, z } = p[*column as usize];
                sum[*row as usize] += by[0] * x + by[1] * y + by[2] * z;
            }
            let mut places = Places::default();
            large.iter().for_each(|spring| spring.add_product(x, p, &mut places, &mut sum));
            sum
        })
    }

    /// For each particle Σ |∇C| Σ|∇C|/α.
    fn stiffness(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        let mut sum = vec![0.0; x.len()];
        let mut gradient = Vec::new();
        for spring in self.all() {
            spring.value(x, &mut gradient);
            let total: f64 = gradient.iter().map(|slope| slope.length()).sum();
            for (&particle, slope) in spring.group.particles_of(spring.constraint).iter().zip(&gradient) {
                sum[particle as usize] += slope.length() * total / spring.compliance;
            }
        }
        sum
    }
}

/// What ∇U at a particle changes by as another moves along each axis, N/m.
struct Block {
    row: u32,
    column: u32,
    by: [Vec3<f64>; 3],
}

/// The second derivative of the energy of all, row by row, one block for each particle with each.
fn blocks(springs: &[Spring], x: &[Vec3<f64>]) -> Vec<Block> {
    let mut places = Places::default();
    let mut blocks = Vec::new();
    springs.iter().for_each(|spring| spring.push_blocks(x, &mut places, &mut blocks));
    // Those of one place in the order of the springs, so that their sum has always the same bits.
    blocks.sort_by_key(|block| (block.row, block.column));
    blocks.dedup_by(|next, kept| {
        let same = (next.row, next.column) == (kept.row, kept.column);
        if same {
            kept.by.iter_mut().zip(next.by).for_each(|(sum, more)| *sum += more);
        }
        same
    });
    blocks
}

/// Of the particles of a constraint, by dual numbers; kept for the next one.
#[derive(Default)]
struct Places {
    of: Vec<Vec3<Dual>>,
    rest: Vec<Dual>,
    gradient: Vec<Vec3<Dual>>,
}

impl Spring<'_> {
    fn particles(&self) -> &[u32] {
        self.group.particles_of(self.constraint)
    }

    /// The change of ∇U as the particles move, at each of them, N. The places are theirs with their changes.
    fn change<'b>(&'b self, places: &'b mut Places) -> impl Iterator<Item = Vec3<f64>> + 'b {
        let Places { of, rest, gradient } = places;
        rest.clear();
        let values = self.group.all_rest_of(self.constraint, self.group.rest_of(self.constraint));
        rest.extend(values.iter().map(|&rest| Dual::new(rest, 0.0)));
        gradient.resize(of.len(), Vec3::zero());
        let value = self.group.at_particles(self.constraint, of, gradient, |x, gradient| {
            self.group.kind.evaluate_dual(rest, self.component, x, gradient)
        });
        gradient.iter().map(move |&slope| derivative(slope * value) * (1.0 / self.compliance))
    }

    /// Adds what the second derivative makes of p.
    fn add_product(&self, x: &[Vec3<f64>], p: &[Vec3<f64>], places: &mut Places, sum: &mut [Vec3<f64>]) {
        places.of.clear();
        places.of.extend(self.particles().iter().map(|&i| dual(x[i as usize], p[i as usize])));
        self.particles().iter().zip(self.change(places)).for_each(|(&i, change)| sum[i as usize] += change);
    }

    /// Appends the second derivative.
    fn push_blocks(&self, x: &[Vec3<f64>], places: &mut Places, blocks: &mut Vec<Block>) {
        let particles = self.particles();
        for &column in particles {
            let first = blocks.len();
            blocks.extend(particles.iter().map(|&row| Block { row, column, by: [Vec3::zero(); 3] }));
            for axis in 0..3 {
                let change = |i| if i == column { Vec3::axis(axis) } else { Vec3::zero() };
                places.of.clear();
                places.of.extend(particles.iter().map(|&i| dual(x[i as usize], change(i))));
                blocks[first..].iter_mut().zip(self.change(places)).for_each(|(block, by)| block.by[axis] = by);
            }
        }
    }

    /// C, with its gradient.
    fn value(&self, x: &[Vec3<f64>], gradient: &mut Vec<Vec3<f64>>) -> f64 {
        self.group.evaluate(self.constraint, self.component, self.group.rest_of(self.constraint), x, gradient)
    }
}

/// A place and its change.
fn dual(x: Vec3<f64>, change: Vec3<f64>) -> Vec3<Dual> {
    Vec3::new(Dual::new(x.x, change.x), Dual::new(x.y, change.y), Dual::new(x.z, change.z))
}

fn derivative(v: Vec3<Dual>) -> Vec3<f64> {
    Vec3::new(v.x.derivative, v.y.derivative, v.z.derivative)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ALL, Angle, Listed};
    use crate::scene::{Body, Constraint, Scene};

    fn waves(k: i32, count: usize) -> Vec<Vec3<f64>> {
        let wave = |i: i32, k: i32| f64::from(i * i * 7 + i * 3 * (k + 1) + k * 5).sin();
        (0..count as i32).map(|i| Vec3::new(wave(i, k), wave(i, k + 1), wave(i, k + 2))).collect()
    }

    /// The product with the second derivative is the change of the gradient, for every kind, at places where C is not
    /// zero. Central differences over 1e-5 m are off by 1e-10 of the third derivative, which at narrow corners is up to
    /// a hundred times the first.
    #[test]
    fn hessian_products_are_changes_of_the_gradient() {
        let step = 1e-5;
        for kind in ALL {
            let count = kind.least().max(6);
            let (x, p) = (waves(3, count), waves(6, count));
            let members: Vec<u32> = match kind.listed() {
                // A double cone: a ring of four with two points above and below.
                Listed::Triangles => vec![0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 2, 1, 3, 2, 1, 4, 3, 1, 5, 4, 1, 2, 5],
                _ => (0..kind.arity().count().unwrap_or(count) as u32).collect(),
            };
            let constraint = Constraint::new(kind.name(), [members]).compliance(1.0);
            // Scenes place what sees the plane of x and y only in it.
            let depth = if kind.is::<Angle>() { 0.0 } else { 1.0 };
            let placed: Vec<[f64; 3]> = waves(0, count).into_iter().map(|v| [v.x, v.y, depth * v.z]).collect();
            let model = Scene::new("").with(Body::particles(placed).constrain(constraint)).build().unwrap().model;
            let springs = Springs::of(&model);
            let moved = |way: f64| springs.gradient(&x.iter().zip(&p).map(|(&x, &p)| x + p * way).collect::<Vec<_>>());
            let product = springs.tangent(&x)(&p);
            let size = product.iter().map(|v| v.length()).fold(0.0, f64::max);
            assert!(size > 0.0 && springs.energy(&x) > 0.0, "{}: the test shows nothing", kind.name());
            for ((after, before), product) in moved(step).into_iter().zip(moved(-step)).zip(product) {
                let error = ((after - before) * (0.5 / step) - product).length() / size;
                assert!(error < 1e-8, "{}: off by {error:.1e}", kind.name());
            }
        }
    }
}
