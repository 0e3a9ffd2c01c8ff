//! Records a frame's draws.

use glam::DVec3;
use wgpu::{BindGroup, Buffer, BufferUsages, CommandEncoder, Device, RenderPass, TextureFormat, TextureView};

use super::RenderError;
use super::camera::{self, Camera};
use super::crowd;
use super::drawing::{Drawing, Standing, Surroundings};
use super::element_heat::ElementHeat;
use super::frame::{Frame, SHADOW_SIZE, Views};
use super::gpu::{List, bind, colour_attachment, depth_attachment, texture, upload, whole};
use super::heat::{self, Heat};
use super::liquid::{Liquid, LiquidMaps, SunMaps};
use super::lists;
use super::look::{Colour, Constraints, Look};
use super::occlusion::{Maps, Occlusion};
use super::pipelines::{Bodies, DEPTH_FORMAT, Layouts, Pipelines, SAMPLES};
use super::strands::{Point, VERTICES};
use crate::gpu::skin;
use crate::model::{Collider, Material, Mode, Model, State};
use crate::plan::Plan;
use crate::solver::gpu::Solver;

/// The solver's buffers that a frame is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// `array<vec4f>`, one per slot and then one per vertex of a skin: position in m, inverse mass. Usages: vertex,
    /// storage.
    pub positions: &'a Buffer,
    /// `array<vec4f>`, as the positions: unit normal, and how flat the surface is there, as [`Solver::normals`] has
    /// them; or zero, where the triangles' own are taken. Usage: vertex. Read only if a body has triangles.
    pub normals: &'a Buffer,
    /// `array<u32>`: the triangles of all bodies of the model, one body after another, then those of skins, as slots.
    /// Usage: index. Read only if a body has triangles.
    pub indices: &'a Buffer,
    /// `array<vec3f>`, 16 bytes per slot: the way of a substep, u = h v, in m. Usage: storage.
    pub velocities: &'a Buffer,
}

impl<'a> Surface<'a> {
    /// What a solver has to be drawn from, its normals as of the last [`Solver::update_normals`].
    pub fn of(solver: &'a Solver) -> Self {
        Self {
            positions: solver.positions(),
            normals: solver.normals(),
            indices: solver.indices(),
            velocities: solver.velocities(),
        }
    }
}

/// One picture to draw.
#[derive(Clone, Copy, Debug)]
pub struct Shot<'a> {
    /// Overwritten wholly. Its format is the renderer's; usage: render attachment.
    pub target: &'a TextureView,
    /// Width and height of the target, pixels. If one is 0 nothing is drawn.
    pub size: [u32; 2],
    /// Where from. Its aspect is that of `size`.
    pub camera: Camera,
    /// Simulated time, for colliders that move, s.
    pub seconds: f64,
    /// The bodies as they are, or the numbers behind them.
    pub look: Look,
    /// Length h of the substep that [`Surface::velocities`] are the ways of, s.
    pub substep_seconds: f64,
    /// Leaves out the sky and planes, so that the picture can be laid over another: alpha is then the share of a pixel
    /// that is covered, and colours are multiplied by it: in linear light, if the target is of an sRGB format.
    pub transparent: bool,
}

/// Draws one model. Made once for a model and a colour format; follows the target's size by itself.
pub struct Renderer {
    drawing: Drawing,
    colliders: Vec<Collider>,
    up: DVec3,
    colour_format: TextureFormat,
    layouts: Layouts,
    pipelines: Pipelines,
    heat: Heat,
    occlusion: Occlusion,
    /// Where the model has fluids.
    liquid: Option<Liquid>,
    sun_maps: SunMaps,
    styles: Buffer,
    palette: Buffer,
    /// Place of each slot, and each vertex of a skin, in its body's material, m.
    material: Buffer,
    particles: u32,
    points: List,
    links: List,
    ribbons: List,
    /// The triangles of each shape of [`Drawing::solids`].
    shapes: Vec<Buffer>,
    optional: Optional,
    shadow_map: TextureView,
    targets: Option<Targets>,
}

