//! Liquids as surfaces in screen space: their particles as balls, of which a filter makes one surface, and the way of
//! light through them. See `docs/design/pictures.md`.

use wgpu::{BindGroup, BindGroupLayout, BlendComponent, BlendFactor, BlendOperation, BlendState, CommandEncoder};
use wgpu::{BindingResource, ColorTargetState, Device, RenderPipeline, ShaderStages, TextureFormat, TextureView};

use super::crowd::{Crowd, Shape};
use super::gpu::{self, DEPTH_SAMPLES, FILTERED, List, TEXTURE, bind, depth_attachment, texture};
use super::pipelines::{DEPTH_FORMAT, ENTRY_FORMAT, Entries, Layouts, SAMPLES, SHAPE_ATTRIBUTES, instances};
use super::renderer::Surface;
use super::shaders::ShaderModule;
use super::strands::Point;
use super::{screen, shaders};

/// Texels along a side of the sun's view of a liquid.
const SUN_SIZE: u32 = 1024;
const FRONT_FORMAT: TextureFormat = TextureFormat::Rg32Float;
const COLUMN_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
const SUN_FRONT_FORMAT: TextureFormat = TextureFormat::R16Float;
/// How often the filter goes across and down the picture.
const ROUNDS: usize = 2;
/// Specks of foam around a particle, at most.
const SPECKS: u32 = 8;

/// The liquid between places and the sun, as `shaders/render/caustic.wgsl` reads it.
pub(super) struct SunMaps {
    pub columns: TextureView,
    pub fronts: TextureView,
}

impl SunMaps {
    /// A texel each, which nothing reads, where there is no liquid.
    pub fn new(device: &Device, with_liquid: bool) -> Self {
        let size = [if with_liquid { SUN_SIZE } else { 1 }; 2];
        Self {
            columns: map(device, "sun columns", size, COLUMN_FORMAT),
            fronts: map(device, "sun fronts", size, SUN_FRONT_FORMAT),
        }
    }
}

pub(super) struct Liquid {
    pub entries: Entries,
    crowd: Crowd,
    /// Those that let no light through, and so cast shadows as balls do.
    pub murky: List,
    /// A texture that drops are cut off by.
    cut_layout: BindGroupLayout,
    depths_layout: BindGroupLayout,
    fronts_layout: BindGroupLayout,
    surface_layout: BindGroupLayout,
    front: RenderPipeline,
    column: RenderPipeline,
    sun_column: RenderPipeline,
    distance: RenderPipeline,
    across: RenderPipeline,
    down: RenderPipeline,
    liquid: RenderPipeline,
    sampler: wgpu::Sampler,
}

/// The textures for one size of picture.
pub(super) struct LiquidMaps {
    /// What is opaque, which the liquid is drawn over.
    pub behind: TextureView,
    entries: TextureView,
    depth: TextureView,
    fronts: TextureView,
    smooth: [TextureView; 2],
    columns: TextureView,
    distances: TextureView,
    by_entries: BindGroup,
    by_distances: BindGroup,
    depths: BindGroup,
    /// What the filter reads: the balls, the distances after its way across, and those after its way down.
    stages: [BindGroup; 3],
    surface: BindGroup,
}

