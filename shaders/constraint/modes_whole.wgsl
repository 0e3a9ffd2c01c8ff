// Finds the nearest image of a rest shape by MODES polynomials of its places, and how far a step goes
// (src/constraint/modes.rs): the sum of φ a, a = sum of m φ x. φ are orthonormal by the shares m of the weight, the first
// of them is 1.
//
// Images are right to a rounding of the body's size. So what is left of them is found once more from the offsets, which
// are small, and taken off.

const THREADS = 64u;    // regions are small

// Sums over members of m φ times a vector of theirs: of their places, of what is off these places' image, and of their
// ways.
const PLACES = 0u;
const OFFSETS = 1u;
const WAYS = 2u;
var<private> images: array<array<vec3f, MODES>, 3>;

// φ of a member; in place of the first its share of the weight.
fn mode(data: u32, k: u32, j: u32) -> f32 {
    return bitcast<f32>(members[data + MODES * k + j]);
}

fn polynomial(data: u32, k: u32, j: u32) -> f32 {
    return select(mode(data, k, j), 1.0, j == 0u);
}

// A vector of a member less its image.
fn beside(which: u32, data: u32, k: u32, vector: vec3f) -> vec3f {
    var left = vector;
    for (var j = 0u; j < MODES; j += 1u) {
        left = fma(vec3f(-polynomial(data, k, j)), images[which][j], left);
    }
    return left;
}

// Adds a vector of a member to a thread's part of an image.
fn join(which: u32, data: u32, k: u32, vector: vec3f) {
    let weighed = mode(data, k, 0u) * vector;
    for (var j = 0u; j < MODES; j += 1u) {
        images[which][j] = fma(vec3f(polynomial(data, k, j)), weighed, images[which][j]);
    }
}

// Makes of all threads' parts of an image their sum. All have read what was reduced before, and the last of this.
fn sum_up(which: u32, thread: u32) {
    workgroupBarrier();
    for (var j = 0u; j < MODES; j += 1u) {
        images[which][j] = reduce(thread, vec4f(images[which][j], 0.0), 0.0).xyz;
        workgroupBarrier();
    }
}

fn offset_from_places(first: u32, data: u32, k: u32) -> vec3f {
    return beside(PLACES, data, k, member(first + k));
}

// How far a member is off the image, m.
fn offset(first: u32, data: u32, k: u32) -> vec3f {
    return beside(OFFSETS, data, k, offset_from_places(first, data, k));
}

fn fit(first: u32, count: u32, data: u32, thread: u32) {
    for (var k = thread; k < count; k += THREADS) {
        join(PLACES, data, k, member(first + k));
    }
    sum_up(PLACES, thread);
    for (var k = thread; k < count; k += THREADS) {
        join(OFFSETS, data, k, offset_from_places(first, data, k));
    }
    sum_up(OFFSETS, thread);
}

// The way on which a correction takes a member for each unit of the multiplier, with C for a factor.
fn way(first: u32, k: u32, correction: u32) -> vec3f {
    let inverse_mass = x[members[first + k]].w * valence(correction + k);
    return inverse_mass * corrections[correction + k].xyz;
}

// Sum of m |P u|² over members, P u what their ways u change of the offsets: all but their image.
fn unfitted(first: u32, count: u32, data: u32, correction: u32, thread: u32) -> f32 {
    for (var k = thread; k < count; k += THREADS) {
        join(WAYS, data, k, way(first, k, correction));
    }
    sum_up(WAYS, thread);
    var sum = 0.0;
    for (var k = thread; k < count; k += THREADS) {
        let left = beside(WAYS, data, k, way(first, k, correction));
        sum = fma(mode(data, k, 0u), dot3(left, left), sum);
    }
    return reduce(thread, vec4f(sum, 0.0, 0.0, 0.0), 0.0).x;
}

// The square of a C that is none, m²: a shared weight of 1e-6 times this is a number still.
const LEAST_SQUARE: f32 = 1e-30;

// C is the root of what the shares add up to, and the gradient what is returned over C.
fn fitted(first: u32, count: u32, data: u32, correction: u32, thread: u32, sums: vec2f) -> Whole {
    let scale = select(0.0, inverseSqrt(sums.x), sums.x > LEAST_SQUARE);
    // In place of Σ w|∇C|²; a maximum is no product, as lib/products.wgsl asks.
    let left = unfitted(first, count, data, correction, thread);
    let effective = max(left / select(1.0, sums.y, sums.y > 0.0), 0.0);
    return Whole(sqrt(sums.x), scale, effective, 0.0);
}
