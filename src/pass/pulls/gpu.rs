//! Pulls on a device.

use std::sync::Arc;

use crate::constraint::{Attach, Constraint, kind};
use crate::gpu::buffers::{BufferRange, zeroed};
use crate::gpu::constraint_kernel::solve_kernel;
use crate::gpu::constraints::MULTIPLIER_BYTES;
use crate::gpu::kernel::KernelError;
use crate::gpu::parameters::Edit;
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::gpu::visit::Visit;
use crate::model::{Integrator, Settings};
use crate::step::records::Material;
use crate::step::{Active, Hooks, MOST_PULLS, Needs, Pull, material_record};

/// The pulls on the device: constraints of the kind `attach` in a list of fixed length.
pub struct Pulls {
    /// How many there are.
    count: usize,
    /// Where their materials begin in the table.
    first_material: u32,
    materials: wgpu::Buffer,
    records: wgpu::Buffer,
    multipliers: wgpu::Buffer,
    /// The dispatch for each number of pulls from one on.
    work: Vec<Work>,
}

impl Pulls {
    /// With room for as many as there may be.
    pub fn new(setup: &Setup) -> Result<Self, KernelError> {
        let Setup { pipelines, buffers: shared, model, .. } = *setup;
        let settings = &model.settings;
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
        let materials = shared.get("materials").unwrap_or_else(|| unreachable!("each model has a table of materials"));
        let (count, first_material) = (setup.pulled.all().len(), model.materials.len() as u32);
        Ok(Self { count, first_material, materials: materials.buffer.clone(), records, multipliers, work })
    }

    /// What the kernel reads of them: records, and their entries in the table of materials.
    fn lists(&self, pulled: &Active) -> (Vec<Attach>, Vec<Material>) {
        let record = |(material, &(slot, pull)): (u32, &(u32, Pull))| {
            let target = pull.target.map(|value| value as f32);
            (Attach::record(&[slot], &target, material), material_record(&pull.material(), &Settings::default()))
        };
        (self.first_material..).zip(pulled.all()).map(record).unzip()
    }
}

impl Pass for Pulls {
    fn hooks(&self) -> Hooks {
        Hooks { solve: self.count > 0, ..Hooks::default() }
    }

    fn join_sweep(&self, recorder: &mut Recorder, visit: Visit) {
        if let Some(last) = self.count.checked_sub(1) {
            recorder.begin_visit(visit).run(&self.work[last]);
        }
    }

    fn follow_pulls(&mut self, setup: &Setup) -> Vec<Edit> {
        self.count = setup.pulled.all().len();
        let (records, materials) = self.lists(setup.pulled);
        let edit = |buffer: &wgpu::Buffer, offset: usize, bytes: &[u8]| {
            let (buffer, offset, bytes) = (buffer.clone(), offset as u64, bytes.to_vec());
            Edit { buffer, offset, bytes }
        };
        let offset = self.first_material as usize * size_of::<Material>();
        vec![
            edit(&self.materials, offset, bytemuck::cast_slice(&materials)),
            edit(&self.records, 0, bytemuck::cast_slice(&records)),
        ]
    }

    fn memory_bytes(&self) -> u64 {
        self.records.size() + self.multipliers.size()
    }
}
