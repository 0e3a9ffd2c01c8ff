//! The numbers of a report against values worked out by hand.

use pliant::constraint::{Distance, SurfaceVolume, Vec3, kind};
use pliant::measure::{EnergyBudget, Measurement, constraint_force, facet_stresses, strain_energy};
use pliant::model::{Collider, Curve, Drive, Keyframes, Material, Mode, Model, Multiplier, Side, State};
use pliant::scene::{Body, Cuboid, Scene, Soft};

use crate::assert_close;
use crate::kinds::Bracket;
use crate::models::*;

/// Sums of a few terms of about 1, rounded.
const ROUNDING: f64 = 1e-13;

/// The model's own beginning, with these multipliers for its first group.
fn beginning(model: &Model, multipliers: &[Multiplier]) -> State {
    let mut state = reference(model).state();
    state.multipliers[0].copy_from_slice(multipliers);
    state
}

/// Bounds are of all particles; momenta, energies, speed and centroid of the free ones only.
#[test]
fn motion_is_summed_over_free_particles() {
    let mut model = particles(&[[0.0, 2.0, 0.0], [4.0, 2.0, 0.0], [9.0, -9.0, 9.0]], &[1.0, 3.0, 0.0]);
    model.particles.velocities = vec![[0.0, 4.0, 0.0], [0.0, 0.0, 2.0], [90.0, 0.0, 0.0]];
    let measured = Measurement::of(&model, &reference(&model).state());
    assert_eq!((measured.min, measured.max), ([0.0, -9.0, 0.0], [9.0, 2.0, 9.0]));
    assert_eq!(measured.centroid, [3.0, 2.0, 0.0]);
    assert_eq!(measured.momentum, [0.0, 4.0, 6.0]);
    // (-3, 0, 0)×(0, 4, 0) + 3 (1, 0, 0)×(0, 0, 2)
    assert_eq!(measured.angular_momentum, [0.0, -6.0, -12.0]);
    assert_eq!(measured.kinetic_energy_j, 8.0 + 6.0);
    assert_close(measured.gravity_energy_j, 4.0 * GRAVITY * 2.0, ROUNDING * 100.0);
    assert_eq!(measured.max_speed, 4.0);
}

/// Where every particle is fixed, the centroid is the mean of the positions and nothing moves.
#[test]
fn fixed_particles_have_a_centroid() {
    let model = particles(&[[0.0; 3], [2.0, 4.0, 6.0]], &[0.0, 0.0]);
    let measured = Measurement::of(&model, &reference(&model).state());
    assert_eq!(measured.centroid, [1.0, 2.0, 3.0]);
    assert_eq!((measured.kinetic_energy_j, measured.max_speed, measured.momentum), (0.0, 0.0, [0.0; 3]));
}

/// Four springs of 2 m: stretched by 10 %, compressed by 20 % and rigid, welded, and one more with a material of choice
/// stretched by 50 % (or, with a rest length of 4 m, compressed by 25 %).
fn springs(rest_length: f64, last: Material) -> Model {
    let along = |x: f64| [x, 0.0, 0.0];
    let mut model = particles(&[along(0.0), along(2.2), along(3.8), along(3.8), along(6.8)], &[1.0; 5]);
    let mut add = |a, b, rest, material| connect_with_rest(&mut model, kind::<Distance>(), &[a, b], &[rest], material);
    add(0, 1, 2.0, compliant(0.01));
    add(1, 2, 2.0, compliant(0.0));
    add(2, 3, 0.0, compliant(0.01));
    add(3, 4, rest_length, last);
    model
}

