// What holds for one substep. The host writes one for each substep of a frame and picks it by a dynamic offset.

// A number comes first, not a vector: lavapipe otherwise compiles kernels with loops over a uniform's number anew for
// every substep, and keeps them all (ARCHITECTURE.md).
struct Substep {
    seconds: f32,                   // h, the length of the substep: u = h v
    inverse_seconds: f32,           // 1/h
    inverse_seconds_squared: f32,   // 1/H²: α̃ = α/H²
    max_speed: f32,                 // m/s
    gravity: vec3f,                 // m/s²
    index: u32,                     // within the frame
    count: u32,                     // substeps per frame
    particles: u32,
    colliders: u32,
    drives: u32,
    lattice_slot: u32,              // which entry of the lattice buffer holds this frame's step
    implicit_seconds: f32,          // H, in which forces change velocities: h, and with BDF2 2h/3 but in a first substep
    share: f32,                     // H/h
    force_scale: f32,               // a force is this times λ∇C, as λ is stored: 1/H², that of all but a first substep
    wind: vec3f,                    // m/s
    air_density: f32,               // kg/m³
    friction_combine: u32,          // how friction coefficients combine: law/friction.wgsl
}

@group(0) @binding(0) var<uniform> substep: Substep;

// Whether the driver's compiler may order sums anew, as those of Metal and DirectX do.
override FAST_MATHS: bool = false;

// Zero, but a compiler does not see that: no index is larger than the count. A product to which it is added, by fma, is a sum to all that follows, and
// has its own bits whether the two are contracted or not.
fn nothing() -> f32 {
    return bitcast<f32>(max(substep.index, substep.count) - substep.count);
}

// The way from a to b, two places on the lattice, is exact, and has to be worked out before what lies below the lattice is added. Where sums are ordered anew it
// comes out of an operation that a compiler does not see through: no index is larger than the count.
fn lattice_way(a: vec3f, b: vec3f) -> vec3f {
    let way = b - a;
    if (!FAST_MATHS) {
        return way;
    }
    return bitcast<vec3f>(bitcast<vec3u>(way) ^ vec3u(select(0u, 1u, substep.index > substep.count)));
}
