// Tells what contacts took of the shared slots, and makes the next substep's free.

fn tell(i: u32) {
    if (i > 0u) {
        return;
    }
    let wanted = taken();
    atomicMax(&status.shared_contacts, wanted);
    atomicMax(&status.missing_contacts, wanted - min(wanted, contacts.room));
    atomicStore(&contacts.taken[(substep.index + 1u) & 1u], 0u);
}
