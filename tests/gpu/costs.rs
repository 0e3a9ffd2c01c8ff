//! What a simulation costs a device: kernels, dispatches and memory, and what is refused for want of it.

use pliant::Engine;
use pliant::model::{Integrator, Material, Method, Model, Settings};
use pliant::plan::Plan;
use pliant::solver::{Pipelines, Solver};

use crate::bdf2::swinging;
use crate::damping::{jelly, split, undamped};
use crate::device::{Running, arrived, gpu, run, sharing, submit};
use crate::live::{bits, torn};
use crate::models::{self, compliant};
use crate::rest::{driven, scalar};
use crate::robust::small_device;

/// Solvers of one device that share their pipelines compile none twice, and what they do has the bits of one by itself; another method adds its own.
#[test]
fn solvers_share_what_is_compiled() {
    let mut model = torn();
    let shared = Pipelines::new(&gpu().device);
    let solver = |pipelines: &Pipelines, model: &Model| {
        let mut running = sharing(pipelines, model, &Plan::new(model));
        let state = running.run(3);
        (state.positions, state.velocities)
    };
    let first = solver(&shared, &model);
    let compiled = shared.count();
    assert!(compiled > 5, "{compiled} kernels: the test shows less");
    assert_eq!(solver(&shared, &model), first);
    assert_eq!(shared.count(), compiled);
    assert_eq!(solver(&Pipelines::new(&gpu().device), &model), first);
    model.settings.method = Method::Jacobi;
    solver(&shared, &model);
    assert!(shared.count() > compiled);
}

/// A step in timed passes gives the same bits, and names every kind of work with a time; its dispatches and bytes are those of the step.
#[test]
fn a_timed_step_is_a_step() {
    let mut model = models::cloth(12);
    models::ground(&mut model, [0.0, 1.0, 0.0]);
    let mut running = Running::new(&model);
    let profile = submit(|encoder| running.solver.profile_step(encoder)).expect("the device has timestamps");
    let period = gpu().queue.get_timestamp_period();
    let sections = arrived(|| profile.sections(period));
    let names: Vec<&str> = sections.iter().map(|section| section.name).collect();
    assert_eq!(names, ["predict", "colliders", "islands", "finish"]);
    assert!(sections.iter().all(|section| section.milliseconds > 0.0 && section.dispatches > 0), "{sections:?}");
    let dispatches: u32 = sections.iter().map(|section| section.dispatches).sum();
    let bytes: u64 = sections.iter().map(|section| section.bytes).sum();
    assert_eq!((dispatches, bytes), (running.solver.dispatches_per_frame(), running.solver.bytes_per_frame()));
    assert_eq!(bits(&running.run(4)), bits(&run(&model, 5)));
}

/// Rest values that may change cost one dispatch a substep for each group of them, and those that may not nothing.
#[test]
fn only_what_changes_costs() {
    let dispatches = |material: Material| {
        let mut model = models::chain(5, 0.1, material);
        model.curves = vec![scalar(&[(0.0, 1.0)])];
        // So that substeps are dispatches of their own by either material.
        models::ground(&mut model, [0.0, 1.0, 0.0]);
        let mut running = Running::new(&model);
        running.run(1);
        running.solver.dispatches_per_frame()
    };
    let still = dispatches(compliant(1e-3));
    assert_eq!(dispatches(driven(compliant(1e-3))), still + Settings::default().substeps);
}

/// So many damped bodies that the device cannot hold their sums are refused with both numbers, at the start and while running,
/// and the solver goes on as it was.
#[test]
fn too_many_damped_bodies_are_refused() {
    let mut model = models::particles(&vec![[0.0; 3]; 4_000], &[1.0; 4_000]);
    split(&mut model, &vec![(2, 1.0); 2_000]);
    let device = small_device(64 << 10, 8 << 20).device;
    let refusal = Solver::new(&device, &model, &Plan::new(&model)).err().map(|error| error.to_string());
    // 64 bytes a body, where positions take 32.
    let expected = "the scene needs the sums of damped bodies of 128000 bytes and the device allows 65536";
    assert!(refusal.as_ref().is_some_and(|refusal| refusal.starts_with(expected)), "{refusal:?}");
    model.bodies[1_024..].iter_mut().for_each(|body| body.damping = 0.0);
    let mut solver = Solver::new(&device, &model, &Plan::new(&model)).unwrap_or_else(|error| panic!("{error}"));
    let before = solver.memory_bytes();
    assert!(solver.set_damping(1_024, 1.0).is_err() && solver.memory_bytes() == before);
    solver.set_damping(0, 0.0).unwrap();
    solver.set_damping(1_024, 1.0).unwrap();
    assert_eq!(solver.memory_bytes(), before);
}

/// Damping costs three dispatches a substep, beside those of its sweeps, its end and its beginning, the first of which fits the lattice as well, and only where there
/// is any: without, all substeps are one dispatch.
#[test]
fn damping_is_counted() {
    let model = jelly(6, [0.0; 3], 4.0);
    let (mut damped, mut plain) = (Running::new(&model), Running::new(&undamped(&model)));
    damped.run(1);
    plain.run(1);
    let substeps = model.settings.substeps;
    assert_eq!(plain.solver.dispatches_per_frame(), 2);
    assert_eq!(damped.solver.dispatches_per_frame(), substeps * (3 + 3));
    damped.solver.set_damping(0, 0.0).unwrap();
    damped.run(1);
    assert_eq!(damped.solver.dispatches_per_frame(), plain.solver.dispatches_per_frame());
    assert_eq!(damped.solver.memory_bytes(), plain.solver.memory_bytes());
}

/// BDF2 takes 32 bytes a particle of memory, and none of it without BDF2, whatever it was before.
#[test]
fn bdf2_is_counted() {
    let model = swinging();
    let euler = Settings { integrator: Integrator::Euler, ..model.settings.clone() };
    let mut running = Running::new(&model);
    let bytes = running.solver.memory_bytes();
    running.run(2);
    running.reconfigure(&model, euler.clone());
    let plain = Running::new(&Model { settings: euler.clone(), ..model.clone() });
    assert_eq!(running.solver.memory_bytes(), plain.solver.memory_bytes());
    running.reconfigure(&model, model.settings.clone());
    assert_eq!(running.solver.memory_bytes(), bytes);
    // Islands, which are not for BDF2, would take something of their own.
    let [bdf2, euler] = [&model, &Model { settings: euler, ..model.clone() }].map(|model| {
        let mut plan = Plan::new(model);
        plan.islands.clear();
        Running::planned(model, &plan).solver.memory_bytes()
    });
    assert_eq!(bdf2 - euler, 32 * model.particles.len() as u64);
}
