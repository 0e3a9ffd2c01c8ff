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
    let normal = cross(a, b);
    let doubled_area = length(normal);
    let n = select(vec3f(0.0), normal / doubled_area, doubled_area > 0.0);
    let gradient1 = 0.5 * cross(b, n);
    let gradient2 = 0.5 * cross(n, a);
    return Evaluation3(0.5 * doubled_area - c.rest_area, -(gradient1 + gradient2), gradient1, gradient2);
}
