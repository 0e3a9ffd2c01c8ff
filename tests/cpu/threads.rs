//! The same bits, however many threads, twice, and after a rest.

use pliant::model::{Against, Collider, Integrator, Material, Method, Model};
use pliant::plan::levels::Sheet;
use pliant::plan::{Gather, Phase, Plan, PlanError};
use pliant::scene::{Body, Scene};
use pliant::solver::Snapshot;
use pliant::{
    CpuSolver,
    cpu::{CpuError, Instructions},
};
use pliant::{Engine, Reference};

use crate::kernels::difference;
use crate::models::{self, compliant};
use crate::outlines::swarm;
use crate::pairs::crowd;
use crate::sheets::{self, Held};
use crate::tear::strip;

fn gallery(name: &str) -> Model {
    Scene::open(name).unwrap().build().unwrap().model
}

/// Bits after some frames.
fn bits(model: &Model, threads: usize, with: Instructions, frames: u32) -> Snapshot {
    let mut solver = CpuSolver::with(model, &Plan::new(model), threads, with).unwrap();
    assert_eq!((solver.threads(), solver.instructions()), (threads, with));
    (0..frames).for_each(|_| solver.step());
    solver.snapshot()
}

/// One, two and three threads and all instructions give the same bits, and so do two runs: with contacts, air, damping, curves, flow,
/// closed surfaces, breaking, levels, pairs of particles and segments, tethers that share pins, by Jacobi, and by BDF2.
#[test]
fn threads_change_no_bit() {
    let mut models: Vec<Model> =
        ["flag", "damping", "crawl", "plastic", "balloon", "breaking", "hair"].map(gallery).to_vec();
    let mut sheet = models::cloth(24);
    sheet.particles.inverse_masses[0] = 0.0;
    let mut jacobi = sheet.clone();
    jacobi.settings.method = Method::Jacobi;
    let mut nested = gallery("hanging_cloth");
    nested.settings.nested = Some(true);
    let mut second_order = gallery("flag");
    second_order.settings.integrator = Integrator::Bdf2;
    models.extend([sheet, jacobi, nested, second_order, crowd(400, 5), swarm(400, 5)]);
    for model in &models {
        let one = bits(model, 1, Instructions::Baseline, 2);
        for with in Instructions::available() {
            assert!(bits(model, 1, with, 2) == one, "{} with {with:?}", model.name);
        }
        for threads in [2, 3] {
            let with = Instructions::detected();
            assert!(bits(model, threads, with, 2) == one, "{} with {threads} threads", model.name);
        }
    }
}

/// The phases of a plan with clusters come one after another by any number of threads, as in the reference: to 2e-6 m, some thirty roundings
/// at 1 m.
#[test]
fn phases_are_solved_in_order() {
    let mut model = models::cloth(66);
    model.particles.inverse_masses[0] = 0.0;
    let plan = Plan::clustered(&model);
    assert_eq!(plan.phase_count(), 2);
    let run = |threads| {
        let mut solver = CpuSolver::with_threads(&model, &plan, threads).unwrap();
        solver.step();
        solver.snapshot()
    };
    let one = run(1);
    assert!(run(2) == one && run(3) == one);
    let mut solver = CpuSolver::with_threads(&model, &plan, 2).unwrap();
    let mut reference = Reference::new(&model, &plan);
    solver.step();
    reference.step();
    let (positions, _) = difference(&solver.state(), &reference.state());
    assert!(positions < 2e-6, "{positions:.2e} m");
    // Another order is another frame: the test tells the two apart.
    let mut plain = Reference::new(&model, &Plan::new(&model));
    plain.step();
    let (apart, _) = difference(&plain.state(), &reference.state());
    assert!(apart > 2e-6, "{apart:.2e} m");
}

/// A tear has the same bits for any number of threads, which have their constraints anew after it.
#[test]
fn threads_tear_alike() {
    let model = strip();
    let one = bits(&model, 1, Instructions::Baseline, 60);
    assert!(!one.loose.is_empty(), "it holds");
    for threads in [2, 3] {
        assert!(bits(&model, threads, Instructions::detected(), 60) == one, "{threads} threads");
    }
}

