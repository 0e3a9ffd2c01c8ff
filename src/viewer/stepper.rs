//! What steps a simulation of the window: the solver on the device that draws, or the CPU engine, whose results go
//! there to be drawn. A software device runs the solver's kernels on the same cores as the engine, many times slower.

use std::ops::{Deref, DerefMut};

use super::loading::Loaded;
use super::observer::Arrival;
use super::saved::Saved;
use super::simulation::SimulationError;
use crate::Plan;
use crate::cli::Device;
use crate::cli::clusters::favoured;
use crate::cpu::Instructions;
use crate::device::Gpu;
use crate::gpu::Profile;
use crate::model::Settings;
use crate::render::{Surface, UploadedSurface};
use crate::solver::cpu::CpuSolver;
use crate::solver::gpu::Solver;
use crate::step::{ChangeError, Engine, Snapshot, SnapshotError};

/// How the scenes of a window are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the CPU engine.
    Cpu,
    /// On the device, colour by colour.
    Colours,
    /// On the device, large bodies in clusters.
    Clusters,
}

impl Way {
    /// The way of a device, by a name of `--device`: on a software one by the CPU engine, unless it was asked for.
    pub fn of(device: &Device, info: &wgpu::AdapterInfo) -> Self {
        match device {
            Device::Cpu => Self::Cpu,
            Device::Auto if info.device_type == wgpu::DeviceType::Cpu => Self::Cpu,
            _ if favoured(info) => Self::Clusters,
            _ => Self::Colours,
        }
    }

    /// What solves, and what draws, in words.
    pub fn told(self, adapter: &str) -> String {
        match self {
            Self::Cpu => format!("CPU engine ({}); drawn by {adapter}", Instructions::detected().name()),
            Self::Colours | Self::Clusters => adapter.to_string(),
        }
    }
}

/// What steps a simulation of the window. Where a device does, it does so when what is recorded is submitted.
pub trait Stepper: Engine {
    /// The state as it is now.
    fn snapshot(&self, encoder: &mut wgpu::CommandEncoder) -> Saved;

    /// # Errors
    /// If the snapshot does not fit.
    fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, snapshot: &Snapshot) -> Result<(), SnapshotError>;

    /// # Errors
    /// If the settings make no sense, or the device cannot hold what they ask for.
    fn reconfigure(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        plan: &Plan,
        settings: Settings,
    ) -> Result<(), ChangeError>;

    /// Makes a step.
    fn step(&mut self, encoder: &mut wgpu::CommandEncoder);

    /// Makes a step whose passes the device times. `None`, and no step, where there is nothing to be told of them.
    fn profile_step(&mut self, _encoder: &mut wgpu::CommandEncoder) -> Option<Profile> {
        None
    }

    /// The state, and what presses with `contacts`; on its way from the device, or here.
    fn look(&self, encoder: &mut wgpu::CommandEncoder, contacts: bool) -> Arrival;

    /// What a picture is drawn from.
    fn surface(&mut self, encoder: &mut wgpu::CommandEncoder) -> Surface<'_>;

    /// Dispatches of the last step; none on the CPU.
    fn dispatches(&self) -> Option<u32> {
        None
    }

    /// Bytes of what it is drawn from, where the engine does not hold that itself.
    fn drawing_bytes(&self) -> u64 {
        0
    }
}

/// What steps a scene.
///
/// # Errors
/// If the device cannot hold it.
pub fn stepper(gpu: &Gpu, loaded: &Loaded) -> Result<Box<dyn Stepper>, SimulationError> {
    let Loaded { model, plan, threads, .. } = loaded;
    Ok(match loaded.way {
        Way::Cpu => Box::new(OnCpu {
            uploaded: UploadedSurface::new(&gpu.pipelines, &gpu.queue, model, plan)?,
            solver: match *threads {
                Some(threads) => CpuSolver::with_threads(model, plan, threads)?,
                None => CpuSolver::new(model, plan)?,
            },
            stale: true,
        }),
        Way::Colours | Way::Clusters => Box::new(Solver::sharing(&gpu.pipelines, model, plan)?),
    })
}

impl Stepper for Solver {
    fn snapshot(&self, encoder: &mut wgpu::CommandEncoder) -> Saved {
        Saved::Arriving(self.snapshot(encoder))
    }

    fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.restore(encoder, snapshot)
    }

    fn reconfigure(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        plan: &Plan,
        settings: Settings,
    ) -> Result<(), ChangeError> {
        self.reconfigure(encoder, plan, settings)
    }

    fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.step(encoder);
    }

    fn profile_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Option<Profile> {
        self.profile_step(encoder)
    }

    fn look(&self, encoder: &mut wgpu::CommandEncoder, contacts: bool) -> Arrival {
        Arrival::Device(self.download(encoder), contacts.then(|| self.contacts(encoder)))
    }

    fn surface(&mut self, encoder: &mut wgpu::CommandEncoder) -> Surface<'_> {
        self.update_normals(encoder);
        Surface::of(self)
    }

    fn dispatches(&self) -> Option<u32> {
        Some(self.dispatches_per_frame())
    }
}

/// The CPU engine, and what its results are drawn from.
struct OnCpu {
    solver: CpuSolver,
    uploaded: UploadedSurface,
    /// Whether what is drawn is behind.
    stale: bool,
}

impl Deref for OnCpu {
    type Target = CpuSolver;
    fn deref(&self) -> &CpuSolver {
        &self.solver
    }
}

impl DerefMut for OnCpu {
    fn deref_mut(&mut self) -> &mut CpuSolver {
        &mut self.solver
    }
}

impl Stepper for OnCpu {
    fn snapshot(&self, _encoder: &mut wgpu::CommandEncoder) -> Saved {
        Saved::Here(Box::new(self.solver.snapshot()))
    }

    fn restore(&mut self, _encoder: &mut wgpu::CommandEncoder, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.stale = true;
        self.solver.restore(snapshot)
    }

    fn reconfigure(
        &mut self,
        _encoder: &mut wgpu::CommandEncoder,
        plan: &Plan,
        settings: Settings,
    ) -> Result<(), ChangeError> {
        // Velocities are drawn as ways of a substep, which may be of another length now.
        self.stale = true;
        self.solver.reconfigure(plan, settings)
    }

    fn step(&mut self, _encoder: &mut wgpu::CommandEncoder) {
        self.solver.step();
        self.stale = true;
    }

    fn look(&self, _encoder: &mut wgpu::CommandEncoder, contacts: bool) -> Arrival {
        Arrival::Here(Box::new(self.solver.state()), contacts.then(|| self.solver.contacts()))
    }

    fn surface(&mut self, encoder: &mut wgpu::CommandEncoder) -> Surface<'_> {
        let Self { solver, uploaded, stale } = self;
        if std::mem::take(stale) {
            let h = solver.settings().substep_seconds();
            let places = [&*solver.positions(), &*solver.velocities()];
            uploaded.take(places, solver.torn().as_ref(), &solver.absent(), h);
        }
        uploaded.surface(encoder)
    }

    fn drawing_bytes(&self) -> u64 {
        self.uploaded.memory_bytes()
    }
}
