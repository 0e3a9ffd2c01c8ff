// Empties the buckets, and what rubs most.

@group(0) @binding(3) var<storage, read_write> fluid_rubbing: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let bucket = item(id);
    if (bucket >= batch.count) {
        return;
    }
    atomicStore(&fluid_cells[HEADER + bucket], 0u);
    if (bucket == 0u) {
        fluid_rubbing[0] = 0u;
    }
}
