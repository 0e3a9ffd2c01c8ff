//! Colliders that go by samples: meshes, hulls and height fields, against their twin and against theory.

use pliant::constraint::Vec3;
use pliant::model::{self, Model, Shape};
use pliant::scene::{Body, Cloth, Grid, Scene};

use crate::device::run;
use crate::fields::{TORUS, mesh};
use crate::proof;

/// The largest depth of the particles in a torus in closed form that lies in the plane y = 0, m.
fn depth_in_torus(model: &Model, positions: &[[f64; 3]]) -> f64 {
    let depth =
        |&[x, y, z]: &[f64; 3]| TORUS.tube_radius + model.bodies[0].radius - (x.hypot(z) - TORUS.radius).hypot(y);
    positions.iter().map(depth).fold(f64::NEG_INFINITY, f64::max)
}

/// A cloth draped over a torus hangs into its hole and over its rim, and comes to rest. None of its particles is deeper in the torus in
/// closed form than a tenth of a cell, and the interpolated normals do not make it creep.
#[test]
fn a_cloth_rests_on_a_torus() {
    let grid = Grid { columns: 28, rows: 28, width: 1.0, height: 1.0 };
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let cloth = Body::cloth(Cloth::new(grid).stretch(1e-7).shear(1e-5).bend(1e-3))
        .mass(0.3)
        .radius(0.02)
        .friction(0.6)
        .damping(2.0)
        .rotation([-quarter, 0.0, 0.0, quarter])
        .position([0.02, 0.18, -0.52]);
    let torus = mesh(TORUS, 40).friction(0.6);
    let mut model = Scene::new("").with(cloth).collider(torus).build().unwrap_or_else(|error| panic!("{error}")).model;
    model.settings.substeps = 20;
    let state = run(&model, 240);
    let Shape::Mesh(shape) = &model.colliders[0].shape else { panic!("no mesh") };
    let deepest = depth_in_torus(&model, &state.positions) / shape.grid.cell;
    proof::row("a cloth on a torus: how deep it lies in the solid", "0", deepest.max(0.0), 0.1, "cells");
    let speeds: Vec<f64> = state.velocities.iter().map(|&v| Vec3::from(v).length()).collect();
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    println!("mean speed {mean:.2e} m/s, largest {:.2e} m/s", speeds.iter().copied().fold(0.0, f64::max));
    assert!(state.contacts > 100, "{} contacts: it does not lie on the torus", state.contacts);
    // What swings is damped by e^(-2 t): nothing of it is left after four seconds.
    assert!(mean < 1e-3, "it moves with {mean} m/s in the mean");
    let lowest = state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest < -0.1, "its hem hangs no lower than {lowest} m");
}

/// In the gallery's landscape nothing is in the ground, the ring or the stone after a second and a half by more than a tenth of the ring's
/// cells: the cloth hangs on the ring, and every ball has come down and is on the ground, the stone or another.
#[test]
fn the_landscape_holds_what_falls_on_it() {
    let scene = Scene::gallery("landscape").and_then(Result::ok).unwrap_or_else(|| panic!("no scene"));
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let state = run(&model, 90);
    let gap = |particle: usize, collider: &model::Collider| {
        let body = &model.bodies[model.particles.bodies[particle] as usize];
        collider.distance(0.0, state.positions[particle]).1 - body.radius
    };
    let least = |particle: usize| model.colliders.iter().map(|one| gap(particle, one)).fold(f64::INFINITY, f64::min);
    let Shape::Mesh(ring) = &model.colliders[1].shape else { panic!("no ring") };
    let deepest = -(0..state.positions.len()).map(least).fold(f64::INFINITY, f64::min) / ring.grid.cell;
    assert!(deepest < 0.1, "{deepest} cells");
    let [cloth, balls, more] = &model.bodies[..] else { panic!("three bodies") };
    let held = cloth.particles.clone().filter(|&p| gap(p as usize, &model.colliders[1]) < 1e-3).count();
    assert!(held > 50, "{held} particles of the cloth are on the ring");
    // With a restitution of 0.15 a ball that fell half a metre rises by a centimetre. What lies in the valley may lie on others.
    let all = || balls.particles.clone().chain(more.particles.clone()).map(|p| p as usize);
    let radius = balls.radius;
    let apart =
        |a: usize, b: usize| (Vec3::from(state.positions[a]) - Vec3::from(state.positions[b])).length() - 2.0 * radius;
    let above =
        |ball: usize| all().filter(|&other| other != ball).map(|other| apart(ball, other)).fold(least(ball), f64::min);
    let highest = all().map(above).fold(0.0, f64::max);
    assert!(highest < 0.02, "a ball is {highest} m above all");
}
