//! Damping that keeps the rigid motion of a body.

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

/// Damping.
pub struct Damping;

impl Pass for Damping {
    fn name(&self) -> &'static str {
        "damping"
    }

    fn reference(&'static self, _setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        // Hosts change damping while the oracle runs.
        Some(Box::new(reference::Damping))
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        let h = setup.model.settings.substep_seconds();
        cpu::Damping::new(&setup.model.bodies, setup.slot_of, setup.planned, h).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Damping::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
