// xyz: of friction; w: λ. One for each entry of the lists, where there are several sweeps.
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;

// How two balls meet in this substep.
fn impact_between(a: Ball, b: Ball, distance: f32, n: vec3f) -> Impact {
    let approach = approach_of(length(apart_at_start(a, b)), distance, dot(n, a.before - b.before));
    return impact_of_two(approach, touch_of(a, b).restitution);
}

// What a pair's impulse is after this sweep.
fn solved(before: vec4f, me: Ball, other: Ball, impact: Impact, n: vec3f, value: f32) -> vec4f {
    return pressed_on(before, touch_of(me, other), impact, me.split + other.split, n, value, me.way - other.way);
}

// And what it is when all sweeps are over. Of what was swept once only it is not kept; it follows from what still stands in the balls.
fn impulse_of_pair(at: u32, me: Ball, other: Ball, impact: Impact, n: vec3f, value: f32) -> vec4f {
    if (ITERATED && at != NONE) {
        return impulses[at];
    }
    return solved(vec4f(0.0), me, other, impact, n, value);
}
