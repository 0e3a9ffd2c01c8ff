//! The plan: a model made ready for an engine. [`Plan::new`] does once what no step should do again:
//!
//! 1. It numbers the particles along a space-filling curve, so that neighbours lie near each other in memory. The place
//!    of a particle in this order is its *slot*.
//! 2. It colours the constraints. No two constraints of one colour share a free particle, so an engine may solve all of
//!    a colour at once.
//! 3. It packs the constraints into records and cuts them into *batches*, each of which fits one binding of a GPU.
//! 4. It prepares the coarse [`levels`] over stiff sheets and long ropes.
//!
//! [`Plan::clustered`] also divides large bodies into clusters that one workgroup each solves in its own memory, which
//! is faster on graphics cards. Nothing here depends on a device: the same model gives the same plan everywhere.

mod blocks;
mod check;
mod clusters;
mod colour;
mod gather;
mod islands;
mod legs;
pub mod levels;
pub(crate) mod order;
mod pack;
mod sort;
pub mod statics;
mod strips;
pub(crate) mod wet;

pub use check::{PlanError, TearingError};
pub use clusters::{CLUSTER_PARTICLES, LARGEST_CLUSTER, Phase};
pub use legs::{Leg, Way};

use std::ops::Range;

use crate::base::parallel;
use crate::constraint::Kind;
use crate::model::{Integrator, Method, Model, Sweep};
use clusters::Division;
use colour::Colouring;

/// The largest range of a buffer that a kernel sees at once: WebGPU's default, and lavapipe's limit. Batches are cut so
/// that the records, multipliers and corrections of one fit, on every device alike, so that the result does not depend
/// on the device's limits.
pub const MAX_BINDING_BYTES: usize = 128 << 20;

/// Ranges begin at multiples of this many records, whatever their size: buffer offsets are then multiples of 256 bytes.
pub const RANGE_ALIGNMENT: u32 = 256;

/// A model made ready for an engine.
///
/// ```
/// use pliant::Plan;
/// use pliant::scene::{Body, Constraint, Scene};
///
/// // A chain of four particles: its first and last constraint may be solved at once, the middle one after them.
/// let chain = Constraint::new("distance", [[0, 1], [1, 2], [2, 3]]);
/// let places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
/// let model = Scene::new("a chain").with(Body::particles(places).constrain(chain)).build()?.model;
///
/// let plan = Plan::new(&model);
/// assert_eq!(plan.groups[0].batches.len(), 2); // two colours
/// assert_eq!(plan.particle_of[plan.slot_of[2] as usize], 2); // one order is the inverse of the other
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The model's particle at each slot.
    pub particle_of: Vec<u32>,
    /// The slot of each particle of the model.
    pub slot_of: Vec<u32>,
    /// Number of colliders of the model: each may touch every particle.
    pub colliders: u32,
    /// Number of triangles of the model's surfaces, for whose normals the solver keeps lists, including those inside
    /// solids that can tear.
    pub triangles: u32,
    /// Number of vertices of the model's skins, which follow the particles.
    pub skin_vertices: u32,
    /// Number of triangles of the model's skins.
    pub skin_triangles: u32,
    /// Number of segments of strands on which the air acts.
    pub cylinders: u32,
    /// Whether bodies can tear.
    pub tears: bool,
    /// Whether particles may touch each other.
    pub touches: bool,
    /// The integrator of the model, for the memory that it takes: BDF2 takes more. The plan does not depend on it.
    pub integrator: Integrator,
    /// Substeps of the model, for the memory of their drives, colliders and curves. The plan does not depend on them.
    pub substeps: u32,
    /// Number of drives of the model.
    pub drives: u32,
    /// Number of particles of the model that follow an animation.
    pub animated: u32,
    /// Number of curves of the model.
    pub curves: u32,
    /// Number of particles of the model that take part in fluids.
    pub wet: u32,
    /// By which rate viscosity takes away what differs most in the model's fluids, 1/s.
    pub viscous_rate: f64,
    /// Whether one of the model's fluids has surface tension.
    pub tense: bool,
    /// One for each group of the model, in the same order.
    pub groups: Vec<PlannedGroup>,
    /// The coarse levels over sheets and ropes ([`Settings::nested`](crate::model::Settings::nested)).
    pub sheets: Vec<levels::Sheet>,
    /// Slots of each cluster of whole islands, one after another from the first slot on: particles that no constraint
    /// connects with others, and so few that one workgroup solves them whole, those without constraints last. Without
    /// them all is solved colour after colour, with the same result.
    pub islands: Vec<Range<u32>>,
    /// The clusters of each phase but the last, of a plan by [`Plan::clustered`]. All constraints of those phases lie
    /// in one of them, or in an island. Without them the phases are solved colour after colour, with the same result.
    pub phases: Vec<Phase>,
}

