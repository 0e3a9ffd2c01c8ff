// What one dispatch works on: `count` items from `first`. Above 65,535 groups a dispatch is folded to two axes, `row` items
// long each.

struct Batch {
    first: u32,
    count: u32,
    row: u32,
    opening: u32,   // 1 in the first sweep of a substep, ALL_SWEEPS where the dispatch does all of them
}

const GROUP_SIZE: u32 = 256u;
const ALL_SWEEPS: u32 = 2u;

@group(0) @binding(1) var<uniform> batch: Batch;

// The index of this invocation among the batch's items; at or above `count` there is nothing to do.
fn item(id: vec3u) -> u32 {
    return id.x + id.y * batch.row;
}
