// Before the first sweep of a substep the rest shapes that change get the rest places of its end, one workgroup each:
// the twin of src/constraint/reshape.rs, where the formulas are. What lies beyond the yield point flows, by the
// particles as the substep before left them.
//   q = F (p + sum of share * way)        F <- (1 + s (1 - limit/|E|) E) F, over the cube root of its determinant

struct RestShape {
    first: u32,         // of its members
    count: u32,
    data: u32,          // where in the list of members its rest shape begins: see constraint/shape_matching_whole.wgsl
    places: u32,        // of its members as built, then of each blend shape their ways
    blends: u32,
    material: u32,
    curves: u32,        // in a substep
    flow: u32,          // its three columns
}

@group(0) @binding(2) var<storage, read> rest_shapes: array<RestShape>;
@group(0) @binding(3) var<storage, read> shape_places: array<vec4u>;    // bits of x, y, z, weight; of ways the curve
@group(0) @binding(4) var<storage, read> curves: array<vec4f>;          // all of substep 0, all of substep 1, ...
@group(0) @binding(5) var<storage, read> rest_laws: array<RestLaw>;     // one per material
@group(0) @binding(6) var<storage, read> x: array<vec4f>;
@group(0) @binding(7) var<storage, read> e: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> members: array<u32>;
@group(0) @binding(9) var<storage, read_write> shape_flows: array<vec4f>;

const THREADS = 64u;
const INERTIA_WORDS = 9u;
// As in src/constraint/reshape.rs and shape_matching.rs.
const LEAST_EXTENT: f32 = 1e-4;
const MOST_FLOW: f32 = 2.0;
const LEAST_INERTIA: f32 = 1e-6;

var<workgroup> flow: mat3x3f;

// A member's place with its blend shapes, without flow; w: its share of the weight.
fn blended(shape: RestShape, k: u32) -> vec4f {
    let place = bitcast<vec4f>(shape_places[shape.places + k]);
    var q = place.xyz;
    for (var blend = 1u; blend <= shape.blends; blend += 1u) {
        let way = shape_places[shape.places + blend * shape.count + k];
        q = fma(bitcast<vec3f>(way.xyz), vec3f(curves[substep.index * shape.curves + way.w].x), q);
    }
    return vec4f(q, place.w);
}

// v vᵀ times a number.
fn outer(v: vec3f, by: vec3f) -> mat3x3f {
    return mat3x3f(v * by.x, v * by.y, v * by.z);
}

// A matrix, and so much of the identity.
fn widened(m: mat3x3f, by: f32) -> mat3x3f {
    return mat3x3f(m[0] + vec3f(by, 0.0, 0.0), m[1] + vec3f(0.0, by, 0.0), m[2] + vec3f(0.0, 0.0, by));
}

// The first three columns of the sum over all threads.
fn whole(thread: u32, mine: mat3x3f) -> mat3x3f {
    let all = summed(thread, mat4x3f(mine[0], mine[1], mine[2], vec3f()));
    return mat3x3f(all[0], all[1], all[2]);
}

// The rows of the inverse times the determinant.
fn cofactors(m: mat3x3f) -> mat3x3f {
    return mat3x3f(cross3(m[1], m[2]), cross3(m[2], m[0]), cross3(m[0], m[1]));
}

// E of a shape with these sums of m x qᵀ and m q qᵀ.
fn strain(moments: mat3x3f, extent: mat3x3f) -> mat3x3f {
    let rotation = rotation_next_to(moments);
    let least = LEAST_EXTENT * (extent[0].x + extent[1].y + extent[2].z);
    let wider = widened(extent, least);
    let rows = cofactors(wider);
    let volume = dot3(wider[0], rows[0]);
    if (volume <= 0.0) {
        return mat3x3f();
    }
    let more = mat3x3f(
        fma(rotation[0], vec3f(least), moments[0]),
        fma(rotation[1], vec3f(least), moments[1]),
        fma(rotation[2], vec3f(least), moments[2]),
    );
    let turned_back = product(transpose(rotation), more);
    let inverse = mat3x3f(rows[0] / volume, rows[1] / volume, rows[2] / volume);
    let stretch = product(turned_back, inverse);
    let across = transpose(stretch);
    return widened(0.5 * (stretch + across), -1.0);
}

