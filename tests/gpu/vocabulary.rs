//! Kinds that hold, limit and keep apart, each against what its formula says.

use pliant::Engine;
use pliant::constraint::{
    AttachTriangle, Distance, EdgeEdge, Kind, LoopArea, Plane, PointSegment, PointTriangle, Tether, Vec3, Weld, kind,
};
use pliant::measure::constraint_force;
use pliant::model::{Material, Model, Side};
use pliant::solver::ChangeError;

use crate::device::{Running, run};
use crate::models::{self, GRAVITY, compliant};

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} to {tolerance}");
}

/// A material that comes to rest quickly: critically damped at a mass of 1 kg, 2 √(m/α).
fn settling(compliance: f64) -> Material {
    Material { damping: 2.0 / compliance.sqrt(), ..compliant(compliance) }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from(a) - Vec3::from(b)).length()
}

/// A ten-corner polygon whose edges are springs, squashed to a hundredth of its height, springs back to its area and to its height:
/// the area is signed and has a gradient where it is flat.
#[test]
fn a_squashed_loop_springs_back() {
    let corner = |i: u32| std::f64::consts::TAU * f64::from(i) / 10.0;
    let round: Vec<[f64; 3]> = (0..10).map(|i| [corner(i).cos(), corner(i).sin(), 0.0]).collect();
    let ring: Vec<u32> = (0..10).collect();
    let mut model = models::particles(&round, &[0.1; 10]);
    model.world.gravity = [0.0; 3];
    let damped = Material { damping: 20.0, ..compliant(1e-3) };
    for i in 0..10 {
        models::spring(&mut model, i, (i + 1) % 10, damped);
    }
    models::connect(&mut model, kind::<LoopArea>(), &ring, damped);
    for position in &mut model.particles.positions {
        position[1] *= 0.01;
    }
    let state = run(&model, 180);
    let placed: Vec<Vec3<f64>> = round.iter().map(|&x| x.into()).collect();
    let now: Vec<Vec3<f64>> = state.positions.iter().map(|&x| x.into()).collect();
    let [rest, area] = [placed, now].map(|x| kind::<LoopArea>().measure(&x)[0]);
    assert_close(area / rest, 1.0, 1e-3);
    assert!(state.positions.iter().all(|x| x[2] == 0.0), "it stays in its plane");
}

/// A hanging chain of forty links that one iteration leaves stretched is held to its length by one tether at its end.
#[test]
fn a_tether_keeps_a_chain_from_stretching() {
    let mut chain = models::chain(40, 0.05, Material::default());
    chain.settings.substeps = 2;
    let end = |model: &Model| -run(model, 60).positions[40][1];
    let loose = end(&chain);
    let pull = Material { side: Side::Pull, ..Material::default() };
    models::connect(&mut chain, kind::<Tether>(), &[40, 0], pull);
    let tethered = end(&chain);
    assert!(loose > 4.4, "without a tether it hangs {loose} m deep");
    // Its end is solved last in each substep: what is left is rounding.
    assert_close(tethered, 4.0, 1e-4);
}

/// Tethers that are solved at the same time although they share their pin give what the twin gives one after another, the pin follows its
/// keyframes, and it cannot be set free.
#[test]
fn tethers_share_their_pin() {
    let mut model = models::chain(30, 0.05, compliant(1e-4));
    let pull = Material { side: Side::Pull, ..compliant(1e-6) };
    for i in 1..=30 {
        models::connect(&mut model, kind::<Tether>(), &[i, 0], pull);
    }
    let motion = Some(models::linear(0.5, [0.3, 0.0, 0.1]));
    models::drive(&mut model, 0, pliant::model::Drive { motion, ..Default::default() });
    let mut running = Running::new(&model);
    let (state, twin) = (running.run(30), models::run(&model, 30));
    let apart = state.positions.iter().zip(&twin.positions).map(|(&a, &b)| distance(a, b)).fold(0.0, f64::max);
    // Rounding of 1e-7 m, grown over 300 substeps of a chain that swings.
    assert!(apart < 2e-4, "{apart} m apart");
    assert!(distance(state.positions[0], [0.3, 0.0, 0.1]) < 1e-5);
    assert!(matches!(running.solver.set_inverse_mass(0, 1.0), Err(ChangeError::Shared { particle: 0 })));
    assert!(running.solver.set_inverse_mass(1, 0.0).is_ok());
}

/// A weight of 1 kg hung by a weld stretches it by α m g and reads as m g, both to 0.1 %.
#[test]
fn welds_bear_their_load() {
    let compliance = 1e-4;
    let load = GRAVITY;
    let mut model = models::particles(&[[0.0; 3], [0.0; 3]], &[0.0, 1.0]);
    models::connect(&mut model, kind::<Weld>(), &[0, 1], settling(compliance));
    let state = run(&model, 60);
    assert_close(-state.positions[1][1], load * compliance, 1e-3 * load * compliance);
    assert_close(constraint_force(&model, &state, 0, 0), load, 1e-3 * load);
}

