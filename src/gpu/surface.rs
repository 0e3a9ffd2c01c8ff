//! The surfaces of the bodies: triangle indices over slots for renderers and for the air, segments for the air, and
//! on request skins and normals.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::kernel::{Kernel, KernelError};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::Model;
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::fans;
use crate::step::records::SkinVertex;

pub fn normals_kernel() -> Kernel {
    let pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("step/normals.wgsl")];
    Kernel::new("normals", pieces)
}

pub fn skin_kernel() -> Kernel {
    let pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/skin.wgsl"),
        shader_piece!("step/skin.wgsl"),
    ];
    Kernel::new("skin", pieces)
}

/// The vertices of all skins, one body after another.
pub fn skin(model: &Model, plan: &Plan) -> Vec<SkinVertex> {
    let vertex = |(anchors, weights): (&[u32; 4], &[f64; 4])| SkinVertex {
        slots: anchors.map(|particle| plan.slot_of[particle as usize]),
        weights: weights.map(|weight| weight as f32),
    };
    model.skins().flat_map(|(_, skin)| skin.anchors.iter().zip(&skin.weights)).map(vertex).collect()
}

/// Uploads the triangles of all surfaces, those of all skins and the cylinders that the air drags at, the fan of each
/// particle and vertex, the skins, and room for normals.
pub fn upload_surfaces(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let particles = model.particles.len();
    let slots = |triangle: [u32; 3]| triangle.map(|particle| plan.slot_of[particle as usize]);
    let mut triangles: Vec<[u32; 3]> = model.triangles().map(slots).collect();
    // Faces inside a solid have no area until it comes apart: they are not drawn, and no air acts on them.
    let inside = model.tearing.as_ref().map_or(0, |tearing| tearing.inside.len());
    let inside = triangles.len() - inside..triangles.len();
    for (first, skin) in model.skins() {
        triangles.extend(skin.triangles.iter().map(|corners| corners.map(|v| particles as u32 + first + v)));
    }
    let vertices = particles + model.skin_vertices();
    let cylinders: Vec<[u32; 2]> =
        model.cylinders().map(|(_, ends)| ends.map(|particle| plan.slot_of[particle as usize])).collect();
    let elements =
        (0..).zip(triangles.iter().map(|corners| &corners[..]).chain(cylinders.iter().map(|ends| &ends[..])));
    buffers.upload(device, "fans", &fans(elements, vertices));
    // As triangles that begin with the same corner twice: whatever rounds, they have no area for normals.
    triangles.extend(cylinders.iter().map(|&[a, b]| [a, a, b]));
    triangles[inside].iter_mut().for_each(|triangle| *triangle = [triangle[0]; 3]);
    buffers.upload(device, "indices", &triangles);
    buffers.insert("normals", zeroed(device, "normals", vertices as u64 * 16));
    buffers.upload(device, "skin", &skin(model, plan));
}

/// The kernels that take skins from particles, if there are any, and normals from positions.
pub struct Surfaces {
    skin: Option<Work>,
    normals: Work,
}

impl Surfaces {
    /// `torn`: whether any surface can be.
    pub fn new(pipelines: &Pipelines, shared: &Buffers, plan: &Plan, torn: bool) -> Result<Self, KernelError> {
        let particles = plan.slot_of.len() as u32;
        let vertices = particles + plan.skin_vertices;
        let mut dispatches = Dispatches::default();
        let normals = dispatches.threads(0..vertices, 16 + 6 * (4 * 4 + 6 * 16));
        let skin = dispatches.threads(particles..vertices, 32 + (4 + 1) * 2 * 16);
        let batches = dispatches.upload(&pipelines.device);
        let work = |kernel, overrides: &[_], dispatch| {
            let pipeline = pipelines.get(kernel, overrides)?;
            let own = [("batch", BufferRange::slot(&batches))];
            let bind_group = Arc::new(pipeline.bind(&pipelines.device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let skinned = plan.skin_vertices > 0;
        Ok(Self {
            normals: work(normals_kernel(), &[("TORN", torn)], normals)?,
            skin: skinned.then(|| work(skin_kernel(), &[], skin)).transpose()?,
        })
    }

    /// Computes the skins and the normals of the positions as they are.
    pub fn update_normals(&self, recorder: &mut Recorder) {
        self.skin.iter().for_each(|skin| recorder.run(skin));
        recorder.run(&self.normals);
    }
}

/// Bytes of the largest list that the normals of so many triangles, and the air with so many cylinders, need.
pub fn surface_bytes(vertices: usize, triangles: usize, cylinders: usize) -> u64 {
    (size_of::<u32>() * (2 * vertices + 3 * (triangles + cylinders))) as u64
}

/// Bytes of the list of skins' vertices.
pub fn skin_bytes(vertices: u32) -> u64 {
    u64::from(vertices) * size_of::<SkinVertex>() as u64
}