fn size(m: mat3x3f) -> f32 {
    return sqrt(dot3(m[0], m[0]) + dot3(m[1], m[1]) + dot3(m[2], m[2]));
}

// F after a substep with this strain.
fn flowed(before: mat3x3f, strain: mat3x3f, law: RestLaw) -> mat3x3f {
    let strained = size(strain);
    if (strained <= law.limit) {
        return before;
    }
    let excess = law.share * (1.0 - law.limit / strained);
    let change = product(strain, before);
    let next = mat3x3f(
        fma(change[0], vec3f(excess), before[0]),
        fma(change[1], vec3f(excess), before[1]),
        fma(change[2], vec3f(excess), before[2]),
    );
    let volume = dot3(next[0], cross3(next[1], next[2]));
    if (volume <= 0.0) {
        return before;
    }
    let scale = pow(volume, -1.0 / 3.0);
    let kept = mat3x3f(scale * next[0], scale * next[1], scale * next[2]);
    if (size(widened(kept, -1.0)) > MOST_FLOW) {
        return before;
    }
    return kept;
}

fn put(at: u32, value: vec3f) {
    members[at] = bitcast<u32>(value.x);
    members[at + 1u] = bitcast<u32>(value.y);
    members[at + 2u] = bitcast<u32>(value.z);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return;
    }
    let shape = rest_shapes[batch.first + index];
    let law = rest_laws[shape.material];
    let at = 3u * shape.flow;
    if (thread == 0u) {
        flow = mat3x3f(shape_flows[at].xyz, shape_flows[at + 1u].xyz, shape_flows[at + 2u].xyz);
    }
    workgroupBarrier();
    if (law.share > 0.0) {
        let origin = members[shape.first];
        var moments = mat3x3f();
        var extent = mat3x3f();
        for (var k = thread; k < shape.count; k += THREADS) {
            let place = blended(shape, k);
            let q = times(flow, place.xyz);
            let p = members[shape.first + k];
            let way = (x[p].xyz - x[origin].xyz) + (e[p].xyz - e[origin].xyz);
            moments = moments + outer(place.w * way, q);
            extent = extent + outer(place.w * q, q);
        }
        moments = whole(thread, moments);
        extent = whole(thread, extent);
        if (thread == 0u) {
            let next = flowed(flow, strain(moments, extent), law);
            shape_flows[at] = vec4f(next[0], 0.0);
            shape_flows[at + 1u] = vec4f(next[1], 0.0);
            shape_flows[at + 2u] = vec4f(next[2], 0.0);
            flow = next;
        }
        workgroupBarrier();
    }
    var inertia = mat3x3f();
    for (var k = thread; k < shape.count; k += THREADS) {
        let place = blended(shape, k);
        let q = times(flow, place.xyz);
        put(shape.data + INERTIA_WORDS + 4u * k, q);
        let squared = dot3(q, q);
        let spread = outer(place.w * q, q);
        let round = place.w * squared;
        inertia = inertia + mat3x3f(
            vec3f(round, 0.0, 0.0) - spread[0],
            vec3f(0.0, round, 0.0) - spread[1],
            vec3f(0.0, 0.0, round) - spread[2],
        );
    }
    inertia = whole(thread, inertia);
    if (thread == 0u) {
        let least = LEAST_INERTIA * (inertia[0].x + inertia[1].y + inertia[2].z);
        let wider = widened(inertia, least);
        let rows = cofactors(wider);
        let volume = dot3(wider[0], rows[0]);
        let scale = select(0.0, 1.0 / volume, volume > 1e-37);
        put(shape.data, scale * rows[0]);
        put(shape.data + 3u, scale * rows[1]);
        put(shape.data + 6u, scale * rows[2]);
    }
}
