//! Changes of a running simulation: settings, materials, pins, pulls, forces; snapshots.

use pliant::Reference;
use pliant::constraint::{Kind, Tether, kind};
use pliant::measure::constraint_force;
use pliant::model::{Drive, Group, Keyframes, Material, Method, Mode, Model, Settings, State};
use pliant::plan::Plan;
use pliant::step::{ChangeError, Engine, MOST_PULLS, Pull, Snapshot, SnapshotError};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY, compliant};
use crate::proof;

/// The largest difference of two lists of vectors.
pub fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    crate::proof::largest(a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a - b))
}

/// A cloth that swings, with a link in it that has broken.
pub fn torn() -> Model {
    let mut model = models::cloth(12);
    (model.particles.inverse_masses[0], model.particles.inverse_masses[11]) = (0.0, 0.0);
    models::spring(&mut model, 60, 143, Material { break_force: Some(1e-3), ..compliant(1e-3) });
    model
}

/// The first group of a model, as constraints of another kind of two particles and one rest value.
fn springs_as(kind: &'static dyn Kind, model: &Model) -> Group {
    Group { kind, ..model.groups[0].clone() }
}

/// Settings with which everything is done otherwise.
fn others(settings: &Settings) -> [Settings; 5] {
    let base = || settings.clone();
    [
        Settings { substeps: 25, ..base() },
        Settings { iterations: 4, ..base() },
        Settings { method: Method::Jacobi, ..base() },
        Settings { mode: Mode::Pbd, ..base() },
        Settings { max_colours: 5, relaxation: 1.2, substeps: 7, ..base() },
    ]
}

/// Other settings leave positions, velocities, forces and what has broken as they are, to the rounding of one multiplication
/// each, and all the bits once the old settings are back if no length changed.
#[test]
fn other_settings_leave_the_state() {
    let model = torn();
    for settings in others(&model.settings) {
        let mut running = Running::new(&model);
        let before = running.run(20);
        assert!(before.multipliers[0].iter().any(|multiplier| multiplier.broken), "nothing broke: the test shows less");
        running.reconfigure(&model, settings.clone());
        let after = running.state();
        assert_eq!((before.frame, &before.positions), (after.frame, &after.positions));
        assert!(apart(&before.velocities, &after.velocities) < 1e-6 * 10.0, "speeds are below 10 m/s");
        let changed = Model { settings: settings.clone(), ..model.clone() };
        for constraint in 0..model.groups[0].len() {
            let broken = |state: &State| state.multipliers[0][constraint].broken;
            let old = constraint_force(&model, &before, 0, constraint);
            let new = constraint_force(&changed, &after, 0, constraint);
            assert_eq!(broken(&before), broken(&after));
            assert!((old - new).abs() <= 1e-6 * old, "{new} N in place of {old} N");
        }
        if settings.substeps == model.settings.substeps {
            running.reconfigure(&model, model.settings.clone());
            assert_eq!(bits(&running.run(10)), bits(&run(&model, 30)), "{settings:?}");
        }
    }
}

/// All numbers of a state, bit for bit, but for the last multipliers, which only the next sweep writes.
pub fn bits(state: &State) -> Vec<u64> {
    let broken = state.multipliers.iter().flatten().map(|multiplier| u64::from(multiplier.broken));
    let vectors = state.positions.iter().chain(&state.velocities).flatten();
    vectors.map(|value| value.to_bits()).chain(broken).collect()
}

/// A thrown ball flies on along its parabola whatever substeps it is given on the way.
#[test]
fn flight_goes_on_at_other_substeps() {
    let mut model = models::particles(&[[0.0; 3]], &[1.0]);
    model.particles.velocities[0] = [3.0, 4.0, 0.0];
    let mut running = Running::new(&model);
    let (mut velocity, mut height) = (4.0, 0.0);
    for substeps in [10_u32, 40, 3, 100, 10] {
        let settings = Settings { substeps, ..model.settings.clone() };
        running.reconfigure(&model, settings.clone());
        running.run(12);
        // Symplectic Euler in closed form.
        let (n, h) = (f64::from(12 * substeps), settings.substep_seconds());
        height += n * h * velocity - GRAVITY * h * h * n * (n + 1.0) / 2.0;
        velocity -= n * h * GRAVITY;
    }
    let state = running.state();
    // Five roundings of u by another h, and one of u in each of 1,956 substeps, 6e-8 of 4 m/s each.
    assert!((state.velocities[0][1] - velocity).abs() < 1e-4, "{} m/s, not {velocity}", state.velocities[0][1]);
    assert!((state.positions[0][1] - height).abs() < 1e-4, "{} m, not {height}", state.positions[0][1]);
    assert!((state.positions[0][0] - 3.0).abs() < 1e-4, "{} m", state.positions[0][0]);
}

