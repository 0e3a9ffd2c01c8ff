//! What contacts may be given: it neither hangs nor crashes, and a flag tells what happened.

use pliant::model::{Collider, Model, State};
use pliant::scene::{Body, ColliderShape, Cuboid, Mesh, Scene};

use crate::billiards::*;
use crate::device::Running;
use crate::models;
use crate::outlines;
use crate::random::Random;

fn finite(state: &State) -> bool {
    state.positions.iter().chain(&state.velocities).flatten().all(|value| value.is_finite())
}

/// Balls that meet at both ends of a world 10 km wide part as they do at the origin, by the lattice of such a world: places are good to
/// 0.5 mm, normals of balls 10 cm across to 0.5 %.
#[test]
fn balls_meet_at_both_ends_of_a_wide_world() {
    let one = collision(1.0, 0.0, 1.0);
    let mut model = models::particles(&[[0.0; 3]; 4], &[1.0; 4]);
    model.world.gravity = [0.0; 3];
    touchy(&mut model);
    model.bodies[0].restitution = 1.0;
    for (k, at) in [-5e3, 5e3].into_iter().enumerate() {
        for (i, place) in one.particles.positions.iter().enumerate() {
            model.particles.positions[2 * k + i] = [place[0], place[1], place[2] + at];
            model.particles.velocities.push([0.0; 3]);
            model.particles.velocities[2 * k + i] = one.particles.velocities[i];
        }
    }
    model.particles.velocities.truncate(4);
    let mut running = Running::new(&model);
    let state = running.run(30);
    assert!(running.status().is_good());
    for k in 0..2 {
        let half = |of: &[[f64; 3]]| of[2 * k..2 * k + 2].to_vec();
        let of_pair = State { positions: half(&state.positions), velocities: half(&state.velocities), ..state.clone() };
        let [error, lost] = collision_errors(&one, &of_pair, 1.0);
        assert!(error < 0.015 && lost < 1e-5, "{error} m/s, {lost} kg m/s");
    }
}

/// 20,000 balls in a space of their own size are told as a crowd, whether all are at one point or at random places; and they go on, finite.
#[test]
fn a_cell_of_twenty_thousand_is_told() {
    let mut random = Random::new(3);
    for spread in [0.0, RADIUS] {
        let places: Vec<[f64; 3]> = (0..20_000).map(|_| random.vector(-0.5, 0.5).map(|x| 0.3 + spread * x)).collect();
        let mut model = models::particles(&places, &vec![1.0; places.len()]);
        touchy(&mut model);
        let mut running = Running::new(&model);
        let state = running.run(2);
        assert!(running.status().crowded && !running.status().is_good(), "{:?}", running.status());
        assert!(finite(&state));
    }
}

/// One particle of a heap that is not a number is told, and the others come to no harm.
#[test]
fn one_that_is_not_a_number_is_told() {
    let mut model = mixed();
    model.particles.positions[30][1] = f64::NAN;
    let mut running = Running::new(&model);
    let state = running.run(60);
    let status = running.status();
    assert!(status.not_finite && !status.is_good() && status.slot.is_some(), "{status:?}");
    let others = state.positions.iter().enumerate().filter(|(i, _)| *i != 30).map(|(_, place)| place);
    assert!(others.flatten().all(|x| x.abs() < 2.0));
}

/// Particles and ends of segments that are nowhere, beside more colliders than are all looked at: the search for what
/// each may touch ends, and the status says so.
#[test]
fn what_is_nowhere_ends_every_search() {
    for nowhere in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for mut model in [mixed(), outlines::swarm(40, 3)] {
            let far = (0..9).map(|k| Collider::sphere([50.0, 50.0, f64::from(k)], 0.01));
            model.colliders.extend(far);
            model.particles.positions[30][1] = nowhere;
            model.particles.positions[31] = [nowhere; 3];
            let mut running = Running::new(&model);
            running.run(2);
            assert!(running.status().not_finite, "{nowhere}: {:?}", running.status());
        }
    }
}

/// A mesh at 1 km/s, 1.7 m in a substep, through balls at rest: it drives those before it, flags none, and leaves the others alone.
#[test]
fn a_mesh_at_a_kilometre_a_second() {
    let plate = Mesh::Box(Cuboid { cells: [1; 3], size: [2.0, 2.0, 0.4] });
    let shape = ColliderShape::Mesh { mesh: plate, scale: 1.0, cells: 20 };
    let places: Vec<[f64; 3]> =
        (0..100).map(|k| [f64::from(k % 10) * 0.15 - 0.7, f64::from(k / 10) * 0.15 - 0.7, 5.3]).collect();
    let bystander = [[3.0, 0.0, 5.0]];
    let balls = Body::particles([&places[..], &bystander].concat()).mass(1.0).radius(RADIUS).self_collision();
    let mut scene = Scene::new("").with(balls).collider(pliant::scene::Collider::new(shape));
    scene.world.gravity = [0.0; 3];
    let mut model: Model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    model.colliders[0] = Collider { motion: Some(models::linear(1.0, [0.0, 0.0, 1e3])), ..model.colliders[0].clone() };
    let mut running = Running::new(&model);
    let state = running.run(2);
    assert!(running.status().is_good(), "{:?}", running.status());
    for (place, velocity) in state.positions.iter().zip(&state.velocities).take(100) {
        // Its face is at 33.5 m, and each ball leaves it with its speed.
        assert!(place[2] > 33.5 && (velocity[2] / 1e3 - 1.0).abs() < 1e-2, "{place:?} {velocity:?}");
    }
    assert_eq!(state.velocities[100], [0.0; 3]);
}
