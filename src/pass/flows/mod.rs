//! What flows in and out: emitters pour particles of fluids, and drains take them away.
//!
//! A particle that is not there is fixed, and the pass of fluids passes it by. Both happen before a substep finds what
//! is near: drains look at where particles were as it began, and a layer is poured from where it would have been then.

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

/// Emitters and drains.
pub struct Flows;

impl Pass for Flows {
    fn name(&self) -> &'static str {
        "flows"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        setup.model.flows().then(|| Box::new(reference::Flows) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Flows::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Flows::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
