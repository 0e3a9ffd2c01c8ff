//! Bodies that come apart: what `shaders/tear/` does at the end of each frame.

use std::sync::Arc;

use crate::constraint::Kind;
use crate::gpu::buffers::{BufferRange, Buffers, upload, zeroed};
use crate::gpu::constraint_kernel::evaluation_pieces;
use crate::gpu::constraints::{Constraints, MULTIPLIER_BYTES};
use crate::gpu::kernel::{Kernel, KernelError, Piece};
use crate::gpu::pipelines::Pipelines;
use crate::gpu::recorder::{Dispatch, Dispatches, Recorder, Work};
use crate::mesh::{HalfEdge, half_edges};
use crate::model::{Fans, Integrator, Model, TearableEdge, TearableFacet, Tearing};
use crate::plan::{Plan, PlannedGroup};
use crate::shader_piece;
use crate::step::LOOSE;
use crate::step::records::{Corner, Facet, Hold, Pointing, Seam, Tear as Header, TearEdge, TearVertex};

/// What the list of broken joints says of a facet that a restored state has broken, in `shaders/tear/fracture.wgsl`.
pub const BROKEN_BEFORE: u32 = 2;

/// A kernel of its own pieces behind those that all have.
fn kernel(label: String, own: &[Piece]) -> Kernel {
    let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
    pieces.push(shader_piece!("tear/tear.wgsl"));
    pieces.extend_from_slice(own);
    Kernel::new(label, pieces)
}

/// The kernel that breaks the faces between tetrahedra of a kind.
pub fn fracture_kernel(kind: &dyn Kind) -> Kernel {
    let own: Vec<Piece> = evaluation_pieces(kind).into_iter().chain([shader_piece!("tear/fracture.wgsl")]).collect();
    kernel(format!("tear fracture {}", kind.name()), &own)
}

/// The kernels that tear, in the order in which they run, [`fracture_kernel`] after the first.
pub fn kernels(integrator: Integrator) -> [Kernel; 7] {
    let kernel = |label: &str, own: &[Piece]| kernel(label.into(), own);
    let broken = shader_piece!("lib/broken.wgsl");
    let corner = shader_piece!("tear/corner.wgsl");
    let copy = match integrator {
        Integrator::Euler => ("tear copy", shader_piece!("tear/copy_nothing.wgsl")),
        Integrator::Bdf2 => ("tear copy bdf2", shader_piece!("tear/copy_past.wgsl")),
    };
    [
        kernel("tear break", &[broken.clone(), shader_piece!("tear/break.wgsl")]),
        kernel("tear part", &[corner.clone(), shader_piece!("tear/part.wgsl")]),
        kernel("tear allocate", &[shader_piece!("lib/status.wgsl"), shader_piece!("tear/allocate.wgsl")]),
        kernel("tear split", &[shader_piece!("tear/split.wgsl")]),
        kernel(copy.0, &[shader_piece!("lib/properties.wgsl"), copy.1, shader_piece!("tear/copy.wgsl")]),
        kernel("tear draw", &[corner, shader_piece!("tear/draw.wgsl")]),
        kernel("tear point", &[broken, shader_piece!("tear/point.wgsl")]),
    ]
}

/// The kernel that lets split particles touch others, where any particles do.
pub fn ball_kernel() -> Kernel {
    kernel("tear ball".into(), &[shader_piece!("pairs/ball.wgsl"), shader_piece!("tear/ball.wgsl")])
}

/// How many edges and facets may break.
fn joints(tearing: &Tearing) -> u32 {
    (tearing.edges.len() + tearing.facets.len()) as u32
}

/// Uploads what the kernels share and what outlives a change of settings.
pub fn upload_shared(device: &wgpu::Device, buffers: &mut Buffers, model: &Model, tearing: &Tearing, plan: &Plan) {
    let fans = Fans::new(model, tearing);
    let mut list = fans.offsets.clone();
    list.extend(fans.corners.iter().zip(&fans.shares).flat_map(|(&corner, &share)| [corner, (share as f32).to_bits()]));
    buffers.upload(device, "tear_fans", &list);
    buffers.upload(device, "corners", &links(model, tearing));
    let slots: Vec<u32> = model.triangles().flatten().map(|particle| plan.slot_of[particle as usize]).collect();
    buffers.upload(device, "holds", &holds(&slots, &[]));
    let vertices = fans.offsets.len() as u32 - 1;
    buffers
        .insert("tear_vertices", zeroed(device, "tear_vertices", u64::from(vertices) * size_of::<TearVertex>() as u64));
    // One more for what never breaks.
    buffers.insert("broken", zeroed(device, "broken", u64::from(joints(tearing) + 1) * 4));
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
        joints: joints(tearing),
        ..Header::default()
    }
}

