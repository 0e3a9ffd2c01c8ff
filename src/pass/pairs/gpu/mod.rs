//! Contact of particles with particles, on the device: found by a hashed grid, solved in positions with friction, all
//! at once with split masses, corrected in velocities with restitution. `shaders/pairs/` holds the kernels.

pub(crate) mod segments;

use std::sync::Arc;

use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatch, Dispatches, Kernel, KernelError, Piece, Pipeline, Recorder, Work};
use crate::model::{Integrator, Model, Settings};
use crate::pass::pairs::gpu::segments::Segments;
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::{Ball, BodyTouch};
use crate::step::{Hooks, Status};

/// The words of the grid before its buckets, and where what the host writes of them is: `shaders/pairs/grid.wgsl`.
const HEADER: usize = 16;
const BUCKETS: usize = 4;
const FINEST: usize = 5;
const INVERSE_FINEST: usize = 6;
/// And of each particle: its turn, and a sorted one.
const WORDS: usize = 2;
/// Words of the lists before their entries, and of each particle before those of all lists: `shaders/pairs/lists.wgsl`.
const LISTS: [u64; 2] = [2, 2];

/// `shaders/pairs/ball.wgsl`
const MEETS_ITSELF: u32 = 1 << 31;
const OF_SEGMENT: u32 = 1 << 30;
const UNBOUND: u32 = 1 << 29;
const NOWHERE: u32 = u32::MAX;

/// Threads that look for the partners of one particle: `shaders/pairs/list.wgsl`.
const LANES: u32 = 8;

/// Sizes of cells begin at this share of the largest: what is smaller yet shares cells, or the largest would have too
/// many about it.
const FINEST_SHARE: f64 = 1.0 / 32.0;
/// A ball that is at rest, in radii: with the slack of the search, and what it may move until lists are made again.
const EXTENT: f64 = 1.35;

/// Partners of a particle for which there is room at first. Balls in a heap have about 12, cloth in folds 20.
const ROOM: u64 = 16;

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("pairs/ball.wgsl")];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// A kernel that makes the grid.
fn making(label: &str, own: &[Piece]) -> Kernel {
    let grid = [shader_piece!("pairs/atomic_words.wgsl"), shader_piece!("pairs/grid.wgsl")];
    kernel(label, &[&grid, own].concat())
}

/// A kernel that goes through partners.
fn meeting(label: &str, own: &[Piece]) -> Kernel {
    let grid = [
        shader_piece!("pairs/words.wgsl"),
        shader_piece!("pairs/grid.wgsl"),
        shader_piece!("pairs/lists.wgsl"),
        shader_piece!("pairs/touches.wgsl"),
        shader_piece!("pairs/alone.wgsl"),
        shader_piece!("pairs/cells.wgsl"),
        shader_piece!("pairs/walk.wgsl"),
        shader_piece!("pairs/partners.wgsl"),
        shader_piece!("law/contact.wgsl"),
        shader_piece!("pairs/meet.wgsl"),
    ];
    kernel(label, &[&grid, own].concat())
}

/// A kernel that goes through partners and knows how they press.
fn pressing(label: &str, own: &[Piece]) -> Kernel {
    let press = [
        shader_piece!("law/calm.wgsl"),
        shader_piece!("law/impact.wgsl"),
        shader_piece!("law/press.wgsl"),
        shader_piece!("law/friction.wgsl"),
        shader_piece!("pairs/press.wgsl"),
        shader_piece!("pairs/impulse.wgsl"),
    ];
    meeting(label, &[&press, own].concat())
}

/// The kernels, in the order in which a substep runs them.
pub fn kernels(integrator: Integrator) -> [Kernel; 10] {
    let (label, forget) = match integrator {
        Integrator::Euler => ("pairs velocity", shader_piece!("step/forget_nothing.wgsl")),
        Integrator::Bdf2 => ("pairs velocity bdf2", shader_piece!("step/forget.wgsl")),
    };
    let status = shader_piece!("lib/status.wgsl");
    let lists = shader_piece!("pairs/lists.wgsl");
    let list = [
        shader_piece!("pairs/words.wgsl"),
        shader_piece!("pairs/grid.wgsl"),
        lists.clone(),
        shader_piece!("pairs/touches.wgsl"),
        shader_piece!("pairs/cells.wgsl"),
        shader_piece!("pairs/walk.wgsl"),
        shader_piece!("pairs/shell.wgsl"),
        shader_piece!("pairs/list.wgsl"),
    ];
    [
        making("pairs begin", &[shader_piece!("pairs/begin.wgsl")]),
        making("pairs clear", &[lists.clone(), shader_piece!("pairs/clear.wgsl")]),
        making("pairs count", &[status.clone(), shader_piece!("pairs/count.wgsl")]),
        making("pairs allot", &[shader_piece!("pairs/allot.wgsl")]),
        making("pairs sort", &[shader_piece!("pairs/sort.wgsl")]),
        kernel("pairs list", &list),
        meeting("pairs touch", &[shader_piece!("pairs/touch.wgsl")]),
        pressing("pairs solve", &[shader_piece!("pairs/solve.wgsl")]),
        pressing(label, &[forget, shader_piece!("pairs/velocity.wgsl")]),
        kernel("pairs leave", &[status, lists, shader_piece!("pairs/leave.wgsl")]),
    ]
}

