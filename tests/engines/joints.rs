//! Rigid bodies and their joints against closed forms: rolling, tumbling, pendulums, limits, motors, loads, and twins.

use std::f64::consts::PI;

use pliant::Reference;
use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::plan::Plan;
use pliant::scene::Scene;

use crate::device::Running;
use crate::proof;

/// m/s²
pub const GRAVITY: f64 = 9.81;

pub fn scene(text: &str) -> Model {
    let scene = Scene::parse(text, "scene", ".").unwrap_or_else(|error| panic!("{error}\n{text}"));
    scene.build().unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A box of this size, m, and mass, kg, at a place.
pub fn cuboid(name: &str, size: [f64; 3], mass: f64, at: [f64; 3], keys: &str) -> String {
    format!(
        "[[body]]\nname = '{name}'\nkind = 'rigid'\nmesh = {{ box = {{ cells = [1, 1, 1], size = {size:?} }} }}\nmass = {mass}\n\
         position = {at:?}\n{keys}\n"
    )
}

pub fn joint(kind: &str, bodies: &[&str], at: [f64; 3], keys: &str) -> String {
    format!("[[joint]]\nkind = '{kind}'\nbodies = {bodies:?}\nposition = {at:?}\n{keys}\n")
}

pub fn solver(substeps: u32, gravity: f64) -> String {
    format!("solver.substeps = {substeps}\nworld.gravity = [0, {}, 0]\n", -gravity)
}

/// The centre of mass of a body's own particles with its ballast, m.
fn centre(model: &Model, state: &State, body: usize) -> [f64; 3] {
    let particles = &model.rigid[body].particles;
    let mass = |p: &u32| 1.0 / model.particles.inverse_masses[*p as usize];
    let whole: f64 = particles.iter().map(mass).sum();
    std::array::from_fn(|i| particles.iter().map(|p| mass(p) * state.positions[*p as usize][i]).sum::<f64>() / whole)
}

/// What damps a joint is implicit Euler's -c dq/dt: a wheel on an axle slows by it, a weight on a slider ends at m g/c, and
/// a weight on a slider's spring swings out as its equation says.
#[test]
fn joints_are_damped() {
    let h = 1.0 / 600.0;
    let wheel = cuboid("wheel", [0.4, 0.4, 0.1], 3.0, [0.0; 3], "angular_velocity = [0, 0, 0.5]");
    let axle = joint("hinge", &["wheel"], [0.0; 3], "axis = [0, 0, 1]\ndamping = 0.2");
    let model = scene(&(solver(10, 0.0) + &wheel + &axle));
    let state = Running::new(&model).run(60);
    let (inertia, steps) = (3.0 * 2.0 * 0.4 * 0.4 / 12.0, 600);
    let spin = Measurement::of(&model, &state).angular_momentum[2] / inertia;
    let expected = 0.5 * (1.0 + 0.2 * h / inertia).powi(-steps);
    // Implicit Euler takes up to ω² h of a spin besides, in a second: 4e-4.
    proof::relative("spin of a wheel on a damped axle after a second", "exp(-c t/I)", spin, expected, 5e-4);

    let weight = cuboid("weight", [0.1, 0.1, 0.1], 3.0, [0.0; 3], "");
    let slider = |keys: &str| joint("slider", &["weight"], [0.0; 3], &format!("axis = [0, 1, 0]\n{keys}"));
    let model = scene(&(solver(10, GRAVITY) + &weight + &slider("damping = 40")));
    let state = Running::new(&model).run(60);
    let fall = Measurement::of(&model, &state).momentum[1] / 3.0;
    let expected = -3.0 * GRAVITY / 40.0 * (1.0 - (1.0 + 40.0 * h / 3.0_f64).powi(-600));
    proof::relative("fall of a weight on a damped slider", "-m g/c (1 - exp(-c t/m))", fall, expected, 1e-4);

    let keys = "damping = 6\nmotor = { target = 0, compliance = 1e-3 }";
    let model = scene(&(solver(10, GRAVITY) + &weight + &slider(keys)));
    let state = Running::new(&model).run(40);
    let (mut before, mut now) = (0.0_f64, 0.0_f64);
    for _ in 0..400 {
        let pull = 3.0 / (h * h);
        let next = (pull * (2.0 * now - before) + 6.0 / h * now - 3.0 * GRAVITY) / (pull + 6.0 / h + 1e3);
        (before, now) = (now, next);
    }
    let lower = centre(&model, &state, 0)[1];
    proof::row(
        "a weight on a damped spring of a slider, after 40 frames",
        "implicit Euler",
        (lower - now).abs(),
        1e-5,
        "m",
    );
}

/// A box that tumbles freely keeps its momenta, and turns as Euler's equations say: about its middle axis it flips.
#[test]
fn a_tumbling_box_flips() {
    let size = [0.3, 0.1, 0.2];
    // In axes of the box: inertias over the mass.
    let square = size.map(|a| a * a / 12.0);
    let inertia = [square[1] + square[2], square[0] + square[2], square[0] + square[1]];
    let start = [0.01, 0.05, 8.0];
    let text = solver(40, 0.0) + &cuboid("box", size, 2.0, [0.0; 3], &format!("angular_velocity = {start:?}"));
    let model = scene(&text);
    let mut running = Running::new(&model);
    let first = Measurement::of(&model, &running.state());
    // Euler's equations and the rotation, by small steps of the midpoint rule: the box's middle axis is its z axis, which
    // is that of the largest spin here only by name.
    let euler = |w: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            (inertia[j] - inertia[k]) * w[j] * w[k] / inertia[i]
        })
    };
    let (frames, steps) = (40, 20_000);
    let h = f64::from(frames) / 60.0 / f64::from(steps);
    let (mut w, mut axes) = (start, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    for _ in 0..steps {
        let half = euler(w);
        let middle: [f64; 3] = std::array::from_fn(|i| w[i] + 0.5 * h * half[i]);
        let change = euler(middle);
        let world: [f64; 3] = std::array::from_fn(|i| (0..3).map(|k| axes[k][i] * middle[k]).sum());
        let angle = (world.iter().map(|v| v * v).sum::<f64>()).sqrt() * h;
        let unit = world.map(|v| v * h / angle);
        for axis in &mut axes {
            let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
            };
            let (once, dot) = (cross(unit, *axis), (0..3).map(|i| unit[i] * axis[i]).sum::<f64>());
            *axis = std::array::from_fn(|i| {
                axis[i] * angle.cos() + once[i] * angle.sin() + unit[i] * dot * (1.0 - angle.cos())
            });
        }
        w = std::array::from_fn(|i| w[i] + h * change[i]);
    }
    let state = running.run(frames);
    let last = Measurement::of(&model, &state);
    let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    let size_of = |a: [f64; 3]| apart(a, [0.0; 3]);
    let lost = apart(last.angular_momentum, first.angular_momentum) / size_of(first.angular_momentum);
    proof::row("angular momentum of a tumbling box", "kept", lost, 1e-4, "of it");
    // The direction of a corner, which is turned with the box.
    let corner = model.particles.positions[0];
    let expected: [f64; 3] = std::array::from_fn(|i| (0..3).map(|k| axes[k][i] * corner[k]).sum());
    let middle = centre(&model, &state, 0);
    let found: [f64; 3] = std::array::from_fn(|i| state.positions[0][i] - middle[i]);
    proof::row(
        "a box tumbles for 0.67 s at 8 rad/s",
        "Euler's equations",
        apart(found, expected) / size_of(corner),
        0.03,
        "",
    );
}

