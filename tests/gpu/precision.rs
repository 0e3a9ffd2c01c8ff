//! Single precision that holds: many substeps, and far from the origin.

use pliant::measure::Measurement;
use pliant::model::{Material, Model};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;

/// How far from 1 the way that a particle has fallen is, over what symplectic Euler says in double precision; the largest of all.
fn error_of_fall(model: &Model, frames: u32) -> f64 {
    let state = run(model, frames);
    let (n, h) = (f64::from(frames * model.settings.substeps), model.settings.substep_seconds());
    // The sum of k g h² for k = 1 to n.
    let expected = GRAVITY * h * h * n * (n + 1.0) / 2.0;
    let errors = model.particles.positions.iter().zip(&state.positions).map(|(start, end)| {
        assert_eq!([start[0], start[2]], [end[0], end[2]]);
        (start[1] - end[1]) / expected - 1.0
    });
    proof::largest(errors)
}

/// With 10 to 1,600 substeps a frame and to 1 km from the origin, a particle falls as far in a second as symplectic Euler says
/// in double precision, to 0.1 %; also where it shares the lattice, which is then as coarse for all, with one 1 km away.
#[test]
fn free_fall_does_not_depend_on_substeps_or_place() {
    let places = [1.0, 100.0, 1_000.0].map(|distance| [distance, distance, -distance]);
    let (near, all) = (models::particles(&places[..1], &[1.0]), models::particles(&places, &[1.0; 3]));
    // With 1,584 substeps single precision's h times its 1/h is farthest from 1, which nothing may take for 1.
    let cases = [(&near, 10), (&near, 1_600), (&all, 10), (&all, 100), (&all, 400), (&all, 1_584)];
    let errors = cases.map(|(model, substeps)| {
        let mut model = model.clone();
        model.settings.substeps = substeps;
        error_of_fall(&model, 60)
    });
    let claim = "fall in 1 s at 10 to 1,600 substeps a frame, to 1 km from the origin";
    proof::row(claim, "symplectic Euler in double precision", 100.0 * proof::largest(errors), 0.1, "%");
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

/// A cloth of 32 x 32 let go from the horizontal, its top row pinned, has after 0.25 s at 800 substeps the kinetic energy that
/// it has in double precision, solved in the same order, to 1.5 %: velocities as differences of positions would leave 63 %.
#[test]
fn a_swinging_cloth_keeps_its_energy_at_many_substeps() {
    let mut model = models::cloth(32);
    model.particles.inverse_masses[..32].fill(0.0);
    model.settings.substeps = 800;
    let energy = |state| Measurement::of(&model, &state).kinetic_energy_j;
    let (gpu, twin) = std::thread::scope(|scope| {
        let twin = scope.spawn(|| energy(models::run(&model, 15)));
        (energy(run(&model, 15)), twin.join().expect("the reference solver runs"))
    });
    assert!(twin > 1.0, "the cloth does not swing: {twin} J");
    proof::relative(
        "kinetic energy of a swinging cloth at 800 substeps a frame",
        "in double precision",
        gpu,
        twin,
        0.015,
    );
}

/// A cloth of 16 x 16 that stands upright at a place, of soft damped springs.
fn soft_cloth(place: [f64; 3]) -> Model {
    let soft = models::cloth(16);
    let mut model = models::particles(&soft.particles.positions, &[1.0 / 256.0; 256]);
    for position in &mut model.particles.positions {
        *position = [place[0] + position[0], place[1] - position[2], place[2]];
    }
    let group = &soft.groups[0];
    for constraint in 0..group.len() {
        let ends = group.particles_of(constraint);
        models::spring(&mut model, ends[0], ends[1], Material { damping: 0.5, ..models::compliant(1e-3) });
    }
    model
}

/// A cloth at rest 1 km from the origin moves by less than 1 cm/s: one that floats without gravity, and one that hangs by its
/// top row and has settled as low as the same cloth at the origin in double precision. There single precision has a step of
/// 6e-5 m, which over a substep of 1/600 s is 4 cm/s.
#[test]
fn a_cloth_at_rest_far_away_stays_calm() {
    let far = [1_000.0, 1_000.0, -1_000.0];
    let mut floating = soft_cloth(far);
    floating.world.gravity = [0.0; 3];
    let mut hanging = soft_cloth(far);
    hanging.particles.inverse_masses[..16].fill(0.0);
    for model in [&floating, &hanging] {
        let mut running = Running::new(model);
        running.run(120);
        for _ in 0..10 {
            let speed = Measurement::of(model, &running.run(1)).max_speed;
            assert!(speed < 0.01, "{speed} m/s");
        }
    }
    let sag = |model: &Model, state| model.particles.positions[255][1] - Measurement::of(model, &state).min[1];
    let mut near = soft_cloth([0.0; 3]);
    near.particles.inverse_masses[..16].fill(0.0);
    let (gpu, twin) = (sag(&hanging, run(&hanging, 130)), sag(&near, models::run(&near, 130)));
    // A thousandth of 1.7 mm is fifteen roundings of the cloth's own size of 1 m.
    assert!((gpu / twin - 1.0).abs() < 1e-3, "hangs {gpu} m below its place, in double precision {twin} m");
}

/// A cloth of 20 x 20 that swings: a step with many iterations ends where it ends in double precision, solved in the same order, to
/// a rounding of single precision at the cloth's own size of 1 m on each way.
#[test]
fn many_iterations_follow_double_precision() {
    let mut model = models::swinging_cloth(20, 1e4);
    (model.settings.frame_rate, model.settings.substeps) = (600.0, 1);
    let errors = [1, 100, 1000].map(|iterations| {
        model.settings.iterations = iterations;
        let (gpu, twin) = (run(&model, 1).positions, models::run(&model, 1).positions);
        proof::largest(gpu.as_flattened().iter().zip(twin.as_flattened()).map(|(a, b)| a - b))
    });
    let claim = "a step of a 20 x 20 cloth with 1, 100 and 1000 iterations";
    proof::row(claim, "the same in double precision", proof::largest(errors), 2.0 * f64::from(f32::EPSILON), "m");
}
