//! The solver: GPU buffers and pipelines, which record steps into the host's command encoder. The host owns the device;
//! nothing here blocks or asks for the time of day.

pub(crate) mod carry;
pub(crate) mod change;
pub(crate) mod contacts;
pub(crate) mod engine;
pub(crate) mod limits;
pub(crate) mod notes;
pub(crate) mod parts;
pub(crate) mod place;
pub(crate) mod snapshot;
pub(crate) mod upload;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::constraint::{Kind, NeoHookean};
use crate::gpu::buffers::{BufferRange, Buffers};
use crate::gpu::constraint_kernel::{gather_kernel, run_kernel, solve_kernel};
use crate::gpu::download::{GroupOrder, Order};
use crate::gpu::parameters::Edit;
use crate::gpu::pass::Setup;
use crate::gpu::profile::Timer;
use crate::gpu::rest::rest_kernel;
use crate::gpu::status::StatusRing;
use crate::gpu::surface::Surfaces;
use crate::gpu::{
    Download, Kernel, Load, Pipelines, Profile, Recorder, SolverError, cluster_kernel, island_kernel, particles,
    surface,
};
use crate::model::{Integrator, Model, Particles};
use crate::pass::Pass;
use crate::pass::air::gpu as air;
use crate::pass::colliders::gpu as contact;
use crate::pass::colliders::gpu::{ContactLayout, Shapes};
use crate::pass::damping::gpu as damping;
use crate::pass::flows::gpu as flows;
use crate::pass::fluid::gpu as fluid;
use crate::pass::joints::gpu as joints;
use crate::pass::levels::gpu as nested;
use crate::pass::pairs::gpu as pairs;
use crate::pass::rods::gpu as rods;
use crate::pass::shapes::gpu as rest_shapes;
use crate::pass::surfaces::gpu as surface_contact;
use crate::pass::tear::gpu as tear;
use crate::plan::Plan;
use crate::solver::gpu::parts::Parts;
use crate::solver::in_order;
use crate::step::change::Over;
use crate::step::{Active, Engine, KEPT_NUMBERS, Tears, Used, needs};
pub(crate) use limits::useful as useful_limits;
pub use notes::ContactDownload;
pub use snapshot::SnapshotDownload;

/// A model on a GPU: buffers and pipelines that record steps into the host's command encoder. The host owns the device;
/// nothing here blocks or reads the clock.
///
/// ```
/// use pliant::scene::{Body, Cloth, Grid, Scene};
/// use pliant::{Plan, solver::Solver, wgpu};
///
/// let grid = Grid { columns: 64, rows: 64, width: 1.0, height: 1.0 };
/// let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6)).pin("top-left").pin("top-right");
/// let model = Scene::new("Hanging cloth").with(cloth).build()?.model;
/// let plan = Plan::new(&model);
///
/// let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
/// let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
/// let limits = Solver::useful_limits(&plan, &adapter.limits());
/// let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
/// let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
///
/// let mut solver = Solver::new(&device, &model, &plan)?;
/// let mut encoder = device.create_command_encoder(&Default::default());
/// solver.step(&mut encoder); // one frame; several may share a submit
/// queue.submit([encoder.finish()]);
/// # device.poll(wgpu::PollType::wait_indefinitely())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(crate) pipelines: Pipelines,
    /// Without particles and constraints, which live on the device.
    pub(crate) model: Model,
    /// What each group refers to.
    pub(crate) used: Vec<Used>,
    pub(crate) frame: u64,
    /// With BDF2: whether the next step's first substep has no past.
    pub(crate) starting: bool,
    pub(crate) order: Arc<Order>,
    pub(crate) buffers: Buffers,
    pub(crate) parts: Parts,
    pub(crate) surfaces: Surfaces,
    pub(crate) status: StatusRing,
    /// What the next step uploads.
    pub(crate) edits: Vec<Edit>,
    /// What the host pulls, by slot.
    pub(crate) pulled: Active,
    /// What there are levels over.
    pub(crate) levels: Over,
    /// Particles whose mass is no longer that of the model.
    pub(crate) changed_masses: BTreeSet<u32>,
    pub(crate) averages_contacts: bool,
    /// Whether the pressures on the device are those of the last step.
    pub(crate) has_pressures: bool,
    /// Of the last recorded step.
    pub(crate) load: Load,
}

