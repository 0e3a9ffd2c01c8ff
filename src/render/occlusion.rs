//! Ambient occlusion: what the camera sees at half the resolution as depths and normals, how open each texel is to the
//! sky, and that smoothed.

use wgpu::{
    BindGroup, BindGroupLayout, CommandEncoder, Device, RenderPipeline, ShaderStages, TextureFormat, TextureView,
};

use super::gpu::{self, DEPTH_TEXTURE, TEXTURE};
use super::pipelines::DEPTH_FORMAT;
use super::{screen, shaders};

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
        let pipeline = |module, fragment, own: &_| {
            screen::pipeline(device, module, fragment, &[Some(frame), Some(own)], OPENNESS_FORMAT.into(), None)
        };
        Self {
            occlusion: pipeline(shaders::OCCLUSION, "occlusion_fragment", &seen_layout),
            blur: pipeline(shaders::BLUR, "blur_fragment", &raw_layout),
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
            screen::pass(encoder, "occlusion", pipeline, &[frame, group], target);
        }
    }
}
