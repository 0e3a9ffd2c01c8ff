// How what presses leaves a surface, and what it pressed with in all; derived and tested in src/reference/impact.rs. Ways are along the normal and relative to the
// surface: v₀ before the substep, v as positions leave it, v₁ at last; p = w λ, s = H/h, N the force on a mass of 1.
//   impact, v₀ < -2gh²:   v₁ = -e v₀,           hH N = p + s (v₁ - v)
//   else:                 v₁ = min(0, v + p),   H² N = p + s (v₁ - v) - s (1 - s)(v₁ - v₀)
// Where N comes out below zero v₁ is such that it is zero.

struct Impact {
    is_one: bool,
    wanted: f32,
    approach: f32,  // v₀
    left: f32,      // 1 - s where it is no impact
}

fn impact_of(approach: f32, restitution: f32) -> Impact {
    let is_one = approach < -calm_way();
    return Impact(is_one, select(0.0, -restitution * approach, is_one), approach, select(1.0 - substep.share, 0.0, is_one));
}

// v₁ - v by p and v, if nothing pulls.
fn pushed(impact: Impact, push: f32, way: f32) -> f32 {
    let change = impact.wanted - way;
    return select(min(change, push), change, impact.is_one);
}

// H² N, of an impact hH N, below zero where the surface would pull.
fn force_of(impact: Impact, push: f32, way: f32, change: f32) -> f32 {
    return fma(substep.share, fma(-impact.left, way + change - impact.approach, change), push);
}

fn impulse_of(impact: Impact, push: f32, way: f32) -> f32 {
    return max(force_of(impact, push, way, pushed(impact, push, way)), 0.0);
}

// v₁ - v
fn change_of(impact: Impact, push: f32, way: f32) -> f32 {
    let change = pushed(impact, push, way);
    if (force_of(impact, push, way, change) >= 0.0) {
        return change;
    }
    return fma(impact.left, way - impact.approach, -push / substep.share) / (1.0 - impact.left);
}

// Of λ what is told of it: an impact's force is that of the whole substep.
fn told_part(impact: Impact) -> f32 {
    return select(1.0, substep.share, impact.is_one);
}
