//! Rigid bodies and their joints against closed forms: rolling, tumbling, pendulums, limits, motors, loads, and twins.

use pliant::measure::Measurement;
use pliant::model::State;

use crate::device::Running;
use crate::joints::{GRAVITY, cuboid, joint, scene, solver};
use crate::proof;

/// A double pendulum never gains energy, and loses little.
#[test]
fn a_double_pendulum_never_gains() {
    let text = solver(60, GRAVITY)
        + &cuboid("upper", [0.5, 0.05, 0.05], 1.0, [0.25, 0.0, 0.0], "")
        + &cuboid("lower", [0.5, 0.05, 0.05], 1.0, [0.75, 0.0, 0.0], "")
        + &joint("hinge", &["upper"], [0.0; 3], "axis = [0, 0, 1]")
        + &joint("hinge", &["upper", "lower"], [0.5, 0.0, 0.0], "axis = [0, 0, 1]");
    let model = scene(&text);
    let mut running = Running::new(&model);
    let energy = |state: &State| {
        let measured = Measurement::of(&model, state);
        measured.kinetic_energy_j + measured.gravity_energy_j
    };
    let first = energy(&running.state());
    let (mut highest, mut last) = (f64::NEG_INFINITY, first);
    for _ in 0..15 {
        last = energy(&running.run(4));
        highest = highest.max(last);
    }
    // It falls by up to 0.5 + 1 m.
    let scale = GRAVITY * 1.0;
    proof::row("energy gained by a double pendulum in 1 s", "none", (highest - first).max(0.0) / scale, 1e-3, "");
    proof::row("energy lost by it", "little", (first - last) / scale, 0.1, "");
}

/// A ball that rolls over planks, which hinges hold between two places, makes no energy. Where planks twist, the hinges'
/// axes are no longer parallel, and their equations say nearly the same twice: an error that they cannot all mend drove
/// them to 3 MJ before.
#[test]
fn a_ball_on_hinged_planks_makes_no_energy() {
    let places =
        [[-0.5, 0.0], [-0.259_722_4, -0.105_702_2], [0.0, -0.143_787_7], [0.259_722_4, -0.105_702_2], [0.5, 0.0]];
    let mut text = solver(10, GRAVITY);
    for (plank, ends) in places.windows(2).enumerate() {
        let ([ax, ay], [bx, by]) = (ends[0], ends[1]);
        let half = 0.5 * f64::atan2(by - ay, bx - ax);
        text += &format!(
            "[[body]]\nname = '{plank}'\nkind = 'rigid'\nmesh = {{ box = {{ cells = [1, 1, 2], size = [0.2485, 0.03, 0.5] }} }}\n\
             mass = 0.75\nposition = [{}, {}, 0]\nrotation = [0, 0, {}, {}]\nradius = 0.003\ncontact = 'surface'\n\
             collision_group = 1\ncollides_with = [0]\n",
            0.5 * (ax + bx),
            0.5 * (ay + by),
            half.sin(),
            half.cos()
        );
    }
    text += "[[body]]\nkind = 'particles'\npositions = [[0.03, 0.1742, 0.1]]\nmass = 4\nradius = 0.1\ncontact = 'surface'\n";
    for (hinge, [x, y]) in places.into_iter().enumerate() {
        let names = ["0", "1", "2", "3"];
        text += &joint("hinge", &names[hinge.saturating_sub(1)..(hinge + 1).min(4)], [x, y, 0.0], "axis = [0, 0, 1]");
    }
    let model = scene(&text);
    let mut running = Running::new(&model);
    let mut energy = |frames: u32| {
        let measured = Measurement::of(&model, &running.run(frames));
        measured.kinetic_energy_j + measured.gravity_energy_j
    };
    let first = energy(0);
    let most = (0..20).map(|_| energy(1) - first).fold(f64::NEG_INFINITY, f64::max);
    proof::row("a ball on planks that hinges hold: energy above that at first", "none", most.max(0.0), 1e-3, "J");
}
