// Distance of a particle p from a triangle, less a thickness.
//   C = |p - q| - R, q = Σ bᵢ xᵢ the point of the triangle nearest to p, with its barycentric weights bᵢ
//   dC/dp = n = (p - q) / |p - q|        dC/dxᵢ = -bᵢ n
// Either side counts alike. The change of the weights does not count, since q is the nearest point. A particle on the triangle has no
// gradient.

struct PointTriangle {
    particles: vec4u, // the particle, then the triangle's corners
    thickness: f32,   // m
    material: u32,
}

fn point_triangle(c: PointTriangle, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let weights = on_triangle(x0, x1, x2, x3);
    let between = fma(vec3f(-weights.z), x3 - x1, fma(vec3f(-weights.y), x2 - x1, x0 - x1));
    let apart = direction_and_length(between, c.thickness);
    let n = apart.xyz;
    return Evaluation4(apart.w, n, -weights.x * n, -weights.y * n, -weights.z * n);
}
