//! Contact of surfaces on the device: found by a tree of boxes, coloured and solved by one workgroup, guarded. It does
//! what the CPU engine does, but for flat rings. `shaders/surfaces/` holds the kernels.

use std::sync::Arc;

use super::features::{Around, Face, Shell, Surfaces};
use crate::gpu::buffers::{BufferRange, Buffers, zeroed};
use crate::gpu::pass::{Pass, Setup};
use crate::gpu::{Dispatch, Dispatches, Kernel, KernelError, Piece, Pipeline, Recorder, Work};
use crate::law::surface::FLOOR;
use crate::model::{Model, Settings};
use crate::plan::Plan;
use crate::shader_piece;
use crate::step::records::{SurfaceBody, SurfaceContact, SurfaceNode, SurfaceVertex};
use crate::step::{Hooks, Status};

/// `shaders/surfaces/faces.wgsl`
const IS_SURFACE: u32 = 1;
const TOUCHES_ITSELF: u32 = 2;
const OF_BODY: u32 = 6;
const AROUND_EACH: usize = 4;
/// `shaders/surfaces/nodes.wgsl`
const WIDTH: usize = 8;
/// Bytes of what comes before the list: `shaders/surfaces/contacts.wgsl`.
const HEADER: u64 = 576;
/// `shaders/surfaces/vertices.wgsl`
const SLACK: f64 = 2.0 * FLOOR;
/// Turns of the guard, each a dispatch, where loops end: `shaders/surfaces/hold.wgsl`.
const TURNS: u32 = 31;
/// Contacts for which there is room at first: for each vertex, and besides.
const ROOM: [u64; 2] = [4, 8192];

fn kernel(label: &str, own: &[Piece]) -> Kernel {
    let mut pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("lib/products.wgsl")];
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

fn law() -> [Piece; 2] {
    [shader_piece!("law/closest.wgsl"), shader_piece!("law/surface.wgsl")]
}

/// Where vertices are, and contacts.
fn moving() -> [Piece; 2] {
    [shader_piece!("surfaces/points.wgsl"), shader_piece!("surfaces/contacts.wgsl")]
}

/// Vertices and contacts, without where they are.
fn listing() -> [Piece; 2] {
    [shader_piece!("surfaces/vertices.wgsl"), shader_piece!("surfaces/contacts.wgsl")]
}

fn tree() -> [Piece; 2] {
    [shader_piece!("surfaces/faces.wgsl"), shader_piece!("surfaces/nodes.wgsl")]
}

fn press() -> [Piece; 4] {
    [
        shader_piece!("law/calm.wgsl"),
        shader_piece!("law/impact.wgsl"),
        shader_piece!("law/contact.wgsl"),
        shader_piece!("law/press.wgsl"),
    ]
}

fn join(parts: &[&[Piece]]) -> Vec<Piece> {
    parts.concat()
}

/// What the tree of boxes is made by, and what seeks in it: in the second search of a substep too.
fn searching() -> [Kernel; 3] {
    let vertices = [shader_piece!("surfaces/vertices.wgsl")];
    let boxes = [shader_piece!("surfaces/box.wgsl"), shader_piece!("surfaces/boxes.wgsl")];
    let find = [
        shader_piece!("surfaces/loops.wgsl"),
        shader_piece!("surfaces/seek.wgsl"),
        shader_piece!("surfaces/features.wgsl"),
        shader_piece!("surfaces/find.wgsl"),
    ];
    [
        kernel("surfaces boxes", &join(&[&law(), &moving(), &vertices, &tree(), &boxes])),
        kernel(
            "surfaces tree",
            &join(&[&tree(), &[shader_piece!("surfaces/contacts.wgsl"), shader_piece!("surfaces/tree.wgsl")]]),
        ),
        kernel("surfaces find", &join(&[&law(), &moving(), &vertices, &tree(), &find])),
    ]
}

