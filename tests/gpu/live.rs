//! Changes of a running simulation: settings, materials, pins, pulls, forces; snapshots.

use std::f64::consts::PI;

use pliant::constraint::{Distance, Kind, Tether, Vec3, kind};
use pliant::engine::{ChangeError, MOST_PULLS, Placement, Pull, Snapshot, SnapshotError};
use pliant::measure::constraint_force;
use pliant::model::{Drive, Group, Integrator, Keyframes, Material, Method, Mode, Model, Settings, State};
use pliant::plan::Plan;
use pliant::scene::{Body, Cloth, Collider, Grid, Scene};

use crate::device::{Running, run};
use crate::models::{self, GRAVITY, compliant};

/// The largest difference of two lists of vectors.
fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
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

/// A sheet that can tear and has levels over it goes on with other settings, without levels and with them again.
#[test]
fn what_can_tear_under_levels_is_reconfigured() {
    let grid = Grid { columns: 24, rows: 24, width: 1.0, height: 1.0 };
    let cloth = Body::cloth(Cloth::new(grid).stretch(1e-8).shear(1e-6).tears_at(1e6)).pin("top-left").pin("top-right");
    let mut model = Scene::new("sheet").with(cloth).build().unwrap_or_else(|error| panic!("{error}")).model;
    (model.settings.nested, model.settings.substeps) = (Some(true), 5);
    let mut running = Running::new(&model);
    running.run(3);
    for settings in [
        Settings { substeps: 8, ..model.settings.clone() },
        Settings { nested: Some(false), ..model.settings.clone() },
        model.settings.clone(),
    ] {
        running.reconfigure(&model, settings.clone());
        let state = running.run(3);
        let lowest = state.positions.iter().map(|x| x[1]).fold(0.0, f64::min);
        assert!(state.torn.is_none() && lowest > -1.5 && running.status().is_good(), "{settings:?}: {lowest} m");
    }
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
        (Settings { frame_rate: 30.0, ..base() }, "keeps its frame rate"),
        (Settings { substeps: 0, ..base() }, "one substep"),
        (Settings { relaxation: 2.0, ..base() }, "relaxation is 2"),
        (Settings { substeps: u32::MAX, ..base() }, "may be 100000 at most"),
        (Settings { iterations: 200_000, ..base() }, "may be 100000 at most"),
        (Settings { max_colours: 0, ..base() }, "bound of colours is 0"),
    ];
    for (settings, expected) in settings {
        let plan = Plan::new(&model);
        let message = running.try_reconfigure(&plan, settings).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    let other = Plan::new(&models::cloth(5));
    let message = running.try_reconfigure(&other, base()).unwrap_err().to_string();
    assert!(message.contains("not one of the model"), "{message}");
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
    assert!(message.contains("not one of the model"), "{message}");
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

/// A ball that sticks to a board which slides and turns (it is at 1.5 m/s at once, for which a friction of 100 takes 1 mm) ends where it does with keyframes in the model, whether these move the board or a host leads it frame by
/// frame; and the board then stands, and the ball with it.
#[test]
fn colliders_are_led_by_the_hand() {
    let half = 0.4_f64;
    let turned = [0.0, half.sin(), 0.0, half.cos()];
    let board = || Collider::cuboid([3.0, 0.2, 3.0]).position([0.0, -0.1, 0.0]).friction(100.0).dynamic_friction(100.0);
    let ball =
        || Body::particles(vec![[0.7, 0.05, 0.0]]).mass(1.0).radius(0.05).friction(100.0).dynamic_friction(100.0);
    let model = |board: Collider| Scene::new("board").with(ball()).collider(board).build().unwrap().model;
    let moving = vec![(0.0, [0.0; 3]), (0.5, [0.2, 0.0, 0.1])];
    let turning = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (0.5, turned)];
    let by_keyframes = model(board().keyframes(moving).rotations(turning));
    let expected = run(&by_keyframes, 36);
    let mut running = Running::new(&model(board()));
    for frame in 1..=30 {
        let seconds = f64::from(frame) / 60.0;
        let collider = &by_keyframes.colliders[0];
        running.solver.move_collider(0, collider.position_at(seconds), collider.rotation_at(seconds)).unwrap();
        running.run(1);
    }
    let state = running.run(6);
    let ([x, _, z], way) = (expected.positions[0], 2.0 * half);
    let carried = [0.7 * way.cos() + 0.2, 0.1 - 0.7 * way.sin()];
    assert!((x - carried[0]).hypot(z - carried[1]) < 0.005, "{x} m, {z} m: the ball slid");
    assert!(apart(&expected.positions, &state.positions) < 2e-6, "{:?} {:?}", expected.positions, state.positions);
    let stands = running.solver.colliders()[0].clone();
    assert_eq!(stands.position_at(0.6), [0.2, -0.1, 0.1]);
    assert!((0..4).all(|i| (stands.rotation_at(0.6)[i] - turned[i]).abs() < 1e-12));
}

