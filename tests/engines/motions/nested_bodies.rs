//! Levels over what moves, changes, touches and is no sheet.

use pliant::measure::Measurement;
use pliant::model::Settings;
use pliant::scene::{Body, Cloth, Collider, Grid, Scene};

use crate::device::Running;
use crate::proof;

/// A cloth with levels falls over a ball onto the ground and comes to rest there: nothing trembles, and nothing is inside.
#[test]
fn cloth_drapes() {
    let grid = Grid { columns: 48, rows: 48, width: 1.2, height: 1.2 };
    let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-2);
    let half = 0.5_f64.sqrt();
    let body = Body {
        rotation: [half, 0.0, 0.0, half],
        friction: 0.5,
        // Its middle over the ball.
        ..Body::cloth(cloth).mass(0.3).position([0.0, 0.75, 0.6])
    };
    let body = Body { damping: 1.0, radius: Some(0.005), ..body };
    let settings = Settings { substeps: 5, nested: Some(true), ..Settings::default() };
    let rough = |collider: Collider| Collider { friction: 0.5, ..collider };
    let scene = Scene::new("drape").settings(settings).with(body);
    let scene = scene
        .collider(rough(Collider::sphere(0.3).position([0.0, 0.3, 0.0])))
        .collider(rough(Collider::plane([0.0, 1.0, 0.0], 0.0)));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let mut running = Running::new(&model);
    // What hangs down swings for some seconds.
    let draped = running.run(400);
    let top = draped.positions.iter().map(|x| x[1]).fold(0.0, f64::max);
    assert!((0.6..0.61).contains(&top), "its top is at {top} m, and not on the ball");
    let (mut energy, mut inside) = (0.0_f64, 0.0_f64);
    for _ in 0..6 {
        let state = running.run(5);
        energy = energy.max(Measurement::of(&model, &state).kinetic_energy_j);
        for [x, y, z] in &state.positions {
            let ball = 0.305 - (x * x + (y - 0.3).powi(2) + z * z).sqrt();
            inside = inside.max(ball).max(0.005 - y);
        }
    }
    // As fast as 3 mm/s on the mean.
    proof::row("a cloth with levels draped over a ball: kinetic energy at rest", "none", energy, 0.5 * 0.3 * 9e-6, "J");
    proof::row("how far it is inside the ball or the ground", "nowhere", inside, 1e-4, "m");
}
