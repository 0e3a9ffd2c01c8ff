//! Recording dispatches into a compute pass, and counting them.

use std::ops::Range;
use std::sync::Arc;

use crate::gpu::buffers::{SLOT_BYTES, slots};
use crate::gpu::kernel::Pipeline;
use crate::gpu::profile::Timer;
use crate::gpu::visit::{ALL_SWEEPS, VISITS, Visit};
use crate::step::records::Batch;

/// Threads of a workgroup: `GROUP_SIZE` in `shaders/lib/batch.wgsl`.
const GROUP_SIZE: u32 = 256;
/// Workgroups along one axis that every device allows.
const MAX_GROUPS: u32 = 65_535;

/// Work for one dispatch: which slot of the batches it reads and how large it is.
#[derive(Clone, Copy, Debug)]
pub struct Dispatch {
    slot: u32,
    groups: [u32; 2],
    /// Bytes that must move through memory.
    bytes: u64,
}

impl Dispatch {
    /// The same, moving so many bytes more in place of so many.
    pub fn moving(self, more: u64, less: u64) -> Self {
        Self { bytes: self.bytes + more - less, ..self }
    }
}

/// Collects dispatches, then uploads what they read.
#[derive(Default)]
pub struct Dispatches {
    batches: Vec<Batch>,
}

impl Dispatches {
    /// One thread for each item of the range; `bytes_each` is what an item moves.
    pub fn threads(&mut self, items: Range<u32>, bytes_each: u64) -> Dispatch {
        self.push(items.clone(), (items.end - items.start).div_ceil(GROUP_SIZE), GROUP_SIZE, bytes_each)
    }

    /// One workgroup for each item of the range.
    pub fn workgroups(&mut self, items: Range<u32>, bytes_each: u64) -> Dispatch {
        self.push(items.clone(), items.end - items.start, 1, bytes_each)
    }

    /// One workgroup for all items of the range.
    pub fn single(&mut self, items: Range<u32>, bytes_each: u64) -> Dispatch {
        self.push(items, 1, 1, bytes_each)
    }

    /// As [`Dispatches::workgroups`], with all sweeps of a substep in one.
    pub fn all_sweeps(&mut self, items: Range<u32>, bytes_each: u64) -> Dispatch {
        let dispatch = self.workgroups(items, bytes_each);
        self.batches.iter_mut().rev().take(VISITS as usize).for_each(|batch| batch.visit |= ALL_SWEEPS);
        dispatch
    }

    fn push(&mut self, items: Range<u32>, groups: u32, items_per_group: u32, bytes_each: u64) -> Dispatch {
        let groups = fold(groups);
        let slot = self.batches.len() as u32;
        let count = items.end - items.start;
        let row = groups[0] * items_per_group;
        // One for each visit.
        self.batches.extend((0..VISITS).map(|visit| Batch { first: items.start, count, row, visit }));
        Dispatch { slot, groups, bytes: u64::from(count) * bytes_each }
    }

    /// The batches of all dispatches that were added, as kernels read them: bind it as `batch`.
    pub fn upload(&self, device: &wgpu::Device) -> wgpu::Buffer {
        slots(device, "batch", &self.batches)
    }
}

/// As few workgroups on two axes as are at least `groups`.
fn fold(groups: u32) -> [u32; 2] {
    let rows = groups.div_ceil(MAX_GROUPS).max(1);
    [groups.div_ceil(rows), rows]
}

/// A dispatch with all that it needs.
#[derive(Clone)]
pub struct Work {
    /// The compiled kernel.
    pub pipeline: Arc<Pipeline>,
    /// What it binds.
    pub bind_group: Arc<wgpu::BindGroup>,
    /// How many threads.
    pub dispatch: Dispatch,
}

/// What was recorded: how much there is to do at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    pub dispatches: u32,
    /// Bytes that must move if nothing stays in a cache.
    pub bytes: u64,
}

impl std::ops::AddAssign for Load {
    fn add_assign(&mut self, other: Self) {
        self.dispatches += other.dispatches;
        self.bytes += other.bytes;
    }
}

