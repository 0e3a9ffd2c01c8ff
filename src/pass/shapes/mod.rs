//! Rest shapes that change: blend shapes, and plastic flow.
//!
//! At each substep's beginning what of a shape's strain lies beyond its yield point flows, by the particles as the
//! substep before left them, and its particles get the rest places of the substep's end: see
//! `src/constraint/reshape.rs`.

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

/// Rest shapes that change.
pub struct Shapes;

impl Pass for Shapes {
    fn name(&self) -> &'static str {
        "shapes"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        let pass = || Box::new(reference::Shapes::new(setup)) as _;
        (!setup.model.rest_shapes.is_empty()).then(pass)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        let pass = || Box::new(cpu::Shapes::new(setup.model)) as _;
        (!setup.model.rest_shapes.is_empty()).then(pass)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Shapes::new(setup)?.map(|pass| Box::new(pass) as _))
    }
}
