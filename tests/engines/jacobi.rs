//! Jacobi sweeps, by themselves and as what is left of coloured ones: they never lead away from rest.

use pliant::constraint::{ALL, Vec3};
use pliant::model::{Material, Method, Mode, Model};
use pliant::scene::{Body, Cuboid, Elasticity, Scene, Soft};

use crate::device::run;
use crate::kernels::{Random, random_model};
use crate::kinds;
use crate::models;

/// Where every particle is displaced by up to 1e-4 m from where all constraints are satisfied, and nothing moves or falls, for one substep: the places, and Σ m |x - rest|² before.
fn displaced(mut model: Model) -> (Model, Vec<[f64; 3]>) {
    for group in &mut model.groups {
        for constraint in 0..group.len() {
            let (particles, corners) = (group.particles_of(constraint), group.corners_of(constraint));
            let place = |&p: &u32| Vec3::from(model.particles.positions[p as usize]);
            let x: Vec<Vec3<f64>> = match corners.is_empty() {
                true => particles.iter().map(place).collect(),
                false => corners.iter().map(|&corner| place(&particles[corner as usize])).collect(),
            };
            let (count, measured) = (group.kind.rest().len(), group.kind.measure(&x));
            group.rest[constraint * count..][..count].copy_from_slice(&measured[..count]);
        }
    }
    let rest = model.particles.positions.clone();
    let mut random = Random::new(9);
    for (x, w) in model.particles.positions.iter_mut().zip(&model.particles.inverse_masses) {
        let by = random.vector(-1e-4, 1e-4);
        *x = std::array::from_fn(|axis| x[axis] + if *w > 0.0 { by[axis] } else { 0.0 });
    }
    model.particles.velocities.fill([0.0; 3]);
    model.world.gravity = [0.0; 3];
    model.settings.substeps = 1;
    (model, rest)
}

/// Whether all constraints are at these places. Those that measure none of their own, as welds, are nowhere at random ones.
fn is_satisfied(model: &Model, positions: &[[f64; 3]]) -> bool {
    let mut gradient = Vec::new();
    let group = &model.groups[0];
    let mut components = (0..group.len()).flat_map(|i| (0..group.kind.components()).map(move |k| (i, k)));
    components.all(|(i, k)| group.evaluate(i, k, group.rest_of(i), positions, &mut gradient).abs() < 1e-12)
}

/// Σ m |x - rest|² of what is free.
fn distance(model: &Model, positions: &[[f64; 3]], rest: &[[f64; 3]]) -> f64 {
    let squared = |(x, y): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (x[i] - y[i]).powi(2)).sum::<f64>();
    let masses = model.particles.inverse_masses.iter().map(|&w| if w > 0.0 { 1.0 / w } else { 0.0 });
    positions.iter().zip(rest).map(squared).zip(masses).map(|(squared, mass)| mass * squared).sum()
}

/// Each constraint projects particles of its own, with shares of the mass, and these are averaged: neither takes them away from a state that satisfies all, in the metric of the
/// masses. So a Jacobi sweep does not, nor coloured sweeps with a Jacobi remainder, of any kind, however many components it has, by any engine.
#[test]
fn sweeps_do_not_lead_away_from_rest() {
    let (mut failures, mut kinds_tried) = (Vec::new(), 0);
    for kind in ALL.iter().chain(kinds::ALL).copied().filter(|kind| kind.pbd() && !kind.has_member_rest()) {
        for (method, colours) in [(Method::Jacobi, 64), (Method::GaussSeidel, 2)] {
            let (mut model, rest) = displaced(random_model(kind, Material::default(), 3));
            if !is_satisfied(&model, &rest) {
                continue;
            }
            kinds_tried += 1;
            (model.settings.method, model.settings.max_colours, model.settings.mode) = (method, colours, Mode::Pbd);
            let before = distance(&model, &model.particles.positions, &rest);
            for (state, engine) in [(run(&model, 1), "engine"), (models::run(&model, 1), "reference")] {
                let share = distance(&model, &state.positions, &rest) / before;
                // The first order in displacements of some thousandths of the smallest heights.
                if share.is_nan() || share >= 1.02 {
                    failures.push(format!("{} {method:?} {engine}: {share} of the squared distance", kind.name()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(kinds_tried > 20, "{kinds_tried} kinds and methods: the test shows nothing");
}

/// A solid held by strain, of which most is left to Jacobi, stays calm in PBD mode; before, its six components took six times what was there.
#[test]
fn solids_of_few_colours_stay_calm() {
    let soft = Soft::new(Cuboid { cells: [1, 3, 3], size: [0.76, 1.27, 0.79] }).elasticity(Elasticity::Strain);
    let body = Body::soft(soft.young_modulus(6e3)).position([0.0, 1.0, 0.0]).pin("left");
    let mut model = Scene::new("").with(body).build().unwrap().model;
    (model.settings.mode, model.settings.substeps) = (Mode::Pbd, 3);
    for (method, colours) in [(Method::Jacobi, 64), (Method::GaussSeidel, 2)] {
        (model.settings.method, model.settings.max_colours) = (method, colours);
        for (state, engine) in [(run(&model, 60), "engine"), (models::run(&model, 60), "reference")] {
            let speeds = state.velocities.iter().map(|&v| Vec3::from(v).length());
            let fastest = speeds.fold(0.0, f64::max);
            // It sags for want of sweeps, within its own size in a second.
            assert!(fastest < 1.0, "{method:?} {engine}: {fastest} m/s");
        }
    }
}
