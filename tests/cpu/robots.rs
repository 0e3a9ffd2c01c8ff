//! Robots from URDF files move as theory and their motors say.

use std::f64::consts::TAU;

use pliant::model::{Model, State};
use pliant::scene::{JointMotor, Robot, Scene};

use crate::device::Running;
use crate::proof;

/// m/s²
const GRAVITY: f64 = 9.81;
const FRAME: f64 = 1.0 / 60.0;

fn model(robot: Robot, substeps: u32) -> Model {
    let mut scene = Scene::new("a robot").robot(robot);
    scene.settings.substeps = substeps;
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The mean place of a body's own particles, m.
fn middle(model: &Model, state: &State, name: &str) -> [f64; 3] {
    let body = model.bodies.iter().find(|body| body.name == name).unwrap();
    let range = body.particles.start as usize..body.particles.end as usize;
    let count = range.len() as f64;
    std::array::from_fn(|i| state.positions[range.clone()].iter().map(|x| x[i]).sum::<f64>() / count)
}

/// A link of an `<inertial>` alone swings from 0.6 rad as theory says: T = 2π √((I + m l²)/(m g l)) / agm(1, cos θ/2).
#[test]
fn a_pendulum_swings_by_its_inertial() {
    let (mass, length, inertia, angle) = (1.7, 0.35, 0.03, 0.6);
    let text = format!(
        "<robot name=\"p\"><link name=\"ceiling\"/><link name=\"bob\"><inertial><origin xyz=\"0 0 {}\"/>\
         <mass value=\"{mass}\"/><inertia ixx=\"0.04\" iyy=\"{inertia}\" izz=\"0.02\"/></inertial></link>\
         <joint name=\"swing\" type=\"continuous\"><parent link=\"ceiling\"/><child link=\"bob\"/><axis xyz=\"0 1 0\"/>\
         </joint></robot>",
        -length
    );
    let model = model(Robot::parse(text, "p.urdf").pose("swing", angle), 20);
    let mut running = Running::new(&model);
    let series: Vec<f64> = (0..160).map(|_| middle(&model, &running.run(1), "p/bob")[0]).collect();
    let rises: Vec<f64> = series
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0)
        .map(|(i, pair)| (i as f64 + pair[0] / (pair[0] - pair[1])) * FRAME)
        .collect();
    assert!(rises.len() >= 2, "it does not swing: {rises:?}");
    let found = (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64;
    let small = TAU * ((inertia + mass * length * length) / (mass * GRAVITY * length)).sqrt();
    let (mut a, mut b) = (1.0, f64::cos(0.5 * angle));
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    proof::row("period of a URDF pendulum", "2π √(I/mgl) / agm", (found / (small / a) - 1.0).abs(), 0.005, "of it");
}

/// Two links, driven against gravity by curves, stand where the curves say, also where they were placed elsewhere.
#[test]
fn a_driven_arm_reaches_its_targets() {
    let link = "<inertial><origin xyz=\"0 0 0.2\"/><mass value=\"2\"/><inertia ixx=\"0.03\" iyy=\"0.03\" izz=\"0.002\"/>\
                </inertial><collision><origin xyz=\"0 0 0.2\"/><geometry><box size=\"0.05 0.05 0.4\"/></geometry></collision>";
    let joint = |name: &str, parent: &str, child: &str, height: f64| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"0 0 {height}\"/><axis xyz=\"0 1 0\"/><limit lower=\"-2\" upper=\"2.5\"/></joint>"
        )
    };
    let text = format!(
        "<robot name=\"arm\"><link name=\"world\"/><link name=\"upper\">{link}</link><link name=\"fore\">{link}</link>{}{}</robot>",
        joint("shoulder", "world", "upper", 0.5),
        joint("elbow", "upper", "fore", 0.4)
    );
    let targets = [1.2, -0.9];
    let motor = |from: f64, to: f64| JointMotor::keyframes([(0.0, from), (0.7, to)]);
    let robot = Robot::parse(text, "arm.urdf")
        .pose("shoulder", -0.4)
        .pose("elbow", 0.8)
        .motor("shoulder", motor(-0.4, targets[0]))
        .motor("elbow", motor(0.8, targets[1]));
    let model = model(robot, 20);
    let state = Running::new(&model).run(60);
    // The file's z axis is up, and it turns about its y axis, which points away: from y to x.
    let [upper, fore] = ["arm/upper", "arm/fore"].map(|name| middle(&model, &state, name));
    let shoulder = f64::atan2(upper[0], upper[1] - 0.5);
    let elbow = [0.4 * shoulder.sin(), 0.5 + 0.4 * shoulder.cos()];
    let bend = f64::atan2(fore[0] - elbow[0], fore[1] - elbow[1]) - shoulder;
    let off = (shoulder - targets[0]).abs().max((bend - targets[1]).abs());
    proof::row("angles of a driven two-link URDF arm", "their targets", off, 1e-3, "rad");
    assert!(upper[2].abs() < 1e-5 && fore[2].abs() < 1e-5, "it leaves its plane");
}

/// The gallery's arm holds the ball between two fingers on its way, and leaves it on the other stand.
#[test]
fn an_arm_takes_a_ball_elsewhere() {
    let model = Scene::open("robot").unwrap().build().unwrap().model;
    let mut running = Running::new(&model);
    let held = |state: &State| {
        let [ball, palm] = ["ball", "robot/palm"].map(|name| middle(&model, state, name));
        (0..3).map(|i| (ball[i] - palm[i]).powi(2)).sum::<f64>().sqrt()
    };
    // From when the ball has left the first stand to when it reaches the second.
    let lifted = held(&running.run(140));
    let mut slipped: f64 = 0.0;
    for _ in 0..6 {
        slipped = slipped.max((held(&running.run(20)) - lifted).abs());
        assert!(running.status().is_good(), "{:?}", running.status());
    }
    proof::row("robot: how far the ball slips between the fingers", "0", 1e3 * slipped, 3.0, "mm");
    let [x, y, z] = middle(&model, &running.run(90), "ball");
    assert!((x - 0.3805).hypot(z + 0.3545) < 0.01 && (y - 0.18).abs() < 0.01, "the ball is at {:?}", [x, y, z]);
}
