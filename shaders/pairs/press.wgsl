// The impulse of a contact of particles after one more sweep (law/contact.wgsl), xyz: of friction; w: λ. The weight is the sum of the split inverse masses.
fn pressed_by(before: vec4f, touch: BodyTouch, impact: Impact, weight: f32, n: vec3f, value: f32, slip: vec3f) -> vec4f {
    let softness = touch.compliance * substep.inverse_seconds_squared;
    let lambda = normal_after(before.w, value + softness * before.w, weight + softness, 0.0);
    let along = dot(n, slip);
    let pressed = bound_of(impact, lambda, weight, along + weight * (lambda - before.w));
    let friction = vec2f(touch.friction, touch.dynamic_friction);
    return vec4f(tangential_after(before.xyz, slip - n * along, weight, friction, pressed), lambda);
}

// The relative normal way with which two meet, if they do in this substep, by that before it; they are `apart` when it begins. What overlaps then by more than
// it approaches met before, and what parts it now is the push, which would be thrown back from neighbour to neighbour for ever (src/law/contact.rs).
fn approach_of(apart: f32, distance: f32, along: f32) -> f32 {
    return select(along, 0.0, distance - apart > max(distance * SETTLED, -FRESH * along));
}
