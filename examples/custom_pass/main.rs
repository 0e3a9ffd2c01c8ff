//! Passes of your own, from outside the crate: a vortex that drags particles, and a count of those in a box, each in the
//! oracle, on the CPU and, with WGSL, on a GPU. Run: `cargo run --example custom_pass`

mod count;
mod vortex;

use std::error::Error;

use count::Count;
use pliant::cpu::Instructions;
use pliant::device::Gpu;
use pliant::pass::Pass;
use pliant::scene::{Body, Constraint, Scene};
use pliant::solver::Solver;
use pliant::{CpuSolver, Model, Plan, Reference};
use vortex::Vortex;

/// Turns once in 2 s about the y axis, and takes particles along within half a second.
static VORTEX: Vortex = Vortex { turn: std::f64::consts::PI, rate: 8.0 };
/// The box about the quarter in which both coordinates are positive, of each engine.
static COUNTS: [Count; 3] = [const { Count::new([0.0, -1.0, 0.0], [10.0, 1.0, 10.0]) }; 3];

const FRAMES: usize = 60;

/// A ring of particles at rest, 1 m from the axis, which rigid distances hold together, without gravity.
fn ring() -> Result<Model, Box<dyn Error>> {
    let angle = |i: i32| f64::from(i) / 100.0 * std::f64::consts::TAU;
    let places: Vec<[f64; 3]> = (0..100).map(|i| [angle(i).cos(), 0.0, angle(i).sin()]).collect();
    let neighbours = (0..100).map(|i| [i, (i + 1) % 100]);
    let ring = Body::particles(places).constrain(Constraint::new("distance", neighbours).compliance(0.0));
    let mut scene = Scene::new("a ring in a vortex").with(ring);
    scene.world.gravity = [0.0; 3];
    Ok(scene.build()?.model)
}

/// The mean speed along the circle, m/s.
fn speed(positions: &[[f64; 3]], velocities: &[[f64; 3]]) -> f64 {
    let along = |([x, _, z], [vx, _, vz]): (&[f64; 3], &[f64; 3])| (z * vx - x * vz) / x.hypot(*z);
    positions.iter().zip(velocities).map(along).sum::<f64>() / positions.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = ring()?;
    let plan = Plan::new(&model);
    let passes = |engine: usize| -> [&'static dyn Pass; 2] { [&VORTEX, &COUNTS[engine]] };

    let mut reference = Reference::with_passes(&model, &plan, &passes(0));
    (0..FRAMES).for_each(|_| reference.step());
    let oracle = reference.state();

    let mut solver = CpuSolver::with_passes(&model, &plan, 2, Instructions::detected(), &passes(1))?;
    (0..FRAMES).for_each(|_| solver.step());
    let cpu = solver.state();

    let gpu = pollster::block_on(Gpu::open(None, Solver::required_limits(&plan)))?;
    let mut solver = Solver::with_passes(&gpu.pipelines, &model, &plan, &passes(2))?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    (0..FRAMES).for_each(|_| solver.step(&mut encoder));
    let download = solver.download(&mut encoder);
    let count = COUNTS[2].read(&gpu.device, &mut encoder);
    gpu.submit_and_wait(encoder.finish())?;
    let device = download.state().ok_or("the state did not arrive")?;

    let counts = [COUNTS[0].last(), COUNTS[1].last(), count()];
    for ((name, state), count) in [("reference", oracle), ("cpu", cpu), ("gpu", device)].into_iter().zip(counts) {
        let speed = speed(&state.positions, &state.velocities);
        println!("{name}: the ring turns with {speed:.4} m/s; {count} of 100 particles are in the box");
        assert!((speed - VORTEX.turn).abs() < 0.05 * VORTEX.turn, "it should turn with {} m/s", VORTEX.turn);
        assert!((20..=30).contains(&count), "a quarter of the ring is in the box");
    }
    Ok(())
}
