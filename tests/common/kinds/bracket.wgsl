// Two arms a = x0 - x1 and b = x2 - x1 from a common particle: the length of one and the scalar product of both.
//   C0 = |a| - L        dC0/dx0 = a / |a|        dC0/dx2 = 0
//   C1 = a . b - P      dC1/dx0 = b              dC1/dx2 = a        dC/dx1 = -dC/dx0 - dC/dx2

struct Bracket {
    particles: vec3u,
    rest_length: f32, // m
    rest_product: f32, // m²
    material: u32,
}

fn bracket(c: Bracket, component: u32, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let a = x0 - x1;
    let b = x2 - x1;
    if component == 0u {
        let length = length(a);
        let n = select(vec3f(0.0), a / length, length > 0.0);
        return Evaluation3(length - c.rest_length, n, -n, vec3f(0.0));
    }
    return Evaluation3(dot(a, b) - c.rest_product, b, -(a + b), a);
}
