//! Fluids on every engine that solves them: the twin, momentum, energy, and the same bits twice.

use pliant::measure::Measurement;
use pliant::model::Model;
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

pub fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A block that breaks in a box, over a ball that moves, with more keys of the fluid and more bodies.
pub fn breaking(substeps: u32, keys: &str, more: &str) -> Model {
    scene(&format!(
        "solver = {{ substeps = {substeps}, iterations = 2 }}\n[[body]]\nkind = 'fluid'\nspacing = 0.05\n{keys}\n\
         fill = {{ box = {{ min = [0, 0, 0], max = [0.3, 0.4, 0.2] }} }}\n\
         [[collider]]\nshape = {{ box = {{ size = [0.6, 1.0, 0.2] }} }}\ninside = true\nposition = [0.3, 0.5, 0.1]\n\
         [[collider]]\nshape = {{ sphere = {{ radius = 0.06 }} }}\nposition = [0.4, 0.0, 0.1]\n\
         keyframes = [{{ time = 0.0, value = [0, 0, 0] }}, {{ time = 1.0, value = [-0.2, 0, 0] }}]\n{more}"
    ))
}

/// What falls, breaks and rubs goes where it goes in double precision: plain, viscous and soft, with other fluids and
/// with solids.
#[test]
fn fluids_follow_their_twin() {
    let cloth = "[[body]]\nkind = 'cloth'\nradius = 0.01\nmass = 0.05\nposition = [0.15, 0.45, 0.1]\nrotation = [0.7, 0, 0, 0.7]\n\
                 mesh = { grid = { columns = 6, rows = 4, width = 0.25, height = 0.15 } }";
    let oil = "[[body]]\nkind = 'fluid'\nspacing = 0.05\ndensity = 700\nviscosity = 1.0\n\
               fill = { box = { min = [0.3, 0, 0], max = [0.6, 0.2, 0.2] } }";
    // In a group of its own it meets neither the water nor walls.
    let ghost = "[[body]]\nkind = 'fluid'\nspacing = 0.05\nvelocity = [0, 1, 0]\ncollision_group = 1\ncollides_with = [1]\n\
                 fill = { box = { min = [0, -0.2, 0], max = [0.3, 0, 0.2] } }";
    let hills = "[[collider]]\nposition = [0.3, 0.02, 0.1]\n\
                 shape = { heightfield = { size = [0.6, 0.2], heights = [[0.02, 0.03, 0.01], [0.03, 0.01, 0.02]] } }";
    let ball = |k: u32| {
        let place = [0.06 * f64::from(k % 5) + 0.03, 0.03, 0.05 + 0.1 * f64::from(k / 5)];
        format!("[[collider]]\nshape = {{ sphere = {{ radius = 0.02 }} }}\nposition = {place:?}\n")
    };
    let balls: String = (0..10).map(ball).collect();
    for (name, keys, more) in [
        ("plain", "", ""),
        ("crossed", "", ghost),
        ("hilly", "viscosity = 0.5", hills),
        ("studded", "viscosity = 0.5", &balls),
        ("viscous", "viscosity = 5.0", ""),
        ("soft", "bulk_modulus = 1e4", ""),
        ("beside oil", "viscosity = 0.1", oil),
        ("under a cloth", "viscosity = 1.0", cloth),
        ("tense", "surface_tension = 30.0", ""),
        ("wetting", "surface_tension = 30.0\ncontact_angle = 0.5", ""),
        (
            "tense oily",
            "surface_tension = 30.0",
            &oil.replace("viscosity", "surface_tension = 5.0\ncontact_angle = 2.5\nviscosity"),
        ),
        ("tense clothed", "surface_tension = 30.0\nviscosity = 1.0", cloth),
    ] {
        let model = breaking(8, keys, more);
        let (mine, theirs) = (Running::new(&model).run(3), crate::models::run(&model, 3));
        let claim = format!("a {name} fluid against double precision after 3 frames");
        proof::row(&claim, "the same", proof::apart(&mine, &theirs), 2e-5, "m");
        let most = theirs.pressures.iter().copied().fold(0.0, f64::max);
        let apart = mine.pressures.iter().zip(&theirs.pressures).map(|(a, b)| 100.0 * (a - b) / most);
        proof::row("its pressures", "the same", proof::largest(apart), 1.0, "%");
    }
}

