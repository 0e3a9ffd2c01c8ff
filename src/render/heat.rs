//! The heat of particles, computed on the device from the solver's buffers.

use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder, ComputePipeline, Device, ShaderStages};

use super::element_heat::ElementHeat;
use super::gpu::{self, List, STORAGE, UNIFORM, WRITABLE};
use super::look::{self, Colour};
use super::renderer::Surface;
use super::shaders::{self, ShaderModule};
use crate::step::records::SkinVertex;

/// Threads of a group of both kernels.
const GROUP: u32 = 256;
/// Entries of the scale in `shaders/render/frame.wgsl`, less one.
const PALETTE_STEPS: u16 = 32;

pub(super) struct Heat {
    /// `array<f32>` by slot and then by vertex of a skin, 0 to 1, or -1 where there is none.
    pub values: Buffer,
    particles: u32,
    stretch: Kernel,
    speed: Kernel,
    /// If the model has elements.
    pub elements: Option<ElementHeat>,
    /// The vertices of skins, if there are any, and what gives them the heat of their particles.
    skin: Option<(Buffer, u32, Kernel)>,
}

pub(super) struct Kernel {
    layout: BindGroupLayout,
    pipeline: ComputePipeline,
}

impl Heat {
    pub fn new(
        device: &Device,
        frame: &BindGroupLayout,
        particles: usize,
        elements: Option<ElementHeat>,
        skin: &[SkinVertex],
    ) -> Self {
        let values = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("heats"),
            size: (size_of::<f32>() * (particles + skin.len()).max(1)) as u64,
            usage: BufferUsages::STORAGE | BufferUsages::VERTEX | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Self {
            values,
            particles: particles as u32,
            stretch: Kernel::of(device, frame, shaders::STRETCH, &[STORAGE, STORAGE, WRITABLE]),
            speed: Kernel::of(device, frame, shaders::SPEED, &[STORAGE, WRITABLE]),
            elements,
            skin: (!skin.is_empty()).then(|| {
                let kernel = Kernel::of(device, frame, shaders::SKIN_HEAT, &[STORAGE, WRITABLE]);
                (gpu::upload(device, "skin", skin, BufferUsages::STORAGE), skin.len() as u32, kernel)
            }),
        }
    }

    /// What the end of a colour's scale stands for; `None` where the colour shows nothing.
    pub fn full(&self, colour: Colour) -> Option<f64> {
        match colour {
            Colour::Body => None,
            Colour::Stretch => Some(look::FULL_STRETCH),
            Colour::Speed => Some(look::FULL_SPEED),
            Colour::Strain => self.elements.as_ref().map(|_| look::FULL_STRAIN),
            Colour::Stress => self.elements.as_ref().and_then(ElementHeat::full_stress),
        }
    }

    /// Records the computation of the heats from the particles as they are. Springs are those for the colour of
    /// stretch.
    pub fn record(
        &self,
        device: &Device,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        surface: Surface,
        springs: Option<&List>,
        colour: Colour,
    ) {
        if self.full(colour).is_none() || self.particles == 0 {
            return;
        }
        encoder.clear_buffer(&self.values, 0, None);
        if let (Colour::Strain | Colour::Stress, Some(elements)) = (colour, &self.elements) {
            elements.record(device, encoder, frame, surface, &self.values, colour);
        }
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("pliant heat"), ..Default::default() });
        pass.set_bind_group(0, frame, &[]);
        match colour {
            Colour::Speed => {
                self.speed.bind(device, &mut pass, &[surface.velocities, &self.values]);
                dispatch(&mut pass, self.particles);
            }
            Colour::Stretch => {
                for (part, count) in springs.iter().flat_map(|springs| &springs.parts) {
                    self.stretch.bind(device, &mut pass, &[surface.positions, part, &self.values]);
                    dispatch(&mut pass, *count);
                }
            }
            _ => {}
        }
        if let Some((skin, count, kernel)) = &self.skin {
            kernel.bind(device, &mut pass, &[skin, &self.values]);
            dispatch(&mut pass, *count);
        }
    }
}

/// A thread for each item.
fn dispatch(pass: &mut wgpu::ComputePass, items: u32) {
    let [x, y] = gpu::folded(items, GROUP);
    pass.dispatch_workgroups(x, y, 1);
}

impl Kernel {
    fn of(device: &Device, frame: &BindGroupLayout, module: ShaderModule, bindings: &[wgpu::BindingType]) -> Self {
        Self::new(device, frame, module.name, module.source, module.name, bindings)
    }

    /// Of a text whose group 0 is the frame, and whose group 1 has these bindings from 0 on.
    pub fn new(
        device: &Device,
        frame: &BindGroupLayout,
        label: &str,
        text: &str,
        entry_point: &str,
        bindings: &[wgpu::BindingType],
    ) -> Self {
        let entries: Vec<_> = bindings.iter().map(|&binding| (ShaderStages::COMPUTE, binding)).collect();
        let layout = gpu::layout(device, label, &entries);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(frame), Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: Default::default(),
            cache: None,
        });
        Self { layout, pipeline }
    }

    pub fn bind(&self, device: &Device, pass: &mut wgpu::ComputePass, buffers: &[&Buffer]) {
        let resources: Vec<_> = buffers.iter().map(|buffer| gpu::whole(buffer)).collect();
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
