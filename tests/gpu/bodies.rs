//! Ropes, hair, strips and materials by name, from the scene to the device.

use pliant::constraint::Vec3;
use pliant::model::{Material, Model, State};
use pliant::scene::{PRESETS, Scene};

use crate::device::run;
use crate::proof;

/// Of the segment of each rope of [`rods`], m.
const LENGTH: f64 = 0.1;
const RADIUS: f64 = 0.005;

/// A rope of one segment of each material, pulled at its end by what stretches it by a hundredth: F = E A / 100.
fn rods() -> Model {
    let mut text = String::from("[world]\ngravity = [0, 0, 0]\n");
    let area = std::f64::consts::PI * RADIUS * RADIUS;
    for (i, preset) in PRESETS.iter().enumerate() {
        let (name, force) = (preset.name, 0.01 * preset.young_modulus() * area);
        text += &format!(
            "[[body]]\nname = \"{name}\"\nkind = \"rope\"\nmaterial = \"{name}\"\nradius = {RADIUS}\npin = [\"first\"]\n\
             mesh = {{ line = {{ from = [{i}, 0, 0], to = [{i}, -{LENGTH}, 0], segments = 1 }} }}\n\
             [[force]]\nbody = \"{name}\"\nvalue = [0, -{force:e}, 0]\n"
        );
    }
    let mut model = Scene::parse(&text, "rods.toml", ".").unwrap().build().unwrap().model;
    for (index, preset) in PRESETS.iter().enumerate() {
        let mass = preset.density * area * LENGTH / 2.0;
        if let Some(material) = model.materials.get_mut(index) {
            // Critically damped: of what swings slowest, fat at 15 rad/s, e⁻¹⁵ is left after a second.
            *material = Material { damping: 2.0 * (mass / material.compliance).sqrt(), ..*material };
        }
    }
    model
}

/// From fat to concrete, eight orders of magnitude apart in one scene, each stretches by F α to 1 % whatever the iterations and substeps.
#[test]
fn materials_stretch_by_their_modulus() {
    let mut errors = [0.0_f64; PRESETS.len()];
    for (iterations, substeps) in [(5, 1), (100, 1), (20, 5), (5, 20), (100, 20)] {
        let mut model = rods();
        (model.settings.iterations, model.settings.substeps) = (iterations, substeps);
        let state = run(&model, 60);
        for (index, error) in errors.iter_mut().enumerate() {
            let stretch = -state.positions[2 * index + 1][1] - LENGTH;
            *error = error.max((stretch / (0.01 * LENGTH) - 1.0).abs());
        }
    }
    for (preset, error) in PRESETS.iter().zip(errors) {
        let claim = format!("stretch of {} by 1 %, 5 to 100 iterations, 1 to 20 substeps", preset.name);
        proof::row(&claim, "F L / E A", 100.0 * error, 1.0, "%");
    }
}

/// Length of a run of particles, m.
fn length(positions: &[[f64; 3]]) -> f64 {
    positions.windows(2).map(|pair| (Vec3::from(pair[1]) - Vec3::from(pair[0])).length()).sum()
}

/// How much a run of particles turns in all, rad.
fn turned(positions: &[[f64; 3]]) -> f64 {
    let arms = |i: usize| Vec3::from(positions[i + 1]) - Vec3::from(positions[i]);
    let turn = |i: usize| arms(i).cross(arms(i + 1)).length().atan2(arms(i).dot(arms(i + 1)));
    (0..positions.len() - 2).map(turn).sum()
}

fn gallery(name: &str, frames: u32) -> (Model, State) {
    let model = Scene::open(name).unwrap().build().unwrap().model;
    let state = run(&model, frames);
    (model, state)
}

/// The gallery's hair is no longer than its tethers allow while its head moves, and keeps half of its waves' turns against gravity.
#[test]
fn hair_keeps_its_length_and_its_waves() {
    let (model, state) = gallery("hair", 50);
    let each = model.bodies[0].strand.unwrap() as usize;
    for (placed, now) in model.particles.positions.chunks(each).zip(state.positions.chunks(each)) {
        assert!(length(now) < 1.02 * length(placed), "{} m of {} m", length(now), length(placed));
        assert!(turned(now) > 0.5 * turned(placed), "{} rad of {} rad", turned(now), turned(placed));
    }
}

/// The gallery's creased strip is drawn out by its weight and folds up again without it; the one beside it stays in its plane, too.
#[test]
fn a_creased_strip_folds_up_again() {
    let height = |state: &State| -state.positions[14][1];
    let (model, drawn) = gallery("strip", 55);
    let (_, folded) = gallery("strip", 240);
    assert!(height(&drawn) > 0.36, "drawn out to {} m", height(&drawn));
    let turns = turned(&folded.positions[..15]) / turned(&model.particles.positions[..15]);
    assert!((turns - 1.0).abs() < 0.2, "{turns} of its turns");
    assert!(folded.positions.iter().all(|x| x[2] == 0.0));
}
