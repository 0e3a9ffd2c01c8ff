// BDF2, the backward differentiation formula of second order: with H = 2h/3
//   x' = x̄ + H v',  x̄ = (4x - x₋₁)/3,      v' = v̄ + H a,  v̄ = (4v - v₋₁)/3.
// What is kept is what u = h v does not tell of the substep before:
//   lag = (x - x₋₁) - u,      change = u - h v₋₁.
// Differences keep their digits, and an impulse that changes u alone makes the past that of a motion with the new velocity. With s = H/h and
// r = 1 - s:
//   begin:  e += r u + r lag, so that x + e is x̄ until the substep ends;      d = e + s (u + r change) + H² (g + w F)
//   end:    change' = r change + (d - e - s (u + r change))/s,  u' = u + change',  lag' = r (lag - change')
// s (u + r change) is the same number in both, so that what the end divides by s is what forces and constraints did, with its digits: s times 1/s is not 1
// in single precision, and what a product leaves of s u, the same for as long as u is, would add up. And r (u + lag) would round the lag away, alike in each
// substep: a cloth that drifts then lost 3e-8 of its momentum a frame. With s = 1, as in a first substep, which has no past, this is the ordinary step.

override BDF2: bool = false;

struct Past {
    lag: vec3f,     // m
    change: vec3f,  // m
}

// The pasts lie behind the displacements: all lags, then all changes.
fn past_of(i: u32) -> Past {
    return Past(displacement(substep.particles + i), displacement(2u * substep.particles + i));
}

fn keep(i: u32, past: Past) {
    displace(substep.particles + i, past.lag);
    displace(2u * substep.particles + i, past.change);
}

// The way that a velocity alone goes in the substep, and what pushes it.
fn kept_way(before: vec3f, past: Past, push: vec3f) -> vec3f {
    return fma(vec3f(substep.share), fma(vec3f(1.0 - substep.share), past.change, before), push);
}

// From the velocity before the substep and the way d - e of it.
fn passed(before: vec3f, way: vec3f, past: Past) -> Past {
    let zero = vec3f(nothing());
    let left = vec3f(1.0 - substep.share);
    // As in kept_way, but for the push, which may be a product.
    let kept = fma(vec3f(substep.share), fma(left, past.change, before), zero);
    let change = fma((way - kept) / substep.share, vec3f(1.0), fma(left, past.change, zero));
    return Past(fma(left, past.lag - change, zero), change);
}

// `rest` is what of the particle's place lies below the lattice, `push` what the air adds to H² w F.
fn begin(i: u32, inverse_mass: f32, rest: vec3f, way: vec3f, past: Past, push: vec3f, index: u32) {
    let left = vec3f(1.0 - substep.share);
    // Mesa would make one product of two with the same factor.
    let again = left + vec3f(nothing());
    let start = fma(left, way, fma(again, past.lag, rest));
    let next = predicted(i, inverse_mass, kept_way(way, past, push), index);
    // Keyframes tell the way from the place itself.
    displace(i, select(rest, start, inverse_mass > 0.0) + next);
    set_below(i, start);
}
