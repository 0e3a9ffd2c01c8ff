//! Ropes, hair, strips and materials by name, from the scene to the device.

use pliant::constraint::Vec3;
use pliant::model::{Material, Model, State};
use pliant::scene::{PRESETS, Scene};

use crate::device::{Running, run};
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

/// The gallery's strips of cloth hang the less for what resists their bending: without anything straight down, and with it the end sags by
/// a part of the length that reaches out.
#[test]
fn bends_hold_cloth_up() {
    let (model, state) = gallery("bends", 180);
    let mut sags = Vec::new();
    for body in &model.bodies {
        let middle_of_the_end = body.particles.start as usize + 13 + 12;
        sags.push(-state.positions[middle_of_the_end][1]);
    }
    // Two columns are clamped.
    let reach = 0.275;
    assert!(sags[0] > 0.93 * reach && sags[0] < 1.01 * reach, "{sags:?}");
    assert!(sags[1..].iter().all(|sag| (0.05 * reach..0.9 * reach).contains(sag)), "{sags:?}");
}

/// The gallery's loops and its triangle keep their areas to 1 % while they fall and bounce, and the one that breathes has the area of its curve, to 1 % too.
#[test]
fn cells_keep_their_areas() {
    let model = Scene::open("cells").unwrap().build().unwrap().model;
    let [loops, triangle] =
        ["loop_area", "area"].map(|name| model.groups.iter().find(|group| group.kind.name() == name).unwrap());
    let mut running = Running::new(&model);
    for frame in (10..=90).step_by(10) {
        let state = running.run(10);
        let ramp = (f64::from(frame) / 45.0 - 1.0).abs();
        for (cell, factor) in [1.0, 1.0, 1.0, 1.5 - 0.5 * ramp].into_iter().enumerate() {
            let particles = loops.particles_of(cell).iter().map(|&p| state.positions[p as usize].into());
            let area = loops.kind.measure(&particles.collect::<Vec<Vec3<f64>>>())[0];
            let expected = factor * loops.rest_of(cell)[0];
            assert!((area / expected - 1.0).abs() < 0.01, "cell {cell}, frame {frame}: {area} m², not {expected} m²");
        }
        let corners: Vec<Vec3<f64>> =
            triangle.particles_of(0).iter().map(|&p| state.positions[p as usize].into()).collect();
        let share = triangle.kind.measure(&corners)[0] / triangle.rest_of(0)[0];
        assert!((share - 1.0).abs() < 0.01, "the triangle, frame {frame}: {share} of its area");
        assert!(state.positions.iter().all(|x| x[2] == 0.0), "planar bodies stay in their plane");
    }
}

/// What the gallery attaches stays together to a tenth of a millimetre: the seam, the weight and its point, the corner and its target.
#[test]
fn stitches_hold() {
    let (_, state) = gallery("stitches", 45);
    let at = |index: usize| Vec3::from(state.positions[index]);
    let (n, lower, weight) = (14, 14 * 14, 2 * 14 * 14);
    for k in 0..n {
        let open = (at(n * (n - 1) + k) - at(lower + k)).length();
        assert!(open < 1e-4, "the seam is open by {open} m at {k}");
    }
    let corner = lower + 6 * n + 6;
    let point = at(corner) * 0.3 + at(corner + 1) * 0.3 + at(corner + n) * 0.4;
    assert!((at(weight) - point).length() < 1e-4, "{:?} is not {point:?}", at(weight));
    // Three quarters of the way to the target's first turn.
    let target = Vec3::new(0.225, -0.9 + 0.75 * 0.12, 0.75 * 0.25);
    assert!((at(lower + n * n - 1) - target).length() < 1e-4, "{:?} is not {target:?}", at(lower + n * n - 1));
}

/// What the gallery keeps apart rests at its thickness, on a triangle, a segment and a rod, and on the slope slides at it.
#[test]
fn what_is_kept_apart_rests_at_its_thickness() {
    let (_, state) = gallery("keeping_apart", 45);
    let height = |index: usize| state.positions[index][1];
    for index in [3, 6, 9, 10] {
        assert!((height(index) - 0.06).abs() < 1e-4, "{} m", height(index));
    }
    let [x, y, _] = state.positions[11];
    let above = ((x - 0.85) + 3.0 * (y - 0.3)) / 10_f64.sqrt();
    assert!((above - 0.03).abs() < 1e-4, "{above} m above the slope");
    assert!(x > 0.95, "it slides: {x}");
}
