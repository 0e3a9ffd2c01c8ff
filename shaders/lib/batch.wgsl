// What one dispatch works on: `count` items from `first`. Above 65,535 groups a dispatch is folded to two axes, `row` items
// long each.

struct Batch {
    first: u32,
    count: u32,
    row: u32,
    visit: u32,     // bits
}

const GROUP_SIZE: u32 = 256u;

// Bits of a visit. The first in a substep, the last, and constraints in the opposite order.
const OPENS: u32 = 1u;
const CLOSES: u32 = 2u;
const BACK: u32 = 4u;
// The dispatch does all sweeps of a substep.
const ALL_SWEEPS: u32 = 8u;

@group(0) @binding(1) var<uniform> batch: Batch;

// The index of this invocation among the batch's items; at or above `count` there is nothing to do.
fn item(id: vec3u) -> u32 {
    return id.x + id.y * batch.row;
}
