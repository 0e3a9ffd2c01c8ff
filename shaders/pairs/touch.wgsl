// Before each sweep: which pairs push in it, C < 0 or λ > 0, and by how many of them the mass of each ball is split.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> e: array<vec3f>;
@group(0) @binding(7) var<storage, read> touches: array<BodyTouch>;
@group(0) @binding(8) var<storage, read> impulses: array<vec4f>;

// Whether a pair pushes. `at` is its place in the list, NONE where there is none.
fn pushes(i: u32, j: u32, me: Ball, way: vec3f, at: u32) -> bool {
    if (!is_near(me, j)) {
        return false;
    }
    if (!opens() && at != NONE && impulses[at].w > 0.0) {
        return true;
    }
    let other = balls[j];
    let ways = way - (d[j] - e[j]);
    var ahead = ways;
    if (!opens()) {
        ahead = me.ahead - other.ahead;
    }
    return value_of(me, other, normal_of(me, other, ahead, i > j), ways) < 0.0;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    let me = balls[i];
    let way = d[i] - e[i];
    balls[i].way = way;
    if (me.inverse_mass == 0.0) {
        balls[i].split = 0.0;
        return;
    }
    var count = 0u;
    open_partners(i);
    loop {
        let next = next_partner(i);
        let j = next.partner & PARTNER;
        if (next.partner == NONE) {
            break;
        }
        let pushing = pushes(i, j, me, way, next.at);
        count += select(0u, 1u, pushing);
        if (next.at != NONE) {
            partners[next.at] = select(j, j | ACTIVE, pushing);
        }
    }
    balls[i].split = me.inverse_mass * max(f32(count) * SPLIT, 1.0);
}
