// Pushes particles out of colliders and holds them there by friction, in positions (law/press.wgsl; one particle, the collider is infinitely
// heavy). λ accumulates over the iterations, so that friction is bounded by the whole normal force, not by its last correction; and by what the
// velocity takes of an impact or a curve besides (law/impact.wgsl).

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(4) var<storage, read> e: array<vec3f>;
@group(0) @binding(5) var<storage, read> properties: array<Properties>;
@group(0) @binding(6) var<storage, read> surfaces: array<Surface>;
@group(0) @binding(7) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read> u: array<vec3f>;

// Whether velocities are those of BDF2: H v = d - e, H = substep.share h.
override BDF2: bool = false;

// Whether a collider holds what touches it.
override ADHESION: bool = true;

// Whether any collider is a trigger: what is in it has friction's λ set to this, and no other.
override TRIGGERS: bool = true;
const WITHIN: vec3f = vec3f(1.0, 0.0, 0.0);

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || x[i].w == 0.0) {
        return;
    }
    let w = x[i].w;
    let surface = surfaces[properties[i].body];
    var moved = d[i];
    let list = list_of(i);
    for (var slot = 0u; slot < list.count; slot += 1u) {
        let at = list.first + slot * list.step;
        let contact = contact_at(at);
        let c = colliders[collider_index(collider_at(at, slot))];
        let n = contact.normal;
        let value = contact.offset + dot(n, moved);
        if (TRIGGERS && c.adhesion < 0.0) {
            press(at, 0.0, select(vec3f(0.0), WITHIN, value < 0.0));
            continue;
        }
        var carried = contact.carried;
        if (BDF2) {
            carried *= substep.share;
        }
        // What touched as the substep began, within a hair's breadth, is held by adhesion as by a force that only pulls.
        var hold = 0.0;
        if (ADHESION) {
            let hair = 1e-6 + 1e-3 * (surface.radius + c.thickness);
            var begin = e[i];
            if (BDF2) {
                // As colliders/detect.wgsl has it: e is ahead of where the particle was.
                begin -= (1.0 - substep.share) * (u[i] + d[substep.particles + i]);
            }
            let began = contact.offset + dot(n, begin + contact.carried);
            hold = select(0.0, c.adhesion * substep.implicit_seconds * substep.implicit_seconds, began < hair);
        }
        // Most are out of reach: what did not press and does not keeps what it has.
        if (value >= 0.0 && contact.lambda == 0.0 && hold == 0.0) {
            continue;
        }
        let friction = combined(vec2f(surface.friction, surface.dynamic_friction), vec2f(c.friction, c.dynamic_friction));
        let impact = impact_of(contact.approach, 0.5 * (surface.restitution + c.restitution));
        let wall = Wall(n, value, w, hold, e[i], carried);
        let impulse = held_by(vec4f(contact.tangential, contact.lambda), friction, impact, wall, &moved);
        press(at, impulse.w, impulse.xyz);
    }
    d[i] = moved;
}
