//! Particles that were placed in touch with others, or in them, against statics.

use pliant::constraint::{Distance, kind};
use pliant::model::{Against, Contact, Model};
use pliant::plan::Plan;
use pliant::{Engine, Reference};

use crate::device::Running;
use crate::kernels::{Random, difference};
use crate::models::{self, GRAVITY, compliant};
use crate::outlines::{THIN, bar, bodies, chain, points};
use crate::proof;

const MASS: f64 = 2.0;
const BALLS: usize = 5;

/// What presses in the mean of the second's last frame, and where all are then.
type Of = fn(&Model) -> (Vec<Contact>, Vec<[f64; 3]>);

const ENGINES: [(&str, Of, f64); 2] = [("engine", of_engine, 1e-4), ("reference", of_reference, 1e-9)];

fn of_engine(model: &Model) -> (Vec<Contact>, Vec<[f64; 3]>) {
    let mut running = Running::new(model);
    running.solver.average_contacts(true);
    let state = running.run(60);
    (running.contacts(), state.positions)
}

fn of_reference(model: &Model) -> (Vec<Contact>, Vec<[f64; 3]>) {
    let mut reference = Reference::new(model, &Plan::new(model));
    reference.average_contacts(true);
    (0..60).for_each(|_| reference.step());
    (reference.contacts(), reference.state().positions)
}

fn heavy(mut model: Model) -> Model {
    model.world.gravity = [0.0, -GRAVITY, 0.0];
    model
}

/// A pillar of balls one above the other so many radii apart, of which the lowest is held: all of one body, or each a body of its own.
fn pillar(apart: f64, own_bodies: bool) -> Model {
    let place = |k: usize| [0.3, apart * THIN * k as f64, 0.7];
    let mass = |k: usize| if k == 0 { 0.0 } else { MASS };
    let parts = match own_bodies {
        true => (0..BALLS).map(|k| points(&[place(k)], mass(k))).collect(),
        false => {
            let mut part = points(&(0..BALLS).map(place).collect::<Vec<_>>(), MASS);
            part.masses[0] = 0.0;
            vec![part]
        }
    };
    let mut model = heavy(bodies(THIN, &parts));
    model.bodies.iter_mut().for_each(|body| body.self_collision = true);
    model
}

/// Balls placed exactly in touch bear each other, and so do those placed in each other, at the distance at which they were.
#[test]
fn pillars_of_balls_stand() {
    for own_bodies in [false, true] {
        for apart in [2.0, 1.99999, 1.9, 1.2] {
            let model = pillar(apart, own_bodies);
            for (who, of, bound) in ENGINES {
                let (mut contacts, places) = of(&model);
                contacts.sort_by_key(|contact| contact.particle.max(other(contact)));
                assert_eq!(contacts.len(), BALLS - 1, "{who}, {apart} radii: {contacts:?}");
                let off = |(k, contact): (usize, &Contact)| {
                    let weight = (BALLS - 1 - k) as f64 * MASS * GRAVITY;
                    (contact.force / weight - 1.0).abs()
                };
                let error = contacts.iter().enumerate().map(off).fold(0.0, f64::max);
                let whose = if own_bodies { "of bodies of their own" } else { "of one body" };
                let claim = format!("{who}: balls {whose} placed {apart} radii apart bear what is above them");
                proof::row(&claim, "m g", error, bound, "of m g");
                // (What a sweep over a pillar leaves is some g h² for each ball of it.)
                let sunk = apart * THIN * (BALLS - 1) as f64 - places[BALLS - 1][1];
                let (h, n) = (1.0 / 600.0, BALLS as f64);
                assert!((0.0..n * n * GRAVITY * h * h).contains(&(sunk + 1e-6)), "{who}, {apart} radii: {sunk} m");
            }
        }
    }
}

fn other(contact: &Contact) -> u32 {
    match contact.against {
        Against::Particle(other) => other,
        against => panic!("{against:?}"),
    }
}

/// Balls placed in each other are not thrown apart: without weight nothing moves.
#[test]
fn what_was_placed_in_another_is_not_thrown() {
    for apart in [2.0, 1.9, 1.2, 0.1, 0.0] {
        let mut model = pillar(apart, false);
        model.world.gravity = [0.0; 3];
        for (who, of, _) in ENGINES {
            let (_, places) = of(&model);
            for (place, begin) in places.iter().zip(&model.particles.positions) {
                // A rounding of the distance in single precision.
                let moved = (0..3).map(|k| (place[k] - begin[k]).abs()).fold(0.0, f64::max);
                assert!(moved < 2e-9, "{who}, {apart} radii: {moved} m");
            }
        }
    }
}

