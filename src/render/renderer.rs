//! Records a frame's draws.

use glam::DVec3;
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{BindGroup, Buffer, BufferUsages, CommandEncoder, Device, RenderPass, TextureFormat, TextureView};

use super::RenderError;
use super::camera::{self, Camera};
use super::drawing::{Drawing, Solids};
use super::frame::{Frame, SHADOW_SIZE, Views};
use super::pipelines::{DEPTH_FORMAT, Layouts, Pipelines, SAMPLES};
use crate::model::{Collider, Model, Multiplier};

/// The solver's buffers that a frame is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// `array<vec4f>`, one per slot: position in m, inverse mass. Usages: vertex, storage.
    pub positions: &'a Buffer,
    /// `array<vec4f>`, one per slot: unit normal, or zero. Usage: vertex. Read only if a body has triangles.
    pub normals: &'a Buffer,
    /// `array<u32>`: the triangles of all bodies of the model, one body after another, as slots. Usage: index. Read only
    /// if a body has triangles.
    pub indices: &'a Buffer,
}

/// One picture to draw.
#[derive(Clone, Copy, Debug)]
pub struct Shot<'a> {
    /// Overwritten wholly. Its format is the renderer's; usage: render attachment.
    pub target: &'a TextureView,
    /// Width and height of the target, pixels. If one is 0 nothing is drawn.
    pub size: [u32; 2],
    pub camera: Camera,
    /// Simulated time, for colliders that move, s.
    pub seconds: f64,
}

/// Draws one model. Made once for a model and a colour format; follows the target's size by itself.
pub struct Renderer {
    drawing: Drawing,
    colliders: Vec<Collider>,
    up: DVec3,
    colour_format: TextureFormat,
    layouts: Layouts,
    pipelines: Pipelines,
    styles: Buffer,
    points: Option<Buffer>,
    links: Option<Buffer>,
    shadow_map: TextureView,
    light: BindGroup,
    targets: Option<Targets>,
}

/// What depends on the picture's size.
struct Targets {
    size: [u32; 2],
    colour: TextureView,
    depth: TextureView,
}

/// What is bound or streamed during one frame.
struct FrameResources {
    camera: BindGroup,
    sun: BindGroup,
    positions: Option<BindGroup>,
    balls: Option<(Buffer, u32)>,
    containers: Option<(Buffer, u32)>,
    grounds: Option<(Buffer, u32)>,
}

impl Renderer {
    /// `slot_of` is the slot of each particle of the model in the solver's buffers (`Plan::slot_of`). `colour_format` is
    /// that of the views it will draw to.
    ///
    /// # Errors
    /// If the device was opened with limits too small for the scene's balls and links.
    pub fn new(
        device: &Device,
        model: &Model,
        slot_of: &[u32],
        colour_format: TextureFormat,
    ) -> Result<Self, RenderError> {
        let drawing = Drawing::new(model, slot_of);
        check_limits(device, &drawing, slot_of)?;
        let layouts = Layouts::new(device);
        let pipelines = Pipelines::new(device, &layouts, colour_format);
        let styles = upload(device, "styles", &drawing.styles, BufferUsages::STORAGE);
        let points = instances(device, "points", &drawing.points).map(|(buffer, _)| buffer);
        let links = instances(device, "links", &drawing.links).map(|(buffer, _)| buffer);
        let shadow_usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let shadow_map = texture(device, "shadow_map", [SHADOW_SIZE; 2], 1, DEPTH_FORMAT, shadow_usage);
        let light = light_group(device, &layouts, &shadow_map);
        Ok(Self {
            drawing,
            colliders: model.colliders.clone(),
            up: DVec3::from(camera::up(&model.world)),
            colour_format,
            layouts,
            pipelines,
            styles,
            points,
            links,
            shadow_map,
            light,
            targets: None,
        })
    }

