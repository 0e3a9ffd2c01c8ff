//! What steps a model for the commands: the solver on a device or on the CPU, or the reference.

use std::convert::Infallible;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::failure::Failure;
use crate::Plan;
use crate::cpu::Instructions;
use crate::device::{DeviceError, Fault, Gpu, OnDevice, adapters};
use crate::gpu::{Section, SolverError};
use crate::model::{Model, State};
use crate::render::Surface;
use crate::solver::cpu::CpuSolver;
use crate::solver::gpu::Solver;
use crate::solver::reference::Reference;
use crate::step::{Engine, Synchronous};

/// What `--device` names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// The best adapter; the CPU engine where that is no hardware, or there is none.
    #[default]
    Auto,
    /// The best adapter.
    Gpu,
    /// The CPU engine.
    Cpu,
    /// The double-precision solver that the others are tested against.
    Reference,
    /// The first adapter whose name contains this.
    Named(String),
}

impl FromStr for Device {
    type Err = Infallible;
    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(match name.to_lowercase().as_str() {
            "auto" => Device::Auto,
            "gpu" => Device::Gpu,
            "cpu" => Device::Cpu,
            "reference" => Device::Reference,
            _ => Device::Named(name.to_string()),
        })
    }
}

/// What an engine runs on, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    pub name: String,
    pub driver: String,
    pub backend: String,
}

/// Time that one frame took.
#[derive(Clone, Copy, Debug)]
pub struct FrameTime {
    /// Recording the commands on the CPU.
    pub record: Duration,
    /// From the submit until the device was done.
    pub step: Duration,
    /// Whether it was done again with more room for contacts.
    pub repeated: bool,
}

/// How often a frame is done again at most: the first time it has twice the room that it lacked.
const MOST_REPEATS: u32 = 3;

/// Signs of a simulation that has blown up, by the frame in which they were seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    pub frame: u64,
    pub flags: Vec<&'static str>,
}

pub const NOT_FINITE: &str = "not finite";
pub const RUNAWAY: &str = "runaway speed";
pub const CROWDED: &str = "crowded";

/// The speed at which the device raises its flag, m/s; the reference is held to the same.
const RUNAWAY_SPEED: f64 = 1e6;

impl Device {
    /// What [`Device::Auto`] stands for on this machine; others are what they are.
    pub fn chosen(self) -> Self {
        let best = || pollster::block_on(adapters()).first().map(|adapter| adapter.get_info().device_type);
        match self {
            Device::Auto if best().is_none_or(|kind| kind == wgpu::DeviceType::Cpu) => Device::Cpu,
            Device::Auto => Device::Gpu,
            named => named,
        }
    }

    /// What [`Device::Auto`] stands for with a model: some are solved on the CPU.
    pub fn chosen_for(self, model: &Model) -> Self {
        if matches!(self, Device::Auto) && model.wants_cpu() { Device::Cpu } else { self.chosen() }
    }

    /// Whether it is no adapter.
    pub fn is_cpu(&self) -> bool {
        matches!(self, Device::Cpu | Device::Reference)
    }
}

/// Opens the best adapter, or one by its name, for a plan, and has something made there that takes so many bytes.
pub fn on_adapter<T>(
    name: Option<&str>,
    plan: &Plan,
    make: impl FnOnce(&Gpu) -> Result<(T, u64), SolverError>,
) -> Result<(Gpu, T), Failure> {
    let open = |plan: &Plan| pollster::block_on(Gpu::open(name, Solver::required_limits(plan)));
    let gpu = match open(plan) {
        // What clusters bind as a whole, colours bind in parts.
        Err(DeviceError::TooSmall { .. }) if !plan.phases.is_empty() => {
            open(&Plan { phases: Vec::new(), ..plan.clone() })?
        }
        opened => opened?,
    };
    let adapter = || gpu.adapter.get_info().name;
    let (made, bytes) = make(&gpu).map_err(|error| match error {
        SolverError::TooBig { .. } => Failure::Input(format!("{}: {error}", adapter())),
        SolverError::Model(_) | SolverError::Kernel(_) | SolverError::Tearing(_) | SolverError::Limit { .. } => {
            Failure::Input(error.to_string())
        }
    })?;
    match gpu.faults.take() {
        Some(Fault::OutOfMemory) => Err(Failure::Input(format!(
            "{} has no room for the scene, which needs {bytes} bytes; use fewer particles, or a device with more \
             memory",
            adapter()
        ))),
        Some(fault) => Err(fault.into()),
        None => Ok((gpu, made)),
    }
}

