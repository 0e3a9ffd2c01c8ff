//! Rods with bending and twist against closed forms: elastica, torsion, buckling, free motion, and their twin.

use std::f64::consts::PI;

use pliant::constraint::Vec3;
use pliant::measure::Measurement;
use pliant::model::Model;
use pliant::scene::{Animation, Body, Clamp, Driven, Grid, Line, Pin, Rod, Scene};

use crate::device::Running;
use crate::proof;

/// m/s²
const GRAVITY: f64 = 9.81;
/// Of all rods here, m and kg/m³.
const RADIUS: f64 = 0.005;
const DENSITY: f64 = 1000.0;

fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A rod of 1 m along x, of 32 segments, with more keys.
fn rod(substeps: u32, gravity: f64, young: f64, keys: &str) -> Model {
    scene(&format!(
        "solver.substeps = {substeps}\nworld.gravity = [0, {}, 0]\n[[body]]\nkind = 'rod'\nradius = {RADIUS}\ndensity = {DENSITY}\n\
         young_modulus = {young}\nmesh = {{ line = {{ from = [0, 0, 0], to = [1, 0, 0], segments = 32 }} }}\n{keys}",
        -gravity
    ))
}

/// Young's modulus with which EI is this, Pa.
fn young_of(stiffness: f64) -> f64 {
    stiffness / (PI * RADIUS.powi(4) / 4.0)
}

/// Weight of a metre, N.
fn weight() -> f64 {
    DENSITY * PI * RADIUS * RADIUS * GRAVITY
}

/// A clamped rod droops by its own weight as the elastica, whatever the substeps: drop and reach for Γ = q L³/EI.
#[test]
fn a_cantilever_droops_as_the_elastica() {
    let forms = [
        (0.4, 0.0499, 0.99858),
        (1.0, 0.12347, 0.99125),
        (5.0, 0.49591, 0.84666),
        (10.0, 0.7002, 0.65635),
        (63.765, 0.91995, 0.20969),
    ];
    for (gamma, drop, reach) in forms {
        for substeps in [1, 5, 40] {
            // Damped critically by its slowest motion, about 3.5 √(g/ΓL) faster than a pendulum's.
            let slowest = (12.4 * GRAVITY / gamma + 2.0 * GRAVITY).sqrt();
            // What hangs by its weight swings as a pendulum, which the material hardly damps.
            let viscosity = if gamma > 20.0 { 1.0 } else { 1.0 / slowest };
            let keys = format!("clamp = ['first']\nviscosity = {viscosity}");
            let model = rod(substeps, GRAVITY, young_of(weight() / gamma), &keys);
            let [x, y, z] = *Running::new(&model).run(if gamma > 20.0 { 600 } else { 180 }).positions.last().unwrap();
            let error = (y + drop).hypot(x - reach).hypot(z);
            let claim = format!("end of a cantilever, Γ = {gamma}, {substeps} substeps");
            proof::row(&claim, &format!("elastica, {drop} below"), 100.0 * error, 0.5, "% of L");
        }
    }
}

/// What a hanging rod bears is the weight below, and at a clamp the moment of its weight.
#[test]
fn loads_are_those_of_statics() {
    let stiff = young_of(200.0 * weight());
    let model = rod(10, GRAVITY, stiff, "clamp = ['first']\nviscosity = 0.05");
    let state = Running::new(&model).run(120);
    let moment = state.loads[0].moment;
    let size = moment.iter().map(|m| m * m).sum::<f64>().sqrt();
    proof::relative("moment at the clamp of a stiff cantilever", "q L²/2", size, 0.5 * weight(), 5e-3);

    let model = rod(10, GRAVITY, 1e7, "pin = ['first']\nrotation = [0, 0, -0.70710678, 0.70710678]\nviscosity = 0.05");
    let state = Running::new(&model).run(120);
    let pulled = state.loads[8].force[2];
    let below = weight() * (1.0 - 8.5 / 32.0);
    proof::relative("pull in the ninth segment of a hanging rod", "the weight below", pulled, below, 2e-2);
}

