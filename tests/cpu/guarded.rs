//! What only the CPU engine tells of surfaces that touch: whom it held back, and that bits do not depend on threads.

use pliant::Plan;
use pliant::model::{Model, State};
use pliant::solver::{CpuSolver, Instructions};

use crate::models;
use crate::proof;
use crate::surface_motion::twisted;
use crate::surfaces::{Run, lying, parse, sheet};

/// A cloth is twisted by a turn: what the guard holds back is a small part of all vertices.
#[test]
fn few_are_held_in_a_twist() {
    let mut run = Run::of(&twisted(12, 1.0, "friction = 0.3"));
    let mut held = 0;
    for _ in 0..60 {
        run.step();
        let status = run.engine.status();
        held += status.surfaces_held;
        assert_eq!(status.surfaces_forced, 0);
    }
    let share = f64::from(held) / (60.0 * 10.0 * 144.0);
    proof::row("a cloth twisted by a turn: vertices held back, of all in a substep", "few", 100.0 * share, 1.0, "%");
}

/// The same bits with one, two and three threads, whatever the registers; also where surfaces pierce each other.
#[test]
fn bits_do_not_depend_on_threads() {
    let pierced = sheet(9, 0.3, "") + &sheet(8, 0.2, "rotation = [0, 1, 0, 1]\nposition = [0.013, -0.04, 0.02]");
    assert!(same_bits(&parse(&twisted(12, 1.0, "")), 30).contacts > 0);
    same_bits(&parse(&pierced), 12);
}

/// The state after some frames, which all threads and registers have to agree on.
fn same_bits(model: &Model, frames: u32) -> State {
    let plan = Plan::new(model);
    let mut states: Vec<_> =
        [(1, Instructions::Baseline), (2, Instructions::detected()), (3, Instructions::detected())]
            .into_iter()
            .map(|(threads, instructions)| {
                let mut solver = CpuSolver::with(model, &plan, threads, instructions).unwrap();
                (0..frames).for_each(|_| solver.step());
                solver.state()
            })
            .collect();
    for state in &states[1..] {
        assert_eq!((&state.positions, &state.velocities), (&states[0].positions, &states[0].velocities));
    }
    states.swap_remove(0)
}

/// A frame with contact is that of the reference. The two solve contacts one after another in another order, so that they are compared
/// where rounds have solved them and one solution is left: without friction.
#[test]
fn contact_is_the_references() {
    let mut text = "solver.contact_rounds = 300\n".to_string();
    text += &lying(9, 0.3, [0.0, 0.0, 0.0], "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]");
    text += &lying(8, 0.2, [0.00215, 0.3, 0.0], "velocity = [0.3, -0.5, 0]");
    let model = parse(&text);
    let (state, reference) = (crate::device::run(&model, 1), models::run(&model, 1));
    assert!(state.contacts > 0 && reference.contacts > 0);
    let apart = 1e6 * proof::apart(&state, &reference);
    proof::row("a sheet lands on another, one frame: the engine and the reference", "0", apart, 10.0, "µm");
}

/// What is driven through a sheet that is fixed cannot yield: the run tells it, and goes on.
#[test]
fn what_is_forced_is_told() {
    let mut text = lying(5, 0.3, [0.0, 0.0, 0.0], "pin = [{ box = [[-9, -9, -9], [9, 9, 9]] }]");
    text += &sheet(
        3,
        0.1,
        "position = [0.01, 0.2, 0.013]\npin = [{ indices = [0, 1, 2], keyframes = [{ time = 0, value = [0, 0, 0] }, \
         { time = 1, value = [0, -0.4, 0] }] }]",
    );
    let mut running = crate::device::Running::new(&parse(&text));
    let mut forced = 0;
    for _ in 0..60 {
        let state = running.run(1);
        assert!(state.positions.as_flattened().iter().all(|value| value.is_finite()));
        forced += running.status().surfaces_forced;
    }
    assert!(forced > 0);
}

/// All vertices in one place, and two that are not numbers: no hang.
#[test]
fn crowds_end() {
    let text = "[[body]]\nkind = 'particles'\nradius = 0.01\ncontact = 'surface'\n";
    let places = vec!["[0, 0, 0]"; 3000].join(", ");
    let masses = vec!["0.001"; 3000].join(", ");
    let model = parse(&format!("{text}positions = [{places}]\nmasses = [{masses}]"));
    let state = crate::device::run(&model, 1);
    assert!(state.positions.as_flattened().iter().all(|value| value.is_finite()));
}
