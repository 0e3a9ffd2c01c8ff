//! Contact of particles with colliders and, in [`pairs`], with each other, on the device: found each substep, corrected
//! in positions with friction, corrected in velocities with restitution. `shaders/colliders/` holds the kernels.

pub(crate) mod fields;

pub use fields::{sample_bytes, samples};

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, upload, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatch, Dispatches, Kernel, KernelError, Piece, Pipeline, Recorder, Work};
use crate::model::tree::FEW;
use crate::model::{self, Integrator, Model, Settings, Shape};
use crate::shader_piece;
use crate::step::records::{Contact, NearContact};
use crate::step::{Hooks, Status};

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/properties.wgsl"),
        shader_piece!("colliders/colliders.wgsl"),
        shader_piece!("law/calm.wgsl"),
    ];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// What the first kernel of contact may have to know of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Those with a formula.
    Plain,
    /// Also those that read samples.
    Fields,
}

/// With how many colliders a particle has contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLayout {
    /// With all.
    Every,
    /// With those that are near: where there are many.
    Near,
}

impl ContactLayout {
    /// With so many colliders.
    pub fn of(colliders: usize) -> Self {
        if colliders > FEW { Self::Near } else { Self::Every }
    }
}

/// The three kernels of contact, in the order in which a substep runs them.
pub fn kernels(integrator: Integrator, shapes: Shapes, lists: ContactLayout) -> [Kernel; 3] {
    let (velocity, forget) = match integrator {
        Integrator::Euler => ("colliders velocity", shader_piece!("step/forget_nothing.wgsl")),
        Integrator::Bdf2 => ("colliders velocity bdf2", shader_piece!("step/forget.wgsl")),
    };
    let (suffix, list) = list_piece(lists);
    let (find, tell) = match lists {
        ContactLayout::Every => {
            (shader_piece!("colliders/find_every.wgsl"), shader_piece!("colliders/tell_nothing.wgsl"))
        }
        ContactLayout::Near => (shader_piece!("colliders/find_near.wgsl"), shader_piece!("colliders/tell.wgsl")),
    };
    let words = match (shapes, lists) {
        (Shapes::Plain, ContactLayout::Every) => shader_piece!("colliders/surfaces.wgsl"),
        _ => shader_piece!("colliders/words.wgsl"),
    };
    let mut detect = vec![
        list.clone(),
        words,
        shader_piece!("colliders/shapes.wgsl"),
        shader_piece!("colliders/pose.wgsl"),
        shader_piece!("colliders/sweep.wgsl"),
        shader_piece!("colliders/detect.wgsl"),
        find,
    ];
    let name = match shapes {
        Shapes::Plain => {
            detect.push(shader_piece!("colliders/no_fields.wgsl"));
            "colliders detect"
        }
        Shapes::Fields => {
            detect.push(shader_piece!("colliders/grid.wgsl"));
            detect.push(shader_piece!("colliders/heights.wgsl"));
            detect.push(shader_piece!("colliders/fields.wgsl"));
            "colliders detect fields"
        }
    };
    let impact = shader_piece!("law/impact.wgsl");
    let solve = [
        list.clone(),
        impact.clone(),
        shader_piece!("law/contact.wgsl"),
        shader_piece!("law/press.wgsl"),
        shader_piece!("law/friction.wgsl"),
        shader_piece!("colliders/solve.wgsl"),
    ];
    let velocity_pieces = [shader_piece!("lib/status.wgsl"), list, tell, forget];
    let label = |name: &str| format!("{name}{suffix}");
    [
        kernel(&label(name), &detect),
        kernel(&label("colliders solve"), &solve),
        kernel(&label(velocity), &[&velocity_pieces[..], &[impact, shader_piece!("colliders/velocity.wgsl")]].concat()),
    ]
}

/// Not part of a substep: what presses, on request.
pub fn reading_kernel(lists: ContactLayout) -> Kernel {
    let (suffix, list) = list_piece(lists);
    let pieces = [list, shader_piece!("colliders/note.wgsl"), shader_piece!("colliders/read.wgsl")];
    kernel(&format!("colliders read{suffix}"), &pieces)
}