/// Two blocks of unlike density that meet in flight keep their momentum.
#[test]
fn free_fluids_keep_their_momentum() {
    let block = |x: f64, keys: &str| {
        format!(
            "[[body]]\nkind = 'fluid'\nspacing = 0.05\n{keys}\n\
             fill = {{ box = {{ min = [{x}, 0, 0], max = [{}, 0.25, 0.2] }} }}\n",
            x + 0.25
        )
    };
    let model = scene(&format!(
        "solver.substeps = 10\nworld.gravity = [0, 0, 0]\n{}{}",
        block(0.0, "velocity = [2, 0.5, 0]\nviscosity = 2.0\nsurface_tension = 20.0"),
        block(0.3, "velocity = [-1, 0, 0.3]\ndensity = 600\nsurface_tension = 5.0")
    ));
    let mut running = Running::new(&model);
    let (before, after) = (Measurement::of(&model, &running.state()), Measurement::of(&model, &running.run(20)));
    let size: f64 = model.particles.inverse_masses.iter().map(|w| 2.0 / w).sum();
    let lost = (0..3).map(|k| (after.momentum[k] - before.momentum[k]) / size);
    proof::row("momentum of two blocks that meet, of m v", "kept", proof::largest(lost), 1e-5, "");
    let state = running.state();
    let second = model.bodies[1].particles.clone().map(|particle| state.velocities[particle as usize][0]);
    assert!(second.sum::<f64>() > -0.5 * model.bodies[1].particles.len() as f64, "they have met");
}

/// A block that falls, breaks and comes to rest never has more energy, kinetic and of height, than at first.
#[test]
fn fluids_gain_no_energy() {
    for (substeps, keys) in [(4, ""), (12, ""), (12, "viscosity = 3.0")] {
        // Away from walls, where it is not compressed as it begins.
        let model = scene(&format!(
            "solver = {{ substeps = {substeps}, iterations = 2 }}\n[[body]]\nkind = 'fluid'\nspacing = 0.05\n{keys}\n\
             fill = {{ box = {{ min = [0.1, 0.1, 0.1], max = [0.35, 0.5, 0.25] }} }}\n\
             [[collider]]\nshape = {{ box = {{ size = [0.6, 1.0, 0.35] }} }}\ninside = true\n\
             position = [0.3, 0.5, 0.175]\n"
        ));
        let mut running = Running::new(&model);
        let energy = |running: &mut Running, frames: u32| {
            let measured = Measurement::of(&model, &running.run(frames));
            measured.kinetic_energy_j + measured.gravity_energy_j
        };
        let first = energy(&mut running, 0);
        let most = (0..60).map(|_| energy(&mut running, 1) - first).fold(f64::NEG_INFINITY, f64::max);
        let claim = format!("a block that breaks, {substeps} substeps, {keys}: energy above that at first");
        proof::row(&claim, "none", most.max(0.0), 1e-3 * first, "J");
    }
}

/// Water that fills a box up to half a spacing from its faces stands: it presses by its depth, and hardly stirs.
#[test]
fn a_filled_box_is_at_rest() {
    let (top, frames) = (0.6, 20);
    let model = scene(&format!(
        "solver.substeps = 10\n[[body]]\nkind = 'fluid'\nspacing = 0.05\n\
         fill = {{ box = {{ min = [0, 0, 0], max = [0.2, {top}, 0.2] }} }}\n\
         [[collider]]\nshape = {{ box = {{ size = [0.2, 2.0, 0.2] }} }}\ninside = true\nposition = [0.1, 1.0, 0.1]\n"
    ));
    let mut running = Running::new(&model);
    running.run(40);
    let (mut found, mut theory, mut squares, mut count) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..frames {
        let state = running.run(1);
        found += state.pressures.iter().sum::<f64>();
        theory += state.positions.iter().map(|place| 1000.0 * 9.81 * (top - place[1])).sum::<f64>();
        squares += state.velocities.iter().flatten().map(|speed| speed * speed).sum::<f64>();
        count += state.velocities.len() as f64;
    }
    proof::relative("pressure in a box of 12 layers", "ρ g depth", found, theory, 0.05);
    proof::row("how it stirs", "at rest", (squares / count).sqrt(), 0.05, "m/s");
}

