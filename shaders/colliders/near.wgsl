// With many colliders a particle has slots for those only that it may touch in this substep (colliders/find_near.wgsl). OWN are its own: of all
// particles the first lie together, then the second ... One that may touch more takes as many as it needs, in a row, of those behind
// them, which all share. Where they are taken is up to scheduling, what they hold is not.

struct NearContact {
    contact: Contact,
    collider: u32,
    count: u32,             // of the particle's contacts: in the first slot of its own
    more: u32,              // where they are among the shared slots, if they are more than OWN: there, too
}

struct NearContacts {
    taken: array<atomic<u32>, 2>,   // of the shared slots, in even substeps and in odd ones
    room: u32,                      // how many are shared; the host writes all three as a frame begins
    slots: array<NearContact>,
}

@group(0) @binding(10) var<storage, read_write> contacts: NearContacts;

const OWN: u32 = 4u;

// Of the tree of colliders.
fn nodes() -> u32 {
    return 2u * substep.colliders - 1u;
}

fn taken() -> u32 {
    return atomicLoad(&contacts.taken[substep.index & 1u]);
}

fn own_list(i: u32, count: u32) -> List {
    return List(i, substep.particles, count);
}

fn shared_list(more: u32, count: u32) -> List {
    return List(OWN * substep.particles + more, 1u, count);
}

// Where room is short all go without the shared slots, whoever was first: by the deepest of their contacts.
fn list_of(i: u32) -> List {
    let count = contacts.slots[i].count;
    if (count > OWN && taken() <= contacts.room) {
        return shared_list(contacts.slots[i].more, count);
    }
    return own_list(i, min(count, OWN));
}

fn collider_at(at: u32, n: u32) -> u32 {
    return contacts.slots[at].collider;
}

fn contact_at(at: u32) -> Contact {
    return contacts.slots[at].contact;
}

fn press(at: u32, lambda: f32, tangential: vec3f) {
    contacts.slots[at].contact.lambda = lambda;
    contacts.slots[at].contact.tangential = tangential;
}
