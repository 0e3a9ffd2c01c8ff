//! The contacts of particles with each other of the reference solver, against theory.

use pliant::Reference;
use pliant::constraint::{Distance, kind};
use pliant::model::Material;
use pliant::plan::Plan;

use crate::billiards::*;
use crate::models::*;
use crate::{ROUNDING, proof};

/// Two balls that meet head on or obliquely, of masses up to 1 : 1000, part with the share e of the speed with which they came along
/// the line of centres, keep what they had across it, and keep their momentum and, with e = 1, their energy.
#[test]
fn balls_part_by_restitution() {
    for (ratio, offset, restitution) in
        [(1.0, 0.0, 1.0), (1.0, 0.0, 0.3), (3.0, 0.07, 1.0), (1000.0, 0.0, 1.0), (1000.0, 0.05, 0.5)]
    {
        let model = collision(ratio, offset, restitution);
        let state = run(&model, 30);
        let [error, lost] = collision_errors(&model, &state, restitution);
        let claim = format!("reference: balls 1 : {ratio} meet {offset} m off centre with e = {restitution}");
        proof::row(&claim, "momentum and parting speeds", error, ROUNDING, "m/s");
        assert!(lost < ROUNDING, "{claim}: momentum is off by {lost} kg m/s");
    }
}

/// Balls that meet obliquely rub by μ (1 + e) m v, whenever in a substep they meet, or until they no longer slide; and what is told of them is
/// the momentum that they give each other.
#[test]
fn balls_rub_by_all_that_presses() {
    for (restitution, friction) in RUBS {
        let (mut worst, mut unheard) = (0.0_f64, 0.0_f64);
        for phase in 0..20 {
            let model = rubbing(restitution, friction, f64::from(phase) / 20.0);
            let mut reference = Reference::new(&model, &Plan::new(&model));
            reference.average_contacts(true);
            let told = told(30, || {
                reference.step();
                reference.contacts()
            });
            let state = reference.state();
            worst = collision_errors(&model, &state, restitution).into_iter().fold(worst, f64::max);
            unheard = unheard.max(untold(&model, &state, told));
        }
        let claim = format!("reference: balls meet with e = {restitution} and μ = {friction}");
        // Friction shortens the way of the substep from its beginning on. So balls that then stay on each other are some micrometres short of where they touched
        // and may graze once more.
        proof::row(&claim, "(1 + e) m v, μ (1 + e) m v", worst, 1e-7, "m/s");
        proof::row(&format!("{claim}, told"), "m Δv", unheard, ROUNDING, "N s");
    }
}

/// A ball at 100 m/s, which goes 1.7 diameters in a substep, does not pass another, whatever part of its way they touch at: they part as
/// theory says of slow ones.
#[test]
fn fast_balls_do_not_pass() {
    for phase in 0..50 {
        let model = shot(f64::from(phase) / 50.0);
        let [error, lost] = collision_errors(&model, &run(&model, 2), 0.0);
        assert!(error.max(lost) < ROUNDING, "phase {phase}: {error} m/s, {lost} kg m/s");
    }
}

/// A ball that lies on another presses on it with its weight: the spring below both yields by the two weights, and a contact that is
/// compliant by its compliance times the upper one's.
#[test]
fn resting_balls_bear_their_weight() {
    let (model, expected) = tower();
    proof::row(
        "reference: a ball rests on a ball on a scale",
        "weight",
        tower_error(&model, &run(&model, 300), expected),
        1e-2,
        "",
    );
    let (model, overlap) = soft_tower();
    let state = run(&model, 300);
    let error = (2.0 * RADIUS - (state.positions[1][1] - state.positions[0][1])) / overlap - 1.0;
    proof::row("reference: a compliant contact yields", "α m g", error.abs(), 1e-2, "");
}

#[test]
fn balls_slip_at_the_friction_angle() {
    assert_slips_at_the_friction_angle(run);
}

/// Pairs of one body without `self_collision` are left alone, and of what constraints join those that were placed closer than they touch; bodies touch each other
/// without it.
#[test]
fn what_is_left_alone() {
    let mut model = collision(1.0, 0.0, 1.0);
    model.bodies[0].self_collision = false;
    let free = run(&model, 30);
    let passed = |state: &pliant::model::State| (state.velocities[0][0] - 2.0).abs() < ROUNDING;
    assert!(passed(&free));
    let mut two = apart_in_two_bodies(&model);
    assert!(!passed(&run(&two, 30)));
    two.bodies[1].groups.with = 2;
    assert!(passed(&run(&two, 30)));
    two.bodies[1].groups = two.bodies[0].groups;
    two.bodies[1].radius = 0.0;
    assert!(passed(&run(&two, 30)));

    let mut model = particles(&[[0.0; 3], [1.9 * RADIUS, 0.0, 0.0]], &[1.0; 2]);
    model.world.gravity = [0.0; 3];
    touchy(&mut model);
    // Loose ones keep the distance at which they were placed, and one that goes into the other passes where a constraint joins them.
    model.particles.velocities[0] = [1.0, 0.0, 0.0];
    let pushed = run(&model, 10).velocities[1][0];
    assert!(pushed > 0.4, "{pushed} m/s");
    let slack = Material { compliance: 1e9, ..Material::default() };
    connect(&mut model, kind::<Distance>(), &[0, 1], slack);
    let passed = run(&model, 10).velocities[1][0];
    assert!(passed.abs() < 1e-6, "{passed} m/s");
}

/// Balls of radii 1 : 10 that are thrown at each other never overlap by more than a tenth of the smaller one's radius once they have
/// come to rest, and momentum stays.
#[test]
fn radii_mix() {
    let model = mixed();
    let state = run(&model, 240);
    let worst = deepest(&model, &state);
    assert!(worst < 0.1 * SMALL, "{worst} m");
}

/// A ball on a lighter one comes to rest, as deep in it as theory says.
#[test]
fn heavy_balls_rest_on_light_ones() {
    for burden in BURDENS {
        assert_sinks("reference: ", burden, run);
    }
}

/// Particles that are nowhere, or farther than cells are counted, end no search: they touch nothing, and others do as
/// without them.
#[test]
fn what_is_nowhere_touches_nothing() {
    for nowhere in [f64::NAN, f64::INFINITY, -1e300] {
        let mut model = mixed();
        model.particles.positions[30] = [nowhere; 3];
        let state = run(&model, 2);
        let others = state.positions.iter().enumerate().filter(|(i, _)| *i != 30).map(|(_, place)| place);
        assert!(others.flatten().all(|x| x.abs() < 2.0), "{nowhere}");
    }
}
