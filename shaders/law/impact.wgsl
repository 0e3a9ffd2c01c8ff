// How what presses leaves a surface, and what it pressed with in all; derived and tested in src/law/impact.rs. Ways are along the normal and relative to the
// surface: v₀ before the substep, v as positions leave it, v₁ at last; p = w λ, s = H/h, N the force on a mass of 1.
//   impact, v₀ < -2gh²:   v₁ = -e v₀,           hH N = p + s (v₁ - v)
//   else:                 v₁ = min(0, v + p),   H² N = p + s (v₁ - v) - s (1 - s)(v₁ - v₀)
// Where N comes out below zero v₁ is such that it is zero; two particles take all of v, not p at most.

struct Impact {
    is_one: bool,
    takes_all: bool,    // whether the velocity takes more than positions did
    wanted: f32,
    approach: f32,  // v₀
    left: f32,      // 1 - s where it is no impact
}

fn impact_of(approach: f32, restitution: f32) -> Impact {
    let is_one = approach < -calm_way();
    return Impact(is_one, is_one, select(0.0, -restitution * approach, is_one), approach, select(1.0 - substep.share, 0.0, is_one));
}

// Of two particles: src/law/impact.rs has why.
fn impact_of_two(approach: f32, restitution: f32) -> Impact {
    var impact = impact_of(approach, restitution);
    impact.takes_all = true;
    return impact;
}

// v₁ - v by p and v, if nothing pulls.
fn pushed(impact: Impact, push: f32, way: f32) -> f32 {
    let change = impact.wanted - way;
    return select(min(change, push), change, impact.takes_all);
}

// H² N, of an impact hH N, below zero where the surface would pull.
fn force_of(impact: Impact, push: f32, way: f32, change: f32) -> f32 {
    return fma(substep.share, fma(-impact.left, way + change - impact.approach, change), push);
}

fn impulse_of(impact: Impact, push: f32, way: f32) -> f32 {
    return max(force_of(impact, push, way, pushed(impact, push, way)), 0.0);
}

// λ that bounds friction of two that others push in the same sweep, by the sum of the split inverse masses and the relative way along the normal with that λ: of an
// impact what presses in all, else λ, since what others do is not seen.
fn bound_of(impact: Impact, lambda: f32, weight: f32, along: f32) -> f32 {
    if (!impact.is_one) {
        return lambda;
    }
    return impulse_of(impact, weight * lambda, along / substep.share) / weight;
}

// v₁ - v
fn change_of(impact: Impact, push: f32, way: f32) -> f32 {
    let change = pushed(impact, push, way);
    if (force_of(impact, push, way, change) >= 0.0) {
        return change;
    }
    return fma(impact.left, way - impact.approach, -push / substep.share) / (1.0 - impact.left);
}

// What is told of friction's λ and of λ, of the sum of the inverse masses, with v. An impact's force is that of the whole substep.
fn told_of(impulse: vec4f, impact: Impact, weight: f32, way: f32) -> vec4f {
    let part = select(1.0, substep.share, impact.is_one);
    return part * vec4f(impulse.xyz, impulse_of(impact, weight * impulse.w, way) / weight);
}
