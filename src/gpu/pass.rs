//! Passes on the GPU engine: what takes part in a substep beside constraints.

pub use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::constraints::Constraints;
use super::parameters::Edit;
use super::pipelines::Pipelines;
pub use super::recorder::{Dispatch, Dispatches, Recorder, Work};
use super::visit::Visit;
pub use super::{Kernel, KernelError, Piece};
use crate::model::{Model, Settings};
use crate::plan::levels::Sheet;
use crate::shader_piece;
use crate::step::{Active, Hooks, Status};
use std::sync::Arc;

/// What a pass is made of.
pub struct Setup<'a> {
    /// The device's compiled kernels.
    pub pipelines: &'a Pipelines,
    /// The buffers that all kernels share, by their names in WGSL.
    pub buffers: &'a Buffers,
    /// Without particles and constraints where a running solver makes one pass anew.
    pub model: &'a Model,
    /// The sheets of the plan that have levels; none where a running solver makes one pass anew.
    pub sheets: &'a [Sheet],
    /// The slot of each particle.
    pub slot_of: &'a [u32],
    /// That of the plan; 0 where a running solver makes one pass anew.
    pub viscous_rate: f64,
    /// The constraints, a group for each kind.
    pub constraints: &'a [Constraints],
    /// What the host pulls, by slot.
    pub pulled: &'a Active,
}

impl Setup<'_> {
    /// Slots of particles.
    pub fn particles(&self) -> usize {
        self.slot_of.len()
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.pipelines.device
    }

    /// A kernel of a caller's own with an invocation for each slot. `text` is WGSL with an entry point `main`. Before
    /// it stand the parameters of the substep (`substep`), `batch`, `item(id)` and `GROUP_SIZE`, at bindings 0 and 1 of
    /// group 0; what it binds from 2 on is found by name, among `own` and among [`Setup::buffers`]: `x` (place and
    /// inverse mass), `e` (what lies below the lattice) and `u` (h times the velocity), as in `shaders/lib/`.
    ///
    /// # Errors
    /// If the text does not compile, or names a buffer that is not there.
    pub fn over_slots(
        &self,
        label: &str,
        text: &'static str,
        own: &[(&str, BufferRange)],
    ) -> Result<Work, KernelError> {
        let last = Piece { path: format!("{label}.wgsl").into(), text: text.into() };
        let pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), last];
        let pipeline = self.pipelines.get(Kernel::new(label, pieces), &[])?;
        let mut dispatches = Dispatches::default();
        let dispatch = dispatches.threads(0..self.particles() as u32, 0);
        let batches = dispatches.upload(&self.pipelines.device);
        let own = [&[("batch", BufferRange::slot(&batches))], own].concat();
        let bind_group = Arc::new(pipeline.bind(&self.pipelines.device, self.buffers, &own)?);
        Ok(Work { pipeline, bind_group, dispatch })
    }
}

/// A pass on a device, by kernels of its own.
pub trait Pass: Send + Sync {
    /// What it does in a substep now.
    fn hooks(&self) -> Hooks;

    /// Records what a frame begins with.
    fn begin(&self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Finds what forces that depend on velocities do: before particles are predicted.
    fn accelerate(&self, _recorder: &mut Recorder) {}

    /// Moves particles from where they were predicted.
    fn correct_prediction(&self, _recorder: &mut Recorder) {}

    /// Finds what the substep needs.
    fn detect(&self, _recorder: &mut Recorder) {}

    /// Joins the sweep over constraints, before its last half and after it.
    fn join_sweep(&self, _recorder: &mut Recorder, _visit: Visit) {}

    /// Corrects displacements, once a sweep, after the constraints.
    fn solve(&self, _recorder: &mut Recorder) {}

    /// Corrects displacements in a round of contact. `opening`: the first of a substep.
    fn solve_round(&self, _recorder: &mut Recorder, _opening: bool) {}

    /// Has the last word on displacements.
    fn guard(&self, _recorder: &mut Recorder) {}

    /// Corrects velocities at the end of a substep.
    fn correct_velocities(&self, _recorder: &mut Recorder) {}

    /// What notes what presses, on request, into these buffers.
    fn reading(&self, _setup: &Setup, _notes: &[(&str, BufferRange); 2]) -> Vec<Work> {
        Vec::new()
    }

    /// Whether what it reports lies in buffers that all passes share: where it is made anew, it would report contacts
    /// of the time before.
    fn reports_from_shared(&self) -> bool {
        false
    }

    /// Whether a frame may lack room for contacts.
    fn may_miss(&self, _settings: &Settings) -> bool {
        false
    }

    /// Makes larger lists where they took more than there is, by what the device reported.
    fn make_room(&mut self, _setup: &Setup, _status: &Status) {}

    /// Takes over colliders that were changed.
    ///
    /// # Errors
    /// If they want another kernel, which does not compile.
    fn follow_colliders(&mut self, _setup: &Setup) -> Result<(), KernelError> {
        Ok(())
    }

    /// Takes over what the host pulls; returns what the next step writes.
    fn follow_pulls(&mut self, _setup: &Setup) -> Vec<Edit> {
        Vec::new()
    }

    /// By what it pulled each slot in the last frame, the sum over its substeps, where a host asks for it.
    fn forces(&self) -> Option<BufferRange<'_>> {
        None
    }

    /// The sum of λ/h² over the substeps of the last frame at each slot, where it holds a fluid.
    fn pressures(&self) -> Option<BufferRange<'_>> {
        None
    }

    /// Bytes of device memory that it holds.
    fn memory_bytes(&self) -> u64;
}
