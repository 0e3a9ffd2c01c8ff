//! What presses against colliders in motion, against theory: along curves, on a lift, at impacts. On the GPU, on the CPU engine and in double precision, by Euler's
//! substeps and BDF2's.

use pliant::model::{Collider, Contact, Drive, Integrator, Keyframes, Model, Shape, State};
use pliant::plan::Plan;
use pliant::{Engine, Reference};

use crate::device::Running;
use crate::models::{self, GRAVITY};

const INTEGRATORS: [Integrator; 2] = [Integrator::Euler, Integrator::Bdf2];
const RADIUS: f64 = 0.1;

/// Frames of a model with the contacts of each, in the mean, and the state at the end: by the engine, and in double precision.
type Run = fn(&Model, u32) -> (Vec<Vec<Contact>>, State);
const RUNS: [(&str, Run); 2] = [("engine", engine), ("reference", reference)];

fn engine(model: &Model, frames: u32) -> (Vec<Vec<Contact>>, State) {
    let mut running = Running::new(model);
    running.solver.average_contacts(true);
    let frame = |_| {
        running.run(1);
        running.contacts()
    };
    ((0..frames).map(frame).collect(), running.state())
}

fn reference(model: &Model, frames: u32) -> (Vec<Vec<Contact>>, State) {
    let mut reference = Reference::new(model, &Plan::new(model));
    reference.average_contacts(true);
    let frame = |_| {
        reference.step();
        reference.contacts()
    };
    ((0..frames).map(frame).collect(), reference.state())
}

/// A ball of 1 kg and a collider that it meets with this friction and restitution.
fn ball(place: [f64; 3], velocity: [f64; 3], collider: Collider, [friction, restitution]: [f64; 2]) -> Model {
    let mut model = models::particles(&[place], &[1.0]);
    model.particles.velocities = vec![velocity];
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction, body.restitution) = (RADIUS, friction, friction, restitution);
    model.colliders = vec![Collider { friction, dynamic_friction: friction, restitution, ..collider }];
    model
}

