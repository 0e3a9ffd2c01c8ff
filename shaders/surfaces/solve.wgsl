// One round over all contacts: `Contact::solve` in src/law/surface.rs.

fn act(i: u32) {
    let contact = surface_contacts.list[i];
    let v = contact.vertices;
    let masses = masses_of(v);
    let moved = Places(d[v.x].xyz, d[v.y].xyz, d[v.z].xyz, d[v.w].xyz);
    let n = contact.axis;
    let value = contact.offset + dot3(n, weighted(contact.weights, moved));
    let weight = contact_weight(contact.weights, masses);
    if (!(value < 0.0 || contact.lambda > 0.0) || !(weight > 0.0)) {
        return;
    }
    let ways = Places(moved.a - e[v.x], moved.b - e[v.y], moved.c - e[v.z], moved.d - e[v.w]);
    let slip = weighted(contact.weights, ways);
    let impact = impact_of_two(contact.approach, contact.restitution);
    let softness = contact.compliance * substep.inverse_seconds_squared;
    let before = vec4f(contact.tangential, contact.lambda);
    let after = pressed_by(before, contact.friction, softness, impact, weight, n, value, slip);
    surface_contacts.list[i].tangential = after.xyz;
    surface_contacts.list[i].lambda = after.w;
    let push = n * (after.w - before.w) + (after.xyz - before.xyz);
    for (var k = 0u; k < 4u; k += 1u) {
        if (masses[k] > 0.0) {
            d[v[k]] += vec4f(push * (contact.weights[k] * masses[k]), 0.0);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    each_colour(lane);
}
