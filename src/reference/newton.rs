//! One step of implicit Euler by Newton's method: the minimum of
//!
//! ```text
//! Φ(x) = (x - x̃)ᵀ M (x - x̃)/2h² + U(x),   x̃ = xⁿ + h v + h² M⁻¹ f,
//! ```
//!
//! where its gradient M (x - x̃)/h² + ∇U(x) is zero. The second derivative is exact; conjugate gradients need its
//! products only. Where it is not positive definite they end early, with a direction that still leads down, and the
//! length of the step is searched for: Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.1 and 7.1. With
//! 1/h = 0 the minimum is what is at rest.

use crate::math::Vec3;

pub(super) type Vectors = Vec<Vec3<f64>>;
/// A matrix by its products.
pub(super) type Product<'a> = Box<dyn Fn(&[Vec3<f64>]) -> Vectors + 'a>;

/// Newton's steps before it is given up; some ten suffice unless the step is far too long.
const STEPS: usize = 200;
/// The residual that is left, of the norm of the forces at the start.
const RESIDUAL: f64 = 1e-12;

/// Newton's method ended far from a solution.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("Newton's method left a residual of {residual:.1e} of the forces instead of {needed:.1e}")]
pub struct NotConverged {
    /// Norm of what is left over that of the forces at the start.
    pub residual: f64,
    /// What it should have come down to.
    pub needed: f64,
}

/// An energy U of places.
pub(super) trait Potential {
    /// U, J.
    fn energy(&self, x: &[Vec3<f64>]) -> f64;
    /// ∇U, N: the forces with their sign turned.
    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors;
    /// The function from p to ∇²U(x) p, N.
    fn tangent<'a>(&'a self, x: &'a [Vec3<f64>]) -> Product<'a>;
    /// For each particle how much its force may change, at most, where every particle moves by one, N/m. It may leave
    /// out what the turning of gradients adds.
    fn stiffness(&self, x: &[Vec3<f64>]) -> Vec<f64>;
}

/// Φ of one step.
pub(super) struct Step<'a> {
    pub potential: &'a dyn Potential,
    /// 1/kg
    pub inverse_masses: &'a [f64],
    /// x̃; where fixed particles are, for those.
    pub target: Vectors,
    /// 1/h², 1/s².
    pub rate: f64,
}

