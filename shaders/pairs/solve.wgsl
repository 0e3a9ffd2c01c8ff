// One sweep over the pairs that push, all at once with split masses (touch.wgsl): each ball goes through its partners in order and moves
// itself. Both sides of a pair find the same λ.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> touches: array<BodyTouch>;

// By how much the pair moves a ball of inverse mass 1.
fn push(i: u32, j: u32, me: Ball, at: u32) -> vec3f {
    let other = balls[j];
    let ways = me.way - other.way;
    var ahead = ways;
    if (!opens()) {
        ahead = me.ahead - other.ahead;
    }
    let n = normal_of(me, other, ahead, i > j);
    let value = value_of(me, other, n, ways);
    if (at == NONE && !(is_near(me, j) && value < 0.0)) {
        return vec3f(0.0);
    }
    var before = vec4f(0.0);
    if (!opens() && at != NONE) {
        before = impulses[at];
    }
    let after = solved(before, me, other, n, value);
    if (at != NONE) {
        partners[at] = j | ACTIVE | select(0u, PRESSED, after.w > 0.0);
        if (ITERATED) {
            impulses[at] = after;
        }
    }
    return n * (after.w - before.w) + (after.xyz - before.xyz);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    let me = balls[i];
    var sum = vec3f(0.0);
    open_partners(i);
    loop {
        let next = next_partner(i);
        if (next.partner == NONE) {
            break;
        }
        if (next.at == NONE || (next.partner & ACTIVE) != 0u) {
            sum += push(i, next.partner & PARTNER, me, next.at);
        } else if (ITERATED) {
            impulses[next.at] = vec4f(0.0);
        }
    }
    d[i] += me.inverse_mass * sum;
    // Normals are those of the substep's first sweep.
    if (opens()) {
        balls[i].ahead = me.way;
    }
}
