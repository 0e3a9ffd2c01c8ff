//! Numbers side by side: as many as a register of the target holds, so that a kind's function solves so many constraints at once.
//! Eight where the crate is compiled for AVX (`RUSTFLAGS="-C target-cpu=native"`), else four. A lane's result does not depend on
//! how many there are. Every function is inlined: one that is called costs more than what it does.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

use bytemuck::{Pod, Zeroable};
use wide::f32x4;

use super::shared::Shared;
use crate::constraint::{Real, Vec3};

#[cfg(not(target_feature = "avx"))]
type Register = f32x4;
#[cfg(target_feature = "avx")]
type Register = wide::f32x8;

/// Constraints that are solved at once.
pub const LANES: usize = size_of::<Register>() / size_of::<f32>();

/// Registers of four in [`LANES`].
const FOURS: usize = LANES / 4;

/// A number for each of [`LANES`] constraints.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct Lanes(Register);

impl Lanes {
    /// The same in every lane.
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(Register::splat(value))
    }
    /// One number for each lane.
    #[inline(always)]
    pub fn new(values: [f32; LANES]) -> Self {
        Self(Register::new(values))
    }
    /// The number in each lane.
    #[inline(always)]
    pub fn to_array(self) -> [f32; LANES] {
        self.0.to_array()
    }
    /// The larger of the two in each lane.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self::select(self.greater(other), self, other)
    }

    /// Four numbers of each lane's own, one after the other, to four numbers of all lanes.
    #[inline(always)]
    pub fn transposed(of_lane: [f32x4; LANES]) -> [Self; 4] {
        let fours: [[f32x4; 4]; FOURS] = from_fn(|j| f32x4::transpose(from_fn(|lane| of_lane[4 * j + lane])));
        from_fn(|k| bytemuck::cast::<[f32x4; FOURS], Self>(from_fn(|j| fours[j][k])))
    }

    /// Vectors of all lanes to those of each lane, with nothing in the fourth place.
    #[inline(always)]
    pub fn vectors(v: Vec3<Self>) -> [f32x4; LANES] {
        let [x, y, z] = [v.x, v.y, v.z].map(bytemuck::cast::<Self, [f32x4; FOURS]>);
        let fours: [[f32x4; 4]; FOURS] = from_fn(|j| f32x4::transpose([x[j], y[j], z[j], f32x4::ZERO]));
        from_fn(|lane| fours[lane / 4][lane % 4])
    }
}

/// The entries at some slots, one for each lane.
#[inline(always)]
pub fn gather(of: &Shared<f32x4>, slots: &[u32; LANES]) -> [f32x4; LANES] {
    from_fn(|lane| of.read(slots[lane] as usize))
}

/// The first three of four numbers.
#[inline(always)]
pub fn vector([x, y, z, _]: [Lanes; 4]) -> Vec3<Lanes> {
    Vec3 { x, y, z }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0)
    }
}
impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0)
    }
}
impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0)
    }
}
impl Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        Self(self.0 / b.0)
    }
}
impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for Lanes {
    type Mask = Register;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::splat(value as f32)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.0.sin_cos();
        (Self(sine), Self(cosine))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        Self(self.0.atan2(x.0))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> Register {
        self.0.simd_gt(other.0)
    }
    #[inline(always)]
    fn select(mask: Register, if_true: Self, if_false: Self) -> Self {
        Self(mask.select(if_true.0, if_false.0))
    }
}
