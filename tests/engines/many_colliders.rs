//! More colliders than a particle has contacts with: found by a tree of their bounds. Against the reference, which looks at all of them, and
//! against the same scene with few. Run on the GPU and on the CPU engine.

use pliant::Engine;
use pliant::constraint::Vec3;
use pliant::model::{Against, Body, Collider, Contact, Groups, Integrator, Keyframes, Model, Shape, State, Turning};
use pliant::scene::{ColliderShape, Scene, Torus};

use crate::device::{Running, run};
use crate::kernels::difference;
use crate::models;
use crate::random::Random;

/// A torus by its distances on a grid, and ground of given heights.
fn fields() -> [Collider; 2] {
    let torus = Torus { radius: 0.2, tube_radius: 0.08, segments: 48, tube_segments: 24 };
    let shape = ColliderShape::Mesh { mesh: torus.into(), scale: 1.0, cells: 24 };
    let row = |z: i32| (0..5).map(|x| 0.1 * f64::from(x * z % 3)).collect();
    let heights: Vec<Vec<f64>> = (0..4).map(row).collect();
    let scene = Scene::new("")
        .with(pliant::scene::Body::particles([[0.0; 3]]))
        .collider(pliant::scene::Collider::new(shape))
        .collider(pliant::scene::Collider::height_field(heights, [0.8, 0.6]));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    [model.colliders[0].clone(), model.colliders[1].clone()]
}

