// A particle held at the point of a triangle a, b, c that its barycentric weights name, 1 - v - w, v and w.
//   C_k = (x0 - (1 - v - w) a - v b - w c)_k, k = 0, 1, 2
//   dC_k/dx0 = e_k        dC_k/da = -(1 - v - w) e_k        dC_k/db = -v e_k        dC_k/dc = -w e_k

struct AttachTriangle {
    particles: vec4u, // the particle, then the triangle's corners
    weight_b: f32,
    weight_c: f32,
    material: u32,
}

fn attach_triangle(c: AttachTriangle, k: u32, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let axis = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(k));
    let apart = fma(vec3f(-c.weight_c), x3 - x1, fma(vec3f(-c.weight_b), x2 - x1, x0 - x1));
    let weight_a = 1.0 - c.weight_b - c.weight_c;
    return Evaluation4(dot3(axis, apart), axis, -weight_a * axis, -c.weight_b * axis, -c.weight_c * axis);
}
