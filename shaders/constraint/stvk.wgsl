// A tetrahedron of St. Venant-Kirchhoff material, F = [x1 - x0, x2 - x0, x3 - x0] B, E = (FᵀF - 1)/2, compliance 1/μ:
//   C = √V √(2 E:E + λ/μ (tr E)²)        dC/dxi = √V P Bᵢᵀ / √(...),  P = F (2E + λ/μ tr E),  λ/μ = 2ν/(1 - 2ν)

struct Stvk {
    particles: vec4u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse02: f32,
    inverse10: f32,
    inverse11: f32,
    inverse12: f32,
    inverse20: f32,
    inverse21: f32,
    inverse22: f32,
    root_volume: f32, // m^1.5
    poisson_ratio: f32,
    material: u32,
}

fn stvk(c: Stvk, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let b1 = vec3f(c.inverse00, c.inverse01, c.inverse02);
    let b2 = vec3f(c.inverse10, c.inverse11, c.inverse12);
    let b3 = vec3f(c.inverse20, c.inverse21, c.inverse22);
    // The columns of F: those of [x1 - x0, x2 - x0, x3 - x0] B.
    let f = product(mat3x3f(x1 - x0, x2 - x0, x3 - x0), transpose(mat3x3f(b1, b2, b3)));
    let ratio = 2.0 * c.poisson_ratio / fma(-2.0, c.poisson_ratio, 1.0);
    // 2E, and tr E.
    let e = product(transpose(f), f) - mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let trace = 0.5 * (e[0].x + e[1].y + e[2].z);
    let twice = fma(ratio * trace, trace, 0.5 * (dot3(e[0], e[0]) + dot3(e[1], e[1]) + dot3(e[2], e[2])));
    let pressure = vec3f(ratio * trace);
    let stress = mat3x3f(
        fma(pressure, f[0], times(f, e[0])),
        fma(pressure, f[1], times(f, e[1])),
        fma(pressure, f[2], times(f, e[2])),
    );
    let root = sqrt(twice);
    let scale = select(0.0, c.root_volume / root, twice > 0.0);
    let g1 = times(stress, b1);
    let g2 = times(stress, b2);
    let g3 = times(stress, b3);
    return Evaluation4(c.root_volume * root, -scale * (g1 + g2 + g3), scale * g1, scale * g2, scale * g3);
}
