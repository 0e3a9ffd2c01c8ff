//! The gallery's bodies without what moves them: what is at rest stays there.

use pliant::measure::Measurement;
use pliant::model::{Drive, Model};
use pliant::scene::{GALLERY, Scene};

use crate::device::solver;
use crate::proof;

/// A scene of the gallery without gravity, air, colliders, forces and what changes rest values; nothing moves at first.
fn left_alone(name: &str, substeps: u32) -> Model {
    let mut model = Scene::open(name).unwrap().build().unwrap().model;
    model.settings.substeps = substeps;
    model.world.gravity = [0.0; 3];
    model.world.wind = [0.0; 3];
    model.colliders.clear();
    model.animations.clear();
    model.drives.iter_mut().for_each(|drive| *drive = Drive::default());
    model.particles.velocities.iter_mut().for_each(|velocity| *velocity = [0.0; 3]);
    model
}

/// The largest speed in so many frames, m/s.
fn fastest(model: &Model, frames: u32) -> f64 {
    let mut solver = solver(model).unwrap();
    let speed = |_| {
        solver.step();
        Measurement::of(model, &solver.state()).max_speed
    };
    (0..frames).map(speed).fold(0.0, f64::max)
}

/// The planks of the bridge, a row of hinges between two banks, move by roundings: joints hold places that single precision rounds by
/// 6e-8 m, and three of these within a substep are a speed that grows with the number of substeps.
fn rounded(name: &str, substeps: u32) -> f64 {
    if name == "bridge" { 3.0 * 6e-8 * 60.0 * f64::from(substeps) } else { 0.0 }
}

/// Of every scene whose rest values stay as they were placed, at 10 to 1,000 substeps: of small ones, for half a second at least or 1,000
/// substeps. `PLIANT_STILL_SECONDS` asks for all of them and for so long.
#[test]
fn what_is_left_alone_stays_where_it_is() {
    let seconds = std::env::var("PLIANT_STILL_SECONDS").ok().map(|seconds| seconds.parse::<u32>().unwrap());
    let kept = |model: &Model| {
        model.curves.is_empty() && !model.flows() && (seconds.is_some() || model.particles.len() <= 1000)
    };
    let names: Vec<&str> = GALLERY.iter().map(|&(name, _)| name).filter(|name| kept(&left_alone(name, 10))).collect();
    for (substeps, frames) in [(10, 30), (40, 10), (100, 5), (1000, 1)] {
        let speed = |name: &&str| {
            let frames = seconds.map_or(frames, |seconds| 60 * seconds);
            (fastest(&left_alone(name, substeps), frames) - rounded(name, substeps)).max(0.0)
        };
        let (name, speed) =
            names.iter().map(|name| (name, speed(name))).max_by(|a, b| a.1.total_cmp(&b.1)).expect("a scene at rest");
        let claim = format!("scenes of the gallery left alone, {substeps} substeps; fastest {name}");
        proof::row(&claim, "at rest", speed, 1e-3, "m/s");
    }
}
