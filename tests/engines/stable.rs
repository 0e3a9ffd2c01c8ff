//! Sweeps make no energy: what is at rest stays there, and what hangs never has more energy than at first.

use pliant::measure::Measurement;
use pliant::model::{Model, State, Sweep};
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A ball of cloth that nothing touches, without gravity.
fn ball(substeps: u32) -> Model {
    scene(&format!(
        "solver.substeps = {substeps}\nworld.gravity = [0, 0, 0]\n[[body]]\nkind = 'cloth'\nmass = 1.0\nself_collision = false\n\
         mesh = {{ sphere = {{ radius = 0.5, segments = 12 }} }}"
    ))
}

/// The smallest scene of the README with n × n particles.
fn hung(n: u32, pins: &str, substeps: u32) -> Model {
    scene(&format!(
        "solver = {{ substeps = {substeps}, nested = false }}\n[[body]]\nkind = 'cloth'\nmass = 1.0\npin = {pins}\n\
         mesh = {{ grid = {{ columns = {n}, rows = {n}, width = 1.0, height = 1.0 }} }}\n\
         stretch_compliance = 1e-8\nshear_compliance = 1e-6\nbend = {{ kind = 'distance', compliance = 1e-4 }}"
    ))
}

/// It lies still at any substeps; one way it is at some metres a second within three seconds.
#[test]
fn a_ball_at_rest_stays_there() {
    let fastest = |model: &Model, frames: u32| {
        let mut running = Running::new(model);
        (0..frames).map(|_| Measurement::of(model, &running.run(1)).max_speed).fold(0.0, f64::max)
    };
    for substeps in [10, 40, 100] {
        let speed = fastest(&ball(substeps), 60);
        proof::row(&format!("a ball of cloth at rest, {substeps} substeps"), "stays there", speed, 1e-3, "m/s");
    }
    let mut one_way = ball(100);
    one_way.settings.sweep = Sweep::OneWay;
    assert!(fastest(&one_way, 120) > 0.1);
}

/// Cloths that are let go and hang by an edge, two corners or one never have more energy, kinetic and of height, than at first.
#[test]
fn what_hangs_never_gains() {
    let cases = [
        (16, "['top']", 100, 60),
        (20, "['top']", 30, 60),
        (24, "['top-left', 'top-right']", 40, 60),
        (16, "['top-left']", 10, 120),
    ];
    for (n, pins, substeps, frames) in cases {
        let model = hung(n, pins, substeps);
        let mut running = Running::new(&model);
        let energy = |state: &State| {
            let measured = Measurement::of(&model, state);
            measured.kinetic_energy_j + measured.gravity_energy_j
        };
        let first = energy(&running.state());
        let most = (0..frames).map(|_| energy(&running.run(1)) - first).fold(f64::NEG_INFINITY, f64::max);
        let claim = format!("{n} × {n} let go, held by {pins}, {substeps} substeps: energy above that at first");
        proof::row(&claim.replace('\'', ""), "none", most.max(0.0), 1e-6, "J");
    }
}

/// So are ropes, rods, solids, balloons and shapes that hang and swing, and cloth with levels, at few substeps and at many.
#[test]
fn no_kind_of_body_gains_as_it_hangs() {
    let sheet = "mesh = { grid = { columns = 20, rows = 20, width = 1.0, height = 1.0 } }\nkind = 'cloth'\nmass = 1.0";
    let ball = "mesh = { sphere = { radius = 0.3, segments = 10 } }\nmass = 0.5\npin = [{ indices = [0] }]";
    let bodies = [
        ("a cloth with levels", format!("{sheet}\npin = ['top-left', 'top-right']\nstretch_compliance = 1e-8"), true),
        (
            "a rope",
            "kind = 'rope'\nmesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 24 } }\n\
                    mass = 0.2\npin = [{ indices = [0] }]"
                .to_string(),
            false,
        ),
        (
            "a solid",
            "kind = 'soft'\nmesh = { box = { cells = [6, 2, 2], size = [0.6, 0.2, 0.2] } }\ndensity = 1000\n\
                     young_modulus = 1e5\npoisson_ratio = 0.3\npin = [{ box = [[-1, -1, -1], [-0.29, 1, 1]] }]"
                .to_string(),
            false,
        ),
        (
            "a stiff rod",
            "kind = 'rod'\nmesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 24 } }\n\
             radius = 0.005\ndensity = 1000\nyoung_modulus = 1e9\nclamp = ['first']"
                .to_string(),
            false,
        ),
        (
            "a soft rod",
            "kind = 'rod'\nmesh = { line = { from = [0, 0, 0], to = [1, 0, 0], segments = 24 } }\n\
             radius = 0.005\ndensity = 1000\nyoung_modulus = 1e6\npin = ['first']"
                .to_string(),
            false,
        ),
        ("a balloon", format!("kind = 'balloon'\n{ball}"), false),
        ("a shape", format!("kind = 'shape'\n{ball}"), false),
    ];
    for (what, body, nested) in bodies {
        for (substeps, frames) in [(10, 60), (100, 30), (400, 10)] {
            let model = scene(&format!("solver = {{ substeps = {substeps}, nested = {nested} }}\n[[body]]\n{body}"));
            let mut running = Running::new(&model);
            let energy = |state: &State| {
                let measured = Measurement::of(&model, state);
                measured.kinetic_energy_j + measured.gravity_energy_j
            };
            let first = energy(&running.state());
            let most = (0..frames).map(|_| energy(&running.run(1)) - first).fold(f64::NEG_INFINITY, f64::max);
            let claim = format!("{what} hangs, {substeps} substeps: energy above that at first");
            proof::row(&claim, "none", most.max(0.0), 1e-6, "J");
        }
    }
}
