//! Motion by substeps of BDF2: against its twin and against theory.

use pliant::measure::Measurement;
use pliant::model::{Integrator, Model, Settings, State};
use pliant::scene::{Cuboid, Scene, Select, Soft};

use crate::bdf2_motion::{bdf2, energy, yanked};
use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;
use crate::sheets::{Held, laid_flat, sheet, stretch};

/// How far from 1 the way is that particles have fallen in a second, over the formula's g t²/2 + ¾ g h²; the largest of all.
fn error_of_fall(model: &Model, substeps: u32) -> f64 {
    let mut model = bdf2(model.clone());
    model.settings.substeps = substeps;
    let state = run(&model, 60);
    let h = model.settings.substep_seconds();
    let expected = GRAVITY * (0.5 + 0.75 * h * h);
    let ways = model.particles.positions.iter().zip(&state.positions).map(|(start, end)| start[1] - end[1]);
    proof::largest(ways.map(|way| way / expected - 1.0))
}

/// Free fall is that of the formula at any substeps and to 1 km from the origin, and what flies on without forces keeps its speed: u is
/// never multiplied by H/h and its inverse.
#[test]
fn single_precision_holds() {
    let places = [1.0, 100.0, 1_000.0].map(|distance| [distance, distance, -distance]);
    let (near, all) = (models::particles(&places[..1], &[1.0]), models::particles(&places, &[1.0; 3]));
    let cases = [(&near, 10), (&near, 1_600), (&all, 10), (&all, 400), (&all, 1_584)];
    let errors = cases.map(|(model, substeps)| error_of_fall(model, substeps));
    let claim = "fall in 1 s with BDF2 at 10 to 1,600 substeps a frame, to 1 km from the origin";
    // At 1,600 substeps H² g is 4.7e-10 m, and u near the end has a last place of 7e-12 m, by half of which each substep may round the same
    // way: 0.8 % at most.
    proof::row(claim, "g t²/2 + ¾ g h²", 100.0 * proof::largest(errors), 0.8, "%");

    let mut flying = bdf2(models::particles(&[[0.0; 3]], &[1.0]));
    (flying.world.gravity, flying.settings.substeps) = ([0.0; 3], 1_584);
    flying.particles.velocities[0] = [1.234_567, -0.7, 3.3];
    let state = run(&flying, 60);
    let errors = (0..3).map(|k| state.velocities[0][k] / flying.particles.velocities[0][k] - 1.0);
    // 95,040 substeps, each of which rounds u by half of 1.2e-7, up or down alike: 300 of these, and the formula makes 2.25 of each.
    proof::row("speed of a flight with BDF2, 95,040 substeps", "as thrown", proof::largest(errors), 4e-5, "");
}

/// A sheet of 64 × 64 let go from the horizontal has after a quarter of a second the energy of the converged swing, 2.365 J, to 0.5 % with 5
/// and 10 substeps, and after a second has lost a small part of what it loses with Euler.
#[test]
fn a_swing_keeps_its_energy() {
    let swing = |integrator, substeps| {
        let mut model = laid_flat(sheet(64, false, Held::TopRow, substeps, 1.0));
        model.settings.integrator = integrator;
        let mut running = Running::new(&model);
        let begin = energy(&model, &running.state());
        let kinetic = Measurement::of(&model, &running.run(15)).kinetic_energy_j;
        [kinetic, begin - energy(&model, &running.run(45))]
    };
    let [_, euler] = swing(Integrator::Euler, 10);
    for substeps in [5, 10] {
        let [kinetic, lost] = swing(Integrator::Bdf2, substeps);
        let claim = format!("kinetic energy of a swing, levels and BDF2, {substeps} substeps");
        proof::relative(&claim, "converged", kinetic, 2.365, 0.005);
        let claim = format!("energy lost by a swing in a second, BDF2, {substeps} substeps, over Euler's with 10");
        proof::row(&claim, "0", lost.abs() / euler, 0.25, "");
    }
}

/// Ten seconds of swinging stay bounded: no edge is stretched by more than a half, and energy does not grow beyond that of the beginning by
/// 1 % of m g ½ m, though it is swept over 6,000 times.
#[test]
fn a_long_swing_stays_bounded() {
    let model = bdf2(laid_flat(sheet(24, false, Held::TopRow, 5, 1.0)));
    let mut running = Running::new(&model);
    let begin = energy(&model, &running.state());
    for _ in 0..10 {
        let state = running.run(60);
        assert!(stretch(&model, &state) < 0.5, "stretched by {}", stretch(&model, &state));
        let gained = energy(&model, &state) - begin;
        assert!(gained < 0.005 * GRAVITY, "gained {gained} J");
    }
    assert!(running.status().is_good());
}

/// Yanked by 10 g for 6 frames and thrown up by -1 g for 6 more, a sheet stays finite and comes back to its shape.
#[test]
fn a_yanked_sheet_returns() {
    let model = bdf2(sheet(64, false, Held::Corners, 10, 1.0));
    let state = yanked(&model);
    let measured = 100.0 * stretch(&model, &state);
    proof::row("a sheet with levels and BDF2 yanked by 10 g: stretch after", "none", measured, 5.0, "%");
}

/// A bar of soft solid that is held at one end swings for two seconds without gaining energy, and by less than Euler's does it come to rest.
#[test]
fn a_solid_swings() {
    let swing = |integrator| {
        let soft = Soft::new(Cuboid { cells: [6, 2, 2], size: [0.6, 0.2, 0.2] }).young_modulus(1e5).poisson_ratio(0.3);
        let end = Select::Box { min: [-1.0; 3], max: [-0.3 + 1e-6, 1.0, 1.0] };
        let body = pliant::scene::Body::soft(soft).density(1000.0).pin(end);
        let settings = Settings { integrator, ..Settings::default() };
        let scene = Scene::new("bar").settings(settings).with(body);
        let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
        let mut running = Running::new(&model);
        let whole = |state: &State| energy(&model, state) + Measurement::of(&model, state).elastic_energy_j;
        let begin = whole(&running.state());
        let mut fastest = 0.0_f64;
        for frame in 0..24 {
            let state = running.run(5);
            let gained = whole(&state) - begin;
            // Of the work of its weight on the way down, some joules.
            assert!(gained < 0.05, "{integrator:?} gains {gained} J");
            if frame >= 12 {
                fastest = fastest.max(Measurement::of(&model, &state).max_speed);
            }
        }
        fastest
    };
    let [euler, bdf2] = [Integrator::Euler, Integrator::Bdf2].map(swing);
    assert!(bdf2 > euler, "{bdf2} m/s in the second second, with Euler {euler}");
}
