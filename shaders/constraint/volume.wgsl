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
    let n1 = cross3(f, g);
    let n2 = cross3(g, e);
    let n3 = cross3(e, f);
    return Evaluation4(dot3(n3 / 6.0, g) - c.rest_volume, -(n1 + n2 + n3) / 6.0, n1 / 6.0, n2 / 6.0, n3 / 6.0);
}
