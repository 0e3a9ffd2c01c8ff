// Finds the plane that bounds each particle's motion at each collider for this substep, from where the particle is predicted.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> u: array<vec3f>;
@group(0) @binding(5) var<storage, read> properties: array<Properties>;
@group(0) @binding(6) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(7) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read_write> contacts: array<Contact>;

// C of a particle that does not meet the collider, m.
const FAR: f32 = 1e30;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let moved = d[i];
    let surface = surfaces[properties[i].body];
    for (var k = 0u; k < substep.colliders; k += 1u) {
        let c = colliders[collider_index(k)];
        var contact: Contact;
        if ((surface.groups & c.meets) == 0u || (c.groups & surface.meets) == 0u) {
            contact.offset = FAR;
        } else {
            let end = (x[i].xyz - c.place) + (moved - c.place_low);
            let near = distance_to(c, end);
            contact.normal = near.xyz;
            contact.offset = near.w - surface.radius - c.thickness - dot(near.xyz, moved);
            contact.carried = carried_at(c, end - near.w * near.xyz, near.xyz);
            contact.approach = dot(near.xyz, u[i] - contact.carried);
        }
        contacts[contact_index(k, i)] = contact;
    }
}
