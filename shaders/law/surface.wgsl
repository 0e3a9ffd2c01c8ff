// Two features of surfaces, a vertex and a face or two edges, and the axes along which they are apart: the twin of
// src/law/surface.rs, which has the reasons. Sums of products are rounded at the same places at both ends of a motion
// (lib/products.wgsl), so that what rests has one gap.

// The share of the distance at which two touch that is left between them in any case.
const FLOOR: f32 = 0.1;
// Of what was placed nearer than the sum of the radii: the share of that distance at which it touches.
const PLACED: f32 = 0.99;
// The least distance at which two touch, by the sum of the radii.
const LEAST: f32 = 0.01;
// Where two first touch is found by so many steps, each to the plane through the nearest points.
const TOUCH_STEPS: u32 = 4u;
// An axis is one if the gap along it is more than this share of the coordinates: 2⁻²⁰, sixteen roundings.
const ROUNDING: f32 = 9.5367431640625e-7;

// A vertex and the corners of a face, or the ends of two edges, relative to any one place.
struct Places {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
}

// From where a substep begins to where it ends. `edges`: of two edges.
struct Motion {
    begin: Places,
    end: Places,
    edges: bool,
}

// What a motion's axes say: the valid one with the widest gap at the end, that gap, the distance at the beginning,
// which is not above 0 where the two cross or touch, and the weights of the nearest points at both ends.
struct Certificate {
    axis: vec3f,
    gap: f32,
    before: f32,
    first: vec4f,
    last: vec4f,
}

// bᵢ: the shares of the vertices in the two nearest points; those of the second feature are negative.
fn feature_weights(edges: bool, y: Places) -> vec4f {
    if (edges) {
        let shares = between_segments(y.a, y.b, y.c, y.d);
        return vec4f(1.0 - shares.x, shares.x, shares.y - 1.0, -shares.y);
    }
    return vec4f(1.0, -on_triangle(y.a, y.b, y.c, y.d));
}

// Σ bᵢ yᵢ
fn weighted(weights: vec4f, y: Places) -> vec3f {
    return fma(vec3f(weights.w), y.d, fma(vec3f(weights.z), y.c, fma(vec3f(weights.y), y.b, weights.x * y.a)));
}

// g along an axis, m.
fn gap_along(edges: bool, axis: vec3f, y: Places) -> f32 {
    let a = dot3(axis, y.a);
    let b = dot3(axis, y.b);
    let c = dot3(axis, y.c);
    let d = dot3(axis, y.d);
    return select(a - max(max(b, c), d), min(a, b) - max(c, d), edges);
}

fn extent_of(y: Places) -> f32 {
    let most = max(max(abs(y.a), abs(y.b)), max(abs(y.c), abs(y.d)));
    return max(max(most.x, most.y), most.z);
}

fn normal_of(edges: bool, y: Places) -> vec3f {
    if (edges) {
        return cross3(y.b - y.a, y.d - y.c);
    }
    return cross3(y.c - y.b, y.d - y.b);
}

// The axis with the wider gap at the end, which is the fourth number, of those that are valid at the beginning.
fn wider(best: vec4f, other: vec3f, motion: Motion, rounding: f32) -> vec4f {
    let gap = gap_along(motion.edges, other, motion.end);
    let valid = gap_along(motion.edges, other, motion.begin) > rounding;
    return select(best, vec4f(other, gap), valid && gap > best.w + rounding);
}

// As `wider` decides, so that what does not move has one distance.
fn farther(best: f32, other: f32, rounding: f32) -> f32 {
    return select(best, other, other > best + rounding);
}

fn certificate_of(motion: Motion) -> Certificate {
    let extent = max(extent_of(motion.begin), extent_of(motion.end));
    let rounding = ROUNDING * extent;
    let first_weights = feature_weights(motion.edges, motion.begin);
    let last_weights = feature_weights(motion.edges, motion.end);
    let first = direction_and_length(weighted(first_weights, motion.begin), 0.0).xyz;
    let last = direction_and_length(weighted(last_weights, motion.end), 0.0).xyz;
    let between = direction_and_length(first + last, 0.0).xyz;
    let either = direction_and_length(normal_of(motion.edges, motion.end), 0.0).xyz;
    let normal = select(either, -either, dot3(either, first) < 0.0);
    let at_first = gap_along(motion.edges, first, motion.begin);
    var best = vec4f(first, select(-4.0 * extent, gap_along(motion.edges, first, motion.end), at_first > rounding));
    best = wider(best, last, motion, rounding);
    best = wider(best, between, motion, rounding);
    best = wider(best, normal, motion, rounding);
    var before = at_first;
    before = farther(before, gap_along(motion.edges, last, motion.begin), rounding);
    before = farther(before, gap_along(motion.edges, between, motion.begin), rounding);
    before = farther(before, gap_along(motion.edges, normal, motion.begin), rounding);
    let apart = before > rounding;
    return Certificate(best.xyz, select(0.0, best.w, apart), select(0.0, before, apart), first_weights, last_weights);
}

// By how much a pair lacks a certificate, m; not above 0 if it has one, and of two that cross as they begin.
fn lack_of(certificate: Certificate, floor: f32) -> f32 {
    return select(0.0, min(floor, certificate.before) - certificate.gap, certificate.before > 0.0);
}

// Whether two are farther apart than `reach` at both ends along the axis through their middles at the end.
fn are_far_apart(motion: Motion, reach: f32) -> bool {
    let y = motion.end;
    let of_face = fma(y.b + y.c + y.d, vec3f(-1.0 / 3.0), y.a);
    let axis = select(of_face, 0.5 * (y.a + y.b - y.c - y.d), motion.edges);
    let wanted = reach * length3(axis);
    return gap_along(motion.edges, axis, y) > wanted && gap_along(motion.edges, axis, motion.begin) > wanted;
}

// The weights of the nearest points where two first touch on their way; where it ends if they do not, or touch as it
// begins.
fn touching_weights(motion: Motion, distance: f32, certificate: Certificate) -> vec4f {
    let begin = motion.begin;
    let end = motion.end;
    let ways = Places(end.a - begin.a, end.b - begin.b, end.c - begin.c, end.d - begin.d);
    var weights = certificate.first;
    var places = begin;
    var time = 0.0;
    for (var step = 0u; step < TOUCH_STEPS; step += 1u) {
        let line = direction_and_length(weighted(weights, places), 0.0);
        let closing = -gap_along(motion.edges, line.xyz, ways);
        if (!(line.w > distance && closing > 0.0)) {
            break;
        }
        time += (line.w - distance) / closing;
        if (!(time < 1.0)) {
            return certificate.last;
        }
        let t = vec3f(time);
        places = Places(
            fma(ways.a, t, begin.a),
            fma(ways.b, t, begin.b),
            fma(ways.c, t, begin.c),
            fma(ways.d, t, begin.d),
        );
        weights = feature_weights(motion.edges, places);
    }
    return select(certificate.last, weights, time > 0.0);
}

// At what distance two touch that were placed so far apart, m, by the sum of their radii.
fn touching_distance(sum: f32, placed: f32) -> f32 {
    return min(sum, max(PLACED * placed, LEAST * sum));
}

// Σ bᵢ² wᵢ
fn contact_weight(weights: vec4f, masses: vec4f) -> f32 {
    return dot4(weights * weights, masses);
}
