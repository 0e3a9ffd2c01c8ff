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
    let f0 = c.inverse00 * y1 + c.inverse10 * y2;
    let f1 = c.inverse01 * y1 + c.inverse11 * y2;
    let ratio = 2.0 * c.poisson_ratio / (1.0 - c.poisson_ratio);
    let e0 = 0.5 * (dot(f0, f0) - 1.0);
    let e1 = 0.5 * (dot(f1, f1) - 1.0);
    let shear = 0.5 * dot(f0, f1);
    let trace = e0 + e1;
    let twice = 2.0 * (e0 * e0 + e1 * e1 + 2.0 * shear * shear) + ratio * trace * trace;
    let stress0 = (2.0 * e0 + ratio * trace) * f0 + 2.0 * shear * f1;
    let stress1 = (2.0 * e1 + ratio * trace) * f1 + 2.0 * shear * f0;
    let root = sqrt(twice);
    let scale = select(0.0, c.root_area / root, twice > 0.0);
    let gradient1 = scale * (c.inverse00 * stress0 + c.inverse01 * stress1);
    let gradient2 = scale * (c.inverse10 * stress0 + c.inverse11 * stress1);
    return Evaluation3(c.root_area * root, -(gradient1 + gradient2), gradient1, gradient2);
}