    /// Draws no link whose constraint has broken, from the next picture on. `multipliers` are those of a state of the model
    /// that the renderer was made for ([`State::multipliers`](crate::model::State::multipliers)), `slot_of` as there.
    pub fn drop_broken(&mut self, device: &Device, model: &Model, slot_of: &[u32], multipliers: &[Vec<Multiplier>]) {
        let breakable = model.materials.iter().any(|material| material.break_force.is_some());
        if breakable && self.drawing.drop_broken(model, slot_of, multipliers) {
            self.links = instances(device, "links", &self.drawing.links).map(|(buffer, _)| buffer);
        }
    }

    /// Records a picture of the scene. Several may be recorded before one submit.
    pub fn draw(&mut self, device: &Device, encoder: &mut CommandEncoder, surface: Surface, shot: &Shot) {
        if shot.size.contains(&0) {
            return;
        }
        let views = Views::new(&shot.camera, shot.size, self.up, !self.colour_format.is_srgb());
        let solids = self.drawing.solids(&self.colliders, shot.seconds, views.origin, self.up, views.reach);
        let frame = self.frame_resources(device, &views, &solids, surface);
        self.draw_shadows(encoder, &frame, surface);
        self.draw_picture(device, encoder, shot, &frame, surface);
    }

    fn frame_resources(&self, device: &Device, views: &Views, solids: &Solids, surface: Surface) -> FrameResources {
        // New buffers each frame: several frames may be recorded before one is submitted.
        let view = |frame: &Frame| {
            let buffer = upload(device, "frame", &[*frame], BufferUsages::UNIFORM);
            bind(device, "frame", &self.layouts.frame, &[buffer.as_entire_binding(), self.styles.as_entire_binding()])
        };
        let limit = device.limits().max_storage_buffer_binding_size.min(surface.positions.size());
        let range = wgpu::BufferBinding { buffer: surface.positions, offset: 0, size: wgpu::BufferSize::new(limit) };
        let positions = (self.points.is_some() || self.links.is_some())
            .then(|| bind(device, "positions", &self.layouts.positions, &[wgpu::BindingResource::Buffer(range)]));
        FrameResources {
            camera: view(&views.camera),
            sun: view(&views.sun),
            positions,
            balls: instances(device, "balls", &solids.balls),
            containers: instances(device, "containers", &solids.containers),
            grounds: instances(device, "grounds", &solids.grounds),
        }
    }

    fn draw_shadows(&self, encoder: &mut CommandEncoder, frame: &FrameResources, surface: Surface) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadows"),
            depth_stencil_attachment: Some(depth_attachment(&self.shadow_map, 1.0, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &frame.sun, &[]);
        let pipelines = &self.pipelines;
        self.draw_meshes(&mut pass, &pipelines.surface_shadow, surface);
        self.draw_particles(&mut pass, &pipelines.link_shadow, &pipelines.point_shadow, frame);
        draw_instances(&mut pass, &pipelines.collider_shadow, &frame.balls);
    }