/// Elastic energy is Σ α f²/2 of what constraints bear, whether they are solved or not; that of their strain Σ C²/2α; stretch the largest |length/rest - 1|, residual the root
/// mean square of C + α̃ λ.
#[test]
fn strain_is_summed_over_constraints() {
    let model = springs(2.0, compliant(0.1));
    let h = model.settings.substep_seconds();
    // The first spring is solved: C + α̃ λ = 0. The rigid one bears 7 N, and the last one 3 N, less than it is stretched by.
    let bearing = |force: f64| Multiplier { last: force * h * h, mean: 99.0, broken: false };
    let state = beginning(&model, &[bearing(-0.2 / 0.01), bearing(7.0), bearing(0.0), bearing(-3.0)]);
    let measured = Measurement::of(&model, &state);
    assert_close(measured.elastic_energy_j, 0.04 / 0.02 + 0.1 * 9.0 / 2.0, ROUNDING * 10.0);
    assert_close(strain_energy(&model, &state), 0.04 / 0.02 + 1.0 / 0.2, ROUNDING * 10.0);
    // All ends weigh 1 kg: W is 2.
    let recoverable = |value: f64, compliance: f64| value * value / (2.0 * (compliance + 2.0 * h * h / 8.0));
    let expected = recoverable(0.2, 0.01) + recoverable(0.4, 0.0) + recoverable(1.0, 0.1);
    assert_close(measured.recoverable_energy_j, expected, ROUNDING * expected);
    assert_close(measured.max_stretch, 0.5, ROUNDING);
    let (name, residual) = measured.residual[0];
    assert_eq!(name, "distance");
    assert_close(residual, ((0.16 + 0.7 * 0.7) / 4.0_f64).sqrt(), ROUNDING);
}

/// PBD mode knows no compliance: no energy, and the residual is C alone.
#[test]
fn pbd_mode_stores_no_energy() {
    let mut model = springs(2.0, compliant(0.1));
    model.settings.mode = Mode::Pbd;
    let pressing = Multiplier { last: 1.0, ..Multiplier::default() };
    let measured = Measurement::of(&model, &beginning(&model, &[pressing; 4]));
    assert_eq!(measured.elastic_energy_j, 0.0);
    assert_close(measured.residual[0].1, ((0.04 + 0.16 + 1.0) / 4.0_f64).sqrt(), ROUNDING);
}

/// What is broken counts nowhere; what is slack stores no energy and leaves no residual, but is as short as it is.
#[test]
fn broken_and_slack_constraints_do_not_act() {
    let model = springs(4.0, Material { side: Side::Pull, ..compliant(0.1) });
    let broken = Multiplier { broken: true, ..Multiplier::default() };
    let state = beginning(&model, &[broken, broken, Multiplier::default(), Multiplier::default()]);
    let measured = Measurement::of(&model, &state);
    assert_eq!((measured.elastic_energy_j, measured.residual[0].1), (0.0, 0.0));
    assert_close(measured.max_stretch, 0.25, ROUNDING);
    assert_eq!(constraint_force(&model, &state, 0, 0), 0.0);
}

/// The force of a constraint is that on its most loaded particle, its components summed as vectors: a bracket with arms of
/// 1 m and 0.1 m at a right angle bears a weight at the long one's end with a moment of ten times that at the short one's
/// end, and both at the corner.
#[test]
fn force_is_the_largest_over_particles_of_all_components() {
    let mut model = particles(&[[1.0, 0.0, 0.0], [0.0; 3], [0.0, 0.1, 0.0]], &[2.0, 0.0, 0.0]);
    connect(&mut model, kind::<Bracket>(), &[0, 1, 2], Material::default());
    let state = run(&model, 2);
    // The weight falls by g h² = 3e-5 m each substep before the bracket lifts it, which turns the gradients by as much.
    assert_close(constraint_force(&model, &state, 0, 0) / (2.0 * GRAVITY * 101.0_f64.sqrt()), 1.0, 1e-4);
}

/// The pressure of a closed surface is its multiplier over h², told with its body; what is broken has none.
#[test]
fn pressures_are_multipliers() {
    let mut model = particles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[1.0; 4]);
    let tetrahedron = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
    for broken in [false, true] {
        connect(&mut model, kind::<SurfaceVolume>(), &tetrahedron, compliant(0.0));
        let h = model.settings.substep_seconds();
        let multiplier = Multiplier { last: 5.0 * h * h, mean: 0.0, broken };
        let state = beginning(&model, &vec![multiplier; model.groups[0].len()]);
        let [(0, pressure), ..] = Measurement::of(&model, &state).pressures[..] else { panic!("a surface of body 0") };
        assert_close(pressure, if broken { 0.0 } else { 5.0 }, ROUNDING * 10.0);
    }
}

