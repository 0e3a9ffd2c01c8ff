// A triangle of a film, F = [x1 - x0, x2 - x0] B, B the inverse of the rest shape, A its area:
//   C = √A (tr FᵀF - 2)        dC/dxi = 2 √A Σ f Bi over the columns f of F

struct Film {
    particles: vec3u,
    inverse00: f32, // 1/m
    inverse01: f32,
    inverse10: f32,
    inverse11: f32,
    root_area: f32, // m
    material: u32,
}

fn film(c: Film, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let a = x1 - x0;
    let b = x2 - x0;
    let f0 = a * c.inverse00 + b * c.inverse10;
    let f1 = a * c.inverse01 + b * c.inverse11;
    let gradient1 = 2.0 * c.root_area * (f0 * c.inverse00 + f1 * c.inverse01);
    let gradient2 = 2.0 * c.root_area * (f0 * c.inverse10 + f1 * c.inverse11);
    return Evaluation3(c.root_area * (dot(f0, f0) + dot(f1, f1) - 2.0), -gradient1 - gradient2, gradient1, gradient2);
}
