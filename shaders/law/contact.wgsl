// Contact in positions (Müller et al., Detailed Rigid Body Simulation with Extended Position Based Dynamics, 2020, section 3.5), the twin of
// src/law/contact.rs, which has the reasons: C = n·Σ bᵢ xᵢ - D, w = Σ bᵢ² wᵢ.
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

// Share of their number by which masses are split.
const SPLIT: f32 = 2.0 / 3.0;

// The inverse mass that each of `count` contacts sees of a particle.
fn split(inverse_mass: f32, count: f32) -> f32 {
    return inverse_mass * max(count * SPLIT, 1.0);
}

// The direction in which two balls push each other in a substep: where they first touch on their way, from `start` by `ahead`, both relative; where they get to if
// they do not touch; where they are if they touch from the beginning. Centres in one place are parted along y: `upper` is 1 for the one up, and -1.
fn meeting_normal(start: vec3f, ahead: vec3f, distance: f32, upper: f32) -> vec3f {
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
    return select(vec3f(0.0, upper, 0.0), line / length, length > 0.0);
}

// By which part of their distance, and of their ways of approach, what overlaps when a substep begins met before.
const SETTLED: f32 = 1e-3;
const FRESH: f32 = 2.0;

// The relative normal way with which two meet, if they do in this substep, by that before it; they are `apart` when it begins. What overlaps then by more than
// it approaches met before, and what parts it now is the push, which would be thrown back from neighbour to neighbour for ever.
fn approach_of(apart: f32, distance: f32, along: f32) -> f32 {
    return select(along, 0.0, distance - apart > max(distance * SETTLED, -FRESH * along));
}
