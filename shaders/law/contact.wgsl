// Contact in positions (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, section 3.5), the twin of
// src/law/contact.rs: C = n·Σ bᵢ xᵢ - D, w = Σ bᵢ² wᵢ.
//   Normal:     λ' = max(λ - (C + α̃ λ)/(w + α̃), -A), where A is what adhesion can hold
//   Tangential: what slipped since the substep began is undone if |λt| <= μs N (static), else |λt| = μd N (dynamic); N is what presses

// λ after a sweep, by C and w with what compliance adds to both.
fn normal_after(before: f32, value: f32, weight: f32, least: f32) -> f32 {
    return max(before - value / weight, least);
}

// Friction's λ after a sweep; friction: μs and μd.
fn tangential_after(before: vec3f, slip: vec3f, weight: f32, friction: vec2f, pressed: f32) -> vec3f {
    let tangential = before - slip / weight;
    let size = length(tangential);
    if (size > friction.x * pressed) {
        return tangential * (friction.y * pressed / size);
    }
    return tangential;
}
