//! What surrounds the particles of liquids, and the shapes that they are drawn as. See `shaders/render/crowd.wgsl`.

use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder, Device};

use super::gpu::{self, STORAGE, WRITABLE};
use super::heat::Kernel;
use super::renderer::Surface;
use super::shaders;
use super::strands::Point;

crate::gpu_record! {
    /// A ball, flat along an axis; see `shaders/render/crowd.wgsl` for each field.
    pub(super) struct Shape {
        pub centre: [f32; 3],
        pub radius: f32,
        pub axis: [f32; 3],
        pub style: u32,
    }
}

pub(super) struct Crowd {
    points: Buffer,
    buckets: Buffer,
    bucket_count: u32,
    order: Buffer,
    /// One for each particle of the list.
    pub shapes: Buffer,
    pub count: u32,
    count_buckets: Kernel,
    scan: Kernel,
    sort: Kernel,
    order_buckets: Kernel,
    shape: Kernel,
}

/// Bytes of the largest buffer for so many particles.
pub(super) fn largest_bytes(particles: usize) -> u64 {
    (particles * size_of::<Shape>()) as u64
}

/// Buckets for so many particles: a power of two, and about half of them stay empty.
fn buckets(particles: u32) -> u32 {
    particles.max(1).saturating_mul(2).checked_next_power_of_two().unwrap_or(1 << 31)
}

impl Crowd {
    pub fn new(device: &Device, frame: &BindGroupLayout, points: &[Point]) -> Self {
        let count = points.len() as u32;
        let bucket_count = buckets(count);
        let buffer = |label, bytes: u64, usage| {
            let usage = usage | BufferUsages::STORAGE;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.max(32),
                usage,
                mapped_at_creation: false,
            })
        };
        let kernel = |entry| {
            let bindings = [STORAGE, STORAGE, STORAGE, WRITABLE, WRITABLE, WRITABLE];
            Kernel::new(device, frame, entry, shaders::CROWD.source, entry, &bindings)
        };
        Self {
            points: gpu::upload(device, "drops", points, BufferUsages::STORAGE),
            buckets: buffer("buckets", 4 * (u64::from(bucket_count) + 1), BufferUsages::COPY_DST),
            bucket_count,
            order: buffer("order", 4 * u64::from(count), BufferUsages::empty()),
            shapes: buffer("shapes", largest_bytes(points.len()), BufferUsages::VERTEX),
            count,
            count_buckets: kernel("crowd_count"),
            scan: kernel("crowd_scan"),
            sort: kernel("crowd_sort"),
            order_buckets: kernel("crowd_order"),
            shape: kernel("crowd_shape"),
        }
    }

    /// Records the shapes of the particles as they are.
    pub fn record(&self, device: &Device, encoder: &mut CommandEncoder, frame: &BindGroup, surface: Surface) {
        encoder.clear_buffer(&self.buckets, 0, None);
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("pliant crowd"), ..Default::default() });
        pass.set_bind_group(0, frame, &[]);
        let buffers = [surface.positions, surface.velocities, &self.points, &self.buckets, &self.order, &self.shapes];
        let steps = [
            (&self.count_buckets, self.count, 256),
            (&self.scan, 1, 256),
            (&self.sort, self.count, 256),
            (&self.order_buckets, self.bucket_count, 256),
            (&self.shape, self.count, 64),
        ];
        for (kernel, items, group) in steps {
            kernel.bind(device, &mut pass, &buffers);
            let [x, y] = gpu::folded(items, group);
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Buckets are a power of two, at least as many as twice the particles, and not many more.
    #[test]
    fn buckets_suffice() {
        for particles in [0, 1, 2, 3, 1000, 4096, 4097, 1_000_000] {
            let buckets = buckets(particles);
            assert!(buckets.is_power_of_two() && buckets >= 2 * particles && buckets < 4 * particles.max(2));
        }
    }
}