/// What each corner belongs to, by the slots of their particles and by which of them are loose. The label is the first
/// of those that have a particle.
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

/// For each corner those that it hangs together with; see `shaders/tear/corner.wgsl`.
fn links(model: &Model, tearing: &Tearing) -> Vec<Corner> {
    let triangles: Vec<[u32; 3]> = model.triangles().collect();
    let mut links = vec![Corner::default(); 3 * triangles.len()];
    for ring in half_edges(&triangles).chunk_by(HalfEdge::same_edge) {
        let Ok(edge) = tearing.edges.binary_search_by_key(&ring[0].ends, |edge| edge.ends) else { continue };
        for (side, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let [_, end, _] = side.corners();
            for (corner, next) in side.end_corners().into_iter().zip(next.end_corners()) {
                let k = usize::from(corner == end);
                links[corner as usize].next[k] = next;
                links[corner as usize].joints[k] = edge as u32;
            }
        }
    }
    link_cells(tearing, &triangles, &mut links);
    link_facets(tearing, triangles.len(), &mut links);
    links
}

/// Joins the three corners that the faces of a tetrahedron have at each of its particles.
fn link_cells(tearing: &Tearing, triangles: &[[u32; 3]], links: &mut [Corner]) {
    let never = joints(tearing);
    for cell in &tearing.cells {
        let corners = cell.faces.into_iter().flat_map(|face| 3 * face..3 * face + 3);
        let vertex = |&corner: &u32| triangles[corner as usize / 3][corner as usize % 3];
        let mut corners: Vec<u32> = corners.collect();
        corners.sort_unstable_by_key(|corner| (vertex(corner), *corner));
        for at_vertex in corners.chunks_exact(3) {
            for (k, &corner) in at_vertex.iter().enumerate() {
                links[corner as usize] = Corner { next: [at_vertex[(k + 1) % 3], corner], joints: [never; 2] };
            }
        }
    }
}

/// Joins the corners of the two sides of each facet, so many triangles being the last of which are these.
fn link_facets(tearing: &Tearing, triangles: usize, links: &mut [Corner]) {
    let inside = triangles - tearing.inside.len();
    for facet in 0..tearing.facets.len() {
        let (side, joint) = (3 * (inside + 2 * facet), (tearing.edges.len() + facet) as u32);
        for (k, across) in tearing.across(facet).into_iter().enumerate() {
            let ends = [side + k, side + 3 + across];
            for (corner, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                links[corner].next[1] = other as u32;
                links[corner].joints[1] = joint;
            }
        }
    }
}

/// The kernels with what they bind.
pub struct Tear {
    frame: Vec<Work>,
    /// Brings spares and triangles to where a restored state has them.
    restore: Vec<Work>,
    point: Vec<Work>,
    memory: u64,
}

