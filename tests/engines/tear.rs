//! Tearing: the kernels against their sequential twin, and against what a tear must keep.

use std::collections::HashSet;

use pliant::Reference;
use pliant::measure::Measurement;
use pliant::mesh::TriangleMesh;
use pliant::model::{Material, Model, Settings, State, TearableEdge, Tearing};
use pliant::plan::Plan;
use pliant::scene::{Bend, Body, Cloth, Force, Grid, Mesh, Scene, Sphere};
use pliant::step::Snapshot;
use proptest::prelude::*;

use crate::device::{Running, run};
use crate::pieces::pieces;

/// λ of a broken constraint in `shaders/lib/broken.wgsl`.
pub const BROKEN: f32 = 3e38;

/// A state's numbers as bits.
pub fn bits(state: &State) -> (Vec<u64>, Vec<[u32; 3]>, Vec<u32>) {
    let numbers = state.positions.as_flattened().iter().chain(state.velocities.as_flattened());
    let torn = state.torn.clone().unwrap_or_default();
    (numbers.chain(&torn.inverse_masses).map(|value| value.to_bits()).collect(), torn.triangles, torn.dropped)
}

/// Breaks edges in a snapshot and in the state of its twin.
pub fn break_edges<'a>(
    tearing: &Tearing,
    edges: impl Iterator<Item = &'a TearableEdge>,
    snapshot: &mut Snapshot,
    twin: &mut State,
) {
    let group = tearing.group as usize;
    for constraint in edges.map(|edge| edge.constraint as usize) {
        snapshot.multipliers[group][constraint] = [BROKEN, 0.0];
        twin.multipliers[group][constraint].broken = true;
    }
}

/// Fails if two constraints that are solved at once share a particle.
pub fn assert_coloured(torn: &Model, plan: &Plan) {
    for (group, planned) in torn.groups.iter().zip(&plan.groups) {
        for batch in &planned.batches {
            let mut seen = HashSet::new();
            for place in batch.range.clone() {
                let particles = group.particles_of(planned.constraint_of[place as usize] as usize);
                assert!(particles.iter().all(|particle| seen.insert(*particle)));
            }
        }
    }
}

/// A ball with more triangles between its vertices, some of its edges between three of them and more; in a scene that leaves it
/// alone.
fn ball(extra: &[[u32; 3]], spares: u32) -> Model {
    let mut mesh: TriangleMesh = Sphere { radius: 0.5, segments: 10 }.mesh();
    mesh.triangles.extend(extra.iter().filter(|[a, b, c]| a != b && b != c && c != a));
    let bend = Bend { kind: "dihedral".into(), compliance: 1.0 };
    let cloth = Cloth { spare_particles: Some(spares), bend: Some(bend), ..Cloth::new(Mesh::Triangles(mesh)) };
    let body = Body::cloth(cloth.stretch(1e-3).tears_at(1e9)).velocity([1.0, 2.0, 3.0]).mass(2.0);
    let mut model = Scene::new("ball").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
    model.world.gravity = [0.0; 3];
    model.settings.substeps = 2;
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever edges break, one after another, of whatever mesh, non-manifold ones too, with enough spares or too few: the device
    /// and the sequential twin give the same corners to the same particles and wait for the same number of spares; masses
    /// and momentum are kept; and no two constraints that are solved at once share a particle.
    #[test]
    fn device_tears_as_its_twin(
        extra in prop::collection::vec(prop::array::uniform3(0..42_u32), 0..12),
        order in prop::collection::vec(any::<prop::sample::Index>(), 150),
        spares in prop::sample::select(vec![1_u32, 20, 400]),
    ) {
        let model = ball(&extra, spares);
        let tearing = model.tearing.as_ref().unwrap();
        let plan = Plan::new(&model);
        let mut running = Running::new(&model);
        let mut reference = Reference::new(&model, &plan);
        let before = Measurement::of(&model, &reference.state());
        for edges in order.chunks(50) {
            let (mut on_device, mut in_double) = (running.snapshot(), reference.state());
            let edges = edges.iter().map(|edge| edge.get(&tearing.edges));
            break_edges(tearing, edges, &mut on_device, &mut in_double);
            running.restore(&on_device);
            reference.restore(&in_double);
            reference.step();
            let (state, twin) = (running.run(1), reference.state());

            prop_assert_eq!(state.torn.is_some(), twin.torn.is_some());
            prop_assert_eq!(state.spares_needed, twin.spares_needed);
            prop_assert_eq!(running.status().spares_missing as u64, state.spares_needed.saturating_sub(spares.into()));
            let (Some(torn), Some(expected)) = (&state.torn, &twin.torn) else { continue };
            prop_assert_eq!((&torn.triangles, &torn.dropped), (&expected.triangles, &expected.dropped));
            prop_assert_eq!(torn.inverse_masses.len(), expected.inverse_masses.len());
            for (w, expected) in torn.inverse_masses.iter().zip(&expected.inverse_masses) {
                // Products and quotients of single precision, a few for each of three splits.
                prop_assert!((w / expected - 1.0).abs() < 2e-6, "{w} in place of {expected}");
            }
            let after = Measurement::of(&model, &state);
            for i in 0..3 {
                // Sums of some hundred numbers of single precision.
                prop_assert!((after.momentum[i] - before.momentum[i]).abs() < 1e-5 * before.momentum[i]);
            }
            let broken = |state: &State| -> Vec<Vec<bool>> {
                state.multipliers.iter().map(|group| group.iter().map(|m| m.broken).collect()).collect()
            };
            prop_assert_eq!(broken(&state), broken(&twin));
            assert_coloured(&model.torn(&state), &plan);
        }
    }
}