impl Work {
    fn load(&self) -> Load {
        Load { dispatches: 1, bytes: self.dispatch.bytes }
    }
}

/// A compute pass that is being recorded, or a row of them where each section is timed.
pub struct Recorder<'a> {
    /// There is always one, but for a moment between two sections: an encoder holds one at a time.
    pass: Option<wgpu::ComputePass<'static>>,
    /// The encoder and what times the sections; without it all is one pass.
    timed: Option<(&'a mut wgpu::CommandEncoder, &'a mut Timer)>,
    section: &'static str,
    /// Where the uniform slots of the frame's substeps begin.
    first_slot: u32,
    substep: u32,
    visit: Visit,
    load: Load,
}

impl<'a> Recorder<'a> {
    /// `first_slot`: of the parameters that are read.
    pub fn new(encoder: &mut wgpu::CommandEncoder, label: &str, first_slot: u32) -> Self {
        let pass = begin(encoder, label, None);
        Self {
            pass: Some(pass),
            timed: None,
            section: "",
            first_slot,
            substep: 0,
            visit: Visit::ONLY,
            load: Load::default(),
        }
    }

    /// Every section becomes a pass of its own, whose beginning and end `timer` notes.
    pub fn timed(encoder: &'a mut wgpu::CommandEncoder, timer: &'a mut Timer, first_slot: u32) -> Self {
        let timed = Some((encoder, timer));
        Self { pass: None, timed, section: "", first_slot, substep: 0, visit: Visit::ONLY, load: Load::default() }
    }

    /// What is recorded from here on belongs to this section of the step.
    pub fn section(&mut self, name: &'static str) -> &mut Self {
        self.section = name;
        self
    }

    /// What is recorded from here on reads this substep's parameters.
    pub fn begin_substep(&mut self, index: u32) {
        self.substep = index;
        self.visit = Visit::ONLY;
    }

    /// The substep whose parameters are read.
    pub fn substep(&self) -> u32 {
        self.substep
    }

    /// What is recorded from here on is this visit.
    pub fn begin_visit(&mut self, visit: Visit) -> &mut Self {
        self.visit = visit;
        self
    }

    /// Records a dispatch, unless it has nothing to do.
    pub fn run(&mut self, work: &Work) {
        let [x, y] = work.dispatch.groups;
        if x == 0 {
            return;
        }
        if let Some((encoder, timer)) = &mut self.timed
            && let Some(writes) = timer.begin(self.section)
        {
            self.pass = None;
            self.pass = Some(begin(encoder, self.section, Some(writes)));
        }
        let Some(pass) = &mut self.pass else { return };
        let slot = work.dispatch.slot + self.visit.bits();
        let offsets = [self.first_slot + self.substep, slot].map(|slot| slot * SLOT_BYTES as u32);
        pass.set_pipeline(&work.pipeline.pipeline);
        pass.set_bind_group(0, work.bind_group.as_ref(), &offsets);
        pass.dispatch_workgroups(x, y, 1);
        self.load += work.load();
        if let Some((_, timer)) = &mut self.timed {
            timer.count(work.load());
        }
    }

    /// Ends the pass: what was recorded.
    pub fn finish(self) -> Load {
        self.load
    }
}

fn begin(
    encoder: &mut wgpu::CommandEncoder,
    label: &str,
    timestamp_writes: Option<wgpu::ComputePassTimestampWrites>,
) -> wgpu::ComputePass<'static> {
    let descriptor = wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes };
    encoder.begin_compute_pass(&descriptor).forget_lifetime()
}

#[cfg(test)]
mod tests {
    use crate::gpu::recorder::*;

    /// A dispatch above the limit of one axis is folded to two that cover it with less than one row to spare.
    #[test]
    fn folds_large_dispatches() {
        for groups in [0, 1, 65_535, 65_536, 65_537, 10_000_000] {
            let [x, y] = fold(groups);
            assert!(x <= MAX_GROUPS && y <= MAX_GROUPS);
            assert!(u64::from(x) * u64::from(y) >= u64::from(groups));
            assert!(u64::from(x) * u64::from(y) < u64::from(groups) + u64::from(x.max(1)) || groups == 0);
        }
    }
}
