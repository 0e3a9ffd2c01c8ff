//! Putting particles elsewhere, on the device: the host does not know on which lattice they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, upload};
use crate::gpu::kernel::Kernel;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::Integrator;
use crate::shader_piece;
use crate::solver::gpu::Solver;
use crate::step::records::Placed;
use crate::step::{ChangeError, Placement, placed};

pub fn place_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/status.wgsl"),
        shader_piece!("step/place.wgsl"),
    ];
    Kernel::new("place", pieces)
}

impl Solver {
    /// As [`Synchronous::place`](crate::step::Synchronous::place), recorded into `encoder`.
    ///
    /// # Errors
    /// The same, or if the kernel does not compile.
    pub fn place(&mut self, encoder: &mut wgpu::CommandEncoder, placements: &[Placement]) -> Result<(), ChangeError> {
        let slots = placed(&self.order.slot_of, placements)?;
        let (h, lattice_slot) = (self.model.settings.substep_seconds(), (self.frame + 1) as u32 % 2);
        let fall = self.model.world.gravity.map(|g| (g * h * h) as f32);
        let particles = self.order.slot_of.len() as u32;
        let record = |(&slot, one): (&u32, &Placement)| {
            let position = one.position.map(|value| value as f32);
            let rest = std::array::from_fn(|i| (one.position[i] - f64::from(position[i])) as f32);
            let way = one.velocity.map(|speed| (speed * h) as f32);
            (slot, Placed { position, slot, rest, lattice_slot, way, particles, fall, reserved: 0 })
        };
        let records: BTreeMap<u32, Placed> = slots.iter().zip(placements).map(record).collect();
        let records: Vec<Placed> = records.into_values().collect();
        if records.is_empty() {
            return Ok(());
        }
        let device = &self.pipelines.device;
        let mut dispatches = Dispatches::default();
        let dispatch = dispatches.threads(0..records.len() as u32, 0);
        let batches = dispatches.upload(device);
        let records = upload(device, "placed", &records);
        let bdf2 = self.model.settings.integrator == Integrator::Bdf2;
        let pipeline = self.pipelines.get(place_kernel(), &[("BDF2", bdf2)])?;
        let own = [("batch", BufferRange::slot(&batches)), ("placed", BufferRange::all(&records))];
        let bind_group = Arc::new(pipeline.bind(device, &self.buffers, &own)?);
        Recorder::new(encoder, "pliant place", self.parts.parameters.first_slot()).run(&Work {
            pipeline,
            bind_group,
            dispatch,
        });
        Ok(())
    }
}
