//! Nearest points, as in `shaders/law/closest.wgsl`. Ericson, Real-Time Collision Detection, 2005, section 5.1.

use super::{Real, Vec3};

#[inline(always)]
fn clamp<R: Real>(value: R) -> R {
    let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
    let above = R::select(value.greater(zero), value, zero);
    R::select(above.greater(one), one, above)
}

/// The quotient, and `otherwise` where the denominator is not above zero.
#[inline(always)]
fn ratio<R: Real>(numerator: R, denominator: R, otherwise: R) -> R {
    let positive = denominator.greater(R::from_f64(0.0));
    R::select(positive, numerator / R::select(positive, denominator, R::from_f64(1.0)), otherwise)
}

/// The share of the way from a to b of the point nearest to p, 0 to 1; 0 where a and b coincide.
#[inline(always)]
pub fn along_segment<R: Real>(p: Vec3<R>, a: Vec3<R>, b: Vec3<R>) -> R {
    let e = b - a;
    clamp(ratio((p - a).dot(e), e.dot(e), R::from_f64(0.0)))
}

/// The weights of a triangle's corners at the point nearest to p: at least 0, and 1 together.
#[inline(always)]
pub fn on_triangle<R: Real>(p: Vec3<R>, [a, b, c]: [Vec3<R>; 3]) -> [R; 3] {
    let (zero, one, outside) = (R::from_f64(0.0), R::from_f64(1.0), R::from_f64(-1.0));
    let normal = (b - a).cross(c - a);
    let squared = normal.dot(normal);
    let v = ratio((p - a).cross(c - a).dot(normal), squared, outside);
    let w = ratio((b - a).cross(p - a).dot(normal), squared, outside);
    let [s, t, u] = [along_segment(p, a, b), along_segment(p, b, c), along_segment(p, c, a)];
    let ab = p - a - (b - a) * s;
    let bc = p - b - (c - b) * t;
    let ca = p - c - (a - c) * u;
    let [ab, bc, ca] = [ab.dot(ab), bc.dot(bc), ca.dot(ca)];
    let (first, least) = (bc.greater(ca), R::select(bc.greater(ca), ca, bc));
    // The weights of a, b and c: on each edge, and inside.
    let on_edges = [[one - s, zero, u], [s, one - t, zero], [zero, t, one - u]];
    let mut weights = [one - v - w, v, w];
    for k in 0..3 {
        let [on_ab, on_bc, on_ca] = on_edges[k];
        let edge = R::select(ab.greater(least), R::select(first, on_ca, on_bc), on_ab);
        let beyond_ca = R::select(zero.greater(v), edge, weights[k]);
        let beyond_ab = R::select(zero.greater(w), edge, beyond_ca);
        weights[k] = R::select((v + w).greater(one), edge, beyond_ab);
    }
    weights
}

/// The shares of the ways from a to b and from c to d of the two points nearest to each other.
#[inline(always)]
pub fn between_segments<R: Real>(a: Vec3<R>, b: Vec3<R>, c: Vec3<R>, d: Vec3<R>) -> [R; 2] {
    let (zero, one, outside) = (R::from_f64(0.0), R::from_f64(1.0), R::from_f64(-1.0));
    let (e, f, r) = (b - a, d - c, a - c);
    // The square of the normal's length loses half as many digits as ee ff - ef² where the segments are nearly
    // parallel.
    let normal = e.cross(f);
    let s = ratio(-r.cross(f).dot(normal), normal.dot(normal), outside);
    let t = ratio(-r.cross(e).dot(normal), normal.dot(normal), outside);
    // Unless both lie inside, one of the four ends is one of the two points.
    let mut nearest = [zero, along_segment(a, c, d)];
    let others = [[one, along_segment(b, c, d)], [along_segment(c, a, b), zero], [along_segment(d, a, b), one]];
    for end in others {
        let (old, new) = (r + e * nearest[0] - f * nearest[1], r + e * end[0] - f * end[1]);
        let nearer = old.dot(old).greater(new.dot(new));
        nearest = [R::select(nearer, end[0], nearest[0]), R::select(nearer, end[1], nearest[1])];
    }
    let mut chosen = [s, t];
    for k in 0..2 {
        for share in [s, t] {
            chosen[k] = R::select(zero.greater(share), nearest[k], chosen[k]);
            chosen[k] = R::select(share.greater(one), nearest[k], chosen[k]);
        }
    }
    chosen
}