/// Where a solid of stable neo-Hookean material is stretched and sheared evenly, by F, each inner face bears n·σn with Cauchy's stress
/// σ = P Fᵀ/J, P = μ (F + (J - 2) cof F) + λ (J - 1) cof F: the derivative of the energy above `NeoHookean` over F.
#[test]
fn faces_bear_cauchys_stress() {
    let (young_modulus, poisson_ratio) = (3e4, 0.35);
    let soft = Soft::new(Cuboid { cells: [2, 2, 2], size: [0.3, 0.5, 0.4] });
    let soft = soft.young_modulus(young_modulus).poisson_ratio(poisson_ratio).tears_at(1e9);
    let model = Scene::new("").with(Body::soft(soft)).build().unwrap().model;
    let f = [[1.3, 0.2, -0.1], [0.05, 0.9, 0.15], [0.1, -0.2, 1.1]].map(Vec3::from);
    let mut state = reference(&model).state();
    for x in &mut state.positions {
        let at = Vec3::from(*x);
        *x = f.map(|row| row.dot(at));
    }
    let (group, h) = (&model.groups[0], model.settings.substep_seconds());
    let compliance = model.materials[0].compliance;
    let mut gradient = Vec::new();
    for (i, multiplier) in state.multipliers[0].iter_mut().enumerate() {
        let value = group.evaluate(i / 2, i % 2, group.rest_of(i / 2), &state.positions, &mut gradient);
        multiplier.mean = -value * h * h / compliance;
    }
    let shear = young_modulus / (2.0 * (1.0 + poisson_ratio));
    let lambda = 2.0 * poisson_ratio / (1.0 - 2.0 * poisson_ratio) * shear;
    let j = f[0].cross(f[1]).dot(f[2]);
    let cofactors = [f[1].cross(f[2]), f[2].cross(f[0]), f[0].cross(f[1])];
    let p: [Vec3<f64>; 3] =
        std::array::from_fn(|i| f[i] * shear + cofactors[i] * (shear * (j - 2.0) + lambda * (j - 1.0)));
    let stress = |i: usize, k: usize| p[i].dot(f[k]) / j;
    let tearing = model.tearing.as_ref().unwrap();
    let found = facet_stresses(&model, &state);
    assert_eq!(found.len(), tearing.facets.len());
    for (facet, found) in found.into_iter().enumerate() {
        let [a, b, c] = tearing.inside[2 * facet].map(|vertex| Vec3::from(state.positions[vertex as usize]));
        let normal = (b - a).cross(c - a);
        let n: [f64; 3] = (normal * (1.0 / normal.length())).into();
        let expected: f64 = (0..9).map(|at| n[at / 3] * stress(at / 3, at % 3) * n[at % 3]).sum();
        assert_close(found, expected, 1e-10 * young_modulus);
    }
}

/// The energies from nowhere that a budget tells of frames in double precision, each changed by `spoil` before it is looked at, J.
fn from_nowhere(model: &Model, frames: u32, spoil: impl Fn(&mut State)) -> Vec<Option<f64>> {
    let mut reference = reference(model);
    reference.average_contacts(true);
    let mut before = reference.state();
    let mut budget = EnergyBudget::new(model, &before, &Measurement::of(model, &before));
    let frame = |_| {
        reference.step();
        let (mut state, contacts) = (reference.state(), reference.contacts());
        spoil(&mut state);
        let measured = Measurement::of(model, &state);
        let excess = budget.follow(model, [&before, &state], &measured, Some(&contacts));
        before = state;
        excess
    };
    (0..frames).map(frame).collect()
}

