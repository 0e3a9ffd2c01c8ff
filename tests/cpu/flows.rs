//! Flows of fluids against closed forms, on the CPU engine.

use std::f64::consts::PI;

use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;
use crate::random::Random;

/// m/s²
const GRAVITY: f64 = 9.81;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A hollow box that begins at the origin.
fn tank([x, y, z]: [f64; 3]) -> String {
    let middle = [0.5 * x, 0.5 * y, 0.5 * z];
    format!("[[collider]]\nshape = {{ box = {{ size = [{x}, {y}, {z}] }} }}\ninside = true\nposition = {middle:?}\n")
}

/// A box of fluid, with more keys.
fn fluid(spacing: f64, max: [f64; 3], keys: &str) -> String {
    format!(
        "[[body]]\nname = 'fluid'\nkind = 'fluid'\nspacing = {spacing}\n{keys}\n\
         fill = {{ box = {{ min = [0, 0, 0], max = {max:?} }} }}\n"
    )
}

/// The first mode of a tank swings with ω² = g k tanh kh (Airy): begun with the velocities of its potential flow,
/// ∇ cos kx cosh ky.
#[test]
fn a_tank_sloshes() {
    let (length, depth, spacing) = (1.0, 0.48, 0.04);
    let k = PI / length;
    let mut model = scene(&format!(
        "solver.substeps = 12\n{}{}",
        fluid(spacing, [length, depth, 0.16], ""),
        tank([length, 2.0, 0.16])
    ));
    let speed = 0.15 / (k * depth).cosh();
    let particles = &mut model.particles;
    for (velocity, [x, y, _]) in particles.velocities.iter_mut().zip(&particles.positions) {
        let (along, up) = ((k * x).sin_cos(), ((k * y).sinh(), (k * y).cosh()));
        *velocity = [speed * along.0 * up.1, -speed * along.1 * up.0, 0.0];
    }
    let mut running = Running::new(&model);
    let middle =
        |state: &State| state.positions.iter().map(|place| place[0]).sum::<f64>() / state.positions.len() as f64;
    let omega = (GRAVITY * k * (k * depth).tanh()).sqrt();
    // Zero where it turns: half a period lies between the first turn and the second.
    let mut last = middle(&running.state());
    let (mut ways, mut turns) = (vec![], vec![]);
    for frame in 1..=((2.2 * PI / omega * 60.0) as u32) {
        let now = middle(&running.run(1));
        ways.push(now - last);
        last = now;
        if let [.., a, b] = ways[..]
            && a * b < 0.0
        {
            turns.push((f64::from(frame) - 0.5 - b / (b - a)) / 60.0);
        }
    }
    proof::relative(
        "half a period of a tank that sloshes",
        "π/ω, ω² = g k tanh kh",
        turns[1] - turns[0],
        PI / omega,
        0.03,
    );
}

/// In a square shaft full of a viscous liquid the mode sin 2πx/L sin πz/L of the speed along it fades with 5π² μ/ρL². The
/// lattice is shaken up before: along its axes it rubs by a quarter less than in the mean over all directions.
#[test]
fn a_flow_fades_by_viscosity() {
    let (width, spacing, viscosity) = (0.2, 0.02, 100.0);
    let mut model = scene(&format!(
        "solver.substeps = 8\nsolver.frame_rate = 240\n{}{}",
        fluid(spacing, [width, 0.8, width], &format!("viscosity = {viscosity}")),
        tank([width, 4.0, width]),
    ));
    let mut random = Random::new(7);
    for place in &mut model.particles.positions {
        *place = place.map(|x| x + spacing * random.number(-0.5, 0.5));
    }
    model.particles.positions = Running::new(&model).run(100).positions;
    let profile = |[x, _, z]: [f64; 3]| (2.0 * PI * x / width).sin() * (PI * z / width).sin();
    model.particles.velocities =
        model.particles.positions.iter().map(|&place| [0.0, 0.1 * profile(place), 0.0]).collect();
    let mut running = Running::new(&model);
    let mut flow = |frames: u32| {
        let state = running.run(frames);
        let inner = state.positions.iter().zip(&state.velocities).filter(|(place, _)| (0.25..0.55).contains(&place[1]));
        inner.map(|(&place, velocity)| profile(place) * velocity[1]).sum::<f64>()
    };
    let (first, second) = (flow(1), flow(2));
    let rate = (first / second).ln() / (2.0 / 240.0);
    // Implicit Euler's steps let it fade by 1/(1 + rh) each.
    let (exact, h) = (5.0 * PI * PI * viscosity / 1000.0 / width.powi(2), 1.0 / 1920.0);
    proof::relative("rate at which a flow fades", "ln(1 + rh)/h, r = 5π² μ/ρL²", rate, (exact * h).ln_1p() / h, 0.05);
}

