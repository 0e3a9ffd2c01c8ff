//! A clamped beam on the GPU comes to rest where finite elements in double precision do.

use std::f64::consts::FRAC_PI_2;

use pliant::model::Model;
use pliant::reference::Law;

use crate::clamped::Beam;
use crate::device::run;
use crate::proof;

/// Where a beam is at rest that takes `quarter` s for a quarter of its slowest oscillation: after that time all of its energy is in
/// motion, and is taken away; three times. Damping takes what oscillates faster.
fn at_rest(mut model: Model, quarter: f64) -> Vec<[f64; 3]> {
    let frames = (quarter * model.settings.frame_rate).round() as u32;
    for _ in 0..3 {
        model.particles.positions = run(&model, frames).positions;
    }
    model.particles.positions
}

/// The tip of a beam of 50 tetrahedra, 10:1:1, of 5e6 Pa, sinks as far as Newton's method over elements says: by half a per cent of its
/// length, where linear elasticity says the same to 1e-3, and by a fifth of it, where that says 3.3 % more. (A beam of 20 x 2 x 2 cells,
/// which takes minutes, is 0.3 % off.)
#[test]
fn beams_bend_as_newtons_method_says() {
    for (gravity, beyond_linear) in [(0.5, 0.0), (20.0, 0.033)] {
        let beam = Beam { across: 1, young_modulus: 5e6, poisson_ratio: 0.3, gravity };
        let mut elements = beam.elements(Law::NeoHookean);
        let linear = -beam.mean_at_tip(elements.linear_displacements().unwrap().iter().map(|u| u[1]));
        elements.settle().unwrap_or_else(|error| panic!("{error}"));
        let expected = beam.deflection(&elements.positions);
        assert!(
            (linear / expected - 1.0 - beyond_linear).abs() < 1e-3,
            "{linear} m by linear elasticity, {expected} m"
        );
        // ω² = 12.4 EI/ρAL⁴ of a clamped beam, with EI by the deflection ρgAL⁴/8EI.
        let quarter = FRAC_PI_2 / (12.4 / 8.0 * gravity / linear).sqrt();
        let mut model = beam.model(60.0);
        (model.settings.frame_rate, model.settings.substeps) = (240.0, 60);
        let found = beam.deflection(&at_rest(model, quarter));
        let claim =
            format!("deflection of a clamped beam of 10 x 1 x 1 cells by {:.1} % of its length", 100.0 * expected);
        proof::relative(&claim, "Newton's method over elements", found, expected, 0.01);
    }
}
