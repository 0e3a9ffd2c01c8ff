//! The whole state of a solver, bit for bit: to go back to, or to go on from in another process.

use std::sync::Arc;

use crate::base::parallel;
use crate::gpu::buffers::{BufferRange, filled};
use crate::gpu::copies::Copies;
use crate::gpu::download::{GroupOrder, Order};
use crate::gpu::parameters::Edit;
use crate::gpu::recorder::Recorder;
use crate::gpu::status::StatusRing;
use crate::model::Integrator;
use crate::pass::joints::gpu as joints;
use crate::pass::rods::gpu as rods;
use crate::pass::tear::gpu as tear;
use crate::solver::gpu::Solver;
use crate::step::records::Status;
use crate::step::{Shape, Snapshot, SnapshotError, rescaled};

/// What a snapshot holds of each particle: x, e and u = h v, as the kernels have them.
const STATE: [&str; 3] = ["x", "e", "u"];
/// Sources of a download that come before the multipliers.
const FIXED: usize = STATE.len() + 2;
/// Bytes that a particle's x, e, u, lag and change take each.
const VECTOR: usize = size_of::<[f32; 4]>();

/// A snapshot on its way from the device. After the host has submitted the encoder and polled the device,
/// [`SnapshotDownload::snapshot`] returns it.
pub struct SnapshotDownload {
    order: Arc<Order>,
    frame: u64,
    /// Whether the past is copied.
    past: bool,
    /// Inverse masses that were changed since the last step, by slot: the device gets them with the next one.
    masses: Vec<(usize, f32)>,
    copies: Copies,
}

impl Solver {
    /// Records the read-back of everything that a solver needs to go on, as it is after the steps recorded so far.
    pub fn snapshot(&self, encoder: &mut wgpu::CommandEncoder) -> SnapshotDownload {
        let mut sources = STATE.map(|name| BufferRange::all(self.shared(name))).to_vec();
        sources.extend(["lattice", "status"].map(|name| BufferRange::all(self.shared(name))));
        sources.extend(self.parts.constraint_state());
        sources.extend(self.tear_state());
        let past = self.has_past();
        if past {
            sources.push(BufferRange::all(self.shared("d")));
        }
        sources.extend(self.reshaped_state());
        sources.extend(self.joint_state());
        sources.extend(self.turned_state());
        let copies = Copies::record(&self.pipelines.device, encoder, &sources);
        let x = self.shared("x");
        let mass = |edit: &Edit| (edit.offset as usize / VECTOR, bytemuck::pod_read_unaligned(&edit.bytes));
        let masses = self.edits.iter().filter(|edit| edit.buffer == *x).map(mass).collect();
        SnapshotDownload { order: self.order.clone(), frame: self.frame, past, masses, copies }
    }

    /// Whether the next substep follows from the two before it.
    fn has_past(&self) -> bool {
        self.model.settings.integrator == Integrator::Bdf2 && !self.starting
    }

    /// As [`Synchronous::restore`](crate::step::Synchronous::restore), recorded into `encoder`: what is recorded after
    /// it goes on from there.
    ///
    /// # Errors
    /// The same.
    pub fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.check(&shape(&self.order))?;
        let snapshot = &*snapshot.in_terms_of(&self.model.settings);
        // Masses that wait for the next step are of a time that is left.
        let x = self.shared("x").clone();
        self.edits.retain(|edit| edit.buffer != x);
        for (name, values) in STATE.into_iter().zip(&snapshot.particles) {
            self.put(encoder, name, &self.order.by_slot(values));
        }
        self.restore_past(encoder, &snapshot.past);
        let ratio = self.model.settings.implicit_seconds() / snapshot.implicit_seconds;
        self.put(encoder, "lattice", &snapshot.lattice);
        self.put(encoder, "status", &snapshot.status);
        if !snapshot.turned.is_empty() {
            let records = rods::records(&snapshot.turned, &self.order.turned, &self.model);
            self.put(encoder, "rod_turned", &records);
        }
        if !snapshot.reshaped.is_empty() {
            let kept: Vec<_> = snapshot.reshaped.iter().map(|flow| flow.to_kept()).collect();
            self.put(encoder, "shape_flows", &kept);
        }
        if !snapshot.jointed.is_empty() {
            self.put(encoder, "joint_numbers", &joints::kept(&snapshot.jointed, &self.order.joints));
        }
        let device = &self.pipelines.device;
        let groups = self.parts.constraints.iter().zip(&self.order.groups);
        for ((constraints, group), (multipliers, rests)) in groups.zip(snapshot.multipliers.iter().zip(&snapshot.rests))
        {
            let multipliers = rescaled(group.by_place(multipliers, group.components), ratio, group.summed);
            put(device, encoder, constraints.multipliers.range(), bytemuck::cast_slice(&multipliers));
            if let Some(rest) = &constraints.rest {
                put(device, encoder, rest.values.range(), bytemuck::cast_slice(&group.by_place(rests, group.rests)));
            }
        }
        self.restore_surfaces(encoder, &snapshot.corners, &snapshot.loose, &snapshot.broken_facets);
        self.frame = snapshot.frame;
        self.has_pressures = false;
        self.forget_contacts();
        // A frame that is done again finds the room that it lacked, and lacks none until then. What is still on its way
        // tells of frames that are no longer.
        self.make_room();
        let missing = std::mem::offset_of!(Status, missing_contacts) as u64;
        encoder.clear_buffer(self.shared("status"), missing, Some(size_of::<u32>() as u64));
        self.status = StatusRing::new(&self.pipelines.device);
        Ok(())
    }
}