/// A rod clamped at both ends, of which one is turned by 2 rad, twists evenly by a torque of GJ θ/L and stays straight.
#[test]
fn torsion_is_even() {
    let young = 1e7;
    let model = rod(
        10,
        0.0,
        young,
        "viscosity = 0.02\nclamp = ['first', { end = 'last', spin = { axis = [1, 0, 0], rate = 2.0, until = 1.0 } }]",
    );
    let state = Running::new(&model).run(180);
    let polar = PI * RADIUS.powi(4) / 2.0;
    let torque = young / 2.6 * polar * 2.0;
    for place in [0, 10, 32] {
        let claim = format!("torque of a twisted rod, joint {place}");
        proof::relative(&claim, "GJ θ/L", state.loads[place].moment[2], torque, 1e-3);
    }
    let sideways = state.positions.iter().map(|[_, y, z]| y.hypot(*z));
    proof::row("a twisted rod stays straight", "y = z = 0", proof::largest(sideways), 1e-6, "m");
}

/// A free rod keeps its momentum and its turning about itself; of its turning end over end implicit Euler takes ω² h in a
/// second, as of every body's.
#[test]
fn a_free_rod_keeps_its_momentum() {
    let free = |speed: [f64; 3]| {
        let model = rod(
            20,
            0.0,
            1e9,
            &format!("angular_velocity = {speed:?}\nvelocity = [0, 0.5, 0]\nposition = [-0.5, 0, 0]"),
        );
        let mut running = Running::new(&model);
        let first = Measurement::of(&model, &running.state());
        (first, Measurement::of(&model, &running.run(60)))
    };
    let (before, after) = free([4.0, 0.0, 0.0]);
    let lost = (0..3).map(|k| after.momentum[k] - before.momentum[k]);
    proof::row("momentum of a free rod after 1 s", "kept", proof::largest(lost), 1e-6, "kg m/s");
    let claim = "turning of a free rod about itself after 1 s";
    proof::relative(claim, "kept", after.angular_momentum[0], before.angular_momentum[0], 1e-5);
    let (before, after) = free([0.0, 0.0, 2.0]);
    let kept = after.angular_momentum[2] / before.angular_momentum[2];
    proof::relative(
        "turning of a free rod end over end after 1 s",
        "exp(-ω² h t)",
        kept,
        (-4.0_f64 / 1200.0).exp(),
        2e-4,
    );
}

/// Coils that bend as placed lie still without gravity.
#[test]
fn what_bends_as_placed_stays() {
    for substeps in [1, 10, 100] {
        let model = scene(&format!(
            "solver.substeps = {substeps}\nworld.gravity = [0, 0, 0]\n[[body]]\nkind = 'rod'\nradius = 0.002\ndensity = 1000\n\
             young_modulus = 1e8\nmesh = {{ helix = {{ radius = 0.05, pitch = 0.03, turns = 4, segments = 64 }} }}\n\
             rest = 'as placed'"
        ));
        let state = Running::new(&model).run(60);
        let speed = Measurement::of(&model, &state).max_speed;
        proof::row(&format!("a coil at rest, {substeps} substeps"), "stays there", speed, 1e-4, "m/s");
    }
}

/// A coil hangs longer than it was wound by mg/2k with k = G r⁴/4nR³: the wire twists.
#[test]
fn a_coil_stretches_by_its_twist() {
    let (radius, turns, young) = (0.035_f64, 8.0, 4.8e9);
    let model = scene(&format!(
        "solver.substeps = 10\n[[body]]\nkind = 'rod'\nradius = 0.0025\ndensity = 7800\nyoung_modulus = {young}\n\
         mesh = {{ helix = {{ radius = {radius}, pitch = -0.006, turns = {turns}, segments = 192 }} }}\n\
         rest = 'as placed'\nclamp = ['first']\nviscosity = 0.03"
    ));
    let placed = model.particles.positions[192][1];
    let state = Running::new(&model).run(240);
    let mass: f64 = 7800.0 * PI * 0.0025_f64.powi(2) * model.rods[0].segments.iter().map(|s| s.length).sum::<f64>();
    let stiffness = young / 2.6 * 0.0025_f64.powi(4) / (4.0 * turns * radius.powi(3));
    let longer = placed - state.positions[192][1];
    proof::relative("how much longer a coil is as it hangs", "mg/2k", longer, 0.5 * mass * GRAVITY / stiffness, 0.03);
}

