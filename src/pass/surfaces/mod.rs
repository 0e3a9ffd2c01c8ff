//! Contact of surfaces with their faces and edges: vertices against faces and edges against edges, of one body and
//! between bodies. No edge ever passes through a face.

mod contour;
#[cfg(feature = "cpu")]
pub(crate) mod cpu;
mod cut;
pub(crate) mod features;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod near;
pub(crate) mod reference;
mod tangle;

use super::Pass;
#[cfg(feature = "cpu")]
use crate::cpu::pass as on_cpu;
#[cfg(feature = "gpu")]
use crate::gpu::{SolverError, pass as on_gpu};
use crate::reference::pass as in_reference;

/// Contacts of surfaces.
pub struct Surfaces;

impl Pass for Surfaces {
    fn name(&self) -> &'static str {
        "surfaces"
    }

    fn reference(&'static self, setup: &in_reference::Setup) -> Option<Box<dyn in_reference::Pass>> {
        reference::Contacts::new(setup.model).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "cpu")]
    fn cpu(&'static self, setup: &on_cpu::Setup) -> Option<Box<dyn on_cpu::Pass>> {
        cpu::Contacts::new(setup).map(|pass| Box::new(pass) as _)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&'static self, setup: &on_gpu::Setup) -> Result<Option<Box<dyn on_gpu::Pass>>, SolverError> {
        Ok(gpu::Contacts::new(setup, 0)?.map(|pass| Box::new(pass) as _))
    }
}
