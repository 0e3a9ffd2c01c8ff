//! The heat of particles, computed on the device from the solver's buffers.

use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder, ComputePipeline, Device, ShaderStages};

use super::gpu::{self, List, STORAGE, UNIFORM, WRITABLE};
use super::look::{self, Colour};
use super::renderer::Surface;
use super::shaders::{self, ShaderModule};
use crate::solver::records::SkinVertex;

/// Threads of a group of both kernels.
const GROUP: u32 = 256;
/// Groups along an axis that every device allows.
const MOST_GROUPS: u32 = 65_535;
/// Entries of the scale in `shaders/render/frame.wgsl`, less one.
const PALETTE_STEPS: u16 = 32;

pub(super) struct Heat {
    /// `array<f32>` by slot and then by vertex of a skin, 0 to 1.
    pub values: Buffer,
    particles: u32,
    stretch: Kernel,
    speed: Kernel,
    /// The vertices of skins, if there are any, and what gives them the heat of their particles.
    skin: Option<(Buffer, u32, Kernel)>,
}

struct Kernel {
    layout: BindGroupLayout,
    pipeline: ComputePipeline,
}

impl Heat {
    pub fn new(device: &Device, frame: &BindGroupLayout, particles: usize, skin: &[SkinVertex]) -> Self {
        let values = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("heats"),
            size: (size_of::<f32>() * (particles + skin.len()).max(1)) as u64,
            usage: BufferUsages::STORAGE | BufferUsages::VERTEX | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            values,
            particles: particles as u32,
            stretch: Kernel::new(device, frame, shaders::STRETCH, &[STORAGE, STORAGE, WRITABLE]),
            speed: Kernel::new(device, frame, shaders::SPEED, &[STORAGE, WRITABLE]),
            skin: (!skin.is_empty()).then(|| {
                let kernel = Kernel::new(device, frame, shaders::SKIN_HEAT, &[STORAGE, WRITABLE]);
                (gpu::upload(device, "skin", skin, BufferUsages::STORAGE), skin.len() as u32, kernel)
            }),
        }
    }

    /// Records the computation of the heats from the particles as they are.
    pub fn record(
        &self,
        device: &Device,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        surface: Surface,
        springs: &List,
        colour: Colour,
    ) {
        if colour == Colour::Body || self.particles == 0 {
            return;
        }
        encoder.clear_buffer(&self.values, 0, None);
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("pliant heat"), ..Default::default() });
        pass.set_bind_group(0, frame, &[]);
        if colour == Colour::Speed {
            self.speed.bind(device, &mut pass, &[surface.velocities, &self.values]);
            dispatch(&mut pass, self.particles);
        } else {
            for (part, count) in &springs.parts {
                self.stretch.bind(device, &mut pass, &[surface.positions, part, &self.values]);
                dispatch(&mut pass, *count);
            }
        }
        if let Some((skin, count, kernel)) = &self.skin {
            kernel.bind(device, &mut pass, &[skin, &self.values]);
            dispatch(&mut pass, *count);
        }
    }
}

/// A thread for each item; above [`MOST_GROUPS`] folded to two axes.
fn dispatch(pass: &mut wgpu::ComputePass, items: u32) {
    let groups = items.div_ceil(GROUP);
    let rows = groups.div_ceil(MOST_GROUPS).max(1);
    pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
}

impl Kernel {
    fn new(device: &Device, frame: &BindGroupLayout, module: ShaderModule, bindings: &[wgpu::BindingType]) -> Self {
        let entries: Vec<_> = bindings.iter().map(|&binding| (ShaderStages::COMPUTE, binding)).collect();
        let layout = gpu::layout(device, module.name, &entries);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(module.name),
            bind_group_layouts: &[Some(frame), Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(module.name),
            layout: Some(&pipeline_layout),
            module: &module.create(device),
            entry_point: Some(module.name),
            compilation_options: Default::default(),
            cache: None,
        });
        Self { layout, pipeline }
    }

    fn bind(&self, device: &Device, pass: &mut wgpu::ComputePass, buffers: &[&Buffer]) {
        let resources: Vec<_> = buffers.iter().map(|buffer| buffer.as_entire_binding()).collect();
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &gpu::bind(device, "heat", &self.layout, &resources), &[]);
    }
}

/// The scale of heat, linear, for the shaders.
pub(super) fn palette(device: &Device) -> Buffer {
    let entry = |i: u16| {
        let [red, green, blue] = look::heat(f32::from(i) / f32::from(PALETTE_STEPS)).map(look::decode);
        [red, green, blue, 1.0]
    };
    let entries: Vec<[f32; 4]> = (0..=PALETTE_STEPS).map(entry).collect();
    gpu::upload(device, "palette", &entries, BufferUsages::UNIFORM)
}

/// What binds the frame: its uniform, the styles and the palette.
pub(super) fn frame_layout(device: &Device) -> BindGroupLayout {
    let all = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
    gpu::layout(device, "frame", &[(all, UNIFORM), (all, STORAGE), (all, UNIFORM)])
}