/// Those besides, in the order in which a substep runs them.
fn others() -> [Kernel; 8] {
    let vertices = [shader_piece!("surfaces/vertices.wgsl")];
    let motion = [shader_piece!("surfaces/motion.wgsl")];
    let masses = [shader_piece!("surfaces/masses.wgsl")];
    let auction = [shader_piece!("surfaces/loops.wgsl"), shader_piece!("surfaces/auction.wgsl")];
    let colours = [shader_piece!("surfaces/colours.wgsl")];
    let lack = [shader_piece!("surfaces/lack.wgsl")];
    let open = [
        shader_piece!("law/friction.wgsl"),
        shader_piece!("law/contact.wgsl"),
        shader_piece!("surfaces/faces.wgsl"),
        shader_piece!("surfaces/open.wgsl"),
    ];
    let hold = [
        shader_piece!("surfaces/box.wgsl"),
        shader_piece!("surfaces/seek.wgsl"),
        shader_piece!("surfaces/features.wgsl"),
        shader_piece!("surfaces/follow.wgsl"),
        shader_piece!("surfaces/hold.wgsl"),
    ];
    let velocity = [shader_piece!("lib/status.wgsl"), shader_piece!("surfaces/velocity.wgsl")];
    [
        kernel("surfaces begin", &join(&[&law(), &listing(), &[shader_piece!("surfaces/begin.wgsl")]])),
        kernel("surfaces open", &join(&[&law(), &moving(), &motion, &open])),
        kernel(
            "surfaces colour",
            &join(&[&law(), &moving(), &vertices, &masses, &auction, &[shader_piece!("surfaces/colour.wgsl")]]),
        ),
        kernel(
            "surfaces solve",
            &join(&[&law(), &moving(), &masses, &press(), &colours, &[shader_piece!("surfaces/solve.wgsl")]]),
        ),
        kernel("surfaces strays", &join(&[&law(), &listing(), &[shader_piece!("surfaces/strays.wgsl")]])),
        kernel(
            "surfaces lacking",
            &join(&[&law(), &moving(), &motion, &lack, &[shader_piece!("surfaces/lacking.wgsl")]]),
        ),
        kernel(
            "surfaces hold",
            &join(&[&law(), &moving(), &vertices, &tree(), &motion, &masses, &auction, &lack, &hold]),
        ),
        kernel("surfaces velocity", &join(&[&law(), &moving(), &masses, &press(), &colours, &velocity])),
    ]
}

/// All kernels of a substep.
pub fn kernels() -> Vec<Kernel> {
    searching().into_iter().chain(others()).collect()
}

/// Not part of a substep: what pressed, on request.
pub fn reading_kernel() -> Kernel {
    let read = [
        shader_piece!("surfaces/contacts.wgsl"),
        shader_piece!("colliders/note.wgsl"),
        shader_piece!("surfaces/read.wgsl"),
    ];
    kernel("surfaces read", &read)
}

/// Nodes of the tree over so many faces, and these.
fn nodes(faces: usize) -> usize {
    let (mut level, mut all) = (faces, faces);
    while level > 1 {
        level = level.div_ceil(WIDTH);
        all += level;
    }
    all
}