impl Solver {
    /// What to ask of an adapter so that the plan fits: WebGPU's default limits, and larger buffers where it needs
    /// them.
    pub fn required_limits(plan: &Plan) -> wgpu::Limits {
        limits::required(plan)
    }

    /// The same, and as much memory and as many threads of a workgroup as the solver makes use of and the adapter
    /// allows, by its limits: with less, levels take more dispatches, and clusters of narrow bodies are solved by
    /// colours, with the same result.
    pub fn useful_limits(plan: &Plan, available: &wgpu::Limits) -> wgpu::Limits {
        useful_limits(limits::required(plan), available)
    }

    /// Uploads a model. `plan` must be the plan of this model; [`Plan::check`] checks this.
    ///
    /// # Errors
    /// If a buffer exceeds the device's limits, or the shader of a constraint kind from outside does not compile.
    pub fn new(device: &wgpu::Device, model: &Model, plan: &Plan) -> Result<Self, SolverError> {
        Self::sharing(&Pipelines::new(device), model, plan)
    }

    /// As [`Solver::new`] on the device of the pipelines, of which it compiles those that are not there yet.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn sharing(pipelines: &Pipelines, model: &Model, plan: &Plan) -> Result<Self, SolverError> {
        Self::with_passes(pipelines, model, plan, &[])
    }

    /// As [`Solver::sharing`], with passes of the caller's own in each substep, where [`in_order`] puts them.
    ///
    /// # Errors
    /// As [`Solver::new`].
    pub fn with_passes(
        pipelines: &Pipelines,
        model: &Model,
        plan: &Plan,
        passes: &[&'static dyn Pass],
    ) -> Result<Self, SolverError> {
        let device = &pipelines.device;
        model.check()?;
        plan.check_tearing(model.tearing.as_ref())?;
        limits::check(plan, &model.settings, &device.limits())?;
        limits::check_samples(model, &device.limits())?;
        limits::check_rods(model, &device.limits())?;
        limits::check_joints(model, &device.limits())?;
        limits::check_shapes(model, &device.limits())?;
        let mut buffers = upload::buffers(device, model, plan);
        let used: Vec<Used> = model.groups.iter().map(|group| Used::of(group, &model.materials)).collect();
        let pulled = Active::default();
        let parts = Parts::new(pipelines, &mut buffers, model, &used, plan, (&in_order(passes), &pulled))?;
        let surfaces = Surfaces::new(pipelines, &buffers, plan, model.tearing.is_some())?;
        let mut solver = Self {
            pipelines: pipelines.clone(),
            order: Arc::new(order(model, &used, plan)),
            model: kept(model),
            used,
            frame: 0,
            starting: model.settings.integrator == Integrator::Bdf2,
            buffers,
            parts,
            surfaces,
            status: StatusRing::new(device),
            edits: Vec::new(),
            pulled,
            levels: Over::new(plan),
            changed_masses: BTreeSet::new(),
            averages_contacts: false,
            has_pressures: false,
            load: Load::default(),
        };
        solver.upload_materials();
        Ok(solver)
    }

    /// Records one frame: all substeps, in one compute pass. Several frames may be recorded before one submit. What is
    /// recorded has to be submitted, in that order.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.begin_step(encoder);
        let mut recorder = Recorder::new(encoder, "pliant step", self.parts.parameters.first_slot());
        self.parts.frame(&mut recorder, &self.model.settings, self.starting);
        let load = recorder.finish();
        self.end_step(encoder, load);
    }

    /// As [`Solver::step`], with each kind of work in a pass of its own that the device times. Slower than a plain
    /// step, with the same result.
    ///
    /// `None`, and nothing is recorded, where the device was opened without `Features::TIMESTAMP_QUERY`.
    pub fn profile_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Option<Profile> {
        let device = self.pipelines.device.clone();
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        self.begin_step(encoder);
        let mut timer = Timer::new(&device);
        let mut recorder = Recorder::timed(encoder, &mut timer, self.parts.parameters.first_slot());
        self.parts.frame(&mut recorder, &self.model.settings, self.starting);
        let load = recorder.finish();
        self.end_step(encoder, load);
        Some(timer.finish(&device, encoder))
    }

    fn begin_step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for (particle, inverse_mass) in self.model.released(self.frame) {
            self.weigh(particle, inverse_mass as f32);
        }
        self.make_room();
        self.begin_notes();
        self.parts.passes().for_each(|(_, pass)| pass.begin(encoder));
        let edits = std::mem::take(&mut self.edits);
        self.parts.parameters.record(encoder, &self.model, self.frame, self.starting, edits);
    }

    /// Whether a frame may lack room for contacts, which
    /// [`Status::contacts_missing`](crate::step::Status::contacts_missing) then tells: with more than eight colliders,
    /// with segments, and of particles with each other with several sweeps in a substep. A frame done again from a
    /// snapshot has room for what it lacked.
    pub fn may_miss_contacts(&self) -> bool {
        self.parts.passes().any(|(_, pass)| pass.may_miss(&self.model.settings))
    }

    /// Where the lists of pairs took more than there is: larger ones. The first substep of each frame makes them anew,
    /// and what finds no room is looked up, so that with one sweep a substep no result depends on when the host learns
    /// of it. Contacts with many colliders and those with segments have room for three times what they took, again once
    /// they take more than half of it.
    pub(crate) fn make_room(&mut self) {
        let Some(status) = self.status.latest() else { return };
        let mut passes = std::mem::take(&mut self.parts.passes);
        let setup = self.setup();
        passes.iter_mut().filter_map(|pass| pass.made.as_mut()).for_each(|pass| pass.make_room(&setup, &status));
        self.parts.passes = passes;
    }

    /// What a pass is made of anew while the solver runs.
    pub(crate) fn setup(&self) -> Setup<'_> {
        Setup {
            pipelines: &self.pipelines,
            buffers: &self.buffers,
            model: &self.model,
            sheets: &[],
            slot_of: &self.order.slot_of,
            viscous_rate: 0.0,
            constraints: &self.parts.constraints,
            pulled: &self.pulled,
        }
    }

    fn end_step(&mut self, encoder: &mut wgpu::CommandEncoder, load: Load) {
        self.load = load;
        self.frame += 1;
        self.starting = false;
        self.has_pressures = true;
        if let Some(status) = self.buffers.get("status") {
            self.status.record(encoder, status.buffer, self.frame);
        }
    }

    /// Records the computation of skins and [`Solver::normals`] from the positions as they are.
    pub fn update_normals(&self, encoder: &mut wgpu::CommandEncoder) {
        let first_slot = self.parts.parameters.first_slot();
        self.surfaces.update_normals(&mut Recorder::new(encoder, "pliant normals", first_slot));
    }

    /// Positions, `vec4<f32>` per slot of the plan's order: xyz in m, w the inverse mass. Rounded to the solver's
    /// lattice, a 2²⁴th of the world's size: for drawing. [`Solver::download`] gives them in full. After the particles
    /// come the vertices of skins ([`Model::skins`]), as of the last [`Solver::update_normals`].
    pub fn positions(&self) -> &wgpu::Buffer {
        self.shared("x")
    }

    /// Velocities as the way of a substep, `vec3<f32>` per slot, 16 bytes apart, m: divide by
    /// [`Settings::substep_seconds`](crate::model::Settings::substep_seconds) for m/s, whatever the integrator.
    pub fn velocities(&self) -> &wgpu::Buffer {
        self.shared("u")
    }

    /// Unit normals, `vec4<f32>` per slot and then per vertex of a skin, zero away from surfaces; as of the last
    /// [`Solver::update_normals`]. The fourth number is the length of the mean of the normals of the triangles around:
    /// 1 where they lie in a plane, and cos θ/2 at an edge where the surface turns by θ with as many of them on either
    /// side.
    pub fn normals(&self) -> &wgpu::Buffer {
        self.shared("normals")
    }

    /// Triangles, three `u32` slots each, the model's bodies one after another, then those of skins.
    /// [`Model::shown_indices`] tells which show a body.
    pub fn indices(&self) -> &wgpu::Buffer {
        self.shared("indices")
    }

    /// Records the read-back of the whole state as it is after the steps recorded so far.
    pub fn download(&self, encoder: &mut wgpu::CommandEncoder) -> Download {
        let mut sources = ["x", "e", "u", "status"].map(|name| BufferRange::all(self.shared(name))).to_vec();
        sources.extend(self.parts.constraint_state());
        sources.extend(self.tear_state());
        sources.extend(self.parts.passes().filter_map(|(_, pass)| pass.forces()));
        sources.extend(self.reshaped_state());
        let pressures = self.pressures();
        let has_pressures = pressures.is_some();
        sources.extend(pressures);
        sources.extend(self.joint_state());
        sources.extend(self.turned_state());
        let (order, at) = (self.order.clone(), (self.frame, self.seconds()));
        Download::record(&self.pipelines.device, encoder, order, &sources, at, has_pressures)
    }

    /// The buffer of the pressures of fluids, if there are any, and of this frame.
    fn pressures(&self) -> Option<BufferRange<'_>> {
        self.parts.passes().find_map(|(_, pass)| pass.pressures()).filter(|_| self.has_pressures)
    }

    /// The buffers that hold how bodies hang together, if any can be torn.
    pub(crate) fn tear_state(&self) -> impl Iterator<Item = BufferRange<'_>> {
        self.model.tearing.iter().flat_map(|_| ["holds", "broken"]).map(|name| BufferRange::all(self.shared(name)))
    }

    /// The buffer of how rest shapes have flowed, if any change.
    pub(crate) fn reshaped_state(&self) -> Option<BufferRange<'_>> {
        (self.order.rest_shapes > 0).then(|| BufferRange::all(self.shared("shape_flows")))
    }

    /// The buffer of what joints bear, if there are any.
    pub(crate) fn joint_state(&self) -> Option<BufferRange<'_>> {
        let bytes = (self.order.joints.len() * size_of::<[f32; KEPT_NUMBERS]>()) as u64;
        (bytes > 0).then(|| BufferRange::part(self.shared("joint_numbers"), 0, bytes))
    }

    /// The buffer of orientations, if there are any.
    pub(crate) fn turned_state(&self) -> Option<BufferRange<'_>> {
        (!self.order.turned.is_empty()).then(|| BufferRange::all(self.shared("rod_turned")))
    }

    /// Dispatches of the last recorded step; 0 before the first.
    pub fn dispatches_per_frame(&self) -> u32 {
        self.load.dispatches
    }

    pub(crate) fn shared(&self, name: &str) -> &wgpu::Buffer {
        self.buffers.get(name).unwrap_or_else(|| unreachable!("upload.rs makes `{name}`")).buffer
    }
}