/// Rods clamped to a driven plate that rises and turns about x by 80° in a second go along with it: one along that axis
/// is twisted at its root by as much, one across it swings round. In between they go as in double precision.
#[test]
fn clamps_follow_a_driven_body() {
    let sample = |k: u32| -> Vec<[f64; 3]> {
        let (sin, cos) = (f64::from(k) * 80_f64.to_radians() / 20.0).sin_cos();
        let corners = [[-0.5, 0.0], [0.5, 0.0], [-0.5, -1.0], [0.5, -1.0]];
        corners.map(|[x, y]| [x, y * cos + 0.01 * f64::from(k), y * sin]).to_vec()
    };
    let plate = Driven::new(Animation::Samples { positions: (0..=20).map(sample).collect(), rate: 20.0 });
    let plate = plate.mesh(Grid { columns: 2, rows: 2, width: 1.0, height: 1.0 });
    let rod = |to: [f64; 3]| {
        let line = Line { from: [0.5, -0.5, 0.0], to, segments: 6 };
        let clamp = Clamp { last: false, motion: Pin::from("first").to("plate") };
        let rod = Rod { clamps: vec![clamp], viscosity: 5e-3, ..Rod::new(line, 1e9) };
        Body::rod(rod).radius(0.005).density(1000.0)
    };
    let scene = Scene::new("clamps").with(Body::driven(plate).name("plate"));
    let mut model = scene.with(rod([0.7, -0.5, 0.0])).with(rod([0.5, -0.5, 0.2])).build().unwrap().model;
    model.world.gravity = [0.0; 3];
    let way = crate::models::run(&model, 30);
    let mut running = Running::new(&model);
    let mine = running.run(30);
    proof::row("rods on a driven plate half way", "double precision", proof::apart(&mine, &way), 1e-5, "m");
    let (mut worst, state) = (0.0_f64, running.run(60));
    let (sin, cos) = 80_f64.to_radians().sin_cos();
    for (tip, arm) in [(10, [0.2, 0.0]), (17, [0.0, 0.2])] {
        let expected = [0.5 + arm[0], 0.2 - 0.5 * cos - arm[1] * sin, -0.5 * sin + arm[1] * cos];
        worst = worst.max((0..3).map(|k| (state.positions[tip][k] - expected[k]).abs()).fold(0.0, f64::max));
    }
    proof::row("tips of rods on a plate that turned by 80°", "turned as much", worst, 1e-4, "m");
    // The placed orientation, turned about x.
    let half = [40_f64.to_radians().sin(), 0.0, 0.0, 40_f64.to_radians().cos()];
    let turned = model.orientations.placed.iter().zip(&state.orientations).map(|(placed, now)| {
        let [ax, ay, az, aw] = half;
        let [bx, by, bz, bw] = *placed;
        let q = [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ];
        1.0 - (0..4).map(|k| q[k] * now[k]).sum::<f64>().abs()
    });
    proof::row(
        "orientations of rods on a plate that turned by 80°",
        "turned as much",
        proof::largest(turned),
        1e-6,
        "",
    );
}

/// Hairs that are clamped, led and damped go where they go in double precision.
#[test]
fn rods_follow_their_twin() {
    for substeps in [3, 10] {
        let mut model = scene(&format!(
            "solver = {{ substeps = {substeps}, iterations = 2 }}\n[[body]]\nkind = 'rod'\nradius = 0.002\ndensity = 1200\n\
             young_modulus = 1e7\nstrands = 5\nspacing = [0, 0, 0.05]\nviscosity = 2e-3\ntwist = 3\n\
             mesh = {{ curve = {{ through = [[0, 0, 0], [0.1, 0.05, 0], [0.3, 0, 0.05]], segments = 17 }} }}\n\
             rest = 'as placed'\nclamp = ['first']\n\
             [[body]]\nkind = 'rod'\nradii = [0.004, 0.001]\nradius = 0.004\ndensity = 900\nyoung_modulus = 1e8\nposition = [0, 0.2, 0]\n\
             mesh = {{ line = {{ from = [0, 0, 0], to = [0.2, 0, 0], segments = 9 }} }}\n\
             clamp = [{{ end = 'first', spin = {{ axis = [1, 1, 0], rate = 8.0 }} }}, 'last']\n\
             [[body]]\nkind = 'rod'\nradius = 0.003\ndensity = 700\nyoung_modulus = 1e6\nposition = [0, 0.4, 0]\nvelocity = [0, 1, 0]\n\
             angular_velocity = [1, 2, 3]\nmesh = {{ line = {{ from = [0, 0, 0], to = [0.2, 0, 0], segments = 12 }} }}"
        ));
        model.name = "rods".into();
        let (mine, theirs) = (Running::new(&model).run(3), crate::models::run(&model, 3));
        let apart = proof::apart(&mine, &theirs);
        proof::row(
            &format!("rods against double precision after 3 frames, {substeps} substeps"),
            "the same",
            apart,
            1e-5,
            "m",
        );
        let turned = mine.orientations.iter().zip(&theirs.orientations);
        let cosines = turned.map(|(a, b)| 1.0 - (0..4).map(|k| a[k] * b[k]).sum::<f64>().abs());
        proof::row("their orientations", "the same", proof::largest(cosines), 1e-7, "");
        let borne = mine.loads.iter().zip(&theirs.loads).map(|(a, b)| a.force[2] - b.force[2]);
        let most = theirs.loads.iter().map(|load| load.force[2].abs()).fold(0.0, f64::max);
        proof::row("what they pull by", "the same", 100.0 * proof::largest(borne) / most, 1.0, "%");
    }
}

