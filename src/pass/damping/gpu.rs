//! Damping that keeps rigid motion: of each damped body's velocities, what is not its translation and rotation dies
//! away. Müller et al., Position Based Dynamics, 2007, section 3.5. `shaders/damping/` holds the kernels.

use std::sync::Arc;

use crate::gpu::SolverError;
use crate::gpu::buffers::{BufferRange, upload, zeroed};
use crate::gpu::kernel::{Kernel, Piece};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::recorder::{Dispatches, Recorder, Work};
use crate::model::Body;
use crate::shader_piece;
use crate::step::Hooks;
use crate::step::records::{Chunk, Damped, RigidMotion, Sums};

/// Particles that a workgroup sums at most: four a thread. Trees of sums cost more than what they add up. A cloth of
/// 4,096 particles on lavapipe, best of three runs on a noisy machine: 7 ms a frame undamped, 14 ms with chunks of
/// 1,024, 20 ms with chunks of 256.
const CHUNK: usize = 1024;

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("damping/bodies.wgsl")];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// The three kernels of damping, in the order in which a substep runs them.
pub fn kernels() -> [Kernel; 3] {
    let [sums, rigid] = [shader_piece!("damping/sums.wgsl"), shader_piece!("law/rigid.wgsl")];
    [
        kernel("damping sum", &[sums.clone(), shader_piece!("damping/sum.wgsl")]),
        kernel("damping motion", &[sums, rigid, shader_piece!("damping/motion.wgsl")]),
        kernel("damping apply", &[shader_piece!("damping/apply.wgsl")]),
    ]
}

/// What is damped, as the kernels read it.
#[derive(Default)]
struct DampedLists {
    bodies: Vec<Damped>,
    chunks: Vec<Chunk>,
    slots: Vec<u32>,
}

impl DampedLists {
    /// Of substeps of `h` s. One particle has no motion but translation.
    fn new(bodies: &[Body], slot_of: &[u32], h: f64) -> Self {
        let mut lists = Self::default();
        for body in bodies.iter().filter(|body| body.damping > 0.0 && body.particles.len() > 1) {
            lists.add(body, slot_of, -(-body.damping * h).exp_m1());
        }
        lists
    }

    fn add(&mut self, body: &Body, slot_of: &[u32], share: f64) {
        let particles = &slot_of[body.particles.start as usize..body.particles.end as usize];
        let index = self.bodies.len() as u32;
        let (first_chunk, first_slot) = (self.chunks.len() as u32, self.slots.len());
        // Neighbours in memory are summed together.
        self.slots.extend_from_slice(particles);
        self.slots[first_slot..].sort_unstable();
        for first in (first_slot..self.slots.len()).step_by(CHUNK) {
            let count = (self.slots.len() - first).min(CHUNK) as u32;
            self.chunks.push(Chunk { first: first as u32, count, body: index });
        }
        let chunks = self.chunks.len() as u32 - first_chunk;
        // Of particles in a row or a grid the middle one is nearer to the centre than the first.
        let reference = particles[particles.len() / 2];
        self.bodies.push(Damped { first_chunk, chunks, reference, share: share as f32 });
    }
}

/// The damping of all bodies that have any.
pub struct Damping {
    work: [Work; 3],
    memory: u64,
}

impl Damping {
    /// `None` where no body is damped.
    pub fn new(setup: &Setup) -> Result<Option<Self>, SolverError> {
        let Setup { pipelines, buffers: shared, model, slot_of, .. } = *setup;
        let lists = DampedLists::new(&model.bodies, slot_of, model.settings.substep_seconds());
        if lists.bodies.is_empty() {
            return Ok(None);
        }
        let device = pipelines.device.clone();
        let sum_bytes = (lists.chunks.len() * size_of::<Sums>()) as u64;
        let available = device.limits().max_storage_buffer_binding_size;
        if sum_bytes > available {
            return Err(SolverError::TooBig { what: "the sums of damped bodies", needed: sum_bytes, available });
        }
        let motion_bytes = (lists.bodies.len() * size_of::<RigidMotion>()) as u64;
        let buffers = [
            ("damped", upload(&device, "damped", &lists.bodies)),
            ("chunks", upload(&device, "chunks", &lists.chunks)),
            ("damped_slots", upload(&device, "damped_slots", &lists.slots)),
            ("chunk_sums", zeroed(&device, "chunk_sums", sum_bytes)),
            ("rigid_motions", zeroed(&device, "rigid_motions", motion_bytes)),
        ];

        let mut dispatches = Dispatches::default();
        let (bodies, chunks) = (lists.bodies.len() as u32, lists.chunks.len() as u32);
        // Slot, x, e and u of each particle; to apply also the new u.
        let each = |particle: usize, chunk: usize| (lists.slots.len() * particle / lists.chunks.len() + chunk) as u64;
        let sums = lists.chunks.len() * size_of::<Sums>() / lists.bodies.len();
        let dispatch = [
            dispatches.workgroups(0..chunks, each(4 + 3 * 16, size_of::<Chunk>() + size_of::<Sums>())),
            dispatches.workgroups(0..bodies, (sums + size_of::<Damped>() + size_of::<RigidMotion>()) as u64),
            dispatches.workgroups(0..chunks, each(4 + 4 * 16, size_of::<Chunk>())),
        ];
        let batches = dispatches.upload(&device);
        let mut own = vec![("batch", BufferRange::slot(&batches))];
        own.extend(buffers.iter().map(|(name, buffer)| (*name, BufferRange::all(buffer))));
        let [sum, motion, apply] = kernels();
        let work = |kernel, dispatch| -> Result<Work, SolverError> {
            let pipeline = pipelines.get(kernel, &[])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        };
        let work = [work(sum, dispatch[0])?, work(motion, dispatch[1])?, work(apply, dispatch[2])?];
        Ok(Some(Self { work, memory: buffers.iter().map(|(_, buffer)| buffer.size()).sum() }))
    }
}

impl Pass for Damping {
    fn hooks(&self) -> Hooks {
        Hooks { correct_velocities: true, ..Hooks::default() }
    }

    fn correct_velocities(&self, recorder: &mut Recorder) {
        for work in &self.work {
            recorder.run(work);
        }
    }

    fn memory_bytes(&self) -> u64 {
        self.memory
    }
}
