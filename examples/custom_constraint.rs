//! A constraint kind of your own, from outside the crate: one WGSL function and its twin in Rust. Compliance, damping,
//! both solvers, forces and the scene's keys come by themselves. Run: `cargo run --example custom_constraint`

use std::error::Error;

use pliant::Plan;
use pliant::constraint::{Arity, Constraint, Real, RestValue, Symmetry, Vec3, kind};
use pliant::device::Gpu;
use pliant::scene::{self, Body, Scene};
use pliant::solver::Solver;

pliant::gpu_record! {
    /// One particle tied to a fixed point p: C = |x₀ - p| - L, ∂C/∂x₀ = (x₀ - p)/|x₀ - p|.
    pub struct Anchor {
        pub particles: u32,
        /// The fixed point p, m.
        pub x: f32,
        pub y: f32,
        pub z: f32,
        /// L, m.
        pub length: f32,
        pub material: u32,
    }
}

const fn metres(name: &'static str, signed: bool) -> RestValue {
    RestValue { name, unit: "m", signed }
}

impl Constraint for Anchor {
    const NAME: &'static str = "anchor";
    const WGSL: &'static str = include_str!("custom_constraint.wgsl");
    const ARITY: Arity = Arity::One;
    const REST: &'static [RestValue] =
        &[metres("x", true), metres("y", true), metres("z", true), metres("length", false)];
    const SYMMETRIES: &'static [Symmetry] = &[];

    fn record(particles: &[u32], rest: &[f32], material: u32) -> Self {
        Self { particles: particles[0], x: rest[0], y: rest[1], z: rest[2], length: rest[3], material }
    }
    /// What a scene leaves out: the particle is tied to where it is.
    fn measure(x: &[Vec3<f64>]) -> Vec<f64> {
        vec![x[0].x, x[0].y, x[0].z, 0.0]
    }
    #[inline(always)]
    fn evaluate<R: Real>(rest: &[R], _component: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        let (n, length) = (x[0] - Vec3::new(rest[0], rest[1], rest[2])).direction_and_length();
        gradient[0] = n;
        length - rest[3]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mass, compliance, gravity) = (2.0, 1e-2, 9.81);
    // 1 m below the origin, to which it is tied by a soft spring, damped a little more than critically.
    let anchor = scene::Constraint::new("anchor", [[0]]).compliance(compliance).damping(30.0);
    let anchor = anchor.rest("x", 0.0).rest("y", 0.0).rest("z", 0.0).rest("length", 1.0);
    let weight = Body::particles([[0.0, -1.0, 0.0]]).mass(mass).constrain(anchor);
    let mut scene = Scene::new("a weight on a spring").with(weight);
    scene.register(kind::<Anchor>());

    let model = scene.build()?.model;
    let plan = Plan::new(&model);
    let gpu = pollster::block_on(Gpu::open(None, Solver::required_limits(&plan)))?;
    let mut solver = Solver::new(&gpu.device, &model, &plan)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    (0..240).for_each(|_| solver.step(&mut encoder));
    let download = solver.download(&mut encoder);
    gpu.submit_and_wait(encoder.finish())?;
    let state = download.state().ok_or("the state did not arrive")?;

    let (stretch, exact) = (-1.0 - state.positions[0][1], mass * gravity * compliance);
    println!("the spring is stretched by {stretch:.5} m; m g α = {exact:.5} m");
    // What is left of the motion after 4 s is below e⁻²⁰ of the stretch; the rest is single precision at 1 m.
    assert!((stretch - exact).abs() < 1e-4 * exact, "{stretch} m in place of {exact} m");
    Ok(())
}
