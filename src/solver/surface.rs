//! The surface of the bodies for whoever draws: triangle indices over slots, and normals on request.

use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::kernel::{Kernel, KernelError};
use super::recorder::{Dispatches, Recorder, Work};
use crate::model::Model;
use crate::plan::Plan;
use crate::shader_piece;

pub fn normals_kernel() -> Kernel {
    let pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("step/normals.wgsl")];
    Kernel::new("normals", pieces)
}

/// Indices and normals of all surfaces.
pub struct Surfaces {
    pub indices: wgpu::Buffer,
    pub normals: wgpu::Buffer,
    work: Work,
    memory: u64,
}

impl Surfaces {
    pub fn new(device: &wgpu::Device, shared: &Buffers, model: &Model, plan: &Plan) -> Result<Self, KernelError> {
        let particles = model.particles.len();
        let triangles: Vec<[u32; 3]> = model
            .bodies
            .iter()
            .flat_map(|body| &body.triangles)
            .map(|triangle| triangle.map(|particle| plan.slot_of[particle as usize]))
            .collect();
        let indices = upload(device, "indices", &triangles);
        let normals = zeroed(device, "normals", particles as u64 * 16);
        let fans = upload(device, "fans", &fans(&triangles, particles));

        let mut dispatches = Dispatches::default();
        let dispatch = dispatches.threads(0..particles as u32, 16 + 6 * (4 * 4 + 6 * 16));
        let batches = dispatches.upload(device);
        let pipeline = normals_kernel().compile(device, &[])?;
        let own = [
            ("batch", BufferRange::slot(&batches)),
            ("indices", BufferRange::all(&indices)),
            ("fans", BufferRange::all(&fans)),
            ("normals", BufferRange::all(&normals)),
        ];
        let bind_group = pipeline.bind(device, shared, &own)?;
        let work = Work { pipeline: Arc::new(pipeline), bind_group: Arc::new(bind_group), dispatch };
        let memory = indices.size() + normals.size() + fans.size();
        Ok(Self { indices, normals, work, memory })
    }

    /// Computes the normals of the positions as they are.
    pub fn update_normals(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }

    pub fn memory_bytes(&self) -> u64 {
        self.memory
    }
}

/// Bytes of the largest list that the normals of so many triangles need.
pub fn surface_bytes(particles: usize, triangles: usize) -> u64 {
    (size_of::<u32>() * (particles + 1 + 3 * triangles)) as u64
}

/// For each particle, where its triangles begin in the list that follows, and the end; then the list, ascending.
fn fans(triangles: &[[u32; 3]], particles: usize) -> Vec<u32> {
    let mut offsets = vec![0_u32; particles + 1];
    for &corner in triangles.as_flattened() {
        offsets[corner as usize + 1] += 1;
    }
    for i in 0..particles {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut list = vec![0_u32; triangles.len() * 3];
    for (triangle, corners) in triangles.iter().enumerate() {
        for &corner in corners {
            list[next[corner as usize] as usize] = triangle as u32;
            next[corner as usize] += 1;
        }
    }
    offsets.extend(list);
    offsets
}
