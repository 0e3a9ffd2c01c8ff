//! Cloth folds under levels as without them.

use pliant::measure::Measurement;
use pliant::model::{Model, Settings};
use pliant::scene::{Body, Cloth, Grid, Pin, Scene};

use crate::device::Running;
use crate::proof;

/// A sheet of 1 m and 1 kg, level between two of its edges, which come together within two seconds from 1 m to 0.1 m.
fn brought_together(nested: bool, substeps: u32) -> Model {
    let grid = Grid { columns: 32, rows: 32, width: 1.0, height: 1.0 };
    let cloth = Cloth::new(grid).stretch(1e-8).shear(1e-6).bend(1e-2);
    let edge = |name: &str, way: f64| Pin::from(name).keyframes([(0.2, [0.0; 3]), (2.2, [way, 0.0, 0.0])]);
    let lying = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];
    let body = Body::cloth(cloth).mass(1.0).rotation(lying).damping(3.0);
    let body = body.pin(edge("left", 0.45)).pin(edge("right", -0.45));
    let settings = Settings { substeps, nested: Some(nested), ..Settings::default() };
    Scene::new("fold").settings(settings).with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// What a sheet has lost of its energy after four seconds, J.
fn lost(model: &Model) -> f64 {
    let measurement = Measurement::of(model, &Running::new(model).run(240));
    assert!(measurement.kinetic_energy_j < 1e-3, "it moves with {} J", measurement.kinetic_energy_j);
    -measurement.gravity_energy_j
}

/// A sheet whose edges come together hangs folded between them, as deep with levels as by 200 plain substeps. (What falls in a heap cannot be compared so:
/// docs/design/levels.md.)
#[test]
fn cloth_folds_as_its_edges_come_together() {
    let plain = lost(&brought_together(false, 200));
    for substeps in [5, 10] {
        let claim =
            format!("a sheet brought together, with levels at {substeps} substeps: energy at rest below its edges");
        proof::relative(&claim, "200 plain substeps", lost(&brought_together(true, substeps)), plain, 0.02);
    }
}