/// So has what touches others as it tears.
#[test]
fn threads_tear_alike_what_touches() {
    let model = gallery("burst");
    let one = bits(&model, 1, Instructions::Baseline, 17);
    assert!(!one.loose.is_empty(), "it holds");
    for threads in [2, 3] {
        assert!(bits(&model, threads, Instructions::detected(), 17) == one, "{threads} threads");
    }
}

/// What presses in a frame is told alike, to the bit, by any number of threads.
#[test]
fn threads_tell_contacts_alike() {
    let mut model = crowd(400, 5);
    crate::models::ground(&mut model, [0.0, 1.0, 0.0]);
    let told = |threads: usize| {
        let mut solver = CpuSolver::with_threads(&model, &Plan::new(&model), threads).unwrap();
        solver.average_contacts(true);
        (0..3).for_each(|_| solver.step());
        solver.contacts()
    };
    let one = told(1);
    let of_pairs = one.iter().filter(|contact| matches!(contact.against, Against::Particle(_))).count();
    assert!(of_pairs > 40 && one.len() > of_pairs, "{of_pairs} of {}: the test shows nothing", one.len());
    for threads in [2, 3] {
        assert!(told(threads) == one, "{threads} threads");
    }
}

/// How many spare particles tears have asked for is told in every later frame, also by a solver that goes on from a snapshot.
#[test]
fn spares_are_told_as_long_as_it_runs() {
    let model = strip();
    let mut solver = CpuSolver::new(&model, &Plan::new(&model)).unwrap();
    (0..100).for_each(|_| solver.step());
    let needed = solver.state().spares_needed;
    assert!(needed > 0, "it holds");
    let mut other = CpuSolver::new(&model, &Plan::new(&model)).unwrap();
    other.restore(&solver.snapshot()).unwrap();
    other.step();
    for solver in [&mut solver, &mut other] {
        assert_eq!((u64::from(solver.status().unwrap().spares_needed), solver.state().spares_needed), (needed, needed));
    }
}

/// A solver that goes on from a snapshot of another has its bits, and one of another scene is refused.
#[test]
fn snapshots_go_on_with_the_same_bits() {
    for (name, integrator) in [
        ("crawl", Integrator::Euler),
        ("plastic", Integrator::Euler),
        ("bouncing_balls", Integrator::Bdf2),
        ("breaking", Integrator::Bdf2),
    ] {
        let mut model = gallery(name);
        model.settings.integrator = integrator;
        let plan = Plan::new(&model);
        let mut first = CpuSolver::with_threads(&model, &plan, 1).unwrap();
        (0..7).for_each(|_| first.step());
        let snapshot = first.snapshot();
        (0..5).for_each(|_| first.step());
        let mut second = CpuSolver::with_threads(&model, &plan, 1).unwrap();
        second.restore(&snapshot).unwrap();
        assert_eq!(second.snapshot(), snapshot, "{name}");
        (0..5).for_each(|_| second.step());
        assert!(second.snapshot() == first.snapshot(), "{name}");
        assert_eq!(second.state(), first.state(), "{name}");
    }
    let [mut chain, cloth] = [models::chain(3, 0.1, compliant(1e-4)), models::cloth(4)]
        .map(|model| CpuSolver::new(&model, &Plan::new(&model)).unwrap());
    let refused = chain.restore(&cloth.snapshot()).expect_err("a refusal").to_string();
    assert!(refused.contains("another scene"), "{refused}");
    // Nor numbers by which a step would not end, or inverse masses grow.
    let good = chain.snapshot();
    let mut endless = good.clone();
    endless.status[2] = f32::INFINITY.to_bits();
    for wrong in [Snapshot { lattice: [0.0; 2], ..good.clone() }, endless] {
        let refused = chain.restore(&wrong).expect_err("a refusal").to_string();
        assert!(refused.contains("which is impossible"), "{refused}");
    }
    let mut heavy = good.clone();
    heavy.particles[1].iter_mut().for_each(|e| e[3] = 1.0);
    chain.restore(&heavy).unwrap();
    chain.step();
    let masses = |snapshot: &Snapshot| snapshot.particles[0].iter().map(|x| x[3]).collect::<Vec<f32>>();
    assert_eq!(masses(&chain.snapshot()), masses(&good));
}

