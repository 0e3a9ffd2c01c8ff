// Finds the plane that bounds each particle's motion at each collider for this substep, from where it is and where it is predicted.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> properties: array<Properties>;
@group(0) @binding(7) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(8) var<storage, read> colliders: array<Collider>;
@group(0) @binding(9) var<storage, read_write> contacts: array<Contact>;

// Whether e is the x̄ of BDF2 (step/past.wgsl), ahead of where the particle was.
override BDF2: bool = false;

// C of a particle that does not meet the collider, m.
const FAR: f32 = 1e30;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let calm = calm_way();
    let moved = d[i];
    var begin = e[i];
    if (BDF2) {
        begin -= (1.0 - substep.share) * (u[i] + d[substep.particles + i]);
    }
    let surface = surfaces[properties[i].body];
    for (var k = 0u; k < substep.colliders; k += 1u) {
        let c = colliders[collider_index(k)];
        var contact: Contact;
        if ((surface.groups & c.meets) == 0u || (c.groups & surface.meets) == 0u) {
            contact.offset = FAR;
        } else {
            let start = (x[i].xyz - c.place) + (begin - c.place_low) + c.displacement;
            let end = (x[i].xyz - c.place) + (moved - c.place_low);
            let met = touch(c, start, end, surface.radius + c.thickness, calm);
            contact.normal = met.normal;
            contact.offset = met.value - dot(met.normal, moved);
            contact.carried = met.carried;
            contact.approach = dot(met.normal, u[i] - met.carried);
        }
        contacts[contact_index(k, i)] = contact;
    }
}