/// How many constraints of a kind one binding of [`MAX_BINDING_BYTES`] holds; a multiple of [`RANGE_ALIGNMENT`].
#[cfg(feature = "gpu")]
pub(crate) fn window_places(kind: &dyn Kind) -> u32 {
    pack::Cut::new(kind, MAX_BINDING_BYTES).places
}

impl Plan {
    /// Plans a model: orders its particles, and colours, sorts, cuts and packs its constraints, by all cores. The same
    /// model gives the same plan, by however many. About linear in time: W1 at n = 1024, 1,048,576 particles and
    /// 6,281,218 constraints, takes 0.64 s on one core of 2026 and 0.38 s on two, 2.7 and 2.1 s when its constraints
    /// come in random order, and by [`Plan::clustered`] 1.0 and 0.65 s. With levels it takes 4.2 s of processor time.
    ///
    /// # Panics
    /// If a constraint names a particle that the model does not have; [`Model::check`] checks a model made by hand.
    pub fn new(model: &Model) -> Self {
        Self::with_binding_bytes(model, MAX_BINDING_BYTES)
    }

    /// As [`Plan::new`] with the constraints of islands above [`CLUSTER_PARTICLES`] particles divided into phases, of
    /// which each but the last lies in clusters of as many neighbouring particles, of narrow bodies up to
    /// [`LARGEST_CLUSTER`]: a workgroup solves a cluster in its own memory, so that a phase is one dispatch in place of
    /// one for each colour. By colours, as on the CPU, it takes more dispatches than [`Plan::new`]. The order of the
    /// constraints is another, and so are the last digits; neither is nearer to the truth.
    ///
    /// The same plan as [`Plan::new`] with the method Jacobi, with BDF2, where bodies can be torn, and where there is
    /// nothing so large.
    ///
    /// # Panics
    /// As [`Plan::new`].
    pub fn clustered(model: &Model) -> Self {
        Self::made(model, MAX_BINDING_BYTES, true)
    }

    /// As [`Plan::new`] with another size of the largest binding, bytes, at least what [`RANGE_ALIGNMENT`] constraints
    /// take. It decides where batches are cut, and so the order in which a long Jacobi remainder is solved.
    pub fn with_binding_bytes(model: &Model, binding_bytes: usize) -> Self {
        Self::made(model, binding_bytes, false)
    }

    fn made(model: &Model, binding_bytes: usize, clustered: bool) -> Self {
        let ((order, phases, groups), sheets) =
            parallel::join(|| arranged(model, binding_bytes, clustered), || levels::sheets(model));
        let Order { particle_of, slot_of, islands } = order;
        let colliders = model.colliders.len() as u32;
        let triangles = model.triangles().count() as u32;
        let skin_vertices = model.skin_vertices() as u32;
        let skin_triangles = model.skins().map(|(_, skin)| skin.triangles.len() as u32).sum();
        let cylinders = model.cylinders().count() as u32;
        let tears = model.tearing.is_some();
        let touches = model.touching_radii().is_some();
        let (integrator, substeps) = (model.settings.integrator, model.settings.substeps);
        let (drives, curves) = (model.drives.len() as u32, model.curves.len() as u32);
        let (wet, viscous_rate) = (wet::count(model), wet::viscous_rate(model));
        Self {
            particle_of,
            slot_of,
            colliders,
            triangles,
            skin_vertices,
            skin_triangles,
            cylinders,
            tears,
            touches,
            integrator,
            substeps,
            drives,
            animated: model.animated().count() as u32,
            curves,
            wet,
            viscous_rate,
            tense: model.fluids.iter().any(|fluid| fluid.surface_tension > 0.0),
            groups,
            sheets,
            islands,
            phases,
        }
    }