/// Not part of a substep: what pressed, on request.
pub fn reading_kernel() -> Kernel {
    pressing("pairs read", &[shader_piece!("colliders/note.wgsl"), shader_piece!("pairs/read.wgsl")])
}

/// Buckets of the grid of so many particles: twice as many, so that few share one.
fn buckets(particles: usize) -> usize {
    (2 * particles).next_power_of_two()
}

/// Bytes of the largest buffer that the pairs of so many particles need; lists take what there is.
pub fn pair_bytes(particles: usize) -> u64 {
    let words = HEADER + 2 * buckets(particles) + WORDS * particles;
    (particles * size_of::<Ball>()).max(words * 4) as u64
}

/// Uploads what does not change of the particles and the grid, if any two of the model may touch.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let Some(radii) = model.touching_radii() else { return };
    let first = model.particles.positions[0];
    let (is_end, kin) = (model.segment_ends(), model.kin());
    let ball = |&particle: &u32| {
        let (body, place) = (model.particles.bodies[particle as usize], model.particles.positions[particle as usize]);
        let meets_itself = if model.bodies[body as usize].self_collision { MEETS_ITSELF } else { 0 };
        let of_segment = if is_end.get(particle as usize) == Some(&true) { OF_SEGMENT } else { 0 };
        Ball {
            radius: radii[particle as usize] as f32,
            body: body | meets_itself | of_segment | if kin.held[particle as usize] { 0 } else { UNBOUND },
            level: NOWHERE,
            placed: std::array::from_fn(|i| (place[i] - first[i]) as f32),
            ..Default::default()
        }
    };
    let balls: Vec<Ball> = plan.particle_of.iter().map(ball).collect();
    buffers.upload(device, "balls", &balls);
    let touch = |(body, &kin): (&crate::model::Body, &u32)| BodyTouch {
        compliance: body.contact_compliance as f32,
        friction: body.friction as f32,
        dynamic_friction: body.dynamic_friction as f32,
        restitution: body.restitution as f32,
        groups: body.groups.of,
        meets: body.groups.with,
        kin,
    };
    buffers.upload(device, "touches", &model.bodies.iter().zip(&kin.of_body).map(touch).collect::<Vec<_>>());

    let (buckets, largest) =
        (buckets(radii.len()), radii.iter().fold(0.0, |largest, &radius| f64::max(largest, radius)));
    let smallest = radii.iter().filter(|radius| **radius > 0.0).fold(largest, |least, &radius| f64::min(least, radius));
    let finest = (2.0 * EXTENT * smallest.max(FINEST_SHARE * largest)) as f32;
    let mut words = vec![0_u32; HEADER + 2 * buckets + WORDS * radii.len()];
    words[BUCKETS] = buckets as u32;
    words[FINEST] = finest.to_bits();
    words[INVERSE_FINEST] = (1.0 / finest).to_bits();
    buffers.upload(device, "grid", &words);
    buffers.insert("places", zeroed(device, "places", 16 * radii.len() as u64));
    segments::upload(device, buffers, model, plan);
}

/// What reads back which pairs pressed.
struct Reading {
    pipeline: Arc<Pipeline>,
    dispatch: Dispatch,
    lists: wgpu::Buffer,
    impulses: wgpu::Buffer,
    batches: wgpu::Buffer,
}

/// The contacts of particles with each other, and with segments.
pub struct Pairs {
    segments: Option<Segments>,
    detect: [Work; 6],
    solve: [Work; 2],
    velocity: [Work; 2],
    reading: Reading,
    /// Entries for which the lists have room.
    room: u64,
    /// Entries that a binding has room for.
    most: u64,
    memory: u64,
}

