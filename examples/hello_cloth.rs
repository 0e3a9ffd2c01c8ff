//! A cloth from the builder, half a second on the best adapter, and where it hangs then. Run: `cargo run --example hello_cloth`

use std::error::Error;

use pliant::Plan;
use pliant::device::Gpu;
use pliant::scene::{Body, Cloth, Grid, Scene};
use pliant::solver::Solver;

fn main() -> Result<(), Box<dyn Error>> {
    // What there is: a cloth of 1 m by 1 m and 0.2 kg, held by two corners. Compliances are in m/N.
    let grid = Grid { columns: 32, rows: 32, width: 1.0, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-6).shear(1e-5).bend(1e-2);
    let scene = Scene::new("hello").with(Body::cloth(cloth).mass(0.2).pin("top-left").pin("top-right"));

    // Checked and in plain numbers, then ordered and coloured for a device.
    let model = scene.build()?.model;
    let plan = Plan::new(&model);

    // The solver takes any device that is large enough; this helper opens one.
    let gpu = pollster::block_on(Gpu::open(None, Solver::required_limits(&plan)))?;
    let mut solver = Solver::new(&gpu.device, &model, &plan)?;

    // Thirty frames of 1/60 s, and the state after them, in one submit.
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    for _ in 0..30 {
        solver.step(&mut encoder);
    }
    let download = solver.download(&mut encoder);
    gpu.submit_and_wait(encoder.finish())?;
    let state = download.state().ok_or("the state did not arrive")?;

    let lowest = state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
    println!("{} particles after {:.2} s: the lowest is at y = {lowest:.3} m", model.particles.len(), state.seconds);

    // It cannot hang higher than it is long, nor stretch by a tenth under its own weight.
    assert!((-1.1..=-0.99).contains(&lowest), "the cloth hangs at {lowest} m");
    Ok(())
}
