// A triangle of corotated linear material in plane stress, F = [x1 - x0, x2 - x0] B, R the rotation next to it, compliance 1/(μ t):
//   C = √A √(2 |F - R|² + λ/μ (tr RᵀF - 2)²)
//   dC/dxi = √A P Bᵢᵀ / √(...),  P = 2 (F - R) + λ/μ (tr RᵀF - 2) R,  λ/μ = 2ν/(1 - ν); R is stationary and adds nothing
// With e0 along f0 and e1 beside it in their plane F = [e0 e1] [[a, b], [0, d]], and R turns them by the cosine (a + d)/l, sine -b/l.

struct SurfaceCorotated {
    particles: vec3u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse10: f32,
    inverse11: f32,
    root_area: f32, // m
    poisson_ratio: f32,
    material: u32,
}

fn surface_corotated(c: SurfaceCorotated, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let y1 = x1 - x0;
    let y2 = x2 - x0;
    let f0 = fma(vec3f(c.inverse10), y2, c.inverse00 * y1);
    let f1 = fma(vec3f(c.inverse11), y2, c.inverse01 * y1);
    let ratio = 2.0 * c.poisson_ratio / (1.0 - c.poisson_ratio);
    let a = length3(f0);
    let e0 = select(vec3f(1.0, 0.0, 0.0), f0 / a, a > 0.0);
    let b = dot3(e0, f1);
    let beside = fma(vec3f(-b), e0, f1);
    let d = length3(beside);
    // Where there is no plane but by rounding any direction across e0 will do.
    let across = cross3(e0, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), e0.x * e0.x > 0.5));
    let e1 = select(across / length3(across), beside / d, d > 4e-6 * (a + abs(b)));
    let l = length2(vec2f(a + d, b));
    let turn = select(vec2f(1.0, 0.0), vec2f(a + d, -b) / l, l > 0.0);
    let r0 = fma(vec3f(turn.x), e0, turn.y * e1);
    let r1 = fma(vec3f(turn.x), e1, -(turn.y * e0));
    let s0 = f0 - r0;
    let s1 = f1 - r1;
    let trace = dot3(r0, s0) + dot3(r1, s1);
    let twice = fma(ratio * trace, trace, 2.0 * (dot3(s0, s0) + dot3(s1, s1)));
    let stress0 = fma(vec3f(ratio * trace), r0, 2.0 * s0);
    let stress1 = fma(vec3f(ratio * trace), r1, 2.0 * s1);
    let root = sqrt(twice);
    let scale = select(0.0, c.root_area / root, twice > 0.0);
    let g1 = fma(vec3f(c.inverse01), stress1, c.inverse00 * stress0);
    let g2 = fma(vec3f(c.inverse11), stress1, c.inverse10 * stress0);
    return Evaluation3(c.root_area * root, -scale * (g1 + g2), scale * g1, scale * g2);
}