impl Pairs {
    /// `None` where no two particles may touch. `wanted`: entries that the lists are known to take, and contacts with
    /// segments.
    pub fn new(setup: &Setup, [wanted, wanted_of_segments]: [u64; 2]) -> Result<Option<Self>, KernelError> {
        let Setup { pipelines, buffers: shared, .. } = *setup;
        let (particles, settings) = (setup.particles(), &setup.model.settings);
        if shared.get("balls").is_none() {
            return Ok(None);
        }
        let device = pipelines.device.clone();
        let iterated = settings.iterations > 1;
        let entry = if iterated { 16 } else { 4 };
        let most_bytes = device.limits().max_storage_buffer_binding_size;
        let before = LISTS[0] + LISTS[1] * particles as u64;
        let most = (most_bytes / entry).min((most_bytes / 4).saturating_sub(before));
        // What was wanted may soon be a little more.
        let room = (wanted + wanted / 4).max(ROOM * particles as u64).min(most);
        let lists = zeroed(&device, "lists", (before + room) * 4);
        let impulses = zeroed(&device, "impulses", if iterated { room * 16 } else { 0 });
        let memory = lists.size() + impulses.size();
        let own_buffers = [("lists", &lists), ("impulses", &impulses)];

        let mut dispatches = Dispatches::default();
        let count = particles as u32;
        // Of a ball with a dozen partners, of which half are near: what most of them read of each other.
        let near = 12 * (4 + 16) + 6 * 7 * 16;
        let dispatch = [
            dispatches.threads(0..count, 4 * 16 + 6 * 16),
            dispatches.threads(0..buckets(particles) as u32, 0),
            dispatches.threads(0..count, 0),
            dispatches.threads(0..buckets(particles) as u32, 0),
            dispatches.threads(0..count, 0),
            dispatches.threads(0..LANES * count, 0),
            dispatches.threads(0..count, 4 * 16 + near),
            dispatches.threads(0..count, 2 * 16 + near),
            dispatches.threads(0..count, 2 * 16 + near),
            dispatches.threads(0..count, 2 * 16),
        ];
        let read = dispatches.threads(0..count, 0);
        let batches = dispatches.upload(&device);
        let mut own = vec![("batch", BufferRange::slot(&batches))];
        own.extend(own_buffers.map(|(name, buffer)| (name, BufferRange::all(buffer))));
        let constants = [("ITERATED", iterated)];
        let mut work = kernels(settings.integrator).into_iter().zip(dispatch).map(|(kernel, dispatch)| {
            let pipeline = pipelines.get(kernel, &constants)?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok(Work { pipeline, bind_group, dispatch })
        });
        let mut next = || work.next().unwrap_or_else(|| unreachable!("there are ten kernels"));
        let detect = [next()?, next()?, next()?, next()?, next()?, next()?];
        let (solve, velocity) = ([next()?, next()?], [next()?, next()?]);
        drop(work);
        let reading = Reading {
            pipeline: pipelines.get(reading_kernel(), &constants)?,
            dispatch: read,
            lists,
            impulses,
            batches,
        };
        let segments = Segments::new(pipelines, shared, particles, settings.integrator, wanted_of_segments)?;
        Ok(Some(Self { segments, detect, solve, velocity, reading, room, most, memory }))
    }

    fn reading_pairs(&self, device: &wgpu::Device, shared: &Buffers, notes: &[(&str, BufferRange); 2]) -> Work {
        let Reading { pipeline, dispatch, lists, impulses, batches } = &self.reading;
        let own = [
            ("batch", BufferRange::slot(batches)),
            ("lists", BufferRange::all(lists)),
            ("impulses", BufferRange::all(impulses)),
        ];
        let bound = pipeline.bind(device, shared, &[&own[..], notes].concat());
        let bind_group = Arc::new(bound.unwrap_or_else(|_| unreachable!("the kernels of a substep bind the others")));
        Work { pipeline: pipeline.clone(), bind_group, dispatch: *dispatch }
    }

    /// Whether lists that take so many entries have no room, and may have more, or contacts with segments.
    fn is_short_of(&self, [wanted, wanted_of_segments]: [u64; 2], device: &wgpu::Device) -> bool {
        let short = |segments: &Segments| segments.is_short_of(wanted_of_segments, device);
        wanted > self.room && self.room < self.most || self.segments.as_ref().is_some_and(short)
    }
}

impl Pass for Pairs {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, correct_velocities: true, ..Hooks::default() }
    }
    fn detect(&self, recorder: &mut Recorder) {
        self.detect.iter().for_each(|work| recorder.run(work));
        // By the grid.
        self.segments.iter().for_each(|segments| segments.detect(recorder));
    }
    fn solve(&self, recorder: &mut Recorder) {
        self.segments.iter().for_each(|segments| segments.solve(recorder));
        self.solve.iter().for_each(|work| recorder.run(work));
    }
    fn correct_velocities(&self, recorder: &mut Recorder) {
        self.segments.iter().for_each(|segments| segments.correct_velocities(recorder));
        self.velocity.iter().for_each(|work| recorder.run(work));
    }
    fn reading(&self, setup: &Setup, notes: &[(&str, BufferRange); 2]) -> Vec<Work> {
        let (device, shared) = (&setup.pipelines.device, setup.buffers);
        let segments = self.segments.iter().map(|segments| segments.reading(device, shared, notes));
        segments.chain([self.reading_pairs(device, shared, notes)]).collect()
    }
    fn reports_from_shared(&self) -> bool {
        true
    }
    fn may_miss(&self, settings: &Settings) -> bool {
        settings.iterations > 1 || self.segments.is_some()
    }
    fn make_room(&mut self, setup: &Setup, status: &Status) {
        let wanted = [status.pairs_wanted, status.segment_contacts_wanted].map(u64::from);
        // All is compiled, so that nothing can fail.
        if self.is_short_of(wanted, &setup.pipelines.device)
            && let Ok(Some(larger)) = Self::new(setup, wanted)
        {
            *self = larger;
        }
    }
    fn memory_bytes(&self) -> u64 {
        self.memory + self.segments.as_ref().map_or(0, Segments::memory_bytes)
    }
}
