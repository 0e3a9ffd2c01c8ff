// Before each sweep: which pairs push in it, C < 0 or λ > 0, and by how many of them the mass of each ball is split.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(5) var<storage, read> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> e: array<vec3f>;
@group(0) @binding(7) var<storage, read> touches: array<BodyTouch>;
@group(0) @binding(8) var<storage, read> impulses: array<vec4f>;

var<private> way: vec3f;
var<private> count: u32;

// What has marks must lose them.
fn is_wanted(entry: u32) -> bool {
    return entry >= PRESSED || is_near(me, partner_of(entry));
}

// Whether a pair that is near pushes. `at` is its place in the list, NONE where there is none.
fn pushes(i: u32, entry: u32, at: u32) -> bool {
    if (!opens() && at != NONE && impulses[at].w > 0.0) {
        return true;
    }
    let j = partner_of(entry);
    let other = balls[j];
    let ways = way - (d[j] - e[j]);
    var ahead = ways;
    if (!opens()) {
        ahead = me.ahead - other.ahead;
    }
    let distance = distance_of(me, other, entry);
    return value_of(me, other, distance, normal_of(me, other, distance, ahead, i > j), ways) < 0.0;
}

fn meet(i: u32, entry: u32, at: u32) {
    let pushing = is_near(me, partner_of(entry)) && pushes(i, entry, at);
    count += select(0u, 1u, pushing);
    if (at != NONE) {
        lists.entries[entry_word(at)] = (entry & UNMARKED) | select(0u, ACTIVE, pushing);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    me = balls[i];
    way = d[i] - e[i];
    balls[i].way = way;
    if (me.inverse_mass == 0.0) {
        balls[i].split = 0.0;
        return;
    }
    count = 0u;
    meet_partners(i);
    balls[i].split = split(me.inverse_mass, f32(count));
}
