// Empties the lists of contacts before they are made again: as often as those of pairs.

@group(0) @binding(6) var<storage, read_write> segment_heads: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count || !is_stale()) {
        return;
    }
    segment_heads[i] = NONE;
    // Behind the heads: how many contacts the lists take.
    if (i == 0u) {
        segment_heads[batch.count] = 0u;
    }
}
