//! Single precision that holds: many substeps, and far from the origin.

use pliant::measure::Measurement;

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::sheets::{Held, sheet};

/// With 10 to 1,600 substeps a frame and to 1 km from the origin, particles fall as far in a second as symplectic Euler says in double
/// precision, to 0.1 %.
#[test]
fn free_fall_does_not_depend_on_substeps_or_place() {
    let places = [1.0, 100.0, 1_000.0].map(|distance| [distance, distance, -distance]);
    let mut model = models::particles(&places, &[1.0; 3]);
    for substeps in [10, 100, 400, 1_584] {
        model.settings.substeps = substeps;
        let state = run(&model, 60);
        let (n, h) = (f64::from(60 * substeps), model.settings.substep_seconds());
        // The sum of k g h² for k = 1 to n.
        let expected = GRAVITY * h * h * n * (n + 1.0) / 2.0;
        for (start, end) in places.iter().zip(&state.positions) {
            assert_eq!([start[0], start[2]], [end[0], end[2]]);
            let error = (start[1] - end[1]) / expected - 1.0;
            assert!(error.abs() < 1e-3, "{substeps} substeps at {start:?}: off by {error}");
        }
    }
}

/// A particle that leaves the lattice goes on as it should: the lattice grows with it. One that is too fast is told.
#[test]
fn the_lattice_grows_with_the_world() {
    let mut model = models::particles(&[[0.0; 3]], &[1.0]);
    model.particles.velocities[0] = [300.0, 0.0, 0.0];
    model.world.gravity = [0.0; 3];
    let mut running = Running::new(&model);
    let state = running.run(600);
    let error = (state.positions[0][0] - 3_000.0).abs() / 3_000.0;
    assert!(error < 1e-6, "at {:?}", state.positions[0]);
    assert!(running.status().is_good());

    for (speed, flags) in [(2e6, [false, true]), (f64::INFINITY, [true, false])] {
        model.particles.velocities[0] = [0.0, speed, 0.0];
        let mut running = Running::new(&model);
        running.run(1);
        let status = running.status();
        assert_eq!(([status.not_finite, status.runaway], status.slot), (flags, Some(0)), "{speed} m/s");
    }
}

/// A stiff sheet that hangs at rest stays calm in however small substeps: it moves less as time goes on. (Where its springs of 1e-8, 1e-6 and 1e-4 m/N
/// were solved in turns it had 2.7 J after 16 frames of 1,024 substeps, in double precision as well, of which it could take 2e-5 from its weight.)
#[test]
fn small_substeps_gain_no_energy() {
    let mut model = sheet(64, false, Held::Corners, 1024, 1.0);
    model.settings.nested = Some(false);
    let mut running = Running::new(&model);
    let mut energies = (0..20).map(|_| Measurement::of(&model, &running.run(1)).kinetic_energy_j);
    let first = energies.by_ref().take(10).fold(0.0, f64::max);
    let then = energies.fold(0.0, f64::max);
    assert!(first > 0.0 && then < first, "{first} J at first, then {then} J");
}