/// A strip of cloth that floats, pulled apart at its short sides by a force that grows to 2 N each in a second, and weak in the
/// middle, where edges break at 0.1 N and elsewhere at 100 N.
pub fn strip() -> Model {
    let grid = Grid { columns: 21, rows: 5, width: 1.0, height: 0.2 };
    let cloth = Cloth { break_force: Some(100.0), ..Cloth::new(grid).stretch(1e-5).shear(1e-5).bend(1e-2) };
    let side = |column: u32| (0..5).map(|row| 21 * row + column).collect::<Vec<_>>();
    let pull = |newton: f64| vec![(0.0, [0.0; 3]), (1.0, [newton / 5.0, 0.0, 0.0])];
    let mut model = Scene::new("strip")
        .with(Body::cloth(cloth).name("strip").mass(0.05))
        .force(Force::new(pull(-2.0)).on("strip").particles(side(0)))
        .force(Force::new(pull(2.0)).on("strip").particles(side(20)))
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
        .model;
    let tearing = model.tearing.as_ref().unwrap();
    let group = &mut model.groups[tearing.group as usize];
    for edge in &tearing.edges {
        let [a, b] = edge.ends.map(|end| end % 21);
        if a.min(b) == 10 && a != b {
            let material = model.materials[group.materials[edge.constraint as usize] as usize];
            group.materials[edge.constraint as usize] =
                model.materials.insert(Material { break_force: Some(0.1), ..material });
        }
    }
    model
}

/// A strip that is pulled apart falls into two pieces that share neither particles nor constraints, and from then on each moves by
/// the forces on it alone: it falls with g, and flies off with the force over its mass.
#[test]
fn a_strip_pulled_apart_is_two() {
    let model = strip();
    let mut running = Running::new(&model);
    let mut state = running.run(60);
    let apart = pieces(&model, &state);
    assert_eq!(apart.len(), 2, "{} pieces", apart.len());
    // What lay between two columns of particles is gone, and nothing else; but a triangle there may go on hanging by an edge, with a new corner.
    let hanging = 8 - state.torn.as_ref().unwrap().dropped.len();
    assert!(apart[0].len() >= 55 && apart[1].len() >= 50 && hanging < 8, "{hanging} hang");
    assert_eq!(apart[0].len() + apart[1].len(), 105 + hanging);
    let mass: f64 = state.torn.as_ref().unwrap().inverse_masses.iter().map(|w| 1.0 / w).sum();
    assert!((mass - 0.05).abs() < 105.0 * 2.0_f64.powi(-24) * 0.05, "{mass} kg");

    let torn = model.torn(&state).into_owned();
    let piece_of = |particle: u32| usize::from(apart[1].contains(&(particle as usize)));
    for (group, multipliers) in torn.groups.iter().zip(&state.multipliers) {
        for constraint in (0..group.len()).filter(|&constraint| !multipliers[constraint].broken) {
            let ends = group.particles_of(constraint);
            assert_eq!(piece_of(ends[0]), piece_of(ends[1]), "a whole constraint joins the pieces");
        }
    }

    let motion = |state: &State, piece: &[usize]| {
        let mass = |&p: &usize| 1.0 / state.torn.as_ref().unwrap().inverse_masses[p];
        let total: f64 = piece.iter().map(mass).sum();
        let mean = |axis: usize| piece.iter().map(|p| mass(p) * state.velocities[*p][axis]).sum::<f64>() / total;
        (total, [mean(0), mean(1)])
    };
    let before: Vec<_> = apart.iter().map(|piece| motion(&state, piece)).collect();
    state = running.run(30);
    for ((piece, (mass, v)), force) in apart.iter().zip(before).zip([-2.0, 2.0]) {
        let (_, now) = motion(&state, piece);
        let expected = [v[0] + 0.5 * force / mass, v[1] - 0.5 * 9.81];
        for axis in 0..2 {
            // 300 substeps, each rounding to 2⁻²⁴ of a speed below 50 m/s.
            assert!((now[axis] - expected[axis]).abs() < 1e-3, "axis {axis}: {} for {}", now[axis], expected[axis]);
        }
    }
}

