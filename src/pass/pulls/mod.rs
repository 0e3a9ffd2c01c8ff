//! Pulls: springs by which a host drags particles.

#[cfg(feature = "cpu")]
pub(crate) mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;

use super::Pass;
#[cfg(feature = "cpu")]
use crate::cpu::pass as on_cpu;
#[cfg(feature = "gpu")]
use crate::gpu::{SolverError, pass as on_gpu};
use crate::reference::pass as in_reference;

/// Pulls. The oracle has no host that pulls.
pub struct Pulls;

impl Pass for Pulls {
    fn name(&self) -> &'static str {
        "pulls"
    }

    fn reference(&'static self, _setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        None
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Pulls::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(Some(Box::new(gpu::Pulls::new(setup)?)))
    }
}