impl Solver {
    /// Puts bodies together, or apart, as these particles of their corners say, without those triangles that have a
    /// loose corner, and with these facets broken.
    pub(crate) fn restore_surfaces(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        corners: &[u32],
        loose: &[u32],
        broken_facets: &[u32],
    ) {
        let (Some(tearing), Some(tear)) = (&self.model.tearing, &self.parts.tear) else { return };
        let beginning = self.order.corners.as_deref().unwrap_or_default();
        let (first, slot_of) = (tearing.spares.start, &self.order.slot_of);
        let mut sources = Vec::new();
        for (&corner, &vertex) in corners.iter().zip(beginning).filter(|(corner, _)| **corner >= first) {
            let number = (corner - first) as usize;
            sources.resize(sources.len().max(number + 1), 0);
            sources[number] = slot_of[vertex as usize];
        }
        let slots: Vec<u32> = corners.iter().map(|&corner| slot_of[corner as usize]).collect();
        let vertices = tearing.vertices().len() as u32;
        let mut broken = vec![0; self.order.facets.end];
        let facets = &mut broken[self.order.facets.clone()];
        broken_facets.iter().for_each(|&facet| facets[facet as usize] = tear::BROKEN_BEFORE);
        self.put(encoder, "sources", &sources);
        self.put(encoder, "holds", &tear::holds(&slots, loose));
        self.put(encoder, "tear", &[tear::header(tearing, vertices, sources.len() as u32)]);
        // The next frame finds all edges and facets that are broken, and with them what waits.
        self.put(encoder, "broken", &broken);
        encoder.clear_buffer(self.shared("tear_vertices"), 0, None);
        tear.restore(&mut Recorder::new(encoder, "pliant restore", self.parts.parameters.first_slot()));
    }

    /// Takes over lags and changes. Where there are none they are of no account, as long as they are numbers.
    fn restore_past(&mut self, encoder: &mut wgpu::CommandEncoder, past: &[Vec<[f32; 4]>; 2]) {
        if self.model.settings.integrator != Integrator::Bdf2 {
            return;
        }
        self.starting = past[0].is_empty();
        let (device, d) = (&self.pipelines.device, self.shared("d"));
        let bytes = self.order.slot_of.len() * VECTOR;
        match self.starting {
            true => encoder.clear_buffer(d, bytes as u64, None),
            false => {
                for (k, values) in past.iter().enumerate() {
                    let values = self.order.by_slot(values);
                    let part = BufferRange::part(d, ((k + 1) * bytes) as u64, bytes as u64);
                    put(device, encoder, part, bytemuck::cast_slice(&values));
                }
            }
        }
    }

    /// Overwrites the beginning of a shared buffer.
    fn put<T: bytemuck::Pod>(&self, encoder: &mut wgpu::CommandEncoder, name: &str, values: &[T]) {
        put(&self.pipelines.device, encoder, BufferRange::all(self.shared(name)), bytemuck::cast_slice(values));
    }
}