/// A chain of 10 links, 0.1 kg each, let go from the horizontal.
fn swing(material: Material) -> Model {
    let mut model = chain(10, 0.1, material);
    model.particles.positions.iter_mut().for_each(|x| *x = [-x[1], 0.0, 0.0]);
    model
}

/// What speeds up by itself is told, with how much: a chain that swings, all of whose velocities are 10 % too large from the third frame on. As it is it has none.
#[test]
fn energy_from_nowhere_is_told() {
    for model in [swing(compliant(0.0)), swing(compliant(1e-3))] {
        assert!(from_nowhere(&model, 120, |_| {}).iter().all(Option::is_none));
        let faster = |state: &mut State| {
            let factor: f64 = if state.frame > 30 { 1.5 } else { 1.0 };
            state.velocities.as_flattened_mut().iter_mut().for_each(|v| *v *= factor);
        };
        let told = from_nowhere(&model, 31, faster);
        assert!(told[..30].iter().all(Option::is_none), "{told:?}");
        let state = run(&model, 31);
        let added = 1.25 * Measurement::of(&model, &state).kinetic_energy_j;
        let excess = told[30].expect("more than half of its motion is from nowhere");
        // Less what implicit steps took before, and what the springs could give back.
        assert!(excess < added && excess > 0.5 * added, "{excess} J of {added} J");
    }
}

/// What is driven is accounted for: by forces, pins, rest values, and colliders that move or push bodies out. Of each
/// it is more than it had at first, and without the drive's work would be told.
#[test]
fn work_from_outside_is_accounted_for() {
    let still = |model: &Model| Model {
        world: pliant::model::World { gravity: [0.0; 3], ..model.world.clone() },
        ..model.clone()
    };
    let shake = Keyframes::new((0..40).map(|k| (0.1 * f64::from(k), [0.0, 0.0, 0.2 * f64::from(k % 2)])).collect());
    let mut pinned = still(&swing(compliant(1e-4)));
    drive(&mut pinned, 0, Drive { motion: shake, forces: Vec::new(), ..Drive::default() });
    let mut pushed = still(&swing(compliant(1e-4)));
    drive(&mut pushed, 10, Drive { motion: None, forces: vec![linear(0.5, [0.0, 0.0, 3.0])], ..Drive::default() });
    let mut pulled = still(&swing(Material { curve: Some(0), ..compliant(1e-4) }));
    let keyframes = Keyframes::new(vec![(0.0, [1.0; 3]), (0.2, [0.5; 3]), (0.4, [1.0; 3])]).unwrap();
    pulled.curves.push(Curve { keyframes, period: Some(0.4), delay: 0.0 });
    let mut struck = particles(&[[0.0, 0.3, 0.0], [0.0, 0.6, 0.0]], &[1.0, 2.0]);
    struck.bodies[0].radius = 0.1;
    let motion = Keyframes::new(vec![(0.0, [0.0; 3]), (1.0, [0.0, 1.0, 0.0]), (1.1, [0.0, 1.0, 0.0])]);
    struck.colliders.push(Collider { motion, ..Collider::plane([0.0; 3], [0.0, 1.0, 0.0]) });
    let mut sunk = particles(&[[0.0, -0.1, 0.0], [0.6, 0.0, 0.0]], &[1.0, 2.0]);
    sunk.colliders.push(Collider::plane([0.0, 0.3, 0.0], [0.0, 1.0, 0.0]));
    let cases = [("pin", pinned), ("force", pushed), ("rest", pulled), ("collider", struck), ("push-out", sunk)];
    for (name, model) in cases {
        let told = from_nowhere(&model, 60, |_| {});
        assert!(told.iter().all(Option::is_none), "{name}: {told:?}");
        let most = (1..60).map(|frames| Measurement::of(&model, &run(&model, frames)));
        let most = most.map(|m| m.kinetic_energy_j + m.gravity_energy_j).fold(0.0, f64::max);
        assert!(most > 0.01, "{name} does no work");
    }
}
