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
}