/// A model without what lives on the device.
pub(crate) fn kept(model: &Model) -> Model {
    Model { particles: Particles::default(), groups: Vec::new(), ..model.clone() }
}

/// How downloads bring what they read into the model's order.
pub(crate) fn order(model: &Model, used: &[Used], plan: &Plan) -> Order {
    let group = |(index, planned): (usize, &crate::plan::PlannedGroup)| GroupOrder {
        components: planned.kind.components(),
        rests: if used[index].rest_changes { planned.kind.rest().len() } else { 0 },
        constraint_of: planned.constraint_of.clone(),
        summed: needs(&model.settings, &model.materials, &used[index], Tears::of(model, index)).summing,
    };
    let facets = model.tearing.as_ref().map(|tearing| tearing.edges.len()..tearing.edges.len() + tearing.facets.len());
    Order {
        slot_of: plan.slot_of.clone(),
        particle_of: plan.particle_of.clone(),
        placed: model.tearing.as_ref().map_or(plan.slot_of.len(), |tearing| tearing.spares.start as usize),
        corners: model.tearing.as_ref().map(|_| model.triangles().flatten().collect()),
        facets: facets.unwrap_or_default(),
        groups: plan.groups.iter().enumerate().map(group).collect(),
        turned: rods::places(model),
        joints: joints::places(model),
        rest_shapes: model.rest_shapes.len(),
        fluids: model.fluids.clone(),
        flows: model.flows(),
        levels: !plan.sheets.is_empty() && model.settings.mean_forces,
        shared: plan.groups.iter().flat_map(|group| &group.shared).copied().collect(),
        settings: model.settings.clone(),
    }
}