/// A ball led 3 m in one frame takes along what is in its way.
#[test]
fn nothing_passes_what_is_led_fast() {
    let grain = Body::particles(vec![[0.5, 0.0, 0.0]]).mass(1.0).radius(0.01);
    let ball = Collider::sphere(0.1).position([-1.0, 0.0, 0.0]);
    let mut model = Scene::new("led").with(grain).collider(ball).build().unwrap().model;
    (model.world.gravity, model.world.max_speed) = ([0.0; 3], None);
    let mut running = Running::new(&model);
    running.run(1);
    running.solver.move_collider(0, [2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]).unwrap();
    let place = running.run(1).positions[0];
    assert!(place[0] > 2.1, "{place:?}");
}

/// A collider that is not there, a place that is none and a rotation of no length are refused, and all goes on.
#[test]
fn colliders_are_led_nowhere_impossible() {
    let mut model = models::chain(2, 1.0, compliant(0.0));
    models::ground(&mut model, [0.0, 1.0, 0.0]);
    let mut running = Running::new(&model);
    let upright = [0.0, 0.0, 0.0, 1.0];
    for (index, place, rotation, message) in [
        (1, [0.0; 3], upright, "there is no collider 1: there are 1"),
        (0, [0.0, f64::NAN, 0.0], upright, "a collider's place is NaN: it must be finite"),
        (0, [0.0; 3], [0.0; 4], "the length of a collider's rotation is 0: it must be finite and above 0"),
    ] {
        let error = running.solver.move_collider(index, place, rotation).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(running.solver.colliders(), model.colliders);
}

/// A bar of three fixed particles that are led by the host, each on its own way as by a bone that turns, and what hangs from it, go as by keyframes in
/// the model.
#[test]
fn pins_are_led_by_the_hand() {
    let bar = |k: usize| [0.3 * k as f64, 1.0, 0.0];
    let hangs = |k: usize| [0.3 * k as f64, 0.6, 0.0];
    let places: Vec<[f64; 3]> = (0..3).map(bar).chain((0..3).map(hangs)).collect();
    let mut model = models::particles(&places, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    (0..3).for_each(|k| models::connect(&mut model, kind::<Distance>(), &[k, k + 3], compliant(1e-5)));
    // About the first of them by half a turn in a second, and up.
    let way = |k: usize, frame: u32| {
        let (sin, cos) = (PI * f64::from(frame) / 60.0).sin_cos();
        let arm = 0.3 * k as f64;
        [arm * (cos - 1.0), 0.01 * f64::from(frame), arm * sin]
    };
    let mut by_keyframes = model.clone();
    for k in 0..3 {
        let path = (0..=30).map(|frame| (f64::from(frame) / 60.0, way(k, frame))).collect();
        models::drive(&mut by_keyframes, k, Drive { motion: Keyframes::new(path), forces: Vec::new() });
    }
    let expected = run(&by_keyframes, 40);
    let bones: Vec<usize> = (0..3).map(|pin| model.lead(&[pin]).unwrap()).collect();
    let mut running = Running::new(&model);
    for frame in 1..=30 {
        for (k, &bone) in bones.iter().enumerate() {
            running.solver.move_drive(bone, way(k, frame)).unwrap();
        }
        running.run(1);
    }
    let state = running.run(10);
    let last: [f64; 3] = std::array::from_fn(|i| bar(2)[i] + way(2, 30)[i]);
    assert!(apart(&state.positions[2..3], &[last]) < 1e-6, "{:?}, not {last:?}", state.positions[2]);
    assert!(apart(&expected.positions, &state.positions) < 2e-6, "{:?} {:?}", expected.positions, state.positions);
}

/// Drives that are not there, the one of all that nothing leads, and places that are none are refused, and so are particles that are not in the model.
#[test]
fn pins_are_led_nowhere_impossible() {
    let mut model = models::chain(2, 1.0, compliant(0.0));
    assert_eq!((model.lead(&[7]), model.lead(&[0, 7]), model.lead(&[]), model.drives.len()), (None, None, None, 1));
    let pin = model.lead(&[0]).unwrap();
    assert_eq!((pin, &model.particles.drives[..2]), (1, &[1, 0][..]));
    let mut running = Running::new(&model);
    for (index, displacement, message) in [
        (2, [0.0; 3], "there is no drive 2: there are 2"),
        (0, [0.0; 3], "drive 0 is that of all particles that nothing leads"),
        (1, [0.0, f64::INFINITY, 0.0], "a displacement is inf: it must be finite"),
    ] {
        let error = running.solver.move_drive(index, displacement).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert_eq!(running.run(1).positions[0], model.particles.positions[0]);
}

/// What is put elsewhere flies on from there with its new velocity and nothing of its past, also where the lattice has to become coarser for it, from before
/// the first step, by the last of two placements, and with both integrators; others do not notice.
#[test]
fn what_is_placed_flies_on() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let mut model = models::particles(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[1.0, 1.0, 1.0]);
        model.settings.integrator = integrator;
        for (frames, from) in [(0, [0.3, 7.0, 0.1]), (7, [0.3, 7.0, 0.1]), (8, [0.3, 7.0, 0.1]), (7, [300.1, 7.0, 0.1])]
        {
            let undisturbed = run(&model, frames + 30);
            let mut running = Running::new(&model);
            running.run(frames);
            let place = |position, velocity| Placement { particle: 1, position, velocity };
            running.place(&[place([5.0; 3], [9.0; 3]), place(from, [3.0, 4.0, 0.0])]).unwrap();
            assert!(apart(&running.state().positions[1..2], &[from]) < 1e-6, "{:?}", running.state().positions[1]);
            let state = running.run(30);
            // Euler's substeps fall by 1/(n + 1) more, and what there is of it before BDF2 knows a past.
            let (seconds, count) = (0.5, 300.0);
            let step = if integrator == Integrator::Euler { 0.5 } else { 0.0 } * seconds / count;
            let fall = GRAVITY * (0.5 * seconds * seconds + step * seconds);
            let expected = [from[0] + 3.0 * seconds, from[1] + 4.0 * seconds - fall, from[2]];
            let off = apart(&state.positions[1..2], &[expected]);
            assert!(off < 1e-4, "{integrator:?} after {frames} from {from:?}: {off:.2e} m");
            for other in [0, 2] {
                // A coarser lattice is no less exact, but other bits.
                let off = apart(&state.positions[other..other + 1], &undisturbed.positions[other..other + 1]);
                assert!(off < 1e-5, "{off:.2e} m");
            }
            assert!(running.status().is_good());
        }
    }
}

/// What is fixed stays where it is put, and what hangs from it comes along.
#[test]
fn pins_are_placed() {
    let mut model = models::particles(&[[0.0; 3], [0.0, -0.5, 0.0]], &[0.0, 1.0]);
    models::connect(&mut model, kind::<Distance>(), &[0, 1], compliant(0.0));
    let mut running = Running::new(&model);
    running.run(3);
    let place = [0.4, 0.1, 0.0];
    running.place(&[Placement { particle: 0, position: place, velocity: [8.0; 3] }]).unwrap();
    let state = running.run(60);
    assert!(apart(&state.positions[..1], &[place]) < 1e-6, "{:?}", state.positions[0]);
    let length = (Vec3::from(state.positions[1]) - Vec3::from(place)).length();
    assert!((length - 0.5).abs() < 1e-3, "{length} m");
}

/// Particles that are not there and numbers that are none are refused, all or none, and all goes on.
#[test]
fn nothing_is_placed_nowhere() {
    let model = models::chain(2, 1.0, compliant(0.0));
    let mut running = Running::new(&model);
    let before = running.state();
    let good = Placement { particle: 1, position: [1.0; 3], velocity: [0.0; 3] };
    for (bad, message) in [
        (Placement { particle: 9, ..good }, "there is no particle 9: there are 3"),
        (Placement { position: [0.0, f64::NAN, 0.0], ..good }, "a particle's place is NaN: it must be finite"),
        (Placement { velocity: [1e39, 0.0, 0.0], ..good }, "a particle's velocity is 1"),
    ] {
        let error = running.place(&[good, bad]).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    running.place(&[]).unwrap();
    assert_eq!(running.state(), before);
}
