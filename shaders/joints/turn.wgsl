// Turns free rigid bodies as one, with the momenta with which their particles were predicted along straight ways: a
// thread for each, as src/pass/joints/turning.rs has it.

// As src/law/rigid.rs.
const TURN_STEPS: u32 = 8u;
const MOST_FREE_TURN: f32 = 0.8;

struct RigidBody {
    first: u32,     // its first member
    count: u32,
}

struct RigidMember {
    slot: u32,
    share: f32,     // of the mass
}

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;
@group(0) @binding(4) var<storage, read> e: array<vec4f>;
@group(0) @binding(5) var<storage, read> rigid_bodies: array<RigidBody>;
@group(0) @binding(6) var<storage, read> rigid_members: array<RigidMember>;

fn start_from(first: u32, slot: u32) -> vec3f {
    return lattice_way(x[first].xyz, x[slot].xyz) + (e[slot].xyz - e[first].xyz);
}

fn way_of(slot: u32) -> vec3f {
    return d[slot].xyz - e[slot].xyz;
}

fn free_turn(inertia: mat3x3f, momentum: vec3f) -> vec3f {
    let negligible = NEGLIGIBLE * (inertia[0].x + inertia[1].y + inertia[2].z);
    var v = vec3f(0.0);
    for (var k = 0u; k < TURN_STEPS; k += 1u) {
        let bent = 2.0 * cross3(v, times(inertia, v));
        let next = angular_velocity(inertia, momentum - bent, negligible) * (0.5 / max(turn_scalar(v), 0.5));
        v = shortened(next, MOST_FREE_TURN);
    }
    return v;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = item(id);
    if (index >= batch.count) {
        return;
    }
    let body = rigid_bodies[batch.first + index];
    let first = rigid_members[body.first].slot;
    let base = way_of(first);
    var drift = vec3f(0.0);
    var centre = vec3f(0.0);
    for (var k = 0u; k < body.count; k += 1u) {
        let member = rigid_members[body.first + k];
        drift += (way_of(member.slot) - base) * member.share;
        centre += start_from(first, member.slot) * member.share;
    }
    var momentum = vec3f(0.0);
    var inertia = mat3x3f(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (var k = 0u; k < body.count; k += 1u) {
        let member = rigid_members[body.first + k];
        let lever = start_from(first, member.slot) - centre;
        momentum += cross3(lever, (way_of(member.slot) - base) - drift) * member.share;
        let squared = dot3(lever, lever) * member.share;
        inertia[0] += vec3f(squared, 0.0, 0.0) - lever * (lever.x * member.share);
        inertia[1] += vec3f(0.0, squared, 0.0) - lever * (lever.y * member.share);
        inertia[2] += vec3f(0.0, 0.0, squared) - lever * (lever.z * member.share);
    }
    let v = free_turn(inertia, momentum);
    let scalar = turn_scalar(v);
    for (var k = 0u; k < body.count; k += 1u) {
        let slot = rigid_members[body.first + k].slot;
        let twice = 2.0 * cross3(v, start_from(first, slot) - centre);
        let way = base + (drift + (twice * scalar + cross3(v, twice)));
        d[slot] = vec4f(e[slot].xyz + way, d[slot].w);
    }
}