/// The same tear has the same bits twice, and also where it is interrupted: a snapshot amid it goes on in another solver, and in one
/// that has torn already.
#[test]
fn tears_have_the_same_bits() {
    let model = strip();
    let mut running = Running::new(&model);
    // The first edges break as the force reaches a quarter of its size.
    let early = (1..60).find(|_| running.run(1).torn.is_some()).expect("it tears");
    let amid = running.snapshot();
    let whole = running.run(60 - early);
    assert_eq!(bits(&whole), bits(&run(&model, 60)));

    running.restore(&amid);
    assert_eq!(bits(&running.run(60 - early)), bits(&whole), "in a solver that has torn");
    let mut other = Running::new(&model);
    other.restore(&amid);
    assert_eq!(bits(&other.run(60 - early)), bits(&whole), "in a new one");
}

/// Going back to before the tear mends it.
#[test]
fn going_back_mends() {
    let model = strip();
    let mut running = Running::new(&model);
    let whole = running.snapshot();
    let torn = running.run(60);
    running.restore(&whole);
    assert_eq!(running.state().torn, None);
    assert_eq!(bits(&running.run(60)), bits(&torn));
}

/// A tear goes on with the same bits after other settings and back.
#[test]
fn other_settings_and_back() {
    let model = strip();
    let mut running = Running::new(&model);
    let early = (1..60).find(|_| running.run(1).torn.is_some()).expect("it tears");
    let two = Settings { iterations: 2, ..model.settings.clone() };
    running.reconfigure(&model, two);
    running.reconfigure(&model, model.settings.clone());
    assert_eq!(bits(&running.run(60 - early)), bits(&run(&model, 60)));
}

/// A fan of triangles about a pin, where spokes share it and are solved at once, splits there in two: both halves hang by pins, as by the twin, and go
/// on bit for bit from a snapshot and through other settings.
#[test]
fn a_fan_tears_at_its_pin() {
    let rim = (0..12).map(|i| f64::from(i) / 12.0 * std::f64::consts::TAU).map(|angle| [angle.cos(), 0.0, angle.sin()]);
    let positions: Vec<[f64; 3]> = std::iter::once([0.0; 3]).chain(rim).collect();
    let triangles: Vec<[u32; 3]> = (0..12).map(|i| [0, 1 + i, 1 + (i + 1) % 12]).collect();
    let mesh = TriangleMesh { positions, triangles };
    let cloth = Cloth::new(Mesh::Triangles(mesh)).stretch(1e-4).tears_at(1e9);
    let mut model = Scene::new("fan").with(Body::cloth(cloth).mass(1.2)).build().unwrap().model;
    model.particles.inverse_masses[0] = 0.0;
    let tearing = model.tearing.clone().expect("it can be torn");
    let plan = Plan::new(&model);
    assert_eq!(plan.groups[tearing.group as usize].shared, [0], "the test shows nothing");

    let (mut running, mut twin) = (Running::planned(&model, &plan), Reference::new(&model, &plan));
    let (mut cut, mut cut_twin) = (running.snapshot(), twin.state());
    let spokes = tearing.edges.iter().filter(|edge| matches!(edge.ends, [0, 3 | 9] | [3 | 9, 0]));
    break_edges(&tearing, spokes, &mut cut, &mut cut_twin);
    running.restore(&cut);
    twin.restore(&cut_twin);
    (0..10).for_each(|_| twin.step());
    let (state, exact) = (running.run(10), twin.state());
    let torn = state.torn.as_ref().expect("it is torn");
    assert_eq!(torn.inverse_masses[13..].iter().filter(|mass| **mass == 0.0).count(), 1, "{:?}", torn.inverse_masses);
    assert_eq!(state.positions.len(), exact.positions.len());
    let apart = state.positions.as_flattened().iter().zip(exact.positions.as_flattened()).map(|(a, b)| (a - b).abs());
    let apart = apart.fold(0.0, f64::max);
    // Some hundred roundings at 1 m.
    assert!(apart < 1e-5, "{apart} m from its twin");

    let taken = running.snapshot();
    let unbroken = running.run(5);
    let mut fresh = Running::planned(&model, &plan);
    fresh.restore(&taken);
    fresh.reconfigure(&model, model.settings.clone());
    assert_eq!(bits(&fresh.run(5)), bits(&unbroken));
}
