// Distance between two particles.
//   C = |x0 - x1| - L        dC/dx0 = n        dC/dx1 = -n        n = (x0 - x1) / |x0 - x1|
// Müller et al., Position Based Dynamics, 2007, section 3.3. Coincident ends have no gradient and stay.

struct Distance {
    particles: vec2u,
    rest_length: f32, // m
    material: u32,
}

fn distance_gradient(apart: vec3f, length: f32) -> vec3f {
    return select(vec3f(0.0), apart / length, length > 0.0);
}

fn distance_constraint(c: Distance, x0: vec3f, x1: vec3f) -> Evaluation2 {
    let apart = x0 - x1;
    let length = length(apart);
    let n = distance_gradient(apart, length);
    return Evaluation2(length - c.rest_length, n, -n);
}
