// Where the particles of each bucket begin: how many are in those before.

@group(0) @binding(3) var<storage, read> fluid_blocks: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let block = group.x + group.y * batch.row;
    let is_one = block < batch.count;
    // Of the blocks before.
    var mine = 0u;
    for (var k = thread; k < min(block, batch.count); k += GROUP_SIZE) {
        mine += fluid_blocks[k];
    }
    let before = reduced(thread, mine);
    // Of the threads before: each adds what one lies behind it, then two, four, ...
    let first = block * BLOCK + thread * EACH;
    var own = 0u;
    if (is_one) {
        own = counted(first);
    }
    var upto = own;
    for (var step = 1u; step < GROUP_SIZE; step *= 2u) {
        partial[thread] = upto;
        workgroupBarrier();
        if (thread >= step) {
            upto += partial[thread - step];
        }
        workgroupBarrier();
    }
    if (!is_one) {
        return;
    }
    var begin = before + upto - own;
    for (var k = 0u; k < EACH; k += 1u) {
        if (first + k <= word(MASK)) {
            let count = word(HEADER + first + k);
            atomicStore(&fluid_cells[HEADER + first + k], begin);
            begin += count;
        }
    }
}
