//! The solver's buffers, by the names that the kernels give them.

use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes from one uniform slot to the next: WebGPU's alignment of dynamic offsets.
pub const SLOT_BYTES: u64 = 256;

/// A buffer, or a part of it.
#[derive(Clone, Copy, Debug)]
pub struct BufferRange<'a> {
    /// The buffer.
    pub buffer: &'a wgpu::Buffer,
    /// Where the part begins, bytes.
    pub offset: u64,
    /// Bytes; `None` for all from the offset on.
    pub size: Option<u64>,
}

impl<'a> BufferRange<'a> {
    /// All of a buffer.
    pub fn all(buffer: &'a wgpu::Buffer) -> Self {
        Self { buffer, offset: 0, size: None }
    }

    /// So many bytes from an offset on.
    pub fn part(buffer: &'a wgpu::Buffer, offset: u64, size: u64) -> Self {
        Self { buffer, offset, size: Some(size) }
    }

    /// One slot, wherever a dynamic offset puts it.
    pub fn slot(buffer: &'a wgpu::Buffer) -> Self {
        Self::part(buffer, 0, SLOT_BYTES)
    }

    /// Bytes.
    pub fn bytes(self) -> u64 {
        self.size.unwrap_or_else(|| self.buffer.size() - self.offset)
    }

    /// With its size said: a binding without one shows on Vulkan all that wgpu makes a buffer of, which for one that
    /// may hold vertices is four bytes more, and `arrayLength` of numbers is then one too many.
    pub(crate) fn resource(self) -> wgpu::BindingResource<'a> {
        let size = std::num::NonZero::new(self.bytes());
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: self.buffer, offset: self.offset, size })
    }
}

/// A range of a buffer.
#[derive(Clone, Debug)]
pub struct Slice {
    pub buffer: wgpu::Buffer,
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

impl Slice {
    pub fn all(buffer: wgpu::Buffer) -> Self {
        Self { offset: 0, size: buffer.size(), buffer }
    }

    pub fn range(&self) -> BufferRange<'_> {
        BufferRange::part(&self.buffer, self.offset, self.size)
    }

    /// Some places of a list of equal entries.
    pub fn places(&self, places: &Range<u32>, bytes_each: u64) -> BufferRange<'_> {
        let (from, to) = (u64::from(places.start) * bytes_each, u64::from(places.end) * bytes_each);
        BufferRange::part(&self.buffer, self.offset + from, to - from)
    }
}

/// Buffers that several kernels share.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    entries: BTreeMap<&'static str, (wgpu::Buffer, Option<u64>)>,
}

impl Buffers {
    /// The buffer of a name.
    pub fn get(&self, name: &str) -> Option<BufferRange<'_>> {
        self.entries.get(name).map(|(buffer, size)| BufferRange { buffer, offset: 0, size: *size })
    }

    /// Uploads a buffer and files it under a name.
    pub fn upload<T: bytemuck::Pod>(&mut self, device: &wgpu::Device, name: &'static str, data: &[T]) -> wgpu::Buffer {
        let buffer = upload(device, name, data);
        self.entries.insert(name, (buffer.clone(), None));
        buffer
    }

    /// Files a buffer under a name.
    pub fn insert(&mut self, name: &'static str, buffer: wgpu::Buffer) {
        self.entries.insert(name, (buffer, None));
    }

    /// Files a buffer of uniform slots, of which a kernel sees one at a time.
    pub fn insert_slots(&mut self, name: &'static str, buffer: wgpu::Buffer) {
        self.entries.insert(name, (buffer, Some(SLOT_BYTES)));
    }

    /// Bytes of all buffers together.
    pub fn bytes(&self) -> u64 {
        self.entries.values().map(|(buffer, _)| buffer.size()).sum()
    }
}

/// What every buffer of the solver may be used for: kernels and hosts bind them, tests and exporters read them.
fn usage() -> wgpu::BufferUsages {
    use wgpu::BufferUsages as U;
    U::STORAGE | U::UNIFORM | U::VERTEX | U::INDEX | U::COPY_SRC | U::COPY_DST
}

/// A buffer that holds `data`; room for one element if there is none, since an empty buffer cannot be bound.
pub fn upload<T: bytemuck::Pod>(device: &wgpu::Device, name: &str, data: &[T]) -> wgpu::Buffer {
    if data.is_empty() {
        return zeroed(device, name, size_of::<T>() as u64);
    }
    filled(device, name, bytemuck::cast_slice(data), usage())
}

/// A buffer that holds some bytes. One for which there is no memory holds none: that is a fault of the device, where
/// wgpu's own helper panics.
pub fn filled(device: &wgpu::Device, label: &str, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = (bytes.len() as u64).max(4).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
    let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: true };
    let buffer = device.create_buffer(&descriptor);
    if let Ok(mut range) = buffer.get_mapped_range_mut(..) {
        range.slice(..bytes.len()).copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}

/// A buffer of zeros.
pub fn zeroed(device: &wgpu::Device, name: &str, bytes: u64) -> wgpu::Buffer {
    let size = bytes.max(16).next_multiple_of(4);
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(name), size, usage: usage(), mapped_at_creation: false })
}

/// A buffer of uniform slots, `SLOT_BYTES` apart.
pub fn slots<T: bytemuck::Pod>(device: &wgpu::Device, name: &str, values: &[T]) -> wgpu::Buffer {
    let mut bytes = vec![0_u8; values.len().max(1) * SLOT_BYTES as usize];
    for (slot, value) in bytes.chunks_exact_mut(SLOT_BYTES as usize).zip(values) {
        slot[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(value));
    }
    filled(device, name, &bytes, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST)
}
