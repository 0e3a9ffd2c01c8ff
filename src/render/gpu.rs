//! Buffers, textures and bindings in short.

use wgpu::{BindGroup, BindGroupLayout, BindingType, Buffer, BufferUsages, Device, RenderPass, ShaderStages};
use wgpu::{TextureFormat, TextureUsages, TextureView};

use crate::gpu::buffers::{BufferRange, filled};

pub(super) const STORAGE: BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: true });
pub(super) const WRITABLE: BindingType = buffer(wgpu::BufferBindingType::Storage { read_only: false });
pub(super) const UNIFORM: BindingType = buffer(wgpu::BufferBindingType::Uniform);
pub(super) const DEPTH_TEXTURE: BindingType = texture_type(wgpu::TextureSampleType::Depth);
pub(super) const TEXTURE: BindingType = texture_type(wgpu::TextureSampleType::Float { filterable: false });
pub(super) const FILTERED: BindingType = texture_type(wgpu::TextureSampleType::Float { filterable: true });
pub(super) const DEPTH_SAMPLES: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Depth,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: true,
};

const fn buffer(ty: wgpu::BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

const fn texture_type(sample_type: wgpu::TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

/// The most bytes of a list that lie in one buffer: half of what WebGPU lets a shader see at once.
const PART_BYTES: usize = 64 << 20;

/// A list on the device, in as many buffers as it takes.
pub(super) struct List {
    pub parts: Vec<(Buffer, u32)>,
}

impl List {
    pub fn new<T: bytemuck::Pod>(device: &Device, label: &str, items: &[T]) -> Self {
        let usage = BufferUsages::VERTEX | BufferUsages::STORAGE;
        let parts = items.chunks(PART_BYTES / size_of::<T>());
        Self { parts: parts.map(|part| (upload(device, label, part, usage), part.len() as u32)).collect() }
    }

    /// Draws a quad for each item.
    pub fn draw(&self, pass: &mut RenderPass, pipeline: &wgpu::RenderPipeline) {
        self.draw_each(pass, pipeline, 4);
    }

    /// Draws so many vertices for each item.
    pub fn draw_each(&self, pass: &mut RenderPass, pipeline: &wgpu::RenderPipeline, vertices: u32) {
        for (buffer, count) in &self.parts {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..vertices, 0..*count);
        }
    }
}

pub(super) fn upload<T: bytemuck::Pod>(device: &Device, label: &str, items: &[T], usage: BufferUsages) -> Buffer {
    filled(device, label, bytemuck::cast_slice(items), usage)
}

/// All of a buffer, and no more than what was asked of it.
pub(super) fn whole(buffer: &Buffer) -> wgpu::BindingResource<'_> {
    BufferRange::all(buffer).resource()
}

/// Groups along two axes, so many threads each, for so many items: more than 65,535 groups along one axis no device
/// need allow.
pub(super) fn folded(items: u32, group: u32) -> [u32; 2] {
    let groups = items.div_ceil(group);
    let rows = groups.div_ceil(65_535).max(1);
    [groups.div_ceil(rows), rows]
}

/// Bindings from 0 on.
pub(super) fn layout(device: &Device, label: &str, entries: &[(ShaderStages, BindingType)]) -> BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(entries)
        .map(|(binding, &(visibility, ty))| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

pub(super) fn bind(
    device: &Device,
    label: &str,
    layout: &BindGroupLayout,
    resources: &[wgpu::BindingResource],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

pub(super) fn texture(
    device: &Device,
    label: &str,
    size: [u32; 2],
    sample_count: u32,
    format: TextureFormat,
    usage: TextureUsages,
) -> TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

pub(super) fn colour_attachment<'a>(
    view: &'a TextureView,
    resolve_target: Option<&'a TextureView>,
) -> Option<wgpu::RenderPassColorAttachment<'a>> {
    let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store };
    Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops })
}

pub(super) fn depth_attachment(
    view: &TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}
