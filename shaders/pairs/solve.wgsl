// One sweep over the pairs that push, all at once with split masses (touch.wgsl): each ball goes through its partners in order and moves
// itself. Both sides of a pair find the same λ.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> touches: array<BodyTouch>;

var<private> sum: vec3f;    // by how much pairs move a ball of inverse mass 1

// With several sweeps what does not push has no impulse any more.
fn is_wanted(entry: u32) -> bool {
    return ITERATED || (entry & ACTIVE) != 0u;
}

fn meet(i: u32, entry: u32, at: u32) {
    if (ITERATED && at != NONE && (entry & ACTIVE) == 0u) {
        impulses[at] = vec4f(0.0);
        return;
    }
    let j = partner_of(entry);
    let other = balls[j];
    let ways = me.way - other.way;
    var ahead = ways;
    if (!opens()) {
        ahead = me.ahead - other.ahead;
    }
    let distance = distance_of(me, other, entry);
    let n = normal_of(me, other, distance, ahead, i > j);
    let value = value_of(me, other, distance, n, ways);
    if (at == NONE && !(is_near(me, j) && value < 0.0)) {
        return;
    }
    var before = vec4f(0.0);
    if (!opens() && at != NONE) {
        before = impulses[at];
    }
    let after = solved(before, me, other, impact_between(me, other, distance, n), n, value);
    if (at != NONE) {
        lists.entries[entry_word(at)] = (entry & UNMARKED) | ACTIVE | select(0u, PRESSED, after.w > 0.0);
        if (ITERATED) {
            impulses[at] = after;
        }
    }
    sum += n * (after.w - before.w) + (after.xyz - before.xyz);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || balls[i].radius == 0.0 || balls[i].inverse_mass == 0.0) {
        return;
    }
    me = balls[i];
    sum = vec3f(0.0);
    meet_partners(i);
    d[i] += me.inverse_mass * sum;
    // Normals are those of the substep's first sweep.
    if (opens()) {
        balls[i].ahead = me.way;
    }
}
