//! Contact of particles with the segments between two others, on the device: found by the grid of the pairs, solved
//! particle by particle in positions with friction, corrected in velocities with restitution. `shaders/pairs/segments/`
//! holds the kernels.

use std::sync::Arc;

use crate::gpu::buffers;
use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::{Dispatch, Dispatches, Kernel, KernelError, Piece, Pipeline, Pipelines, Recorder, Work};
use crate::model::touch::Segment;
use crate::model::{Integrator, Model};
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::SegmentContact;

/// Of an end: the segment is touched there, too. `shaders/pairs/segments/segment.wgsl`
const OWNED: u32 = 1 << 31;
/// `shaders/pairs/ball.wgsl`
const NONE: u32 = u32::MAX;
/// Words of `shaders/pairs/segments/sums.wgsl` for each particle.
const WORDS: usize = 8;
/// Contacts for which there is room at first: for each particle, and for each segment.
const ROOM: [usize; 2] = [4, 32];

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("pairs/ball.wgsl"),
        shader_piece!("law/segment.wgsl"),
        shader_piece!("pairs/segments/segment.wgsl"),
    ];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// A kernel that makes the lists.
fn making(label: &str, own: &[Piece]) -> Kernel {
    let grid = [shader_piece!("pairs/words.wgsl"), shader_piece!("pairs/grid.wgsl")];
    kernel(label, &[&grid, own].concat())
}

/// A kernel that goes through contacts.
fn meeting(label: &str, own: &[Piece]) -> Kernel {
    let meet = [
        shader_piece!("law/contact.wgsl"),
        shader_piece!("pairs/meet.wgsl"),
        shader_piece!("pairs/segments/look.wgsl"),
    ];
    kernel(label, &[&meet, own].concat())
}

/// The kernels, in the order in which a substep runs them.
pub fn kernels(integrator: Integrator) -> [Kernel; 7] {
    let (label, forget) = match integrator {
        Integrator::Euler => ("segments leave", shader_piece!("step/forget_nothing.wgsl")),
        Integrator::Bdf2 => ("segments leave bdf2", shader_piece!("step/forget.wgsl")),
    };
    let [sums, add, take] = [
        shader_piece!("pairs/segments/sums.wgsl"),
        shader_piece!("pairs/segments/add.wgsl"),
        shader_piece!("pairs/segments/take.wgsl"),
    ];
    let touches = shader_piece!("pairs/touches.wgsl");
    let press = [
        shader_piece!("law/press.wgsl"),
        shader_piece!("law/friction.wgsl"),
        shader_piece!("pairs/press.wgsl"),
        shader_piece!("pairs/segments/solve.wgsl"),
    ];
    let [calm, impact] = [shader_piece!("law/calm.wgsl"), shader_piece!("law/impact.wgsl")];
    let status = shader_piece!("lib/status.wgsl");
    let list = [
        touches.clone(),
        shader_piece!("pairs/alone.wgsl"),
        shader_piece!("pairs/cells.wgsl"),
        shader_piece!("pairs/segments/list.wgsl"),
    ];
    [
        making("segments clear", &[shader_piece!("pairs/segments/clear.wgsl")]),
        making("segments list", &list),
        meeting("segments count", &[sums.clone(), shader_piece!("pairs/segments/count.wgsl")]),
        meeting(
            "segments solve",
            &[&[sums.clone(), add.clone(), touches, calm.clone(), impact.clone()], &press[..]].concat(),
        ),
        kernel("segments apply", &[sums.clone(), take.clone(), shader_piece!("pairs/segments/apply.wgsl")]),
        meeting(
            "segments velocity",
            &[status, sums.clone(), add, calm, impact, shader_piece!("pairs/segments/velocity.wgsl")],
        ),
        kernel(label, &[sums, take, forget, shader_piece!("pairs/segments/leave.wgsl")]),
    ]
}

/// Not part of a substep: what pressed, on request.
pub fn reading_kernel() -> Kernel {
    meeting("segments read", &[shader_piece!("colliders/note.wgsl"), shader_piece!("pairs/segments/read.wgsl")])
}

/// Uploads the segments that particles may touch, if there are any.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let end =
        |segment: &Segment, k: usize| plan.slot_of[segment.ends[k] as usize] | if segment.owns[k] { OWNED } else { 0 };
    let segments: Vec<[u32; 2]> =
        model.touching_segments().iter().map(|segment| [0, 1].map(|k| end(segment, k))).collect();
    if !segments.is_empty() {
        buffers.upload(device, "segments", &segments);
    }
}

