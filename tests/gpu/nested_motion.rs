//! Levels over stiff sheets that swing: their energy, and Jacobi sweeps below them.

use pliant::measure::Measurement;
use pliant::model::{Method, Model, State};

use crate::device::{Running, run};
use crate::proof;
use crate::sheets::{Held, laid_flat, sag, sheet};

/// Kinetic and potential energy, J. What a spring of 1e-8 m/N holds by the micrometres that a sweep leaves is none of the sheet's.
fn energy(model: &Model, state: &State) -> f64 {
    let measurement = Measurement::of(model, state);
    measurement.kinetic_energy_j + measurement.gravity_energy_j
}

/// The energy after each frame.
fn energies(model: &Model, running: &mut Running, frames: u32) -> Vec<f64> {
    (0..frames).map(|_| energy(model, &running.run(1))).collect()
}

/// Energy never grows, in ten seconds of a swing: from frame to frame not by more than a ten-thousandth of what is released at first,
/// 4.9 J, for what sheets store and give back.
#[test]
fn a_swing_never_gains() {
    for irregular in [false, true] {
        let model = laid_flat(sheet(32, irregular, Held::TopRow, 5, 1.0));
        let mut running = Running::new(&model);
        let mut last = energy(&model, &running.state());
        let mut rise = 0.0_f64;
        for next in energies(&model, &mut running, 600) {
            rise = rise.max(next - last);
            last = next;
        }
        let claim = match irregular {
            false => "a swing of ten seconds with levels: energy gained in a frame",
            true => "a swing of ten seconds of triangles with levels: energy gained in a frame",
        };
        proof::row(claim, "none", rise, 4.9e-4, "J");
    }
}

/// Levels do with Jacobi sweeps what they do with colours: the standard cloth hangs, and swings with the energy of the converged one, 2.365 J
/// after a quarter of a second.
#[test]
fn levels_work_with_jacobi_sweeps() {
    let with = |mut model: Model| {
        model.settings.method = Method::Jacobi;
        model
    };
    for substeps in [5, 10] {
        let hanging = run(&with(sheet(64, false, Held::Corners, substeps, 1.0)), 60);
        let claim = format!("the standard cloth with levels and Jacobi sweeps at {substeps} substeps: sag");
        proof::row(&claim, "that of its own stretch, 2e-6 m", 100.0 * sag(&hanging).abs(), 0.1, "%");
    }
    let model = with(laid_flat(sheet(64, false, Held::TopRow, 10, 1.0)));
    let energy = Measurement::of(&model, &run(&model, 15)).kinetic_energy_j;
    let claim = "kinetic energy of a swing with levels and Jacobi sweeps at 10 substeps";
    proof::relative(claim, "converged", energy, 2.365, 0.02);
}
