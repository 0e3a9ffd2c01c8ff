// Velocities of particles that pressed against a collider: they leave it with the restitution's share of the speed with which
// they came, or not at all below 2gh, which gravity alone gives in two substeps (Müller et al. 2020, section 3.6). All speeds
// here are times h, as u is. Contacts then have what they pressed with in all.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(4) var<storage, read> properties: array<Properties>;
@group(0) @binding(5) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(6) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read_write> status: Status;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    tell(i);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let restitution = surfaces[properties[i].body].restitution;
    let w = x[i].w;
    var way = u[i];
    var pressing = 0u;
    let list = list_of(i);
    for (var slot = 0u; slot < list.count; slot += 1u) {
        let at = list.first + slot * list.step;
        let contact = contact_at(at);
        if (contact.lambda > 0.0) {
            let c = colliders[collider_index(collider_at(at, slot))];
            let impact = impact_of(contact.approach, 0.5 * (restitution + c.restitution));
            let now = dot(contact.normal, way - contact.carried);
            way += change_of(impact, w * contact.lambda, now) * contact.normal;
            forget(i, contact.normal, impact.is_one, substep.seconds * substep.seconds * substep.gravity);
            let told = told_of(vec4f(contact.tangential, contact.lambda), impact, w, now);
            press(at, told.w, told.xyz);
            pressing += select(0u, 1u, told.w > 0.0);
        }
    }
    u[i] = way;
    if (pressing > 0u && substep.index + 1u == substep.count) {
        atomicAdd(&status.contacts, pressing);
    }
}
