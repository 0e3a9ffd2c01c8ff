//! The solver inside a host that has a device, an encoder and frames of its own, of varying length. Nothing blocks: what
//! the device reports is read when it has arrived. Run: `cargo run --example embed`

use std::error::Error;
use std::time::Duration;

use pliant::scene::{Body, Cloth, Collider, Grid, Scene};
use pliant::solver::{FixedStep, Solver};
use pliant::{Plan, wgpu};

/// At most so many steps in one frame of the host: beyond it the simulation slows down, and the host does not.
const MOST_STEPS: u32 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let grid = Grid { columns: 24, rows: 24, width: 1.0, height: 1.0 };
    let cloth = Body::cloth(Cloth::new(grid).stretch(1e-6)).mass(0.2).radius(0.01).friction(0.5);
    let ground = Collider::plane([0.0, 1.0, 0.0], -1.2).friction(0.5);
    let model = Scene::new("embedded").with(cloth.pin("top-left")).collider(ground).build()?.model;
    let plan = Plan::new(&model);

    // The host's own device. It only has to ask for the limits that the plan needs.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    let descriptor = wgpu::DeviceDescriptor { required_limits: Solver::required_limits(&plan), ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;

    let mut solver = Solver::new(&device, &model, &plan)?;
    let mut clock = FixedStep::new(solver.settings().frame_rate);
    let (mut passed, mut latest) = (0.0, None);
    for host_frame in 0..90 {
        // 7 ms mostly, 40 ms now and then: no step, one, or two or three before one submit.
        let seconds = if host_frame % 15 == 14 { 0.040 } else { 0.007 };
        passed += seconds;

        let mut encoder = device.create_command_encoder(&Default::default());
        for _ in 0..clock.advance(seconds, MOST_STEPS) {
            solver.step(&mut encoder);
        }
        solver.update_normals(&mut encoder);
        draw(&mut encoder, &solver);
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

    let known = latest.ok_or("no status arrived in 90 frames")?;
    println!("{passed:.3} s passed, {:.3} s were simulated in {} steps", solver.seconds(), solver.frame());
    println!("the last known status is of step {}, with {} contacts", known.frame, known.contacts);
    // Whole steps of 1/60 s: less than one is left over.
    assert!((0.0..1.0 / 60.0 + 1e-9).contains(&(passed - solver.seconds())));
    Ok(())
}

/// Where a host records its render pass: it binds these buffers as they are, and nothing is copied.
fn draw(_encoder: &mut wgpu::CommandEncoder, solver: &Solver) {
    let (_vertices, _normals, _triangles) = (solver.positions(), solver.normals(), solver.indices());
}
