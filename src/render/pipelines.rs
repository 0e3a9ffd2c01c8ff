//! The pipelines: one for each thing that is drawn, and more for those that cast a shadow and hide the sky.

use wgpu::{BindGroupLayout, Device, RenderPipeline, ShaderStages, TextureFormat};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

use super::crowd::Shape;
use super::drawing::{Ball, Ground};
use super::lists::{Edge, Spring};
use super::occlusion::NORMAL_FORMAT;
use super::shaders::{self, ShaderModule};
use super::solid::{Corner, Placed};
use super::strands::{Link, Point, Ribbon};
use super::{gpu, heat};

pub(super) const SAMPLES: u32 = 4;
pub(super) const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;
/// Distances in m.
pub(super) const ENTRY_FORMAT: TextureFormat = TextureFormat::R32Float;

pub(super) struct Layouts {
    /// The frame, the styles and the scale of heat.
    pub frame: BindGroupLayout,
    /// The solver's positions, the heats and the solver's velocities.
    pub particles: BindGroupLayout,
    /// The shadow map with its samplers, the openness to the sky, and the liquid between a place and the sun.
    pub light: BindGroupLayout,
}

/// The bodies, as one pass draws them.
pub(super) struct Bodies {
    pub surface: RenderPipeline,
    pub link: RenderPipeline,
    pub ribbon: RenderPipeline,
    pub point: RenderPipeline,
    pub collider: RenderPipeline,
    pub solid: RenderPipeline,
}

pub(super) struct Pipelines {
    pub background: RenderPipeline,
    /// Gives alpha to what opaque things cover.
    pub cover: RenderPipeline,
    pub picture: Bodies,
    /// Depths and normals for the ambient occlusion.
    pub prepass: Bodies,
    pub shadow: Bodies,
    pub ground: RenderPipeline,
    pub ground_prepass: RenderPipeline,
    pub glass_far: RenderPipeline,
    pub glass_near: RenderPipeline,
    pub solid_glass_far: RenderPipeline,
    pub solid_glass_near: RenderPipeline,
    pub edge: RenderPipeline,
    pub constraint: RenderPipeline,
    pub velocity: RenderPipeline,
}

impl Layouts {
    pub fn new(device: &Device) -> Self {
        let sampler = wgpu::BindingType::Sampler;
        let light = [
            gpu::DEPTH_TEXTURE,
            sampler(wgpu::SamplerBindingType::Comparison),
            sampler(wgpu::SamplerBindingType::NonFiltering),
            gpu::TEXTURE,
            gpu::TEXTURE,
            gpu::TEXTURE,
        ];
        Self {
            frame: heat::frame_layout(device),
            particles: gpu::layout(device, "particles", &[(ShaderStages::VERTEX, gpu::STORAGE); 3]),
            light: gpu::layout(device, "light", &light.map(|binding| (ShaderStages::FRAGMENT, binding))),
        }
    }
}

/// Where containers begin along view rays, for the liquids in them: the far and the near sides of balls and of solids.
/// And foam, which is over the liquid.
pub(super) struct Entries {
    pub spray: RenderPipeline,
    pub ball_exit: RenderPipeline,
    pub ball_entry: RenderPipeline,
    pub solid_exit: RenderPipeline,
    pub solid_entry: RenderPipeline,
}

const POINT_ATTRIBUTES: [wgpu::VertexAttribute; 3] = vertex_attr_array![0 => Uint32, 1 => Uint32, 2 => Float32];
/// Of a [`Shape`].
pub(super) const SHAPE_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Uint32];
const BALL_ATTRIBUTES: [wgpu::VertexAttribute; 2] = vertex_attr_array![0 => Float32x4, 1 => Uint32];
const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
const PLACED_ATTRIBUTES: [wgpu::VertexAttribute; 6] = vertex_attr_array![
    3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Uint32, 7 => Float32x4, 8 => Float32
];

/// How a pipeline writes colour.
#[derive(Clone, Copy, PartialEq)]
enum Paint {
    Opaque,
    /// Opaque, with the fragment's alpha as its share of the pixel: smooth edges for what has no triangle edges.
    Coverage,
    /// Mixed with what is behind by alpha.
    Blend,
    /// No colour: full alpha of the samples on which something was drawn that hides, by their depth.
    Cover,
    /// The normal in place of a colour.
    Prepass,
    /// The distance ahead in place of a colour.
    Entry,
    /// No colour: the shadow map.
    Shadow,
}

