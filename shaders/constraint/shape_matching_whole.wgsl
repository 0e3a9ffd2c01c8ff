// Lays the rest shape of a constraint onto its particles, and finds how far a step goes (src/constraint/shape_matching.rs): c is the mean of their places by weight, R the rotation next to
// sum of m (x - c) qᵀ, q their rest places from the mean of these.
//
// c and R are right to a rounding of the body's size. Laid so, a body would be pushed and turned by that in each substep, always to the same
// side where it rests. So what is left of the mean and of the turn is found once more from the offsets, which are small, and taken off:
// in the frame of the rest shape r' = Rᵀ (x - c) - q, the mean of r', and the turn I⁻¹ (sum of m q × r'), I the shape's inertia.

const THREADS = 64u;    // regions are small

var<private> rotation: mat3x3f;
var<private> centre: vec3f;     // m, from the constraint's first particle
var<private> shift: vec3f;      // m, in the frame of the rest shape
var<private> turn: vec3f;

fn word(at: u32) -> f32 {
    return bitcast<f32>(members[at]);
}

fn words(at: u32) -> vec3f {
    return vec3f(word(at), word(at + 1u), word(at + 2u));
}

// xyz: the rest place of a member, m; w: its share of the weight. The inverse of the inertia is before them.
fn rest_place(data: u32, k: u32) -> vec4f {
    let at = data + INERTIA_WORDS + 4u * k;
    return vec4f(words(at), word(at + 3u));
}

const INERTIA_WORDS: u32 = 9u;

// A member's offset in the frame of the rest shape, as c and R tell it.
fn rough_offset(first: u32, k: u32, q: vec3f) -> vec3f {
    return times(transpose(rotation), member(first + k) - centre) - q;
}

// How far a member is off its place in the shape, m.
fn offset(first: u32, data: u32, k: u32) -> vec3f {
    let q = rest_place(data, k).xyz;
    return times(rotation, rough_offset(first, k, q) - shift - cross3(turn, q));
}

// The turn of a shape that has this moment of momentum.
fn unturned(data: u32, moment: vec3f) -> vec3f {
    return times(mat3x3f(words(data), words(data + 3u), words(data + 6u)), moment);
}

fn prepare(c: ShapeMatching, thread: u32) {
    fit(c.first, c.count, c.data, thread);
}

fn fit(first: u32, count: u32, data: u32, thread: u32) {
    var moments = mat4x3f();
    for (var k = thread; k < count; k += THREADS) {
        let place = rest_place(data, k);
        let x = member(first + k);
        let weighed = place.w * place;
        moments[0] = fma(x, vec3f(weighed.x), moments[0]);
        moments[1] = fma(x, vec3f(weighed.y), moments[1]);
        moments[2] = fma(x, vec3f(weighed.z), moments[2]);
        moments[3] = fma(x, vec3f(place.w), moments[3]);
    }
    let all = summed(thread, moments);
    if (thread == 0u) {
        let next = rotation_next_to(mat3x3f(all[0], all[1], all[2]));
        sums[0] = mat4x3f(next[0], next[1], next[2], all[3]);
    }
    workgroupBarrier();
    rotation = mat3x3f(sums[0][0], sums[0][1], sums[0][2]);
    centre = sums[0][3];
    workgroupBarrier();

    var rest = mat4x3f();
    for (var k = thread; k < count; k += THREADS) {
        let place = rest_place(data, k);
        let r = rough_offset(first, k, place.xyz);
        rest[0] = fma(r, vec3f(place.w), rest[0]);
        rest[1] = fma(cross3(place.xyz, r), vec3f(place.w), rest[1]);
    }
    rest = summed(thread, rest);
    shift = rest[0];
    turn = unturned(data, rest[1]);
}

// The way on which a correction takes a member for each unit of the multiplier, with C for a factor, in the frame of the rest shape.
fn way(first: u32, k: u32, correction: u32) -> vec3f {
    let inverse_mass = x[members[first + k]].w * valence(correction + k);
    return times(transpose(rotation), inverse_mass * corrections[correction + k].xyz);
}

// Sum of m |P u|² over members, P u what their ways u change of the offsets: all but the mean of u and its turn.
fn unfitted(first: u32, count: u32, data: u32, correction: u32, thread: u32) -> f32 {
    var rigid = mat4x3f();
    for (var k = thread; k < count; k += THREADS) {
        let place = rest_place(data, k);
        let u = way(first, k, correction);
        rigid[0] = fma(u, vec3f(place.w), rigid[0]);
        rigid[1] = fma(cross3(place.xyz, u), vec3f(place.w), rigid[1]);
    }
    let whole = summed(thread, rigid);
    let spin = unturned(data, whole[1]);
    var mine = 0.0;
    for (var k = thread; k < count; k += THREADS) {
        let place = rest_place(data, k);
        let left = way(first, k, correction) - whole[0] - cross3(spin, place.xyz);
        mine = fma(place.w, dot3(left, left), mine);
    }
    return reduce(thread, vec4f(mine, 0.0, 0.0, 0.0), 0.0).x;
}

// The square of a C that is none, m²: a shared weight of 1e-6 times this is a number still.
const LEAST_SQUARE: f32 = 1e-30;

// C is the root of what the shares add up to, and the gradient what is returned over C.
fn whole(c: ShapeMatching, correction: u32, thread: u32, value: f32, weight: f32, least: f32) -> Whole {
    let scale = select(0.0, inverseSqrt(value), value > LEAST_SQUARE);
    // In place of Σ w|∇C|²; a maximum is no product, as lib/products.wgsl asks.
    let left = unfitted(c.first, c.count, c.data, correction, thread);
    let effective = max(left / select(1.0, weight, weight > 0.0), 0.0);
    // That does not vanish with the gradient.
    return Whole(sqrt(value), scale, effective, 0.0);
}
