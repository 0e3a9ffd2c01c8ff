//! The solver inside a renderer that has a device, an encoder, a pipeline and frames of its own, of varying length. It draws the
//! solver's buffers where they lie: nothing is copied, nothing waits. Run: `cargo run --example embed`

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use pliant::export::picture::write_png;
use pliant::render::Offscreen;
use pliant::scene::{Body, Cloth, Grid, Scene};
use pliant::solver::{FixedStep, Solver};
use pliant::{Engine, Plan, wgpu};

/// At most so many steps in one frame of the host: beyond it the simulation slows down, and the host does not.
const MOST_STEPS: u32 = 4;

/// The host's own shader: a fixed camera, and light from both sides of the cloth.
const SHADER: &str = "
struct Vertex { @builtin(position) clip: vec4f, @location(0) normal: vec3f }
@vertex fn vertex(@location(0) x: vec4f, @location(1) normal: vec4f) -> Vertex {
    return Vertex(vec4f(x.x - 0.2 * x.z, 1.3 * x.y + 0.65 + 0.2 * x.z, 0.5, 1.0), normal.xyz);
}
@fragment fn fragment(in: Vertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let light = abs(dot(normalize(in.normal), normalize(vec3f(0.8, 0.5, 0.5))));
    return vec4f(select(vec3f(0.1, 0.3, 0.6), vec3f(0.8, 0.2, 0.1), front) * (0.2 + 0.8 * light), 1.0);
}";

fn main() -> Result<(), Box<dyn Error>> {
    let grid = Grid { columns: 48, rows: 32, width: 1.5, height: 1.0 };
    let flag = Body::cloth(Cloth::new(grid).stretch(1e-6).shear(1e-4).bend(1e-2)).mass(0.25).air(1.1, 1.1).pin("left");
    let mut scene = Scene::new("embedded").with(flag);
    scene.world.wind = [9.0, 0.0, 1.5];
    let model = scene.build()?.model;
    let plan = Plan::new(&model);

    // The host's own device. It only has to ask for the limits that the plan needs, and may for those that make it faster.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let required_limits = Solver::useful_limits(&plan, &adapter.limits());
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;

    let mut solver = Solver::new(&device, &model, &plan)?;
    let indices = 3 * model.bodies.iter().map(|body| body.triangles.len() as u32).sum::<u32>();
    let pipeline = pipeline(&device);
    let target = Offscreen::new(&device, [640, 480])?; // a window's frame, in a host that has one
    let mut clock = FixedStep::new(solver.settings().frame_rate);
    let (mut passed, mut latest) = (0.0, None);
    for host_frame in 0..120 {
        // 7 ms mostly, 40 ms now and then: no step, one, or two or three before one submit.
        let seconds = if host_frame % 15 == 14 { 0.040 } else { 0.007 };
        passed += seconds;

        let mut encoder = device.create_command_encoder(&Default::default());
        for _ in 0..clock.advance(seconds, MOST_STEPS) {
            solver.step(&mut encoder);
        }
        solver.update_normals(&mut encoder);
        draw(&mut encoder, &pipeline, &solver, indices, target.view());
        queue.submit([encoder.finish()]);

        // Hands out what has arrived, and does not wait for the rest.
        device.poll(wgpu::PollType::Poll)?;
        latest = solver.status().or(latest);
        if let Some(status) = latest.filter(|status| !status.is_good()) {
            return Err(format!("the simulation blew up by frame {}: {status:?}", status.frame).into());
        }
        // In place of presenting, which paces a host.
        std::thread::sleep(Duration::from_secs_f64(seconds));
    }

    let known = latest.ok_or("no status arrived in 120 frames")?;
    println!("{passed:.3} s passed, {:.3} s were simulated in {} steps", solver.seconds(), solver.frame());
    println!("the last known status is of step {}", known.frame);
    // Whole steps of 1/60 s: less than one is left over.
    assert!((0.0..1.0 / 60.0 + 1e-9).contains(&(passed - solver.seconds())));

    // Only to show it: a host presents its picture.
    let mut encoder = device.create_command_encoder(&Default::default());
    let download = target.download(&device, &mut encoder);
    queue.submit([encoder.finish()]);
    let (sender, receiver) = std::sync::mpsc::channel();
    download.read(move |picture| drop(sender.send(picture)));
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let picture = receiver.try_recv()??;
    write_png(Path::new("out/embed.png"), picture.width, picture.height, &picture.rgba)?;
    println!("the last frame is in out/embed.png");
    Ok(())
}

/// A pipeline whose vertices are the solver's: positions and normals, a vec4 each.
fn pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let source = wgpu::ShaderSource::Wgsl(SHADER.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let (positions, normals) = (wgpu::vertex_attr_array![0 => Float32x4], wgpu::vertex_attr_array![1 => Float32x4]);
    let step_mode = wgpu::VertexStepMode::Vertex;
    let layout = |attributes| Some(wgpu::VertexBufferLayout { array_stride: 16, step_mode, attributes });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("host"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[layout(&positions), layout(&normals)],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(Offscreen::FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The host's render pass: it binds the solver's buffers as they are.
fn draw(
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::RenderPipeline,
    solver: &Solver,
    indices: u32,
    view: &wgpu::TextureView,
) {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("host"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::WHITE), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    pass.set_vertex_buffer(0, solver.positions().slice(..));
    pass.set_vertex_buffer(1, solver.normals().slice(..));
    pass.set_index_buffer(solver.indices().slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..indices, 0, 0..1);
}
