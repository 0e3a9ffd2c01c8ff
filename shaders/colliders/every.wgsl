// With few colliders every particle has a slot for each. They lie collider by collider, so that neighbouring threads touch neighbouring memory.
// With many: colliders/near.wgsl.

@group(0) @binding(10) var<storage, read_write> contacts: array<Contact>;

// There is no tree of colliders.
fn nodes() -> u32 {
    return 0u;
}

fn list_of(i: u32) -> List {
    return List(i, substep.particles, substep.colliders);
}

// The collider of the nth slot of a list.
fn collider_at(at: u32, n: u32) -> u32 {
    return n;
}

fn contact_at(at: u32) -> Contact {
    return contacts[at];
}

fn press(at: u32, lambda: f32, tangential: vec3f) {
    contacts[at].lambda = lambda;
    contacts[at].tangential = tangential;
}