/// Bytes that the levels over a plan's sheets take on a device.
pub fn level_bytes(plan: &Plan) -> u64 {
    nested::list_bytes(&plan.sheets).into_iter().sum()
}

const INTEGRATORS: [Integrator; 2] = [Integrator::Euler, Integrator::Bdf2];

/// Every kernel that the solver may compile for these kinds: for tests that need no device.
pub fn all_kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let mut kernels = vec![particles::predict_kernel(), gather_kernel()];
    kernels.extend([particles::lattice_kernel(), particles::begin_kernel(), particles::finish_kernel()]);
    let ways = [false, true];
    for back in ways {
        kernels.extend(kinds.iter().flat_map(|kind| ways.map(|jacobi| solve_kernel(*kind, jacobi, back))));
        let few = kinds.iter().filter(|kind| !kind.joins_many());
        kernels.extend(few.map(|kind| run_kernel(*kind, back)));
    }
    kernels.extend(island_kernel::kernels(kinds));
    kernels.extend(cluster_kernel::kernels(kinds));
    for shapes in [Shapes::Plain, Shapes::Fields] {
        for lists in [ContactLayout::Every, ContactLayout::Near] {
            let kernels_of = |integrator| contact::kernels(integrator, shapes, lists);
            kernels.extend(INTEGRATORS.into_iter().flat_map(kernels_of));
        }
    }
    kernels.extend(INTEGRATORS.into_iter().flat_map(pairs::kernels));
    kernels.push(pairs::reading_kernel());
    kernels.extend(surface_contact::kernels());
    kernels.push(surface_contact::reading_kernel());
    kernels.extend(INTEGRATORS.into_iter().flat_map(pairs::segments::kernels));
    kernels.push(pairs::segments::reading_kernel());
    kernels.extend([ContactLayout::Every, ContactLayout::Near].map(contact::reading_kernel));
    kernels.push(flows::kernel());
    kernels.extend(fluid::kernels());
    kernels.push(rest_shapes::kernel());
    kernels.push(rods::kernel());
    kernels.push(rods::actuating_kernel());
    kernels.push(joints::kernel());
    kernels.push(joints::turning_kernel());
    kernels.extend(damping::kernels());
    kernels.extend(carry::kernels());
    kernels.push(place::place_kernel());
    kernels.extend(INTEGRATORS.into_iter().flat_map(tear::kernels));
    kernels.push(tear::ball_kernel());
    kernels.extend(nested::kernels());
    let tetrahedra = kinds.iter().filter(|kind| kind.is::<NeoHookean>());
    kernels.extend(tetrahedra.map(|kind| tear::fracture_kernel(*kind)));
    kernels.extend([surface::normals_kernel(), surface::skin_kernel(), rest_kernel()]);
    kernels.extend(INTEGRATORS.map(air::air_kernel));
    kernels
}