    fn draw_picture(
        &mut self,
        device: &Device,
        encoder: &mut CommandEncoder,
        shot: &Shot,
        frame: &FrameResources,
        surface: Surface,
    ) {
        let format = self.colour_format;
        let targets = match self.targets.take() {
            Some(targets) if targets.size == shot.size => targets,
            _ => Targets::new(device, shot.size, format),
        };
        let targets = self.targets.insert(targets);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.colour,
                depth_slice: None,
                resolve_target: Some(shot.target),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Discard },
            })],
            depth_stencil_attachment: Some(depth_attachment(&targets.depth, 0.0, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        pass.set_bind_group(0, &frame.camera, &[]);
        pass.set_bind_group(1, &self.light, &[]);
        let pipelines = &self.pipelines;
        pass.set_pipeline(&pipelines.background);
        pass.draw(0..3, 0..1);
        self.draw_meshes(&mut pass, &pipelines.surface, surface);
        self.draw_particles(&mut pass, &pipelines.link, &pipelines.point, frame);
        draw_instances(&mut pass, &pipelines.collider, &frame.balls);
        draw_instances(&mut pass, &pipelines.ground, &frame.grounds);
        draw_instances(&mut pass, &pipelines.glass_far, &frame.containers);
        draw_instances(&mut pass, &pipelines.glass_near, &frame.containers);
    }

    fn draw_meshes(&self, pass: &mut RenderPass, pipeline: &wgpu::RenderPipeline, surface: Surface) {
        if self.drawing.meshes.is_empty() {
            return;
        }
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, surface.positions.slice(..));
        pass.set_vertex_buffer(1, surface.normals.slice(..));
        pass.set_index_buffer(surface.indices.slice(..), wgpu::IndexFormat::Uint32);
        for mesh in &self.drawing.meshes {
            pass.draw_indexed(mesh.indices.clone(), 0, mesh.style..mesh.style + 1);
        }
    }

    fn draw_particles(
        &self,
        pass: &mut RenderPass,
        link_pipeline: &wgpu::RenderPipeline,
        point_pipeline: &wgpu::RenderPipeline,
        frame: &FrameResources,
    ) {
        let Some(positions) = &frame.positions else { return };
        pass.set_bind_group(2, positions, &[]);
        let lists = [
            (link_pipeline, &self.links, self.drawing.links.len()),
            (point_pipeline, &self.points, self.drawing.points.len()),
        ];
        for (pipeline, buffer, count) in lists {
            let Some(buffer) = buffer else { continue };
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..4, 0..count as u32);
        }
    }
}

impl Targets {
    fn new(device: &Device, size: [u32; 2], colour_format: TextureFormat) -> Self {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        Self {
            size,
            colour: texture(device, "picture", size, SAMPLES, colour_format, usage),
            depth: texture(device, "depth", size, SAMPLES, DEPTH_FORMAT, usage),
        }
    }
}

/// Balls and links read the positions through a binding and are listed in buffers; both must fit.
fn check_limits(device: &Device, drawing: &Drawing, slot_of: &[u32]) -> Result<(), RenderError> {
    let limits = device.limits();
    let listed = size_of_val(&drawing.points[..]).max(size_of_val(&drawing.links[..])) as u64;
    let slots = slot_of.iter().max().map_or(0, |&slot| u64::from(slot) + 1);
    let positions = if listed > 0 { slots * size_of::<[f32; 4]>() as u64 } else { 0 };
    let checks = [
        ("max_storage_buffer_binding_size", positions, limits.max_storage_buffer_binding_size),
        ("max_buffer_size", listed, limits.max_buffer_size),
    ];
    match checks.into_iter().find(|(_, needed, available)| needed > available) {
        Some((limit, needed, available)) => Err(RenderError::TooLarge { limit, needed, available }),
        None => Ok(()),
    }
}

fn draw_instances(pass: &mut RenderPass, pipeline: &wgpu::RenderPipeline, instances: &Option<(Buffer, u32)>) {
    let Some((buffer, count)) = instances else { return };
    pass.set_pipeline(pipeline);
    pass.set_vertex_buffer(0, buffer.slice(..));
    pass.draw(0..4, 0..*count);
}

fn instances<T: bytemuck::Pod>(device: &Device, label: &str, items: &[T]) -> Option<(Buffer, u32)> {
    (!items.is_empty()).then(|| (upload(device, label, items, BufferUsages::VERTEX), items.len() as u32))
}

fn upload<T: bytemuck::Pod>(device: &Device, label: &str, items: &[T], usage: BufferUsages) -> Buffer {
    let contents = bytemuck::cast_slice(items);
    device.create_buffer_init(&BufferInitDescriptor { label: Some(label), contents, usage })
}

fn bind(
    device: &Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

fn light_group(device: &Device, layouts: &Layouts, shadow_map: &TextureView) -> BindGroup {
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let resources = [wgpu::BindingResource::TextureView(shadow_map), wgpu::BindingResource::Sampler(&sampler)];
    bind(device, "light", &layouts.light, &resources)
}

pub(super) fn texture(
    device: &Device,
    label: &str,
    size: [u32; 2],
    sample_count: u32,
    format: TextureFormat,
    usage: wgpu::TextureUsages,
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

fn depth_attachment(
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
