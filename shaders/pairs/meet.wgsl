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

// The direction in which they push each other, from b to a: where they first touch on their ways as far as constraints have let them, `ahead`
// relative to each other; where they get to if they do not touch; where they are if they touch from the beginning. (By predicted ways those
// that a constraint holds back would be pushed from where they never come.) Centres in one place are parted along y, the `upper` one up.
fn normal_of(a: Ball, b: Ball, distance: f32, ahead: vec3f, upper: bool) -> vec3f {
    let start = apart_at_start(a, b);
    let gap = dot(start, start) - distance * distance;
    let closing = dot(start, ahead);
    let squared = closing * closing - dot(ahead, ahead) * gap;
    // Of the two roots of |start + t ahead| = distance the first, in the form that does not cancel.
    var share = 1.0;
    if (gap <= 0.0) {
        share = 0.0;
    } else if (closing < 0.0 && squared >= 0.0) {
        share = min(gap / (sqrt(squared) - closing), 1.0);
    }
    let line = start + share * ahead;
    let length = length(line);
    return select(vec3f(0.0, select(-1.0, 1.0, upper), 0.0), line / length, length > 0.0);
}

// C = n·(xa - xb) - distance after these relative ways.
fn value_of(a: Ball, b: Ball, distance: f32, normal: vec3f, ways: vec3f) -> f32 {
    return dot(normal, apart_at_start(a, b) + ways) - distance;
}
