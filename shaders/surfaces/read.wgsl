// On request: the contacts that pressed in a substep, with what they pressed with in all, by the nearest vertex of each
// feature.

// Of two vertices of a contact the one with the larger weight.
fn heavier(weights: vec4f, a: u32, b: u32) -> u32 {
    return select(a, b, abs(weights[b]) > abs(weights[a]));
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= listed() || surface_contacts.list[i].pressed == 0u) {
        return;
    }
    let contact = surface_contacts.list[i];
    let is_edge = contact.edges == 1u;
    let first = select(0u, heavier(contact.weights, 0u, 1u), is_edge);
    let last = heavier(contact.weights, 2u, 3u);
    let second = select(heavier(contact.weights, 1u, last), last, is_edge);
    note(contact.vertices[first], contact.vertices[second], contact.axis, contact.lambda, contact.tangential);
}
