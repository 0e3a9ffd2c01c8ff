//! Scenes of the gallery that move as theory says. On the CPU engine alone: the others are held to the same twins, and
//! these run for seconds.

use pliant::constraint::{Angle, Vec3, kind};
use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::Scene;

use crate::balloon;
use crate::device::{Running, run};
use crate::models::GRAVITY;
use crate::proof;

fn model(scene: &Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

fn vectors(x: &[[f64; 3]]) -> Vec<Vec3<f64>> {
    x.iter().map(|&x| x.into()).collect()
}

fn gallery(name: &str) -> Scene {
    Scene::open(name).unwrap_or_else(|error| panic!("{error}"))
}

/// How long a sheet is that hangs by its upper edge under its own weight, of a weft of modulus k, N/m, and the mass m per particle in a
/// row of them over a width s, m: each row of cells bears what hangs below it, P = k f (f² - 1)/2 = (rows below) m g/s.
fn hanging_length(rows: u32, cell: f64, modulus: f64, mass: f64, spacing: f64) -> f64 {
    let of_row = |below: u32| {
        let tension = f64::from(below) * mass * GRAVITY / (spacing * modulus);
        // Newton's method from above, where f (f² - 1)/2 is convex.
        (0..50).fold(3.0_f64, |f, _| f - (f * (f * f - 1.0) / 2.0 - tension) / (1.5 * f * f - 0.5)) * cell
    };
    (1..rows).map(of_row).sum()
}

/// The sheets of the gallery hang as their weave says: the two that hang by an edge as long as their weft's modulus has it, and the two
/// that are soft in shear and along the warp lower in the middle of their upper edge, or at their foot, than one that is stiff.
#[test]
fn sheets_of_the_gallery_hang_by_their_weave() {
    let mut scene = gallery("strains");
    scene.bodies.iter_mut().for_each(|body| body.damping = 30.0);
    let model = model(&scene);
    let state = run(&model, 300);
    let mean = |particles: std::ops::Range<usize>, axis: usize| {
        let count = particles.len() as f64;
        state.positions[particles].iter().map(|x| x[axis]).sum::<f64>() / count
    };
    for (sheet, modulus) in [(0, 200.0), (1, 2.5)] {
        let first = 169 * sheet;
        let length = mean(first..first + 13, 1) - mean(first + 156..first + 169, 1);
        // Thirteen particles over twelve cells of 5 cm.
        let exact = hanging_length(13, 0.05, modulus, 0.15 / 169.0, 0.6 / 13.0);
        let claim = format!("a sheet of {modulus} N/m along its weft hangs by its edge: length");
        proof::relative(&claim, "k f (f² - 1)/2 of each row = what hangs below", length, exact, 0.01);
    }
    let foot = |sheet: usize| mean(169 * sheet + 156..169 * (sheet + 1), 1);
    assert!(foot(2) < foot(0) - 0.02 && foot(3) < foot(0) - 0.02, "{:?}", [0, 1, 2, 3].map(foot));
}

/// Bars of the gallery: let go, the elastic one has come back, and those that flow have kept a bend, the one that creeps the less; none
/// bears more than its yield point in any component, but for what still creeps.
#[test]
fn bars_of_clay_stay_bent() {
    let model = model(&gallery("clay"));
    let state = run(&model, 270);
    let tip = |bar: usize| (117 * bar + 108..117 * (bar + 1)).map(|p| state.positions[p][1]).sum::<f64>() / 9.0;
    let [elastic, creeping, flowing] = [0, 1, 2].map(tip);
    // The roller pressed it 30 cm down, and rose for some of its periods: a tenth of that is left to swing.
    assert!(elastic.abs() < 0.03, "the elastic bar ends {elastic} m off");
    assert!(creeping < -0.05 && flowing < creeping - 0.05, "{creeping} m and {flowing} m");
    let (group, h) = (&model.groups[0], model.settings.substep_seconds());
    for element in 0..group.len() {
        let rest = state.rest_of(&model, 0, element);
        let flows = group.particles_of(element)[0] >= 234;
        for component in (0..6).filter(|_| flows) {
            let compliance = model.materials[group.material_of(element, component) as usize].compliance;
            let strain = compliance * state.multipliers[0][6 * element + component].last / (h * h) / rest[9];
            // By the force, as it flows; it does by that of the substep before.
            assert!(strain.abs() < 1.02 * 0.025, "component {component} of {element} bears a strain of {strain}");
        }
        let changed = rest[10..] != group.rest_of(element)[10..];
        assert!(!changed || group.particles_of(element)[0] >= 117, "an elastic element has flowed");
    }
}

/// The walkers of the gallery walk: the first more than a fifth of its length in four seconds, straight on, upright, and every number is one;
/// the other one, of a shorter stride, goes less far.
#[test]
fn the_walker_walks() {
    let model = model(&gallery("walker"));
    let state = run(&model, 240);
    let ways = [0, 1].map(|body: usize| {
        let particles = model.bodies[body].particles.start as usize..model.bodies[body].particles.end as usize;
        let gone = |axis: usize, i: usize| state.positions[i][axis] - model.particles.positions[i][axis];
        let count = particles.len() as f64;
        [0, 1, 2].map(|axis| particles.clone().map(|i| gone(axis, i)).sum::<f64>() / count)
    });
    assert!(state.positions.as_flattened().iter().all(|x| x.is_finite()));
    let [long, short] = ways.map(|way| way[0]);
    assert!(long > 1.2 / 5.0 && long < 1.2, "it went {long} m");
    assert!(short > 0.0 && short < long, "the other one went {short} m");
    assert!(ways.iter().all(|way| way[1].abs() < 0.05 && way[2].abs() < 0.02), "{ways:?}");
}

/// The gallery's rows of grass stand the lower the softer they are, the stiffest all but straight, the softest lies: so
/// do the tips of their first blades, in the mean over two seconds, since they swing. And the string hung by its end
/// keeps its curl.
#[test]
fn grass_stands_and_a_string_keeps_its_curl() {
    const TIMES: u32 = 24;
    let model = model(&gallery("grass"));
    let mut running = Running::new(&model);
    let mut state = running.run(120);
    let of = |body: usize| model.bodies[body].particles.start as usize;
    let mut tips = [0.0; 5];
    for _ in 0..TIMES {
        for (row, tip) in tips.iter_mut().enumerate() {
            *tip += state.positions[of(row) + 10][1] / f64::from(TIMES);
        }
        state = running.run(5);
    }
    let placed = model.particles.positions[of(0) + 10][1];
    assert!(tips.windows(2).all(|pair| pair[0] > pair[1] + 0.002), "{tips:?}");
    assert!(tips[0] > 0.98 * placed && tips[4] < 0.05, "{tips:?} of {placed} m");
    let angles = kind::<Angle>();
    let string = &model.bodies[5].particles;
    let turned = |x: &[[f64; 3]]| -> f64 {
        let joints = string.start as usize..string.end as usize - 2;
        joints.map(|i| angles.measure(&vectors(&x[i..i + 3]))[0].abs()).sum()
    };
    let (before, after) = (turned(&model.particles.positions), turned(&state.positions));
    assert!((after / before - 1.0).abs() < 0.05, "the angles along it add up to {after}, as placed {before}");
}

/// The gallery's balloons: one is blown up to three times its volume and let down to three tenths, the other is pressed by a ball to
/// less than its height and pushes back by its pressure; both hold the volume that they should have, to 0.1 %, at all times.
#[test]
fn the_gallery_s_balloons_hold_their_volume() {
    let model = model(&gallery("balloon"));
    let placed = [0, 1].map(|surface| balloon::volume_of(&model, surface, &model.particles.positions));
    let top = |state: &State| {
        let pressed = model.bodies[1].particles.clone();
        pressed.map(|p| state.positions[p as usize][1]).fold(0.0, f64::max)
    };
    let mut running = Running::new(&model);
    let mut errors = Vec::new();
    let mut after = |frames: u32| {
        let state = running.run(frames);
        let rest = [0, 1].map(|surface| state.rest_of(&model, balloon::surfaces(&model), surface)[0]);
        errors.extend([0, 1].map(|i| balloon::volume_of(&model, i, &state.positions) / rest[i] - 1.0));
        let shares = [0, 1].map(|i| rest[i] / placed[i]);
        (shares, Measurement::of(&model, &state).pressures, top(&state))
    };
    let (_, before, height) = after(30);
    for _ in 0..10 {
        after(9);
    }
    let (blown, during, pressed) = after(15);
    for _ in 0..10 {
        after(9);
    }
    let (limp, ..) = after(30);
    // The rest volume is kept in single precision.
    for (share, expected) in blown.into_iter().chain(limp).zip([3.0, 1.0, 0.3, 1.0]) {
        assert!((share - expected).abs() < 1e-6, "{share} of the volume as placed");
    }
    assert!(pressed < height, "{pressed} m high under the ball, {height} m without");
    // What presses it pushes by its pressure over the ball's cap, which is larger than without the ball.
    assert!(during[1].1 > 2.0 * before[1].1, "{during:?} Pa, {before:?} Pa");
    let claim = "balloons of the gallery, blown up, let down and pressed";
    proof::row(claim, "their volume", 100.0 * proof::largest(errors), 0.1, "%");
}
