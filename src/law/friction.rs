//! The friction of a contact by the friction of its two surfaces. On the device `shaders/law/friction.wgsl`.
//!   mean: (a + b)/2,   min: min(a, b),   max: max(a, b),   product: a b

use crate::math::Real;
use crate::model::FrictionCombine;

/// The coefficient of a contact between surfaces with the coefficients `a` and `b`, both at least 0. It does not depend
/// on their order. Static and dynamic friction are combined alike.
#[inline(always)]
pub fn combined<R: Real>(rule: FrictionCombine, a: R, b: R) -> R {
    match rule {
        FrictionCombine::Mean => R::from_f64(0.5) * (a + b),
        FrictionCombine::Min => R::select(a.greater(b), b, a),
        FrictionCombine::Max => R::select(a.greater(b), a, b),
        FrictionCombine::Product => a * b,
    }
}

#[cfg(test)]
mod tests {
    use super::combined;
    use crate::model::FrictionCombine::{self, Max, Mean, Min, Product};

    /// Each rule on a smooth and a rough surface, on equal ones, and on one without friction.
    #[test]
    fn friction_of_a_pair() {
        for (rule, unequal, equal, frictionless) in
            [(Mean, 0.5, 0.5, 0.25), (Min, 0.25, 0.5, 0.0), (Max, 0.75, 0.5, 0.5), (Product, 0.1875, 0.25, 0.0)]
        {
            assert_eq!(combined(rule, 0.25, 0.75), unequal, "{rule:?}");
            assert_eq!(combined(rule, 0.5, 0.5), equal, "{rule:?}");
            assert_eq!(combined(rule, 0.0, 0.5), frictionless, "{rule:?}");
        }
    }

    /// A pair has one coefficient, whichever of the two is named first; and no rule takes it below 0.
    #[test]
    fn order_does_not_matter() {
        for rule in FrictionCombine::ALL {
            for (a, b) in [(0.1, 0.7), (0.0, 1e6), (0.3, 0.3)] {
                assert_eq!(combined(rule, a, b), combined(rule, b, a), "{rule:?}");
                assert!(combined(rule, a, b) >= 0.0, "{rule:?}");
            }
        }
    }
}
