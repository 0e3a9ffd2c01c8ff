// Angle at the vertex v = x1 between the arms a = x0 - v and b = x2 - v, without a sign, in space: 0 to π.
//   C = θ - θ0        sin θ = |a x b| / (|a| |b|)        cos θ = a . b / (|a| |b|)
//   dC/dx0 = a x n / |a|²        dC/dx2 = n x b / |b|²        dC/dx1 = -dC/dx0 - dC/dx2,   n = a x b / |a x b|
// C as the angle of the rotation from θ0 to θ. Where the arms are in line there is no n, and no gradient: what is to be straight is
// there at rest, and what is to be bent does not know which way.

struct SpatialAngle {
    particles: vec3u,
    rest_angle: f32, // rad
    material: u32,
}

fn spatial_angle(c: SpatialAngle, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let a = x0 - x1;
    let b = x2 - x1;
    let normal = direction_and_length(cross3(a, b), 0.0);
    if (normal.w == 0.0) {
        return Evaluation3(0.0, vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    let rest = cosine_sine(c.rest_angle);
    let cosine = dot3(a, b);
    let value = atan2(fma(normal.w, rest.x, -(cosine * rest.y)), fma(cosine, rest.x, normal.w * rest.y));
    let inverse_a = 1.0 / dot3(a, a);
    let at_a = cross3(a, normal.xyz);
    let at_b = cross3(normal.xyz, b) / dot3(b, b);
    return Evaluation3(value, inverse_a * at_a, fma(vec3f(-inverse_a), at_a, -at_b), at_b);
}
