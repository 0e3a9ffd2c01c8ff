//! Fluids: particles that keep their density, between walls and among the particles of solids.

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
use crate::reference::pass as in_reference;

/// Fluids. [docs/design/fluids.md](../../../docs/design/fluids.md) has the reasons and the measurements.
pub struct Fluids;

impl Pass for Fluids {
    fn name(&self) -> &'static str {
        "fluid"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        reference::Fluids::new(setup.model).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Fluids::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Fluids::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