/// A thousand springs to one pin share it as fixed: a snapshot in which it is free is refused, since several threads would move it.
#[test]
fn what_is_shared_stays_fixed() {
    let mut model = models::particles(&vec![[0.0; 3]; 1_001], &vec![1.0; 1_001]);
    model.particles.inverse_masses[0] = 0.0;
    (1..1_001).for_each(|i| models::spring(&mut model, 0, i, compliant(1e-3)));
    let plan = Plan::new(&model);
    assert_eq!(plan.groups[0].shared, [0], "the test shows nothing");
    let mut solver = CpuSolver::new(&model, &plan).unwrap();
    let mut freed = solver.snapshot();
    solver.restore(&freed).unwrap();
    freed.particles[0][0][3] = 1.0;
    let refused = solver.restore(&freed).expect_err("a refusal").to_string();
    assert!(refused.contains("1 free particles that are fixed"), "{refused}");
}

/// A particle that is nowhere takes no contact of those beside it, by any registers.
#[test]
fn what_is_nowhere_leaves_others_their_contacts() {
    let places: Vec<[f64; 3]> = (0..16).map(|i| [0.3 * f64::from(i), if i == 15 { 10.0 } else { 0.06 }, 0.0]).collect();
    let mut model = models::particles(&places, &[1.0; 16]);
    model.bodies[0].radius = 0.05;
    model.colliders = vec![Collider::plane([0.0; 3], [0.0, 1.0, 0.0])];
    model.world.gravity = [0.0, -9.81, 0.0];
    model.particles.velocities[14] = [f64::NAN; 3];
    for with in Instructions::available() {
        let mut solver = CpuSolver::with(&model, &Plan::new(&model), 1, with).unwrap();
        (0..30).for_each(|_| solver.step());
        let state = solver.state();
        let lowest = state.positions[..14].iter().map(|x| x[1]).fold(f64::INFINITY, f64::min);
        assert!((0.049..0.051).contains(&lowest), "{lowest} m with {with:?}");
        assert_eq!(solver.status().unwrap().slot, Some(Plan::new(&model).slot_of[14]));
    }
}

/// A cloth that is torn goes on in another solver as what it is: what was split off has the air and the pins of its own body, though another's vertices
/// come first. What a snapshot cannot have is refused, and the solver goes on as before.
#[test]
fn torn_bodies_go_on_as_their_own() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes/torn_strip.toml");
    let mut scene = pliant::scene::Scene::load(path).unwrap();
    scene.bodies[0].drag = 1.2;
    let other = scene.bodies[0].clone().name("first").position([0.0, 0.0, 3.0]);
    scene.bodies.insert(0, Body { drag: 0.0, pins: Vec::new(), ..other });
    scene.world.wind = [0.0, 0.0, 5.0];
    let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
    let plan = Plan::new(&model);
    let mut first = CpuSolver::with_threads(&model, &plan, 1).unwrap();
    (0..30).for_each(|_| first.step());
    let torn = first.state().torn.expect("it is torn");
    assert!(torn.inverse_masses.len() > model.placed_particles() + 2, "the test shows nothing");
    let mut second = CpuSolver::with_threads(&model, &plan, 1).unwrap();
    second.restore(&first.snapshot()).unwrap();
    for _ in 0..10 {
        first.step();
        second.step();
    }
    assert!(second.snapshot() == first.snapshot());
    let before = second.snapshot();
    let wrong = Snapshot { loose: vec![u32::MAX], ..before.clone() };
    assert!(second.restore(&wrong).is_err() && second.snapshot() == before);
}

