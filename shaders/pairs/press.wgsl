// What the contacts of two balls have in common.
fn touch_of(a: Ball, b: Ball) -> BodyTouch {
    let first = touches[a.body & BODY];
    let second = touches[b.body & BODY];
    let friction = combined(vec2f(first.friction, first.dynamic_friction), vec2f(second.friction, second.dynamic_friction));
    return BodyTouch(
        first.compliance + second.compliance,
        friction.x,
        friction.y,
        0.5 * (first.restitution + second.restitution),
        0u,
        0u,
        0u,
    );
}

// The impulse of a contact after one more sweep (law/press.wgsl).
fn pressed_on(before: vec4f, touch: BodyTouch, impact: Impact, weight: f32, n: vec3f, value: f32, slip: vec3f) -> vec4f {
    let softness = touch.compliance * substep.inverse_seconds_squared;
    return pressed_by(before, vec2f(touch.friction, touch.dynamic_friction), softness, impact, weight, n, value, slip);
}
