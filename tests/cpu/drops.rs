//! Surface tension against closed forms, on the CPU engine.

use std::f64::consts::PI;

use pliant::measure::Measurement;
use pliant::model::{Model, State};

use crate::device::Running;
use crate::fluid::scene;
use crate::proof;

const SPACING: f64 = 0.001;
/// N/m
const TENSION: f64 = 0.07;
/// kg/m³
const DENSITY: f64 = 1000.0;

/// A block of so many particles along its edges, of water that is viscous enough to come to rest.
fn block(edges: [u32; 3], keys: &str) -> Model {
    let [x, y, z] = edges.map(|edge| 0.5 * f64::from(edge) * SPACING);
    scene(&format!(
        "solver.substeps = 40\n{keys}\n[[body]]\nkind = 'fluid'\nspacing = {SPACING}\nsurface_tension = {TENSION}\n\
         viscosity = 0.08\n\
         fill = {{ box = {{ min = [-{x}, -{y}, -{z}], max = [{x}, {y}, {z}] }} }}\n"
    ))
}

/// The root mean square of coordinates about their middle along each axis, m.
fn spread(state: &State) -> [f64; 3] {
    let count = state.positions.len() as f64;
    std::array::from_fn(|axis| {
        let mean = state.positions.iter().map(|x| x[axis]).sum::<f64>() / count;
        (state.positions.iter().map(|x| (x[axis] - mean).powi(2)).sum::<f64>() / count).sqrt()
    })
}

/// Cubes of water become balls, whose surfaces have the energy σ an area: over drops of three sizes, what a particle
/// has grows by 3σV/R.
#[test]
fn drops_are_round_and_have_the_energy_of_their_surface() {
    let drop = |edge: u32| {
        let model = block([edge; 3], "world.gravity = [0, 0, 0]");
        let state = Running::new(&model).run(16);
        let count = state.positions.len() as f64;
        let radius = (3.0 * count / (4.0 * PI)).cbrt() * SPACING;
        let widths = spread(&state).map(|width| 5.0_f64.sqrt() * width / radius - 1.0);
        proof::row(&format!("axes of a drop of {edge}³ particles"), "its radius", proof::largest(widths), 0.03, "");
        let measured = Measurement::of(&model, &state);
        (3.0 / radius, measured.recoverable_energy_j / (count * SPACING.powi(3)))
    };
    let drops = [8, 12, 16].map(drop);
    let mean = |of: fn(&(f64, f64)) -> f64| drops.iter().map(of).sum::<f64>() / 3.0;
    let (x, y) = (mean(|drop| drop.0), mean(|drop| drop.1));
    let slope = drops.iter().map(|drop| (drop.0 - x) * (drop.1 - y)).sum::<f64>()
        / drops.iter().map(|drop| (drop.0 - x).powi(2)).sum::<f64>();
    proof::row("surface energy of drops, over σ an area", "1", (slope / TENSION - 1.0).abs(), 0.1, "");
}

/// A puddle on a floor, which it meets at a right angle, is √2 capillary lengths deep in its middle.
#[test]
fn puddles_are_as_deep_as_their_tension_says() {
    let gravity = 11.2;
    let depth = (2.0 * TENSION / (DENSITY * gravity)).sqrt();
    let plane = format!("shape = {{ plane = {{ offset = {} }} }}", -1.5 * SPACING);
    let model = block([39, 3, 39], &format!("world.gravity = [0, -{gravity}, 0]\n[[collider]]\n{plane}\n"));
    let state = Running::new(&model).run(40);
    let [x, z] =
        [0, 2].map(|axis| state.positions.iter().map(|at| at[axis]).sum::<f64>() / state.positions.len() as f64);
    let radius = 4.0 * SPACING;
    let inside = state.positions.iter().filter(|at| (at[0] - x).hypot(at[2] - z) < radius);
    let middle = inside.count() as f64 * SPACING.powi(3) / (PI * radius * radius);
    proof::row("depth of a puddle, over √(2 σ/ρ g)", "1", (middle / depth - 1.0).abs(), 0.1, "");
}

/// How high the middle of a spherical cap lies that meets the floor at this angle, over the cube root of its volume.
fn middle_of_cap(angle: f64) -> f64 {
    // Of a ball of radius 1, cut so.
    let height = 1.0 - angle.cos();
    let volume = PI * height * height * (3.0 - height) / 3.0;
    height * (4.0 - height) / (4.0 * (3.0 - height)) / volume.cbrt()
}

/// A block of water on a floor becomes a cap that meets it at the fluid's contact angle, as high as that cap. Walls act by four
/// fifths of what the lattice says (docs/design/fluids.md), which is 7 degrees at 60.
#[test]
fn drops_meet_a_floor_at_their_contact_angle() {
    let angles = [60.0_f64, 90.0, 120.0].map(|angle| {
        let keys =
            format!("world.gravity = [0, 0, 0]\n[[collider]]\nshape = {{ plane = {{ offset = {} }} }}", -4.0 * SPACING);
        let mut model = block([11, 8, 11], &keys);
        model.fluids[0].contact_angle = angle.to_radians();
        let state = Running::new(&model).run(60);
        let count = state.positions.len() as f64;
        let middle = state.positions.iter().map(|at| at[1] + 4.0 * SPACING).sum::<f64>() / count;
        let found = middle / (count.cbrt() * SPACING);
        // Of the angles from nothing to a whole ball that which has this middle.
        let [mut low, mut high] = [0.05, PI];
        for _ in 0..50 {
            let between = 0.5 * (low + high);
            *(if middle_of_cap(between) < found { &mut low } else { &mut high }) = between;
        }
        low.to_degrees() - angle
    });
    proof::row("contact angles of drops from 60 to 120 degrees", "the same", proof::largest(angles), 8.0, "degrees");
}
