// The pairs that pressed in a substep's last sweep, each once, with the impulse which that sweep gave it.
// Of what was swept once only no impulse is kept; it follows from what still stands in the balls.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> touches: array<BodyTouch>;


fn is_wanted(partner: u32) -> bool {
    return (partner & PRESSED) != 0u;
}

fn meet(i: u32, partner: u32, at: u32) {
    let j = partner & PARTNER;
    let other = balls[j];
    if (i < j && other.inverse_mass > 0.0) {
        return;
    }
    let n = normal_of(me, other, me.ahead - other.ahead, i > j);
    let value = value_of(me, other, n, me.way - other.way);
    if (at == NONE && !(is_near(me, j) && value < 0.0)) {
        return;
    }
    var impulse: vec4f;
    if (ITERATED && at != NONE) {
        impulse = impulses[at];
    } else {
        impulse = solved(vec4f(0.0), me, other, n, value);
    }
    note(i, j, n, impulse.w, impulse.xyz);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    me = balls[i];
    meet_partners(i);
}
