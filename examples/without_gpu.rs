//! The engine on the CPU, built without wgpu. Run: `cargo run --example without_gpu --no-default-features --features cpu`

use std::error::Error;

use pliant::scene::{Body, Cloth, Collider, Grid, Scene};
use pliant::{CpuSolver, Engine, Plan};

fn main() -> Result<(), Box<dyn Error>> {
    // A cloth of 1 m by 1 m that falls over a ball; frames of 1/60 s.
    let grid = Grid { columns: 48, rows: 48, width: 1.0, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-6).shear(1e-5).bend(1e-2);
    let flat = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let cloth = Body::cloth(cloth).mass(0.2).radius(0.01).rotation(flat).position([0.0, 0.8, 0.5]);
    let scene = Scene::new("without a GPU").with(cloth).collider(Collider::sphere(0.3).position([0.0, 0.3, 0.0]));

    let model = scene.build()?.model;
    // On all cores, with the same bits for any number of them.
    let mut solver = CpuSolver::new(&model, &Plan::new(&model))?;
    for _ in 0..60 {
        solver.step();
    }
    let state = solver.state();
    let contacts = solver.contacts();
    let borne: f64 = contacts.iter().map(|contact| contact.force * contact.normal[1] + contact.friction[1]).sum();
    println!(
        "after {:.1} s {} particles press on the ball, which bears {borne:.2} N of {:.2} N",
        state.seconds,
        contacts.len(),
        0.2 * 9.81
    );

    assert!(solver.status().is_some_and(|status| status.is_good()));
    assert!(!contacts.is_empty(), "the cloth missed the ball");
    Ok(())
}