/// A clamped rod whose curvature grows slowly lies on an arc in the end, one whose twist grows beside it on a screw: each
/// joint turns by what its length of the curvature is, half of one at the wall.
#[test]
fn a_rod_curls_by_its_curvature() {
    let curled = |[across, twist]: [f64; 2]| {
        let keys = format!(
            "clamp = ['first']\nviscosity = 0.05\ncurvature = {{ keyframes = [{{ time = 0, value = [0, 0, 0] }}, \
             {{ time = 1, value = [{across}, 0, {twist}] }}] }}"
        );
        let model = rod(10, 0.0, 1e10, &keys);
        let state = Running::new(&model).run(120);
        let l = 1.0 / 32.0;
        // The first axis is y and the third x: the second is -z.
        let mut axes = [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]].map(Vec3::from);
        let mut place = Vec3::zero();
        let mut worst = 0.0_f64;
        for (node, x) in state.positions.iter().enumerate() {
            worst = worst.max((Vec3::from(*x) - place).length());
            let share = if node == 0 { 0.5 * l } else { l };
            let turn = axes[0] * across + axes[2] * twist;
            axes = axes.map(|axis| turned(axis, turn * share));
            place += axes[2] * l;
        }
        worst
    };
    proof::row("a rod that curls, from its arc", "0", curled([4.0, 0.0]), 1e-4, "m");
    proof::row("a rod that curls and twists, from its screw", "0", curled([9.0, 4.0]), 1e-4, "m");
}

/// A vector turned by a rotation vector.
fn turned(v: Vec3<f64>, by: Vec3<f64>) -> Vec3<f64> {
    let (axis, angle) = by.direction_and_length();
    let (sin, cos) = angle.sin_cos();
    v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos))
}

/// Rods in which waves of curvature run go where they go in double precision, and there again after going back.
#[test]
fn actuated_rods_follow_their_twin() {
    let model = scene(
        "solver = { substeps = 10 }\n[[body]]\nkind = 'rod'\nradius = 0.004\ndensity = 1200\nyoung_modulus = 1e6\n\
         strands = 5\nspacing = [0, 0, 0.05]\nviscosity = 2e-3\nclamp = ['first']\n\
         mesh = { line = { from = [0, 0, 0], to = [0.3, 0, 0], segments = 17 } }\n\
         curvature = { keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 0.1, value = [6, 2, 5] }, \
         { time = 0.2, value = [0, 0, 0] }], period = 0.2, delay = 0.4, lag = 0.03 }",
    );
    let mut running = Running::new(&model);
    running.run(3);
    let amid = running.snapshot();
    let (mine, theirs) = (running.run(3), crate::models::run(&model, 6));
    proof::row("actuated rods after 6 frames", "double precision", proof::apart(&mine, &theirs), 1e-5, "m");
    running.restore(&amid);
    let again = proof::apart(&running.run(3), &mine);
    proof::row("actuated rods after going back, from where they were", "0", again, 1e-6, "m");
    let mut still = model.clone();
    still.curves.clear();
    still.rods.iter_mut().flat_map(|rod| &mut rod.bends).for_each(|joint| joint.curve = None);
    let apart = proof::apart(&mine, &crate::models::run(&still, 6));
    assert!(apart > 1e-3, "curves move it by {apart} m: the test shows nothing");
}
