//! The bunny as a shell: hung, standing and torn.

use pliant::CpuSolver;
use pliant::model::{Model, State};
use pliant::plan::Plan;

use crate::device::Running;
use crate::files::{built, load, scene};
use crate::pieces::{joined, pieces};
use crate::proof;
use crate::sheets::stretch;

fn bunny(scene: &str, substeps: u32, nested: bool) -> Model {
    let mut model = load(scene);
    (model.settings.substeps, model.settings.nested) = (substeps, Some(nested));
    model
}

/// The bunny as a stiff shell of 1 m, 0.5 kg, hangs by its ears with five substeps: 400 without levels let it sink by 5 mm (by hand), five tear it long.
#[test]
fn a_bunny_hangs_by_its_ears() {
    let [nested, plain] = [true, false].map(|nested| {
        let model = bunny("bunny_hung.toml", 5, nested);
        let mut running = Running::new(&model);
        let [mut sunk, mut stretched] = [0.0_f64; 2];
        for _ in 0..8 {
            let state = running.run(if nested { 6 } else { 3 });
            sunk = state.positions.iter().fold(sunk, |sunk, x| sunk.max(-x[1]));
            stretched = stretched.max(stretch(&model, &state));
        }
        [sunk, stretched]
    });
    let claim = "a bunny of 1 m hung by its ears, 5 substeps with levels, 0.8 s:";
    proof::row(&format!("{claim} what it sinks by"), "5 mm", (nested[0] - 0.005).abs(), 0.01, "m");
    proof::row(&format!("{claim} largest stretch of an edge"), "0.8 %", (100.0 * nested[1] - 0.8).abs(), 9.2, "%");
    assert!(plain[0] > 0.3, "without levels it sinks by {} m", plain[0]);
}

/// A shell stands on its feet with 20 substeps and levels; without levels it sinks to half its height (with 200 it does not). One whose hinges yield a
/// million times as much does not stand, with levels either: they hold nothing up that would buckle. (What stands rocks on its feet: heights are means over a second.)
#[test]
fn a_shell_stands() {
    let mean = |places: &[[f64; 3]]| places.iter().map(|x| x[1]).sum::<f64>() / places.len() as f64;
    let height = |model: &Model| {
        let mut solver = CpuSolver::with_threads(model, &Plan::new(model), 2).unwrap_or_else(|error| panic!("{error}"));
        let mut height = 0.0;
        for frame in 1..=120 {
            solver.step();
            if frame > 60 && frame % 6 == 0 {
                height += 0.1 * mean(&solver.state().positions);
            }
        }
        height
    };
    let [nested, plain] = [true, false].map(|nested| bunny("bunny_shell.toml", 20, nested));
    let rest = &plain.particles.positions;
    let truth = mean(rest) - rest.iter().map(|x| x[1]).fold(f64::INFINITY, f64::min) + plain.bodies[0].radius;
    let claim = "a bunny, as a shell, on its feet, 20 substeps with levels, on the CPU engine: its mean height";
    proof::relative(claim, "its own shape", height(&nested), truth, 0.05);
    let plain = height(&plain);
    assert!(plain < 0.7 * truth, "20 substeps without levels hold it up at {plain} of {truth} m");
    let mut soft = bunny("bunny_shell.toml", 20, true);
    let hinges = soft.groups.iter().find(|group| group.kind.name() == "dihedral").expect("hinges");
    let index = hinges.materials[0] as usize;
    soft.materials.get_mut(index).expect("hinges").compliance *= 1e6;
    assert!(height(&soft) < 0.3 * truth, "what is soft stands {} m high", height(&soft));
}

/// The bunny's shell, drawn out by the ears with its feet held, tears in two whatever resists its bending: no triangles join ears
/// and feet, its mass is kept, and nothing blows up.
#[test]
fn the_bunny_tears() {
    let text = scene("bunny_tear.toml");
    for bend in ["distance", "dihedral", "isometric_bend"] {
        let text = text.replace("kind = \"dihedral\"", &format!("kind = \"{bend}\""));
        let model = built(&text, "bunny_tear.toml");
        let mut running = Running::new(&model);
        let state = running.run(90);
        let at = |p: &u32| model.particles.positions[*p as usize][1];
        let body = &model.bodies[0];
        let ear = body.particles.clone().max_by(|a, b| at(a).total_cmp(&at(b))).unwrap() as usize;
        let foot = body.particles.clone().min_by(|a, b| at(a).total_cmp(&at(b))).unwrap() as usize;
        assert!(joined(&pieces(&model, &State { torn: None, ..state.clone() }), ear, foot));
        assert!(!joined(&pieces(&model, &state), ear, foot), "{bend}: it holds");
        let status = running.status();
        assert!(status.is_good() && status.spares_missing == 0, "{bend}: {status:?}");
        let mass = |inverse: &[f64]| inverse.iter().filter(|w| **w > 0.0).map(|w| 1.0 / w).sum::<f64>();
        let [before, after] =
            [mass(&model.particles.inverse_masses), mass(&state.torn.as_ref().unwrap().inverse_masses)];
        // Products of single precision, a few for each particle.
        assert!((after / before - 1.0).abs() < 1e-6, "{bend}: {after} kg of {before}");
    }
}
