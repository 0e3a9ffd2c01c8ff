// Two balls in a substep. All of it is the same to the bit from either side, but for signs: so momentum is kept.

// Where the second was relative to the first when the substep began, or the other way round.
fn apart_at_start(a: Ball, b: Ball) -> vec3f {
    return lattice_way(b.anchor, a.anchor) + (a.start - b.start);
}

// Whether they come near enough to each other in this substep.
fn is_near(me: Ball, j: u32) -> bool {
    let middles = me.middle - balls[j].middle;
    let reaches = me.reach + balls[j].reach;
    return dot(middles, middles) < reaches * reaches;
}

// The direction in which they push each other, from b to a, on their ways as far as constraints have let them, `ahead` relative to each other.
// (By predicted ways those that a constraint holds back would be pushed from where they never come.)
fn normal_of(a: Ball, b: Ball, distance: f32, ahead: vec3f, upper: bool) -> vec3f {
    return meeting_normal(apart_at_start(a, b), ahead, distance, select(-1.0, 1.0, upper));
}

// C = n·(xa - xb) - distance after these relative ways.
fn value_of(a: Ball, b: Ball, distance: f32, normal: vec3f, ways: vec3f) -> f32 {
    return dot(normal, apart_at_start(a, b) + ways) - distance;
}
