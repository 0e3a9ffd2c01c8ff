// One sweep over the pairs that push, all at once with split masses (touch.wgsl): each ball goes through its partners in order and moves
// itself. Both sides of a pair find the same λ.
//   Normal:     λ' = max(λ - (C + α̃ λ)/(s + α̃), 0),    s the sum of the split inverse masses, α̃ = α/H²
//   Tangential: what slipped since the substep began is undone if |λt| <= μs λ (static), else |λt| = μd λ (dynamic)
// (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020).

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(4) var<storage, read_write> partners: array<u32>;
@group(0) @binding(5) var<storage, read_write> d: array<vec3f>;
@group(0) @binding(6) var<storage, read> touches: array<BodyTouch>;
// xyz: of friction; w: λ. One for each entry of the lists, where there are several sweeps.
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;

// What a pair's impulse is after this sweep.
fn solved(before: vec4f, me: Ball, other: Ball, n: vec3f, value: f32) -> vec4f {
    let touch = touch_of(me, other);
    let weight = me.split + other.split;
    let softness = touch.compliance * substep.inverse_seconds_squared;
    let lambda = max(before.w - (value + softness * before.w) / (weight + softness), 0.0);
    let slip = me.way - other.way;
    var tangential = before.xyz - (slip - n * dot(n, slip)) / weight;
    let size = length(tangential);
    if (size > touch.friction * lambda) {
        tangential *= touch.dynamic_friction * lambda / size;
    }
    return vec4f(tangential, lambda);
}

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
