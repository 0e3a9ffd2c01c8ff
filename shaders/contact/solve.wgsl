// Pushes particles out of colliders and holds them there by friction, in positions (Müller et al., Detailed Rigid Body
// Simulation with Extended Position Based Dynamics, 2020, section 3.5; one body, the collider is infinitely heavy).
//   Normal:     λ' = max(λ - C/w, 0)
//   Tangential: what slipped since the substep began is undone if |λt| <= μs λ (static), else |λt| = μd λ (dynamic).
// Both accumulate over the iterations, so that friction is bounded by the whole normal force, not by its last correction.

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> properties: array<Properties>;
@group(0) @binding(6) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(7) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read_write> contacts: array<Contact>;

// Whether velocities are those of BDF2: H v = d - e, H = substep.share h.
override BDF2: bool = false;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let w = x[i].w;
    let surface = surfaces[properties[i].body];
    var moved = d[i];
    for (var k = 0u; k < substep.colliders; k += 1u) {
        let at = contact_index(k, i);
        let contact = contacts[at];
        let c = colliders[collider_index(k)];
        let n = contact.normal;
        let value = contact.offset + dot(n, moved);
        let lambda = max(contact.lambda - value / w, 0.0);
        moved += w * (lambda - contact.lambda) * n;

        var carried = contact.carried;
        if (BDF2) {
            carried *= substep.share;
        }
        let slip = moved - e[i] - carried;
        var tangential = contact.tangential - (slip - n * dot(n, slip)) / w;
        let size = length(tangential);
        if (size > 0.5 * (surface.friction + c.friction) * lambda) {
            let bound = 0.5 * (surface.dynamic_friction + c.dynamic_friction) * lambda;
            tangential *= bound / size;
        }
        moved += w * (tangential - contact.tangential);
        contacts[at].lambda = lambda;
        contacts[at].tangential = tangential;
    }
    d[i] = moved;
}