/// Lists that only some looks need, uploaded when one is first drawn.
#[derive(Default)]
struct Optional {
    edges: Option<List>,
    balls: Option<List>,
    drops: Option<List>,
    springs: Option<List>,
}

/// What depends on the picture's size.
struct Targets {
    size: [u32; 2],
    colour: TextureView,
    depth: TextureView,
    maps: Maps,
    /// Where the model has fluids.
    liquid: Option<LiquidMaps>,
    /// The shadow map, the openness to the sky, and the liquid between a place and the sun.
    light: BindGroup,
}

/// What is bound or streamed during one frame.
struct FrameResources<'a> {
    surface: Surface<'a>,
    look: Look,
    camera: BindGroup,
    sun: BindGroup,
    particles: BindGroup,
    balls: List,
    containers: List,
    grounds: List,
    /// Instances of the shapes.
    solids: Buffer,
}

impl Renderer {
    /// `plan` is that of the model and of the solver whose buffers will be drawn. `colour_format` is that of the views
    /// it will draw to.
    ///
    /// # Errors
    /// If the device was opened with limits too small for the scene's particles, or the shader of an element's kind
    /// from outside does not compile.
    pub fn new(device: &Device, model: &Model, plan: &Plan, colour_format: TextureFormat) -> Result<Self, RenderError> {
        check_limits(device, model, plan)?;
        let drawing = Drawing::new(model, plan);
        let layouts = Layouts::new(device);
        let elements = ElementHeat::new(device, &layouts.frame, model, &drawing.elements)?;
        let places = lists::material_places(model, &plan.slot_of);
        let shadow_usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        Ok(Self {
            colliders: model.colliders.clone(),
            up: DVec3::from(camera::up(&model.world)),
            colour_format,
            pipelines: Pipelines::new(device, &layouts, colour_format),
            heat: Heat::new(device, &layouts.frame, plan.slot_of.len(), elements, &skin(model, plan)),
            occlusion: Occlusion::new(device, &layouts.frame),
            liquid: (drawing.spacing > 0.0).then(|| {
                let is_murky = |drop: &&Point| drawing.styles[drop.style as usize].clear == 0.0;
                let murky: Vec<Point> = drawing.drops.iter().filter(is_murky).copied().collect();
                Liquid::new(device, &layouts, colour_format, &drawing.drops, &murky)
            }),
            sun_maps: SunMaps::new(device, drawing.spacing > 0.0),
            styles: upload(device, "styles", &drawing.styles, BufferUsages::STORAGE),
            palette: heat::palette(device),
            material: upload(device, "material", &places, BufferUsages::VERTEX),
            particles: plan.slot_of.len() as u32,
            points: List::new(device, "points", &drawing.strands.points),
            links: List::new(device, "links", &drawing.strands.links),
            ribbons: List::new(device, "ribbons", &drawing.strands.ribbons),
            shapes: (drawing.solids.shapes.iter())
                .map(|corners| upload(device, "shape", corners, BufferUsages::VERTEX))
                .collect(),
            optional: Optional::default(),
            shadow_map: texture(device, "shadow_map", [SHADOW_SIZE; 2], 1, DEPTH_FORMAT, shadow_usage),
            targets: None,
            layouts,
            drawing,
        })
    }

    /// From the next picture on, draws no link whose constraint has broken in this state, shows stretch by the rest
    /// lengths in effect in it, and lines and balls of torn surfaces where they are. `model` and `plan` are those that
    /// the renderer was made for; the empty state is that of the beginning.
    pub fn follow(&mut self, device: &Device, model: &Model, plan: &Plan, state: &State) {
        let breakable = model.materials.iter().any(|material| material.break_force.is_some());
        if (breakable || model.tearing.is_some()) && self.drawing.follow(model, plan, state) {
            self.points = List::new(device, "points", &self.drawing.strands.points);
            self.links = List::new(device, "links", &self.drawing.strands.links);
            self.ribbons = List::new(device, "ribbons", &self.drawing.strands.ribbons);
            self.optional = Optional::default();
            self.heat.elements.iter_mut().for_each(ElementHeat::clear);
            if let Some(torn) = &state.torn {
                let mut places = lists::material_places(model, &plan.slot_of);
                lists::tear_material(model, torn, &plan.slot_of, &mut places);
                self.material = upload(device, "material", &places, BufferUsages::VERTEX);
            }
        }
        if model.materials.iter().any(Material::changes_rest) {
            self.drawing.take_rest(model, plan, state);
            self.optional.springs = None;
        }
    }

