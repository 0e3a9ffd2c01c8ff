//! Levels over stiff sheets that swing, or begin where they cannot stay; and Jacobi sweeps below them.

use std::ops::RangeInclusive;

use pliant::measure::Measurement;
use pliant::model::{Method, Model, State};
use pliant::plan::Plan;

use crate::device::{Running, run};
use crate::proof;
use crate::sheets::{Held, laid_flat, sag, sheet, stretch};

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
            assert!(next.is_finite());
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

/// A sheet let go from a stretch of 5 % comes back to its shape, although coarse nets take that stretch off at once: what they set in motion
/// they stop. It crumples on the way and is smooth again within seconds, with bounds as for one that was yanked. It never has more
/// energy than one all of which comes back within one substep.
#[test]
fn a_stretched_sheet_neither_shrinks_nor_flies() {
    for (irregular, held) in [(false, Held::Corners), (true, Held::TopRow)] {
        let mut model = sheet(48, irregular, held, 10, 1.0);
        let plan = Plan::new(&model);
        for (x, inverse_mass) in model.particles.positions.iter_mut().zip(&model.particles.inverse_masses) {
            if *inverse_mass > 0.0 {
                *x = x.map(|x| 1.05 * x);
            }
        }
        let mut running = Running::planned(&model, &plan);
        let begin = energy(&model, &running.state());
        let highest = energies(&model, &mut running, 30).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let h = model.settings.substep_seconds();
        let speeds =
            model.particles.positions.iter().map(|x| x.iter().map(|x| (0.05 / 1.05 * x / h).powi(2)).sum::<f64>());
        let most = 0.5 * speeds.sum::<f64>() / model.particles.len() as f64;
        assert!(highest - begin < most, "it has {} J more, not {most}", highest - begin);
        let state = running.run(150);
        let claim = match irregular {
            true => "triangles with levels by an edge let go from a stretch of 5 %: stretch after 3 s",
            false => "a sheet with levels by two corners let go from a stretch of 5 %: stretch after 3 s",
        };
        proof::row(claim, "none", 100.0 * stretch(&model, &state), 15.0, "%");
        assert!(sag(&state) < 1e-3, "it hangs {} m too low", sag(&state));
        assert!(running.status().is_good());
    }
}

/// A sheet whose pins are suddenly 1 m away follows them, and is a sheet again two seconds later; once it has followed its energy falls.
#[test]
fn a_sheet_follows_pins_that_jump() {
    let mut model = sheet(48, false, Held::Corners, 10, 1.0);
    let plan = Plan::new(&model);
    for (x, inverse_mass) in model.particles.positions.iter_mut().zip(&model.particles.inverse_masses) {
        if *inverse_mass == 0.0 {
            x[2] += 1.0;
        }
    }
    let mut running = Running::planned(&model, &plan);
    let energies = energies(&model, &mut running, 120);
    let most = |frames: RangeInclusive<usize>| energies[frames].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let maxima = [most(0..=29), most(30..=59), most(60..=119)];
    assert!(maxima.is_sorted_by(|a, b| a > b), "energies, J: {maxima:?}");
    let state = running.state();
    proof::row(
        "a sheet with levels whose pins jumped: stretch after 2 s",
        "none",
        100.0 * stretch(&model, &state),
        15.0,
        "%",
    );
    assert!(running.status().is_good());
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
