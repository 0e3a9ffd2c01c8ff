// Signed volume of a tetrahedron.
//   C = (x1 - x0) x (x2 - x0) . (x3 - x0) / 6 - V        dC/dx: the area vector of the opposite face over three

struct TetrahedronVolume {
    particles: vec4u,
    rest_volume: f32, // m³
    material: u32,
}

fn tetrahedron_volume(c: TetrahedronVolume, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let a = x1 - x0;
    let b = x2 - x0;
    let d = x3 - x0;
    let gradient1 = cross(b, d) / 6.0;
    let gradient2 = cross(d, a) / 6.0;
    let gradient3 = cross(a, b) / 6.0;
    let gradient0 = -(gradient1 + gradient2 + gradient3);
    return Evaluation4(dot(gradient3, d) - c.rest_volume, gradient0, gradient1, gradient2, gradient3);
}
