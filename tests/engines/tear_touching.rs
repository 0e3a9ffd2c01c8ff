//! Bodies that tear and touch other particles, before and after: against double precision and against theory.

use std::collections::HashSet;

use pliant::measure::Measurement;
use pliant::model::{Against, Contact, Model};
use pliant::plan::Plan;
use pliant::scene::{Body, Cloth, Cuboid, Grid, Pin, Scene, Select, Soft};
use pliant::{Engine, Reference};

use crate::device::Running;
use crate::kernels::difference;
use crate::proof;
use crate::tear::{BROKEN, bits};

/// Particles along each side of the sheets, and the column along which they are torn.
const SIDE: u32 = 9;
const SLIT: u32 = 4;
/// Of the sheets' particles and of those that they touch, m.
const RADIUS: f64 = 0.02;
const SHEET_MASS: f64 = 0.5;

/// A level sheet of particles 5 cm apart, at this height, m. It tears where a test says so.
fn sheet(height: f64) -> Body {
    let grid = Grid { columns: SIDE, rows: SIDE, width: 0.4, height: 0.4 };
    let level = [-(0.5_f64.sqrt()), 0.0, 0.0, 0.5_f64.sqrt()];
    let cloth = Cloth::new(grid).stretch(1e-5).shear(1e-5).tears_at(1e9);
    Body::cloth(cloth).name("sheet").mass(SHEET_MASS).rotation(level).position([0.0, height, -0.2]).radius(RADIUS)
}

/// Balls a little off the vertices of a sheet, at this height, m.
fn hail(height: f64) -> Body {
    let at = |k: u32| {
        let [column, row] = [k % SIDE, k / SIDE].map(f64::from);
        let off = [0.7 * row, 1.3 * column].map(|angle| 0.004 * angle.sin());
        [0.05 * column - 0.2 + off[0], height, 0.05 * row - 0.2 + off[1]]
    };
    Body::particles((0..SIDE * SIDE).map(at).collect::<Vec<_>>()).name("hail").radius(RADIUS).friction(0.6)
}