/// 60 colliders of every shape in a cube of 3 m about a centre, some moving, turning, in groups, thick or sticky, with ground under them,
/// within a container, and particles between them.
fn mixed(centre: [f64; 3], with_fields: bool) -> Model {
    let mut random = Random::new(4);
    let at = |offset: [f64; 3]| std::array::from_fn(|i| centre[i] + offset[i]);
    let fields = fields();
    let groups = Groups { of: 2, with: 1 };
    let mut colliders = Vec::new();
    for k in 0..58 {
        let mut collider = match k % 6 {
            0 => Collider::new(Shape::Sphere { radius: 0.2 }),
            1 => Collider::new(Shape::Capsule { radius: 0.1, length: 0.4 }),
            2 => Collider::new(Shape::Box { size: [0.5, 0.3, 0.02] }),
            3 => Collider::new(Shape::Cylinder { radius: 0.15, length: 0.3 }),
            _ if with_fields => fields[k % 2].clone(),
            _ => Collider::new(Shape::Sphere { radius: 0.25 }),
        };
        collider.position = at(random.vector(-1.4, 1.4));
        let [x, y, z] = random.vector(-1.0, 1.0);
        let length = (1.0 + x * x + y * y + z * z).sqrt();
        collider.rotation = [x, y, z, 1.0].map(|value| value / length);
        (collider.friction, collider.dynamic_friction, collider.restitution) = (0.4, 0.2, 0.1);
        if k.is_multiple_of(3) {
            collider.motion = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, random.vector(-2.0, 2.0))]);
        }
        if k % 4 == 1 {
            collider.turning = Some(Turning { spin: random.vector(-12.0, 12.0), rotations: None });
        }
        if k.is_multiple_of(5) {
            collider.belt = [0.3, 0.0, 0.1];
        }
        if k.is_multiple_of(7) {
            collider.thickness = 0.02;
        }
        if k.is_multiple_of(11) {
            collider.adhesion = 2.0;
        }
        if k.is_multiple_of(13) {
            collider.groups = groups;
        }
        colliders.push(collider);
    }
    colliders.insert(30, Collider::plane(at([0.0, -1.2, 0.0]), [0.0, 1.0, 0.0]));
    let room = Collider::new(Shape::Box { size: [3.0; 3] });
    colliders.insert(7, Collider { inside: true, position: centre, ..room });
    // What begins deep in a collider may be pushed through others.
    let free = |place: &[f64; 3]| colliders.iter().all(|collider| collider.distance(0.0, *place).1 > 0.05);
    let places = std::iter::repeat_with(|| at(random.vector(-1.4, 1.4)));
    let positions: Vec<[f64; 3]> = places.filter(free).take(300).collect();
    let masses: Vec<f64> = (0..300).map(|i| if i % 20 == 0 { 0.0 } else { random.number(0.1, 3.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..300).map(|_| random.vector(-5.0, 5.0)).collect();
    let body = Body { friction: 0.6, dynamic_friction: 0.4, restitution: 0.1, ..model.bodies[0].clone() };
    model.bodies = vec![
        Body { particles: 0..200, radius: 0.03, ..body.clone() },
        Body { particles: 200..300, radius: 0.01, groups, ..body },
    ];
    model.particles.bodies[200..].fill(1);
    model.colliders = colliders;
    model
}

/// Which particle presses on which collider, or is held, with more than a hundredth of the least weight: about less a rounding may decide.
fn who(contacts: &[Contact]) -> Vec<(u32, Against)> {
    let felt = contacts.iter().filter(|contact| contact.force.abs() > 0.01);
    felt.map(|contact| (contact.particle, contact.against)).collect()
}

/// The model as it is after some frames, as one that begins there, a little shaken: of what just touches a rounding would decide whether it presses.
fn later(model: &Model, frames: u32) -> Model {
    let state = models::run(model, frames);
    let mut model = model.clone();
    for collider in &mut model.colliders {
        (collider.position, collider.rotation) =
            (collider.position_at(state.seconds), collider.rotation_at(state.seconds));
    }
    (model.particles.positions, model.particles.velocities) = (state.positions, state.velocities);
    shaken(&model, 1e-4, &mut Random::new(6))
}

/// With places moved by so much, m.
fn shaken(model: &Model, by: f64, random: &mut Random) -> Model {
    let mut model = model.clone();
    model.particles.positions.as_flattened_mut().iter_mut().for_each(|x| *x += random.number(-by, by));
    model
}

/// What is found among 60 colliders of every shape, moving and turning, is what the reference finds, which looks at all: places, and who presses
/// on whom, after two frames, by either integrator, at the origin and a kilometre away, where single precision has 6e-5 m. The bound
/// is 2e-6 m or twenty times what a rounding at the beginning makes of the particle in double precision, as in the gallery, where that is more. With grids and heights it is one substep, as
/// in `fields.rs`, since rounding decides there in which cell a point is.
#[test]
fn many_colliders_equal_their_twin() {
    for (integrator, centre, fields) in [
        (Integrator::Euler, [0.0; 3], false),
        (Integrator::Bdf2, [0.0; 3], false),
        (Integrator::Euler, [1000.0, -700.0, 1000.0], false),
        (Integrator::Euler, [0.0; 3], true),
    ] {
        let mut model = later(&mixed(centre, fields), 12);
        model.settings.integrator = integrator;
        if integrator == Integrator::Bdf2 {
            // Whether something touched as a substep began, so that adhesion holds it, the reference asks of another place.
            model.colliders.iter_mut().for_each(|collider| collider.adhesion = 0.0);
        }
        let frames = if fields { 1 } else { 2 };
        (model.settings.substeps, model.settings.iterations) = if fields { (1, 2) } else { (6, 1) };
        let mut running = Running::new(&model);
        let found = running.run(frames);
        let mut reference = models::reference(&model);
        (0..frames).for_each(|_| reference.step());
        let twin = reference.state();
        let case = format!("{integrator:?} at {centre:?}, fields: {fields}");
        assert!(twin.contacts > 10, "{case}: only {} contacts", twin.contacts);
        let apart = |a: &State, particle: usize| {
            (Vec3::from(a.positions[particle]) - Vec3::from(twin.positions[particle])).length()
        };
        let mut random = Random::new(5);
        let rounded: Vec<State> = (0..8).map(|_| models::run(&shaken(&model, 6e-8, &mut random), frames)).collect();
        for particle in 0..twin.positions.len() {
            let amplified = rounded.iter().map(|state| apart(state, particle)).fold(0.0, f64::max);
            let apart = apart(&found, particle);
            assert!(
                apart < f64::max(2e-6, 20.0 * amplified),
                "{case}, {particle}: {apart:e} m, roundings {amplified:e} m"
            );
        }
        assert_eq!(who(&running.contacts()), who(&reference.contacts()), "{case}");
    }
}

/// A cloth and balls on a few colliders, eight at most, one of which sticks and one of which turns.
fn heaped() -> Model {
    let mut model = models::cloth(16);
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction) = (0.02, 0.4, 0.3);
    for k in 0..4 {
        let ball = Collider::sphere([0.25 * f64::from(k), -0.2, 0.3 + 0.1 * f64::from(k)], 0.12);
        model.colliders.push(Collider { friction: 0.4, dynamic_friction: 0.3, restitution: 0.2, ..ball });
    }
    model.colliders[1].adhesion = 0.05;
    model.colliders[2].turning = Some(Turning { spin: [0.0, 3.0, 1.0], rotations: None });
    for k in 0..3 {
        let post = Collider::new(Shape::Cylinder { radius: 0.04, length: 0.5 });
        model.colliders.push(Collider { position: [0.3 * f64::from(k), -0.3, 0.8], ..post });
    }
    model.colliders.push(Collider::plane([0.0, -0.5, 0.0], [0.0, 1.0, 0.0]));
    model
}