impl Step<'_> {
    /// Where Φ is least, for particles that come from `start`.
    pub fn solve(&self, start: &[Vec3<f64>]) -> Result<Vectors, NotConverged> {
        let mut x = self.target.clone();
        let mut gradient = self.gradient(&x);
        let (forces, needed) = self.goal(start, &gradient);
        for _ in 0..STEPS {
            let residual = self.norm(&gradient);
            if residual <= needed {
                return Ok(x);
            }
            // Few digits at first, all of them at last: quadratic convergence for the least work.
            let way = self.direction(&x, &gradient, (residual / forces).clamp(1e-8, 0.1));
            (x, gradient) = self.along(x, &way, &gradient);
        }
        Err(NotConverged { residual: self.norm(&gradient) / forces, needed: needed / forces })
    }

    /// The first of Newton's steps from x̃, all of it, to the last digit: the solution if U is quadratic.
    pub fn linear(&self) -> Result<Vectors, NotConverged> {
        let gradient = self.gradient(&self.target);
        let (forces, needed) = self.goal(&self.target, &gradient);
        // The shares are of different norms.
        let way = self.direction(&self.target, &gradient, 0.01 * RESIDUAL);
        let mut left = self.hessian_product(&self.target, &way);
        add(&mut left, &gradient, 1.0);
        let residual = self.norm(&left);
        match residual <= needed {
            true => Ok(way),
            false => Err(NotConverged { residual: residual / forces, needed: needed / forces }),
        }
    }

    /// What forces at x̃ and inertia amount to, and what of them may be left: a share, and what rounded coordinates
    /// leave.
    fn goal(&self, start: &[Vec3<f64>], gradient: &[Vec3<f64>]) -> (f64, f64) {
        let ways: Vectors = self.target.iter().zip(start).map(|(&end, &start)| end - start).collect();
        let forces = self.norm(gradient) + self.norm(&self.inertia(&ways));
        (forces, RESIDUAL * forces + self.rounding(&self.target))
    }

    /// Of a particle, kg/s². A fixed particle is as if it weighed nothing: it never moves.
    fn inertia_of(&self, inverse_mass: f64) -> f64 {
        if inverse_mass > 0.0 { self.rate / inverse_mass } else { 0.0 }
    }

    /// M p/h², N.
    fn inertia(&self, p: &[Vec3<f64>]) -> Vectors {
        p.iter().zip(self.inverse_masses).map(|(&p, &w)| p * self.inertia_of(w)).collect()
    }

    fn beyond_target(&self, x: &[Vec3<f64>]) -> Vectors {
        x.iter().zip(&self.target).map(|(&x, &target)| x - target).collect()
    }

    fn energy(&self, x: &[Vec3<f64>]) -> f64 {
        let way = self.beyond_target(x);
        0.5 * dot(&way, &self.inertia(&way)) + self.potential.energy(x)
    }

    fn gradient(&self, x: &[Vec3<f64>]) -> Vectors {
        let mut sum = self.potential.gradient(x);
        add(&mut sum, &self.inertia(&self.beyond_target(x)), 1.0);
        sum
    }

    fn hessian_product(&self, x: &[Vec3<f64>], p: &[Vec3<f64>]) -> Vectors {
        let mut sum = self.potential.tangent(x)(p);
        add(&mut sum, &self.inertia(p), 1.0);
        sum
    }

    /// √(rᵀ M⁻¹ r)
    fn norm(&self, r: &[Vec3<f64>]) -> f64 {
        dot(r, &scaled(r, self.inverse_masses)).sqrt()
    }

    /// The norm of what the gradient at x changes by if every coordinate is rounded as the largest is.
    fn rounding(&self, x: &[Vec3<f64>]) -> f64 {
        let largest = x.iter().flat_map(|x| [x.x, x.y, x.z]).fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let each = self.potential.stiffness(x).into_iter().zip(self.inverse_masses);
        let squares = each.map(|(stiffness, &w)| w * (stiffness + self.inertia_of(w)).powi(2));
        f64::EPSILON * largest * squares.sum::<f64>().sqrt()
    }

    /// About the inverse of the second derivative's diagonal, m/N, by which conjugate gradients are preconditioned. It
    /// leaves fixed particles out, and those on which nothing acts.
    fn preconditioner(&self, x: &[Vec3<f64>]) -> Vec<f64> {
        let inverse = |(stiffness, &w): (f64, &f64)| {
            let diagonal = stiffness + self.inertia_of(w);
            if w > 0.0 && diagonal > 0.0 { 1.0 / diagonal } else { 0.0 }
        };
        self.potential.stiffness(x).into_iter().zip(self.inverse_masses).map(inverse).collect()
    }

    /// Solves ∇²Φ p = -∇Φ by conjugate gradients until `share` of the right-hand side is left.
    fn direction(&self, x: &[Vec3<f64>], gradient: &[Vec3<f64>], share: f64) -> Vectors {
        let (tangent, preconditioner) = (self.potential.tangent(x), self.preconditioner(x));
        let mut p = vec![Vec3::zero(); x.len()];
        let mut left: Vectors = gradient.iter().map(|&g| -g).collect();
        let mut down = scaled(&left, &preconditioner);
        let mut squared = dot(&left, &down);
        let goal = share * share * squared;
        let mut d = down.clone();
        // In exact numbers it ends after one step per unknown.
        for step in 0..30 * x.len() {
            let mut product = tangent(&d);
            add(&mut product, &self.inertia(&d), 1.0);
            let curvature = dot(&d, &product);
            if curvature <= 0.0 {
                return if step == 0 { d } else { p };
            }
            let length = squared / curvature;
            add(&mut p, &d, length);
            add(&mut left, &product, -length);
            down = scaled(&left, &preconditioner);
            let before = std::mem::replace(&mut squared, dot(&left, &down));
            if squared <= goal {
                break;
            }
            d.iter_mut().zip(&down).for_each(|(d, &down)| *d = down + *d * (squared / before));
        }
        p
    }

    /// As far along a way down as Φ falls by a fair part of what its slope promises: all of it where it can be, else
    /// half, and so on. Next to the minimum the fall is less than what Φ is rounded by, but the slopes tell it (Hager
    /// and Zhang, A New Conjugate Gradient Method with Guaranteed Descent and an Efficient Line Search, 2005, T2). With
    /// the gradient there.
    fn along(&self, x: Vectors, way: &[Vec3<f64>], gradient: &[Vec3<f64>]) -> (Vectors, Vectors) {
        const FAIR: f64 = 1e-4;
        let (energy, slope) = (self.energy(&x), dot(way, gradient));
        let mut length = 1.0;
        loop {
            let mut next = x.clone();
            add(&mut next, way, length);
            let rise = self.energy(&next) - energy;
            let falls = rise <= FAIR * length * slope;
            if falls || length < 1e-12 || rise <= 1e-6 * energy.abs() {
                let gradient = self.gradient(&next);
                if falls || length < 1e-12 || dot(way, &gradient) <= (2.0 * FAIR - 1.0) * slope {
                    return (next, gradient);
                }
            }
            length *= 0.5;
        }
    }
}

/// a += b s
pub(super) fn add(a: &mut [Vec3<f64>], b: &[Vec3<f64>], s: f64) {
    for (a, &b) in a.iter_mut().zip(b) {
        *a += b * s;
    }
}

fn scaled(a: &[Vec3<f64>], scales: &[f64]) -> Vectors {
    a.iter().zip(scales).map(|(&a, &scale)| a * scale).collect()
}

fn dot(a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| a.dot(b)).sum()
}