/// Makes a model ready to be stepped. A scene that the device cannot hold is a fault of the input.
pub fn open(device: &Device, model: &Model, plan: &Plan) -> Result<Box<dyn Runner>, Failure> {
    let name = match device {
        Device::Cpu => {
            let solver = CpuSolver::new(model, plan).map_err(|error| Failure::Input(error.to_string()))?;
            return Ok(Box::new(solver));
        }
        Device::Reference => return Ok(Box::new(Reference::new(model, plan))),
        Device::Auto | Device::Gpu => None,
        Device::Named(name) => Some(name.as_str()),
    };
    let (gpu, solver) = on_adapter(name, plan, |gpu| {
        let solver = Solver::sharing(&gpu.pipelines, model, plan)?;
        let bytes = solver.memory_bytes();
        Ok((solver, bytes))
    })?;
    Ok(Box::new(OnDevice { gpu, solver }))
}

/// An engine as the commands run it: with times, profiles, and what it runs on.
pub trait Runner: Synchronous + Send {
    /// What it runs on.
    fn adapter(&self) -> Adapter;

    /// The device that it solves on, if that is an adapter.
    fn gpu(&self) -> Option<&Gpu> {
        None
    }

    /// Of the CPU engine how many threads it has.
    fn threads(&self) -> Option<usize> {
        None
    }

    /// Dispatches of a frame, after the first: of the CPU engine the meetings of its threads. The reference counts
    /// nothing.
    fn dispatches(&self) -> u32 {
        0
    }

    /// Whether a frame may lack room for contacts.
    fn may_miss_contacts(&self) -> bool {
        false
    }

    /// Solves one frame, and measures how long that takes.
    fn timed_step(&mut self) -> Result<FrameTime, Fault> {
        let start = Instant::now();
        self.step()?;
        Ok(FrameTime { record: Duration::ZERO, step: start.elapsed(), repeated: false })
    }

    /// Solves one frame whose parts the device times. `None`, and no frame, where it cannot.
    fn profile(&mut self) -> Result<Option<Vec<Section>>, Fault> {
        Ok(None)
    }

    /// What a picture is drawn from, where that lies on the engine's device.
    fn surface(&self, _encoder: &mut wgpu::CommandEncoder) -> Option<Surface<'_>> {
        None
    }

    /// Solves one frame and waits until it is done. Where contacts found no room it is done again, with more.
    fn solve(&mut self) -> Result<FrameTime, Failure> {
        let before = self.may_miss_contacts().then(|| self.snapshot()).transpose()?;
        let mut time = self.timed_step()?;
        for _ in 0..MOST_REPEATS {
            let Some(before) = before.as_ref().filter(|_| self.contacts_missing() > 0) else { break };
            self.restore(before)?;
            time = FrameTime { repeated: true, ..self.timed_step()? };
        }
        Ok(time)
    }

    /// How many contacts with colliders there was no room for, at most in one substep.
    fn contacts_missing(&mut self) -> u32 {
        self.status().map_or(0, |status| status.contacts_missing)
    }

    /// What is wrong with the simulation, if anything: what the engine noticed, or what the state shows by itself.
    fn alarm(&mut self, state: &State) -> Option<Alarm> {
        let noticed = self.status().filter(|status| !status.is_good()).map(|status| Alarm {
            frame: status.frame,
            flags: flags(status.not_finite, status.runaway, status.crowded),
        });
        noticed.or_else(|| inspect(state))
    }
}