    /// From the next picture on, shows stress by these materials of the model and in this mode: for hosts that change
    /// them while a solver runs. The scale stays.
    pub fn set_materials(&mut self, device: &Device, mode: Mode, materials: &[Material]) {
        if let Some(elements) = &mut self.heat.elements {
            elements.set_materials(device, mode, materials);
        }
    }

    /// From the next picture on, shows colliders where these are and how they turn, one for each of the model's: those
    /// of a solver whose host moves them.
    pub fn set_colliders(&mut self, colliders: &[Collider]) {
        for (shown, collider) in self.colliders.iter_mut().zip(colliders) {
            *shown = Collider { shape: shown.shape.clone(), ..collider.clone() };
        }
    }

    /// What the end of a colour's scale stands for in this model, in the unit of the colour; `None` where bodies keep
    /// their own colours, as there is no such number: strain and stress are of elements. It stays as long as the
    /// renderer does.
    pub fn full(&self, colour: Colour) -> Option<f64> {
        self.heat.full(colour)
    }

    /// `array<f32>`, one per slot: the heats of the last picture whose [`Look::colour`] showed any, from 0 to 1; below
    /// 0 where a particle has none. Usages: storage, vertex, copy source.
    pub fn heats(&self) -> &Buffer {
        &self.heat.values
    }

    /// Records a picture of the scene. Several may be recorded before one submit.
    pub fn draw(&mut self, device: &Device, encoder: &mut CommandEncoder, surface: Surface, shot: &Shot) {
        if shot.size.contains(&0) {
            return;
        }
        let mut look = shot.look;
        if self.heat.full(look.colour).is_none() {
            look.colour = Colour::Body;
        }
        let shot = &Shot { look, ..*shot };
        self.prepare(device, shot);
        let Some(targets) = &self.targets else { return };
        let views = Views::new(shot, self.up, self.drawing.scale, !self.colour_format.is_srgb());
        let liquid = self.liquid.as_ref().zip(targets.liquid.as_ref()).filter(|_| look.shows_liquid());
        let views = if liquid.is_some() { views.with_liquid(self.drawing.spacing) } else { views };
        let around = Surroundings { origin: views.origin, up: self.up, reach: views.reach, with_stage: look.stage };
        let standing = self.drawing.standing(&self.colliders, shot.seconds, &around);
        let frame = self.frame_resources(device, &views, &standing, surface, shot.look);
        let springs = self.optional.springs.as_ref();
        self.heat.record(device, encoder, &frame.camera, surface, springs, look.colour);
        self.draw_shadows(encoder, &frame);
        self.draw_prepass(encoder, &frame, &targets.maps);
        self.occlusion.record(encoder, &frame.camera, &targets.maps);
        match liquid {
            Some((liquid, maps)) => {
                liquid.record_shapes(device, encoder, &frame.camera, surface);
                self.draw_with_liquid(encoder, shot, &frame, targets, liquid, maps);
            }
            None => self.draw_picture(encoder, shot, &frame, targets),
        }
    }

