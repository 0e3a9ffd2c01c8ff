// What is found becomes a contact: its axis, its weights and how it touches.

@group(0) @binding(5) var<storage, read> u: array<vec3f>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= listed()) {
        return;
    }
    var contact = surface_contacts.list[i];
    let v = contact.vertices;
    let motion = motion_of(v, contact.edges == 1u);
    let certificate = certificate_of(motion);
    let weights = touching_weights(motion, contact.distance, certificate);
    let n = certificate.axis;
    let origin = x[v.x].xyz;
    let anchors = Places(
        vec3f(0.0),
        lattice_way(origin, x[v.y].xyz),
        lattice_way(origin, x[v.z].xyz),
        lattice_way(origin, x[v.w].xyz),
    );
    let along = dot3(n, weighted(weights, Places(u[v.x], u[v.y], u[v.z], u[v.w])));
    let first = surface_bodies[contact.bodies.x];
    let second = surface_bodies[contact.bodies.y];
    contact.axis = n;
    contact.weights = weights;
    contact.offset = dot3(n, weighted(weights, anchors)) - contact.distance;
    contact.approach = approach_of(certificate.before, contact.distance, along);
    contact.compliance = first.compliance + second.compliance;
    contact.restitution = 0.5 * (first.restitution + second.restitution);
    let of_first = vec2f(first.friction, first.dynamic_friction);
    contact.friction = combined(of_first, vec2f(second.friction, second.dynamic_friction));
    contact.tangential = vec3f(0.0);
    surface_contacts.list[i] = contact;
}
