// A particle held at a point p of the world.
//   C_k = (x0 - p)_k, k = 0, 1, 2        dC_k/dx0 = e_k, the unit vector along axis k
// Three components in place of one distance: a distance of zero has no direction, and a spring to p would stick there.

struct Attach {
    particles: u32,
    point_x: f32, // m
    point_y: f32,
    point_z: f32,
    material: u32,
}

fn attach(c: Attach, k: u32, x0: vec3f, d0: vec3f) -> Evaluation1 {
    let axis = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(k));
    return Evaluation1(dot3(axis, (x0 - vec3f(c.point_x, c.point_y, c.point_z)) + d0), axis);
}