    /// Makes what the shot's size and look need and is not there yet.
    fn prepare(&mut self, device: &Device, shot: &Shot) {
        if self.targets.as_ref().is_none_or(|targets| targets.size != shot.size) {
            self.targets = Some(self.make_targets(device, shot.size));
        }
        let (look, drawing, optional) = (shot.look, &self.drawing, &mut self.optional);
        if look.wireframe {
            optional.edges.get_or_insert_with(|| List::new(device, "edges", &drawing.edges));
        }
        if look.balls {
            optional.balls.get_or_insert_with(|| List::new(device, "surface balls", &drawing.balls));
        }
        if !look.shows_liquid() {
            optional.drops.get_or_insert_with(|| List::new(device, "drops", &drawing.drops));
        }
        if look.colour == Colour::Stretch || look.constraints != Constraints::Hidden {
            optional.springs.get_or_insert_with(|| List::new(device, "springs", &drawing.springs));
        }
        if let (Colour::Strain | Colour::Stress, Some(elements)) = (look.colour, &mut self.heat.elements) {
            elements.prepare(device, &drawing.elements);
        }
    }

    fn make_targets(&self, device: &Device, size: [u32; 2]) -> Targets {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let of_depth = if self.liquid.is_some() { usage | wgpu::TextureUsages::TEXTURE_BINDING } else { usage };
        let depth = texture(device, "depth", size, SAMPLES, DEPTH_FORMAT, of_depth);
        let maps = self.occlusion.maps(device, size);
        Targets {
            size,
            colour: texture(device, "picture", size, SAMPLES, self.colour_format, usage),
            liquid: self.liquid.as_ref().map(|liquid| liquid.maps(device, size, self.colour_format, &depth)),
            light: light_group(device, &self.layouts, &self.shadow_map, &maps.openness, &self.sun_maps),
            depth,
            maps,
        }
    }

