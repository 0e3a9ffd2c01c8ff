//! Levels over stiff sheets and ropes: coarse nets that carry their load ([`crate::plan::levels`]).

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

/// Levels.
pub struct Levels;

impl Pass for Levels {
    fn name(&self) -> &'static str {
        "levels"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        (!setup.plan.sheets.is_empty()).then(|| Box::new(reference::Levels::new(setup.model, &setup.plan.sheets)) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Levels::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Levels::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