impl Runner for OnDevice {
    fn adapter(&self) -> Adapter {
        Adapter::of(&self.gpu)
    }

    fn gpu(&self) -> Option<&Gpu> {
        Some(&self.gpu)
    }

    fn dispatches(&self) -> u32 {
        self.solver.dispatches_per_frame()
    }

    fn may_miss_contacts(&self) -> bool {
        self.solver.may_miss_contacts()
    }

    fn timed_step(&mut self) -> Result<FrameTime, Fault> {
        let start = Instant::now();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.solver.step(&mut encoder);
        let commands = encoder.finish();
        let record = start.elapsed();
        self.gpu.submit_and_wait(commands)?;
        Ok(FrameTime { record, step: start.elapsed() - record, repeated: false })
    }

    fn profile(&mut self) -> Result<Option<Vec<Section>>, Fault> {
        let Some(profile) = self.gpu.record(|encoder| self.solver.profile_step(encoder))? else { return Ok(None) };
        let period = self.gpu.queue.get_timestamp_period();
        self.gpu.arrived("the times of a frame", || profile.sections(period)).map(Some)
    }

    fn surface(&self, encoder: &mut wgpu::CommandEncoder) -> Option<Surface<'_>> {
        self.solver.update_normals(encoder);
        Some(Surface::of(&self.solver))
    }
}

impl Runner for CpuSolver {
    fn adapter(&self) -> Adapter {
        Adapter::of_cpu(self.instructions(), CpuSolver::threads(self))
    }

    fn threads(&self) -> Option<usize> {
        Some(CpuSolver::threads(self))
    }

    fn dispatches(&self) -> u32 {
        self.meetings_per_frame() as u32
    }
}

impl Runner for Reference {
    fn adapter(&self) -> Adapter {
        Adapter {
            name: "reference".to_string(),
            driver: "reference solver, double precision".to_string(),
            backend: "cpu".to_string(),
        }
    }
}

impl Adapter {
    /// What a device is of.
    pub fn of(gpu: &Gpu) -> Self {
        let info = gpu.adapter.get_info();
        let driver = format!("{} {}", info.driver, info.driver_info).trim().to_string();
        Self { name: info.name, driver, backend: info.backend.to_string() }
    }

    /// The CPU engine with these instructions and so many threads.
    pub fn of_cpu(instructions: Instructions, threads: usize) -> Self {
        Self {
            name: "cpu".to_string(),
            driver: format!("CPU engine, single precision, {}", described(instructions, threads)),
            backend: "cpu".to_string(),
        }
    }
}

/// What the CPU engine solves with: `AVX2, 8 lanes, 2 threads`.
pub fn described(instructions: Instructions, threads: usize) -> String {
    let plural = if threads == 1 { "" } else { "s" };
    format!("{}, {} lanes, {threads} thread{plural}", instructions.name(), instructions.lanes())
}

fn flags(not_finite: bool, runaway: bool, crowded: bool) -> Vec<&'static str> {
    [(not_finite, NOT_FINITE), (runaway, RUNAWAY), (crowded, CROWDED)]
        .into_iter()
        .filter(|(up, _)| *up)
        .map(|(_, name)| name)
        .collect()
}

fn inspect(state: &State) -> Option<Alarm> {
    let finite = |vectors: &[[f64; 3]]| vectors.as_flattened().iter().all(|value| value.is_finite());
    let not_finite = !(finite(&state.positions) && finite(&state.velocities));
    let runaway = state.velocities.iter().any(|v| v.iter().map(|c| c * c).sum::<f64>() > RUNAWAY_SPEED.powi(2));
    let flags = flags(not_finite, runaway, false);
    (!flags.is_empty()).then_some(Alarm { frame: state.frame, flags })
}
