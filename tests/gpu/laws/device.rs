//! Runs a law in WGSL on a device.

use std::path::Path;

use pliant::bytemuck;
use pliant::solver::records::Substep;
use pliant::solver::{Kernel, Piece};
use pliant::wgpu::util::DeviceExt;
use pliant::wgpu::{self, BufferUsages};

use super::list::Law;
use crate::device::gpu;

/// Reads the numbers of a case and writes what the law gives.
const GLUE: &str = "
@group(0) @binding(1) var<storage, read> cases: array<f32>;
@group(0) @binding(2) var<storage, read_write> results: array<f32>;
var<private> case_index: u32;
fn number(k: u32) -> f32 {
    return cases[case_index * TAKES + k];
}
fn vector(k: u32) -> vec3f {
    return vec3f(number(k), number(k + 1u), number(k + 2u));
}
fn give(k: u32, value: f32) {
    results[case_index * GIVES + k] = value;
}
fn give_vector(k: u32, value: vec3f) {
    give(k, value.x);
    give(k + 1u, value.y);
    give(k + 2u, value.z);
}
";

/// A file below `shaders/`.
pub fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn kernel(law: &Law) -> Kernel {
    let piece = |path: String, text: String| Piece { path: path.into(), text: text.into() };
    let shared = ["lib/substep.wgsl", "lib/products.wgsl"];
    let mut pieces: Vec<Piece> =
        shared.iter().chain(law.files).map(|file| piece(file.to_string(), text(file))).collect();
    let Law { takes, gives, call, .. } = law;
    pieces.push(piece("glue".into(), format!("const TAKES = {takes}u;\nconst GIVES = {gives}u;\n{GLUE}")));
    let main = format!(
        "@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {{
    case_index = id.x;
    if (case_index >= substep.particles) {{
        return;
    }}
{call}
}}"
    );
    pieces.push(piece(format!("the call of {}", law.name), main));
    Kernel::new(law.name, pieces)
}

/// What the law gives for each case.
pub fn results(law: &Law, substep: &Substep, cases: &[Vec<f32>]) -> Vec<f32> {
    let kernel = kernel(law);
    kernel.validate().unwrap_or_else(|error| panic!("{error}"));
    let gpu = gpu();
    let device = &gpu.device;
    let upload = |label, contents: &[u8], usage| {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage })
    };
    let substep = upload("substep", bytemuck::bytes_of(substep), BufferUsages::UNIFORM);
    let numbers = upload("cases", bytemuck::cast_slice(&cases.concat()), BufferUsages::STORAGE);
    let size = (4 * law.gives * cases.len()) as u64;
    let buffer = |label, usage| {
        device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
    };
    let results = buffer("results", BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let copy = buffer("copy", BufferUsages::COPY_DST | BufferUsages::MAP_READ);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(law.name),
        source: wgpu::ShaderSource::Wgsl(kernel.text().into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(law.name),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let buffers = [&substep, &numbers, &results];
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    let layout = pipeline.get_bind_group_layout(0);
    let group =
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(cases.len().div_ceil(64) as u32, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&results, 0, &copy, 0, size);
    gpu.queue.submit([encoder.finish()]);
    copy.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    bytemuck::cast_slice(&copy.get_mapped_range(..).unwrap()).to_vec()
}