/// The contacts of particles with segments.
pub struct Segments {
    detect: [Work; 2],
    solve: [Work; 3],
    velocity: [Work; 2],
    /// Reads contacts back, with the parameters of its dispatch.
    reading: (Arc<Pipeline>, Dispatch, wgpu::Buffer),
    contacts: wgpu::Buffer,
    heads: wgpu::Buffer,
    /// Contacts for which there is room.
    room: u64,
    memory: u64,
}

impl Segments {
    /// `None` where there are no segments. `wanted`: contacts that there are known to be.
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        particles: usize,
        integrator: Integrator,
        wanted: u64,
    ) -> Result<Option<Self>, KernelError> {
        let Some(segments) = shared.get("segments") else { return Ok(None) };
        let device = pipelines.device.clone();
        let count = segments.bytes() as usize / size_of::<[u32; 2]>();
        let first_room = (ROOM[0] * particles + ROOM[1] * count) as u64;
        // What was wanted soon may be more: twice as much is there before it is short.
        let room = (3 * wanted).max(first_room).min(most_room(&device));
        let contacts = zeroed(&device, "segment_contacts", room * size_of::<SegmentContact>() as u64);
        // Empty lists, and behind them how many contacts these take.
        let mut no_heads = vec![NONE; particles];
        no_heads.push(0);
        let heads = buffers::upload(&device, "segment_heads", &no_heads);
        let sums = zeroed(&device, "segment_sums", (4 * WORDS * particles) as u64);
        let memory = contacts.size() + heads.size() + sums.size();

        let mut dispatches = Dispatches::default();
        let (all, each) = (0..particles as u32, 2 * size_of::<SegmentContact>() as u64);
        let ball = 4 * 16;
        let dispatch = [
            dispatches.threads(all.clone(), 0),
            dispatches.threads(0..count as u32, 0),
            dispatches.threads(all.clone(), 3 * ball + each),
            dispatches.threads(all.clone(), 3 * ball + each),
            dispatches.threads(all.clone(), 2 * 4 * WORDS as u64 + 2 * 16),
            dispatches.threads(all.clone(), ball + each),
            dispatches.threads(all.clone(), 4 * WORDS as u64),
        ];
        let read = dispatches.threads(all, 0);
        let batches = dispatches.upload(&device);
        let own = [
            ("batch", BufferRange::slot(&batches)),
            ("segment_contacts", BufferRange::part(&contacts, 0, room * size_of::<SegmentContact>() as u64)),
            ("segment_heads", BufferRange::all(&heads)),
            ("segment_sums", BufferRange::all(&sums)),
        ];
        let mut work = kernels(integrator).into_iter().zip(dispatch).map(|(kernel, dispatch)| {
            let pipeline = pipelines.get(kernel, &[])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        });
        let mut next = || work.next().unwrap_or_else(|| unreachable!("there are seven kernels"));
        let detect = [next()?, next()?];
        let (solve, velocity) = ([next()?, next()?, next()?], [next()?, next()?]);
        drop(work);
        let reading = (pipelines.get(reading_kernel(), &[])?, read, batches);
        Ok(Some(Self { detect, solve, velocity, reading, contacts, heads, room, memory }))
    }

    /// What notes the contacts that press, into these buffers.
    pub fn reading(&self, device: &wgpu::Device, shared: &Buffers, notes: &[(&str, BufferRange); 2]) -> Work {
        let (pipeline, dispatch, batches) = &self.reading;
        let own = [
            ("batch", BufferRange::slot(batches)),
            ("segment_contacts", BufferRange::all(&self.contacts)),
            ("segment_heads", BufferRange::all(&self.heads)),
        ];
        let bound = pipeline.bind(device, shared, &[&own[..], notes].concat());
        let bind_group = Arc::new(bound.unwrap_or_else(|_| unreachable!("the kernels of a substep bind the others")));
        Work { pipeline: pipeline.clone(), bind_group, dispatch: *dispatch }
    }

    /// Whether so many contacts are more than half of what there is room for, and there may be more.
    pub fn is_short_of(&self, wanted: u64, device: &wgpu::Device) -> bool {
        2 * wanted > self.room && self.room < most_room(device)
    }

    /// After the pairs have made their grid.
    pub fn detect(&self, recorder: &mut Recorder) {
        self.detect.iter().for_each(|work| recorder.run(work));
    }

    pub fn solve(&self, recorder: &mut Recorder) {
        self.solve.iter().for_each(|work| recorder.run(work));
    }

    pub fn correct_velocities(&self, recorder: &mut Recorder) {
        self.velocity.iter().for_each(|work| recorder.run(work));
    }

    pub fn memory_bytes(&self) -> u64 {
        self.memory
    }
}

/// As many contacts as a device lets a kernel see.
fn most_room(device: &wgpu::Device) -> u64 {
    let limits = device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / size_of::<SegmentContact>() as u64
}
