//! The pipelines: one for each thing that is drawn, and one more for those that cast a shadow.

use wgpu::{
    BindGroupLayout, Device, ShaderStages, TextureFormat, VertexBufferLayout, VertexStepMode, vertex_attr_array,
};

use super::drawing::{Ball, Ground, Link, Point};
use super::shaders::{self, ShaderModule};

pub(super) const SAMPLES: u32 = 4;
pub(super) const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;

pub(super) struct Layouts {
    /// The frame and the styles.
    pub frame: BindGroupLayout,
    /// The solver's positions.
    pub positions: BindGroupLayout,
    /// The shadow map and its sampler.
    pub light: BindGroupLayout,
}

pub(super) struct Pipelines {
    pub background: wgpu::RenderPipeline,
    pub surface: wgpu::RenderPipeline,
    pub collider: wgpu::RenderPipeline,
    pub point: wgpu::RenderPipeline,
    pub link: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub glass_far: wgpu::RenderPipeline,
    pub glass_near: wgpu::RenderPipeline,
    pub surface_shadow: wgpu::RenderPipeline,
    pub collider_shadow: wgpu::RenderPipeline,
    pub point_shadow: wgpu::RenderPipeline,
    pub link_shadow: wgpu::RenderPipeline,
}

impl Layouts {
    pub fn new(device: &Device) -> Self {
        let layout = |label, entries: &[(ShaderStages, wgpu::BindingType)]| {
            let entries: Vec<_> = (0..)
                .zip(entries)
                .map(|(binding, &(visibility, ty))| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None })
                .collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        let storage = buffer(wgpu::BufferBindingType::Storage { read_only: true });
        let map = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        let both = ShaderStages::VERTEX_FRAGMENT;
        Self {
            frame: layout("frame", &[(both, buffer(wgpu::BufferBindingType::Uniform)), (both, storage)]),
            positions: layout("positions", &[(ShaderStages::VERTEX, storage)]),
            light: layout("light", &[(ShaderStages::FRAGMENT, map), (ShaderStages::FRAGMENT, sampler)]),
        }
    }
}

/// How a pipeline writes colour.
#[derive(Clone, Copy, PartialEq)]
enum Paint {
    Opaque,
    /// Opaque, with the fragment's alpha as its share of the pixel: smooth edges for what has no triangle edges.
    Coverage,
    /// Mixed with what is behind by alpha.
    Blend,
    /// No colour: the shadow map.
    Shadow,
}

/// One row of the table of pipelines.
#[derive(Clone, Copy)]
struct Draw<'a> {
    name: &'static str,
    module: ShaderModule,
    vertex: &'static str,
    fragment: Option<&'static str>,
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    paint: Paint,
    /// Whether it hides what is drawn behind it later.
    hides: bool,
    cull_mode: Option<wgpu::Face>,
    topology: wgpu::PrimitiveTopology,
}

impl Pipelines {
    pub fn new(device: &Device, layouts: &Layouts, colour_format: TextureFormat) -> Self {
        const VECTOR: u64 = size_of::<[f32; 4]>() as u64;
        let positions = vertex_attr_array![0 => Float32x4];
        let normals = vertex_attr_array![1 => Float32x4];
        let point = vertex_attr_array![0 => Uint32, 1 => Uint32, 2 => Float32];
        let link = vertex_attr_array![0 => Uint32x2, 1 => Uint32, 2 => Float32, 3 => Uint32x2];
        let ball = vertex_attr_array![0 => Float32x4, 1 => Uint32];
        let ground = vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x4];
        let buffer =
            |array_stride, step_mode, attributes| Some(VertexBufferLayout { array_stride, step_mode, attributes });
        let instances = |stride: usize, attributes| [buffer(stride as u64, VertexStepMode::Instance, attributes)];
        let surface =
            [buffer(VECTOR, VertexStepMode::Vertex, &positions), buffer(VECTOR, VertexStepMode::Vertex, &normals)];
        let point = instances(size_of::<Point>(), &point);
        let link = instances(size_of::<Link>(), &link);
        let ball = instances(size_of::<Ball>(), &ball);
        let ground = instances(size_of::<Ground>(), &ground);

