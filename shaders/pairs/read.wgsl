// The pairs that pressed in a substep, each once, with what they pressed with in all: leave.wgsl has put the velocities as positions left them
// where those with restitution were.

@group(0) @binding(2) var<storage, read> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> touches: array<BodyTouch>;

fn is_wanted(entry: u32) -> bool {
    return (entry & PRESSED) != 0u;
}

fn meet(i: u32, entry: u32, at: u32) {
    let j = partner_of(entry);
    let other = balls[j];
    if (i < j && other.inverse_mass > 0.0) {
        return;
    }
    let distance = distance_of(me, other, entry);
    let n = normal_of(me, other, distance, me.ahead - other.ahead, i > j);
    let value = value_of(me, other, distance, n, me.way - other.way);
    if (at == NONE && !(is_near(me, j) && value < 0.0)) {
        return;
    }
    let impact = impact_between(me, other, distance, n);
    let impulse = impulse_of_pair(at, me, other, impact, n, value);
    let told = told_of(impulse, impact, me.split + other.split, dot(n, me.after - other.after));
    note(i, j, n, told.w, told.xyz);
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
