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
    let squares = vec3f(dot(f0, f0), dot(f1, f1), dot(f2, f2));
    let e = 0.5 * (squares - 1.0);
    let s = 0.5 * vec3f(dot(f1, f2), dot(f2, f0), dot(f0, f1));
    let second = e.x * e.y + e.y * e.z + e.z * e.x - dot(s, s);
    let third = e.x * e.y * e.z + 2.0 * s.x * s.y * s.z - dot(e, s * s);
    let near = 2.0 * (j - 1.0) * (j - 1.0) - 4.0 * second - 8.0 * third;
    let far = squares.x + squares.y + squares.z + j * j - 4.0 * j;
    return select(far, near, abs(e.x + e.y + e.z) < 0.5);
}

fn neo_hookean(c: NeoHookean, component: u32, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let y1 = x1 - x0;
    let y2 = x2 - x0;
    let y3 = x3 - x0;
    let b1 = vec3f(c.inverse00, c.inverse01, c.inverse02);
    let b2 = vec3f(c.inverse10, c.inverse11, c.inverse12);
    let b3 = vec3f(c.inverse20, c.inverse21, c.inverse22);
    let determinant = dot(cross(b1, b2), b3);
    let j1 = determinant * cross(y2, y3);
    let j2 = determinant * cross(y3, y1);
    let j3 = determinant * cross(y1, y2);
    let j = dot(y1, j1);
    if (component == 0u) {
        let scale = c.root_volume * sqrt(2.0 * c.poisson_ratio / (1.0 - 2.0 * c.poisson_ratio));
        return Evaluation4(scale * (j - 1.0), -scale * (j1 + j2 + j3), scale * j1, scale * j2, scale * j3);
    }
    let f = mat3x3f(
        b1.x * y1 + b2.x * y2 + b3.x * y3,
        b1.y * y1 + b2.y * y2 + b3.y * y3,
        b1.z * y1 + b2.z * y2 + b3.z * y3,
    );
    let distortion = neo_hookean_distortion(f[0], f[1], f[2], j);
    let root = sqrt(max(distortion, 0.0));
    let scale = select(0.0, c.root_volume / root, root > 0.0);
    let gradient1 = scale * (f * b1 + (j - 2.0) * j1);
    let gradient2 = scale * (f * b2 + (j - 2.0) * j2);
    let gradient3 = scale * (f * b3 + (j - 2.0) * j3);
    return Evaluation4(c.root_volume * root, -(gradient1 + gradient2 + gradient3), gradient1, gradient2, gradient3);
}
