// How many particles lie in each block of buckets.

@group(0) @binding(3) var<storage, read_write> fluid_blocks: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let block = group.x + group.y * batch.row;
    var mine = 0u;
    if (block < batch.count) {
        mine = counted(block * BLOCK + thread * EACH);
    }
    let sum = reduced(thread, mine);
    if (thread == 0u && block < batch.count) {
        fluid_blocks[block] = sum;
    }
}
