//! Damping that keeps rigid motion: the kernels against their twin, what they must keep and take against theory, shapes without
//! an inertia, changes while running, and the scene of the gallery.

use pliant::Engine;
use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::{Body, Model, Settings, State};

use crate::device::{Running, run};
use crate::kernels::Random;
use crate::models::{self, compliant};

/// So strong that nothing but the rigid motion is left after a substep: e^(-k h) is 0 in single precision.
const ALL: f64 = 1e6;

/// A place 1 km from the origin.
const FAR: [f64; 3] = [1_000.0, -1_000.0, 1_000.0];

/// Makes runs of so many particles bodies of their own, damped at these rates.
pub fn split(model: &mut Model, bodies: &[(u32, f64)]) {
    let body = model.bodies[0].clone();
    model.bodies.clear();
    let mut first = 0;
    for (index, &(count, damping)) in bodies.iter().enumerate() {
        let particles = first..first + count;
        first += count;
        model.particles.bodies[particles.start as usize..particles.end as usize].fill(index as u32);
        model.bodies.push(Body { name: format!("body {index}"), particles, damping, ..body.clone() });
    }
    assert_eq!(first as usize, model.particles.len());
}

/// One substep a frame, of the default length, and no gravity.
fn one_substep(model: &mut Model) -> f64 {
    model.settings = Settings { frame_rate: 600.0, substeps: 1, ..Settings::default() };
    model.world.gravity = [0.0; 3];
    1.0 / 600.0
}

/// Loose particles that are at these places after a substep without forces, and pass there with these velocities.
fn passing(places: &[Vec3<f64>], velocities: &[Vec3<f64>], masses: &[f64]) -> Model {
    let mut model = models::particles(&vec![[0.0; 3]; places.len()], masses);
    let h = one_substep(&mut model);
    model.particles.positions = places.iter().zip(velocities).map(|(&x, &v)| (x + v * -h).into()).collect();
    model.particles.velocities = velocities.iter().map(|&v| v.into()).collect();
    model
}

pub fn undamped(model: &Model) -> Model {
    let mut model = model.clone();
    model.bodies.iter_mut().for_each(|body| body.damping = 0.0);
    model
}

fn vectors(values: &[[f64; 3]]) -> impl Iterator<Item = Vec3<f64>> {
    values.iter().map(|&value| value.into())
}

fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    crate::proof::largest(a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a - b))
}

/// Change of linear and of angular momentum from one state to another, relative to the first.
fn changes(model: &Model, from: &State, to: &State) -> [f64; 2] {
    let [from, to] = [from, to].map(|state| Measurement::of(model, state));
    let change =
        |from: [f64; 3], to: [f64; 3]| (Vec3::from(to) - Vec3::from(from)).length() / Vec3::from(from).length();
    [change(from.momentum, to.momentum), change(from.angular_momentum, to.angular_momentum)]
}

/// What the free particles, which must have three moments of inertia, have of kinetic energy beside that of its translation and rotation, J. I ω = L by
/// Cramer's rule, other than in the solver.
pub fn deformation_energy(model: &Model, state: &State) -> f64 {
    let measured = Measurement::of(model, state);
    let (centre, momentum) = (Vec3::from(measured.centroid), Vec3::from(measured.momentum));
    let spin = Vec3::from(measured.angular_momentum);
    let (mut mass, mut columns) = (0.0, [Vec3::zero(); 3]);
    for (x, w) in vectors(&state.positions).zip(&model.particles.inverse_masses).filter(|(_, w)| **w > 0.0) {
        let (arm, m) = (x - centre, 1.0 / w);
        mass += m;
        let components: [f64; 3] = arm.into();
        for (axis, column) in columns.iter_mut().enumerate() {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            *column += (Vec3::from(unit) * arm.dot(arm) - arm * components[axis]) * m;
        }
    }
    let [a, b, c] = columns;
    let determinant = a.dot(b.cross(c));
    let turn = Vec3::new(spin.dot(b.cross(c)), a.dot(spin.cross(c)), a.dot(b.cross(spin))) * (1.0 / determinant);
    measured.kinetic_energy_j - momentum.dot(momentum) / (2.0 * mass) - 0.5 * turn.dot(spin)
}

