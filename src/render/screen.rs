//! Passes over all pixels of a texture.

use wgpu::{BindGroup, BindGroupLayout, ColorTargetState, CommandEncoder, Device, RenderPipeline, TextureView};

use super::gpu::colour_attachment;
use super::shaders::ShaderModule;

/// A pipeline for a triangle over all pixels, whose vertices are those of the module's own name. `depth` is for what is
/// drawn among other things, with as many samples.
pub(super) fn pipeline(
    device: &Device,
    module: ShaderModule,
    fragment: &str,
    layouts: &[Option<&BindGroupLayout>],
    target: ColorTargetState,
    depth: Option<(wgpu::DepthStencilState, u32)>,
) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(fragment),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    let shader = module.create(device);
    let vertex = format!("{}_vertex", module.name);
    let count = depth.as_ref().map_or(1, |(_, samples)| *samples);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(fragment),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: Some(&vertex),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: depth.map(|(state, _)| state),
        multisample: wgpu::MultisampleState { count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Records a pass over all of a texture; groups are bound from 0 on.
pub(super) fn pass(
    encoder: &mut CommandEncoder,
    label: &str,
    pipeline: &RenderPipeline,
    groups: &[&BindGroup],
    target: &TextureView,
) {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[colour_attachment(target, None)],
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    for (index, group) in (0..).zip(groups) {
        pass.set_bind_group(index, *group, &[]);
    }
    pass.draw(0..3, 0..1);
}
