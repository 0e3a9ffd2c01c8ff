//! The multiplier of a constraint, written once for every kind and number: what `shaders/lib/xpbd.wgsl` does, and there
//! is why.

use crate::constraint::LEAST_WEIGHT;
use crate::cpu::lanes::{Lanes, Numbers};
use crate::math::Real;
use crate::step::Needs;
use crate::step::records::{Material as MaterialRecord, Substep as SubstepRecord};

/// What every λ of a constraint that is whole is below.
pub const LEAST_BROKEN: f32 = 1e38;

/// What a constraint divides by at least, by the largest inverse mass and the largest |∇C|² among its particles.
#[inline(always)]
pub fn least_divisor<R: Real>(inverse_mass: R, squared: R) -> R {
    inverse_mass * squared * R::from_f64(LEAST_WEIGHT)
}

/// How a constraint yields in a substep.
#[derive(Clone, Copy)]
pub struct Law<R> {
    /// α̃ = α/H²
    compliance: R,
    /// γ = α̃ β H
    damping: R,
    scale: R,
    /// Of the accumulated multiplier.
    min: R,
    max: R,
    /// (F H²)², F the force that it bears: the square of the largest |λ∇C|.
    limit: R,
}

impl Law<f32> {
    pub fn new(material: &MaterialRecord, substep: &SubstepRecord) -> Self {
        let compliance = material.compliance * substep.inverse_seconds_squared;
        let limit = material.break_force / substep.force_scale;
        Self {
            compliance,
            damping: compliance * material.damping * substep.implicit_seconds,
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

/// The laws of a group's constraints in blocks, as registers load them: a material may be another in each lane, so
/// looking it up would take as many loads as there are lanes. What no material of the group needs is empty.
#[derive(Default)]
pub struct LawList {
    compliance: Numbers,
    damping: Numbers,
    scale: Numbers,
    min: Numbers,
    max: Numbers,
    limit: Numbers,
}

impl LawList {
    /// By the index into the table of laws of each lane of each component of each entry.
    pub fn new(laws: &[Law<f32>], materials: &[u32], needs: &Needs) -> Self {
        let list = |needed: bool, number: fn(&Law<f32>) -> f32| match needed {
            true => materials.iter().map(|&material| number(&laws[material as usize])).collect(),
            false => Numbers::default(),
        };
        Self {
            compliance: list(true, |law| law.compliance),
            damping: list(needs.damping, |law| law.damping),
            scale: list(needs.scaling, |law| law.scale),
            min: list(needs.one_sided, |law| law.min),
            max: list(needs.one_sided, |law| law.max),
            limit: list(needs.breaking, |law| law.limit),
        }
    }

    pub fn bytes(&self) -> usize {
        let Self { compliance, damping, scale, min, max, limit } = self;
        [compliance, damping, scale, min, max, limit].iter().map(|list| size_of_val(&***list)).sum()
    }

    /// Those of the lanes of a component of an entry; as much of them as is needed.
    ///
    /// # Safety
    /// There must be so many.
    #[inline(always)]
    pub unsafe fn of_entry<L: Lanes>(&self, index: usize, needs: &Needs) -> Law<L> {
        let zero = L::from_f64(0.0);
        let mut law = Law { compliance: zero, damping: zero, scale: zero, min: zero, max: zero, limit: zero };
        let first = index * L::COUNT;
        // SAFETY: the caller's, and what is needed is not empty.
        unsafe {
            law.compliance = L::load(self.compliance.pointer().add(first));
            if needs.damping {
                law.damping = L::load(self.damping.pointer().add(first));
            }
            if needs.scaling {
                law.scale = L::load(self.scale.pointer().add(first));
            }
            if needs.one_sided {
                law.min = L::load(self.min.pointer().add(first));
                law.max = L::load(self.max.pointer().add(first));
            }
            if needs.breaking {
                law.limit = L::load(self.limit.pointer().add(first));
            }
        }
        law
    }
}

impl<R: Real> Law<R> {
    /// The same with another H: `scale` is 1/H² over that of the usual one.
    #[inline(always)]
    pub fn scaled(mut self, scale: f32) -> Self {
        self.compliance = self.compliance * R::from_f64(f64::from(scale));
        self.damping = self.damping * R::from_f64(f64::from(scale.sqrt()));
        self
    }

    /// The change of λ. `way` is ∇C·(x - xⁿ), `weight` is Σ w|∇C|², over split masses in a Jacobi sweep. `least` is the
    /// least divisor; `None` where no gradient vanishes alone.
    #[inline(always)]
    pub fn change(&self, needs: &Needs, lambda: R, value: R, way: R, weight: R, least: Option<R>) -> R {
        let zero = R::from_f64(0.0);
        let mut residual = -value;
        if needs.iterating {
            residual = residual - self.compliance * lambda;
        }
        let mut stiffened = weight;
        if needs.damping {
            residual = residual - self.damping * way;
            stiffened = stiffened + self.damping * weight;
        }
        let mut divisor = stiffened + self.compliance;
        let mut rounding = zero;
        if let Some(least) = least {
            divisor = R::select(divisor.greater(least), divisor, least);
            rounding = least * R::from_f64(LEAST_WEIGHT);
        }
        let mut change = R::select(weight.greater(rounding), residual / divisor, zero);
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
