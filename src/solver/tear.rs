//! Surfaces that come apart: what `shaders/tear/` does at the end of each frame.

use std::sync::Arc;

use super::buffers::{BufferRange, Buffers, upload, zeroed};
use super::constraints::{Constraints, MULTIPLIER_BYTES};
use super::kernel::{Kernel, KernelError, Piece};
use super::pipelines::Pipelines;
use super::recorder::{Dispatch, Dispatches, Recorder, Work};
use super::records::{Corner, Hold, Pointing, Seam, Tear as Header, TearEdge, TearVertex};
use crate::mesh::{HalfEdge, half_edges};
use crate::model::{Fans, Model, Tearing};
use crate::plan::{Plan, PlannedGroup};
use crate::shader_piece;

/// The root of a corner that nothing holds, in `shaders/tear/tear.wgsl`.
pub const LOOSE: u32 = u32::MAX;

/// The kernels that tear, in the order in which they run.
pub fn kernels() -> [Kernel; 7] {
    let kernel = |label: &str, own: &[Piece]| {
        let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
        pieces.push(shader_piece!("tear/tear.wgsl"));
        pieces.extend_from_slice(own);
        Kernel::new(label, pieces)
    };
    let broken = shader_piece!("lib/broken.wgsl");
    [
        kernel("tear break", &[broken.clone(), shader_piece!("tear/break.wgsl")]),
        kernel("tear part", &[shader_piece!("tear/part.wgsl")]),
        kernel("tear allocate", &[shader_piece!("lib/status.wgsl"), shader_piece!("tear/allocate.wgsl")]),
        kernel("tear split", &[shader_piece!("tear/split.wgsl")]),
        kernel("tear copy", &[shader_piece!("lib/properties.wgsl"), shader_piece!("tear/copy.wgsl")]),
        kernel("tear draw", &[shader_piece!("tear/draw.wgsl")]),
        kernel("tear point", &[broken, shader_piece!("tear/point.wgsl")]),
    ]
}

/// Uploads what the kernels share and what outlives a change of settings.
pub fn upload_shared(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, tearing: &Tearing, plan: &Plan) {
    let fans = Fans::new(model, tearing);
    let mut list = fans.offsets.clone();
    list.extend(fans.corners.iter().zip(&fans.shares).flat_map(|(&corner, &share)| [corner, (share as f32).to_bits()]));
    buffers.upload(device, "tear_fans", &list);
    buffers.upload(device, "corners", &links(model, tearing));
    let corners = model.bodies.iter().flat_map(|body| body.triangles.as_flattened());
    let slots: Vec<u32> = corners.map(|&particle| plan.slot_of[particle as usize]).collect();
    buffers.upload(device, "holds", &holds(&slots, &[]));
    let vertices = fans.offsets.len() as u32 - 1;
    buffers
        .insert("tear_vertices", zeroed(device, "tear_vertices", u64::from(vertices) * size_of::<TearVertex>() as u64));
    buffers.insert("broken", zeroed(device, "broken", tearing.edges.len() as u64 * 4));
    buffers.insert("sources", zeroed(device, "sources", tearing.spares.len() as u64 * 4));
    buffers.upload(device, "tear", &[header(tearing, vertices, 0)]);
}

/// The state of tearing with so many spares taken, ready to have them copied.
pub fn header(tearing: &Tearing, vertices: u32, taken: u32) -> Header {
    Header {
        splitting: 1,
        taken,
        capacity: tearing.spares.len() as u32,
        first_spare: tearing.spares.start,
        vertices,
        ..Header::default()
    }
}

/// What each corner belongs to, by the slots of their particles and by which of them are loose. The label is the first of those
/// that have a particle.
pub fn holds(slots: &[u32], loose: &[u32]) -> Vec<Hold> {
    let mut first = vec![u32::MAX; slots.iter().max().map_or(0, |&last| last as usize + 1)];
    let hold = |(corner, &particle): (u32, &u32)| {
        let label = &mut first[particle as usize];
        *label = corner.min(*label);
        Hold { particle, root: corner, label: *label, ..Hold::default() }
    };
    let mut holds: Vec<Hold> = (0..).zip(slots).map(hold).collect();
    loose.iter().for_each(|&corner| holds[corner as usize].root = LOOSE);
    holds
}

