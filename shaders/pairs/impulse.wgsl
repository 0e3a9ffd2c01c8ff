// xyz: of friction; w: λ. One for each entry of the lists, where there are several sweeps.
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;

// How two balls meet in this substep. Those that overlap when it begins do not rebound in it: that they did when they met. What parts them now
// is the push, which would be thrown back from neighbour to neighbour for ever.
fn impact_between(a: Ball, b: Ball, distance: f32, n: vec3f) -> Impact {
    let start = apart_at_start(a, b);
    let settled = distance * (1.0 - SETTLED);
    let approach = select(dot(n, a.before - b.before), 0.0, dot(start, start) < settled * settled);
    return impact_of_two(approach, touch_of(a, b).restitution);
}

// What a pair's impulse is after this sweep.
fn solved(before: vec4f, me: Ball, other: Ball, impact: Impact, n: vec3f, value: f32) -> vec4f {
    return pressed_by(before, touch_of(me, other), impact, me.split + other.split, n, value, me.way - other.way);
}

// And what it is when all sweeps are over. Of what was swept once only it is not kept; it follows from what still stands in the balls.
fn impulse_of_pair(at: u32, me: Ball, other: Ball, impact: Impact, n: vec3f, value: f32) -> vec4f {
    if (ITERATED && at != NONE) {
        return impulses[at];
    }
    return solved(vec4f(0.0), me, other, impact, n, value);
}