/// In which order the particles are when pairs are sought changes no bit: a crowd so dense that another order is sought goes on from a snapshot,
/// where that is forgotten, as without.
#[test]
fn orders_change_no_bit() {
    let model = crowd(2000, 5);
    let plan = Plan::new(&model);
    let mut first = CpuSolver::with_threads(&model, &plan, 1).unwrap();
    for _ in 0..4 {
        first.step();
        let mut second = CpuSolver::with_threads(&model, &plan, 2).unwrap();
        second.restore(&first.snapshot()).unwrap();
        second.step();
        let mut third = CpuSolver::with_threads(&model, &plan, 1).unwrap();
        third.restore(&first.snapshot()).unwrap();
        first.step();
        third.step();
        assert!(second.snapshot() == first.snapshot() && third.snapshot() == first.snapshot());
    }
    assert!(first.state().contacts > 100, "only {} contacts", first.state().contacts);
}

/// What the engine does not know is refused with a remedy, and so is a plan by which threads would get into each other's way.
#[test]
fn what_cannot_be_is_refused() {
    let mut torn = gallery("tear");
    torn.settings.method = Method::Jacobi;
    let refused = CpuSolver::new(&torn, &Plan::new(&torn)).err().expect("a refusal").to_string();
    assert!(refused.contains("gauss-seidel"), "{refused}");

    let model = models::cloth(4);
    let plan = Plan::new(&model);
    let mut merged = plan.clone();
    let batches = &mut merged.groups[0].batches;
    batches[0].range.end = batches[1].range.end;
    let mut renamed = plan.clone();
    renamed.slot_of[1] = renamed.slot_of[0];
    let mut turned = plan.clone();
    turned.groups[0].batches.reverse();
    let mut doubled = plan.clone();
    doubled.groups[0].constraint_of[1] = doubled.groups[0].constraint_of[0];
    let mut shortened = plan.clone();
    shortened.groups[0].batches.pop();
    let mut lengthened = plan.clone();
    lengthened.groups[0].batches.last_mut().unwrap().range.end += 1;
    let mut beyond = plan.clone();
    beyond.groups[0].constraint_of[0] = 1000;
    for wrong in [merged, renamed, turned, doubled, shortened, lengthened, beyond, Plan::new(&models::cloth(5))] {
        assert_eq!(CpuSolver::new(&model, &wrong).err(), Some(CpuError::OtherModel));
    }
    let mut nobody = model.clone();
    nobody.bodies.clear();
    let Some(CpuError::Model(error)) = CpuSolver::new(&nobody, &plan).err() else { panic!("a model without bodies") };
    assert_eq!(error.to_string(), "the model's particles.bodies[0]: names body 0, and there are 0");
    let mut looped = model.clone();
    models::spring(&mut looped, 3, 3, Material::default());
    let constraint = looped.groups[0].len() as u32 - 1;
    let refused = CpuSolver::new(&looped, &Plan::new(&looped)).err();
    assert_eq!(refused, Some(CpuError::Twice { kind: "distance", constraint }));

    let mut levelled = gallery("hanging_cloth");
    levelled.settings.nested = Some(true);
    let mut doubled = Plan::new(&levelled);
    CpuSolver::new(&levelled, &doubled).expect("a plan with one sheet");
    assert!(!doubled.sheets.is_empty(), "no sheet to double");
    doubled.sheets = [&doubled.sheets[..], &doubled.sheets[..]].concat();
    assert_eq!(CpuSolver::new(&levelled, &doubled).err(), Some(CpuError::OtherModel));

    let mut jacobi = model.clone();
    jacobi.settings.method = Method::Jacobi;
    let plan = Plan::new(&jacobi);
    let mut gathered = plan.clone();
    let gather = gathered.groups[0].batches[0].gather.as_mut().unwrap();
    gather.particles[1] = gather.particles[0];
    let mut renamed = plan.clone();
    renamed.particle_of[1] = renamed.particle_of[0];
    let of_gather = |change: fn(&mut Gather)| {
        let mut wrong = plan.clone();
        change(wrong.groups[0].batches[0].gather.as_mut().unwrap());
        wrong
    };
    let fewer = [
        of_gather(|gather| _ = gather.valences.pop()),
        of_gather(|gather| _ = gather.offsets.pop()),
        of_gather(|gather| gather.corrections[0] = gather.corrections[1]),
        of_gather(|gather| gather.particles[0] = 1000),
    ];
    for wrong in [gathered, renamed].into_iter().chain(fewer) {
        assert_eq!(CpuSolver::new(&jacobi, &wrong).err(), Some(CpuError::OtherModel));
    }
}

