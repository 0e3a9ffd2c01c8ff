// A tetrahedron of stable neo-Hookean material, F = [x1 - x0, x2 - x0, x3 - x0] B, B the inverse of the rest shape, J = det F:
//   C0 = √(V λ/μ) (J - 1)        C1 = √V √(tr FᵀF + J² - 4J)        compliance 1/μ, λ/μ = 2ν/(1 - 2ν)
//   dJ/dx1 = det B (x2 - x0) x (x3 - x0), and cyclically        dC1/dxi = √V (F Bᵢᵀ + (J - 2) dJ/dxi) / √(tr FᵀF + J² - 4J)
// Its energy is that of √(μV) √(tr FᵀF) and √(λ̂V) (J - 1 - μ/λ̂), λ̂ = λ + μ, less a constant (Macklin and Müller, A
// Constraint-based Formulation of Stable Neo-Hookean Materials, 2021); but here both are zero at rest and nowhere below it.

struct NeoHookean {
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

// tr FᵀF + J² - 4J by the columns of F. Near rest by Green's strain, 2 (J - 1)² - 4 (e1 e2 + ...) - 8 det E, as the terms above
// would leave nothing of strains below √ε.
fn neo_hookean_distortion(f0: vec3f, f1: vec3f, f2: vec3f, j: f32) -> f32 {
    let squares = vec3f(dot3(f0, f0), dot3(f1, f1), dot3(f2, f2));
    let sum = squares.x + squares.y + squares.z;
    let e = 0.5 * (squares - 1.0);
    let s = 0.5 * vec3f(dot3(f1, f2), dot3(f2, f0), dot3(f0, f1));
    let second = dot3(e, e.yzx) - dot3(s, s);
    let third = fma(e.x * e.y, e.z, 2.0 * s.x * s.y * s.z) - dot3(e, s * s);
    let near = fma(-8.0, third, fma(-4.0, second, 2.0 * (j - 1.0) * (j - 1.0)));
    let far = fma(-4.0, j, fma(j, j, sum));
    return select(far, near, abs(sum - 3.0) < 1.0);
}

fn neo_hookean(c: NeoHookean, component: u32, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let y = mat3x3f(x1 - x0, x2 - x0, x3 - x0);
    let b1 = vec3f(c.inverse00, c.inverse01, c.inverse02);
    let b2 = vec3f(c.inverse10, c.inverse11, c.inverse12);
    let b3 = vec3f(c.inverse20, c.inverse21, c.inverse22);
    let determinant = dot3(cross3(b1, b2), b3);
    let n1 = cross3(y[1], y[2]);
    let n2 = cross3(y[2], y[0]);
    let n3 = cross3(y[0], y[1]);
    let j = dot3(y[0], determinant * n1);
    if (component == 0u) {
        let scale = c.root_volume * sqrt(2.0 * c.poisson_ratio / fma(-2.0, c.poisson_ratio, 1.0));
        let slope = scale * determinant;
        return Evaluation4(scale * (j - 1.0), -slope * (n1 + n2 + n3), slope * n1, slope * n2, slope * n3);
    }
    let f = product(y, transpose(mat3x3f(b1, b2, b3)));
    let distortion = neo_hookean_distortion(f[0], f[1], f[2], j);
    let root = sqrt(max(distortion, 0.0));
    let scale = select(0.0, c.root_volume / root, root > 0.0);
    let slope = vec3f((j - 2.0) * determinant);
    let g1 = fma(slope, n1, times(f, b1));
    let g2 = fma(slope, n2, times(f, b2));
    let g3 = fma(slope, n3, times(f, b3));
    return Evaluation4(c.root_volume * root, -scale * (g1 + g2 + g3), scale * g1, scale * g2, scale * g3);
}
