//! Reading back what touches, without blocking: noted at the end of substeps, recorded with a step, there when the
//! device has done it.

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, zeroed};
use crate::gpu::copies::Copies;
use crate::gpu::download::Order;
use crate::gpu::pass::Setup;
use crate::gpu::{Recorder, Work};
use crate::model::{Against, Contact, Model, Press, mean_contacts};
use crate::solver::gpu::parts::Parts;
use crate::step::records::{Pressed, Properties};

/// In place of a slot, with a collider: `shaders/colliders/note.wgsl`.
const COLLIDER: u32 = 1 << 31;

/// In place of a slot, with a segment, its nearer end: `shaders/pairs/segments/read.wgsl`.
const OF_SEGMENT: u32 = 1 << 30;

/// Contacts that can be noted in a substep however few particles there are.
const FEW: u64 = 1024;

/// How many contacts of a substep to have room for: six for each particle, as many as balls of one size can have, each
/// pair being told once, and up to eight colliders; or where all that is noted was counted, in the frame before last,
/// twice as many and that all particles come to touch something.
pub(crate) fn room(particles: usize, model: &Model, counted: Option<u32>) -> u64 {
    let particles = particles as u64;
    let most = (6 + model.colliders.len().min(8) as u64) * particles + FEW;
    let uncounted = model.colliders.iter().any(|collider| collider.trigger || collider.adhesion > 0.0);
    match counted.filter(|_| !uncounted) {
        Some(counted) => most.min(2 * u64::from(counted) + particles + FEW),
        None => most,
    }
}

/// What presses in some substeps, on the device.
pub(crate) struct Notes {
    count: wgpu::Buffer,
    pressed: wgpu::Buffer,
    /// How many there is room for.
    room: u64,
    substeps: u32,
    work: Vec<Work>,
}

impl Notes {
    /// Nothing as yet; what passes note in so many substeps, with so much room for each.
    pub fn new(setup: &Setup, parts: Option<&Parts>, (substeps, each): (u32, u64)) -> Self {
        let device = &setup.pipelines.device;
        let size = size_of::<Pressed>() as u64;
        let most = device.limits().max_storage_buffer_binding_size / size;
        let room = (u64::from(substeps) * each).clamp(1, most);
        let (count, pressed) = (zeroed(device, "pressed_count", 4), zeroed(device, "pressed", room * size));
        let notes =
            [("pressed_count", BufferRange::all(&count)), ("pressed", BufferRange::part(&pressed, 0, room * size))];
        let passes = parts.into_iter().flat_map(Parts::passes);
        let work = passes.flat_map(|(_, pass)| pass.reading(setup, &notes)).collect();
        Self { count, pressed, room, substeps, work }
    }

    /// Notes what pressed in the substep that the recorder is at, after velocities were corrected.
    pub fn record(&self, recorder: &mut Recorder) {
        self.work.iter().for_each(|work| recorder.section("notes").run(work));
    }

    pub fn memory_bytes(&self) -> u64 {
        self.pressed.size()
    }
}

/// Contacts on their way from the device. After the host has submitted the encoder and polled the device,
/// [`ContactDownload::contacts`] returns them.
pub struct ContactDownload {
    order: Arc<Order>,
    /// Of each body, m.
    radii: Vec<f64>,
    /// Which colliders are triggers.
    triggers: Vec<bool>,
    substeps: u32,
    /// How many could be noted.
    room: u64,
    copies: Copies,
}

impl ContactDownload {
    /// `particles`: x, e, and what each slot refers to.
    pub(crate) fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        order: Arc<Order>,
        model: &Model,
        particles: [BufferRange; 3],
        notes: &Notes,
    ) -> Self {
        let [x, e, properties] = particles;
        let sources = [x, e, properties, BufferRange::all(&notes.count), BufferRange::all(&notes.pressed)];
        let radii = model.bodies.iter().map(|body| model.collider_radius(body)).collect();
        let triggers = model.colliders.iter().map(|collider| collider.trigger).collect();
        let copies = Copies::record(device, encoder, &sources);
        Self { order, radii, triggers, substeps: notes.substeps, room: notes.room, copies }
    }

    /// Whether the contacts are there.
    pub fn is_ready(&self) -> bool {
        self.copies.is_ready()
    }

    /// Whether they will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.copies.has_failed()
    }

    /// What presses, is held by adhesion or is in a trigger, by particle and then collider or other particle; `None`
    /// while it is on its way.
    pub fn contacts(&self) -> Option<Vec<Contact>> {
        let (x, e): (Vec<[f32; 4]>, Vec<[f32; 4]>) = (self.copies.read(0)?, self.copies.read(1)?);
        let properties: Vec<Properties> = self.copies.read(2)?;
        let (count, pressed): (Vec<u32>, Vec<Pressed>) = (self.copies.read(3)?, self.copies.read(4)?);
        let ball = |particle: u32| {
            let slot = self.order.slot_of[particle as usize] as usize;
            let centre = std::array::from_fn(|i| f64::from(x[slot][i]) + f64::from(e[slot][i]));
            (centre, self.radii[properties[slot].body as usize])
        };
        let double = |v: [f32; 3]| v.map(f64::from);
        let press = |one: &Pressed| {
            let particle = |slot: u32| self.order.particle_of[slot as usize];
            let forces = (double(one.normal), f64::from(one.force), double(one.friction));
            if one.second & (COLLIDER | OF_SEGMENT) == OF_SEGMENT {
                let end = Against::Particle(particle(one.second & !OF_SEGMENT));
                return Press::new(particle(one.first), end, forces, one.substep);
            }
            if one.second & COLLIDER == 0 {
                return Press::between([one.first, one.second].map(particle), forces, one.substep);
            }
            let collider = one.second & !COLLIDER;
            let trigger = self.triggers[collider as usize];
            let against = if trigger { Against::Trigger(collider) } else { Against::Collider(collider) };
            Press::new(particle(one.first), against, forces, one.substep)
        };
        let presses = pressed.iter().take(count[0] as usize).map(press).collect();
        Some(mean_contacts(presses, self.substeps, ball))
    }

    /// What pressed and is missing in [`ContactDownload::contacts`], each substep's by itself: there is room for six a
    /// particle and as many more as there are colliders, up to eight, or for as many as the device's largest binding
    /// holds; in means for twice as many as in the frame before last and one for each particle. `None` while it is on
    /// its way.
    pub fn missing(&self) -> Option<usize> {
        Some(u64::from(self.copies.read::<u32>(3)?[0]).saturating_sub(self.room) as usize)
    }
}
