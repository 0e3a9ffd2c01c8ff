//! Fluids against experiments and closed forms, on the CPU engine.

use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::scene::Scene;
use pliant::{CpuSolver, solver::Instructions};

use crate::device::Running;
use crate::proof;

/// m/s²
const GRAVITY: f64 = 9.81;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// Water with a spacing in a box that stands on the origin, filling a part of it, with more bodies.
fn tank(solver: &str, spacing: f64, size: [f64; 3], fill: [f64; 3], more: &str) -> Model {
    let ([width, height, depth], [x, y, z]) = (size, fill);
    scene(&format!(
        "solver = {{ {solver} }}\n[[body]]\nname = 'water'\nkind = 'fluid'\nspacing = {spacing}\n\
         fill = {{ box = {{ min = [0, 0, 0], max = [{x}, {y}, {z}] }} }}\n\
         [[collider]]\nshape = {{ box = {{ size = [{width}, {height}, {depth}] }} }}\ninside = true\n\
         position = [{}, {}, {}]\n{more}",
        0.5 * width,
        0.5 * height,
        0.5 * depth
    ))
}

/// 50 layers of water at rest have the pressure of their depth away from walls, are as little compressed as few sweeps
/// let them be, and keep their volume.
#[test]
fn a_column_stands() {
    let spacing = 0.02;
    let model = tank("substeps = 20", spacing, [0.16, 2.0, 0.16], [0.16, 1.0, 0.16], "");
    let mut running = Running::new(&model);
    running.run(50);
    let (mut pressures, mut errors, mut volume) = (Vec::new(), 0.0, 0.0);
    let frames = 30;
    for _ in 0..frames {
        let state = running.run(1);
        let measured = Measurement::of(&model, &state);
        errors += measured.fillings[0].density_error_mean / f64::from(frames);
        volume += measured.fillings[0].volume / f64::from(frames);
        pressures.extend(state.positions.iter().zip(&state.pressures).filter_map(|(&[x, y, z], &pressure)| {
            let inside = x.min(0.16 - x).min(z.min(0.16 - z)) > 1.5 * spacing && (0.1..0.9).contains(&y);
            inside.then_some((1000.0 * GRAVITY * (1.0 - y), pressure))
        }));
    }
    let (theory, found) = pressures.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    proof::relative("pressure in a column of 50 layers", "ρ g depth", found, theory, 0.05);
    // K = ω n ρ (Δ/h)²/S, so that the mean is ρ g · 0.5 m/K.
    let modulus = 0.45 * 1000.0 * (spacing * 1200.0_f64).powi(2) / 0.337;
    let expected = 1000.0 * GRAVITY * 0.5 / modulus;
    proof::row("its compression", "0.64 %, K of the sweeps", 100.0 * (errors - expected).abs(), 0.36, "%");
    proof::row("its mean density", "1000 kg/m³", 100.0 * errors, 1.0, "%");
    proof::relative("its volume", "as placed", volume, model.particles.len() as f64 * spacing.powi(3), 0.02);
}

/// Fronts of columns of water that collapse, n² = 2, Z = z/a over T = t √(2g/a): Martin and Moyce, An experimental study of
/// the collapse of liquid columns on a rigid horizontal plane, 1952, for two sizes, and Koshizuka and Oka,
/// Moving-particle semi-implicit method for fragmentation of incompressible fluid, 1996. Without viscosity and surface
/// tension all are one flow.
#[test]
fn a_dam_breaks_as_measured() {
    const LARGE: [(f64, f64); 6] =
        [(1.219, 1.474), (1.997, 2.292), (2.547, 2.995), (3.345, 4.134), (4.034, 4.944), (4.418, 5.881)];
    const SMALL: [(f64, f64); 6] =
        [(1.212, 1.443), (1.602, 1.884), (2.283, 2.689), (2.950, 3.728), (3.598, 4.528), (3.905, 4.999)];
    const KOSHIZUKA: [(f64, f64); 6] =
        [(1.153, 1.505), (1.537, 1.892), (1.935, 2.241), (2.323, 2.615), (2.719, 3.003), (3.096, 3.624)];
    let a = 0.05715;
    let spacing = a / 12.0;
    let model = tank("substeps = 10", spacing, [1.0, 1.0, a / 2.0], [a, 2.0 * a, a / 2.0], "");
    let mut running = Running::new(&model);
    let per_second = (2.0 * GRAVITY / a).sqrt();
    let mut fronts = vec![(0.0, 1.0)];
    for frame in 1..=16 {
        let state = running.run(1);
        fronts.push((f64::from(frame) / 60.0 * per_second, front(&state, spacing) / a));
    }
    let at = |time: f64| {
        let after = fronts.iter().position(|(later, _)| *later > time).unwrap();
        let [(t0, z0), (t1, z1)] = [fronts[after - 1], fronts[after]];
        z0 + (z1 - z0) * (time - t0) / (t1 - t0)
    };
    // The gates of the experiments open in a time that is not told; 0.3 is what is allowed for.
    for (name, measured) in [("a = 2.25 in", LARGE), ("a = 1.125 in", SMALL), ("Koshizuka and Oka", KOSHIZUKA)] {
        let off = |shift: f64| {
            let errors = measured.iter().map(|&(time, place)| at(time - shift) / place - 1.0);
            proof::largest(errors)
        };
        let shifts = (-3..=3).map(|k| f64::from(k) * 0.1);
        let (shift, error) = shifts.map(|shift| (shift, off(shift))).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        println!("the gate opens by {shift:.1} later");
        proof::row(&format!("front of a dam that breaks, {name}"), "measured", 100.0 * error, 10.0, "%");
    }
}

/// The foremost of what is more than a few drops, m.
fn front(state: &State, spacing: f64) -> f64 {
    let mut places: Vec<f64> = state.positions.iter().map(|place| place[0]).collect();
    places.sort_by(f64::total_cmp);
    places[places.len() - 1 - places.len() / 200] + 0.5 * spacing
}

/// Any threads and any lanes give the same bits.
#[test]
fn threads_and_lanes_agree() {
    let cloth = "[[body]]\nkind = 'cloth'\nradius = 0.01\nmass = 0.05\nposition = [0.3, 0.45, 0.1]\nrotation = [0.7, 0, 0, 0.7]\n\
                 mesh = { grid = { columns = 6, rows = 4, width = 0.25, height = 0.15 } }";
    let mut model = tank("substeps = 5, iterations = 2", 0.04, [0.6, 1.0, 0.2], [0.3, 0.4, 0.2], cloth);
    model.fluids[0].viscosity = 2.0;
    let plan = Plan::new(&model);
    let run = |mut solver: CpuSolver| {
        (0..8).for_each(|_| solver.step());
        let state = solver.state();
        (state.positions, state.velocities, state.pressures)
    };
    let first = run(CpuSolver::with_threads(&model, &plan, 1).unwrap());
    for threads in [2, 3] {
        assert_eq!(run(CpuSolver::with_threads(&model, &plan, threads).unwrap()), first, "{threads} threads");
    }
    for instructions in Instructions::available() {
        let solver = CpuSolver::with(&model, &plan, 2, instructions).unwrap();
        assert_eq!(run(solver), first, "{instructions:?}");
    }
}