/// One row of the table of pipelines.
#[derive(Clone, Copy)]
struct Draw<'a> {
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
        const VECTOR: usize = size_of::<[f32; 4]>();
        let positions = vertex_attr_array![0 => Float32x4];
        let normals = vertex_attr_array![1 => Float32x4];
        let places = vertex_attr_array![2 => Float32x3];
        let heats = vertex_attr_array![3 => Float32];
        let link = vertex_attr_array![
            0 => Uint32x4, 1 => Uint32x4, 2 => Uint32, 3 => Float32, 4 => Float32, 5 => Uint32
        ];
        let ribbon = vertex_attr_array![0 => Uint32x4, 1 => Uint32, 2 => Float32x2, 3 => Float32x3, 4 => Uint32];
        let ground = vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32, 4 => Uint32];
        let edge = vertex_attr_array![0 => Uint32x2, 1 => Uint32];
        let spring = vertex_attr_array![0 => Uint32x2, 1 => Float32, 2 => Unorm8x4, 3 => Uint32];
        let surface = [
            buffer(VECTOR, VertexStepMode::Vertex, &positions),
            buffer(VECTOR, VertexStepMode::Vertex, &normals),
            buffer(size_of::<[f32; 3]>(), VertexStepMode::Vertex, &places),
            buffer(size_of::<f32>(), VertexStepMode::Vertex, &heats),
        ];
        let point = instances(size_of::<Point>(), &POINT_ATTRIBUTES);
        let link = instances(size_of::<Link>(), &link);
        let ribbon = instances(size_of::<Ribbon>(), &ribbon);
        let ball = instances(size_of::<Ball>(), &BALL_ATTRIBUTES);
        let ground = instances(size_of::<Ground>(), &ground);
        let solid = solid_buffers();
        let edge = instances(size_of::<Edge>(), &edge);
        let spring = instances(size_of::<Spring>(), &spring);

        let triangles = |draw| Draw { topology: wgpu::PrimitiveTopology::TriangleList, ..draw };
        let see_through = |draw| Draw { hides: false, ..draw };
        let one_sided = |draw| Draw { cull_mode: Some(wgpu::Face::Back), ..draw };
        let make = |draw: Draw| make(device, layouts, colour_format, draw);
        use Paint::{Blend, Cover, Coverage, Opaque, Prepass, Shadow};
        use shaders::{BACKGROUND, COLLIDER, CONSTRAINT, EDGE, GROUND, LINK, POINT, RIBBON, SOLID, SURFACE, VELOCITY};
        // Fragments of surfaces, links, ribbons, balls and solids, and the paints of what has edges of triangles and
        // what has none.
        let bodies =
            |[on_surface, on_link, on_ribbon, on_ball, on_solid]: [Option<&'static str>; 5], sharp, round| Bodies {
                surface: make(triangles(quad(SURFACE, "surface_vertex", on_surface, &surface, sharp))),
                link: make(triangles(quad(LINK, "link_vertex", on_link, &link, round))),
                ribbon: make(triangles(quad(RIBBON, "ribbon_vertex", on_ribbon, &ribbon, sharp))),
                point: make(quad(POINT, "point_vertex", on_ball, &point, round)),
                collider: make(quad(COLLIDER, "collider_vertex", on_ball, &ball, round)),
                solid: make(one_sided(triangles(quad(SOLID, "solid_vertex", on_solid, &solid, sharp)))),
            };
        let ground = |fragment, paint| make(one_sided(quad(GROUND, "ground_vertex", Some(fragment), &ground, paint)));
        let glass = |fragment| make(see_through(quad(COLLIDER, "collider_vertex", Some(fragment), &ball, Blend)));
        let pane = |cull_mode| {
            let pane = quad(SOLID, "solid_vertex", Some("solid_glass_fragment"), &solid, Blend);
            make(Draw { cull_mode: Some(cull_mode), ..see_through(triangles(pane)) })
        };
        let line =
            |module, vertex, buffers| make(see_through(quad(module, vertex, Some("line_fragment"), buffers, Blend)));
        let lit = ["surface_fragment", "link_fragment", "ribbon_fragment", "ball_fragment", "solid_fragment"].map(Some);
        let seen = [
            "surface_prepass_fragment",
            "link_prepass_fragment",
            "ribbon_prepass_fragment",
            "ball_prepass_fragment",
            "solid_prepass_fragment",
        ];
        let sky = |paint| {
            let sky = quad(BACKGROUND, "background_vertex", Some("background_fragment"), &[], paint);
            make(triangles(see_through(sky)))
        };
        Self {
            background: sky(Opaque),
            cover: sky(Cover),
            picture: bodies(lit, Opaque, Coverage),
            prepass: bodies(seen.map(Some), Prepass, Prepass),
            shadow: bodies(
                [None, Some("link_shadow_fragment"), None, Some("ball_shadow_fragment"), None],
                Shadow,
                Shadow,
            ),
            ground: ground("ground_fragment", Blend),
            ground_prepass: ground("ground_prepass_fragment", Prepass),
            glass_far: glass("glass_far_fragment"),
            glass_near: glass("glass_near_fragment"),
            solid_glass_far: pane(wgpu::Face::Front),
            solid_glass_near: pane(wgpu::Face::Back),
            edge: line(EDGE, "edge_vertex", &edge),
            constraint: line(CONSTRAINT, "constraint_vertex", &spring),
            velocity: line(VELOCITY, "velocity_vertex", &[]),
        }
    }
}

