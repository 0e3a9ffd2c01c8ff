//! What a collider's shape takes from samples at the nodes of a lattice, over f64 for the reference and over one f32 or
//! several side by side for the CPU engine. So all of it is inlined always, with selects in place of branches and
//! without closures: see `src/cpu/lanes`.

use crate::constraint::{Dual, Real, Vec3};

/// A number that picks a node.
pub(crate) trait Number: Real {
    /// Of each lane.
    type Node: Copy;

    /// Whether it is set in any lane.
    fn any(mask: Self::Mask) -> bool;

    /// The first of two neighbouring nodes around a place, 0 to the last node, and the share of the way between them.
    fn between(place: Self, nodes: u32) -> (Self::Node, Self);

    /// The node so many rows of so many nodes further.
    fn further(node: Self::Node, rows: Self::Node, row: u32) -> Self::Node;

    /// The number at so many nodes behind one.
    fn sample(samples: &[f32], node: Self::Node, behind: u32) -> Self;
}

macro_rules! number {
    ($number:ty) => {
        impl Number for $number {
            type Node = u32;
            #[inline(always)]
            fn any(mask: bool) -> bool {
                mask
            }
            #[inline(always)]
            fn between(place: Self, nodes: u32) -> (u32, Self) {
                let first = (f64::from(place) as u32).min(nodes - 2);
                (first, place - Self::from_f64(first.into()))
            }
            #[inline(always)]
            fn further(node: u32, rows: u32, row: u32) -> u32 {
                node + rows * row
            }
            #[inline(always)]
            fn sample(samples: &[f32], node: u32, behind: u32) -> Self {
                Self::from_f64(samples[(node + behind) as usize].into())
            }
        }
    };
}

number!(f64);
number!(f32);
number!(Dual);

/// Samples at the nodes of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a, R> {
    /// m; x runs fastest, then y or, of heights, z.
    pub samples: &'a [f32],
    /// Along x, y and z; of heights along x and z.
    pub nodes: [u32; 3],
    /// Width of a cell of a grid, m; of heights the share of the distance that is surely free, 1/√(1 + s²) with the
    /// steepest slope s.
    pub cell: R,
}

impl<R: Real> Field<'_, R> {
    /// Of a shape that goes by none.
    pub fn none() -> Self {
        Self { samples: &[], nodes: [0; 3], cell: R::from_f64(0.0) }
    }
}

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
