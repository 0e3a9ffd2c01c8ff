// Angle at the vertex v = x1 from the arm a = x0 - v to the arm b = x2 - v, counter-clockwise about +z, in the plane of x and y.
//   θ = arg b - arg a        C = θ - θ0, as the angle of the rotation from θ0 to θ: between -π and π, small near rest
//   dC/dx0 = -perp(a) / |a|²        dC/dx2 = perp(b) / |b|²        dC/dx1 = -dC/dx0 - dC/dx2,   perp(p) = (-p.y, p.x)
// The sign is that of a.x b.y - a.y b.x: no arccos, which has no derivative where the arms are in line. An arm of no length has
// no gradient.

struct Angle {
    particles: vec3u,
    rest_angle: f32, // rad
    material: u32,
}

fn angle(c: Angle, x0: vec3f, x1: vec3f, x2: vec3f) -> Evaluation3 {
    let a = (x0 - x1).xy;
    let b = (x2 - x1).xy;
    let squared_a = dot2(a, a);
    let squared_b = dot2(b, b);
    if (squared_a == 0.0 || squared_b == 0.0) {
        return Evaluation3(0.0, vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    let sine = fma(a.x, b.y, -(a.y * b.x));
    let cosine = dot2(a, b);
    let rest = cosine_sine(c.rest_angle);
    let value = atan2(fma(sine, rest.x, -(cosine * rest.y)), fma(cosine, rest.x, sine * rest.y));
    let inverse_a = 1.0 / squared_a;
    let at_a = vec3f(a.y, -a.x, 0.0);
    let at_b = vec3f(-b.y, b.x, 0.0) / squared_b;
    return Evaluation3(value, inverse_a * at_a, fma(vec3f(-inverse_a), at_a, -at_b), at_b);
}
