//! What presses, as it is read: places and forces against statics.

use std::collections::BTreeMap;

use pliant::measure::Measurement;
use pliant::model::{Against, Contact, Model, State};
use pliant::plan::Plan;
use pliant::scene::{Body, Collider, Scene};
use pliant::{Engine, Reference};

use crate::billiards;
use crate::device::Running;
use crate::pairs::crowd;
use crate::proof;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.1;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A rough ball on an incline of slope ½, and with `wall` a smooth wall at its foot that holds it.
fn on_incline(friction: f64, wall: bool) -> Model {
    let slope = 0.5_f64.atan();
    let normal = [-slope.sin(), slope.cos(), 0.0];
    let ball = Body::particles([normal.map(|n| RADIUS * n)]).mass(MASS).radius(RADIUS).friction(2.0 * friction);
    let mut scene = Scene::new("incline").with(ball).collider(Collider::plane(normal, 0.0));
    if wall {
        // Square to the slope, it touches the ball from below.
        scene = scene.collider(Collider::plane([normal[1], -normal[0], 0.0], -RADIUS));
    }
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// What touches after half a second, in the last substep or in the mean of a frame.
type Of = fn(&Model, bool) -> Vec<Contact>;

fn of_engine(model: &Model, averages: bool) -> Vec<Contact> {
    let mut running = Running::new(model);
    running.solver.average_contacts(averages);
    running.run(30);
    running.contacts()
}

fn of_reference(model: &Model, averages: bool) -> Vec<Contact> {
    let mut reference = Reference::new(model, &Plan::new(model));
    reference.average_contacts(averages);
    (0..30).for_each(|_| reference.step());
    reference.contacts()
}

/// Where friction holds the ball the plane bears m g cos θ, friction m g sin θ up the slope; without friction the wall bears the latter.
#[test]
fn forces_of_contact_are_those_of_statics() {
    let (sine, cosine) = 0.5_f64.atan().sin_cos();
    let uphill = [cosine, sine, 0.0];
    for (who, averages, bound, of) in [
        ("engine", false, 1e-2, of_engine as Of),
        // What single precision leaves in a substep, some 4e-4, becomes less in the mean of ten.
        ("engine, mean of a frame", true, 5e-4, of_engine),
        ("reference", false, 1e-6, of_reference),
        ("reference, mean of a frame", true, 1e-6, of_reference),
    ] {
        let held = of(&on_incline(1.0, false), averages);
        assert_eq!(held.len(), 1, "{held:?}");
        let contact = held[0];
        assert_eq!((contact.particle, contact.against), (0, Against::Collider(0)));
        proof::relative(
            &format!("{who}: a plane bears a ball"),
            "m g cos θ",
            contact.force,
            MASS * GRAVITY * cosine,
            bound,
        );
        let friction = dot(contact.friction, uphill);
        proof::relative(&format!("{who}: friction bears it"), "m g sin θ", friction, MASS * GRAVITY * sine, bound);
        // They touch at the origin, at which the ball was put.
        assert!(contact.point.iter().all(|x| x.abs() < 1e-3), "{contact:?}");

        let mut leaning = of(&on_incline(0.0, true), averages);
        leaning.sort_by_key(|contact| contact.against);
        assert_eq!(leaning.len(), 2, "{leaning:?}");
        for (contact, share) in leaning.iter().zip([cosine, sine]) {
            let claim = format!("{who}: without friction {:?} bears its share", contact.against);
            proof::relative(&claim, "m g cos θ, m g sin θ", contact.force, MASS * GRAVITY * share, bound);
            // Of a mean it is what the normals' digits leave.
            assert!(contact.friction.iter().all(|force| force.abs() < 1e-12), "{contact:?}");
            assert!((dot(contact.normal, contact.normal) - 1.0).abs() < 1e-6);
        }
    }
}

/// A ball under a ceiling that holds it by adhesion hangs there by its weight.
#[test]
fn what_is_held_tells_so() {
    let ball = Body::particles([[0.0, -RADIUS, 0.0]]).mass(MASS).radius(RADIUS);
    let ceiling = Collider::plane([0.0, -1.0, 0.0], 0.0).adhesion(3.0 * MASS * GRAVITY);
    let model =
        Scene::new("ceiling").with(ball).collider(ceiling).build().unwrap_or_else(|error| panic!("{error}")).model;
    for (who, of) in [("engine", of_engine as Of), ("reference", of_reference)] {
        let held = of(&model, false);
        assert_eq!(held.len(), 1, "{held:?}");
        let claim = format!("{who}: a ceiling holds a ball by adhesion");
        proof::relative(&claim, "-m g", held[0].force, -MASS * GRAVITY, 0.01);
    }
}

/// A ball in the air touches nothing.
#[test]
fn what_flies_touches_nothing() {
    let ball = Body::particles([[0.0, 10.0, 0.0]]).mass(MASS).radius(RADIUS);
    let ground = Collider::plane([0.0, 1.0, 0.0], 0.0);
    let model =
        Scene::new("flight").with(ball).collider(ground).build().unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!((of_engine(&model, true), of_reference(&model, true)), (Vec::new(), Vec::new()));
}

/// A ball that rests by friction on the flank of one that is held: they press on each other by m g cos θ, friction holds m g sin θ, and the
/// contact is told once, from the side of the first.
#[test]
fn forces_of_pairs_are_those_of_statics() {
    let degrees = 20.0_f64;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let weight = GRAVITY;
    for iterations in [1, 3] {
        let (mut model, _) = billiards::perched(degrees, 1.0);
        model.settings.iterations = iterations;
        for (who, of) in [("engine", of_engine as Of), ("reference", of_reference)] {
            let contacts = of(&model, true);
            assert_eq!(contacts.len(), 1, "{contacts:?}");
            let contact = contacts[0];
            assert_eq!((contact.particle, contact.against), (0, Against::Particle(1)));
            let claim = format!("{who}, {iterations} iterations: a ball lies on a ball");
            proof::relative(&claim, "m g cos θ", contact.force, weight * cosine, 0.01);
            // On the lower one friction pulls down the slope.
            let friction = dot(contact.friction, [cosine, -sine, 0.0]);
            proof::relative(&claim, "m g sin θ", friction, weight * sine, 0.01);
            let along = dot(contact.normal, [-sine, -cosine, 0.0]);
            assert!((along - 1.0).abs() < 1e-3, "{contact:?}");
            let touching: [f64; 3] =
                std::array::from_fn(|i| contact.point[i] - billiards::RADIUS * [sine, cosine, 0.0][i]);
            assert!(touching.iter().all(|x| x.abs() < 1e-3), "{contact:?}");
        }
    }
}

/// Every contact of a crowd of free and held balls has the force of its twin, with one sweep and with several, of the last substep and as the mean of
/// a frame.
#[test]
fn pairs_are_told_as_by_their_twin() {
    for (iterations, averages) in [(1, false), (1, true), (3, false), (3, true)] {
        let mut model = crowd(300, 1);
        model.settings.iterations = iterations;
        model.settings.substeps = 2;
        let mut running = Running::new(&model);
        running.solver.average_contacts(averages);
        let state = running.run(2);
        let told = running.contacts();
        // What pressed in the first substep may not in the last.
        assert_eq!(told.len() as u64 > state.contacts, averages, "{} of {}", told.len(), state.contacts);
        assert!(told.len() as u64 >= state.contacts);
        let mut reference = Reference::new(&model, &Plan::new(&model));
        reference.average_contacts(averages);
        (0..2).for_each(|_| reference.step());
        let twins = reference.contacts();
        assert!(twins.len() > 40, "only {} contacts: the test shows nothing", twins.len());
        let largest = twins.iter().map(|twin| twin.force).fold(0.0, f64::max);
        // Places are as good as 1e-7 m of the centimetres by which these balls overlap, as in `pairs_equal_their_twin`. So whether two touch that only just
        // do is open, and then one of them is told without a force or not at all.
        let bound = 1e-4 * largest;
        let ends = |contact: &Contact| (contact.particle, contact.against);
        let by_ends = |contacts: &[Contact]| contacts.iter().map(|one| (ends(one), *one)).collect::<BTreeMap<_, _>>();
        let (told, twins) = (by_ends(&told), by_ends(&twins));
        for one in told.keys().chain(twins.keys()) {
            let part = |of: &BTreeMap<_, Contact>| {
                of.get(one).map_or([0.0; 4], |contact| {
                    let [x, y, z] = contact.friction;
                    [contact.force, x, y, z]
                })
            };
            let (here, twin) = (part(&told), part(&twins));
            assert!((0..4).all(|i| (here[i] - twin[i]).abs() < bound), "{one:?}: {here:?}, not {twin:?}");
        }
    }
}

/// A trigger lets everything through and tells what is in it in a frame's last substep, also what goes through it within that: not what is
/// beside it.
#[test]
fn a_trigger_tells_what_is_in_it() {
    // One goes through a slab of 1 cm by 1.7 cm a frame, one in the last substep of the third frame, one past it.
    let balls = Body::particles([[0.0, 0.1, 0.0], [0.2, 4.0 - 0.06, 0.0], [5.0, 0.1, 0.0]]).radius(0.01).mass(3.0);
    let balls = balls.velocity([0.0, -1.0, 0.0]);
    let build = |slab: Option<Collider>| {
        let mut scene = Scene::new("gate").with(balls.clone());
        scene = slab.into_iter().fold(scene, Scene::collider);
        let mut model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
        model.world.gravity = [0.0; 3];
        model.particles.velocities[1] = [0.0, -80.0, 0.0];
        model
    };
    let gate = Collider::cuboid([1.0, 0.01, 1.0]).trigger();
    let (model, free) = (build(Some(gate)), build(None));
    let mut running = Running::new(&model);
    let mut reference = Reference::new(&model, &Plan::new(&model));
    let mut seen = [0; 3];
    for _ in 0..12 {
        let state = running.run(1);
        reference.step();
        let told = running.contacts();
        assert_eq!(told.len(), reference.contacts().len());
        for contact in &told {
            assert_eq!((contact.against, contact.force, contact.friction), (Against::Trigger(0), 0.0, [0.0; 3]));
            seen[contact.particle as usize] += 1;
        }
        assert_eq!(state.contacts, 0);
    }
    assert_eq!(running.state().positions, Running::new(&free).run(12).positions, "the trigger pushed something");
    // Centres touch along 3 cm, in which one or two frames end.
    assert!((1..=2).contains(&seen[0]) && seen[1..] == [1, 0], "{seen:?}");
}

/// Over a frame what presses changes momentum by what gravity does not: in a heap that still rolls and trembles the mean forces of the box on its balls
/// are their weight and what makes their momentum change, which those of a single substep are not.
#[test]
fn means_of_forces_change_momentum() {
    let model = billiards::mixed();
    let mut running = Running::new(&model);
    running.run(90);
    let momentum = |state: &State| Measurement::of(&model, state).momentum;
    let weight = GRAVITY * model.particles.inverse_masses.iter().map(|w| 1.0 / w).sum::<f64>();
    let mut errors = [0.0_f64; 2];
    for _ in 0..5 {
        let amid = running.snapshot();
        let before = momentum(&running.state());
        for (averages, error) in [false, true].into_iter().zip(&mut errors) {
            running.restore(&amid);
            assert_eq!(running.contacts(), [], "what pressed at another time is told");
            running.solver.average_contacts(averages);
            let after = momentum(&running.run(1));
            let of_box = running.contacts().into_iter().filter(|one| matches!(one.against, Against::Collider(_)));
            let force = of_box.fold([0.0; 3], |sum, one| {
                std::array::from_fn(|i| sum[i] + one.force * one.normal[i] + one.friction[i])
            });
            let off = (0..3).map(|i| {
                let change = 60.0 * (after[i] - before[i]) + if i == 1 { weight } else { 0.0 };
                (force[i] - change).powi(2)
            });
            *error = error.max(off.sum::<f64>().sqrt() / weight);
        }
    }
    // Single precision is good for 3e-8 m at half a metre, and so is what moves a ball in a substep: 4e-3 of its weight, of which the mean over 20
    // substeps and 62 balls leaves 1e-4.
    proof::row("a heap's mean forces over a frame", "m g + dp/dt", errors[1], 4e-4, "of m g");
    assert!(errors[0] > 3.0 * errors[1], "single substeps tremble no more: {errors:?}");
}

/// What is told of contacts over a frame is all that they did, ball by ball, in a heap that falls, strikes, rubs and lies: with gravity it is the change of
/// each one's momentum.
#[test]
fn each_ball_gets_what_is_told() {
    let mut model = billiards::mixed();
    model.bodies.iter_mut().for_each(|body| body.restitution = 0.5);
    let mass = |i: usize| 1.0 / model.particles.inverse_masses[i];
    for (who, bound) in [("reference", 1e-9), ("engine", 2e-4)] {
        let mut running = Running::new(&model);
        running.solver.average_contacts(true);
        let mut reference = Reference::new(&model, &Plan::new(&model));
        reference.average_contacts(true);
        let mut step = || match who {
            "engine" => (running.run(1), running.contacts()),
            _ => {
                reference.step();
                (reference.state(), reference.contacts())
            }
        };
        let (mut worst, mut strikes) = (0.0_f64, 0.0_f64);
        let mut before = model.particles.velocities.clone();
        for _ in 0..60 {
            let (state, contacts) = step();
            let mut forces: Vec<[f64; 3]> = vec![[0.0; 3]; before.len()];
            for one in contacts {
                let mut add = |to: u32, sign: f64| {
                    (0..3).for_each(|i| forces[to as usize][i] += sign * (one.force * one.normal[i] + one.friction[i]));
                };
                add(one.particle, 1.0);
                if let Against::Particle(other) = one.against {
                    add(other, -1.0);
                }
            }
            for (i, force) in forces.iter().enumerate() {
                let change =
                    |k: usize| 60.0 * (state.velocities[i][k] - before[i][k]) + if k == 1 { GRAVITY } else { 0.0 };
                let off = (0..3).map(|k| (force[k] - mass(i) * change(k)).abs()).fold(0.0, f64::max);
                worst = worst.max(off / (mass(i) * GRAVITY));
                strikes = strikes.max(dot(*force, *force).sqrt() / (mass(i) * GRAVITY));
            }
            before = state.velocities;
        }
        assert!(strikes > 10.0, "at most {strikes} of its weight pressed on a ball: the test shows nothing");
        proof::row(
            &format!("{who}: forces on each ball of a heap over a frame"),
            "m g + m dv/dt",
            worst,
            bound,
            "of m g",
        );
    }
}

/// With means a trigger tells what was in it in any substep of a frame, as a ball that goes through it amid one.
#[test]
fn a_trigger_tells_what_went_through_within_a_frame() {
    // At 81 m/s, 1.35 m a frame, in the middle of the third.
    let ball = Body::particles([[0.0, 2.5 * 1.35, 0.0]]).radius(0.01).mass(1.0).velocity([0.0, -81.0, 0.0]);
    let gate = Collider::cuboid([1.0, 0.01, 1.0]).trigger();
    let mut model =
        Scene::new("gate").with(ball).collider(gate).build().unwrap_or_else(|error| panic!("{error}")).model;
    model.world.gravity = [0.0; 3];
    let mut running = Running::new(&model);
    let mut reference = Reference::new(&model, &Plan::new(&model));
    for (averages, expected) in [(false, [0; 5]), (true, [0, 0, 1, 0, 0])] {
        let beginning = (running.snapshot(), reference.state());
        running.solver.average_contacts(averages);
        reference.average_contacts(averages);
        let told: Vec<usize> = (0..5)
            .map(|_| {
                running.run(1);
                reference.step();
                let (told, twins) = (running.contacts(), reference.contacts());
                assert!(told.iter().all(|one| (one.against, one.force) == (Against::Trigger(0), 0.0)), "{told:?}");
                assert_eq!(told.len(), twins.len());
                told.len()
            })
            .collect();
        assert_eq!(told, expected, "{averages}");
        running.restore(&beginning.0);
        reference.restore(&beginning.1);
    }
}
