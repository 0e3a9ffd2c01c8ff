//! Large bodies by clusters, against the same order of constraints by colours: the same bits, and how many dispatches it takes; and against
//! the double-precision reference.

use std::collections::HashSet;

use pliant::constraint::{ALL, Arity, Distance, Kind, Vec3, kind};
use pliant::measure::Measurement;
use pliant::model::{Curve, Group, Integrator, Material, Method, Mode, Model, Side, State, Sweep};
use pliant::plan::{LARGEST_CLUSTER, Plan};
use pliant::scene::{Bend, Body, Cloth, Collider, Scene};
use pliant::{Engine, Reference};

use crate::blob::blob;
use crate::device::{Running, compiles_fast, gpu, other_bits};
use crate::kernels::{Random, difference};
use crate::{kinds, models, proof};

/// Particles along the side of a small cloth; its clusters have 512 particles.
const SIDE: u32 = 66;
/// Of one whose clusters have 1,024.
const WIDE: u32 = 130;
/// Of the smallest cloth that is not narrow: its clusters have 256, in three phases.
const WIDEST: u32 = 257;

/// What differs between clusters and colours after so many frames, if anything; and how many dispatches a frame takes by either.
fn compare(name: &str, model: &Model, frames: u32) -> (Option<String>, [u32; 2]) {
    let plan = Plan::clustered(model);
    assert!(!plan.phases.is_empty(), "{name} has no clusters");
    assert_eq!(plan.check(model), Ok(()), "{name}");
    let mut coloured = plan.clone();
    coloured.phases.clear();
    let [(a, by_clusters), (b, by_colours)] = [&plan, &coloured].map(|plan| {
        let mut running = Running::planned(model, plan);
        running.run(frames);
        (running.snapshot(), running.solver.dispatches_per_frame())
    });
    let failure = other_bits(&a, &b).map(|difference| format!("{name}: {difference}"));
    (failure, [by_clusters, by_colours])
}

/// A long row of particles, free and fixed, with constraints of one kind between near ones, some of which reach so far, that are violated by up to 10 %.
fn row(kind: &'static dyn Kind, material: Material, reach: u32, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let count = 4 * LARGEST_CLUSTER as u32 + 200;
    let place = |i: u32, random: &mut Random| {
        let [x, y, z] = random.vector(-0.4, 0.4);
        [f64::from(i) * 0.01 + x, y, z]
    };
    let positions: Vec<[f64; 3]> = (0..count).map(|i| place(i, &mut random)).collect();
    let masses: Vec<f64> = (0..count).map(|i| if i % 9 == 0 { 0.0 } else { random.number(0.5, 2.0) }).collect();
    let mut model = models::particles(&positions, &masses);
    model.particles.velocities = (0..count).map(|_| random.vector(-0.5, 0.5)).collect();
    let arity = kind.arity().count().unwrap() as u32;
    // Strides with which all hang together, and long ones.
    let near = (0..count - 12).map(|first| (first, 1 + first % 4));
    let far = (0..count - reach).step_by(8).map(|first| (first, reach / (arity - 1)));
    for (first, stride) in near.chain(far) {
        let particles: Vec<u32> = (0..arity).map(|k| first + k * stride).collect();
        let particles = kinds::listed(kind, &particles);
        let x: Vec<Vec3<f64>> = particles.iter().map(|&p| positions[p as usize].into()).collect();
        let rest: Vec<f64> = kind.measure(&x).iter().map(|value| value * random.number(0.9, 1.1) + 0.01).collect();
        models::connect_with_rest(&mut model, kind, &particles, &rest, material);
    }
    model
}

/// Of the kinds, shipped and from outside, one with each number of particles, components and rest values: what solves them in clusters and
/// islands is the same but for the function of a kind, by which `kernels.rs` holds every one to its twin. A software device compiles each for
/// seconds.
pub fn of_each_form() -> impl Iterator<Item = &'static dyn Kind> {
    let mut forms = HashSet::new();
    let form = |kind: &&'static dyn Kind| (kind.arity(), kind.components(), kind.rest().len());
    ALL.iter().chain(kinds::ALL).copied().filter(move |kind| forms.insert(form(kind)))
}

