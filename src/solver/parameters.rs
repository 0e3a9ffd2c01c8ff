//! What changes from frame to frame: gravity, moving pins, forces, colliders and curves, for every substep. Each recorded step carries
//! its own copy from a staging belt, so that several may be recorded before one submit.

use std::num::NonZero;

use wgpu::util::StagingBelt;

use super::buffers::{Buffers, SLOT_BYTES, slots, zeroed};
use super::records::{Bound, Collider, Drive, Substep};
use crate::contact::{collider_record, firsts, tree};
use crate::model::Model;

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
    substeps: wgpu::Buffer,
    drives: wgpu::Buffer,
    colliders: wgpu::Buffer,
    /// Whose beginning is the tree of many colliders.
    samples: Option<wgpu::Buffer>,
    curves: wgpu::Buffer,
}

impl Parameters {
    /// Makes the buffers and files them under `substep`, `drives`, `colliders` and `curves`; `samples` is there already.
    pub fn new(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, particles: u32) -> Self {
        let count = u64::from(model.settings.substeps);
        let substeps = slots(device, "substep", &vec![Substep::default(); count as usize]);
        buffers.insert_slots("substep", substeps.clone());
        let drives = zeroed(device, "drives", count * (model.drives.len() * size_of::<Drive>()) as u64);
        buffers.insert("drives", drives.clone());
        let colliders = zeroed(device, "colliders", count * (model.colliders.len() * size_of::<Collider>()) as u64);
        buffers.insert("colliders", colliders.clone());
        let curves = zeroed(device, "curves", count * (model.curves.len() * size_of::<[f32; 4]>()) as u64);
        buffers.insert("curves", curves.clone());
        // One chunk holds a frame's parameters, and a few small frames share one.
        let tree = (tree::nodes(model.colliders.len()) * size_of::<Bound>()) as u64;
        let frame_bytes = substeps.size() + drives.size() + colliders.size() + curves.size() + tree;
        let belt = StagingBelt::new(device.clone(), frame_bytes.max(64 << 10));
        let samples = buffers.get("samples").map(|range| range.buffer.clone());
        Self { particles, belt, substeps, drives, colliders, samples, curves }
    }

    /// Records the upload of a frame's parameters, and of what was changed since the last. `starting`: whether its first substep has no
    /// past.
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
        let records = FrameRecords::new(model, frame, starting, self.particles);
        let mut substeps = vec![0_u8; records.substeps.len() * SLOT_BYTES as usize];
        for (record, slot) in records.substeps.iter().zip(substeps.chunks_exact_mut(SLOT_BYTES as usize)) {
            slot[..size_of::<Substep>()].copy_from_slice(bytemuck::bytes_of(record));
        }
        let FrameRecords { drives, colliders, bounds, curves, .. } = records;
        self.copy(encoder, &self.substeps.clone(), 0, &substeps);
        self.copy(encoder, &self.drives.clone(), 0, bytemuck::cast_slice(&drives));
        self.copy(encoder, &self.colliders.clone(), 0, bytemuck::cast_slice(&colliders));
        self.copy(encoder, &self.curves.clone(), 0, bytemuck::cast_slice(&curves));
        if let Some(samples) = self.samples.clone() {
            self.copy(encoder, &samples, 0, bytemuck::cast_slice(&bounds));
        }
        self.belt.finish_and_recall_on_submit(encoder);
    }

    fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        if let Some(size) = NonZero::new(bytes.len() as u64) {
            self.belt.write_buffer(encoder, buffer, offset, size).copy_from_slice(bytes);
        }
    }
}

/// The parameters of a frame: of each kind all of substep 0, all of substep 1, ...
pub struct FrameRecords {
    pub substeps: Vec<Substep>,
    pub drives: Vec<Drive>,
    pub colliders: Vec<Collider>,
    /// The tree of all colliders, for all substeps, where there are many.
    pub bounds: Vec<Bound>,
    pub curves: Vec<[f32; 4]>,
}

