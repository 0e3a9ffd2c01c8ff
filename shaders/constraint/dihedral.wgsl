// Angle between two triangles (a, b, c) and (b, a, d) that share the edge e = b - a: 0 where flat, positive where d lies on the
// side that n1 = e x (c - a) points to. With n2 = (d - a) x e:
//   sin θ = -(n1 x n2) . e / (|n1| |n2| |e|)        cos θ = n1 . n2 / (|n1| |n2|)
//   C = θ - θ0, as the angle of the rotation from θ0 to θ, so that it lies between -π and π and is small near rest
//   dC/dc = |e| n1 / |n1|²        dC/dd = |e| n2 / |n2|²
//   dC/da = -(1 - s) dC/dc - (1 - t) dC/dd        dC/db = -s dC/dc - t dC/dd
// s, t: where along e the feet of c and d lie, 0 at a and 1 at b. Bridson et al., Simulation of Clothing with Folds and
// Wrinkles, 2003. A triangle without area has no gradient.

struct Dihedral {
    particles: vec4u,
    rest_angle: f32, // rad
    material: u32,
}

fn dihedral(c: Dihedral, x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f) -> Evaluation4 {
    let e = x1 - x0;
    let n1 = cross3(e, x2 - x0);
    let n2 = cross3(x3 - x0, e);
    let length = length3(e);
    let squared1 = dot3(n1, n1);
    let squared2 = dot3(n2, n2);
    if (length == 0.0 || squared1 == 0.0 || squared2 == 0.0) {
        return Evaluation4(0.0, vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    let sine = -dot3(cross3(n1, n2), e) / length;
    let cosine = dot3(n1, n2);
    let rest = cosine_sine(c.rest_angle);
    let value = atan2(fma(sine, rest.x, -(cosine * rest.y)), fma(cosine, rest.x, sine * rest.y));
    let at_c = n1 * (length / squared1);
    let at_d = n2 * (length / squared2);
    let inverse = 1.0 / (length * length);
    let foot_c = dot3(x2 - x0, e);
    let foot_d = dot3(x3 - x0, e);
    let at_a = fma(vec3f(fma(foot_c, inverse, -1.0)), at_c, fma(foot_d, inverse, -1.0) * at_d);
    let at_b = -fma(vec3f(foot_c * inverse), at_c, foot_d * inverse * at_d);
    return Evaluation4(value, at_a, at_b, at_c, at_d);
}