/// A plan is refused whose clusters share particles or refer to particles that do not exist.
#[test]
fn altered_clusters_are_refused() {
    let model = sheets::laid_flat(sheets::sheet(64, false, Held::TopRow, 2, 1.0));
    let good = Plan { sheets: Vec::new(), ..Plan::clustered(&model) };
    CpuSolver::new(&model, &good).expect("a plan with clusters");
    let alterations: [fn(&mut Phase); 6] = [
        |phase| phase.slots[7] = u32::MAX,
        |phase| phase.slots[7] = phase.slots[8],
        |phase| phase.offsets.clear(),
        |phase| phase.offsets[1] = u32::MAX,
        |phase| phase.offsets.swap(1, 2),
        |phase| *phase.offsets.last_mut().unwrap() += 1,
    ];
    for (index, alter) in alterations.into_iter().enumerate() {
        let mut plan = good.clone();
        alter(&mut plan.phases[0]);
        assert_eq!(plan.check(&model), Err(PlanError::Clusters { phase: 0 }), "{index}");
        assert_eq!(CpuSolver::new(&model, &plan).err(), Some(CpuError::OtherModel), "{index}");
    }
}

/// A plan with altered levels is refused, whichever field was altered: the engine uses their indices without checks.
#[test]
fn altered_levels_are_refused() {
    let levelled = sheets::laid_flat(sheets::sheet(64, false, Held::TopRow, 2, 1.0));
    let good = Plan::new(&levelled);
    CpuSolver::new(&levelled, &good).expect("a plan with levels");
    assert!(good.sheets[0].levels.len() > 1, "the test shows nothing");
    type Alter = fn(&mut Sheet);
    let alterations: [Alter; 16] = [
        |sheet| sheet.particles.end = u32::MAX,
        |sheet| sheet.particles.end -= 1,
        |sheet| sheet.levels.clear(),
        |sheet| sheet.materials[0] = 1000,
        |sheet| _ = sheet.levels[1].net.inverse_masses.pop(),
        |sheet| _ = sheet.levels[1].net.positions.pop(),
        |sheet| sheet.levels[0].prolong.entries[3].0 = u32::MAX,
        |sheet| *sheet.levels[1].prolong.offsets.last_mut().unwrap() += 1,
        |sheet| sheet.levels[1].restrict.entries[0].0 = 1 << 20,
        |sheet| _ = sheet.levels[0].restrict.offsets.pop(),
        |sheet| sheet.levels[0].centres[0] = u32::MAX,
        |sheet| sheet.levels[0].net.edges[5].ends[1] = 1 << 24,
        |sheet| sheet.levels[0].net.edges[5].ends[1] = sheet.levels[0].net.edges[5].ends[0],
        |sheet| sheet.levels[1].net.edges[0].material = u32::MAX,
        |sheet| sheet.levels[0].colours[0].end = sheet.levels[0].colours[1].end,
        |sheet| _ = sheet.levels[1].colours.pop(),
    ];
    for (index, alter) in alterations.into_iter().enumerate() {
        let mut plan = good.clone();
        alter(&mut plan.sheets[0]);
        assert!(matches!(plan.check(&levelled), Err(PlanError::Levels { sheet: 0, .. })), "{index}");
        assert_eq!(CpuSolver::new(&levelled, &plan).err(), Some(CpuError::OtherModel), "{index}");
    }
}