/// What circles in a drum presses by m v²/R, whatever the substeps, and with friction keeps v₀/(1 + μ v₀ t/R) of its speed.
#[test]
fn what_circles_presses_by_its_inertia() {
    let drum = || Collider { inside: true, ..Collider::new(Shape::Cylinder { radius: 1.0, length: 20.0 }) };
    let (radius, speed) = (1.0 - RADIUS, 3.0);
    for (who, run) in RUNS {
        for integrator in INTEGRATORS {
            for (substeps, bound) in [(20, 6e-3), (100, 3e-3)] {
                let mut model = ball([radius, 0.0, 0.0], [0.0, 0.0, speed], drum(), [0.0, 0.0]);
                model.world.gravity = [0.0; 3];
                (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
                let (contacts, _) = run(&model, 30);
                let off = contacts[29][0].force / (speed * speed / radius) - 1.0;
                assert!(off.abs() < bound, "{who} {integrator:?} {substeps}: {off}");

                model.bodies[0].friction = 0.3;
                (model.bodies[0].dynamic_friction, model.colliders[0].friction) = (0.3, 0.3);
                model.colliders[0].dynamic_friction = 0.3;
                let [x, _, z] = run(&model, 60).1.velocities[0];
                let off = x.hypot(z) / (speed / (1.0 + 0.3 * speed / radius)) - 1.0;
                assert!(off.abs() < bound, "{who} {integrator:?} {substeps} with friction: {off}");
            }
        }
    }
}

/// On a lift that rises ever faster a ball weighs m (g + a).
#[test]
fn a_lift_that_rises_ever_faster_presses() {
    let rise = 3.0;
    // Straight between keyframes, a substep long: of each the mean velocity.
    let substeps = 20;
    let time = |k: u32| f64::from(k) / (60.0 * f64::from(substeps));
    let frames: Vec<_> = (0..=21 * substeps).map(|k| (time(k), [0.0, 0.5 * rise * time(k).powi(2), 0.0])).collect();
    let lift = Collider { motion: Keyframes::new(frames), ..Collider::new(Shape::Plane) };
    for (who, run) in RUNS {
        for integrator in INTEGRATORS {
            let mut model = ball([0.0, RADIUS, 0.0], [0.0; 3], lift.clone(), [0.0, 0.0]);
            (model.settings.integrator, model.settings.substeps) = (integrator, substeps);
            let (contacts, _) = run(&model, 20);
            let off = contacts[19][0].force / (GRAVITY + rise) - 1.0;
            assert!(off.abs() < 2e-3, "{who} {integrator:?}: {off}");
        }
    }
}

/// A ball that slides off a smooth sphere leaves it where nothing but a pull could hold it: from near the top, where cos θ is two thirds, and then falls freely.
#[test]
fn what_slides_off_a_sphere_leaves_it() {
    let (radius, begin) = (1.0 + RADIUS, 0.1_f64);
    // In 15,500 steps for each of the 100 substeps.
    let (mut angle, mut turn, mut time, step) = (begin, 0.0_f64, 0.0, 1e-6);
    while GRAVITY * angle.cos() > radius * turn * turn {
        turn += GRAVITY / radius * angle.sin() * step;
        angle += turn * step;
        time += step;
    }
    let left = 1.55 - time;
    let across = radius * angle.sin() + radius * turn * angle.cos() * left;
    let up = radius * angle.cos() - radius * turn * angle.sin() * left - 0.5 * GRAVITY * left * left;
    for (who, run) in RUNS {
        for integrator in INTEGRATORS {
            let place = [radius * begin.sin(), radius * begin.cos(), 0.0];
            let mut model = ball(place, [0.0; 3], Collider::new(Shape::Sphere { radius: 1.0 }), [0.0, 0.0]);
            (model.settings.integrator, model.settings.substeps) = (integrator, 50);
            let [x, y, _] = {
                model.settings.frame_rate = 100.0;
                run(&model, 155).1.positions[0]
            };
            let off = (x - across).hypot(y - up);
            assert!(off < 5e-3, "{who} {integrator:?}: {off} m");
        }
    }
}

/// An impact takes μ (1 + e) v along the surface, and its impulse of (1 + e) m v is told, whenever in a substep it comes.
#[test]
fn impacts_are_felt_whole() {
    let (down, along, friction) = (4.0, 3.0, 0.1);
    for (who, run) in RUNS {
        for integrator in INTEGRATORS {
            for restitution in [0.0, 0.5] {
                for part in [0.1, 0.3, 0.5, 0.7, 0.9] {
                    let place = [0.0, 0.5 + part * down / 600.0, 0.0];
                    let floor = Collider::new(Shape::Plane);
                    let mut model = ball(place, [along, -down, 0.0], floor, [friction, restitution]);
                    model.world.gravity = [0.0; 3];
                    model.settings.integrator = integrator;
                    let (contacts, state) = run(&model, 12);
                    let what = format!("{who} {integrator:?}, e = {restitution}, {part} of a substep");
                    let expected = along - friction * (1.0 + restitution) * down;
                    let velocity = state.velocities[0][0];
                    assert!((velocity - expected).abs() < 1e-3, "{what}: {velocity} m/s and not {expected}");
                    let all = || contacts.iter().flatten();
                    let impulse: f64 = all().map(|contact| contact.force / 60.0).sum();
                    assert!((impulse / ((1.0 + restitution) * down) - 1.0).abs() < 1e-3, "{what}: {impulse} N s");
                    let rub: f64 = all().map(|contact| contact.friction[0] / 60.0).sum();
                    assert!((rub + friction * impulse).abs() < 1e-3 * impulse, "{what}: {rub} N s of friction");
                }
            }
        }
    }
}

/// Roundings of places, which are as large as g h² in the shortest substeps, neither press nor rub: what rests presses by its weight, and what slides down a slope
/// does so by μ of its part of it, 30 m from the collider's place, too.
#[test]
fn short_substeps_press_no_more() {
    let (sine, cosine) = (0.5, 0.75_f64.sqrt());
    let slope = Collider::plane([0.0; 3], [sine, cosine, 0.0]);
    let frames = 8;
    for substeps in [50, 400, 1600] {
        let settings = |model: &mut Model| model.settings.substeps = substeps;
        let mut resting = ball([0.0, RADIUS, 0.0], [0.0; 3], Collider::new(Shape::Plane), [0.0, 0.0]);
        settings(&mut resting);
        let (contacts, _) = engine(&resting, frames);
        let off = contacts[frames as usize - 1][0].force / GRAVITY - 1.0;
        assert!(off.abs() < 2e-3, "{substeps}: {off} of its weight");
        for far in [0.0, 30.0] {
            let place = [far * cosine + RADIUS * sine, RADIUS * cosine - far * sine, 0.0];
            let mut sliding = ball(place, [0.0; 3], slope.clone(), [0.2, 0.0]);
            settings(&mut sliding);
            let [x, y, _] = engine(&sliding, frames).1.velocities[0];
            let expected = f64::from(frames) / 60.0 * GRAVITY * (sine - 0.2 * cosine);
            let off = x.hypot(y) / expected - 1.0;
            assert!(off.abs() < 1e-3, "{substeps}, {far} m away: {off} of its speed");
        }
    }
}

/// What is put inside a floor is put out, and not thrown.
#[test]
fn what_begins_inside_is_not_thrown() {
    for (who, run) in RUNS {
        for integrator in INTEGRATORS {
            let mut model = ball([0.0, 0.02, 0.0], [0.0; 3], Collider::new(Shape::Plane), [0.0, 0.5]);
            model.settings.integrator = integrator;
            let (_, state) = run(&model, 10);
            let (place, speed) = (state.positions[0][1], state.velocities[0][1]);
            assert!(
                (place - RADIUS).abs() < 1e-4 && speed.abs() < 0.02,
                "{who} {integrator:?}: {place} m, {speed} m/s"
            );
        }
    }
}

/// Pins whose keyframes do not begin at nothing are where they say from the first substep on.
#[test]
fn pins_begin_where_their_keyframes_do() {
    let keyframes = vec![(-1.0, [2.0, 0.0, 0.0]), (0.0, [3.0, 0.0, 0.0]), (0.5, [4.0, 0.0, 0.0])];
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[0.0, 0.0]);
    models::drive(&mut model, 0, Drive { motion: Keyframes::new(keyframes), ..Drive::default() });
    for (who, run) in RUNS {
        for (frames, expected) in [(1, 3.0 + 2.0 / 60.0), (30, 4.0), (60, 4.0)] {
            let place = run(&model, frames).1.positions[0][0];
            assert!((place - expected).abs() < 1e-5, "{who}: {place} m after {frames} frames");
        }
    }
}