/// A pendulum on a hinge swings with the period of its inertia at a large angle, (4/ω₀) K(sin θ/2), and keeps its length.
#[test]
fn a_pendulum_has_its_period() {
    let (length, size) = (1.0, [0.1, 0.1, 0.1]);
    for (kind, axis) in [("hinge", "axis = [0, 0, 1]"), ("ball", "")] {
        let text = solver(40, GRAVITY)
            + &cuboid("bob", size, 2.0, [length, 0.0, 0.0], "")
            + &joint(kind, &["bob"], [0.0; 3], axis);
        let model = scene(&text);
        let mut running = Running::new(&model);
        // From rest at 90°: K(sin 45°) = 1.8540746773.
        let inertia = length * length + 2.0 * size[0] * size[0] / 12.0;
        let omega = (GRAVITY * length / inertia).sqrt();
        let period = 4.0 / omega * 1.854_074_677_3;
        let frames = (60.0 * period / 2.0).round() as u32;
        let state = running.run(frames);
        // Half a period later it is at rest on the other side: how far from there tells how much the period is off.
        let [x, y, _] = centre(&model, &state, 0);
        let angle = (-x).atan2(-y);
        proof::row(
            &format!("a pendulum on a {kind}, half a period from 90°"),
            "90° on the other side",
            (angle - PI / 2.0).abs(),
            0.03,
            "rad",
        );
        proof::row(&format!("its length on the {kind}"), "kept", (x.hypot(y) / length - 1.0).abs(), 1e-4, "");
    }
}

