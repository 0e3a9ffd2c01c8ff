//! Rest values that change, along curves and by yielding.

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

/// Rest values that change.
pub struct Rest;

impl Pass for Rest {
    fn name(&self) -> &'static str {
        "rest"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        let changes = setup.model.groups.iter().any(|group| group.rest_changes(&setup.model.materials));
        changes.then(|| Box::new(reference::Rest) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        let changes = setup.used.iter().any(|used| used.rest_changes);
        changes.then(|| Box::new(cpu::Rest) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Changes::new(setup).map(|pass| Box::new(pass) as _))
    }
}