/// The parts of a kernel's name and text that depend on the layout of contacts.
fn list_piece(lists: ContactLayout) -> (&'static str, Piece) {
    match lists {
        ContactLayout::Every => ("", shader_piece!("colliders/every.wgsl")),
        ContactLayout::Near => (" near", shader_piece!("colliders/near.wgsl")),
    }
}

/// What is compiled in: for no collider what none needs.
fn constants(colliders: &[model::Collider], integrator: Integrator) -> [(&'static str, bool); 6] {
    let any = |is: fn(&model::Collider) -> bool| colliders.iter().any(is);
    let turns = any(|collider| collider.turning.is_some());
    [
        ("BDF2", integrator == Integrator::Bdf2),
        ("FRAMES", any(|collider| !matches!(collider.shape, Shape::Plane | Shape::Sphere { .. }))),
        ("TURNS", turns),
        (
            "SWEEPS",
            turns
                || any(|collider| {
                    collider.shape != Shape::Plane && !(collider.inside && collider.shape.samples().is_empty())
                }),
        ),
        ("ADHESION", any(|collider| collider.adhesion > 0.0)),
        ("TRIGGERS", any(|collider| collider.trigger)),
    ]
}

/// Slots that each particle has to itself where there are many colliders: `shaders/colliders/near.wgsl`.
const OWN: usize = 4;
/// Words before the slots.
const HEADER: usize = 4;
/// Which of them holds the number of shared slots.
const ROOM: usize = 2;

/// Slots for all to share at first: for all contacts that there may be in a small scene, 1 MiB at most, else one for
/// each particle, since few are near more than [`OWN`] colliders.
fn first_room(particles: usize, colliders: usize) -> u64 {
    (particles * colliders).min(16_384).max(particles) as u64
}

fn near_bytes(particles: usize, room: u64) -> u64 {
    size_of::<[u32; HEADER]>() as u64 + ((OWN * particles) as u64 + room) * size_of::<NearContact>() as u64
}

/// Bytes of the contacts of so many particles with so many colliders, of which there may be more when many are near
/// each other.
pub fn contact_bytes(particles: usize, colliders: usize) -> u64 {
    match ContactLayout::of(colliders) {
        ContactLayout::Every => (particles * colliders * size_of::<Contact>()) as u64,
        ContactLayout::Near => near_bytes(particles, first_room(particles, colliders)),
    }
}

/// The contacts of all particles with colliders.
pub struct Contacts {
    detect: Work,
    solve: Work,
    velocity: Work,
    /// Reads contacts back, with the parameters of its dispatch.
    reading: (Arc<Pipeline>, Dispatch, wgpu::Buffer),
    contacts: wgpu::Buffer,
    /// What they begin with, where there are many colliders.
    header: Option<wgpu::Buffer>,
    particles: usize,
    /// Slots that all particles share.
    room: u64,
    /// What the kernels were compiled for.
    constants: [(&'static str, bool); 6],
}

impl Contacts {
    /// `None` without colliders. `wanted`: shared slots that are known to be taken.
    pub fn new(setup: &Setup, wanted: u64) -> Result<Option<Self>, KernelError> {
        let Setup { pipelines, buffers: shared, model, .. } = *setup;
        let particles = setup.particles();
        let (colliders, integrator) = (&model.colliders, model.settings.integrator);
        if colliders.is_empty() {
            return Ok(None);
        }
        let (shapes, constants) = (Shapes::of(model), constants(colliders, integrator));
        let lists = ContactLayout::of(colliders.len());
        // What was wanted soon may be more: twice as much is there before it is short.
        let room =
            (3 * wanted).max(first_room(particles, colliders.len())).min(most_room(&pipelines.device, particles));
        let (bytes, each) = match lists {
            ContactLayout::Every => (contact_bytes(particles, colliders.len()), colliders.len() * size_of::<Contact>()),
            // Of a particle that is near one.
            ContactLayout::Near => (near_bytes(particles, room), size_of::<NearContact>()),
        };
        let (contacts, each) = (zeroed(&pipelines.device, "contacts", bytes), each as u64);
        let mut dispatches = Dispatches::default();
        let sizes = [4 * 16 + 8 + each, 4 * 16 + 8 + 2 * each, 3 * 16 + 8 + each];
        let items = sizes.map(|bytes| dispatches.threads(0..particles as u32, bytes));
        let read = dispatches.threads(0..particles as u32, 0);
        let batches = dispatches.upload(&pipelines.device);
        let mut work = kernels(integrator, shapes, lists).into_iter().zip(items).map(|(kernel, dispatch)| {
            let pipeline = pipelines.get(kernel, &constants)?;
            let own = [("batch", BufferRange::slot(&batches)), ("contacts", BufferRange::all(&contacts))];
            let bind_group = pipeline.bind(&pipelines.device, shared, &own)?;
            Ok(Work { pipeline, bind_group: Arc::new(bind_group), dispatch })
        });
        let mut next = || work.next().unwrap_or_else(|| unreachable!("there are three kernels"));
        let (detect, solve, velocity) = (next()?, next()?, next()?);
        drop(work);
        let reading = (pipelines.get(reading_kernel(lists), &[])?, read, batches);
        let header = (lists == ContactLayout::Near).then(|| {
            let mut header = [0_u32; HEADER];
            header[ROOM] = room as u32;
            upload(&pipelines.device, "contacts header", &header)
        });
        Ok(Some(Self { detect, solve, velocity, reading, contacts, header, particles, room, constants }))
    }

    /// Whether its kernels have all that the colliders need.
    fn serves(&self, model: &Model) -> bool {
        let wanted = constants(&model.colliders, model.settings.integrator);
        wanted.iter().zip(&self.constants).all(|((_, wanted), (_, compiled))| compiled >= wanted)
    }

    /// Shared slots for thrice of which there is room.
    fn shared_wanted(&self) -> u64 {
        self.room.div_ceil(3)
    }

    /// Whether so many shared slots are more than half of what there is, and there may be more.
    fn is_short_of(&self, wanted: u64, device: &wgpu::Device) -> bool {
        self.header.is_some() && 2 * wanted > self.room && self.room < most_room(device, self.particles)
    }
}

/// As many shared slots as a device lets a kernel see.
fn most_room(device: &wgpu::Device, particles: usize) -> u64 {
    let limits = device.limits();
    let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    bytes.saturating_sub(near_bytes(particles, 0)) / size_of::<NearContact>() as u64
}

impl Pass for Contacts {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, solve_round: true, correct_velocities: true, ..Hooks::default() }
    }
    fn begin(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(header) = &self.header {
            encoder.copy_buffer_to_buffer(header, 0, &self.contacts, 0, header.size());
        }
    }
    fn detect(&self, recorder: &mut Recorder) {
        recorder.run(&self.detect);
    }
    fn solve(&self, recorder: &mut Recorder) {
        recorder.run(&self.solve);
    }
    fn solve_round(&self, recorder: &mut Recorder, _opening: bool) {
        recorder.run(&self.solve);
    }
    fn correct_velocities(&self, recorder: &mut Recorder) {
        recorder.run(&self.velocity);
    }
    fn reading(&self, setup: &Setup, notes: &[(&str, BufferRange); 2]) -> Vec<Work> {
        let (pipeline, dispatch, batches) = &self.reading;
        let own = [("batch", BufferRange::slot(batches)), ("contacts", BufferRange::all(&self.contacts))];
        let bound = pipeline.bind(&setup.pipelines.device, setup.buffers, &[&own[..], notes].concat());
        let bind_group = Arc::new(bound.unwrap_or_else(|_| unreachable!("the kernels of a substep bind the others")));
        vec![Work { pipeline: pipeline.clone(), bind_group, dispatch: *dispatch }]
    }
    /// Where particles share slots.
    fn may_miss(&self, _settings: &Settings) -> bool {
        self.header.is_some()
    }
    fn make_room(&mut self, setup: &Setup, status: &Status) {
        let wanted = u64::from(status.shared_contacts_wanted);
        // All is compiled, so that nothing can fail.
        if self.is_short_of(wanted, &setup.pipelines.device)
            && let Ok(Some(larger)) = Self::new(setup, wanted)
        {
            *self = larger;
        }
    }
    /// The first that turns wants kernels that follow it.
    fn follow_colliders(&mut self, setup: &Setup) -> Result<(), KernelError> {
        if !self.serves(setup.model)
            && let Some(made) = Self::new(setup, self.shared_wanted())?
        {
            *self = made;
        }
        Ok(())
    }
    fn memory_bytes(&self) -> u64 {
        self.contacts.size()
    }
}
