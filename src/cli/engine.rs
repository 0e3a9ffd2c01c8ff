//! What steps a model for the commands: the solver on a device or on the CPU, or the reference.

use std::convert::Infallible;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::failure::Failure;
use crate::Plan;
use crate::cpu;
use crate::device::{DeviceError, Fault, Gpu, adapters};
use crate::export::checkpoint::EngineState;
use crate::gpu::{Section, SolverError};
use crate::model::{Contact, Model, State};
use crate::solver::cpu::CpuSolver;
use crate::solver::gpu::Solver;
use crate::solver::reference::Reference;

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

/// The size of a frame's work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub dispatches_per_frame: u32,
    pub bytes_per_frame: u64,
    pub memory_bytes: u64,
}

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

pub struct GpuEngine {
    pub gpu: Gpu,
    pub solver: Solver,
}

pub enum Engine {
    Gpu(Box<GpuEngine>),
    Cpu(Box<CpuSolver>),
    Reference(Box<Reference>),
}

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
            "{} has no room for the scene, which needs {bytes} bytes; use fewer particles, or a device with more memory",
            adapter()
        ))),
        Some(fault) => Err(fault.into()),
        None => Ok((gpu, made)),
    }
}

impl Engine {
    /// Makes a model ready to be stepped. A scene that the device cannot hold is a fault of the input.
    pub fn open(device: &Device, model: &Model, plan: &Plan) -> Result<Self, Failure> {
        let name = match device {
            Device::Cpu => {
                let solver = CpuSolver::new(model, plan).map_err(|error| Failure::Input(error.to_string()))?;
                return Ok(Engine::Cpu(Box::new(solver)));
            }
            Device::Reference => return Ok(Engine::Reference(Box::new(Reference::new(model, plan)))),
            Device::Auto | Device::Gpu => None,
            Device::Named(name) => Some(name.as_str()),
        };
        let (gpu, solver) = on_adapter(name, plan, |gpu| {
            let solver = Solver::sharing(&gpu.pipelines, model, plan)?;
            let bytes = solver.memory_bytes();
            Ok((solver, bytes))
        })?;
        Ok(Engine::Gpu(Box::new(GpuEngine { gpu, solver })))
    }

    pub fn adapter(&self) -> Adapter {
        match self {
            Engine::Gpu(engine) => {
                let info = engine.gpu.adapter.get_info();
                let driver = format!("{} {}", info.driver, info.driver_info).trim().to_string();
                Adapter { name: info.name, driver, backend: info.backend.to_string() }
            }
            Engine::Cpu(solver) => Adapter {
                name: "cpu".to_string(),
                driver: format!("CPU engine, single precision, {}", described(solver.instructions(), solver.threads())),
                backend: "cpu".to_string(),
            },
            Engine::Reference(_) => Adapter {
                name: "reference".to_string(),
                driver: "reference solver, double precision".to_string(),
                backend: "cpu".to_string(),
            },
        }
    }