    /// Bytes of everything that the plan holds and a solver uploads.
    pub fn bytes(&self) -> usize {
        let order = size_of_val(&*self.particle_of) + size_of_val(&*self.slot_of);
        let levels: usize = self.sheets.iter().map(levels::Sheet::bytes).sum();
        let clusters: usize = self.phases.iter().map(Phase::bytes).sum();
        order
            + levels
            + clusters
            + size_of_val(&*self.islands)
            + self.groups.iter().map(PlannedGroup::bytes).sum::<usize>()
    }

    /// How many phases a sweep has, at least one: each goes through all kinds.
    pub fn phase_count(&self) -> u32 {
        let last = |group: &PlannedGroup| group.batches.last().map_or(0, |batch| batch.phase);
        self.groups.iter().map(last).max().unwrap_or(0) + 1
    }

    /// What a sweep does, leg after leg, in one or two halves, each of which is self-adjoint where it goes there and
    /// back.
    pub fn sweep(&self, sweep: Sweep) -> Vec<Vec<Leg>> {
        legs::halves(self, sweep)
    }

    /// Dispatches that one sweep over all constraints takes without islands and clusters: one a batch or run of small
    /// ones, and one more to gather a Jacobi batch.
    pub fn dispatches_per_sweep(&self) -> usize {
        let gathers = |group: &PlannedGroup| group.batches.iter().filter(|batch| batch.gather.is_some()).count();
        self.groups.iter().map(|group| runs(group.kind, &group.batches, |_| false).len() + gathers(group)).sum()
    }
}

/// The particles in the order of a plan.
struct Order {
    particle_of: Vec<u32>,
    slot_of: Vec<u32>,
    islands: Vec<Range<u32>>,
}

impl Order {
    fn new(model: &Model) -> Self {
        let placed = model.placed_particles();
        let along_curve = order::along_curve(&model.particles.positions[..placed]);
        let (mut particle_of, islands) = islands::order(model, along_curve);
        // Spares come last: they are not in use yet.
        particle_of.extend(placed as u32..model.particles.len() as u32);
        let mut slot_of = vec![0; particle_of.len()];
        for (slot, &particle) in (0..).zip(&particle_of) {
            slot_of[particle as usize] = slot;
        }
        Self { particle_of, slot_of, islands }
    }

    /// The first slot behind the islands.
    fn first(&self) -> u32 {
        self.islands.last().map_or(0, |cluster| cluster.end)
    }
}

/// The order of the particles and the constraints in theirs.
fn arranged(model: &Model, binding_bytes: usize, clustered: bool) -> (Order, Vec<Phase>, Vec<PlannedGroup>) {
    let (mut order, Division { phases, homes }, colourings) = match clustered {
        true => {
            let order = Order::new(model);
            let division = clusters::divide(model, &order.slot_of, order.first());
            let colourings = colourings(model, &division);
            (order, division, colourings)
        }
        false => {
            // Colours follow the model's numbering.
            let division = Division::default();
            let (order, colourings) = parallel::join(|| Order::new(model), || colourings(model, &division));
            (order, division, colourings)
        }
    };
    let (masses, count) = (model.planned_masses(), phases.len() as u32 + 1);
    let inverse_masses = &*masses;
    let options = pack::PackOptions { inverse_masses, slot_of: &order.slot_of, binding_bytes, phases: count };
    let homes_of = |group: usize| homes.get(group).map_or(&[][..], |homes| homes);
    let plan_group = |((index, group), colouring)| pack::plan_group(group, homes_of(index), colouring, options);
    let groups: Vec<PlannedGroup> = model.groups.iter().enumerate().zip(colourings).map(plan_group).collect();
    let first = order.first();
    if groups.iter().any(|group| group.gathers_below(first)) {
        order.islands.clear();
    }
    (order, phases, groups)
}