/// Uploads what the scene says of surfaces, if any touch.
pub fn upload(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, plan: &Plan) {
    let Some(surfaces) = Surfaces::new(model) else { return };
    let surfaces = surfaces.renumbered(&plan.slot_of);
    let around = Around::new(&surfaces, plan.slot_of.len());
    let line = |(face, &body): (&Face, &u32)| {
        let [a, b, c] = face.corners;
        [a, b, c, u32::from(face.owned) | body << OF_BODY]
    };
    let count = surfaces.faces.len();
    let mut faces = vec![[count as u32, count as u32 + 1, 0, 0]];
    faces.extend(surfaces.faces.iter().zip(&surfaces.body_of).map(line));
    faces.extend(
        around.faces.chunks(AROUND_EACH).map(|some| std::array::from_fn(|k| some.get(k).copied().unwrap_or(0))),
    );
    buffers.upload(device, "surface_faces", &faces);

    let bodies: Vec<SurfaceBody> = model.bodies.iter().map(body).collect();
    buffers.upload(device, "surface_bodies", &bodies);

    let first = model.particles.positions[plan.particle_of[0] as usize];
    let vertex = |(slot, &particle): (usize, &u32)| {
        let place = model.particles.positions[particle as usize];
        let body = &model.bodies[model.particles.bodies[particle as usize] as usize];
        let of = around.firsts[slot]..around.firsts[slot + 1];
        SurfaceVertex {
            placed: std::array::from_fn(|k| (place[k] - first[k]) as f32),
            same: surfaces.same[slot],
            slack: if of.is_empty() { 0.0 } else { (SLACK * body.radius) as f32 },
            around: of.start,
            count: of.len() as u32,
            bid: u32::MAX,
            ..Default::default()
        }
    };
    let vertices: Vec<SurfaceVertex> = plan.particle_of.iter().enumerate().map(vertex).collect();
    buffers.upload(device, "surface_vertices", &vertices);
    let bytes = nodes(count) * size_of::<SurfaceNode>();
    buffers.insert("surface_nodes", zeroed(device, "surface_nodes", bytes as u64));
}

fn body(body: &crate::model::Body) -> SurfaceBody {
    let shell = Shell::of(body);
    let flag = |is_so: bool, flag: u32| if is_so { flag } else { 0 };
    SurfaceBody {
        compliance: body.contact_compliance as f32,
        friction: body.friction as f32,
        dynamic_friction: body.dynamic_friction as f32,
        restitution: body.restitution as f32,
        radius: shell.radius as f32,
        groups: body.groups.of,
        meets: body.groups.with,
        flags: flag(shell.is_surface, IS_SURFACE) | flag(shell.touches_itself, TOUCHES_ITSELF),
    }
}

/// The contacts of surfaces.
pub struct Contacts {
    /// Where contacts are sought, and what becomes of those that are found.
    open: [Work; 6],
    solve: Work,
    /// Looks for what lacks a certificate.
    look: [Work; 5],
    /// Pushes it apart or holds it back; the second ends that.
    hold: [Work; 2],
    /// How often the first does.
    turns: u32,
    velocity: Work,
    /// Reads contacts back, with the parameters of its dispatch.
    reading: (Arc<Pipeline>, Dispatch, wgpu::Buffer),
    contacts: wgpu::Buffer,
    /// Contacts for which there is room.
    room: u64,
}

