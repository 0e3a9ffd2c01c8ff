//! Pulls on a device.

use std::sync::Arc;

use crate::constraint::{Attach, Constraint, kind};
use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::constraint_kernel::solve_kernel;
use crate::gpu::kernel::KernelError;
use crate::gpu::needs::MULTIPLIER_BYTES;
use crate::gpu::pass::Pass;
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::{Integrator, Settings};
use crate::step::records::Material;
use crate::step::{Active, MOST_PULLS, Needs, Pull, material_record};

/// The pulls on the device: constraints of the kind `attach` in a list of fixed length.
pub struct Pulls {
    pub active: Active,
    first_material: u32,
    pub records: wgpu::Buffer,
    multipliers: wgpu::Buffer,
    /// The dispatch for each number of pulls from one on.
    work: Vec<Work>,
}

impl Pulls {
    /// `first_material` is where their materials begin in the table.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        first_material: u32,
        settings: &Settings,
    ) -> Result<Self, KernelError> {
        let kind = kind::<Attach>();
        let device = &pipelines.device;
        let records = zeroed(device, "pull records", (MOST_PULLS * kind.record_size()) as u64);
        let multiplier_bytes = (MOST_PULLS * kind.components()) as u64 * MULTIPLIER_BYTES;
        let multipliers = zeroed(device, "pull multipliers", multiplier_bytes);

        let mut dispatches = Dispatches::default();
        let bytes_each = kind.record_size() as u64 + 3 * 16;
        let dispatch: Vec<_> = (1..=MOST_PULLS as u32).map(|count| dispatches.threads(0..count, bytes_each)).collect();
        let batches = dispatches.upload(device);
        let two_steps = settings.integrator == Integrator::Bdf2;
        let needs = Needs { iterating: settings.visits() > 1, damping: true, two_steps, ..Needs::default() };
        let pipeline = pipelines.get(solve_kernel(kind, false, false), &needs.constants())?;
        let own = [
            ("batch", BufferRange::slot(&batches)),
            ("records", BufferRange::all(&records)),
            ("multipliers", BufferRange::all(&multipliers)),
        ];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
        let work = |dispatch| Work { pipeline: pipeline.clone(), bind_group: bind_group.clone(), dispatch };
        let work = dispatch.into_iter().map(work).collect();
        Ok(Self { active: Active::default(), first_material, records, multipliers, work })
    }

    /// What the kernel reads of them: records, and their entries in the table of materials.
    pub fn records(&self) -> (Vec<Attach>, Vec<Material>) {
        let record = |(material, &(slot, pull)): (u32, &(u32, Pull))| {
            let target = pull.target.map(|value| value as f32);
            (Attach::record(&[slot], &target, material), material_record(&pull.material(), &Settings::default()))
        };
        (self.first_material..).zip(self.active.all()).map(record).unzip()
    }
}

impl Pass for Pulls {
    fn name(&self) -> &'static str {
        "pull"
    }

    fn solve(&self, recorder: &mut Recorder) {
        if let Some(last) = self.active.all().len().checked_sub(1) {
            recorder.run(&self.work[last]);
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.records.size() + self.multipliers.size()
    }
}
