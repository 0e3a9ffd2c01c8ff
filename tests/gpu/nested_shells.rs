//! Levels over closed shells, whose edges push by as much as does not buckle what they stand for: what is closed gives way only where it is pressed together.

use pliant::measure::Measurement;
use pliant::mesh::generate::Sphere;
use pliant::model::{Integrator, Model, Particles, Settings, State};
use pliant::plan::Plan;
use pliant::plan::levels::Bending;
use pliant::scene::{Bend, Body, Cloth, Pin, Scene, Select};
use pliant::{CpuSolver, Engine};

use crate::device::{Running, run};
use crate::models;
use crate::proof::{self, apart};

/// A ball of 642 particles, 1 m across and 1 kg, whose hinges yield by so much, rad/(N m), held by its top or not.
fn shell(hinges: f64, held: bool) -> Body {
    let mesh = Sphere { radius: 0.5, segments: 40 }.mesh();
    let top = (0..).zip(&mesh.positions).filter(|(_, x)| x[1] > 0.45).map(|(index, _)| index).collect();
    let bend = Some(Bend { kind: "dihedral".into(), compliance: hinges });
    let body = Body::cloth(Cloth { bend, ..Cloth::new(mesh).stretch(1e-8) }).mass(1.0);
    if held { body.pin(Pin::new(Select::Indices(top))) } else { body }
}

fn scene(bodies: impl IntoIterator<Item = Body>) -> Model {
    let settings = Settings { substeps: 5, nested: Some(true), ..Settings::default() };
    let scene = bodies.into_iter().fold(Scene::new("balls").settings(settings), Scene::with);
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

fn ball(hinges: f64, held: bool) -> Model {
    scene([shell(hinges, held)])
}

fn on_the_cpu(model: &Model, plan: &Plan, frames: u32) -> State {
    let mut solver = CpuSolver::with_threads(model, plan, 2).unwrap_or_else(|error| panic!("{error}"));
    (0..frames).for_each(|_| solver.step());
    solver.state()
}

/// The plan of a model whose levels push nothing.
fn limp(model: &Model) -> Plan {
    let mut plan = Plan::new(model);
    let levels = plan.sheets.iter_mut().flat_map(|sheet| &mut sheet.levels);
    levels.flat_map(|level| &mut level.net.edges).for_each(|edge| edge.bending = Bending::default());
    plan
}

/// Balls hung by their tops: on a device and on the CPU engine as in double precision, and other than if levels pushed nothing. With hinges that do not yield at all, with
/// BDF2, and two whose hinges differ.
#[test]
fn shells_are_their_twins() {
    let two = scene([shell(1.0, true), shell(30.0, true).position([1.5, 0.0, 0.0])]);
    let mut bdf2 = ball(1.0, true);
    bdf2.settings.integrator = Integrator::Bdf2;
    let cases =
        [("", ball(1.0, true)), (", hinges that do not yield", ball(0.0, true)), (", BDF2", bdf2), (", two", two)];
    for (what, model) in cases {
        let twin = models::run(&model, 2);
        let difference = apart(&run(&model, 2), &twin).max(apart(&on_the_cpu(&model, &Plan::new(&model), 2), &twin));
        let claim = format!(
            "a closed shell with levels hung by its top{what}, places after 2 frames, on a device and the CPU engine"
        );
        proof::row(&claim, "in double precision", difference, 1e-5, "m");
        let limp = apart(&on_the_cpu(&model, &limp(&model), 2), &twin);
        assert!(limp > 1e-3, "{claim}: levels that push nothing change places by {limp} m");
    }
}

/// What edges of levels push by goes with the hinges' material as it is.
#[test]
fn a_changed_hinge_changes_what_is_pushed() {
    let model = ball(1e9, true);
    let hinges = model.groups.iter().find(|group| group.kind.name() == "dihedral").expect("hinges");
    let index = hinges.materials[0] as usize;
    let mut running = Running::new(&model);
    let stiff = pliant::model::Material { compliance: 1.0, ..model.materials[index] };
    running.solver.set_material(index, stiff).unwrap_or_else(|error| panic!("{error}"));
    let difference = apart(&running.run(2), &run(&ball(1.0, true), 2));
    let claim = "hinges of a shell with levels made stiff while it runs, places after 2 frames";
    proof::row(claim, "as built so", difference, 1e-6, "m");
    let breaks = pliant::model::Material { break_force: Some(1.0), ..stiff };
    let refused =
        running.solver.set_material(index, breaks).expect_err("what breaks has a rim, and levels would push on");
    assert!(refused.to_string().contains("while levels are active"), "{refused}");
}

/// A ball whose heavy poles fly towards each other: what pushes them apart again keeps its momentum, and gives it no energy once what it was thrown with has become a motion that it can have.
#[test]
fn a_pressed_shell_keeps_its_momentum() {
    let mut model = ball(1.0, false);
    model.world.gravity = [0.0; 3];
    let Particles { positions, velocities, inverse_masses, .. } = &mut model.particles;
    for ((x, v), w) in positions.iter().zip(velocities).zip(inverse_masses) {
        let pole = if x[1].abs() > 0.45 { x[1].signum() } else { 0.0 };
        *v = [0.5, 0.2 - 2.0 * pole, 0.1];
        *w *= if pole == 0.0 { 1.0 } else { 0.05 };
    }
    let mut running = Running::new(&model);
    let begin = Measurement::of(&model, &running.state());
    let mut energy = || Measurement::of(&model, &running.run(1)).kinetic_energy_j;
    let first = energy();
    let most = (1..30).map(|_| energy()).fold(0.0, f64::max);
    let end = Measurement::of(&model, &running.state());
    let size = |p: [f64; 3]| p.iter().map(|p| p * p).sum::<f64>().sqrt();
    let change = size([0, 1, 2].map(|k| end.momentum[k] - begin.momentum[k])) / size(begin.momentum);
    proof::row("momentum of a pressed shell with levels, after half a second", "kept", change, 1e-6, "");
    proof::row("its kinetic energy at most, over that after a frame", "not more", most / first, 1.0, "");
    let limp = apart(&on_the_cpu(&model, &limp(&model), 30), &on_the_cpu(&model, &Plan::new(&model), 30));
    assert!(limp > 5e-3, "without what pushes it is elsewhere by {limp} m: the test shows nothing");
}