impl Entries {
    pub fn new(device: &Device, layouts: &Layouts, colour_format: TextureFormat) -> Self {
        let (balls, solids) = (instances(size_of::<Ball>(), &BALL_ATTRIBUTES), solid_buffers());
        let make = |draw| make(device, layouts, ENTRY_FORMAT, draw);
        let ball = |fragment, hides| {
            let ball = quad(shaders::COLLIDER, "collider_vertex", Some(fragment), &balls, Paint::Entry);
            make(Draw { hides, ..ball })
        };
        let solid = |fragment, hides, cull_mode| {
            let solid = quad(shaders::SOLID, "solid_vertex", Some(fragment), &solids, Paint::Entry);
            let topology = wgpu::PrimitiveTopology::TriangleList;
            make(Draw { hides, cull_mode: Some(cull_mode), topology, ..solid })
        };
        let shapes = instances(size_of::<Shape>(), &SHAPE_ATTRIBUTES);
        let spray = quad(shaders::SPRAY, "spray_vertex", Some("spray_fragment"), &shapes, Paint::Coverage);
        let topology = wgpu::PrimitiveTopology::TriangleList;
        Self {
            spray: self::make(device, layouts, colour_format, Draw { topology, ..spray }),
            ball_exit: ball("ball_exit_fragment", false),
            ball_entry: ball("ball_entry_fragment", true),
            solid_exit: solid("solid_exit_fragment", false, wgpu::Face::Front),
            solid_entry: solid("solid_entry_fragment", true, wgpu::Face::Back),
        }
    }
}

fn buffer(
    stride: usize,
    step_mode: VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<VertexBufferLayout<'_>> {
    Some(VertexBufferLayout { array_stride: stride as u64, step_mode, attributes })
}

/// One item for each instance.
pub(super) fn instances(stride: usize, attributes: &[wgpu::VertexAttribute]) -> [Option<VertexBufferLayout<'_>>; 1] {
    [buffer(stride, VertexStepMode::Instance, attributes)]
}

fn solid_buffers() -> [Option<VertexBufferLayout<'static>>; 2] {
    [
        buffer(size_of::<Corner>(), VertexStepMode::Vertex, &CORNER_ATTRIBUTES),
        buffer(size_of::<Placed>(), VertexStepMode::Instance, &PLACED_ATTRIBUTES),
    ]
}

/// A row whose items are quads that hide what is behind them.
fn quad<'a>(
    module: ShaderModule,
    vertex: &'static str,
    fragment: Option<&'static str>,
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    paint: Paint,
) -> Draw<'a> {
    let topology = wgpu::PrimitiveTopology::TriangleStrip;
    Draw { module, vertex, fragment, buffers, paint, hides: true, cull_mode: None, topology }
}

fn make(device: &Device, layouts: &Layouts, colour_format: TextureFormat, draw: Draw) -> RenderPipeline {
    let shadow = draw.paint == Paint::Shadow;
    let is_picture = !matches!(draw.paint, Paint::Shadow | Paint::Prepass | Paint::Entry);
    let module = draw.module.create(device);
    // The maps that light a picture cannot be read while they are drawn.
    let light = (draw.module.is_lit() && is_picture).then_some(&layouts.light);
    let particles = draw.module.reads_particles().then_some(&layouts.particles);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(draw.vertex),
        bind_group_layouts: &[Some(&layouts.frame), light, particles],
        immediate_size: 0,
    });
    let targets = [Some(wgpu::ColorTargetState {
        format: if draw.paint == Paint::Prepass { NORMAL_FORMAT } else { colour_format },
        blend: (draw.paint == Paint::Blend).then_some(wgpu::BlendState::ALPHA_BLENDING),
        // An opaque picture stays so whatever the fragments' alpha.
        write_mask: match draw.paint {
            Paint::Blend => wgpu::ColorWrites::ALL,
            Paint::Cover => wgpu::ColorWrites::ALPHA,
            _ => wgpu::ColorWrites::COLOR,
        },
    })];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(draw.vertex),
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
            depth_compare: Some(match draw.paint {
                // Infinitely far, what covers is behind everything that was drawn.
                Paint::Shadow | Paint::Cover => wgpu::CompareFunction::Less,
                _ => wgpu::CompareFunction::GreaterEqual,
            }),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: if is_picture { SAMPLES } else { 1 },
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
