// Two particles held together: a weld, a stitch.
//   C_k = (x0 - x1)_k, k = 0, 1, 2        dC_k/dx0 = e_k, the unit vector along axis k        dC_k/dx1 = -e_k
// Three components in place of one distance: a distance of zero has no direction, and would not hold against a pull.

struct Weld {
    particles: vec2u,
    material: u32,
}

fn weld(c: Weld, k: u32, x0: vec3f, x1: vec3f) -> Evaluation2 {
    let axis = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(k));
    return Evaluation2(dot3(axis, x0 - x1), axis, -axis);
}