/// One more collider, out of reach, by which they are many, changes no bit: of positions, velocities and contacts, of a substep and of a frame.
#[test]
fn one_more_changes_no_bit() {
    let few = heaped();
    assert_eq!(few.colliders.len(), 8);
    let mut many = few.clone();
    many.colliders.push(Collider::sphere([40.0, 0.0, 0.0], 1.0));
    for (integrator, averages) in [(Integrator::Euler, false), (Integrator::Euler, true), (Integrator::Bdf2, true)] {
        let [a, b] = [&few, &many].map(|model| {
            let mut model = model.clone();
            model.settings.integrator = integrator;
            let mut running = Running::new(&model);
            running.solver.average_contacts(averages);
            (running.run(25), running.contacts())
        });
        assert!(a.0.contacts > 10, "only {} contacts", a.0.contacts);
        assert_eq!((&a.0.positions, &a.0.velocities), (&b.0.positions, &b.0.velocities), "{integrator:?}");
        assert_eq!(a.1, b.1, "{integrator:?}");
    }
}

/// At 100 m/s among fifty plates of 1 mm, 5 cm apart, of which a substep's way crosses three, everything stays between the two between which it
/// was; with BDF2, too.
#[test]
fn nothing_passes_one_of_many_plates() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let mut random = Random::new(7);
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        for i in 0..300 {
            let gap = f64::from(i % 49);
            places.push([random.number(-1.0, 1.0), 0.05 * (gap + random.number(0.1, 0.9)), random.number(-1.0, 1.0)]);
            let Vec3 { x, y, z } = Vec3::from(random.vector(-1.0, 1.0)) * 100.0;
            velocities.push([0.2 * x, y, 0.2 * z]);
        }
        let mut model = models::particles(&places, &vec![1.0; places.len()]);
        model.particles.velocities = velocities;
        (model.bodies[0].radius, model.bodies[0].restitution) = (0.002, 1.0);
        model.settings.integrator = integrator;
        for k in 0..50 {
            let plate = Collider::new(Shape::Box { size: [50.0, 0.001, 50.0] });
            model.colliders.push(Collider { position: [0.0, 0.05 * f64::from(k), 0.0], restitution: 1.0, ..plate });
        }
        let state = run(&model, 3);
        for (before, after) in places.iter().zip(&state.positions) {
            let gap = (before[1] / 0.05).floor();
            let within = (after[1] - 0.05 * gap, 0.05 * (gap + 1.0) - after[1]);
            assert!(within.0 > 0.0 && within.1 > 0.0, "{integrator:?}: from {before:?} to {after:?}");
        }
    }
}

/// Balls in a ring of so many sloping boxes, each of which touches all of these, and no other ball, in one place.
pub fn ring(balls: usize, boxes: u32) -> Model {
    let mut model = models::particles(&vec![[0.0; 3]; balls], &vec![1.0; balls]);
    let body = &mut model.bodies[0];
    (body.radius, body.friction, body.dynamic_friction) = (0.1, 0.3, 0.3);
    // Faces of a funnel at 45°, a hundredth of a millimetre away from the ball.
    let half = std::f64::consts::FRAC_PI_8;
    for k in 0..boxes {
        let angle = std::f64::consts::TAU * (f64::from(k) + 0.3) / f64::from(boxes);
        // About z by 45°, then about y.
        let (lean, turn) = ([0.0, 0.0, half.sin(), half.cos()], [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()]);
        let rotation = [turn[1] * lean[2], turn[1] * lean[3], turn[3] * lean[2], turn[3] * lean[3]];
        // Its face looks along (-sin 45°, cos 45°), turned.
        let away = (0.1 + 0.05 + 1e-5) * std::f64::consts::FRAC_1_SQRT_2;
        let position = [away * angle.cos(), -away, -away * angle.sin()];
        let plate = Collider::new(Shape::Box { size: [0.3, 0.1, 0.02] });
        model.colliders.push(Collider { position, rotation, friction: 0.3, dynamic_friction: 0.3, ..plate });
    }
    model
}

/// A ball that presses on twenty colliders at once is held by all of them as in the reference.
#[test]
fn twenty_at_once_hold_as_in_the_reference() {
    let model = ring(3, 20);
    let mut running = Running::new(&model);
    let found = running.run(30);
    let twin = models::run(&model, 30);
    let (apart, _) = difference(&found, &twin);
    assert!(apart < 2e-6, "{apart:e} m");
    // A sweep gives the first its share and takes some of it back: which press at an end may be decided by a rounding. All are felt.
    assert!(found.contacts >= 30, "{} press", found.contacts);
}
