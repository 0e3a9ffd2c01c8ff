//! Finding an adapter and opening a device: for the fronts and the tests. The solver itself never creates a device.

mod on_device;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::gpu::Pipelines;
use crate::solver::gpu::useful_limits;
pub use crate::step::Fault;
pub use on_device::OnDevice;

/// Why no device was opened. The message says what to install or to choose.
#[derive(Debug, Error)]
pub enum DeviceError {
    /// The machine has no adapter: a driver is missing.
    #[error(
        "no GPU adapter was found. Pliant needs a Vulkan, Metal or DirectX 12 driver. Without a GPU, install a \
         software driver: `make demo` does, or on Debian and Ubuntu: apt-get install mesa-vulkan-drivers"
    )]
    NoAdapter,
    /// No adapter bears the name that was asked for.
    #[error("no adapter's name contains '{wanted}'. The adapters are: {}", available.join(", "))]
    UnknownAdapter {
        /// Part of a name, as it was asked for.
        wanted: String,
        /// Names of the adapters that there are, best first.
        available: Vec<String>,
    },
    /// The adapter allows less than the scene needs.
    #[error(
        "the adapter {adapter} allows {limit} of {available}, and the scene needs {needed}; use fewer particles, or an \
         adapter that allows more (`pliant info` lists them, `--device NAME` picks one)"
    )]
    TooSmall {
        /// Name of the adapter.
        adapter: String,
        /// Field of [`wgpu::Limits`] that is too small.
        limit: &'static str,
        /// What the adapter allows, in the limit's unit: bytes for sizes.
        available: u64,
        /// What the scene needs, in the same unit.
        needed: u64,
    },
    /// The driver gave no device though its limits suffice: it is out of memory, or broken.
    #[error("the adapter {adapter} could not be opened: {source}")]
    Request {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        source: wgpu::RequestDeviceError,
    },
}

/// Keeps the first fault of a device. Without it wgpu turns an error that nobody asked for into a panic.
#[derive(Clone, Default)]
pub struct Faults(Arc<Mutex<Option<Fault>>>);

impl Faults {
    /// Begins to listen to a device.
    pub fn watch(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let (on_error, on_loss) = (faults.clone(), faults.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.keep(match error {
                wgpu::Error::OutOfMemory { .. } => Fault::OutOfMemory,
                other => Fault::Error(other.to_string()),
            });
        }));
        // A device that is dropped or destroyed is lost too; who did it no longer asks.
        device.set_device_lost_callback(move |_, message| on_loss.keep(Fault::Lost(message)));
        faults
    }

    /// The first fault since the last call; those after it are mostly its consequences.
    pub fn take(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }
}

/// What the solver makes use of where a device has it: time stamps for profiles.
pub const USEFUL_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

/// An open device and what it was opened on. A clone is the same device.
#[derive(Clone)]
pub struct Gpu {
    /// Tells the name, the driver and the limits.
    pub adapter: wgpu::Adapter,
    /// Has [`USEFUL_FEATURES`] as far as the adapter does.
    pub device: wgpu::Device,
    /// Where command buffers are submitted; they run in that order.
    pub queue: wgpu::Queue,
    /// What went wrong on the device; [`Gpu::wait`] takes from it.
    pub faults: Faults,
    /// For all solvers on the device.
    pub pipelines: Pipelines,
}

/// `WGPU_BACKEND=vulkan` picks one where a card has several drivers, one of them broken.
pub(crate) fn backends() -> wgpu::Backends {
    wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all())
}

/// All adapters, best first: discrete, integrated, others, software.
pub async fn adapters() -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.flags = wgpu::InstanceFlags::default().with_env();
    let instance = wgpu::Instance::new(descriptor);
    let mut adapters = instance.enumerate_adapters(backends()).await;
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// The first of some adapters, or the first whose name contains `name`, whatever its case.
pub(crate) fn find(all: Vec<wgpu::Adapter>, name: Option<&str>) -> Result<wgpu::Adapter, DeviceError> {
    let available: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    let wanted = |adapter: &wgpu::Adapter| {
        name.is_none_or(|name| adapter.get_info().name.to_lowercase().contains(&name.to_lowercase()))
    };
    all.into_iter().find(wanted).ok_or_else(|| match name {
        Some(name) if !available.is_empty() => DeviceError::UnknownAdapter { wanted: name.to_string(), available },
        _ => DeviceError::NoAdapter,
    })
}

