// Nearest points. Where two are equally near, either is taken: the distance does not depend on it, nor does its gradient away
// from such places. Ericson, Real-Time Collision Detection, 2005, section 5.1.

// The share of the way from a to b of the point nearest to p, 0 to 1; 0 where a and b coincide.
fn along_segment(p: vec3f, a: vec3f, b: vec3f) -> f32 {
    let e = b - a;
    let squared = dot3(e, e);
    return select(0.0, clamp(dot3(p - a, e) / squared, 0.0, 1.0), squared > 0.0);
}

// The weights of a triangle's corners at the point nearest to p: at least 0, and 1 together.
fn on_triangle(p: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let normal = cross3(b - a, c - a);
    let squared = dot3(normal, normal);
    if (squared > 0.0) {
        let v = dot3(cross3(p - a, c - a), normal);
        let w = dot3(cross3(b - a, p - a), normal);
        let inside = vec3f(squared - v - w, v, w);
        if (all(inside >= vec3f(0.0))) {
            return inside / squared;
        }
    }
    let s = along_segment(p, a, b);
    let t = along_segment(p, b, c);
    let u = along_segment(p, c, a);
    let to_ab = fma(vec3f(-s), b - a, p - a);
    let to_bc = fma(vec3f(-t), c - b, p - b);
    let to_ca = fma(vec3f(-u), a - c, p - c);
    let ab = dot3(to_ab, to_ab);
    let bc = dot3(to_bc, to_bc);
    let ca = dot3(to_ca, to_ca);
    if (ab <= bc && ab <= ca) {
        return vec3f(1.0 - s, s, 0.0);
    }
    return select(vec3f(u, 0.0, 1.0 - u), vec3f(0.0, 1.0 - t, t), bc <= ca);
}

// The shares of the ways from a to b and from c to d of the two points nearest to each other.
fn between_segments(a: vec3f, b: vec3f, c: vec3f, d: vec3f) -> vec2f {
    let e = b - a;
    let f = d - c;
    let r = a - c;
    // The square of the normal's length loses half as many digits as ee ff - ef² where the segments are nearly parallel.
    let normal = cross3(e, f);
    let squared = dot3(normal, normal);
    if (squared > 0.0) {
        let shares = -vec2f(dot3(cross3(r, f), normal), dot3(cross3(r, e), normal)) / squared;
        let inside = clamp(shares, vec2f(0.0), vec2f(1.0));
        if (all(inside == shares)) {
            return inside;
        }
    }
    // Otherwise one of the four ends is one of the two points.
    var best = vec2f(0.0, along_segment(a, c, d));
    let with_b = vec2f(1.0, along_segment(b, c, d));
    let with_c = vec2f(along_segment(c, a, b), 0.0);
    let with_d = vec2f(along_segment(d, a, b), 1.0);
    var least = squared_between(best, e, f, r);
    if (squared_between(with_b, e, f, r) < least) {
        best = with_b;
        least = squared_between(with_b, e, f, r);
    }
    if (squared_between(with_c, e, f, r) < least) {
        best = with_c;
        least = squared_between(with_c, e, f, r);
    }
    if (squared_between(with_d, e, f, r) < least) {
        best = with_d;
    }
    return best;
}

fn squared_between(shares: vec2f, e: vec3f, f: vec3f, r: vec3f) -> f32 {
    let apart = fma(vec3f(-shares.y), f, fma(vec3f(shares.x), e, r));
    return dot3(apart, apart);
}

// The direction of a vector, zero where it has none, and its length less so much.
fn direction_and_length(v: vec3f, less: f32) -> vec4f {
    let squared = dot3(v, v);
    let inverse = select(0.0, inverseSqrt(squared), squared > 0.0);
    return vec4f(v * inverse, fma(squared, inverse, -less));
}