/// Between plates that move against each other speed is linear: Couette.
#[test]
fn plates_shear() {
    let (width, spacing) = (0.2, 0.02);
    let plate = |x: f64, speed: f64| {
        format!(
            "[[collider]]\nshape = {{ box = {{ size = [1, 20, 20] }} }}\nposition = [{x}, 0, 0]\nbelt = [0, {speed}, 0]\n"
        )
    };
    let model = scene(&format!(
        "solver.substeps = 4\nworld.gravity = [0, 0, 0]\n{}{}{}",
        fluid(spacing, [width, 0.6, 0.2], "viscosity = 100"),
        plate(-0.5, -0.2),
        plate(width + 0.5, 0.2)
    ));
    let state = Running::new(&model).run(60);
    let mut columns = [(0.0, 0.0, 0.0); 10];
    for (place, velocity) in state.positions.iter().zip(&state.velocities) {
        let column = &mut columns[((place[0] / spacing) as usize).min(9)];
        *column = (column.0 + velocity[1], column.1 + 0.4 * place[0] / width - 0.2, column.2 + 1.0);
    }
    let worst = proof::largest(columns.iter().map(|(speed, right, count)| (speed - right) / count / 0.2));
    proof::row("shear between plates, of their speed", "Couette", 100.0 * worst, 5.0, "%");
}

/// Water leaves a slit with the speed of its fall: Torricelli.
#[test]
fn a_slit_empties_a_tank() {
    let (spacing, depth) = (0.03, 0.12);
    let block = |size: [f64; 3], middle: [f64; 3]| {
        format!("[[collider]]\nshape = {{ box = {{ size = {size:?} }} }}\nposition = {middle:?}\n")
    };
    // A gap of four spacings between the floor and a wall at 0.6 m, which is 0.2 m thick.
    let model = scene(&format!(
        "solver.substeps = 12\n{}[[collider]]\nshape = {{ box = {{ size = [20, 20, {depth}] }} }}\ninside = true\n\
         position = [0, 0, {}]\n{}{}{}",
        fluid(spacing, [0.6, 0.6, depth], ""),
        0.5 * depth,
        block([0.2, 3.0, 1.0], [-0.1, 1.0, 0.0]),
        block([0.2, 3.0, 1.0], [0.7, 1.62, 0.0]),
        block([0.9, 0.2, 1.0], [0.35, -0.1, 0.0]),
    ));
    let mut running = Running::new(&model);
    let (mut found, mut expected) = (0.0, 0.0);
    running.run(15);
    for _ in 0..15 {
        let state = running.run(1);
        let within = |low: f64, high: f64| {
            let all = state.positions.iter().zip(&state.velocities);
            all.filter(move |(place, _)| (low..high).contains(&place[0]))
        };
        // Away from the slit.
        let level = within(0.06, 0.45).count() as f64 * spacing.powi(3) / depth / 0.39;
        let jet = within(0.78, 0.9);
        let (count, squares) = jet.fold((0.0, 0.0), |(count, sum), (place, velocity)| {
            let square = velocity.iter().map(|v| v * v).sum::<f64>();
            (count + 1.0, sum + square + 2.0 * GRAVITY * place[1])
        });
        found += f64::sqrt(squares / count);
        expected += (2.0 * GRAVITY * level).sqrt();
    }
    proof::relative("speed of a jet from a slit", "√(2 g depth)", found, expected, 0.05);
}

