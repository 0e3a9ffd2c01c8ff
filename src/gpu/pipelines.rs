//! Compiled kernels, each compiled once: a solver whose settings change, or another of the same device, binds the same
//! pipelines anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::gpu::kernel::{Kernel, KernelError, Pipeline};

/// A kernel's text and the values of its pipeline constants.
type Key = (String, Vec<(String, bool)>);

/// The compiled kernels of a device. Solvers that share them ([`Solver::sharing`](crate::solver::gpu::Solver::sharing))
/// compile none twice: most kernels are the same in all scenes, and compiling takes longer than all else when a solver
/// is made. What was compiled stays until the last one that shares it is gone.
#[derive(Clone)]
pub struct Pipelines {
    pub(crate) device: wgpu::Device,
    /// Whether its compiler may order sums anew.
    fast_maths: bool,
    compiled: Arc<Mutex<HashMap<Key, Arc<Pipeline>>>>,
}

impl Pipelines {
    /// None yet.
    pub fn new(device: &wgpu::Device) -> Self {
        let fast = matches!(device.adapter_info().backend, wgpu::Backend::Metal | wgpu::Backend::Dx12);
        Self::with_fast_maths(device, fast)
    }

    /// With the choice whether kernels guard themselves against a compiler that orders sums anew, as wgpu lets those of
    /// Metal and DirectX do. The result is the same, bit by bit.
    #[doc(hidden)]
    pub fn with_fast_maths(device: &wgpu::Device, fast_maths: bool) -> Self {
        Self { device: device.clone(), fast_maths, compiled: Arc::default() }
    }

    /// How many are compiled.
    pub fn count(&self) -> usize {
        self.compiled().len()
    }

    /// The pipeline of a kernel.
    pub(crate) fn get(&self, kernel: Kernel, constants: &[(&str, bool)]) -> Result<Arc<Pipeline>, KernelError> {
        let key = (kernel.text(), constants.iter().map(|&(name, value)| (name.to_owned(), value)).collect());
        if let Some(pipeline) = self.compiled().get(&key) {
            return Ok(pipeline.clone());
        }
        // Others need not wait for it; what two compile at once is kept once.
        let guards = [("FAST_MATHS", self.fast_maths), ("LOOPS_END", self.loops_end())];
        let pipeline = Arc::new(kernel.compile(&self.device, &[constants, &guards].concat())?);
        Ok(self.compiled().entry(key).or_insert(pipeline).clone())
    }

    /// Whether a kernel's loops end after some turns: those of lavapipe do after 65,535.
    pub(crate) fn loops_end(&self) -> bool {
        self.device.adapter_info().device_type == wgpu::DeviceType::Cpu
    }

    fn compiled(&self) -> MutexGuard<'_, HashMap<Key, Arc<Pipeline>>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
