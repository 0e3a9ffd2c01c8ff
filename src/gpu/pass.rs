//! What takes part in a substep.

use crate::gpu::recorder::Recorder;

/// Part of every substep: the constraints of one kind, contacts, and whatever is solved by kernels of its own.
pub trait Pass: Send + Sync {
    /// What its share of a step is called ([`Profile`](crate::gpu::Profile)).
    fn name(&self) -> &'static str;
    /// Whether [`Pass::accelerate`] does anything: if no pass does, substeps run into each other.
    fn accelerates(&self) -> bool {
        false
    }
    /// Once a substep, before particles are predicted: what forces that depend on velocities do.
    fn accelerate(&self, _recorder: &mut Recorder) {}
    /// Once a substep, after particles were predicted.
    fn detect(&self, _recorder: &mut Recorder) {}
    /// In each sweep, after the constraints: correct displacements.
    fn solve(&self, _recorder: &mut Recorder) {}
    /// Whether [`Pass::correct_velocities`] does anything: if no pass does, substeps run into each other.
    fn corrects_velocities(&self) -> bool {
        false
    }
    /// Once a substep, after velocities were taken from displacements: correct them.
    fn correct_velocities(&self, _recorder: &mut Recorder) {}
    /// Bytes of device memory that the pass holds.
    fn memory_bytes(&self) -> u64;
}
