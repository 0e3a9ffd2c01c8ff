//! Changes while the engine runs, as far as they are its own: what it builds anew for them has the bits of what was built so from the beginning,
//! by any number of threads. What they do is tested by `../gpu/live.rs`.

use pliant::cpu::Instructions;
use pliant::model::{Drive, Integrator, Keyframes, Material, Method, Model, Settings};
use pliant::plan::Plan;
use pliant::scene::Scene;
use pliant::step::{ChangeError, Engine, EngineError, Pull, SnapshotError, Synchronous};
use pliant::{CpuSolver, Reference, constraint::Attach, constraint::kind};

use crate::device::Running;
use crate::live::apart;
use crate::models::{self, compliant};

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

/// Pulls have the bits of constraints of the kind `attach` that come last in every sweep: with several sweeps, there and back, over a ground,
/// where particles lie in rows, by BDF2, and by other threads.
#[test]
fn pulls_are_attachments() {
    let pull = |target| Pull { target, compliance: 1e-3, damping: 0.5 };
    let pulls = [(0, pull([-0.2, 0.1, 0.0])), (23, pull([1.1, 0.3, 0.2])), (300, pull([0.5, -0.4, 0.6]))];
    let base = Settings::default();
    let settings = [
        base.clone(),
        Settings { iterations: 3, ..base.clone() },
        Settings { integrator: Integrator::Bdf2, iterations: 3, ..base },
    ];
    for settings in settings {
        let mut plain = models::cloth(24);
        plain.settings = settings.clone();
        models::ground(&mut plain, [0.0, 1.0, 0.0]);
        plain.particles.positions.iter_mut().for_each(|position| position[1] += 0.1);
        let mut attached = plain.clone();
        for (particle, Pull { target, compliance, damping }) in pulls {
            let material = Material { damping, ..compliant(compliance) };
            models::connect_with_rest(&mut attached, kind::<Attach>(), &[particle], &target, material);
        }
        let mut expected = Running::new(&attached);
        expected.run(12);
        for threads in [1, 3] {
            let mut solver = CpuSolver::with_threads(&plain, &Plan::new(&plain), threads).unwrap();
            for (particle, pull) in pulls {
                solver.pull(particle as usize, Some(pull)).unwrap();
            }
            (0..12).for_each(|_| solver.step());
            let (mine, theirs) = (solver.snapshot(), expected.snapshot());
            assert!(mine.particles == theirs.particles, "{settings:?} by {threads} threads");
        }
    }
}

/// What was changed goes on with the bits of a solver that was made so and took over its state: settings, masses, damping, the world, and
/// materials of all kinds, with laws of their own for each component, shared by many constraints or not, that flow and that break.
#[test]
fn changed_is_as_made_so() {
    for name in ["strains", "walker", "flag", "hair", "soft", "plastic", "pulley", "cells", "breaking"] {
        let model = gallery(name);
        let mut running = Running::new(&model);
        running.run(4);

        let mut changed = model.clone();
        changed.settings.iterations += 1;
        // Plans go by materials.
        let plan = Plan::new(&changed);
        running.try_reconfigure(&plan, changed.settings.clone()).unwrap();
        let half = |value: Option<f64>| value.map(|value| 0.5 * value);
        for index in 0..model.materials.len() {
            let before = model.materials[index];
            let (yield_point, break_force) = (half(before.yield_point), half(before.break_force));
            let compliance = 3.0 * before.compliance + 1e-9;
            let after = Material { compliance, yield_point, break_force, damping: before.damping + 1e-3, ..before };
            *changed.materials.get_mut(index).unwrap() = after;
            running.solver.set_material(index, after).unwrap();
        }
        changed.world.gravity = [0.3, -5.0, 0.1];
        running.solver.world_mut().gravity = changed.world.gravity;
        changed.bodies[0].damping = 2.0;
        running.solver.set_damping(0, 2.0).unwrap();
        let free = model.particles.inverse_masses.iter().position(|&mass| mass > 0.0).unwrap();
        running.solver.set_inverse_mass(free, 0.0).unwrap();

        let mut made = Running::planned(&changed, &plan);
        made.restore(&running.snapshot());
        running.run(4);
        made.run(4);
        assert!(running.snapshot() == made.snapshot(), "{name}");
        assert!(running.status().is_good(), "{name}");
    }
}