/// A force on a particle that is attached to a triangle bears on the triangle's corners by their weights, and the attachments of those
/// yield by their shares.
#[test]
fn a_weight_on_a_triangle_bears_on_its_corners() {
    let compliance = 1e-4;
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let mut model = models::particles(&[[0.25, 0.0, 0.5], corners[0], corners[1], corners[2]], &[1.0, 1.0, 1.0, 1.0]);
    model.world.gravity = [0.0; 3];
    models::connect(&mut model, kind::<AttachTriangle>(), &[0, 1, 2, 3], settling(compliance));
    for corner in 1..4_u32 {
        let [x, y, z] = corners[corner as usize - 1];
        models::connect_with_rest(
            &mut model,
            kind::<pliant::constraint::Attach>(),
            &[corner],
            &[x, y, z],
            settling(compliance),
        );
    }
    let force = models::linear(1e-3, [0.0, -8.0, 0.0]);
    models::drive(&mut model, 0, pliant::model::Drive { forces: vec![force], ..Default::default() });
    let state = run(&model, 120);
    for (corner, share) in [(1, 0.25), (2, 0.25), (3, 0.5)] {
        assert_close(-state.positions[corner][1], 8.0 * share * compliance, 8e-3 * compliance);
    }
}

/// A particle falls onto a tilted plane without friction: it comes to the thickness and slides on with g sin θ, no deeper.
#[test]
fn a_plane_holds_at_its_thickness() {
    let normal = [0.6, 0.8, 0.0];
    let mut model = models::particles(&[[0.0, 0.0, 0.0]], &[1.0]);
    let rest = [0.0, -0.1, 0.0, 3.0, 4.0, 0.0, 0.05];
    let push = Material { side: Side::Push, ..Material::default() };
    models::connect_with_rest(&mut model, kind::<Plane>(), &[0], &rest, push);
    let state = run(&model, 60);
    let height = (0..3).map(|i| normal[i] * (state.positions[0][i] - rest[i])).sum::<f64>();
    assert_close(height, 0.05, 1e-5);
    let [vx, vy, _] = state.velocities[0];
    // Free fall of 0.03 m along the normal first; then the slope's share of gravity along it, all of which it had from the start.
    assert_close(vx * 0.8 - vy * 0.6, GRAVITY * 0.6, 0.01);
}

/// Two ends, a kind that keeps things apart, and where its particles are: nearer than the thickness they are pushed to it and no
/// farther; beyond it they are left alone.
#[test]
fn what_is_too_near_is_pushed_to_the_thickness() {
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let above = |height: f64| vec![[0.25, height, 0.25], triangle[0], triangle[1], triangle[2]];
    let beside = |height: f64| vec![[0.5, height, 0.0], [0.0; 3], [1.0, 0.0, 0.0]];
    let crossing = |height: f64| vec![[0.5, height, -0.5], [0.5, height, 0.5], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    type Case<'a> = (&'static dyn Kind, &'a dyn Fn(f64) -> Vec<[f64; 3]>);
    let cases: [Case; 3] =
        [(kind::<PointTriangle>(), &above), (kind::<PointSegment>(), &beside), (kind::<EdgeEdge>(), &crossing)];
    for (kind, place) in cases {
        for (start, expected) in [(0.03, 0.1), (-0.03, 0.1), (0.15, 0.15)] {
            let positions = place(start);
            let mut model = models::particles(&positions, &vec![1.0; positions.len()]);
            model.world.gravity = [0.0; 3];
            let push = Material { side: Side::Push, ..Material::default() };
            let particles: Vec<u32> = (0..positions.len() as u32).collect();
            models::connect_with_rest(&mut model, kind, &particles, &[0.1], push);
            // A substep only: pushed apart, they fly on.
            (model.settings.substeps, model.settings.iterations) = (1, 20);
            let state = run(&model, 1);
            let x: Vec<Vec3<f64>> = state.positions.iter().map(|&x| x.into()).collect();
            assert_close(kind.measure(&x)[0], expected, 1e-6);
            let side = state.positions[0][1] - state.positions[positions.len() - 1][1];
            assert!(side * start > 0.0, "{kind:?} left its side");
        }
    }
}

/// A pendulum between limits of its length is a free fall until the string is taut, and a stop keeps it from the pivot.
#[test]
fn limits_leave_free_what_is_between() {
    let text = "
        [[body]]
        kind = \"particles\"
        positions = [[0, 0, 0], [0, -0.5, 0], [0, 0.5, 0]]
        masses = [0, 1, 1]
        [[body.constraint]]
        kind = \"distance\"
        particles = [[0, 1], [0, 2]]
        min_length = 0.25
        max_length = 1.0";
    let model = pliant::scene::Scene::parse(text, "limits.toml", ".").unwrap().build().unwrap().model;
    assert_eq!(model.groups[0].kind, kind::<Distance>() as &dyn Kind);
    let falling = run(&model, 12);
    let fallen = models::GRAVITY * 0.2 * 0.2 / 2.0;
    // Symplectic Euler is g h t/2 ahead.
    assert_close(falling.positions[1][1], -0.5 - fallen, GRAVITY * 0.2 / 1200.0 + 1e-6);
    let state = run(&model, 120);
    assert_close(distance(state.positions[0], state.positions[1]), 1.0, 1e-4);
    assert_close(distance(state.positions[0], state.positions[2]), 0.25, 1e-4);
}