impl Liquid {
    pub fn new(
        device: &Device,
        layouts: &Layouts,
        colour_format: TextureFormat,
        drops: &[Point],
        murky: &[Point],
    ) -> Self {
        let fragment = ShaderStages::FRAGMENT;
        let layout = |label, kinds: &[wgpu::BindingType]| {
            let entries: Vec<_> = kinds.iter().map(|&kind| (fragment, kind)).collect();
            gpu::layout(device, label, &entries)
        };
        let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let cut_layout = layout("cut", &[TEXTURE]);
        let depths_layout = layout("depths", &[DEPTH_SAMPLES]);
        let fronts_layout = layout("fronts", &[TEXTURE, TEXTURE]);
        let surface_layout = layout("liquid", &[TEXTURE, TEXTURE, FILTERED, FILTERED, TEXTURE, filtering]);
        let frame = Some(&layouts.frame);
        let drops_of = |draw| drop_pipeline(device, layouts, &cut_layout, draw);
        let over = |module, name, own| screen::pipeline(device, module, name, &[frame, own], ENTRY_FORMAT.into(), None);
        let target = |format: TextureFormat, blend| Some(ColorTargetState { blend, ..format.into() });
        let sum = Some(blend(BlendOperation::Add));
        Self {
            entries: Entries::new(device, layouts, colour_format),
            crowd: Crowd::new(device, &layouts.frame, drops),
            murky: List::new(device, "murky drops", murky),
            front: drops_of(Drops {
                module: shaders::DROP,
                fragment: "drop_fragment",
                is_cut: true,
                targets: &[target(FRONT_FORMAT, None)],
                depth: Some(depth_state()),
            }),
            column: drops_of(Drops {
                module: shaders::COLUMN,
                fragment: "column_fragment",
                is_cut: true,
                targets: &[target(COLUMN_FORMAT, sum)],
                depth: None,
            }),
            sun_column: drops_of(Drops {
                module: shaders::COLUMN,
                fragment: "sun_column_fragment",
                is_cut: false,
                targets: &[target(COLUMN_FORMAT, sum), target(SUN_FRONT_FORMAT, Some(blend(BlendOperation::Min)))],
                depth: None,
            }),
            distance: over(shaders::DISTANCE, "distance_fragment", Some(&depths_layout)),
            across: over(shaders::NARROW, "narrow_across_fragment", Some(&fronts_layout)),
            down: over(shaders::NARROW, "narrow_down_fragment", Some(&fronts_layout)),
            liquid: screen::pipeline(
                device,
                shaders::LIQUID,
                "liquid_fragment",
                &[frame, Some(&layouts.light), Some(&surface_layout)],
                ColorTargetState { blend: Some(BlendState::ALPHA_BLENDING), ..colour_format.into() },
                Some((depth_state(), SAMPLES)),
            ),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("liquid"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            cut_layout,
            depths_layout,
            fronts_layout,
            surface_layout,
        }
    }

    /// Textures for pictures of this size, pixels. `depth` has the depths of what is opaque.
    pub fn maps(
        &self,
        device: &Device,
        size: [u32; 2],
        colour_format: TextureFormat,
        depth: &TextureView,
    ) -> LiquidMaps {
        let half = size.map(|side| side.div_ceil(2));
        let full = |label, format| map(device, label, size, format);
        let (entries, fronts) = (full("entries", ENTRY_FORMAT), full("fronts", FRONT_FORMAT));
        let smooth = [full("surface across", ENTRY_FORMAT), full("surface", ENTRY_FORMAT)];
        let columns = map(device, "columns", half, COLUMN_FORMAT);
        let (behind, distances) = (full("behind", colour_format), full("distances", ENTRY_FORMAT));
        let view = BindingResource::TextureView;
        let one = |layout, seen| bind(device, "liquid", layout, &[view(seen)]);
        let stage = |seen| bind(device, "fronts", &self.fronts_layout, &[view(seen), view(&entries)]);
        let of_surface = [
            view(&fronts),
            view(&smooth[1]),
            view(&columns),
            view(&behind),
            view(&distances),
            BindingResource::Sampler(&self.sampler),
        ];
        LiquidMaps {
            by_entries: one(&self.cut_layout, &entries),
            by_distances: one(&self.cut_layout, &distances),
            depths: one(&self.depths_layout, depth),
            stages: [stage(&fronts), stage(&smooth[0]), stage(&smooth[1])],
            surface: bind(device, "liquid", &self.surface_layout, &of_surface),
            depth: map(device, "front depth", size, DEPTH_FORMAT),
            behind,
            entries,
            fronts,
            smooth,
            columns,
            distances,
        }
    }

    /// Records the particles' shapes.
    pub fn record_shapes(&self, device: &Device, encoder: &mut CommandEncoder, frame: &BindGroup, surface: Surface) {
        self.crowd.record(device, encoder, frame, surface);
    }

    /// Records what of the sun the liquid lets through; `frame` is the sun's.
    pub fn record_sun(&self, encoder: &mut CommandEncoder, frame: &BindGroup, maps: &SunMaps) {
        let attachments = [cleared(&maps.columns, 0.0), cleared(&maps.fronts, 1.0)];
        let mut pass = begin(encoder, "sun columns", &attachments, None);
        pass.set_bind_group(0, frame, &[]);
        self.draw_shapes(&mut pass, &self.sun_column, 4);
    }

    /// Records where liquid can begin along each view ray: `draw` draws the containers, if there are any.
    pub fn record_entries(
        &self,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        maps: &LiquidMaps,
        draw: Option<impl FnOnce(&mut wgpu::RenderPass)>,
    ) {
        let entries = cleared(&maps.entries, if draw.is_some() { -1.0 } else { 0.0 });
        let mut pass = begin(encoder, "entries", &[entries], Some(&maps.depth));
        pass.set_bind_group(0, frame, &[]);
        if let Some(draw) = draw {
            draw(&mut pass);
        }
    }

    /// Records the surface, after the entries and what is opaque.
    pub fn record(&self, encoder: &mut CommandEncoder, frame: &BindGroup, maps: &LiquidMaps) {
        screen::pass(encoder, "distances", &self.distance, &[frame, &maps.depths], &maps.distances);
        let steps = [
            ("fronts", &self.front, &maps.by_entries, &maps.fronts, Some(&maps.depth)),
            ("columns", &self.column, &maps.by_distances, &maps.columns, None),
        ];
        for (label, pipeline, cut, target, depth) in steps {
            let mut pass = begin(encoder, label, &[cleared(target, 0.0)], depth);
            pass.set_bind_group(0, frame, &[]);
            pass.set_bind_group(1, cut, &[]);
            self.draw_shapes(&mut pass, pipeline, 4);
        }
        for round in 0..ROUNDS {
            let from = if round == 0 { 0 } else { 2 };
            screen::pass(encoder, "narrow", &self.across, &[frame, &maps.stages[from]], &maps.smooth[0]);
            screen::pass(encoder, "narrow", &self.down, &[frame, &maps.stages[1]], &maps.smooth[1]);
        }
    }

    /// Draws the surface over what is opaque; frame and light are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass, maps: &LiquidMaps) {
        pass.set_pipeline(&self.liquid);
        pass.set_bind_group(2, &maps.surface, &[]);
        pass.draw(0..3, 0..1);
        self.draw_shapes(pass, &self.entries.spray, SPECKS * 6);
    }

