//! The gallery's scenes, as far as the engine knows what is in them, against the reference.

use pliant::Reference;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::scene::{GALLERY, Scene};

use crate::device::{Running, solver};
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

/// In the middle of every scene of the gallery a frame of the engine is that of the reference from the same state: to 2e-6 m, some thirty
/// roundings at 1 m for ten substeps, or to what twenty at its beginning make of it in double precision, where that is more. Not those in
/// which surfaces touch: the two solve these contacts one after another in another order, and `guarded.rs` compares them where one
/// solution is left.
#[test]
fn scenes_go_on_as_in_the_reference() {
    let mut failures = Vec::new();
    for (name, _) in GALLERY {
        let model = Scene::open(name).unwrap().build().unwrap().model;
        if model.bodies.iter().any(|body| body.surface_contact) {
            continue;
        }
        let plan = Plan::new(&model);
        let mut solver = solver(&model).unwrap();
        (0..12).for_each(|_| solver.step());
        let before = solver.state();
        solver.step();
        let (found, expected) = (solver.state(), after(&model, &plan, &before));
        let (positions, _) = difference(&found, &expected);
        let (amplified, _) = difference(&after(&model, &plan, &moved(&before)), &expected);
        let broken = |state: &State| state.multipliers.iter().flatten().filter(|m| m.broken).count();
        if positions > f64::max(2e-6, 20.0 * amplified) || broken(&found) != broken(&expected) {
            failures.push(format!("{name}: {positions:.2e} m, and roundings make {amplified:.2e} m"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every scene of the gallery resumes from a snapshot with the bits of the run that the snapshot was taken from.
/// Scenes that tear resume at every frame until well after their first tears: `burst` begins to tear at frame 14.
#[test]
fn scenes_resume_with_the_same_bits() {
    let mut failures = Vec::new();
    for (name, _) in GALLERY {
        let model = Scene::open(name).unwrap().build().unwrap().model;
        let plan = Plan::new(&model);
        let frames = if model.tearing.is_some() { 16 } else { 2 };
        let mut whole = Running::planned(&model, &plan);
        let mut snapshots = vec![whole.snapshot()];
        for _ in 0..=frames {
            whole.solver.step();
            snapshots.push(whole.snapshot());
        }
        for pair in snapshots[1..].windows(2) {
            let mut resumed = Running::planned(&model, &plan);
            resumed.restore(&pair[0]);
            resumed.solver.step();
            if resumed.snapshot() != pair[1] {
                failures.push(format!("{name} from frame {}", pair[0].frame));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