impl Gpu {
    /// Opens the best adapter, or the first whose name contains `name` (case is ignored), with at least `limits`.
    ///
    /// # Errors
    /// If there is no such adapter, it allows less than `limits`, or its driver gives no device.
    pub async fn open(name: Option<&str>, limits: wgpu::Limits) -> Result<Self, DeviceError> {
        let adapter = find(adapters().await, name)?;
        Self::open_adapter(adapter, limits).await
    }

    /// Opens a device on an adapter with at least `limits`.
    ///
    /// # Errors
    /// If the adapter allows less than `limits`, or its driver gives no device.
    pub async fn open_adapter(adapter: wgpu::Adapter, limits: wgpu::Limits) -> Result<Self, DeviceError> {
        let adapter_name = adapter.get_info().name;
        let mut too_small = None;
        limits.check_limits_with_fail_fn(&adapter.limits(), true, |limit, needed, available| {
            too_small = Some(DeviceError::TooSmall { adapter: adapter_name.clone(), limit, available, needed });
        });
        if let Some(error) = too_small {
            return Err(error);
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("pliant"),
            required_features: adapter.features() & USEFUL_FEATURES,
            required_limits: useful_limits(limits, &adapter.limits()),
            ..Default::default()
        };
        match adapter.request_device(&descriptor).await {
            Ok((device, queue)) => {
                let faults = Faults::watch(&device);
                let pipelines = Pipelines::new(&device);
                Ok(Self { adapter, device, queue, faults, pipelines })
            }
            Err(source) => Err(DeviceError::Request { adapter: adapter_name, source }),
        }
    }

    /// Submits commands and waits until the device has done them.
    ///
    /// # Errors
    /// If anything went wrong on the device since the last call.
    pub fn submit_and_wait(&self, commands: wgpu::CommandBuffer) -> Result<(), Fault> {
        self.queue.submit([commands]);
        self.wait()
    }

    /// Waits until the device has done everything that was submitted.
    ///
    /// # Errors
    /// If anything went wrong on the device since the last call.
    pub fn wait(&self) -> Result<(), Fault> {
        let looking = Instant::now();
        let on_threads = self.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let done = || self.poll(wgpu::PollType::Poll);
        if on_threads || !std::iter::repeat_with(done).take_while(|_| looking.elapsed() < LOOKING).any(|done| done) {
            self.poll(wgpu::PollType::wait_indefinitely());
        }
        self.faults.take().map_or(Ok(()), Err)
    }

    /// Calls back who waits for what is done, and says whether that is all that was submitted. What goes wrong is among
    /// the faults.
    pub fn poll(&self, how: wgpu::PollType) -> bool {
        polled(&self.faults, || Ok(self.device.poll(how)?.is_queue_empty()))
    }
}

/// For so long a wait asks a card again and again before its thread sleeps, which is woken late: on an NVIDIA H200 a
/// frame of 0.22 ms took 0.27 so. A software device needs the core itself.
const LOOKING: Duration = Duration::from_millis(2);

thread_local! {
    /// Whether what panics is wgpu's poll.
    static POLLING: Cell<bool> = const { Cell::new(false) };
}

/// Polls. Where a driver has taken the device away wgpu 30 panics there: by then it has told of the loss, and that is
/// what the user should hear.
fn polled(faults: &Faults, poll: impl FnOnce() -> Result<bool, wgpu::PollError>) -> bool {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !POLLING.get() {
                usual(panic)
            }
        }));
    });
    POLLING.set(true);
    let done = catch_unwind(AssertUnwindSafe(poll));
    POLLING.set(false);
    match done {
        Ok(Ok(all)) => return all,
        Ok(Err(error)) => faults.keep(Fault::Error(error.to_string())),
        Err(_) => faults.keep(Fault::Lost("its progress could not be read".to_string())),
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What polling finds is a fault, also where it panics, and the first counts; who panics elsewhere is heard.
    #[test]
    fn a_device_lost_while_polling_is_a_fault() {
        let faults = Faults::default();
        assert!(polled(&faults, || Ok(true)) && !polled(&faults, || Ok(false)));
        assert_eq!(faults.take(), None);
        polled(&faults, || Err(wgpu::PollError::Timeout));
        assert!(matches!(faults.take(), Some(Fault::Error(_))));
        let lose = || {
            faults.keep(Fault::Lost("by the driver".to_string()));
            panic!("Error in Device::poll: Parent device is lost")
        };
        polled(&faults, lose);
        assert_eq!(faults.take(), Some(Fault::Lost("by the driver".to_string())));
        polled(&faults, || panic!("nobody was told"));
        assert!(matches!(faults.take(), Some(Fault::Lost(_))));
        assert!(!POLLING.get());
    }
}
