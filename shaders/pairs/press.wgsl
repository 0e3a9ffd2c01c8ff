// The impulse of a contact of particles (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020), xyz: of
// friction; w: λ.
//   Normal:     λ' = max(λ - (C + α̃ λ)/(s + α̃), 0),    s the sum of the split inverse masses, α̃ = α/H²
//   Tangential: what slipped since the substep began is undone if |λt| <= μs λ (static), else |λt| = μd λ (dynamic); of an impact by all that presses

// After one more sweep.
fn pressed_by(before: vec4f, touch: BodyTouch, impact: Impact, weight: f32, n: vec3f, value: f32, slip: vec3f) -> vec4f {
    let softness = touch.compliance * substep.inverse_seconds_squared;
    let lambda = max(before.w - (value + softness * before.w) / (weight + softness), 0.0);
    let along = dot(n, slip);
    var tangential = before.xyz - (slip - n * along) / weight;
    let pressed = bound_of(impact, lambda, weight, along + weight * (lambda - before.w));
    let size = length(tangential);
    if (size > touch.friction * pressed) {
        tangential *= touch.dynamic_friction * pressed / size;
    }
    return vec4f(tangential, lambda);
}

// The relative normal way with which two meet, if they do in this substep, by that before it; they are `apart` when it begins. What overlaps then by more than
// it approaches met before, and what parts it now is the push, which would be thrown back from neighbour to neighbour for ever (src/reference/pairs.rs).
fn approach_of(apart: f32, distance: f32, along: f32) -> f32 {
    return select(along, 0.0, distance - apart > max(distance * SETTLED, -FRESH * along));
}
