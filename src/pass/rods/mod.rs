//! Rods: orientations between particles, and chains of them that are solved at once.

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
use crate::model::Settings;
use crate::reference::pass as in_reference;

/// Rods. [docs/design/rods.md](../../../docs/design/rods.md) has the reasons and the measurements.
pub struct Rods;

impl Pass for Rods {
    fn name(&self) -> &'static str {
        "rods"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        reference::Rods::new(setup.model).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Rods::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Rods::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}

/// Substeps of a frame from which on one step of Newton's method in each is enough. With fewer, soft rods gain energy
/// by one: what is solved turns too far within a substep.
const ENOUGH: u32 = 5;

/// Steps of Newton's method in each sweep.
pub(crate) fn steps(settings: &Settings) -> u32 {
    if settings.substeps.saturating_mul(settings.iterations) < ENOUGH { 2 } else { 1 }
}
