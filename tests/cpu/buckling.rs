//! Rods over many frames: buckling from both sides, waves of twist, coils, and free turning without end.

use std::f64::consts::{PI, TAU};

use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

const RADIUS: f64 = 0.005;
const DENSITY: f64 = 1000.0;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A rod of 1 m from the origin upwards.
fn upright(segments: u32, world: &str, young: f64, keys: &str) -> Model {
    scene(&format!(
        "solver.substeps = 10\n{world}\n[[body]]\nname = 'rod'\nkind = 'rod'\nradius = {RADIUS}\ndensity = {DENSITY}\n\
         young_modulus = {young}\nmesh = {{ line = {{ from = [0, 0, 0], to = [0, 1, 0], segments = {segments} }} }}\n{keys}"
    ))
}

/// EI of a rod, N m².
fn stiffness(young: f64) -> f64 {
    young * PI * RADIUS.powi(4) / 4.0
}

/// How far from the y axis a rod gets, m.
fn sideways(state: &State) -> f64 {
    proof::largest(state.positions.iter().map(|[x, _, z]| x.hypot(*z)))
}

/// Fails unless what is below the threshold stays straight and what is above it buckles.
fn both_sides(claim: &str, theory: &str, below: &State, above: &State) {
    proof::row(&format!("{claim}, 3 % below: sideways"), theory, sideways(below), 0.03, "m");
    let bent = sideways(above);
    proof::row(&format!("{claim}, 3 % above: short of 0.1 m sideways"), theory, (0.1 - bent).max(0.0), 0.0, "m");
}

/// A column that is clamped below and pressed from above buckles at π²EI/4L² (Euler).
#[test]
fn a_pressed_column_buckles() {
    let young = 1e8;
    let load = PI * PI * stiffness(young) / 4.0;
    let [below, above] = [0.97, 1.03].map(|share| {
        let force =
            format!("[[force]]\nbody = 'rod'\nparticles = [24]\nvalue = [{}, {}, 0]", 1e-4 * load, -share * load);
        let keys = format!("clamp = ['first']\nviscosity = 0.01\n{force}");
        Running::new(&upright(24, "world.gravity = [0, 0, 0]", young, &keys)).run(600)
    });
    both_sides("a pressed column", "π²EI/4L²", &below, &above);
}

/// A column buckles by its own weight at L³ = 7.83735 EI/ρAg (Greenhill).
#[test]
fn a_heavy_column_buckles() {
    let weight = DENSITY * PI * RADIUS * RADIUS * 9.81;
    let [below, above] = [0.97, 1.03].map(|share| {
        let young = weight / (7.83735 * share * stiffness(1.0));
        let world = "world.gravity = [0.001, -9.81, 0]";
        Running::new(&upright(24, world, young, "clamp = ['first']\nviscosity = 0.02")).run(900)
    });
    both_sides("a column under its weight, by L³", "7.83735 EI/ρAg", &below, &above);
}

/// A straight rod that is clamped at both ends buckles by a torque of 8.98682 EI/L (Greenhill; Love 1927).
#[test]
fn a_twisted_rod_buckles() {
    let [below, above] = [0.97, 1.03].map(|share| {
        // M = GJ θ/L and EI/GJ = 1 + ν.
        let angle = 8.98682 * 1.3 * share;
        let keys = format!(
            "clamp = ['first', {{ end = 'last', spin = {{ axis = [0, 1, 0], rate = {}, until = 2.0 }} }}]\nviscosity = 0.01",
            0.5 * angle
        );
        Running::new(&upright(48, "world.gravity = [0.002, 0, 0]", 2e8, &keys)).run(900)
    });
    // Its ends keep their distance, so that it must stretch to get sideways.
    let theory = "8.98682 EI/L";
    proof::row("a twisted rod, 3 % below: sideways", theory, sideways(&below), 1e-4, "m");
    let short = (1e-3 - sideways(&above)).max(0.0);
    proof::row("a twisted rod, 3 % above: short of 1 mm sideways", theory, short, 0.0, "m");
}

/// A wave of twist goes along a rod of 1 m at √(G/ρ): one that is held at one end comes back after 4L.
#[test]
fn waves_of_twist_have_their_speed() {
    let young = 2.6 * DENSITY * 4.0;
    let world = "world.gravity = [0, 0, 0]";
    let mut model = upright(32, world, young, "clamp = ['first']\ntwist = 0.5");
    model.settings.substeps = 100;
    let mut running = Running::new(&model);
    // The way of the free end: there after half a period, back after a whole one.
    let ways: Vec<f64> = (0..150)
        .map(|_| {
            let turned = running.run(1).angular_velocities;
            turned[turned.len() - 1][1]
        })
        .collect();
    // Its speed changes its sign at half a period and at a whole one.
    let changes: Vec<usize> = (1..ways.len()).filter(|&i| ways[i - 1] * ways[i] < 0.0).collect();
    let period = f64::from(changes[1] as u32 - changes[0] as u32) / 60.0 * 2.0;
    proof::relative("period of a rod that twists, held at one end", "4L √(ρ/G)", period, 4.0 / 2.0, 0.04);
}

/// A rod whose joints bend and twist alike at rest coils to the screw of that curvature and torsion.
#[test]
fn a_rod_coils_to_a_screw() {
    let mut model = upright(64, "world.gravity = [0, 0, 0]", 1e6, "viscosity = 0.02");
    let length = model.rods[0].segments[0].length;
    // Four turns: 16 segments each.
    let (curvature, torsion) = (0.9 * TAU / 16.0 / length, (1.0_f64 - 0.81).sqrt() * TAU / 16.0 / length);
    model.rods[0].bends.iter_mut().for_each(|joint| joint.rest = [curvature * length, 0.0, torsion * length]);
    let state = Running::new(&model).run(600);
    let [a, b] = [0, 64].map(|i| state.positions[i]);
    let height = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    let pitch = TAU * torsion / (curvature * curvature + torsion * torsion);
    proof::relative("height of four turns of a screw", "4 · 2πτ/(κ² + τ²)", height, 4.0 * pitch, 5e-3);
}

/// A segment that turns freely keeps its speed over 20,000 substeps to 1e-6.
#[test]
fn a_free_orientation_turns_for_ever() {
    let mut model = scene(&format!(
        "solver.substeps = 100\nworld.gravity = [0, 0, 0]\n[[body]]\nkind = 'rod'\nradius = {RADIUS}\ndensity = {DENSITY}\n\
         young_modulus = 1e7\nmesh = {{ line = {{ from = [0, 0, 0], to = [0, 0, 1], segments = 1 }} }}"
    ));
    model.orientations.angular_velocities[0] = [0.0, 0.0, 7.0];
    let mut running = Running::new(&model);
    let last = running.run(200).angular_velocities[0];
    proof::relative("speed of a segment that turns about itself", "kept", last[2], 7.0, 1e-6);
}

/// A snapshot within a motion goes on with the same bits, with other threads too.
#[test]
fn snapshots_hold_orientations() {
    let model = scene(
        "[[body]]\nkind = 'rod'\nradius = 0.003\ndensity = 900\nyoung_modulus = 1e7\nstrands = 37\nspacing = [0, 0, 0.02]\n\
         mesh = { line = { from = [0, 0, 0], to = [0.4, 0, 0], segments = 21 } }\nclamp = ['first']\nviscosity = 1e-3",
    );
    let mut running = Running::new(&model);
    running.run(5);
    let snapshot = running.snapshot();
    let once = running.run(5);
    running.restore(&snapshot);
    assert_eq!(running.snapshot(), snapshot);
    assert_eq!(running.run(5), once);
}
