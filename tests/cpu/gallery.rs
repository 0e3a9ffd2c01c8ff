//! The gallery's scenes, as far as the engine knows what is in them, against the reference.

use pliant::Reference;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::scene::{GALLERY, Scene};

use crate::device::{Running, solver};
use crate::framing;
use crate::kernels::{Random, difference};

/// The frame after a state in double precision.
fn after(model: &Model, plan: &Plan, state: &State) -> State {
    let mut reference = Reference::new(model, plan);
    reference.restore(state);
    reference.step();
    reference.state()
}

/// The state with each position moved by a rounding of single precision at 1 m.
fn moved(state: &State) -> State {
    let mut random = Random::new(5);
    let mut moved = state.clone();
    moved.positions.as_flattened_mut().iter_mut().for_each(|x| *x += random.number(-6e-8, 6e-8));
    moved
}

/// As it begins and twelve frames on every scene of the gallery is in its picture, and then a frame of the engine is that of the reference from the same state: to 2e-6 m, some thirty
/// roundings at 1 m for ten substeps, or to what twenty at its beginning make of it in double precision, where that is more. Not those in
/// which surfaces touch: the two solve these contacts one after another in another order, and `guarded.rs` compares them where one
/// solution is left.
#[test]
fn scenes_are_seen_and_go_on_as_in_the_reference() {
    let mut failures = Vec::new();
    for (name, _) in GALLERY {
        let scene = Scene::open(name).unwrap();
        let model = scene.build().unwrap().model;
        let camera = framing::camera_of(&scene, &model);
        let plan = Plan::new(&model);
        let mut solver = solver(&model).unwrap();
        failures.extend(framing::fault(name, &model, &camera, &solver.state()));
        (0..12).for_each(|_| solver.step());
        let before = solver.state();
        failures.extend(framing::fault(name, &model, &camera, &before));
        if model.bodies.iter().any(|body| body.surface_contact) {
            continue;
        }
        solver.step();
        let (found, expected) = (solver.state(), after(&model, &plan, &before));
        let (positions, _) = difference(&found, &expected);
        // The reference takes most of the time: it is asked again only where that decides.
        let amplified = || difference(&after(&model, &plan, &moved(&before)), &expected).0;
        let broken = |state: &State| state.multipliers.iter().flatten().filter(|m| m.broken).count();
        if broken(&found) != broken(&expected) || positions > 2e-6 && positions > 20.0 * amplified() {
            failures.push(format!("{name}: {positions:.2e} m, and roundings make {:.2e} m", amplified()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every scene of the gallery resumes from a snapshot with the bits of the run that the snapshot was taken from, in a solver that has been elsewhere.
/// Scenes that tear resume at every frame until well after their first tears: `burst` begins to tear at frame 14.
#[test]
fn scenes_resume_with_the_same_bits() {
    let mut failures = Vec::new();
    for (name, _) in GALLERY {
        let model = Scene::open(name).unwrap().build().unwrap().model;
        let plan = Plan::new(&model);
        let frames = if model.tearing.is_some() { 16 } else { 1 };
        let mut whole = Running::planned(&model, &plan);
        let mut snapshots = vec![whole.snapshot()];
        for _ in 0..=frames {
            whole.solver.step();
            snapshots.push(whole.snapshot());
        }
        let mut resumed = Running::planned(&model, &plan);
        for pair in snapshots[1..].windows(2) {
            resumed.restore(&pair[0]);
            resumed.solver.step();
            if resumed.snapshot() != pair[1] {
                failures.push(format!("{name} from frame {}", pair[0].frame));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