fn build(scene: Scene) -> Model {
    scene.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// The constraints of the edges along the slit: of all, or without those at the border, whose ends so hold the sheet together.
fn slit(model: &Model, whole: bool) -> Vec<usize> {
    let sheet = model.bodies.iter().find(|body| body.name == "sheet").unwrap();
    let along = |ends: [u32; 2]| {
        let [a, b] = ends.map(|end| ((end - sheet.particles.start) % SIDE, (end - sheet.particles.start) / SIDE));
        let inside = a.1.min(b.1) > 0 && a.1.max(b.1) + 1 < SIDE;
        a.0 == SLIT && b.0 == SLIT && (whole || inside)
    };
    let tearing = model.tearing.as_ref().unwrap();
    tearing.edges.iter().filter(|edge| along(edge.ends)).map(|edge| edge.constraint as usize).collect()
}

/// Breaks edges; the next frame's end splits their vertices.
fn tear(running: &mut Running, model: &Model, edges: &[usize]) {
    let mut snapshot = running.snapshot();
    for &edge in edges {
        snapshot.multipliers[model.tearing.as_ref().unwrap().group as usize][edge] = [BROKEN, 0.0];
    }
    running.restore(&snapshot);
}

/// Whether a contact is one of a particle that a tear has split off.
fn of_spare(model: &Model, contact: &Contact) -> bool {
    let spares = &model.tearing.as_ref().unwrap().spares;
    let other = match contact.against {
        Against::Particle(other) => other,
        _ => contact.particle,
    };
    spares.contains(&contact.particle) || spares.contains(&other)
}

/// A sheet held at two sides that heavy hail hits at 2 m/s in the third frame.
fn hit() -> Model {
    let held = sheet(0.0).pin("left").pin("right").self_collision().friction(0.4);
    let hail = hail(2.0 * RADIUS + 0.008).mass(3.0).velocity([0.3, -2.0, 0.2]);
    let mut model = build(Scene::new("hail").with(held).with(hail));
    // Hits are short: each substep is a frame, and tells what presses in it.
    (model.settings.frame_rate, model.settings.substeps) = (600.0, 1);
    model
}

/// A sheet that heavy hail falls on, torn before: what it was split into touches balls as in double precision, and each of the forces is
/// that of its twin.
#[test]
fn torn_sheets_touch_as_their_twin() {
    for iterations in [1, 3] {
        let mut model = hit();
        model.settings.iterations = iterations;
        let edges = slit(&model, false);
        let (mut running, mut reference) = (Running::new(&model), Reference::new(&model, &Plan::new(&model)));
        tear(&mut running, &model, &edges);
        let mut beginning = reference.state();
        for &edge in &edges {
            beginning.multipliers[model.tearing.as_ref().unwrap().group as usize][edge].broken = true;
        }
        reference.restore(&beginning);
        let mut parts = 0;
        for frame in 1..=8 {
            reference.step();
            let (here, twin) = (running.run(1), reference.state());
            // All but the ends of the slit are split.
            assert_eq!(here.positions.len(), model.placed_particles() + edges.len() - 1);
            assert_eq!(twin.positions.len(), here.positions.len());
            let (told, twins) = (running.contacts(), reference.contacts());
            let ends = |contact: &Contact| (contact.particle, contact.against);
            assert_eq!(told.iter().map(ends).collect::<Vec<_>>(), twins.iter().map(ends).collect::<Vec<_>>());
            parts += twins.iter().filter(|contact| of_spare(&model, contact)).count();
            let (positions, _) = difference(&here, &twin);
            let off = told.iter().zip(&twins).map(|(one, twin)| (one.force - twin.force).abs()).fold(0.0, f64::max);
            // Single precision at 20 cm, summed over some substeps; and what moves a ball by so much in a substep.
            assert!(positions < 1e-7, "{iterations}, frame {frame}: {positions:.2e} m");
            assert!(off < 1e-7 * 3.0 / 81.0 * 600.0_f64.powi(2), "{iterations}, frame {frame}: {off} N");
        }
        assert!(parts + 1 >= edges.len(), "only {parts} contacts of split particles: the test shows nothing");
    }
}

/// Without gravity what flies into a sheet as it tears keeps, with the pieces, its momentum.
#[test]
fn momentum_stays_in_a_torn_collision() {
    let mut model = hit();
    model.world.gravity = [0.0; 3];
    let free = build(Scene::new("free").with(sheet(0.0))).particles.inverse_masses;
    model.particles.inverse_masses[..(SIDE * SIDE) as usize].copy_from_slice(&free[..(SIDE * SIDE) as usize]);
    let mut running = Running::new(&model);
    let before = Measurement::of(&model, &running.state()).momentum;
    tear(&mut running, &model, &slit(&model, true));
    let mut met = 0;
    for _ in 0..20 {
        running.run(1);
        met += running.contacts().iter().filter(|contact| of_spare(&model, contact)).count();
    }
    let after = Measurement::of(&model, &running.state()).momentum;
    assert!(met >= SIDE as usize, "only {met} contacts of split particles: the test shows nothing");
    let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let lost = size(std::array::from_fn(|i| after[i] - before[i]));
    proof::row("hail meets a sheet that tears", "momentum", lost / size(before), 1e-5, "of that before");
}

/// A sheet that lies on a floor of balls is torn in two: both pieces stay on the floor, every particle of them, and press on it with what
/// they weigh together.
#[test]
fn pieces_lie_on_what_the_sheet_lay_on() {
    let floor = hail(0.0).mass(0.0).pin(Pin::new(Select::Indices((0..SIDE * SIDE).collect())));
    let model = build(Scene::new("floor").with(floor).with(sheet(2.02 * RADIUS).friction(0.6)));
    let mut running = Running::new(&model);
    running.run(30);
    tear(&mut running, &model, &slit(&model, true));
    let state = running.run(90);
    assert_eq!(state.positions.len(), model.placed_particles() + SIDE as usize);
    // Between balls 5 cm apart along both axes a ball of their size hangs √(4 r² - 2 (2.5 cm)²) above them; these are some 4 mm off.
    let deepest = ((2.0 * RADIUS).powi(2) - 2.0 * 0.028_f64.powi(2)).sqrt();
    let lowest = state.positions[(SIDE * SIDE) as usize..].iter().map(|place| place[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest > deepest, "a particle sank to {lowest} m");
    // The floor comes first: what it is pushed down by, the contact tells upside down.
    let force: f64 = running.contacts().iter().map(|one| -(one.force * one.normal[1] + one.friction[1])).sum();
    proof::relative("the pieces of a torn sheet press on a floor of balls", "m g", force, SHEET_MASS * 9.81, 1e-3);
}

/// The same tear amid contacts has the same bits twice, also where it is interrupted, in a solver that has torn already as in a new one; and
/// going back to before it leaves spares that touch nothing.
#[test]
fn torn_contacts_have_the_same_bits() {
    let model = hit();
    let (mut running, mut other) = (Running::new(&model), Running::new(&model));
    tear(&mut running, &model, &slit(&model, false));
    let whole = running.snapshot();
    running.run(2);
    let amid = running.snapshot();
    running.run(1);
    assert!(running.contacts().iter().any(|contact| of_spare(&model, contact)), "the test shows nothing");
    let end = running.run(3);
    other.restore(&amid);
    assert_eq!(bits(&other.run(4)), bits(&end), "in a new one");
    running.restore(&amid);
    assert_eq!(bits(&running.run(4)), bits(&end), "in one that has torn");

    // With what is to be torn mended, the sheet catches the hail as one that never was torn.
    let mut mended = whole;
    mended.multipliers.iter_mut().flatten().for_each(|multiplier| *multiplier = [0.0; 2]);
    running.restore(&mended);
    let (back, never) = (running.run(4), Running::new(&model).run(4));
    assert_eq!(bits(&back), bits(&never), "after going back");
}

/// A block on a floor of balls, torn in two by an upright cut: both pieces stand, and press on the floor with what they weigh together.
#[test]
fn pieces_of_a_block_stand_on_what_it_stood_on() {
    let floor = hail(0.0).mass(0.0).pin(Pin::new(Select::Indices((0..SIDE * SIDE).collect())));
    let cuboid = Cuboid { cells: [4, 2, 4], size: [0.2, 0.1, 0.2] };
    let soft = Soft::new(cuboid).young_modulus(1e5).tears_at(1e9);
    let block = Body::soft(soft).mass(2.0).position([0.0, 0.05 + 2.02 * RADIUS, 0.0]).radius(RADIUS).friction(0.6);
    let mut model = build(Scene::new("block").with(floor).with(block));
    model.settings.substeps = 20;
    let tearing = model.tearing.as_ref().unwrap();
    let cut = |corners: &[u32; 3]| corners.iter().all(|&p| model.particles.positions[p as usize][0].abs() < 1e-9);
    let facets = tearing.inside.iter().step_by(2).zip(0..).filter(|(corners, _)| cut(corners)).map(|(_, facet)| facet);
    let mut running = Running::new(&model);
    let mut snapshot = running.snapshot();
    snapshot.broken_facets = facets.collect();
    running.restore(&snapshot);
    let state = running.run(120);
    // The particles of the cut: 3 × 5 of them.
    assert_eq!(state.positions.len(), model.placed_particles() + 15);
    let lowest = state.positions[(SIDE * SIDE) as usize..].iter().map(|place| place[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.0, "a particle sank to {lowest} m");
    let contacts = running.contacts();
    assert!(contacts.iter().any(|contact| of_spare(&model, contact)));
    let force: f64 = contacts.iter().map(|one| -(one.force * one.normal[1] + one.friction[1])).sum();
    proof::relative("the pieces of a torn block press on a floor of balls", "m g", force, 2.0 * 9.81, 1e-2);
}

/// With `self_collision` a piece of a torn sheet lies on the other: the left half, laid upon the right one, which is held, presses on it with its weight.
#[test]
fn a_piece_lies_on_the_other() {
    let model = build(Scene::new("folded").with(sheet(0.0).self_collision().friction(0.6)));
    let mut running = Running::new(&model);
    tear(&mut running, &model, &slit(&model, true));
    let torn = model.torn(&running.run(1)).into_owned();
    let of_left = |triangle: &&[u32; 3]| triangle.iter().any(|&p| p < SIDE * SIDE && p % SIDE < SLIT);
    let left: HashSet<u32> = torn.bodies[0].triangles.iter().filter(of_left).flatten().copied().collect();
    assert_eq!(left.len() as u32, SIDE * (SLIT + 1));
    let mut laid = running.snapshot();
    for (particle, x) in (0..).zip(&mut laid.particles[0]) {
        match left.contains(&particle) {
            // Of a lattice's step, and a little off the particles below.
            true => (x[0], x[1]) = (x[0] + 0.1875, x[1] + 0.0625),
            false => x[3] = 0.0,
        }
    }
    running.restore(&laid);
    running.solver.average_contacts(true);
    let state = running.run(90);
    let lowest = left.iter().map(|&p| state.positions[p as usize][1]).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.0, "a particle sank to {lowest} m");
    let contacts = running.contacts();
    let of_piece = |contact: &Contact| left.contains(&contact.particle);
    assert!(contacts.iter().any(|contact| of_spare(&model, contact)));
    let force: f64 = contacts
        .iter()
        .map(|one| (one.force * one.normal[1] + one.friction[1]) * if of_piece(one) { 1.0 } else { -1.0 })
        .sum();
    // By the shares of the slit's vertices, halved: 4.5 of 9 columns.
    proof::relative("a piece of a torn sheet presses on the other", "m g/2", force, 0.5 * SHEET_MASS * 9.81, 1e-3);
}
