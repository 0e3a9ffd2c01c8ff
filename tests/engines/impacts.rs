//! Impacts with restitution against theory, by Euler's substeps and BDF2's: single balls, two of unlike mass, rows, and crowds that never gain energy.

use pliant::model::{Collider, Integrator, Model, State};

use crate::billiards::{RADIUS, collision, collision_errors, touchy};
use crate::device::{Running, run};
use crate::models::{self, GRAVITY};
use crate::proof;

const INTEGRATORS: [Integrator; 2] = [Integrator::Euler, Integrator::Bdf2];

/// Of motion and height, J.
fn energy(model: &Model, state: &State) -> f64 {
    let height = |x: &[f64; 3]| -(0..3).map(|k| model.world.gravity[k] * x[k]).sum::<f64>();
    let of = |((x, v), w): ((&[f64; 3], &[f64; 3]), &f64)| {
        (0.5 * v.iter().map(|v| v * v).sum::<f64>() + height(x)) * if *w > 0.0 { 1.0 / w } else { 0.0 }
    };
    state.positions.iter().zip(&state.velocities).zip(&model.particles.inverse_masses).map(of).sum()
}

/// A ball of 1 kg that is dropped onto a plane, with e = 1, has no more energy in any frame than at first. It loses at most what Euler's substeps take in free flight, ½ g² h t,
/// and in each bounce g v h, the height of a substep: a bounce ends on the plane, whenever in its substep it came.
#[test]
fn a_bouncing_ball_never_gains_energy() {
    for (integrator, substeps) in INTEGRATORS.into_iter().flat_map(|integrator| [(integrator, 5), (integrator, 20)]) {
        let mut model = models::particles(&[[0.0, 1.0, 0.0]], &[1.0]);
        (model.bodies[0].radius, model.bodies[0].restitution) = (RADIUS, 1.0);
        (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
        models::ground(&mut model, [0.0, 1.0, 0.0]);
        let h = model.settings.substep_seconds();
        let flight = if integrator == Integrator::Euler { 0.5 * GRAVITY * GRAVITY * h } else { 0.0 };
        let (fall, mut running) = ((2.0 * (1.0 - RADIUS) / GRAVITY).sqrt(), Running::new(&model));
        let (mut gained, mut lost) = (0.0_f64, 0.0_f64);
        for frame in 1..=180 {
            let change = energy(&model, &running.run(1)) - GRAVITY;
            let seconds = f64::from(frame) / 60.0;
            let bounces = ((seconds / fall + 1.0) / 2.0).ceil();
            // BDF2's first substep is Euler's.
            let most = flight * seconds + bounces * GRAVITY * GRAVITY * fall * h + GRAVITY * GRAVITY * h * h;
            (gained, lost) = (gained.max(change), lost.max(-change / most));
        }
        let claim = format!("a ball bounces with e = 1, {integrator:?}, {substeps} substeps");
        proof::row(&claim, "m g y, gained", gained / GRAVITY, 1e-5, "");
        proof::row(&claim, "½ g² h t + n g v h, lost", lost, 1.0, "of that");
    }
}

/// Two balls of unlike mass part as theory says at any number of substeps, also where they meet in the middle of one, as BDF2's always do; off centre they keep their energy
/// and momentum.
#[test]
fn two_balls_part_by_restitution() {
    for (integrator, substeps) in INTEGRATORS.into_iter().flat_map(|integrator| [(integrator, 5), (integrator, 12)]) {
        for (ratio, restitution) in [(1.0, 1.0), (3.0, 1.0), (3.0, 0.5), (1000.0, 1.0)] {
            let mut model = collision(ratio, 0.0, restitution);
            (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
            let [error, lost] = collision_errors(&model, &run(&model, 30), restitution);
            let claim = format!("balls 1 : {ratio} meet with e = {restitution}, {integrator:?}, {substeps} substeps");
            proof::row(&claim, "parting speeds", error, 2e-5, "m/s");
            proof::row(&claim, "momentum", lost / (1.0 + ratio), 1e-5, "of that before");
        }
        let mut model = collision(3.0, 0.07, 1.0);
        (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
        let state = run(&model, 30);
        let apart = energy(&model, &state) / energy(&model, &models::run(&model, 0)) - 1.0;
        let met = state.velocities[0][1].abs();
        assert!(met > 0.1, "they have not met: {met} m/s");
        assert!(apart.abs() < 1e-5, "{integrator:?}, {substeps} substeps: energy off by {apart}");
    }
}

/// A row of balls that touch, and so many that come in at 2 m/s.
fn cradle(count: usize, coming: usize) -> Model {
    let place = |i: usize| if i < coming { -0.1 } else { 0.0 } + 2.0 * RADIUS * i as f64;
    let places: Vec<[f64; 3]> = (0..count).map(|i| [place(i), 0.0, 0.0]).collect();
    let mut model = models::particles(&places, &vec![1.0; count]);
    touchy(&mut model);
    (model.bodies[0].restitution, model.world.gravity) = (1.0, [0.0; 3]);
    model.particles.velocities[..coming].fill([2.0, 0.0, 0.0]);
    model
}

/// As many balls leave a row of touching ones as come in, as fast, and all others rest: Newton's cradle.
#[test]
fn as_many_balls_leave_a_row_as_come_in() {
    for (integrator, substeps) in INTEGRATORS.into_iter().flat_map(|integrator| [(integrator, 5), (integrator, 20)]) {
        for coming in [1, 2] {
            let mut model = cradle(7, coming);
            (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
            let state = run(&model, 40);
            let expected = |i: usize| if i >= 7 - coming { 2.0 } else { 0.0 };
            let error = proof::largest((0..7).map(|i| state.velocities[i][0] - expected(i)));
            let claim = format!("{coming} of a row of 7 balls come in, {integrator:?}, {substeps} substeps");
            proof::row(&claim, "as many leave", error, 1e-4, "m/s");
        }
    }
}

/// A box of balls with e = 1, without gravity, that meet each other and its walls many times, several at once.
fn box_of_balls(integrator: Integrator, iterations: u32) -> Model {
    let mut random = crate::random::Random::new(7);
    let places: Vec<[f64; 3]> = (0..64)
        .map(|k| [k % 4, k / 4 % 4, k / 16].map(|i| 0.07 + 0.13 * f64::from(i) + random.number(0.0, 0.02)))
        .collect();
    let masses: Vec<f64> = (0..64).map(|_| random.number(0.2, 3.0)).collect();
    let mut model = models::particles(&places, &masses);
    model.particles.velocities = (0..64).map(|_| random.vector(-2.0, 2.0)).collect();
    touchy(&mut model);
    (model.bodies[0].restitution, model.world.gravity) = (1.0, [0.0; 3]);
    (model.settings.integrator, model.settings.iterations) = (integrator, iterations);
    for axis in 0..3 {
        let normal: [f64; 3] = std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
        for (place, normal) in [([0.0; 3], normal), ([0.56; 3], normal.map(|n| -n))] {
            model.colliders.push(Collider { restitution: 1.0, ..Collider::plane(place, normal) });
        }
    }
    model
}

/// Where a ball meets several at once, or is swept several times, impacts lose energy; a crowd never has more than at first.
#[test]
fn crowds_never_gain_energy() {
    for (integrator, iterations) in INTEGRATORS.into_iter().flat_map(|integrator| [(integrator, 1), (integrator, 3)]) {
        let model = box_of_balls(integrator, iterations);
        let mut running = Running::new(&model);
        let first = energy(&model, &running.state());
        let energies: Vec<f64> = (0..30).map(|_| energy(&model, &running.run(1)) / first).collect();
        let most = energies.iter().fold(0.0, |most: f64, &now| most.max(now));
        assert!(most < 1.0 + 1e-6, "{integrator:?}, {iterations} sweeps: {most} of the energy at first");
        assert!(energies[29] < 0.9, "they have hardly met");
    }
}
