//! Room for contacts with many colliders, which particles share on the device: it grows as it is taken, and what finds none is told.

use crate::device::Running;
use crate::kernels::difference;
use crate::many_colliders::rings;
use crate::models;

/// Slots that particles share at first.
const FIRST: u32 = 256;

/// Thirty balls, each of which touches twenty colliders, are told to have had no room; then there is room, and they lie as in the reference.
#[test]
fn contacts_without_room_are_told_and_get_it() {
    let model = rings(30, 20);
    let mut running = Running::new(&model);
    running.run(1);
    let status = running.status();
    assert_eq!((status.shared_contacts_wanted, status.contacts_missing), (600, 600 - FIRST));
    running.run(60);
    assert_eq!(running.status().contacts_missing, 600 - FIRST, "there was no more room");
    let (apart, _) = difference(&running.state(), &models::run(&model, 61));
    // For a frame or two four of twenty held them, which lets them sink by as much as gravity gives in that time, and they do not come back.
    assert!(apart < 1e-3, "{apart:e} m");
}

/// While there is room, that it grows changes no bit: nor does where the slots are taken.
#[test]
fn growing_changes_no_bit() {
    let model = rings(12, 20);
    let mut first = Running::new(&model);
    let beginning = first.snapshot();
    first.run(8);
    let status = first.status();
    assert_eq!((status.shared_contacts_wanted, status.contacts_missing), (240, 0));
    let small = first.snapshot();
    assert!(small.status[3] > 100, "only {} contacts", small.status[3]);
    // There is more room now.
    first.restore(&beginning);
    first.run(8);
    assert!(first.snapshot() == small);
    let mut second = Running::new(&model);
    second.run(8);
    assert!(second.snapshot() == small);
}
