//! What the adapter can do at best: how fast it copies, and what a dispatch costs that does nothing.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::report::quantile;
use crate::device::Gpu;

/// Larger than the caches of a card, and the largest binding that every device allows.
const COPY_BYTES: u64 = 128 << 20;
const VECTORS_PER_GROUP: u64 = 256;
/// A card copies that in less time than a submit takes: so it does it again and again, for so many seconds at least.
const COPYING_SECONDS: f64 = 2e-3;
/// Every one waits for the one before, as those of the solver do.
const EMPTY_DISPATCHES: u32 = 1_000;
const REPEATS: usize = 9;
/// How long a card takes to wake, with room to spare.
const WAKING: Duration = Duration::from_millis(500);

const COPY: &str = "
@group(0) @binding(0) var<storage, read> original: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copy: array<vec4u>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 256u + thread;
    if i < arrayLength(&original) {
        copy[i] = original[i];
    }
}";

const EMPTY: &str = "
@group(0) @binding(0) var<storage, read_write> touched: array<vec4u>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x == 0xffffffffu {
        touched[0] = vec4u(1u);
    }
}";

/// Sums and products of four vectors that do not wait for each other, again and again: what a card wakes by.
const ARITHMETIC: &str = "
@group(0) @binding(0) var<storage, read_write> touched: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var a = vec4f(f32(id.x & 7u));
    var b = a + 0.1;
    var c = a + 0.2;
    var d = a + 0.3;
    for (var k = 0u; k < 512u; k += 1u) {
        a = a * 0.99 + b;
        b = b * 0.98 - c;
        c = c * 0.97 + d;
        d = d * 0.96 - a;
    }
    if id.x == 0xffffffffu {
        touched[0] = a + b + c + d;
    }
}";
const ARITHMETIC_GROUPS: u32 = 2_048;

/// What no kernel can go below.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Floor {
    pub copy_bandwidth_bytes_per_s: f64,
    pub empty_dispatch_us: f64,
}

impl Floor {
    pub fn measure(gpu: &Gpu) -> Result<Self, Failure> {
        wake(gpu)?;
        Ok(Self { copy_bandwidth_bytes_per_s: copy_bandwidth(gpu)?, empty_dispatch_us: empty_dispatch_us(gpu)? })
    }

    /// Milliseconds of so many dispatches, one after another, if they did nothing but move so many bytes as fast as a
    /// copy does.
    pub fn milliseconds(&self, dispatches: u32, bytes: u64) -> f64 {
        f64::from(dispatches) * self.empty_dispatch_us / 1e3 + bytes as f64 / self.copy_bandwidth_bytes_per_s * 1e3
    }
}

/// Bytes read and written per second by the faster of a copy command and a copying kernel: on a software device the one
/// uses one core, the other all.
fn copy_bandwidth(gpu: &Gpu) -> Result<f64, Failure> {
    let from = buffer(gpu, COPY_BYTES);
    let to = buffer(gpu, COPY_BYTES);
    let command = repeated_seconds(gpu, |encoder, times| {
        (0..times).for_each(|_| encoder.copy_buffer_to_buffer(&from, 0, &to, 0, COPY_BYTES));
    })?;
    let kernel = Kernel::new(gpu, COPY, &[&from, &to]);
    let groups = (COPY_BYTES / 16 / VECTORS_PER_GROUP) as u32;
    let kernel = repeated_seconds(gpu, |encoder, times| kernel.record(encoder, times, [groups / 256, 256]))?;
    Ok(2.0 * COPY_BYTES as f64 / command.min(kernel))
}

/// Seconds for each of as many times of something as take [`COPYING_SECONDS`].
fn repeated_seconds(gpu: &Gpu, record: impl Fn(&mut wgpu::CommandEncoder, u32)) -> Result<f64, Failure> {
    let once = median_seconds(gpu, |encoder| record(encoder, 1))?;
    let times = (COPYING_SECONDS / once).ceil().clamp(1.0, 100.0) as u32;
    Ok(median_seconds(gpu, |encoder| record(encoder, times))? / f64::from(times))
}

/// Microseconds per dispatch of one workgroup that does nothing to a buffer it may write to.
fn empty_dispatch_us(gpu: &Gpu) -> Result<f64, Failure> {
    let kernel = Kernel::new(gpu, EMPTY, &[&buffer(gpu, 1 << 20)]);
    let seconds = median_seconds(gpu, |encoder| kernel.record(encoder, EMPTY_DISPATCHES, [1, 1]))?;
    Ok(seconds * 1e6 / f64::from(EMPTY_DISPATCHES))
}

/// Gives a card that has rested something to do until it is as fast as it gets: an NVIDIA H200 falls from 1,980 to 345
/// MHz where nothing is asked of it and takes 0.2 s to rise again; frames right after a plan had been made for some
/// seconds took four times as long.
pub fn wake(gpu: &Gpu) -> Result<(), Failure> {
    if gpu.adapter.get_info().device_type == wgpu::DeviceType::Cpu {
        return Ok(());
    }
    let kernel = Kernel::new(gpu, ARITHMETIC, &[&buffer(gpu, 1 << 20)]);
    let start = Instant::now();
    while start.elapsed() < WAKING {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        kernel.record(&mut encoder, 1, [ARITHMETIC_GROUPS, 1]);
        gpu.submit_and_wait(encoder.finish())?;
    }
    Ok(())
}

/// The median time that the device needs for some commands, after once to warm up.
fn median_seconds(gpu: &Gpu, record: impl Fn(&mut wgpu::CommandEncoder)) -> Result<f64, Failure> {
    let mut seconds = Vec::with_capacity(REPEATS);
    for _ in 0..=REPEATS {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        record(&mut encoder);
        let commands = encoder.finish();
        let start = Instant::now();
        gpu.submit_and_wait(commands)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    Ok(quantile(&seconds[1..], 0.5))
}

fn buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("bench"),
        size,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

struct Kernel {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
}

impl Kernel {
    fn new(gpu: &Gpu, text: &str, buffers: &[&wgpu::Buffer]) -> Self {
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("bench"),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("bench"),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("bench"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        Self { pipeline, bind_group }
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder, times: u32, [x, y]: [u32; 2]) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        for _ in 0..times {
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}
