//! Eight and sixteen lanes of x86-64.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use wide::f32x4;

use super::{InLanes, Lanes, angles};
use crate::math::Real;

/// Eight numbers, for processors with AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Eight(__m256);

/// Sixteen numbers, for processors with AVX-512F.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Sixteen(__m512);

#[target_feature(enable = "avx2")]
pub fn in_avx2(work: impl InLanes) {
    work.run::<Eight>();
}

#[target_feature(enable = "avx512f,avx2")]
pub fn in_avx512(work: impl InLanes) {
    work.run::<Sixteen>();
}

macro_rules! arithmetic {
    ($lanes:ty, $mask:ty, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $splat:ident) => {
        impl Add for $lanes {
            type Output = Self;
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: a register exists only where the processor has its instructions; so for all that follow.
                Self(unsafe { $add(self.0, b.0) })
            }
        }
        impl Sub for $lanes {
            type Output = Self;
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $sub(self.0, b.0) })
            }
        }
        impl Mul for $lanes {
            type Output = Self;
            #[inline(always)]
            fn mul(self, b: Self) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $mul(self.0, b.0) })
            }
        }
        impl Div for $lanes {
            type Output = Self;
            #[inline(always)]
            fn div(self, b: Self) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $div(self.0, b.0) })
            }
        }
        impl Neg for $lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $sub($splat(-0.0), self.0) })
            }
        }
        impl Real for $lanes {
            type Mask = $mask;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $splat(value as f32) })
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: see `add`.
                Self(unsafe { $sqrt(self.0) })
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
            fn greater(self, other: Self) -> $mask {
                self.exceeds(other)
            }
            #[inline(always)]
            fn select(mask: $mask, if_true: Self, if_false: Self) -> Self {
                Self::choose(mask, if_true, if_false)
            }
        }
    };
}

arithmetic!(Eight, __m256, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps, _mm256_sqrt_ps, _mm256_set1_ps);
arithmetic!(
    Sixteen,
    __mmask16,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_div_ps,
    _mm512_sqrt_ps,
    _mm512_set1_ps
);

/// # Safety
/// There must be an entry, and a slot.
#[inline(always)]
unsafe fn entry(of: *const f32x4, slots: *const u32, lane: usize) -> __m128 {
    // SAFETY: the caller's.
    unsafe { _mm_loadu_ps(of.add(*slots.add(lane) as usize).cast()) }
}

/// # Safety
/// There must be an entry, and a slot.
#[inline(always)]
unsafe fn put(entry: __m128, to: *mut f32x4, slots: *const u32, lane: usize) {
    // SAFETY: the caller's.
    unsafe { _mm_storeu_ps(to.add(*slots.add(lane) as usize).cast(), entry) }
}

impl Eight {
    #[inline(always)]
    fn exceeds(self, other: Self) -> __m256 {
        // SAFETY: see `add`.
        unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn choose(mask: __m256, if_true: Self, if_false: Self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm256_blendv_ps(if_false.0, if_true.0, mask) })
    }
}

impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm256_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const u16) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()))) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn gather(of: *const f32x4, slots: *const u32) -> [Self; 4] {
        // SAFETY: the caller's.
        unsafe {
            let low = [entry(of, slots, 0), entry(of, slots, 1), entry(of, slots, 2), entry(of, slots, 3)];
            let high = [entry(of, slots, 4), entry(of, slots, 5), entry(of, slots, 6), entry(of, slots, 7)];
            [
                Self(_mm256_set_m128(high[0], low[0])),
                Self(_mm256_set_m128(high[1], low[1])),
                Self(_mm256_set_m128(high[2], low[2])),
                Self(_mm256_set_m128(high[3], low[3])),
            ]
        }
    }

    #[inline(always)]
    unsafe fn scatter(entries: [Self; 4], to: *mut f32x4, slots: *const u32) {
        for (j, four) in entries.into_iter().enumerate() {
            // SAFETY: the caller's.
            unsafe {
                put(_mm256_castps256_ps128(four.0), to, slots, j);
                put(_mm256_extractf128_ps::<1>(four.0), to, slots, j + 4);
            }
        }
    }

    #[inline(always)]
    fn without_fourth(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm256_blend_ps::<0b1000_1000>(self.0, _mm256_setzero_ps()) })
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: see `add`.
        unsafe {
            let [ab, cd] = [_mm256_unpacklo_ps(a.0, b.0), _mm256_unpacklo_ps(c.0, d.0)];
            let [ab_high, cd_high] = [_mm256_unpackhi_ps(a.0, b.0), _mm256_unpackhi_ps(c.0, d.0)];
            [
                Self(_mm256_shuffle_ps::<0x44>(ab, cd)),
                Self(_mm256_shuffle_ps::<0xee>(ab, cd)),
                Self(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
                Self(_mm256_shuffle_ps::<0xee>(ab_high, cd_high)),
            ]
        }
    }

    #[inline(always)]
    fn fourth([a, b, c, d]: [Self; 4]) -> Self {
        // SAFETY: see `add`.
        unsafe {
            let [ab, cd] = [_mm256_unpackhi_ps(a.0, b.0), _mm256_unpackhi_ps(c.0, d.0)];
            Self(_mm256_shuffle_ps::<0xee>(ab, cd))
        }
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm256_permute_ps::<0xff>(self.0) })
    }

    #[inline(always)]
    fn rounded(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn exceeds_all(self, other: Self) -> bool {
        // SAFETY: see `add`.
        unsafe { _mm256_movemask_ps(self.exceeds(other)) == 0xff }
    }

    #[inline(always)]
    fn exceeding(self, other: Self) -> u32 {
        // SAFETY: see `add`.
        unsafe { _mm256_movemask_ps(self.exceeds(other)) as u32 }
    }
}