/// A weight on a spring comes to rest at m g α for the compliance that it has now, also where damping is new to the kernels.
#[test]
fn a_material_may_change() {
    let mut model = models::particles(&[[0.0; 3], [0.0, -0.1, 0.0]], &[0.0, 0.5]);
    models::spring(&mut model, 0, 1, compliant(1e-3));
    let mut running = Running::new(&model);
    running.run(10);
    for compliance in [4e-3, 1e-2] {
        // Critical: e⁻²⁰ of the swing is left after two seconds for the softer.
        let damping = 2.0 * (0.5_f64 / compliance).sqrt();
        running.solver.set_material(0, Material { damping, ..compliant(compliance) }).unwrap();
        let state = running.run(120);
        let (stretch, exact) = (-state.positions[1][1] - 0.1, 0.5 * GRAVITY * compliance);
        assert!((stretch / exact - 1.0).abs() < 1e-4, "{stretch} m in place of {exact} m");
    }
    running.solver.set_material(0, Material { break_force: Some(1.0), ..compliant(1e-2) }).unwrap();
    let state = running.run(3);
    assert!(state.multipliers[0][0].broken, "a link that bears 1 N still holds 4.9 N");
}

/// A break force that comes back finds what is borne then, though means of forces were neither asked for nor needed meanwhile: none of when they were.
#[test]
fn a_break_force_finds_no_forces_of_another_time() {
    let critical = Material { damping: 2.0 * (0.5_f64 / 1e-3).sqrt(), ..compliant(1e-3) };
    let breaking = |newtons| Material { break_force: Some(newtons), ..critical };
    for asked in [false, true] {
        let mut model = models::particles(&[[0.0; 3], [0.0, -0.1, 0.0]], &[0.0, 0.5]);
        models::spring(&mut model, 0, 1, if asked { critical } else { breaking(10.0) });
        model.settings.mean_forces = asked;
        let mut running = Running::new(&model);
        running.run(60);
        if asked {
            running.reconfigure(&model, Settings { mean_forces: false, ..model.settings.clone() });
        } else {
            running.solver.set_material(0, critical).unwrap();
        }
        running.solver.world_mut().gravity = [0.0; 3];
        running.run(60);
        running.solver.set_material(0, breaking(1.0)).unwrap();
        assert!(!running.run(5).multipliers[0][0].broken, "a link without a load broke");
        running.solver.world_mut().gravity = [0.0, -GRAVITY, 0.0];
        assert!(running.run(60).multipliers[0][0].broken, "a link that bears 1 N still holds 4.9 N");
    }
}

/// A pulled weight rests m g α below where it is pulled to, in every mode and method, the spring says its weight, and let go it
/// falls. Others are left alone.
#[test]
fn a_particle_is_pulled() {
    for (mode, method) in [(Mode::Xpbd, Method::GaussSeidel), (Mode::Pbd, Method::Jacobi)] {
        let mut model = models::particles(&[[100.0, 0.0, 0.0], [0.0; 3]], &[0.5, 0.0]);
        (model.settings.mode, model.settings.method, model.settings.iterations) = (mode, method, 3);
        let mut running = Running::new(&model);
        let compliance = 1e-2;
        let pull = Pull { target: [100.2, 0.3, -0.1], compliance, damping: 2.0 * (0.5_f64 / compliance).sqrt() };
        running.solver.pull(0, Some(pull)).unwrap();
        let state = running.run(120);
        let expected = [100.2, 0.3 - 0.5 * GRAVITY * compliance, -0.1];
        // The target in single precision at 100 m: 4e-6 m.
        assert!(apart(&state.positions[..1], &[expected]) < 1e-5, "{:?} is not {expected:?}", state.positions[0]);
        let [x, y, z] = pull.force(state.positions[0]);
        let weight = 0.5 * GRAVITY;
        assert!(x.hypot(z) < 1e-3 && (y / weight - 1.0).abs() < 1e-3, "{y} N in place of {weight} N");
        assert_eq!(state.positions[1], [0.0; 3]);
        running.solver.pull(0, None).unwrap();
        let fallen = state.positions[0][1] - running.run(30).positions[0][1];
        assert!((fallen - 0.5 * GRAVITY * 0.25).abs() < 0.01, "let go, it fell by {fallen} m in half a second");
    }
}