/// Changes of all kinds in a row have the same bits by one, two and three threads, in narrow registers and wide ones: in
/// a cloth that tears, in hair that shares its roots, with what touches itself, and by Jacobi.
#[test]
fn threads_change_alike() {
    let mut jacobi = gallery("hanging_cloth");
    jacobi.settings.method = Method::Jacobi;
    jacobi.settings.nested = Some(false);
    for mut model in [gallery("tear"), gallery("hair"), gallery("fold"), jacobi] {
        models::drive(&mut model, 3, Drive::default());
        let end = |threads, instructions| {
            let plan = Plan::new(&model);
            let mut solver = CpuSolver::with(&model, &plan, threads, instructions).unwrap();
            let go_on = CpuSolver::step;
            go_on(&mut solver);
            let middle = model.placed_particles() / 2;
            let target = model.particles.positions[middle].map(|x| x + 0.1);
            solver.pull(middle, Some(Pull { target, compliance: 1e-4, damping: 1.0 })).unwrap();
            let drive = model.drives.len() - 1;
            solver.drives_mut()[drive].forces.push(Keyframes::constant([0.0, 1.0, 0.0]));
            go_on(&mut solver);
            let material = solver.materials()[0];
            solver.set_material(0, Material { compliance: 2.0 * material.compliance + 1e-7, ..material }).unwrap();
            solver.set_inverse_mass(middle + 1, 0.0).unwrap();
            go_on(&mut solver);
            solver.reconfigure(&plan, Settings { substeps: 12, relaxation: 0.9, ..model.settings.clone() }).unwrap();
            let weight = model.particles.inverse_masses[middle + 1];
            let (free, fixed) = (solver.set_inverse_mass(middle + 1, 2.0 * weight), weight == 0.0);
            assert!(free.is_ok() || fixed, "{free:?}");
            go_on(&mut solver);
            assert!(solver.status().unwrap().is_good(), "{}: {:?}", model.name, solver.status());
            solver.snapshot()
        };
        let one = end(1, Instructions::Baseline);
        for threads in [2, 3] {
            assert!(end(threads, Instructions::detected()) == one, "{} with {threads} threads", model.name);
        }
    }
}

/// A snapshot in which somebody has put corners where no tear puts them would have threads write to the same particles: it is refused, and nothing has changed.
#[test]
fn impossible_tears_are_refused() {
    let model = gallery("tear");
    let mut running = Running::new(&model);
    running.run(2);
    let before = running.snapshot();
    let mut joined = before.clone();
    let first = joined.corners[0];
    joined.corners.fill(first);
    assert_eq!(running.try_restore(&joined), Err(SnapshotError::Torn));
    assert!(running.snapshot() == before);
}

/// The engine and the reference are led alike through the trait: gravity that turns, and a pin that is led. The reference says what it does not take,
/// and neither goes on from what the other saved.
#[test]
fn the_reference_is_an_engine() {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0]], &[1.0, 0.0]);
    let drive = model.lead(&[1]).unwrap();
    let plan = Plan::new(&model);
    let mut solver = CpuSolver::with_threads(&model, &plan, 1).unwrap();
    let mut reference = Reference::new(&model, &plan);
    let states = [&mut solver as &mut dyn Synchronous, &mut reference].map(|engine| {
        engine.step().unwrap();
        engine.world_mut().gravity = [0.0, 5.0, 0.0];
        engine.move_drive(drive, [0.0, 0.0, 0.5]).unwrap();
        engine.step().unwrap();
        assert_eq!((engine.frame(), engine.seconds()), (2, 2.0 / model.settings.frame_rate));
        engine.state().unwrap()
    });
    assert!(apart(&states[0].positions, &states[1].positions) < 1e-6);
    assert!((states[1].positions[1][2] - 0.5).abs() < 1e-12 && states[1].velocities[0][1] > -0.1);
    assert!(matches!(reference.set_material(0, Material::default()), Err(ChangeError::Unsupported("material"))));
    assert!(matches!(reference.snapshot(), Err(EngineError::OtherEngine)));
    assert!(matches!(solver.resume(&reference.save().unwrap()), Err(EngineError::OtherEngine)));
    assert!(matches!(reference.resume(&solver.save().unwrap()), Err(EngineError::OtherEngine)));
    reference.resume(&reference.save().unwrap()).unwrap();
}
