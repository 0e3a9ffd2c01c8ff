//! Rest values that change: the sweep of the oracle holds them.

use crate::reference::pass::{Pass, Substep};

/// The rest values of all groups.
pub struct Rest;

impl Pass for Rest {
    /// By the multipliers of the substep before.
    fn detect(&mut self, substep: &mut Substep) {
        substep.sweep.change_rest(&substep.model.curves, substep.times[1]);
    }
}