/// A pull outlives other settings, and one beyond the most is refused.
#[test]
fn pulls_are_kept_and_counted() {
    let count = MOST_PULLS + 1;
    let positions: Vec<[f64; 3]> = (0..count).map(|i| [i as f64, 0.0, 0.0]).collect();
    let model = models::particles(&positions, &vec![1.0; count]);
    let mut running = Running::new(&model);
    for particle in 0..MOST_PULLS {
        let pull = Pull { target: [particle as f64, 1.0, 0.0], compliance: 0.0, damping: 0.0 };
        running.solver.pull(particle, Some(pull)).unwrap();
        running.solver.pull(particle, Some(pull)).unwrap();
    }
    let pull = Pull { target: [0.0; 3], compliance: 1.0, damping: 0.0 };
    assert!(matches!(running.solver.pull(MOST_PULLS, Some(pull)), Err(ChangeError::TooManyPulls)));
    running.reconfigure(&model, Settings { substeps: 4, ..model.settings.clone() });
    let state = running.run(1);
    let held = state.positions.iter().filter(|position| (position[1] - 1.0).abs() < 1e-6).count();
    assert_eq!(held, MOST_PULLS);
}

/// A particle that is fixed stays, one that is set free falls, and a force that is set moves what it acts on.
#[test]
fn pins_and_forces_may_change() {
    let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[0.0, 1.0, 2.0]);
    models::drive(&mut model, 2, Drive::default());
    let mut running = Running::new(&model);
    running.solver.set_inverse_mass(0, 1.0).unwrap();
    running.solver.set_inverse_mass(1, 0.0).unwrap();
    let drive = model.drives.len() - 1;
    running.solver.drives_mut()[drive].forces.extend(Keyframes::new(vec![(0.0, [0.0, 3.0 * GRAVITY, 0.0])]));
    let state = running.run(30);
    let fall = 0.5 * GRAVITY * 0.25 * (1.0 + 1.0 / 300.0);
    assert!((state.positions[0][1] + fall).abs() < 1e-5, "{} m", state.positions[0][1]);
    assert_eq!(state.positions[1], [1.0, 0.0, 0.0]);
    // 3 g upwards on 2 kg, less its weight: g / 2 upwards.
    assert!((state.positions[2][1] - 0.5 * fall).abs() < 1e-5, "{} m", state.positions[2][1]);
}

/// A solver that goes back to a snapshot, and a fresh one that takes it over, go on with the bits of an unbroken run, also when
/// the fresh one solves in another order in between.
#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    for method in [Method::GaussSeidel, Method::Jacobi] {
        let mut model = torn();
        model.settings.method = method;
        let mut running = Running::new(&model);
        running.run(15);
        let taken = running.snapshot();
        let unbroken = running.run(16);
        running.restore(&taken);
        assert_eq!(running.snapshot(), taken);
        let again = running.run(16);
        assert_eq!((again.frame, bits(&again)), (31, bits(&unbroken)));

        let mut fresh = Running::new(&model);
        fresh.reconfigure(&model, Settings { max_colours: 4, ..model.settings.clone() });
        fresh.restore(&taken);
        fresh.reconfigure(&model, model.settings.clone());
        assert_eq!(bits(&fresh.run(16)), bits(&unbroken), "{method:?}");
        assert_eq!(fresh.status().frame, 31);
    }
}

/// A snapshot is taken over by a solver with other settings, too: as if these had been changed, whatever the length of its substeps and frames.
#[test]
fn a_snapshot_suits_other_settings() {
    let model = torn();
    let mut running = Running::new(&model);
    let before = running.run(20);
    let taken = running.snapshot();
    let slower = Settings { frame_rate: 30.0, ..model.settings.clone() };
    for settings in others(&model.settings).into_iter().chain([slower]) {
        let mut other = model.clone();
        other.settings = settings.clone();
        let mut fresh = Running::new(&other);
        fresh.restore(&taken);
        let after = fresh.state();
        assert_eq!((before.frame, &before.positions), (after.frame, &after.positions), "{settings:?}");
        assert!(apart(&before.velocities, &after.velocities) < 1e-6 * 10.0, "{settings:?}: speeds are below 10 m/s");
        for constraint in 0..model.groups[0].len() {
            let [old, new] = [(&model, &before), (&other, &after)].map(|(m, s)| constraint_force(m, s, 0, constraint));
            assert!((old - new).abs() <= 1e-6 * old, "{settings:?}: {new} N in place of {old} N");
        }
    }
}