/// Those of all groups, each by itself.
fn colourings(model: &Model, division: &Division) -> Vec<Colouring> {
    let max_colours = match model.settings.method {
        Method::GaussSeidel => model.settings.max_colours,
        Method::Jacobi => 0,
    };
    let (masses, phases) = (&*model.planned_masses(), division.phases.len() as u32 + 1);
    let colouring = |index: usize| {
        let homes = division.homes.get(index).map_or(&[][..], |homes| homes);
        colour::colour(&model.groups[index], &model.materials, masses, max_colours, homes, phases)
    };
    let of_piece = |piece: Range<usize>| piece.map(colouring).collect::<Vec<_>>();
    parallel::map(model.groups.len(), 1, of_piece).into_iter().flatten().collect()
}

/// The constraints of one kind in the order in which they are solved; a "place" is an index into that order.
#[derive(Clone, Debug)]
pub struct PlannedGroup {
    /// What kind they are.
    pub kind: &'static dyn Kind,
    /// The constraint of the model's group at each place.
    pub constraint_of: Vec<u32>,
    /// The records, `kind.record_size()` bytes each, with particles as slots.
    pub records: Vec<u8>,
    /// Of kinds over any number of particles: slots of the members of all constraints, to which a record's `first` and
    /// `count` point, and then what the kind has for each member ([`Kind::push_data`]), to which its `data` points.
    /// Empty for others.
    pub members: Vec<u32>,
    /// What is solved, one after the other; together every place once.
    pub batches: Vec<Batch>,
    /// How many colours the coloured batches have (a colour may be cut into several batches by [`MAX_BINDING_BYTES`]).
    pub colours: u32,
    /// Fixed particles of the model that constraints of one batch may share, ascending: they do not move, so none
    /// writes them. They cannot be set free while a solver runs by this plan.
    pub shared: Vec<u32>,
}

impl PlannedGroup {
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.constraint_of.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.constraint_of.is_empty()
    }

    /// Which batches are those of a phase.
    pub fn phase(&self, phase: u32) -> Range<usize> {
        let first = |phase| self.batches.partition_point(|batch| batch.phase < phase);
        first(phase)..first(phase + 1)
    }

    /// The places of a phase before this one are of its first colour, the innermost of a sweep there and back.
    pub fn innermost(&self, phase: u32) -> u32 {
        let batches = &self.batches[self.phase(phase)];
        let of_first = batches.iter().take_while(|batch| batch.colour == batches[0].colour);
        of_first.last().map_or(0, |batch| batch.range.end)
    }

    /// The smallest slot of the constraint at a place; that of one without particles is beyond all.
    #[cfg(feature = "gpu")]
    pub(crate) fn smallest_slot(&self, place: u32) -> u32 {
        let size = self.kind.record_size();
        let Some(field) = self.kind.record_fields().iter().find(|field| field.name == "particles") else {
            return u32::MAX;
        };
        let count = self.kind.arity().count().unwrap_or(0);
        let words = &self.records[place as usize * size + field.offset..][..count * 4];
        words.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>).min().unwrap_or(u32::MAX)
    }

    /// The first of these places, all of one colour, whose constraint has no particle below a slot.
    #[cfg(feature = "gpu")]
    pub(crate) fn first_from(&self, places: &Range<u32>, slot: u32) -> u32 {
        let (mut from, mut to) = (places.start, places.end);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.smallest_slot(middle) < slot {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        from
    }

    /// Whether a Jacobi batch has particles below a slot.
    fn gathers_below(&self, slot: u32) -> bool {
        let gathers = self.batches.iter().filter_map(|batch| batch.gather.as_ref());
        gathers.filter_map(|gather| gather.particles.first()).any(|&first| first < slot)
    }

    /// Bytes of the order, the records, the members and the gathers.
    pub fn bytes(&self) -> usize {
        let gathers: usize = self.batches.iter().flat_map(|batch| &batch.gather).map(Gather::bytes).sum();
        size_of_val(&*self.constraint_of) + self.records.len() + size_of_val(&*self.members) + gathers
    }
}

