// Distance of a particle p from the segment between a and b, less a thickness.
//   C = |p - q| - R, q = (1 - s) a + s b the point of the segment nearest to p
//   dC/dp = n = (p - q) / |p - q|        dC/da = -(1 - s) n        dC/db = -s n
// The change of s does not count: q is the nearest point, and moving it along the segment does not change the distance. A particle
// on the segment has no gradient.

struct PointSegment {
    particles: vec3u, // the particle, then the segment's ends
    thickness: f32,   // m
    material: u32,
}

fn point_segment(c: PointSegment, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let s = along_segment(x0, x1, x2);
    let apart = direction_and_length(fma(vec3f(-s), x2 - x1, x0 - x1), c.thickness);
    let n = apart.xyz;
    return Evaluation3(apart.w, n, -(1.0 - s) * n, -s * n);
}
