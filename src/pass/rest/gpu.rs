//! Rest values that change: a dispatch at each substep's beginning for each group that has curves or yields.

use crate::gpu::pass::{Pass, Setup};
use crate::gpu::recorder::{Recorder, Work};
use crate::step::Hooks;

/// The changes of all groups as a pass. The groups hold the values.
pub struct Changes {
    work: Vec<Work>,
}

impl Changes {
    /// `None` where no rest value may change.
    pub fn new(setup: &Setup) -> Option<Self> {
        let changing = setup.constraints.iter().filter_map(|group| group.rest.as_ref());
        let work: Vec<Work> = changing.flat_map(|rest| rest.work.iter().cloned()).collect();
        (!work.is_empty()).then_some(Self { work })
    }
}

impl Pass for Changes {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, ..Hooks::default() }
    }

    fn detect(&self, recorder: &mut Recorder) {
        self.work.iter().for_each(|work| recorder.run(work));
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}
