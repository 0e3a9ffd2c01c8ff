//! The solver: GPU buffers and pipelines, which record steps into the host's command encoder. The host owns the device; nothing
//! here blocks or asks for the time of day.

pub mod buffers;
mod clock;
mod constraints;
mod download;
mod kernel;
mod limits;
mod parameters;
mod particles;
mod pass;
mod recorder;
pub mod records;
mod status;
mod surface;
mod upload;

pub use clock::FixedStep;
pub use constraints::{gather_kernel, solve_kernel};
pub use download::Download;
pub use kernel::{Binding, Kernel, KernelError, Piece, Pipeline};
pub use pass::Pass;
pub use recorder::{Dispatch, Dispatches, Recorder, Work};
pub use status::Status;

use std::sync::Arc;

use thiserror::Error;

use crate::constraint::Kind;
use crate::contact::{self, Contacts};
use crate::model::{Model, Settings, World};
use crate::plan::Plan;
use buffers::Buffers;
use constraints::Constraints;
use download::{GroupOrder, Order};
use parameters::Parameters;
use particles::ParticleKernels;
use status::StatusRing;
use surface::Surfaces;

#[derive(Debug, Error)]
pub enum SolverError {
    /// The device cannot hold the scene. Ask the adapter for [`Solver::required_limits`].
    #[error(
        "the scene needs {what} of {needed} bytes and the device allows {available}; \
         use fewer particles, or a device with more memory"
    )]
    TooBig { what: &'static str, needed: u64, available: u64 },
    #[error(transparent)]
    Kernel(#[from] KernelError),
}

/// A model on a device.
pub struct Solver {
    device: wgpu::Device,
    model: Model,
    frame: u64,
    order: Arc<Order>,
    buffers: Buffers,
    parameters: Parameters,
    particles: ParticleKernels,
    passes: Vec<Box<dyn Pass>>,
    multipliers: Vec<wgpu::Buffer>,
    surfaces: Surfaces,
    status: StatusRing,
    dispatches_per_frame: u32,
    bytes_per_frame: u64,
}

impl Solver {
    /// What to ask of an adapter so that the plan fits: WebGPU's default limits, and larger buffers where it needs them.
    pub fn required_limits(plan: &Plan) -> wgpu::Limits {
        limits::required(plan)
    }

    /// Uploads a model. `plan` must be the plan of this model.
    ///
    /// # Errors
    /// If a buffer exceeds the device's limits, or the shader of a constraint kind from outside does not compile.
    pub fn new(device: &wgpu::Device, model: &Model, plan: &Plan) -> Result<Self, SolverError> {
        limits::check(plan, &device.limits())?;
        let mut buffers = upload::buffers(device, model, plan);
        let parameters = Parameters::new(device, &mut buffers, model);
        let count = model.particles.len();
        let particles = ParticleKernels::new(device, &buffers, count as u32)?;

        let mut passes: Vec<Box<dyn Pass>> = Vec::new();
        let mut multipliers = Vec::new();
        let mut groups = Vec::new();
        for (group, planned) in model.groups.iter().zip(&plan.groups) {
            let needs = upload::needs(model, group);
            let constraints = Constraints::new(device, &buffers, planned, needs)?;
            groups.push(GroupOrder {
                components: planned.kind.components(),
                constraint_of: planned.constraint_of.clone(),
                summed: needs.summing,
            });
            multipliers.push(constraints.multipliers.clone());
            passes.push(Box::new(constraints));
        }
        if !model.colliders.is_empty() {
            passes.push(Box::new(Contacts::new(device, &buffers, count, model.colliders.len())?));
        }

        let order = Order {
            slot_of: plan.slot_of.clone(),
            groups,
            substeps: model.settings.substeps,
            substep_seconds: model.settings.substep_seconds(),
        };
        let surfaces = Surfaces::new(device, &buffers, model, plan)?;
        Ok(Self {
            device: device.clone(),
            // The solver reads what may change from frame to frame; particles and constraints live on the device.
            model: Model { particles: Default::default(), groups: Vec::new(), ..model.clone() },
            frame: 0,
            order: Arc::new(order),
            buffers,
            parameters,
            particles,
            passes,
            multipliers,
            surfaces,
            status: StatusRing::new(device),
            dispatches_per_frame: 0,
            bytes_per_frame: 0,
        })
    }

    /// Records one frame: all substeps, in one compute pass. Several frames may be recorded before one submit.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.parameters.record(encoder, &self.model, self.frame);
        let pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("pliant step"), ..Default::default() });
        let mut recorder = Recorder::new(pass);
        self.particles.fit_lattice(&mut recorder);
        self.particles.predict(&mut recorder);
        for substep in 0..self.model.settings.substeps {
            recorder.begin_substep(substep);
            self.substep(&mut recorder, substep + 1 == self.model.settings.substeps);
        }
        (self.dispatches_per_frame, self.bytes_per_frame) = recorder.finish();
        self.frame += 1;
        if let Some(status) = self.buffers.get("status") {
            self.status.record(encoder, status.buffer, self.frame);
        }
    }

    /// From predicted particles to those of the next substep, if there is one in this frame.
    fn substep(&self, recorder: &mut Recorder, last: bool) {
        for pass in &self.passes {
            pass.detect(recorder);
        }
        for iteration in 0..self.model.settings.iterations {
            recorder.begin_sweep(iteration == 0);
            for pass in &self.passes {
                pass.solve(recorder);
            }
        }
        if !last && !self.passes.iter().any(|pass| pass.corrects_velocities()) {
            return self.particles.finish_and_predict(recorder);
        }
        self.particles.finish(recorder);
        for pass in &self.passes {
            pass.correct_velocities(recorder);
        }
        if !last {
            recorder.begin_substep(recorder.substep() + 1);
            self.particles.predict(recorder);
        }
    }

    /// Records the computation of [`Solver::normals`] from the positions as they are.
    pub fn update_normals(&self, encoder: &mut wgpu::CommandEncoder) {
        let pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("pliant normals"), ..Default::default() });
        self.surfaces.update_normals(&mut Recorder::new(pass));
    }

    /// Positions, `vec4<f32>` per slot of the plan's order: xyz in m, w the inverse mass. Rounded to the solver's lattice, a
    /// 2²⁴th of the world's size: for drawing. [`Solver::download`] gives them in full.
    pub fn positions(&self) -> &wgpu::Buffer {
        self.shared("x")
    }

    /// Velocities, 16 bytes per slot of the plan's order: the way u = h v of a substep of length h in m, as xyz.
    pub fn velocities(&self) -> &wgpu::Buffer {
        self.shared("u")
    }

    /// Unit normals, `vec4<f32>` per slot, zero away from surfaces; as of the last [`Solver::update_normals`].
    pub fn normals(&self) -> &wgpu::Buffer {
        &self.surfaces.normals
    }

    /// Triangles, three `u32` slots each, the model's bodies one after another.
    pub fn indices(&self) -> &wgpu::Buffer {
        &self.surfaces.indices
    }

    /// The latest status that has arrived from the device; one or two frames late.
    pub fn status(&mut self) -> Option<Status> {
        self.status.latest()
    }

    /// Records the read-back of the whole state as it is after the steps recorded so far.
    pub fn download(&self, encoder: &mut wgpu::CommandEncoder) -> Download {
        let mut sources = ["x", "e", "u", "status"].map(|name| self.shared(name)).to_vec();
        sources.extend(&self.multipliers);
        Download::record(&self.device, encoder, self.order.clone(), &sources, self.frame, self.seconds())
    }

    /// Frames recorded so far.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Simulated time of the frames recorded so far, s.
    pub fn seconds(&self) -> f64 {
        self.frame as f64 / self.model.settings.frame_rate
    }

    pub fn settings(&self) -> &Settings {
        &self.model.settings
    }

    /// Gravity and the speed limit; a change acts from the next recorded step on.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.model.world
    }

    /// Dispatches of the last recorded step.
    pub fn dispatches_per_frame(&self) -> u32 {
        self.dispatches_per_frame
    }

    /// Bytes that the kernels of the last recorded step must read and write if nothing stays in a cache.
    pub fn bytes_per_frame(&self) -> u64 {
        self.bytes_per_frame
    }

    /// Bytes of device memory that the solver holds.
    pub fn memory_bytes(&self) -> u64 {
        let passes: u64 = self.passes.iter().map(|pass| pass.memory_bytes()).sum();
        self.buffers.bytes() + passes + self.surfaces.memory_bytes()
    }

    fn shared(&self, name: &str) -> &wgpu::Buffer {
        self.buffers.get(name).unwrap_or_else(|| unreachable!("upload.rs makes `{name}`")).buffer
    }
}

/// Every kernel that the solver may compile for these kinds: for the tests that need no device.
pub fn all_kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let mut kernels =
        vec![particles::lattice_kernel(), particles::predict_kernel(), particles::finish_kernel(), gather_kernel()];
    kernels.extend(kinds.iter().flat_map(|kind| [solve_kernel(*kind, false), solve_kernel(*kind, true)]));
    kernels.extend(contact::kernels());
    kernels.push(surface::normals_kernel());
    kernels
}
