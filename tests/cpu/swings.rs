//! Long motions, for which a software device takes minutes: swings of fine sheets with levels, and a drift.

use pliant::measure::Measurement;

use crate::bdf2_motion::{lost_by_chance, momentum_lost};
use crate::device::Running;
use crate::proof;
use crate::sheets::{Held, laid_flat, sheet};

/// Energy, kinetic and potential, never grows in ten seconds, from frame to frame, at any resolution: bounds as in `tests/engines/nested_motion.rs`, a
/// ten-thousandth of what is released at first.
#[test]
fn fine_sheets_swing_and_never_gain() {
    for (n, irregular) in [(64, true), (160, false)] {
        let model = laid_flat(sheet(n, irregular, Held::TopRow, 5, 1.0));
        let mut running = Running::new(&model);
        let mut last = f64::INFINITY;
        let mut rise = 0.0_f64;
        for _ in 0..600 {
            let measurement = Measurement::of(&model, &running.run(1));
            let energy = measurement.kinetic_energy_j + measurement.gravity_energy_j;
            assert!(energy.is_finite());
            rise = rise.max(energy - last);
            last = energy;
        }
        let cloth = if irregular { "triangles" } else { "grid" };
        let claim = format!("a swing of ten seconds with levels, {n} × {n}, {cloth}: energy gained in a frame");
        proof::row(&claim, "none", rise, 4.9e-4, "J");
    }
}

/// What a cloth that drifts loses of its momentum with BDF2 has no sign: in fifty seconds no more than by chance. (While `step/past.wgsl` rounded the same product
/// of a velocity in each substep, that added up against the drift.)
#[test]
fn a_cloth_drifts_on() {
    let (lost, bound) = (momentum_lost(3000), lost_by_chance(30_000.0));
    proof::row("momentum of a tumbling cloth after 50 s, BDF2", "is conserved", lost, bound, "of Σ m|v|");
}
