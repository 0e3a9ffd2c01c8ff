// The multiplier of a constraint, written once for every kind (Macklin et al., XPBD, 2016, equation 26, with damping):
//
//   Δλ = s (-C - α̃ λ - γ ∇C·(x - xⁿ)) / ((1 + γ) Σ w|∇C|² + α̃),   α̃ = α/h²,  γ = α̃ β h
//
// s is the relaxation, times the stiffness in PBD mode, where α and β are zero. λ starts at zero in each substep and is
// kept across its iterations: this is why XPBD's stiffness does not depend on their number. A one-sided constraint
// clamps the accumulated λ, not the sign of C.

struct Material {
    compliance: f32,
    damping: f32,
    scale: f32,
    multiplier_min: f32,
    multiplier_max: f32,
    break_force: f32,   // N
    reserved0: u32,
    reserved1: u32,
}

// Pipeline constants: what no material of the kind needs costs nothing.
override DAMPED: bool = true;
override BREAKABLE: bool = true;

// x: λ of this substep. y: the sum of λ over the frame's earlier substeps.
@group(0) @binding(6) var<storage, read_write> multipliers: array<vec2f>;
@group(0) @binding(5) var<storage, read> materials: array<Material>;

// λ of a broken constraint: no multiplier reaches it.
const BROKEN: f32 = 3e38;

// The multiplier at the start of this sweep. The sum lags one substep behind, which saves a dispatch that would add it up.
fn opened(stored: vec2f) -> vec2f {
    if (batch.opening == 0u) {
        return stored;
    }
    return vec2f(0.0, select(stored.x + stored.y, 0.0, substep.index == 0u));
}

// The change of λ. `speed` is ∇C·(x - xⁿ), `weight` is Σ w|∇C|², over split masses in a Jacobi sweep.
fn multiplier_change(material: Material, lambda: f32, value: f32, speed: f32, weight: f32) -> f32 {
    let compliance = material.compliance * substep.inverse_seconds_squared;
    var residual = -value - compliance * lambda;
    var denominator = weight + compliance;
    if (DAMPED) {
        let gamma = compliance * material.damping * substep.seconds;
        residual -= gamma * speed;
        denominator += gamma * weight;
    }
    let change = select(0.0, material.scale * residual / denominator, weight > 0.0);
    return clamp(lambda + change, material.multiplier_min, material.multiplier_max) - lambda;
}

// Mean of λ over the last frame, as stored before this frame's first sweep.
fn mean_multiplier(stored: vec2f) -> f32 {
    return (stored.x + stored.y) / f32(substep.count);
}

// Whether a constraint breaks: at the start of a frame, if the mean force of the last was too large. A single substep has
// a noise of m ε L / h². `squared` is the largest |Σ λ∇C|² over its particles, with the means for λ.
fn breaks(material: Material, squared: f32) -> bool {
    let limit = material.break_force * substep.seconds * substep.seconds;
    return BREAKABLE && batch.opening == 1u && substep.index == 0u && squared > limit * limit;
}

fn is_broken(place: u32) -> bool {
    return BREAKABLE && multipliers[place * COMPONENTS].x == BROKEN;
}

fn mark_broken(place: u32) {
    for (var k = 0u; k < COMPONENTS; k += 1u) {
        multipliers[place * COMPONENTS + k] = vec2f(BROKEN, 0.0);
    }
}
