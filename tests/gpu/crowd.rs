//! Pairs of particles on a device: the same bits whatever the lists hold, and no end of numbers that could hang it.

use pliant::model::{Body, Model};

use crate::billiards::*;
use crate::device::{Running, arrived, gpu, run};
use crate::models;
use crate::pairs::crowd;
use crate::stack::crowded_stack;
use crate::surfaces::Run;

/// Two runs have the same bits, and so has one whose lists had no room at first and one whose lists had it from the beginning: of more than
/// sixteen partners each, which the first frames look up in the grid.
#[test]
fn full_lists_change_no_bit() {
    let mut model = crowd(2000, 5);
    model.settings.substeps = 4;
    let mut first = Running::new(&model);
    let beginning = first.snapshot();
    first.run(6);
    assert!(first.status().pairs_wanted > 16 * 2000, "the lists had room: {:?}", first.status());
    let short = first.snapshot();
    assert!(short.status[3] > 500, "only {} contacts", short.status[3]);
    // Its lists have grown.
    first.restore(&beginning);
    first.run(6);
    assert!(first.snapshot() == short);
    let mut second = Running::new(&model);
    second.run(6);
    assert!(second.snapshot() == short);
}

/// With several sweeps who finds no room has no λ to go on from, and who that is goes by scheduling: it is told, and the frame done again has room, and
/// bits that do not depend on what there was before.
#[test]
fn full_lists_are_told_where_there_are_sweeps() {
    let mut model = crowd(2000, 5);
    (model.settings.substeps, model.settings.iterations) = (4, 2);
    let mut running = Running::new(&model);
    let beginning = running.snapshot();
    assert!(running.solver.may_miss_contacts());
    running.run(1);
    assert!(running.status().contacts_missing > 0, "the lists had room: {:?}", running.status());
    running.restore(&beginning);
    running.run(6);
    assert_eq!(running.status().contacts_missing, 0);
    let first = running.snapshot();
    assert!(first.status[3] > 500, "only {} contacts", first.status[3]);
    running.restore(&beginning);
    running.run(6);
    assert!(running.snapshot() == first);
}

/// Each of so many balls in a body of its own, at one point.
fn heap(count: usize) -> Model {
    let mut model = models::particles(&vec![[0.3; 3]; count], &vec![1.0; count]);
    touchy(&mut model);
    model
}

/// 5,000 balls at one point are no work without end but a flag; a few dozen are left alone, as they were placed in one place.
#[test]
fn crowds_are_told() {
    let mut running = Running::new(&heap(5000));
    running.run(1);
    assert!(running.status().crowded && !running.status().is_good(), "{:?}", running.status());
    assert_eq!(running.status().slot, None);
    let mut running = Running::new(&heap(50));
    let state = running.run(3);
    assert!(running.status().is_good());
    assert_eq!(state.contacts, 0);
}

/// A particle that is nowhere does not take others with it: it is flagged, and the others touch each other as without it.
#[test]
fn what_is_not_a_number_touches_nothing() {
    let mut model = collision(1.0, 0.0, 1.0);
    let third = |x: f64| {
        let mut model = model.clone();
        model.particles.positions.push([0.0, x, 0.0]);
        model.particles.velocities.push([0.0; 3]);
        model.particles.inverse_masses.push(1.0);
        model.particles.bodies.push(0);
        model.particles.drives.push(0);
        model.bodies[0] = Body { particles: 0..3, ..model.bodies[0].clone() };
        model
    };
    let mut running = Running::new(&third(f64::NAN));
    let state = running.run(30);
    assert!(running.status().not_finite);
    let [error, _] = collision_errors(&model, &state, 1.0);
    assert!(error < 2e-5, "{error} m/s");
    // 10 km away they meet as here, by the lattice of such a world, 4 mm for balls of 10 cm.
    for position in &mut model.particles.positions {
        position[2] += 1e4;
    }
    let [error, lost] = collision_errors(&model, &run(&model, 30), 1.0);
    assert!(error < 1e-3 && lost < 1e-5, "{error} m/s, {lost} kg m/s");
}

/// More pairs than can be read back are counted: 300 balls that all press on each other.
#[test]
fn what_cannot_be_read_back_is_counted() {
    let mut model = heap(300);
    model.settings.substeps = 1;
    // Placed apart, or they would touch at the distance at which they were, they are drawn together.
    for (i, position) in model.particles.positions.iter_mut().enumerate() {
        *position = [3.0 * RADIUS * i as f64, 0.0, 0.0];
    }
    let mut running = Running::new(&model);
    let mut together = running.snapshot();
    together.particles[0].iter_mut().for_each(|x| x[..3].fill(0.0));
    running.restore(&together);
    let state = running.run(1);
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    let download = running.solver.contacts(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
    let contacts = arrived(|| download.contacts());
    let missing = arrived(|| download.missing());
    assert!(missing > 0, "all {} could be read", contacts.len());
    assert_eq!((contacts.len() + missing) as u64, state.contacts);
}

/// A stack of sheets that are more than a software device, which ends loops, has time for: nothing crosses, since what is not found holds
/// all of them back.
#[test]
fn a_crowded_stack_is_held() {
    Run::of(&crowded_stack()).frames(5);
}
