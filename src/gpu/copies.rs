//! Copies of buffers on their way from the device to the host: recorded, there when the device has done it, never
//! waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::gpu::buffers::BufferRange;

pub struct Copies {
    buffers: Vec<wgpu::Buffer>,
    arrived: Arc<AtomicUsize>,
    failed: Arc<AtomicUsize>,
}

impl Copies {
    /// Records the copies, of what is there at this point of the encoder.
    pub fn record(device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, sources: &[BufferRange]) -> Self {
        let (arrived, failed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let copy = |source: &BufferRange| {
            let copy = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("download"),
                size: source.bytes(),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            encoder.copy_buffer_to_buffer(source.buffer, source.offset, &copy, 0, source.bytes());
            let (arrived, failed) = (arrived.clone(), failed.clone());
            encoder.map_buffer_on_submit(&copy, wgpu::MapMode::Read, .., move |result| {
                let counter = if result.is_ok() { arrived } else { failed };
                counter.fetch_add(1, Ordering::Release);
            });
            copy
        };
        let buffers = sources.iter().map(copy).collect();
        Self { buffers, arrived, failed }
    }

    /// Whether all are there.
    pub fn is_ready(&self) -> bool {
        self.arrived.load(Ordering::Acquire) == self.buffers.len()
    }

    /// Whether one will never arrive, because the device was lost.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire) > 0
    }

    /// Bytes of memory that they take.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(wgpu::Buffer::size).sum()
    }

    /// What the copy of a source holds, counted back from the last one, 0; `None` while it is on its way.
    pub fn read_back<T: bytemuck::Pod>(&self, back: usize) -> Option<Vec<T>> {
        self.read(self.buffers.len().checked_sub(1 + back)?)
    }

    /// What the copy of a source holds; `None` while it is on its way.
    pub fn read<T: bytemuck::Pod>(&self, source: usize) -> Option<Vec<T>> {
        if !self.is_ready() {
            return None;
        }
        let view = self.buffers.get(source)?.get_mapped_range(..).ok()?;
        Some(bytemuck::pod_collect_to_vec(&view[..view.len() / size_of::<T>() * size_of::<T>()]))
    }
}
