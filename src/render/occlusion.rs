//! Ambient occlusion: what the camera sees at half the resolution as depths and normals, how open each texel is to the
//! sky, and that smoothed.

use wgpu::{
    BindGroup, BindGroupLayout, CommandEncoder, Device, RenderPipeline, ShaderStages, TextureFormat, TextureView,
};

use super::gpu::{self, DEPTH_TEXTURE, TEXTURE, colour_attachment};
use super::pipelines::DEPTH_FORMAT;
use super::shaders::{self, ShaderModule};

pub(super) const NORMAL_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
/// Openness and the distance ahead in m, which goes to 65,504 with 11 bits: enough to tell surfaces apart.
const OPENNESS_FORMAT: TextureFormat = TextureFormat::Rg16Float;

pub(super) struct Occlusion {
    seen_layout: BindGroupLayout,
    raw_layout: BindGroupLayout,
    occlusion: RenderPipeline,
    blur: RenderPipeline,
}

/// The textures for one size of picture.
pub(super) struct Maps {
    pub depth: TextureView,
    pub normal: TextureView,
    /// What the picture reads.
    pub openness: TextureView,
    raw: TextureView,
    seen: BindGroup,
    raw_group: BindGroup,
}

impl Occlusion {
    pub fn new(device: &Device, frame: &BindGroupLayout) -> Self {
        let fragment = ShaderStages::FRAGMENT;
        let seen_layout = gpu::layout(device, "seen", &[(fragment, DEPTH_TEXTURE), (fragment, TEXTURE)]);
        let raw_layout = gpu::layout(device, "raw openness", &[(fragment, TEXTURE)]);
        Self {
            occlusion: pipeline(
                device,
                frame,
                &seen_layout,
                shaders::OCCLUSION,
                "occlusion_vertex",
                "occlusion_fragment",
            ),
            blur: pipeline(device, frame, &raw_layout, shaders::BLUR, "blur_vertex", "blur_fragment"),
            seen_layout,
            raw_layout,
        }
    }

    /// Textures for pictures of this size, pixels.
    pub fn maps(&self, device: &Device, size: [u32; 2]) -> Maps {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let half = size.map(|side| side.div_ceil(2));
        let map = |label, format| gpu::texture(device, label, half, 1, format, usage);
        let depth = map("seen depth", DEPTH_FORMAT);
        let normal = map("seen normal", NORMAL_FORMAT);
        let raw = map("raw openness", OPENNESS_FORMAT);
        let view = wgpu::BindingResource::TextureView;
        Maps {
            seen: gpu::bind(device, "seen", &self.seen_layout, &[view(&depth), view(&normal)]),
            raw_group: gpu::bind(device, "raw openness", &self.raw_layout, &[view(&raw)]),
            openness: map("openness", OPENNESS_FORMAT),
            depth,
            normal,
            raw,
        }
    }

    /// Records the openness of what has been drawn to the depths and normals.
    pub fn record(&self, encoder: &mut CommandEncoder, frame: &BindGroup, maps: &Maps) {
        let steps = [(&self.occlusion, &maps.seen, &maps.raw), (&self.blur, &maps.raw_group, &maps.openness)];
        for (pipeline, group, target) in steps {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("occlusion"),
                color_attachments: &[colour_attachment(target, None)],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, frame, &[]);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

fn pipeline(
    device: &Device,
    frame: &BindGroupLayout,
    own: &BindGroupLayout,
    module: ShaderModule,
    vertex: &str,
    fragment: &str,
) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(module.name),
        bind_group_layouts: &[Some(frame), Some(own)],
        immediate_size: 0,
    });
    let shader = module.create(device);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(module.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: Some(vertex),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(OPENNESS_FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