/// For each corner those beyond its two edges; see `shaders/tear/part.wgsl`.
fn links(model: &Model, tearing: &Tearing) -> Vec<Corner> {
    let triangles: Vec<[u32; 3]> = model.bodies.iter().flat_map(|body| &body.triangles).copied().collect();
    let mut links = vec![Corner::default(); 3 * triangles.len()];
    for ring in half_edges(&triangles).chunk_by(HalfEdge::same_edge) {
        let Ok(edge) = tearing.edges.binary_search_by_key(&ring[0].ends, |edge| edge.ends) else { continue };
        for (side, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let [begin, end, _] = side.corners();
            for (corner, next) in side.end_corners().into_iter().zip(next.end_corners()) {
                let k = usize::from(corner == end);
                debug_assert!(corner == begin || corner == end);
                links[corner as usize].next[k] = next;
                links[corner as usize].edges[k] = edge as u32;
            }
        }
    }
    links
}

/// The kernels with what they bind.
pub struct Tear {
    frame: Vec<Work>,
    /// Brings spares and triangles to where a restored state has them.
    restore: [Work; 2],
    point: Vec<Work>,
    memory: u64,
}

impl Tear {
    pub fn new(
        pipelines: &mut Pipelines,
        shared: &Buffers,
        tearing: &Tearing,
        plan: &Plan,
        constraints: &[Constraints],
    ) -> Result<Self, KernelError> {
        let device = pipelines.device.clone();
        let vertex_of = |particle: u32, vertices: &[u32]| vertices.partition_point(|&vertex| vertex < particle) as u32;
        let vertices = vertices(tearing);
        let group = tearing.group as usize;
        let place_of = place_of(&plan.groups[group]);
        let edge = |edge: &crate::model::TearableEdge| TearEdge {
            place: place_of[edge.constraint as usize],
            vertices: edge.ends.map(|end| vertex_of(end, &vertices)),
            ..TearEdge::default()
        };
        let edges: Vec<TearEdge> = tearing.edges.iter().map(edge).collect();
        let edges = upload(&device, "tear edges", &edges);
        let pointed: Vec<Pointed> = (0..plan.groups.len())
            .filter(|&index| tearing.holds(index))
            .map(|index| Pointed::new(&device, tearing, index, &plan.groups[index]))
            .collect();

        let count = vertices.len() as u32;
        let mut dispatches = Dispatches::default();
        // Where nothing broke, flags are all that is read.
        let sizes = [tearing.edges.len() as u32, count, 1, count, tearing.spares.len() as u32, plan.triangles];
        let dispatch = sizes.map(|count| dispatches.threads(0..count, 4));
        let points: Vec<Dispatch> = pointed.iter().map(|group| dispatches.threads(0..group.count, 4)).collect();
        let batches = dispatches.upload(&device);

        let mut work = |kernel: Kernel, restored: bool, own: &[(&str, BufferRange)], dispatch| {
            let pipeline = pipelines.get(kernel, &[("RESTORED", restored)])?;
            let mut all = vec![("batch", BufferRange::slot(&batches))];
            all.extend_from_slice(own);
            let bind_group = Arc::new(pipeline.bind(&device, shared, &all)?);
            Ok::<_, KernelError>(Work { pipeline, bind_group, dispatch })
        };
        let [breaks, part, allocate, split, copy, draw, point] = kernels();
        let of_edges =
            [("edges", BufferRange::all(&edges)), ("multipliers", BufferRange::all(&constraints[group].multipliers))];
        let mut frame = vec![work(breaks, false, &of_edges, dispatch[0])?];
        for (kernel, dispatch) in [part, allocate, split, copy.clone(), draw.clone()].into_iter().zip(&dispatch[1..]) {
            frame.push(work(kernel, false, &[], *dispatch)?);
        }
        let mut restored = Vec::new();
        for (group, dispatch) in pointed.iter().zip(points) {
            let own = group.bindings(&constraints[group.index]);
            frame.push(work(point.clone(), false, &own, dispatch)?);
            restored.push(work(point.clone(), true, &own, dispatch)?);
        }
        let restore = [work(copy, true, &[], dispatch[4])?, work(draw, true, &[], dispatch[5])?];
        let memory = edges.size() + pointed.iter().map(|group| group.seams.size()).sum::<u64>();
        Ok(Self { frame, restore, point: restored, memory })
    }

