//! What steps a simulation of the window: the solver on the device that draws, or the CPU engine, whose results go
//! there to be drawn. A software device runs the solver's kernels on the same cores as the engine, many times slower.

use super::observer::Arrival;
use super::simulation::SimulationError;
use crate::Plan;
use crate::cli::Device;
use crate::cli::clusters::favoured;
use crate::cpu::Instructions;
use crate::device::Gpu;
use crate::gpu::{Pipelines, Profile};
use crate::model::{Material, Model, Settings, World};
use crate::render::{Easel, Surface};
use crate::solver::cpu::CpuSolver;
use crate::solver::gpu::{SnapshotDownload, Solver};
use crate::step::{ChangeError, Pull, Snapshot, SnapshotError, Status};

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

/// What steps.
pub enum Stepper {
    Device(Box<Solver>),
    Cpu(Box<OnCpu>),
}

/// The CPU engine, and what its results are drawn from.
pub struct OnCpu {
    solver: CpuSolver,
    easel: Easel,
    /// Whether what is drawn is behind.
    stale: bool,
}

/// The state before the first step, to go back to.
pub enum Beginning {
    Arriving(SnapshotDownload),
    Here(Box<Snapshot>),
}

/// The same of either.
macro_rules! either {
    ($stepper:expr, $solver:ident => $what:expr) => {
        match $stepper {
            Stepper::Device($solver) => $what,
            Stepper::Cpu(on_cpu) => {
                let $solver = &mut on_cpu.solver;
                $what
            }
        }
    };
}

impl Stepper {
    /// # Errors
    /// If the device cannot hold it.
    pub fn new(gpu: &Gpu, model: &Model, plan: &Plan, way: Way) -> Result<Self, SimulationError> {
        if way != Way::Cpu {
            return Self::on_device(&gpu.pipelines, model, plan);
        }
        let easel = Easel::new(&gpu.pipelines, &gpu.queue, model, plan)?;
        Ok(Self::Cpu(Box::new(OnCpu { solver: CpuSolver::new(model, plan)?, easel, stale: true })))
    }

    /// # Errors
    /// If the device cannot hold it.
    pub fn on_device(pipelines: &Pipelines, model: &Model, plan: &Plan) -> Result<Self, SimulationError> {
        Ok(Self::Device(Box::new(Solver::sharing(pipelines, model, plan)?)))
    }

    /// The state as it is now.
    pub fn snapshot(&self, encoder: &mut wgpu::CommandEncoder) -> Beginning {
        match self {
            Self::Device(solver) => Beginning::Arriving(solver.snapshot(encoder)),
            Self::Cpu(on_cpu) => Beginning::Here(Box::new(on_cpu.solver.snapshot())),
        }
    }

    /// # Errors
    /// If the snapshot does not fit.
    pub fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        match self {
            Self::Device(solver) => solver.restore(encoder, snapshot),
            Self::Cpu(on_cpu) => {
                on_cpu.stale = true;
                on_cpu.solver.restore(snapshot)
            }
        }
    }

    /// # Errors
    /// If the settings make no sense, or the device cannot hold what they ask for.
    pub fn reconfigure(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        plan: &Plan,
        settings: Settings,
    ) -> Result<(), ChangeError> {
        match self {
            Self::Device(solver) => solver.reconfigure(encoder, plan, settings),
            Self::Cpu(on_cpu) => {
                // Velocities are drawn as ways of a substep, which may be of another length now.
                on_cpu.stale = true;
                on_cpu.solver.reconfigure(plan, settings)
            }
        }
    }

    /// Makes a step, on the device when what is recorded is submitted.
    pub fn step(&mut self, encoder: &mut wgpu::CommandEncoder) {
        match self {
            Self::Device(solver) => solver.step(encoder),
            Self::Cpu(on_cpu) => {
                on_cpu.solver.step();
                on_cpu.stale = true;
            }
        }
    }

    /// Makes a step whose passes the device times. `None`, and no step, where there is nothing to be told of them.
    pub fn profile_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Option<Profile> {
        match self {
            Self::Device(solver) => solver.profile_step(encoder),
            Self::Cpu(_) => None,
        }
    }

    /// The state, and what presses with `contacts`; on its way from the device, or here.
    pub fn look(&self, encoder: &mut wgpu::CommandEncoder, contacts: bool) -> Arrival {
        match self {
            Self::Device(solver) => {
                Arrival::Device(solver.download(encoder), contacts.then(|| solver.contacts(encoder)))
            }
            Self::Cpu(on_cpu) => {
                let solver = &on_cpu.solver;
                Arrival::Here(Box::new(solver.state()), contacts.then(|| solver.contacts()))
            }
        }
    }

    /// What a picture is drawn from.
    pub fn surface(&mut self, encoder: &mut wgpu::CommandEncoder) -> Surface<'_> {
        match self {
            Self::Device(solver) => {
                solver.update_normals(encoder);
                Surface::of(solver)
            }
            Self::Cpu(on_cpu) => {
                let OnCpu { solver, easel, stale } = &mut **on_cpu;
                if std::mem::take(stale) {
                    let h = solver.settings().substep_seconds();
                    easel.take(&solver.positions(), &solver.velocities(), solver.torn().as_ref(), h);
                }
                easel.surface(encoder)
            }
        }
    }

    /// What was last noticed.
    pub fn status(&mut self) -> Option<Status> {
        match self {
            Self::Device(solver) => solver.status(),
            Self::Cpu(on_cpu) => (on_cpu.solver.frame() > 0).then(|| on_cpu.solver.status()),
        }
    }

    /// Dispatches of the last step; none on the CPU.
    pub fn dispatches(&self) -> Option<u32> {
        match self {
            Self::Device(solver) => Some(solver.dispatches_per_frame()),
            Self::Cpu(_) => None,
        }
    }

    /// Bytes that it takes, with what it is drawn from.
    pub fn memory_bytes(&self) -> u64 {
        match self {
            Self::Device(solver) => solver.memory_bytes(),
            Self::Cpu(on_cpu) => on_cpu.solver.memory_bytes() + on_cpu.easel.memory_bytes(),
        }
    }

    pub fn frame(&self) -> u64 {
        match self {
            Self::Device(solver) => solver.frame(),
            Self::Cpu(on_cpu) => on_cpu.solver.frame(),
        }
    }

    pub fn seconds(&self) -> f64 {
        match self {
            Self::Device(solver) => solver.seconds(),
            Self::Cpu(on_cpu) => on_cpu.solver.seconds(),
        }
    }

    pub fn set_material(&mut self, index: usize, material: Material) -> Result<(), ChangeError> {
        either!(self, solver => solver.set_material(index, material))
    }

    pub fn set_damping(&mut self, body: usize, rate: f64) -> Result<(), ChangeError> {
        either!(self, solver => solver.set_damping(body, rate))
    }

    pub fn world_mut(&mut self) -> &mut World {
        either!(self, solver => solver.world_mut())
    }

    pub fn pull(&mut self, particle: usize, pull: Option<Pull>) -> Result<(), ChangeError> {
        either!(self, solver => solver.pull(particle, pull))
    }

    pub fn average_contacts(&mut self, on: bool) {
        either!(self, solver => solver.average_contacts(on))
    }
}