/// The same run twice has the same bits, and so has one that goes on from a snapshot.
#[test]
fn fluids_have_the_same_bits_twice() {
    let model = breaking(6, "viscosity = 1.0", "");
    let mut first = Running::new(&model);
    let (early, snapshot) = (first.run(3), first.snapshot());
    let mine = first.run(3);
    let theirs = Running::new(&model).run(6);
    assert_eq!(mine.positions, theirs.positions);
    assert_eq!(mine.pressures, theirs.pressures);
    first.restore(&snapshot);
    let back = first.state();
    assert_eq!(back.positions, early.positions);
    assert!(back.pressures.is_empty(), "those of a frame that is no longer");
    let again = first.run(3);
    assert_eq!(again.positions, theirs.positions);
    assert_eq!(again.pressures, theirs.pressures);
}

/// A box whose sides are no multiples of the spacing is filled to half a layer of its volume, and not so that it bursts: at
/// most its surface falls by a layer.
#[test]
fn a_box_of_any_size_is_filled_calmly() {
    for spacing in [0.048_f64, 0.05, 0.0525, 0.055] {
        let model = scene(&format!(
            "solver.substeps = 10\n[[body]]\nkind = 'fluid'\nspacing = {spacing}\nviscosity = 0.05\n\
             fill = {{ box = {{ min = [0, 0, 0], max = [0.5, 0.37, 0.34] }} }}\n\
             [[collider]]\nshape = {{ box = {{ size = [0.5, 1.6, 0.34] }} }}\ninside = true\nposition = [0.25, 0.8, 0.17]"
        ));
        let share = model.particles.len() as f64 * spacing.powi(3) / (0.5 * 0.37 * 0.34) - 1.0;
        let claim =
            format!("a box of 0.5 x 0.37 x 0.34 m filled with a spacing of {spacing} m: what is too much of it");
        proof::row(&claim, "half a layer at most", share.abs(), 0.5 * spacing / 0.37 + 1e-9, "");
        let mut running = Running::new(&model);
        let fastest = (0..12).map(|_| Measurement::of(&model, &running.run(1)).max_speed).fold(0.0, f64::max);
        let claim =
            format!("water let go in a box, with a spacing of {spacing} m: its speed beyond that of a fall by a layer");
        proof::row(&claim, "0", (fastest - (2.0 * 9.81 * spacing).sqrt()).max(0.0), 1e-9, "m/s");
    }
}

/// What is alone in a corner, as near to its images as to the walls, stays before them, and what was placed in one place
/// comes apart at less than a spacing a substep.
#[test]
fn what_lies_in_one_place_is_not_thrown_off() {
    let fluid = |position: [f64; 3]| {
        format!(
            "[[body]]\nkind = 'fluid'\nspacing = 0.05\nvelocity = [-1, -1, -1]\nposition = {position:?}\n\
             fill = {{ box = {{ min = [0, 0, 0], max = [0.05, 0.05, 0.05] }} }}\n"
        )
    };
    let model = scene(&format!(
        "solver.substeps = 8\n{}{}[[collider]]\nshape = {{ box = {{ size = [2, 2, 2] }} }}\ninside = true\n\
         position = [1, 1, 1]\n",
        fluid([0.05, 0.05, 0.05]),
        fluid([1.0, 1.0, 1.0]).repeat(6)
    ));
    let mut running = Running::new(&model);
    let fastest = |state: &pliant::model::State| {
        state.velocities.iter().flatten().fold(0.0, |most: f64, speed| most.max(speed.abs()))
    };
    let most = (0..20).map(|_| fastest(&running.run(1))).fold(0.0, f64::max);
    proof::row("speed of what was placed in one place", "a spacing a substep", most, 0.05 * 480.0, "m/s");
    let state = running.run(100);
    for place in &state.positions {
        assert!(place.iter().all(|x| (0.01..2.0).contains(x)), "{place:?}");
    }
}
