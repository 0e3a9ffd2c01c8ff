// Signed volume of a tetrahedron. The gradient at each corner is the opposite face's area vector over three.
//   C = (x1 - x0) x (x2 - x0) . (x3 - x0) / 6 - V
//   dC/dx1 = (x2 - x0) x (x3 - x0) / 6, and so on around        dC/dx0 = -dC/dx1 - dC/dx2 - dC/dx3

struct Volume {
    particles: vec4u,
    rest_volume: f32,   // m³
    material: u32,
}

fn volume(c: Volume, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let e = x1 - x0;
    let f = x2 - x0;
    let g = x3 - x0;
    let gradient1 = cross(f, g) / 6.0;
    let gradient2 = cross(g, e) / 6.0;
    let gradient3 = cross(e, f) / 6.0;
    let gradient0 = -(gradient1 + gradient2 + gradient3);
    return Evaluation4(dot(gradient3, g) - c.rest_volume, gradient0, gradient1, gradient2, gradient3);
}