/// Overwrites the beginning of a part of a buffer.
fn put(device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, to: BufferRange, bytes: &[u8]) {
    if !bytes.is_empty() {
        let source = filled(device, "restore", bytes, wgpu::BufferUsages::COPY_SRC);
        encoder.copy_buffer_to_buffer(&source, 0, to.buffer, to.offset, bytes.len() as u64);
    }
}

impl SnapshotDownload {
    /// Whether it will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.copies.has_failed()
    }

    /// Bytes of the host's memory that it takes.
    pub fn bytes(&self) -> u64 {
        self.copies.bytes()
    }

    /// The snapshot; `None` while it is on its way.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let order = &self.order;
        let particles = |source: usize| -> Option<Vec<[f32; 4]>> {
            let mut by_slot = self.copies.read::<[f32; 4]>(source)?;
            if source == 0 {
                self.masses.iter().for_each(|&(slot, inverse_mass)| by_slot[slot][3] = inverse_mass);
            }
            Some(order.slot_of.iter().map(|&slot| by_slot[slot as usize]).collect())
        };
        let first = FIXED + order.constraint_sources();
        let ((corners, loose), broken_facets) = match &order.corners {
            Some(_) => {
                let holds = order.corners_of(&self.copies.read(first)?);
                (holds, order.broken_facets(&self.copies.read(first + 1)?))
            }
            None => Default::default(),
        };
        let groups = order.groups.iter().zip(FIXED..);
        let multipliers =
            groups.map(|(group, source)| Some(group.by_constraint(&self.copies.read(source)?, group.components)));
        let mut sources = FIXED + order.groups.len()..;
        let rests = order.groups.iter().map(|group| match group.rests {
            0 => Some(Vec::new()),
            count => Some(group.by_constraint(&self.copies.read(sources.next()?)?, count)),
        });
        let past = match self.past {
            true => {
                let last = first + if order.corners.is_some() { 2 } else { 0 };
                let (count, copy) = (order.slot_of.len(), self.copies.read::<[f32; 4]>(last)?);
                [1, 2].map(|k| order.slot_of.iter().map(|&slot| copy[k * count + slot as usize]).collect())
            }
            false => Default::default(),
        };
        let turned = match order.turned.is_empty() {
            true => Vec::new(),
            false => order.turned_of(&self.copies.read_back(0)?),
        };
        Some(Snapshot {
            past,
            frame: self.frame,
            substep_seconds: order.settings.substep_seconds(),
            implicit_seconds: order.settings.implicit_seconds(),
            substeps: order.settings.substeps,
            turned,
            jointed: order.jointed_of(&self.copies)?,
            reshaped: order.reshaped_of(&self.copies, 0)?,
            particles: [particles(0)?, particles(1)?, particles(2)?],
            lattice: *self.copies.read(STATE.len())?.first()?,
            status: *self.copies.read(STATE.len() + 1)?.first()?,
            multipliers: multipliers.collect::<Option<_>>()?,
            corners,
            loose,
            broken_facets,
            rests: rests.collect::<Option<_>>()?,
        })
    }
}

/// What a snapshot must have to be of a solver.
fn shape(order: &Order) -> Shape {
    let kind = |group: &GroupOrder| {
        let count = group.constraint_of.len();
        [count * group.components, count * group.rests]
    };
    Shape {
        particles: order.slot_of.len(),
        orientations: order.turned.len(),
        joints: order.joints.len(),
        rest_shapes: order.rest_shapes,
        kinds: order.groups.iter().map(kind).collect(),
        corners: order.corners.as_ref().map_or(0, Vec::len),
        facets: order.facets.len(),
        shared: order.shared.clone(),
    }
}

impl GroupOrder {
    /// Values, so many for each constraint, in the order of places, as the device has them, from the order of the
    /// model's constraints.
    fn by_place(&self, values: &[[f32; 2]], each: usize) -> Vec<[f32; 2]> {
        let of_constraint = |&constraint: &u32| &values[constraint as usize * each..][..each];
        self.constraint_of.iter().flat_map(of_constraint).copied().collect()
    }

    /// The opposite of [`GroupOrder::by_place`].
    pub fn by_constraint(&self, values: &[[f32; 2]], each: usize) -> Vec<[f32; 2]> {
        let constraint_of = &self.constraint_of;
        parallel::reordered(constraint_of.len(), each, [0.0; 2], constraint_of, |place, k| values[place * each + k])
    }
}
