// Finds out where each particle is, in which bucket, and how many lie there.

@group(0) @binding(4) var<storage, read> wet: array<Wet>;
@group(0) @binding(5) var<storage, read> x: array<vec4f>;
@group(0) @binding(6) var<storage, read> d: array<vec3f>;
@group(0) @binding(7) var<storage, read_write> fluid_unsorted: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> status: Status;

// Cells farther than this from the origin are not counted.
const FARTHEST: f32 = 1e9;

// What is nowhere, or too far to be counted, is near nobody: it lies in any bucket.
fn bucket_of(k: u32, place: vec3f) -> u32 {
    let cell = floor(place * header(INVERSE));
    let size = abs(cell);
    var bucket = k;
    if (is_finite(size.x + size.y + size.z) && max(max(size.x, size.y), size.z) < FARTHEST) {
        let c = bitcast<vec3u>(vec3i(cell));
        bucket = c.x + word(STEP_Y) * c.y + word(STEP_Z) * c.z;
    }
    return bucket & word(MASK);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = item(id);
    if (k >= batch.count) {
        return;
    }
    let slot = wet[k].slot;
    let at = x[slot];
    let place = place_of(wet[k], at, lattice_way(origin(), at.xyz) + d[slot]);
    let bucket = bucket_of(k, place);
    let turn = atomicAdd(&fluid_cells[HEADER + bucket], 1u);
    fluid_sorting[k] = bucket;
    fluid_sorting[turn_word(k)] = turn;
    fluid_unsorted[k] = vec4f(place, at.w);
    if (turn >= MOST_IN_BUCKET) {
        // Who came last is up to scheduling: no particle is told.
        atomicOr(&status.flags, CROWDED);
    }
}
