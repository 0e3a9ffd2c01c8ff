// Distance between two segments, from a to b and from c to d, less a thickness.
//   C = |p - q| - R, p = (1 - s) a + s b and q = (1 - t) c + t d the points nearest to each other
//   n = (p - q) / |p - q|        dC/da = (1 - s) n        dC/db = s n        dC/dc = -(1 - t) n        dC/dd = -t n
// The change of s and t does not count, since p and q are the nearest points. Segments that touch have no gradient.

struct EdgeEdge {
    particles: vec4u, // the ends of one segment, then of the other
    thickness: f32,   // m
    material: u32,
}

fn edge_edge(c: EdgeEdge, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let shares = between_segments(x0, x1, x2, x3);
    let between = fma(vec3f(-shares.y), x3 - x2, fma(vec3f(shares.x), x1 - x0, x0 - x2));
    let apart = direction_and_length(between, c.thickness);
    let n = apart.xyz;
    return Evaluation4(apart.w, (1.0 - shares.x) * n, shares.x * n, -(1.0 - shares.y) * n, -shares.y * n);
}
