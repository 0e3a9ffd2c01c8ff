// The multiplier of a constraint, written once for every kind (Macklin et al., XPBD, 2016, equation 26, with damping):
//
//   Δλ = s (-C - α̃ λ - γ ∇C·(x - xⁿ)) / ((1 + γ) Σ w|∇C|² + α̃),   α̃ = α/H²,  γ = α̃ β H
//
// s is the relaxation, times the stiffness in PBD mode, where α and β are zero. H is the substep's length h, with BDF2 2h/3, and x - xⁿ then H v
// (step/past.wgsl). λ starts at zero in each substep and is
// kept across its iterations: this is why XPBD's stiffness does not depend on their number. A one-sided constraint
// clamps the accumulated λ, not the sign of C.
//
// Elements of a mesh that are solved once, from λ = 0, see the corrections of those before them only. At rest all of them together cancel
// at every particle, but for gravity, which moves a whole element alike: the later ones undo Wλ/2 of an element's own on the mean, W =
// (1 + γ) Σ w|∇C|². It would yield as if its compliance were α̃ + W/2. So W/2 is taken off beforehand, as far as there is compliance:
//
//   Δλ = -C / (W + max(α̃ - W/2, 0))        (in place of W + α̃; over-relaxation by 3/2 at most, where α̃ = W/2)
//
// Fixed particles add nothing to W. Where the gradient is nearly zero at all free particles, as of a hinge whose fixed corners lie beside its
// free end, a rigid constraint would divide C's rounding by that of W and throw them away. W₁ = max w · max |∇C|² is what one of its
// particles would give if all were free. At a share s² = W/W₁ the rounding of C, ε L |∇C|, moves a particle by ε L/s, and the gradient
// there changes by its own size over s L. So the step is within the gradient's reach only where s² > ε. Below that the divisor stays at
// LEAST_WEIGHT W₁, which acts as a small compliance. Below LEAST_WEIGHT² W₁ the gradient itself is rounding: the constraint does not act.

// ε, that is 16 roundings of single precision; `LEAST_WEIGHT` in src/constraint/mod.rs.
const LEAST_WEIGHT: f32 = 1e-6;

// What a constraint divides by at least, by the largest inverse mass and the largest |∇C|² among its particles.
fn least_divisor(inverse_mass: f32, squared: f32) -> f32 {
    return LEAST_WEIGHT * inverse_mass * squared;
}

// Pipeline constants: what neither the settings nor a material of the kind need costs nothing.
override ITERATED: bool = true;
override SCALED: bool = true;
override ONE_SIDED: bool = true;
override DAMPED: bool = true;
override BREAKABLE: bool = true;
override SUMMED: bool = true;
override YIELDING: bool = true;
override ELEMENTS: bool = false;
override BDF2: bool = false;

// What λ is multiplied by to be stored, 4/9 in a first substep of BDF2, which has another H than all others: so a force is found alike
// whenever λ was.
fn stored_scale() -> f32 {
    return select(1.0, substep.inverse_seconds_squared / substep.force_scale, BDF2 && substep.share == 1.0);
}

// λ and its sum before this sweep. In a substep's first sweep λ is zero, in a frame's first the sum is.
fn load_multiplier(index: u32) -> vec2f {
    var multiplier = vec2f(0.0);
    if (SUMMED) {
        multiplier.y = select(multipliers[index].y, 0.0, opens_frame());
    }
    if (ITERATED) {
        multiplier.x = select(multipliers[index].x, 0.0, opens_substep());
    }
    if (BDF2) {
        multiplier = fma(multiplier, vec2f(1.0 / stored_scale()), vec2f(nothing()));
    }
    return multiplier;
}

// λ is kept for the next sweep, for what yields, and for the host after a frame's last substep.
fn store_multiplier(index: u32, solved: vec2f) {
    var multiplier = solved;
    if (BDF2) {
        multiplier *= stored_scale();
    }
    if (SUMMED) {
        multipliers[index].y = multiplier.y;
    }
    if (ITERATED || YIELDING || closes_frame()) {
        multipliers[index].x = multiplier.x;
    }
}

// The change of λ. `way` is ∇C·(x - xⁿ), `weight` is Σ w|∇C|², over split masses in a Jacobi sweep, and `least` is least_divisor, or 0 where a
// gradient cannot vanish at the free particles alone.
fn multiplier_change(material: Material, lambda: f32, value: f32, way: f32, weight: f32, least: f32) -> f32 {
    let compliance = material.compliance * substep.inverse_seconds_squared;
    var residual = fma(-compliance, lambda, -value);
    var stiffened = weight;
    if (DAMPED) {
        let gamma = compliance * material.damping * substep.implicit_seconds;
        residual = fma(-gamma, way, residual);
        stiffened = fma(gamma, weight, stiffened);
    }
    var divisor = fma(material.compliance, substep.inverse_seconds_squared, stiffened);
    if (ELEMENTS) {
        divisor = stiffened + max(fma(-0.5, stiffened, compliance), 0.0);
    }
    var scale = 1.0;
    if (SCALED) {
        scale = material.scale;
    }
    let solved = fma(residual / max(divisor, least), scale, nothing());
    var change = select(0.0, solved, weight > LEAST_WEIGHT * least);
    if (ONE_SIDED) {
        change = clamp(lambda + change, material.multiplier_min, material.multiplier_max) - lambda;
    }
    return change;
}

// Mean of λ over the last frame, before this frame's first sweep.
fn mean_multiplier(index: u32) -> f32 {
    return multipliers[index].y / f32(substep.count);
}

// Whether a constraint breaks: at the start of a frame, if the mean force of the last was too large. A single substep has
// a noise of m ε L / H². `squared` is the largest |Σ λ∇C|² over its particles, with the means for λ.
fn breaks(material: Material, squared: f32) -> bool {
    let limit = material.break_force / substep.force_scale;
    return BREAKABLE && opens_frame() && squared > limit * limit;
}

// `first` is the multiplier of a constraint's first component; the others' follow.
fn is_broken(first: u32) -> bool {
    return BREAKABLE && multipliers[first].x == BROKEN;
}

fn mark_broken(first: u32) {
    for (var k = 0u; k < COMPONENTS; k += 1u) {
        multipliers[first + k] = vec2f(BROKEN, 0.0);
    }
}
