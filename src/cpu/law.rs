//! The multiplier of a constraint, written once for every kind and number: what `shaders/lib/xpbd.wgsl` does, and there is why.

use super::lanes::{LANES, Lanes};
use crate::constraint::Real;
use crate::solver::{MaterialRecord, Needs, SubstepRecord};

/// λ of a broken constraint, as in `shaders/lib/broken.wgsl`; and what every other λ is below.
pub const BROKEN: f32 = 3e38;
pub const LEAST_BROKEN: f32 = 1e38;

/// How a constraint yields in a substep.
#[derive(Clone, Copy)]
pub struct Law<R> {
    /// α̃ = α/h²
    compliance: R,
    /// γ = α̃ β h
    damping: R,
    scale: R,
    /// Of the accumulated multiplier.
    min: R,
    max: R,
    /// (F h²)², F the force that it bears: the square of the largest |λ∇C|.
    limit: R,
}

impl Law<f32> {
    pub fn new(material: &MaterialRecord, substep: &SubstepRecord) -> Self {
        let compliance = material.compliance * substep.inverse_seconds_squared;
        let limit = material.break_force * substep.seconds * substep.seconds;
        Self {
            compliance,
            damping: compliance * material.damping * substep.seconds,
            scale: material.scale,
            min: material.multiplier_min,
            max: material.multiplier_max,
            limit: limit * limit,
        }
    }

    /// The same in another number.
    pub fn to_f64(self) -> Law<f64> {
        let Self { compliance, damping, scale, min, max, limit } = self;
        let [compliance, damping, scale] = [compliance, damping, scale].map(f64::from);
        let [min, max, limit] = [min, max, limit].map(f64::from);
        Law { compliance, damping, scale, min, max, limit }
    }
}

impl Law<Lanes> {
    /// Those of a block's constraints, by the material of each and which of its component; as much of them as is needed.
    #[inline(always)]
    pub fn of_block(laws: &[Law<f32>], materials: &[u32; LANES], component: u32, needs: &Needs) -> Self {
        let zero = Lanes::splat(0.0);
        let mut law = Self { compliance: zero, damping: zero, scale: zero, min: zero, max: zero, limit: zero };
        let of = |number: fn(&Law<f32>) -> f32| {
            let mut values = [0.0; LANES];
            for (value, material) in values.iter_mut().zip(materials) {
                *value = number(&laws[(material + component) as usize]);
            }
            Lanes::new(values)
        };
        law.compliance = of(|law| law.compliance);
        if needs.damping {
            law.damping = of(|law| law.damping);
        }
        if needs.scaling {
            law.scale = of(|law| law.scale);
        }
        if needs.one_sided {
            law.min = of(|law| law.min);
            law.max = of(|law| law.max);
        }
        if needs.breaking {
            law.limit = of(|law| law.limit);
        }
        law
    }
}

impl<R: Real> Law<R> {
    /// The change of λ. `way` is ∇C·(x - xⁿ), `weight` is Σ w|∇C|², over split masses in a Jacobi sweep.
    #[inline(always)]
    pub fn change(&self, needs: &Needs, lambda: R, value: R, way: R, weight: R) -> R {
        let zero = R::from_f64(0.0);
        let mut residual = -value - self.compliance * lambda;
        let mut stiffened = weight;
        if needs.damping {
            residual = residual - self.damping * way;
            stiffened = stiffened + self.damping * weight;
        }
        let mut softness = self.compliance;
        if needs.elements {
            let left = softness - stiffened * R::from_f64(0.5);
            softness = R::select(left.greater(zero), left, zero);
        }
        let mut change = R::select(weight.greater(zero), residual / (stiffened + softness), zero);
        if needs.scaling {
            change = change * self.scale;
        }
        if needs.one_sided {
            let next = lambda + change;
            let next = R::select(self.min.greater(next), self.min, next);
            change = R::select(next.greater(self.max), self.max, next) - lambda;
        }
        change
    }

    /// Whether a constraint breaks whose mean forces of the last frame, Σ λ∇C, are at most that large, squared.
    #[inline(always)]
    pub fn breaks(&self, squared: R) -> R::Mask {
        squared.greater(self.limit)
    }
}