/// Constraints that are solved at once, by one dispatch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Places of the constraints.
    pub range: Range<u32>,
    /// Places of the buffer range to bind: from a multiple of [`RANGE_ALIGNMENT`] at or before `range.start`. Batches
    /// that share it can share a bind group.
    pub window: Range<u32>,
    /// `None` if no two constraints share a particle. Else they are solved with split masses and gathered.
    pub gather: Option<Gather>,
    /// Of the sweep ([`Plan::sweep`]); never less than that of the batch before.
    pub phase: u32,
    /// Its number among the group's colours: the same for what is cut only to fit [`MAX_BINDING_BYTES`]. Jacobi batches
    /// have numbers behind them.
    pub colour: u32,
}

/// The most constraints of a colour that one workgroup solves, a thread each.
const WORKGROUP: usize = 256;

/// Which batches of a kind are one dispatch: each by itself, but coloured ones in a row that one workgroup could do
/// anyway, unless they are to be `alone`.
pub(crate) fn runs(kind: &dyn Kind, batches: &[Batch], alone: impl Fn(&Batch) -> bool) -> Vec<Range<usize>> {
    let small =
        |batch: &Batch| !kind.joins_many() && batch.gather.is_none() && batch.range.len() <= WORKGROUP && !alone(batch);
    let together = |a: &Batch, b: &Batch| (&a.window, a.phase) == (&b.window, b.phase);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, batch) in batches.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if small(batch) && small(&batches[run.start]) && together(&batches[run.start], batch) => {
                run.end = index + 1;
            }
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

/// How the corrections of a Jacobi batch come together at the particles, in fixed order. A correction's index is
/// `(place - range.start) * arity + k` for the k-th particle of the constraint at `place`; for many particles it is the
/// index into [`PlannedGroup::members`] less that of the batch's first member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gather {
    /// For each correction, how many constraints of this batch its particle has.
    pub valences: Vec<f32>,
    /// Slots of the particles that the batch touches, ascending.
    pub particles: Vec<u32>,
    /// Where the corrections of each of these begin in `corrections`, and the end.
    pub offsets: Vec<u32>,
    /// Indices of corrections, ascending for each particle.
    pub corrections: Vec<u32>,
}

impl Gather {
    fn bytes(&self) -> usize {
        size_of_val(&*self.valences)
            + size_of_val(&*self.particles)
            + size_of_val(&*self.offsets)
            + size_of_val(&*self.corrections)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Balloon, Body, Cloth, Grid, Scene, Sphere};

    /// Sheets large enough to be divided among threads, one of which bears loads and one of which is of several
    /// materials, and a kind over any number of particles.
    fn scene() -> Scene {
        let grid = Grid { columns: 90, rows: 80, width: 1.0, height: 1.0 };
        let held = Body::cloth(Cloth::new(grid).stretch(1e-3).shear(1e-3)).mass(1.0).pin("top");
        let mixed = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-3)).mass(1.0).pin("top-left");
        let balloon = Body::balloon(Balloon::new(Cloth::new(Sphere { radius: 0.2, segments: 20 }))).mass(0.1);
        Scene::new("threads").with(held).with(mixed).with(balloon)
    }

    /// The number of threads changes no bit of a plan: by colours and by clusters, with levels and without, by Jacobi.
    #[test]
    fn threads_change_nothing() {
        let model = scene().build().unwrap().model;
        let mut nested = model.clone();
        nested.settings.nested = Some(true);
        let mut jacobi = model.clone();
        jacobi.settings.method = Method::Jacobi;
        let plans = || {
            let plans = [Plan::new(&nested), Plan::clustered(&model), Plan::new(&jacobi)];
            assert_eq!(plans.each_ref().map(|plan| plan.check(&model)), [Ok(()), Ok(()), Ok(())]);
            plans.map(|plan| format!("{plan:?}"))
        };
        let alone = parallel::with_threads(1, plans);
        for threads in [2, 5] {
            assert!(parallel::with_threads(threads, plans) == alone, "{threads} threads");
        }
    }
}
