// Empties the grid and the lists before they are made again.

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let bucket = item(id);
    if (bucket >= batch.count || !is_stale()) {
        return;
    }
    load_shape();
    atomicStore(&grid[bucket_word(bucket) + 1u], 0u);
    if (bucket == 0u) {
        atomicStore(&lists.wanted, 0u);
        atomicStore(&grid[LEVELS], 0u);
        atomicStore(&grid[ALLOTTED], 0u);
        atomicStore(&grid[CROWDED_CELLS], 0u);
        // What a substep of the frame before asked for is no concern of this one's.
        if (substep.index == 0u) {
            atomicStore(&grid[STALE], 0u);
        }
    }
}