/// Bodies of 1 to 2,100 particles, one in a line, some with fixed particles, that fall and are damped at different rates or not
/// at all move as the reference moves them.
#[test]
fn damping_equals_its_twin() {
    let mut random = Random::new(5);
    let sizes = [(1, 5.0), (2_100, 3.0), (2, 8.0), (40, 0.0), (300, 20.0), (7, ALL)];
    let count: u32 = sizes.iter().map(|(count, _)| count).sum();
    let mut positions: Vec<[f64; 3]> = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
    // The one of 300 begins after 2,143 others and is a line.
    for (k, position) in positions[2_143..2_443].iter_mut().enumerate() {
        *position = [0.003 * k as f64, 0.5 + 0.002 * k as f64, -0.001 * k as f64];
    }
    let masses: Vec<f64> = (0..count).map(|i| if i % 11 == 5 { 0.0 } else { random.number(0.1, 2.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
    split(&mut model, &sizes);
    let (gpu, twin) = (run(&model, 6), models::run(&model, 6));
    // 60 substeps, each with one rounding of a velocity of 1 m/s, and of the sums as large.
    let difference = apart(&gpu.velocities, &twin.velocities);
    assert!(difference < 2e-5, "{difference} m/s");
    let difference = apart(&run(&undamped(&model), 6).velocities, &twin.velocities);
    assert!(difference > 0.1, "damping changes {difference} m/s only: the test shows nothing");
}

/// A cube of n³ particles, 1 m and 1 kg, of springs along edges and diagonals of its cells, at a place. It flies, spins and
/// wobbles.
pub fn jelly(n: u32, place: [f64; 3], damping: f64) -> Model {
    let at =
        |i: u32| Vec3::new(f64::from(i % n), f64::from(i / n % n), f64::from(i / n / n)) * (1.0 / f64::from(n - 1));
    let count = n * n * n;
    let positions: Vec<[f64; 3]> = (0..count).map(|i| (at(i) + Vec3::from(place)).into()).collect();
    let mut model = models::particles(&positions, &vec![1.0 / f64::from(count); count as usize]);
    let cell = 1.0 / f64::from(n - 1);
    for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
        if (at(a) - at(b)).length() < 1.5 * cell {
            models::spring(&mut model, a, b, compliant(0.4));
        }
    }
    model.bodies[0].damping = damping;
    let (spin, flight) = (Vec3::new(1.0, 2.0, -1.5), Vec3::new(3.0, -1.0, 2.0));
    let velocity = |i: u32| {
        let arm = at(i) - Vec3::new(0.5, 0.5, 0.5);
        // Stretched along x, squeezed along y: a deformation without rotation.
        (flight + spin.cross(arm) + Vec3::new(arm.x, -arm.y, 0.5 * (3.0 * arm.x).sin())).into()
    };
    model.particles.velocities = (0..count).map(velocity).collect();
    model
}

/// Brings a solver to the state of another.
fn take_over(from: &Running, to: &mut Running) {
    to.restore(&from.snapshot());
}

/// A spinning, wobbling cube loses 90 % of its deformation energy, elastic and kinetic, in which time the damping pass changes
/// its linear and angular momentum by less than 1e-5, all substeps together; near the origin and 1 km from it. Its own share is
/// what a solver without damping, begun anew in every substep from the damped one's state, ends that substep with otherwise.
#[test]
fn damping_takes_deformation_and_keeps_momentum() {
    for place in [[0.0; 3], FAR] {
        let mut model = jelly(7, place, 5.0);
        one_substep(&mut model);
        let free = undamped(&model);
        let energy =
            |state: &State| deformation_energy(&model, state) + Measurement::of(&model, state).elastic_energy_j;
        let (mut damped, mut plain) = (Running::new(&model), Running::new(&free));
        let begun = damped.state();
        let (mut linear, mut angular) = (0.0, 0.0);
        let mut state = begun.clone();
        for _ in 0..420 {
            take_over(&damped, &mut plain);
            let without = plain.run(1);
            state = damped.run(1);
            assert_eq!(without.positions, state.positions, "the pass changes velocities only");
            let [p, l] = changes(&model, &without, &state);
            linear += p;
            angular += l;
        }
        let (kept, undamped) = (energy(&state) / energy(&begun), energy(&run(&free, 420)) / energy(&begun));
        assert!(kept < 0.1 && undamped > 0.5, "{kept} of the energy is left, and without damping {undamped}");
        assert!(linear < 1e-5 && angular < 1e-5, "the pass changes momenta by {linear:.2e} and {angular:.2e}");
    }
}

/// A body of 100,000 particles with random masses and velocities, near and far, keeps in one pass that leaves nothing but rigid
/// motion its momenta to 1e-6, and all its particles move as in the twin: sums of many numbers are as good as those of few.
#[test]
fn large_bodies_keep_their_momentum() {
    for place in [[0.0; 3], FAR].map(Vec3::from) {
        let mut random = Random::new(11);
        let count = 100_000;
        let places: Vec<Vec3<f64>> = (0..count).map(|_| place + Vec3::from(random.vector(-1.0, 1.0))).collect();
        let masses: Vec<f64> = (0..count).map(|_| random.number(0.01, 1.0)).collect();
        let (spin, flight) = (Vec3::new(1.0, 2.0, -1.5), Vec3::new(3.0, -1.0, 2.0));
        let velocity =
            |&x: &Vec3<f64>, random: &mut Random| flight + spin.cross(x - place) + Vec3::from(random.vector(-1.0, 1.0));
        let velocities: Vec<Vec3<f64>> = places.iter().map(|x| velocity(x, &mut random)).collect();
        let mut model = passing(&places, &velocities, &masses);
        let without = run(&model, 1);
        model.bodies[0].damping = ALL;
        let state = run(&model, 1);
        let [linear, angular] = changes(&model, &without, &state);
        // Seventeen levels of a tree that each round at 6e-8.
        assert!(linear < 1e-6 && angular < 1e-6, "{linear:.2e} and {angular:.2e}");
        let difference = apart(&state.velocities, &models::run(&model, 1).velocities);
        assert!(difference < 1e-5, "{difference} m/s");
        assert!(apart(&state.velocities, &without.velocities) > 0.5, "the test shows nothing");
    }
}

/// A body that flies without turning keeps the bits of its velocities, and one that turns rigidly keeps them to rounding, near
/// and far, where a pass that leaves nothing but rigid motion acts on it.
#[test]
fn rigid_motion_is_left_alone() {
    for place in [[0.0; 3], FAR].map(Vec3::from) {
        let mut random = Random::new(3);
        let places: Vec<Vec3<f64>> = (0..700).map(|_| place + Vec3::from(random.vector(-1.0, 1.0))).collect();
        let masses: Vec<f64> = places.iter().map(|_| random.number(0.1, 1.0)).collect();
        let flight = Vec3::new(3.0, -1.0, 2.0);
        for spin in [Vec3::zero(), Vec3::new(1.0, 2.0, -1.5)] {
            let velocities: Vec<Vec3<f64>> = places.iter().map(|&x| flight + spin.cross(x - place)).collect();
            let mut model = passing(&places, &velocities, &masses);
            let without = run(&model, 1);
            model.bodies[0].damping = ALL;
            let difference = apart(&run(&model, 1).velocities, &without.velocities);
            // Of 8 m/s a rounding each for ω × r, u and the sums.
            let allowed = if spin.length() == 0.0 { 0.0 } else { 3.0 * 8.0 * 6e-8 };
            assert!(difference <= allowed, "{difference} m/s");
        }
    }
}

/// A cloud of particles that swells from its centre as it flies.
fn swelling(bodies: &[(u32, f64)]) -> Model {
    let mut random = Random::new(8);
    let count: u32 = bodies.iter().map(|(count, _)| count).sum();
    let positions: Vec<[f64; 3]> = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
    let mut model = models::particles(&positions, &vec![1.0; count as usize]);
    model.world.gravity = [0.0; 3];
    split(&mut model, bodies);
    for body in model.bodies.clone() {
        let range = body.particles.start as usize..body.particles.end as usize;
        let sum = vectors(&positions[range.clone()]).fold(Vec3::zero(), |sum, x| sum + x);
        let centre = sum * (1.0 / range.len() as f64);
        for i in range {
            let swell = (Vec3::from(positions[i]) - centre) * 2.0;
            model.particles.velocities[i] = (swell + FLIGHT.into()).into();
        }
    }
    model
}

const FLIGHT: [f64; 3] = [1.0, -2.0, 0.5];

/// Fails unless what each particle of a body had of velocity beside the flight has this share left. `substeps` were made in all,
/// each of which rounds a velocity of up to 6 m/s.
fn assert_left(model: &Model, state: &State, body: usize, left: f64, substeps: u32) {
    for i in model.bodies[body].particles.clone().map(|i| i as usize) {
        let [now, begun] =
            [state.velocities[i], model.particles.velocities[i]].map(|v| Vec3::from(v) - Vec3::from(FLIGHT));
        let error = (now - begun * left).length();
        let rounding = 6.0 * 6e-8 * f64::from(substeps);
        assert!(error <= rounding + 1e-5 * left, "{now:?} is not {left} of {begun:?}");
    }
}

/// What is no rigid motion dies away as e^(-k t), whatever the substeps, in each body at its own rate; one that is not damped
/// keeps the bits that it has in a scene without any damping.
#[test]
fn deformation_dies_away_exponentially() {
    for substeps in [1, 10, 40] {
        let mut model = swelling(&[(300, 2.0), (5, 0.0), (60, 0.3)]);
        model.settings.substeps = substeps;
        let state = run(&model, 60);
        for (body, rate) in [2.0_f64, 0.0, 0.3].into_iter().enumerate() {
            assert_left(&model, &state, body, (-rate).exp(), 60 * substeps);
        }
        let plain = run(&undamped(&model), 60);
        assert_eq!(
            (&state.positions[300..305], &state.velocities[300..305]),
            (&plain.positions[300..305], &plain.velocities[300..305])
        );
    }
}

/// A body goes on to be damped at its rate at other substeps, at another rate from when it is set, from none and to none, and a
/// rate or a body that cannot be is refused.
#[test]
fn damping_may_change() {
    let model = swelling(&[(300, 2.0), (60, 0.0)]);
    let mut running = Running::new(&model);
    running.run(15);
    let settings = Settings { substeps: 23, ..model.settings.clone() };
    running.reconfigure(&model, settings);
    let state = running.run(15);
    assert_left(&model, &state, 0, (-1.0_f64).exp(), 500);
    assert_left(&model, &state, 1, 1.0, 500);
    running.solver.set_damping(0, 0.0).unwrap();
    running.solver.set_damping(1, 3.0).unwrap();
    let state = running.run(15);
    assert_left(&model, &state, 0, (-1.0_f64).exp(), 850);
    assert_left(&model, &state, 1, (-0.75_f64).exp(), 850);
    for (body, rate, expected) in
        [(2, 1.0, "there is no body 2"), (0, -1.0, "a damping is -1"), (0, f64::NAN, "a damping is NaN")]
    {
        let message = running.solver.set_damping(body, rate).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    assert_left(&model, &running.run(15), 1, (-1.5_f64).exp(), 1_200);
}

/// Particles in a line, in any direction and nearly along an axis, keep their momenta and take no spin from rounding, near and
/// far. So do two particles, also where one is fixed, and one; what is all fixed stays.
#[test]
fn shapes_without_inertia() {
    let mut random = Random::new(17);
    let directions =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [-0.3, 0.8, 0.1], [1.0, 1e-4, 0.0]];
    for (place, direction) in
        [[0.0; 3], FAR].into_iter().flat_map(|place| directions.map(|direction| (place, direction)))
    {
        for count in [2, 300] {
            let step = Vec3::from(direction) * (2.0 / f64::from(count));
            let places: Vec<Vec3<f64>> = (0..count).map(|k| Vec3::from(place) + step * f64::from(k)).collect();
            let velocities: Vec<Vec3<f64>> = places.iter().map(|_| random.vector(-1.0, 1.0).into()).collect();
            let mut model = passing(&places, &velocities, &vec![0.5; places.len()]);
            let without = run(&model, 1);
            model.bodies[0].damping = ALL;
            let state = run(&model, 1);
            // Roundings are those of the particles' own momenta, which in a line of 300 random ones are far larger than their sum.
            let [linear, angular] = changes(&model, &without, &state);
            assert!(linear < 1e-5 && angular < 1e-5, "{direction:?}: {linear:.2e} and {angular:.2e}");
            // A line's rigid velocity is linear along it.
            for (k, v) in vectors(&state.velocities).enumerate() {
                let along = k as f64 / f64::from(count - 1);
                let ends = [0, places.len() - 1].map(|end| Vec3::from(state.velocities[end]));
                let error = (v - ends[0] * (1.0 - along) - ends[1] * along).length();
                // Some ten roundings of 1 m/s: of the sums, of the motion, and of each particle's own way.
                assert!(error < 1e-6, "{direction:?}: {error} m/s");
            }
        }
    }
    let places = [[0.3, 0.1, 0.2], [1.0, 2.0, 3.0], [0.5, 0.5, 0.5], [0.7, 0.1, 0.2], [0.8, 0.1, 0.2]].map(Vec3::from);
    let velocities = [[1.0, 2.0, -3.0], [-2.0, 1.0, 0.5], [0.0; 3], [0.0; 3], [0.0; 3]].map(Vec3::from);
    let mut model = passing(&places, &velocities, &[1.0, 3.0, 0.0, 0.0, 0.0]);
    split(&mut model, &[(1, ALL), (2, ALL), (2, ALL)]);
    let state = run(&model, 1);
    let difference = apart(&state.velocities, &model.particles.velocities);
    assert!(difference < 2.0 * 3.0 * 6e-8, "{difference} m/s");
}

/// Of a body with fixed particles and one free one, or two free ones in one place, all motion is translation: damping
/// leaves it alone, near and far, wherever the fixed ones are.
#[test]
fn one_free_particle_is_left_alone() {
    let mut random = Random::new(23);
    for from in [[0.0; 3], FAR].map(Vec3::from) {
        let (mut places, mut velocities, mut masses) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..60 {
            let [one, other, free] = [0, 1, 2].map(|_| from + random.vector(-1.0, 1.0).into());
            let velocity = Vec3::from(random.vector(-1.0, 1.0));
            places.extend([one, other, free, one, other, free, free]);
            velocities.extend([Vec3::zero(), Vec3::zero(), velocity, Vec3::zero(), Vec3::zero(), velocity, velocity]);
            masses.extend([0.0, 0.0, 0.7, 0.0, 0.0, 0.3, 1.1]);
        }
        let mut model = passing(&places, &velocities, &masses);
        split(&mut model, &[(3, ALL), (4, ALL)].repeat(60));
        for (who, state) in [("solver", run(&model, 1)), ("reference", models::run(&model, 1))] {
            let difference = apart(&state.velocities, &model.particles.velocities);
            // Two roundings of 1 m/s.
            assert!(difference < 2.0 * 6e-8, "{who}: {difference} m/s");
        }
    }
}

/// A particle that hits the ground leaves with its restitution's share of the speed with which it came, however strongly its
/// body, half of which is still up in the air, is damped.
#[test]
fn contacts_have_the_last_word() {
    let mut model = models::particles(&[[0.0, 0.001, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]], &[1.0, 2.0, 3.0]);
    one_substep(&mut model);
    model.particles.velocities = vec![[0.0, -2.0, 0.0]; 3];
    (model.bodies[0].restitution, model.bodies[0].damping) = (0.5, ALL);
    models::ground(&mut model, [0.0, 1.0, 0.0]);
    let state = run(&model, 1);
    assert_eq!(state.contacts, 1);
    // A rounding each of u, of the approach, and of their sum.
    assert!((state.velocities[0][1] - 1.0).abs() < 3.0 * 2.0 * 6e-8, "{:?}", state.velocities[0]);
    let difference = apart(&state.velocities, &models::run(&model, 1).velocities);
    assert!(difference < 2e-6, "{difference} m/s");
}

/// The same scene gives the same bits, also from a snapshot on.
#[test]
fn damping_is_deterministic() {
    let model = jelly(7, [0.0; 3], 4.0);
    let mut damped = Running::new(&model);
    damped.run(4);
    let mut fresh = Running::new(&model);
    take_over(&damped, &mut fresh);
    let unbroken = run(&model, 10);
    assert_eq!(damped.run(6), unbroken);
    let resumed = fresh.run(6);
    assert_eq!((resumed.positions, resumed.velocities), (unbroken.positions, unbroken.velocities));
}
