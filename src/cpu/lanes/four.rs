//! Four lanes, for every processor.

use std::ops::{Add, Div, Mul, Neg, Sub};

use wide::f32x4;

use super::{Lanes, angles};
use crate::math::Real;

/// Four numbers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Four(f32x4);

impl Add for Four {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0)
    }
}
impl Sub for Four {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0)
    }
}
impl Mul for Four {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0)
    }
}
impl Div for Four {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        Self(self.0 / b.0)
    }
}
impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for Four {
    type Mask = f32x4;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self(f32x4::splat(value as f32))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        angles::sin_cos(self)
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        angles::atan2(self, x)
    }
    #[inline(always)]
    fn greater(self, other: Self) -> f32x4 {
        self.0.simd_gt(other.0)
    }
    #[inline(always)]
    fn select(mask: f32x4, if_true: Self, if_false: Self) -> Self {
        Self(mask.select(if_true.0, if_false.0))
    }
}

/// Nothing in the fourth place.
const THREE: f32x4 = f32x4::new([f32::from_bits(!0), f32::from_bits(!0), f32::from_bits(!0), 0.0]);

impl Lanes for Four {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        Self(f32x4::new(unsafe { from.cast::<[f32; 4]>().read_unaligned() }))
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const u16) -> Self {
        // SAFETY: the caller's.
        let [a, b, c, d] = unsafe { from.cast::<[u16; 4]>().read_unaligned() };
        Self(f32x4::new([f32::from(a), f32::from(b), f32::from(c), f32::from(d)]))
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { to.cast::<[f32; 4]>().write_unaligned(self.0.to_array()) }
    }

    #[inline(always)]
    unsafe fn gather(of: *const f32x4, slots: *const u32) -> [Self; 4] {
        // SAFETY: the caller's.
        unsafe {
            [
                Self(*of.add(*slots as usize)),
                Self(*of.add(*slots.add(1) as usize)),
                Self(*of.add(*slots.add(2) as usize)),
                Self(*of.add(*slots.add(3) as usize)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn scatter(entries: [Self; 4], to: *mut f32x4, slots: *const u32) {
        for (lane, entry) in entries.into_iter().enumerate() {
            // SAFETY: the caller's.
            unsafe { *to.add(*slots.add(lane) as usize) = entry.0 }
        }
    }

    #[inline(always)]
    fn without_fourth(self) -> Self {
        Self(self.0 & THREE)
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = f32x4::transpose([a.0, b.0, c.0, d.0]);
        [Self(a), Self(b), Self(c), Self(d)]
    }

    #[inline(always)]
    fn fourth(entries: [Self; 4]) -> Self {
        Self::transposed(entries)[3]
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        Self(f32x4::splat(self.0.to_array()[3]))
    }

    #[inline(always)]
    fn rounded(self) -> Self {
        Self(self.0.round_ties_even())
    }

    #[inline(always)]
    fn exceeds_all(self, other: Self) -> bool {
        self.0.simd_gt(other.0).all()
    }

    #[inline(always)]
    fn exceeding(self, other: Self) -> u32 {
        self.0.simd_gt(other.0).to_bitmask()
    }
}
