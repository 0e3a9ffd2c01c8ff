//! What ends a command early, sorted by exit code.

use std::io;

use thiserror::Error;

use crate::device::{DeviceError, Fault};
use crate::export::ExportError;
use crate::export::atomic::FileError;
use crate::export::lock::LockError;
use crate::scene::SceneError;
use crate::step::EngineError;

#[derive(Debug, Error)]
pub enum Failure {
    /// The user's input is at fault; the message says where and what to do.
    #[error("{0}")]
    Input(String),
    /// A GPU is needed and there is none; the message says what to install.
    #[error("{0}")]
    NoGpu(String),
    /// The simulation failed; the message says when, how, and what to try.
    #[error("{0}")]
    Simulation(String),
    /// Nobody reads the standard output any more (`pliant scenes | head`): no fault of anyone.
    #[error("the output was closed")]
    Closed,
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Input(_) => 2,
            Failure::NoGpu(_) => 3,
            Failure::Simulation(_) => 4,
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::NoAdapter => Failure::NoGpu(error.to_string()),
            DeviceError::UnknownAdapter { .. } | DeviceError::TooSmall { .. } => Failure::Input(error.to_string()),
            DeviceError::Request { .. } => Failure::Simulation(error.to_string()),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let remedy = match fault {
            Fault::OutOfMemory => "use fewer particles, or an adapter with more memory (`pliant info` lists them)",
            Fault::Lost(_) => {
                "another program or the driver's watchdog may have reset it; try fewer substeps, or `--device cpu`"
            }
            Fault::Error(_) => "try another adapter (`pliant info`) or `--device cpu`, and please report it",
        };
        Failure::Simulation(format!("{fault}; {remedy}"))
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Fault(fault) => fault.into(),
            EngineError::Change(_) | EngineError::Snapshot(_) | EngineError::OtherEngine => {
                Failure::Input(error.to_string())
            }
        }
    }
}

/// Of writing to the standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Input(format!("cannot write to the standard output: {error}")),
        }
    }
}
