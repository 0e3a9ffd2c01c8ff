// One particle at a distance from a fixed point p.
//   C = |x0 - p| - L        dC/dx0 = n = (x0 - p) / |x0 - p|        x0 = x + d
// Place and displacement come apart: (x - p) + d does not round p away far from the origin.

struct Anchor {
    particles: u32,
    x: f32, // m
    y: f32,
    z: f32,
    length: f32, // m
    material: u32,
}

fn anchor(c: Anchor, x: vec3f, d: vec3f) -> Evaluation1 {
    let arm = (x - vec3f(c.x, c.y, c.z)) + d;
    let apart = direction_and_length(arm, c.length);
    return Evaluation1(apart.w, apart.xyz);
}
