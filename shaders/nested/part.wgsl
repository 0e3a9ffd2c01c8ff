// Which particles have lost an edge: no level holds what is around them any more. One thread per particle, once a frame.

@group(0) @binding(2) var<storage, read> multipliers: array<vec2f>;
// Where each list begins, and the end of the last; then the lists: the slot of a particle and the places of its edges.
@group(0) @binding(3) var<storage, read> incident: array<u32>;
@group(0) @binding(4) var<storage, read_write> parted: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    var lost = 0u;
    for (var k = incident[i] + 1u; k < incident[i + 1u]; k += 1u) {
        lost |= u32(multipliers[incident[k]].x == BROKEN);
    }
    parted[incident[incident[i]]] = lost;
}
