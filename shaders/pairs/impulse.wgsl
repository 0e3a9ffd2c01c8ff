// xyz: of friction; w: λ. One for each entry of the lists, where there are several sweeps.
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;

// What a pair's impulse is after this sweep.
fn solved(before: vec4f, me: Ball, other: Ball, n: vec3f, value: f32) -> vec4f {
    return pressed_by(before, touch_of(me, other), me.split + other.split, n, value, me.way - other.way);
}