/// Water that breaks over a box in a tank: heights at two gauges, before the box and in the reservoir (Kleefsman and
/// others, A Volume-of-Fluid based simulation method for wave impact problems, 2005; the second test of SPHERIC).
#[test]
fn water_breaks_over_a_box_as_measured() {
    /// Time, s, and the heights H2 and H4, m.
    const MEASURED: [(u32, f64, f64); 5] =
        [(30, 0.0988, 0.4261), (36, 0.1195, 0.3947), (39, 0.1243, 0.3791), (60, 0.1791, 0.2789), (66, 0.1855, 0.2537)];
    let spacing = 1.0 / 18.0;
    let model = scene(&format!(
        "solver.substeps = 10\n[[body]]\nkind = 'fluid'\nspacing = {spacing}\n\
         fill = {{ box = {{ min = [{}, 0, 0], max = [3.22, 0.55, 1] }} }}\n{}[[collider]]\n\
         shape = {{ box = {{ size = [0.161, 0.161, 0.403] }} }}\nposition = [0.744, 0.0805, 0.5]\n",
        3.22 - 22.0 * spacing,
        tank([3.22, 2.0, 1.0]),
    ));
    let mut running = Running::new(&model);
    let (mut frame, mut errors) = (0, [0.0; 2]);
    for (at, front, reservoir) in MEASURED {
        let state = running.run(at - frame);
        frame = at;
        for (error, (place, height)) in errors.iter_mut().zip([(0.992, front), (2.638, reservoir)]) {
            let is_near = |at: &&[f64; 3]| (at[0] - place).abs() < spacing && (at[2] - 0.5).abs() < 0.25;
            let found = state.positions.iter().filter(is_near).count() as f64 * spacing.powi(3) / (2.0 * spacing * 0.5);
            *error += (found - height).abs() / MEASURED.len() as f64;
        }
    }
    for (gauge, error) in ["H2", "H4"].into_iter().zip(errors) {
        let claim = format!("height at the gauge {gauge} as water breaks over a box, of its depth of 0.55 m");
        proof::row(&claim, "Kleefsman 2005", 100.0 * error / 0.55, 10.0, "%");
    }
}

/// A heavy fluid over one of half its density falls through it: the first mode of the surface between them grows as
/// sinh γt, γ² = A g k with Atwood's number A = (ρ - ρ')/(ρ + ρ') (Taylor 1950). Begun with the velocities of its
/// potential flow, cos kx e^(-k|y|), and read at a twentieth of its wavelength.
#[test]
fn a_heavy_fluid_falls_through_a_light_one() {
    let (spacing, length, half, push, seconds) = (0.025, 1.0, 0.5, 0.05, 0.5);
    let width = 3.0 * spacing;
    let mut model = scene(&format!(
        "solver.substeps = 12\n{}{}{}",
        fluid(spacing, [length, half, width], &format!("position = [0, {half}, 0]")),
        fluid(spacing, [length, half, width], "density = 500").replace("'fluid'\nkind", "'light'\nkind"),
        tank([length, 2.0 * half, width])
    ));
    let k = 2.0 * PI / length;
    for (velocity, [x, y, _]) in model.particles.velocities.iter_mut().zip(&model.particles.positions) {
        let above = y - half;
        let size = push * (-k * above.abs()).exp();
        *velocity = [size * (k * x).sin() * above.signum(), size * (k * x).cos(), 0.0];
    }
    // Where the surface rises the heavy fluid has more light fluid below it: its mode is that of how much stands there.
    let heavy = model.bodies[0].particles.clone();
    let amplitude = |state: &State| {
        let sum: f64 = heavy.clone().map(|particle| (k * state.positions[particle as usize][0]).cos()).sum();
        -2.0 * sum * spacing.powi(3) / (width * length)
    };
    let mut running = Running::new(&model);
    let start = amplitude(&running.state());
    let grown = amplitude(&running.run((seconds * 60.0) as u32)) - start;
    let grows = |rate: f64| push / rate * (rate * seconds).sinh();
    let (mut low, mut high) = (0.1, 30.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if grows(middle) < grown { low = middle } else { high = middle }
    }
    let expected = GRAVITY * k * (1000.0 - 500.0) / (1000.0 + 500.0);
    proof::row(
        "growth of a heavy fluid's surface over a light one, γ² over A g k",
        "1",
        (low * low / expected - 1.0).abs(),
        0.15,
        "",
    );
}