/// What has broken stays so when its material loses its break force, over changes of settings, and when it has one again.
#[test]
fn what_has_broken_never_heals() {
    let model = torn();
    let mut running = Running::new(&model);
    running.run(20);
    let breaks = |material: &Material| material.break_force.is_some();
    let index = model.materials.iter().position(breaks).unwrap();
    let broken = |state: &State| state.multipliers[0].iter().filter(|multiplier| multiplier.broken).count();
    let never = Material { break_force: None, ..model.materials[index] };
    running.solver.set_material(index, never).unwrap();
    assert_eq!(broken(&running.run(3)), 1);
    running.reconfigure(&model, Settings { substeps: 12, ..model.settings.clone() });
    assert_eq!(broken(&running.run(3)), 1);
    running.solver.set_material(index, Material { break_force: Some(1e6), ..never }).unwrap();
    assert_eq!(broken(&running.run(3)), 1);
}

/// What makes no sense is refused with what was wrong, and the solver goes on as it was.
#[test]
fn nonsense_is_refused() {
    let model = models::cloth(6);
    let mut running = Running::new(&model);
    let solver = &mut running.solver;
    let pull = Pull { target: [0.0; 3], compliance: 1.0, damping: 0.0 };
    let refused = [
        solver.set_material(99, Material::default()),
        solver.set_material(0, compliant(-1.0)),
        solver.set_material(0, Material { stiffness: 1.5, ..Material::default() }),
        solver.set_material(0, Material { break_force: Some(f64::NAN), ..Material::default() }),
        solver.pull(36, Some(pull)),
        solver.pull(0, Some(Pull { target: [0.0, f64::NAN, 0.0], ..pull })),
        solver.pull(0, Some(Pull { compliance: f64::INFINITY, ..pull })),
        solver.pull(0, Some(Pull { target: [0.0, 1e39, 0.0], ..pull })),
        solver.pull(0, Some(Pull { damping: 1e300, ..pull })),
        solver.set_inverse_mass(36, 1.0),
        solver.set_inverse_mass(0, -1.0),
    ];
    let expected = [
        "there is no material 99",
        "a compliance is -1",
        "a stiffness is 1.5",
        "a break force is NaN",
        "there is no particle 36",
        "a pull's target is NaN",
        "a pull's compliance is inf",
        "a pull's target is 1000000000000000000000000000000000000000",
        "a pull's damping is 1",
        "there is no particle 36",
        "an inverse mass is -1",
    ];
    for (refused, expected) in refused.into_iter().zip(expected) {
        let message = refused.unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let base = || model.settings.clone();
    let settings = [
        (Settings { frame_rate: 30.0, ..base() }, "cannot change its frame rate"),
        (Settings { substeps: 0, ..base() }, "one substep"),
        (Settings { relaxation: 2.0, ..base() }, "relaxation is 2"),
        (Settings { substeps: u32::MAX, ..base() }, "must be at most 100000"),
        (Settings { iterations: 200_000, ..base() }, "must be at most 100000"),
        (Settings { max_colours: 0, ..base() }, "max_colours is 0"),
    ];
    for (settings, expected) in settings {
        let plan = Plan::new(&model);
        let message = running.try_reconfigure(&plan, settings).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    let other = Plan::new(&models::cloth(5));
    let message = running.try_reconfigure(&other, base()).unwrap_err().to_string();
    assert!(message.contains("belongs to another model"), "{message}");
    let taken = Running::new(&models::cloth(5)).snapshot();
    let error = running.try_restore(&taken).unwrap_err();
    assert_eq!(error, SnapshotError::OtherModel { what: "particles", found: 25, expected: 36 });
    type Change = fn(&mut Snapshot);
    let changed: [(&str, Change); 4] = [
        ("length of a substep", |snapshot| snapshot.substep_seconds = f64::NAN),
        ("length of a substep", |snapshot| snapshot.implicit_seconds = 0.0),
        ("number of substeps", |snapshot| snapshot.substeps = 0),
        ("inverse mass", |snapshot| snapshot.particles[0][3][3] = -1.0),
    ];
    for (expected, change) in changed {
        let mut taken = running.snapshot();
        change(&mut taken);
        let error = running.try_restore(&taken).unwrap_err();
        assert!(matches!(error, SnapshotError::Value { what, .. } if what == expected), "{error}");
    }
    let kinds = Model { groups: vec![springs_as(kind::<Tether>(), &model)], ..model.clone() };
    let message = running.try_reconfigure(&Plan::new(&kinds), base()).unwrap_err().to_string();
    assert!(message.contains("belongs to another model"), "{message}");
    assert_eq!(bits(&running.run(5)), bits(&run(&model, 5)));
}

/// Contacts that are asked for right behind a change of settings are none: those that the device knows are of before.
#[test]
fn contacts_are_none_behind_a_change() {
    let model = crate::billiards::mixed();
    let mut running = Running::new(&model);
    running.run(30);
    assert!(running.contacts().len() > 20, "the test shows nothing");
    running.reconfigure(&model, Settings { substeps: 20, ..model.settings.clone() });
    assert_eq!(running.contacts(), []);
    running.run(1);
    assert!(running.contacts().len() > 20);
}

/// A mass that was changed since the last step is part of a snapshot, and no more when another is gone back to.
#[test]
fn changed_masses_go_with_snapshots() {
    let model = torn();
    let mut running = Running::new(&model);
    running.run(1);
    let before = running.snapshot();
    running.solver.set_inverse_mass(70, 0.0).unwrap();
    let after = running.snapshot();
    assert_eq!(after.particles[0][70][3], 0.0);
    running.restore(&before);
    let [then, again] = [running.run(2), {
        running.restore(&before);
        running.run(2)
    }];
    assert_eq!(then.positions, again.positions);
    assert_ne!(then.positions[70], model.particles.positions[70]);
    running.restore(&after);
    let held = running.run(2).positions[70];
    assert_eq!(held, running.run(2).positions[70]);
}

/// What changes from frame to frame reaches the device, also where it comes back to what it was two frames before: as by a solver that is made anew for each.
#[test]
fn a_changing_world_is_not_mistaken_for_the_one_before() {
    let model = torn();
    let mut running = Running::new(&model);
    let mut before = running.snapshot();
    for upwards in [-9.81, 5.0, -9.81, -9.81, 2.0, 2.0, 5.0, -9.81, 5.0] {
        let step = |running: &mut Running| {
            running.solver.world_mut().gravity = [0.0, upwards, 0.0];
            running.run(1);
            running.snapshot()
        };
        let mut anew = Running::new(&model);
        anew.restore(&before);
        let after = step(&mut running);
        assert!(step(&mut anew) == after, "{upwards} m/s²");
        assert!(after != before);
        before = after;
    }
}

/// A drop that many short substeps hold stays calm with a few long ones, which follow less of its surface tension.
#[test]
fn a_drop_stays_calm_with_longer_substeps() {
    let model = crate::fluid::scene(
        "solver.substeps = 40\nworld.gravity = [0, 0, 0]\n[[body]]\nkind = 'fluid'\nspacing = 0.05\nviscosity = 20\n\
         surface_tension = 300\nfill = { box = { min = [0, 0, 0], max = [0.3, 0.3, 0.3] } }\n",
    );
    let mut running = Running::new(&model);
    running.run(10);
    running.reconfigure(&model, Settings { substeps: 2, ..model.settings.clone() });
    let speed = |state: &State| state.velocities.as_flattened().iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    let calm = speed(&running.run(30));
    crate::proof::row("speed in a drop with longer substeps", "at rest", calm, 0.2, "m/s");
}

/// What has flowed stays where a running engine takes another plan.
#[test]
fn flow_outlives_new_settings() {
    let model = crate::reshaping::pressed(20, "yield = 0.01\ncreep = 20\nvelocity = [0, -0.5, 0]\n");
    let mut running = Running::new(&model);
    let before = running.run(24);
    let jacobi = Model {
        settings: Settings { method: Method::Jacobi, iterations: 2, ..model.settings.clone() },
        ..model.clone()
    };
    let plan = Plan::new(&jacobi);
    running.reconfigure(&model, jacobi.settings.clone());
    let mut reference = Reference::new(&jacobi, &plan);
    reference.restore(&before);
    (0..2).for_each(|_| reference.step());
    let (mine, theirs) = (running.run(2), reference.state());
    proof::row(
        "flowing shapes by Jacobi's method from then on",
        "double precision",
        proof::apart(&mine, &theirs),
        2e-5,
        "m",
    );
    assert_ne!(mine.rest_shapes, before.rest_shapes);
}