impl FrameRecords {
    /// `starting`: whether its first substep has no past; `particles`: those of the whole model.
    pub fn new(model: &Model, frame: u64, starting: bool, particles: u32) -> Self {
        let settings = &model.settings;
        let time =
            |substep: u32| (frame as f64 + f64::from(substep) / f64::from(settings.substeps)) / settings.frame_rate;
        let count = settings.substeps as usize;
        let mut records = Self {
            substeps: Vec::with_capacity(count),
            drives: Vec::with_capacity(count * model.drives.len()),
            colliders: Vec::with_capacity(count * model.colliders.len()),
            bounds: Vec::new(),
            curves: Vec::with_capacity(count * model.curves.len()),
        };
        if tree::nodes(model.colliders.len()) > 0 {
            let times: Vec<f64> = (0..=settings.substeps).map(time).collect();
            records.bounds = tree::bounds(&model.colliders, &times);
        }
        let firsts = firsts(model);
        for index in 0..settings.substeps {
            records.substeps.push(Substep { particles, ..substep_record(model, frame, index, starting) });
            let (from, to) = (time(index), time(index + 1));
            records.drives.extend(model.drives.iter().map(|drive| {
                let at = |seconds| drive.motion.as_ref().map_or([0.0; 3], |motion| motion.at(seconds));
                let (before, now) = (at(from), at(to));
                Drive {
                    force: drive.force(to).map(|value| value as f32),
                    displacement: std::array::from_fn(|i| (now[i] - before[i]) as f32),
                    ..Default::default()
                }
            }));
            for (collider, &first) in model.colliders.iter().zip(&firsts) {
                // What stands is as it was in the substep before.
                let before = records.colliders.len().checked_sub(model.colliders.len());
                let record = match before.filter(|_| collider.stands()) {
                    Some(before) => records.colliders[before],
                    None => collider_record(collider, first, from, to),
                };
                records.colliders.push(record);
            }
            records.curves.extend(model.curves.iter().map(|curve| {
                let [x, y, z] = curve.at(to).map(|value| value as f32);
                [x, y, z, 0.0]
            }));
        }
        records
    }
}

/// Those of one substep.
#[cfg(feature = "cpu")]
impl FrameRecords {
    pub fn drives_of(&self, substep: usize) -> &[Drive] {
        self.part(&self.drives, substep)
    }
    pub fn colliders_of(&self, substep: usize) -> &[Collider] {
        self.part(&self.colliders, substep)
    }
    pub fn curves_of(&self, substep: usize) -> &[[f32; 4]] {
        self.part(&self.curves, substep)
    }
    fn part<'a, T>(&self, all: &'a [T], substep: usize) -> &'a [T] {
        let each = all.len() / self.substeps.len().max(1);
        &all[substep * each..(substep + 1) * each]
    }
}

fn substep_record(model: &Model, frame: u64, index: u32, starting: bool) -> Substep {
    let (seconds, usual) = (model.settings.substep_seconds(), model.settings.implicit_seconds());
    let implicit = if starting && index == 0 { seconds } else { usual };
    Substep {
        gravity: model.world.gravity.map(|value| value as f32),
        seconds: seconds as f32,
        inverse_seconds: (1.0 / seconds) as f32,
        inverse_seconds_squared: (1.0 / (implicit * implicit)) as f32,
        implicit_seconds: implicit as f32,
        share: (implicit / seconds) as f32,
        force_scale: (1.0 / (usual * usual)) as f32,
        wind: model.world.wind.map(|value| value as f32),
        air_density: model.world.air_density as f32,
        max_speed: model.world.max_speed.map_or(f32::MAX, |speed| speed as f32),
        index,
        count: model.settings.substeps,
        colliders: model.colliders.len() as u32,
        drives: model.drives.len() as u32,
        lattice_slot: (frame % 2) as u32,
        ..Default::default()
    }
}
