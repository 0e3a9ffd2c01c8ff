// Bending energy of a hinge whose edges keep their lengths, quadratic in the positions, from its flat rest shape.
//   C = ½ |m|², m = Σ kᵢ (xᵢ - x0), i = 1, 2, 3        dC/dxᵢ = kᵢ m        dC/dx0 = -Σ dC/dxᵢ
// k: K √(3 / (A1 + A2)), so that C = ½ Σ Qᵢⱼ xᵢ·xⱼ with Q = 3 / (A1 + A2) K Kᵀ and K the sums of cotangents of the angles at the
// shared edge; they add up to zero. Bergou et al., A Quadratic Bending Model for Inextensible Surfaces, 2006.

struct IsometricBend {
    particles: vec4u, // the edge's ends, then the opposite corners
    k1: f32,          // 1/m
    k2: f32,
    k3: f32,
    material: u32,
}

fn isometric_bend(c: IsometricBend, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let m = fma(vec3f(c.k3), x3 - x0, fma(vec3f(c.k2), x2 - x0, c.k1 * (x1 - x0)));
    return Evaluation4(0.5 * dot3(m, m), -(c.k1 + c.k2 + c.k3) * m, c.k1 * m, c.k2 * m, c.k3 * m);
}
