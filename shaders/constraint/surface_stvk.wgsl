// A triangle of St. Venant-Kirchhoff material in plane stress, F = [x1 - x0, x2 - x0] B, E = (FᵀF - 1)/2, compliance 1/(μ t):
//   C = √A √(2 E:E + λ/μ (tr E)²)        dC/dxi = √A P Bᵢᵀ / √(...),  P = F (2E + λ/μ tr E),  λ/μ = 2ν/(1 - ν)

struct SurfaceStvk {
    particles: vec3u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse10: f32,
    inverse11: f32,
    root_area: f32, // m
    poisson_ratio: f32,
    material: u32,
}

fn surface_stvk(c: SurfaceStvk, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let y1 = x1 - x0;
    let y2 = x2 - x0;
    let f0 = fma(vec3f(c.inverse10), y2, c.inverse00 * y1);
    let f1 = fma(vec3f(c.inverse11), y2, c.inverse01 * y1);
    let ratio = 2.0 * c.poisson_ratio / (1.0 - c.poisson_ratio);
    // 2E, and tr E.
    let e0 = dot3(f0, f0) - 1.0;
    let e1 = dot3(f1, f1) - 1.0;
    let shear = dot3(f0, f1);
    let trace = 0.5 * (e0 + e1);
    let twice = fma(ratio * trace, trace, 0.5 * fma(2.0 * shear, shear, fma(e1, e1, e0 * e0)));
    let stress0 = fma(vec3f(fma(ratio, trace, e0)), f0, shear * f1);
    let stress1 = fma(vec3f(fma(ratio, trace, e1)), f1, shear * f0);
    let root = sqrt(twice);
    let scale = select(0.0, c.root_area / root, twice > 0.0);
    let g1 = fma(vec3f(c.inverse01), stress1, c.inverse00 * stress0);
    let g2 = fma(vec3f(c.inverse11), stress1, c.inverse10 * stress0);
    return Evaluation3(c.root_area * root, -scale * (g1 + g2), scale * g1, scale * g2);
}
