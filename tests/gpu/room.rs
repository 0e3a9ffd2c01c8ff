//! Room for contacts with many colliders, which particles share on the device: it grows as it is taken, and what finds none is told.

use pliant::model::{Collider, Shape, State};

use crate::device::Running;
use crate::kernels::difference;
use crate::many_colliders::ring;
use crate::models;

/// Slots that particles share at first in a small scene.
const FIRST: u32 = 16_384;

/// A thousand balls, each of which touches twenty colliders, are told to have had no room; then there is room, and they lie as one does in the
/// reference.
#[test]
fn contacts_without_room_are_told_and_get_it() {
    let mut running = Running::new(&ring(1000, 20));
    running.run(1);
    let status = running.status();
    assert_eq!((status.shared_contacts_wanted, status.contacts_missing), (20_000, 20_000 - FIRST));
    let state = running.run(30);
    assert_eq!(running.status().contacts_missing, 20_000 - FIRST, "there was no more room");
    let one = models::run(&ring(1, 20), 31);
    let twin = State { positions: vec![one.positions[0]; 1000], ..one };
    let (apart, _) = difference(&state, &twin);
    // For a frame or two four of twenty held them, which lets them sink by as much as gravity gives in that time, and they do not come back.
    assert!(apart < 1e-3, "{apart:e} m");
}

/// While there is room, that it grows changes no bit: nor does where the slots are taken.
#[test]
fn growing_changes_no_bit() {
    let model = ring(600, 20);
    let mut first = Running::new(&model);
    let beginning = first.snapshot();
    first.run(6);
    let status = first.status();
    assert_eq!((status.shared_contacts_wanted, status.contacts_missing), (12_000, 0));
    let small = first.snapshot();
    assert!(small.status[3] > 1000, "only {} contacts", small.status[3]);
    // There is more room now.
    first.restore(&beginning);
    first.run(6);
    assert!(first.snapshot() == small);
    let mut second = Running::new(&model);
    second.run(6);
    assert!(second.snapshot() == small);
}

/// Deep within a trigger a particle looks no further than elsewhere: of the colliders all around that it cannot reach it takes no slot.
#[test]
fn a_deep_trigger_takes_no_room() {
    let mut model = ring(10, 20);
    for collider in &mut model.colliders {
        collider.position = collider.position.map(|x| 20.0 * x);
    }
    let room = Collider::new(Shape::Box { size: [100.0; 3] });
    model.colliders.push(Collider { trigger: true, ..room });
    let mut running = Running::new(&model);
    running.run(1);
    assert_eq!((running.status().shared_contacts_wanted, running.contacts().len()), (0, 10));
}
