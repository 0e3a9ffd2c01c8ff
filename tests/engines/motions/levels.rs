//! Levels over sheets that yield, and the gallery's curtain.

use std::f64::consts::PI;

use pliant::model::{Material, Model};
use pliant::plan::Plan;
use pliant::reference::{Euler, Scheme};
use pliant::scene::Scene;

use crate::device::{Running, run};
use crate::models::GRAVITY;
use crate::proof;
use crate::sheets::{Held, sag, sheet, stretch};

/// Hz, the default.
const FRAME_RATE: f64 = 60.0;

/// How far a model sags where it has come to rest: a few long steps of implicit Euler, which leave nothing of its motion.
fn sag_at_rest(model: &Model) -> f64 {
    let mut model = model.clone();
    (model.settings.frame_rate, model.settings.substeps) = (10.0, 1);
    let mut euler = Euler::new(&model, Scheme::Implicit).unwrap_or_else(|error| panic!("{error}"));
    let mut sags = (0..60).map(|_| {
        euler.step().unwrap_or_else(|error| panic!("{error}"));
        sag(&euler.state())
    });
    let mut last = sags.next().unwrap_or_default();
    let settled = sags.find(|&sag| (std::mem::replace(&mut last, sag) / sag - 1.0).abs() < 1e-5);
    settled.expect("it comes to rest")
}

/// The sag of what is stopped a quarter of its oscillation after it was let go, when all of its energy is in its motion, again and again
/// until it stays where it is.
fn sag_after_stops(model: &Model, quarter: u32) -> f64 {
    let (plan, mut model) = (Plan::new(model), model.clone());
    let mut last = 0.0;
    for _ in 0..100 {
        let state = Running::planned(&model, &plan).run(quarter);
        let found = sag(&state);
        if (found / last - 1.0).abs() < 2e-4 {
            return found;
        }
        last = found;
        model.particles.positions = state.positions;
    }
    panic!("it does not come to rest: sag {last} m");
}

/// A sheet all of whose springs have one compliance, m/N, but for those across two edges, which are so many times as soft.
fn even(held: Held, compliance: f64, softer: f64) -> Model {
    let mut model = sheet(64, false, held, 10, 1.0);
    for material in 0..model.materials.len() {
        let own = &mut model.materials.get_mut(material).expect("there are so many").compliance;
        *own = if *own > 5e-5 { softer * compliance } else { compliance };
    }
    model
}

/// Where the material yields, levels change little: what the gate leaves to them is about what the sweep misses, and coarse nets are as
/// stiff as the sheet.
#[test]
fn compliance_keeps_its_meaning() {
    let both = &[(10, 12.0), (100, 2.0)][..];
    for (compliance, softer, runs) in [(1e-3, 1.0, both), (1e-2, 1.0, &both[..1]), (1e-3, 100.0, &both[..1])] {
        let mut model = even(Held::Corners, compliance, softer);
        let truth = sag_at_rest(&model);
        model.bodies[0].damping = 10.0;
        let quarter = (FRAME_RATE * 0.5 * PI * (truth / GRAVITY).sqrt()).round() as u32;
        let across = if softer > 1.0 { ", across two edges a hundred times as soft" } else { "" };
        for &(substeps, most) in runs {
            model.settings.substeps = substeps;
            let claim = format!("a sheet of {compliance:.0e} m/N{across}, with levels at {substeps} substeps: sag");
            let sag = sag_after_stops(&model, quarter);
            proof::relative(&claim, "statics in double precision", sag, truth, most / 100.0);
        }
    }
}

/// What is soft is not held by what is stiff: of a sheet that hangs by its upper edge and whose lower half yields a thousand times as much as
/// the upper, springs across two edges included, only that half sags, by what Newton's method in double precision finds.
#[test]
fn what_is_soft_stays_soft() {
    let mut model = even(Held::TopRow, 1e-6, 100.0);
    let body = &model.bodies[0];
    let (stretch, bend) = (body.stretch.clone().expect("a sheet"), body.bend.clone().expect("with springs"));
    for (constraints, compliance) in [(stretch, 1e-3), (bend, 1e-1)] {
        let soft = model.materials.insert(Material { compliance, ..Material::default() });
        let group = &mut model.groups[0];
        for constraint in constraints {
            let ends = group.particles_of(constraint as usize);
            if ends.iter().map(|&end| model.particles.positions[end as usize][1]).sum::<f64>() < -1.0 {
                group.materials[constraint as usize] = soft;
            }
        }
    }
    let truth = sag_at_rest(&model);
    model.bodies[0].damping = 10.0;
    let hanging = sag(&run(&model, 120));
    proof::relative("a sheet half of it soft, with levels: sag", "Newton's method's", hanging, truth, 0.05);
}

/// The curtain of the gallery, whose hooks move, stays as long as it is, neither torn from its hooks nor stretched by their way.
#[test]
fn a_curtain_is_drawn() {
    let model = Scene::open("curtain").and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}")).model;
    assert!(model.settings.nested == Some(true) && model.settings.substeps == 5);
    let mut running = Running::new(&model);
    for _ in 0..2 {
        let state = running.run(40);
        let lowest = state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        assert!((-1.225..-1.15).contains(&lowest), "its hem is at {lowest} m");
        assert!(stretch(&model, &state) < 0.25, "an edge is stretched by {}", stretch(&model, &state));
    }
    assert!(running.status().is_good());
}
