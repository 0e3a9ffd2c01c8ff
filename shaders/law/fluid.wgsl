// The law of fluids: src/law/fluid.rs does the same, and there is why.

// W by its support: 1/H, 21/(2πH³) and 210/(πH⁵).
struct FluidKernel {
    inverse: f32,
    peak: f32,
    steep: f32,
}

// W and -W'/r at the square of a distance.
fn kernel_at(kernel: FluidKernel, squared: f32) -> vec2f {
    let q = sqrt(squared) * kernel.inverse;
    let rest = max(1.0 - q, 0.0);
    let square = rest * rest;
    return vec2f(kernel.peak * (square * square) * (4.0 * q + 1.0), kernel.steep * (square * rest));
}

// Φ at s = d/H: what a half-space full of fluid adds.
fn wall_at(distance: f32) -> f32 {
    let s = clamp(distance, 0.0, 1.0);
    let rest = 1.0 - s;
    let square = rest * rest;
    return 0.5 * (square * square * square) * (1.0 + 3.0 * s * (1.0 + s));
}

const RELAXATION: f32 = 0.45;

// λ after a sweep, by C, by Σ w|∇C|² and the least that it counts as, and by α̃.
fn fluid_pressed(lambda: f32, value: f32, weight: f32, least: f32, softness: f32) -> f32 {
    let slope = max(max(weight, least), 1e-20);
    return max(lambda + RELAXATION * (value - softness * lambda) / (slope + softness), 0.0);
}

// What of a pair's κ depends on its distance.
fn rubbing(slope: f32, squared: f32, core: f32) -> f32 {
    return slope * squared / (squared + core);
}

// The viscosity of a pair, Pa s: of two fluids the harmonic mean, of a fluid and a solid, whose own is below 0, that of
// the fluid.
fn viscosity_between(a: f32, b: f32) -> f32 {
    let mean = 2.0 * a * b / max(a + b, 1.17549435e-38);
    let of_fluid = select(mean, a, b < 0.0);
    return select(of_fluid, max(b, 0.0), a < 0.0);
}

// Chebyshev's iteration for eigenvalues from 1 to 1 + Λ. Of a step: by how much the change before, and by how much what
// is left of the equation, make the next change; and ρ for the next step.
fn chebyshev_step(largest: f32, before: f32) -> vec3f {
    let delta = max(0.5 * largest, 1e-12);
    let rho = 1.0 / (2.0 * (1.0 + delta) / delta - before);
    return vec3f(rho * before, 2.0 * rho / delta, rho);
}

// The same of the first step.
fn chebyshev_first(largest: f32) -> vec3f {
    let delta = max(0.5 * largest, 1e-12);
    return vec3f(0.0, 1.0 / (1.0 + delta), delta / (1.0 + delta));
}

// Surface tension: 1/H, the least square of a distance, V · 630/(πH⁶), κ/H, a, ε², V, 2 V p/H and cV.
struct Tension {
    inverse: f32,
    least: f32,
    steep: f32,
    cohesion: f32,
    area: f32,
    softness: f32,
    volume: f32,
    wetting: f32,
    share: f32,
}

// q₀
const REPELLED: f32 = 0.4;

// σ h²/(ρ V) up to which drops stay calm.
const STIFFEST: f32 = 0.015;

// The root of the surface tension that a particle follows, of which this is the root, by its inverse mass and h²; of
// solids, whose root is below 0, that.
fn held_root(root: f32, weight: f32, squared: f32) -> f32 {
    return min(root, sqrt(STIFFEST / max(weight * squared, 1e-30)));
}

// What a particle with the gradient n pulls by, N/m.
fn tension_pull(tension: Tension, sigma: f32, n: vec3f) -> vec3f {
    return n * (tension.area * sigma / sqrt(dot(n, n) + tension.softness));
}

// The force on a particle from another, N, by the way from that, the square of its length, and S at it; by the σ of
// their cohesion; and by what each pulls by, times the share of the other, of which this is the difference.
fn tension_force(tension: Tension, way: vec3f, squared: f32, slope: f32, sigma: f32, pull: vec3f) -> vec3f {
    let distance = sqrt(max(squared, tension.least));
    let q = distance * tension.inverse;
    let rest = max(1.0 - q, 0.0);
    let square = rest * rest;
    let along = dot(pull, way) * (tension.steep * square / distance);
    let cohesion = tension.cohesion * sigma * square * (q - REPELLED);
    return pull * (slope * tension.volume) - way * (along + cohesion);
}

// The force out of a wall on a particle before it, N, by σ cos θ and its distance: below 0 where the wall is wet.
fn tension_of_wall(tension: Tension, wetted: f32, distance: f32) -> f32 {
    return -(tension.wetting * wetted * max(1.0 - distance * tension.inverse, 0.0));
}

// The σ by which two particles cohere, by the roots of their own: of two fluids the geometric mean, of a fluid and a
// solid, whose root is below 0, that of the fluid; of two solids none.
fn tension_between(a: f32, b: f32) -> f32 {
    let of_fluid = max(max(a, b), 0.0);
    return select(a * b, of_fluid * of_fluid, min(a, b) < 0.0);
}