/// A point that was placed in a bar of another body lies on it at that distance and presses by its weight.
#[test]
fn points_placed_in_bars_lie_on_them() {
    for apart in [2.0, 1.9, 0.5] {
        let model = heavy(bodies(
            THIN,
            &[points(&[[0.3, apart * THIN, 0.0]], MASS), bar([[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 2])],
        ));
        for (who, of, bound) in ENGINES {
            let (contacts, places) = of(&model);
            assert_eq!(contacts.len(), 1, "{who}, {apart} radii: {contacts:?}");
            let claim = format!("{who}: a point placed {apart} radii from a bar lies on it");
            proof::relative(&claim, "m g", contacts[0].force, MASS * GRAVITY, bound);
            let (at, hair) = (places[0][1], 1e-4 * apart * THIN);
            assert!((-1e-7..1.1 * hair).contains(&(apart * THIN - at)), "{who}, {apart} radii: at {at} m");
        }
    }
}

/// What constraints hold together, be it of several bodies, and was placed closer than it touches never does; and what they do not hold does.
#[test]
fn kin_placed_in_each_other_do_not_touch() {
    let ball = |y: f64, mass: f64| points(&[[0.0, y * THIN, 0.0]], mass);
    // The second and the third hang together through the fourth, far away.
    let mut model = heavy(bodies(THIN, &[ball(-1.1, 0.0), ball(0.0, 0.0), ball(1.0, MASS), ball(9.0, MASS)]));
    let loose = model.clone();
    for (a, b, rest) in [(2, 3, 8.0 * THIN), (1, 3, 9.0 * THIN)] {
        models::connect_with_rest(&mut model, kind::<Distance>(), &[a, b], &[rest], compliant(0.0));
    }
    for (who, of, _) in ENGINES {
        let touched = |model: &Model| {
            let mut touched: Vec<_> = of(model).0.iter().map(|contact| (contact.particle, other(contact))).collect();
            touched.iter_mut().for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b)));
            touched.sort_unstable();
            touched
        };
        // Without what holds it the third lies on the second, one radius above it as it was placed.
        assert_eq!(touched(&loose)[0], (1, 2), "{who}");
        assert_eq!(touched(&model), [], "{who}");
    }
}

/// A rope that others touch along its lines, one that they touch as balls, and loose ones, all placed in each other: their engines agree, contact by contact.
#[test]
fn kin_and_strangers_equal_their_twin() {
    let along =
        |y: f64, z: f64| (0..8).map(move |k| [0.9 * THIN * f64::from(k), y * THIN, z * THIN]).collect::<Vec<_>>();
    let mut random = Random::new(3);
    let loose: Vec<[f64; 3]> = (0..24).map(|_| random.vector(-0.5, 0.5)).collect();
    let loose = loose.iter().map(|[x, y, z]| [(3.0 + 8.0 * x) * THIN, (1.5 + 5.0 * y) * THIN, 4.0 * z * THIN]);
    let loose = points(&loose.collect::<Vec<_>>(), 0.7);
    let mut model = heavy(bodies(THIN, &[chain(&along(0.0, 0.0), 1.0), points(&along(1.3, 0.4), 1.0), loose]));
    for body in &mut model.bodies {
        (body.self_collision, body.friction, body.dynamic_friction) = (true, 0.3, 0.3);
    }
    for end in (0..7).chain(8..15) {
        models::connect_with_rest(&mut model, kind::<Distance>(), &[end, end + 1], &[0.9 * THIN], compliant(1e-5));
    }
    (model.particles.inverse_masses[0], model.particles.inverse_masses[15]) = (0.0, 0.0);
    let mut running = Running::new(&model);
    running.solver.average_contacts(true);
    let (here, told) = (running.run(3), running.contacts());
    let mut reference = Reference::new(&model, &Plan::new(&model));
    reference.average_contacts(true);
    (0..3).for_each(|_| reference.step());
    let (twin, twins) = (reference.state(), reference.contacts());
    assert!(twins.len() > 20, "only {} contacts: the test shows nothing", twins.len());
    let apart = difference(&here, &twin).0;
    assert!(apart < 1e-6, "{apart} m");
    let ends = |contact: &Contact| (contact.particle, contact.against);
    let weight =
        |of: &[Contact], one| of.iter().find(|contact| ends(contact) == one).map_or(0.0, |contact| contact.force);
    for one in told.iter().chain(&twins).map(ends) {
        let [here, twin] = [&told, &twins].map(|of| weight(of, one));
        assert!((here - twin).abs() < 0.02 * MASS * GRAVITY, "{one:?}: {here} N, not {twin} N");
    }
}
