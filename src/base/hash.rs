//! A hash that is the same on every machine and in every version.

/// The hash FNV-1a of what went in so far, 64 bits. It tells contents apart, but is no protection against forgery.
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in more bytes. How they are cut into calls makes no difference.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }
}