    fn frame_resources<'a>(
        &self,
        device: &Device,
        views: &Views,
        standing: &Standing,
        surface: Surface<'a>,
        look: Look,
    ) -> FrameResources<'a> {
        // New buffers each frame: several frames may be recorded before one is submitted.
        let view = |frame: &Frame| {
            let buffer = upload(device, "frame", &[*frame], BufferUsages::UNIFORM);
            let resources = [&buffer, &self.styles, &self.palette].map(whole);
            bind(device, "frame", &self.layouts.frame, &resources)
        };
        let particles = [surface.positions, &self.heat.values, surface.velocities].map(whole);
        FrameResources {
            surface,
            look,
            camera: view(&views.camera),
            sun: view(&views.sun),
            particles: bind(device, "particles", &self.layouts.particles, &particles),
            balls: List::new(device, "balls", &standing.balls),
            containers: List::new(device, "containers", &standing.containers),
            grounds: List::new(device, "grounds", &standing.grounds),
            solids: upload(device, "solids", &standing.solids, BufferUsages::VERTEX),
        }
    }

    fn draw_shadows(&self, encoder: &mut CommandEncoder, frame: &FrameResources) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadows"),
            depth_stencil_attachment: Some(depth_attachment(&self.shadow_map, 1.0, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &frame.sun, &[]);
        self.draw_bodies(&mut pass, &self.pipelines.shadow, frame);
        if let Some(liquid) = self.liquid.as_ref().filter(|_| frame.look.shows_liquid()) {
            liquid.murky.draw(&mut pass, &self.pipelines.shadow.point);
        }
    }

    fn draw_prepass(&self, encoder: &mut CommandEncoder, frame: &FrameResources, maps: &Maps) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("prepass"),
            color_attachments: &[colour_attachment(&maps.normal, None)],
            depth_stencil_attachment: Some(depth_attachment(&maps.depth, 0.0, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &frame.camera, &[]);
        self.draw_bodies(&mut pass, &self.pipelines.prepass, frame);
        frame.grounds.draw(&mut pass, &self.pipelines.ground_prepass);
    }

    fn draw_picture(&self, encoder: &mut CommandEncoder, shot: &Shot, frame: &FrameResources, targets: &Targets) {
        let mut pass = begin_picture(encoder, shot, targets, shot.target, true);
        self.draw_opaque(&mut pass, shot, frame, targets);
        self.draw_over(&mut pass, frame);
    }

    /// The picture in two passes: what is opaque, and the liquid with all that lies over it.
    fn draw_with_liquid(
        &self,
        encoder: &mut CommandEncoder,
        shot: &Shot,
        frame: &FrameResources,
        targets: &Targets,
        liquid: &Liquid,
        maps: &LiquidMaps,
    ) {
        liquid.record_sun(encoder, &frame.sun, &self.sun_maps);
        self.draw_opaque(&mut begin_picture(encoder, shot, targets, &maps.behind, true), shot, frame, targets);
        let entries = &liquid.entries;
        let has_containers =
            !frame.containers.parts.is_empty() || self.drawing.solids.runs.iter().any(|run| run.inside);
        let containers = |pass: &mut RenderPass| {
            frame.containers.draw(pass, &entries.ball_exit);
            self.draw_solids(pass, &entries.solid_exit, frame, true);
            frame.containers.draw(pass, &entries.ball_entry);
            self.draw_solids(pass, &entries.solid_entry, frame, true);
        };
        liquid.record_entries(encoder, &frame.camera, maps, has_containers.then_some(containers));
        liquid.record(encoder, &frame.camera, maps);
        let mut pass = begin_picture(encoder, shot, targets, shot.target, false);
        pass.set_bind_group(0, &frame.camera, &[]);
        pass.set_bind_group(1, &targets.light, &[]);
        liquid.draw(&mut pass, maps);
        pass.set_bind_group(2, &frame.particles, &[]);
        self.draw_over(&mut pass, frame);
    }

    /// All that hides what is behind it, and the far sides of glass.
    fn draw_opaque(&self, pass: &mut RenderPass, shot: &Shot, frame: &FrameResources, targets: &Targets) {
        pass.set_bind_group(0, &frame.camera, &[]);
        pass.set_bind_group(1, &targets.light, &[]);
        let pipelines = &self.pipelines;
        if shot.transparent {
            self.draw_bodies(pass, &pipelines.picture, frame);
            pass.set_pipeline(&pipelines.cover);
            pass.draw(0..3, 0..1);
        } else {
            pass.set_pipeline(&pipelines.background);
            pass.draw(0..3, 0..1);
            self.draw_bodies(pass, &pipelines.picture, frame);
            frame.grounds.draw(pass, &pipelines.ground);
        }
        frame.containers.draw(pass, &pipelines.glass_far);
        self.draw_solids(pass, &pipelines.solid_glass_far, frame, true);
    }

    /// Lines, and the near sides of glass.
    fn draw_over(&self, pass: &mut RenderPass, frame: &FrameResources) {
        self.draw_lines(pass, frame);
        frame.containers.draw(pass, &self.pipelines.glass_near);
        self.draw_solids(pass, &self.pipelines.solid_glass_near, frame, true);
    }

    fn draw_bodies(&self, pass: &mut RenderPass, pipelines: &Bodies, frame: &FrameResources) {
        pass.set_bind_group(2, &frame.particles, &[]);
        if frame.look.balls {
            self.optional.balls.iter().for_each(|balls| balls.draw(pass, &pipelines.point));
        } else {
            self.draw_meshes(pass, &pipelines.surface, frame.surface);
        }
        self.links.draw_each(pass, &pipelines.link, VERTICES);
        self.ribbons.draw_each(pass, &pipelines.ribbon, VERTICES);
        self.points.draw(pass, &pipelines.point);
        if !frame.look.shows_liquid() {
            self.optional.drops.iter().for_each(|drops| drops.draw(pass, &pipelines.point));
        }
        frame.balls.draw(pass, &pipelines.collider);
        self.draw_solids(pass, &pipelines.solid, frame, false);
    }

    /// Those that are containers, or those that are not.
    fn draw_solids(
        &self,
        pass: &mut RenderPass,
        pipeline: &wgpu::RenderPipeline,
        frame: &FrameResources,
        inside: bool,
    ) {
        let solids = &self.drawing.solids;
        for run in solids.runs.iter().filter(|run| run.inside == inside) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.shapes[run.shape].slice(..));
            pass.set_vertex_buffer(1, frame.solids.slice(..));
            pass.draw(0..solids.shapes[run.shape].len() as u32, run.instances.clone());
        }
    }

    fn draw_meshes(&self, pass: &mut RenderPass, pipeline: &wgpu::RenderPipeline, surface: Surface) {
        if self.drawing.meshes.is_empty() {
            return;
        }
        pass.set_pipeline(pipeline);
        let buffers = [surface.positions, surface.normals, &self.material, &self.heat.values];
        for (slot, buffer) in (0..).zip(buffers) {
            pass.set_vertex_buffer(slot, buffer.slice(..));
        }
        pass.set_index_buffer(surface.indices.slice(..), wgpu::IndexFormat::Uint32);
        for mesh in &self.drawing.meshes {
            // `surface.wgsl` finds the style and the side in the instance.
            pass.draw_indexed(mesh.indices.clone(), 0, 2 * mesh.style..2 * mesh.style + mesh.layers);
        }
    }

    /// Lines over the bodies, by the look.
    fn draw_lines(&self, pass: &mut RenderPass, frame: &FrameResources) {
        let (look, optional, pipelines) = (frame.look, &self.optional, &self.pipelines);
        if look.wireframe {
            optional.edges.iter().for_each(|edges| edges.draw(pass, &pipelines.edge));
        }
        if look.constraints != Constraints::Hidden {
            optional.springs.iter().for_each(|springs| springs.draw(pass, &pipelines.constraint));
        }
        if look.velocities {
            pass.set_pipeline(&pipelines.velocity);
            pass.draw(0..4, 0..self.particles);
        }
    }
}