impl Tear {
    pub fn new(
        pipelines: &Pipelines,
        shared: &Buffers,
        tearing: &Tearing,
        plan: &Plan,
        constraints: &[Constraints],
        integrator: Integrator,
    ) -> Result<Self, KernelError> {
        let device = pipelines.device.clone();
        let vertices = tearing.vertices();
        let group = tearing.group as usize;
        let edges = upload(&device, "tear edges", &edges(tearing, &vertices, &plan.groups[group]));
        let of_cells = |&index: &usize| tearing.cells.iter().any(|cell| cell.group as usize == index);
        let facets: Vec<(usize, u32, wgpu::Buffer)> = (0..plan.groups.len())
            .filter(of_cells)
            .map(|index| (index, facets(tearing, &vertices, index, &plan.groups[index])))
            .filter(|(_, facets)| !facets.is_empty())
            .map(|(index, facets)| (index, facets.len() as u32, upload(&device, "facets", &facets)))
            .collect();
        let pointed: Vec<Pointed> = (0..plan.groups.len())
            .filter(|&index| tearing.holds(index))
            .map(|index| Pointed::new(&device, tearing, index, &plan.groups[index]))
            .collect();

        let count = vertices.len() as u32;
        let mut dispatches = Dispatches::default();
        // Where nothing broke, flags are all that is read.
        let sizes = [tearing.edges.len() as u32, count, 1, count, tearing.spares.len() as u32, plan.triangles];
        let dispatch = sizes.map(|count| dispatches.threads(0..count, 4));
        let fractures: Vec<Dispatch> = facets.iter().map(|&(_, count, _)| dispatches.threads(0..count, 4)).collect();
        let points: Vec<Dispatch> = pointed.iter().map(|group| dispatches.threads(0..group.count, 4)).collect();
        let batches = dispatches.upload(&device);

        let work = |kernel: Kernel, restored: bool, own: &[(&str, BufferRange)], dispatch| {
            let pipeline = pipelines.get(kernel, &[("RESTORED", restored)])?;
            let mut all = vec![("batch", BufferRange::slot(&batches))];
            all.extend_from_slice(own);
            let bind_group = Arc::new(pipeline.bind(&device, shared, &all)?);
            Ok::<_, KernelError>(Work { pipeline, bind_group, dispatch })
        };
        let [breaks, part, allocate, split, copy, draw, point] = kernels(integrator);
        let of_edges = [("edges", BufferRange::all(&edges)), ("multipliers", constraints[group].multipliers.range())];
        let mut frame = Vec::new();
        if !tearing.edges.is_empty() {
            frame.push(work(breaks, false, &of_edges, dispatch[0])?);
        }
        for ((group, _, facets), dispatch) in facets.iter().zip(fractures) {
            let Constraints { kind, records, multipliers, .. } = &constraints[*group];
            let own = [
                ("facets", BufferRange::all(facets)),
                ("records", records.range()),
                ("multipliers", multipliers.range()),
            ];
            frame.push(work(fracture_kernel(*kind), false, &own, dispatch)?);
        }
        for (kernel, dispatch) in [part, allocate, split, copy.clone(), draw.clone()].into_iter().zip(&dispatch[1..]) {
            frame.push(work(kernel, false, &[], *dispatch)?);
        }
        let mut restored = Vec::new();
        for (group, dispatch) in pointed.iter().zip(points) {
            let own = group.bindings(&constraints[group.index]);
            frame.push(work(point.clone(), false, &own, dispatch)?);
            restored.push(work(point.clone(), true, &own, dispatch)?);
        }
        let mut restore = vec![work(copy, true, &[], dispatch[4])?, work(draw, true, &[], dispatch[5])?];
        if shared.get("balls").is_some() {
            frame.push(work(ball_kernel(), false, &[], dispatch[4])?);
            restore.push(work(ball_kernel(), true, &[], dispatch[4])?);
        }
        let memory = edges.size()
            + facets.iter().map(|(_, _, list)| list.size()).sum::<u64>()
            + pointed.iter().map(|group| group.seams.size()).sum::<u64>();
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

/// Where each particle is among the vertices that may split.
fn vertex_of(particle: u32, vertices: &[u32]) -> u32 {
    vertices.partition_point(|&vertex| vertex < particle) as u32
}

/// The edges of the tearable surfaces.
fn edges(tearing: &Tearing, vertices: &[u32], group: &PlannedGroup) -> Vec<TearEdge> {
    let place_of = place_of(group);
    let edge = |edge: &TearableEdge| TearEdge {
        place: place_of[edge.constraint as usize],
        vertices: edge.ends.map(|end| vertex_of(end, vertices)),
        ..TearEdge::default()
    };
    tearing.edges.iter().map(edge).collect()
}

/// The facets between tetrahedra of one group.
fn facets(tearing: &Tearing, vertices: &[u32], index: usize, group: &PlannedGroup) -> Vec<Facet> {
    let place_of = place_of(group);
    let facet = |(facet, joint): (&TearableFacet, u32)| {
        let cells = facet.cells.map(|cell| tearing.cells[cell as usize]);
        (cells[0].group as usize == index).then(|| Facet {
            places: cells.map(|cell| place_of[cell.constraint as usize]),
            opposite: facet.opposite[0] + 4 * facet.opposite[1],
            strength: facet.strength as f32,
            vertices: tearing.inside[2 * (joint as usize - tearing.edges.len())].map(|p| vertex_of(p, vertices)),
            joint,
        })
    };
    tearing.facets.iter().zip(tearing.edges.len() as u32..).filter_map(facet).collect()
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
                joint: seam.edge.unwrap_or(joints(tearing)),
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
            ("records", constraints.records.range()),
            ("multipliers", constraints.multipliers.range()),
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
