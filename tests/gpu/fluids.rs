//! Fluids on a device: what only it has.

use pliant::Engine;
use pliant::check::memory_bytes;
use pliant::constraint::Vec3;
use pliant::model::Model;
use pliant::plan::Plan;

use crate::device::{Running, arrived, gpu, run, submit};
use crate::fluid::{breaking, scene};
use crate::{models, proof};

/// Moves all of a model along x, m.
fn moved(model: &Model, by: f64) -> Model {
    let mut model = model.clone();
    model.particles.positions.iter_mut().for_each(|place| place[0] += by);
    model.colliders.iter_mut().for_each(|collider| collider.position[0] += by);
    model
}

/// A kilometre from the origin the twin is as near as at it: places are relative to the fluid's own.
#[test]
fn fluids_are_the_same_a_kilometre_away() {
    let model = moved(&breaking(8, "viscosity = 1.0", ""), 1000.0);
    let (mine, theirs) = (run(&model, 3), models::run(&model, 3));
    proof::row("a fluid at 1 km against double precision", "the same", proof::apart(&mine, &theirs), 2e-5, "m");
}

/// A particle that is ten kilometres off takes no digit from the others, and one that is not a number does them no harm.
#[test]
fn one_that_is_elsewhere_does_no_harm() {
    let mut model = breaking(8, "viscosity = 1.0", "");
    let others = model.fluids[0].particles.start as usize + 1..model.fluids[0].particles.end as usize;
    model.particles.positions[others.start - 1] = [1e4; 3];
    let theirs = models::run(&model, 3);
    for place in [1e4, f64::NAN] {
        model.particles.positions[others.start - 1] = [place; 3];
        let mine = run(&model, 3);
        let pairs = mine.positions[others.clone()].iter().zip(&theirs.positions[others.clone()]);
        let apart = pairs.map(|(&a, &b)| (Vec3::from(a) - Vec3::from(b)).length()).fold(0.0, f64::max);
        proof::row("a fluid of which a drop is elsewhere", "the same", apart, 2e-5, "m");
    }
}

/// 5,000 particles of a fluid at one place are told as a crowd, and go on, finite.
#[test]
fn a_fluid_at_one_place_is_told() {
    let fill = "fill = { box = { min = [0, 0, 0], max = [1.0, 1.0, 0.65] } }";
    let mut model = scene(&format!("solver.substeps = 1\n[[body]]\nkind = 'fluid'\nspacing = 0.05\n{fill}"));
    assert!(model.particles.len() > 5000);
    model.particles.positions.fill([0.3; 3]);
    let mut running = Running::new(&model);
    let state = running.run(1);
    assert!(running.status().crowded && !running.status().is_good(), "{:?}", running.status());
    assert!(state.positions.iter().flatten().all(|value| value.is_finite()));
}

/// What a step of a fluid costs is in its profile, and its memory is what `check` foretells.
#[test]
fn fluids_are_counted() {
    let model = breaking(4, "viscosity = 1.0", "");
    let mut running = Running::new(&model);
    let profile = submit(|encoder| running.solver.profile_step(encoder)).expect("the device has timestamps");
    let sections = arrived(|| profile.sections(gpu().queue.get_timestamp_period()));
    let fluid = sections.iter().find(|section| section.name == "fluid").expect("there is a section of that name");
    assert!(fluid.milliseconds > 0.0 && fluid.bytes > 0, "{fluid:?}");
    let dispatches: u32 = sections.iter().map(|section| section.dispatches).sum();
    assert_eq!(dispatches, running.solver.dispatches_per_frame());
    // Six sort, one finds walls, twice three are a sweep, and viscosity takes two and its steps.
    let each = fluid.dispatches / 4;
    assert!(fluid.dispatches % 4 == 0 && (6 + 1 + 6 + 2 + 1..=6 + 1 + 6 + 2 + 40).contains(&each), "{each}");

    let plan = Plan::new(&model);
    let [told, taken] = [memory_bytes(&model, &plan), running.solver.memory_bytes()].map(|bytes| bytes as f64);
    assert!((told - taken).abs() < 65_536.0, "{told} bytes foretold, {taken} taken");
    let dry = Plan { wet: 0, ..plan };
    assert!(memory_bytes(&model, &dry) as f64 + 100.0 * model.particles.len() as f64 <= told, "no memory of fluids");
}
