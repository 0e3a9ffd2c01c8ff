//! The passes: what takes part in a substep beside constraints. Each is one folder, with its part in the oracle, on the
//! CPU and on a GPU, and shaders in a folder of the same name; [`PASSES`](crate::solver::PASSES) has them in order.

pub(crate) mod air;
pub(crate) mod colliders;
pub(crate) mod damping;
pub(crate) mod levels;
pub(crate) mod pairs;
pub(crate) mod pulls;
pub(crate) mod rest;
pub(crate) mod tear;

#[cfg(feature = "cpu")]
pub use crate::cpu::pass as cpu;
#[cfg(feature = "gpu")]
use crate::gpu::SolverError;
#[cfg(feature = "gpu")]
pub use crate::gpu::pass as gpu;
pub use crate::reference::pass as reference;

/// A pass: what each engine makes of it for a model. `None`: the model asks nothing of it, and it costs not a byte and
/// not a dispatch.
pub trait Pass: Send + Sync {
    /// Its name: that of its folder, of its shaders' folder, and of its part in profiles.
    fn name(&self) -> &'static str;

    /// In the oracle.
    fn reference(&'static self, setup: &reference::Setup) -> Option<Box<dyn reference::Pass>>;

    /// On the CPU.
    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &cpu::Setup) -> Option<Box<dyn cpu::Pass>>;

    /// On a GPU.
    ///
    /// # Errors
    /// If the device has no room, or a shader does not compile.
    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &gpu::Setup) -> Result<Option<Box<dyn gpu::Pass>>, SolverError>;
}
