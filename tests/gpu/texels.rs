//! Positions and records read from textures, as on large models by a software device, against the same read from buffers: the same bits.

use pliant::constraint::{ALL, Arity, Attach, Tether, kind};
use pliant::model::{Integrator, Material, Model};
use pliant::plan::{Plan, PlannedGroup};
use pliant::scene::Scene;
use pliant::solver::Solver;

use crate::device::{Running, gpu, other_bits};
use crate::kernels::random_model;
use crate::{kinds, models};

/// Both ways, colour after colour: tiles read no textures.
fn both(model: &Model) -> [Running; 2] {
    let mut plan = Plan::new(model);
    plan.tiles.clear();
    [false, true].map(|texels| Running { solver: Solver::reading(&gpu().pipelines, model, &plan, texels).unwrap() })
}

fn compare(name: &str, model: &Model, frames: u32) -> Option<String> {
    let [buffers, texels] = both(model).map(|mut running| {
        running.run(frames);
        running
    });
    let more = texels.solver.memory_bytes() > buffers.solver.memory_bytes();
    assert!(more, "{name}: nothing was read from textures");
    other_bits(&buffers.snapshot(), &texels.snapshot()).map(|difference| format!("{name}: {difference}"))
}

/// Every kind of a few particles, shipped or from outside. With BDF2 each colour is a dispatch however small, so that all read textures.
#[test]
fn kinds_have_the_bits_of_buffers() {
    let material = Material { compliance: 1e-3, damping: 2.0, ..Material::default() };
    let mut failures = Vec::new();
    for (index, kind) in ALL.iter().chain(kinds::ALL).copied().filter(|kind| kind.arity() != Arity::Many).enumerate() {
        let mut model = random_model(kind, material, 1 + index as u64);
        model.settings.integrator = Integrator::Bdf2;
        failures.extend(compare(kind.name(), &model, 2));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Scenes with contact, bending, solids, wind and moving pins.
#[test]
fn scenes_have_the_bits_of_buffers() {
    let names = ["damping", "draped_cloth", "hanging_cloth", "soft", "bends"];
    let of_scene = |name: &&str| compare(name, &Scene::open(name).unwrap().build().unwrap().model, 2);
    let failures: Vec<String> = names.iter().filter_map(of_scene).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What clusters leave to colours reads the positions of the substep before, not those of the frame's beginning, however that substep ends: tethers to one pin,
/// which no cluster of a few hundred particles holds together, and a pull of one particle.
#[test]
fn what_clusters_leave_has_the_bits_of_buffers() {
    let mut model = models::cloth(30);
    model.particles.inverse_masses[0] = 0.0;
    for particle in 1..900 {
        models::connect(&mut model, kind::<Tether>(), &[particle, 0], Material::default());
    }
    models::connect_with_rest(&mut model, kind::<Attach>(), &[899], &[1.0, -1.0, 0.5], Material::default());
    let plan = Plan::clustered(&model);
    let left = |group: &PlannedGroup| group.batches.iter().any(|batch| batch.phase as usize >= plan.tilings.len());
    assert!(!plan.tilings.is_empty() && plan.groups.iter().any(left), "no clusters, or nothing is left");
    let states = [false, true].map(|texels| {
        let solver = Solver::reading(&gpu().pipelines, &model, &plan, texels).unwrap();
        let mut running = Running { solver };
        running.run(5);
        running.snapshot()
    });
    assert_eq!(other_bits(&states[0], &states[1]), None);
}

/// More particles than a row of texels has, so fast that they leave their lattice; between frames the host fixes one, and sets all back.
#[test]
fn textures_follow_what_changes_positions() {
    let mut model = models::cloth(66);
    model.particles.velocities.fill([3000.0, 0.0, 0.0]);
    model.settings.substeps = 3;
    let mut running = both(&model);
    let first = running[0].snapshot();
    for running in &mut running {
        running.run(2);
        running.solver.set_inverse_mass(1000, 0.0).unwrap();
        running.run(2);
    }
    assert!(running[0].snapshot().lattice[0] > first.lattice[0], "nothing left the lattice");
    assert_eq!(other_bits(&running[0].snapshot(), &running[1].snapshot()), None);
    for running in &mut running {
        running.restore(&first);
        running.run(1);
    }
    assert_eq!(other_bits(&running[0].snapshot(), &running[1].snapshot()), None);
}