/// Kinds of two to four particles, shipped and from outside, one of each form, with all that a material may ask for, in clusters of 256 or
/// of 1,024. Where kernels compile slowly, a third of the forms.
#[test]
fn every_kind_has_the_bits_of_colours() {
    let soft = Material { compliance: 1e-3, damping: 2.0, ..Material::default() };
    let materials = [
        soft,
        Material { side: Side::Pull, break_force: Some(1.0), ..soft },
        Material { side: Side::Push, stiffness: 0.3, ..Material::default() },
    ];
    let few = |kind: &&'static dyn Kind| !matches!(kind.arity(), Arity::One | Arity::Many);
    let mut failures = Vec::new();
    for (index, kind) in of_each_form().filter(few).enumerate() {
        if !compiles_fast() && index % 3 > 0 {
            continue;
        }
        let material = materials[index % 3];
        // One of the two, since a software device compiles a kernel for seconds.
        let (reach, size) = [(12, 256), (480, 1024)][index % 2];
        let mut model = row(kind, material, reach, 1 + index as u64);
        model.settings.mode = if material.stiffness < 1.0 { Mode::Pbd } else { Mode::Xpbd };
        (model.settings.substeps, model.settings.iterations) = (2, 1 + index as u32 % 2);
        let name = format!("{}, clusters of {size}", kind.name());
        let (failure, [by_clusters, by_colours]) = compare(&name, &model, 2);
        assert!(by_clusters < by_colours, "{name}: {by_clusters} dispatches, {by_colours} by colours");
        failures.extend(failure);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A shell of an irregular mesh that holds itself up.
fn shell() -> Model {
    let bend = Some(Bend { kind: "dihedral".into(), compliance: 1e-2 });
    let body = Body::cloth(Cloth { bend, ..Cloth::new(blob(72)).stretch(1e-6) }).mass(0.5).radius(0.005).friction(0.6);
    let ground = Collider::plane([0.0, 1.0, 0.0], 0.0).friction(0.6);
    let scene = Scene::new("shell").with(body.damping(2.0).position([0.0, 0.2, 0.0])).collider(ground);
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// A cloth that bends, hangs by tethers and lies on the ground, also with levels over it; a shell of an irregular mesh; and a solid of tetrahedra: several
/// kinds at once, with pins, contacts and damped bodies.
fn scenes() -> Vec<Model> {
    let cloth = "[[body]]\nkind = \"cloth\"\nmesh = { grid = { columns = 66, rows = 66, width = 1.0, height = 1.0 } }\n\
                 rotation = [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476]\nmass = 1.0\npin = [\"top-left\", \"top-right\"]\n\
                 stretch_compliance = 1e-6\nshear_compliance = 1e-5\nbend = { kind = \"dihedral\", compliance = 1e-2 }\n\
                 tether = { slack = 1.0 }\n[[collider]]\nshape = { plane = { normal = [0, 1, 0] } }\n";
    let solid = "[[body]]\nkind = \"soft\"\nmesh = { box = { cells = [16, 16, 16], size = [1, 1, 1] } }\nposition = [0, 0.5, 0]\n\
                 density = 1000\nyoung_modulus = 2e5\npoisson_ratio = 0.3\ndamping = 1.0\n\
                 [[collider]]\nshape = { plane = { normal = [0, 1, 0] } }\n";
    let parsed = |text: &str| Scene::parse(text, "clusters.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut scenes: Vec<Model> = [cloth, solid].map(|text| parsed(text).build().unwrap().model).to_vec();
    let mut levels = scenes[0].clone();
    levels.settings.nested = Some(true);
    scenes.push(levels);
    scenes[0].settings.iterations = 2;
    scenes.push(shell());
    scenes.iter_mut().for_each(|model| model.settings.substeps = 3);
    scenes
}

/// Cloth, an irregular mesh and a solid have the bits of colours, and take fewer dispatches.
#[test]
fn scenes_have_the_bits_of_colours() {
    for model in scenes() {
        let (failure, [by_clusters, by_colours]) = compare(&model.name, &model, 2);
        assert_eq!(failure, None);
        let plain = {
            let mut running = Running::new(&model);
            running.run(1);
            running.solver.dispatches_per_frame()
        };
        println!("{}: {by_clusters} dispatches, {by_colours} by its colours, {plain} without phases", model.name);
        assert!(by_clusters < plain, "{}: {by_clusters} dispatches in place of {plain}", model.name);
    }
}

/// There and back the workload W1 takes two dispatches a substep, of wide cloths four, of three phases the smallest of which comes twice; the first ends the substep
/// before. They move less than a third of the bytes that colours do, and less than 1.2 times what one way does. Where kernels compile slowly, W1 alone.
#[test]
fn a_substep_of_a_cloth_is_two_or_four_dispatches() {
    let sides = &[(96, 2), (WIDEST, 4)];
    for &(side, turns) in if compiles_fast() { &sides[..] } else { &sides[..1] } {
        let mut model = models::cloth(side);
        model.settings.mean_forces = false;
        let frame = |model: &Model, plan: &Plan| {
            let mut running = Running::planned(model, plan);
            running.run(1);
            (running.solver.dispatches_per_frame(), running.solver.bytes_per_frame())
        };
        let clusters = frame(&model, &Plan::clustered(&model));
        let colours = frame(&model, &Plan::new(&model));
        let substeps = model.settings.substeps;
        // The beginning, and by clusters the last finish once a frame. Of twelve colours the first comes once.
        assert_eq!((clusters.0, colours.0), (2 + turns * substeps, 1 + 24 * substeps));
        assert!(clusters.1 * 3 < colours.1, "{} bytes a frame, {} by colours", clusters.1, colours.1);
        model.settings.sweep = Sweep::OneWay;
        let one_way = frame(&model, &Plan::clustered(&model));
        let claim = format!("bytes of a frame of W1 of {side} × {side} there and back, over one way");
        proof::row(&claim, "1", clusters.1 as f64 / one_way.1 as f64, 1.2, "");
    }
}

/// The constraints of a group whose particles are all below one.
fn held_below(group: &Group, end: u32) -> Group {
    let mut held = Group::new(group.kind);
    for constraint in 0..group.len() {
        let particles = group.particles_of(constraint);
        if particles.iter().all(|&particle| particle < end) {
            held.push(particles, &group.rest[constraint..=constraint], group.materials[constraint]);
        }
    }
    held
}

/// Where the first phase ends the substep before it has the bits of a finish: of cloths that fall, in clusters of each size, of what is damped and swept twice, in clusters
/// of 1,024 as well, which do not hold what damping asks for, and of a cloth some of whose particles nothing holds. Where kernels compile slowly, half of these.
#[test]
fn what_ends_with_the_next_substep_has_the_bits_of_colours() {
    let cloth = models::cloth(SIDE);
    let damped = |side: u32| {
        let mut damped = models::cloth(side);
        (damped.settings.substeps, damped.settings.iterations) = (3, 2);
        damped.particles.inverse_masses[0] = 0.0;
        for material in 0..damped.materials.len() {
            damped.materials.get_mut(material).unwrap().damping = 1.0;
        }
        damped
    };
    let mut loose = cloth.clone();
    loose.groups[0] = held_below(&cloth.groups[0], SIDE * SIDE - 300);
    let [narrow, widest] = [64, WIDEST].map(models::cloth);
    let falling = [("falls", cloth), ("loose", loose), ("narrow", narrow), ("widest", widest)];
    let all = falling.into_iter().chain([("damped", damped(SIDE)), ("damped, wide", damped(WIDE))]);
    for (name, model) in all.skip(usize::from(!compiles_fast())).step_by(if compiles_fast() { 1 } else { 2 }) {
        let (failure, [by_clusters, _]) = compare(name, &model, 3);
        assert_eq!(failure, None);
        // The first phase and the innermost of the others once, all others twice.
        let turns = 2 * Plan::clustered(&model).phase_count() - 2;
        let sweeps = model.settings.substeps * model.settings.iterations;
        assert_eq!(by_clusters, 2 + turns * sweeps, "{name}");
    }
}

/// A frame by clusters is that of the double-precision reference in the same order, to a rounding at 1 m (6e-8) for each of six sweeps, and
/// not that of another order.
#[test]
fn clusters_equal_the_reference() {
    let mut cloth = models::cloth(SIDE);
    let mut random = Random::new(7);
    cloth.particles.velocities.iter_mut().for_each(|velocity| *velocity = random.vector(-0.2, 0.2));
    cloth.particles.inverse_masses[0] = 0.0;
    (cloth.settings.substeps, cloth.settings.iterations) = (2, 3);
    let mut damped = cloth.clone();
    for material in 0..damped.materials.len() {
        damped.materials.get_mut(material).unwrap().damping = 1.0;
    }
    for model in [cloth, damped] {
        let plan = Plan::clustered(&model);
        let mut reference = Reference::new(&model, &plan);
        reference.step();
        let (positions, multipliers) = difference(&Running::planned(&model, &plan).run(1), &reference.state());
        let tolerance = 6.0 * 6e-8;
        assert!(positions < tolerance && multipliers < 2e-4, "{positions:.2e} m, λ {multipliers:.2e}");
        let mut plain = Reference::new(&model, &Plan::new(&model));
        plain.step();
        let (apart, _) = difference(&plain.state(), &reference.state());
        assert!(apart > tolerance, "orders are {apart:.2e} m apart: the test shows nothing");
    }
}

/// Sums of rounded velocities: those of a free cloth keep their momentum to 1e-6 of Σ m|v|, as by colours (`physics.rs`).
#[test]
fn clusters_keep_momentum() {
    let mut model = models::cloth(SIDE);
    model.world.gravity = [0.0; 3];
    let mut random = Random::new(11);
    model.particles.velocities.iter_mut().for_each(|velocity| *velocity = random.vector(-0.2, 0.2));
    let momentum = |state: &State| Vec3::from(Measurement::of(&model, state).momentum);
    let mut running = Running::planned(&model, &Plan::clustered(&model));
    let begun = running.state();
    let speeds = begun.velocities.iter().map(|&velocity| Vec3::from(velocity).length());
    let scale: f64 = speeds.zip(&model.particles.inverse_masses).map(|(speed, w)| speed / w).sum();
    let lost = momentum(&running.run(10)) - momentum(&begun);
    let lost = proof::largest([lost.x, lost.y, lost.z]) / scale;
    assert!(lost < 1e-6, "{lost:.2e} of Σ m|v|");
}

/// Materials change while clusters run: the kernel is another, as by colours. And other settings take over what runs, with plans of either
/// kind.
#[test]
fn clusters_change_while_they_run() {
    let mut model = models::cloth(SIDE);
    model.particles.inverse_masses[0] = 0.0;
    model.settings.substeps = 2;
    let plan = Plan::clustered(&model);
    let mut coloured = plan.clone();
    coloured.phases.clear();
    let states = [&plan, &coloured].map(|plan| {
        let mut running = Running::planned(&model, plan);
        running.run(1);
        let soft = Material { compliance: 1e-5, damping: 3.0, side: Side::Pull, ..Material::default() };
        running.solver.set_material(1, soft).unwrap();
        running.run(1);
        let settings = pliant::model::Settings { iterations: 2, ..model.settings.clone() };
        let mut encoder = gpu().device.create_command_encoder(&Default::default());
        running.solver.reconfigure(&mut encoder, plan, settings.clone()).unwrap();
        gpu().queue.submit([encoder.finish()]);
        running.run(1);
        let mut encoder = gpu().device.create_command_encoder(&Default::default());
        running.solver.reconfigure(&mut encoder, &Plan::new(&model), settings).unwrap();
        gpu().queue.submit([encoder.finish()]);
        running.run(1)
    });
    assert!(states[0] == states[1]);
}

/// Where clusters cannot be, colours do the work, by the same plan or by another: rest values that change, BDF2, Jacobi.
#[test]
fn colours_do_what_clusters_cannot() {
    let cloth = models::cloth(SIDE);
    for (method, integrator) in [(Method::Jacobi, Integrator::Euler), (Method::GaussSeidel, Integrator::Bdf2)] {
        let mut model = cloth.clone();
        (model.settings.method, model.settings.integrator) = (method, integrator);
        assert!(Plan::clustered(&model).phases.is_empty(), "{method:?}, {integrator:?}");
    }
    let mut growing = row(kind::<Distance>(), Material { curve: Some(0), ..Material::default() }, 12, 3);
    growing.curves.push(Curve { keyframes: models::linear(1.0, [2.0; 3]), period: None, delay: 0.0 });
    growing.settings.substeps = 2;
    let (failure, [by_clusters, by_colours]) = compare("growing", &growing, 2);
    assert_eq!((failure, by_clusters), (None, by_colours));
}

/// Small bodies beside a large one, with what they have of either arity, have the same bits as islands and by colours, with clusters and without.
#[test]
fn islands_and_clusters_go_together() {
    let mut model = models::cloth(SIDE);
    model.particles.inverse_masses[0] = 0.0;
    let first = model.particles.len() as u32;
    for link in 0..40 {
        model.particles.positions.push([0.02 * f64::from(link), 0.3, 0.0]);
        model.particles.velocities.push([0.0, 0.0, f64::from(link % 7)]);
        model.particles.inverse_masses.push(if link == 0 { 0.0 } else { 50.0 });
        model.particles.bodies.push(0);
        model.particles.drives.push(0);
    }
    model.bodies[0].particles.end = first + 40;
    for link in first..first + 39 {
        models::spring(&mut model, link, link + 1, models::compliant(1e-6));
    }
    let angle = ALL.iter().copied().find(|kind| kind.name() == "spatial_angle").unwrap();
    for link in first..first + 38 {
        models::connect(&mut model, angle, &[link, link + 1, link + 2], models::compliant(1e-2));
    }
    model.settings.substeps = 3;
    let plan = Plan::clustered(&model);
    assert_eq!((plan.check(&model), plan.islands.len(), plan.phases.len() > 1), (Ok(()), 1, true));
    let run = |islands: bool, clusters: bool| {
        let mut plan = plan.clone();
        if !islands {
            plan.islands.clear();
        }
        if !clusters {
            plan.phases.clear();
        }
        let mut running = Running::planned(&model, &plan);
        running.run(2);
        (running.snapshot(), running.solver.dispatches_per_frame())
    };
    let (whole, dispatches) = run(true, true);
    for (islands, clusters) in [(false, true), (true, false), (false, false)] {
        let (other, more) = run(islands, clusters);
        assert!(other == whole, "islands {islands}, clusters {clusters}");
        assert!(more > dispatches, "{more} dispatches, {dispatches} by both");
    }
}
