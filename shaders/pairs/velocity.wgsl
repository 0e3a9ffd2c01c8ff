// Velocities of pairs that pressed: they part with the restitution's share of the speed with which they met, or not at all below 2gh
// (Müller et al. 2020, section 3.6), as far as one sweep over all of them at once does. All speeds are times h, as u is.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> u: array<vec3f>;
@group(0) @binding(6) var<storage, read> touches: array<BodyTouch>;
@group(0) @binding(7) var<storage, read_write> status: Status;

var<private> calm: f32;     // speeds below are no impact, m
var<private> way: vec3f;
var<private> pressing: u32;

fn is_wanted(partner: u32) -> bool {
    return (partner & PRESSED) != 0u;
}

// Pairs that overlap when a substep begins do not rebound in it: that they did when they met. What parts them now is the push, which would be
// thrown back from neighbour to neighbour for ever.
fn is_settled(a: Ball, b: Ball) -> bool {
    let start = apart_at_start(a, b);
    let settled = (a.radius + b.radius) * (1.0 - SETTLED);
    return dot(start, start) < settled * settled;
}

// Whether a pair pressed that is in no list.
fn pressed(j: u32, n: vec3f) -> bool {
    return is_near(me, j) && value_of(me, balls[j], n, me.way - balls[j].way) < 0.0;
}

fn meet(i: u32, partner: u32, at: u32) {
    let j = partner & PARTNER;
    let other = balls[j];
    let n = normal_of(me, other, me.ahead - other.ahead, i > j);
    if (at == NONE && !pressed(j, n)) {
        return;
    }
    let approach = select(dot(n, me.before - other.before), 0.0, is_settled(me, other));
    let impact = approach < -calm;
    let wanted = select(0.0, -touch_of(me, other).restitution * approach, impact);
    way += n * (me.inverse_mass * ((wanted - dot(n, u[i] - u[j])) / (me.split + other.split)));
    forget(i, n, impact);
    // Each pair once.
    pressing += select(0u, 1u, i > j || other.inverse_mass == 0.0);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    let closes = substep.index + 1u == substep.count;
    if (i == 0u) {
        let wanted = atomicLoad(&lists.wanted);
        atomicMax(&status.pairs, wanted);
        // Without an entry there is no λ to go on from: which of the two sides of a pair has none is up to scheduling.
        if (ITERATED) {
            atomicMax(&status.missing_contacts, wanted - min(wanted, room()));
        }
    }
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    me = balls[i];
    calm = 2.0 * length(substep.gravity) * substep.seconds * substep.seconds;
    way = u[i];
    pressing = 0u;
    meet_partners(i);
    balls[i].after = way;
    if (closes && pressing > 0u) {
        atomicAdd(&status.contacts, pressing);
    }
}
