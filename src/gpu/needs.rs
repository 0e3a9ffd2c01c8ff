//! What kernels that solve constraints move, and what they are compiled with.

use crate::constraint::Kind;
use crate::gpu::visit::Visit;
use crate::step::Needs;

/// Bytes of a stored multiplier: λ and its sum.
pub const MULTIPLIER_BYTES: u64 = 8;
/// Bytes of a correction and of a particle's vectors.
pub const VECTOR_BYTES: u64 = 16;

impl Needs {
    /// Bytes of a constraint's record and multipliers that a visit moves. λ and its sum are read and written as far as
    /// `lib/xpbd.wgsl` does: 4 bytes each way.
    pub fn constraint_bytes(self, kind: &dyn Kind, visit: Visit) -> u64 {
        let summing = self.summing && visit.closes;
        let moved = [self.iterating && !visit.opens, !visit.closes || self.yielding, summing, summing];
        let of_multiplier = 4 * moved.iter().filter(|&&moved| moved).count() as u64;
        kind.record_size() as u64 + of_multiplier * kind.components() as u64
    }

    pub fn constants(self) -> [(&'static str, bool); 8] {
        [
            ("ITERATED", self.iterating),
            ("SCALED", self.scaling),
            ("ONE_SIDED", self.one_sided),
            ("DAMPED", self.damping),
            ("BREAKABLE", self.breaking),
            ("SUMMED", self.summing),
            ("YIELDING", self.yielding),
            ("BDF2", self.two_steps),
        ]
    }
}
