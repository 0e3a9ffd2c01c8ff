// The impulse of a pair (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020).
//   Normal:     λ' = max(λ - (C + α̃ λ)/(s + α̃), 0),    s the sum of the split inverse masses, α̃ = α/H²
//   Tangential: what slipped since the substep began is undone if |λt| <= μs λ (static), else |λt| = μd λ (dynamic)

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
