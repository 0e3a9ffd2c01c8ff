//! The cosine and sine of `shaders/lib/angle.wgsl`, whose own precision every angle's C rests on.

use pliant::wgpu::util::DeviceExt;
use pliant::wgpu::{self, BufferUsages};

use crate::device::{arrived, gpu};

/// One angle a thread.
const MAIN: &str = "
@group(0) @binding(0) var<storage, read> angles: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec2f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    results[id.x] = cosine_sine(angles[id.x]);
}
";

fn cosines_and_sines(angles: &[f32]) -> Vec<[f32; 2]> {
    let device = &gpu().device;
    let text = format!("{}{MAIN}", include_str!("../../shaders/lib/angle.wgsl"));
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let (contents, usage) = (bytemuck::cast_slice(angles), BufferUsages::STORAGE);
    let input = device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage });
    let buffer = |usage| {
        let size = 8 * angles.len() as u64;
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let output = buffer(BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let copy = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &bind_group, &[]);
    pass.dispatch_workgroups(angles.len() as u32 / 256, 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&output, 0, &copy, 0, copy.size());
    gpu().queue.submit([encoder.finish()]);
    let (done, told) = std::sync::mpsc::channel();
    copy.map_async(wgpu::MapMode::Read, .., move |result| _ = done.send(result));
    arrived(|| told.try_recv().ok()).unwrap();
    bytemuck::pod_collect_to_vec(&copy.get_mapped_range(..).unwrap())
}

/// Over all angles to 20 rad either way, and at the multiples of π/4 where the branches meet, cosine and sine are off by 2e-7 at
/// most: what the kernel's text promises. Half an ulp of 1 is 6e-8; each takes two sums of that size.
#[test]
fn cosine_and_sine_are_of_single_precision() {
    let count = 256 * 1024;
    let mut angles: Vec<f32> = (0..count).map(|i| (40.0 * i as f64 / (count - 1) as f64 - 20.0) as f32).collect();
    for (angle, k) in angles.iter_mut().zip(-25..=25) {
        *angle = (f64::from(k) * std::f64::consts::FRAC_PI_4) as f32;
    }
    let worst = angles.iter().zip(cosines_and_sines(&angles)).map(|(&angle, [cosine, sine])| {
        let (exact_sine, exact_cosine) = f64::from(angle).sin_cos();
        (f64::from(cosine) - exact_cosine).abs().max((f64::from(sine) - exact_sine).abs())
    });
    let worst = worst.fold(0.0, f64::max);
    assert!(worst < 2e-7, "off by {worst:.2e}");
}
