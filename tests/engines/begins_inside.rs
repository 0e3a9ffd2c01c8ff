//! Bodies that begin inside a collider come out at `push_out_speed`, on every engine; bodies that begin outside stay
//! outside.

use pliant::constraint::Vec3;
use pliant::model::{Collider, Model, Shape};
use pliant::scene::{Body, Cloth, Grid, Scene};

use crate::device::{Running, run};
use crate::models;

/// Roundings of 1 m in 60 substeps, m.
const ROUNDING: f64 = 60.0 * 6e-8;

/// A solid, where a particle begins in it, the direction out, and the depth, m.
fn solids() -> Vec<(Collider, [f64; 3], [f64; 3], f64)> {
    let at = |position, shape| Collider { position, ..Collider::new(shape) };
    let hollow = |collider: Collider| Collider { inside: true, ..collider };
    let (ball, block) = (Shape::Sphere { radius: 0.5 }, Shape::Box { size: [1.0, 0.6, 2.0] });
    let capsule = Shape::Capsule { radius: 0.4, length: 1.0 };
    vec![
        (at([0.0; 3], Shape::Plane), [0.3, -0.25, 0.1], [0.0, 1.0, 0.0], 0.25),
        (at([10.0, 5.0, 0.0], ball.clone()), [10.2, 5.0, 0.0], [1.0, 0.0, 0.0], 0.3),
        (at([20.0, 5.0, 0.0], block), [20.1, 5.0 - 0.05, 0.3], [0.0, -1.0, 0.0], 0.25),
        (at([30.0, 5.0, 0.0], capsule), [30.0, 5.2, -0.1], [0.0, 0.0, -1.0], 0.3),
        (hollow(at([0.0, 25.0, 0.0], ball)), [0.0, 25.8, 0.0], [0.0, -1.0, 0.0], 0.3),
    ]
}

/// Loose particles, each in a solid of its own that meets no other particle.
fn sunk(cases: &[(Collider, [f64; 3], [f64; 3], f64)]) -> Model {
    let places: Vec<[f64; 3]> = cases.iter().map(|case| case.1).collect();
    let mut model = models::particles(&places, &vec![1.0; places.len()]);
    model.world.gravity = [0.0; 3];
    let body = model.bodies[0].clone();
    model.bodies =
        (0..cases.len() as u32).map(|k| pliant::model::Body { particles: k..k + 1, ..body.clone() }).collect();
    model.particles.bodies = (0..cases.len() as u32).collect();
    for (k, (collider, ..)) in cases.iter().enumerate() {
        let mut collider = collider.clone();
        (collider.groups.of, collider.groups.with) = (1 << k, 1 << k);
        (model.bodies[k].groups.of, model.bodies[k].groups.with) = (1 << k, 1 << k);
        model.colliders.push(collider);
    }
    model
}

/// Out of every shape a particle goes straight at `push_out_speed`, and rests outside: to rounding, with a few
/// colliders and with many.
#[test]
fn what_begins_inside_comes_out_calmly() {
    let cases = solids();
    for (speed, others) in [(1.0, 0), (1.0, 9), (2.5, 0)] {
        let mut model = sunk(&cases);
        model.world.push_out_speed = speed;
        model.colliders.extend((0..others).map(|k| Collider::sphere([0.0, -50.0, f64::from(k)], 0.1)));
        for frames in [6, 60] {
            let seconds = f64::from(frames) / 60.0;
            for (who, state) in [("solver", run(&model, frames)), ("reference", models::run(&model, frames))] {
                for ((collider, begin, out, depth), found) in cases.iter().zip(&state.positions) {
                    let way = Vec3::from(*out) * depth.min(speed * seconds);
                    let off = Vec3::from(*found) - Vec3::from(*begin) - way;
                    assert!(off.length() < ROUNDING, "{who}, {:?} after {seconds} s: off by {off:?}", collider.shape);
                }
                if frames == 60 {
                    assert!(state.velocities.as_flattened().iter().all(|v| v.abs() < 1e-4), "{who}: it rests");
                }
            }
        }
    }
}

/// A stiff cloth that begins half below the ground is not hurled: no particle is faster than `push_out_speed` and a
/// fall of a second (71 m/s without the limit).
#[test]
fn a_sunk_cloth_is_not_hurled() {
    let grid = Grid { columns: 8, rows: 8, width: 1.0, height: 1.0 };
    let cloth = Body::cloth(Cloth::new(grid).stretch(1e-6)).mass(1.0).position([0.0, 0.5, 0.0]);
    let mut model = Scene::new("sunk").with(cloth).build().unwrap_or_else(|error| panic!("{error}")).model;
    model.colliders.push(Collider::plane([0.0; 3], [0.0, 1.0, 0.0]));
    let mut running = Running::new(&model);
    for frame in 0..60 {
        let state = running.run(1);
        let fastest = state.velocities.iter().map(|&v| Vec3::from(v).length()).fold(0.0, f64::max);
        assert!(fastest < 1.0 + 9.81, "{fastest} m/s in frame {frame}");
    }
}

/// Bodies that begin outside have no limit: a heap that falls has the same bits at any `push_out_speed`.
#[test]
fn what_begins_outside_asks_for_nothing() {
    let mut model = crate::billiards::mixed();
    let bits = |model: &Model| run(model, 20).positions;
    let usual = bits(&model);
    model.world.push_out_speed = 1e-3;
    assert!(usual == bits(&model));
}