/// A chain of twenty links with a weight of a thousand times theirs hangs as long as it is with five substeps, and its
/// joints bear what hangs below.
#[test]
fn a_heavy_weight_hangs_on_a_light_chain() {
    let mut text = solver(5, GRAVITY);
    let links = 20;
    for i in 0..links {
        text += &cuboid(&format!("link{i}"), [0.02, 0.1, 0.02], 0.01, [0.0, -0.05 - 0.1 * f64::from(i), 0.0], "");
        let above = format!("link{}", i - 1);
        let name = format!("link{i}");
        let bodies: Vec<&str> = if i == 0 { vec![&name] } else { vec![&above, &name] };
        text += &joint("ball", &bodies, [0.0, -0.1 * f64::from(i), 0.0], "");
    }
    text += &cuboid("weight", [0.3, 0.3, 0.3], 10.0, [0.0, -0.1 * f64::from(links) - 0.15, 0.0], "");
    text += &joint("ball", &[&format!("link{}", links - 1), "weight"], [0.0, -0.1 * f64::from(links), 0.0], "");
    let model = scene(&text);
    let mut running = Running::new(&model);
    let state = running.run(60);
    let sag = -centre(&model, &state, links as usize)[1] - (0.1 * f64::from(links) + 0.15);
    proof::row("sag of a chain under a thousandfold weight, 5 substeps", "0", sag.abs() / 2.0, 1e-3, "of its length");
    let mass = 10.0 + 0.01 * f64::from(links);
    proof::relative("force of its first joint", "the weight below", state.joints[0].force, mass * GRAVITY, 1e-2);
    proof::relative("force of its last joint", "the weight", state.joints[links as usize].force, 10.0 * GRAVITY, 1e-2);
}

