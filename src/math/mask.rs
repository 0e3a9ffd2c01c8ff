//! Branches of what is written for several numbers side by side: selects, and masks that are combined by them, since a
//! mask has no operators of its own.

use super::{Real, Vec3};

#[inline(always)]
pub(crate) fn zero<R: Real>() -> R {
    R::from_f64(0.0)
}

#[inline(always)]
pub(crate) fn greatest<R: Real>(a: R, b: R) -> R {
    R::select(a.greater(b), a, b)
}

#[inline(always)]
pub(crate) fn least<R: Real>(a: R, b: R) -> R {
    R::select(a.greater(b), b, a)
}

#[inline(always)]
pub(crate) fn clamp<R: Real>(value: R, low: R, high: R) -> R {
    least(greatest(value, low), high)
}

/// `a` at a share of 0, `b` at 1.
#[inline(always)]
pub(crate) fn mix<R: Real>(a: R, b: R, share: R) -> R {
    a + (b - a) * share
}

/// The sign, that of zero being 1.
#[inline(always)]
pub(crate) fn sign<R: Real>(a: R) -> R {
    R::select(zero::<R>().greater(a), R::from_f64(-1.0), R::from_f64(1.0))
}

#[inline(always)]
pub(crate) fn either<R: Real>(mask: R::Mask, if_true: Vec3<R>, if_false: Vec3<R>) -> Vec3<R> {
    Vec3 {
        x: R::select(mask, if_true.x, if_false.x),
        y: R::select(mask, if_true.y, if_false.y),
        z: R::select(mask, if_true.z, if_false.z),
    }
}

/// Where both are set.
#[inline(always)]
pub(crate) fn both<R: Real>(a: R::Mask, b: R::Mask) -> R::Mask {
    let (zero, one) = (zero::<R>(), R::from_f64(1.0));
    R::select(a, R::select(b, one, zero), zero).greater(zero)
}

/// Where one is not set.
#[inline(always)]
pub(crate) fn not<R: Real>(mask: R::Mask) -> R::Mask {
    let (zero, one) = (zero::<R>(), R::from_f64(1.0));
    R::select(mask, zero, one).greater(zero)
}

/// Where one of them is set.
#[inline(always)]
pub(crate) fn any_of<R: Real>(a: R::Mask, b: R::Mask) -> R::Mask {
    let (zero, one) = (zero::<R>(), R::from_f64(1.0));
    R::select(a, one, R::select(b, one, zero)).greater(zero)
}

/// The direction of a vector, or another where it has none.
#[inline(always)]
pub(crate) fn direction_or<R: Real>(v: Vec3<R>, otherwise: Vec3<R>) -> Vec3<R> {
    let (direction, length) = v.direction_and_length();
    either(length.greater(zero()), direction, otherwise)
}

/// Up.
#[inline(always)]
pub(crate) fn up<R: Real>() -> Vec3<R> {
    Vec3 { x: zero(), y: R::from_f64(1.0), z: zero() }
}
