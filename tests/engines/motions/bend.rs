//! Kinds of shape: hinges and creases that come back, strips that sag by their compliance, triangles that keep their area.

use pliant::scene::{Bend, Body, Cloth, Grid, Mesh, Scene, Select};

use crate::device::run;
use crate::proof;

/// How far a strip of cloth, clamped at one end and level, sags under its own small weight, m.
fn sag(compliance: f64) -> f64 {
    let grid = Grid { columns: 6, rows: 3, width: 0.2, height: 0.04 };
    let bend = Some(Bend { kind: "dihedral".into(), compliance });
    let cloth = Cloth { bend, ..Cloth::new(Mesh::from(grid)).stretch(1e-7).shear(1e-7) };
    let level = [-(0.5_f64.sqrt()), 0.0, 0.0, 0.5_f64.sqrt()];
    let clamp = Select::Box { min: [-0.101, -1.0, -1.0], max: [-0.059, 1.0, 1.0] };
    let body = Body::cloth(cloth).mass(0.004).rotation(level).pin(pliant::scene::Pin::from(clamp));
    let mut model = Scene::new("strip").with(body).build().unwrap().model;
    model.settings.substeps = 80;
    for index in 0..model.materials.len() {
        if let Some(material) = model.materials.get_mut(index).filter(|material| material.compliance == compliance) {
            // The swing is gone after three seconds (after one, as many iterations and substeps as one likes leave a third of it), and γ = 14 keeps the bias of what is
            // static at a percent.
            material.damping = 1e-4;
        }
    }
    let state = run(&model, 180);
    -state.positions[5][1]
}

/// A clamped strip sags in proportion to the compliance of its hinges: twice as much for twice of it, to 5 %.
#[test]
fn sag_is_in_proportion_to_compliance() {
    let (one, two) = (sag(30.0), sag(60.0));
    assert!(one > 1e-4 && one < 0.02, "{one} m is not small beside the strip's 0.2 m");
    proof::relative("sag of a clamped strip of twice the compliance", "twice as much", two, 2.0 * one, 0.05);
}
