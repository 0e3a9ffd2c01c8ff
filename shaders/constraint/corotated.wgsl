// A tetrahedron of corotated linear material, F = [x1 - x0, x2 - x0, x3 - x0] B, R the rotation next to it, compliance 1/μ:
//   C = √V √(2 |F - R|² + λ/μ (tr RᵀF - 3)²)
//   dC/dxi = √V P Bᵢᵀ / √(...),  P = 2 (F - R) + λ/μ (tr RᵀF - 3) R,  λ/μ = 2ν/(1 - 2ν); R is stationary and adds nothing

struct Corotated {
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

fn corotated(c: Corotated, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let b1 = vec3f(c.inverse00, c.inverse01, c.inverse02);
    let b2 = vec3f(c.inverse10, c.inverse11, c.inverse12);
    let b3 = vec3f(c.inverse20, c.inverse21, c.inverse22);
    // The columns of F: those of [x1 - x0, x2 - x0, x3 - x0] B.
    let f = product(mat3x3f(x1 - x0, x2 - x0, x3 - x0), transpose(mat3x3f(b1, b2, b3)));
    let ratio = 2.0 * c.poisson_ratio / fma(-2.0, c.poisson_ratio, 1.0);
    let r = rotation_next_to(f);
    let stretch = f - r;
    let trace = dot3(r[0], stretch[0]) + dot3(r[1], stretch[1]) + dot3(r[2], stretch[2]);
    let square = dot3(stretch[0], stretch[0]) + dot3(stretch[1], stretch[1]) + dot3(stretch[2], stretch[2]);
    let twice = fma(ratio * trace, trace, 2.0 * square);
    let pressure = vec3f(ratio * trace);
    let stress = mat3x3f(
        fma(pressure, r[0], 2.0 * stretch[0]),
        fma(pressure, r[1], 2.0 * stretch[1]),
        fma(pressure, r[2], 2.0 * stretch[2]),
    );
    let root = sqrt(twice);
    let scale = select(0.0, c.root_volume / root, twice > 0.0);
    let g1 = times(stress, b1);
    let g2 = times(stress, b2);
    let g3 = times(stress, b3);
    return Evaluation4(c.root_volume * root, -scale * (g1 + g2 + g3), scale * g1, scale * g2, scale * g3);
}
