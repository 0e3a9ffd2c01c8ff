// Colours of so few constraints that a workgroup has a thread for each, one after the other: a dispatch in place of one each.

@group(0) @binding(9) var<storage, read> colours: array<vec2u>; // their first places and their ends

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(local_invocation_index) thread: u32) {
    for (var k = 0u; k < batch.count; k += 1u) {
        let colour = colours[batch.first + select(k, batch.count - 1u - k, (batch.visit & BACK) != 0u)];
        let place = colour.x + thread;
        if (place < colour.y) {
            solve(load_record(place), place * COMPONENTS, 0u);
        }
        storageBarrier();
        workgroupBarrier();
    }
}
