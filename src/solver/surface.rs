//! The surface of the bodies: triangle indices over slots for whoever draws and for the air, and normals on request.

use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, zeroed};
use super::kernel::{Kernel, KernelError};
use super::pipelines::Pipelines;
use super::recorder::{Dispatches, Recorder, Work};
use crate::model::Model;
use crate::plan::Plan;
use crate::shader_piece;

pub fn normals_kernel() -> Kernel {
    let pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("step/normals.wgsl")];
    Kernel::new("normals", pieces)
}

/// Uploads the triangles of all surfaces, each particle's fan of them, and room for normals.
pub fn upload_surfaces(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let particles = model.particles.len();
    let slots = |triangle: [u32; 3]| triangle.map(|particle| plan.slot_of[particle as usize]);
    let mut triangles: Vec<[u32; 3]> = model.triangles().map(slots).collect();
    buffers.upload(device, "fans", &fans(&triangles, particles));
    // What is inside a solid has no area until it comes apart: nobody sees or feels it.
    let inside = model.tearing.as_ref().map_or(0, |tearing| tearing.inside.len());
    let outside = triangles.len() - inside;
    triangles[outside..].iter_mut().for_each(|triangle| *triangle = [triangle[0]; 3]);
    buffers.upload(device, "indices", &triangles);
    buffers.insert("normals", zeroed(device, "normals", particles as u64 * 16));
}

/// The kernel that takes normals from positions.
pub struct Surfaces {
    work: Work,
}

impl Surfaces {
    /// `torn`: whether any surface can be.
    pub fn new(pipelines: &mut Pipelines, shared: &Buffers, particles: usize, torn: bool) -> Result<Self, KernelError> {
        let mut dispatches = Dispatches::default();
        let dispatch = dispatches.threads(0..particles as u32, 16 + 6 * (4 * 4 + 6 * 16));
        let batches = dispatches.upload(&pipelines.device);
        let pipeline = pipelines.get(normals_kernel(), &[("TORN", torn)])?;
        let own = [("batch", BufferRange::slot(&batches))];
        let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
        Ok(Self { work: Work { pipeline, bind_group, dispatch } })
    }

    /// Computes the normals of the positions as they are.
    pub fn update_normals(&self, recorder: &mut Recorder) {
        recorder.run(&self.work);
    }
}

/// Bytes of the largest list that the normals of so many triangles need.
pub fn surface_bytes(particles: usize, triangles: usize) -> u64 {
    (size_of::<u32>() * (2 * particles + 3 * triangles)) as u64
}

/// For each particle, where its triangles begin in the list that follows, and where they end; then the list, ascending.
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
    let ends = offsets.windows(2).flatten().copied();
    ends.chain(list).collect()
}
