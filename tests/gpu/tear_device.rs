//! Tearing on a device: what is refused, and what it costs where nothing tears.

use pliant::Engine;
use pliant::model::{Method, Model, Settings};
use pliant::plan::Plan;
use pliant::scene::{Body, Cloth, Cuboid, Grid, Scene, Soft};
use pliant::solver::Solver;

use crate::device::{Running, gpu};
use crate::tear::strip;

/// Jacobi's lists cannot follow a tear: it is refused with what to do, at the beginning and on the way. Likewise the damping of a body.
#[test]
fn what_cannot_follow_is_refused() {
    let mut model = strip();
    let mut running = Running::new(&model);
    let settings = Settings { method: Method::Jacobi, ..model.settings.clone() };
    model.settings = settings.clone();
    let plan = Plan::new(&model);
    let refused = running.try_reconfigure(&plan, settings).unwrap_err().to_string();
    assert!(refused.contains("gauss-seidel"), "{refused}");
    let refused = Solver::new(&gpu().device, &model, &plan).err().expect("a refusal").to_string();
    assert!(refused.contains("max_colours"), "{refused}");
    let refused = running.solver.set_damping(0, 1.0).unwrap_err().to_string();
    assert!(refused.contains("break_force"), "{refused}");
    running.solver.set_damping(0, 0.0).unwrap();
}

/// What tears cost a scene that does not: six dispatches a frame, one more where its particles touch, and one for each kind of its constraints,
/// whatever the size. Islands are left out: what tears has none.
#[test]
fn whole_cloth_pays_little() {
    let scene = |force: Option<f64>, touches: bool| {
        let cloth = Cloth { break_force: force, ..Cloth::new(Grid { columns: 9, rows: 9, width: 1.0, height: 1.0 }) };
        let body = Body { self_collision: touches, ..Body::cloth(cloth).radius(0.05) };
        Scene::new("cloth").with(body).build().unwrap().model
    };
    let dispatches = |model: &Model| {
        let mut plan = Plan::new(model);
        plan.islands.clear();
        let mut running = Running::planned(model, &plan);
        running.run(1);
        let sweeps = plan.dispatches_per_sweep() as u32 * model.settings.substeps;
        running.solver.dispatches_per_frame() - sweeps
    };
    assert_eq!(dispatches(&scene(Some(1e6), false)), dispatches(&scene(None, false)) + 7);
    assert_eq!(dispatches(&scene(Some(1e6), true)), dispatches(&scene(None, true)) + 8);
}

/// What tears cost a solid that does not: six dispatches a frame, and one for its kind; without a strength nothing.
/// Islands are left out: what tears has none.
#[test]
fn whole_solids_pay_little() {
    let model = |strength: Option<f64>| {
        let soft = Soft { tear_stress: strength, ..Soft::new(Cuboid { cells: [3; 3], size: [1.0; 3] }) };
        Scene::new("cube").with(Body::soft(soft.young_modulus(1e5))).build().unwrap().model
    };
    let dispatches = |model: &Model| {
        let mut plan = Plan::new(model);
        plan.islands.clear();
        let mut running = Running::planned(model, &plan);
        running.run(1);
        running.solver.dispatches_per_frame()
    };
    assert!(model(None).tearing.is_none());
    assert_eq!(dispatches(&model(Some(1e6))), dispatches(&model(None)) + 7);
}
