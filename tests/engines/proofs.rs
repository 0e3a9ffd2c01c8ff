//! Chains on the GPU against statics: the catenary, the tension of each link, the force at which a link breaks.

use pliant::measure::{Measurement, constraint_force};
use pliant::model::{Material, Model};
use pliant::scene::Scene;

use crate::device::{Running, run};
use crate::models::{self, GRAVITY, compliant};
use crate::proof;

/// Links of the hanging chain.
const LINKS: u32 = 40;
/// Of the hanging chain, and between its ends, m.
const LENGTH: f64 = 2.0;
const SPAN: f64 = 1.0;

/// A chain with both ends fixed at the height 0, placed as a V, in air as thick as syrup.
fn slack_chain() -> Model {
    let depth = 0.5 * (LENGTH * LENGTH - SPAN * SPAN).sqrt();
    let place = |i: u32| {
        let along = f64::from(2 * i) / f64::from(LINKS) - 1.0;
        [0.5 * SPAN * along, depth * (along.abs() - 1.0), 0.0]
    };
    let positions: Vec<[f64; 3]> = (0..=LINKS).map(place).collect();
    let masses: Vec<f64> = (0..=LINKS).map(|i| if i == 0 || i == LINKS { 0.0 } else { 0.01 }).collect();
    let mut model = models::particles(&positions, &masses);
    for i in 0..LINKS {
        models::spring(&mut model, i, i + 1, compliant(1e-7));
    }
    (model.bodies[0].radius, model.bodies[0].drag) = (0.05, 2000.0);
    // One sweep carries a load one link further; this way the chain sags by less than a millimetre for it.
    (model.settings.substeps, model.settings.iterations) = (20, 4);
    model
}

/// The parameter a of the catenary y = a cosh(x/a) of a length over a span: 2a sinh(span/2a) = length, by bisection.
fn catenary(length: f64, span: f64) -> f64 {
    let (mut low, mut high) = (1e-2 * span, 1e2 * span);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        // A smaller a hangs deeper and is longer.
        if 2.0 * a * (0.5 * span / a).sinh() > length { low = a } else { high = a }
    }
    low
}

/// A slack chain of stiff links comes to rest as a catenary, to 0.5 % of its length. That the links are straight makes
/// (s/a)²/24 = 0.2 % of the length of one of them, s long.
#[test]
fn a_hanging_chain_is_a_catenary() {
    let model = slack_chain();
    let mut running = Running::new(&model);
    let state = running.run(300);
    let a = catenary(LENGTH, SPAN);
    let errors = state.positions.iter().enumerate().map(|(i, &[x, y, z])| {
        let along = LENGTH * (i as f64 / f64::from(LINKS) - 0.5);
        let true_x = a * (along / a).asinh();
        let true_y = a * ((true_x / a).cosh() - (0.5 * SPAN / a).cosh());
        ((x - true_x).powi(2) + (y - true_y).powi(2) + z * z).sqrt() / LENGTH
    });
    let error = 100.0 * proof::largest(errors);
    proof::row("a hanging chain of 40 stiff links", "a catenary", error, 0.5, "% of its length");
    let speed = Measurement::of(&model, &state).max_speed;
    assert!(speed < 0.01, "it still moves at {speed} m/s");
}

/// Each link of a vertical chain of twenty bears the weight below it, to 0.2 %. The slowest motion along the chain, at 25 rad/s
/// damped by half of critically, is gone after four seconds.
#[test]
fn links_bear_the_weight_below_them() {
    let (links, mass) = (20, 0.1);
    let mut model = models::chain(links, mass, Material { damping: 400.0, ..compliant(1e-4) });
    (model.settings.substeps, model.settings.iterations) = (10, 10);
    let state = run(&model, 240);
    let error = |link: u32| {
        let weight = f64::from(links - link) * mass * GRAVITY;
        constraint_force(&model, &state, 0, link as usize) / weight - 1.0
    };
    let largest = 100.0 * proof::largest((0..links).map(error));
    proof::row("tension of each link of a hanging chain of 20", "the weight below it", largest, 0.2, "%");
}

/// A rigid link and a compliant one, that bear 10 N each, and forces on them that grow by 1 N/s.
const RAMP: &str = r#"
[world]
gravity = [0.0, 0.0, 0.0]
[[body]]
kind = "particles"
name = "links"
positions = [[0, 0, 0], [0, -0.1, 0], [1, 0, 0], [1, -0.1, 0]]
masses = [0, 1, 0, 1]
[[body.constraint]]
kind = "distance"
particles = [[0, 1], [2, 3]]
compliance = [0.0, 1e-4]
damping = 100.0
break_force = 10.0
[[force]]
body = "links"
particles = [1, 3]
keyframes = [{ time = 0.0, value = [0, 0, 0] }, { time = 1.0, value = [0, -9, 0] }, { time = 3.0, value = [0, -11, 0] }]
"#;

/// A link of 10 N breaks within 1 % of it under a slow ramp of force, rigid or not: by the mean of the frame before, which is seen
/// one frame later, 0.03 N late on this ramp.
#[test]
fn links_break_at_their_force() {
    let model = Scene::parse(RAMP, "ramp.toml", "").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let mut force = [None; 2];
    for _ in 0..180 {
        let state = running.run(1);
        let now = -model.drives[model.particles.drives[1] as usize].force(state.seconds)[1];
        for (force, multiplier) in force.iter_mut().zip(&state.multipliers[0]) {
            *force = force.or(multiplier.broken.then_some(now));
        }
    }
    for (force, link) in force.into_iter().zip(["rigid", "compliant"]) {
        let force = force.unwrap_or_else(|| panic!("the {link} link holds 11 N"));
        proof::relative(&format!("a {link} link of 10 N under 1 N/s more"), "breaks at 10 N", force, 10.0, 0.01);
    }
}