        let quad = |name, module, vertex, fragment, buffers, paint| Draw {
            name,
            module,
            vertex,
            fragment,
            buffers,
            paint,
            hides: true,
            cull_mode: None,
            topology: wgpu::PrimitiveTopology::TriangleStrip,
        };
        let triangles = |draw| Draw { topology: wgpu::PrimitiveTopology::TriangleList, ..draw };
        let see_through = |draw| Draw { hides: false, ..draw };
        let one_sided = |draw| Draw { cull_mode: Some(wgpu::Face::Back), ..draw };
        let make = |draw: Draw| make(device, layouts, colour_format, draw);
        use Paint::{Blend, Coverage, Opaque, Shadow};
        use shaders::{BACKGROUND, COLLIDER, GROUND, LINK, POINT, SURFACE};
        let (ball_paint, ball_disc) = (Some("ball_fragment"), Some("ball_shadow_fragment"));
        let background = quad("background", BACKGROUND, "background_vertex", Some("background_fragment"), &[], Opaque);
        let surface_paint = Some("surface_fragment");
        let far = quad("glass_far", COLLIDER, "collider_vertex", Some("glass_far_fragment"), &ball, Blend);
        let near = quad("glass_near", COLLIDER, "collider_vertex", Some("glass_near_fragment"), &ball, Blend);
        Self {
            background: make(triangles(see_through(background))),
            surface: make(triangles(quad("surface", SURFACE, "surface_vertex", surface_paint, &surface, Opaque))),
            collider: make(quad("collider", COLLIDER, "collider_vertex", ball_paint, &ball, Coverage)),
            point: make(quad("point", POINT, "point_vertex", ball_paint, &point, Coverage)),
            link: make(quad("link", LINK, "link_vertex", Some("link_fragment"), &link, Opaque)),
            ground: make(one_sided(quad("ground", GROUND, "ground_vertex", Some("ground_fragment"), &ground, Blend))),
            glass_far: make(see_through(far)),
            glass_near: make(see_through(near)),
            surface_shadow: make(triangles(quad("surface_shadow", SURFACE, "surface_vertex", None, &surface, Shadow))),
            collider_shadow: make(quad("collider_shadow", COLLIDER, "collider_vertex", ball_disc, &ball, Shadow)),
            point_shadow: make(quad("point_shadow", POINT, "point_vertex", ball_disc, &point, Shadow)),
            link_shadow: make(quad("link_shadow", LINK, "link_vertex", None, &link, Shadow)),
        }
    }
}

fn make(device: &Device, layouts: &Layouts, colour_format: TextureFormat, draw: Draw) -> wgpu::RenderPipeline {
    let shadow = draw.paint == Paint::Shadow;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(draw.module.name),
        source: wgpu::ShaderSource::Wgsl(draw.module.source.into()),
    });
    // The shadow map cannot be read while it is drawn.
    let light = (!shadow).then_some(&layouts.light);
    let positions = draw.module.reads_positions().then_some(&layouts.positions);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(draw.name),
        bind_group_layouts: &[Some(&layouts.frame), light, positions],
        immediate_size: 0,
    });
    let targets = [Some(wgpu::ColorTargetState {
        format: colour_format,
        blend: (draw.paint == Paint::Blend).then_some(wgpu::BlendState::ALPHA_BLENDING),
        // The picture stays opaque whatever the fragments' alpha.
        write_mask: wgpu::ColorWrites::COLOR,
    })];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(draw.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(draw.vertex),
            compilation_options: Default::default(),
            buffers: draw.buffers,
        },
        primitive: wgpu::PrimitiveState { topology: draw.topology, cull_mode: draw.cull_mode, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(draw.hides),
            // The camera's depth runs from 1 at the near plane to 0 infinitely far, the sun's from 0 to 1.
            depth_compare: Some(if shadow { wgpu::CompareFunction::Less } else { wgpu::CompareFunction::GreaterEqual }),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: if shadow { 1 } else { SAMPLES },
            alpha_to_coverage_enabled: draw.paint == Paint::Coverage,
            ..Default::default()
        },
        fragment: draw.fragment.map(|entry_point| wgpu::FragmentState {
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: Default::default(),
            targets: if shadow { &[] } else { &targets },
        }),
        multiview_mask: None,
        cache: None,
    })
}
