//! Four doubles side by side: what is written over [`Real`] is done for four at once, each with the bits that it has alone. Plain arrays, which compilers
//! make registers of, those of AVX2 where a function is compiled for them: so what sweeps use is inlined always.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::constraint::Real;

/// How many.
pub const COUNT: usize = 4;

/// Four doubles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Doubles(pub [f64; COUNT]);

macro_rules! lane_by_lane {
    ($operation:ident, $name:ident, $of:tt) => {
        impl $operation for Doubles {
            type Output = Self;
            #[inline(always)]
            fn $name(mut self, b: Self) -> Self {
                for lane in 0..COUNT {
                    self.0[lane] $of b.0[lane];
                }
                self
            }
        }
    };
}

lane_by_lane!(Add, add, +=);
lane_by_lane!(Sub, sub, -=);
lane_by_lane!(Mul, mul, *=);
lane_by_lane!(Div, div, /=);

impl Neg for Doubles {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for lane in 0..COUNT {
            self.0[lane] = -self.0[lane];
        }
        self
    }
}

impl Doubles {
    /// The smaller one in each lane.
    #[inline(always)]
    pub fn min(mut self, b: Self) -> Self {
        for lane in 0..COUNT {
            self.0[lane] = self.0[lane].min(b.0[lane]);
        }
        self
    }

    /// The larger one in each lane.
    #[inline(always)]
    pub fn max(mut self, b: Self) -> Self {
        for lane in 0..COUNT {
            self.0[lane] = self.0[lane].max(b.0[lane]);
        }
        self
    }
}

impl Real for Doubles {
    type Mask = [bool; COUNT];
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self([value; COUNT])
    }
    #[inline(always)]
    fn sqrt(mut self) -> Self {
        for lane in 0..COUNT {
            self.0[lane] = self.0[lane].sqrt();
        }
        self
    }
    fn sin_cos(self) -> (Self, Self) {
        let both = self.0.map(f64::sin_cos);
        (Self(both.map(|(sine, _)| sine)), Self(both.map(|(_, cosine)| cosine)))
    }
    fn atan2(self, x: Self) -> Self {
        Self(from_fn(|lane| self.0[lane].atan2(x.0[lane])))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> [bool; COUNT] {
        let mut mask = [false; COUNT];
        for (lane, set) in mask.iter_mut().enumerate() {
            *set = self.0[lane] > other.0[lane];
        }
        mask
    }
    #[inline(always)]
    fn select(mask: [bool; COUNT], mut if_true: Self, if_false: Self) -> Self {
        for (lane, set) in mask.into_iter().enumerate() {
            if_true.0[lane] = if set { if_true.0[lane] } else { if_false.0[lane] };
        }
        if_true
    }
}
