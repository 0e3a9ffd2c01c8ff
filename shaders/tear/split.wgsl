// Gives each part of a torn vertex its particle, where there is a spare, and its share of the mass. One thread per vertex.
//
// The shares of a vertex's mass are those of its triangles' areas, or its tetrahedra's volumes: w of a part = w before * all shares / the part's. So the
// parts together weigh what the vertex did, whoever changed that, and what is fixed (w = 0) stays fixed.

// Where each vertex's corners begin in the list that follows, and the end; then the list: a corner and the bits of its share.
@group(0) @binding(2) var<storage, read> tear_fans: array<u32>;
@group(0) @binding(3) var<storage, read_write> holds: array<Hold>;
@group(0) @binding(4) var<storage, read_write> tear_vertices: array<TearVertex>;
@group(0) @binding(5) var<storage, read_write> tear: Tear;
@group(0) @binding(6) var<storage, read_write> x: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> sources: array<u32>; // the slot that each spare was split from

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || atomicExchange(&tear_vertices[i].torn, 0u) == 0u) {
        return;
    }
    let begin = tear_fans[i];
    let end = tear_fans[i + 1u];
    let list = batch.count + 1u;
    for (var k = begin; k < end; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        holds[corner].claimed = 0u;
        holds[corner].before = 0.0;
        holds[corner].after = 0.0;
    }
    for (var k = begin; k < end; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        holds[holds[corner].label].before += bitcast<f32>(tear_fans[list + 2u * k + 1u]);
    }
    var number = tear.free + tear_vertices[i].first;
    var given = 0u;
    for (var k = begin; k < end; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        let hold = holds[corner];
        if (hold.root == corner && holds[hold.label].claimed == 0u) {
            holds[hold.label].claimed = 1u;
        } else if (hold.root == corner && number < tear.capacity) {
            let slot = tear.first_spare + number;
            sources[number] = hold.particle;
            x[slot] = x[hold.particle];
            holds[corner].particle = slot;
            holds[corner].label = corner;
            holds[corner].before = holds[hold.label].before;
            number += 1u;
            given += 1u;
        } else if (hold.root != LOOSE) {
            // Roots come before the rest of their parts. One that waits has what it had.
            holds[corner].particle = holds[hold.root].particle;
            holds[corner].label = holds[hold.root].label;
        }
    }
    tear_vertices[i].wanted -= given;
    for (var k = begin; k < end; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        holds[holds[corner].label].after += bitcast<f32>(tear_fans[list + 2u * k + 1u]);
    }
    for (var k = begin; k < end; k += 1u) {
        let corner = tear_fans[list + 2u * k];
        // What keeps all that it had is left alone: on a card a / a need not be 1, and a state that was restored looks at all torn vertices again. (On an
        // NVIDIA H200 it went on with other bits before.)
        if (holds[corner].label == corner && holds[corner].before != holds[corner].after) {
            x[holds[corner].particle].w *= holds[corner].before / holds[corner].after;
        }
    }
}