    /// After a frame's last substep: splits what broke in it.
    pub fn frame(&self, recorder: &mut Recorder) {
        self.frame.iter().for_each(|work| recorder.section("tear").run(work));
    }

    /// Points new records to the particles that corners have.
    pub fn point(&self, recorder: &mut Recorder) {
        self.point.iter().for_each(|work| recorder.run(work));
    }

    /// As [`Tear::point`], and gives spares what they took of their sources, but for their motion.
    pub fn restore(&self, recorder: &mut Recorder) {
        self.restore.iter().for_each(|work| recorder.run(work));
        self.point(recorder);
    }

    pub fn memory_bytes(&self) -> u64 {
        self.memory
    }
}

/// The vertices of the tearable surfaces, ascending.
pub fn vertices(tearing: &Tearing) -> Vec<u32> {
    let mut vertices: Vec<u32> = tearing.edges.iter().flat_map(|edge| edge.ends).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

/// The place of each constraint of a group.
fn place_of(group: &PlannedGroup) -> Vec<u32> {
    let mut place_of = vec![0; group.len()];
    for (place, &constraint) in (0..).zip(&group.constraint_of) {
        place_of[constraint as usize] = place;
    }
    place_of
}

/// The seams of one group.
struct Pointed {
    index: usize,
    count: u32,
    seams: wgpu::Buffer,
    pointing: wgpu::Buffer,
}

impl Pointed {
    fn new(device: &wgpu::Device, tearing: &Tearing, index: usize, group: &PlannedGroup) -> Self {
        let place_of = place_of(group);
        let seams: Vec<Seam> = tearing
            .seams
            .iter()
            .filter(|seam| seam.group as usize == index)
            .map(|seam| Seam {
                place: place_of[seam.constraint as usize],
                edge: seam.edge,
                corners: seam.corners,
                ..Seam::default()
            })
            .collect();
        let kind = group.kind;
        let particles = kind.record_fields().iter().find(|field| field.name == "particles");
        let pointing = Pointing {
            words: kind.record_size() as u32 / 4,
            first: particles.map_or(0, |field| field.offset as u32 / 4),
            ends: kind.arity().count().unwrap_or(0) as u32,
            components: kind.components() as u32,
        };
        Self {
            index,
            count: seams.len() as u32,
            seams: upload(device, "seams", &seams),
            pointing: upload(device, "pointing", &[pointing]),
        }
    }

    fn bindings<'a>(&'a self, constraints: &'a Constraints) -> [(&'static str, BufferRange<'a>); 4] {
        [
            ("seams", BufferRange::all(&self.seams)),
            ("pointing", BufferRange::all(&self.pointing)),
            ("records", BufferRange::all(&constraints.records)),
            ("multipliers", BufferRange::all(&constraints.multipliers)),
        ]
    }
}

/// Bytes of the largest list that a kernel sees at once, in a plan whose surfaces can be torn.
pub fn largest_binding(plan: &Plan) -> u64 {
    let corners = 3 * u64::from(plan.triangles) * size_of::<Hold>() as u64;
    let of_group = |group: &PlannedGroup| {
        let multipliers = group.len() as u64 * group.kind.components() as u64 * MULTIPLIER_BYTES;
        (group.records.len() as u64).max(multipliers).max((group.len() * size_of::<Seam>()) as u64)
    };
    plan.groups.iter().map(of_group).fold(corners, u64::max)
}
