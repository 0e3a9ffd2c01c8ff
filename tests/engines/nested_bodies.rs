//! Levels over what moves, changes, touches and is no sheet.

use std::f64::consts::TAU;

use pliant::Engine;
use pliant::measure::Measurement;
use pliant::mesh::generate::Line;
use pliant::model::{Drive, Keyframes, Material, Model, Settings};
use pliant::plan::Plan;
use pliant::scene::{Body, Scene, Strand, StrandKind};

use crate::device::{Running, run};
use crate::models;
use crate::proof::{self, apart};
use crate::sheets::{Held, sag, sheet, stretch};

/// What levels are made for may not change under them: masses, and materials that begin to break or to flow. Without levels it may.
#[test]
fn what_levels_hold_is_refused() {
    let model = sheet(32, false, Held::Corners, 5, 1.0);
    let mut running = Running::new(&model);
    let refused = running.solver.set_inverse_mass(500, 0.0).unwrap_err().to_string();
    assert!(refused.contains("levels") && refused.contains("nested"), "{refused}");
    let edge = model.groups[0].materials[0];
    let before = model.materials[edge as usize];
    let breaking = Material { break_force: Some(1.0), ..before };
    let refused = running.solver.set_material(edge as usize, breaking).unwrap_err().to_string();
    assert!(refused.contains("cannot be made breakable while levels are active"), "{refused}");
    running.solver.set_material(edge as usize, Material { compliance: 1e-6, ..before }).unwrap();

    let mut plain = model.clone();
    plain.settings.nested = Some(false);
    let (plan, without) = (Plan::new(&model), Plan::new(&plain));
    let go_on = |running: &mut Running, plan: &Plan, model: &Model| {
        running.try_reconfigure(plan, model.settings.clone()).map_err(|error| error.to_string())
    };
    let refused = go_on(&mut running, &plan, &plain).unwrap_err();
    assert!(refused.contains("the plan has levels"), "{refused}");
    go_on(&mut running, &without, &plain).unwrap();
    running.solver.set_material(edge as usize, breaking).unwrap();
    let refused = go_on(&mut running, &plan, &model).unwrap_err();
    assert!(refused.contains("a material that can break now"), "{refused}");
    running.solver.set_material(edge as usize, before).unwrap();
    running.solver.set_inverse_mass(500, 0.0).unwrap();
    let refused = go_on(&mut running, &plan, &model).unwrap_err();
    assert!(refused.contains("the old mass of particle 500"), "{refused}");
}

/// A rope that was rigid and is made soft while it runs has levels as soft as if it had been built so.
#[test]
fn what_is_rigid_may_be_made_soft() {
    let of = |compliance: f64| {
        let mut model = rope();
        let used = model.groups[0].used_materials();
        used.iter().for_each(|&m| model.materials.get_mut(m as usize).expect("its own").compliance = compliance);
        model
    };
    let (rigid, soft) = (of(0.0), of(1e-4));
    let mut running = Running::new(&rigid);
    for material in soft.groups[0].used_materials() {
        running.solver.set_material(material as usize, soft.materials[material as usize]).unwrap();
    }
    let as_built = run(&soft, 10);
    let claim = "a rope with levels made soft while it runs, places after 10 frames";
    proof::row(claim, "as built so", apart(&running.run(10), &as_built), 1e-6, "m");
    let yields = apart(&run(&rigid, 10), &as_built);
    assert!(yields > 1e-2, "it is {yields} m elsewhere than if it stayed rigid: the test shows nothing");
}

/// The sheet with its pins moved by keyframes.
fn moved(mut model: Model, way: impl Fn(f64, [f64; 3]) -> [f64; 3]) -> Model {
    for particle in 0..model.particles.len() {
        if model.particles.inverse_masses[particle] == 0.0 {
            let place = model.particles.positions[particle];
            let frames = (0..=240).map(|i| f64::from(i) / 120.0).map(|t| (t, way(t, place))).collect();
            let motion = Some(Keyframes::new(frames).unwrap());
            models::drive(&mut model, particle, Drive { motion, ..Drive::default() });
        }
    }
    model
}

/// A sheet hung from a row that is shaken up and down hangs in that as it does at rest, and moves as its twin does where it is turned.
#[test]
fn pins_may_move() {
    let model = sheet(48, false, Held::TopRow, 5, 1.0);
    // Up to 2 m/s², which leaves it taut.
    let shaken = moved(model.clone(), |t, _| [0.0, 0.05 * ((TAU * t).cos() - 1.0), 0.0]);
    let mut running = Running::new(&shaken);
    let mut worst: f64 = 0.0;
    for _ in 0..20 {
        let state = running.run(5);
        let top = state.positions[0][1];
        let lowest = state.positions.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        worst = worst.max(100.0 * (top - lowest - 1.0).abs());
    }
    proof::row("a sheet with levels shaken by its upper edge: sag", "none", worst, 0.1, "%");
    let turned = moved(sheet(32, true, Held::TopRow, 5, 1.0), |t, [x, ..]| {
        let (sine, cosine) = (2.0 * t).sin_cos();
        [x * (cosine - 1.0), 0.0, -x * sine]
    });
    let difference = apart(&run(&turned, 4), &models::run(&turned, 4));
    proof::row(
        "a sheet with levels turned by its upper edge, places after 4 frames",
        "in double precision",
        difference,
        1e-5,
        "m",
    );
}

fn rope() -> Model {
    let line = Line { from: [0.0; 3], to: [0.0, -1.0, 0.0], segments: 999 };
    let body = Body::strand(Strand::new(StrandKind::Rope, line).stretch(1e-8)).mass(1.0).pin("first");
    let settings = Settings { substeps: 5, nested: Some(true), ..Settings::default() };
    Scene::new("rope").settings(settings).with(body).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A stiff rope of 1,000 particles hangs with 5 substeps.
#[test]
fn ropes_hang() {
    let mut running = Running::new(&rope());
    running.run(60);
    let largest = (0..12).map(|_| 100.0 * sag(&running.run(5)).abs()).fold(0.0, f64::max);
    proof::row(
        "a rope of 1,000 particles with levels at 5 substeps: sag",
        "5e-6 of its own stretch",
        largest,
        0.1,
        "%",
    );
}

/// A sheet that is placed stretched by 2 % draws itself together to its rest lengths and comes to rest there, as it lay: levels that push along where edges have come, not
/// where they were, turned it by up to 1.5°, one way or the other by the order of their edges.
#[test]
fn what_is_stretched_returns() {
    let mut model = sheet(32, true, Held::Nowhere, 5, 1.0);
    model.world.gravity = [0.0; 3];
    model.bodies[0].damping = 5.0;
    model.groups[0].rest.iter_mut().for_each(|rest| *rest /= 1.02);
    let mut running = Running::new(&model);
    let state = running.run(120);
    proof::row(
        "a sheet with levels placed stretched by 2 %: stretch after 2 s",
        "none",
        100.0 * stretch(&model, &state),
        0.01,
        "%",
    );
    let measured = Measurement::of(&model, &state);
    let size = (0..3).map(|k| measured.max[k] - measured.min[k]).map(|side| side * side).sum::<f64>().sqrt();
    proof::relative("its diagonal", "as long as its rest lengths have it", size, 2.0_f64.sqrt() / 1.02, 0.002);
    let [left, right] = [0, 31].map(|particle| state.positions[particle]);
    let turn = (right[1] - left[1]).atan2(right[0] - left[0]).to_degrees();
    proof::row("what it has turned by", "nothing", turn.abs(), 0.1, "°");
}
