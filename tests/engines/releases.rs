//! Pins that let go, against the fall that follows.

use pliant::constraint::Vec3;
use pliant::measure::{EnergyBudget, Measurement};
use pliant::model::Model;
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// What is led at 2 m/s and let go flies on as a stone that is thrown.
#[test]
fn what_is_let_go_flies_on() {
    let model = scene(
        "solver.substeps = 10\n[[body]]\nkind = 'particles'\npositions = [[0, 0, 0]]\n\
         pin = [{ box = [[-1, -1, -1], [1, 1, 1]], until = 0.25, keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 1, value = [2, 0, 0] }] }]\n",
    );
    let mut running = Running::new(&model);
    let [x, y, _] = running.run(15).positions[0];
    proof::row("place of a stone as it is let go", "led", (x - 0.5).hypot(y), 1e-6, "m");
    let before = running.snapshot();
    let flown = running.run(30);
    let [x, y, _] = flown.positions[0];
    let (t, h) = (0.5, 1.0 / 600.0);
    let fall = 9.81 * t * (t + h) / 2.0;
    proof::row("place of a stone half a second after", "its parabola", (x - 1.5).hypot(y + fall), 1e-5, "m");
    let measured = Measurement::of(&model, &flown);
    proof::relative("its kinetic energy", "m v²/2", measured.kinetic_energy_j, 0.5 * (4.0 + (9.81 * t).powi(2)), 1e-4);
    // What it was led by is no energy from nowhere once it flies, and the viewer's sums know of its weight.
    let mut again = Running::new(&model);
    let mut last = again.state();
    let mut budget = EnergyBudget::new(&model, &last, &Measurement::of(&model, &last));
    for _ in 0..45 {
        let next = again.run(1);
        let measured = Measurement::of(&model, &next);
        assert_eq!(budget.follow(&model, [&last, &next], &measured, Some(&[])), None, "frame {}", next.frame);
        last = next;
    }
    running.restore(&before);
    proof::row("the same after going back", "0", proof::apart(&running.run(30), &flown), 1e-9, "m");
}

/// A cloth that hangs by its upper edge, and then falls as a whole; its corners were held for longer.
#[test]
fn a_cloth_that_is_let_go_follows_its_twin() {
    let model = scene(
        "solver.substeps = 10\n[[body]]\nkind = 'cloth'\nmass = 0.2\nmesh = { grid = { columns = 6, rows = 6, width = 0.5, height = 0.5 } }\n\
         pin = [{ names = ['top'], until = 0.05 }]\n",
    );
    assert_eq!(model.releases.len(), 1);
    assert_eq!(model.releases[0].particles.len(), 6);
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.run(3));
    let state = running.run(6);
    let apart = proof::apart(&state, &crate::models::run(&model, 9));
    proof::row("a cloth that was let go after 9 frames", "double precision", apart, 1e-5, "m");
    let last = Measurement::of(&model, &state);
    let gained = Vec3::from(last.momentum) - Vec3::from(first.momentum);
    proof::row("momentum of a cloth let go for 0.1 s", "m g t", (gained.y + 0.2 * 9.81 * 0.1).abs(), 5e-5, "kg m/s");
}
