//! One step of implicit Euler by Newton's method: the minimum of
//!
//! ```text
//! Φ(x) = (x - x̃)ᵀ M (x - x̃)/2h² + U(x),   x̃ = xⁿ + h v + h² g,
//! ```
//!
//! where its gradient M (x - x̃)/h² + ∇U(x) is zero. The second derivative is exact and never written down: conjugate gradients
//! need its products only. Where it is not positive definite they end early, with a direction that still leads down, and
//! the length of the step is searched for: Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.1 and 7.1.

use super::springs::Springs;
use super::{EulerError, add};
use crate::constraint::Vec3;
use crate::model::Model;

type Vectors = Vec<Vec3<f64>>;

/// Newton's steps before it is given up; some ten suffice unless the step is far too long.
const STEPS: usize = 200;
/// The residual that is left, of the norm of the forces at the start.
const RESIDUAL: f64 = 1e-12;

/// Where the particles are at the end of a substep of `h` s.
pub(super) fn implicit_step(
    model: &Model,
    positions: &[Vec3<f64>],
    velocities: &[Vec3<f64>],
    h: f64,
) -> Result<Vectors, EulerError> {
    let step = Step::new(model, positions, velocities, h);
    let mut x = step.target.clone();
    let mut gradient = step.gradient(&x);
    // What the springs at x̃ and inertia amount to, and what is left if coordinates are rounded.
    let ways: Vectors = x.iter().zip(positions).map(|(&end, &start)| end - start).collect();
    let forces = step.norm(&gradient) + step.norm(&step.inertia(&ways));
    let needed = RESIDUAL * forces + step.rounding(&x);
    for _ in 0..STEPS {
        let residual = step.norm(&gradient);
        if residual <= needed {
            return Ok(x);
        }
        // Few digits at first, all of them at last: quadratic convergence for the least work.
        let way = step.direction(&x, &gradient, (residual / forces).clamp(1e-8, 0.1));
        x = step.along(x, &way, &gradient);
        gradient = step.gradient(&x);
    }
    Err(EulerError::NotConverged { residual: step.norm(&gradient) / forces, needed: needed / forces })
}

/// Φ of one substep.
struct Step<'a> {
    springs: Springs<'a>,
    /// 1/kg
    inverse_masses: &'a [f64],
    /// x̃; where fixed particles are, for those.
    target: Vectors,
    h: f64,
}

impl<'a> Step<'a> {
    fn new(model: &'a Model, positions: &[Vec3<f64>], velocities: &[Vec3<f64>], h: f64) -> Self {
        let gravity = Vec3::from(model.world.gravity);
        let inverse_masses = &model.particles.inverse_masses;
        let moved =
            |((&x, &v), &w): ((&Vec3<f64>, &Vec3<f64>), &f64)| if w > 0.0 { x + (v + gravity * h) * h } else { x };
        let target = positions.iter().zip(velocities).zip(inverse_masses).map(moved).collect();
        Self { springs: Springs::of(model), inverse_masses, target, h }
    }

    /// M p/h², N. A fixed particle is as if it weighed nothing: it never moves.
    fn inertia(&self, p: &[Vec3<f64>]) -> Vectors {
        let scale = |&w: &f64| if w > 0.0 { 1.0 / (w * self.h * self.h) } else { 0.0 };
        p.iter().zip(self.inverse_masses).map(|(&p, w)| p * scale(w)).collect()
    }

    fn beyond_target(&self, x: &[Vec3<f64>]) -> Vectors {
        x.iter().zip(&self.target).map(|(&x, &target)| x - target).collect()
    }

    fn energy(&self, x: &[Vec3<f64>]) -> f64 {
        let way = self.beyond_target(x);
        0.5 * dot(&way, &self.inertia(&way)) + self.springs.energy(x)
    }

    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors {
        let mut sum = self.springs.gradient(x);
        add(&mut sum, &self.inertia(&self.beyond_target(x)), 1.0);
        sum
    }

    fn hessian_product(&self, x: &[Vec3<f64>], p: &[Vec3<f64>]) -> Vectors {
        let mut sum = self.springs.hessian_product(x, p);
        add(&mut sum, &self.inertia(p), 1.0);
        sum
    }

    /// M⁻¹ r, by which conjugate gradients are preconditioned and which leaves fixed particles out.
    fn by_masses(&self, r: &[Vec3<f64>]) -> Vectors {
        r.iter().zip(self.inverse_masses).map(|(&r, &w)| r * w).collect()
    }

    /// √(rᵀ M⁻¹ r)
    fn norm(&self, r: &[Vec3<f64>]) -> f64 {
        dot(r, &self.by_masses(r)).sqrt()
    }

    /// The norm of what the gradient at x changes by if every coordinate is rounded as the largest is.
    fn rounding(&self, x: &[Vec3<f64>]) -> f64 {
        let largest = x.iter().flat_map(|x| [x.x, x.y, x.z]).fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let inertia = |w: f64| 1.0 / (w * self.h * self.h);
        let each = self.springs.stiffness(x).into_iter().zip(self.inverse_masses).filter(|&(_, &w)| w > 0.0);
        let squares = each.map(|(stiffness, &w)| w * (stiffness + inertia(w)).powi(2));
        f64::EPSILON * largest * squares.sum::<f64>().sqrt()
    }

    /// Solves ∇²Φ p = -∇Φ by conjugate gradients until `share` of the right-hand side is left.
    fn direction(&self, x: &[Vec3<f64>], gradient: &[Vec3<f64>], share: f64) -> Vectors {
        let mut p = vec![Vec3::zero(); x.len()];
        let mut left: Vectors = gradient.iter().map(|&g| -g).collect();
        let mut down = self.by_masses(&left);
        let mut squared = dot(&left, &down);
        let goal = share * share * squared;
        let mut d = down.clone();
        // In exact numbers it ends after one step per unknown.
        for step in 0..30 * x.len() {
            let product = self.hessian_product(x, &d);
            let curvature = dot(&d, &product);
            if curvature <= 0.0 {
                return if step == 0 { d } else { p };
            }
            let length = squared / curvature;
            add(&mut p, &d, length);
            add(&mut left, &product, -length);
            down = self.by_masses(&left);
            let before = std::mem::replace(&mut squared, dot(&left, &down));
            if squared <= goal {
                break;
            }
            d.iter_mut().zip(&down).for_each(|(d, &down)| *d = down + *d * (squared / before));
        }
        p
    }

    /// As far along a way down as Φ falls by a fair part of what its slope promises: all of it where it can be, else half, and so on.
    fn along(&self, x: Vectors, way: &[Vec3<f64>], gradient: &[Vec3<f64>]) -> Vectors {
        let (energy, slope) = (self.energy(&x), dot(way, gradient));
        // Next to the minimum the fall is less than what Φ is rounded by.
        let rounding = 1e-13 * energy.abs();
        let mut length = 1.0;
        loop {
            let mut next = x.clone();
            add(&mut next, way, length);
            if length < 1e-12 || self.energy(&next) <= energy + 1e-4 * length * slope + rounding {
                return next;
            }
            length *= 0.5;
        }
    }
}

fn dot(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| a.dot(b)).sum()
}