impl Contacts {
    /// `None` where no surfaces touch. `wanted`: contacts that there are known to be.
    pub fn new(setup: &Setup, wanted: u64) -> Result<Option<Self>, KernelError> {
        let Setup { pipelines, buffers: shared, .. } = *setup;
        let Some(nodes) = shared.get("surface_nodes") else { return Ok(None) };
        let (device, slots) = (pipelines.device.clone(), setup.particles());
        // A few more than there are faces.
        let faces = nodes.bytes() as usize / size_of::<SurfaceNode>();
        // What was wanted soon may be more.
        let room = (2 * wanted).max(ROOM[0] * slots as u64 + ROOM[1]).min(most_room(&device));
        let bytes = HEADER + room * size_of::<SurfaceContact>() as u64;
        let contacts = zeroed(&device, "surface_contacts", bytes);

        let mut dispatches = Dispatches::default();
        let (vertex, contact) = (size_of::<SurfaceVertex>() as u64, size_of::<SurfaceContact>() as u64);
        let of_face = 16 + 3 * (3 * 16 + vertex) + size_of::<SurfaceNode>() as u64;
        let over_slots = dispatches.threads(0..slots as u32, 32 + vertex);
        let over_faces = dispatches.threads(0..faces as u32, of_face);
        let over_room = dispatches.threads(0..room as u32, 0);
        let single = dispatches.single(0..1, contact);
        let batches = dispatches.upload(&device);
        let own =
            [("batch", BufferRange::slot(&batches)), ("surface_contacts", BufferRange::part(&contacts, 0, bytes))];
        let work_with = |kernel: Kernel, dispatch: Dispatch, constant: (&str, bool)| {
            let pipeline = pipelines.get(kernel, &[constant])?;
            let bind_group = Arc::new(pipeline.bind(&device, shared, &own)?);
            Ok::<_, KernelError>(Work { pipeline, bind_group, dispatch })
        };
        let work = |kernel: Kernel, dispatch: Dispatch, again: bool| work_with(kernel, dispatch, ("AGAIN", again));
        let search = |again: bool| {
            let [boxes, tree, find] = searching();
            Ok::<_, KernelError>([
                work(boxes, over_faces, again)?,
                work(tree, single, again)?,
                work(find, over_faces, again)?,
            ])
        };
        let [begin, open, colour, solve, strays, lacking, hold, velocity] = others();
        let ([boxes, tree, find], [boxes_again, tree_again, find_again]) = (search(false)?, search(true)?);
        let open = [
            work(begin, over_slots, false)?,
            boxes,
            tree,
            find,
            work(open, over_room, false)?,
            work(colour, single, false)?,
        ];
        let look =
            [work(strays, over_slots, false)?, boxes_again, tree_again, find_again, work(lacking, over_room, false)?];
        let hold = [work_with(hold.clone(), single, ("LAST", false))?, work_with(hold, single, ("LAST", true))?];
        let turns = if pipelines.loops_end() { TURNS } else { 0 };
        let (solve, velocity) = (work(solve, single, false)?, work(velocity, single, false)?);
        let reading = (pipelines.get(reading_kernel(), &[])?, over_room, batches);
        Ok(Some(Self { open, solve, look, hold, turns, velocity, reading, contacts, room }))
    }
}

/// As many contacts as a device lets a kernel see.
fn most_room(device: &wgpu::Device) -> u64 {
    let limits = device.limits();
    let bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    bytes.saturating_sub(HEADER) / size_of::<SurfaceContact>() as u64
}

impl Pass for Contacts {
    fn hooks(&self) -> Hooks {
        Hooks { solve_round: true, guard: true, correct_velocities: true, ..Hooks::default() }
    }
    fn solve_round(&self, recorder: &mut Recorder, opening: bool) {
        if opening {
            self.open.iter().for_each(|work| recorder.run(work));
        }
        recorder.run(&self.solve);
    }
    fn guard(&self, recorder: &mut Recorder) {
        self.look.iter().for_each(|work| recorder.run(work));
        (0..self.turns).for_each(|_| recorder.run(&self.hold[0]));
        recorder.run(&self.hold[1]);
    }
    fn correct_velocities(&self, recorder: &mut Recorder) {
        recorder.run(&self.velocity);
    }
    fn reading(&self, setup: &Setup, notes: &[(&str, BufferRange); 2]) -> Vec<Work> {
        let (pipeline, dispatch, batches) = &self.reading;
        let own = [("batch", BufferRange::slot(batches)), ("surface_contacts", BufferRange::all(&self.contacts))];
        let bound = pipeline.bind(&setup.pipelines.device, setup.buffers, &[&own[..], notes].concat());
        let bind_group = Arc::new(bound.unwrap_or_else(|_| unreachable!("the kernels of a substep bind the others")));
        vec![Work { pipeline: pipeline.clone(), bind_group, dispatch: *dispatch }]
    }
    fn may_miss(&self, _settings: &Settings) -> bool {
        true
    }
    fn make_room(&mut self, setup: &Setup, status: &Status) {
        let wanted = u64::from(status.surface_pairs_wanted);
        // All is compiled, so that nothing can fail.
        if 4 * wanted > 3 * self.room
            && self.room < most_room(setup.device())
            && let Ok(Some(larger)) = Self::new(setup, wanted)
        {
            *self = larger;
        }
    }
    fn memory_bytes(&self) -> u64 {
        self.contacts.size()
    }
}
