// Long-range attachment: a particle strays from where it hangs no farther than the way along the mesh.
//   C = |x0 - x1| - L, one-sided        dC/dx0 = n        dC/dx1 = -n        n = (x0 - x1) / |x0 - x1|
// Kim et al., Long Range Attachments, 2012.

struct Tether {
    particles: vec2u,
    rest_length: f32, // m
    material: u32,
}

fn tether(c: Tether, x0: vec3f, x1: vec3f) -> Evaluation2 {
    let apart = direction_and_length(x0 - x1, c.rest_length);
    return Evaluation2(apart.w, apart.xyz, -apart.xyz);
}
