//! Nearest points, as in `shaders/lib/closest.wgsl`. Ericson, Real-Time Collision Detection, 2005, section 5.1.

use super::{Real, Vec3};

fn clamp<R: Real>(value: R) -> R {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let above = R::select(value.greater(zero), value, zero);
    R::select(above.greater(one), one, above)
}

/// The quotient, and `otherwise` where the denominator is not above zero.
fn ratio<R: Real>(numerator: R, denominator: R, otherwise: R) -> R {
    let positive = denominator.greater(R::from_f64(0.0));
    R::select(positive, numerator / R::select(positive, denominator, R::from_f64(1.0)), otherwise)
}

/// The share of the way from a to b of the point nearest to p, 0 to 1; 0 where a and b coincide.
pub fn along_segment<R: Real>(p: Vec3<R>, a: Vec3<R>, b: Vec3<R>) -> R {
    let e = b - a;
    clamp(ratio((p - a).dot(e), e.dot(e), R::from_f64(0.0)))
}

/// The weights of a triangle's corners at the point nearest to p: at least 0, and 1 together.
pub fn on_triangle<R: Real>(p: Vec3<R>, [a, b, c]: [Vec3<R>; 3]) -> [R; 3] {
    let (zero, one, outside) = (R::from_f64(0.0), R::from_f64(1.0), R::from_f64(-1.0));
    let normal = (b - a).cross(c - a);
    let squared = normal.dot(normal);
    let v = ratio((p - a).cross(c - a).dot(normal), squared, outside);
    let w = ratio((b - a).cross(p - a).dot(normal), squared, outside);
    let [s, t, u] = [along_segment(p, a, b), along_segment(p, b, c), along_segment(p, c, a)];
    let squared_to = |from: Vec3<R>, to: Vec3<R>, share: R| {
        let apart = p - from - (to - from) * share;
        apart.dot(apart)
    };
    let [ab, bc, ca] = [squared_to(a, b, s), squared_to(b, c, t), squared_to(c, a, u)];
    let choose = |on_ab: R, on_bc: R, on_ca: R, inside: R| {
        let edge = R::select(bc.greater(ca), on_ca, on_bc);
        let least = R::select(bc.greater(ca), ca, bc);
        let edge = R::select(ab.greater(least), edge, on_ab);
        let beyond_ca = R::select(zero.greater(v), edge, inside);
        let beyond_ab = R::select(zero.greater(w), edge, beyond_ca);
        R::select((v + w).greater(one), edge, beyond_ab)
    };
    [choose(one - s, zero, u, one - v - w), choose(s, one - t, zero, v), choose(zero, t, one - u, w)]
}

/// The shares of the ways from a to b and from c to d of the two points nearest to each other.
pub fn between_segments<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>, d: Vec3<R>) -> [R; 2] {
    let (zero, one, outside) = (R::from_f64(0.0), R::from_f64(1.0), R::from_f64(-1.0));
    let (e, f, r) = (b - a, d - c, a - c);
    // The square of the normal's length loses half as many digits as ee ff - ef² where the segments are nearly parallel.
    let normal = e.cross(f);
    let s = ratio(-r.cross(f).dot(normal), normal.dot(normal), outside);
    let t = ratio(-r.cross(e).dot(normal), normal.dot(normal), outside);
    let squared = |[s, t]: [R; 2]| {
        let apart = r + e * s - f * t;
        apart.dot(apart)
    };
    // Unless both lie inside, one of the four ends is one of the two points.
    let ends = [
        [zero, along_segment(a, c, d)],
        [one, along_segment(b, c, d)],
        [along_segment(c, a, b), zero],
        [along_segment(d, a, b), one],
    ];
    let nearest = ends[1..].iter().fold(ends[0], |best, &end| {
        let nearer = squared(best).greater(squared(end));
        [R::select(nearer, end[0], best[0]), R::select(nearer, end[1], best[1])]
    });
    let choose = |inside: R, end: R| {
        [s, t].into_iter().fold(inside, |chosen, share| {
            let chosen = R::select(zero.greater(share), end, chosen);
            R::select(share.greater(one), end, chosen)
        })
    };
    [choose(s, nearest[0]), choose(t, nearest[1])]
}
