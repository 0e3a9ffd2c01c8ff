//! Single precision that holds: many substeps, and far from the origin.

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};

/// With 10 to 1,600 substeps a frame and to 1 km from the origin, a particle falls as far in a second as symplectic Euler says
/// in double precision, to 0.1 %.
#[test]
fn free_fall_does_not_depend_on_substeps_or_place() {
    for distance in [1.0, 100.0, 1_000.0] {
        for substeps in [10, 100, 400, 1_600] {
            let start = [distance, distance, -distance];
            let mut model = models::particles(&[start], &[1.0]);
            model.settings.substeps = substeps;
            let state = run(&model, 60);
            let n = 60.0 * f64::from(substeps);
            // Symplectic Euler: the sum of k g h² for k = 1 to n.
            let expected = GRAVITY * n * (n + 1.0) / 2.0 / (n * n);
            let ratio = (start[1] - state.positions[0][1]) / expected;
            println!("{distance} m, {substeps} substeps: {ratio}");
            assert!((ratio - 1.0).abs() < 1e-3, "{distance} m, {substeps} substeps: fell {ratio} of the true way");
            assert_eq!([state.positions[0][0], state.positions[0][2]], [start[0], start[2]]);
        }
    }
}

/// A particle that leaves the lattice goes on to fall as it should: the lattice grows with it.
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
}
