//! Buffers on a device for what is solved elsewhere: by the CPU engine or the reference, which have none of their own
//! to be drawn from.

use wgpu::{CommandEncoder, Device, Queue};

use super::Surface;
use crate::gpu::{Pipelines, SolverError};
use crate::model::{Model, Torn};
use crate::plan::Plan;
use crate::solver::gpu::Solver;
use crate::step::Engine;

/// What a model looks like in a state that is handed to it. Bodies may be torn; materials and masses are not told
/// apart.
pub struct UploadedSurface {
    /// Solves nothing: it has the buffers, the skins and the normals.
    solver: Solver,
    device: Device,
    queue: Queue,
    slot_of: Vec<u32>,
    /// The corners of all triangles at the beginning, where they may come apart.
    corners: Option<Vec<u32>>,
    torn: Option<Torn>,
    /// The particles that emitters and drains may have taken away.
    flowing: Vec<u32>,
    /// By slot: position and inverse mass, and the way of a substep.
    positions: Vec<[f32; 4]>,
    ways: Vec<[f32; 4]>,
}

impl UploadedSurface {
    /// Uploads a model as it is at the beginning.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn new(pipelines: &Pipelines, queue: &Queue, model: &Model, plan: &Plan) -> Result<Self, SolverError> {
        let place = |&particle: &u32| {
            let [x, y, z] = model.particles.positions[particle as usize];
            [x, y, z, model.particles.inverse_masses[particle as usize]].map(|number| number as f32)
        };
        let fluids = model.fluids.iter().filter(|_| model.flows());
        let flowing = fluids.flat_map(|fluid| fluid.particles.clone()).collect();
        // Nothing is solved here, so that nothing needs to touch.
        let mut apart;
        let model = if model.has_surface_contact() || !model.fluids.is_empty() {
            apart = model.clone();
            apart.fluids.clear();
            apart.emitters.clear();
            apart.drains.clear();
            apart.bodies.iter_mut().for_each(|body| (body.surface_contact, body.self_collision) = (false, false));
            &apart
        } else {
            model
        };
        Ok(Self {
            solver: Solver::sharing(pipelines, model, plan)?,
            device: pipelines.device.clone(),
            queue: queue.clone(),
            slot_of: plan.slot_of.clone(),
            corners: model.tearing.is_some().then(|| model.triangles().flatten().collect()),
            torn: None,
            flowing,
            positions: plan.particle_of.iter().map(place).collect(),
            ways: vec![[0.0; 4]; plan.particle_of.len()],
        })
    }

    /// Shows another state from the next submit on: positions, m, and velocities, m/s, in the model's order, how bodies
    /// hang together if anything has broken, and which particles are absent ([`State`](crate::model::State) has all
    /// four). Substeps are of `substep_seconds`.
    pub fn take(
        &mut self,
        [positions, velocities]: [&[[f64; 3]]; 2],
        torn: Option<&Torn>,
        absent: &[u32],
        substep_seconds: f64,
    ) {
        // First, since it takes spare particles to where those are that they come from.
        self.tear(torn);
        for &particle in &self.flowing {
            self.positions[self.slot_of[particle as usize] as usize][3] = 1.0;
        }
        for &particle in absent {
            self.positions[self.slot_of[particle as usize] as usize][3] = 0.0;
        }
        for ((&slot, x), v) in self.slot_of.iter().zip(positions).zip(velocities) {
            self.positions[slot as usize][..3].copy_from_slice(&x.map(|number| number as f32));
            self.ways[slot as usize][..3].copy_from_slice(&v.map(|speed| (substep_seconds * speed) as f32));
        }
        self.queue.write_buffer(self.solver.positions(), 0, bytemuck::cast_slice(&self.positions));
        self.queue.write_buffer(self.solver.velocities(), 0, bytemuck::cast_slice(&self.ways));
    }

    fn tear(&mut self, torn: Option<&Torn>) {
        let Some(beginning) = self.corners.as_ref().filter(|_| self.torn.as_ref() != torn) else { return };
        let whole = Torn::default();
        let Torn { triangles, dropped, broken_facets, .. } = torn.unwrap_or(&whole);
        let corners = torn.map_or(&beginning[..], |_| triangles.as_flattened());
        let loose: Vec<u32> = dropped.iter().map(|triangle| 3 * triangle).collect();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.solver.restore_surfaces(&mut encoder, corners, &loose, broken_facets);
        self.queue.submit([encoder.finish()]);
        self.torn = torn.cloned();
    }

    /// Records the normals, and what is to be drawn.
    pub fn surface(&self, encoder: &mut CommandEncoder) -> Surface<'_> {
        self.solver.update_normals(encoder);
        Surface::of(&self.solver)
    }

    /// Bytes of device memory that it holds.
    pub fn memory_bytes(&self) -> u64 {
        self.solver.memory_bytes()
    }
}
