// Finds the plane that bounds each particle's motion at each collider for this substep, from where the particle is predicted.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> u: array<vec3f>;
@group(0) @binding(5) var<storage, read> properties: array<Properties>;
@group(0) @binding(6) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(7) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read_write> contacts: array<Contact>;

// Outward normal (xyz) and distance to the surface (w) of a point relative to the collider's place.
fn nearest(c: Collider, point: vec3f) -> vec4f {
    if (c.shape == PLANE) {
        return vec4f(c.normal, dot(c.normal, point));
    }
    let length = length(point);
    let outward = select(vec3f(0.0, 1.0, 0.0), point / length, length > 0.0);
    let gap = length - c.radius;
    return select(vec4f(outward, gap), vec4f(-outward, -gap), c.shape == INSIDE_SPHERE);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let moved = d[i];
    let radius = surfaces[properties[i].body].radius;
    for (var k = 0u; k < substep.colliders; k += 1u) {
        let c = colliders[collider_index(k)];
        let at = nearest(c, (x[i].xyz - c.place) + (moved - c.place_low));
        var contact: Contact;
        contact.normal = at.xyz;
        contact.offset = at.w - radius - dot(at.xyz, moved);
        contact.approach = dot(at.xyz, u[i] - c.displacement);
        contacts[contact_index(k, i)] = contact;
    }
}