/// The particles are read through a binding, which must hold them all.
fn check_limits(device: &Device, model: &Model, plan: &Plan) -> Result<(), RenderError> {
    let available = device.limits().max_storage_buffer_binding_size;
    let particles = ((plan.slot_of.len() + plan.skin_vertices as usize) * size_of::<[f32; 4]>()) as u64;
    let drops = model.fluids.iter().map(|fluid| fluid.particles.len()).sum();
    let needed = particles.max(crowd::largest_bytes(drops));
    match needed > available {
        true => Err(RenderError::TooLarge { limit: "max_storage_buffer_binding_size", needed, available }),
        false => Ok(()),
    }
}

/// Begins a pass over the picture with its samples, the first, or one over what is there already, for another to follow
/// or not.
fn begin_picture<'a>(
    encoder: &'a mut CommandEncoder,
    shot: &Shot,
    targets: &Targets,
    resolved: &TextureView,
    first: bool,
) -> RenderPass<'a> {
    let last = std::ptr::eq(resolved, shot.target);
    let store = if last { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    let mut colour = colour_attachment(&targets.colour, Some(resolved));
    let mut depth = depth_attachment(&targets.depth, 0.0, store);
    if let Some(colour) = &mut colour {
        colour.ops.store = store;
        if shot.transparent {
            colour.ops.load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        }
        if !first {
            colour.ops.load = wgpu::LoadOp::Load;
        }
    }
    if let (false, Some(operations)) = (first, &mut depth.depth_ops) {
        operations.load = wgpu::LoadOp::Load;
    }
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[colour],
        depth_stencil_attachment: Some(depth),
        ..Default::default()
    })
}

fn light_group(
    device: &Device,
    layouts: &Layouts,
    shadow_map: &TextureView,
    openness: &TextureView,
    sun: &SunMaps,
) -> BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let filter = wgpu::FilterMode::Linear;
    let comparing = device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow"),
        mag_filter: filter,
        min_filter: filter,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let plain = device.create_sampler(&wgpu::SamplerDescriptor { label: Some("blockers"), ..Default::default() });
    let maps = [openness, &sun.columns, &sun.fronts].map(TextureView);
    let resources: Vec<_> =
        [TextureView(shadow_map), Sampler(&comparing), Sampler(&plain)].into_iter().chain(maps).collect();
    bind(device, "light", &layouts.light, &resources)
}
