//! The air: drag and lift of triangles, drag of cylinders along strands and of balls, in a wind.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod reference;

use super::Pass;
#[cfg(feature = "cpu")]
use crate::cpu::pass as on_cpu;
#[cfg(feature = "gpu")]
use crate::gpu::{SolverError, pass as on_gpu};
use crate::law::air::acts;
use crate::reference::pass as in_reference;

/// The air. [docs/design/forces.md](../../../docs/design/forces.md) has its law.
pub struct Air;

impl Pass for Air {
    fn name(&self) -> &'static str {
        "air"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        acts(setup.model).then(|| Box::new(reference::Air) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Air::new(setup.model, setup.slot_of).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Air::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