/// Limits stop a hinge and a slider where they are; a motor leads both along their targets, a soft one as its compliance
/// says; a distance with limits is free between them.
#[test]
fn limits_and_motors_do_as_they_say() {
    let at_rest = |text: &str, frames: u32| {
        let model = scene(text);
        let mut running = Running::new(&model);
        let state = running.run(frames);
        let place = centre(&model, &state, 0);
        (state, place)
    };
    let arm = |gravity: f64, keys: &str| {
        solver(10, gravity)
            + &cuboid("arm", [1.0, 0.1, 0.1], 1.0, [0.5, 0.0, 0.0], "")
            + &joint("hinge", &["arm"], [0.0; 3], &format!("axis = [0, 0, 1]\n{keys}"))
    };
    let angle = |[x, y, _]: [f64; 3]| y.atan2(x);
    let (_, place) = at_rest(&arm(GRAVITY, "limits = [-0.5, 0.5]"), 120);
    proof::row("a hinge falls to its limit", "-0.5 rad", (angle(place) + 0.5).abs(), 1e-3, "rad");
    let cone = solver(10, GRAVITY)
        + &cuboid("arm", [1.0, 0.1, 0.1], 1.0, [0.5, 0.0, 0.0], "angular_velocity = [0.5, 1.5, 0]")
        + &joint("ball", &["arm"], [0.0; 3], "axis = [1, 0, 0]\nlimits = [0, 0.4]");
    let model = scene(&cone);
    let mut running = Running::new(&model);
    let out = |[x, y, z]: [f64; 3]| y.hypot(z).atan2(x);
    let most = (0..120).map(|_| out(centre(&model, &running.run(1), 0))).fold(0.0, f64::max);
    proof::row("an arm in a cone never leaves it", "0.4 rad", (most - 0.4).max(0.0), 2e-3, "rad");
    let (_, place) = at_rest(&cone, 600);
    proof::row(
        "and ends at its lower edge",
        "-0.4 rad",
        (place[1].atan2(place[0].hypot(place[2])) + 0.4).abs(),
        2e-2,
        "rad",
    );
    let curve = "motor = { keyframes = [{ time = 0, value = 0 }, { time = 1, value = 2.0 }] }";
    let (state, place) = at_rest(&arm(GRAVITY, curve), 90);
    proof::row("a motor leads a hinge", "2 rad", (angle(place) - 2.0).abs(), 1e-3, "rad");
    let held = GRAVITY * 0.5 * f64::cos(2.0).abs();
    proof::relative("moment of a motor that holds an arm", "m g x", state.joints[0].moment, held, 2e-2);
    // It swings about where its weight holds it: half of its greatest angle from rest, but for what the weight's arm
    // grows shorter, and for the 2 % that implicit Euler takes until then.
    let model = scene(&arm(GRAVITY, "motor = { target = 0, compliance = 0.02 }"));
    let mut running = Running::new(&model);
    let lowest = (0..60).map(|_| angle(centre(&model, &running.run(1), 0))).fold(0.0, f64::min);
    proof::relative("twice the sag of a soft motor", "2 α m g x", -lowest, 2.0 * 0.02 * GRAVITY * 0.5, 4e-2);

    let lift = |keys: &str| {
        solver(10, GRAVITY)
            + &cuboid("lift", [0.2, 0.2, 0.2], 3.0, [0.0; 3], "")
            + &joint("slider", &["lift"], [0.0; 3], &format!("axis = [0, 1, 0]\n{keys}"))
    };
    let (state, place) = at_rest(&lift("limits = [-0.3, 1.0]"), 60);
    proof::row("a slider falls to its limit", "-0.3 m", (place[1] + 0.3).abs() + place[0].hypot(place[2]), 1e-3, "m");
    proof::relative("force of its limit", "the weight", state.joints[0].force, 3.0 * GRAVITY, 1e-2);
    let (_, place) = at_rest(&lift("motor = { target = 0.25 }"), 30);
    proof::row("a motor leads a slider", "0.25 m", (place[1] - 0.25).abs(), 1e-3, "m");

    let hung = |keys: &str| {
        solver(10, GRAVITY)
            + &cuboid("bob", [0.2, 0.2, 0.2], 3.0, [0.0; 3], "")
            + &joint("distance", &["bob"], [0.0, 0.1, 0.0], &format!("other_end = [0, 0.6, 0]\n{keys}"))
    };
    let (_, place) = at_rest(&hung(""), 60);
    proof::row("a distance keeps its length", "0.5 m", place[1].abs(), 1e-3, "m");
    let (_, place) = at_rest(&hung("limits = [0, 0.8]"), 60);
    proof::row("a rope of a distance is taut", "0.3 m below", (place[1] + 0.3).abs(), 1e-3, "m");
}

/// What is held by its end breaks off where its weight has too long an arm.
#[test]
fn joints_break_by_their_moment() {
    for (strength, breaks) in [(1.1, false), (0.9, true)] {
        let keys = format!("break_moment = {}", strength * 2.0 * GRAVITY * 0.25);
        let text = solver(10, GRAVITY)
            + &cuboid("plank", [0.5, 0.05, 0.1], 2.0, [0.25, 0.0, 0.0], "")
            + &joint("fixed", &["plank"], [0.0; 3], &keys);
        let state = Running::new(&scene(&text)).run(10);
        assert_eq!(state.joints[0].broken, breaks, "at {strength} of the moment that it bears: {:?}", state.joints[0]);
    }
}

