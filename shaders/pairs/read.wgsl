// The pairs that pressed in a substep's last sweep, each once, with the impulse which that sweep gave it.
// Of what was swept once only no impulse is kept; it follows from what still stands in the balls.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(4) var<storage, read> partners: array<u32>;
@group(0) @binding(5) var<storage, read> touches: array<BodyTouch>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    let me = balls[i];
    open_partners(i);
    loop {
        let next = next_partner(i);
        if (next.partner == NONE) {
            break;
        }
        let j = next.partner & PARTNER;
        let other = balls[j];
        let mine = i > j || other.inverse_mass == 0.0;
        if (!mine || (next.at != NONE && (next.partner & PRESSED) == 0u)) {
            continue;
        }
        let n = normal_of(me, other, me.ahead - other.ahead, i > j);
        let value = value_of(me, other, n, me.way - other.way);
        if (next.at == NONE && !(is_near(me, j) && value < 0.0)) {
            continue;
        }
        var impulse: vec4f;
        if (ITERATED && next.at != NONE) {
            impulse = impulses[next.at];
        } else {
            impulse = solved(vec4f(0.0), me, other, n, value);
        }
        note(i, j, n, impulse.w, impulse.xyz);
    }
}
