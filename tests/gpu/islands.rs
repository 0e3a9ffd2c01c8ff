//! Islands that one workgroup solves whole, against the same solved colour after colour: the same bits, and how many dispatches it takes.

use pliant::constraint::Arity;
use pliant::model::{Drive, Material, Mode, Model, Side};
use pliant::plan::Plan;
use pliant::scene::Scene;

use crate::clusters::of_each_form;
use crate::device::{Running, compiles_fast, other_bits};
use crate::kernels::random_model;
use crate::models;

/// Colour after colour.
fn coloured(model: &Model) -> Running {
    let mut plan = Plan::new(model);
    plan.islands.clear();
    Running::planned(model, &plan)
}

/// What differs after so many frames, if anything; and how many dispatches a frame of islands took.
fn compare(name: &str, model: &Model, frames: u32) -> (Option<String>, u32) {
    let [(islands, dispatches), (colours, _)] = [Running::new(model), coloured(model)].map(|mut running| {
        running.run(frames);
        (running.snapshot(), running.solver.dispatches_per_frame())
    });
    (other_bits(&islands, &colours).map(|difference| format!("{name}: {difference}")), dispatches)
}

/// Kinds of a few particles, shipped and from outside, one of each form, with all that a material may ask for: in workgroup memory for whole frames,
/// and every other from storage where a drive needs each substep, or sweep by sweep where there is contact. Where kernels
/// compile slowly, half of the forms.
#[test]
fn islands_have_the_bits_of_colours() {
    let soft = Material { compliance: 1e-3, damping: 2.0, ..Material::default() };
    let materials = [
        soft,
        Material { side: Side::Pull, break_force: Some(1.0), ..soft },
        Material { side: Side::Push, stiffness: 0.3, ..Material::default() },
    ];
    let mut failures = Vec::new();
    for (index, kind) in of_each_form().filter(|kind| kind.arity() != Arity::Many).enumerate() {
        if !compiles_fast() && index / 2 % 2 == 0 {
            continue;
        }
        let material = materials[index % 3];
        let mut model = random_model(kind, material, 1 + index as u64);
        model.settings.mode = if material.stiffness < 1.0 { Mode::Pbd } else { Mode::Xpbd };
        (model.settings.substeps, model.settings.iterations) = (3, 1 + index as u32 % 3);
        let mut driven = model.clone();
        models::drive(&mut driven, 9, Drive { motion: Some(models::linear(1.0, [0.3, 0.0, 0.0])), ..Drive::default() });
        let mut touching = model.clone();
        models::ground(&mut touching, [0.0, 1.0, 0.0]);
        let iterations = model.settings.iterations;
        // The lattice, unless gravity alone moves particles: then the first prediction fits it; and all, or once a substep prediction, sweeps and finish, with
        // contacts also their planes and velocities.
        let other = match index % 2 {
            0 => ("substep", driven, 2 + 3 * 2),
            _ => ("sweep", touching, 3 * (4 + 2 * iterations)),
        };
        for (way, model, expected) in [("frame", model, 2), other] {
            let (failure, dispatches) = compare(&format!("{} by the {way}", kind.name()), &model, 2);
            failures.extend(failure);
            assert_eq!(dispatches, expected, "{} by the {way}", kind.name());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Scenes of ropes, hair, cloth and solids, with contacts, damping, wind and moving pins: the same bits.
#[test]
fn scenes_have_the_bits_of_colours() {
    let names =
        ["chain", "hair", "grass", "strip", "damping", "draped_cloth", "hanging_cloth", "soft", "crawl", "bends"];
    let of_scene = |name: &&str| compare(name, &Scene::open(name).unwrap().build().unwrap().model, 2).0;
    let failures: Vec<String> = names.iter().filter_map(of_scene).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn dispatches(model: &Model) -> u32 {
    let mut running = Running::new(model);
    running.run(1);
    running.solver.dispatches_per_frame()
}

/// Ropes of 64 particles in 10 substeps of 4 iterations: the lattice and the frame, however many they are.
#[test]
fn a_frame_of_ropes_is_two_dispatches() {
    let text = r#"
        [solver]
        substeps = 10
        iterations = 4
        [[body]]
        kind = "rope"
        mesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 63 } }
        strands = 40
        spacing = [0, 0, 0.1]
        mass = 4.0
        pin = ["first"]
        bend = { kind = "spatial_angle", compliance = 1e-2 }
    "#;
    let model = Scene::parse(text, "ropes.toml", ".").unwrap().build().unwrap().model;
    assert_eq!((model.particles.len(), model.groups.len()), (40 * 64, 2));
    let plan = Plan::new(&model);
    assert_eq!(plan.islands.len(), 10, "four ropes of 64 particles fit a workgroup of 256");
    assert_eq!(dispatches(&model), 2);
    assert_eq!(compare("ropes", &model, 1).0, None);
}

/// A cloth of 16 x 16 particles with twelve springs at each, as many as an island may have: the lattice, and all substeps. Where there is a drive,
/// prediction, and in each substep all colours and the finish.
#[test]
fn a_frame_of_a_cloth_is_two_dispatches() {
    let model = models::cloth(16);
    let plan = Plan::new(&model);
    assert_eq!((plan.islands.len(), plan.groups[0].colours), (1, 12));
    assert_eq!(dispatches(&model), 2);
    assert_eq!(compare("cloth", &model, 2).0, None);
    let mut driven = model;
    models::drive(
        &mut driven,
        7,
        pliant::model::Drive { motion: None, forces: vec![models::linear(0.1, [0.0, 0.1, 0.0])], ..Default::default() },
    );
    assert_eq!(dispatches(&driven), 2 + 2 * driven.settings.substeps);
    assert_eq!(compare("driven cloth", &driven, 2).0, None);
}

/// However many sweeps and substeps there are, all are done: a software device gives up loops that go on for long, so that they are more dispatches there.
#[test]
fn many_sweeps_and_substeps_are_all_done() {
    for (substeps, iterations) in [(2, 400), (400, 2)] {
        let mut model = models::cloth(16);
        model.particles.inverse_masses[..16].fill(0.0);
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        assert_eq!(compare(&format!("{substeps} substeps of {iterations} sweeps"), &model, 1).0, None);
    }
}