/// A joint breaks where it bears too much and holds where it does not.
#[test]
fn joints_break_by_their_force() {
    for (strength, breaks) in [(1.05, false), (0.95, true)] {
        let keys = format!("break_force = {}", strength * 2.0 * GRAVITY);
        let text = solver(10, GRAVITY)
            + &cuboid("box", [0.1, 0.1, 0.1], 2.0, [0.0; 3], "")
            + &joint("fixed", &["box"], [0.0, 0.05, 0.0], &keys);
        let model = scene(&text);
        let mut running = Running::new(&model);
        let state = running.run(10);
        assert_eq!(state.joints[0].broken, breaks, "{strength}: {:?}", state.joints[0]);
        let fell = -centre(&model, &state, 0)[1];
        assert!(if breaks { fell > 0.05 } else { fell < 1e-5 }, "{strength}: {fell} m");
    }
}

/// A solid sphere rolls down a slope with 5/7 of g sin θ.
#[test]
fn a_sphere_rolls() {
    let slope: f64 = 0.2;
    let radius = 0.2;
    let gravity = [GRAVITY * slope.sin(), -GRAVITY * slope.cos(), 0.0];
    let text = format!(
        "solver.substeps = 20\nworld.gravity = {gravity:?}\n[[body]]\nkind = 'rigid'\nmass = 1.0\nfriction = 1.0\nposition = [0, {radius}, 0]\n\
         mesh = {{ sphere = {{ radius = {radius}, segments = 48 }} }}\n[[collider]]\nshape = {{ plane = {{ normal = [0, 1, 0], offset = 0 }} }}\nfriction = 1.0\n"
    );
    let model = scene(&text);
    let mut running = Running::new(&model);
    let [a, b] = [30, 30].map(|frames| {
        let state = running.run(frames);
        let particles = &model.rigid[0].particles;
        let mass = |p: &u32| 1.0 / model.particles.inverse_masses[*p as usize];
        particles.iter().map(|p| mass(p) * state.velocities[*p as usize][0]).sum::<f64>()
            / particles.iter().map(mass).sum::<f64>()
    });
    proof::relative("a solid sphere rolls down a slope", "5/7 g sin θ", (b - a) / 0.5, 5.0 / 7.0 * gravity[0], 3e-2);
}

/// A frame of bodies in all kinds of joints is that of the reference.
#[test]
fn joints_equal_their_twin() {
    let mut text = solver(10, GRAVITY);
    let kinds = [
        ("ball", "axis = [1, 0, 0]\nlimits = [0, 0.01]"),
        ("hinge", "axis = [0, 0, 1]\nlimits = [-0.5, 0.4]\ndamping = 0.05"),
        ("slider", "axis = [1, 0.2, 0]\nmotor = { target = 0.05, compliance = 1e-4 }"),
        ("fixed", "compliance = 1e-4"),
        ("distance", "other_end = [1.35, 0.1, 0.0]"),
    ];
    for (i, (kind, keys)) in kinds.iter().enumerate() {
        let x = 0.3 * i as f64;
        text +=
            &cuboid(kind, [0.2, 0.1, 0.15], 1.0 + i as f64, [0.15 + x, 0.0, 0.0], "angular_velocity = [0.1, 0.2, 0.3]");
        let bodies: Vec<&str> = if i == 0 { vec![kind] } else { vec![kinds[i - 1].0, kind] };
        text += &joint(kind, &bodies, [x, 0.01, 0.02], keys);
    }
    // And a ring of hinges, of which one is more than is needed.
    text += &joint("hinge", &["ball", "fixed"], [0.5, -0.1, 0.0], "axis = [0, 0, 1]\ncompliance = 1e-5");
    let model = scene(&text);
    let plan = Plan::new(&model);
    let mut reference = Reference::new(&model, &plan);
    (0..3).for_each(|_| reference.step());
    let mut running = Running::new(&model);
    let state = running.run(3);
    let apart = proof::apart(&state, &reference.state());
    proof::row("bodies in all kinds of joints, three frames: the engine and the reference", "0", apart, 2e-5, "m");
}