impl Sixteen {
    #[inline(always)]
    fn exceeds(self, other: Self) -> __mmask16 {
        // SAFETY: see `add`.
        unsafe { _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn choose(mask: __mmask16, if_true: Self, if_false: Self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm512_mask_blend_ps(mask, if_false.0, if_true.0) })
    }

    /// # Safety
    /// There must be entries, and slots.
    #[inline(always)]
    unsafe fn four(of: *const f32x4, slots: *const u32, first: usize) -> Self {
        // SAFETY: the caller's.
        unsafe {
            let four = _mm512_castps128_ps512(entry(of, slots, first));
            let four = _mm512_insertf32x4::<1>(four, entry(of, slots, first + 4));
            let four = _mm512_insertf32x4::<2>(four, entry(of, slots, first + 8));
            Self(_mm512_insertf32x4::<3>(four, entry(of, slots, first + 12)))
        }
    }
}

impl Lanes for Sixteen {
    const COUNT: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn load_whole(from: *const u16) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256(from.cast()))) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    unsafe fn gather(of: *const f32x4, slots: *const u32) -> [Self; 4] {
        // SAFETY: the caller's.
        unsafe {
            [Self::four(of, slots, 0), Self::four(of, slots, 1), Self::four(of, slots, 2), Self::four(of, slots, 3)]
        }
    }

    #[inline(always)]
    unsafe fn scatter(entries: [Self; 4], to: *mut f32x4, slots: *const u32) {
        for (j, four) in entries.into_iter().enumerate() {
            // SAFETY: the caller's.
            unsafe {
                put(_mm512_castps512_ps128(four.0), to, slots, j);
                put(_mm512_extractf32x4_ps::<1>(four.0), to, slots, j + 4);
                put(_mm512_extractf32x4_ps::<2>(four.0), to, slots, j + 8);
                put(_mm512_extractf32x4_ps::<3>(four.0), to, slots, j + 12);
            }
        }
    }

    #[inline(always)]
    fn without_fourth(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm512_maskz_mov_ps(0x7777, self.0) })
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: see `add`.
        unsafe {
            let [ab, cd] = [_mm512_unpacklo_ps(a.0, b.0), _mm512_unpacklo_ps(c.0, d.0)];
            let [ab_high, cd_high] = [_mm512_unpackhi_ps(a.0, b.0), _mm512_unpackhi_ps(c.0, d.0)];
            [
                Self(_mm512_shuffle_ps::<0x44>(ab, cd)),
                Self(_mm512_shuffle_ps::<0xee>(ab, cd)),
                Self(_mm512_shuffle_ps::<0x44>(ab_high, cd_high)),
                Self(_mm512_shuffle_ps::<0xee>(ab_high, cd_high)),
            ]
        }
    }

    #[inline(always)]
    fn fourth([a, b, c, d]: [Self; 4]) -> Self {
        // SAFETY: see `add`.
        unsafe {
            let [ab, cd] = [_mm512_unpackhi_ps(a.0, b.0), _mm512_unpackhi_ps(c.0, d.0)];
            Self(_mm512_shuffle_ps::<0xee>(ab, cd))
        }
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm512_permute_ps::<0xff>(self.0) })
    }

    #[inline(always)]
    fn rounded(self) -> Self {
        // SAFETY: see `add`.
        Self(unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
    }

    #[inline(always)]
    fn exceeds_all(self, other: Self) -> bool {
        self.exceeds(other) == 0xffff
    }

    #[inline(always)]
    fn exceeding(self, other: Self) -> u32 {
        u32::from(self.exceeds(other))
    }

    #[inline(always)]
    unsafe fn number(bits: u32, first: u32, to: *mut u32) -> usize {
        // SAFETY: see `add`; the caller's.
        unsafe {
            let in_order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let numbers = _mm512_add_epi32(in_order, _mm512_set1_epi32(first as i32));
            _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi32(bits as u16, numbers));
        }
        bits.count_ones() as usize
    }
}
