// Velocities of pairs that pressed: they part with the restitution's share of the speed with which they met, or not at all below 2gh
// (Müller et al. 2020, section 3.6), as far as one sweep over all of them at once does; nothing pulls (law/impact.wgsl). All speeds are times h, as u is.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> touches: array<BodyTouch>;

var<private> way: vec3f;
var<private> pressing: u32;

fn is_wanted(entry: u32) -> bool {
    return (entry & PRESSED) != 0u;
}

fn meet(i: u32, entry: u32, at: u32) {
    let j = partner_of(entry);
    let other = balls[j];
    let distance = distance_of(me, other, entry);
    let n = normal_of(me, other, distance, me.ahead - other.ahead, i > j);
    let value = value_of(me, other, distance, n, me.way - other.way);
    // In no list are those, too, that did not press.
    if (at == NONE && !(is_near(me, j) && value < 0.0)) {
        return;
    }
    let impact = impact_between(me, other, distance, n);
    let weight = me.split + other.split;
    let push = weight * impulse_of_pair(at, me, other, impact, n, value).w;
    let now = dot(n, u[i] - u[j]);
    way += n * (me.inverse_mass * (change_of(impact, push, now) / weight));
    forget(i, n, impact.is_one, substep.seconds * substep.seconds * substep.gravity);
    // Each pair once.
    pressing += select(0u, 1u, i > j || other.inverse_mass == 0.0);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    me = balls[i];
    way = u[i];
    pressing = 0u;
    meet_partners(i);
    balls[i].after = way;
    if (pressing > 0u && substep.index + 1u == substep.count) {
        atomicAdd(&lists.pressing, pressing);
    }
}
