//! Volumes: a tetrahedron's and closed surfaces', against their twin and against theory.

use pliant::measure::Measurement;
use pliant::model::{Model, State};
use pliant::scene::{Balloon, Body, Collider};

use crate::balloon::{SUBSTEPS, built, scene, sphere, volume};
use crate::device::{Running, run};
use crate::proof;

/// A ball of rubber between two planes that come together to three fifths of its height keeps its volume to 0.1 %, in each frame.
#[test]
fn a_pressed_ball_keeps_its_volume() {
    let balloon = Balloon::new(sphere(0.3, 20).stretch(1e-3));
    let body = Body::balloon(balloon).mass(0.3).damping(5.0);
    let press = |normal: f64| {
        let keyframes = vec![(0.0, [0.0; 3]), (1.0, [0.0, 0.12 * normal, 0.0])];
        Collider::plane([0.0, normal, 0.0], -0.3).keyframes(keyframes)
    };
    let mut model = built(&scene(body).collider(press(1.0)).collider(press(-1.0)));
    model.world.gravity = [0.0; 3];
    model.settings.substeps = SUBSTEPS;
    let placed = volume(&model, &model.particles.positions);
    let mut running = Running::new(&model);
    let mut height = 0.0;
    let errors: Vec<f64> = (0..90)
        .map(|_| {
            let state = running.run(1);
            height = Measurement::of(&model, &state).max[1] - Measurement::of(&model, &state).min[1];
            volume(&model, &state.positions) / placed - 1.0
        })
        .collect();
    assert!((height - 0.36).abs() < 1e-3, "the press leaves {height} m");
    let largest = 100.0 * proof::largest(errors);
    proof::row("a balloon pressed to 60 % of its height", "its volume", largest, 0.1, "%");
}

/// A thin shell of rubber under pressure, at rest: E = 1 MPa, t = 10 mm, r = 0.5 m.
fn shell(excess: f64, compliance: f64) -> (Model, State) {
    let balloon = Balloon::new(sphere(0.5, 20)).compliance(compliance).inflation(1.0 + excess);
    let body = Body::balloon(balloon).material("rubber").thickness(0.01).damping(40.0);
    let mut model = built(&scene(body));
    model.world.gravity = [0.0; 3];
    // An edge solved once yields as if its compliance, 1.15e-4 m/N, were larger by h² Σw/2: 0.5 % at this step.
    model.settings.substeps = 100;
    let state = run(&model, 40);
    (model, state)
}

/// A sphere's radius under pressure is that of the thin shell, Δr/r = p r (1 - ν)/(2 E t), to 3 %; and the pressure is linear in what
/// the volume lacks, p = (V - V(x))/α.
#[test]
fn a_pressurised_sphere_is_a_thin_shell() {
    // The mesh itself, a polyhedron, has a little less radius: by its volume.
    let radius = |volume: f64| (volume * 0.75 / std::f64::consts::PI).cbrt();
    let compliance = 1e-3;
    for excess in [0.3, 0.6] {
        let (model, state) = shell(excess, compliance);
        let [(0, pressure)] = Measurement::of(&model, &state).pressures[..] else { panic!("one surface") };
        let (placed, now) = (volume(&model, &model.particles.positions), volume(&model, &state.positions));
        let linear = ((1.0 + excess) * placed - now) / compliance;
        let claim = format!("pressure of a balloon of 1e-3 m⁵/N that lacks {:.0} litres", 1e3 * (excess * placed));
        // The volume is solved last: only what is quadratic in the way of a substep is left, and single precision.
        proof::relative(&claim, "p = (V - V(x))/α", pressure, linear, 1e-4);
        let stretch = radius(now) / radius(placed) - 1.0;
        let theory = pressure * radius(placed) * (1.0 - 1.0 / 3.0) / (2.0 * 1e6 * 0.01);
        let claim = format!("radius of a rubber sphere of 0.5 m by 10 mm at {pressure:.0} Pa");
        proof::relative(&claim, "thin shell, Δr/r = p r (1 - ν)/(2 E t)", stretch, theory, 0.03);
        let speed = Measurement::of(&model, &state).max_speed;
        assert!(speed < 1e-3, "it still moves at {speed} m/s");
    }
}
