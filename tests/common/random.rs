//! Random numbers of the tests.

#![allow(dead_code, reason = "each test file uses its own part")]

/// Numbers that are random enough for tests and the same every time (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From `low` to `high`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        low + (high - low) * bits as f64 / (1_u64 << 53) as f64
    }

    pub fn vector(&mut self, low: f64, high: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.number(low, high))
    }

    /// One of `low` to `high`, both included.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        (self.number(low.into(), f64::from(high) + 1.0) as u32).min(high)
    }

    /// Whether something happens that has this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.number(0.0, 1.0) < probability
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.whole(0, all.len() as u32 - 1) as usize]
    }

    /// From `low` to `high`, alike in every decade.
    pub fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.number(low.log10(), high.log10()).exp2().powf(std::f64::consts::LOG2_10)
    }
}
