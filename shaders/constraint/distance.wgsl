// Distance between two particles.
//   C = |x0 - x1| - L        dC/dx0 = n        dC/dx1 = -n        n = (x0 - x1) / |x0 - x1|
// Müller et al., Position Based Dynamics, 2007, section 3.3. Coincident ends have no gradient and stay.

struct Distance {
    particles: vec2u,
    rest_length: f32, // m
    material: u32,
}

fn distance(c: Distance, x0: vec3f, x1: vec3f) -> Evaluation2 {
    let apart = direction_and_length(x0 - x1, c.rest_length);
    return Evaluation2(apart.w, apart.xyz, -apart.xyz);
}