    /// The device that it solves on, if that is an adapter.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            Engine::Gpu(engine) => Some(&engine.gpu),
            Engine::Cpu(_) | Engine::Reference(_) => None,
        }
    }

    /// Of the CPU engine how many threads it has.
    pub fn threads(&self) -> Option<usize> {
        match self {
            Engine::Cpu(solver) => Some(solver.threads()),
            Engine::Gpu(_) | Engine::Reference(_) => None,
        }
    }

    /// Solves one frame and waits until it is done. Where contacts found no room it is done again, with more.
    pub fn step(&mut self) -> Result<FrameTime, Failure> {
        let may_miss = matches!(self, Engine::Gpu(engine) if engine.solver.may_miss_contacts());
        let before = may_miss.then(|| self.engine_state()).transpose()?;
        let mut time = self.step_once()?;
        for _ in 0..MOST_REPEATS {
            let Some(before) = before.as_ref().filter(|_| self.contacts_missing() > 0) else { break };
            self.restore(before)?;
            time = FrameTime { repeated: true, ..self.step_once()? };
        }
        Ok(time)
    }

    fn step_once(&mut self) -> Result<FrameTime, Failure> {
        let start = Instant::now();
        match self {
            Engine::Gpu(engine) => {
                let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
                engine.solver.step(&mut encoder);
                let commands = encoder.finish();
                let record = start.elapsed();
                engine.gpu.submit_and_wait(commands)?;
                Ok(FrameTime { record, step: start.elapsed() - record, repeated: false })
            }
            Engine::Cpu(solver) => {
                solver.step();
                Ok(FrameTime { record: Duration::ZERO, step: start.elapsed(), repeated: false })
            }
            Engine::Reference(reference) => {
                reference.step();
                Ok(FrameTime { record: Duration::ZERO, step: start.elapsed(), repeated: false })
            }
        }
    }

    /// Solves one frame whose parts the device times. `None`, and no frame, where it cannot.
    pub fn profile(&mut self) -> Result<Option<Vec<Section>>, Failure> {
        let Engine::Gpu(engine) = self else { return Ok(None) };
        let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
        let Some(profile) = engine.solver.profile_step(&mut encoder) else { return Ok(None) };
        engine.gpu.submit_and_wait(encoder.finish())?;
        let lost = || Fault::Lost("the times of a frame did not come back".to_string());
        Ok(Some(profile.sections(engine.gpu.queue.get_timestamp_period()).ok_or_else(lost)?))
    }

    /// Reads the state after the last frame.
    pub fn state(&self) -> Result<State, Failure> {
        match self {
            Engine::Gpu(engine) => {
                let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
                let download = engine.solver.download(&mut encoder);
                engine.gpu.submit_and_wait(encoder.finish())?;
                download.state().ok_or_else(|| Fault::Lost("a state did not come back".to_string()).into())
            }
            Engine::Cpu(solver) => Ok(solver.state()),
            Engine::Reference(reference) => Ok(reference.state()),
        }
    }

    /// Lets [`Engine::contacts`] tell of whole frames.
    pub fn average_contacts(&mut self) {
        match self {
            Engine::Gpu(engine) => engine.solver.average_contacts(true),
            Engine::Cpu(solver) => solver.average_contacts(true),
            Engine::Reference(reference) => reference.average_contacts(true),
        }
    }

    /// What pressed in the last frame, and how much of it, in single substeps, could not be told.
    pub fn contacts(&self) -> Result<(Vec<Contact>, usize), Failure> {
        match self {
            Engine::Gpu(engine) => {
                let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
                let download = engine.solver.contacts(&mut encoder);
                engine.gpu.submit_and_wait(encoder.finish())?;
                let lost = || Fault::Lost("the contacts did not come back".to_string());
                Ok((download.contacts().ok_or_else(lost)?, download.missing().ok_or_else(lost)?))
            }
            Engine::Cpu(solver) => Ok((solver.contacts(), 0)),
            Engine::Reference(reference) => Ok((reference.contacts(), 0)),
        }
    }

    /// What a checkpoint holds of the engine, after the last frame.
    pub fn engine_state(&self) -> Result<EngineState, Failure> {
        match self {
            Engine::Gpu(engine) => {
                let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
                let download = engine.solver.snapshot(&mut encoder);
                engine.gpu.submit_and_wait(encoder.finish())?;
                let lost = || Fault::Lost("a snapshot did not come back".to_string()).into();
                download.snapshot().map(EngineState::Device).ok_or_else(lost)
            }
            Engine::Cpu(solver) => Ok(EngineState::Device(solver.snapshot())),
            Engine::Reference(reference) => Ok(EngineState::Reference(reference.state())),
        }
    }

    /// Goes on from a checkpoint's state.
    pub fn restore(&mut self, state: &EngineState) -> Result<(), Failure> {
        match (self, state) {
            (Engine::Gpu(engine), EngineState::Device(snapshot)) => {
                let mut encoder = engine.gpu.device.create_command_encoder(&Default::default());
                engine.solver.restore(&mut encoder, snapshot).map_err(|error| Failure::Input(error.to_string()))?;
                Ok(engine.gpu.submit_and_wait(encoder.finish())?)
            }
            (Engine::Cpu(solver), EngineState::Device(snapshot)) => {
                solver.restore(snapshot).map_err(|error| Failure::Input(error.to_string()))
            }
            (Engine::Reference(reference), EngineState::Reference(state)) => {
                reference.restore(state);
                Ok(())
            }
            (Engine::Gpu(_) | Engine::Cpu(_), EngineState::Reference(_)) => Err(Failure::Input(
                "the checkpoint is one of the reference solver; add `--device reference`".to_string(),
            )),
            (Engine::Reference(_), EngineState::Device(_)) => Err(Failure::Input(
                "the checkpoint is not one of the reference solver; leave out `--device reference`".to_string(),
            )),
        }
    }

    /// What a frame asks of the device, after the first: of the CPU engine the meetings of its threads for dispatches.
    /// The reference counts nothing.
    pub fn work(&self) -> Work {
        match self {
            Engine::Gpu(engine) => Work {
                dispatches_per_frame: engine.solver.dispatches_per_frame(),
                bytes_per_frame: engine.solver.bytes_per_frame(),
                memory_bytes: engine.solver.memory_bytes(),
            },
            Engine::Cpu(solver) => Work {
                dispatches_per_frame: solver.meetings_per_frame() as u32,
                bytes_per_frame: solver.bytes_per_frame(),
                memory_bytes: solver.memory_bytes(),
            },
            Engine::Reference(_) => Work::default(),
        }
    }

    /// How many contacts with colliders there was no room for, at most in one substep.
    pub fn contacts_missing(&mut self) -> u32 {
        match self {
            Engine::Gpu(engine) => engine.solver.status().map_or(0, |status| status.contacts_missing),
            Engine::Cpu(_) | Engine::Reference(_) => 0,
        }
    }

    /// What is wrong with the simulation, if anything: what the device noticed, or what the state shows by itself.
    pub fn alarm(&mut self, state: &State) -> Option<Alarm> {
        let noticed = match self {
            Engine::Gpu(engine) => engine.solver.status().filter(|status| !status.is_good()).map(|status| Alarm {
                frame: status.frame,
                flags: flags(status.not_finite, status.runaway, status.crowded),
            }),
            Engine::Cpu(solver) => Some(solver.status()).filter(|status| !status.is_good()).map(|status| Alarm {
                frame: status.frame,
                flags: flags(status.not_finite, status.runaway, status.crowded),
            }),
            Engine::Reference(_) => None,
        };
        noticed.or_else(|| inspect(state))
    }
}

/// What the CPU engine solves with: `AVX2, 8 lanes, 2 threads`.
pub fn described(instructions: cpu::Instructions, threads: usize) -> String {
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
