// Area of a triangle, n its unit normal. A triangle without area has no gradient.
//   C = |(x1 - x0) x (x2 - x0)| / 2 - A
//   dC/dx1 = (x2 - x0) x n / 2        dC/dx2 = n x (x1 - x0) / 2        dC/dx0 = -dC/dx1 - dC/dx2

struct Area {
    particles: vec3u,
    rest_area: f32, // m²
    material: u32,
}

fn area(c: Area, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let a = x1 - x0;
    let b = x2 - x0;
    let normal = cross3(a, b);
    let doubled_area = length3(normal);
    let n = select(vec3f(0.0), normal / doubled_area, doubled_area > 0.0);
    let doubled1 = cross3(b, n);
    let doubled2 = cross3(n, a);
    let value = fma(0.5, doubled_area, -c.rest_area);
    return Evaluation3(value, -0.5 * (doubled1 + doubled2), 0.5 * doubled1, 0.5 * doubled2);
}