    fn draw_shapes(&self, pass: &mut wgpu::RenderPass, pipeline: &RenderPipeline, vertices: u32) {
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, self.crowd.shapes.slice(..));
        pass.draw(0..vertices, 0..self.crowd.count);
    }
}

fn map(device: &Device, label: &str, size: [u32; 2], format: TextureFormat) -> TextureView {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    texture(device, label, size, 1, format, usage)
}

/// With this in all channels before anything is drawn.
fn cleared(view: &TextureView, value: f64) -> Option<wgpu::RenderPassColorAttachment<'_>> {
    let load = wgpu::LoadOp::Clear(wgpu::Color { r: value, g: value, b: value, a: value });
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
}

fn begin<'a>(
    encoder: &'a mut CommandEncoder,
    label: &str,
    colours: &[Option<wgpu::RenderPassColorAttachment>],
    depth: Option<&TextureView>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: colours,
        depth_stencil_attachment: depth.map(|depth| depth_attachment(depth, 0.0, wgpu::StoreOp::Discard)),
        ..Default::default()
    })
}

/// Of what hides what is farther, in the camera's depth.
fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

/// All that is drawn on a texel, by one operation.
fn blend(operation: BlendOperation) -> BlendState {
    let component = BlendComponent { src_factor: BlendFactor::One, dst_factor: BlendFactor::One, operation };
    BlendState { color: component, alpha: component }
}

/// One way to draw the particles of liquids.
struct Drops<'a> {
    module: ShaderModule,
    fragment: &'a str,
    /// Whether it reads a texture that it is cut off by.
    is_cut: bool,
    targets: &'a [Option<ColorTargetState>],
    depth: Option<wgpu::DepthStencilState>,
}

fn drop_pipeline(device: &Device, layouts: &Layouts, cut: &BindGroupLayout, draw: Drops) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(draw.fragment),
        bind_group_layouts: &[Some(&layouts.frame), draw.is_cut.then_some(cut)],
        immediate_size: 0,
    });
    let module = draw.module.create(device);
    let vertex = format!("{}_vertex", draw.module.name);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(draw.fragment),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(&vertex),
            compilation_options: Default::default(),
            buffers: &instances(size_of::<Shape>(), &SHAPE_ATTRIBUTES),
        },
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
        depth_stencil: draw.depth,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(draw.fragment),
            compilation_options: Default::default(),
            targets: draw.targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
