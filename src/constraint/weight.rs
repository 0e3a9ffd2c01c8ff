//! What a constraint's multiplier divides by.

use super::Vec3;

/// ε of `shaders/lib/xpbd.wgsl`: of what a constraint would weigh with all its particles free, the share that its
/// multiplier is divided by at least. It is 16 roundings of single precision. Below its square the gradient itself is
/// rounding.
pub(crate) const LEAST_WEIGHT: f64 = 1e-6;

/// The weight of a constraint, and what its multiplier divides by at least; see `shaders/lib/xpbd.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Σ w|∇C|², 1/kg where C is a length.
    pub all: f64,
    /// What the multiplier divides by at least, in the same unit; 0 where the weight does not vanish with the gradient.
    pub least: f64,
}

impl Weight {
    /// Σ w|∇C|², and the least ε max w · max |∇C|².
    pub(super) fn sum(gradient: &[Vec3<f64>], inverse_mass: &dyn Fn(usize) -> f64) -> Self {
        let (mut all, mut lightest, mut steepest) = (0.0, 0.0_f64, 0.0_f64);
        for (k, slope) in gradient.iter().enumerate() {
            let (inverse_mass, squared) = (inverse_mass(k), slope.dot(*slope));
            all += inverse_mass * squared;
            (lightest, steepest) = (lightest.max(inverse_mass), steepest.max(squared));
        }
        Self { all, least: LEAST_WEIGHT * lightest * steepest }
    }

    /// Whether the constraint acts: its gradient at free particles is more than rounding.
    pub(crate) fn acts(&self) -> bool {
        self.all > LEAST_WEIGHT * self.least
    }
}
