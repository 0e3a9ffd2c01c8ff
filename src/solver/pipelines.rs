//! Compiled kernels, each compiled once: a solver whose settings change binds the same pipelines anew.

use std::collections::HashMap;
use std::sync::Arc;

use super::kernel::{Kernel, KernelError, Pipeline};

/// A kernel and the values of its pipeline constants.
type Key = (String, Vec<(String, bool)>);

pub struct Pipelines {
    pub device: wgpu::Device,
    compiled: HashMap<Key, Arc<Pipeline>>,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device) -> Self {
        Self { device: device.clone(), compiled: HashMap::new() }
    }

    /// The pipeline of a kernel. Kernels of one solver that bear the same label are the same.
    pub fn get(&mut self, kernel: Kernel, constants: &[(&str, bool)]) -> Result<Arc<Pipeline>, KernelError> {
        let key = (kernel.label.clone(), constants.iter().map(|&(name, value)| (name.to_owned(), value)).collect());
        if let Some(pipeline) = self.compiled.get(&key) {
            return Ok(pipeline.clone());
        }
        let pipeline = Arc::new(kernel.compile(&self.device, constants)?);
        self.compiled.insert(key, pipeline.clone());
        Ok(pipeline)
    }
}
