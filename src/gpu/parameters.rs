//! What changes from frame to frame: gravity, moving pins, forces, colliders and curves, for every substep. Each
//! recorded step carries what is no longer as it was from a staging belt, so that several may be recorded before one
//! submit. Where nothing moves that is nothing: a copy between two passes costs an NVIDIA H200 5 to 8 µs, of some 200
//! that a frame of a cloth of 256 × 256 takes.

use std::collections::HashMap;
use std::num::NonZero;

use wgpu::util::StagingBelt;

use crate::gpu::buffers::{Buffers, SLOT_BYTES, slots, zeroed};
use crate::model::Model;
use crate::model::tree;
use crate::step::FrameRecords;
use crate::step::records::{Bound, Collider, Drive, Pour, Substep};

/// Numbers that replace some of a buffer with the next step.
pub struct Edit {
    pub buffer: wgpu::Buffer,
    /// Bytes; a multiple of 4, as is the number of `bytes`.
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// The parameters of a frame, on their way to the device.
pub struct Parameters {
    /// Of the whole model: the one that steps carry its settings and no particles.
    particles: u32,
    belt: StagingBelt,
    /// Those of the even frames, then those of the odd ones, which have another slot of the lattice.
    substeps: wgpu::Buffer,
    /// The first slot of the last recorded frame.
    first_slot: u32,
    /// By buffer and offset, what is there once all that is recorded has been done.
    held: HashMap<(wgpu::Buffer, u64), Vec<u8>>,
    drives: wgpu::Buffer,
    colliders: wgpu::Buffer,
    /// Whose beginning is the tree of many colliders.
    samples: Option<wgpu::Buffer>,
    curves: wgpu::Buffer,
    pours: wgpu::Buffer,
}

impl Parameters {
    /// Makes the buffers and files them under `substep`, `drives`, `colliders`, `curves` and `pours`; `samples` is
    /// there already.
    pub fn new(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, particles: u32) -> Self {
        let count = u64::from(model.settings.substeps);
        let substeps = slots(device, "substep", &vec![Substep::default(); 2 * count as usize]);
        buffers.insert_slots("substep", substeps.clone());
        let drives = count * model.drives.len() as u64 + model.animated().count() as u64;
        let drives = zeroed(device, "drives", drives * size_of::<Drive>() as u64);
        buffers.insert("drives", drives.clone());
        let colliders = zeroed(device, "colliders", count * (model.colliders.len() * size_of::<Collider>()) as u64);
        buffers.insert("colliders", colliders.clone());
        let curves = zeroed(device, "curves", count * (model.curves.len() * size_of::<[f32; 4]>()) as u64);
        buffers.insert("curves", curves.clone());
        let pours = zeroed(device, "pours", count * (model.emitters.len().max(1) * size_of::<Pour>()) as u64);
        buffers.insert("pours", pours.clone());
        // One chunk holds a frame's parameters, and a few small frames share one.
        let tree = (tree::nodes(model.colliders.len()) * size_of::<Bound>()) as u64;
        let frame_bytes = substeps.size() + drives.size() + colliders.size() + curves.size() + pours.size() + tree;
        let belt = StagingBelt::new(device.clone(), frame_bytes.max(64 << 10));
        let samples = buffers.get("samples").map(|range| range.buffer.clone());
        Self {
            particles,
            belt,
            substeps,
            first_slot: 0,
            held: HashMap::new(),
            drives,
            colliders,
            samples,
            curves,
            pours,
        }
    }

    /// Records the upload of a frame's parameters, and of what was changed since the last. `starting`: whether its
    /// first substep has no past.
    pub fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        model: &Model,
        frame: u64,
        starting: bool,
        edits: Vec<Edit>,
    ) {
        for edit in edits {
            self.copy(encoder, &edit.buffer, edit.offset, &edit.bytes);
        }
        self.first_slot = (frame % 2) as u32 * model.settings.substeps;
        let records = FrameRecords::new(model, frame, starting, self.particles);
        let mut substeps = vec![0_u8; records.substeps.len() * SLOT_BYTES as usize];
        for (record, slot) in records.substeps.iter().zip(substeps.chunks_exact_mut(SLOT_BYTES as usize)) {
            slot[..size_of::<Substep>()].copy_from_slice(bytemuck::bytes_of(record));
        }
        let FrameRecords { drives, colliders, bounds, curves, pours, .. } = records;
        let offset = u64::from(self.first_slot) * SLOT_BYTES;
        self.hold(encoder, &self.substeps.clone(), offset, &substeps);
        self.hold(encoder, &self.drives.clone(), 0, bytemuck::cast_slice(&drives));
        self.hold(encoder, &self.colliders.clone(), 0, bytemuck::cast_slice(&colliders));
        self.hold(encoder, &self.curves.clone(), 0, bytemuck::cast_slice(&curves));
        self.hold(encoder, &self.pours.clone(), 0, bytemuck::cast_slice(&pours));
        if let Some(samples) = self.samples.clone() {
            self.hold(encoder, &samples, 0, bytemuck::cast_slice(&bounds));
        }
        self.belt.finish_and_recall_on_submit(encoder);
    }

    /// Where the uniform slots of the last recorded frame begin.
    pub fn first_slot(&self) -> u32 {
        self.first_slot
    }

    /// Copies what is not there already.
    fn hold(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        let held = self.held.entry((buffer.clone(), offset)).or_default();
        if held != bytes {
            held.clear();
            held.extend_from_slice(bytes);
            self.copy(encoder, buffer, offset, bytes);
        }
    }

    fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        if let Some(size) = NonZero::new(bytes.len() as u64) {
            self.belt.write_buffer(encoder, buffer, offset, size).copy_from_slice(bytes);
        }
    }
}
